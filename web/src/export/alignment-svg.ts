// The alignment as a picture: operands above one another, a column for each axis, the result, and the reasons.

import { shortName } from '../model/axis-names';
import { hiddenText, mostAxes } from '../model/drawn-axes';
import type { Alignment } from '../engine/engine';
import type { Model } from '../model/model';
import { chip, chipWidth, figure, type Drawing, type SvgPicture, smallSize, textSize } from './figure';
import { type AlignmentTexts, alignmentTexts, type CellTexts, repeatedText, type RowTexts } from './alignment-texts';
import { hueOf, type Palette } from './palette';
import { group, type Markup, mono, sans, tag, widthOf, wrapped } from './svg';
import { alignmentAlt } from './sentences';
import { still, type Timing } from './timing';

const rowHeight = 34;
const rowGap = 6;
const columnGap = 6;
const headHeight = 24;
const extentSize = 15;

/** How the alignment is drawn. */
export interface AlignmentLook {
  /** Whether the reasons stand below it. */
  readonly reasons: boolean;
  /** How many axes are drawn at most, and how many letters of a shape. */
  readonly most: number;
  readonly letters: number;
  readonly timing: Timing;
}
const usual: AlignmentLook = { reasons: true, most: mostAxes, letters: Infinity, timing: still };

/** The width of each column: that of its widest cell. */
function columnWidths({ titles, rows, result }: AlignmentTexts): readonly number[] {
  return titles.map((title, i) => {
    const needed = rows.map(({ cells }) => {
      const cell = cells[i];
      return cell ? widthOf(repeatedText(cell), extentSize) + widthOf(cell.own, smallSize) + 36 : 0;
    });
    return Math.max(96, ...needed, widthOf(result[i] ?? '', extentSize) + 24, widthOf(title, smallSize) + 24);
  });
}

