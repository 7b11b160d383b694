// The grids as a picture, as on the page: operands above and beside the result, the lines of repeated elements, and the cell
// in hand.

import type { Alignment } from '../engine/engine';
import { mostColumns, mostRows } from '../text/cell-range';
import { shortSliceText } from '../text/format';
import { sameIndex } from '../model/lit';
import type { DrawnResult, Model } from '../model/model';
import { type Cell, type CellRows, draw, type Panel, type Picture } from '../model/picture';
import { fringe, repeatLines } from '../model/repeat-lines';
import { sliceGridsOf } from '../model/slice-grids';
import { chip, chipWidth, figure, type Drawing, type SvgPicture, smallSize, textSize } from './figure';
import { type Hue, hueOf, type Palette } from './palette';
import { cellText, gridAlt } from './sentences';
import { group, type Markup, type MarkupAttributes, mono, tag, widthOf } from './svg';
import { still, type Timing } from './timing';

const cellHeight = 34;
const rulerHeight = 18;
const captionHeight = 26;
const gap = 28;
/** Of slices side by side: the height of a cell, the gap between slices, and the width at which they wrap. */
const sliceCellHeight = 28;
const sliceGap = 20;
const mostWidth = 900;

interface GridStyle {
  readonly palette: Palette;
  readonly hue: Hue;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** The index of the cell in hand, or of the element that feeds it. */
  readonly hand: readonly number[];
  readonly clearLeft: number;
  readonly clearBottom: number;
  /** Whether it is the result, drawn as paper with lines; operands are drawn in their colour. */
  readonly result: boolean;
  readonly timing: Timing;
}

/** How the grids are drawn. */
export interface GridLook {
  /** How many rows and columns are drawn at most. */
  readonly most: { readonly rows: number; readonly columns: number };
  /** Whether the slices that the page shows side by side stand below. */
  readonly slices: boolean;
  readonly timing: Timing;
}
const usual: GridLook = { most: { rows: mostRows, columns: mostColumns }, slices: true, timing: still };

/** What is drawn in each cell. In steps, the cells of the result appear row by row, those of a single row one by one. */
function eachCell(
  cells: CellRows,
  { result, timing }: GridStyle,
  drawCell: (cell: Cell, row: number, column: number) => readonly Markup[],
): readonly Markup[] {
  const rows = cells.map((line, r) => line.map((cell, c) => drawCell(cell, r, c)));
  if (!result || !timing.steps) return rows.flat(2);
  const parts = rows.length > 1 ? rows.map((line) => line.flat()) : (rows[0] ?? []);
  return parts.map((part, i) => group(timing.from('filled', i / parts.length), part));
}

function cellsMarkup(cells: CellRows, style: GridStyle, x: number, y: number): Markup {
  const { palette, hue, cellWidth, cellHeight, hand, result, timing } = style;
  const box = (row: number, column: number, fill: string, attributes: MarkupAttributes = {}): Markup =>
    tag('rect', {
      ...{ x: x + column * cellWidth, y: y + row * cellHeight },
      width: result ? cellWidth : cellWidth - 2,
      height: result ? cellHeight : cellHeight - 2,
      fill,
      stroke: result ? palette.line : undefined,
      ...attributes,
    });
  return group(
    {},
    eachCell(cells, style, ({ index }, row, column) => {
      if (result) return [box(row, column, palette.paper)];
      if (!sameIndex(hand, index)) return [box(row, column, hue.wash)];
      return [
        ...(timing.steps ? [box(row, column, hue.wash)] : []),
        box(row, column, hue.hue, timing.from('filled', 1)),
      ];
    }),
  );
}

/** The cell in hand, if it is among these. It lies above the lines of repeated elements. */
function handMarkup(cells: CellRows, style: GridStyle, x: number, y: number): readonly Markup[] {
  const { palette, cellWidth, cellHeight, hand, timing } = style;
  return cells.flatMap((line, row) =>
    line.flatMap(({ index }, column) =>
      sameIndex(hand, index)
        ? [
            tag('rect', {
              x: x + column * cellWidth + 1,
              y: y + row * cellHeight + 1,
              width: cellWidth - 2,
              height: cellHeight - 2,
              fill: palette.accent,
              stroke: palette.ink,
              'stroke-width': 2,
              ...timing.from('filled', 1),
            }),
          ]
        : [],
    ),
  );
}

