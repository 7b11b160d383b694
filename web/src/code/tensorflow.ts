// TensorFlow 2.

import type { Extent } from '../engine/engine';
import { type ArrayLibrary, call, nested, writeArrays } from './array-library';
import { isFloat, isInteger } from './dtypes';
import { tuple } from './lines';
import { leadingType, Unwritable, type Writer } from './question';
import { dividesByZero, shiftsPastWidth } from './values';

const types: Readonly<Record<string, string>> = {
  bool: 'tf.bool',
  i8: 'tf.int8',
  i16: 'tf.int16',
  i32: 'tf.int32',
  i64: 'tf.int64',
  u8: 'tf.uint8',
  u16: 'tf.uint16',
  u32: 'tf.uint32',
  u64: 'tf.uint64',
  f16: 'tf.float16',
  bf16: 'tf.bfloat16',
  f32: 'tf.float32',
  f64: 'tf.float64',
  c64: 'tf.complex64',
  c128: 'tf.complex128',
};

const library: ArrayLibrary = {
  title: 'TensorFlow',
  imports: () => ['import tensorflow as tf'],
  types,
  range(bounds, type, { large }) {
    if (type === types['i32'] && !large) return `tf.range(${bounds})`;
    return `tf.cast(tf.range(${bounds}${large ? ', dtype=tf.int64' : ''}), ${type})`;
  },
  array: (values, type) => `tf.constant(${values}, dtype=${type})`,
  full: (shape, value, type) => `tf.fill(${shape}, tf.constant(${value}, dtype=${type}))`,
  cast: (array, type) => `tf.cast(${array}, ${type})`,
  reshape: (array, shape: readonly Extent[]) => `tf.reshape(${array}, ${tuple(shape)})`,
  broadcastTo: (array, shape) => `tf.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `tf.broadcast_static_shape(${array}.shape, tf.TensorShape(${shape}))`,
  broadcastAll: (arrays, shape) => `[tf.broadcast_to(array, ${shape}) for array in (${arrays.join(', ')},)]`,
  square: 'tf.square',
  operators: {
    Div: ([a = '', b = ''], question) =>
      isFloat(leadingType(question)) ? `${a} / ${b}` : `tf.truncatediv(${a}, ${b})`,
    Mod([a = '', b = ''], question) {
      if (question.attributes.fmod !== '1') return `${a} % ${b}`;
      // truncatemod is there for few integer types.
      return isFloat(leadingType(question)) ? `tf.truncatemod(${a}, ${b})` : `${a} - tf.truncatediv(${a}, ${b}) * ${b}`;
    },
    Max: nested('tf.maximum'),
    Min: nested('tf.minimum'),
    And: call('tf.logical_and'),
    Or: call('tf.logical_or'),
    Xor: call('tf.math.logical_xor'),
    BitwiseAnd: call('tf.bitwise.bitwise_and'),
    BitwiseOr: call('tf.bitwise.bitwise_or'),
    BitwiseXor: call('tf.bitwise.bitwise_xor'),
    BitShift: (arrays, { attributes }) =>
      `tf.bitwise.${attributes.direction === 'right' ? 'right' : 'left'}_shift(${arrays.join(', ')})`,
    PRelu: ([a = '', b = '']) => `tf.where(${a} < 0, ${a} * ${b}, ${a})`,
    Where: call('tf.where'),
  },
  check(question) {
    const { name } = question.op;
    if ((name === 'Div' || name === 'Mod') && isInteger(leadingType(question)) && dividesByZero(question))
      throw new Unwritable('TensorFlow refuses to divide integers by 0.');
    if (name === 'BitShift' && shiftsPastWidth(question))
      throw new Unwritable('TensorFlow leaves open what a shift by the width or more gives.');
  },
};

export const tensorflow: Writer = (question) => writeArrays(library, question);
