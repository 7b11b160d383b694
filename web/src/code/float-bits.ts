// The bits of floats that JavaScript and C++23 have no type for everywhere.

import { floatForm } from '../values';

/** Whether elements of the type are written as their bits. */
export const hasBits = (dtype: string): boolean => floatForm(dtype) !== null;

/**
 * The bits of the value in that type, rounded to nearest even: `floatBits(1, 'f16')` is 0x3c00.
 *
 * @throws RangeError where the type is none of f16, bf16, f8e4m3 and f8e5m2.
 */
export function floatBits(value: number, dtype: string): number {
  const form = floatForm(dtype);
  if (!form) throw new RangeError(`${dtype} has no bits of its own here`);
  const { exponent, mantissa, infinite } = form;
  const sign = value < 0 || Object.is(value, -0) ? 1 << (exponent + mantissa) : 0;
  const top = 2 ** exponent - 1;
  const infinity = top << mantissa;
  const nan = infinite ? infinity | (1 << (mantissa - 1)) : infinity | (2 ** mantissa - 1);
  if (Number.isNaN(value)) return nan;
  const size = Math.abs(value);
  if (size === Infinity) return sign | (infinite ? infinity : nan);
  const bias = 2 ** (exponent - 1) - 1;
  // Subnormal numbers share the least exponent.
  const power = Math.max(size === 0 ? 1 - bias : Math.floor(Math.log2(size)), 1 - bias);
  const steps = roundedToEven(size / 2 ** (power - mantissa));
  // Steps past the mantissa carry into the exponent by themselves.
  const bits = steps < 2 ** mantissa ? steps : ((power + bias - 1) << mantissa) + steps;
  const most = infinite ? infinity : nan;
  return sign | Math.min(bits, most);
}

function roundedToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
