// JAX: NumPy's names, its own defaults. 64-bit types have to be asked for, and XLA divides integers by zero differently.

import { type ArrayLibrary, numpyOperators, writeArrays } from './array-library';
import { isInteger } from './dtypes';
import { leadingType, Unwritable, type Writer } from './question';
import { dividesByZero } from './values';

const types: Readonly<Record<string, string>> = {
  bool: 'jnp.bool_',
  i8: 'jnp.int8',
  i16: 'jnp.int16',
  i32: 'jnp.int32',
  i64: 'jnp.int64',
  u8: 'jnp.uint8',
  u16: 'jnp.uint16',
  u32: 'jnp.uint32',
  u64: 'jnp.uint64',
  f16: 'jnp.float16',
  bf16: 'jnp.bfloat16',
  f32: 'jnp.float32',
  f64: 'jnp.float64',
  f8e4m3: 'jnp.float8_e4m3fn',
  f8e5m2: 'jnp.float8_e5m2',
  c64: 'jnp.complex64',
  c128: 'jnp.complex128',
  i4: 'jnp.int4',
  u4: 'jnp.uint4',
};

const wide = ['i64', 'u64', 'f64', 'c128'];

const library: ArrayLibrary = {
  title: 'JAX',
  imports: (dtypes) => [
    ...(dtypes.some((dtype) => wide.includes(dtype)) ? ['import jax'] : []),
    'import jax.numpy as jnp',
    ...(dtypes.some((dtype) => wide.includes(dtype)) ? ['', 'jax.config.update("jax_enable_x64", True)'] : []),
  ],
  types,
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
  square: 'jnp.square',
  operators: numpyOperators('jnp'),
  check(question) {
    const divides = question.op.name === 'Div' || question.op.name === 'Mod';
    if (divides && isInteger(leadingType(question)) && dividesByZero(question))
      throw new Unwritable('JAX gives no 0 where integers are divided by 0.');
  },
};

export const jax: Writer = (question) => writeArrays(library, question);
