// The calls of the core: what is asked, and what it answers.

import type { AlignedAxis, AlignedCell, Alignment, Conflict } from '../types/alignment.js';
import type { Extent } from '../types/extent.js';
import { BroadcastError, faultOf, type TextSpan } from '../types/errors.js';
import type { ClauseName, DType, OpName, Relation, RuleName } from '../types/vocabulary.js';
import type { Vocabulary } from '../types/vocabulary-rows.js';
import { newRequest, type Request } from './fields.js';
import type { ExplainerCalls } from './explainer-calls.js';
import type {
  Box,
  CoreModule,
  CoreNames,
  OpCall,
  PlanFacts,
  SumState,
  BlocksFacts,
  WireModule,
  VocabularyNames,
} from './module.js';
import { Promotion } from './promotion.js';
import { indexOrNull, textOf, Wire } from './wire.js';
import { setElements } from '../elements/typed-arrays.js';
import { viewsOf, type Views } from '../elements/views.js';

/** An alignment's own data, without what is asked for later. */
export type AlignedShapes = Pick<Alignment<Extent>, 'shape' | 'startAxis' | 'error' | 'conflicts' | 'growsBoth'> & {
  readonly axes: readonly Omit<AlignedAxis<Extent>, 'why'>[];
};

// The segments of a block stay in the second-level cache together with what they are copied from and to.
const BLOCK_BYTES = 256 * 1024;

/** The core of one instance of the module. */
export class Core {
  readonly target: string;
  /** The rules that give a result for each operand. */
  readonly returnEach: readonly RuleName[];
  /** By operator. */
  readonly calls: ReadonlyMap<OpName, OpCall>;
  readonly #module: CoreModule;
  readonly #memory: WebAssembly.Memory;
  readonly #wire: Wire;
  /**
   * How often the arena was used, where blocks and sums have what is copied into the module. A computation in steps that
   * finds another number than its own has lost what it had there.
   */
  arenaUses = 0;
  /** The module that explains, once it is loaded. */
  explainer: ExplainerCalls | undefined;
  #views: Views;
  #promotion: Promotion | undefined;
  #vocabulary: Vocabulary | undefined;
  #lent = 0;

  /** @internal */
  constructor(module: CoreModule) {
    module._initialize();
    this.#module = { ...module };
    this.#memory = module.memory;
    this.#views = viewsOf(this.#memory.buffer);
    const text = textOf(module, module.broadloom_names()) as string;
    const { target, returnEach, calls, ...names } = JSON.parse(text) as CoreNames;
    this.target = target;
    this.returnEach = returnEach;
    this.calls = new Map(calls.map((call, i) => [names.ops[i] as OpName, call]));
    this.#wire = new Wire(this.#module, names);
  }

