// TensorFlow 2.

import type { Extent } from '../engine/engine';
import { type ArrayLibrary, writeArrays } from './array-library';
import { isInteger } from './dtypes';
import { tuple } from './lines';
import { leadingType, Unwritable, type Writer } from './question';
import { dividesByZero, shiftsPastWidth } from './values';

const library: ArrayLibrary = {
  title: 'TensorFlow',
  imports: () => ['import tensorflow as tf'],
  types: 'tensorflow',
  type: (name) => `tf.${name}`,
  range(bounds, type, { dtype, large }) {
    if (dtype === 'i32' && !large) return `tf.range(${bounds})`;
    return `tf.cast(tf.range(${bounds}${large ? ', dtype=tf.int64' : ''}), ${type})`;
  },
  array: (values, type) => `tf.constant(${values}, dtype=${type})`,
  full: (shape, value, type) => `tf.fill(${shape}, tf.constant(${value}, dtype=${type}))`,
  cast: (array, type) => `tf.cast(${array}, ${type})`,
  reshape: (array, shape: readonly Extent[]) => `tf.reshape(${array}, ${tuple(shape)})`,
  broadcastTo: (array, shape) => `tf.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `tf.broadcast_static_shape(${array}.shape, tf.TensorShape(${shape}))`,
  broadcastAll: (arrays, shape) => `[tf.broadcast_to(array, ${shape}) for array in (${arrays.join(', ')},)]`,
  operators: 'tensorflow',
  module: 'tf',
  check(question) {
    const { name } = question.op;
    if ((name === 'Div' || name === 'Mod') && isInteger(leadingType(question)) && dividesByZero(question))
      throw new Unwritable('TensorFlow refuses to divide integers by 0.');
    if (name === 'BitShift' && shiftsPastWidth(question))
      throw new Unwritable('TensorFlow leaves open what a shift by the width or more gives.');
  },
};

export const tensorflow: Writer = (question) => writeArrays(library, question);
