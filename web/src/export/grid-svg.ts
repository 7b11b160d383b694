// The grids as a picture: operands above and beside the result as on the page, threads and all, and the cell in hand.

import type { Alignment } from '../engine/engine';
import { sliceText } from '../text/format';
import { sameIndex } from '../model/lit';
import type { Cloth, Model } from '../model/model';
import { type Cells, draw, type Panel, type Picture as Drawn } from '../model/picture';
import { fringe, threadLines } from '../model/thread-lines';
import { tilesOf } from '../model/tiles';
import { chip, chipWidth, figure, type Part, type Picture, smallSize, textSize } from './figure';
import { type Hue, hueOf, type Palette } from './palette';
import { group, type Markup, mono, tag, widthOf } from './svg';
import { cellText, gridAlt } from './told';

const cellHeight = 34;
const rulerHeight = 18;
const captionHeight = 26;
const gap = 28;
/** Of slices beside one another; so wide are their lines. */
const tileHeight = 28;
const tileGap = 20;
const mostWidth = 900;

interface Look {
  readonly palette: Palette;
  readonly hue: Hue;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** The cell in hand, or what feeds it. */
  readonly hand: readonly number[];
  readonly clearLeft: number;
  readonly clearBottom: number;
  /** The result is paper with lines; operands are their colour. */
  readonly result: boolean;
}

