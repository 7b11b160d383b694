// What the writers are given: the page's question and the core's alignment. The writers know how a library spells things;
// where an operand's axes lie they read from the alignment.

import type { AlignedCell, Attributes, Extent, OpEntry } from '../engine/engine';
import { withVariables } from './names';

/**
 * Values that count: element i is `first + i * step`, brought to the type as a typed array brings it (integers wrap).
 * Of bools the element is true where `floor(i / step)` is odd. Types that are only moved do not count.
 */
export interface Counting {
  readonly first: number;
  readonly step: number;
}

/** One value for all elements; a complex number as its two parts. */
export interface Repeated {
  readonly all: readonly (number | bigint | boolean)[];
}

export interface CodeOperand {
  /** The name that the user sees; the writers derive a variable's name from it. */
  readonly name: string;
  readonly shape: readonly Extent[];
  /** How many elements the shape has, as the core counts them. */
  readonly elements: Extent;
  readonly dtype: string;
  /** Counting, one value for all, or every element in row-major order; complex numbers as real and imaginary part in turn. */
  readonly values: Counting | Repeated | readonly (number | bigint | boolean)[];
}

/** The part of the core's alignment that writers need, of shapes that fit. */
export interface CodeAlignment {
  readonly axes: readonly { readonly cells: readonly Pick<AlignedCell, 'sourceAxis' | 'extent'>[] }[];
  /** The result's shape. */
  readonly output: readonly Extent[];
}

/**
 * A question whose shapes fit.
 *
 * @example
 * // (2, 3, 4) + (3,) under PDPD with axis 1, both counting
 * const question: CodeQuestion = {
 *   rule: 'pdpd',
 *   returnsEach: false,
 *   options: { axis: 1 },
 *   op: vocabulary.ops.Add,
 *   attributes: { fmod: '', direction: '', to: '', saturate: '' },
 *   operands: [
 *     { name: 'A', shape: [2, 3, 4], elements: 24, dtype: 'f32', values: { first: 0, step: 1 } },
 *     { name: 'B', shape: [3], elements: 3, dtype: 'f32', values: { first: 10, step: 10 } },
 *   ],
 *   alignment: core.align('pdpd', [[2, 3, 4], [3]], { axis: 1 }),
 * };
 */
export interface CodeQuestion {
  readonly rule: string;
  /** The rule gives every operand back, in the common shape and of its own type. */
  readonly returnsEach: boolean;
  readonly options: {
    readonly axis?: Extent | undefined;
    readonly targetShape?: readonly Extent[] | undefined;
    readonly axesMapping?: readonly Extent[] | undefined;
  };
  readonly op: Pick<OpEntry, 'name' | 'method' | 'mostOperands' | 'attribute' | 'defaultRule' | 'result'>;
  readonly attributes: Attributes;
  readonly operands: readonly CodeOperand[];
  readonly alignment: CodeAlignment;
}

/** The text for another system, or one sentence on why there is none. */
export type Code = { readonly text: string } | { readonly reason: string };

/** Writes questions for one system. */
export type Writer = (question: CodeQuestion) => Code;

/** Thrown within a writer: the system lacks something that the question needs. */
export class Unwritable extends Error {}

/** The text that `write` gives, with a variable for each operand; or the reason, if it throws Unwritable. */
export function written({ operands }: CodeQuestion, write: (variables: readonly string[]) => string): Code {
  try {
    const names = operands.map(({ name }) => name);
    return { text: withVariables(names, write) };
  } catch (error) {
    if (error instanceof Unwritable) return { reason: error.message };
    throw error;
  }
}

/** The operand's extents on the axes of the result, 1 where it has no axis: (3,) on axis 1 of three is (1, 3, 1). */
export const placedShape = ({ alignment }: CodeQuestion, operand: number): readonly Extent[] =>
  alignment.axes.map(({ cells }) => cells[operand]?.extent ?? 1);

/** Whether right alignment already puts the operand's axes where the rule puts them. */
export function liesRight(question: CodeQuestion, operand: number): boolean {
  const placed = placedShape(question, operand).map(String);
  const own = question.operands[operand]?.shape.map(String) ?? [];
  const lead = placed.length - own.length;
  return (
    lead >= 0 && placed.slice(lead).join() === own.join() && placed.slice(0, lead).every((extent) => extent === '1')
  );
}

/** Whether the operands are only repeated, not computed with. */
export const onlyRepeats = ({ op }: CodeQuestion): boolean => op.name === 'Broadcast';

/** The element type that is computed in: that of the first operand that is not a condition. */
export const leadingType = ({ op, operands }: CodeQuestion): string =>
  operands[op.result === 'second' ? 1 : 0]?.dtype ?? 'f32';

/** The result's element type, by the vocabulary's own row. */
export const resultType = (question: CodeQuestion): string =>
  question.op.result === 'bool' ? 'bool' : question.op.result === 'to' ? question.attributes.to : leadingType(question);
