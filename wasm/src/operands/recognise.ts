// Recognises arrays of several libraries by their properties alone; none of the libraries is imported. Each property is read
// once, so that the value that was checked is the one that is used.

import type { LibraryTypes } from './arrays.js';
import type { TypedArray } from '../types/data.js';
import { show } from '../values/show.js';
import type { DType, WeakKind } from '../types/vocabulary.js';
import { FormFault, fromElsewhere, isFormFault, unsupported } from '../types/fault.js';
import { propertiesOf } from '../values/properties.js';
import { readNested, type PlainValue, type PlainValues } from './nested.js';
import {
  entriesOf,
  holderOf,
  holds,
  impliedBy,
  isDType,
  lengthOf,
  typedArrayName,
  viewAs,
} from '../elements/typed-arrays.js';

/**
 * The form of an array.
 *
 * - `array`: `{data, shape, dtype?}`, row-major and dense: Broadloom's own.
 * - `strided`: `{data, shape, stride or strides, offset?}`: scijs's ndarray and alike.
 * - `zarr`: `{data, shape, stride}`: a chunk of zarrita's.
 * - `stdlib`: `{data, shape, strides, offset, order, dtype}`: an ndarray of `@stdlib`.
 * - `onnx`: `{type, data, dims}`: a tensor of onnxruntime.
 * - `nested`: lists in lists.
 * - `scalar`: a number, bigint or boolean.
 */
export type FormName = 'array' | 'strided' | 'zarr' | 'stdlib' | 'onnx' | 'nested' | 'scalar';

/** An array or value as it was given. Strides and offset are in elements. */
export interface Recognised {
  readonly form: FormName;
  /** Its entries; undefined for nested lists and scalars. */
  readonly data: TypedArray | undefined;
  /** As it was given, not yet checked; for nested lists and scalars a `number[]`. */
  readonly shape: unknown;
  /** Undefined for nested lists and scalars. */
  readonly dtype: DType | undefined;
  /** Undefined where the elements lie row-major and dense. Their number is not checked. */
  readonly strides: readonly number[] | undefined;
  /** The place of the first element. */
  readonly offset: number;
  /** The values of nested lists and scalars; else undefined. */
  readonly plain: PlainValues | undefined;
}

const NAMES: Readonly<LibraryTypes> = {
  boolean: 'bool',
  int8: 'i8',
  int16: 'i16',
  int32: 'i32',
  int64: 'i64',
  bigint64: 'i64',
  uint8: 'u8',
  uint8_clamped: 'u8',
  uint8c: 'u8',
  buffer: 'u8',
  binary: 'u8',
  uint16: 'u16',
  uint32: 'u32',
  uint64: 'u64',
  biguint64: 'u64',
  float16: 'f16',
  bfloat16: 'bf16',
  float32: 'f32',
  float64: 'f64',
  complex64: 'c64',
  complex128: 'c128',
  int4: 'i4',
  uint4: 'u4',
};

/**
 * The form and parts of `value`; null where it is neither an array nor a number, bigint or boolean.
 *
 * @throws FormFault where it is meant as an array and is not a valid one: data that is not a typed array, a type that is
 * unknown or not held in that typed array, ragged lists, properties that throw when they are read.
 * @example
 * recognise({ data: new Float32Array(6), shape: [2, 3] }); // form 'array', dtype 'f32'
 * recognise(ndarray(new Float32Array(6), [2, 3]).transpose(1, 0)); // form 'strided', strides [1, 3]
 * recognise([[1, 2], [3, 4]]); // form 'nested', shape [2, 2], plain.values [1, 2, 3, 4], plain.weak 'int'
 */
export function recognise(value: unknown): Recognised | null {
  switch (typeof value) {
    case 'object':
      break;
    case 'number':
      return scalar(value, Number.isInteger(value) ? 'int' : 'float', 'f64');
    case 'bigint':
      return scalar(value, 'int', 'i64');
    case 'boolean':
      return scalar(value, 'bool', 'bool');
    default:
      return null;
  }
  if (value === null) return null;
  try {
    return readObject(value);
  } catch (error) {
    throw isFormFault(error) ? error : fromElsewhere('reading it', error);
  }
}

