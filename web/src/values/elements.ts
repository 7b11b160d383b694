// Writes values into typed arrays and reads them back, for each element type. The layout is the package's: see
// wasm/src/elements/typed-arrays.ts.

import { digitsOf } from './digits';
import { decodeFloat, type DTypeEntry, encodeFloat, isSmallFloat, type TypedArray } from '../engine/engine';

/** Real and imaginary part. */
export type Complex = readonly [real: number, imaginary: number];

/** A value before it is converted to an element type. */
export type Value = number | bigint | boolean | Complex;

/** An element as it is displayed; complex numbers are texts. */
export type Shown = number | bigint | boolean | string;

const isComplexType = ({ name }: DTypeEntry): boolean => name.startsWith('c');

export const isComplexValue = (value: Value): value is Complex => Array.isArray(value);

/** The number of entries of the typed array per element: 2 for complex numbers, less than 1 for packed types. */
const entriesOf = (type: DTypeEntry): number => (isComplexType(type) ? 2 : type.bits < 8 ? type.bits / 8 : 1);

/** Zeros of that type. */
export function emptyArray(type: DTypeEntry, elements: number): TypedArray {
  const entries = Math.ceil(elements * entriesOf(type));
  const { bits, kind } = type;
  if (isComplexType(type)) return bits === 64 ? new Float32Array(entries) : new Float64Array(entries);
  if (kind === 'float' && bits === 64) return new Float64Array(entries);
  if (kind === 'float' && bits === 32) return new Float32Array(entries);
  const signed = kind === 'signed';
  if (bits === 64) return signed ? new BigInt64Array(entries) : new BigUint64Array(entries);
  if (bits === 32) return signed ? new Int32Array(entries) : new Uint32Array(entries);
  if (bits === 16) return signed ? new Int16Array(entries) : new Uint16Array(entries);
  return signed ? new Int8Array(entries) : new Uint8Array(entries);
}

const numberOf = (value: Value): number => Number(isComplexValue(value) ? value[0] : value);

/** The value as a whole number; typed arrays wrap it. Infinities and NaN give 0. */
function wholeOf(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  const number = Math.trunc(numberOf(value));
  return Number.isFinite(number) ? BigInt(number) : 0n;
}

/** Returns a function that sets element `at` of an array made by `emptyArray` to a value, rounded or wrapped. */
export function writerOf(type: DTypeEntry, data: TypedArray): (at: number, value: Value) => void {
  const { name } = type;
  if (type.kind === 'boolean') return (at, value) => (data[at] = isTrue(value) ? 1 : 0);
  if (isSmallFloat(name)) return (at, value) => (data[at] = encodeFloat(numberOf(value), name));
  if (isComplexType(type)) {
    return (at, value) => {
      data[2 * at] = numberOf(value);
      data[2 * at + 1] = isComplexValue(value) ? value[1] : 0;
    };
  }
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    return (at, value) => (data[at] = wholeOf(value));
  }
  if (type.bits < 8) {
    const each = 8 / type.bits;
    const mask = 2 ** type.bits - 1;
    return (at, value) => {
      const place = type.bits === 1 ? 7 - (at % each) : type.bits * (at % each);
      const byte = Math.floor(at / each);
      data[byte] = (Number(data[byte]) & ~(mask << place)) | ((numberOf(value) & mask) << place);
    };
  }
  if (type.kind === 'float') return (at, value) => (data[at] = numberOf(value));
  return (at, value) => {
    const number = numberOf(value);
    // Typed arrays wrap safe integers correctly; larger numbers would lose bits.
    data[at] = Number.isSafeInteger(number) ? number : Number(BigInt.asIntN(32, wholeOf(value)));
  };
}

const isTrue = (value: Value): boolean => (isComplexValue(value) ? value.some(Boolean) : Boolean(value));

/**
 * Returns a function that reads element `at`. All of the page reads elements through it. Results of f16 are in a Float16Array
 * if the browser has it, else in an array of their bits: the array itself says which.
 */
export function valuesIn(type: DTypeEntry, data: TypedArray): (at: number) => Value {
  const { name } = type;
  const entry = (at: number): number | bigint => data[at] ?? 0;
  if (type.kind === 'boolean') return (at) => entry(at) !== 0;
  if (isSmallFloat(name) && holdsBits(data)) return (at) => decodeFloat(Number(entry(at)), name);
  if (isComplexType(type)) return (at) => [Number(entry(2 * at)), Number(entry(2 * at + 1))];
  if (type.bits === 1) return (at) => (Number(entry(at >> 3)) >> (7 - (at & 7))) & 1;
  if (type.bits === 4) {
    const nibble = (at: number): number => (Number(entry(at >> 1)) >> (4 * (at & 1))) & 15;
    return type.name.startsWith('i') ? (at) => (nibble(at) ^ 8) - 8 : nibble;
  }
  return entry;
}

/** Whether the array holds integers: of a float type, its bits. */
const holdsBits = (data: TypedArray): boolean => !data[Symbol.toStringTag].startsWith('Float');

/** As `valuesIn`, with complex numbers as texts. */
export function readerOf(type: DTypeEntry, data: TypedArray): (at: number) => Shown {
  const read = valuesIn(type, data);
  return (at) => {
    const value = read(at);
    if (!isComplexValue(value)) return value;
    const [real, imaginary] = value.map((number) => digitsOf(number, type.name));
    return `${real}${imaginary?.startsWith('-') ? '' : '+'}${imaginary}i`;
  };
}

/** Whether an element of the type can hold the value; floats and bool take any real number. */
export function holds(type: DTypeEntry, value: Value): boolean {
  if (isComplexValue(value)) return isComplexType(type);
  const integer = /^[iu]\d/.exec(type.name);
  if (!integer) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const whole = BigInt(value);
  return type.name.startsWith('i')
    ? BigInt.asIntN(type.bits, whole) === whole
    : whole >= 0n && BigInt.asUintN(type.bits, whole) === whole;
}
