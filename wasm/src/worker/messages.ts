// What is said between the caller's thread and the worker. All of it can be cloned.

import type { ErrorRecord, LoadErrorCode } from '../types/errors.js';
import type { Progress } from '../plans/execute.js';
import type { FormFault } from '../types/fault.js';
import type { DType } from '../types/vocabulary.js';

/** An array on its way: its elements, and how they lie. */
export interface SentArray {
  readonly data: unknown;
  readonly shape: unknown;
  readonly dtype: DType | undefined;
  readonly strides?: readonly number[];
  readonly offset?: number;
}

/** In an array's place, what is wrong with it: the worker says so when its turn comes, as the plain calls do. */
export interface SentFault {
  readonly fault: Pick<FormFault, 'fields' | 'message' | 'value'>;
}

/** An operand on its way; values without a typed array go as they are. */
export type SentOperand = SentArray | SentFault | { readonly plain: unknown };

/** A call on its way. */
export type SentCall =
  | { readonly method: 'apply'; readonly op: unknown; readonly inputs: unknown; readonly options: unknown }
  | { readonly method: 'sumTo'; readonly array: SentOperand; readonly shape: unknown; readonly options: unknown };

/** To the worker. */
export type Order =
  | { readonly type: 'start'; readonly wasm: unknown }
  | {
      readonly type: 'call';
      readonly id: number;
      readonly call: SentCall;
      readonly wantsProgress: boolean;
      /** Whether arrays were moved with it, which come back where it fails. */
      readonly isMoved: boolean;
    }
  | { readonly type: 'abort'; readonly id: number };

/** From the worker. */
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

/** The typed arrays that were moved for a call, on their way back; null in the place of what has none. */
export interface Returned {
  readonly inputs: readonly unknown[];
  readonly out: readonly unknown[];
}

/** A result on its way back. */
export interface SentResult {
  readonly data: unknown;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

/** An error on its way back: a BroadcastError's fields, or the message of one that nobody foresaw. */
export interface SentError {
  readonly message: string;
  readonly record: ErrorRecord | null;
  readonly value: unknown;
}

/** A value where it can be cloned whatever it is; what is more than a value stays where it is. */
export function plainValue(value: unknown): unknown {
  const isPlain = value === null || !['object', 'function', 'symbol'].includes(typeof value);
  return isPlain ? value : undefined;
}
