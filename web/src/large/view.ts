// The view of a large result: where it starts and how far it is zoomed. Pure. A start is a whole cell and pixels of it, not one
// number: at the end of an axis of 10^15 cells a number has no digits left for a fraction of a cell.

import type { Look } from '../state/state';

/** The start of the view along an axis: the first cell in sight, and how many of its pixels are out of sight. */
export interface Start {
  readonly first: number;
  readonly hidden: number;
}

export interface View {
  /** Height of a cell in pixels, if the axis does not fit as a whole. */
  readonly zoom: number;
  readonly rows: Start;
  readonly columns: Start;
}

/** An axis, and the opening through which it is seen. */
export interface Opening {
  /** Cells along the axis. */
  readonly all: number;
  /** Pixels of the opening. */
  readonly pixels: number;
  /** Pixels of a cell with digits. */
  readonly most: number;
}

export interface Openings {
  readonly rows: Opening;
  readonly columns: Opening;
}

/** An axis as it is drawn: start, opening, and pixels of a cell. */
export interface DrawnAxis extends Start, Opening {
  readonly size: number;
}

/** The least height of a cell with digits, in pixels; and its height when nothing is zoomed out. */
export const digitsFrom = 28;
export const closest = 34;
/** Cells up to this height are squares. */
const squareUpTo = 12;
/** If cells would be smaller, in pixels, one of several is drawn. */
const leastBlock = 2;

/** Pixels of a cell by the zoom; an axis is never drawn smaller than its opening. */
function sizeOf(zoom: number, { all, pixels, most }: Opening): number {
  const part = Math.min(1, Math.max(0, (zoom - squareUpTo) / (closest - squareUpTo)));
  const wanted = zoom + part * (most - closest);
  return Math.max(wanted, Math.min(most, pixels / all));
}

/** The zoom at which the whole slice is in sight. */
export const farthest = ({ rows, columns }: Openings): number =>
  Math.min(closest, rows.pixels / rows.all, columns.pixels / columns.all);

function clamped(place: Start, { all, pixels }: Opening, size: number): Start {
  const inSight = pixels / size;
  if (place.first < 0 || all <= inSight) return { first: 0, hidden: 0 };
  const whole = Math.ceil(inSight);
  const last = { first: all - whole, hidden: (whole - inSight) * size };
  const within = place.first < last.first || (place.first === last.first && place.hidden <= last.hidden);
  return within ? place : last;
}

function moved(place: Start, opening: Opening, size: number, cells: number): Start {
  const there = place.hidden / size + cells;
  const whole = Math.floor(there);
  return clamped({ first: place.first + whole, hidden: (there - whole) * size }, opening, size);
}

export function drawnAxes(view: View, frame: Openings): { readonly rows: DrawnAxis; readonly columns: DrawnAxis } {
  const along = (place: Start, opening: Opening): DrawnAxis => ({
    ...place,
    ...opening,
    size: sizeOf(view.zoom, opening),
  });
  return { rows: along(view.rows, frame.rows), columns: along(view.columns, frame.columns) };
}

/** The view, moved into openings that may have changed their size. */
export function settle(view: View, frame: Openings): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), view.zoom));
  const place = (own: Start, opening: Opening): Start => clamped(own, opening, sizeOf(zoom, opening));
  return { zoom, rows: place(view.rows, frame.rows), columns: place(view.columns, frame.columns) };
}

/** A view as links hold it: in cells, since another window has other pixels. */
export function lookOf(view: View, frame: Openings): Look {
  const { rows, columns } = drawnAxes(view, frame);
  const start = ({ first, hidden, size }: DrawnAxis): number => Number((first + hidden / size).toFixed(3));
  return { row: start(rows), column: start(columns), scale: Number((closest / view.zoom).toPrecision(6)) };
}

export function viewOf({ row, column, scale }: Look, frame: Openings): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), closest / scale));
  const place = (start: number, opening: Opening): Start => {
    const size = sizeOf(zoom, opening);
    const first = Math.floor(start);
    return clamped({ first, hidden: (start - first) * size }, opening, size);
  };
  return { zoom, rows: place(row, frame.rows), columns: place(column, frame.columns) };
}

/** Moves the view by pixels. */
export function pan(view: View, frame: Openings, across: number, down: number): View {
  const { rows, columns } = drawnAxes(view, frame);
  return {
    ...view,
    rows: moved(view.rows, frame.rows, rows.size, down / rows.size),
    columns: moved(view.columns, frame.columns, columns.size, across / columns.size),
  };
}

/** Zooms by a factor about a point of the opening, in pixels. */
export function zoomBy(view: View, frame: Openings, factor: number, x: number, y: number): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), view.zoom * factor));
  const before = drawnAxes(view, frame);
  const after = drawnAxes({ ...view, zoom }, frame);
  const place = (axis: 'rows' | 'columns', at: number): Start => {
    const { hidden, size } = before[axis];
    const next = after[axis].size;
    // The fraction of the cell at the edge stays, in pixels of the new size.
    const start = { first: view[axis].first, hidden: (hidden / size) * next };
    return moved(start, frame[axis], next, at / size - at / next);
  };
  return { zoom, rows: place('rows', y), columns: place('columns', x) };
}

/** Moves the view as little as needed to bring a cell into sight; a cell far away comes to the middle. */
export function reveal(view: View, frame: Openings, row: number, column: number): View {
  const drawn = drawnAxes(view, frame);
  const place = (axis: 'rows' | 'columns', index: number): Start => {
    const own = drawn[axis];
    const { size, pixels } = own;
    const begin = pixelOf(own, index);
    const end = begin + size;
    if (begin >= 0 && end <= pixels) return view[axis];
    const far = begin < -pixels || end > 2 * pixels;
    // The view then starts with a whole cell.
    const cells = far ? Math.floor((pixels - size) / size / 2) : begin < 0 ? 0 : (pixels - size) / size;
    return moved({ first: index, hidden: 0 }, frame[axis], size, -cells);
  };
  return { ...view, rows: place('rows', row), columns: place('columns', column) };
}

/** Moves the middle of the view to a fraction of each axis, from 0 to 1; null leaves an axis where it is. */
export function centre(view: View, frame: Openings, across: number | null, down: number | null): View {
  const drawn = drawnAxes(view, frame);
  const place = (axis: 'rows' | 'columns', part: number | null): Start => {
    if (part === null) return view[axis];
    const { all, pixels, size } = drawn[axis];
    return moved({ first: 0, hidden: 0 }, frame[axis], size, Math.max(0, part * all - pixels / size / 2));
  };
  return { ...view, rows: place('rows', down), columns: place('columns', across) };
}

/** Where a cell begins, in pixels of the opening. */
export const pixelOf = ({ first, hidden, size }: DrawnAxis, index: number): number => (index - first) * size - hidden;

/** The cell at a pixel of the opening. */
export const cellAt = ({ first, hidden, size, all }: DrawnAxis, pixel: number): number =>
  Math.min(all - 1, Math.max(0, first + Math.floor((hidden + pixel) / size)));

/** One past the last cell in sight. */
export const endOf = ({ first, hidden, size, all, pixels }: DrawnAxis): number =>
  Math.min(all, first + Math.ceil((hidden + pixels) / size));

/** One cell of so many is drawn: a power of two, so that blocks keep their places while zooming. */
export const stepOf = ({ size }: DrawnAxis): number =>
  size >= leastBlock ? 1 : 2 ** Math.ceil(Math.log2(leastBlock / size));
