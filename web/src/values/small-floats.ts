// Floats that JavaScript has no number for everywhere: f16, bf16 and those of 8 bits, to and from their bits.

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

/** Whether elements of the type are held as their bits. */
export const hasBits = (dtype: string): boolean => floatForm(dtype) !== null;

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

/** The bits of the value, rounded to nearest even; what is too large is an infinity, or NaN where the form has none. */
export function encodeFloat(value: number, { exponent, mantissa, infinite }: FloatForm): number {
  const sign = value < 0 || Object.is(value, -0) ? 1 << (exponent + mantissa) : 0;
  const top = 2 ** exponent - 1;
  const infinity = top << mantissa;
  const nan = infinite ? infinity | (1 << (mantissa - 1)) : infinity | (2 ** mantissa - 1);
  if (Number.isNaN(value)) return nan;
  const size = Math.abs(value);
  if (size === Infinity) return sign | (infinite ? infinity : nan);
  const bias = 2 ** (exponent - 1) - 1;
  // Subnormal numbers share the least exponent.
  const power = Math.max(exponentOf(size), 1 - bias);
  const steps = roundedToEven(size / 2 ** (power - mantissa));
  // Steps past the mantissa carry into the exponent by themselves.
  const bits = steps < 2 ** mantissa ? steps : ((power + bias - 1) << mantissa) + steps;
  const most = infinite ? infinity : nan;
  return sign | Math.min(bits, most);
}

/**
 * The bits of the value in a type by its name: `floatBits(1, 'f16')` is 0x3c00.
 *
 * @throws RangeError where the type is none of f16, bf16, f8e4m3 and f8e5m2.
 */
export function floatBits(value: number, dtype: string): number {
  const form = floatForm(dtype);
  if (!form) throw new RangeError(`${dtype} has no bits of its own here`);
  return encodeFloat(value, form);
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** The power of two that a number begins with, read off its bits: a logarithm rounds, and takes longer. */
function exponentOf(size: number): number {
  double[0] = size;
  // The upper half comes second: WebAssembly, and so this page, runs where bytes lie in this order.
  return (((halves[1] ?? 0) >>> 20) & 2047) - 1023;
}

function roundedToEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  return rest > 0.5 || (rest === 0.5 && down % 2 === 1) ? down + 1 : down;
}
