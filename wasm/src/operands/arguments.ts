// Reads arguments: any value becomes plain data for the core, or a BroadcastError. No rule is applied here. All arguments of
// a call are read before anything is allocated or written.

import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';
import type { Extent } from '../types/extent.js';
import type { TypedArray } from '../types/data.js';
import type { Core } from '../core/core.js';
import { faultOf, type BroadcastError, type ErrorRecord } from '../types/errors.js';
import { fromElsewhere, isFormFault } from '../types/fault.js';
import { fill } from './fill.js';
import type { PlainValues } from './nested.js';
import { dtypeOfLibrary, isForeignTensor, noArray, recognise, type FormName, type Recognised } from './recognise.js';
import { reachOf, sourceOf, twiceWritten, type Source } from './strided.js';
import { nearest } from '../values/nearest.js';
import { partOf, placeIn, type BytesPlace } from '../elements/places.js';
import { asked, propertiesOf } from '../values/properties.js';
import { Tensor, type Place, type Tensors } from './tensor.js';
import {
  byteLengthOf,
  entriesOf,
  holderOf,
  isPacked,
  lengthOf,
  resultClassOf,
  typedArrayName,
  type ClassName,
  type Elements,
} from '../elements/typed-arrays.js';
import type { DType, ErrorCode, OpName, RuleName } from '../types/vocabulary.js';

/** The numbers of the target shape and of the result, where an operand is named. */
export const TARGET = -2;
export const OUTPUT = -3;

/** An array argument, each of whose properties was read once. */
export interface Reading {
  /** What the caller gave, and in which form. */
  readonly given: unknown;
  readonly form: FormName | 'tensor';
  /** The elements, if they lie row-major and dense. */
  readonly data: Elements;
  readonly held: ClassName;
  readonly isTensor: boolean;
  readonly shape: readonly Extent[];
  /** The element type in which it is computed. */
  readonly dtype: DType;
  /** Where the elements are, if they have to be gathered or converted first; else null. */
  readonly source: Source | null;
  /** For numbers, and lists of them, which have no type yet: the values; else null. */
  readonly plain: PlainValues | null;
}

/** The fields of an error besides its class: where in the call it was found. */
type Where = Partial<Omit<ErrorRecord, 'code'>>;

const NONE: Elements = new Uint8Array(0);
// Lists of more integers are allocated as they are read, since their length may be wrong.
const USUAL_AXES = 64;

/**
 * The integers of a shape or another list; numbers stay numbers, bigints bigints. Errors have the fields of `place`, and
 * `what` as the list's name. Without `what`, the core gives the name once there is an error: to ask for it takes longer
 * than to read a list.
 */
export function readIntegers(core: Core, list: unknown, code: ErrorCode, place: Where, what?: string): Extent[] {
  let length = listLength(list);
  if (length === -1) {
    if (!isIntegerArray(list)) {
      const message = `${what ?? subject(core, code, place)} has to be a list of whole numbers, not ${show(list)}.`;
      throw core.error({ ...place, code }, list, message);
    }
    length = lengthOf.call(list);
  }
  const values = new Array<Extent>(Math.min(length, USUAL_AXES));
  for (let i = 0; i < length; ++i) {
    let value: unknown;
    try {
      value = (list as ArrayLike<unknown>)[i];
    } catch (cause) {
      throw thrownElsewhere(core, cause, `${what ?? subject(core, code, place)}, ${entryName(code)} ${i}: reading it`, {
        ...place,
        code,
        operandAxis: i,
      });
    }
    const detail = integerFault(value);
    if (detail !== null) {
      const message = `${what ?? subject(core, code, place)}, ${entryName(code)} ${i}: ${notInteger(value)}.`;
      throw core.error({ ...place, code, operandAxis: i, detail }, value, message);
    }
    values[i] = typeof value === 'number' ? value + 0 : (value as bigint); // -0 is 0
  }
  return values;
}

function entryName(code: ErrorCode): string {
  return code === 'axes_mapping' ? 'entry' : 'axis';
}

/** An entry of a list. To read it may run the caller's code. */
export function entryOf(core: Core, list: readonly unknown[], i: number): unknown {
  try {
    return list[i];
  } catch (cause) {
    throw thrownElsewhere(core, cause, `Reading entry ${i} of the list`, { code: 'arity' });
  }
}

/** An error for what the caller's code threw while an argument was read. */
export function thrownElsewhere(
  core: Core,
  cause: unknown,
  doing: string,
  where: Where & { readonly code: ErrorCode },
) {
  const fault = fromElsewhere(doing, cause);
  return core.error(where, undefined, fault.message, fault);
}

