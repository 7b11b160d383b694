// The question as a slide of 1920 x 1080 pixels, with texts that can be read from the back of a room: the question as a formula,
// the answer and its reason, and below them as much of the alignment and the grid as has room at a legible size.

import { mostAxes } from '../model/drawn-axes';
import { shortName } from '../model/axis-names';
import type { Field, Model } from '../model/model';
import { mostColumns, mostRows, rangeText } from '../text/cell-range';
import { spell } from '../text/notation';
import { alignmentPart } from './alignment-svg';
import { type Drawing, framed, type SvgPicture } from './figure';
import { gridPart } from './grid-svg';
import { hueOf, type Palette } from './palette';
import { alignmentAlt, operandsText, outcomeText, questionText, reasonText } from './sentences';
import { fieldText } from '../text/symbolic-text';
import { group, type Markup, mono, sans, tag, widthOf, wrapped } from './svg';
import { still } from './timing';

const size = { width: 1920, height: 1080 };
const margin = 88;
const room = size.width - 2 * margin;
const apart = 40;

/** How much drawings are enlarged: at most, and so that a grid, or the alignment alone, can be read. */
const largest = 3.4;
const legible = [
  { scale: 2.1, cuts: 4 },
  { scale: 1.75, cuts: 7 },
];
const least = 1.4;

/** How many rows and columns of the grid are drawn, from all to few. */
const cuts = [
  { rows: mostRows, columns: mostColumns },
  { rows: 10, columns: 12 },
  { rows: 8, columns: 10 },
  { rows: 6, columns: 8 },
  { rows: 4, columns: 6 },
  { rows: 4, columns: 4 },
  { rows: 3, columns: 3 },
];
/** How many axes are drawn, from all to few, and letters of shapes beside them. */
const axisCuts = [mostAxes, 16, 12, 10, 8, 6, 4];
const mostLetters = 24;

/** Lines of a text, the last of them shortened if there are more. */
function lines(text: string, fontSize: number, each: number, most: number): readonly string[] {
  const all = wrapped(text, room, fontSize, each).map((line) => shortName(line, Math.floor(room / (fontSize * each))));
  return all.length <= most ? all : [...all.slice(0, most - 1), `${all[most - 1]} …`];
}

/** The question as a formula, `A (4, 1) + B (6,)`, each operand in its colour; long ones as a sentence in two lines. */
function formula(model: Model, palette: Palette): readonly Markup[] {
  const written = ({ values, names, text }: Field): string => shortName(values ? fieldText(values, names) : text, 60);
  const parts = model.op ? spell(model.op.notation, model.operands.length) : [];
  const isSpelled = model.operands.every((_, i) => parts.includes(i));
  const spelled = isSpelled
    ? parts.map((part) => {
        const operand = typeof part === 'string' ? undefined : model.operands[part];
        return operand && typeof part === 'number'
          ? { text: `${operand.name} ${written(operand)}`, fill: hueOf(palette, part).hue }
          : { text: String(part), fill: palette.ink };
      })
    : [{ text: operandsText(model), fill: palette.ink }];
  const asked = model.rule?.takesTarget && isSpelled ? ` to ${written(model.target)}` : '';
  const whole = `${spelled.map(({ text }) => text).join('')}${asked}`;
  const type = { x: 0, fill: palette.ink, 'font-family': mono, 'font-weight': 700 };
  const fontSize = [64, 56, 48, 42, 36].find((each) => widthOf(whole, each) <= room);
  return fontSize === undefined
    ? lines(operandsText(model), 34, 0.62, 2).map((line, i) =>
        tag('text', { ...type, y: 36 + i * 44, 'font-size': 34 }, line),
      )
    : [
        tag(
          'text',
          { ...type, y: 60, 'font-size': fontSize },
          ...spelled.map(({ text, fill }) => tag('tspan', { fill }, text)),
          asked,
        ),
      ];
}