function digitsMarkup(cells: CellRows, style: GridStyle, x: number, y: number): Markup {
  const { palette, cellWidth, cellHeight, hand, result, clearLeft, clearBottom, timing } = style;
  const digits = eachCell(cells, style, ({ text, index }, r, c) => {
    const place = {
      x: x + c * cellWidth + (cellWidth + (result ? clearLeft : 0)) / 2,
      y: y + r * cellHeight + (cellHeight - (result ? clearBottom : 0)) / 2 + 4.5,
    };
    const plain = (attributes: MarkupAttributes): Markup =>
      tag('text', { ...place, fill: palette.ink, ...attributes }, text);
    if (!sameIndex(hand, index)) return [plain({})];
    const fill = result ? palette.onAccent : palette.ground;
    const lit = tag('text', { ...place, fill, 'font-weight': 700, ...timing.from('filled', 1) }, text);
    return timing.steps ? [plain(timing.until('filled', 1)), lit] : [lit];
  });
  return group({ 'font-size': textSize, 'text-anchor': 'middle' }, digits);
}

/** How the elements of operands come to the result's cells: each grows over the cells that it is repeated to. */
function growthMarkup({ repeated, rows, columns, cellWidth }: Picture, style: GridStyle, x: number, y: number): Markup {
  const { palette, timing } = style;
  const [width, height] = [columns.drawn * cellWidth, rows.drawn * cellHeight];
  const growing = repeated.filter(({ across, down }) => across || down);
  const opacity = 0.45 / Math.max(2, growing.length);
  const bar = (operand: number, at: MarkupAttributes, way: 'across' | 'down'): Markup =>
    tag('rect', { ...at, fill: hueOf(palette, operand).hue, 'fill-opacity': opacity, ...timing.grown(way) });
  return group(
    {},
    growing.flatMap(({ operand, across, down }) => [
      ...(across && !down
        ? Array.from({ length: rows.drawn }, (_, r) =>
            bar(operand, { x, y: y + r * cellHeight + 1, width, height: cellHeight - 2 }, 'across'),
          )
        : []),
      ...(down && !across
        ? Array.from({ length: columns.drawn }, (_, c) =>
            bar(operand, { x: x + c * cellWidth + 1, y, width: cellWidth - 2, height }, 'down'),
          )
        : []),
      ...(across && down ? [bar(operand, { x, y, width, height }, 'across')] : []),
    ]),
  );
}

/** The lines of repeated elements as on the page: those across pass over and under those down. */
function linesMarkup(
  { repeated, rows, columns, cellWidth }: Picture,
  { palette, timing }: GridStyle,
  x: number,
  y: number,
): Markup {
  const { across, down, rowLines, columnLines, crossings } = repeatLines({
    repeated,
    rows: rows.drawn,
    columns: columns.drawn,
    cellWidth,
    cellHeight,
  });
  const path = (operand: number, d: string): Markup =>
    tag('path', { d, stroke: hueOf(palette, operand).hue, 'stroke-width': 1.5, opacity: 0.75 });
  const halo = (d: string): Markup => tag('path', { d, stroke: palette.paper, 'stroke-width': 5 });
  const lines = group({ fill: 'none', transform: `translate(${x} ${y})` }, [
    ...across.map(({ operand }, k) => path(operand, rowLines(k))),
    ...down.flatMap(({ operand }, k) => [
      ...(across.length > 0 ? [halo(columnLines(k))] : []),
      path(operand, columnLines(k)),
    ]),
    ...(down.length > 0 ? across.flatMap(({ operand }, k) => [halo(crossings(k)), path(operand, crossings(k))]) : []),
  ]);
  return timing.steps ? group(timing.from('stretched', 0.6), [lines]) : lines;
}

/** Indexes of the rows at the left and of the columns above. */
function rulers(
  part: Pick<Panel, 'rows' | 'columns' | 'rulers'>,
  palette: Palette,
  cellWidth: number,
  x: number,
  y: number,
): Markup {
  const { rows, columns, rulers: has } = part;
  const at = (text: number, left: number, base: number, anchor: string): Markup =>
    tag('text', { x: left, y: base, 'text-anchor': anchor }, String(text));
  return group({ fill: palette.soft, 'font-size': smallSize }, [
    ...(has.columns
      ? Array.from({ length: columns.drawn }, (_, c) =>
          at(columns.first + c, x + (c + 0.5) * cellWidth, y - 6, 'middle'),
        )
      : []),
    ...(has.rows
      ? Array.from({ length: rows.drawn }, (_, r) => at(rows.first + r, x - 8, y + r * cellHeight + 21, 'end'))
      : []),
  ]);
}

const rulerRoom = ({ rows, rulers: has }: Pick<Panel, 'rows' | 'rulers'>): number =>
  has.rows ? Math.max(22, widthOf(String(rows.first + rows.drawn - 1), smallSize) + 12) : 0;

