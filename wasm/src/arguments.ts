// Reads what callers give: anything at all becomes plain values that the core can be asked about, or a BroadcastError.
// No rule is judged here. Everything of a call is read before anything is allocated or written.

import type { Extent } from './alignment.js';
import type { DTypeOfData } from './arrays.js';
import type { Core } from './core.js';
import type { ErrorRecord } from './errors.js';
import type { BytesPlace } from './places.js';
import { Tensor, type Place, type Tensors } from './tensor.js';
import {
  bufferOf,
  byteLengthOf,
  byteOffsetOf,
  HELD_IN,
  typedArrayName,
  type ClassName,
  type Elements,
} from './views.js';
import type { DType, ErrorCode, OpName, RuleName } from './vocabulary.js';

/** The target shape and the result, where an operand is named. */
export const TARGET = -2;
export const OUTPUT = -3;

/** An array as it was given, read once. */
export interface Reading {
  /** What the caller gave. */
  readonly given: unknown;
  /** Its elements; none for a tensor. */
  readonly data: Elements;
  readonly held: ClassName;
  readonly isTensor: boolean;
  readonly shape: readonly Extent[];
  readonly dtype: DType;
  /** Null: row-major, side by side. */
  readonly strides: readonly number[] | null;
}

/** What an error says beside its class: where in the call it was found. */
type Where = Partial<Omit<ErrorRecord, 'code'>>;

const IMPLIED: { readonly [N in ClassName]?: DType } & { readonly [N in keyof DTypeOfData]: DTypeOfData[N] } = {
  Float16Array: 'f16',
  Int8Array: 'i8',
  Int16Array: 'i16',
  Int32Array: 'i32',
  BigInt64Array: 'i64',
  Uint8Array: 'u8',
  Uint16Array: 'u16',
  Uint32Array: 'u32',
  BigUint64Array: 'u64',
  Float32Array: 'f32',
  Float64Array: 'f64',
};

const NO_ELEMENTS: Elements = new Uint8Array(0);

/** The integers of a list, a shape or alike; numbers stay numbers, bigints bigints. `place` tells where it belongs. */
export function readIntegers(core: Core, list: unknown, code: ErrorCode, place: Where): Extent[] {
  if (!isList(list) && !isIntegerArray(list)) {
    const message = `${subject(core, code, place)} has to be a list of whole numbers, not ${show(list)}.`;
    throw core.error({ ...place, code }, list, message);
  }
  const values: Extent[] = [];
  const { length } = list as ArrayLike<unknown>;
  for (let i = 0; i < length; ++i) {
    const value = (list as ArrayLike<unknown>)[i];
    const detail = integerFault(value);
    if (detail !== null) {
      const reason = detail === 'unsafe' ? 'cannot be held exactly; give a bigint below 2^63' : 'is no whole number';
      const message = `${subject(core, code, place)}, entry ${i}: ${show(value)} ${reason}.`;
      throw core.error({ ...place, code, operandAxis: i, detail }, value, message);
    }
    values.push(typeof value === 'number' ? value + 0 : (value as bigint)); // -0 is 0
  }
  return values;
}

/** Array.isArray, to which a revoked proxy is no list but an error. */
export function isList(value: unknown): value is unknown[] {
  return isUsable(value) && Array.isArray(value);
}

/** Whether it may be looked into: a revoked proxy may not. */
function isUsable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    Array.isArray(value);
    return true;
  } catch {
    return false;
  }
}

/** Whether it is meant as an array to compute with, where options are looked for. */
export function isOperand(value: unknown): boolean {
  return isUsable(value) && 'data' in value && 'shape' in value;
}

function isIntegerArray(list: unknown): boolean {
  const name = typedArrayName.call(list);
  return name !== undefined && !name.startsWith('Float');
}

/** A single integer option; undefined where it is not given. */
export function readInteger(
  core: Core,
  value: unknown,
  name: string,
  code: ErrorCode,
  place?: Where,
): Extent | undefined {
  if (value === undefined) return undefined;
  const detail = integerFault(value);
  if (detail === null) return value as Extent;
  throw core.error({ ...place, code, detail }, value, `${name} has to be a whole number, not ${show(value)}.`);
}

/** An operand's number, which the core holds in 32 bits. */
export function readOperand(core: Core, value: unknown): number | undefined {
  const operand = readInteger(core, value, 'operand', 'arity');
  if (operand === undefined) return undefined;
  const index = Number(operand);
  if (index === (index | 0)) return index;
  throw core.error({ code: 'arity' }, value, `There is no operand ${show(value)}.`);
}

function integerFault(value: unknown): 'fractional' | 'unsafe' | null {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? null : 'unsafe';
  if (typeof value !== 'number') return 'fractional';
  if (Number.isSafeInteger(value)) return null;
  return Number.isInteger(value) || Math.abs(value) === Infinity ? 'unsafe' : 'fractional';
}

function subject(core: Core, code: ErrorCode, { operand }: Where): string {
  if (code === 'axes_mapping') return 'axesMapping';
  if (operand === TARGET) return 'targetShape';
  return operand == null ? 'The shape' : `The shape of ${core.formatOperand(operand)}`;
}

/** The shapes of `inferShape` and its like. */
export function readShapes(core: Core, shapes: unknown, rule: RuleName): Extent[][] {
  if (!isList(shapes)) {
    throw core.error({ code: 'arity', rule }, shapes, `A list of shapes is needed, not ${show(shapes)}.`);
  }
  // Array.from, since map would pass over holes.
  return Array.from(shapes, (shape, operand) => readIntegers(core, shape, 'extent', { rule, operand }));
}

