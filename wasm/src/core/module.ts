// The core's module as it looks from TypeScript: its functions, and the records that it answers with.

import type { Extent } from '../types/extent.js';
import type { ClauseName, DetailName, DType, ErrorCode, OpName, Relation, RuleName } from '../types/vocabulary.js';
import type { OpRow } from '../types/vocabulary-rows.js';

/** The module's functions, as Emscripten's glue exports them: first those of embind, then the plain C functions. */
export interface CoreModule {
  vocabulary(): string | null;
  names(): string | null;
  explainVerdict(): string | null;
  explainAxes(): string | null;
  describe(): string | null;
  formatShape(): string | null;
  formatOperand(operand: number): string | null;
  _broadloom_request(words: number): number;
  _broadloom_answer(): number;
  _broadloom_fault(): number;
  _broadloom_refuse_after(allocations: number): void;
  _broadloom_allocate(bytes: number): number;
  _broadloom_release(memory: number): void;
  _broadloom_infer_shape(): number;
  _broadloom_align(): number;
  _broadloom_count(): number;
  _broadloom_parse(text: number, size: number, operand: number, shape: boolean): number;
  _broadloom_repairs(): number;
  _broadloom_plan(): number;
  _broadloom_plan_release(plan: number): void;
  _broadloom_run(plan: number, boxed: boolean): number;
  _broadloom_blocks(plan: number, boxed: boolean, bytes: number): number;
  _broadloom_blocks_release(blocks: number): void;
  _broadloom_block(blocks: number, block: number): void;
  _broadloom_run_block(blocks: number, block: number): void;
  _broadloom_lend(change: number): void;
  _broadloom_revoke(): void;
  _broadloom_result_type(dtypes: number, weak: number): number;
  _broadloom_sum(bytes: number, inMemory: boolean): number;
  _broadloom_sum_release(sum: number): void;
  _broadloom_sum_add(sum: number, input: number): void;
}

/** Lists of names, each in the order of the core's rows. */
export interface VocabularyNames {
  readonly dtypes: readonly DType[];
  readonly ops: readonly OpName[];
  readonly rules: readonly RuleName[];
  readonly errors: readonly ErrorCode[];
  readonly details: readonly (DetailName | '')[];
  readonly clauses: readonly (ClauseName | '')[];
  readonly relations: readonly Relation[];
  readonly directions: readonly ('left' | 'right')[];
}

/** What the module's `names()` returns, as JSON. */
export interface CoreNames extends VocabularyNames {
  /** The SIMD target. */
  readonly target: string;
  /** The rules that give a result for each operand. */
  readonly returnEach: readonly RuleName[];
  /** By operator. */
  readonly calls: readonly OpCall[];
}

/** What a call needs to know of an operator. */
export type OpCall = Pick<OpRow, 'method' | 'mostOperands' | 'defaultRule'>;

/** Reads the fields of a record, one after the other. */
export interface FieldReader {
  /** A name of a list; null: not given. */
  name(list: keyof VocabularyNames): string | null;
  /** An operand or an axis; null: not given. */
  index(): number | null;
  extent(): Extent;
  offset(): number;
}

/** Writes the fields of a record, one after the other. */
export interface FieldWriter {
  name(list: keyof VocabularyNames, name: string | null | undefined): void;
  index(index: number | null): void;
  extent(extent: Extent): void;
  offset(offset: number): void;
  integer(value: Extent | undefined): void;
  list(values: readonly Extent[] | undefined): void;
}

/** A plan, and what is known of its results. */
export interface PlanFacts {
  readonly handle: number;
  readonly shape: readonly Extent[];
  readonly results: readonly { readonly dtype: DType; readonly bytes: Extent }[];
  /** Of each operand. */
  readonly bytes: readonly Extent[];
  /** For a Broadcast with one result: its loops, outermost first; else none. */
  readonly loops: readonly Loop[];
}

/** A loop of a result, and the operand's stride in elements; 0 where the operand is repeated. Rounded beyond 2^53. */
export interface Loop {
  readonly extent: number;
  readonly stride: number;
}

/** A plan cut into blocks, or a box of it. */
export interface BlocksFacts {
  readonly handle: number;
  readonly count: number;
  /** Of the result, or of its box. */
  readonly elements: Extent;
  readonly bytes: Extent;
  readonly shape: readonly Extent[];
  /** Addresses of the operands' segments, then of the result's. */
  readonly places: readonly number[];
}

/** How far a sum is, and the segments of the array that it needs next. All numbers but `place` are bytes. */
export interface SumState {
  /** Of the array, and of the part of it that was added. */
  readonly bytes: Extent;
  readonly added: Extent;
  /** Of all sums. */
  readonly resultBytes: Extent;
  /** Where the array's segments are to be copied, side by side, and where the finished sums are: an address. */
  readonly place: number;
  /** The sums that were finished last. */
  readonly result: { readonly begin: number; readonly bytes: number };
  /** The segments to be copied next: `count` of `bytes` bytes, at a step of `step` bytes. */
  readonly input: { readonly begin: number; readonly bytes: number; readonly count: number; readonly step: number };
  readonly done: boolean;
}

/** Begin and end along each axis of a result. */
export type Box = readonly { readonly begin: Extent; readonly end: Extent }[];
