// NumPy 2; the types that it has not are ml_dtypes', which brings them to it.

import { type ArrayLibrary, call, nested, writeArrays } from './array-library';
import { integerForm, isFloat } from './dtypes';
import { leadingType, type Writer } from './question';

const borrowed: Readonly<Record<string, string>> = {
  bf16: 'ml_dtypes.bfloat16',
  f8e4m3: 'ml_dtypes.float8_e4m3fn',
  f8e5m2: 'ml_dtypes.float8_e5m2',
  i4: 'ml_dtypes.int4',
  u4: 'ml_dtypes.uint4',
};

const types: Readonly<Record<string, string>> = {
  bool: 'np.bool',
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
    ...(dtypes.some((dtype) => dtype in borrowed) ? ['import ml_dtypes'] : []),
    'import numpy as np',
  ],
  types,
  range(first, end, step, type, cast) {
    const bounds = step === '1' ? (first === '0' ? end : `${first}, ${end}`) : `${first}, ${end}, ${step}`;
    // arange itself does not wrap, and knows no borrowed types.
    return cast || !type.startsWith('np.')
      ? `np.arange(${bounds}).astype(${type})`
      : `np.arange(${bounds}, dtype=${type})`;
  },
  array: (values, type) => `np.array(${values}, dtype=${type})`,
  cast: (array, type) => `${array}.astype(${type})`,
  reshape: (array, shape) => `${array}.reshape(${shape.length === 0 ? '()' : shape.join(', ')})`,
  broadcastTo: (array, shape) => `np.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `np.broadcast_shapes(${array}.shape, ${shape})`,
  broadcastAll: (arrays) => `np.broadcast_arrays(${arrays.join(', ')})`,
  square: 'np.square',
  operators: {
    Div([a = '', b = ''], question) {
      if (isFloat(leadingType(question))) return `${a} / ${b}`;
      // Toward zero: // alone rounds down.
      return integerForm(leadingType(question))?.signed ? `(${a} - np.fmod(${a}, ${b})) // ${b}` : `${a} // ${b}`;
    },
    Mod: ([a = '', b = ''], { attributes }) => (attributes.fmod === '1' ? `np.fmod(${a}, ${b})` : `${a} % ${b}`),
    Max: nested('np.maximum'),
    Min: nested('np.minimum'),
    And: call('np.logical_and'),
    Or: call('np.logical_or'),
    Xor: call('np.logical_xor'),
    PRelu: ([a = '', b = '']) => `np.where(${a} < 0, ${a} * ${b}, ${a})`,
    Where: call('np.where'),
  },
  check() {},
};

export const numpy: Writer = { id: 'numpy', title: 'NumPy', write: (question) => writeArrays(library, question) };