/** Whether it is an object whose properties can be read: not a revoked proxy. */
function isUsable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  try {
    // The cheapest call that throws for a revoked proxy. Its result is used, since minifiers remove calls without effect.
    return typeof Array.isArray(value) === 'boolean';
  } catch {
    return false;
  }
}

/** Whether a value in the place of options is meant as an array. */
export function isOperand(value: unknown): boolean {
  if (!isUsable(value)) return false;
  // If reading it throws, the same error is reported when it is read as options.
  return (
    Tensor.isOne(value) ||
    Array.isArray(value) ||
    asked(() => ('data' in value && ('shape' in value || 'dims' in value)) || isForeignTensor(value))
  );
}

function isIntegerArray(list: unknown): boolean {
  const name = typedArrayName.call(list);
  return name !== undefined && !name.startsWith('Float');
}

/** An integer option; undefined where it is not given. */
export function readInteger(
  core: Core,
  value: unknown,
  name: string,
  code: ErrorCode,
  place?: Where,
): Extent | undefined {
  return value === undefined ? undefined : readWhole(core, value, name, code, place);
}

/** An integer. */
export function readWhole(core: Core, value: unknown, name: string, code: ErrorCode, place?: Where): Extent {
  const detail = integerFault(value);
  if (detail === null) return value as Extent;
  throw core.error({ ...place, code, detail }, value, `${name}: ${notInteger(value)}.`);
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

/** Why a value is not accepted as an integer, and what to give instead. */
function notInteger(value: unknown): string {
  if (integerFault(value) === 'fractional') return `${show(value)} is not a whole number; give one, such as 1`;
  return `${show(value)} is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1`;
}

function subject(core: Core, code: ErrorCode, { operand }: Where): string {
  if (code === 'axes_mapping') return 'axesMapping';
  if (operand === TARGET) return 'targetShape';
  return operand == null ? 'The shape' : `The shape of ${core.formatOperand(operand)}`;
}

/** The error for operands that are not given in a list. */
export function noList(core: Core, inputs: unknown, op: OpName, rule: RuleName | null = null): BroadcastError {
  return core.error({ code: 'arity', op, rule }, inputs, `${op} takes a list of arrays, not ${show(inputs)}.`);
}

/** A list of shapes. */
export function readShapes(core: Core, shapes: unknown, rule: RuleName): Extent[][] {
  const length = listLength(shapes);
  if (length === -1) {
    const message = `A list of shapes is needed, as [[2, 3], [3]], not ${show(shapes)}.`;
    throw core.error({ code: 'arity', rule }, shapes, message);
  }
  return Array.from({ length }, (_, operand) =>
    readIntegers(core, entryOf(core, shapes as unknown[], operand), 'extent', { rule, operand }),
  );
}

export function readTarget(core: Core, shape: unknown, rule: RuleName): Extent[] | undefined {
  if (shape === undefined) return undefined;
  return readIntegers(core, shape, 'extent', { rule, operand: TARGET });
}

export function readMapping(core: Core, mapping: unknown, rule: RuleName): Extent[] | undefined {
  if (mapping === undefined) return undefined;
  return readIntegers(core, mapping, 'axes_mapping', { rule });
}

/** Options by name, as they were given. */
type Given<K extends string> = { readonly [N in K]?: unknown };

/** No options. It has no prototype, from which options could be read. */
const NO_OPTIONS: object = Object.freeze(Object.create(null) as object);

/** The attributes of operators. */
export const ATTRIBUTES = ['fmod', 'direction', 'to', 'saturate'] as const;

/**
 * Options, each read once, since to read one may run the caller's code. Names other than `known` are refused, so that a
 * misspelt option is not ignored. `read` reads all of them at once, which is faster; it returns undefined where it cannot.
 */
export function readOptions<K extends string>(
  core: Core,
  options: unknown,
  known: readonly K[],
  read?: (options: Given<K>) => Given<K> | undefined,
): Given<K> {
  if (options === undefined) return NO_OPTIONS;
  if (!isUsable(options) || Array.isArray(options)) {
    throw core.error({ code: 'attribute' }, options, `Options are given as an object, not as ${show(options)}.`);
  }
  let given: Given<K>;
  let names: string[];
  try {
    names = Object.keys(options);
    given = read?.(options) ?? (propertiesOf(options, known) as Given<K>);
  } catch (cause) {
    throw thrownElsewhere(core, cause, 'Reading the options', { code: 'attribute' });
  }
  for (const name of names) {
    if (known.includes(name as K)) continue;
    if (!(ATTRIBUTES as readonly string[]).includes(name) || !known.includes('attrs' as K))
      throw unknownName(core, 'option', name, known);
    throw core.error(
      { code: 'unknown' },
      name,
      `${name} is an attribute: give it in attrs, as { attrs: { ${name} } }.`,
    );
  }
  return given;
}

export function readRule(core: Core, rule: unknown, op?: OpName): RuleName {
  return readNameOf(core, 'rules', rule, 'rule', { detail: 'rule', op: op ?? null }) as RuleName;
}

export function readOp(core: Core, op: unknown): OpName {
  return readNameOf(core, 'ops', op, 'operator', { detail: 'op' }) as OpName;
}

export function readDType(core: Core, dtype: unknown, place?: Where): DType {
  return readNameOf(core, 'dtypes', dtype, 'element type', { ...place, detail: 'dtype' }) as DType;
}

/** A name of the core's vocabulary. */
function readNameOf(core: Core, kind: 'dtypes' | 'ops' | 'rules', name: unknown, what: string, place: Where): string {
  if (typeof name === 'string' && core.knows(kind, name)) return name;
  throw unknownName(core, what, name, core.names(kind), place);
}

/** A name of `table`, whose names are `what`. */
export function readName(core: Core, name: unknown, what: string, table: object, place: Where): string {
  if (typeof name === 'string' && Object.hasOwn(table, name)) return name;
  throw unknownName(core, what, name, Object.keys(table), place);
}

/** The element type that a library calls by this name. */
function meantBy(name: string, known: readonly string[]): readonly string[] | undefined {
  const dtype = dtypeOfLibrary(name.toLowerCase());
  return dtype !== undefined && known.includes(dtype) ? [dtype] : undefined;
}

export function unknownName(core: Core, what: string, name: unknown, known: readonly string[], place?: Where) {
  const near = typeof name !== 'string' ? [] : (meantBy(name, known) ?? nearest(name, known));
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map(show).join(' or ')}?`;
  const begin = place?.operand == null ? 'There' : `${nameOf(core, place.operand)}: there`;
  const message = `${begin} is no ${what} ${show(name)}.${hint} There are: ${known.join(', ')}.`;
  return core.error({ ...place, code: 'unknown' }, name, message);
}

/** Whether it is a tensor of this instance. The error of one that cannot be used begins with the operand's name. */
function isHere(tensors: Tensors, given: unknown, op: OpName | null, operand: number): boolean {
  try {
    return Tensor.placeOf(given, tensors) !== null;
  } catch (fault) {
    const { core } = tensors;
    const { code, message } = fault as BroadcastError;
    const text = `${nameOf(core, operand)}: ${message[0]?.toLowerCase()}${message.slice(1)}`;
    throw faultOf(code, text, { op, operand });
  }
}

/** An operand, or `out`. */
export function readArray(tensors: Tensors, given: unknown, op: OpName | null, operand: number): Reading {
  const { core } = tensors;
  if (isHere(tensors, given, op, operand)) {
    const { shape, dtype } = given as Tensor;
    const held = resultClassOf(dtype);
    return { given, form: 'tensor', data: NONE, held, isTensor: true, shape, dtype, source: null, plain: null };
  }
  let recognised: Recognised | null;
  try {
    recognised = isUsable(given) || typeof given !== 'object' ? recognise(given) : null;
  } catch (fault) {
    throw named(core, fault, op, operand);
  }
  if (recognised === null) throw named(core, noArray(given), op, operand);
  const { form, data, shape, strides, offset, plain } = recognised;
  if (plain !== undefined) {
    const extents = shape as readonly number[];
    const dtype = plain.fallback;
    return { given, form, data: NONE, held: 'Uint8Array', isTensor: false, shape: extents, dtype, source: null, plain };
  }
  const dtype = recognised.dtype as DType;
  const extents = readIntegers(core, shape, 'extent', { op, operand });
  const elements = data as unknown as Elements;
  const held = typedArrayName.call(data) as ClassName;
  const dense = {
    given,
    form,
    data: elements,
    held,
    isTensor: false,
    shape: extents,
    dtype,
    source: null,
    plain: null,
  };
  if (strides === undefined && offset === 0) return dense;
  try {
    const numbers = extents.map((extent, axis) => exactly(extent, axis, core, op, operand));
    const source = sourceOf(data as TypedArray, dtype, numbers, strides, offset);
    if (!source.dense) return { ...dense, source };
    const entries = entriesOfAll(source);
    if (source.offset === 0 && entries === source.entries) return dense;
    // Where there are no elements, any offset is allowed.
    return { ...dense, data: partOf(elements, held, source.count === 0 ? 0 : source.offset, entries) };
  } catch (fault) {
    throw named(core, fault, op, operand);
  }
}

/** Checks that `out` has elements, and that none would be written twice. */
export function checkedOut(core: Core, out: Reading, op: OpName | null): Reading {
  const { source } = out;
  if (out.plain !== null) {
    throw core.error(
      { code: 'dtype', detail: 'unsupported', op, operand: OUTPUT },
      out.given,
      `out has to be { data, shape } with a typed array as data, not ${show(out.given)}.`,
    );
  }
  const twice = source === null ? null : twiceWritten(out.shape, source);
  if (twice === null) return out;
  throw core.error({ code: 'overlap', detail: 'strides', op, operand: OUTPUT, ...twice }, out.given);
}

/** How many entries dense elements take. */
function entriesOfAll({ data, dtype, count, offset }: Source): number {
  // All to the end: packed elements share entries, and their number was not checked.
  return isPacked(dtype) ? lengthOf.call(data) - offset : count * entriesOf(dtype);
}

/** An extent as a number, which walking along strides needs. */
function exactly(extent: Extent, axis: number, core: Core, op: OpName | null, operand: number): number {
  if (typeof extent === 'number' && extent >= 0) return extent;
  const number = Number(extent);
  if (number >= 0 && Number.isSafeInteger(number)) return number;
  const detail = number < 0 ? 'negative' : 'unsafe';
  throw core.error({ code: 'extent', detail, op, operand, operandAxis: axis, extent }, extent);
}

/** The error for a fault of an operand, with its name. */
export function named(
  core: Core,
  fault: unknown,
  op: OpName | null,
  operand: number,
  name = nameOf(core, operand),
): unknown {
  if (!isFormFault(fault)) return fault;
  if (fault.fields.code === 'unknown') readDType(core, fault.value, { op, operand }); // its message suggests a name
  return core.error({ ...fault.fields, op, operand }, fault.value, `${name}: ${fault.message}`, fault);
}

function nameOf(core: Core, operand: number): string {
  return operand === OUTPUT ? 'out' : core.formatOperand(operand);
}

/** The array with elements of `dtype`: values get the type, and elements of another type are converted. */
export function asType(core: Core, array: Reading, dtype: DType, op: OpName | null, operand: number): Reading {
  const { plain, shape } = array;
  try {
    if (plain !== null) {
      const data = fill(plain.values, shape as readonly number[], dtype) as unknown as Elements;
      return { ...array, data, held: holderOf(dtype).name as ClassName, dtype, plain: null };
    }
    if (array.dtype === dtype) return array;
    if (array.isTensor) return { ...array, dtype };
    const extents = shape.map((extent, axis) => exactly(extent, axis, core, op, operand));
    if (array.source !== null) return { ...array, dtype };
    // Checked before strides are followed, so that a wrong length is reported as such.
    const lengths = { extent: byteLengthOf.call(array.data), otherExtent: core.count(shape, array.dtype) };
    if (lengths.extent !== lengths.otherExtent) throw core.error({ code: 'length', op, operand, ...lengths });
    return { ...array, dtype, source: sourceOf(array.data as unknown as TypedArray, array.dtype, extents) };
  } catch (fault) {
    throw named(core, fault, op, operand);
  }
}

/**
 * Where its bytes are. Asked for after everything was read, since to read arguments may run code that disposes of a tensor
 * or detaches a buffer.
 */
export function placeOf({ given, data, isTensor, source }: Reading, tensors: Tensors): BytesPlace {
  if (isTensor) {
    const { address, bytes } = Tensor.placeOf(given, tensors) as Place;
    return { buffer: MODULE_MEMORY, byteOffset: address, byteLength: bytes };
  }
  return source === null ? placeIn(data) : reachOf(source);
}

/** How many bytes it has, asked for likewise. */
export function sizeOf({ given, data, isTensor }: Reading, tensors: Tensors): number {
  return isTensor ? (Tensor.placeOf(given, tensors) as Place).bytes : byteLengthOf.call(data);
}

// Placeholder for the module's memory, which has another buffer each time that it has grown.
const MODULE_MEMORY = new ArrayBuffer(0);
