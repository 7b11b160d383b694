// What a step of an alignment shows, in sentences. They are read from the alignment: no rule is known here.

import { type AlignedAxis, type AlignedCell, type Alignment, type Extent, targetOperand } from '../engine/engine';
import { aboutAxis, countText } from '../text/format';
import { fieldText } from '../text/symbolic-text';
import { resultNames } from './axis-names';
import { isIncomplete, isLeftOut, repeatOf } from './drawn-axes';
import type { Model } from './model';
import type { Stage } from './stage-names';

/** Sentences about axes are at most so many; longer shapes are not spelled out. */
const mostSaid = 3;
const mostAxes = 8;

/** An operand, or the target, with its axes in the result. */
interface Aligned {
  readonly operand: number;
  readonly name: string;
  readonly shape: readonly Extent[];
  readonly says: string;
  readonly cell: (axis: AlignedAxis) => AlignedCell | null;
}

export function stepText(stage: Stage, model: Model, alignment: Alignment): string {
  const all = alignedOf(model);
  switch (stage) {
    case 'written':
      return written(all);
    case 'aligned':
      return placed(model, alignment, all);
    case 'stretched':
      return stretched(model, alignment, all);
    case 'result':
      return result(model, alignment);
  }
}

function alignedOf({ operands, rule, target }: Model): readonly Aligned[] {
  const shapes = operands.map(({ name, values, names }, operand): Aligned => {
    const shape = values ?? [];
    return { operand, name, shape, says: shapeOf(shape, names), cell: ({ cells }) => cells[operand] ?? null };
  });
  if (!rule?.takesTarget) return shapes;
  const shape = target.values ?? [];
  const says = shapeOf(shape, target.names);
  return [...shapes, { operand: targetOperand, name: 'the target', shape, says, cell: ({ target: cell }) => cell }];
}

const shapeOf = (...[shape, names]: Parameters<typeof fieldText>): string =>
  shape.length > mostAxes ? `of ${shape.length} axes` : fieldText(shape, names);

/** a, b and c */
const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The first sentences, and how many axes the others are about. */
const firstOf = (sentences: readonly string[]): string =>
  sentences.slice(0, mostSaid).join(' ') +
  (sentences.length > mostSaid ? ` And ${sentences.length - mostSaid} more like these.` : '');

function written(all: readonly Aligned[]): string {
  const said = all.slice(0, mostSaid).map(({ name, says }) => `${name} is ${says}`);
  const more = all.length > mostSaid ? [`${all.length - mostSaid} more`] : [];
  const axes = all.every(({ shape }) => shape.length === 0)
    ? 'single numbers have no axes.'
    : 'each counts its own axes from 0, at the left.';
  return `${capital(listed([...said, ...more]))}: ${axes}`;
}

function placed({ rule, operands }: Model, { axes, failure }: Alignment, all: readonly Aligned[]): string {
  if (failure?.class === 'axis' || failure?.class === 'axes_mapping')
    return `\`${failure.class}\` does not place every axis.`;
  const places = all.flatMap(({ operand, name, cell }) =>
    operand === targetOperand ? [] : axes.flatMap((axis) => placeOf(name, cell(axis), axis)),
  );
  const [first, second] = operands;
  const start = axes.find(({ cells }) => cells[1]?.sourceAxis === 0)?.axis;
  const lead =
    rule?.placement === 'mapping'
      ? `\`axes_mapping\` puts ${listed([...places.slice(0, mostSaid), ...(places.length > mostSaid ? ['so on'] : [])])}.`
      : rule?.placement === 'axis' && second && start !== undefined
        ? `\`axis\` puts ${second.name}'s axis 0 on axis ${start} of ${first?.name}; its other axes follow.`
        : all.every(({ shape }) => shape.length === 0)
          ? 'There are no axes to line up.'
          : 'Line the shapes up at the right.';
  const sentences = all.flatMap(({ name, shape, cell }) => {
    const cells = axes.map(cell);
    const missing = axes.filter((_, at) => cells[at]?.relation === 'insert').map(({ axis }) => axis);
    const left = cells.filter((each) => each !== null && each.sourceAxis !== null && isLeftOut(each, rule));
    const unplaced = shape.map((_, own) => own).filter((own) => !cells.some((each) => each?.sourceAxis === own));
    return [
      ...left.map((each) => `${capital(name)}'s axis ${each?.sourceAxis} is ${each?.extent} and is left out.`),
      ...unplaced.map((own) => `${capital(name)}'s axis ${own} has no place in the result.`),
      ...(missing.length > 0 && !isIncomplete(failure)
        ? [
            `${capital(name)} has nothing on ${ofResult(missing)}: ${missing.length === 1 ? 'it counts as 1' : 'they count as 1'}.`,
          ]
        : []),
    ];
  });
  return [lead, firstOf(sentences)].filter(Boolean).join(' ');
}

