// The module that explains: questions go to it as words, as to the core; it answers in JSON.

import { offsetsOf, type Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { ExplainerCalls, Meant, SymbolicGiven } from '../core/explainer-calls.js';
import type { Wire } from '../core/wire.js';
import type { Repair } from '../types/alignment.js';
import { isBroadcastError, type ErrorRecord, type TextSpan } from '../types/errors.js';
import type {
  AlignmentDocument,
  Cause,
  Comparison,
  ExtentInText,
  Pasted,
  QuestionCode,
  ShapeInText,
  Warning,
  Whole,
} from '../types/explanation.js';
import type { Extent } from '../types/extent.js';
import type { SymbolicDocument } from '../types/symbolic.js';
import type { DetailName, DType, ErrorCode, RuleName } from '../types/vocabulary.js';
import { joined } from '../link/address.js';
import { questionOf, refuse } from '../link/case.js';
import { questionFields } from '../link/question.js';
import { isList } from '../values/lists.js';
import { show } from '../values/show.js';
import { readCodeRequest } from './code.js';
import { readExpected, readExpressions, readPastedQuestion, readText, type UsefulFor } from './meant.js';

/** The module's functions. */
interface ExplainModule {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  broadloom_request(words: number): number;
  broadloom_answer(): number;
  broadloom_fault(): number;
  broadloom_text(bytes: number): number;
  broadloom_document(parts: number, expect: number, bytes: number): number;
  broadloom_compare(): number;
  broadloom_read(isErrorText: boolean, bytes: number): number;
  broadloom_code(system: number, bytes: number): number;
  broadloom_symbolic(operands: number, hasTarget: boolean, byName: boolean, bytes: number): number;
  broadloom_names(): number;
  broadloom_answer_text(): number;
  broadloom_refuse_after(allocations: number): void;
}

// Parts of a document.
const [ALIGNMENT, CAUSE, REPAIRS, CODE, WARNINGS] = [1, 2, 4, 8, 16];
// Of the pasted text's question that a document is for: that it is one, and its fields.
const [PASTED, KEEPS_RULE, WRITES_TO_TARGET, WRITES_OPERAND] = [32, 64, 128, 256];

/** The number of the target shape, where an operand is named. */
const TARGET = -2;

/** A shape that was read, and how its parts go to the module. */
type ShapeRead = Pick<ShapeInText, 'extents' | 'names'>;

/** Where a text is in a call. */
type Place = Partial<Pick<ErrorRecord, 'operand' | 'operandAxis' | 'span'>>;

/** What `broadloom_symbolic` finds wrong. */
interface SymbolicFault {
  readonly code: ErrorCode;
  readonly detail: DetailName | null;
  readonly operand: number | null;
  readonly axis: number | null;
  readonly message: string;
}

/** Names that only this module knows. */
interface Names {
  readonly warnings: readonly string[];
  readonly systems: readonly { readonly name: string }[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Explainer implements ExplainerCalls {
  readonly #core: Core;
  readonly #module: ExplainModule;
  readonly #wire: Wire;
  #names: Names | undefined;
  /** The warnings of the request whose cause was asked for last, until they are asked for. */
  #kept: { readonly request: Request; readonly warnings: readonly Warning[] } | undefined;

  /** @internal */
  constructor(core: Core, compiled: WebAssembly.Module) {
    const env = { emscripten_notify_memory_growth() {} };
    const module = new WebAssembly.Instance(compiled, { env }).exports as unknown as Partial<ExplainModule>;
    if (module.broadloom_document === undefined)
      throw new Error('the file is not the one that belongs to this package');
    this.#module = module as ExplainModule;
    this.#module._initialize();
    this.#core = core;
    this.#wire = core.wireTo({ ...this.#module, broadloom_describe: () => -1 });
  }

  cause(request: Request, meant: Meant): Cause | null {
    // Who asks for the cause mostly asks for the warnings next; one call for both takes less time than two.
    const parts = meant.expect === undefined ? CAUSE | WARNINGS : CAUSE;
    const { cause, warnings } = this.#document(request, meant, parts);
    this.#kept = warnings && { request, warnings };
    return cause;
  }

  repairs(request: Request, meant: Meant, wide: boolean): Repair<Extent>[] {
    const extents = (list: readonly Whole[]) => list.map((whole) => (wide ? BigInt(whole) : exact(whole)));
    return this.#document(request, meant, REPAIRS | CODE).repairs.map((repair) => ({
      ...repair,
      shape: repair.shape && extents(repair.shape),
      result: extents(repair.result),
    }));
  }

  warnings(request: Request, meant: Meant): Warning[] {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept?.request === request) return kept.warnings as Warning[];
    return this.#document(request, meant, WARNINGS).warnings as Warning[];
  }

  report(request: Request, meant: Meant): AlignmentDocument {
    const parts = ALIGNMENT | CAUSE | REPAIRS | CODE | WARNINGS;
    return this.#document(request, meant, parts);
  }

  code(request: Request, meant: Meant, system: unknown, options: unknown): QuestionCode {
    const core = this.#core;
    const systems = this.#known().systems.map(({ name }) => name);
    const place = systems.indexOf(system as string);
    if (place < 0) {
      const message = `There is no system ${show(system)}. There are: ${systems.join(', ')}.`;
      throw core.error({ code: 'unknown' }, system, message);
    }
    const { request: asked, names } = readCodeRequest(core, request, meant, options);
    const bytes = this.#give(encoder.encode(names.map(terminated).join('')));
    this.#wire.writeRequest(asked);
    const size = this.#module.broadloom_code(place, bytes);
    if (size >= 0) return this.#answer(size) as QuestionCode;
    const { message, ...record } = this.#wire.record();
    // Extents were read before: it is about values.
    const title = this.#titleOf(record.operand ?? 0);
    const values =
      record.code === 'extent' ? `${title} has fewer values than elements, or its step is below 1.` : undefined;
    throw core.error(record, undefined, values);
  }

  link(base: unknown, request: Request, { expect, names }: Meant = {}): string {
    const core = this.#core;
    const kinds = readExpected(core, expect, this.#known().warnings);
    const { op, rule, axis, targetShape, axesMapping, dtypes, dtype, fmod, direction, to, saturate, shapes } = request;
    const { vocabulary } = core;
    const axisNames = listOf(names).map((list) => listOf(list) as (string | null)[]);
    const options = {
      names: axisNames,
      op,
      rule: rule as RuleName,
      axis,
      axesMapping,
      dtypes,
      dtype,
      fmod,
      direction,
      to,
      saturate,
    };
    // `sumTo` has the array's shape in place of the target.
    const isSum = dtypes !== undefined && op === undefined;
    const asTarget = isSum && vocabulary.rules[options.rule].takesTarget;
    const given = asTarget
      ? { ...options, targetShape: shapes[0], shapes: shapes.slice(1) }
      : { ...options, targetShape, shapes };
    const result = this.#resultOf({ ...request, ...given });
    const question = questionOf(vocabulary, given, result !== null && !counts(core, result, 'f32'));
    return joined(base, questionFields(question), kinds);
  }

  /** The result's shape; null where the shapes do not fit. @throws BroadcastError `link` where a policy refuses them. */
  #resultOf(request: Request): readonly Extent[] | null {
    try {
      return this.#core.inferShape(request);
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      if (error.code !== 'policy' && error.detail !== 'same_names') return null;
      return refuse('A policy refused these shapes, and the playground knows no policy.');
    }
  }

  compare(request: Request): Comparison {
    this.#wire.writeRequest(request);
    return this.#answer(this.#module.broadloom_compare()) as Comparison;
  }

  readPasted(text: unknown): Pasted | null {
    return this.#read(readText(this.#core, text), true) as Pasted | null;
  }

  readShapes(text: unknown): ShapeInText[] {
    return this.#read(readText(this.#core, text), false) as ShapeInText[];
  }

  symbolic(list: unknown, given: SymbolicGiven, readRequest: (numbers: object) => Request): SymbolicDocument {
    const core = this.#core;
    const { axis, axesMapping, targetShape, byName = false } = given;
    const request = readRequest({ axis, axesMapping });
    if (typeof byName !== 'boolean') {
      const message = `byName has to be true or false, not ${show(byName)}.`;
      throw core.error({ code: 'attribute', detail: 'out_of_range' }, byName, message);
    }
    if (!isList(list)) throw core.error({ code: 'arity' }, list, `A list of shapes is needed, not ${show(list)}.`);
    const shapes = Array.from(list as ArrayLike<unknown>, (shape, operand) => this.#symbolicShape(shape, operand));
    const hasTarget = targetShape !== undefined;
    if (hasTarget) shapes.push(this.#symbolicShape(targetShape, TARGET));

    // Names by their number, from 1 on; 0 is none.
    const numbers = new Map<string, number>();
    const numberOf = (name: string | null | undefined) => {
      if (!name) return 0;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      return number;
    };
    const words: Extent[] = [];
    for (const { extents, names } of shapes) {
      words.push(extents?.length ?? -1, names === null ? 0 : 1);
      extents?.forEach((extent, axis) => {
        const { name, least, most } = typeof extent === 'object' ? extent : { name: null, least: extent, most: extent };
        words.push(least, most ?? -1, numberOf(name), numberOf(names?.[axis]));
      });
    }
    const bytes = this.#give(encoder.encode([...numbers.keys()].map((name) => `${name}\0`).join('')));
    this.#wire.writeRequest({ ...request, index: words });
    const operands = shapes.length - (hasTarget ? 1 : 0);
    const size = this.#module.broadloom_symbolic(operands, hasTarget, byName, bytes);
    const document = this.#answer(size) as SymbolicDocument | { readonly fault: SymbolicFault };
    if (document.fault === null) return document;
    const { axis: operandAxis, message, ...fault } = document.fault;
    throw core.error({ ...fault, operandAxis, rule: request.rule ?? null }, undefined, message);
  }

  /** A shape with unknown extents: a text, or a list of numbers and texts. */
  #symbolicShape(shape: unknown, operand: number): ShapeRead {
    const core = this.#core;
    const title = this.#titleOf(operand);
    if (typeof shape === 'string') {
      const [read, ...more] = this.#read(shape, false, { operand }) as ShapeInText[];
      if (read?.isPartial === true) {
        const message = `${title}: ${show(shape)} has extents beside "...". Write ... alone where the number of axes is unknown, or else every axis, as in (?, 3).`;
        throw core.error({ code: 'extent', operand }, shape, message);
      }
      if (read !== undefined && more.length === 0 && isWhole(shape, read)) return read;
      const message = `${title}: ${show(shape)} is not one shape. Write it as (N, 1, 3), one text for each operand.`;
      throw core.error({ code: 'parse', operand }, shape, message);
    }
    if (!isList(shape)) {
      const message = `${title} has to be a text, or a list of numbers and names, not ${show(shape)}.`;
      throw core.error({ code: 'extent', operand }, shape, message);
    }
    const names: (string | null)[] = [];
    const extents = Array.from(shape as ArrayLike<unknown>, (entry, axis): ExtentInText => {
      names.push(null);
      if (typeof entry === 'bigint' ? entry === BigInt.asIntN(64, entry) : Number.isSafeInteger(entry)) {
        return entry as Extent;
      }
      const read = typeof entry === 'string' ? this.#extentIn(entry, { operand, operandAxis: axis }) : null;
      if (read !== null) {
        names[axis] = read.names?.[0] ?? null;
        return read.extents?.[0] as ExtentInText;
      }
      const message = `${title}, axis ${axis}: ${show(entry)} is no extent: a number, a name, ? or a range such as 2..8.`;
      throw core.error({ code: 'extent', operand, operandAxis: axis }, entry, message);
    });
    return { extents, names: names.some((name) => name !== null) ? names : null };
  }

  /** An extent, as a shape that has no other; null if the text is none. */
  #extentIn(entry: string, place: Place): ShapeInText | null {
    const text = `(${entry},)`;
    try {
      const [read] = this.#read(text, false, { ...place, span: null }) as ShapeInText[];
      return read?.text === text && read.extents?.length === 1 ? read : null;
    } catch (error) {
      if (isBroadcastError(error) && error.code === 'parse') return null;
      throw error;
    }
  }

  /** The name of an operand at the beginning of a sentence. */
  #titleOf(operand: number): string {
    return this.#core.formatOperand(operand).replace(/^t/, 'T');
  }

  /** For tests: the next `allocations` allocations succeed, and all after them fail. -1 ends that. */
  refuseAfter(allocations: number): void {
    this.#module.broadloom_refuse_after(allocations);
  }

  #document(request: Request, { expect, expressions, names, pasted }: Meant, parts: number): AlignmentDocument {
    // The names in the order of their numbers: that in which they appear.
    const named = new Set(
      listOf(names)
        .flatMap((list) => listOf(list))
        .filter(Boolean),
    );
    const called = readExpressions(this.#core, expressions, request.shapes.length);
    const texts = [...named, ...called].map((text) => terminated(String(text)));
    const bytes = texts.length === 0 ? 0 : this.#give(encoder.encode(texts.join('')));
    const bits = this.#bitsOf(expect);
    const question = pastedBits(readPastedQuestion(this.#core, pasted));
    this.#wire.writeRequest(request);
    return this.#answer(this.#module.broadloom_document(parts | question, bits, bytes)) as AlignmentDocument;
  }

  #read(text: string, isErrorText: boolean, place: Place = {}): unknown {
    const bytes = encoder.encode(text);
    const size = this.#module.broadloom_read(isErrorText, this.#give(bytes));
    const offset = offsetsOf(text, bytes);
    if (size < 0) {
      const { span, ...record } = this.#wire.record();
      const own = span && { begin: offset(span.begin), end: offset(span.end) };
      const marked = own === null ? '' : text.slice(own.begin, own.end);
      const fault = { ...record, span: own, ...place };
      if (record.code !== 'extent') throw this.#core.error(fault, text);
      const title = `${this.#titleOf(fault.operand ?? 0)}, axis ${fault.operandAxis}`;
      const message =
        record.detail === 'bad_token'
          ? `${title}: the range ${marked} is empty, since it begins above its end.`
          : undefined;
      // One that is too large, such as 1e400, is no number to show.
      const extent = record.detail === 'unsafe' ? record.extent : (exactOf(marked) ?? record.extent);
      throw this.#core.error({ ...fault, extent }, text, message);
    }
    // Spans in UTF-16 offsets, and whole numbers as they are.
    return JSON.parse(this.#text(size), (key, value: unknown) => {
      if (value === null) return null;
      if (/^(span|expressionSpan|sourceSpan|messageSpan)$/.test(key)) {
        const { begin, end } = value as TextSpan;
        return { begin: offset(begin), end: offset(end) };
      }
      if (key === 'extents' || key === 'sizes') return (value as unknown[]).map((one) => extentOf(one));
      return key === 'least' || key === 'most' ? exact(value as Whole) : value;
    });
  }

  /** The bits of kinds of warnings. */
  #bitsOf(expect: unknown): number {
    if (expect === undefined) return 0;
    const kinds = this.#known().warnings;
    return readExpected(this.#core, expect, kinds).reduce((bits, kind) => bits | (1 << kinds.indexOf(kind)), 0);
  }

  #known(): Names {
    return (this.#names ??= this.#answer(this.#module.broadloom_names()) as Names);
  }

  /** Passes a text to the next call; returns its bytes. */
  #give(bytes: Uint8Array): number {
    const place = this.#module.broadloom_text(bytes.length) >>> 0;
    if (place === 0) throw this.#core.error(this.#wire.record());
    new Uint8Array(this.#module.memory.buffer).set(bytes, place);
    return bytes.length;
  }

  #answer(size: number): unknown {
    if (size < 0) throw this.#core.error(this.#wire.record());
    return JSON.parse(this.#text(size));
  }

  #text(size: number): string {
    return decoder.decode(new Uint8Array(this.#module.memory.buffer, this.#module.broadloom_answer_text() >>> 0, size));
  }
}

