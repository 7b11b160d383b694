// The grids as a picture, as on the page: operands above and beside the result, the lines of repeated elements, and the cell
// in hand.

import type { Alignment } from '../engine/engine';
import { shortSliceText } from '../text/format';
import { sameIndex } from '../model/lit';
import type { DrawnResult, Model } from '../model/model';
import { type CellRows, draw, type Panel, type Picture } from '../model/picture';
import { fringe, repeatLines } from '../model/repeat-lines';
import { sliceGridsOf } from '../model/slice-grids';
import { chip, chipWidth, figure, type Drawing, type SvgPicture, smallSize, textSize } from './figure';
import { type Hue, hueOf, type Palette } from './palette';
import { group, type Markup, mono, tag, widthOf } from './svg';
import { cellText, gridAlt } from './sentences';

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
}

function cellsMarkup(cells: CellRows, style: GridStyle, x: number, y: number): Markup {
  const { palette, hue, cellWidth, cellHeight, hand, result } = style;
  const place = (r: number, c: number) => ({ x: x + c * cellWidth, y: y + r * cellHeight });
  const boxes = cells.flatMap((line, r) =>
    line.map(({ index }, c) =>
      tag('rect', {
        ...place(r, c),
        width: result ? cellWidth : cellWidth - 2,
        height: result ? cellHeight : cellHeight - 2,
        fill: result ? palette.paper : sameIndex(hand, index) ? hue.hue : hue.wash,
        stroke: result ? palette.line : undefined,
      }),
    ),
  );
  return group({}, boxes);
}

/** The cell in hand, if it is among these. It lies above the lines of repeated elements. */
function handMarkup(cells: CellRows, style: GridStyle, x: number, y: number): readonly Markup[] {
  const { palette, cellWidth, cellHeight, hand } = style;
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
            }),
          ]
        : [],
    ),
  );
}

function digitsMarkup(cells: CellRows, style: GridStyle, x: number, y: number): Markup {
  const { palette, cellWidth, cellHeight, hand, result, clearLeft, clearBottom } = style;
  const digits = cells.flatMap((line, r) =>
    line.map(({ text, index }, c) => {
      const lit = sameIndex(hand, index);
      return tag(
        'text',
        {
          x: x + c * cellWidth + (cellWidth + (result ? clearLeft : 0)) / 2,
          y: y + r * cellHeight + (cellHeight - (result ? clearBottom : 0)) / 2 + 4.5,
          fill: lit ? (result ? palette.onAccent : palette.ground) : palette.ink,
          'font-weight': lit ? 700 : undefined,
        },
        text,
      );
    }),
  );
  return group({ 'font-size': textSize, 'text-anchor': 'middle' }, digits);
}

/** The lines of repeated elements as on the page: those across pass over and under those down. */
function linesMarkup({ repeated, rows, columns, cellWidth }: Picture, palette: Palette, x: number, y: number): Markup {
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
  return group({ fill: 'none', transform: `translate(${x} ${y})` }, [
    ...across.map(({ operand }, k) => path(operand, rowLines(k))),
    ...down.flatMap(({ operand }, k) => [
      ...(across.length > 0 ? [halo(columnLines(k))] : []),
      path(operand, columnLines(k)),
    ]),
    ...(down.length > 0 ? across.flatMap(({ operand }, k) => [halo(crossings(k)), path(operand, crossings(k))]) : []),
  ]);
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
): Drawing & { readonly drawn: Picture } {
  const drawn = draw(alignment, model, result);
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
  });
  const parts: Markup[] = [];
  const arithmetic = cellText(model, result);
  parts.push(tag('text', { x: 0, y: 14, fill: palette.ink, 'font-size': 15 }, arithmetic));

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
    ...{ palette, hue: palette.target, cellWidth, cellHeight, hand: result.at, clearLeft, clearBottom },
    result: true,
  };
  parts.push(
    named.markup,
    ...note(
      palette,
      resultLeft + named.width + 8,
      aboveBottom + 16,
      result.shape.length > 2 ? shortSliceText(result.at, whole) : '',
    ),
    rulers({ rows, columns, rulers: ownRulers }, palette, cellWidth, resultLeft, resultTop),
    cellsMarkup(cells, style, resultLeft, resultTop),
    linesMarkup(drawn, palette, resultLeft, resultTop),
    ...handMarkup(cells, style, resultLeft, resultTop),
    digitsMarkup(cells, style, resultLeft, resultTop),
  );
  const right = resultLeft + columns.drawn * cellWidth;
  const width = Math.max(right + (titles > 0 ? titles + 14 : fringe), first?.right ?? 0, widthOf(arithmetic, 15));
  const height = Math.max(resultTop + rows.drawn * cellHeight, neighbours?.bottom ?? 0) + fringe;
  const slices = result.slices === null ? null : sliceGridsDrawing(result, result.slices, palette, width);
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
    ...{ clearLeft: 0, clearBottom: 0, result: true },
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
