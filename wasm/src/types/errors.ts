import type { PackageErrorCode } from './error-code.js';
import { NO_FIELDS, type ErrorFields } from './error-fields.js';
import type { InstanceOf } from '../values/globals.js';

/** A part of a text: UTF-16 offsets, as `String.prototype.slice` takes them. */
export interface TextSpan {
  /** The offset of its first character. */
  readonly begin: number;
  /** The offset after its last character. */
  readonly end: number;
}

/** Everything that is known about an error. Operands and axes count from 0. */
export interface ErrorRecord extends ErrorFields {
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
export class BroadcastError extends Error {
  override readonly name = 'BroadcastError';
  /** The value at fault, where it is none that a field above could hold: 2.5, NaN, a misspelt name. */
  declare readonly value: unknown;
  /**
   * The address that opens the playground at the shapes, rule and operator that were refused: see `Alignment.link`. Only
   * errors that the core found in a question about shapes have it, and not those of a worker.
   *
   * @example
   * try {
   *   bl.add(x, y);
   * } catch (error) {
   *   console.log(error.message, error.link?.('http://localhost:8080/'));
   * }
   */
  declare readonly link?: (base: string | InstanceOf<'URL'>) => string;

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

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the constructor assigns the fields
export interface BroadcastError extends Omit<ErrorRecord, 'message'> {}

/** An error of which nothing is known but its class and its message. */
export const NO_RECORD: Omit<ErrorRecord, 'code' | 'message'> = { ...NO_FIELDS, span: null };

/** An error that the package finds by itself. `fields` are those that are known. */
export function faultOf(
  code: PackageErrorCode,
  message: string,
  fields: Partial<ErrorRecord>,
  value?: unknown,
): BroadcastError {
  return new BroadcastError({ code, ...NO_RECORD, message, ...fields }, value);
}

/** Whether `error` is a {@link BroadcastError}, one from another realm or copy of the package included. */
export function isBroadcastError(error: unknown): error is BroadcastError {
  return error instanceof BroadcastError;
}

// Whether a value is an error of the class `own`, or of another copy of this class. The entry `broadloom` has a copy of its
// own, since it does not wait for the engine; other realms and versions of the package have others.
function isOf(asked: object, own: object, name: string, value: unknown): boolean {
  const isMade = Function.prototype[Symbol.hasInstance].call(asked, value);
  if (isMade || asked !== own || typeof value !== 'object' || value === null) return isMade;
  return (value as Error).name === name && 'code' in value;
}
