// What `alignment.code` asks of the module that explains: the request, completed by an operator, types and values.

import { readPlanRequest } from '../api/requests.js';
import type { Core } from '../core/core.js';
import type { Meant } from '../core/explainer-calls.js';
import type { Request } from '../core/fields.js';
import { entryOf, readDType, readOptions } from '../operands/arguments.js';
import { entryFor } from '../types/entry-for.js';
import type { Extent } from '../types/extent.js';
import type { DType, OpName, RuleName } from '../types/vocabulary.js';
import type { OpRow } from '../types/vocabulary-rows.js';
import { listLength } from '../values/lists.js';
import { propertyOf } from '../values/properties.js';
import { show } from '../values/show.js';
import { readExpressions } from './meant.js';

/** Elements that are written one by one; there may be two values for each. A list may be a proxy of any length. */
const MOST_LISTED = 1000;
const MOST_READ = 2 * MOST_LISTED + 1;
/** The kinds of values, by their number. */
const [COUNTING, REPEATED, LISTED] = [0, 1, 2];

interface CodeRequest {
  readonly request: Request;
  /** What the operands are called. */
  readonly names: readonly string[];
}

/** @throws BroadcastError */
export function readCodeRequest(core: Core, request: Request, meant: Meant, options: unknown): CodeRequest {
  const { operands, attrs } = readOptions(core, options, ['operands', 'attrs']);
  const count = request.shapes.length;
  const op = request.op ?? usualOp(core, request.rule as RuleName, count);
  const { fmod, direction, to, saturate } = readPlanRequest(core, op, request.rule as RuleName, [], [], { attrs });
  const list = operands === undefined ? [] : entriesOf(core, operands, count);
  if (list === null) {
    const message = `operands has to be a list with an object for each operand, not ${show(operands)}.`;
    throw core.error({ code: 'attribute' }, operands, message);
  }
  const given = Array.from({ length: count }, (_, i) => readOptions(core, list[i], ['name', 'dtype', 'values']));
  const row = core.vocabulary.ops[op];
  const own = given.map(({ dtype }, operand) =>
    dtype === undefined ? undefined : readDType(core, dtype, { op, operand }),
  );
  const leading = own.find((dtype, i) => dtype !== undefined && entryFor(row.follows, i));
  const dtypes = own.map((dtype, i) => dtype ?? (entryFor(row.follows, i) ? leading : undefined) ?? usualType(row, i));
  const words: Extent[] = [];
  given.forEach(({ values }, i) => {
    const elements = (request.shapes[i] as readonly Extent[]).reduce((product: number, n) => product * Number(n), 1);
    for (const word of wordsOf(core, values, dtypes[i] as DType, i, elements)) words.push(word);
  });
  const expressions = readExpressions(core, meant.expressions, count);
  const names = given.map(({ name }, i) => {
    if (name === undefined || name === null) return expressions[i] || core.formatOperand(i);
    if (typeof name === 'string') return name;
    throw core.error({ code: 'attribute', operand: i }, name, `${core.formatOperand(i)}: ${show(name)} is no name.`);
  });
  return { request: { ...request, op, dtypes, fmod, direction, to, saturate, index: words }, names };
}

/** The first operator that takes the rule and as many operands. */
function usualOp(core: Core, rule: RuleName, count: number): OpName {
  const row = Object.values(core.vocabulary.ops).find(
    ({ rules, leastOperands, mostOperands }) =>
      rules.includes(rule) && leastOperands <= count && (mostOperands ?? count) >= count,
  );
  return row?.name ?? 'Add';
}

/** The usual type of an operand: f32 or i32 where the operator takes them. */
function usualType({ types }: OpRow, operand: number): DType {
  const taken = entryFor(types, operand) ?? [];
  return (['f32', 'i32'] as const).find((dtype) => taken.includes(dtype)) ?? taken[0] ?? 'f32';
}

/** Kind, first and step, the number of integers and these, the number of reals and the bits of these. */
function wordsOf(core: Core, values: unknown, dtype: DType, operand: number, elements: number): Extent[] {
  const wrong = (value: unknown, wanted: string) =>
    core.error(
      { code: 'attribute', operand },
      value,
      `${core.formatOperand(operand)}: ${show(value)} is no ${wanted}.`,
    );
  const own = entriesOf(core, values, MOST_READ);
  const list = own ?? entriesOf(core, propertyOf(Object(values) as object, 'all'), MOST_READ);
  if (list === null) {
    const { first = 1, step = 1 } = readOptions(core, values, ['first', 'step']);
    for (const value of [first, step]) if (!Number.isSafeInteger(value)) throw wrong(value, 'whole number');
    return [COUNTING, first as number, step as number, 0, 0];
  }
  const kind = own === null ? REPEATED : LISTED;
  const { kind: typeKind, bits } = core.vocabulary.dtypes[dtype];
  // A complex element is two values. Where there are more elements than are written, the answer says so.
  const most = elements * (typeKind === 'opaque' ? 2 : 1);
  if (kind === LISTED && list.length > most && elements <= MOST_LISTED) {
    const message = `${core.formatOperand(operand)} has more values than elements, which are ${elements}.`;
    throw core.error({ code: 'extent', operand }, values, message);
  }
  if (typeKind === 'float' || (typeKind === 'opaque' && bits >= 8)) {
    const numbers = list.map((value) => {
      if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
      throw wrong(value, `value of ${dtype}`);
    });
    const reals = new BigInt64Array(Float64Array.from(numbers).buffer);
    return [kind, 0, 1, 0, reals.length, ...reals];
  }
  const integers = list.map((value) => {
    if (dtype === 'bool' || typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'bigint') return BigInt.asIntN(64, value);
    if (Number.isInteger(value)) return BigInt.asIntN(64, BigInt(value as number));
    throw wrong(value, `value of ${dtype}`);
  });
  return [kind, 0, 1, integers.length, ...integers, 0];
}

/** The first entries of a list or typed array, at most so many; null of anything else. */
function entriesOf(core: Core, list: unknown, most: number): unknown[] | null {
  const isArray = ArrayBuffer.isView(list) && !(list instanceof DataView);
  const length = isArray ? (list as Uint8Array).length : listLength(list);
  if (length === -1) return null;
  return Array.from({ length: Math.min(length, most) }, (_, i) => entryOf(core, list as unknown[], i));
}
