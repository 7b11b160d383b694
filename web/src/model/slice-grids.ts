// Slices of the result along one axis, side by side: for the page and for the pictures of it.

import { shortSliceText, sliceText } from '../text/format';
import type { DrawnResult } from './model';
import { type CellRows, slicePicture } from './picture';
import { rangeText, type CellRange, cellRangeOf } from '../text/cell-range';

/** At most so many slices are shown at once, and so many rows and columns of each. */
const mostSlices = 8;
const mostCells = 8;

export interface SliceGrid {
  /** The slice's index along the axis. */
  readonly index: number;
  /** Whether the cell in hand is on this slice. */
  readonly here: boolean;
  /** The slice, `out[1, :, :]`, and the same shortened. */
  readonly title: string;
  readonly shortTitle: string;
  /** The result, with the cell in hand moved to this slice. */
  readonly result: DrawnResult;
  readonly cells: CellRows;
}

export interface SliceGrids {
  /** Says which slices they are, and which part of each is drawn. */
  readonly heading: string;
  readonly rows: CellRange;
  readonly columns: CellRange;
  readonly cellWidth: number;
  readonly grids: readonly SliceGrid[];
}

export function sliceGridsOf(result: DrawnResult, axis: number): SliceGrids {
  const range = cellRangeOf(result.shape, result.at, axis, mostSlices);
  const rows = cellRangeOf(result.shape, result.at, result.rows, mostCells);
  const columns = cellRangeOf(result.shape, result.at, result.columns, mostCells);
  const whole = result.shape.map((_, a) => a === result.rows || a === result.columns);
  const drawn = Array.from({ length: range.drawn }, (_, i) => {
    const index = range.first + i;
    const at = result.at.map((own, a) => (a === axis ? index : own));
    const slice: DrawnResult = { ...result, at };
    const { cells, cellWidth } = slicePicture(slice, rows, columns);
    const here = index === result.at[axis];
    const title = `out${sliceText(at, whole)}`;
    const shortTitle = `out${shortSliceText(at, whole, axis)}`;
    return { cellWidth, grid: { index, here, title, shortTitle, result: slice, cells } };
  });
  const hidden = rows.drawn < rows.all || columns.drawn < columns.all;
  const which = rangeText(range, '');
  return {
    heading: `Slices along axis ${axis}${which && ` (${which})`}${
      hidden ? `, ${rows.drawn} × ${columns.drawn} cells of each around the cell in hand` : ''
    }`,
    rows,
    columns,
    cellWidth: Math.max(...drawn.map(({ cellWidth }) => cellWidth)),
    grids: drawn.map(({ grid }) => grid),
  };
}