/** Question, answer and reason. */
function texts(model: Model, palette: Palette): Drawing {
  const fits = !model.failure && model.alignment !== null;
  const outcome = outcomeText(model);
  const said = `${outcome.charAt(0).toUpperCase()}${outcome.slice(1)}`;
  const asked = questionText(model);
  const answerSize = Math.max(30, Math.min(60, (0.7 * room) / widthOf(said, 1)));
  const shown = shortName(said, Math.floor((0.8 * room) / (answerSize * 0.62)));
  const reasons = lines(reasonText(model), 32, 0.54, 3);
  const markup = group({}, [
    ...formula(model, palette),
    tag(
      'text',
      {
        x: 0,
        y: 152,
        'font-family': sans,
        'font-size': 40,
        'font-weight': 600,
        fill: fits ? palette.fits : palette.clash,
      },
      fits ? '✓' : '✕',
    ),
    tag(
      'text',
      {
        x: 52,
        y: 152,
        'font-family': fits ? mono : sans,
        'font-size': answerSize,
        'font-weight': 700,
        fill: palette.ink,
      },
      shown,
    ),
    tag(
      'text',
      { x: room, y: 152, 'font-family': sans, 'font-size': 34, 'text-anchor': 'end', fill: palette.soft },
      asked,
    ),
    ...reasons.map((line, i) =>
      tag('text', { x: 0, y: 214 + i * 44, 'font-family': sans, 'font-size': 32, fill: palette.ink }, line),
    ),
  ]);
  return { width: room, height: 186 + reasons.length * 44, markup };
}

/** A drawing on the slide, from its corner. */
interface Placed {
  readonly drawing: Drawing;
  readonly x: number;
  readonly y: number;
}

interface Arrangement {
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  readonly placed: readonly Placed[];
}

function arranged(drawings: readonly Drawing[], direction: 'beside' | 'below', height: number): Arrangement {
  const beside = direction === 'beside';
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, each) => all + each + apart, -apart);
  const [widths, heights] = [drawings.map((each) => each.width), drawings.map((each) => each.height)];
  const whole = beside
    ? { width: sum(widths), height: Math.max(...heights) }
    : { width: Math.max(...widths), height: sum(heights) };
  const placed = drawings.map((drawing, i) => ({
    drawing,
    x: beside && i > 0 ? sum(widths.slice(0, i)) + apart : 0,
    y: !beside && i > 0 ? sum(heights.slice(0, i)) + apart : 0,
  }));
  return { scale: Math.min(largest, room / whole.width, height / whole.height), ...whole, placed };
}

const larger = (one: Arrangement, other: Arrangement): Arrangement => (other.scale > one.scale ? other : one);

/** The grid with a note of what is cut off. */
function gridOf(model: Model, palette: Palette, most: (typeof cuts)[number]): Drawing | null {
  const { alignment, result } = model;
  if (!alignment || !result) return null;
  const { drawn, ...grid } = gridPart(alignment, model, result, palette, { most, slices: false, timing: still });
  const range = [rangeText(drawn.rows, 'rows'), rangeText(drawn.columns, 'columns')].filter(Boolean).join(', ');
  if (range === '') return grid;
  const note = tag(
    'text',
    { x: 0, y: grid.height + 16, fill: palette.soft, 'font-size': 12, 'font-family': sans },
    range,
  );
  return { ...grid, height: grid.height + 22, markup: group({}, [grid.markup, note]) };
}

/** As much of alignment and grid as is legible in this height; null if nothing is. */
function drawings(model: Model, palette: Palette, height: number): Arrangement | null {
  const { alignment } = model;
  if (!alignment) return null;
  const aligned = (most: number): Drawing =>
    alignmentPart(alignment, model, palette, { reasons: false, most, letters: mostLetters, timing: still });
  const all = aligned(mostAxes);
  const withGrid = (alignment.axes.length > 0 ? cuts : []).flatMap((most) => {
    const grid = gridOf(model, palette, most);
    if (!grid) return [];
    return [larger(arranged([all, grid], 'beside', height), arranged([all, grid], 'below', height))];
  });
  for (const { scale, cuts: tried } of legible) {
    const found = withGrid.slice(0, tried).find((arrangement) => arrangement.scale >= scale);
    if (found) return found;
  }
  for (const most of axisCuts) {
    const alone = arranged([aligned(most)], 'below', height);
    if (alone.scale >= least) return alone;
  }
  return null;
}

/**
 * The question as a slide; null if the shapes cannot be aligned.
 *
 * @example
 * const { svg } = slideSvg(compute(engine, state), palette); // 1920 x 1080
 */
export function slideSvg(model: Model, palette: Palette): SvgPicture | null {
  if (!model.alignment) return null;
  const head = texts(model, palette);
  const top = margin + head.height + 24;
  const height = size.height - top - 64;
  const shown = drawings(model, palette, height);
  const parts = [group({ transform: `translate(${margin} ${margin - 24})` }, [head.markup])];
  if (shown) {
    const { scale, placed } = shown;
    const y = top + Math.max(0, (height - scale * shown.height) / 2);
    parts.push(
      group(
        { transform: `translate(${margin} ${y}) scale(${scale})` },
        placed.map((each) => group({ transform: `translate(${each.x} ${each.y})` }, [each.drawing.markup])),
      ),
    );
  }
  return framed(model, palette, alignmentAlt(model), size, parts);
}
