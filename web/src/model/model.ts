// Computes from a state what the views draw. Pure: the same state gives the same model. No rule is known here; the core is
// asked.

import type {
  Alignment,
  AxisNames,
  Engine,
  Extent,
  Failure,
  OpEntry,
  Outcome,
  Parsed,
  RuleEntry,
  Span,
  SymbolicDocument,
  TypeInText,
  UnknownShape,
} from '../engine/engine';
import { signal } from '@preact/signals';
import { files } from '../values/files';
import { countText } from '../text/format';
import { namesOf } from '../state/operand-names';
import { type Arity, longestText, mostAxes, operandsInUse, sameQuestion, type State } from '../state/state';
import type { OperandValues } from '../values/operand-values';
import { valuesOf } from '../values/values';
import { withNames } from './axis-names';
import { computedResult, type ComputedResult } from '../values/computed-result';

/** A text that was typed, and how the core reads it. */
export interface Field {
  readonly text: string;
  readonly values: readonly Extent[] | null;
  readonly spans: readonly Span[];
  readonly failure: Failure | null;
  /** The names of its axes; null where it has none. */
  readonly names: AxisNames | null;
  /** A shape with unknown extents, which has neither values nor a failure. */
  readonly unknown: UnknownShape | null;
  /** The element type beside it, as in `f64[2,3]`; null where it has none. */
  readonly typed: TypeInText | null;
}

export interface Operand extends Field {
  readonly name: string;
  readonly dtype: string;
  /** Its type where none is chosen for it. */
  readonly unchosenType: string;
  /** Why the type beside its shape is not its type; null where it is, or there is none. */
  readonly typeNote: string | null;
  /** Its values; null if its shape cannot be read. */
  readonly given: OperandValues | null;
}

/** A result, and which cells of it are drawn. */
export interface DrawnResult extends ComputedResult {
  /** The index of the cell in hand, within the shape. */
  readonly at: readonly number[];
  /** The axes drawn along rows and columns; null if there are too few axes. */
  readonly rows: number | null;
  readonly columns: number | null;
  /** The axis whose slices stand side by side; null is none. */
  readonly slices: number | null;
  readonly output: number;
}

/** The core's answer to a question; it does not depend on which cells are looked at. */
interface Answer {
  readonly rule: RuleEntry | null;
  readonly op: OpEntry | null;
  readonly arity: Arity;
  readonly operands: readonly Operand[];
  /** The type beside a shape that the operands have in place of the question's; an empty text for none. */
  readonly typeInShape: string;
  readonly axis: Field;
  readonly target: Field;
  readonly mapping: Field;
  readonly alignment: Alignment | null;
  /** The answer in place of an alignment where extents are unknown, or axes are matched by name. */
  readonly symbolic: SymbolicDocument | null;
  /** Whether a text can be read only when the explanations are loaded. */
  readonly pending: boolean;
  /** The first thing that is wrong, or null. */
  readonly failure: Failure | null;
  /** The number of elements of the result; null if there is no result. */
  readonly elements: bigint | null;
  /** The result's element type; null if there is no result. */
  readonly resultType: string | null;
  readonly bytes: bigint | null;
  /** Bytes of all operands together. */
  readonly bytesIn: bigint | null;
  readonly computed: ComputedResult | null;
  /** Whether the result, or an operand, has more elements than JavaScript's numbers can count exactly. */
  readonly oversize: boolean;
  readonly empty: boolean;
}

export interface Model extends Answer {
  readonly state: State;
  readonly result: DrawnResult | null;
}

export function arityOf(rule: RuleEntry | null, op: OpEntry | null): Arity {
  const least = Math.max(rule?.leastOperands ?? 1, op?.leastOperands ?? 1);
  const mosts = [rule?.mostOperands, op?.mostOperands].filter((most): most is number => typeof most === 'number');
  return { least, most: mosts.length > 0 ? Math.max(least, Math.min(...mosts)) : null };
}

