import type { Extent } from './extent.js';
import type { ClauseName, DetailName, DType, ErrorCode, OpName, RuleName } from './vocabulary.js';

/** A piece of a text: UTF-16 offsets, as `String.prototype.slice` takes them. */
export interface TextSpan {
  /** The first one of it. */
  readonly begin: number;
  /** Not included. */
  readonly end: number;
}

/** Classes of errors that only the package has: a tensor or plan that was disposed of, work that was given up. */
export type PackageErrorCode = ErrorCode | 'disposed' | 'aborted';

/** Everything that is known about an error. Operands and axes count from 0. */
export interface ErrorRecord {
  /** The class of the error: stable, a key of `bl.vocabulary.errors`, or `disposed` or `aborted`. */
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
  /** The one that it clashes with. */
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
  /** The one that it clashes with. */
  readonly otherDtype: DType | null;
  /** For errors in a text: where they are in it. */
  readonly span: TextSpan | null;
  /** One or two sentences: what is wrong, and what would work. */
  readonly message: string;
}

/**
 * Why Broadloom could not be loaded: `no_simd` where the platform has no WebAssembly SIMD, `no_webassembly` where it
 * has no WebAssembly at all, `load` where the `.wasm` file did not arrive or is not Broadloom's, or an
 * option is wrong.
 */
export type LoadErrorCode = 'no_simd' | 'no_webassembly' | 'load';

/** Thrown by `load()`. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly code: LoadErrorCode;

  /** `instanceof` knows the errors of every copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOf(this, LoadError, 'LoadError', value);
  }

  constructor(code: LoadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Thrown for everything that a caller can get wrong, and for what the platform cannot give. Its fields are those of
 * {@link ErrorRecord}; `code` and `detail` are stable, the message is not. What a getter of the caller's threw is
 * the `cause`.
 *
 * @example
 * try {
 *   bl.inferShape('numpy', [[2, 3], [4]]);
 * } catch (error) {
 *   if (!isBroadcastError(error)) throw error;
 *   error.code; // 'incompatible'
 *   [error.operand, error.axis, error.extent, error.otherExtent]; // [1, 1, 4, 3]
 * }
 */
export class BroadcastError extends Error implements ErrorRecord {
  override readonly name = 'BroadcastError';
  readonly code!: PackageErrorCode;
  readonly detail!: DetailName | null;
  readonly rule!: RuleName | null;
  readonly clause!: ClauseName | null;
  readonly op!: OpName | null;
  readonly operand!: number | null;
  readonly otherOperand!: number | null;
  readonly axis!: number | null;
  readonly operandAxis!: number | null;
  readonly otherAxis!: number | null;
  readonly extent!: Extent;
  readonly otherExtent!: Extent;
  readonly dtype!: DType | null;
  readonly otherDtype!: DType | null;
  readonly span!: TextSpan | null;
  /** The value at fault, where it is none that a field above could hold: 2.5, NaN, a misspelt name. */
  readonly value: unknown;

  /** `instanceof` knows the errors of every copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOf(this, BroadcastError, 'BroadcastError', value);
  }

  constructor(record: ErrorRecord, value?: unknown, options?: ErrorOptions) {
    const { message, ...fields } = record;
    super(message, options);
    Object.assign(this, fields);
    this.value = value;
  }
}

/** Nothing of an error but its class and its sentence. */
export const NO_RECORD: Omit<ErrorRecord, 'code' | 'message'> = {
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
  span: null,
};

/** An error of the package's own, in its own words. */
export function faultOf(
  code: PackageErrorCode,
  message: string,
  fields: Partial<ErrorRecord>,
  value?: unknown,
): BroadcastError {
  return new BroadcastError({ ...NO_RECORD, code, message, ...fields }, value);
}

/** Whether `error` is a {@link BroadcastError}, one from another realm or copy of the package included. */
export function isBroadcastError(error: unknown): error is BroadcastError {
  return error instanceof BroadcastError;
}

// Whether a value is an error of the package's class, whichever copy of the class has made it: the entry that loads the
// package has its own, so that it need not wait for the rest, and other realms and versions have theirs.
function isOf(asked: object, own: object, name: string, value: unknown): boolean {
  const isMade = Function.prototype[Symbol.hasInstance].call(asked, value);
  if (isMade || asked !== own || typeof value !== 'object' || value === null) return isMade;
  return (value as Error).name === name && 'code' in value;
}
