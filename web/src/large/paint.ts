// One frame of a large loom on its canvas: what is known is drawn, and a little that is not is made meanwhile.

import { cut, exactText } from '../values/element-text';
import { sameIndex, type Lit } from '../model/lit';
import type { Alignment } from '../engine/engine';
import type { Cloth } from '../model/model';
import { indexAt } from '../model/picture';
import { mostThreads, threadAt } from '../model/thread-lines';
import type { Cells, Patch } from '../values/weave';
import { type Layout, lettersIn, type Pane } from './layout';
import { boxOf, side, type Spot, type Swatch, type Swatches } from './swatches';
import type { Theme } from './theme';
import { closest, digitsFrom, type Drawn, drawnAxes, endOf, pixelOf, stepOf, type View } from './view';

export interface Scene {
  readonly alignment: Alignment;
  readonly cloth: Cloth;
  readonly lit: Lit;
  readonly layout: Layout;
  readonly theme: Theme;
  readonly swatches: Swatches;
}

/** Milliseconds of a frame in which swatches are made; one is made in any case. */
const budget = 1.5;
/** Cells with digits are computed so many each way at once. */
const block = 32;

interface Axes {
  readonly rows: Drawn;
  readonly columns: Drawn;
}

/** Draws the frame. False where something is still missing that another frame will bring. */
export function paint(context: CanvasRenderingContext2D, scene: Scene, view: View, scale: number): boolean {
  const { layout, theme } = scene;
  const axes = drawnAxes(view, layout.frame);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  context.imageSmoothingEnabled = false;
  const digits = axes.rows.size >= digitsFrom;
  const complete = digits || makeMissing(scene, axes);
  for (const pane of layout.panes) {
    context.save();
    context.beginPath();
    context.rect(pane.x, pane.y, pane.width, pane.height);
    context.clip();
    context.fillStyle = theme.paper;
    context.fillRect(pane.x, pane.y, pane.width, pane.height);
    if (digits) drawDigits(context, scene, pane, axes);
    else drawSwatches(context, scene, pane, axes, scale);
    drawLight(context, scene, pane, axes, digits);
    context.restore();
    context.strokeStyle = theme.line;
    context.lineWidth = 1;
    context.strokeRect(pane.x - 0.5, pane.y - 0.5, pane.width + 1, pane.height + 1);
  }
  drawRulers(context, scene, axes);
  return complete;
}

// --- Cells as pixels -----------------------------------------------------------

/** Which swatches are in sight, along one axis. */
function spotsAlong(axis: Drawn, step: number): { readonly first: number; readonly end: number } {
  return { first: Math.floor(axis.first / (side * step)), end: Math.ceil(endOf(axis) / (side * step)) };
}

function* spotsInSight({ rows, columns }: Axes): Iterable<Spot> {
  const [rowStep, columnStep] = [stepOf(rows), stepOf(columns)];
  const [down, across] = [spotsAlong(rows, rowStep), spotsAlong(columns, columnStep)];
  for (let row = down.first; row < down.end; ++row) {
    for (let column = across.first; column < across.end; ++column) yield { rowStep, columnStep, row, column };
  }
}

function makeMissing({ swatches }: Scene, axes: Axes): boolean {
  const until = performance.now() + budget;
  let late = false;
  for (const spot of spotsInSight(axes)) {
    if (swatches.known(spot)) continue;
    if (late) return false;
    swatches.make(spot);
    late = performance.now() > until;
  }
  return true;
}

/** Draws what is known of the part in sight: the swatch itself, or a coarser one that it is a part of. */
function drawSwatches(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, axes: Axes, scale: number): void {
  const imageOf = (swatch: Swatch): HTMLCanvasElement | undefined =>
    pane.operand === null ? swatch.result : swatch.operands[pane.operand];
  // Whole pixels of the screen, so that neighbours leave no seam.
  const snap = (pixel: number): number => Math.round(pixel * scale) / scale;
  const done = new Set<number>();
  for (const spot of spotsInSight(axes)) {
    // A strip shows each part of itself once.
    const key = pane.byRow ? (pane.byColumn ? -1 : spot.row) : pane.byColumn ? spot.column : 0;
    if (key >= 0 && done.has(key)) continue;
    const found = nearest(scene.swatches, spot);
    if (!found) continue;
    if (key >= 0) done.add(key);
    const { swatch, rows: down, columns: across } = found;
    const image = imageOf(swatch);
    if (!image) continue;
    const [top, bottom] = pane.byRow ? ends(axes.rows, spot.row, spot.rowStep) : [0, pane.height];
    const [left, right] = pane.byColumn ? ends(axes.columns, spot.column, spot.columnStep) : [0, pane.width];
    const part = (own: boolean, of: { from: number; part: number }, pixels: number): [number, number] =>
      own ? [of.from * side, Math.min(pixels - of.from * side, of.part * side)] : [0, 1];
    const [sx, sw] = part(pane.byColumn, across, image.width);
    const [sy, sh] = part(pane.byRow, down, image.height);
    const [x0, x1] = [snap(pane.x + left), snap(pane.x + right)];
    const [y0, y1] = [snap(pane.y + top), snap(pane.y + bottom)];
    if (sw > 0 && sh > 0) context.drawImage(image, sx, sy, sw, sh, x0, y0, x1 - x0, y1 - y0);
  }
}

