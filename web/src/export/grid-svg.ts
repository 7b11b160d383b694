// The grids as a picture: operands above and beside the result as on the page, threads and all, and the cell in hand.

import type { Alignment } from '../engine';
import { sliceText } from '../format';
import type { Cloth, Model } from '../model';
import { type Cells, draw, mostThreads, type Panel, type Picture as Drawn, threadsApart } from '../picture';
import { chip, chipWidth, figure, type Part, type Picture, smallSize, textSize } from './figure';
import { type Hue, hueOf, type Palette } from './palette';
import { group, type Markup, mono, tag, widthOf } from './svg';
import { cellText, gridAlt } from './told';

const cellHeight = 34;
const rulerHeight = 18;
const captionHeight = 26;
const gap = 28;
const fringe = 10;
const first = 4.5;

const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((i, at) => i === b[at]);

interface Look {
  readonly palette: Palette;
  readonly hue: Hue;
  readonly cellWidth: number;
  /** The cell in hand, or what feeds it. */
  readonly hand: readonly number[];
  readonly clearLeft: number;
  readonly clearBottom: number;
  /** The result is paper with lines; operands are their colour. */
  readonly result: boolean;
}

function cellsMarkup(cells: Cells, look: Look, x: number, y: number): Markup {
  const { palette, hue, cellWidth, hand, result } = look;
  const place = (r: number, c: number) => ({ x: x + c * cellWidth, y: y + r * cellHeight });
  const boxes = cells.flatMap((line, r) =>
    line.map(({ index }, c) =>
      tag('rect', {
        ...place(r, c),
        width: result ? cellWidth : cellWidth - 2,
        height: result ? cellHeight : cellHeight - 2,
        fill: result ? palette.paper : same(index, hand) ? hue.hue : hue.wash,
        stroke: result ? palette.line : undefined,
      }),
    ),
  );
  return group({}, boxes);
}

/** The cell in hand lies above the threads. */
function handMarkup(cells: Cells, { palette, cellWidth, hand }: Look, x: number, y: number): Markup {
  const row = cells.findIndex((line) => line.some(({ index }) => same(index, hand)));
  const column = cells[row]?.findIndex(({ index }) => same(index, hand)) ?? 0;
  return tag('rect', {
    x: x + column * cellWidth + 1,
    y: y + row * cellHeight + 1,
    width: cellWidth - 2,
    height: cellHeight - 2,
    fill: palette.accent,
    stroke: palette.ink,
    'stroke-width': 2,
  });
}

