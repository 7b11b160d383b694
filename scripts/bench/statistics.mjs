// Statistics of the times of several rounds.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

// A confidence interval of the median, at least 95 %, for any distribution. The number of values below the median has a
// binomial distribution, so the k-th smallest and k-th largest value enclose the median unless fewer than k of n coins fall
// heads, or tails. Of fifteen values these are the fourth and the twelfth, 96.5 %. Of five or fewer, the interval is their range.
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

// The ratio of `work` to `reference`, round by round, so that a disturbance of a whole round cancels.
export function ratio(work, reference) {
  const ratios = work.map((time, round) => time / reference[round]);
  return { ratio: median(ratios), interval: interval(ratios) };
}

// The floor under the work: in each round the longer of the times of moving its bytes and of computing its elements. `floor`
// says which is longer in the median; `arithmetic` is missing if the operator has none.
export function floorOf(bytes, arithmetic) {
  if (arithmetic === undefined) return { floor: 'bytes', times: bytes };
  return {
    floor: median(arithmetic) > median(bytes) ? 'arithmetic' : 'bytes',
    times: bytes.map((time, round) => Math.max(time, arithmetic[round])),
  };
}
