// NumPy 2; the types that it has not are ml_dtypes', which brings them to it.

import { type ArrayLibrary, numpyOperators, writeArrays } from './array-library';
import type { Writer } from './question';

const borrowed: Readonly<Record<string, string>> = {
  bf16: 'ml_dtypes.bfloat16',
  f8e4m3: 'ml_dtypes.float8_e4m3fn',
  f8e5m2: 'ml_dtypes.float8_e5m2',
  i4: 'ml_dtypes.int4',
  u4: 'ml_dtypes.uint4',
};

const types: Readonly<Record<string, string>> = {
  bool: 'np.bool_',
  i8: 'np.int8',
  i16: 'np.int16',
  i32: 'np.int32',
  i64: 'np.int64',
  u8: 'np.uint8',
  u16: 'np.uint16',
  u32: 'np.uint32',
  u64: 'np.uint64',
  f16: 'np.float16',
  f32: 'np.float32',
  f64: 'np.float64',
  c64: 'np.complex64',
  c128: 'np.complex128',
  ...borrowed,
};

export const library: ArrayLibrary = {
  title: 'NumPy',
  imports: (dtypes) => [
    ...(dtypes.some((dtype) => Object.hasOwn(borrowed, dtype)) ? ['import ml_dtypes'] : []),
    'import numpy as np',
  ],
  types,
  range(bounds, type, { wraps }) {
    // arange itself does not wrap, and knows no borrowed types.
    return wraps || !type.startsWith('np.')
      ? `np.arange(${bounds}).astype(${type})`
      : `np.arange(${bounds}, dtype=${type})`;
  },
  array: (values, type) => `np.array(${values}, dtype=${type})`,
  full: (shape, value, type) => `np.full(${shape}, ${value}, dtype=${type})`,
  cast: (array, type) => `${array}.astype(${type})`,
  reshape: (array, shape) => `${array}.reshape(${shape.length === 0 ? '()' : shape.join(', ')})`,
  broadcastTo: (array, shape) => `np.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `np.broadcast_shapes(${array}.shape, ${shape})`,
  broadcastAll: (arrays) => `np.broadcast_arrays(${arrays.join(', ')})`,
  square: 'np.square',
  operators: numpyOperators('np'),
  check() {},
};

export const numpy: Writer = (question) => writeArrays(library, question);
