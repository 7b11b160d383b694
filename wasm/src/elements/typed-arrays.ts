// What typed arrays hold which element type, and what typed arrays say of themselves.

import type { DataOf, DTypeOfData, TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';

/** A typed array's constructor, as far as it is used here. */
export interface Holder<T = TypedArray> {
  new (length: number): T;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): T;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

// A type that the core knows and this table does not fails to compile.
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

// Whatever their prototypes and own properties do.
const intrinsic = <T>(name: PropertyKey) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, name)?.get as (
    this: unknown,
  ) => T;

/** What a typed array is, of any realm; undefined for all else. */
export const typedArrayName = intrinsic<ClassName | undefined>(Symbol.toStringTag);
export const bufferOf = intrinsic<ArrayBufferLike>('buffer');
export const byteOffsetOf = intrinsic<number>('byteOffset');
export const byteLengthOf = intrinsic<number>('byteLength');
/** Entries, of which an element may be two (complex types) or a part (packed types). */
export const lengthOf = intrinsic<number>('length');

/** The typed array that holds the elements of a type: of f16 and bf16 their bits. */
export function holderOf<D extends DType>(dtype: D): Holder<DataOf[D]> {
  return HOLDERS[dtype];
}

/** Whether a name is that of an element type. */
export function isDType(name: unknown): name is DType {
  return typeof name === 'string' && Object.hasOwn(HOLDERS, name);
}

/** The element type that a kind of typed array, by a name that one gave, stands for by itself. */
export function impliedBy(arrayName: string): DType | undefined {
  return (IMPLIED as { readonly [name: string]: DType })[arrayName];
}

/** Whether a kind of typed array holds an element type. */
export function holds(arrayName: string, dtype: DType): boolean {
  return HOLDERS[dtype].name === arrayName || (dtype === 'f16' && arrayName === 'Float16Array');
}

/** Entries of the typed array for each element: two for complex types. Packed types have none of their own. */
export function entriesOf(dtype: DType): number {
  return dtype === 'c64' || dtype === 'c128' ? 2 : 1;
}

/** Whether several elements share an entry. */
export function isPacked(dtype: DType): boolean {
  return dtype === 'i4' || dtype === 'u4' || dtype === 'u1';
}

/** The platform's own array of binary16, where it has one. */
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

/** A typed array, as far as moving elements goes. */
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

/** The class that a result of an element type is given in. */
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

/** The entries as they are kept: of a Float16Array the bits, which is what everything else here works with. */
export function bitsOf(data: TypedArray): TypedArray {
  if (typedArrayName.call(data) !== 'Float16Array') return data;
  return viewAs(data, Uint16Array as Holder<Uint16Array>, lengthOf.call(data));
}