/** The column in which an operand's axis is written before it is lined up: its axes stand at the left, in their order. */
function writtenColumn({ cells }: RowTexts, column: number): number {
  const own = cells[column]?.axis ?? null;
  return own === null ? column : cells.filter((cell) => cell && cell.axis !== null && cell.axis < own).length;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A cell's frame, extent and mark, as a clash or as it is before the clash is seen. */
function plainCell(
  cell: CellTexts,
  row: RowTexts,
  palette: Palette,
  clashes: boolean,
  { x, y, width }: Place,
): Markup[] {
  const { hue, wash } = hueOf(palette, row.operand);
  const { relation } = cell;
  const own = relation !== 'insert' && cell.axis !== null;
  const filled = relation === 'match' || relation === 'conflict';
  const frame = {
    x: x + 0.75,
    y: y + 0.75,
    width: width - 1.5,
    height: rowHeight - 1.5,
    rx: 7,
    'stroke-width': clashes ? 2 : 1.5,
    stroke: clashes ? palette.clash : own ? hue : palette.lineStrong,
    'stroke-dasharray': relation === 'insert' || cell.own === 'ignored' ? '4 3' : undefined,
    fill: clashes ? palette.clashWash : own && filled ? wash : relation === 'stretch' ? palette.paper : 'none',
  };
  return [
    tag('rect', frame),
    tag(
      'text',
      {
        x: x + 12,
        y: y + 22,
        fill: clashes ? palette.clash : own ? hue : palette.soft,
        'font-size': extentSize,
        'font-weight': relation === 'insert' ? 400 : 600,
        'text-decoration': clashes && cell.struck ? 'line-through' : undefined,
      },
      cell.extent,
    ),
  ];
}

function cellMarkup(cell: CellTexts, row: RowTexts, palette: Palette, timing: Timing, place: Place): Markup {
  const { x, y, width } = place;
  const { hue } = hueOf(palette, row.operand);
  const { relation, extent, times, own } = cell;
  const clashes = relation === 'conflict';
  const stretched = timing.from('stretched');
  const mark = (text: string, fill: string): Markup =>
    tag('text', { x: x + width - 10, y: y + 22, fill, 'font-size': smallSize, 'text-anchor': 'end' }, text);
  const seen = (asClash: boolean): readonly Markup[] => [
    ...plainCell(cell, row, palette, asClash, place),
    asClash ? mark(own, palette.clash) : mark(clashes ? cell.place : own, palette.soft),
  ];
  return group({}, [
    ...(clashes && timing.steps
      ? [group(timing.until('stretched'), seen(false)), group(stretched, seen(true))]
      : seen(clashes)),
    // A repeated element: a line runs through the cell.
    ...(relation === 'stretch'
      ? [
          tag('rect', {
            ...{ x, y: y + 27.25, width, height: 1.5, fill: hue },
            ...timing.grown('across'),
          }),
        ]
      : []),
    ...(times === ''
      ? []
      : [
          tag(
            'text',
            {
              ...{ x: x + 12 + (extent === '' ? 0 : widthOf(`${extent} `, extentSize)), y: y + 22 },
              ...{ fill: relation === 'insert' ? palette.soft : hue, 'font-size': extentSize },
              ...{ 'font-weight': relation === 'insert' ? 400 : 600, ...stretched },
            },
            times,
          ),
        ]),
  ]);
}

/** Operands, result and reasons below one another. */
export function alignmentPart(
  alignment: Alignment,
  model: Model,
  palette: Palette,
  { reasons: explains, most, letters, timing }: AlignmentLook = usual,
): Drawing {
  const texts = alignmentTexts(alignment, model, most);
  const { axes, titles, result, hidden } = texts;
  const rows = texts.rows.map((row) => ({ ...row, shape: shortName(row.shape, letters) }));
  const needed = columnWidths(texts);
  // Cells that move need columns of one width.
  const widths = timing.steps ? needed.map(() => Math.max(...needed)) : needed;
  const chips = Math.max(0, ...rows.map(({ name }) => chipWidth(name)));
  const names = Math.max(...rows.map(({ shape }) => chips + 10 + widthOf(shape, textSize)), 60) + 16;
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, w) => sum + w + columnGap, names));
  const width = axes.length === 0 ? names + 120 : (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0);
  const top = (line: number): number => headHeight + line * (rowHeight + rowGap);

  const head = titles.map((title, i) =>
    tag(
      'text',
      { x: (lefts[i] ?? 0) + 12, y: 14, fill: palette.soft, 'font-size': smallSize, ...timing.from('aligned') },
      title,
    ),
  );
  const lines = rows.map((row, line) =>
    group({}, [
      chip(palette, row.name, hueOf(palette, row.operand).hue, 0, top(line) + 6).markup,
      tag('text', { x: chips + 10, y: top(line) + 22, fill: palette.ink, 'font-size': textSize }, row.shape),
      ...row.cells.flatMap((cell, i) => {
        if (!cell) return [];
        const place = { x: lefts[i] ?? 0, y: top(line), width: widths[i] ?? 0 };
        const markup = cellMarkup(cell, row, palette, timing, place);
        if (!timing.steps) return [markup];
        const away = (lefts[writtenColumn(row, i)] ?? place.x) - place.x;
        return [group(cell.axis === null ? timing.from('aligned', 1) : timing.lined(away), [markup])];
      }),
      ...(axes.length === 0
        ? [tag('text', { x: names, y: top(line) + 22, fill: palette.soft, 'font-size': textSize }, 'one element')]
        : []),
    ]),
  );
  const below = top(rows.length);
  const extents = (axes.length === 0 ? ['()'] : result).map((extent, i) => {
    const open = extent === '?';
    const [x, w] = axes.length === 0 ? [names, 60] : [lefts[i] ?? 0, widths[i] ?? 0];
    return group({}, [
      tag('rect', {
        x: x + 1,
        y: below + 1,
        width: w - 2,
        height: rowHeight - 2,
        rx: 7,
        fill: open ? 'none' : palette.ink,
        ...(open ? { stroke: palette.clash, 'stroke-width': 2, 'stroke-dasharray': '4 3' } : {}),
      }),
      tag(
        'text',
        {
          x: x + 12,
          y: below + 22,
          fill: open ? palette.clash : palette.ground,
          'font-size': extentSize,
          'font-weight': 600,
        },
        extent,
      ),
    ]);
  });

  const why = axes.flatMap(({ axis, why: says, conflict }) =>
    wrapped(says, Math.max(width, 420) - 64, smallSize).map((text, i) => ({
      axis: i === 0 ? `axis ${axis}` : '',
      text,
      conflict,
    })),
  );
  const more = hidden > 0 ? [{ axis: '', text: hiddenText(hidden, 'drawn'), conflict: false }] : [];
  const reasons = [...(explains ? why : []), ...more].map(({ axis, text, conflict }, i) => {
    const y = below + rowHeight + 26 + i * 18;
    return group({ fill: conflict ? palette.clash : palette.soft, 'font-size': smallSize }, [
      tag('text', { x: 0, y }, axis),
      tag('text', { x: 64, y, 'font-family': sans }, text),
    ]);
  });
  return {
    width,
    height: below + rowHeight + (reasons.length > 0 ? 14 + reasons.length * 18 : 0),
    markup: group({ 'font-family': mono }, [
      ...head,
      ...lines,
      group(timing.from('result'), [
        tag(
          'text',
          { x: 0, y: below + 22, fill: palette.ink, 'font-family': sans, 'font-size': textSize, 'font-weight': 600 },
          'result',
        ),
        ...extents,
      ]),
      ...reasons,
    ]),
  };
}

/**
 * The alignment as a picture that stands alone; null if the shapes cannot be aligned.
 *
 * @example
 * const { svg } = alignmentSvg(compute(engine, state), palette);
 */
export function alignmentSvg(model: Model, palette: Palette): SvgPicture | null {
  return model.alignment && figure(model, palette, alignmentAlt(model), alignmentPart(model.alignment, model, palette));
}
