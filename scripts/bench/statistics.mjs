// What the times of several rounds say.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// An interval that holds the median with a probability of at least 95 %, whatever the distribution: as many values lie
// below the median as heads fall, so the k-th smallest and k-th largest enclose it unless fewer than k heads or tails fall.
// Fifteen values: the fourth and the twelfth, 96.5 %. Five and fewer do not suffice; then it is all of them.
export function interval(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const n = sorted.length;
  let k = 0;
  for (let term = 0.5 ** n, below = 0; k < n >> 1; ++k) {
    below += term; // the chance of k heads or fewer
    if (2 * below > 0.05) break;
    term *= (n - k) / (k + 1);
  }
  const first = Math.max(k - 1, 0);
  return [sorted[first], sorted[n - 1 - first]];
}

// How `work` compares with `reference`, round by round: what slows a whole round cancels.
export function ratio(work, reference) {
  const ratios = work.map((time, round) => time / reference[round]);
  return { ratio: median(ratios), interval: interval(ratios) };
}
