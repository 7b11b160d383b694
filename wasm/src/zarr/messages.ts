// The messages between the thread that reads and writes chunks and the workers that compute them.

import type { Elements } from '../elements/typed-arrays.js';
import type { IndexRange } from '../types/alignment.js';
import type { PackageErrorCode } from '../types/error-code.js';
import type { DType } from '../types/vocabulary.js';

/** What is computed: the arguments of `planRegions`. */
export interface Question {
  readonly op: string;
  readonly rule: string;
  readonly shapes: readonly (readonly number[])[];
  readonly dtypes: readonly DType[];
  readonly options: object;
}

/** A message to a worker. */
export type Order =
  | { readonly type: 'start'; readonly module: WebAssembly.Module; readonly question: Question }
  | {
      readonly type: 'compute';
      readonly id: number;
      readonly box: readonly IndexRange[];
      readonly blocks: readonly Elements[];
    };

/** A message from a worker. */
export type Reply =
  | { readonly type: 'started' }
  | { readonly type: 'computed'; readonly id: number; readonly data: Elements }
  /** `id` is null where the worker could not start. */
  | {
      readonly type: 'failed';
      readonly id: number | null;
      readonly code: PackageErrorCode | null;
      readonly message: string;
    };
