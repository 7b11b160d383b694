// The document that `--json` prints. While `version` is 1, fields keep their names and meanings; new ones may be added.

import type { Alignment, AlignmentDocument, Pasted, Whole } from '../index.js';
import type { Computed } from './compute.js';
import type { Answer } from './every-rule.js';
import type { Failure } from './failure.js';
import type { Operand } from './operands.js';
import type { Question } from './question.js';
import { valueAt, type Value } from './values.js';

interface OperandDocument {
  /** The operand's name in sentences: A, B, ... */
  readonly name: string;
  readonly shape: readonly Whole[];
  /** The names of its axes; null where they have none. */
  readonly names: readonly (string | null)[] | null;
  /** The file that holds the array; null for a shape that was typed. */
  readonly file: string | null;
  /** The array's element type; null for a shape that was typed. */
  readonly dtype: string | null;
}

/** The package's document of an alignment, what the command knows of the operands, and the results. */
export interface CommandDocument extends Omit<AlignmentDocument, 'operands'> {
  readonly operands: readonly OperandDocument[];
  /** The results; null where nothing was computed. */
  readonly results: readonly ResultDocument[] | null;
  /** What was read from the pasted text; null where none was given. */
  readonly pasted: Pasted | null;
  /** With --link: the address at which the playground opens the question, or why it cannot. One of them is null. */
  readonly link?: string | null;
  readonly whyNoLink?: string | null;
}

/** A link, or why there is none; empty if no link was asked for. */
export type LinkDocument = Pick<CommandDocument, 'link' | 'whyNoLink'>;

interface ResultDocument {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** The file that it was written to; null for none. */
  readonly file: string | null;
  /**
   * The elements in row-major order: numbers (strings for -0, NaN, infinities and whole numbers beyond 2^53 - 1),
   * booleans, or pairs for complex numbers. Null if they were written to a file or are more than 1,000,000.
   */
  readonly data: readonly unknown[] | null;
}

/** A question that cannot be answered; exit status 2. */
export interface ErrorDocument {
  readonly version: 1;
  readonly kind: 'error';
  readonly message: string;
  /** The text that was typed, if the error is in it; else null. */
  readonly text: string | null;
  readonly span: { readonly begin: number; readonly end: number } | null;
}

export function errorDocumentOf({ message, mark }: Failure): ErrorDocument {
  const span = mark === undefined ? null : { begin: mark.begin, end: mark.end };
  return { version: 1, kind: 'error', message, text: mark?.text ?? null, span };
}

/** The answers of every rule, for `--all`. */
export interface RulesDocument {
  readonly version: 1;
  readonly kind: 'rules';
  readonly operands: readonly OperandDocument[];
  readonly rules: readonly {
    readonly rule: string;
    /** Null where the rule does not apply; `verdict` says why. */
    readonly fits: boolean | null;
    readonly shape: readonly Whole[] | null;
    readonly verdict: string;
    /** The option that was used: the given one, or else one with which the shapes fit; null for none. */
    readonly axis: Whole | null;
    readonly axesMapping: readonly Whole[] | null;
  }[];
}

const MOST_ELEMENTS = 1_000_000;

export function alignmentDocument(
  question: Question,
  alignment: Alignment<bigint>,
  results: readonly Computed[] | null,
  pasted: Pasted | null = null,
  link: LinkDocument = {},
): CommandDocument {
  return {
    ...alignment.document(),
    op: question.op?.name ?? null,
    operands: question.operands.map(operandDocument),
    results: results?.map(resultDocument) ?? null,
    pasted,
    ...link,
  };
}

/** A pasted text of which no alignment can be made: shapes are missing, or the rule is none of Broadloom's. */
export function pastedDocument(pasted: Pasted) {
  return { version: 1, kind: 'pasted', pasted } as const;
}

export function rulesDocument({ operands }: Question, answers: readonly Answer[]): RulesDocument {
  return {
    version: 1,
    kind: 'rules',
    operands: operands.map(operandDocument),
    rules: answers.map(({ shape, axis, axesMapping, ...answer }) => {
      return {
        ...answer,
        shape: wholes(shape),
        axis: axis === null ? null : whole(axis),
        axesMapping: wholes(axesMapping),
      };
    }),
  };
}

function operandDocument({ name, shape, names, file, dtype }: Operand): OperandDocument {
  return { name, shape: shape.map(whole), names, file, dtype };
}

function resultDocument({ array, file }: Computed): ResultDocument {
  const { dtype, shape } = array;
  const count = shape.reduce((product, extent) => product * extent, 1);
  const isShown = file === null && count <= MOST_ELEMENTS;
  const data = isShown ? Array.from({ length: count }, (_, i) => element(valueAt(array, i))) : null;
  return { dtype, shape, file, data };
}

function element(value: Value): unknown {
  if (typeof value === 'object') return value.map(element);
  if (typeof value === 'bigint') return whole(value);
  if (typeof value !== 'number') return value;
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

function wholes(values: readonly bigint[] | null): Whole[] | null {
  return values?.map(whole) ?? null;
}

function whole(value: number | bigint): Whole {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
