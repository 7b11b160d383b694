// What the writers know of element types: what each system calls them, and their kinds. The names are the vocabulary's.

import type { DType } from '../engine/engine';

/** The name of an element type in each system, without the library's; null where the system has no such type. */
interface TypeRow {
  /** NumPy's own, or one that ml_dtypes adds to it. JAX has both under the same names. */
  readonly numpy: string | null;
  /** Where it is not NumPy's; TensorFlow likewise. */
  readonly pytorch?: string | null;
  readonly tensorflow?: string | null;
  /** Of `TensorProto`. */
  readonly onnx: string | null;
  /** Where it is not the vocabulary's name. */
  readonly openvino?: string | null;
  /** Of a port in OpenVINO's IR, where it is not the vocabulary's name in capitals. */
  readonly precision?: string | null;
}

export type TypeColumn = keyof TypeRow;

export const elementTypes: Readonly<Record<DType, TypeRow>> = {
  bool: { numpy: 'bool_', pytorch: 'bool', tensorflow: 'bool', onnx: 'BOOL', openvino: 'boolean' },
  i8: { numpy: 'int8', onnx: 'INT8' },
  i16: { numpy: 'int16', onnx: 'INT16' },
  i32: { numpy: 'int32', onnx: 'INT32' },
  i64: { numpy: 'int64', onnx: 'INT64' },
  u8: { numpy: 'uint8', onnx: 'UINT8' },
  u16: { numpy: 'uint16', onnx: 'UINT16' },
  u32: { numpy: 'uint32', onnx: 'UINT32' },
  u64: { numpy: 'uint64', onnx: 'UINT64' },
  f16: { numpy: 'float16', onnx: 'FLOAT16', precision: 'FP16' },
  bf16: { numpy: 'ml_dtypes.bfloat16', onnx: 'BFLOAT16' },
  f32: { numpy: 'float32', onnx: 'FLOAT', precision: 'FP32' },
  f64: { numpy: 'float64', onnx: 'DOUBLE', precision: 'FP64' },
  f8e4m3: { numpy: 'ml_dtypes.float8_e4m3fn', tensorflow: null, onnx: null },
  f8e5m2: { numpy: 'ml_dtypes.float8_e5m2', tensorflow: null, onnx: null },
  c64: { numpy: 'complex64', onnx: 'COMPLEX64', openvino: null, precision: null },
  c128: { numpy: 'complex128', onnx: 'COMPLEX128', openvino: null, precision: null },
  i4: { numpy: 'ml_dtypes.int4', pytorch: null, tensorflow: null, onnx: null },
  u4: { numpy: 'ml_dtypes.uint4', pytorch: null, tensorflow: null, onnx: null },
  u1: { numpy: null, onnx: null, precision: 'BIN' },
};

const rows: Readonly<Record<string, TypeRow>> = elementTypes;

/** What a system calls the type; null where it has none. */
export function nameOf(dtype: string, column: TypeColumn): string | null {
  const row = rows[dtype];
  const name = row?.[column];
  if (!row || name !== undefined) return name ?? null;
  if (column === 'openvino') return dtype;
  return column === 'precision' ? dtype.toUpperCase() : (row.numpy?.replace('ml_dtypes.', '') ?? null);
}

/** Whether the type is one that ml_dtypes adds to NumPy. */
export const isBorrowed = (dtype: string): boolean => rows[dtype]?.numpy?.startsWith('ml_dtypes.') === true;

/** Integers: their width and whether they have a sign. */
export function integerForm(dtype: string): { readonly bits: number; readonly signed: boolean } | null {
  const named = /^([iu])(8|16|32|64)$/.exec(dtype);
  return named ? { bits: Number(named[2]), signed: named[1] === 'i' } : null;
}

export const isInteger = (dtype: string): boolean => integerForm(dtype) !== null;

/** Floats that are computed with in f32 and rounded once. */
export const isHalf = (dtype: string): boolean => dtype === 'f16' || dtype === 'bf16';

export const isFloat = (dtype: string): boolean => isHalf(dtype) || dtype === 'f32' || dtype === 'f64';

export const isComplex = (dtype: string): boolean => dtype === 'c64' || dtype === 'c128';
