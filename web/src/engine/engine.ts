// The only file that imports the package. The rest of the page uses the types below; errors that the package throws are returned
// as values.

import {
  type AlignedAxis as CoreAxis,
  type AlignedCell as CoreCell,
  type Alignment as CoreAlignment,
  BroadcastError,
  type Conflict as CoreConflict,
  type DType,
  type DTypeRow,
  type ErrorRecord,
  type Extent,
  type IndexRange,
  load,
  LoadError,
  type OpName,
  type OpRow,
  type Relation,
  type Repair as CoreRepair,
  type RuleRow,
  type TypedArray,
  type Vocabulary as CoreVocabulary,
} from 'broadloom';

// The bits of f16, bf16 and the floats of 8 bits, which their typed arrays hold.
export { decodeFloat, encodeFloat, isSmallFloat } from 'broadloom/floats';

// The package's records; the page shows extents of both kinds.
export type { DType, Extent, IndexRange, OpName, Relation };
export type AlignedCell = CoreCell<Extent>;
export type AlignedAxis = CoreAxis<Extent>;
export type Conflict = CoreConflict<Extent>;
export type Repair = CoreRepair<Extent>;
export interface Span {
  readonly begin: number;
  readonly end: number;
}
/** The target shape, where an operand's number is expected. */
export const targetOperand = -2;

/** An error, as data and as a sentence. */
export interface Failure {
  /** One of the vocabulary's error classes. */
  readonly class: string;
  readonly detail: string;
  readonly message: string;
  readonly operand: number | null;
  readonly operandAxis: number | null;
  /** The token at fault in the text that was typed. */
  readonly span: Span | null;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface Parsed {
  readonly values: readonly Extent[];
  readonly spans: readonly Span[];
}

export interface Alignment {
  readonly axes: readonly AlignedAxis[];
  readonly conflicts: readonly Conflict[];
  readonly output: readonly Extent[];
  readonly failure: Failure | null;
  /** One or two sentences: whether the shapes fit, and what repeats. */
  readonly verdict: string;
  /** Whether two operands stretch to each other, so that the result is larger than each. */
  readonly growsBoth: boolean;
  repairs(): readonly Repair[];
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
  /** Repairs try PDPD's axes from 0 to this one. */
  readonly mostAxisTried: number;
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
  parseShape(text: string, operand: number): Outcome<Parsed>;
  parseTarget(text: string): Outcome<Parsed>;
  parseMapping(text: string): Outcome<Parsed>;
  parseAxis(text: string): Outcome<Parsed>;
  countElements(shape: readonly Extent[]): Outcome<bigint>;
  countBytes(shape: readonly Extent[], dtype: string): Outcome<bigint>;
  /** `dtype` is the result's element type: its bytes have to be countable. */
  align(
    rule: string,
    shapes: readonly (readonly Extent[])[],
    options: RuleOptions & { readonly dtype?: string },
  ): Outcome<Alignment>;
  /** The array in a `.npy` file, or why it cannot be read. */
  readNpy(
    bytes: ArrayBuffer,
  ): Promise<{ readonly ok: true; readonly value: Tensor } | { readonly ok: false; readonly message: string }>;
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

/** Extents are numbers if all of them are safe integers, so that most code can ignore bigints. */
const isSafe = (extent: Extent): boolean => Number.isSafeInteger(Number(extent));

function alignmentOf(made: CoreAlignment<Extent>): Alignment {
  return {
    axes: made.axes,
    conflicts: made.conflicts,
    output: made.shape ?? made.axes.map(({ extent }) => extent),
    failure: made.error ? failureOf(made.error) : null,
    verdict: made.verdict,
    growsBoth: made.growsBoth,
    repairs: () => made.repairs(),
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
    options: RuleOptions,
  ) => CoreAlignment<Extent>;
  const apply = bl.apply.bind(bl) as unknown as (
    op: string,
    inputs: readonly Tensor[],
    options: object,
  ) => Tensor | Tensor[];

  const narrowed = (values: readonly Extent[]): readonly Extent[] =>
    values.every(isSafe) ? values.map(Number) : values;
  const parsed = (work: () => Parsed): Outcome<Parsed> =>
    attempt(() => {
      const { values, spans } = work();
      return { values: narrowed(values), spans };
    });

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
      mostAxisTried: rows.mostAxisTried,
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
      const accepted: readonly string[] = (op && at(op.types, operand)) ?? [];
      if (!op || at(op.follows, operand) === true || accepted.includes(dtype)) return dtype;
      return accepted[0] ?? dtype;
    },
    resultType(name, types, to = '') {
      const op = opNamed(name);
      if (op?.result === 'to') return typeNamed(to);
      if (op?.result === 'bool') return rows.dtypes.bool;
      return typeNamed(types[op?.result === 'second' ? 1 : 0] ?? '');
    },
    parseShape: (text, operand) => parsed(() => bl.parseShape(text, { operand, bigint: true })),
    parseTarget: (text) => parsed(() => bl.parseIntegers(text, { operand: targetOperand, bigint: true })),
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
        return alignmentOf(
          align(rule, shapes.map(all), { ...options, ...(targetShape ? { targetShape: all(targetShape) } : {}) }),
        );
      }),
    async readNpy(bytes) {
      const { parseNpy } = await import('broadloom/npy');
      try {
        return { ok: true, value: parseNpy(bytes) as Tensor };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
    apply: (name, inputs, rule, options, { fmod, direction, to, saturate }, promote) =>
      attempt(() => {
        const attribute = opNamed(name)?.attribute;
        const attrs = {
          ...(attribute === 'fmod' && fmod !== '' ? { fmod: Number(fmod) } : {}),
          ...(attribute === 'direction' && direction !== '' ? { direction } : {}),
          ...(attribute === 'to' && to !== '' ? { to } : {}),
          ...(attribute === 'to' && saturate !== '' ? { saturate: Number(saturate) } : {}),
        };
        const results = apply(name, inputs, { rule, ...options, attrs, ...(promote === '' ? {} : { promote }) });
        return Array.isArray(results) ? results : [results];
      }),
  };
}
