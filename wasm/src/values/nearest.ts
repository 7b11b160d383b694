// Suggests the name that was probably meant.

/**
 * The known names that are most probably meant, at most three that are equally probable. Letter case does not count. In
 * this order: the same name; one that begins with the given text, or with which the text begins; one that has the text as
 * a word between underscores; the one that differs in the fewest letters, if that is at most a third of them.
 */
export function nearest(name: string, known: readonly string[]): readonly string[] {
  if (name.length > 64) return [];
  const given = name.toLowerCase();
  const ways: ((candidate: string) => boolean)[] = [
    (candidate) => candidate === given,
    (candidate) => given.length > 2 && candidate.startsWith(given),
    (candidate) => given.length > 2 && candidate.split('_').includes(given),
  ];
  for (const way of ways) {
    const found = known.filter((candidate) => way(candidate.toLowerCase()));
    if (found.length > 0) return found.length > 3 ? [] : found;
  }
  let best: string | undefined;
  let least = Math.max(2, name.length / 3) + 0.5;
  for (const candidate of known) {
    const distance = editDistance(given, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best === undefined ? [] : [best];
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
