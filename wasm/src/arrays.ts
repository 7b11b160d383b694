import type { Extent } from './alignment.js';
import type { DType, OpTable, OpName } from './vocabulary.js';

/**
 * The typed array that holds elements of each type, row-major and dense.
 *
 * - `bool`: one byte an element, any nonzero byte is true; results hold 0 and 1.
 * - `f16`, `bf16`: the bits of each element.
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
  f16: Uint16Array;
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

/** The element type that a typed array stands for where no `dtype` is given. */
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

/** An element type that its typed array says by itself. */
export type ImpliedDType = DTypeOfData[keyof DTypeOfData];

/** Any typed array that Broadloom reads or writes. */
export type TypedArray = DataOf[DType];

/** Typed arrays of whole numbers, as shapes, targets and mappings may be given. */
export type IntegerArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/**
 * Extents along the axes, outermost first; `[]` is a scalar's shape. Numbers have to be whole and safe (below 2^53);
 * bigints reach to 2^63 - 1. Where extents are given as bigints, extents come back as bigints.
 */
export type ShapeLike = readonly Extent[] | IntegerArray | BigInt64Array | BigUint64Array;

/** What the extents of a result are: `number`, or `bigint` where they were given so. */
export type ExtentOf<S> = S extends { readonly [index: number]: infer E } ? Extract<E, Extent> : never;

/**
 * An array to compute with: elements, row-major and dense, and their shape. `dtype` may be left out where the typed
 * array says it (`Float32Array` is f32, `Uint8Array` is u8, ...); it is needed for bool, f16, bf16, the 8-bit floats,
 * complex and packed types.
 *
 * @example
 * const a = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
 * const mask = { data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' as const };
 */
export type Operand<D extends DType = DType> = D extends ImpliedDType
  ? { readonly data: DataOf[D]; readonly shape: ShapeLike; readonly dtype?: D | undefined }
  : D extends DType
    ? { readonly data: DataOf[D]; readonly shape: ShapeLike; readonly dtype: D }
    : never;

/** A result: a new typed array with its shape and element type. May be used as an operand again. */
export type NdArray<D extends DType = DType> = D extends DType
  ? { readonly data: DataOf[D]; readonly shape: number[]; readonly dtype: D }
  : never;

/** The element type of an operand. */
export type DTypeOf<A> = A extends { readonly dtype: infer D extends DType }
  ? D
  : A extends { readonly data: { readonly [Symbol.toStringTag]: infer N extends keyof DTypeOfData } }
    ? DTypeOfData[N]
    : never;

/** The element types that `sumTo` sums. */
export type Summed = TypesOf<'Add'> | 'c64' | 'c128';

/** The operand types that an operator takes. */
export type TypesOf<O extends OpName> = OpTable[O]['types'];

/** The operands that an operator takes, before they are held against each other. */
export type InputsOf<O extends OpName> = number extends OpTable[O]['operands']['length']
  ? readonly Operand<TypesOf<O>>[]
  : Operands<OpTable[O]['operands']>;

type Operands<T extends readonly DType[]> = { readonly [I in keyof T]: Operand<T[I]> };

/** The same operands, with their element types held against each other. */
export type Agreeing<O extends OpName, L extends readonly unknown[]> = number extends L['length']
  ? unknown
  : {
      readonly [I in keyof L]: I extends OpTable[O]['free'] ? L[I] : Operand<LeadingType<O, L>>;
    };

/** The element type that the operands of an operator have to agree in. */
export type LeadingType<O extends OpName, L extends readonly unknown[]> = Extract<
  DTypeOf<number extends L['length'] ? L[number] : L[OpTable[O]['lead']]>,
  DType
>;

/** The element type of an operator's result. */
export type ResultType<O extends OpName, L extends readonly unknown[]> = OpTable[O]['result'] extends 'bool'
  ? 'bool'
  : LeadingType<O, L>;

/** The element type of a plan's result, from those of its operands. */
export type PlannedType<O extends OpName, L extends readonly DType[]> = OpTable[O]['result'] extends 'bool'
  ? 'bool'
  : number extends L['length']
    ? L[number]
    : Extract<L[OpTable[O]['lead']], DType>;
