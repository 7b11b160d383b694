// Elements of one type as elements of another that promotion leads to.

import type { TypedArray } from '../arrays.js';
import type { DType } from '../vocabulary.js';
import { encode, isSmallFloat, valuesOf, type SmallFloat } from './small-floats.js';
import { lengthOf, viewAs } from './typed-arrays.js';

/** How the elements of a type are kept in their typed array. */
type Keeping = 'bool' | 'number' | 'bigint' | 'small' | 'complex';

function keepingOf(dtype: DType): Keeping {
  if (dtype === 'bool') return 'bool';
  if (dtype === 'i64' || dtype === 'u64') return 'bigint';
  if (dtype === 'c64' || dtype === 'c128') return 'complex';
  return isSmallFloat(dtype) ? 'small' : 'number';
}

type Numbers = { [i: number]: number } & TypedArray;

// Bigints are slow, one at a time: 64-bit integers are read and written as their halves, the lower first.
const HALF = 4294967296;

function halvesOf(data: TypedArray): Int32Array {
  return viewAs(data, Int32Array, 2 * lengthOf.call(data));
}

/** Whether the typed array's own `set` makes the one of the other, entry by entry. */
export function isPlain(from: DType, to: DType): boolean {
  if (from === to) return true;
  const [a, b] = [keepingOf(from), keepingOf(to)];
  return (a === 'number' && b === 'number') || (a === 'complex' && b === 'complex');
}

/**
 * Reads `count` elements as numbers, from the entry `at` on, each `stride` entries after the one before. 64-bit integers
 * are rounded to nearest; bools are 0 and 1.
 */
export function readNumbers(
  source: TypedArray,
  dtype: DType,
  at: number,
  stride: number,
  count: number,
  into: Float64Array,
  to: number,
): void {
  switch (keepingOf(dtype)) {
    case 'bool':
      for (let i = 0, from = at; i < count; ++i, from += stride) into[to + i] = (source as Numbers)[from] === 0 ? 0 : 1;
      return;
    case 'bigint': {
      const halves = halvesOf(source);
      // Unsigned ones differ in how the upper half is read. The sum is the one rounding.
      const upper = dtype === 'u64' ? (half: number) => half >>> 0 : (half: number) => half;
      for (let i = 0, from = 2 * at; i < count; ++i, from += 2 * stride) {
        into[to + i] = upper(halves[from + 1] as number) * HALF + ((halves[from] as number) >>> 0);
      }
      return;
    }
    case 'small': {
      const values = valuesOf(dtype as SmallFloat);
      for (let i = 0, from = at; i < count; ++i, from += stride) {
        into[to + i] = values[(source as Numbers)[from] as number] as number;
      }
      return;
    }
    default:
      for (let i = 0, from = at; i < count; ++i, from += stride) into[to + i] = (source as Numbers)[from] as number;
  }
}

/** Writes `count` numbers, whole ones for 64-bit integers, as elements of `dtype`, one after the other, from element `at` on. */
export function writeNumbers(numbers: Float64Array, count: number, dtype: DType, into: TypedArray, at: number): void {
  switch (keepingOf(dtype)) {
    case 'bigint': {
      const halves = halvesOf(into);
      for (let i = 0, to = 2 * at; i < count; ++i, to += 2) {
        halves[to] = numbers[i] as number; // modulo 2^32
        halves[to + 1] = Math.floor((numbers[i] as number) / HALF);
      }
      return;
    }
    case 'small':
      for (let i = 0; i < count; ++i) (into as Numbers)[at + i] = encode(numbers[i] as number, dtype as SmallFloat);
      return;
    case 'complex':
      for (let i = 0; i < count; ++i) {
        (into as Numbers)[2 * (at + i)] = numbers[i] as number;
        (into as Numbers)[2 * (at + i) + 1] = 0;
      }
      return;
    default:
      (into as Float64Array).set(numbers.subarray(0, count), at);
  }
}