function digitsMarkup(cells: Cells, look: Look, x: number, y: number): Markup {
  const { palette, cellWidth, hand, result, clearLeft, clearBottom } = look;
  const digits = cells.flatMap((line, r) =>
    line.map(({ text, index }, c) => {
      const lit = same(index, hand);
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

/** A thread runs across or down, over and under those of the other way, at the cells' edges. */
function threadsMarkup({ woven, rows, columns, cellWidth }: Drawn, palette: Palette, x: number, y: number): Markup {
  const across = woven.filter((weave) => weave.across).slice(0, mostThreads);
  const down = woven.filter((weave) => weave.down).slice(0, mostThreads);
  const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
  const width = columns.drawn * cellWidth;
  const height = rows.drawn * cellHeight;
  const level = (row: number, k: number): number => y + (row + 1) * cellHeight - first - k * threadsApart;
  const drop = (column: number, k: number): number => x + column * cellWidth + first + k * threadsApart;
  const runs = (k: number): string =>
    range(rows.drawn)
      .map((r) => `M${x - fringe} ${level(r, k)}h${width + 2 * fringe}`)
      .join('');
  const falls = (k: number): string =>
    range(columns.drawn)
      .map((c) => `M${drop(c, k)} ${y - fringe}v${height + 2 * fringe}`)
      .join('');
  const reach = first + down.length * threadsApart;
  const over = (k: number): string =>
    range(rows.drawn)
      .flatMap((r) =>
        range(columns.drawn)
          .filter((c) => (r + c) % 2 === 1)
          .map((c) => `M${x + c * cellWidth + 0.5} ${level(r, k)}h${reach}`),
      )
      .join('');
  const path = (operand: number, d: string): Markup =>
    tag('path', { d, stroke: hueOf(palette, operand).hue, 'stroke-width': 1.5, opacity: 0.75 });
  const halo = (d: string): Markup => tag('path', { d, stroke: palette.paper, 'stroke-width': 5 });
  return group({ fill: 'none' }, [
    ...across.map(({ operand }, k) => path(operand, runs(k))),
    ...down.flatMap(({ operand }, k) => [...(across.length > 0 ? [halo(falls(k))] : []), path(operand, falls(k))]),
    ...(down.length > 0 ? across.flatMap(({ operand }, k) => [halo(over(k)), path(operand, over(k))]) : []),
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

/** Operands and result as they stand on the page. */
export function gridPart(
  alignment: Alignment,
  model: Model,
  cloth: Cloth,
  palette: Palette,
): Part & { readonly drawn: Drawn } {
  const drawn = draw(alignment, model, cloth);
  const { above, beside, cells, cellWidth, clearLeft, clearBottom, rows, columns } = drawn;
  const lookOf = (panel: Panel): Look => ({
    palette,
    hue: hueOf(palette, panel.operand),
    cellWidth,
    hand: alignment.sourceOf(panel.operand, cloth.at),
    clearLeft,
    clearBottom,
    result: false,
  });
  const parts: Markup[] = [];
  const arithmetic = cellText(model, cloth);
  parts.push(tag('text', { x: 0, y: 14, fill: palette.ink, 'font-size': 15 }, arithmetic));

  // Rows that lie above begin where the cloth begins; names stand before them.
  const aboveTop = 40;
  const aboveRulers = above[0]?.rulers.columns ? rulerHeight : 0;
  const aboveBottom = aboveTop + (above.length > 0 ? aboveRulers + above.length * (cellHeight + 4) + 12 : 0);
  const clothTop = aboveBottom + captionHeight + rulerHeight;

  let left = 0;
  for (const panel of beside) {
    const x = left + rulerRoom(panel);
    const named = chip(palette, panel.name, hueOf(palette, panel.operand).hue, x, aboveBottom);
    parts.push(
      named.markup,
      ...note(palette, x + named.width + 8, aboveBottom + 16, panel.title),
      rulers(panel, palette, cellWidth, x, clothTop),
      cellsMarkup(panel.cells, lookOf(panel), x, clothTop),
      digitsMarkup(panel.cells, lookOf(panel), x, clothTop),
    );
    const caption = named.width + 8 + widthOf(panel.title, smallSize);
    left = x + Math.max(panel.columns.drawn * cellWidth, caption) + gap;
  }

  // Indexes are written once: not again where a neighbour has them already.
  const beforeIt = beside.at(-1);
  const ownRulers = {
    rows: cloth.rows !== null && !(beforeIt && beforeIt.rows.all === rows.all && rows.all > 1),
    columns: cloth.columns !== null && !(above[0]?.columns.all === columns.all && above[0].rulers.columns),
  };
  const names = above.reduce((most, { name }) => Math.max(most, chipWidth(name)), 0);
  const clothLeft =
    Math.max(left + rulerRoom({ rows, rulers: ownRulers }), names > 0 ? names + 10 : 0) + (left > 0 ? 0 : fringe);
  above.forEach((panel, i) => {
    const y = aboveTop + aboveRulers + i * (cellHeight + 4);
    parts.push(
      chip(palette, panel.name, hueOf(palette, panel.operand).hue, clothLeft - chipWidth(panel.name) - 10, y + 6)
        .markup,
      ...(i === 0
        ? [rulers({ ...panel, rulers: { ...panel.rulers, rows: false } }, palette, cellWidth, clothLeft, y)]
        : []),
      cellsMarkup(panel.cells, lookOf(panel), clothLeft, y),
      digitsMarkup(panel.cells, lookOf(panel), clothLeft, y),
      ...note(palette, clothLeft + panel.columns.drawn * cellWidth + 10, y + 21, panel.title),
    );
  });
  const titles = above.reduce((most, { title }) => Math.max(most, widthOf(title, smallSize)), 0);

  const several = cloth.outputs.length > 1;
  const equals = several ? `= ${model.operands[cloth.output]?.name ?? ''}` : '=';
  const named = chip(palette, equals, palette.ink, clothLeft, aboveBottom);
  const whole = cloth.shape.map((_, axis) => axis === cloth.rows || axis === cloth.columns);
  const look: Look = { palette, hue: palette.target, cellWidth, hand: cloth.at, clearLeft, clearBottom, result: true };
  parts.push(
    named.markup,
    ...note(
      palette,
      clothLeft + named.width + 8,
      aboveBottom + 16,
      cloth.shape.length > 2 ? sliceText(cloth.at, whole) : '',
    ),
    rulers({ rows, columns, rulers: ownRulers }, palette, cellWidth, clothLeft, clothTop),
    cellsMarkup(cells, look, clothLeft, clothTop),
    threadsMarkup(drawn, palette, clothLeft, clothTop),
    handMarkup(cells, look, clothLeft, clothTop),
    digitsMarkup(cells, look, clothLeft, clothTop),
  );
  const besideRows = beside.reduce((most, panel) => Math.max(most, panel.rows.drawn), rows.drawn);
  const right = clothLeft + columns.drawn * cellWidth;
  return {
    width: Math.max(right + fringe, right + (titles > 0 ? titles + 14 : 0), widthOf(arithmetic, 15)),
    height: clothTop + besideRows * cellHeight + fringe,
    markup: group({ 'font-family': mono }, parts),
    drawn,
  };
}

/** Which element goes where, as a picture that stands alone; null where there are no cells. */
export function gridSvg(model: Model, palette: Palette): Picture | null {
  const { alignment, cloth } = model;
  if (!alignment || !cloth) return null;
  const part = gridPart(alignment, model, cloth, palette);
  return figure(model, palette, gridAlt(model, cloth, part.drawn), part);
}