function cellsMarkup(cells: Cells, look: Look, x: number, y: number): Markup {
  const { palette, hue, cellWidth, cellHeight, hand, result } = look;
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

/** The cell in hand, where it is among these, lies above the threads. */
function handMarkup(cells: Cells, look: Look, x: number, y: number): readonly Markup[] {
  const { palette, cellWidth, cellHeight, hand } = look;
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

function digitsMarkup(cells: Cells, look: Look, x: number, y: number): Markup {
  const { palette, cellWidth, cellHeight, hand, result, clearLeft, clearBottom } = look;
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

/** Threads as they lie on the page, each over and under those of the other way. */
function threadsMarkup({ woven, rows, columns, cellWidth }: Drawn, palette: Palette, x: number, y: number): Markup {
  const { across, down, runs, falls, crossings } = threadLines({
    weaves: woven,
    rows: rows.drawn,
    columns: columns.drawn,
    cellWidth,
    cellHeight,
  });
  const path = (operand: number, d: string): Markup =>
    tag('path', { d, stroke: hueOf(palette, operand).hue, 'stroke-width': 1.5, opacity: 0.75 });
  const halo = (d: string): Markup => tag('path', { d, stroke: palette.paper, 'stroke-width': 5 });
  return group({ fill: 'none', transform: `translate(${x} ${y})` }, [
    ...across.map(({ operand }, k) => path(operand, runs(k))),
    ...down.flatMap(({ operand }, k) => [...(across.length > 0 ? [halo(falls(k))] : []), path(operand, falls(k))]),
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

/** Operands beside one another, in lines of at most `most` pixels; how far they reach. */
function panelsPart(panels: readonly Panel[], lookOf: (panel: Panel) => Look, top: number, most: number) {
  const markup: Markup[] = [];
  let [x, y, right, bottom] = [0, top, 0, top];
  for (const panel of panels) {
    const look = lookOf(panel);
    const { palette, hue, cellWidth } = look;
    const caption = chipWidth(panel.name) + 8 + widthOf(panel.title, smallSize);
    const wide = rulerRoom(panel) + Math.max(panel.columns.drawn * cellWidth, caption);
    if (x > 0 && x + wide > most) [x, y] = [0, bottom + gap];
    const left = x + rulerRoom(panel);
    const cellsTop = y + captionHeight + rulerHeight;
    const named = chip(palette, panel.name, hue.hue, left, y);
    markup.push(
      named.markup,
      ...note(palette, left + named.width + 8, y + 16, panel.title),
      rulers(panel, palette, cellWidth, left, cellsTop),
      cellsMarkup(panel.cells, look, left, cellsTop),
      digitsMarkup(panel.cells, look, left, cellsTop),
    );
    x += wide + gap;
    right = Math.max(right, x);
    bottom = Math.max(bottom, cellsTop + panel.rows.drawn * cellHeight);
  }
  return { markup, right, bottom };
}

/** Operands and result as they stand on the page. */
export function gridPart(
  alignment: Alignment,
  model: Model,
  cloth: Cloth,
  palette: Palette,
): Part & { readonly drawn: Drawn } {
  const drawn = draw(alignment, model, cloth);
  const { above, beside, stacked, cells, cellWidth, clearLeft, clearBottom, rows, columns } = drawn;
  const lookOf = (panel: Panel): Look => ({
    palette,
    hue: hueOf(palette, panel.operand),
    cellWidth,
    cellHeight,
    hand: alignment.sourceOf(panel.operand, cloth.at),
    clearLeft,
    clearBottom,
    result: false,
  });
  const parts: Markup[] = [];
  const arithmetic = cellText(model, cloth);
  parts.push(tag('text', { x: 0, y: 14, fill: palette.ink, 'font-size': 15 }, arithmetic));

  // Rows that lie above begin where the cloth begins; names stand before them. Operands that are too wide to stand beside
  // the cloth come first.
  const first = stacked ? panelsPart(beside, lookOf, 36, mostWidth) : null;
  const aboveTop = first ? first.bottom + gap : 40;
  const aboveRulers = above[0]?.rulers.columns ? rulerHeight : 0;
  const aboveBottom = aboveTop + (above.length > 0 ? aboveRulers + above.length * (cellHeight + 4) + 12 : 0);
  const clothTop = aboveBottom + captionHeight + rulerHeight;
  const neighbours = first ? null : panelsPart(beside, lookOf, aboveBottom, Infinity);
  parts.push(...((first ?? neighbours)?.markup ?? []));
  const left = neighbours?.right ?? 0;

  // Indexes are written once: not again where a neighbour has them already.
  const beforeIt = stacked ? undefined : beside.at(-1);
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
  const look: Look = {
    ...{ palette, hue: palette.target, cellWidth, cellHeight, hand: cloth.at, clearLeft, clearBottom },
    result: true,
  };
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
    ...handMarkup(cells, look, clothLeft, clothTop),
    digitsMarkup(cells, look, clothLeft, clothTop),
  );
  const right = clothLeft + columns.drawn * cellWidth;
  const width = Math.max(right + (titles > 0 ? titles + 14 : fringe), first?.right ?? 0, widthOf(arithmetic, 15));
  const height = Math.max(clothTop + rows.drawn * cellHeight, neighbours?.bottom ?? 0) + fringe;
  const slices = cloth.tiles === null ? null : tilesPart(cloth, cloth.tiles, palette, width);
  if (slices) parts.push(group({ transform: `translate(0 ${height + gap})` }, [slices.markup]));
  return {
    width: Math.max(width, slices?.width ?? 0),
    height: height + (slices ? gap + slices.height : 0),
    markup: group({ 'font-family': mono }, parts),
    drawn,
  };
}

/** Slices of the result beside one another, in lines that are about as wide as what stands above them. */
function tilesPart(cloth: Cloth, axis: number, palette: Palette, above: number): Part {
  const { heading, rows, columns, cellWidth, tiles } = tilesOf(cloth, axis);
  const look: Look = {
    ...{ palette, hue: palette.target, cellWidth, cellHeight: tileHeight, hand: cloth.at },
    ...{ clearLeft: 0, clearBottom: 0, result: true },
  };
  const titles = tiles.reduce((most, { title }) => Math.max(most, widthOf(title, smallSize)), 0);
  const each = Math.max(columns.drawn * cellWidth, titles) + tileGap;
  const perLine = Math.max(1, Math.floor((Math.max(above, mostWidth) + tileGap) / each));
  const lineHeight = captionHeight + rows.drawn * tileHeight + tileGap;
  const markup = tiles.flatMap(({ here, title, cells }, i) => {
    const [x, y] = [(i % perLine) * each, 24 + Math.floor(i / perLine) * lineHeight];
    const named = {
      ...{ x, y: y + 16, 'font-size': smallSize, fill: here ? palette.ink : palette.soft },
      'font-weight': here ? 600 : undefined,
    };
    return [
      tag('text', named, title),
      cellsMarkup(cells, look, x, y + captionHeight),
      ...handMarkup(cells, look, x, y + captionHeight),
      digitsMarkup(cells, look, x, y + captionHeight),
    ];
  });
  return {
    width: Math.max(Math.min(perLine, tiles.length) * each - tileGap, widthOf(heading, smallSize)),
    height: 24 + Math.ceil(tiles.length / perLine) * lineHeight - tileGap,
    markup: group({}, [...note(palette, 0, 12, heading), ...markup]),
  };
}

/** Which element goes where, as a picture that stands alone; null where there are no cells. */
export function gridSvg(model: Model, palette: Palette): Picture | null {
  const { alignment, cloth } = model;
  if (!alignment || !cloth) return null;
  const part = gridPart(alignment, model, cloth, palette);
  return figure(model, palette, gridAlt(model, cloth, part.drawn), part);
}