/** Reads a text, unless it is too long; `what` names it in messages. */
function field(text: string, what: string, read: (text: string) => Outcome<Parsed>): Field {
  const parsed = text.length > longestText ? refused(tooLong(text, what)) : read(text);
  if (parsed.ok) {
    const { values, spans, names = null, typed = null } = parsed.value;
    return { text, values, spans, failure: null, names, unknown: null, typed };
  }
  const { unknown = null } = parsed.failure;
  return unknown
    ? {
        ...{ text, values: null, spans: unknown.spans, failure: null, names: unknown.names },
        ...{ unknown, typed: unknown.typed ?? null },
      }
    : { ...absent, text, failure: parsed.failure };
}

const limit = (message: string): Failure => ({
  ...{ class: 'limit', detail: '', message },
  ...{ operand: null, operandAxis: null, span: null },
});

const refused = (message: string): Outcome<never> => ({ ok: false, failure: limit(message) });

const tooLong = (text: string, what: string): string =>
  `${what} is ${countText(text.length)} characters long; this page reads up to ${countText(longestText)}. Shorten it.`;

const tooManyAxes = (axes: number): string =>
  `The operands have ${countText(axes)} axes together; this page takes up to ${countText(mostAxes)}. Use fewer axes or fewer operands.`;

const absent: Field = {
  ...{ text: '', values: null, spans: [], failure: null, names: null },
  ...{ unknown: null, typed: null },
};

/** The parts of a question that `askSymbolic` asks. */
export type SymbolicQuestion = Pick<Answer, 'rule' | 'operands' | 'axis' | 'target' | 'mapping'> & {
  readonly state: State;
};
export type SymbolicOutcome =
  | { readonly ok: true; readonly value: SymbolicDocument }
  /** With the fields at fault marked. */
  | { readonly ok: false; readonly failure: Failure; readonly marked: Pick<Answer, 'operands' | 'target'> };
/** Asks about shapes with unknown extents; null until `symbolic` is loaded, which has it. */
export const askSymbolic = signal<((engine: Engine, question: SymbolicQuestion) => SymbolicOutcome) | null>(null);

function typeNoteOf(typed: TypeInText | null, dtype: string, chosen: string, op: string): string | null {
  if (typed === null || typed.dtype === dtype) return null;
  const reason =
    typed.dtype === null
      ? 'it is no element type that this page has'
      : chosen === ''
        ? `${op} does not take it here`
        : `${chosen} is chosen`;
  return `The type ${typed.text} is left out: ${reason}.`;
}

/** In place of a failure, for parts of the page that need numbers. */
const withoutNumbers: Failure = {
  ...limit('Not all extents are numbers, or axes are matched by name: the answer is in conditions.'),
  class: 'extent',
};

/** The index of the cell in hand, moved into the shape; axes that are new start at 0. */
function within(at: readonly number[], shape: readonly number[]): number[] {
  return shape.map((extent, axis) => Math.max(0, Math.min(at[axis] ?? 0, extent - 1)));
}

function axesToDraw(state: State, rank: number): Pick<DrawnResult, 'rows' | 'columns' | 'slices'> {
  if (rank === 0) return { rows: null, columns: null, slices: null };
  if (rank === 1) return { rows: null, columns: 0, slices: null };
  const columns = state.columns !== null && state.columns < rank ? state.columns : rank - 1;
  let rows = state.rows !== null && state.rows < rank ? state.rows : rank - 2;
  if (rows === columns) rows = columns === rank - 1 ? rank - 2 : rank - 1;
  const { slices } = state;
  return {
    rows,
    columns,
    slices: slices !== null && slices < rank && slices !== rows && slices !== columns ? slices : null,
  };
}

// The last answers are kept: moving through a large result asks nothing again. There are two: of a question with unknown
// extents, and of its example.
interface Kept {
  readonly engine: Engine;
  readonly state: State;
  readonly held: unknown;
  readonly answer: Answer;
}
let kept: readonly Kept[] = [];

