// The document that `--json` prints. While `version` is 1, fields keep their names and meanings; new ones may be added.

import type { AlignedCell, Alignment, ErrorRecord, Relation } from '../index.js';
import type { Computed } from './compute.js';
import type { Answer } from './every-rule.js';
import type { Failure } from './failure.js';
import type { Operand } from './operands.js';
import type { Question } from './question.js';
import { valueAt, type Value } from './values.js';

/** A whole number; beyond 2^53 - 1, where a JSON number would lose digits, a string of its decimal digits. */
type Whole = number | string;

interface OperandDocument {
  /** The operand's name in sentences: A, B, ... */
  readonly name: string;
  readonly shape: readonly Whole[];
  /** The file that holds the array; null for a shape that was typed. */
  readonly file: string | null;
  /** The array's element type; null for a shape that was typed. */
  readonly dtype: string | null;
}

interface CellDocument {
  /** The operand's own axis; null where it has none. */
  readonly sourceAxis: number | null;
  /** `match`, `stretch`, `insert` or `conflict`. */
  readonly relation: Relation;
  /** The clause of the governing document. */
  readonly clause: string;
  readonly extent: Whole;
  /** The stride of the dense operand along the axis, in elements; 0 where it is repeated; null where there is none. */
  readonly stride: Whole | null;
}

/** The alignment of shapes under one rule, and the results that were computed. */
export interface AlignmentDocument {
  readonly version: 1;
  readonly kind: 'alignment';
  readonly rule: string;
  /** The operator's ONNX name; null where none was given. */
  readonly op: string | null;
  readonly operands: readonly OperandDocument[];
  /** The options of the rule that were given. */
  readonly axis: Whole | null;
  readonly targetShape: readonly Whole[] | null;
  readonly axesMapping: readonly Whole[] | null;
  readonly fits: boolean;
  /** The result's shape; null where the shapes do not fit. */
  readonly shape: readonly Whole[] | null;
  readonly axes: readonly {
    readonly axis: number;
    /** The result's extent; null where operands clash. */
    readonly extent: Whole | null;
    readonly conflict: boolean;
    /** One for each operand. */
    readonly cells: readonly CellDocument[];
    /** The target shape's cell, for rules that take a target. */
    readonly target: CellDocument | null;
    /** One sentence; null from the 1025th axis on. */
    readonly why: string | null;
  }[];
  /** Every clash of extents, leftmost axis first; operand -2 is the target shape. */
  readonly conflicts: readonly object[];
  /** Whether two operands stretch to each other, so that the result is larger than either. */
  readonly growsBoth: boolean;
  readonly verdict: string;
  /** The fields of the package's `ErrorRecord` that bear on shapes; null where they fit. */
  readonly error: object | null;
  /** Changes under which the shapes fit. */
  readonly repairs: readonly object[];
  /** The results; null where nothing was computed. */
  readonly results: readonly ResultDocument[] | null;
}

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

const MOST_EXPLAINED = 1024;
const MOST_ELEMENTS = 1_000_000;

export function alignmentDocument(
  question: Question,
  alignment: Alignment<bigint>,
  results: readonly Computed[] | null,
): AlignmentDocument {
  const { shape, targetShape, error } = alignment;
  const { axis, axesMapping } = question.options;
  return {
    version: 1,
    kind: 'alignment',
    rule: alignment.rule,
    op: question.op?.name ?? null,
    operands: question.operands.map(operandDocument),
    axis: axis === undefined ? null : whole(axis),
    targetShape: wholes(targetShape),
    axesMapping: wholes(axesMapping ?? null),
    fits: error === null,
    shape: wholes(shape),
    axes: alignment.axes.map((row) => axisDocument(row)),
    conflicts: alignment.conflicts.map(({ extent, otherExtent, ...conflict }) => {
      return { ...conflict, extent: whole(extent), otherExtent: whole(otherExtent) };
    }),
    growsBoth: alignment.growsBoth,
    verdict: alignment.verdict,
    error: error === null ? null : errorDocument(error),
    repairs: alignment.repairs().map((repair) => {
      return { ...repair, shape: wholes(repair.shape), result: wholes(repair.result) };
    }),
    results: results?.map(resultDocument) ?? null,
  };
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

function operandDocument({ name, shape, file, source }: Operand): OperandDocument {
  return { name, shape: shape.map(whole), file, dtype: source?.dtype ?? null };
}

function axisDocument(row: Alignment<bigint>['axes'][number]): AlignmentDocument['axes'][number] {
  const { axis, extent, conflict, cells, target } = row;
  return {
    axis,
    extent: conflict ? null : whole(extent),
    conflict,
    cells: cells.map(cellDocument),
    target: target === null ? null : cellDocument(target),
    why: axis < MOST_EXPLAINED ? row.why : null, // the time for each sentence grows with the rank
  };
}

function cellDocument({ sourceAxis, relation, clause, extent, stride }: AlignedCell<bigint>): CellDocument {
  return { sourceAxis, relation, clause, extent: whole(extent), stride: stride === null ? null : whole(stride) };
}

function errorDocument(error: ErrorRecord): object {
  const { code, detail, rule, clause, operand, otherOperand, axis, operandAxis, otherAxis, message } = error;
  const extents = { extent: whole(error.extent), otherExtent: whole(error.otherExtent) };
  return { code, detail, rule, clause, operand, otherOperand, axis, operandAxis, otherAxis, ...extents, message };
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
