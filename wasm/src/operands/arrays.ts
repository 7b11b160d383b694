import type { ImpliedDType } from '../types/data.js';
import type { DTypeOfData } from '../types/data.js';
import type { DataOf } from '../types/data.js';
import type { ShapeLike } from '../types/extent.js';
import type { Extent } from '../types/extent.js';
import type { Tensor } from './tensor.js';
import type { DType, OpName, OpTable } from '../types/vocabulary.js';

/**
 * An array of elements, row-major and dense, and its shape: Broadloom's own form, which results have. `dtype` may
 * be left out where the typed array implies it (`Float32Array` is f32, `Uint8Array` is u8, ...); it is needed for bool,
 * bf16, the bits of f16, the 8-bit floats, complex and packed types.
 *
 * @example
 * const a = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
 * const mask = { data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' as const };
 * function double(x: Operand<'f32'>): NdArray<'f32'> {
 *   return bl.add(x, x);
 * }
 */
export type Operand<D extends DType = DType> = D extends ImpliedDType
  ? {
      readonly data: DataOf[D] | (D extends 'u8' ? Uint8ClampedArray : never);
      readonly shape: ShapeLike;
      readonly dtype?: D | undefined;
    }
  : D extends DType
    ? { readonly data: DataOf[D]; readonly shape: ShapeLike; readonly dtype: D }
    : never;

/** A result: a new typed array with its shape and element type. May be used as an operand again. */
export type NdArray<D extends DType = DType> = D extends DType
  ? { readonly data: DataOf[D]; readonly shape: number[]; readonly dtype: D }
  : never;

// --- Operands of operators ----------------------------------------------------------------------------------------------

/** The names that libraries have for element types. */
export interface LibraryTypes {
  boolean: 'bool';
  int8: 'i8';
  int16: 'i16';
  int32: 'i32';
  int64: 'i64';
  bigint64: 'i64';
  uint8: 'u8';
  uint8_clamped: 'u8';
  uint8c: 'u8';
  buffer: 'u8';
  binary: 'u8';
  uint16: 'u16';
  uint32: 'u32';
  uint64: 'u64';
  biguint64: 'u64';
  float16: 'f16';
  bfloat16: 'bf16';
  float32: 'f32';
  float64: 'f64';
  complex64: 'c64';
  complex128: 'c128';
  int4: 'i4';
  uint4: 'u4';
}

/** A typed array, or an object like one, as libraries have for booleans and complex numbers. */
export interface ElementArray {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
}

/**
 * An array of any element type, in any form: Broadloom's own, with strides as scijs's `ndarray`, a chunk of zarrita's, an
 * ndarray of `@stdlib`, or a tensor of onnxruntime.
 */
export type AnyArray =
  | {
      readonly data: ElementArray;
      readonly shape: ShapeLike;
      // `string & {}` keeps the known names in the type, so that editors suggest them.
      readonly dtype?: DType | keyof LibraryTypes | (string & {}) | undefined;
      readonly stride?: ShapeLike | undefined;
      readonly strides?: ShapeLike | undefined;
      readonly offset?: Extent | undefined;
    }
  | { readonly type: keyof LibraryTypes | (string & {}); readonly data: unknown; readonly dims: ShapeLike };

/** A value without an element type of its own. */
export type PlainValue = number | bigint | boolean;

/** Nested lists of values. All lists of a level have the same length. */
export type NestedList<V extends PlainValue = PlainValue> = readonly (V | NestedList<V>)[];

/**
 * Values without an element type of their own: they take that of the other operands. If no operand has one, numbers are
 * f64, bigints i64 and booleans bool.
 *
 * @example bl.add([[1, 2], [3, 4]], 10).data; // Float64Array [11, 12, 13, 14]
 */
export type PlainValues = PlainValue | NestedList;

/**
 * Any operand of an operator. {@link DTypeOf} is its element type; whether it fits the operator and the other operands is
 * checked at each call.
 */
export type AnyOperand = AnyArray | Tensor | PlainValues;

// --- Element types ----------------------------------------------------------------------------------------------------

/**
 * The element type of an operand: that of its `dtype` or `type`, else that of its typed array; f64 for numbers, i64 for
 * bigints, bool for booleans. Never where it is not known, or where the typed array does not hold the type.
 *
 * @example
 * type A = DTypeOf<{ data: Float32Array; shape: number[] }>; // 'f32'
 * type B = DTypeOf<{ type: 'int64'; data: BigInt64Array; dims: number[] }>; // 'i64'
 * type C = DTypeOf<number[][]>; // 'f64'
 */
export type DTypeOf<A> = A extends PlainValues
  ? PlainType<A>
  : A extends Tensor<infer D>
    ? D
    : A extends { readonly dims: ShapeLike; readonly type: infer N; readonly data: infer T }
      ? HeldIn<T, NamedType<N>>
      : A extends { readonly shape: ShapeLike; readonly data: infer T }
        ? HeldIn<T, TypeNamedBy<A, T>>
        : never;

/** The type that `dtype` names, as Broadloom or a library spells it; without `dtype`, the one that the data implies. */
type TypeNamedBy<A, T> = A extends { readonly dtype: infer N }
  ? N extends 'generic' | 'array' | undefined
    ? ImpliedBy<T>
    : NamedType<N>
  : ImpliedBy<T>;

type NamedType<N> = N extends DType ? N : N extends keyof LibraryTypes ? LibraryTypes[N] : never;

type TagOf<T> = T extends { readonly [Symbol.toStringTag]: infer N } ? N : never;

type ImpliedBy<T> = T extends { readonly [Symbol.toStringTag]: infer N }
  ? N extends keyof DTypeOfData
    ? DTypeOfData[N]
    : N extends 'Float16Array'
      ? 'f16'
      : N extends 'Uint8ClampedArray'
        ? 'u8'
        : never
  : T extends { readonly BYTES_PER_ELEMENT: 1 } // a library's class for booleans
    ? 'bool'
    : never;

/** The type, if such data can hold it. */
type HeldIn<T, D extends DType> = [TagOf<T>] extends [never]
  ? D // a class of a library
  : D extends DType
    ? [
        Extract<
          TagOf<T>,
          TagOf<DataOf[D]> | (D extends 'u8' ? 'Uint8ClampedArray' : D extends 'f16' ? 'Float16Array' : never)
        >,
      ] extends [never]
      ? never
      : D
    : never;

type PlainType<A> = A extends boolean
  ? 'bool'
  : A extends number
    ? 'f64'
    : A extends bigint
      ? 'i64'
      : A extends readonly never[]
        ? 'f64'
        : A extends NestedList<boolean>
          ? 'bool'
          : A extends NestedList<bigint | boolean>
            ? 'i64'
            : A extends NestedList<number | boolean>
              ? 'f64'
              : 'f64' | 'i64';

/** The operand types that an operator takes. */
export type TypesOf<O extends OpName> = OpTable[O]['types'];

/** The element types that `sumTo` sums. */
export type Summed = TypesOf<'Add'> | 'c64' | 'c128';