export function compute(engine: Engine, state: State): Model {
  // A file may be read after the state that names it.
  const held = files.value;
  let last = kept.find((one) => one.engine === engine && one.held === held && sameQuestion(one.state, state));
  // Questions that waited for the explanations are asked again.
  if (!last || last.answer.pending) last = { engine, state, held, answer: ask(engine, state) };
  if (kept[0] !== last) kept = [last, ...kept.filter((one) => one !== last).slice(0, 1)];
  const { answer } = last;
  const { computed } = answer;
  const result: DrawnResult | null = computed && {
    ...computed,
    at: within(state.at, computed.shape),
    ...axesToDraw(state, computed.shape.length),
    output: Math.min(state.output, computed.outputs.length - 1),
  };
  return { ...answer, state, result };
}

/** Whether the shapes of a state fit, and the result can be counted; values and operators are not looked at. */
export function shapesFit(engine: Engine, state: State): boolean {
  const { alignment, failure } = ask(engine, state, 'shapes');
  return alignment !== null && failure === null;
}

/** Whether the question has an answer. */
export const answers = (engine: Engine, state: State): boolean => ask(engine, state).failure === null;

/** Whether the result is so large, or so much larger than the operands, that it is probably a mistake. */
export const blowsUp = ({ bytes, bytesIn }: Model): boolean =>
  bytes !== null && bytesIn !== null && (bytes > 2n ** 30n || (bytes > 2n ** 20n && bytes > 1000n * bytesIn));

/** Whether operands are refused because their types differ, which promotion could change. */
export const mixedTypes = ({ failure }: Model): boolean => failure?.class === 'dtype' && failure.detail === 'mixed';

