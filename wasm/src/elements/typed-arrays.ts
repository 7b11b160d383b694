// Which typed array holds which element type, and the true properties of typed arrays.

import type { DataOf, DTypeOfData, TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';

/** A typed array's constructor, as far as it is used here. */
export interface Holder<T = TypedArray> {
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

// The program does not compile as long as an element type of the core is missing here.
const HOLDERS: { readonly [D in DType]: Holder<DataOf[D]> } = {
  bool: Uint8Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  f8e4m3: Uint8Array,
  f8e5m2: Uint8Array,
  c64: Float32Array,
  c128: Float64Array,
  i4: Uint8Array,
  u4: Uint8Array,
  u1: Uint8Array,
};

const IMPLIED: { readonly [N in keyof DTypeOfData | 'Float16Array']: DType } = {
  Int8Array: 'i8',
  Int16Array: 'i16',
  Int32Array: 'i32',
  BigInt64Array: 'i64',
  Uint8Array: 'u8',
  Uint16Array: 'u16',
  Uint32Array: 'u32',
  BigUint64Array: 'u64',
  Float16Array: 'f16',
  Float32Array: 'f32',
  Float64Array: 'f64',
};

// The getters of the platform, since a caller's array may have properties and a prototype of its own.
const intrinsic = <T>(name: PropertyKey) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, name)?.get as (
    this: unknown,
  ) => T;

/** The name of a typed array's class, whatever realm it is of; undefined for everything else. */
export const typedArrayName = intrinsic<ClassName | undefined>(Symbol.toStringTag);
export const bufferOf = intrinsic<ArrayBufferLike>('buffer');
export const byteOffsetOf = intrinsic<number>('byteOffset');
export const byteLengthOf = intrinsic<number>('byteLength');
/** The number of entries. A complex element has two; several packed elements share one. */
export const lengthOf = intrinsic<number>('length');

/** The class of typed arrays that holds the elements of a type; for f16 and bf16, their bits. */
export function holderOf<D extends DType>(dtype: D): Holder<DataOf[D]> {
  return HOLDERS[dtype];
}

/** Whether a name is that of an element type. */
export function isDType(name: unknown): name is DType {
  return typeof name === 'string' && Object.hasOwn(HOLDERS, name);
}

/** The element type that a typed array of this class name has if no dtype is given. */
export function impliedBy(arrayName: string): DType | undefined {
  return (IMPLIED as { readonly [name: string]: DType })[arrayName];
}

/** Whether typed arrays of this class name hold the element type. */
export function holds(arrayName: string, dtype: DType): boolean {
  return HOLDERS[dtype].name === arrayName || (dtype === 'f16' && arrayName === 'Float16Array');
}

/** Entries of the typed array an element: two for complex types. Not for packed types, whose elements share entries. */
export function entriesOf(dtype: DType): number {
  return dtype === 'c64' || dtype === 'c128' ? 2 : 1;
}

/** Whether several elements share an entry. */
export function isPacked(dtype: DType): boolean {
  return dtype === 'i4' || dtype === 'u4' || dtype === 'u1';
}

/** Float16Array, where the platform has it. */
export function float16Array(): Holder | undefined {
  return (globalThis as { readonly Float16Array?: Holder }).Float16Array;
}

/** Every class of typed arrays that holds elements, by name. */
export const CLASSES = {
  Int8Array,
  Int16Array,
  Int32Array,
  BigInt64Array,
  Uint8Array,
  Uint16Array,
  Uint32Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Float16Array: float16Array() as unknown as Uint16ArrayConstructor | undefined,
};

export type ClassName = keyof typeof CLASSES;

/** A typed array, with the members that copying elements needs. */
export interface Elements {
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  subarray(begin: number, end: number): Elements;
}

/** Makes typed arrays of one class. */
export interface ElementsClass {
  readonly BYTES_PER_ELEMENT: number;
  new (source: number | Elements): Elements;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Elements;
}

export function classOf(name: ClassName): ElementsClass {
  return CLASSES[name] as unknown as ElementsClass;
}

/** The class of the typed arrays of results of an element type. */
export function resultClassOf(dtype: DType): ClassName {
  return dtype === 'f16' && CLASSES.Float16Array !== undefined ? 'Float16Array' : (HOLDERS[dtype].name as ClassName);
}

/** `set` of every typed array. */
export const setElements = Object.getPrototypeOf(Uint8Array.prototype).set as (
  this: Elements,
  elements: Elements,
  at: number,
) => void;

/**
 * The first `entries` entries of the same memory, as another kind of typed array. With no entries, the buffer may be
 * detached.
 */
export function viewAs<T>(data: TypedArray, Holder: Holder<T>, entries: number): T {
  return entries === 0 ? new Holder(0) : new Holder(bufferOf.call(data), byteOffsetOf.call(data), entries);
}

/** The array itself; of a Float16Array its bits, as the rest of the package expects. */
export function bitsOf(data: TypedArray): TypedArray {
  if (typedArrayName.call(data) !== 'Float16Array') return data;
  return viewAs(data, Uint16Array as Holder<Uint16Array>, lengthOf.call(data));
}

/** The same entries in an array between whose kind entries can be moved one by one: as a number an f32 loses bits of a NaN. */
export function movableOf(data: TypedArray): TypedArray {
  return typedArrayName.call(data) === 'Float32Array' ? viewAs(data, Int32Array, lengthOf.call(data)) : bitsOf(data);
}
