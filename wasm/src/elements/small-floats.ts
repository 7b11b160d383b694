// Floats that JavaScript has no number for on every platform: their bits from numbers, and back.

import type { DType } from '../types/vocabulary.js';

/** An element type whose typed array holds the bits of floats. */
export type SmallFloat = 'f16' | 'bf16' | 'f8e4m3' | 'f8e5m2';

interface Format {
  /** Bits of the fraction. */
  readonly fraction: number;
  readonly bias: number;
  /** The code of the smallest magnitude that is no finite number. */
  readonly infinity: number;
  readonly nan: number;
  readonly sign: number;
}

const FORMATS: { readonly [F in SmallFloat]: Format } = {
  f16: { fraction: 10, bias: 15, infinity: 0x7c00, nan: 0x7e00, sign: 0x8000 },
  bf16: { fraction: 7, bias: 127, infinity: 0x7f80, nan: 0x7fc0, sign: 0x8000 },
  // The one without infinities: what would be one is its NaN.
  f8e4m3: { fraction: 3, bias: 7, infinity: 0x7f, nan: 0x7f, sign: 0x80 },
  f8e5m2: { fraction: 2, bias: 15, infinity: 0x7c, nan: 0x7e, sign: 0x80 },
};

export function isSmallFloat(dtype: DType): dtype is SmallFloat {
  return Object.hasOwn(FORMATS, dtype);
}

const number = new Float64Array(1);
const halves = new Uint32Array(number.buffer);

/** The exponent of a positive normal number: 0 for 1, -1 for 0.5. */
function exponentOf(value: number): number {
  number[0] = value;
  return ((halves[1] as number) >>> 20) - 1023;
}

function roundToEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 === 1) ? low + 1 : low;
}

/** The bits of `value`, rounded once to nearest even. */
export function encode(value: number, dtype: SmallFloat): number {
  const { fraction, bias, infinity, nan, sign } = FORMATS[dtype];
  if (value !== value) return nan;
  const negative = value < 0 || Object.is(value, -0) ? sign : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return negative | infinity;
  const least = 1 - bias;
  const exponent = magnitude < 2 ** least ? least : exponentOf(magnitude);
  // How many of the last place there are: with the leading one of normal numbers, without it below them.
  const units = roundToEven(magnitude * 2 ** (fraction - exponent));
  // Carries go on into the exponent, and from it into infinity.
  const code = (exponent - least) * 2 ** fraction + units;
  return negative | Math.min(code, infinity);
}

/** Whether the bits stand for a finite number. */
export function isFiniteCode(code: number, dtype: SmallFloat): boolean {
  const { sign, infinity } = FORMATS[dtype];
  return (code & (sign - 1)) < infinity;
}

const values = new Map<SmallFloat, Float32Array>();

/** The number that each code stands for; binary32 holds them all. */
export function valuesOf(dtype: SmallFloat): Float32Array {
  let list = values.get(dtype);
  if (list === undefined) {
    list = Float32Array.from({ length: 2 * FORMATS[dtype].sign }, (_, code) => decode(code, dtype));
    values.set(dtype, list);
  }
  return list;
}

function decode(code: number, dtype: SmallFloat): number {
  const { fraction, bias, infinity, nan, sign } = FORMATS[dtype];
  const magnitude = code & (sign - 1);
  const negative = code >= sign ? -1 : 1;
  if (magnitude >= infinity) return magnitude === infinity && infinity !== nan ? negative * Infinity : NaN;
  const exponent = magnitude >> fraction;
  const leading = 1 << fraction;
  const units = (magnitude & (leading - 1)) + (exponent === 0 ? 0 : leading);
  return negative * units * 2 ** (Math.max(exponent, 1) - bias - fraction);
}
