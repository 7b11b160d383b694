// Judges a prediction and, if it is wrong, names the likely mistake. A mistake is recognised by computing the prediction that it
// leads to, mostly by asking the core another question, as the reversed shapes for "aligned from the left". The sums and
// products here are those of mistakes; no rule is known here.

import type { Alignment, Engine, Extent } from '../engine/engine';
import { firstState } from '../state/state';
import { aboutAxis } from '../text/format';
import { faultsIn, placingField } from './field-faults';
import { ask, type Asked, type Question, type Shape } from './questions';

export type Prediction =
  | { readonly kind: 'shape'; readonly shape: readonly Extent[] }
  /** `axis` is null if the ranks are said to be at fault; `operand` is null if it makes no difference. */
  | { readonly kind: 'clash'; readonly axis: number | null; readonly operand: number | null }
  /** The fault of the field that places axes: a detail of `faultsIn`, and the entry at fault if it has entries. */
  | { readonly kind: 'field'; readonly detail: string; readonly entry: number | null };

export interface Judgement {
  readonly right: boolean;
  /** The mistake, in a sentence or two; an empty text if the prediction is right or no mistake is recognised. */
  readonly mistake: string;
}

const equal = (a: readonly Extent[], b: readonly Extent[]): boolean =>
  a.length === b.length && a.every((extent, i) => Number(extent) === Number(b[i]));

/** Whether the operand at fault is asked for: one operand never stretches under the rule, or there are more than two. */
export const asksOperand = ({ entry, shapes }: Asked & { entry: Question['entry'] }): boolean =>
  entry.reference !== 'everyone' || shapes.length > 2;

/** Whether the rule may refuse ranks. */
export const asksRank = ({ entry }: Question): boolean =>
  entry.reference !== 'everyone' && entry.placement !== 'mapping';

/** Whether the entry at fault is asked for: a wrong order or number of entries has none. */
export const asksEntry = ({ entry, axesMapping = [] }: Question, detail: string): boolean =>
  entry.takesMapping && (detail === 'out_of_range' || detail === 'duplicate') && axesMapping.length > 1;

export function judge(core: Engine, question: Question, said: Prediction): Judgement {
  const { right, looks } = kinds[said.kind];
  if (right(core, question, said as never)) return { right: true, mistake: '' };
  for (const mistake of [fieldFirst, ...looks]) {
    const found = mistake(core, question, said as never);
    if (found) return { right: false, mistake: found };
  }
  return { right: false, mistake: '' };
}

/** Whether an operand clashes along an axis with any of the others; the core is asked pair by pair. */
function clashesWithAnother(
  core: Engine,
  { rule, shapes, alignment }: Question,
  axis: number,
  operand: number,
): boolean {
  const own = alignment.axes[axis]?.cells[operand]?.sourceAxis;
  const shape = shapes[operand];
  return shapes.some((other, i) => {
    const pair = i !== operand && shape && ask(core, { rule, shapes: [shape, other] });
    return (
      pair &&
      pair.conflicts.some((conflict) => (conflict.operand === 0 ? conflict.operandAxis : conflict.otherAxis) === own)
    );
  });
}

type SaidShape = Extract<Prediction, { kind: 'shape' }>;
type SaidClash = Extract<Prediction, { kind: 'clash' }>;
type SaidField = Extract<Prediction, { kind: 'field' }>;

const rightShape = (_: Engine, { alignment: { failure, output } }: Question, { shape }: SaidShape): boolean =>
  failure === null && equal(output, shape);

function rightClash(core: Engine, question: Question, { axis, operand }: SaidClash): boolean {
  const { failure, conflicts } = question.alignment;
  if (failure === null) return false;
  if (axis === null) return failure.class === 'rank';
  const there = conflicts.filter((conflict) => conflict.axis === axis);
  if (there.length === 0) return false;
  if (operand === null || !asksOperand(question)) return true;
  return question.entry.reference === 'everyone'
    ? clashesWithAnother(core, question, axis, operand)
    : there.some((conflict) => conflict.operand === operand);
}

