// The only file that knows the module's blocks: requests are written here, answers and faults read.

import type { AlignedAxis, AlignedCell, Alignment, Conflict, Repair } from '../types/alignment.js';
import type { Extent } from '../types/extent.js';
import { BroadcastError, NO_RECORD, type ErrorRecord, type TextSpan } from '../types/errors.js';
import type { ClauseName, DetailName, DType, ErrorCode, OpName, Relation, RuleName } from '../types/vocabulary.js';
import type { OpRow, Vocabulary } from '../types/vocabulary-rows.js';
import { Promotion } from './promotion.js';
import { setElements } from '../elements/typed-arrays.js';
import { viewsOf, type Views } from '../elements/views.js';

/** What the module's embind side and its plain functions look like from here. */
export interface CoreModule {
  vocabulary(): string | null;
  names(): string | null;
  explainVerdict(): string | null;
  explainAxis(axis: number): string | null;
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
  _broadloom_source_of(operand: number): number;
  _broadloom_fan_out(operand: number): number;
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

/** Names by the enums' values. */
interface VocabularyNames {
  readonly dtypes: readonly DType[];
  readonly ops: readonly OpName[];
  readonly rules: readonly RuleName[];
  readonly errors: readonly ErrorCode[];
  readonly details: readonly (DetailName | '')[];
  readonly clauses: readonly (ClauseName | '')[];
  readonly relations: readonly Relation[];
}

/** What the module tells of itself at the beginning. */
interface CoreNames extends VocabularyNames {
  readonly target: string;
  readonly returnEach: readonly RuleName[];
  /** By operator. */
  readonly calls: readonly OpCall[];
}

/** How an operator is called. */
export type OpCall = Pick<OpRow, 'method' | 'mostOperands' | 'defaultRule'>;

/** An alignment's own data, without what is asked for later. */
export type AlignedShapes = Pick<Alignment<Extent>, 'shape' | 'startAxis' | 'error' | 'conflicts' | 'growsBoth'> & {
  readonly axes: readonly Omit<AlignedAxis<Extent>, 'why'>[];
};

/** What is asked of the core; every value has been read from the caller's and found to fit into 64 bits. */
export interface Request {
  readonly op?: OpName | undefined;
  readonly rule?: RuleName | undefined;
  /** The result's element type. */
  readonly dtype?: DType | undefined;
  readonly axis?: Extent | undefined;
  readonly targetShape?: readonly Extent[] | undefined;
  readonly axesMapping?: readonly Extent[] | undefined;
  readonly index?: readonly Extent[] | undefined;
  readonly fmod?: Extent | undefined;
  readonly direction?: 'left' | 'right' | undefined;
  readonly to?: DType | undefined;
  readonly saturate?: Extent | undefined;
  readonly shapes: readonly (readonly Extent[])[];
  /** One for each shape, where the operands' types matter. */
  readonly dtypes?: readonly DType[] | undefined;
}

/** A request that is still being written. */
export type NewRequest = { -readonly [K in keyof Request]: Request[K] };

/**
 * A request in which nothing is asked but of operands. It has every name, so that nothing is asked that somebody put on
 * every object. A function makes it faster than a spread of a constant does.
 */
export function newRequest(shapes: readonly (readonly Extent[])[], dtypes?: readonly DType[]): NewRequest {
  return {
    op: undefined,
    rule: undefined,
    dtype: undefined,
    axis: undefined,
    targetShape: undefined,
    axesMapping: undefined,
    index: undefined,
    fmod: undefined,
    direction: undefined,
    to: undefined,
    saturate: undefined,
    shapes,
    dtypes,
  };
}

/** A plan and what it says about its results. */
export interface PlanFacts {
  readonly handle: number;
  readonly shape: readonly Extent[];
  readonly results: readonly { readonly dtype: DType; readonly bytes: Extent }[];
  /** Of each operand. */
  readonly bytes: readonly Extent[];
  /** Of a Broadcast with one result: the loops in which its elements come, outermost first; else none. */
  readonly loops: readonly Loop[];
}

/**
 * A loop of a result: its steps, and the operand's elements from one to the next, 0 where it repeats. Rounded beyond
 * 2^53, which nobody holds.
 */
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

/** How far the sum of an array is that comes piece by piece, and what it asks for. All but the address are bytes. */
export interface SumState {
  /** Of the array, and how many of them have been added. */
  readonly bytes: Extent;
  readonly added: Extent;
  /** Of all sums. */
  readonly resultBytes: Extent;
  /** The address of the array's segments, which lie there side by side, and of the sums. */
  readonly place: number;
  /** The sums that have been finished by what was added last. */
  readonly result: { readonly begin: number; readonly bytes: number };
  /** The segments to be brought next: `count` of `bytes` bytes, at a step of `step` bytes. */
  readonly input: { readonly begin: number; readonly bytes: number; readonly count: number; readonly step: number };
  readonly done: boolean;
}

/** Begin and end along each axis of a result. */
export type Box = readonly { readonly begin: Extent; readonly end: Extent }[];

// The segments of a block stay in the second-level cache together with what they are copied from and to.
const BLOCK_BYTES = 256 * 1024;

const HIGH = 4294967296;
const HEADER_WORDS = 15;
const NONE = -1;

/** A module made ready to be asked. */
export class Core {
  readonly target: string;
  /** The rules that give a result for each operand. */
  readonly returnEach: readonly RuleName[];
  /** By operator. */
  readonly calls: ReadonlyMap<OpName, OpCall>;
  readonly #module: CoreModule;
  readonly #memory: WebAssembly.Memory;
  readonly #names: VocabularyNames;
  readonly #indexes: { readonly [kind in keyof VocabularyNames]: ReadonlyMap<string, number> };
  /** The memory as pairs of halves of 64-bit words, the lower first. */
  #halves: Int32Array;
  /** Where the next half goes. */
  #at = 0;
  #views: Views;
  #promotion: Promotion | undefined;
  #vocabulary: Vocabulary | undefined;
  #lent = 0;

