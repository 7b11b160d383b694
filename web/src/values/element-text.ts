// Elements as texts, cut where a cell has no room.

import { digitsOf } from './digits';
import type { Shown } from './elements';
import type { Patch } from './weave';

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
