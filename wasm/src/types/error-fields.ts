// Made from wasm/bindings/fields.h by scripts/generate-fields.mjs; not to be changed by hand.

import type { PackageErrorCode } from './error-code.js';
import type { Extent } from './extent.js';
import type { ClauseName, DetailName, DType, OpName, RuleName } from './vocabulary.js';

/** What the core reports of an error. Operands and axes count from 0. */
export interface ErrorFields {
  /** The class of the error: stable, a key of `bl.vocabulary.errors`, or `disposed`, `aborted`, `not_loaded` or `link`. */
  readonly code: PackageErrorCode;
  /** What exactly, within the class: a key of `bl.vocabulary.details`. */
  readonly detail: DetailName | null;
  /** The rule that was applied. */
  readonly rule: RuleName | null;
  /** The clause of its document that was broken: a key of `bl.vocabulary.clauses`. */
  readonly clause: ClauseName | null;
  /** The operator that was asked for. */
  readonly op: OpName | null;
  /** The operand at fault; -2 stands for the target shape, -3 for the result. */
  readonly operand: number | null;
  /** The one that it conflicts with. */
  readonly otherOperand: number | null;
  /** Where: an axis of the result. */
  readonly axis: number | null;
  /** The same place as the operand counts its axes. */
  readonly operandAxis: number | null;
  /** The same place as the other operand counts its axes. */
  readonly otherAxis: number | null;
  /** What clashed: extents, ranks, numbers of operands, lengths in bytes. A bigint only beyond 2^53. */
  readonly extent: Extent;
  /** What it clashed with. */
  readonly otherExtent: Extent;
  /** For code `dtype`: the operand's element type. */
  readonly dtype: DType | null;
  /** The one that it conflicts with. */
  readonly otherDtype: DType | null;
}

/** The fields of an error of which nothing is known. */
export const NO_FIELDS: Omit<ErrorFields, 'code'> = {
  detail: null,
  rule: null,
  clause: null,
  op: null,
  operand: null,
  otherOperand: null,
  axis: null,
  operandAxis: null,
  otherAxis: null,
  extent: 0,
  otherExtent: 0,
  dtype: null,
  otherDtype: null,
};