const note = (palette: Palette, x: number, y: number, text: string): readonly Markup[] =>
  text === '' ? [] : [tag('text', { x, y, fill: palette.soft, 'font-size': smallSize }, text)];

/** Operands side by side, in lines of at most `most` pixels; and how far they reach to the right and down. */
function panelsPart(panels: readonly Panel[], styleOf: (panel: Panel) => GridStyle, top: number, most: number) {
  const markup: Markup[] = [];
  let [x, y, right, bottom] = [0, top, 0, top];
  for (const panel of panels) {
    const style = styleOf(panel);
    const { palette, hue, cellWidth } = style;
    const caption = chipWidth(panel.name) + 8 + widthOf(panel.shortSlice, smallSize);
    const wide = rulerRoom(panel) + Math.max(panel.columns.drawn * cellWidth, caption);
    if (x > 0 && x + wide > most) [x, y] = [0, bottom + gap];
    const left = x + rulerRoom(panel);
    const cellsTop = y + captionHeight + rulerHeight;
    const named = chip(palette, panel.name, hue.hue, left, y);
    markup.push(
      named.markup,
      ...note(palette, left + named.width + 8, y + 16, panel.shortSlice),
      rulers(panel, palette, cellWidth, left, cellsTop),
      cellsMarkup(panel.cells, style, left, cellsTop),
      digitsMarkup(panel.cells, style, left, cellsTop),
    );
    x += wide + gap;
    right = Math.max(right, x);
    bottom = Math.max(bottom, cellsTop + panel.rows.drawn * cellHeight);
  }
  return { markup, right, bottom };
}

/** Operands and result, placed as on the page. */
export function gridPart(
  alignment: Alignment,
  model: Model,
  result: DrawnResult,
  palette: Palette,
  { most, slices: besides, timing }: GridLook = usual,
): Drawing & { readonly drawn: Picture } {
  const drawn = draw(alignment, model, result, most);
  const { above, beside, stacked, cells, cellWidth, clearLeft, clearBottom, rows, columns } = drawn;
  const styleOf = (panel: Panel): GridStyle => ({
    palette,
    hue: hueOf(palette, panel.operand),
    cellWidth,
    cellHeight,
    hand: alignment.sourceOf(panel.operand, result.at),
    clearLeft,
    clearBottom,
    result: false,
    timing,
  });
  const parts: Markup[] = [];
  const arithmetic = cellText(model, result);
  parts.push(tag('text', { x: 0, y: 14, fill: palette.ink, 'font-size': 15, ...timing.from('filled', 1) }, arithmetic));

  // Rows above the result begin at its left edge, with their names before them. Operands too wide to stand beside the result
  // come first.
  const first = stacked ? panelsPart(beside, styleOf, 36, mostWidth) : null;
  const aboveTop = first ? first.bottom + gap : 40;
  const aboveRulers = above[0]?.rulers.columns ? rulerHeight : 0;
  const aboveBottom = aboveTop + (above.length > 0 ? aboveRulers + above.length * (cellHeight + 4) + 12 : 0);
  const resultTop = aboveBottom + captionHeight + rulerHeight;
  const neighbours = first ? null : panelsPart(beside, styleOf, aboveBottom, Infinity);
  parts.push(...((first ?? neighbours)?.markup ?? []));
  const left = neighbours?.right ?? 0;

  // Indexes are written once: not where a neighbour has them.
  const beforeIt = stacked ? undefined : beside.at(-1);
  const ownRulers = {
    rows: result.rows !== null && !(beforeIt && beforeIt.rows.all === rows.all && rows.all > 1),
    columns: result.columns !== null && !(above[0]?.columns.all === columns.all && above[0].rulers.columns),
  };
  const names = above.reduce((most, { name }) => Math.max(most, chipWidth(name)), 0);
  const resultLeft =
    Math.max(left + rulerRoom({ rows, rulers: ownRulers }), names > 0 ? names + 10 : 0) + (left > 0 ? 0 : fringe);
  above.forEach((panel, i) => {
    const y = aboveTop + aboveRulers + i * (cellHeight + 4);
    parts.push(
      chip(palette, panel.name, hueOf(palette, panel.operand).hue, resultLeft - chipWidth(panel.name) - 10, y + 6)
        .markup,
      ...(i === 0
        ? [rulers({ ...panel, rulers: { ...panel.rulers, rows: false } }, palette, cellWidth, resultLeft, y)]
        : []),
      cellsMarkup(panel.cells, styleOf(panel), resultLeft, y),
      digitsMarkup(panel.cells, styleOf(panel), resultLeft, y),
      ...note(palette, resultLeft + panel.columns.drawn * cellWidth + 10, y + 21, panel.shortSlice),
    );
  });
  const titles = above.reduce((most, { shortSlice }) => Math.max(most, widthOf(shortSlice, smallSize)), 0);

  const several = result.outputs.length > 1;
  const equals = several ? `= ${model.operands[result.output]?.name ?? ''}` : '=';
  const named = chip(palette, equals, palette.ink, resultLeft, aboveBottom);
  const whole = result.shape.map((_, axis) => axis === result.rows || axis === result.columns);
  const style: GridStyle = {
    ...{ palette, hue: palette.target, cellWidth, cellHeight, hand: result.at, clearLeft, clearBottom, timing },
    result: true,
  };
  const head = [
    named.markup,
    ...note(
      palette,
      resultLeft + named.width + 8,
      aboveBottom + 16,
      result.shape.length > 2 ? shortSliceText(result.at, whole) : '',
    ),
    rulers({ rows, columns, rulers: ownRulers }, palette, cellWidth, resultLeft, resultTop),
  ];
  parts.push(
    ...(timing.steps ? [group(timing.from('stretched'), head)] : head),
    ...(timing.steps ? [growthMarkup(drawn, style, resultLeft, resultTop)] : []),
    cellsMarkup(cells, style, resultLeft, resultTop),
    linesMarkup(drawn, style, resultLeft, resultTop),
    ...handMarkup(cells, style, resultLeft, resultTop),
    digitsMarkup(cells, style, resultLeft, resultTop),
  );
  const right = resultLeft + columns.drawn * cellWidth;
  const width = Math.max(right + (titles > 0 ? titles + 14 : fringe), first?.right ?? 0, widthOf(arithmetic, 15));
  const height = Math.max(resultTop + rows.drawn * cellHeight, neighbours?.bottom ?? 0) + fringe;
  const slices = result.slices === null || !besides ? null : sliceGridsDrawing(result, result.slices, palette, width);
  if (slices) parts.push(group({ transform: `translate(0 ${height + gap})` }, [slices.markup]));
  return {
    width: Math.max(width, slices?.width ?? 0),
    height: height + (slices ? gap + slices.height : 0),
    markup: group({ 'font-family': mono }, parts),
    drawn,
  };
}

