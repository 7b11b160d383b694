// The only file that imports the package. The rest of the page uses the types below; errors that the package throws are returned
// as values.

import {
  type AlignedAxis as CoreAxis,
  type AlignedCell as CoreCell,
  type Alignment as CoreAlignment,
  BroadcastError,
  type Cause,
  type CodeOperand,
  type CodeSystem,
  type ComparedRule,
  type Comparison,
  type Conflict as CoreConflict,
  type DType,
  type DTypeRow,
  type ErrorRecord,
  type Extent,
  type ExtentInText,
  type IndexRange,
  load,
  LoadError,
  type OpName,
  type OpRow,
  type Pasted,
  type PastedQuestion,
  type QuestionCode,
  type Relation,
  type Repair as CoreRepair,
  type RuleRow,
  type ShapeInText,
  type SymbolicDocument,
  type SymbolicOptions,
  type TypedArray,
  type Vocabulary as CoreVocabulary,
  type Warning,
} from 'broadloom';
import { operandType } from 'broadloom/link';
import type { AxisNames, Failure, Outcome, Parsed, ReadBeyond } from './records';

import type { LayerQuestion } from 'broadloom/models';

// The bits of f16, bf16 and the floats of 8 bits, which their typed arrays hold.
export { decodeFloat, encodeFloat, isSmallFloat } from 'broadloom/floats';
// How links are written.
export { escapeText, LONGEST_TEXT, MOST_AXES, MOST_OPERANDS, questionFields } from 'broadloom/link';

export type * from './records';
// The package's records; the page shows extents of both kinds.
export type { ExtentInText, ShapeInText, SymbolicDocument, SymbolicOptions };
export type {
  Cause,
  CodeOperand,
  CodeSystem,
  ComparedRule,
  Comparison,
  DType,
  Extent,
  IndexRange,
  LayerQuestion,
  OpName,
  Pasted,
  PastedQuestion,
  Relation,
  Warning,
};
export type AlignedCell = CoreCell<Extent>;
export type AlignedAxis = CoreAxis<Extent>;
export type Conflict = CoreConflict<Extent>;
export type Repair = CoreRepair<Extent>;
/** The target shape, where an operand's number is expected. */
export const targetOperand = -2;

/** What the core names of a request's operands beside their shapes. */
export interface AlignOptions extends RuleOptions {
  /** The result's element type: its bytes have to be countable. */
  readonly dtype?: string;
  /** The operator, on which warnings depend. */
  readonly op?: string;
  /** What the operands are called in lines of code. */
  readonly expressions?: readonly string[];
  /** For each operand the names of its axes. */
  readonly names?: readonly AxisNames[];
}

export interface Alignment {
  readonly axes: readonly AlignedAxis[];
  readonly conflicts: readonly Conflict[];
  readonly output: readonly Extent[];
  readonly failure: Failure | null;
  /** One or two sentences: whether the shapes fit, and what repeats. */
  readonly verdict: string;
  /** Whether every operand is repeated, so that the result is larger than each of them. */
  readonly growsBoth: boolean;
  /** These four need the explanations: see `Engine.loadExplanations`. */
  cause(): Cause | null;
  /** @param pasted The question of the pasted text that this is: those that are of use to whoever saw it. */
  repairs(pasted?: PastedQuestion): readonly Repair[];
  warnings(): readonly Warning[];
  /** The operator on these operands as code for a system, or why there is none. */
  code(system: CodeSystem, operands: readonly CodeOperand[], attributes: Attributes): QuestionCode;
  compare(): Comparison;
  sourceOf(operand: number, index: readonly number[]): readonly number[];
  fanOut(operand: number, index: readonly number[]): readonly IndexRange[];
}

/** Rows of the core's vocabulary. */
export type RuleEntry = RuleRow;
export type OpEntry = OpRow;
export type DTypeEntry = DTypeRow;

export interface Clause {
  readonly name: string;
  readonly document: string;
  readonly place: string;
  readonly text: string;
}
export interface Vocabulary {
  readonly rules: readonly RuleEntry[];
  readonly ops: readonly OpEntry[];
  readonly dtypes: readonly DTypeEntry[];
  readonly documents: ReadonlyMap<string, string>;
  readonly clauses: ReadonlyMap<string, Clause>;
}

export type { TypedArray };

export interface Tensor {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly dtype: string;
}

export interface RuleOptions {
  readonly axis?: Extent | undefined;
  readonly targetShape?: readonly Extent[] | undefined;
  readonly axesMapping?: readonly Extent[] | undefined;
}

