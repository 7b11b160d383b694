// The alignment as a picture: operands above one another, a column for each axis, the result, and the reasons.

import { hiddenText } from '../model/drawn-axes';
import type { Alignment } from '../engine/engine';
import type { Model } from '../model/model';
import { chip, chipWidth, figure, type Drawing, type SvgPicture, smallSize, textSize } from './figure';
import { type CellTexts, type RowTexts, type AlignmentTexts, alignmentTexts } from './alignment-texts';
import { hueOf, type Palette } from './palette';
import { group, type Markup, mono, sans, tag, widthOf, wrapped } from './svg';
import { alignmentAlt } from './sentences';

const rowHeight = 34;
const rowGap = 6;
const columnGap = 6;
const headHeight = 24;
const extentSize = 15;

/** The width of each column: that of its widest cell. */
function columnWidths({ titles, rows, result }: AlignmentTexts): readonly number[] {
  return titles.map((title, i) => {
    const needed = rows.map(({ cells }) => {
      const cell = cells[i];
      return cell ? widthOf(cell.extent, extentSize) + widthOf(cell.own, smallSize) + 36 : 0;
    });
    return Math.max(96, ...needed, widthOf(result[i] ?? '', extentSize) + 24, widthOf(title, smallSize) + 24);
  });
}

function cellMarkup(cell: CellTexts, row: RowTexts, palette: Palette, x: number, y: number, width: number): Markup {
  const { hue, wash } = hueOf(palette, row.operand);
  const { relation } = cell;
  const clashes = relation === 'conflict';
  const own = relation === 'match' || relation === 'stretch';
  const frame = {
    x: x + 0.75,
    y: y + 0.75,
    width: width - 1.5,
    height: rowHeight - 1.5,
    rx: 7,
    'stroke-width': clashes ? 2 : 1.5,
    stroke: clashes ? palette.clash : own ? hue : palette.lineStrong,
    'stroke-dasharray': relation === 'insert' || cell.own === 'ignored' ? '4 3' : undefined,
    fill: clashes ? palette.clashWash : relation === 'match' ? wash : relation === 'stretch' ? palette.paper : 'none',
  };
  const baseline = y + 22;
  return group({}, [
    tag('rect', frame),
    // A repeated element: a line runs through the cell.
    ...(relation === 'stretch'
      ? [tag('path', { d: `M${x} ${y + 28}h${width}`, stroke: hue, 'stroke-width': 1.5 })]
      : []),
    tag(
      'text',
      {
        x: x + 12,
        y: baseline,
        fill: clashes ? palette.clash : own ? hue : palette.soft,
        'font-size': extentSize,
        'font-weight': relation === 'insert' ? 400 : 600,
        'text-decoration': cell.struck ? 'line-through' : undefined,
      },
      cell.extent,
    ),
    tag(
      'text',
      {
        x: x + width - 10,
        y: baseline,
        fill: clashes ? palette.clash : palette.soft,
        'font-size': smallSize,
        'text-anchor': 'end',
      },
      cell.own,
    ),
  ]);
}

/** Operands, result and reasons below one another. */
export function alignmentPart(alignment: Alignment, model: Model, palette: Palette): Drawing {
  const texts = alignmentTexts(alignment, model);
  const { axes, titles, rows, result, hidden } = texts;
  const widths = columnWidths(texts);
  const chips = rows.reduce((most, { name }) => Math.max(most, chipWidth(name)), 0);
  const names = Math.max(...rows.map(({ shape }) => chips + 10 + widthOf(shape, textSize)), 60) + 16;
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, w) => sum + w + columnGap, names));
  const width = axes.length === 0 ? names + 120 : (lefts.at(-1) ?? 0) + (widths.at(-1) ?? 0);
  const top = (line: number): number => headHeight + line * (rowHeight + rowGap);

  const head = titles.map((title, i) =>
    tag('text', { x: (lefts[i] ?? 0) + 12, y: 14, fill: palette.soft, 'font-size': smallSize }, title),
  );
  const lines = rows.map((row, line) =>
    group({}, [
      chip(palette, row.name, hueOf(palette, row.operand).hue, 0, top(line) + 6).markup,
      tag('text', { x: chips + 10, y: top(line) + 22, fill: palette.ink, 'font-size': textSize }, row.shape),
      ...row.cells.flatMap((cell, i) =>
        cell ? [cellMarkup(cell, row, palette, lefts[i] ?? 0, top(line), widths[i] ?? 0)] : [],
      ),
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
  const reasons = [...why, ...more].map(({ axis, text, conflict }, i) => {
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
      tag(
        'text',
        { x: 0, y: below + 22, fill: palette.ink, 'font-family': sans, 'font-size': textSize, 'font-weight': 600 },
        'result',
      ),
      ...extents,
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
