// The module's memory as typed arrays of every kind. Only core.ts makes them, since they die when the memory grows.

import type { DType } from './vocabulary.js';

interface Float16ArrayConstructor {
  new (length: number): Uint16Array;
  new (elements: ArrayLike<number>): Uint16Array;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): Uint16Array;
  readonly name: string;
}

/** Not every platform has it. As far as bytes are moved it is like Uint16Array. */
export const Float16Array = (globalThis as { readonly Float16Array?: Float16ArrayConstructor }).Float16Array;

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
  ...(Float16Array && { Float16Array }),
};

export type ClassName = keyof typeof CLASSES;

/** A typed array, as far as moving elements goes. */
export interface Elements {
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  set(elements: Elements | ArrayLike<number> | ArrayLike<bigint>, at?: number): void;
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

/** The class that holds each element type. */
export const HELD_IN: { readonly [D in DType]: ClassName } = {
  bool: 'Uint8Array',
  i8: 'Int8Array',
  i16: 'Int16Array',
  i32: 'Int32Array',
  i64: 'BigInt64Array',
  u8: 'Uint8Array',
  u16: 'Uint16Array',
  u32: 'Uint32Array',
  u64: 'BigUint64Array',
  f16: Float16Array ? 'Float16Array' : 'Uint16Array',
  bf16: 'Uint16Array',
  f32: 'Float32Array',
  f64: 'Float64Array',
  f8e4m3: 'Uint8Array',
  f8e5m2: 'Uint8Array',
  c64: 'Float32Array',
  c128: 'Float64Array',
  i4: 'Uint8Array',
  u4: 'Uint8Array',
  u1: 'Uint8Array',
};

/** A view of each class over the whole memory. */
export type Views = { readonly [N in ClassName]: Elements };

export function viewsOf(buffer: ArrayBufferLike): Views {
  const views = Object.entries(CLASSES).map(([name, Class]) => [name, new Class(buffer as ArrayBuffer)]);
  return Object.fromEntries(views) as Views;
}

// What typed arrays say of themselves, whatever their prototypes and own properties do.
const intrinsic = <T>(name: PropertyKey) =>
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype) as object, name)?.get as (
    this: unknown,
  ) => T;

/** What a typed array is, of any realm; undefined for all else. */
export const typedArrayName = intrinsic<string | undefined>(Symbol.toStringTag);
export const bufferOf = intrinsic<ArrayBufferLike>('buffer');
export const byteOffsetOf = intrinsic<number>('byteOffset');
export const byteLengthOf = intrinsic<number>('byteLength');

/** `set` of every typed array. */
export const setElements = Object.getPrototypeOf(Uint8Array.prototype).set as (
  this: Elements,
  elements: Elements,
  at: number,
) => void;
