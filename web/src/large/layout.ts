// Where the panes of a large result lie. An operand with rows alone is a strip beside the result, one with columns alone a strip
// above it; one with both has a pane as large as the result's, if there is room. All panes move together.

import type { Openings } from './view';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether an operand has elements of its own along rows and columns. */
export interface Spread {
  readonly byRow: boolean;
  readonly byColumn: boolean;
}

export interface Pane extends Spread, Box {
  /** Null is the result. */
  readonly operand: number | null;
  /** Where its name begins, or ends, and its greatest width; null if it has no name. */
  readonly name: { readonly x: number; readonly y: number; readonly most: number; readonly ends: boolean } | null;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly frame: Openings;
  /** The pane that is panned: the result's, or that of an operand shown in its place. */
  readonly main: Pane;
  readonly operands: readonly Spread[];
  /** All panes, the main one among them. */
  readonly panes: readonly Pane[];
  /** Operands for which there is no room beside the result: they can be shown in its place. */
  readonly left: readonly number[];
  /** Rulers are written left of `x` and above `y`. */
  readonly ruler: { readonly x: number; readonly y: number };
}

export interface Wanted {
  readonly width: number;
  /** The greatest height of the result's pane, in pixels. */
  readonly most: number;
  readonly rows: number;
  readonly columns: number;
  /** Width and height of a cell with digits, in pixels. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly operands: readonly Spread[];
  /** The operand to show in the result's place if there is no room beside it; null is none. */
  readonly shown: number | null;
  /** Whether there are several results; then the result needs a name. */
  readonly several: boolean;
}

const names = 28;
const ruler = 18;
/** For names and rulers, where no pane has both. */
const either = 26;
const gap = 12;
const scrollbar = 9;
const leastPane = 190;

/** The width of a cell for a text of so many letters and its lines; and how many letters a cell has room for. */
const letter = 8;
const besideText = 20;
export const widthFor = (letters: number): number => letters * letter + besideText;
export const lettersIn = (width: number): number => Math.floor((width - besideText) / letter);

export function layoutOf(wanted: Wanted): Layout {
  const { width, most, rows, columns, cellWidth, cellHeight, operands } = wanted;
  const digits = String(rows - 1).length;
  const gutter = Math.max(rows > 1 ? 26 : 0, rows > 1 ? 7.5 * digits + 12 : 0, 44);
  const kinds = operands.map(({ byRow, byColumn }, operand) => ({ byRow, byColumn, operand }));
  const tops = kinds.filter(({ byRow, byColumn }) => byColumn && (!byRow || rows === 1)).slice(0, 4);
  const rest = kinds.filter((kind) => !tops.includes(kind));
  const full = rest.filter(({ byRow, byColumn }) => byRow && byColumn);
  const single = rest.filter((kind) => !full.includes(kind));

  let room = width - gutter - scrollbar;
  const lefts = single.slice(0, Math.max(0, Math.floor((room - leastPane) / (cellWidth + gap))));
  room -= lefts.length * (cellWidth + gap);
  const beside = full.slice(0, Math.max(0, Math.floor((room + gap) / (leastPane + gap)) - 1));
  const each = Math.floor((room - beside.length * gap) / (beside.length + 1));
  const paneWidth = Math.min(each, columns * cellWidth);
  const paneHeight = Math.min(most, rows * cellHeight);

  const placed = new Set([...tops, ...lefts, ...beside].map(({ operand }) => operand));
  const left = kinds.map(({ operand }) => operand).filter((operand) => !placed.has(operand));
  const shown = left.find((operand) => operand === wanted.shown);
  const main = (shown === undefined ? null : kinds[shown]) ?? { operand: null, byRow: true, byColumn: true };

  const above = tops.length * (cellHeight + 4);
  // A result right below its strips needs no name.
  const named = shown !== undefined || wanted.several || beside.length > 0 || tops.length === 0;
  const top = above + (named ? names + ruler : lefts.length > 0 ? either : ruler);
  let x = gutter;
  const panes: Pane[] = [];
  const place = (kind: Spread & { readonly operand: number | null }, w: number, h: number): Pane => {
    const pane = {
      ...kind,
      x,
      y: top,
      width: w,
      height: h,
      name: named || kind.operand !== null ? { x, y: above + 2, most: w, ends: false } : null,
    };
    panes.push(pane);
    x += w + gap;
    return pane;
  };
  for (const kind of lefts) place(kind, cellWidth, kind.byRow ? paneHeight : cellHeight);
  for (const kind of beside) place(kind, paneWidth, paneHeight);
  const seen = place(main, main.byColumn ? paneWidth : cellWidth, main.byRow ? paneHeight : cellHeight);
  tops.forEach((kind, i) => {
    const y = i * (cellHeight + 4);
    panes.push({
      ...kind,
      byRow: false,
      x: seen.x,
      y,
      width: paneWidth,
      height: cellHeight,
      name: { x: seen.x - 8, y: y + 6, most: seen.x - 8, ends: true },
    });
  });
  return {
    width,
    height: top + paneHeight,
    frame: {
      rows: { all: rows, pixels: paneHeight, most: cellHeight },
      columns: { all: columns, pixels: paneWidth, most: cellWidth },
    },
    operands,
    main: seen,
    panes,
    left,
    ruler: { x: gutter, y: top },
  };
}