/** The operator's attributes as typed or chosen; an empty text is "not given". */
export interface Attributes {
  readonly fmod: string;
  readonly direction: string;
  /** Cast: an element type, and '1' where integers saturate. */
  readonly to: string;
  readonly saturate: string;
}

export interface Engine {
  readonly vocabulary: Vocabulary;
  operandName(operand: number): string;
  typeNamed(dtype: string): DTypeEntry;
  opsFor(rule: string): readonly OpEntry[];
  /** The element types that the operator takes; some need an attribute. */
  dtypesFor(op: string, attributes: Pick<Attributes, 'fmod'>): readonly DTypeEntry[];
  /** The element types that the operator takes for one of its operands. */
  operandTypes(op: string, operand: number, attributes: Attributes): readonly DTypeEntry[];
  /** The type that operand takes when the others are of type `dtype`. */
  operandType(op: string, operand: number, dtype: string): string;
  /** The types in which operands are computed: their own, or those that they are promoted to. */
  computedTypes(op: string, dtypes: readonly string[], promote: string): Outcome<readonly string[]>;
  /** The result's element type for operands computed in these types; `to` is the attribute. */
  resultType(op: string, dtypes: readonly string[], to?: string): DTypeEntry;
  /** Reads a shape of numbers. */
  parseNumbers(text: string, operand: number): Outcome<Parsed>;
  /** Reads a shape. Names of axes and unknown extents are read once the explanations are loaded. */
  parseShape(text: string, operand: number): Outcome<Parsed>;
  parseTarget(text: string): Outcome<Parsed>;
  parseMapping(text: string): Outcome<Parsed>;
  parseAxis(text: string): Outcome<Parsed>;
  countElements(shape: readonly Extent[]): Outcome<bigint>;
  countBytes(shape: readonly Extent[], dtype: string): Outcome<bigint>;
  align(rule: string, shapes: readonly (readonly Extent[])[], options: AlignOptions): Outcome<Alignment>;
  /** What a rule says about shapes with unknown extents; the explanations must be loaded. */
  alignSymbolic(
    rule: string,
    shapes: readonly (string | readonly Extent[])[],
    options: SymbolicOptions,
  ): Outcome<SymbolicDocument>;
  /** Loads the explanations: causes, repairs, warnings and the reader of pasted texts. */
  loadExplanations(): Promise<void>;
  /** The shapes and the system of a pasted text; null if it has none. */
  readPasted(text: string): Pasted | null;
  /** The shapes of a text that has nothing else; none if it has anything else. */
  readShapes(text: string): readonly ShapeInText[];
  /** The array in a `.npy` file, or why it cannot be read. */
  readNpy(
    bytes: ArrayBuffer,
  ): Promise<{ readonly ok: true; readonly value: Tensor } | { readonly ok: false; readonly message: string }>;
  /** The question of a layer of OpenVINO's IR, or a message. Rejects if the reader does not load. */
  readLayer(
    text: string,
  ): Promise<{ readonly ok: true; readonly value: LayerQuestion } | { readonly ok: false; readonly message: string }>;
  apply(
    op: string,
    inputs: readonly Tensor[],
    rule: string,
    options: RuleOptions,
    attributes: Attributes,
    promote: string,
  ): Outcome<readonly Tensor[]>;
}

// --- The package ---------------------------------------------------------------

function failureOf(error: ErrorRecord): Failure {
  return {
    class: error.code,
    detail: error.detail ?? '',
    message: error.message,
    operand: error.operand,
    operandAxis: error.operandAxis,
    span: error.span,
  };
}

function attempt<T>(work: () => T): Outcome<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof BroadcastError) return { ok: false, failure: failureOf(error) };
    throw error;
  }
}

/** For a text that is read once what explains is loaded. */
const waiting: Outcome<never> = {
  ok: false,
  failure: {
    ...{ class: 'parse', detail: '', message: '', operand: null, operandAxis: null, span: null },
    isPending: true,
  },
};

/** Extents are numbers if all of them are safe integers, so that most code can ignore bigints. */
const isSafe = (extent: Extent): boolean => Number.isSafeInteger(Number(extent));