function ask(engine: Engine, state: State, what: 'shapes' | 'all' = 'all'): Answer {
  const rule = engine.vocabulary.rules.find(({ name }) => name === state.rule) ?? null;
  const op = engine.vocabulary.ops.find(({ name }) => name === state.op) ?? null;
  const arity = arityOf(rule, op);

  const used = operandsInUse(state, arity);
  const named = namesOf(engine, used);
  const shapesRead = used.map(({ shape }, i) =>
    field(shape, `The shape of ${named.names[i]}`, (text) => named.inOutcome(engine.parseShape(text, i))),
  );
  const target = rule?.takesTarget ? field(state.target, 'The target shape', engine.parseTarget) : absent;
  const mapping =
    rule?.takesTarget && state.mapping.trim() !== ''
      ? field(state.mapping, 'axes_mapping', engine.parseMapping)
      : absent;
  const axis = rule?.takesAxis && state.axis.trim() !== '' ? field(state.axis, 'axis', engine.parseAxis) : absent;
  const axes = [...shapesRead, target].reduce(
    (sum, { values, unknown }) => sum + (values ?? unknown?.extents ?? []).length,
    0,
  );
  // A type beside a shape is the operand's, where the operator takes it; those without one follow it.
  const typedAs = used.map((_, i) => {
    const type = shapesRead[i]?.typed?.dtype;
    return type && engine.operandTypes(state.op, i, state).some(({ name }) => name === type) ? type : '';
  });
  const leads = (type: string, i: number): boolean =>
    type !== '' && used[i]?.dtype === '' && op?.follows[Math.min(i, op.follows.length - 1)] === true;
  const typeInShape = typedAs.find(leads) ?? '';
  const operands = used.map((spec, i): Operand => {
    const shape = shapesRead[i] ?? absent;
    const unchosenType = typedAs[i] || engine.operandType(state.op, i, typeInShape || state.dtype);
    const dtype = spec.dtype || unchosenType;
    const name = named.names[i] ?? '';
    const asked = axes <= mostAxes && shape.values;
    return {
      ...shape,
      name,
      dtype,
      unchosenType,
      typeNote: typeNoteOf(shape.typed, dtype, spec.dtype, state.op),
      given:
        what !== 'shapes' && asked
          ? valuesOf(engine, { name, dtype, operand: i, shape: asked, spec: spec.values })
          : null,
    };
  });

  const known = { rule, op, arity, operands, typeInShape, axis, target, mapping };
  const nothing = {
    alignment: null,
    symbolic: null,
    pending: [...operands, target].some(({ failure }) => failure?.isPending),
    elements: null,
    resultType: null,
    bytes: null,
    bytesIn: null,
    computed: null,
    oversize: false,
    empty: false,
  };
  const fails = (failure: Failure): Answer => ({ ...known, ...nothing, failure });

  const malformed = [...operands, axis, target, mapping].find(({ failure }) => failure !== null)?.failure;
  if (malformed) return fails(malformed);
  if (axes > mostAxes) return fails(limit(tooManyAxes(axes)));

  // A link may name a type that does not exist.
  const dtypes = operands.map(({ dtype }) => dtype);
  for (const dtype of [state.dtype, ...dtypes, ...(state.to === '' ? [] : [state.to])]) {
    const typed = engine.countBytes([], dtype);
    if (!typed.ok) return fails(named.inFailure(typed.failure));
  }

  if (state.byName !== '' || [...operands, target].some(({ unknown }) => unknown !== null)) {
    const symbolic = askSymbolic.value?.(engine, { state, rule, operands, axis, target, mapping });
    if (!symbolic) return { ...fails(withoutNumbers), pending: true };
    return symbolic.ok
      ? { ...known, ...nothing, symbolic: symbolic.value, failure: withoutNumbers }
      : { ...fails(symbolic.failure), ...symbolic.marked };
  }

  const shapes = operands.map(({ values }) => values ?? []);
  const computed = engine.computedTypes(state.op, dtypes, state.promote);
  const resultType = engine.resultType(state.op, computed.ok ? computed.value : dtypes, state.to);
  const options = {
    ...(axis.values ? { axis: axis.values[0] } : {}),
    ...(target.values ? { targetShape: target.values } : {}),
    ...(mapping.values ? { axesMapping: mapping.values } : {}),
  };
  const aligned = engine.align(state.rule, shapes, {
    ...options,
    dtype: resultType.name,
    ...(op ? { op: op.name } : {}),
    ...(used.some(({ name }) => name !== '') ? { expressions: named.names } : {}),
    ...(operands.some(({ names }) => names)
      ? { names: operands.map(({ names, values }) => names ?? (values ?? []).map(() => null)) }
      : {}),
  });
  if (!aligned.ok) return fails(named.inFailure(aligned.failure));
  const alignment = withNames(named.inAlignment(aligned.value), operands);
  const partial = { ...known, ...nothing, alignment };
  if (alignment.failure) return { ...partial, failure: alignment.failure };

  const counted = engine.countElements(alignment.output);
  const weighed = engine.countBytes(alignment.output, resultType.name);
  if (!counted.ok) return { ...partial, failure: counted.failure };
  if (!weighed.ok) return { ...partial, failure: weighed.failure };
  const elements = counted.value;
  const weights = operands.map(({ values, dtype }) => engine.countBytes(values ?? [], dtype));
  const bytesIn = weights.reduce((sum, weight) => sum + (weight.ok ? weight.value : 0n), 0n);
  const sized = { ...partial, elements, resultType: resultType.name, bytes: weighed.value, bytesIn };
  if (what === 'shapes') return { ...sized, failure: null };
  const unfit = operands.find(({ given }) => given?.failure)?.given?.failure;
  if (unfit) return { ...sized, failure: unfit };
  if (!computed.ok) return { ...sized, failure: named.inFailure(computed.failure) };
  if (![...shapes, alignment.output].every((shape) => isNumbered(engine, shape)))
    return { ...sized, failure: null, oversize: true };

  const made = computedResult(engine, {
    op: state.op,
    rule: state.rule,
    options,
    attributes: state,
    promote: state.promote,
    alignment,
    operands: operands.flatMap(({ given, values }) =>
      given && values ? [{ shape: values.map(Number), type: given.type, source: given.source }] : [],
    ),
  });
  if (!made.ok) return { ...sized, failure: named.inFailure(made.failure) };
  if (elements === 0n) return { ...sized, failure: null, empty: true };
  return { ...sized, failure: null, computed: made.value };
}

/** Whether extents and the number of elements are safe integers. */
function isNumbered(engine: Engine, shape: readonly Extent[]): boolean {
  const counted = engine.countElements(shape);
  return (
    counted.ok &&
    counted.value <= BigInt(Number.MAX_SAFE_INTEGER) &&
    shape.every((extent) => Number.isSafeInteger(Number(extent)))
  );
}
