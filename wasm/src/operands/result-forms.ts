// The types of results in each form, which give-back.ts makes.

import type { DataOf } from '../types/data.js';
import type { NdArray, PlainValue, PlainValues } from './arrays.js';
import type { DType } from '../types/vocabulary.js';

/**
 * The form of a result: the option `as`.
 *
 * - `array`: `{data, shape, dtype}`.
 * - `strided`: `{data, shape, stride, offset, dtype}` as scijs's ndarray, and one of its own where an operand is one of the
 *   result's element type and of at least as many axes; `strides` where the first operand has them.
 * - `zarr`: `{data, shape, stride}` as a chunk of zarrita's.
 * - `stdlib`: with the fields of an ndarray of `@stdlib`.
 * - `onnx`: `{type, data, dims}` as a tensor of onnxruntime.
 * - `nested`: nested lists; for a scalar, the value alone.
 */
export type ResultForm = 'array' | 'strided' | 'zarr' | 'stdlib' | 'onnx' | 'nested';

/** A result as nested lists; for a scalar, the value alone. */
export type Nested<V extends PlainValue = PlainValue> = V | Nested<V>[];

/** The type of an element in nested lists; never for types that they cannot hold. */
export type ValueOf<D extends DType> = D extends 'bool'
  ? boolean
  : D extends 'i64' | 'u64'
    ? bigint
    : D extends 'c64' | 'c128' | 'i4' | 'u4' | 'u1'
      ? never
      : number;

/** The libraries' names of the element types that they have. */
interface NumberNames {
  i8: 'int8';
  i16: 'int16';
  i32: 'int32';
  u8: 'uint8';
  u16: 'uint16';
  u32: 'uint32';
  f32: 'float32';
  f64: 'float64';
}
export interface ScijsNames extends NumberNames {
  bool: 'uint8';
  i64: 'bigint64';
  u64: 'biguint64';
  f16: 'float16';
}
export interface ZarrNames extends NumberNames {
  bool: 'bool';
  i64: 'int64';
  u64: 'uint64';
  f16: 'float16';
}
export interface StdlibNames extends NumberNames {
  bool: 'bool' | 'uint8';
  c64: 'complex64';
  c128: 'complex128';
}
export interface OnnxNames extends ZarrNames {
  i4: 'int4';
  u4: 'uint4';
}

/** A result of type `D` in each form. `A` is the first operand; where it is of a library's class, so is the result. */
export interface ResultForms<D extends DType, A = unknown> {
  array: NdArray<D>;
  strided: StridedResult<D, A extends { readonly strides: unknown } ? 'strides' : 'stride'>;
  zarr: ZarrResult<D, A>;
  stdlib: StdlibResult<D, A>;
  onnx: OnnxResult<D, A>;
  nested: Nested<ValueOf<D>>;
}

/** The form of an operand. */
export type FormOf<A> = A extends PlainValues
  ? 'nested'
  : A extends { readonly dims: unknown }
    ? 'onnx'
    : A extends { readonly strides: unknown }
      ? A extends { readonly order: string }
        ? 'stdlib'
        : 'strided'
      : A extends { readonly offset: unknown }
        ? 'strided'
        : A extends { readonly stride: unknown }
          ? 'zarr'
          : 'array';

type StridedResult<D extends DType, K extends 'stride' | 'strides'> = D extends keyof ScijsNames
  ? { readonly [N in K]: number[] } & {
      readonly data: DataOf[D];
      readonly shape: number[];
      readonly offset: number;
      readonly dtype: ScijsNames[D];
    }
  : never;

type ZarrResult<D extends DType, A> = D extends keyof ZarrNames
  ? { readonly data: DataLike<D, A>; readonly shape: number[]; readonly stride: number[] }
  : never;

type StdlibResult<D extends DType, A> = D extends keyof StdlibNames
  ? {
      readonly data: DataLike<D, A>;
      readonly shape: number[];
      readonly strides: number[];
      readonly offset: number;
      readonly order: 'row-major';
      readonly dtype: StdlibNames[D];
    }
  : never;

/** Of onnxruntime's own class where the first operand is such a tensor of the same element type. */
type OnnxResult<D extends DType, A> = D extends keyof OnnxNames
  ? A extends { readonly type: OnnxNames[D]; reshape(dims: readonly number[]): infer R }
    ? R
    : { readonly type: OnnxNames[D]; readonly data: DataOf[D]; readonly dims: number[] }
  : never;

/** Booleans and complex numbers are of the class that the first operand's data has. */
type DataLike<D extends DType, A> = D extends 'bool' | 'c64' | 'c128'
  ? A extends { readonly data: infer T }
    ? T extends { readonly [Symbol.toStringTag]: string }
      ? DataOf[D]
      : T
    : DataOf[D]
  : DataOf[D];
