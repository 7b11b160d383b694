// Pseudorandom numbers, the same for the same seed on every machine.

export interface Draw {
  /** A whole number from 0 to n - 1. */
  below(n: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  /** True with probability 1/n. */
  onceIn(n: number): boolean;
}

/** Mulberry32: 32 bits of state are plenty for a few shapes. */
export function drawing(...seeds: readonly number[]): Draw {
  let state = seeds.reduce(
    (mixed, seed) => Math.imul(mixed ^ (seed >>> 0) ^ (seed / 2 ** 32), 0x9e3779b1) >>> 0,
    0x2545f491,
  );
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    one: (list) => list[below(list.length)] ?? list[0],
    onceIn: (n) => below(n) === 0,
  };
}
