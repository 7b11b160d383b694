// Draws one frame of a large result on its canvas.

import { exactText, shortened } from '../values/element-text';
import { sameIndex, type Lit } from '../model/lit';
import type { Alignment } from '../engine/engine';
import type { DrawnResult } from '../model/model';
import { indexAt } from '../model/picture';
import { mostLines, lineAt } from '../model/repeat-lines';
import type { BoxElements, ElementBox } from '../values/computed-result';
import { type Layout, lettersIn, type Pane } from './layout';
import { boxOf, side, type CellImage, type CellImages, type Slice } from './cell-images';
import { type Axes, nearest, placesInSight } from './in-sight';
import type { CanvasTheme } from './theme';
import { closest, type DrawnAxis, endOf, pixelOf } from './view';

export interface Scene {
  readonly alignment: Alignment;
  readonly result: DrawnResult;
  readonly lit: Lit;
  readonly layout: Layout;
  readonly theme: CanvasTheme;
  readonly slice: Slice;
}

/** Cells with digits are computed in blocks of so many rows and columns. */
const block = 32;
/** Cells of at least so many pixels have lines between them. */
const linesFrom = 6;

/** Draws the frame: cells as blocks of `images`, or with digits if that is null. */
export function paint(
  context: CanvasRenderingContext2D,
  scene: Scene,
  axes: Axes,
  images: CellImages | null,
  scale: number,
): void {
  const { layout, theme } = scene;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  context.imageSmoothingEnabled = false;
  for (const pane of layout.panes) {
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, pane.width, pane.height);
    context.clip();
    context.fillStyle = theme.paper;
    context.fillRect(pane.x, pane.y, pane.width, pane.height);
    if (images) drawSwatches(context, images, pane, axes, theme, scale);
    else drawDigits(context, scene, pane, axes);
    drawLight(context, scene, pane, axes, images === null);
    context.restore();
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(pane.x - 0.5, pane.y - 0.5, pane.width + 1, pane.height + 1);
  }
  drawRulers(context, scene, axes);
}

// --- Cells as pixels -----------------------------------------------------------

/** Draws the part in sight: from its own images, or from coarser ones where these are missing. */
function drawSwatches(
  context: CanvasRenderingContext2D,
  images: CellImages,
  pane: Pane,
  axes: Axes,
  theme: CanvasTheme,
  scale: number,
): void {
  const imageOf = (image: CellImage): HTMLCanvasElement | undefined =>
    pane.operand === null ? image.result : image.operands[pane.operand];
  // Whole pixels of the screen, so that no seam is seen between neighbours.
  const snap = (pixel: number): number => Math.round(pixel * scale) / scale;
  const done = new Set<number>();
  for (const place of placesInSight(axes)) {
    // An operand that repeats is a strip: each of its images is drawn once.
    const key = pane.byRow ? (pane.byColumn ? -1 : place.row) : pane.byColumn ? place.column : 0;
    if (key >= 0 && done.has(key)) continue;
    const found = nearest(images, place);
    if (!found) continue;
    if (key >= 0) done.add(key);
    const { rows: down, columns: across } = found;
    const image = imageOf(found.image);
    if (!image) continue;
    const [top, bottom] = pane.byRow ? ends(axes.rows, place.row, place.rowStep) : [0, pane.height];
    const [left, right] = pane.byColumn ? ends(axes.columns, place.column, place.columnStep) : [0, pane.width];
    const part = (own: boolean, of: { from: number; part: number }, pixels: number): [number, number] =>
      own ? [of.from * side, Math.min(pixels - of.from * side, of.part * side)] : [0, 1];
    const [sx, sw] = part(pane.byColumn, across, image.width);
    const [sy, sh] = part(pane.byRow, down, image.height);
    const [x0, x1] = [snap(pane.x + left), snap(pane.x + right)];
    const [y0, y1] = [snap(pane.y + top), snap(pane.y + bottom)];
    if (sw > 0 && sh > 0) context.drawImage(image, sx, sy, sw, sh, x0, y0, x1 - x0, y1 - y0);
  }
  context.strokeStyle = theme.paper;
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  drawBorders(
    context,
    pane,
    pane.byRow && axes.rows.size >= linesFrom ? axes.rows : null,
    pane.byColumn && axes.columns.size >= linesFrom ? axes.columns : null,
  );
  context.globalAlpha = 1;
}

