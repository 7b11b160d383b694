// What `--json` prints: one document, of a form that only grows while `version` stays 1. Fields keep their names and
// meanings; new ones may come.

import type { AlignedCell, Alignment, ErrorRecord, Relation } from '../index.js';
import type { Computed } from './compute.js';
import type { Answer } from './every-rule.js';
import type { Failure } from './failure.js';
import type { Operand } from './operands.js';
import type { Question } from './question.js';
import { valueAt, type Value } from './values.js';

/** A whole number; beyond 2^53 - 1, where a JSON number would lose digits, its decimal text. */
type Whole = number | string;

interface OperandDocument {
  /** What sentences call it: A, B, ... */
  readonly name: string;
  readonly shape: readonly Whole[];
  /** The `.npy` file that it lies in, and the type of its elements; null for a shape that was typed. */
  readonly file: string | null;
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
  /** Elements of the dense operand from one index of the axis to the next, 0 where it is repeated; null for none. */
  readonly stride: Whole | null;
}

/** Shapes under one rule, and what was computed with them. */
export interface AlignmentDocument {
  readonly version: 1;
  readonly kind: 'alignment';
  readonly rule: string;
  /** The operator that was asked for, as ONNX names it. */
  readonly op: string | null;
  readonly operands: readonly OperandDocument[];
  /** The options of the rule, as they were given. */
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
    /** The target shape's part, for the rules that take one. */
    readonly target: CellDocument | null;
    /** One sentence; null from the 1025th axis on. */
    readonly why: string | null;
  }[];
  /** Every clash of extents, leftmost axis first; operand -2 is the target shape. */
  readonly conflicts: readonly object[];
  /** Whether operands stretch to each other. */
  readonly growsBoth: boolean;
  readonly verdict: string;
  /** The fields of the package's `ErrorRecord` that bear on shapes; null where they fit. */
  readonly error: object | null;
  /** What would work instead. */
  readonly repairs: readonly object[];
  /** What was computed; null where nothing was. */
  readonly results: readonly ResultDocument[] | null;
}

interface ResultDocument {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Where it was written. */
  readonly file: string | null;
  /**
   * The elements in row-major order, where they were not written to a file and are at most 1,000,000: numbers (as texts
   * -0, NaN, Infinity and whole ones beyond 2^53 - 1), booleans, or pairs for complex ones.
   */
  readonly data: readonly unknown[] | null;
}

/** A question that cannot be answered; exit status 2. */
export interface ErrorDocument {
  readonly version: 1;
  readonly kind: 'error';
  readonly message: string;
  /** What was typed, where the fault lies in it; null where it lies in no text. */
  readonly text: string | null;
  readonly span: { readonly begin: number; readonly end: number } | null;
}

export function errorDocumentOf({ message, mark }: Failure): ErrorDocument {
  const span = mark === undefined ? null : { begin: mark.begin, end: mark.end };
  return { version: 1, kind: 'error', message, text: mark?.text ?? null, span };
}

/** Shapes under every rule, `--all`. */
export interface RulesDocument {
  readonly version: 1;
  readonly kind: 'rules';
  readonly operands: readonly OperandDocument[];
  readonly rules: readonly {
    readonly rule: string;
    /** Null where the rule cannot be asked; `verdict` tells why. */
    readonly fits: boolean | null;
    readonly shape: readonly Whole[] | null;
    readonly verdict: string;
    /** The option that it was asked with: given, or else the one with which it fits; null for none. */
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
    why: axis < MOST_EXPLAINED ? row.why : null, // each takes as long as the shapes are
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
