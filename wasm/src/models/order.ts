/**
 * Numbers from 0 to `count` - 1 in an order in which each comes after those that it needs, as they are if they are in
 * such an order already. If there is no such order, a number that depends on itself.
 */
export function order(
  count: number,
  needs: (i: number) => readonly (number | undefined)[],
): { readonly sorted: readonly number[] } | { readonly stuck: number } {
  const all = Array.from({ length: count }, (_, i) => i);
  if (all.every((i) => needs(i).every((needed) => (needed ?? -1) < i))) return { sorted: all };

  const waiting = all.map(() => 0);
  const users = all.map((): number[] => []);
  for (const i of all) {
    for (const needed of new Set(needs(i))) {
      if (needed === undefined) continue;
      users[needed]?.push(i);
      waiting[i] = (waiting[i] as number) + 1;
    }
  }
  const ready = all.filter((i) => waiting[i] === 0);
  for (const i of ready) {
    for (const user of users[i] ?? []) {
      waiting[user] = (waiting[user] as number) - 1;
      if (waiting[user] === 0) ready.push(user);
    }
  }
  return ready.length === count ? { sorted: ready } : { stuck: waiting.findIndex((left) => left > 0) };
}