/** Where an image begins and ends along an axis, in pixels of the pane. */
function ends(axis: DrawnAxis, number: number, step: number): [number, number] {
  const end = Math.min(axis.all, (number + 1) * side * step);
  return [pixelOf(axis, number * side * step), pixelOf(axis, end)];
}

// --- Cells with digits ---------------------------------------------------------

function drawDigits(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, axes: Axes): void {
  const { theme, lit } = scene;
  const { operand } = pane;
  const rows = pane.byRow ? axes.rows : null;
  const columns = pane.byColumn ? axes.columns : null;
  const size = Math.round((13 * axes.rows.size) / closest);
  context.font = `${size}px ${theme.mono}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const [ground, ink] = operand === null ? [theme.paper, theme.ink] : [theme.washes[operand] ?? theme.paper, theme.ink];
  const [firstRow, endRow] = rows ? [rows.first, endOf(rows)] : [axes.rows.first, axes.rows.first + 1];
  const [firstColumn, endColumn] = columns
    ? [columns.first, endOf(columns)]
    : [axes.columns.first, axes.columns.first + 1];
  const height = rows ? rows.size : pane.height;
  const width = columns ? columns.size : pane.width;
  const held = operand === null ? null : (lit.sources[operand] ?? null);
  for (let row = firstRow; row < endRow; ++row) {
    const y = rows ? pane.y + pixelOf(rows, row) : pane.y;
    for (let column = firstColumn; column < endColumn; ++column) {
      const x = columns ? pane.x + pixelOf(columns, column) : pane.x;
      const { index, own, text } = cellOf(scene, operand, row, column);
      const inHand =
        operand === null
          ? lit.hot.kind === 'result' && sameIndex(lit.hot.index, index)
          : held !== null && sameIndex(held, own);
      const isLit = operand === null && index.every((i, axis) => covers(lit, axis, i));
      context.fillStyle = inHand
        ? operand === null
          ? theme.accent
          : (theme.hues[operand] ?? ground)
        : isLit
          ? theme.accentWash
          : ground;
      context.fillRect(x, y, width, height);
      context.fillStyle = inHand ? (operand === null ? theme.onAccent : theme.paper) : ink;
      // The lines of repeated elements are at the left and at the bottom.
      const clear = operand === null ? 3 : 0;
      context.fillText(text, x + width / 2 + clear, y + height / 2 - clear);
    }
  }
  context.strokeStyle = operand === null ? theme.line : theme.paper;
  context.lineWidth = operand === null ? 1 : 2;
  drawBorders(context, pane, rows, columns);
  if (operand === null) drawLines(context, scene, pane, axes);
}

/** Lines across rows and down columns where operands repeat, beside the digits, as in a small grid. */
function drawLines(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, { rows, columns }: Axes): void {
  const { layout, theme, lit, result } = scene;
  const pulls = (operand: number): boolean => lit.hot.kind === 'result' || lit.hot.operand === operand;
  const stroke = (operand: number, bright: boolean, draw: () => void): void => {
    context.strokeStyle = theme.hues[operand] ?? theme.ink;
    context.globalAlpha = bright ? 1 : 0.55;
    context.lineWidth = bright ? 2.5 : 1.5;
    context.beginPath();
    draw();
    context.stroke();
    context.globalAlpha = 1;
  };
  // Of several results, each has the lines of its own operand alone.
  const spread = layout.operands
    .map((way, operand) => ({ ...way, operand }))
    .filter(({ operand }) => result.outputs.length === 1 || operand === result.output);
  const across = spread.filter(({ byColumn }) => !byColumn && columns.all > 1).slice(0, mostLines);
  const down = spread.filter(({ byRow }) => !byRow && rows.all > 1).slice(0, mostLines);
  across.forEach(({ operand }, k) => {
    for (let row = rows.first; row < endOf(rows); ++row) {
      const y = pane.y + pixelOf(rows, row + 1) - lineAt(k);
      stroke(operand, pulls(operand) && (result.rows === null || covers(lit, result.rows, row)), () => {
        context.moveTo(pane.x, y);
        context.lineTo(pane.x + pane.width, y);
      });
    }
  });
  down.forEach(({ operand }, k) => {
    for (let column = columns.first; column < endOf(columns); ++column) {
      const x = pane.x + pixelOf(columns, column) + lineAt(k);
      stroke(operand, pulls(operand) && (result.columns === null || covers(lit, result.columns, column)), () => {
        context.moveTo(x, pane.y);
        context.lineTo(x, pane.y + pane.height);
      });
    }
  });
}

/** Draws the lines between cells, along the axes that are not null. */
function drawBorders(
  context: CanvasRenderingContext2D,
  pane: Pane,
  rows: DrawnAxis | null,
  columns: DrawnAxis | null,
): void {
  context.beginPath();
  if (rows) {
    for (let row = rows.first + 1; row < endOf(rows); ++row)
      line(context, pane.x, pane.y + pixelOf(rows, row), pane.width, 0);
  }
  if (columns) {
    for (let column = columns.first + 1; column < endOf(columns); ++column)
      line(context, pane.x + pixelOf(columns, column), pane.y, 0, pane.height);
  }
  context.stroke();
}

function line(context: CanvasRenderingContext2D, x: number, y: number, across: number, down: number): void {
  const [x0, y0] = [Math.round(x) - 0.5, Math.round(y) - 0.5];
  context.moveTo(x0, y0);
  context.lineTo(x0 + across, y0 + down);
}

interface DrawnCell {
  /** The cell's index in the result, and in the array itself. */
  readonly index: readonly number[];
  readonly own: readonly number[];
  readonly text: string;
}

// Cells stay in sight for many frames: their texts are kept, at most so many for each slice.
const mostDrawnCells = 5000;
const drawnCells = new WeakMap<Slice, Map<string, DrawnCell>>();

function cellOf(
  { result, alignment, slice, layout }: Scene,
  operand: number | null,
  row: number,
  column: number,
): DrawnCell {
  let known = drawnCells.get(slice);
  if (!known || known.size > mostDrawnCells) drawnCells.set(slice, (known = new Map()));
  const key = `${operand} ${row} ${column}`;
  const old = known.get(key);
  if (old) return old;
  const index = indexAt(result, row, column);
  const own = operand === null ? index : alignment.sourceOf(operand, index);
  const box = boxAt(result, operand, row, column);
  const text = box ? exactText(box.valueAt(own), box.tensor.dtype) : '';
  const made = { index, own, text: shortened(text, lettersIn(layout.frame.columns.most)) };
  known.set(key, made);
  return made;
}

/** The elements of the block that a cell is in. The result keeps the blocks that were asked for last. */
function boxAt(result: DrawnResult, operand: number | null, row: number, column: number): ElementBox | undefined {
  const along = (axis: number | null, at: number) => {
    const all = axis === null ? 1 : (result.shape[axis] ?? 1);
    const begin = at - (at % block);
    return { begin, end: Math.min(all, begin + block) };
  };
  const cells: BoxElements = result.cells(boxOf(result, along(result.rows, row), along(result.columns, column)));
  return operand === null ? cells.outputs[result.output] : cells.operands[operand];
}

const covers = ({ box }: Lit, axis: number, i: number): boolean => {
  const range = box[axis];
  return range !== undefined && i >= range.begin && i < range.end;
};

// --- Light ---------------------------------------------------------------------

/** Draws rings around what is lit: cells of the result, and one element of each operand. */
function drawLight(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, axes: Axes, digits: boolean): void {
  const { lit, result, alignment, theme } = scene;
  const { rows, columns } = result;
  const range = (axis: number | null) =>
    axis === null ? { begin: 0, end: 1 } : (lit.box[axis] ?? { begin: 0, end: 0 });
  const [down, across] = [range(rows), range(columns)];
  const onSlice = indexAt(result, down.begin, across.begin);
  if (pane.operand === null) {
    if (!onSlice.every((i, axis) => covers(lit, axis, i))) return;
  } else {
    const source = lit.sources[pane.operand] ?? null;
    if (!source || !sameIndex(source, alignment.sourceOf(pane.operand, onSlice))) return;
  }
  const span = (own: boolean, axis: DrawnAxis, cells: { begin: number; end: number }, length: number) => {
    if (!own) return { from: 0, to: length };
    const from = Math.max(-8, pixelOf(axis, cells.begin));
    // At least a few pixels, so that it is seen.
    return { from, to: Math.min(length + 8, Math.max(pixelOf(axis, cells.end), from + 4)) };
  };
  const { from: left, to: right } = span(pane.byColumn, axes.columns, across, pane.width);
  const { from: top, to: bottom } = span(pane.byRow, axes.rows, down, pane.height);
  if (right < 0 || bottom < 0 || left > pane.width || top > pane.height) return;
  const ring = (outset: number, width: number, colour: string): void => {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.strokeRect(
      pane.x + left - outset,
      pane.y + top - outset,
      right - left + 2 * outset,
      bottom - top + 2 * outset,
    );
  };
  if (digits) ring(-1, 2, theme.ink);
  else {
    ring(3, 2, theme.paper);
    ring(1, 3, theme.ink);
    if (pane.operand === null) ring(1, 1.5, theme.accent);
  }
  if (lit.pinned && lit.hot.kind === (pane.operand === null ? 'result' : 'source') && right - left > 20 && digits) {
    context.fillStyle = theme.paper;
    if (pane.operand === null) context.fillStyle = theme.onAccent;
    context.beginPath();
    context.arc(pane.x + right - 8, pane.y + top + 8, 3, 0, 7);
    context.fill();
  }
}

// --- Rulers --------------------------------------------------------------------

/** The indexes that are written beside an axis: each one, or every 2nd, 5th, 10th ... so that they do not overlap. */
function ticks(axis: DrawnAxis, room: number): readonly number[] {
  const least = room / axis.size;
  let apart = 1;
  for (let times = 0; apart < least; ++times) apart *= times % 3 === 1 ? 2.5 : 2;
  const first = Math.ceil(axis.first / apart) * apart;
  const listed: number[] = [];
  for (let index = first; index < endOf(axis) && listed.length < 200; index += apart) listed.push(index);
  return listed;
}

function drawRulers(
  context: CanvasRenderingContext2D,
  { layout, result, theme }: Scene,
  { rows, columns }: Axes,
): void {
  context.font = `12px ${theme.mono}`;
  context.fillStyle = theme.soft;
  context.textBaseline = 'middle';
  const inside = (pixel: number, length: number): boolean => pixel >= 4 && pixel <= length - 2;
  if (result.columns !== null) {
    context.textAlign = 'center';
    const room = 7.5 * String(endOf(columns)).length + 14;
    for (const pane of layout.panes.filter(({ byRow, byColumn, operand }) => byColumn && (byRow || operand === null))) {
      for (const index of ticks(columns, room)) {
        const at = pixelOf(columns, index) + Math.min(columns.size / 2, 1e3);
        if (inside(at, pane.width)) context.fillText(String(index), pane.x + at, pane.y - 9);
      }
    }
  }
  if (result.rows !== null) {
    context.textAlign = 'right';
    for (const index of ticks(rows, 20)) {
      const at = pixelOf(rows, index) + rows.size / 2;
      if (inside(at, rows.pixels)) context.fillText(String(index), layout.ruler.x - 8, layout.ruler.y + at);
    }
  }
}
