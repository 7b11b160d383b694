// Numbers to look at: A counts from 0, B in tens, C in hundreds, so that one
// glance at a result tells which elements met. And how elements of each type
// lie in their typed arrays (the package's arrays.ts says so).

import type { DTypeEntry, Tensor, TypedArray } from './engine';

/** A tensor that can be read element by element. */
export interface Values extends Tensor {
  /** Element number `flat`, row-major. */
  read(flat: number): number | bigint | boolean | string;
}

/** Element number of an index, row-major, as the data lie in memory. */
export function flatIndex(index: readonly number[], shape: readonly number[]): number {
  return index.reduce((flat, i, axis) => flat * (shape[axis] ?? 1) + i, 0);
}

// --- Small floats ------------------------------------------------------------

export interface FloatForm {
  readonly exponent: number;
  readonly mantissa: number;
  /** Whether the top exponent stands for infinities and NaN only. */
  readonly infinite: boolean;
}

/** The form of a float that JavaScript has no array for. */
export function floatForm(dtype: string): FloatForm | null {
  if (dtype === 'f16') return { exponent: 5, mantissa: 10, infinite: true };
  if (dtype === 'bf16') return { exponent: 8, mantissa: 7, infinite: true };
  const named = /^f8e(\d)m(\d)$/.exec(dtype);
  return named ? { exponent: Number(named[1]), mantissa: Number(named[2]), infinite: named[1] === '5' } : null;
}

export function decodeFloat(bits: number, { exponent, mantissa, infinite }: FloatForm): number {
  const top = 2 ** exponent - 1;
  const sign = bits >> (exponent + mantissa) === 0 ? 1 : -1;
  const power = (bits >> mantissa) & top;
  const rest = bits & (2 ** mantissa - 1);
  if (power === top && (infinite || rest === 2 ** mantissa - 1)) return infinite && rest === 0 ? sign * Infinity : NaN;
  const bias = 2 ** (exponent - 1) - 1;
  return power === 0
    ? sign * rest * 2 ** (1 - bias - mantissa)
    : sign * (1 + rest * 2 ** -mantissa) * 2 ** (power - bias);
}

/** Counting numbers are whole and not negative: rounded down to what the form holds. */
export function encodeFloat(value: number, { exponent, mantissa, infinite }: FloatForm): number {
  if (value < 1) return 0;
  const bias = 2 ** (exponent - 1) - 1;
  const power = Math.min(Math.floor(Math.log2(value)), 2 ** exponent - (infinite ? 2 : 1) - bias);
  const rest = Math.floor((value / 2 ** power - 1) * 2 ** mantissa);
  const most = 2 ** mantissa - (infinite || power < 2 ** exponent - 1 - bias ? 1 : 2);
  return ((power + bias) << mantissa) | Math.min(rest, most);
}

// --- Typed arrays ------------------------------------------------------------

/** How many entries of its typed array an element takes; 2 for complex numbers. */
const entriesOf = ({ bits, name }: DTypeEntry): number => (name.startsWith('c') ? 2 : bits < 8 ? bits / 8 : 1);

function emptyArray(type: DTypeEntry, elements: number): TypedArray {
  const entries = Math.ceil(elements * entriesOf(type));
  const { bits, kind, name } = type;
  if (name.startsWith('c')) return bits === 64 ? new Float32Array(entries) : new Float64Array(entries);
  if (kind === 'float' && bits === 64) return new Float64Array(entries);
  if (kind === 'float' && bits === 32) return new Float32Array(entries);
  const signed = kind === 'signed';
  if (bits === 64) return signed ? new BigInt64Array(entries) : new BigUint64Array(entries);
  if (bits === 32) return signed ? new Int32Array(entries) : new Uint32Array(entries);
  if (bits === 16) return signed ? new Int16Array(entries) : new Uint16Array(entries);
  return signed ? new Int8Array(entries) : new Uint8Array(entries);
}

/** Makes a result (or an operand) readable. */
export function readable(type: DTypeEntry, { data, shape, dtype }: Tensor): Values {
  const form = floatForm(dtype);
  const entry = (i: number): number | bigint => data[i] ?? 0;
  const read = ((): Values['read'] => {
    if (type.kind === 'boolean') return (i) => entry(i) !== 0;
    if (form) return (i) => decodeFloat(Number(entry(i)), form);
    if (entriesOf(type) === 2) return (i) => `${Number(entry(2 * i))}+${Number(entry(2 * i + 1))}i`;
    if (type.bits === 1) return (i) => (Number(entry(i >> 3)) >> (7 - (i & 7))) & 1;
    if (type.bits === 4) {
      const nibble = (i: number): number => (Number(entry(i >> 1)) >> (4 * (i & 1))) & 15;
      return type.name.startsWith('i') ? (i) => (nibble(i) ^ 8) - 8 : nibble;
    }
    return entry;
  })();
  return { data, shape, dtype, read };
}

/** What operand number `operand` counts by: 0, 1, 2 …; 10, 20, 30 …; 100, 200 … */
function countedBy(operand: number): { first: number; step: number } {
  if (operand === 0) return { first: 0, step: 1 };
  const step = operand < 4 ? 10 ** operand : 1000 * (operand - 2);
  return { first: step, step };
}

/** Counting numbers of any type. Truths alternate; small types wrap around. */
export function countingData(type: DTypeEntry, shape: readonly number[], operand: number): Values {
  const n = shape.reduce((a, b) => a * b, 1);
  const { first, step } = countedBy(operand);
  const data = emptyArray(type, n);
  const form = floatForm(type.name);
  if (type.kind === 'boolean') {
    // A: no yes no yes; B: no no yes yes: every pair comes up.
    for (let i = 0; i < n; ++i) data[i] = (i >> (operand % 3)) & 1;
  } else if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    // Through halves: millions of bigints would be slow.
    const halves = new Uint32Array(data.buffer);
    for (let i = 0; i < n; ++i) {
      const value = first + i * step;
      halves[2 * i] = value;
      halves[2 * i + 1] = value / 2 ** 32;
    }
  } else if (form) {
    for (let i = 0; i < n; ++i) data[i] = encodeFloat(first + i * step, form);
  } else if (entriesOf(type) === 2) {
    for (let i = 0; i < n; ++i) {
      data[2 * i] = first + i * step;
      data[2 * i + 1] = 1;
    }
  } else if (type.bits < 8) {
    const each = 8 / type.bits;
    for (let i = 0; i < n; ++i) {
      const value = (first / 10 + i) & (2 ** type.bits - 1);
      const place = type.bits === 1 ? 7 - (i % each) : type.bits * (i % each);
      const byte = Math.floor(i / each);
      data[byte] = Number(data[byte]) | (value << place);
    }
  } else {
    for (let i = 0; i < n; ++i) data[i] = first + i * step;
  }
  return readable(type, { data, shape, dtype: type.name });
}