/** A word before a bracket that may be an element type: `f64[2,3]`. The core reads the shape alone. */
const typeBefore = /^\s*(?:[\w.]*\d|bool|half|double|float)\s*[([]/i;

/** Characters that only the explanations' parser reads: letters of names, `?`, `2..8`, `2*N`, -1. */
const beyondNumbers = /[^\d\s,()[\]]/;

function alignmentOf(
  make: (pasted?: PastedQuestion) => CoreAlignment<Extent>,
  attrsOf: (attributes: Attributes) => object,
): Alignment {
  const made = make();
  return {
    axes: made.axes,
    conflicts: made.conflicts,
    output: made.shape ?? made.axes.map(({ extent }) => extent),
    failure: made.error ? failureOf(made.error) : null,
    verdict: made.verdict,
    growsBoth: made.growsBoth,
    cause: () => made.cause,
    repairs: (pasted) => (pasted ? make(pasted) : made).repairs(),
    warnings: () => made.warnings(),
    code: (system, operands, attributes) => made.code(system, { operands, attrs: attrsOf(attributes) }),
    compare: () => made.compare(),
    sourceOf: (operand, index) => made.sourceOf(operand, index).map(Number),
    fanOut: (operand, index) =>
      made.fanOut(operand, index).map(({ begin, end }) => ({ begin: Number(begin), end: Number(end) })),
  };
}

/** The operand whose type the others and the result follow. */
const leading = (op: OpEntry): number => Math.max(0, op.follows.indexOf(true));

/** The entry for operand `i`; operands after the last entry are like it. */
const at = <T>(list: readonly T[], i: number): T | undefined => list[Math.min(i, list.length - 1)];

/** Whether there is no engine because the browser lacks something, not because a file did not arrive. */
export const lacking = (error: unknown): boolean => error instanceof LoadError && error.code !== 'load';

export async function loadEngine(): Promise<Engine> {
  const bl = await load();
  const rows: CoreVocabulary = bl.vocabulary;
  const rules = Object.values(rows.rules);
  const ops = Object.values(rows.ops);
  const dtypes = Object.values(rows.dtypes);
  const opNamed = (name: string): OpEntry | undefined => ops.find((op) => op.name === name);
  const typesOf = (op: OpEntry, { fmod }: Pick<Attributes, 'fmod'>) =>
    fmod === '1' && op.fmodTypes ? op.fmodTypes : op.types;
  const typeNamed = (name: string): DTypeEntry => dtypes.find((type) => type.name === name) ?? rows.dtypes.f32;

  // Names come from links and may be unknown; the core then reports an error.
  const align = bl.align.bind(bl) as (
    rule: string,
    shapes: readonly (readonly Extent[])[],
    options: AlignOptions,
  ) => CoreAlignment<Extent>;
  const apply = bl.apply.bind(bl) as unknown as (
    op: string,
    inputs: readonly Tensor[],
    options: object,
  ) => Tensor | Tensor[];

  /** The attributes that an operator takes, as the package takes them. */
  const attrsOf = (name: string, { fmod, direction, to, saturate }: Attributes) => {
    const attribute = opNamed(name)?.attribute;
    return {
      ...(attribute === 'fmod' && fmod !== '' ? { fmod: Number(fmod) } : {}),
      ...(attribute === 'direction' && direction !== '' ? { direction } : {}),
      ...(attribute === 'to' && to !== '' ? { to } : {}),
      ...(attribute === 'to' && saturate !== '' ? { saturate: Number(saturate) } : {}),
    };
  };

  const narrowed = (values: readonly Extent[]): readonly Extent[] =>
    values.every(isSafe) ? values.map(Number) : values;
  const parsed = (work: () => Parsed): Outcome<Parsed> =>
    attempt(() => {
      const { values, spans } = work();
      return { values: narrowed(values), spans };
    });

  let readBeyond: ReadBeyond | undefined;
  /** What the core read; where it cannot, or leaves a type out, what the reader of names and unknown extents does. */
  const orBeyond = (text: string, operand: number, read: Outcome<Parsed>): Outcome<Parsed> => {
    if (read.ok ? !typeBefore.test(text) : !beyondNumbers.test(text)) return read;
    if (readBeyond) return readBeyond(text, operand, read);
    return read.ok ? waiting : { ok: false, failure: { ...read.failure, isPending: true } };
  };

  const numbers = (text: string, operand: number): Outcome<Parsed> =>
    parsed(() => bl.parseShape(text, { operand, bigint: true }));
  const listed = (text: string): Outcome<Parsed> => parsed(() => bl.parseIntegers(text, { bigint: true }));
  /** Replaces the core's message, which is about shapes. */
  const reworded = <T>(read: Outcome<T>, message: string): Outcome<T> =>
    read.ok ? read : { ok: false, failure: { ...read.failure, message } };

  return {
    vocabulary: {
      rules,
      ops,
      dtypes,
      documents: new Map(Object.values(rows.documents).map(({ name, title }) => [name, title])),
      clauses: new Map(Object.values(rows.clauses).map((clause) => [clause.name, clause])),
    },
    operandName: (operand) => bl.formatOperand(operand),
    typeNamed,
    opsFor: (rule) => ops.filter((op) => op.rules.some((name) => name === rule)),
    dtypesFor(name, attributes) {
      const op = opNamed(name);
      const accepted = op ? (at(typesOf(op, attributes), leading(op)) ?? []) : [];
      return dtypes.filter((type) => accepted.includes(type.name));
    },
    operandTypes(name, operand, attributes) {
      const op = opNamed(name);
      const accepted = (op && at(typesOf(op, attributes), operand)) ?? [];
      return dtypes.filter((type) => accepted.includes(type.name));
    },
    computedTypes: (name, types, promote) =>
      attempt(() => {
        const op = opNamed(name);
        return promote === '' || !op ? types : bl.promotedTypes(op.name, ...(types as DTypeEntry['name'][]));
      }),
    operandType(name, operand, dtype) {
      const op = opNamed(name);
      return op ? operandType(op, operand, dtype as DType) : dtype;
    },
    resultType(name, types, to = '') {
      const op = opNamed(name);
      if (op?.result === 'to') return typeNamed(to);
      if (op?.result === 'bool') return rows.dtypes.bool;
      return typeNamed(types[op?.result === 'second' ? 1 : 0] ?? '');
    },
    parseNumbers: numbers,
    parseShape: (text, operand) => orBeyond(text, operand, numbers(text, operand)),
    parseTarget: (text) =>
      orBeyond(
        text,
        targetOperand,
        parsed(() => bl.parseIntegers(text, { operand: targetOperand, bigint: true })),
      ),
    parseMapping: (text) => reworded(listed(text), 'axes_mapping is a list of axes: whole numbers such as [0, 2].'),
    parseAxis(text) {
      const message = 'axis is one whole number, such as 1 or -1.';
      const list = reworded(listed(text), message);
      if (!list.ok || list.value.values.length === 1) return list;
      const span = list.value.spans[1] ?? { begin: 0, end: text.length };
      return {
        ok: false,
        failure: { class: 'attribute', detail: '', message, operand: null, operandAxis: null, span },
      };
    },
    countElements: (shape) => attempt(() => BigInt(bl.countElements(shape))),
    countBytes: (shape, dtype) => attempt(() => BigInt(bl.countBytes(shape, dtype as DTypeEntry['name']))),
    align: (rule, shapes, options) =>
      attempt(() => {
        // One bigint makes all of them bigints.
        const wide = ![...shapes.flat(), ...(options.targetShape ?? [])].every((extent) => typeof extent === 'number');
        const all = (shape: readonly Extent[]): readonly Extent[] => (wide ? shape.map(BigInt) : shape);
        const { targetShape } = options;
        const given = { ...options, ...(targetShape ? { targetShape: all(targetShape) } : {}) };
        return alignmentOf(
          (pasted) => align(rule, shapes.map(all), { ...given, ...(pasted ? { pasted } : {}) }),
          (attributes) => attrsOf(options.op ?? '', attributes),
        );
      }),
    alignSymbolic: (rule, shapes, options) => attempt(() => bl.alignSymbolic(rule as RuleRow['name'], shapes, options)),
    async loadExplanations() {
      const [{ beyond }] = await Promise.all([import('./beyond-numbers'), bl.loadExplanations()]);
      readBeyond = beyond(bl, attempt, narrowed);
    },
    readPasted: (text) => bl.readPasted(text),
    readShapes(text) {
      const read = attempt(() => bl.readShapes(text));
      return read.ok ? read.value : [];
    },
    async readNpy(bytes) {
      const { parseNpy } = await import('broadloom/npy');
      try {
        return { ok: true, value: parseNpy(bytes) as Tensor };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
    async readLayer(text) {
      const { ModelError, readLayer } = await import('broadloom/models');
      try {
        return { ok: true, value: readLayer(text) };
      } catch (error) {
        if (error instanceof ModelError) return { ok: false, message: error.message };
        throw error;
      }
    },
    apply: (name, inputs, rule, options, attributes, promote) =>
      attempt(() => {
        const attrs = attrsOf(name, attributes);
        const results = apply(name, inputs, { rule, ...options, attrs, ...(promote === '' ? {} : { promote }) });
        return Array.isArray(results) ? results : [results];
      }),
  };
}