interface Properties {
  readonly data?: unknown;
  readonly shape?: unknown;
  readonly dtype?: unknown;
  readonly stride?: unknown;
  readonly strides?: unknown;
  readonly offset?: unknown;
  readonly order?: unknown;
  readonly dims?: unknown;
  readonly type?: unknown;
}

const NAMES_READ = ['data', 'shape', 'dtype', 'stride', 'strides', 'offset', 'order', 'dims', 'type', 'read'] as const;

const every = Object.prototype;

// Whether a program has put such a property on Object.prototype. Spelled out, since engines look up a constant name in next
// to no time.
function isPolluted(): boolean {
  return (
    'data' in every ||
    'shape' in every ||
    'dtype' in every ||
    'stride' in every ||
    'strides' in every ||
    'offset' in every ||
    'order' in every ||
    'dims' in every ||
    'type' in every
  );
}

/** Whether it looks like a tensor of another copy of this package, whose data cannot be read here. */
export function isForeignTensor(value: object): boolean {
  const { data, shape, read } = value as { readonly [name: string]: unknown };
  return data === undefined && shape !== undefined && typeof read === 'function';
}

function readObject(given: Properties): Recognised | null {
  const value: Properties = isPolluted() ? propertiesOf(given, NAMES_READ) : given;
  const { data, shape } = value;
  const name = typedArrayName.call(data);
  if (shape === undefined) {
    if (Array.isArray(given)) {
      const nested = readNested(given);
      return plain('nested', nested.shape, nested);
    }
    const { dims } = value;
    if (dims !== undefined) return typed('onnx', data, name, dims, value.type);
    if (data === undefined) return null;
  }
  const { dtype, stride, strides, offset } = value;
  if (stride === undefined && strides === undefined && offset === undefined) {
    if (data === undefined && isForeignTensor(value)) {
      const how = 'give { data: tensor.read(), shape: tensor.shape, dtype: tensor.dtype }.';
      throw unsupported(value, `it is a tensor of another copy of this package: ${how}`);
    }
    return readOwn(data, name, shape, dtype);
  }
  const steps = strides ?? stride;
  const form = formOf(strides, offset, value);
  return typed(form, data, name, shape, dtype, steps, offset);
}

/** Broadloom's own form: the common case, which must take some tens of nanoseconds. */
function readOwn(data: unknown, name: string | undefined, shape: unknown, dtype: unknown): Recognised {
  if (name === undefined) throw unsupported(data, `data has to be a typed array, not ${show(data)}.`);
  const implied = impliedBy(name);
  if (implied !== undefined && (dtype === undefined || dtype === implied)) {
    return made('array', data as TypedArray, shape, implied, undefined, 0);
  }
  const { array, type } = readHeld(data as TypedArray, name, readTypeName('array', dtype));
  return made('array', array, shape, type, undefined, 0);
}

function formOf(strides: unknown, offset: unknown, value: Properties): FormName {
  if (strides !== undefined) return typeof value.order === 'string' ? 'stdlib' : 'strided';
  return offset === undefined ? 'zarr' : 'strided';
}

/** A library's array. `typeName` is the library's name of the element type. */
function typed(
  form: FormName,
  data: unknown,
  name: string | undefined,
  shape: unknown,
  typeName: unknown,
  strides?: unknown,
  offset?: unknown,
): Recognised {
  const dtype = readTypeName(form, typeName);
  const steps = strides === undefined ? undefined : readStrides(strides);
  const begin = offset === undefined ? 0 : readWhole(offset);
  const { array, type } = name === undefined ? readWrapped(data, dtype) : readHeld(data as TypedArray, name, dtype);
  return made(form, array, shape, type, steps, begin);
}

/** The elements of a typed array. A Uint8ClampedArray is read as a Uint8Array. */
function readHeld(data: TypedArray, name: string, dtype: DType | undefined): { array: TypedArray; type: DType } {
  if (name !== 'Uint8ClampedArray' || (dtype !== undefined && dtype !== 'u8')) {
    return { array: data, type: checked(data, name, dtype) };
  }
  return { array: viewAs(data, holderOf('u8'), lengthOf.call(data)), type: 'u8' };
}

/** The type that was given, if such a typed array holds it; without one, the type that the typed array implies. */
function checked(data: unknown, name: string, given: DType | undefined): DType {
  const implied = impliedBy(name);
  if (given === undefined) {
    if (implied !== undefined) return implied;
    throw unsupported(data, `no element type is held in ${name}.`);
  }
  if (given === implied || holds(name, given)) return given;
  const message = `${given} is held in ${holderOf(given).name}, not in ${name}.`;
  throw unsupported(data, message, { dtype: given, otherDtype: implied ?? null });
}