/** A text of several in one call. */
const terminated = (text: string): string => `${text.replaceAll('\0', '')}\0`;
/** Whether the bytes of so many elements can be counted. */
function counts(core: Core, shape: readonly Extent[], dtype: DType): boolean {
  try {
    core.count(shape, dtype);
    return true;
  } catch {
    return false;
  }
}

const pastedBits = (question: UsefulFor | undefined): number =>
  question === undefined
    ? 0
    : PASTED |
      (question.keepsRule ? KEEPS_RULE : 0) |
      (question.writesToTarget ? WRITES_TO_TARGET : 0) |
      (question.writesOperand ? WRITES_OPERAND : 0);

const listOf = (list: unknown): unknown[] => (isList(list) ? Array.from(list as ArrayLike<unknown>) : []);
/** Whether a text holds one shape only, apart from a label and brackets. */
const isWhole = (text: string, { label, span }: ShapeInText) =>
  span !== null &&
  /^[\s)\]}>;.]*$/.test(text.slice(span.end)) &&
  (label !== null || !/[,;]/.test(text.slice(0, span.begin)));
/** The whole number with which a text begins, where 64 bits hold it. */
const exactOf = (text: string): Extent | null => {
  const value = BigInt(/^-?\d{1,19}(?!\d)/.exec(text)?.[0] ?? 2n ** 64n);
  if (value !== BigInt.asIntN(64, value)) return null;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
};
const extentOf = (value: unknown) => (typeof value === 'string' ? BigInt(value) : value);
const exact = (whole: Whole): Extent => (typeof whole === 'number' ? whole : BigInt(whole));
