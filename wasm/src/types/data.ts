// Which typed array holds the elements of which type.

import type { InstanceOf } from '../values/globals.js';
import type { DType } from './vocabulary.js';

type Float16 = InstanceOf<'Float16Array'>;

/**
 * The typed array that holds elements of each type, row-major and dense.
 *
 * - `bool`: one byte an element, any nonzero byte is true; results hold 0 and 1.
 * - `f16`: a `Float16Array`, or the bits of each element; results are in the former where the platform has it.
 * - `bf16`: the bits of each element.
 * - `f8e4m3`, `f8e5m2`: the bits of each element.
 * - `c64`, `c128`: real and imaginary part, one after the other: two entries an element.
 * - `i4`, `u4`: two elements a byte, the low half first.
 * - `u1`: eight elements a byte, the highest bit first.
 */
export interface DataOf {
  bool: Uint8Array;
  i8: Int8Array;
  i16: Int16Array;
  i32: Int32Array;
  i64: BigInt64Array;
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  u64: BigUint64Array;
  f16: Uint16Array | Float16;
  bf16: Uint16Array;
  f32: Float32Array;
  f64: Float64Array;
  f8e4m3: Uint8Array;
  f8e5m2: Uint8Array;
  c64: Float32Array;
  c128: Float64Array;
  i4: Uint8Array;
  u4: Uint8Array;
  u1: Uint8Array;
}

/** The element type of a typed array, by the name of its class, where no `dtype` is given. */
export interface DTypeOfData {
  Int8Array: 'i8';
  Int16Array: 'i16';
  Int32Array: 'i32';
  BigInt64Array: 'i64';
  Uint8Array: 'u8';
  Uint16Array: 'u16';
  Uint32Array: 'u32';
  BigUint64Array: 'u64';
  Float32Array: 'f32';
  Float64Array: 'f64';
}

/** An element type that need not be given, since its typed array implies it on every platform. */
export type ImpliedDType = DTypeOfData[keyof DTypeOfData];

/** Any typed array that Broadloom reads or writes. */
export type TypedArray = DataOf[DType];
