// JAX has NumPy's names, but its own defaults: 64-bit types have to be enabled, and XLA divides integers by zero differently.

import { type ArrayLibrary, writeArrays } from './array-library';
import { isInteger } from './dtypes';
import { leadingType, Unwritable, type Writer } from './question';
import { dividesByZero } from './values';

const wide = ['i64', 'u64', 'f64', 'c128'];

const library: ArrayLibrary = {
  title: 'JAX',
  imports: (dtypes) => [
    ...(dtypes.some((dtype) => wide.includes(dtype)) ? ['import jax'] : []),
    'import jax.numpy as jnp',
    ...(dtypes.some((dtype) => wide.includes(dtype)) ? ['', 'jax.config.update("jax_enable_x64", True)'] : []),
  ],
  types: 'numpy',
  type: (name) => `jnp.${name.replace('ml_dtypes.', '')}`,
  range(bounds, type, { wraps }) {
    return wraps ? `jnp.arange(${bounds}).astype(${type})` : `jnp.arange(${bounds}, dtype=${type})`;
  },
  array: (values, type) => `jnp.array(${values}, dtype=${type})`,
  full: (shape, value, type) => `jnp.full(${shape}, ${value}, dtype=${type})`,
  cast: (array, type) => `${array}.astype(${type})`,
  reshape: (array, shape) => `${array}.reshape(${shape.length === 0 ? '()' : shape.join(', ')})`,
  broadcastTo: (array, shape) => `jnp.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `jnp.broadcast_shapes(${array}.shape, ${shape})`,
  broadcastAll: (arrays) => `jnp.broadcast_arrays(${arrays.join(', ')})`,
  operators: 'numpy',
  module: 'jnp',
  check(question) {
    const divides = question.op.name === 'Div' || question.op.name === 'Mod';
    if (divides && isInteger(leadingType(question)) && dividesByZero(question))
      throw new Unwritable('JAX gives no 0 where integers are divided by 0.');
  },
};

export const jax: Writer = (question) => writeArrays(library, question);
