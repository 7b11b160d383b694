// Elements as texts, shortened where a cell has no room.

import { digitsOf } from './digits';
import type { Shown } from './elements';
import type { ElementBox } from './computed-result';

/** The text of an element: no two elements of a type have the same one. */
export function exactText(value: Shown, dtype: string): string {
  if (typeof value !== 'number') return String(value);
  return Math.abs(value) === Infinity ? (value > 0 ? '∞' : '−∞') : digitsOf(value, dtype);
}

/** The text of the first element of a box; of a box of one cell, its only one. */
export const firstText = (box: ElementBox | undefined): string => (box ? exactText(box.read(0), box.tensor.dtype) : '');

/** The most letters of a number in a cell; a complex number is two numbers. */
const mostLetters = 11;

/**
 * A text that fits a cell, with an ellipsis for what is left out. Whole numbers keep both ends, since neighbours that
 * wrapped around differ in their last digits; other numbers keep their power of ten.
 *
 * @example
 * shortened('3.141592653589793'); // 3.14159265…
 * shortened('18446744073709551615'); // 18446…51615
 */
export function shortened(text: string, most: number = text.endsWith('i') ? 2 * mostLetters + 1 : mostLetters): string {
  if (text.length <= most) return text;
  const half = Math.max(0, Math.floor((most - 1) / 2));
  const end = /e-?\d+$|i$/.exec(text)?.[0] ?? (text.includes('.') || half === 0 ? '' : text.slice(-half));
  return `${text.slice(0, Math.max(1, most - 1 - end.length))}…${end}`;
}
