// NumPy 2, and the types that ml_dtypes adds to it.

import { type ArrayLibrary, writeArrays } from './array-library';
import { isBorrowed } from './dtypes';
import type { Writer } from './question';

export const library: ArrayLibrary = {
  title: 'NumPy',
  imports: (dtypes) => [...(dtypes.some(isBorrowed) ? ['import ml_dtypes'] : []), 'import numpy as np'],
  types: 'numpy',
  type: (name) => (name.includes('.') ? name : `np.${name}`),
  range(bounds, type, { wraps }) {
    // arange does not wrap, and takes none of ml_dtypes' types.
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
  operators: 'numpy',
  module: 'np',
  check() {},
};

export const numpy: Writer = (question) => writeArrays(library, question);