/** The element type of a name; undefined for names that leave it to the data. */
function readTypeName(form: FormName, given: unknown): DType | undefined {
  // @stdlib may give an object, whose string is the name.
  const name = typeof given === 'object' && given !== null ? String(given) : given;
  if (name === undefined && form !== 'onnx') return undefined;
  if (name === 'generic' || name === 'array') return undefined;
  if (isDType(name)) return name;
  const dtype = typeof name === 'string' ? dtypeOfLibrary(name) : undefined;
  if (dtype !== undefined) return dtype;
  throw unknownType(name);
}

/** The fault for a value that is not an array. */
export function noArray(value: unknown): FormFault {
  return typedArrayName.call(value) === undefined
    ? unsupported(value, `it has to be an array, as {data, shape} or otherwise, not ${show(value)}.`)
    : unsupported(
        value,
        `it is a typed array without a shape: give { data, shape: [${lengthOf.call(value)}] }, or another shape.`,
      );
}

/** The element type that a library calls by this name. */
export function dtypeOfLibrary(name: string): DType | undefined {
  return Object.hasOwn(NAMES, name) ? NAMES[name as keyof LibraryTypes] : undefined;
}

function unknownType(name: unknown): FormFault {
  return new FormFault({ code: 'unknown', detail: 'dtype' }, name, `there is no element type ${show(name)}.`);
}

/** The elements of an object like a typed array: zarrita's and @stdlib's booleans, @stdlib's complex numbers. */
function readWrapped(data: unknown, dtype: DType | undefined): { array: TypedArray; type: DType } {
  const refusal = () => unsupported(data, `data has to be a typed array, not ${show(data)}.`);
  if (typeof data !== 'object' || data === null) throw refusal();
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT, chars } = data as { readonly [name: string]: unknown };
  // zarrita's arrays of booleans have no dtype. Its arrays of strings have `chars`, the length of an element.
  const type = dtype ?? (BYTES_PER_ELEMENT === 1 && chars === undefined ? 'bool' : undefined);
  if (type === undefined || buffer === undefined) throw refusal();
  const Holder = holderOf(type);
  if (BYTES_PER_ELEMENT !== entriesOf(type) * Holder.BYTES_PER_ELEMENT) throw refusal();
  new DataView(buffer as ArrayBuffer); // throws unless it is a buffer
  return { array: new Holder(buffer as ArrayBuffer, byteOffset as number, (length as number) * entriesOf(type)), type };
}

function readStrides(strides: unknown): number[] {
  const name = typedArrayName.call(strides);
  if (!Array.isArray(strides) && (name === undefined || name.startsWith('Float'))) {
    throw new FormFault(
      { code: 'extent' },
      strides,
      `strides have to be a list of whole numbers, not ${show(strides)}.`,
    );
  }
  const { length } = strides as ArrayLike<unknown>;
  const steps: number[] = [];
  for (let i = 0; i < length; ++i) steps.push(readWhole((strides as ArrayLike<unknown>)[i], i));
  return steps;
}

function readWhole(value: unknown, axis?: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (Number.isSafeInteger(number)) return number as number;
  const place = axis === undefined ? 'the offset' : `the stride of axis ${axis}`;
  const fields = {
    code: 'extent',
    detail: 'fractional',
    ...(axis === undefined ? {} : { operandAxis: axis }),
  } as const;
  throw new FormFault(fields, value, `${place} has to be a whole number below 2^53, not ${show(value)}.`);
}

function made(
  form: FormName,
  data: TypedArray,
  shape: unknown,
  dtype: DType,
  strides: readonly number[] | undefined,
  offset: number,
): Recognised {
  return { form, data, shape, dtype, strides, offset, plain: undefined };
}

function plain(form: 'nested' | 'scalar', shape: readonly number[], values: PlainValues): Recognised {
  return { form, data: undefined, shape, dtype: undefined, strides: undefined, offset: 0, plain: values };
}

function scalar(value: PlainValue, weak: WeakKind, fallback: DType): Recognised {
  return plain('scalar', [], { values: [value], weak, fallback });
}
