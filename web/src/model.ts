// From a state to everything that the views draw. Pure: the same state gives
// the same picture. No rule and no broadcasting is known here; the core is asked.

import type {
  Alignment,
  DTypeEntry,
  Engine,
  Extent,
  Failure,
  OpEntry,
  Outcome,
  Parsed,
  RuleEntry,
  Span,
} from './engine';
import { type Arity, operandsInUse, questionOf, type State } from './state';
import { countingData, readable, type Values } from './values';

/** More elements than this, operands and results together, are not computed; shapes and verdict are shown all the same. */
export const mostElements = 4_000_000;

/** A text that was typed and what the core made of it. */
export interface Field {
  readonly text: string;
  readonly values: readonly Extent[] | null;
  readonly spans: readonly Span[];
  readonly failure: Failure | null;
}

export interface Operand extends Field {
  readonly name: string;
  readonly dtype: string;
}

/** Values of the operands and the results. */
interface Woven {
  readonly shape: readonly number[];
  readonly operands: readonly Values[];
  readonly outputs: readonly Values[];
}

/** A result as it is looked at, cell by cell. */
export interface Cloth extends Woven {
  /** The cell in hand, within the shape. */
  readonly at: readonly number[];
  /** Axes on rows and columns; null where there are too few. */
  readonly rows: number | null;
  readonly columns: number | null;
  readonly output: number;
}

/** What the core says to a question; where one looks does not change it. */
interface Answer {
  readonly rule: RuleEntry | null;
  readonly op: OpEntry | null;
  readonly arity: Arity;
  readonly operands: readonly Operand[];
  readonly axis: Field;
  readonly target: Field;
  readonly mapping: Field;
  readonly alignment: Alignment | null;
  /** The first thing that is wrong, or null. */
  readonly failure: Failure | null;
  /** How many elements the result has; null when there is none. */
  readonly elements: bigint | null;
  readonly bytes: bigint | null;
  readonly woven: Woven | null;
  /** Too large to be computed here. */
  readonly oversize: boolean;
  readonly empty: boolean;
}

export interface Model extends Answer {
  readonly state: State;
  readonly cloth: Cloth | null;
}

export function arityOf(rule: RuleEntry | null, op: OpEntry | null): Arity {
  const least = Math.max(rule?.leastOperands ?? 1, op?.leastOperands ?? 1);
  const mosts = [rule?.mostOperands, op?.mostOperands].filter((most): most is number => typeof most === 'number');
  return { least, most: mosts.length > 0 ? Math.max(least, Math.min(...mosts)) : null };
}

function field(text: string, parsed: Outcome<Parsed>): Field {
  return parsed.ok
    ? { text, values: parsed.value.values, spans: parsed.value.spans, failure: null }
    : { text, values: null, spans: [], failure: parsed.failure };
}

const absent: Field = { text: '', values: null, spans: [], failure: null };

/** The cell in hand, moved into the shape; a new rank starts at the first cell. */
function within(at: readonly number[], shape: readonly number[]): number[] {
  return shape.map((extent, axis) => Math.max(0, Math.min(at[axis] ?? 0, extent - 1)));
}

function axesToDraw(state: State, rank: number): { rows: number | null; columns: number | null } {
  if (rank === 0) return { rows: null, columns: null };
  if (rank === 1) return { rows: null, columns: 0 };
  const columns = state.columns !== null && state.columns < rank ? state.columns : rank - 1;
  let rows = state.rows !== null && state.rows < rank ? state.rows : rank - 2;
  if (rows === columns) rows = columns === rank - 1 ? rank - 2 : rank - 1;
  return { rows, columns };
}

// Counting data of each operand, for as long as its shape and type stay.
const kept: Values[] = [];

function countingFor(type: DTypeEntry, shape: readonly number[], operand: number): Values {
  const before = kept[operand];
  const same = before?.dtype === type.name && before.shape.join() === shape.join();
  return (kept[operand] = same ? before : countingData(type, shape, operand));
}

// The last answer is kept: moving about in a large result computes nothing again.
let last: { readonly engine: Engine; readonly question: string; readonly answer: Answer } | null = null;