/** Slices of the result side by side, in lines about as wide as the drawing above them. */
function sliceGridsDrawing(result: DrawnResult, axis: number, palette: Palette, above: number): Drawing {
  const { heading, rows, columns, cellWidth, grids } = sliceGridsOf(result, axis);
  const style: GridStyle = {
    ...{ palette, hue: palette.target, cellWidth, cellHeight: sliceCellHeight, hand: result.at },
    ...{ clearLeft: 0, clearBottom: 0, result: true, timing: still },
  };
  const titles = grids.reduce((most, { shortTitle }) => Math.max(most, widthOf(shortTitle, smallSize)), 0);
  const each = Math.max(columns.drawn * cellWidth, titles) + sliceGap;
  const perLine = Math.max(1, Math.floor((Math.max(above, mostWidth) + sliceGap) / each));
  const lineHeight = captionHeight + rows.drawn * sliceCellHeight + sliceGap;
  const markup = grids.flatMap(({ here, shortTitle, cells }, i) => {
    const [x, y] = [(i % perLine) * each, 24 + Math.floor(i / perLine) * lineHeight];
    const named = {
      ...{ x, y: y + 16, 'font-size': smallSize, fill: here ? palette.ink : palette.soft },
      'font-weight': here ? 600 : undefined,
    };
    return [
      tag('text', named, shortTitle),
      cellsMarkup(cells, style, x, y + captionHeight),
      ...handMarkup(cells, style, x, y + captionHeight),
      digitsMarkup(cells, style, x, y + captionHeight),
    ];
  });
  return {
    width: Math.max(Math.min(perLine, grids.length) * each - sliceGap, widthOf(heading, smallSize)),
    height: 24 + Math.ceil(grids.length / perLine) * lineHeight - sliceGap,
    markup: group({}, [...note(palette, 0, 12, heading), ...markup]),
  };
}

/** The grids as a picture that stands alone; null if there are no cells. */
export function gridSvg(model: Model, palette: Palette): SvgPicture | null {
  const { alignment, result } = model;
  if (!alignment || !result) return null;
  const part = gridPart(alignment, model, result, palette);
  return figure(model, palette, gridAlt(model, result, part.drawn), part);
}
