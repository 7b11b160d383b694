// Floats of 8 and 16 bits, for which not every platform has a typed array: from numbers to their bits, and back.

/** An element type of floats whose typed array holds the bits of each element. */
export type SmallFloat = 'f16' | 'bf16' | 'f8e4m3' | 'f8e5m2';

interface Format {
  /** Bits of the fraction. */
  readonly fraction: number;
  readonly bias: number;
  /** The bits of the first value after the largest finite one: infinity, or NaN where there is no infinity. */
  readonly infinity: number;
  readonly nan: number;
  readonly sign: number;
}

const FORMATS: { readonly [F in SmallFloat]: Format } = {
  f16: { fraction: 10, bias: 15, infinity: 0x7c00, nan: 0x7e00, sign: 0x8000 },
  bf16: { fraction: 7, bias: 127, infinity: 0x7f80, nan: 0x7fc0, sign: 0x8000 },
  // It has no infinities: values beyond its range are NaN.
  f8e4m3: { fraction: 3, bias: 7, infinity: 0x7f, nan: 0x7f, sign: 0x80 },
  f8e5m2: { fraction: 2, bias: 15, infinity: 0x7c, nan: 0x7e, sign: 0x80 },
};

/**
 * Whether arrays of this element type hold the bits of floats.
 *
 * @example isSmallFloat('bf16'); // true
 */
export function isSmallFloat(dtype: string): dtype is SmallFloat {
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

/**
 * The bits of a number, rounded once to nearest even. A value beyond the range of the type is an infinity; in f8e4m3,
 * which has none, it is NaN.
 *
 * @example encodeFloat(1, 'f16'); // 0x3c00
 */
export function encodeFloat(value: number, dtype: SmallFloat): number {
  const { fraction, bias, infinity, nan, sign } = FORMATS[dtype];
  if (value !== value) return nan;
  const negative = value < 0 || Object.is(value, -0) ? sign : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Infinity) return negative | infinity;
  const least = 1 - bias;
  const exponent = magnitude < 2 ** least ? least : exponentOf(magnitude);
  // The fraction as a whole number; that of a normal number includes its leading 1.
  const units = roundToEven(magnitude * 2 ** (fraction - exponent));
  // A carry out of the fraction increases the exponent, up to infinity.
  const code = (exponent - least) * 2 ** fraction + units;
  return negative | Math.min(code, infinity);
}

/** Whether these are the bits of a finite number. */
export function isFiniteCode(code: number, dtype: SmallFloat): boolean {
  const { sign, infinity } = FORMATS[dtype];
  return (code & (sign - 1)) < infinity;
}

const values = new Map<SmallFloat, Float32Array>();

/** The number that each code stands for. binary32 holds all of them exactly. */
export function valuesOf(dtype: SmallFloat): Float32Array {
  let list = values.get(dtype);
  if (list === undefined) {
    list = Float32Array.from({ length: 2 * FORMATS[dtype].sign }, (_, code) => decodeFloat(code, dtype));
    values.set(dtype, list);
  }
  return list;
}

/**
 * The number that these bits stand for.
 *
 * @example decodeFloat(0x3c00, 'f16'); // 1
 */
export function decodeFloat(code: number, dtype: SmallFloat): number {
  const { fraction, bias, infinity, nan, sign } = FORMATS[dtype];
  const magnitude = code & (sign - 1);
  const negative = code >= sign ? -1 : 1;
  if (magnitude >= infinity) return magnitude === infinity && infinity !== nan ? negative * Infinity : NaN;
  const exponent = magnitude >> fraction;
  const leading = 1 << fraction;
  const units = (magnitude & (leading - 1)) + (exponent === 0 ? 0 : leading);
  return negative * units * 2 ** (Math.max(exponent, 1) - bias - fraction);
}