  /** Everything known by name. Made on first use, since it takes as long as the rest of the start. */
  get vocabulary(): Vocabulary {
    return (this.#vocabulary ??= freeze(JSON.parse(this.#text(this.#module.broadloom_vocabulary())) as Vocabulary));
  }

  /** The names of a kind, in the order of their rows. */
  names<K extends keyof VocabularyNames>(kind: K): VocabularyNames[K] {
    return this.#wire.names[kind];
  }

  /** Whether there is a name of that kind. */
  knows(kind: keyof VocabularyNames, name: string): boolean {
    return this.#wire.knows(kind, name);
  }

  // --- Shapes, alignments, texts ----------------------------------------------------------------------------------

  inferShape(request: Request): Extent[] {
    this.#wire.writeRequest(request);
    const rank = this.#module.broadloom_infer_shape();
    if (rank < 0) throw this.fault();
    return this.#answer(rank);
  }

  count(shape: readonly Extent[], dtype?: DType): Extent {
    const request = newRequest([]);
    request.index = shape;
    request.dtype = dtype;
    this.#wire.writeRequest(request);
    if (this.#module.broadloom_count() < 0) throw this.fault();
    return this.#wire.answer()();
  }

  /** An alignment as data. Extents are bigints where `wide`, else numbers. */
  align(request: Request, wide: boolean): AlignedShapes {
    this.#wire.writeRequest(request);
    if (this.#module.broadloom_align() < 0) throw this.fault();
    const { relations, clauses } = this.#wire.names;
    const extent = this.#wire.answer();
    const next = extent as () => number;
    const wideExtent = wide ? () => BigInt(extent()) : extent;
    const stride = () => {
      const word = indexOrNull(extent());
      return word !== null && wide ? BigInt(word) : word;
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
    return { shape, startAxis, axes, error: fits ? null : this.#wire.record(), conflicts, growsBoth };
  }

  explainVerdict(request: Request): string {
    this.#wire.writeRequest(request);
    return this.#text(this.#module.broadloom_explain_verdict());
  }

  /** The sentences of an alignment, one for each axis. */
  explainAxes(request: Request): string[] {
    this.#wire.writeRequest(request);
    return this.#text(this.#module.broadloom_explain_axes()).split('\n');
  }

  formatShape(shape: readonly Extent[]): string {
    const request = newRequest([]);
    request.index = shape;
    this.#wire.writeRequest(request);
    return this.#text(this.#module.broadloom_format_shape());
  }

  formatOperand(operand: number): string {
    return this.#text(this.#module.broadloom_format_operand(operand));
  }

  /** Integers in a text; spans are in UTF-16 offsets, as are those of the errors. */
  parse(text: string, operand: number, shape: boolean): { values: bigint[]; spans: TextSpan[] } {
    const bytes = new TextEncoder().encode(text);
    const memory = this.allocate(bytes.length);
    try {
      setElements.call(this.views.Uint8Array, bytes, memory);
      const count = this.#module.broadloom_parse(memory, bytes.length, operand, shape);
      const offset = offsetsOf(text, bytes);
      if (count < 0) {
        const record = this.#wire.record();
        const { span } = record;
        throw this.error({ ...record, span: span && { begin: offset(span.begin), end: offset(span.end) } });
      }
      const next = this.#wire.answer();
      const values = times(count, () => BigInt(next()));
      const spans = times(count, () => ({ begin: offset(next() as number), end: offset(next() as number) }));
      return { values, spans };
    } finally {
      this.release(memory);
    }
  }

  /** @throws BroadcastError `not_loaded` */
  explain(): ExplainerCalls {
    if (this.explainer !== undefined) return this.explainer;
    throw faultOf('not_loaded', 'Explanations are not loaded: await bl.loadExplanations() before.', {});
  }

  /** Passes words to another module made from the same rows. */
  wireTo(module: WireModule): Wire {
    return new Wire(module, this.#wire.names);
  }

  // --- Plans and sums -----------------------------------------------------------------------------------------------

  /** Makes a plan, which `releasePlan` gives back. */
  plan(request: Request): PlanFacts {
    this.#wire.writeRequest(request);
    const handle = this.#module.broadloom_plan();
    if (handle === 0) throw this.fault();
    const next = this.#wire.answer();
    const results = next() as number;
    return {
      handle,
      shape: times(next() as number, next),
      results: times(results, () => ({ dtype: this.#wire.names.dtypes[next() as number] as DType, bytes: next() })),
      bytes: times(request.shapes.length, next),
      loops: times(next() as number, () => ({ extent: Number(next()), stride: Number(next()) })),
    };
  }

  releasePlan(plan: number): void {
    this.#module.broadloom_plan_release(plan);
  }

  /** Runs a plan, or a box of it, on memory: address and bytes of each operand, then of each result. */
  run(plan: number, memory: readonly number[], box?: Box): void {
    this.#wire.writeMemory(memory, box);
    if (this.#module.broadloom_run(plan, box !== undefined) < 0) throw this.fault();
  }

  /** Runs a plan of one result and at most three operands on the addresses of whole tensors. */
  runAt(plan: number, result: number, a: number, b: number, c: number): void {
    if (this.#module.broadloom_run_at(plan, result, a, b, c) < 0) throw this.fault();
  }

  /** Cuts a plan of `operands` operands, or a box of it, into blocks, which `releaseBlocks` gives back, before the plan. */
  blocks(plan: number, operands: number, box?: Box): BlocksFacts {
    if (box !== undefined) this.#wire.writeBox(box);
    const handle = this.#module.broadloom_blocks(plan, box !== undefined, BLOCK_BYTES);
    if (handle === 0) throw this.fault();
    const next = this.#wire.answer();
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
    this.#module.broadloom_blocks_release(blocks);
  }

  /**
   * Writes into `segments` what a block reads and computes: first byte and bytes of each operand's segment, then of the
   * result's, then whether the result's first byte belongs to the block before as well.
   */
  block(blocks: number, block: number, segments: number[]): void {
    this.#module.broadloom_block(blocks, block);
    this.#wire.readNumbers(segments); // no typed array has 2^53 bytes
  }

  /** Computes a block. The operands' segments are in their places. */
  runBlock(blocks: number, block: number): void {
    this.#module.broadloom_run_block(blocks, block);
  }

  /** Element types promoted together; see {@link Promotion}. */
  get promotion(): Promotion {
    return (this.#promotion ??= new Promotion(this.#wire.names.dtypes, this.#module.broadloom_result_type));
  }

  /**
   * Begins to sum an array of the first shape of `request` to the second; `releaseSum` gives the sum back. If the array lies
   * in memory, the sum uses the memory of blocks: nothing else may be run before it is done.
   */
  sum(request: Request, inMemory: boolean): number {
    this.#wire.writeRequest(request);
    const handle = this.#module.broadloom_sum(BLOCK_BYTES, inMemory);
    if (handle === 0) throw this.fault();
    return handle;
  }

  releaseSum(sum: number): void {
    this.#module.broadloom_sum_release(sum);
  }

  /** Adds the segments that the state asked for: they were copied to their place, or the array lies at `input`. */
  addToSum(sum: number, input = 0): void {
    this.#module.broadloom_sum_add(sum, input);
  }

  /** To be called after `sum` and `addToSum`, before anything else is. */
  sumState(): SumState {
    const next = this.#wire.answer();
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

  // --- Memory -------------------------------------------------------------------------------------------------------

  /** Memory for so many bytes, to be given back by `release`. */
  allocate(bytes: number): number {
    const memory = this.#module.broadloom_allocate(bytes) >>> 0;
    if (memory === 0) throw this.fault();
    return memory;
  }

  release(memory: number): void {
    this.#module.broadloom_release(memory);
  }

  /** Views of the memory. They have no elements any more once it has grown: ask for them again after each allocation. */
  get views(): Views {
    if (this.#views.Int8Array.length === 0) this.#views = viewsOf(this.#memory.buffer);
    return this.#views;
  }

  /**
   * Calls `use` while the memory cannot grow. After the outermost of nested calls, no view of the memory has elements any
   * more, so that none that `use` has kept can be used.
   */
  lend<T>(use: () => T): T {
    this.#module.broadloom_lend(1);
    ++this.#lent;
    try {
      return use();
    } finally {
      --this.#lent;
      this.#module.broadloom_lend(-1);
      if (this.#lent === 0) this.#module.broadloom_revoke();
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

  /** For tests: the next `allocations` allocations succeed, and all after them fail. -1 ends that. */
  refuseAfter(allocations: number): void {
    this.#module.broadloom_refuse_after(allocations);
  }

  // --- Errors -------------------------------------------------------------------------------------------------------

  /** The error that the last call reported. If it is about shapes, it has the address of its case. */
  fault(): BroadcastError {
    const error = new BroadcastError(this.#wire.record());
    const { request } = this.#wire;
    // The memory that failed may be another than the one asked for last. The property is not enumerable: it is no part of
    // what is printed, copied or compared.
    if (request?.rule && error.code !== 'allocation') {
      Object.defineProperty(error, 'link', { value: (base: unknown) => this.explain().link(base, request) });
    }
    return error;
  }

  /** See {@link Wire.error}. */
  error(...given: Parameters<Wire['error']>): BroadcastError {
    return this.#wire.error(...given);
  }

  #text(size: number): string {
    const text = textOf(this.#module, size);
    if (text === null) throw this.fault();
    return text;
  }

  #answer(words: number): Extent[] {
    return times(words, this.#wire.answer());
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

/** From offsets in the UTF-8 bytes of a text to offsets in the text itself. */
export function offsetsOf(text: string, bytes: Uint8Array): (offset: number) => number {
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
