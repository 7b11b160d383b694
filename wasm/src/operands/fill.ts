// Puts values without an element type into the typed array of the type that they get.

import { show } from '../values/show.js';
import type { TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';
import { unsupported, type FormFault } from '../types/fault.js';
import { at, type PlainValue } from './nested.js';
import { encodeFloat, isFiniteCode, isSmallFloat } from '../elements/small-floats.js';
import { entriesOf, holderOf, isPacked } from '../elements/typed-arrays.js';

/** The smallest and largest value of integer types. */
const RANGES = new Map<DType, readonly [least: bigint, most: bigint]>(
  ([8, 16, 32, 64] as const).flatMap((bits) => [
    [`i${bits}`, [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]],
    [`u${bits}`, [0n, 2n ** BigInt(bits) - 1n]],
  ]),
);

// The types that a message suggests for a value that does not fit.
const WIDER: readonly DType[] = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'i64', 'u64', 'f32', 'f64'];

/**
 * The values in row-major order as elements of `dtype`: integers and bools exactly, floats rounded once to nearest even.
 * `true` is 1; bool takes 1 and 0. The imaginary part of a complex element is 0.
 *
 * @throws FormFault for the first value that does not fit: one that is not whole or is out of range, for an integer type; a
 * finite one that would become infinite, for a float; any, for a packed type.
 * @example
 * fill([1, 2], [2], 'u8'); // Uint8Array [1, 2]
 * fill([1, 300], [2], 'u8'); // throws: [1] is 300, which u8 (0 to 255) does not hold; u16 does.
 */
export function fill(values: readonly PlainValue[], shape: readonly number[], dtype: DType): TypedArray {
  const width = entriesOf(dtype);
  const data = new (holderOf(dtype))(values.length * width);
  for (let i = 0; i < values.length; ++i) {
    const entry = entryOf(values[i] as PlainValue, dtype);
    if (entry === undefined) throw notHeld(values[i] as PlainValue, i, shape, dtype);
    (data as { [i: number]: number | bigint })[i * width] = entry;
  }
  return data;
}

/** The entry of the typed array for `value`; undefined where the type cannot hold it. */
function entryOf(value: PlainValue, dtype: DType): number | bigint | undefined {
  if (dtype === 'bool') return value == 0 || value == 1 ? Number(value) : undefined;
  if (isPacked(dtype)) return undefined;
  const range = RANGES.get(dtype);
  if (range === undefined) return floatOf(Number(value), typeof value === 'bigint', dtype);
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined;
  // Numbers and bigints are compared exactly.
  if ((value as number) < range[0] || (value as number) > range[1]) return undefined;
  return dtype === 'i64' || dtype === 'u64' ? BigInt(value) : Number(value);
}

function floatOf(value: number, wasWhole: boolean, dtype: DType): number | undefined {
  // A bigint that is too large for a number is Infinity.
  if (Math.abs(value) === Infinity) return wasWhole ? undefined : special(value, dtype);
  if (value !== value) return special(value, dtype);
  if (dtype === 'f32' || dtype === 'c64') return Math.abs(Math.fround(value)) === Infinity ? undefined : value;
  if (!isSmallFloat(dtype)) return value;
  const code = encodeFloat(value, dtype);
  return isFiniteCode(code, dtype) ? code : undefined;
}

/** NaN and infinities. f8e4m3 has no infinities. */
function special(value: number, dtype: DType): number | undefined {
  if (!isSmallFloat(dtype)) return value;
  return dtype === 'f8e4m3' && value === value ? undefined : encodeFloat(value, dtype);
}

function notHeld(value: PlainValue, index: number, shape: readonly number[], dtype: DType): FormFault {
  const text = typeof value === 'bigint' ? `${value}n` : show(value);
  const what =
    shape.length === 0
      ? `${text} is not held by ${named(dtype)}`
      : `${at(indexesOf(index, shape))} is ${text}, which ${named(dtype)} does not hold`;
  const other = isPacked(dtype) ? undefined : WIDER.find((candidate) => entryOf(value, candidate) !== undefined);
  return unsupported(value, `${what}${other === undefined ? '.' : `; ${other} does.`}`, { dtype });
}

/** The type in a message, with its range if that is short. */
function named(dtype: DType): string {
  const range = RANGES.get(dtype);
  if (range !== undefined) return `${dtype} (${range[0]} to ${range[1]})`;
  if (dtype === 'bool') return 'bool (true, false, 1 and 0)';
  return isPacked(dtype) ? `${dtype}, which takes its elements packed` : dtype;
}

function indexesOf(index: number, shape: readonly number[]): number[] {
  const indexes = new Array<number>(shape.length);
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const extent = shape[axis] as number;
    indexes[axis] = rest % extent;
    rest = Math.floor(rest / extent);
  }
  return indexes;
}
