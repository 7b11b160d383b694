// Slices of the result along one axis, beside one another: what the page shows, and the pictures of it.

import { sliceText } from '../text/format';
import type { Cloth } from './model';
import { type Cells, slicePicture } from './picture';
import { partText, type Window, windowOf } from '../text/window';

/** So many slices at once, of so many rows and columns each. */
const mostTiles = 8;
const mostCells = 8;

export interface Tile {
  /** Where along the axis. */
  readonly place: number;
  /** Whether the cell in hand is on this one. */
  readonly here: boolean;
  /** `out[1, :, :]` */
  readonly title: string;
  /** The result with an index of this slice. */
  readonly cloth: Cloth;
  readonly cells: Cells;
}

export interface Tiles {
  /** Which slices they are, and which part of them. */
  readonly heading: string;
  readonly rows: Window;
  readonly columns: Window;
  readonly cellWidth: number;
  readonly tiles: readonly Tile[];
}

export function tilesOf(cloth: Cloth, axis: number): Tiles {
  const part = windowOf(cloth.shape, cloth.at, axis, mostTiles);
  const rows = windowOf(cloth.shape, cloth.at, cloth.rows, mostCells);
  const columns = windowOf(cloth.shape, cloth.at, cloth.columns, mostCells);
  const whole = cloth.shape.map((_, a) => a === cloth.rows || a === cloth.columns);
  const drawn = Array.from({ length: part.drawn }, (_, i) => {
    const place = part.first + i;
    const at = cloth.at.map((own, a) => (a === axis ? place : own));
    const slice: Cloth = { ...cloth, at };
    const { cells, cellWidth } = slicePicture(slice, rows, columns);
    const here = place === cloth.at[axis];
    return { cellWidth, tile: { place, here, title: `out${sliceText(at, whole)}`, cloth: slice, cells } };
  });
  const hidden = rows.drawn < rows.all || columns.drawn < columns.all;
  const which = partText(part, '');
  return {
    heading: `Slices along axis ${axis}${which && ` (${which})`}${
      hidden ? `, ${rows.drawn} × ${columns.drawn} cells of each around the cell in hand` : ''
    }`,
    rows,
    columns,
    cellWidth: Math.max(...drawn.map(({ cellWidth }) => cellWidth)),
    tiles: drawn.map(({ tile }) => tile),
  };
}
