// The blocks of 64-bit words in which requests go to the core, and answers and errors come back. Nothing else reads or
// writes them. The fields of requests and errors, and their order, are in fields.ts.

import type { Extent } from '../types/extent.js';
import { BroadcastError, NO_RECORD, type ErrorRecord } from '../types/errors.js';
import type { ErrorCode } from '../types/vocabulary.js';
import { readError, REQUEST_WORDS, writeError, writeFields, type Request } from './fields.js';
import type { Box, FieldReader, FieldWriter, VocabularyNames, WireModule } from './module.js';

const HIGH = 2 ** 32;
/** The word of a name, an index or a list that is not given. */
const NONE = -1;

type NameKind = keyof VocabularyNames;

export class Wire implements FieldWriter {
  readonly names: VocabularyNames;
  readonly #indexes: { readonly [K in NameKind]: ReadonlyMap<string, number> };
  readonly #module: WireModule;
  /** The memory as halves of 64-bit words, the lower half first. */
  #halves: Int32Array;
  /** Where the next word is written: an index of `#halves`. */
  #at = 0;
  /** The request that was written last; undefined where something else was written after it. */
  request: Request | undefined;

  constructor(module: WireModule, names: VocabularyNames) {
    this.#module = module;
    this.#halves = new Int32Array(module.memory.buffer);
    this.names = names;
    const indexes = Object.entries(names).map(([kind, list]: [string, readonly string[]]) => [
      kind,
      new Map(list.map((name, i) => [name, i])),
    ]);
    this.#indexes = Object.fromEntries(indexes) as { readonly [K in NameKind]: ReadonlyMap<string, number> };
  }

  /** Whether there is a name of that kind. */
  knows(kind: NameKind, name: string): boolean {
    return this.#indexes[kind].has(name);
  }

  // --- Requests -----------------------------------------------------------------------------------------------------

  /** @throws BroadcastError `allocation` */
  writeRequest(request: Request): void {
    const { shapes, dtypes, targetShape, axesMapping, axisNames, index } = request;
    let words = REQUEST_WORDS + 1 + 2 * shapes.length;
    words += (targetShape?.length ?? 0) + (axesMapping?.length ?? 0) + (axisNames?.length ?? 0) + (index?.length ?? 0);
    for (const shape of shapes) words += shape.length;
    this.#begin(words, request);
    writeFields(this, request);
    this.#put(shapes.length);
    for (let i = 0; i < shapes.length; ++i) {
      this.#put(dtypes === undefined ? 0 : this.#indexOf('dtypes', dtypes[i]));
      this.list(shapes[i]);
    }
  }

  /** A box of a plan's result. */
  writeBox(box: Box): void {
    this.#begin(2 * box.length);
    this.#putBox(box);
  }

  /** What to run a plan on: the box, if any, then address and bytes of each operand and each result. */
  writeMemory(memory: readonly number[], box: Box | undefined): void {
    this.#begin(memory.length + 2 * (box?.length ?? 0));
    if (box !== undefined) this.#putBox(box);
    const halves = this.#halves;
    let at = this.#at;
    for (let i = 0; i < memory.length; ++i, at += 2) {
      halves[at] = memory[i] as number; // modulo 2^32
      halves[at + 1] = (memory[i] as number) / HIGH; // rounded down, since none is negative
    }
  }

  // --- Answers ------------------------------------------------------------------------------------------------------

  /** Reads the words of the answer, one after the other. */
  answer(): () => Extent {
    return this.#reader(this.#module.broadloom_answer());
  }

