// The steps of broadcasting as one picture that moves: shapes as written, lined up, stretched, the grid filled, the result;
// shapes that do not fit end at the clash. Each step has its sentence.

import type { Alignment } from '../engine/engine';
import type { Model } from '../model/model';
import { stepText } from '../model/step-text';
import { toFragment } from '../state/state';
import { alignmentPart } from './alignment-svg';
import { type Drawing, framed, heading, margin, smallSize, type SvgPicture } from './figure';
import { gridPart } from './grid-svg';
import type { Palette } from './palette';
import { alignmentAlt, operandsText } from './sentences';
import { stepsTiming, type StepsTiming } from './steps-timing';
import { group, type Markup, mono, sans, tag, widthOf, wrapped } from './svg';
import { type PictureStep, pictureSteps } from './timing';

/** Results of more axes are shown without their grid. */
const mostGridAxes = 8;
/** More cells would make the file large. */
const mostCells = { rows: 8, columns: 8 };
/** Axes of the alignment, and letters of a shape in it: more could not be read. */
const mostAligned = { most: 12, letters: 32 };
const leastWidth = 560;
const captionSize = 16;
const captionLine = 23;

/** Seconds that it takes to read a text and look at the picture. */
const readingTime = (text: string): number => Math.min(9, 2 + 0.055 * text.length);
/** The last step stays longer before everything begins again. */
const restTime = 3;

const withoutMarks = (text: string): string => text.replaceAll('`', '');

function sentenceOf(step: PictureStep, model: Model, alignment: Alignment): string {
  return step === 'filled'
    ? 'Each cell of the result is computed from the elements at its place.'
    : withoutMarks(stepText(step, model, alignment));
}

function labelOf(step: PictureStep, { failure }: Model): string {
  if (step === 'written') return 'Written';
  if (step === 'aligned') return 'Lined up';
  if (step === 'stretched') return 'Stretched';
  if (step === 'filled') return 'Filled';
  return failure ? (failure.class === 'incompatible' ? 'Clash' : 'No result') : 'Result';
}

interface Told {
  readonly step: PictureStep;
  readonly label: string;
  readonly sentence: string;
}

/** Whether the grid is part of the picture. */
const hasGrid = ({ alignment, result }: Model): boolean =>
  alignment !== null && result !== null && alignment.axes.length <= mostGridAxes;

const stepsOf = (model: Model, alignment: Alignment): readonly Told[] =>
  pictureSteps
    .filter((step) => step !== 'filled' || hasGrid(model))
    .map((step, i) => ({
      step,
      label: `${i + 1} ${labelOf(step, model)}`,
      sentence: sentenceOf(step, model, alignment),
    }));

/** The steps side by side, with the present one marked. */
function stepBar(steps: readonly Told[], palette: Palette, timing: StepsTiming): Drawing {
  const parts: Markup[] = [];
  let x = 0;
  steps.forEach(({ step, label }, i) => {
    const width = Math.ceil(widthOf(label, smallSize, 0.58)) + 16;
    const pill = tag('rect', { x, y: 0, width, height: 22, rx: 11, fill: palette.accent, 'fill-opacity': 0.45 });
    parts.push(
      tag('rect', { x: x + 0.5, y: 0.5, width: width - 1, height: 21, rx: 10.5, fill: 'none', stroke: palette.line }),
      during(timing, step, steps[i + 1]?.step, [pill]),
      tag(
        'text',
        { x: x + width / 2, y: 15, fill: palette.ink, 'font-size': smallSize, 'text-anchor': 'middle' },
        label,
      ),
    );
    x += width + 8;
  });
  return { width: x - 8, height: 22, markup: group({ 'font-family': sans }, parts) };
}

/** What is seen in one step. */
function during(
  timing: StepsTiming,
  step: PictureStep,
  next: PictureStep | undefined,
  parts: readonly Markup[],
): Markup {
  const from = timing.from(step);
  return next ? group(from, [group(timing.until(next), parts)]) : group(from, parts);
}

/** A name for the styles of a picture that pictures of other questions do not have: FNV-1a. */
function nameOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return `b${hash.toString(36)}`;
}

/**
 * The steps as a picture that moves; null if the shapes cannot be aligned.
 *
 * @example
 * const { svg } = stepsSvg(compute(engine, state), palette);
 */
export function stepsSvg(model: Model, palette: Palette): SvgPicture | null {
  const { alignment, result } = model;
  if (!alignment) return null;
  const steps = stepsOf(model, alignment);
  const timing = stepsTiming(
    nameOf(`${toFragment(model.state)} ${palette.ground}`),
    steps.map(({ step, sentence }, i) => ({
      step,
      time: readingTime(sentence) + (i === steps.length - 1 ? restTime : 0),
    })),
  );
  const drawing = alignmentPart(alignment, model, palette, { reasons: false, ...mostAligned, timing });
  const grid =
    result && hasGrid(model)
      ? gridPart(alignment, model, result, palette, { most: mostCells, slices: false, timing })
      : null;
  const bar = stepBar(steps, palette, timing);
  const inner = Math.max(leastWidth, drawing.width, grid?.width ?? 0, bar.width);
  const head = heading(model, palette, inner);
  const width = Math.ceil(Math.max(inner, head.width) + 2 * margin);

  const asked = wrapped(operandsText(model), inner, captionSize, 0.62);
  const question = group({ 'font-family': mono, 'font-size': captionSize, 'font-weight': 600, fill: palette.ink }, [
    ...asked.map((line, i) => tag('text', { x: 0, y: 16 + i * captionLine }, line)),
  ]);
  const barTop = asked.length * captionLine + 6;
  const captionTop = barTop + bar.height + 16;
  const captions = steps.slice(0, -1).map(({ step, sentence }, i) => {
    const lines = wrapped(sentence, inner, captionSize);
    const texts = lines.map((line, k) =>
      tag(
        'text',
        { x: 0, y: 18 + k * captionLine, fill: palette.ink, 'font-family': sans, 'font-size': captionSize },
        line,
      ),
    );
    return { height: lines.length * captionLine, markup: during(timing, step, steps[i + 1]?.step, texts) };
  });
  const zone = Math.max(head.height, ...captions.map(({ height }) => height));
  const drawingTop = captionTop + zone + 14;
  const gridTop = drawingTop + drawing.height + 24;
  const height = Math.ceil(margin + (grid ? gridTop + grid.height : drawingTop + drawing.height) + margin);
  const at = (y: number, parts: readonly Markup[]): Markup =>
    group({ transform: `translate(${margin} ${margin + y})` }, parts);
  const parts = [
    at(0, [question]),
    at(barTop, [bar.markup]),
    at(captionTop, [...captions.map(({ markup }) => markup), group(timing.from('result'), [head.markup])]),
    at(drawingTop, [drawing.markup]),
    ...(grid ? [at(gridTop, [grid.markup])] : []),
  ];
  return framed(model, palette, stepsAlt(model), { width, height }, [timing.style(), ...parts]);
}

/** The answer and the steps as alternative text; the shapes are aligned. */
export function stepsAlt(model: Model): string {
  const { alignment } = model;
  if (!alignment) return alignmentAlt(model);
  const steps = stepsOf(model, alignment);
  const told = steps.map(({ label, sentence }) => `${label}: ${sentence}`);
  return `${alignmentAlt(model)} In ${steps.length} steps: ${told.join(' ')}`;
}
