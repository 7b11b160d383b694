// Elements as texts: with as few digits as read back as the same element of their type, and cut where a cell has no room.

import type { Shown } from './elements';
import { decodeFloat, encodeFloat, floatForm } from './small-floats';
import type { Patch } from './weave';

/** What a type makes of a number. Complex types are told by the floats that they are made of. */
function roundingOf(dtype: string): ((value: number) => number) | null {
  if (dtype === 'f32' || dtype === 'c64') return Math.fround;
  const form = floatForm(dtype);
  return form && ((value) => decodeFloat(encodeFloat(value, form), form));
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

/** Powers of ten where zeros would have to be counted. */
function spelt(value: number): string {
  const size = Math.abs(value);
  const text = size > 0 && (size < 1e-4 || size >= 1e16) && size < Infinity ? value.toExponential() : String(value);
  return text.replace('e+', 'e');
}

/** An element of that type, told apart from all others. */
export function exactText(value: Shown, dtype: string): string {
  if (typeof value !== 'number') return String(value);
  return Math.abs(value) === Infinity ? (value > 0 ? '∞' : '−∞') : digitsOf(value, dtype);
}

/** The first element of a patch, which is all of it where the box is one cell. */
export const firstText = (patch: Patch | undefined): string =>
  patch ? exactText(patch.read(0), patch.tensor.dtype) : '';

/** Letters of a cell; a complex number is two. */
const mostLetters = 11;

/**
 * A text that fits a cell: what is left out is seen to be left out. Whole numbers keep both ends, since neighbours that
 * wrapped around differ in their last digits; others keep their power of ten.
 *
 * @example
 * cut('3.141592653589793'); // 3.14159265…
 * cut('18446744073709551615'); // 18446…51615
 */
export function cut(text: string, most: number = text.endsWith('i') ? 2 * mostLetters + 1 : mostLetters): string {
  if (text.length <= most) return text;
  const half = Math.max(0, Math.floor((most - 1) / 2));
  const end = /e-?\d+$|i$/.exec(text)?.[0] ?? (text.includes('.') || half === 0 ? '' : text.slice(-half));
  return `${text.slice(0, Math.max(1, most - 1 - end.length))}…${end}`;
}
