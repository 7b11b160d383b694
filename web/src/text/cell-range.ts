// The range of a long axis that is drawn: it follows the cell in hand.

import { countText } from './format';

/** A range of cells along an axis. */
export interface CellRange {
  /** The extent of the axis. */
  readonly all: number;
  /** The first cell that is drawn, and how many are. */
  readonly first: number;
  readonly drawn: number;
}

/** At most so many rows and columns are drawn as elements of the page; larger results are drawn on a canvas. */
export const mostRows = 16;
export const mostColumns = 16;

/** Stands for an axis that an array does not have. */
export const oneCell: CellRange = { all: 1, first: 0, drawn: 1 };

export function cellRangeOf(
  shape: readonly number[],
  at: readonly number[],
  axis: number | null,
  most: number,
): CellRange {
  if (axis === null) return oneCell;
  const all = shape[axis] ?? 1;
  const first = Math.floor((at[axis] ?? 0) / most) * most;
  return { all, first, drawn: Math.min(most, all - first) };
}

/** `rows 16 to 31 of 100,000`; an empty text where all cells are drawn. */
export const rangeText = ({ all, first, drawn }: CellRange, what: string): string =>
  drawn === all ? '' : `${what} ${first} to ${first + drawn - 1} of ${countText(all)}`.trim();