  /** @internal */
  constructor(module: CoreModule, memory: WebAssembly.Memory) {
    this.#module = { ...module };
    this.#memory = memory;
    this.#halves = new Int32Array(memory.buffer);
    this.#views = viewsOf(memory.buffer);
    const { target, returnEach, calls, ...names } = JSON.parse(module.names() as string) as CoreNames;
    this.target = target;
    this.returnEach = returnEach;
    this.#names = names;
    this.calls = new Map(calls.map((call, i) => [names.ops[i] as OpName, call]));
    const index = (list: readonly string[]) => new Map(list.map((name, i) => [name, i]));
    this.#indexes = {
      dtypes: index(names.dtypes),
      ops: index(names.ops),
      rules: index(names.rules),
      errors: index(names.errors),
      details: index(names.details),
      clauses: index(names.clauses),
      relations: index(names.relations),
    };
  }

  /** All that is known by name. It takes as long as all else at the beginning, so that it is made when it is asked for. */
  get vocabulary(): Vocabulary {
    return (this.#vocabulary ??= freeze(JSON.parse(this.#module.vocabulary() ?? this.#throw()) as Vocabulary));
  }

  /** The names of a kind, in the order of their rows. */
  names<K extends keyof VocabularyNames>(kind: K): VocabularyNames[K] {
    return this.#names[kind];
  }

  /** Whether there is a name of that kind. */
  knows(kind: keyof VocabularyNames, name: string): boolean {
    return this.#indexes[kind].has(name);
  }

  // --- Asking -------------------------------------------------------------------------------------------------------

  inferShape(request: Request): Extent[] {
    this.#write(request);
    const rank = this.#module._broadloom_infer_shape();
    if (rank < 0) throw this.fault();
    return this.#answer(rank);
  }

  count(shape: readonly Extent[], dtype?: DType): Extent {
    const request = newRequest([]);
    request.index = shape;
    request.dtype = dtype;
    this.#write(request);
    if (this.#module._broadloom_count() < 0) throw this.fault();
    return this.#answer(1)[0] as Extent;
  }

  /** Extents are bigints where `wide`, else numbers. */
  align(request: Request, wide: boolean): AlignedShapes {
    this.#write(request);
    if (this.#module._broadloom_align() < 0) throw this.fault();
    const { relations, clauses } = this.#names;
    const extent = this.#reader(this.#module._broadloom_answer());
    const next = extent as () => number;
    const wideExtent = wide ? () => BigInt(extent()) : extent;
    const stride = () => {
      const word = extent();
      return word === NONE ? null : wide ? BigInt(word) : word;
    };
    const index = () => indexOrNull(next());
    const cell = (): AlignedCell<Extent> => ({
      sourceAxis: index(),
      relation: relations[next()] as Relation,
      clause: clauses[next()] as ClauseName,
      extent: wideExtent(),
      stride: stride(),
    });
    const fits = next() === 1;
    const startAxis = index();
    const growsBoth = next() === 1;
    const hasTarget = next() === 1;
    const rank = next();
    const conflictCount = next();
    const axes = times(rank, (axis) => ({
      axis,
      extent: wideExtent(),
      conflict: next() === 1,
      cells: times(request.shapes.length, cell),
      target: hasTarget ? cell() : null,
    }));
    const conflicts = times(conflictCount, (): Conflict<Extent> => ({
      axis: next(),
      operand: next(),
      otherOperand: next(),
      operandAxis: next(),
      otherAxis: next(),
      extent: wideExtent(),
      otherExtent: wideExtent(),
      clause: clauses[next()] as ClauseName,
    }));
    const shape = fits ? axes.map((axis) => axis.extent) : null;
    return { shape, startAxis, axes, error: fits ? null : this.record(), conflicts, growsBoth };
  }

  explainVerdict(request: Request): string {
    this.#write(request);
    return this.#module.explainVerdict() ?? this.#throw();
  }

  explainAxis(request: Request, axis: number): string {
    this.#write(request);
    return this.#module.explainAxis(axis) ?? this.#throw();
  }

  findRepairs(request: Request, wide: boolean): Repair<Extent>[] {
    const { repairs } = this.vocabulary;
    this.#write(request);
    const count = this.#module._broadloom_repairs();
    if (count < 0) throw this.fault();
    const extent = this.#reader(this.#module._broadloom_answer());
    const next = extent as () => number;
    const list = (read: () => Extent) => {
      const length = next();
      return length < 0 ? null : times(length, read);
    };
    const wideExtent = wide ? () => BigInt(extent()) : extent;
    return times(count, () => ({
      kind: repairs[next()] as Repair['kind'],
      operand: indexOrNull(next()),
      shape: list(wideExtent),
      rule: this.#names.rules[next()] as RuleName,
      axis: indexOrNull(next()),
      axesMapping: list(next) as number[] | null,
      result: list(wideExtent) as Extent[],
    }));
  }

  sourceOf(request: Request, operand: number): Extent[] {
    this.#write(request);
    const rank = this.#module._broadloom_source_of(operand);
    if (rank < 0) throw this.fault();
    return this.#answer(rank);
  }

  /** Begin and end along each axis. */
  fanOut(request: Request, operand: number): Extent[] {
    this.#write(request);
    const rank = this.#module._broadloom_fan_out(operand);
    if (rank < 0) throw this.fault();
    return this.#answer(2 * rank);
  }

  formatShape(shape: readonly Extent[]): string {
    const request = newRequest([]);
    request.index = shape;
    this.#write(request);
    return this.#module.formatShape() ?? this.#throw();
  }

  formatOperand(operand: number): string {
    return this.#module.formatOperand(operand) ?? this.#throw();
  }

  /** Integers in a text; spans are in UTF-16 offsets, as are those of the errors. */
  parse(text: string, operand: number, shape: boolean): { values: bigint[]; spans: TextSpan[] } {
    const bytes = new TextEncoder().encode(text);
    const memory = this.allocate(bytes.length);
    try {
      setElements.call(this.views.Uint8Array, bytes, memory);
      const count = this.#module._broadloom_parse(memory, bytes.length, operand, shape);
      const offset = offsetsOf(text, bytes);
      if (count < 0) {
        const record = this.record();
        const { span } = record;
        throw this.error({ ...record, span: span && { begin: offset(span.begin), end: offset(span.end) } });
      }
      const next = this.#reader(this.#module._broadloom_answer());
      const values = times(count, () => BigInt(next()));
      const spans = times(count, () => ({ begin: offset(next() as number), end: offset(next() as number) }));
      return { values, spans };
    } finally {
      this.release(memory);
    }
  }

  // --- Running ------------------------------------------------------------------------------------------------------

  /** Makes a plan, to be given back by `releasePlan`. */
  plan(request: Request): PlanFacts {
    this.#write(request);
    const handle = this.#module._broadloom_plan();
    if (handle === 0) throw this.fault();
    const next = this.#reader(this.#module._broadloom_answer());
    const results = next() as number;
    return {
      handle,
      shape: times(next() as number, next),
      results: times(results, () => ({ dtype: this.#names.dtypes[next() as number] as DType, bytes: next() })),
      bytes: times(request.shapes.length, next),
      loops: times(next() as number, () => ({ extent: Number(next()), stride: Number(next()) })),
    };
  }

  releasePlan(plan: number): void {
    this.#module._broadloom_plan_release(plan);
  }

  /** Runs a plan, or a box of it, on memory: address and bytes of each operand, then of each result. */
  run(plan: number, memory: readonly number[], box?: Box): void {
    this.#begin(memory.length + 2 * (box?.length ?? 0));
    if (box !== undefined) this.#putBox(box);
    const halves = this.#halves;
    let at = this.#at;
    for (let i = 0; i < memory.length; ++i, at += 2) {
      halves[at] = memory[i] as number; // modulo 2^32
      halves[at + 1] = (memory[i] as number) / HIGH; // rounded down, as none is negative
    }
    if (this.#module._broadloom_run(plan, box !== undefined) < 0) throw this.fault();
  }

  /** Cuts a plan of `operands` operands, or a box of it, into blocks, to be given back before the plan. */
  blocks(plan: number, operands: number, box?: Box): BlocksFacts {
    if (box !== undefined) {
      this.#begin(2 * box.length);
      this.#putBox(box);
    }
    const handle = this.#module._broadloom_blocks(plan, box !== undefined, BLOCK_BYTES);
    if (handle === 0) throw this.fault();
    const next = this.#reader(this.#module._broadloom_answer());
    return {
      handle,
      count: next() as number,
      elements: next(),
      bytes: next(),
      shape: times(next() as number, next),
      places: times(operands + 1, next) as number[],
    };
  }

  releaseBlocks(blocks: number): void {
    this.#module._broadloom_blocks_release(blocks);
  }

  /**
   * What a block reads and computes: first byte and bytes of each operand's segment, then of the result's, then whether
   * the result's first byte belongs to the block before, too. `segments` has room for it.
   */
  block(blocks: number, block: number, segments: number[]): void {
    this.#module._broadloom_block(blocks, block);
    let at = this.#module._broadloom_answer() >>> 2;
    this.#refresh();
    // Nobody has typed arrays of 2^53 bytes.
    for (let i = 0; i < segments.length; ++i, at += 2) {
      segments[i] = (this.#halves[at + 1] as number) * HIGH + ((this.#halves[at] as number) >>> 0);
    }
  }

  /** Runs a block on the segments in their places. */
  runBlock(blocks: number, block: number): void {
    this.#module._broadloom_run_block(blocks, block);
  }

  /** Element types promoted together; see {@link Promotion}. */
  get promotion(): Promotion {
    return (this.#promotion ??= new Promotion(this.#names.dtypes, this.#module._broadloom_result_type));
  }

  /**
   * Begins the sum of the first shape of `request` to its second, to be given back by `releaseSum`. Of an array in
   * memory it has the blocks' memory: nothing else may be run before it is done.
   */
  sum(request: Request, inMemory: boolean): number {
    this.#write(request);
    const handle = this.#module._broadloom_sum(BLOCK_BYTES, inMemory);
    if (handle === 0) throw this.fault();
    return handle;
  }

  releaseSum(sum: number): void {
    this.#module._broadloom_sum_release(sum);
  }

  /** Adds the segments that were asked for: they were brought, or the array lies at `input`. */
  addToSum(sum: number, input = 0): void {
    this.#module._broadloom_sum_add(sum, input);
  }

  /** Asked for after `sum` and `addToSum`, before anything else. */
  sumState(): SumState {
    const next = this.#reader(this.#module._broadloom_answer());
    const count = next as () => number;
    return {
      bytes: next(),
      added: next(),
      resultBytes: next(),
      place: count(),
      result: { begin: count(), bytes: count() },
      input: { begin: count(), bytes: count(), count: count(), step: count() },
      done: next() === 1,
    };
  }

  /** Memory for so many bytes, to be given back by `release`. */
  allocate(bytes: number): number {
    const memory = this.#module._broadloom_allocate(bytes) >>> 0;
    if (memory === 0) throw this.fault();
    return memory;
  }

  release(memory: number): void {
    this.#module._broadloom_release(memory);
  }

  /** The memory, valid until anything is allocated. */
  get views(): Views {
    if (this.#views.Int8Array.length === 0) this.#views = viewsOf(this.#memory.buffer);
    return this.#views;
  }

  /**
   * Calls `use` while the memory can neither grow nor move; afterwards no view of it has elements. Within another `lend`
   * that is the outer one's to do, whose own view is still in use.
   */
  lend<T>(use: () => T): T {
    this.#module._broadloom_lend(1);
    ++this.#lent;
    try {
      return use();
    } finally {
      --this.#lent;
      this.#module._broadloom_lend(-1);
      if (this.#lent === 0) this.#module._broadloom_revoke();
    }
  }

  /** Whether the memory is lent out. */
  get isLent(): boolean {
    return this.#lent > 0;
  }

  /** How many bytes the module's memory has now. */
  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** For tests: so many allocations succeed, then none; -1 lifts it. */
  refuseAfter(allocations: number): void {
    this.#module._broadloom_refuse_after(allocations);
  }

  // --- Faults -------------------------------------------------------------------------------------------------------

  /** The error that the last call reported. */
  fault(): BroadcastError {
    return new BroadcastError(this.record());
  }

  /** The same, as data. */
  record(): ErrorRecord & { readonly code: ErrorCode } {
    const extent = this.#reader(this.#module._broadloom_fault());
    const next = extent as () => number;
    const index = () => indexOrNull(next());
    const name = <N extends string>(names: readonly (N | '')[]): N | null => names[next()] || null;
    const { errors, details, rules, clauses, ops, dtypes } = this.#names;
    const record = {
      code: name(errors) as ErrorCode,
      detail: name<DetailName>(details),
      rule: name(rules),
      clause: name<ClauseName>(clauses),
      op: name(ops),
      operand: index(),
      otherOperand: index(),
      axis: index(),
      operandAxis: index(),
      otherAxis: index(),
      extent: extent(),
      otherExtent: extent(),
      dtype: name(dtypes),
      otherDtype: name(dtypes),
    };
    const begin = next();
    const end = next();
    return {
      ...record,
      span: end > begin || record.code === 'parse' ? { begin, end } : null,
      message: this.#module.describe() ?? record.code,
    };
  }

  /**
   * An error found on this side, told as the core would tell it. `value` is what was given where no field can hold it;
   * `message` replaces the core's sentence; `options` may have the cause.
   */
  error(
    given: Partial<ErrorRecord> & { readonly code: ErrorCode },
    value?: unknown,
    message?: string,
    options?: ErrorOptions,
  ): BroadcastError {
    const fields = { ...NO_RECORD, ...given };
    const word = (kind: keyof VocabularyNames, name: string | null | undefined) =>
      name == null ? NONE : (this.#indexes[kind].get(name) ?? NONE);
    this.#at = this.#module._broadloom_fault() >>> 2;
    this.#refresh();
    this.#put(word('errors', fields.code));
    this.#put(word('details', fields.detail ?? ''));
    this.#put(word('rules', fields.rule));
    this.#put(word('clauses', fields.clause ?? ''));
    this.#put(word('ops', fields.op));
    this.#put(fields.operand ?? NONE);
    this.#put(fields.otherOperand ?? NONE);
    this.#put(fields.axis ?? NONE);
    this.#put(fields.operandAxis ?? NONE);
    this.#put(fields.otherAxis ?? NONE);
    this.#put(fields.extent ?? 0);
    this.#put(fields.otherExtent ?? 0);
    this.#put(word('dtypes', fields.dtype));
    this.#put(word('dtypes', fields.otherDtype));
    this.#put(fields.span?.begin ?? 0);
    this.#put(fields.span?.end ?? 0);
    const record = this.record();
    return new BroadcastError({ ...record, ...given, message: message ?? record.message }, value, options);
  }

  #throw(): never {
    throw this.fault();
  }

  // --- Words --------------------------------------------------------------------------------------------------------

  #write(request: Request): void {
    const { shapes, dtypes, targetShape, axesMapping, index, axis, fmod, to, saturate } = request;
    let words = HEADER_WORDS + 2 * shapes.length;
    words += (targetShape?.length ?? 0) + (axesMapping?.length ?? 0) + (index?.length ?? 0);
    for (const shape of shapes) words += shape.length;
    this.#begin(words);
    const { ops, rules, dtypes: types } = this.#indexes;
    this.#put(request.op === undefined ? NONE : (ops.get(request.op) as number));
    this.#put(request.rule === undefined ? NONE : (rules.get(request.rule) as number));
    this.#put(request.dtype === undefined ? NONE : (types.get(request.dtype) as number));
    this.#put(axis === undefined ? 0 : 1);
    this.#put(axis ?? 0);
    this.#put(targetShape?.length ?? NONE);
    this.#put(axesMapping?.length ?? NONE);
    this.#put(index?.length ?? NONE);
    this.#put(fmod === undefined ? 0 : 1);
    this.#put(fmod ?? 0);
    this.#put(request.direction === undefined ? NONE : request.direction === 'left' ? 0 : 1);
    this.#put(to === undefined ? NONE : (types.get(to) as number));
    this.#put(saturate === undefined ? 0 : 1);
    this.#put(saturate ?? 0);
    this.#put(shapes.length);
    for (let i = 0; i < shapes.length; ++i) {
      this.#put(dtypes === undefined ? 0 : (types.get(dtypes[i] as DType) as number));
      this.#put((shapes[i] as readonly Extent[]).length);
    }
    for (const shape of shapes) this.#putAll(shape);
    if (targetShape !== undefined) this.#putAll(targetShape);
    if (axesMapping !== undefined) this.#putAll(axesMapping);
    if (index !== undefined) this.#putAll(index);
  }

  #begin(words: number): void {
    const block = this.#module._broadloom_request(words);
    if (block === 0) throw this.fault();
    this.#refresh();
    this.#at = block >>> 2;
  }

  #putBox(box: Box): void {
    for (const { begin, end } of box) {
      this.#put(begin);
      this.#put(end);
    }
  }

  #putAll(values: readonly Extent[]): void {
    for (const value of values) this.#put(value);
  }

  #put(value: Extent): void {
    const low = this.#at;
    this.#at = low + 2;
    if (typeof value === 'number') {
      this.#halves[low] = value; // modulo 2^32
      this.#halves[low + 1] = Math.floor(value / HIGH);
    } else {
      this.#halves[low] = Number(BigInt.asIntN(32, value));
      this.#halves[low + 1] = Number(BigInt.asIntN(32, value >> 32n));
    }
  }

  /** A number where it is exact, else a bigint. */
  #read(at: number): Extent {
    const low = (this.#halves[at] as number) >>> 0;
    const high = this.#halves[at + 1] as number;
    const value = high * HIGH + low;
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low);
  }

  #answer(words: number): Extent[] {
    return times(words, this.#reader(this.#module._broadloom_answer()));
  }

  /** Reads the words of a block, one after the other. */
  #reader(block: number): () => Extent {
    this.#refresh();
    let at = block >>> 2;
    return () => this.#read((at += 2) - 2);
  }

  /** The memory has grown: the old view is empty. */
  #refresh(): void {
    if (this.#halves.length === 0) this.#halves = new Int32Array(this.#memory.buffer);
  }
}

function times<T>(count: number, make: (i: number) => T): T[] {
  const values: T[] = [];
  for (let i = 0; i < count; ++i) values.push(make(i));
  return values;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

function indexOrNull(word: number): number | null {
  return word === NONE ? null : word;
}

/** From offsets in the UTF-8 bytes of a text to offsets in the text itself. */
function offsetsOf(text: string, bytes: Uint8Array): (offset: number) => number {
  if (bytes.length === text.length) return (offset) => offset;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // Offsets ascend: each is decoded from the one before it.
  let [at, units] = [0, 0];
  return (offset) => {
    if (offset < at) [at, units] = [0, 0];
    units += decoder.decode(bytes.subarray(at, offset)).length;
    at = offset;
    return units;
  };
}
