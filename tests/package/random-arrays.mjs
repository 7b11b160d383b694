// Random arrays of every element type, the same for the same seed.

import { ARRAYS } from './arrays.mjs';

/** A function that returns whole numbers from 0 to `n` - 1. */
export function randomOf(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % n;
  };
}

/** An array of small numbers, for floats with fractions. */
export function randomArray(bl, random, dtype, shape) {
  const data = new ARRAYS[dtype](Number(bl.countBytes(shape, dtype)) / ARRAYS[dtype].BYTES_PER_ELEMENT);
  const float = {
    f16: () => 0x3c00 + random(0x800),
    bf16: () => 0x3f80 + random(0x100),
    f32: () => random(999) / 8,
    f64: () => random(999) / 8,
  };
  for (let i = 0; i < data.length; ++i) {
    const value = float[dtype]?.() ?? random(dtype === 'bool' ? 2 : 100);
    data[i] = typeof data[0] === 'bigint' ? BigInt(value) : value;
  }
  return { data, shape, dtype };
}

export const bytes = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