function rightField(_: Engine, question: Question, { detail, entry }: SaidField): boolean {
  const { failure } = question.alignment;
  if (!failure || !faultsIn(failure.class) || failure.detail !== detail) return false;
  if (entry === null || !asksEntry(question, detail)) return true;
  // If two entries name the same axis, either is at fault.
  const { axesMapping = [] } = question;
  return axesMapping[entry] === axesMapping[failure.operandAxis ?? -1];
}

// --- Answers of other questions ----------------------------------------------------

/** The alignment from the left, with the axes reversed. Null if the rule does not align from the right. */
function fromTheLeft(core: Engine, { entry, rule, shapes, targetShape }: Question): Alignment | null {
  if (entry.placement !== 'right') return null;
  const turned = (shape: Shape): Shape => [...shape].reverse();
  return ask(core, {
    rule,
    shapes: shapes.map(turned),
    ...(targetShape ? { targetShape: turned(targetShape) } : {}),
  });
}

/** The answers of other rules that stretch; none for the first rule, which is learned before the others are known. */
function byOtherRules(core: Engine, { rule, shapes, targetShape, entry, ...rest }: Question) {
  if (rule === firstState.rule) return [];
  return core.vocabulary.rules.flatMap((other) => {
    if (other.name === rule || !other.stretches || other.takesMapping || other.takesTarget !== entry.takesTarget)
      return [];
    if (other.mostOperands !== null && shapes.length > other.mostOperands) return [];
    const axis = other.takesAxis ? rest.axis : undefined;
    const alignment = ask(core, {
      rule: other.name,
      shapes,
      ...(targetShape ? { targetShape } : {}),
      ...(axis === undefined ? {} : { axis }),
    });
    return alignment ? [{ title: other.title, alignment }] : [];
  });
}

/** The extents along an axis: of the operands that have it, and of the target. */
const extentsAlong = ({ axes }: Alignment, axis: number): readonly number[] => {
  const found = axes[axis];
  if (!found) return [];
  return [...found.cells, ...(found.target ? [found.target] : [])]
    .filter(({ sourceAxis }) => sourceAxis !== null)
    .map(({ extent }) => Number(extent));
};

const whyOf = (alignment: Alignment, axis: number): string => aboutAxis(axis, alignment.axes[axis]?.why ?? '');

// --- Shapes that are not the result ------------------------------------------------

type OfShape = (core: Engine, question: Question, said: SaidShape) => string | null;

