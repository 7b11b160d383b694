// Converts elements of one type to another, as promotion needs.

import type { TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';
import { encodeFloat, isSmallFloat, valuesOf, type SmallFloat } from './small-floats.js';
import { holderOf, lengthOf, viewAs } from './typed-arrays.js';

/** How the elements of a type lie in their typed array. */
type Keeping = 'bool' | 'number' | 'bigint' | 'small' | 'complex';

function keepingOf(dtype: DType): Keeping {
  if (dtype === 'bool') return 'bool';
  if (dtype === 'i64' || dtype === 'u64') return 'bigint';
  if (dtype === 'c64' || dtype === 'c128') return 'complex';
  return isSmallFloat(dtype) ? 'small' : 'number';
}

/** A typed array of numbers. */
export type NumberArray = { [i: number]: number } & TypedArray;

// 64-bit integers are read and written as halves, the lower half first, since bigints are slow.
const HALF = 4294967296;

/** Whether numbers can be written into the typed array as they are. */
export function holdsNumbers(dtype: DType): boolean {
  return keepingOf(dtype) === 'number';
}

/** Whether `set` of the typed array converts the one type to the other. */
export function isPlain(from: DType, to: DType): boolean {
  if (from === to) return true;
  const [a, b] = [keepingOf(from), keepingOf(to)];
  return (a === 'number' && b === 'number') || (a === 'complex' && b === 'complex');
}

/**
 * Reads `count` elements as numbers, from entry `at` on, `stride` entries apart. 64-bit integers are rounded to nearest;
 * bools are 0 and 1.
 */
export function readNumbers(
  source: TypedArray,
  dtype: DType,
  at: number,
  stride: number,
  count: number,
  into: NumberArray,
  to: number,
): void {
  switch (keepingOf(dtype)) {
    case 'bool':
      for (let i = 0, from = at; i < count; ++i, from += stride) {
        into[to + i] = (source as NumberArray)[from] === 0 ? 0 : 1;
      }
      return;
    case 'bigint': {
      // A signed type has its sign in the upper half. Only the addition rounds.
      const halves = viewAs(source, holderOf(dtype === 'u64' ? 'u32' : 'i32'), 2 * lengthOf.call(source));
      for (let i = 0, from = 2 * at; i < count; ++i, from += 2 * stride) {
        into[to + i] = (halves[from + 1] as number) * HALF + ((halves[from] as number) >>> 0);
      }
      return;
    }
    case 'small': {
      const values = valuesOf(dtype as SmallFloat);
      for (let i = 0, from = at; i < count; ++i, from += stride) {
        into[to + i] = values[(source as NumberArray)[from] as number] as number;
      }
      return;
    }
    default:
      for (let i = 0, from = at; i < count; ++i, from += stride) into[to + i] = (source as NumberArray)[from] as number;
  }
}

/**
 * Writes `count` numbers, from element `at` on, as elements of a type whose typed array cannot take numbers directly. For
 * 64-bit integers they have to be whole.
 */
export function writeNumbers(numbers: Float64Array, count: number, dtype: DType, into: TypedArray, at: number): void {
  switch (keepingOf(dtype)) {
    case 'bigint': {
      const halves = viewAs(into, Int32Array, 2 * lengthOf.call(into));
      for (let i = 0, to = 2 * at; i < count; ++i, to += 2) {
        halves[to] = numbers[i] as number; // modulo 2^32
        halves[to + 1] = Math.floor((numbers[i] as number) / HALF);
      }
      return;
    }
    case 'small':
      for (let i = 0; i < count; ++i)
        (into as NumberArray)[at + i] = encodeFloat(numbers[i] as number, dtype as SmallFloat);
      return;
    case 'complex':
      for (let i = 0; i < count; ++i) {
        (into as NumberArray)[2 * (at + i)] = numbers[i] as number;
        (into as NumberArray)[2 * (at + i) + 1] = 0;
      }
  }
}
