// A long axis is drawn in part: a window that follows the cell in hand.

import { countText } from './format';

/** Part of an axis: all there is, and what is drawn of it. */
export interface Window {
  readonly all: number;
  readonly first: number;
  readonly drawn: number;
}

/** At most so many cells are drawn either way; the rest is a slider away. */
export const windowRows = 16;
export const windowColumns = 16;

/** An axis that is not there is one cell wide. */
export const oneCell: Window = { all: 1, first: 0, drawn: 1 };

export function windowOf(shape: readonly number[], at: readonly number[], axis: number | null, most: number): Window {
  if (axis === null) return oneCell;
  const all = shape[axis] ?? 1;
  const first = Math.floor((at[axis] ?? 0) / most) * most;
  return { all, first, drawn: Math.min(most, all - first) };
}

/** `rows 16 to 31 of 100,000`; nothing where all are drawn. */
export const partText = ({ all, first, drawn }: Window, what: string): string =>
  drawn === all ? '' : `${what} ${first} to ${first + drawn - 1} of ${countText(all)}`.trim();