/** Where a swatch begins and ends, in pixels of the opening. */
function ends(axis: Drawn, number: number, step: number): [number, number] {
  const end = Math.min(axis.all, (number + 1) * side * step);
  return [pixelOf(axis, number * side * step), pixelOf(axis, end)];
}

/** What is known of a spot: itself, or the part of a coarser one that covers it. */
function nearest(
  swatches: Swatches,
  spot: Spot,
): {
  readonly swatch: Swatch;
  readonly rows: { from: number; part: number };
  readonly columns: { from: number; part: number };
} | null {
  let [row, column] = [spot.row, spot.column];
  for (let times = 1; times <= 8; times *= 2) {
    const swatch = swatches.known({
      rowStep: spot.rowStep * times,
      columnStep: spot.columnStep * times,
      row: Math.floor(row),
      column: Math.floor(column),
    });
    if (swatch) {
      return {
        swatch,
        rows: { from: row - Math.floor(row), part: 1 / times },
        columns: { from: column - Math.floor(column), part: 1 / times },
      };
    }
    row /= 2;
    column /= 2;
  }
  return null;
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
      // Threads keep to the left and to the bottom.
      const clear = operand === null ? 3 : 0;
      context.fillText(text, x + width / 2 + clear, y + height / 2 - clear);
    }
  }
  context.strokeStyle = operand === null ? theme.line : theme.paper;
  context.lineWidth = operand === null ? 1 : 2;
  context.beginPath();
  if (rows) {
    for (let row = firstRow + 1; row < endRow; ++row) line(context, pane.x, pane.y + pixelOf(rows, row), pane.width, 0);
  }
  if (columns) {
    for (let column = firstColumn + 1; column < endColumn; ++column)
      line(context, pane.x + pixelOf(columns, column), pane.y, 0, pane.height);
  }
  context.stroke();
  if (operand === null) drawThreads(context, scene, pane, axes);
}

/** Elements that serve a whole row run across it, those that serve a column down it; beside the digits, as on a small loom. */
function drawThreads(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, { rows, columns }: Axes): void {
  const { layout, theme, lit, cloth } = scene;
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
  // Of several results each has the threads of its own operand alone.
  const spread = layout.operands
    .map((way, operand) => ({ ...way, operand }))
    .filter(({ operand }) => cloth.outputs.length === 1 || operand === cloth.output);
  const across = spread.filter(({ byColumn }) => !byColumn && columns.all > 1).slice(0, mostThreads);
  const down = spread.filter(({ byRow }) => !byRow && rows.all > 1).slice(0, mostThreads);
  across.forEach(({ operand }, k) => {
    for (let row = rows.first; row < endOf(rows); ++row) {
      const y = pane.y + pixelOf(rows, row + 1) - threadAt(k);
      stroke(operand, pulls(operand) && (cloth.rows === null || covers(lit, cloth.rows, row)), () => {
        context.moveTo(pane.x, y);
        context.lineTo(pane.x + pane.width, y);
      });
    }
  });
  down.forEach(({ operand }, k) => {
    for (let column = columns.first; column < endOf(columns); ++column) {
      const x = pane.x + pixelOf(columns, column) + threadAt(k);
      stroke(operand, pulls(operand) && (cloth.columns === null || covers(lit, cloth.columns, column)), () => {
        context.moveTo(x, pane.y);
        context.lineTo(x, pane.y + pane.height);
      });
    }
  });
}

function line(context: CanvasRenderingContext2D, x: number, y: number, across: number, down: number): void {
  const [x0, y0] = [Math.round(x) - 0.5, Math.round(y) - 0.5];
  context.moveTo(x0, y0);
  context.lineTo(x0 + across, y0 + down);
}

interface Spelled {
  /** Of the result, and of the array itself. */
  readonly index: readonly number[];
  readonly own: readonly number[];
  readonly text: string;
}

// Cells stay in sight for many frames. Of each slice so many are kept:
const mostSpelled = 5000;
const spelled = new WeakMap<Swatches, Map<string, Spelled>>();

