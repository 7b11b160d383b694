// The core's module as it looks from TypeScript: its functions, and the records that it answers with.

import type { Extent } from '../types/extent.js';
import type { ClauseName, DetailName, DType, ErrorCode, OpName, Relation, RuleName } from '../types/vocabulary.js';
import type { OpRow } from '../types/vocabulary-rows.js';

/** The module's functions. Those in the first group write a text into the answer and return its length in bytes. */
export interface CoreModule {
  broadloom_vocabulary(): number;
  broadloom_names(): number;
  broadloom_explain_verdict(): number;
  broadloom_explain_axes(): number;
  broadloom_describe(): number;
  broadloom_format_shape(): number;
  broadloom_format_operand(operand: number): number;

  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  broadloom_request(words: number): number;
  broadloom_answer(): number;
  broadloom_fault(): number;
  broadloom_refuse_after(allocations: number): void;
  broadloom_allocate(bytes: number): number;
  broadloom_release(memory: number): void;
  broadloom_infer_shape(): number;
  broadloom_align(): number;
  broadloom_count(): number;
  broadloom_parse(text: number, size: number, operand: number, shape: boolean): number;
  broadloom_plan(): number;
  broadloom_plan_release(plan: number): void;
  broadloom_run(plan: number, boxed: boolean): number;
  broadloom_run_at(plan: number, result: number, a: number, b: number, c: number): number;
  broadloom_blocks(plan: number, boxed: boolean, bytes: number): number;
  broadloom_blocks_release(blocks: number): void;
  broadloom_block(blocks: number, block: number): void;
  broadloom_run_block(blocks: number, block: number): void;
  broadloom_lend(change: number): void;
  broadloom_revoke(): void;
  broadloom_result_type(dtypes: number, weak: number): number;
  broadloom_sum(bytes: number, inMemory: boolean): number;
  broadloom_sum_release(sum: number): void;
  broadloom_sum_add(sum: number, input: number): void;
}

/** A call that passes words to the module. */
export type WireModule = Pick<
  CoreModule,
  'memory' | 'broadloom_request' | 'broadloom_answer' | 'broadloom_fault' | 'broadloom_describe'
>;

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

/** What the module's `broadloom_names()` returns, as JSON. */
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
