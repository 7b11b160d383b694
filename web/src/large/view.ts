// Where one looks in a large result, and how closely. Pure. A place is a whole cell and pixels of it, not one number: far
// out along an axis of 10^15 cells a number has no digits left for the part of a cell.

import type { Look } from '../state/state';

/** Along one axis: the first cell in sight, and how many of its pixels are out of sight. */
export interface Place {
  readonly first: number;
  readonly hidden: number;
}

export interface View {
  /** Height of a cell in pixels, where the axes do not fit as a whole. */
  readonly zoom: number;
  readonly rows: Place;
  readonly columns: Place;
}

/** An axis in the opening that it is seen through. */
export interface Opening {
  /** Cells along the axis. */
  readonly all: number;
  /** Pixels of the opening. */
  readonly pixels: number;
  /** Pixels of a cell with digits. */
  readonly most: number;
}

export interface Frame {
  readonly rows: Opening;
  readonly columns: Opening;
}

/** As an axis is drawn: its place, and the pixels of a cell. */
export interface Drawn extends Place, Opening {
  readonly size: number;
}

/** Height of a cell from which there is room for digits, and the height that they have when nothing is zoomed out. */
export const digitsFrom = 28;
export const closest = 34;
/** Below this, cells are as wide as they are high. */
const squareUpTo = 12;
/** Cells that would be smaller, in pixels, are drawn one for several. */
const leastBlock = 2;

/** Pixels of a cell: what the zoom says, but an axis is never smaller than its opening. */
function sizeOf(zoom: number, { all, pixels, most }: Opening): number {
  const part = Math.min(1, Math.max(0, (zoom - squareUpTo) / (closest - squareUpTo)));
  const wanted = zoom + part * (most - closest);
  return Math.max(wanted, Math.min(most, pixels / all));
}

/** The zoom at which the whole is in sight. */
export const farthest = ({ rows, columns }: Frame): number =>
  Math.min(closest, rows.pixels / rows.all, columns.pixels / columns.all);

function clamped(place: Place, { all, pixels }: Opening, size: number): Place {
  const inSight = pixels / size;
  if (place.first < 0 || all <= inSight) return { first: 0, hidden: 0 };
  const whole = Math.ceil(inSight);
  const last = { first: all - whole, hidden: (whole - inSight) * size };
  const within = place.first < last.first || (place.first === last.first && place.hidden <= last.hidden);
  return within ? place : last;
}

function moved(place: Place, opening: Opening, size: number, cells: number): Place {
  const there = place.hidden / size + cells;
  const whole = Math.floor(there);
  return clamped({ first: place.first + whole, hidden: (there - whole) * size }, opening, size);
}

export function drawnAxes(view: View, frame: Frame): { readonly rows: Drawn; readonly columns: Drawn } {
  const along = (place: Place, opening: Opening): Drawn => ({
    ...place,
    ...opening,
    size: sizeOf(view.zoom, opening),
  });
  return { rows: along(view.rows, frame.rows), columns: along(view.columns, frame.columns) };
}

/** The view within the frame, which may have changed its size. */
export function settle(view: View, frame: Frame): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), view.zoom));
  const place = (own: Place, opening: Opening): Place => clamped(own, opening, sizeOf(zoom, opening));
  return { zoom, rows: place(view.rows, frame.rows), columns: place(view.columns, frame.columns) };
}

/** A view as links hold it: without pixels, since another window has other ones. */
export function lookOf(view: View, frame: Frame): Look {
  const { rows, columns } = drawnAxes(view, frame);
  const start = ({ first, hidden, size }: Drawn): number => Number((first + hidden / size).toFixed(3));
  return { row: start(rows), column: start(columns), scale: Number((closest / view.zoom).toPrecision(6)) };
}

export function viewOf({ row, column, scale }: Look, frame: Frame): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), closest / scale));
  const place = (start: number, opening: Opening): Place => {
    const size = sizeOf(zoom, opening);
    const first = Math.floor(start);
    return clamped({ first, hidden: (start - first) * size }, opening, size);
  };
  return { zoom, rows: place(row, frame.rows), columns: place(column, frame.columns) };
}

/** Moves the view by pixels. */
export function pan(view: View, frame: Frame, across: number, down: number): View {
  const { rows, columns } = drawnAxes(view, frame);
  return {
    ...view,
    rows: moved(view.rows, frame.rows, rows.size, down / rows.size),
    columns: moved(view.columns, frame.columns, columns.size, across / columns.size),
  };
}

/** Zooms by a factor; what is at these pixels of the opening stays there. */
export function zoomBy(view: View, frame: Frame, factor: number, x: number, y: number): View {
  const zoom = Math.min(closest, Math.max(farthest(frame), view.zoom * factor));
  const before = drawnAxes(view, frame);
  const after = drawnAxes({ ...view, zoom }, frame);
  const place = (axis: 'rows' | 'columns', at: number): Place => {
    const { hidden, size } = before[axis];
    const next = after[axis].size;
    // The part of the cell at the edge stays, counted in pixels of the new size.
    const start = { first: view[axis].first, hidden: (hidden / size) * next };
    return moved(start, frame[axis], next, at / size - at / next);
  };
  return { zoom, rows: place('rows', y), columns: place('columns', x) };
}

/** The least move that brings a cell into sight; one that is far off comes to the middle. */
export function reveal(view: View, frame: Frame, row: number, column: number): View {
  const drawn = drawnAxes(view, frame);
  const place = (axis: 'rows' | 'columns', index: number): Place => {
    const own = drawn[axis];
    const { size, pixels } = own;
    const begin = pixelOf(own, index);
    const end = begin + size;
    if (begin >= 0 && end <= pixels) return view[axis];
    const far = begin < -pixels || end > 2 * pixels;
    // What comes to the middle begins with a whole cell at the edge.
    const cells = far ? Math.floor((pixels - size) / size / 2) : begin < 0 ? 0 : (pixels - size) / size;
    return moved({ first: index, hidden: 0 }, frame[axis], size, -cells);
  };
  return { ...view, rows: place('rows', row), columns: place('columns', column) };
}

/** Puts the middle of the opening to a part of each axis, from 0 to 1. */
export function centre(view: View, frame: Frame, across: number | null, down: number | null): View {
  const drawn = drawnAxes(view, frame);
  const place = (axis: 'rows' | 'columns', part: number | null): Place => {
    if (part === null) return view[axis];
    const { all, pixels, size } = drawn[axis];
    return moved({ first: 0, hidden: 0 }, frame[axis], size, Math.max(0, part * all - pixels / size / 2));
  };
  return { ...view, rows: place('rows', down), columns: place('columns', across) };
}

/** Where a cell begins, in pixels of the opening. */
export const pixelOf = ({ first, hidden, size }: Drawn, index: number): number => (index - first) * size - hidden;

/** The cell at a pixel of the opening. */
export const cellAt = ({ first, hidden, size, all }: Drawn, pixel: number): number =>
  Math.min(all - 1, Math.max(0, first + Math.floor((hidden + pixel) / size)));

/** Cells in sight, the last not included. */
export const endOf = ({ first, hidden, size, all, pixels }: Drawn): number =>
  Math.min(all, first + Math.ceil((hidden + pixels) / size));

/** One cell of so many is drawn: a power of two, so that blocks stay where they are while one zooms. */
export const stepOf = ({ size }: Drawn): number =>
  size >= leastBlock ? 1 : 2 ** Math.ceil(Math.log2(leastBlock / size));