const shapeMistakes: readonly OfShape[] = [
  function linedUpFromTheLeft(core, question, { shape }) {
    const left = fromTheLeft(core, question);
    return left?.failure === null && equal([...left.output].reverse(), shape)
      ? 'That is the result of aligning from the left. Axes are aligned from the right: last axis with last axis.'
      : null;
  },

  function tookTheTarget(_, { targetShape, alignment }, { shape }) {
    if (!targetShape || !equal(targetShape, shape)) return null;
    return alignment.failure === null
      ? 'That is the target. Under this rule the target stretches, too, so the result may be larger.'
      : 'That is the target, but the data cannot be stretched to it.';
  },

  function anotherRule(core, question, { shape }) {
    const other = byOtherRules(core, question).find(
      ({ alignment }) => alignment.failure === null && equal(alignment.output, shape),
    );
    return other
      ? `That is what ${other.title} would give. Here the rule is ${question.entry.title}: ${question.entry.doc}.`
      : null;
  },

  function oneOfTheOperands(core, { shapes, alignment }, { shape }) {
    if (alignment.failure !== null) return null;
    const whose = shapes.findIndex((own) => equal(own, shape));
    if (whose < 0 || shape.length !== alignment.output.length) return null;
    const axis = alignment.axes.findIndex(({ extent }, i) => Number(extent) !== Number(shape[i]));
    return `That is ${core.operandName(whose)}’s own shape, but ${core.operandName(whose)} stretches, too. ${whyOf(alignment, axis)}`;
  },

  function addedTheRanks(_, { shapes, targetShape }, { shape }) {
    const all = [...shapes, ...(targetShape ? [targetShape] : [])];
    const ranks = all.map(({ length }) => length);
    const sum = ranks.reduce((a, b) => a + b, 0);
    return shape.length === sum && sum > Math.max(...ranks)
      ? 'That has the axes of all operands one after the other. Axes are lined up, not joined: the result has as many as the operand with the most.'
      : null;
  },

  function droppedAxes(core, { alignment }, { shape }) {
    if (alignment.failure !== null || shape.length >= alignment.output.length) return null;
    const kept = alignment.axes.filter(({ cells }) => cells.every(({ sourceAxis }) => sourceAxis !== null));
    if (
      !equal(
        kept.map(({ extent }) => extent),
        shape,
      )
    )
      return null;
    const lacking = alignment.axes
      .map(({ cells }) => cells.findIndex(({ sourceAxis }) => sourceAxis === null))
      .find((operand) => operand >= 0);
    if (lacking === undefined) return null;
    return `The result also has the axis that ${core.operandName(lacking)} lacks: a missing axis counts as 1 and stretches.`;
  },

  function anotherOrder(_, { alignment }, { shape }) {
    if (alignment.failure !== null || shape.length !== alignment.output.length) return null;
    const sorted = (extents: readonly Extent[]): readonly number[] => extents.map(Number).sort((a, b) => a - b);
    return equal(sorted(shape), sorted(alignment.output))
      ? 'The right extents in another order. Axes keep their places: nothing is sorted or transposed.'
      : null;
  },

  function anotherRank(_, { alignment }, { shape }) {
    const { length } = alignment.axes;
    if (alignment.failure !== null || shape.length === length) return null;
    return `The result has ${length === 1 ? 'one axis' : `${length === 0 ? 'no' : length} axes`}, you gave ${shape.length}.`;
  },

  function anExtent(_, { alignment, entry }, { shape }) {
    if (shape.length !== alignment.axes.length) return null;
    const wrong = alignment.axes.findIndex(
      ({ extent, conflict }, axis) => conflict || Number(extent) !== Number(shape[axis]),
    );
    if (wrong < 0) return null;
    const extents = extentsAlong(alignment, wrong);
    const given = Number(shape[wrong]);
    const clash = alignment.axes[wrong]?.conflict === true;
    const two = extents.length > 1;
    const why = alignment.axes[wrong]?.why ?? '';
    if (two && given === extents.reduce((a, b) => a + b, 0))
      return `Axis ${wrong}: you added the extents, as joining end to end does. Here the elements are combined pair by pair. ${why}`;
    if (two && Math.min(...extents) > 1 && given === extents.reduce((a, b) => a * b, 1))
      return `Axis ${wrong}: you multiplied the extents. Equal extents stay as they are: elements with the same index are combined. ${why}`;
    const [least, most] = [Math.min(...extents), Math.max(...extents)];
    // If nothing stretches, or all have the same extent, the reason is all there is to say.
    if (clash && (!entry.stretches || least === most)) return whyOf(alignment, wrong);
    if (least === 0 && given > 0)
      return clash
        ? `Axis ${wrong}: 0 is an extent like any other. Only a 1 stretches. ${why}`
        : `Axis ${wrong}: 0 with 1, or with no such axis, gives 0. ${why}`;
    if (clash && given === most && least > 1 && most % least === 0)
      return `Axis ${wrong}: ${most} is a multiple of ${least}, but only a 1 stretches. ${why}`;
    if (clash && given === least) return `Axis ${wrong}: nothing is cut off to make extents agree. ${why}`;
    if (clash && given === most) return `Axis ${wrong}: nothing is padded to make extents agree. ${why}`;
    if (!clash && given === 1 && extents.includes(1))
      return `Axis ${wrong}: you kept the 1. It stretches to the other extent. ${why}`;
    return whyOf(alignment, wrong);
  },

  function saidItFits(_, { alignment }) {
    return alignment.failure ? 'These do not fit.' : null;
  },
];

// --- Clashes that do not exist, or are elsewhere ---------------------------------------

type OfClash = (core: Engine, question: Question, said: SaidClash) => string | null;

