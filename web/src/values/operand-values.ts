// An operand's values, and what is asked for them.

import type { DTypeEntry, Extent, Failure } from '../engine/engine';
import type { ValuesKind, ValuesSpec } from '../state/state';
import type { Source } from './sources';

export interface OperandValues {
  readonly kind: ValuesKind;
  readonly type: DTypeEntry;
  /** Counting values if something is wrong. */
  readonly source: Source;
  readonly failure: Failure | null;
  /** The shape of the list, file or Zarr array itself; null for other kinds of values. */
  readonly ownShape: readonly number[] | null;
  /** What is said of values that are read from elsewhere. */
  readonly note?: string;
  /** Why no code has them. */
  readonly noCode?: string;
}

export interface ValuesRequest {
  readonly name: string;
  readonly operand: number;
  readonly dtype: string;
  readonly shape: readonly Extent[];
  readonly spec: ValuesSpec;
}