  /** Reads the first words of the answer into `words`. They are rounded beyond 2^53. */
  readNumbers(words: number[]): void {
    let at = this.#module.broadloom_answer() >>> 2;
    this.#refresh();
    for (let i = 0; i < words.length; ++i, at += 2) {
      words[i] = (this.#halves[at + 1] as number) * HIGH + ((this.#halves[at] as number) >>> 0);
    }
  }

  // --- Errors -------------------------------------------------------------------------------------------------------

  /** The error that the last call reported. */
  record(): ErrorRecord & { readonly code: ErrorCode } {
    const { textBegin: begin, textEnd: end, ...fields } = readError(this.#fieldReader(this.#module.broadloom_fault()));
    const code = fields.code as ErrorCode;
    return {
      ...fields,
      code,
      span: end > begin || code === 'parse' ? { begin, end } : null,
      message: textOf(this.#module, this.#module.broadloom_describe()) ?? code,
    };
  }

  /**
   * An error found on this side, with the sentence that the core has for its fields. `value` is what was given, where no
   * field can hold it; `message` replaces the core's sentence; `options` may have the cause.
   */
  error(
    given: Partial<ErrorRecord> & { readonly code: ErrorCode },
    value?: unknown,
    message?: string,
    options?: ErrorOptions,
  ): BroadcastError {
    const fields = { ...NO_RECORD, ...given };
    this.#at = this.#module.broadloom_fault() >>> 2;
    this.#refresh();
    writeError(this, { ...fields, textBegin: fields.span?.begin ?? 0, textEnd: fields.span?.end ?? 0 });
    const record = this.record();
    return new BroadcastError({ ...record, ...given, message: message ?? record.message }, value, options);
  }

  // --- Words --------------------------------------------------------------------------------------------------------

  name(list: NameKind, name: string | null | undefined): void {
    this.#put(this.#indexOf(list, name));
  }

  index(index: number | null): void {
    this.#put(index ?? NONE);
  }

  extent(extent: Extent): void {
    this.#put(extent);
  }

  offset(offset: number): void {
    this.#put(offset);
  }

  integer(value: Extent | undefined): void {
    this.#put(value === undefined ? 0 : 1);
    this.#put(value ?? 0);
  }

  list(values: readonly Extent[] | undefined): void {
    this.#put(values?.length ?? NONE);
    if (values !== undefined) for (const value of values) this.#put(value);
  }

  /** The row of a name. The list of details, and that of clauses, has a name '', which stands for none. */
  #indexOf(list: NameKind, name: string | null | undefined): number {
    return name === undefined ? NONE : (this.#indexes[list].get(name ?? '') ?? NONE);
  }

  #begin(words: number, request?: Request): void {
    const block = this.#module.broadloom_request(words);
    if (block === 0) throw new BroadcastError(this.record());
    this.#refresh();
    this.#at = block >>> 2;
    this.request = request;
  }

  #putBox(box: Box): void {
    for (const { begin, end } of box) {
      this.#put(begin);
      this.#put(end);
    }
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

  #fieldReader(block: number): FieldReader {
    const extent = this.#reader(block);
    const next = extent as () => number;
    return {
      name: (list) => this.names[list][next()] || null,
      index: () => indexOrNull(next()),
      extent,
      offset: next,
    };
  }

  #reader(block: number): () => Extent {
    this.#refresh();
    let at = block >>> 2;
    return () => this.#read((at += 2) - 2);
  }

  /** A number where it is exact, else a bigint. */
  #read(at: number): Extent {
    const low = (this.#halves[at] as number) >>> 0;
    const high = this.#halves[at + 1] as number;
    const value = high * HIGH + low;
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low);
  }

  /** When the memory grows, views of it lose their elements. */
  #refresh(): void {
    if (this.#halves.length === 0) this.#halves = new Int32Array(this.#module.memory.buffer);
  }
}

const decoder = new TextDecoder();

/** The text of `size` bytes in the answer; null if the call that returned the size has reported a fault. */
export function textOf({ memory, broadloom_answer }: WireModule, size: number): string | null {
  return size < 0 ? null : decoder.decode(new Uint8Array(memory.buffer, broadloom_answer() >>> 0, size));
}

export function indexOrNull<W extends Extent>(word: W): W | null {
  return word === NONE ? null : word;
}