export function compute(engine: Engine, state: State): Model {
  const question = questionOf(state);
  if (last?.engine !== engine || last.question !== question) last = { engine, question, answer: ask(engine, state) };
  const { answer } = last;
  const { woven } = answer;
  const cloth: Cloth | null = woven && {
    ...woven,
    at: within(state.at, woven.shape),
    ...axesToDraw(state, woven.shape.length),
    output: Math.min(state.output, woven.outputs.length - 1),
  };
  return { ...answer, state, cloth };
}

function ask(engine: Engine, state: State): Answer {
  const rule = engine.vocabulary.rules.find(({ name }) => name === state.rule) ?? null;
  const op = engine.vocabulary.ops.find(({ name }) => name === state.op) ?? null;
  const arity = arityOf(rule, op);

  const operands = operandsInUse(state, arity).map((text, i): Operand => ({
    ...field(text, engine.parseShape(text, i)),
    name: engine.operandName(i),
    dtype: engine.operandType(state.op, i, state.dtype),
  }));
  const target = rule?.takesTarget ? field(state.target, engine.parseTarget(state.target)) : absent;
  const mapping =
    rule?.takesTarget && state.mapping.trim() !== ''
      ? field(state.mapping, engine.parseMapping(state.mapping))
      : absent;
  const axis = rule?.takesAxis && state.axis.trim() !== '' ? field(state.axis, engine.parseAxis(state.axis)) : absent;

  const known = { rule, op, arity, operands, axis, target, mapping };
  const nothing = { alignment: null, elements: null, bytes: null, woven: null, oversize: false, empty: false };
  const fails = (failure: Failure): Answer => ({ ...known, ...nothing, failure });

  const malformed = [...operands, axis, target, mapping].find(({ failure }) => failure !== null)?.failure;
  if (malformed) return fails(malformed);

  // A link may name a type that there is not.
  const typed = engine.countBytes([], state.dtype);
  if (!typed.ok) return fails(typed.failure);

  const shapes = operands.map(({ values }) => values ?? []);
  const resultType = engine.resultType(
    state.op,
    operands.map(({ dtype }) => dtype),
  );
  const options = {
    dtype: resultType.name,
    ...(axis.values ? { axis: axis.values[0] } : {}),
    ...(target.values ? { targetShape: target.values } : {}),
    ...(mapping.values ? { axesMapping: mapping.values } : {}),
  };
  const aligned = engine.align(state.rule, shapes, options);
  if (!aligned.ok) return fails(aligned.failure);
  const alignment = aligned.value;
  const partial = { ...known, ...nothing, alignment };
  if (alignment.failure) return { ...partial, failure: alignment.failure };

  const counted = engine.countElements(alignment.output);
  const weighed = engine.countBytes(alignment.output, resultType.name);
  if (!counted.ok) return { ...partial, failure: counted.failure };
  if (!weighed.ok) return { ...partial, failure: weighed.failure };
  const elements = counted.value;
  const bytes = weighed.value;
  const sized = { ...partial, elements, bytes };
  // An operator that only repeats gives a result for each operand.
  const results = op?.notation === 'a' ? operands.length : 1;
  const total = [...shapes, ...Array<readonly Extent[]>(results).fill(alignment.output)].reduce((sum, shape) => {
    const count = engine.countElements(shape);
    return sum + (count.ok ? count.value : BigInt(mostElements) + 1n);
  }, 0n);
  if (total > BigInt(mostElements)) return { ...sized, failure: null, oversize: true };

  // Few enough elements, so every extent is a small number.
  const shape = alignment.output.map(Number);
  const inputs = operands.map(({ dtype }, i) => countingFor(engine.typeNamed(dtype), shapes[i]?.map(Number) ?? [], i));
  kept.length = inputs.length;
  const applied = engine.apply(state.op, inputs, state.rule, options, state);
  if (!applied.ok) return { ...sized, failure: applied.failure };
  if (elements === 0n) return { ...sized, failure: null, empty: true };
  const outputs = applied.value.map((tensor) => readable(engine.typeNamed(tensor.dtype), tensor));
  return { ...sized, failure: null, woven: { shape, operands: inputs, outputs } };
}
