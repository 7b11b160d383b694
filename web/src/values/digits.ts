// Numbers as texts: the fewest digits that read back as the same element of their type.

import { decodeFloat, encodeFloat, isSmallFloat } from '../engine/engine';

/** Rounds a number to a type; null if the type holds any number. Complex types are treated as their floats. */
function roundingOf(dtype: string): ((value: number) => number) | null {
  if (dtype === 'f32' || dtype === 'c64') return Math.fround;
  return isSmallFloat(dtype) ? (value) => decodeFloat(encodeFloat(value, dtype), dtype) : null;
}

/**
 * A number of that type, as JavaScript would read it; whole numbers keep all their digits.
 *
 * @example
 * digitsOf(Math.fround(0.1), 'f32'); // 0.1, though the nearest f64 is 0.10000000149011612
 */
export function digitsOf(value: number, dtype: string): string {
  const rounded = roundingOf(dtype);
  if (Object.is(value, -0)) return '-0';
  if (!rounded || Number.isSafeInteger(value) || !Number.isFinite(value)) return spelt(value);
  for (let digits = 1; digits < 17; ++digits) {
    const short = Number(value.toPrecision(digits));
    if (rounded(short) === value) return spelt(short);
  }
  return spelt(value);
}

/** Very large and very small numbers with powers of ten. */
function spelt(value: number): string {
  const size = Math.abs(value);
  const text = size > 0 && (size < 1e-4 || size >= 1e16) && size < Infinity ? value.toExponential() : String(value);
  return text.replace('e+', 'e');
}
