// The images that are in sight, and the scale of their colours: that of the values in sight, so that a small part of a large
// range is not all of one colour.

import type { ImagePlace, CellImage, CellImages, Ranges, Slice } from './cell-images';
import { side } from './cell-images';
import type { ValueRange } from './colours';
import { type DrawnAxis, endOf, stepOf } from './view';

export interface Axes {
  readonly rows: DrawnAxis;
  readonly columns: DrawnAxis;
}

/** Milliseconds of a frame in which images are made; at least one is made. */
const budget = 1.5;
/** While the view moves, values are looked at anew after it moved by this part of the window, or zoomed by this factor. */
const movedBy = 0.25;
const zoomedBy = 1.25;

/** The numbers of the images in sight along one axis. */
function placesAlong(axis: DrawnAxis, step: number): { readonly first: number; readonly end: number } {
  return { first: Math.floor(axis.first / (side * step)), end: Math.ceil(endOf(axis) / (side * step)) };
}

export function* placesInSight({ rows, columns }: Axes): Iterable<ImagePlace> {
  const [rowStep, columnStep] = [stepOf(rows), stepOf(columns)];
  const [down, across] = [placesAlong(rows, rowStep), placesAlong(columns, columnStep)];
  for (let row = down.first; row < down.end; ++row) {
    for (let column = across.first; column < across.end; ++column) yield { rowStep, columnStep, row, column };
  }
}

/** Makes images that are missing, as far as a frame has time. Returns whether all are there. */
function makeMissing(images: CellImages, axes: Axes): boolean {
  const until = performance.now() + budget;
  let late = false;
  for (const place of placesInSight(axes)) {
    if (images.known(place)) continue;
    if (late) return false;
    images.make(place);
    late = performance.now() > until;
  }
  return true;
}

/** An image, and the part of it that covers a place. */
export interface Covering {
  readonly image: CellImage;
  readonly rows: { readonly from: number; readonly part: number };
  readonly columns: { readonly from: number; readonly part: number };
}

/** The image for a place, or the part of a coarser image that covers it; null if there is none. */
export function nearest(images: CellImages, place: ImagePlace): Covering | null {
  let [row, column] = [place.row, place.column];
  for (let times = 1; times <= 8; times *= 2) {
    const image = images.known({
      rowStep: place.rowStep * times,
      columnStep: place.columnStep * times,
      row: Math.floor(row),
      column: Math.floor(column),
    });
    if (image) {
      return {
        image,
        rows: { from: row - Math.floor(row), part: 1 / times },
        columns: { from: column - Math.floor(column), part: 1 / times },
      };
    }
    row /= 2;
    column /= 2;
  }
  return null;
}

function covers(images: CellImages, axes: Axes): boolean {
  for (const place of placesInSight(axes)) if (!nearest(images, place)) return false;
  return true;
}

/** Whether values are told apart on a scale. While the view moves, less is asked for: colours that change often are unrest. */
function suits(scale: ValueRange, seen: ValueRange, rests: boolean): boolean {
  const [width, all] = [seen.high - seen.low, scale.high - scale.low];
  if (rests) return seen.low >= scale.low && seen.high <= scale.high && width >= all / 2;
  const within = Math.min(seen.high, scale.high) - Math.max(seen.low, scale.low);
  return within >= width / 2 && width >= all / 4;
}

function allSuit(scales: Ranges, seen: Ranges, rests: boolean): boolean {
  return (
    suits(scales.result, seen.result, rests) &&
    seen.operands.every((range, k) => {
      const scale = scales.operands[k];
      return scale !== undefined && suits(scale, range, rests);
    })
  );
}

/** The images of a slice on a scale that follows the view. */
export class InSight {
  readonly #slice: Slice;
  #shown: CellImages | null = null;
  /** Images on another scale, which are shown once those in sight are made. */
  #coming: CellImages | null = null;
  /** Where the view was when its values were looked at. */
  #looked: Axes | null = null;

  constructor(slice: Slice) {
    this.#slice = slice;
  }

  /** The images to draw, and whether all in sight are there. `rests`: the view does not move. */
  prepare(axes: Axes, rests: boolean): { readonly images: CellImages; readonly complete: boolean } {
    const shown = this.#suiting(axes, rests);
    if (this.#coming) {
      const complete = makeMissing(this.#coming, axes);
      if (!complete && covers(shown, axes)) return { images: shown, complete };
      this.#shown = this.#coming;
      this.#coming = null;
      return { images: this.#shown, complete };
    }
    return { images: shown, complete: makeMissing(shown, axes) };
  }

  /** Looks at the values in sight, and asks for another scale if they are not told apart on the present one. */
  #suiting(axes: Axes, rests: boolean): CellImages {
    if (this.#shown && !rests && !this.#hasMoved(axes)) return this.#shown;
    this.#looked = axes;
    const seen = this.#slice.rangesIn(
      { begin: axes.rows.first, end: endOf(axes.rows) },
      { begin: axes.columns.first, end: endOf(axes.columns) },
    );
    this.#shown ??= this.#slice.coloured(seen);
    if (allSuit(this.#shown.ranges, seen, rests)) this.#coming = null;
    else if (!this.#coming || !allSuit(this.#coming.ranges, seen, rests)) this.#coming = this.#slice.coloured(seen);
    return this.#shown;
  }

  #hasMoved({ rows, columns }: Axes): boolean {
    const before = this.#looked;
    const moved = (from: DrawnAxis, to: DrawnAxis): boolean => {
      const zoomed = Math.max(from.size / to.size, to.size / from.size);
      return zoomed > zoomedBy || Math.abs(to.first - from.first) * to.size > movedBy * to.pixels;
    };
    return !before || moved(before.rows, rows) || moved(before.columns, columns);
  }
}