function cellOf(
  { cloth, alignment, swatches, layout }: Scene,
  operand: number | null,
  row: number,
  column: number,
): Spelled {
  let known = spelled.get(swatches);
  if (!known || known.size > mostSpelled) spelled.set(swatches, (known = new Map()));
  const key = `${operand} ${row} ${column}`;
  const old = known.get(key);
  if (old) return old;
  const index = indexAt(cloth, row, column);
  const own = operand === null ? index : alignment.sourceOf(operand, index);
  const patch = patchAt(cloth, operand, row, column);
  const text = patch ? exactText(patch.valueAt(own), patch.tensor.dtype) : '';
  const made = { index, own, text: cut(text, lettersIn(layout.frame.columns.most)) };
  known.set(key, made);
  return made;
}

/** The block that a cell is in; the cloth keeps those that were asked for last. */
function patchAt(cloth: Cloth, operand: number | null, row: number, column: number): Patch | undefined {
  const along = (axis: number | null, at: number) => {
    const all = axis === null ? 1 : (cloth.shape[axis] ?? 1);
    const begin = at - (at % block);
    return { begin, end: Math.min(all, begin + block) };
  };
  const cells: Cells = cloth.cells(boxOf(cloth, along(cloth.rows, row), along(cloth.columns, column)));
  return operand === null ? cells.outputs[cloth.output] : cells.operands[operand];
}

const covers = ({ box }: Lit, axis: number, i: number): boolean => {
  const range = box[axis];
  return range !== undefined && i >= range.begin && i < range.end;
};

// --- Light ---------------------------------------------------------------------

/** Rings around what is lit: the cells of the result, and of each operand the element. */
function drawLight(context: CanvasRenderingContext2D, scene: Scene, pane: Pane, axes: Axes, digits: boolean): void {
  const { lit, cloth, alignment, theme } = scene;
  const { rows, columns } = cloth;
  const range = (axis: number | null) =>
    axis === null ? { begin: 0, end: 1 } : (lit.box[axis] ?? { begin: 0, end: 0 });
  const [down, across] = [range(rows), range(columns)];
  const onSlice = indexAt(cloth, down.begin, across.begin);
  if (pane.operand === null) {
    if (!onSlice.every((i, axis) => covers(lit, axis, i))) return;
  } else {
    const source = lit.sources[pane.operand] ?? null;
    if (!source || !sameIndex(source, alignment.sourceOf(pane.operand, onSlice))) return;
  }
  const stretch = (own: boolean, axis: Drawn, cells: { begin: number; end: number }, length: number) => {
    if (!own) return { from: 0, to: length };
    const from = Math.max(-8, pixelOf(axis, cells.begin));
    // What is less than a few pixels is still seen.
    return { from, to: Math.min(length + 8, Math.max(pixelOf(axis, cells.end), from + 4)) };
  };
  const { from: left, to: right } = stretch(pane.byColumn, axes.columns, across, pane.width);
  const { from: top, to: bottom } = stretch(pane.byRow, axes.rows, down, pane.height);
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

/** Indexes that are written, so far apart that they do not meet: each, or every 2, 5, 10 ... */
function ticks(axis: Drawn, room: number): readonly number[] {
  const least = room / axis.size;
  let apart = 1;
  for (let times = 0; apart < least; ++times) apart *= times % 3 === 1 ? 2.5 : 2;
  const first = Math.ceil(axis.first / apart) * apart;
  const listed: number[] = [];
  for (let index = first; index < endOf(axis) && listed.length < 200; index += apart) listed.push(index);
  return listed;
}

function drawRulers(context: CanvasRenderingContext2D, { layout, cloth, theme }: Scene, { rows, columns }: Axes): void {
  context.font = `12px ${theme.mono}`;
  context.fillStyle = theme.soft;
  context.textBaseline = 'middle';
  const inside = (pixel: number, length: number): boolean => pixel >= 4 && pixel <= length - 2;
  if (cloth.columns !== null) {
    context.textAlign = 'center';
    const room = 7.5 * String(endOf(columns)).length + 14;
    for (const pane of layout.panes.filter(({ byRow, byColumn, operand }) => byColumn && (byRow || operand === null))) {
      for (const index of ticks(columns, room)) {
        const at = pixelOf(columns, index) + Math.min(columns.size / 2, 1e3);
        if (inside(at, pane.width)) context.fillText(String(index), pane.x + at, pane.y - 9);
      }
    }
  }
  if (cloth.rows !== null) {
    context.textAlign = 'right';
    for (const index of ticks(rows, 20)) {
      const at = pixelOf(rows, index) + rows.size / 2;
      if (inside(at, rows.pixels)) context.fillText(String(index), layout.ruler.x - 8, layout.ruler.y + at);
    }
  }
}