const placeOf = (name: string, cell: AlignedCell | null, { axis }: AlignedAxis): readonly string[] =>
  cell === null || cell.sourceAxis === null ? [] : [`axis ${cell.sourceAxis} of ${name} on axis ${axis}`];

/** the result's axes 0 and 2 */
const ofResult = (axes: readonly number[]): string =>
  axes.length > mostAxes ? `${axes.length} of the result's axes` : `the result's ${axesText(axes)}`;

const axesText = (axes: readonly number[]): string =>
  axes.length > mostAxes
    ? `${axes.length} of the axes`
    : `${axes.length === 1 ? 'axis' : 'axes'} ${listed(axes.map(String))}`;

function stretched({ rule }: Model, { axes, failure }: Alignment, all: readonly Aligned[]): string {
  if (isIncomplete(failure)) return 'Not every axis has a place: there is nothing to compare.';
  const conflicts = axes.filter(({ conflict }) => conflict).map((axis) => aboutAxis(axis.axis, axis.why));
  const repeats = axes.flatMap((axis) =>
    all.flatMap((one) => {
      const cell = one.cell(axis);
      // A target is not repeated: it has no elements.
      if (!cell || axis.conflict || one.operand === targetOperand || repeatOf(cell, axis) === null) return [];
      const partner = all.find((other) => other !== one && other.cell(axis)?.relation === 'match');
      const unit = unitOf(axis, axes.length);
      const each = `${partner ? `${partner.name}'s` : 'the'} ${axis.extent} ${unit ? `${unit}s` : 'indexes'}`;
      const has =
        cell.sourceAxis === null || isLeftOut(cell, rule)
          ? `has nothing on ${ofResult([axis.axis])}, which counts as 1`
          : `has extent 1 on ${ofResult([axis.axis])}`;
      return [
        `${one.name} ${has}: its ${unit ? `one ${unit} is used` : 'elements are used again'} for each of ${each}.`,
      ];
    }),
  );
  const lead =
    rule && !rule.stretches
      ? 'This rule repeats nothing: the extents of each axis must be equal.'
      : conflicts.length > 0
        ? ''
        : repeats.length > 0
          ? 'A size-1 axis is reused for every index.'
          : 'Nothing has to be repeated: the extents of each axis are equal.';
  return [lead, firstOf([...conflicts, ...repeats])].filter(Boolean).join(' ');
}

/** What lies along an axis, in up to two axes; an empty text in more. */
const unitOf = ({ axis }: AlignedAxis, rank: number): string =>
  rank === 2 ? (axis === 0 ? 'row' : 'column') : rank === 1 ? 'element' : '';

function result({ operands, failure, elements, computed }: Model, alignment: Alignment): string {
  const clashing = alignment.axes.filter(({ conflict }) => conflict).map(({ axis }) => axis);
  if (clashing.length > 0) return `There is no result: the extents on ${axesText(clashing)} clash.`;
  if (isIncomplete(alignment.failure)) return 'There is no result: not every axis has a place.';
  const shape = shapeOf(alignment.output, resultNames(alignment, operands));
  const left =
    alignment.output.length === 0
      ? 'There are no axes: the result is one number, ().'
      : `One extent is left on each axis: the result is ${shape}.`;
  if (failure) return `${left} It cannot be computed: see above.`;
  if (elements === 0n) return `${left} It has no elements, as an extent is 0.`;
  const names = operands.map(({ name }) => name);
  const takes =
    names.length > mostSaid ? `one element of each operand` : listed(names.map((name) => `one element of ${name}`));
  return computed && computed.outputs.length > 1
    ? `${left} Each operand comes back in this shape.`
    : elements === null || alignment.output.length === 0
      ? left
      : `${left} Each of its ${countText(elements)} ${elements === 1n ? 'element' : 'elements'} takes ${takes}.`;
}
