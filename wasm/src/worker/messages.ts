// The messages between the caller's thread and the worker. All of them can be cloned.

import type { ErrorRecord, LoadErrorCode } from '../types/errors.js';
import type { Progress } from '../plans/execute.js';
import type { FormFault } from '../types/fault.js';
import type { DType } from '../types/vocabulary.js';

/** An array in a message. */
export interface SentArray {
  readonly data: unknown;
  readonly shape: unknown;
  readonly dtype: DType | undefined;
  readonly strides?: readonly number[];
  readonly offset?: number;
}

/** In place of an array that cannot be read: the error, which the worker throws where it would have read the array. */
export interface SentFault {
  readonly fault: Pick<FormFault, 'fields' | 'message' | 'value'>;
}

/** An operand in a message; a value without a typed array is sent as it is. */
export type SentOperand = SentArray | SentFault | { readonly plain: unknown };

/** A call in a message. */
export type SentCall =
  | { readonly method: 'apply'; readonly op: unknown; readonly inputs: unknown; readonly options: unknown }
  | { readonly method: 'sumTo'; readonly array: SentOperand; readonly shape: unknown; readonly options: unknown };

/** A message to the worker. */
export type Order =
  | { readonly type: 'start'; readonly wasm: unknown }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly call: SentCall;
      readonly wantsProgress: boolean;
      /** Whether arrays were moved with the message. If the call fails, they are returned. */
      readonly isMoved: boolean;
    }
  | { readonly type: 'abort'; readonly id: number };

/** A message from the worker. */
export type Reply =
  | { readonly type: 'started' }
  | { readonly type: 'unstarted'; readonly code: LoadErrorCode; readonly message: string }
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | {
      readonly type: 'results';
      readonly id: number;
      readonly results: readonly SentResult[];
      readonly isMany: boolean;
      /** As in `Progress`. */
      readonly total: number;
    }
  | { readonly type: 'error'; readonly id: number; readonly error: SentError; readonly returned: Returned | null };

/** The typed arrays that were moved for a call that failed; null for operands without one. */
export interface Returned {
  readonly inputs: readonly unknown[];
  readonly out: readonly unknown[];
}

/** A result in a message. */
export interface SentResult {
  readonly data: unknown;
  readonly shape: readonly number[];
  readonly dtype: DType;
  /** Of a result in an `out` whose elements lie apart. */
  readonly strides?: readonly number[];
  readonly offset?: number;
}

/** An error in a message: the fields of a BroadcastError, or the message alone of any other error. */
export interface SentError {
  readonly message: string;
  readonly record: ErrorRecord | null;
  readonly value: unknown;
}

/** The value if it is a primitive that can be cloned, else undefined. */
export function plainValue(value: unknown): unknown {
  const isPlain = value === null || !['object', 'function', 'symbol'].includes(typeof value);
  return isPlain ? value : undefined;
}
