// A generator of random numbers that depend on the seed alone, on every platform.
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + Math.floor(next() * (high - low + 1));
  const logBetween = (low, high) => Math.round(Math.exp(Math.log(low) + next() * Math.log(high / low)));
  const pick = (values) => values[Math.floor(next() * values.length)];
  return { next, between, logBetween, pick };
}