export function readTarget(core: Core, shape: unknown, rule: RuleName): Extent[] | undefined {
  if (shape === undefined) return undefined;
  return readIntegers(core, shape, 'extent', { rule, operand: TARGET });
}

export function readMapping(core: Core, mapping: unknown, rule: RuleName): Extent[] | undefined {
  if (mapping === undefined) return undefined;
  return readIntegers(core, mapping, 'axes_mapping', { rule });
}

/** An object with options; names other than `known` are refused, so that a slip of the pen is no silent default. */
export function readOptions<K extends string>(
  core: Core,
  options: unknown,
  known: readonly K[],
): { readonly [N in K]?: unknown } {
  if (options === undefined) return {};
  if (!isUsable(options)) {
    throw core.error({ code: 'attribute' }, options, `Options are given as an object, not as ${show(options)}.`);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name as K)) throw unknownName(core, 'option', name, known);
  }
  return options;
}

export function readRule(core: Core, rule: unknown, op?: OpName): RuleName {
  return readName(core, rule, 'rule', core.vocabulary.rules, { detail: 'rule', op: op ?? null }) as RuleName;
}

export function readOp(core: Core, op: unknown): OpName {
  return readName(core, op, 'operator', core.vocabulary.ops, { detail: 'op' }) as OpName;
}

export function readDType(core: Core, dtype: unknown, place?: Where): DType {
  if (typeof dtype === 'string' && Object.hasOwn(core.vocabulary.dtypes, dtype)) return dtype as DType;
  return readName(core, dtype, 'element type', core.vocabulary.dtypes, { ...place, detail: 'dtype' }) as DType;
}

/** A name of `table`, which lists `what` there is. */
export function readName(core: Core, name: unknown, what: string, table: object, place: Where): string {
  if (typeof name === 'string' && Object.hasOwn(table, name)) return name;
  throw unknownName(core, what, name, Object.keys(table), place);
}

function unknownName(core: Core, what: string, name: unknown, known: readonly string[], place?: Where) {
  const near = typeof name === 'string' ? nearest(name, known) : undefined;
  const hint = near === undefined ? '' : ` Did you mean ${show(near)}?`;
  const message = `There is no ${what} ${show(name)}.${hint} There are: ${known.join(', ')}.`;
  return core.error({ ...place, code: 'unknown' }, name, message);
}

/** An operand, or where the result is to go. */
export function readArray(tensors: Tensors, array: unknown, op: OpName | null, operand: number): Reading {
  const { core } = tensors;
  const refuse = (value: unknown, message: string, fields?: Where) => {
    const name = operand === OUTPUT ? 'out' : core.formatOperand(operand);
    return core.error({ code: 'dtype', detail: 'unsupported', op, operand, ...fields }, value, `${name}${message}`);
  };
  if (Tensor.placeOf(array, tensors) !== null) {
    const { shape, dtype } = array as Tensor;
    return { given: array, data: NO_ELEMENTS, held: HELD_IN[dtype], isTensor: true, shape, dtype, strides: null };
  }
  if (!isUsable(array)) {
    throw refuse(array, ` has to be an object {data, shape}, not ${show(array)}.`);
  }
  const { data, shape, dtype } = array as { data?: unknown; shape?: unknown; dtype?: unknown };
  const held = typedArrayName.call(data) as ClassName | undefined;
  if (held === undefined) throw refuse(data, `: data has to be a typed array, not ${show(data)}.`);
  const implied = Object.hasOwn(IMPLIED, held) ? IMPLIED[held] : undefined;
  const type = dtype === undefined ? implied : readDType(core, dtype, { op, operand });
  if (type === undefined) throw refuse(data, `: no element type is held in a ${held}.`);
  if (HELD_IN[type] !== held && !(type === 'f16' && held === 'Uint16Array')) {
    const message = `: ${type} is held in a ${HELD_IN[type]}, not in a ${held}.`;
    throw refuse(data, message, { dtype: type, otherDtype: implied ?? null });
  }
  const extents = readIntegers(core, shape, 'extent', { op, operand });
  return { given: array, data: data as Elements, held, isTensor: false, shape: extents, dtype: type, strides: null };
}

/**
 * Where its bytes are: of a tensor in the module's memory, which no caller has. They are asked for when all else was
 * read, since what is read may be code that takes them away.
 */
export function placeOf({ given, data, isTensor }: Reading, tensors: Tensors): BytesPlace {
  if (isTensor) {
    const { address, bytes } = Tensor.placeOf(given, tensors) as Place;
    return { buffer: MODULE_MEMORY, byteOffset: address, byteLength: bytes };
  }
  return { buffer: bufferOf.call(data), byteOffset: byteOffsetOf.call(data), byteLength: byteLengthOf.call(data) };
}

/** How many bytes it has, likewise. */
export function sizeOf({ given, data, isTensor }: Reading, tensors: Tensors): number {
  return isTensor ? (Tensor.placeOf(given, tensors) as Place).bytes : byteLengthOf.call(data);
}

// Stands for it: its buffer is another one whenever it has grown.
const MODULE_MEMORY = new ArrayBuffer(0);

/** A value in a few words, whatever it is. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : isList(value) ? 'an array' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** The name that differs least, letter case aside; none where all differ in more than a third. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined;
  let best: string | undefined;
  let least = Math.max(2, name.length / 3) + 0.5;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; ++i) {
    const next = [i];
    for (let j = 1; j <= b.length; ++j) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