const clashMistakes: readonly OfClash[] = [
  function ranksMayDiffer(_, { alignment }, { axis }) {
    if (axis !== null) return null;
    return alignment.failure === null
      ? 'The numbers of axes are right.'
      : 'The numbers of axes are right. Two extents clash.';
  },

  function anotherOperand(core, { alignment }, { axis, operand }) {
    const there = alignment.conflicts.find((conflict) => conflict.axis === axis);
    if (!there || operand === null) return null;
    return `The axis is right. The operand at fault is ${core.operandName(there.operand)}, which has ${there.operandAxis < 0 ? 'no such axis' : there.extent} where ${core.operandName(there.otherOperand)} has ${there.otherAxis < 0 ? 'none' : there.otherExtent}.`;
  },

  function itsOwnNumber(core, { alignment }, { axis }) {
    for (const { axis: place, operand, operandAxis, otherOperand, otherAxis } of alignment.conflicts) {
      const whose = operandAxis === axis ? operand : otherAxis === axis ? otherOperand : null;
      if (whose !== null)
        return `That is the number of the axis in ${core.operandName(whose)}. In the result it is axis ${place}.`;
    }
    return null;
  },

  function countedFromTheRight(_, { alignment }, { axis }) {
    const last = alignment.axes.length - 1;
    return alignment.conflicts.some((conflict) => conflict.axis === last - (axis ?? 0))
      ? `You seem to count from the right. Axes are numbered from the left: the last one is axis ${last}.`
      : null;
  },

  function linedUpFromTheLeft(core, question, { axis }) {
    const left = fromTheLeft(core, question);
    const last = (left?.axes.length ?? 0) - 1;
    return left?.conflicts.some((conflict) => last - conflict.axis === axis)
      ? 'Aligned from the left, they would clash there. Axes are aligned from the right: last axis with last axis.'
      : null;
  },

  function zeroWithOne(_, { alignment }, { axis }) {
    const extents = extentsAlong(alignment, axis ?? 0);
    return alignment.failure === null && extents.includes(0) && extents.includes(1)
      ? `0 with 1 is no clash: the 1 stretches to 0, and the axis is empty. ${whyOf(alignment, axis ?? 0)}`
      : null;
  },

  function anotherRule(core, question, { axis }) {
    const other = byOtherRules(core, question).find(({ alignment }) =>
      alignment.conflicts.some((conflict) => conflict.axis === axis),
    );
    return other && question.alignment.failure === null
      ? `Under ${other.title} it would clash there. Here the rule is ${question.entry.title}: ${question.entry.doc}.`
      : null;
  },

  function noClashThere(_, { alignment }, { axis }) {
    if (axis === null || !alignment.axes[axis]) return null;
    return `That axis is fine. ${whyOf(alignment, axis)}`;
  },
];

// --- Fields that are right, or wrong for another reason -----------------------------

type OfField = (core: Engine, question: Question, said: SaidField) => string | null;

const fieldMistakes: readonly OfField[] = [
  function anotherFault(_, { alignment: { failure } }, { detail }) {
    if (!failure || !faultsIn(failure.class)) return null;
    return failure.detail === detail
      ? 'The reason is right, but it is another entry.'
      : `\`${failure.class}\` is at fault, but for another reason.`;
  },

  function nothingWrong(_, { entry, alignment }) {
    const rest = alignment.conflicts.length > 0 ? 'Two extents clash.' : `${entry.title}: ${entry.doc}.`;
    return `\`${placingField(entry)}\` is not at fault. ${rest}`;
  },
];

/** The prediction is about extents, but the field that aligns them is at fault. */
function fieldFirst(_: Engine, { alignment: { failure } }: Question, said: Prediction): string | null {
  return said.kind !== 'field' && failure && faultsIn(failure.class)
    ? `\`${failure.class}\` itself is at fault, before any extents are compared.`
    : null;
}

/** For each kind of prediction, the check whether it is right and the mistakes that are looked for. */
const kinds = {
  shape: { right: rightShape, looks: shapeMistakes },
  clash: { right: rightClash, looks: clashMistakes },
  field: { right: rightField, looks: fieldMistakes },
} as const;
