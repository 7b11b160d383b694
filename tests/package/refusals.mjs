// Errors of an instance's calls: each call, the class and detail of its error, and the whole text of its message.

import { load } from 'broadloom';
import { load as loadAtOnce } from 'broadloom/inline';
import { escapeText, linkTo, questionFields, questionOf } from 'broadloom/link';
import { bool, f32, f64, i32, u8 } from './arrays.mjs';
import { startInside } from './inside.mjs';

const bl = await load();
/** A second instance, with its own memory. */
const other = loadAtOnce();

/** One that explains. */
const inside = startInside().bl;

/** The names that a message lists, as the vocabulary has them. */
export const [operators, rules, elementTypes] = ['ops', 'rules', 'dtypes'].map((table) =>
  Object.keys(bl.vocabulary[table]).join(', '),
);

const bf16 = () => ({ data: new Uint16Array(1), shape: [1], dtype: 'bf16' });
const f16 = () => ({ data: new Uint16Array(1), shape: [1], dtype: 'f16' });
const complex = () => ({ data: new Float32Array(2), shape: [1], dtype: 'c64' });
const aligned = () => bl.align('numpy', [[2, 3], [3]]);
const planned = () => bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);

/** A property that throws when it is read. */
function throwing(object, name, reason = new Error('not today')) {
  return Object.defineProperty(object, name, {
    enumerable: true,
    get() {
      throw reason;
    },
  });
}

/** An error that throws when its properties are read. */
const hostile = {
  toString() {
    throw new Error('no');
  },
};

/** A list that says that it has so many entries, each of them `entry`. */
const endless = (entry, length = 1e9) =>
  new Proxy([], { get: (list, name) => (name === 'length' ? length : /^\d/.test(String(name)) ? entry : list[name]) });

const linked = { rule: 'numpy', op: 'Add', dtype: 'f32', operands: [{ shape: '(2,)' }] };

function cyclic() {
  const list = [];
  list.push(list);
  return list;
}

function disposed(held) {
  held.dispose();
  return held;
}

/** An object like a tensor of another copy of the package. */
const foreign = { shape: [1], dtype: 'f32', read: () => new Float32Array(1) };

function overlapping() {
  const memory = new Float32Array(3);
  const operand = { data: memory.subarray(0, 2), shape: [2] };
  return bl.add(operand, operand, { out: { data: memory.subarray(1), shape: [2] } });
}

function sharing() {
  const out = f32([0]);
  return bl.apply('Broadcast', [f32([1]), f32([1])], { rule: 'sonnx', out: [out, out] });
}

/** An array of a class that cannot be constructed again. */
function unlike() {
  let isMade = false;
  class Tensor {
    constructor() {
      if (isMade) throw new Error('there is one already');
      isMade = true;
      Object.assign(this, { type: 'float32', data: new Float32Array(1), dims: [1] });
    }
  }
  return new Tensor();
}

/** Calls with no more memory for the core itself. */
function starving(call) {
  const { bl, core } = startInside();
  core.refuseAfter(0);
  try {
    return call(bl);
  } finally {
    core.refuseAfter(-1);
  }
}

/** Calls as on a platform without Float16Array. */
function withoutFloat16(call) {
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'Float16Array');
  delete globalThis.Float16Array;
  try {
    return call();
  } finally {
    if (kept !== undefined) Object.defineProperty(globalThis, 'Float16Array', kept);
  }
}

/** By subject: [call, class or class.detail, message]. */
export const REFUSALS = {
  Shapes: [
    [() => bl.inferShape('numpy', 5), 'arity', 'A list of shapes is needed, as [[2, 3], [3]], not 5.'],
    [() => bl.inferShape('numpy', [[2], '3']), 'extent', 'The shape of B has to be a list of whole numbers, not "3".'],
    [() => bl.countElements({ length: 1 }), 'extent', 'The shape has to be a list of whole numbers, not an object.'],
    [
      () => bl.inferShape('numpy', [[2], [1, 1.5]]),
      'extent.fractional',
      'The shape of B, axis 1: 1.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('numpy', [[NaN]]),
      'extent.fractional',
      'The shape of A, axis 0: NaN is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('numpy', [['3']]),
      'extent.fractional',
      'The shape of A, axis 0: "3" is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('numpy', [[2 ** 53]]),
      'extent.unsafe',
      'The shape of A, axis 0: 9007199254740992 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('numpy', [[2 ** 63]]),
      'extent.unsafe',
      'The shape of A, axis 0: 9223372036854776000 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('numpy', [[2n ** 63n]]),
      'extent.unsafe',
      'The shape of A, axis 0: 9223372036854775808 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('numpy', [[Infinity]]),
      'extent.unsafe',
      'The shape of A, axis 0: Infinity is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('numpy', [[-(2n ** 63n) - 1n]]),
      'extent.unsafe',
      'The shape of A, axis 0: -9223372036854775809 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('numpy', [[2], [3, -4]]),
      'extent.negative',
      'B, axis 1: the extent -4 is negative. An extent is 0 or more.',
    ],
    [
      () => bl.countElements([2, 1.5]),
      'extent.fractional',
      'The shape, axis 1: 1.5 is not a whole number; give one, such as 1.',
    ],
    [() => bl.countElements([2, -1]), 'extent.negative', 'Axis 1: the extent -1 is negative. An extent is 0 or more.'],
    [
      () => bl.inferShape('numpy', [[2], throwing([3, 4], '1')]),
      'extent',
      'The shape of B, axis 1: reading it failed: not today.',
    ],
    [
      () => bl.inferShape('bidirectional', [[1]], { targetShape: [2, 0.5] }),
      'extent.fractional',
      'targetShape, axis 1: 0.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('bidirectional', [[1]], { targetShape: 3 }),
      'extent',
      'targetShape has to be a list of whole numbers, not 3.',
    ],
    [
      () => bl.inferShape('bidirectional', [[1]], { targetShape: [2, -1] }),
      'negative_dim',
      'The target, axis 1: the extent -1 is negative. Every extent of a target has to be given.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [0.5]),
      'extent.fractional',
      'The shape of the result, axis 0: 0.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [-2]),
      'extent.negative',
      'The result, axis 0: the extent -2 is negative. An extent is 0 or more.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), null),
      'extent',
      'The shape of the result has to be a list of whole numbers, not null.',
    ],
    [() => bl.formatOperand(2 ** 40), 'arity', 'There is no operand 1099511627776.'],
    [() => bl.formatOperand('A'), 'arity.fractional', 'operand: "A" is not a whole number; give one, such as 1.'],
  ],
  Rules: [
    [
      () => bl.inferShape('numpy', [[2, 3], [4]]),
      'incompatible',
      'Axis 1: B has 4 (its axis 0) but A has 3 (its axis 1). NumPy: two extents fit when they are equal or one of them is 1.',
    ],
    [
      () =>
        bl.inferShape('none', [
          [2, 3],
          [2, 1],
        ]),
      'incompatible',
      'Axis 1: B has 1 (its axis 1) but A has 3 (its axis 1). None: the shapes must be the same.',
    ],
    [
      () => bl.inferShape('none', [[2, 3], [3]]),
      'incompatible.size',
      'B has 1 axis, A has 2. None: the shapes must be the same.',
    ],
    [
      () => bl.inferShape('onnx_multidirectional', [[2, 3], [4]]),
      'incompatible',
      'Axis 1: B has 4 (its axis 0) but A has 3 (its axis 1). ONNX multidirectional: along each axis the extents are one common extent or 1.',
    ],
    [
      () => bl.inferShape('onnx_unidirectional', [[2, 1], [3]]),
      'incompatible',
      "Axis 1: B has 3 (its axis 0) but A has 1 (its axis 1). ONNX unidirectional: along each axis B's extent is A's or 1.",
    ],
    [
      () => bl.inferShape('onnx_unidirectional', [[2], [1, 2]]),
      'rank.size',
      "B has 2 axes, but A has only 1. ONNX unidirectional: the result has A's shape, so A never stretches.",
    ],
    [
      () => bl.inferShape('pdpd', [[2, 3], [4]], { axis: 1 }),
      'incompatible',
      "Axis 1: B has 4 (its axis 0) but A has 3 (its axis 1). PDPD: B's extents equal those of consecutive axes of A, or are 1.",
    ],
    [
      () => bl.inferShape('pdpd', [[2], [2, 2]]),
      'rank.size',
      'B has 2 axes, but A has only 1. PDPD: B has at most as many axes as A.',
    ],
    [
      () => bl.inferShape('bidirectional', [[2]], { targetShape: [3] }),
      'incompatible',
      'Axis 0: the target has 3 but A has 2 (its axis 0). Bidirectional: two extents fit when they are equal or one of them is 1.',
    ],
    [
      () => bl.inferShape('broadcast_numpy', [[2]], { targetShape: [1] }),
      'incompatible',
      'Axis 0: A has 2 (its axis 0) but the target has 1. Broadcast-3 NumPy: data stretches to target_shape, target_shape never to data.',
    ],
    [
      () => bl.inferShape('broadcast_numpy', [[2, 3]], { targetShape: [3] }),
      'rank.size',
      'A has 2 axes, but the target has only 1. Broadcast-3 NumPy: data stretches to target_shape, target_shape never to data.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [3, 4], axesMapping: [0] }),
      'incompatible',
      'Axis 0: A has 2 (its axis 0) but the target has 3. Explicit: each axis of data goes where axes_mapping says.',
    ],
    [
      () => bl.inferShape('sonnx', [[2], [3]]),
      'incompatible',
      'Axis 0: B has 3 (its axis 0) but A has 2 (its axis 0). SONNX: along each axis an extent is the common one or 1.',
    ],
    [
      () => bl.inferShape('numpy', [[2 ** 40, 1], [2 ** 40]]),
      'overflow',
      'The result is too large: it would have more than 2^63-1 elements, reached at axis 1 (extent 1099511627776). Use smaller extents.',
    ],
    [
      () => bl.inferShape('numpy', [[2 ** 31, 1], [2 ** 31]], { dtype: 'f32' }),
      'overflow',
      'The result is too large: it would have more than 2^63-1 bytes. Use smaller extents or a smaller element type.',
    ],
    [
      () => bl.countElements([2 ** 40, 2 ** 40]),
      'overflow',
      'The shape is too large: it would have more than 2^63-1 elements. Use smaller extents.',
    ],
    [
      () => bl.countBytes([2n ** 62n], 'f32'),
      'overflow',
      'The shape is too large: it would have more than 2^63-1 bytes. Use smaller extents or a smaller element type.',
    ],
    [() => bl.inferShape('numpy', []), 'arity', 'NumPy takes at least 1 operand, not 0.'],
    [() => bl.inferShape('pdpd', [[1], [1], [1]]), 'arity', 'PDPD takes 2 operands, not 3.'],
    [
      () => bl.inferShape('bidirectional', [[1], [1]], { targetShape: [1] }),
      'arity',
      'Bidirectional takes 1 operand, not 2.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [2, 2]),
      'rank.size',
      'A has 2 axes, but the target has only 1. Broadcast-3 NumPy: data stretches to target_shape, target_shape never to data.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [3]),
      'incompatible',
      'Axis 0: A has 3 (its axis 0) but the target has 2. Broadcast-3 NumPy: data stretches to target_shape, target_shape never to data.',
    ],
    [
      () => bl.sumTo(f32([1]), [2], { rule: 'numpy' }),
      'incompatible.output',
      'Axis 0: A has 1 (its axis 0) but B has 2 (its axis 0). An array is summed to extents that it has, or to 1.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [3, 2], { rule: 'numpy' }),
      'incompatible.output',
      'Axis 0: A has no such axis but B has 3 (its axis 0). An array is summed to extents that it has, or to 1.',
    ],
  ],
  'Options of rules': [
    [() => bl.inferShape('numpy', [[1]], 5), 'attribute', 'Options are given as an object, not as 5.'],
    [() => bl.inferShape('numpy', [[1]], [[2]]), 'attribute', 'Options are given as an object, not as a list.'],
    [
      () => bl.inferShape('numpy', [[1]], { axes: 0 }),
      'unknown',
      'There is no option "axes". Did you mean "axesMapping"? There are: axis, targetShape, axesMapping, dtype, policy, names.',
    ],
    [
      () => bl.inferShape('numpy', [[1]], throwing({ axis: 0 }, 'axis')),
      'attribute',
      'Reading the options failed: not today.',
    ],
    [
      () => bl.inferShape('nunpy', [[1]]),
      'unknown.rule',
      `There is no rule "nunpy". Did you mean "numpy"? There are: ${rules}.`,
    ],
    [() => bl.inferShape('qwertyuiop', [[1]]), 'unknown.rule', `There is no rule "qwertyuiop". There are: ${rules}.`],
    [
      () => bl.inferShape('broadcast', [[1]]),
      'unknown.rule',
      `There is no rule "broadcast". Did you mean "broadcast_numpy"? There are: ${rules}.`,
    ],
    [
      () => bl.inferShape('onnx', [[1]]),
      'unknown.rule',
      `There is no rule "onnx". Did you mean "onnx_multidirectional" or "onnx_unidirectional"? There are: ${rules}.`,
    ],
    [
      () => bl.inferShape('numpy', [[1]], { dtype: 'float32' }),
      'unknown.dtype',
      `There is no element type "float32". Did you mean "f32"? There are: ${elementTypes}.`,
    ],
    [
      () => bl.inferShape('pdpd', [[1], [1]], { axis: 0.5 }),
      'attribute.fractional',
      'axis: 0.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('pdpd', [[1], [1]], { axis: 2 ** 53 }),
      'attribute.unsafe',
      'axis: 9007199254740992 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.inferShape('pdpd', [[2], [2]], { axis: -2 }),
      'axis.negative',
      'axis -2 is below -1. Give -1, which aligns B at the right, or an axis of A from 0 on.',
    ],
    [
      () => bl.inferShape('pdpd', [[2], [2]], { axis: 1 }),
      'axis.out_of_range',
      "From axis 1 on, B does not fit into A: the axis can be at most 0. PDPD: B lines up with A's axes from `axis` on; the result has A's shape.",
    ],
    [
      () => bl.inferShape('numpy', [[2], [2]], { axis: 3 }),
      'attribute.unexpected',
      'NumPy takes no axis (3 was given); that is for pdpd.',
    ],
    [
      () => bl.inferShape('numpy', [[2]], { targetShape: [2] }),
      'attribute.unexpected',
      'NumPy takes no target shape; that is for bidirectional, broadcast_numpy, explicit.',
    ],
    [() => bl.inferShape('bidirectional', [[2]]), 'attribute.missing', 'Bidirectional needs a target shape.'],
    [
      () => bl.inferShape('numpy', [[2]], { axesMapping: [0] }),
      'axes_mapping.unexpected',
      'NumPy takes no axes_mapping; that is for explicit.',
    ],
    [
      () => bl.inferShape('explicit', [[2, 3]], { targetShape: [2, 3] }),
      'axes_mapping.missing',
      'An axes_mapping is missing: 2 entries, a target axis for each axis of A.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [2] }),
      'axes_mapping.missing',
      'An axes_mapping is missing: 1 entry, a target axis for each axis of A.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [2], axesMapping: 0 }),
      'axes_mapping',
      'axesMapping has to be a list of whole numbers, not 0.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [2], axesMapping: [0.5] }),
      'axes_mapping.fractional',
      'axesMapping, entry 0: 0.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.inferShape('explicit', [[2, 3]], { targetShape: [2, 3, 4], axesMapping: [0] }),
      'axes_mapping.size',
      'axes_mapping has 1 entry, but A has 2 axes. Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [2, 3], axesMapping: [0, 1] }),
      'axes_mapping.size',
      'axes_mapping has 2 entries, but A has 1 axis. Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
    [
      () => bl.inferShape('explicit', [[2, 3]], { targetShape: [2, 3, 4], axesMapping: [1, 0] }),
      'axes_mapping.unsorted',
      'axes_mapping has to increase: entry 1 is 0, after 1. Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
    [
      () => bl.inferShape('explicit', [[2, 2]], { targetShape: [2, 3, 4], axesMapping: [0, 0] }),
      'axes_mapping.duplicate',
      'axes_mapping names target axis 0 twice (entry 1). Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
    [
      () => bl.inferShape('explicit', [[2, 3]], { targetShape: [2, 3, 4], axesMapping: [0, 3] }),
      'axes_mapping.out_of_range',
      'axes_mapping: entry 1 is 3, but the target has axes 0 to 2. Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
    [
      () => bl.inferShape('explicit', [[2]], { targetShape: [], axesMapping: [0] }),
      'axes_mapping.out_of_range',
      'axes_mapping: entry 0 is 0, but the target is a scalar and has no axis. Explicit: one sorted entry for each axis of data, for mode explicit alone.',
    ],
  ],
  Alignments: [
    [
      () => bl.align('numpy', [[2, 3], [4]]).sourceOf(0, [0, 0]),
      'incompatible',
      'Axis 1: B has 4 (its axis 0) but A has 3 (its axis 1). NumPy: two extents fit when they are equal or one of them is 1.',
    ],
    [() => aligned().sourceOf(5, [0, 0]), 'arity', 'There is no operand 5; there are 2, counted from 0.'],
    [
      () => aligned().sourceOf(0, [0]),
      'extent.size',
      'The result: the index has to have 2 numbers, one for each axis, not 1.',
    ],
    [
      () => aligned().sourceOf(0, [0, 3]),
      'extent.out_of_range',
      'The result, axis 1: there is no index 3 along an extent of 3.',
    ],
    [
      () => aligned().sourceOf(0, [0, 0.5]),
      'extent.fractional',
      'The index, axis 1: 0.5 is not a whole number; give one, such as 1.',
    ],
    [() => aligned().sourceOf(0, 0), 'extent', 'The index has to be a list of whole numbers, not 0.'],
    [() => aligned().fanOut(1, [4]), 'extent.out_of_range', 'B, axis 0: there is no index 4 along an extent of 3.'],
    [() => aligned().fanOut(1, [0, 0]), 'extent.size', 'B: the index has to have 1 number, one for each axis, not 2.'],
  ],
  'Texts of shapes': [
    [() => bl.parseShape(5), 'parse', 'A text is needed, not 5.'],
    [
      () => bl.parseShape(''),
      'parse.empty_text',
      'Empty text: there is nothing to read. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2,oops'),
      'parse.bad_token',
      'Characters 3 to 6: neither a number nor a separator. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2, ?'),
      'parse.bad_token',
      'Character 4: neither a number nor a separator. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('1e3'),
      'parse.bad_token',
      'Characters 1 to 3: neither a number nor a separator. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('torch.Size'),
      'parse.bad_token',
      'Characters 1 to 10: neither a number nor a separator. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2,(3)'),
      'parse.bad_token',
      'Character 3: neither a number nor a separator. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2,,3'),
      'parse.no_number',
      'Character 3: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape(',2'),
      'parse.no_number',
      'Character 1: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2x'),
      'parse.no_number',
      'Character 2: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(2 x x 3)'),
      'parse.no_number',
      'Character 6: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(2, 3'),
      'parse.unclosed',
      'Character 1: a bracket is not closed. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(2, 3]'),
      'parse.unopened',
      'Character 6: a bracket that closes none. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2, 3)'),
      'parse.unopened',
      'Character 5: a bracket that closes none. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(((((2)))))'),
      'parse.too_deep',
      'Character 5: brackets are nested deeper than 4 levels. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(2, 3) 45'),
      'parse.trailing',
      'Characters 8 to 9: nothing may follow the bracket. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('(2)(3)'),
      'parse.trailing',
      'Character 4: nothing may follow the bracket. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2, -3', { operand: 1 }),
      'extent.negative',
      'B, axis 1: the extent -3 is negative. An extent is 0 or more.',
    ],
    [
      () => bl.parseShape('1.5', { operand: 0 }),
      'extent.fractional',
      'A, axis 0: 1 followed by a decimal point is not a whole number.',
    ],
    [
      () => bl.parseShape('2, -2.5'),
      'extent.fractional',
      'Entry 1: -2 followed by a decimal point is not a whole number.',
    ],
    [
      () => bl.parseShape('9223372036854775808', { operand: 0 }),
      'extent.unsafe',
      'A, axis 0: the number is too large; the largest is 2^63-1.',
    ],
    [
      () => bl.parseShape('-9223372036854775809'),
      'extent.unsafe',
      'Entry 0: the number is too large; the largest is 2^63-1.',
    ],
    [
      () => bl.parseShape('2, 9007199254740992', { operand: 2 }),
      'extent.unsafe',
      'C, axis 1: 9007199254740992 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.parseIntegers('1.5'),
      'extent.fractional',
      'Entry 0: 1 followed by a decimal point is not a whole number.',
    ],
    [
      () => bl.parseIntegers('9223372036854775808'),
      'extent.unsafe',
      'Entry 0: the number is too large; the largest is 2^63-1.',
    ],
    [
      () => bl.parseIntegers('9007199254740992'),
      'extent.unsafe',
      'Entry 0: 9007199254740992 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.parseIntegers('0,,1'),
      'parse.no_number',
      'Character 3: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().',
    ],
    [
      () => bl.parseShape('2', { operand: 0.5 }),
      'arity.fractional',
      'operand: 0.5 is not a whole number; give one, such as 1.',
    ],
  ],
  Arrays: [
    [
      () => bl.add(undefined, f32([1])),
      'dtype.unsupported',
      'A: it has to be an array, as {data, shape} or otherwise, not undefined.',
    ],
    [
      () => bl.add('x', f32([1])),
      'dtype.unsupported',
      'A: it has to be an array, as {data, shape} or otherwise, not "x".',
    ],
    [
      () => bl.add(f32([1]), () => 1),
      'dtype.unsupported',
      'B: it has to be an array, as {data, shape} or otherwise, not a function.',
    ],
    [
      () => bl.add(f32([1]), {}),
      'dtype.unsupported',
      'B: it has to be an array, as {data, shape} or otherwise, not an object.',
    ],
    [
      () => bl.add(new Float32Array(3), 1),
      'dtype.unsupported',
      'A: it is a typed array without a shape: give { data, shape: [3] }, or another shape.',
    ],
    [
      () => bl.add({ data: [1], shape: [1] }, f32([1])),
      'dtype.unsupported',
      'A: data has to be a typed array, not a list.',
    ],
    [
      () => bl.add({ data: new Float32Array(1), shape: 1 }, f32([1])),
      'extent',
      'The shape of A has to be a list of whole numbers, not 1.',
    ],
    [
      () => bl.add({ data: new Float32Array(1), shape: [1.5] }, f32([1])),
      'extent.fractional',
      'The shape of A, axis 0: 1.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2, 3] }, f32([1])),
      'length',
      'A: its shape needs 24 bytes, but its data has 16. Give as many, or another shape.',
    ],
    [
      () => bl.add({ data: new Float32Array(1), shape: [1], dtype: 'f64' }, f32([1])),
      'dtype.unsupported',
      'A: f64 is held in Float64Array, not in Float32Array.',
    ],
    [
      () => bl.add({ data: new Float32Array(1), shape: [1], dtype: 'flaot32' }, f32([1])),
      'unknown.dtype',
      `A: there is no element type "flaot32". There are: ${elementTypes}.`,
    ],
    [
      () => bl.add({ data: new Float32Array(1), dims: [1], type: 'string' }, f32([1])),
      'unknown.dtype',
      `A: there is no element type "string". There are: ${elementTypes}.`,
    ],
    [
      () => bl.add({ data: ['a'], dims: [1], type: 'float32' }, f32([1])),
      'dtype.unsupported',
      'A: data has to be a typed array, not a list.',
    ],
    [
      () => bl.add(throwing({ data: new Float32Array(1) }, 'shape'), f32([1])),
      'dtype.unsupported',
      'A: reading it failed: not today.',
    ],
    [() => bl.apply('Add', throwing([f32([1]), null], 1)), 'arity', 'Reading entry 1 of the list failed: not today.'],
    [
      () => bl.add(throwing({ data: new Float32Array(1) }, 'shape', 'a text'), f32([1])),
      'dtype.unsupported',
      'A: reading it failed: a text.',
    ],
    [
      () => bl.add(throwing({ data: new Float32Array(1) }, 'shape', hostile), f32([1])),
      'dtype.unsupported',
      'A: reading it failed: for a reason that cannot be told.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: 1 }, f32([1])),
      'extent',
      'A: strides have to be a list of whole numbers, not 1.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: [0.5] }, f32([1])),
      'extent.fractional',
      'A: the stride of axis 0 has to be a whole number below 2^53, not 0.5.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: [1], offset: 0.5 }, f32([1])),
      'extent.fractional',
      'A: the offset has to be a whole number below 2^53, not 0.5.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: [1, 1] }, f32([1])),
      'incompatible.strides',
      'A: strides has length 2, but shape has length 1; each axis needs one.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: [4] }, f32([1])),
      'length',
      'A: the stride 4 of axis 0 leads to element 4, counted from 0, but the data has 4: stay within it.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2], strides: [1], offset: 4 }, f32([1])),
      'length',
      'A: offset 4 leads to element 4, counted from 0, but the data has 4: stay within it.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [-2], strides: [1] }, f32([1])),
      'extent.negative',
      'A, axis 0: the extent -2 is negative. An extent is 0 or more.',
    ],
    [
      () => bl.add({ data: new Float32Array(4), shape: [2n ** 60n], strides: [0] }, f32([1])),
      'extent.unsafe',
      'A, axis 0: 1152921504606846976 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.broadcastTo({ data: new Uint8Array(4), shape: [2, 2], dtype: 'i4', strides: [1, 2] }, [2, 2]),
      'dtype.unsupported',
      'A: elements of i4, which share bytes, have to lie row-major and dense; these have strides: copy them.',
    ],
    [() => bl.add([[1, 2], [3]], 1), 'length', 'A: [1] has 1 entry, [0] has 2: all lists of a level have to be alike.'],
    [() => bl.add([[1], 2], 1), 'length', 'A: [1] is 2, [0] is a list: all lists of a level have to be alike.'],
    [() => bl.add([1, [2]], 1), 'length', 'A: [1] is a list, [0] is none: all lists of a level have to be alike.'],
    [
      () => bl.add([[1], ['x']], 1),
      'dtype.unsupported',
      'A: [1][0] is "x", not a number, a bigint, a boolean or a list of them.',
    ],
    [
      () =>
        bl.add(
          [
            [1, 2],
            [3, 4, 5],
          ],
          1,
        ),
      'length',
      'A: [1] has 3 entries, [0] has 2: all lists of a level have to be alike.',
    ],
    [
      () => bl.add([1n, 0.5], 1),
      'dtype.unsupported',
      'A: [0] is a bigint, but [1] is 0.5: give all as numbers, or whole ones as bigints.',
    ],
    [
      () => bl.add([0.5, 1n], 1),
      'dtype.unsupported',
      'A: [1] is a bigint, but [0] is 0.5: give all as numbers, or whole ones as bigints.',
    ],
    [() => bl.add(cyclic(), 1), 'limit', 'A: lists are nested deeper than 65536 levels: one may contain itself.'],
    [() => bl.add(u8([1]), 300), 'dtype.unsupported', 'B: 300 is not held by u8 (0 to 255); u16 does.'],
    [
      () => bl.add(u8([1]), [[1], [2.5]]),
      'dtype.unsupported',
      'B: [1][0] is 2.5, which u8 (0 to 255) does not hold; f32 does.',
    ],
    [
      () => bl.add(u8([1]), 2n ** 70n),
      'dtype.unsupported',
      'B: 1180591620717411303424n is not held by u8 (0 to 255); f32 does.',
    ],
    [
      () => bl.where(2, f32([1]), f32([2])),
      'dtype.unsupported',
      'A: 2 is not held by bool (true, false, 1 and 0); u8 does.',
    ],
    [() => bl.add(f32([1]), 1e300), 'dtype.unsupported', 'B: 1e+300 is not held by f32; f64 does.'],
    [
      () => bl.add({ data: new Uint8Array(1), shape: [1], dtype: 'i4' }, 1),
      'dtype.unsupported',
      'B: 1 is not held by i4, which takes its elements packed.',
    ],
    [
      () => bl.where([2], f32([1]), f32([2])),
      'dtype.unsupported',
      'A: [0] is 2, which bool (true, false, 1 and 0) does not hold; u8 does.',
    ],
  ],
  Explanations: [
    [
      () => other.align('numpy', [[2], [3]]).repairs(),
      'not_loaded',
      'Explanations are not loaded: await bl.loadExplanations() before.',
    ],
    [
      () =>
        startInside()
          .bl.align('numpy', [[2], [3]], { expect: ['inner'] })
          .warnings(),
      'unknown',
      'There is no warning "inner". There are: outer, axis_names, mask_axis, accidental_match, stretched_batch, result_not_target, other_systems, empty_result, large_result.',
    ],
  ],
  Links: [
    [
      () =>
        startInside()
          .bl.align('numpy', [[2]])
          .link('here'),
      'link',
      'The base of a link is the address of the playground: http://localhost:8080/, or a path that begins with /, ./ or ../.',
    ],
    [
      () =>
        startInside()
          .bl.align('numpy', Array(65).fill([2]))
          .link('/'),
      'link',
      'The playground shows at most 64 operands, and there are 65.',
    ],
    ...[
      [{ rule: 'numpy', shapes: [] }, 'There are no operands to show.'],
      [{ rule: 'numpy', shapes: [[2]], axis: 1 }, 'NumPy takes no axis, and the playground shows none.'],
      [{ rule: 'pdpd', shapes: [[2]], targetShape: [2] }, 'PDPD takes no target shape, and the playground shows none.'],
      [
        { rule: 'sonnx', shapes: [[2]], axesMapping: [0] },
        'SONNX takes no axes_mapping, and the playground shows none.',
      ],
      [
        { rule: 'pdpd', shapes: [[2], [2], [2]] },
        'PDPD takes 2 operands, and there are 3: the playground would leave some out.',
      ],
      [
        { rule: 'bidirectional', shapes: [[2], [2]], targetShape: [2] },
        'Bidirectional takes 1 operand, and there are 2: the playground would leave some out.',
      ],
      [{ rule: 'numpy', shapes: [Array(2049).fill(1)] }, 'The playground shows at most 2048 axes, and there are 2049.'],
      [
        { rule: 'numpy', shapes: [Array(2000).fill(2n ** 62n)] },
        'The playground reads at most 20000 characters of a shape, and this one has 40001.',
      ],
    ].map(([given, message]) => [() => linkTo('/', questionOf(bl.vocabulary, given)), 'link', message]),
    [
      () =>
        startInside()
          .bl.align('numpy', [[2, 3], [3]], { policy: 'no_rank_promotion' })
          .link('/'),
      'link',
      'A policy refused these shapes, and the playground knows no policy.',
    ],
    [
      () => other.align('numpy', [[2], [3]]).link('/'),
      'not_loaded',
      'Explanations are not loaded: await bl.loadExplanations() before.',
    ],
  ],
  'Links of wrong arguments': [
    ...[linkTo, (_, question) => questionFields(question)].flatMap((call) => [
      [() => call('/', null), 'link', 'A question is an object with rule, op, dtype, not null.'],
      [() => call('/', { ...linked, operands: null }), 'link', 'The operands of a question are a list, not null.'],
      [
        () => call('/', { ...linked, rule: undefined }),
        'link',
        'A question has to have a text as its rule, not undefined.',
      ],
      [() => call('/', { ...linked, axis: 1 }), 'link', 'A question has to have a text as its axis, not 1.'],
      [
        () => call('/', { ...linked, operands: [{ shape: [2] }] }),
        'link',
        'Operand 0 of a question has to have a text as its shape, not a list.',
      ],
      [
        () => call('/', { ...linked, operands: endless({ shape: '(2,)' }) }),
        'link',
        'The playground shows at most 64 operands, and there are 1000000000.',
      ],
    ]),
    [() => escapeText(5), 'link', 'escapeText takes a text, not 5.'],
    [
      () => questionOf(null, { rule: 'numpy', shapes: [[2]] }),
      'link',
      'questionOf takes first the vocabulary of load(), bl.vocabulary, not null.',
    ],
    ...[
      [null, 'A question is given as an object with rule and shapes, not as null.'],
      [{}, `There is no rule undefined. There are: ${rules}.`],
      [{ rule: 'nunpy', shapes: [[2]] }, `There is no rule "nunpy". Did you mean "numpy"? There are: ${rules}.`],
      [{ rule: 'numpy', op: 'Plus', shapes: [[2]] }, `There is no operator "Plus". There are: ${operators}.`],
      [
        { rule: 'numpy', dtype: 'f31', shapes: [[2]] },
        `There is no element type "f31". Did you mean "f32"? There are: ${elementTypes}.`,
      ],
      [throwing({ rule: 'numpy' }, 'shapes'), 'The question could not be read: give it in an object of its own.'],
      [{ rule: 'numpy' }, 'shapes has to be a list, not undefined.'],
      [{ rule: 'numpy', shapes: [throwing([2], '0')] }, 'shapes[0] could not be read: give a plain list.'],
      [{ rule: 'numpy', shapes: endless([2]) }, 'The playground shows at most 64 operands, and there are 1000000000.'],
      [
        { rule: 'numpy', shapes: [[2], [{}]] },
        'shapes[1]: an object is no extent: a whole number, a name, ? or a range such as 2..8.',
      ],
      [{ rule: 'pdpd', shapes: [[2], [2]], axis: {} }, 'axis has to be a whole number, not an object.'],
      [{ rule: 'explicit', shapes: [[2]], axesMapping: ['a'] }, 'axesMapping has to have whole numbers, not "a".'],
      [{ rule: 'numpy', op: 'BitShift', direction: 5, shapes: [[2], [2]] }, "direction is 'left' or 'right', not 5."],
    ].map(([given, message]) => [() => questionOf(bl.vocabulary, given), 'link', message]),
  ],
  'What is meant': [
    ...[
      ['outer', '"outer"'],
      ['foo', '"foo"'],
      [5, '5'],
      [null, 'null'],
      [endless('outer'), 'a list of length 1000000000'],
    ].flatMap(([expect, shown]) =>
      [(alignment) => alignment.warnings(), (alignment) => alignment.cause, (alignment) => alignment.link('/')].map(
        (ask) => [
          () => ask(inside.align('numpy', [[2], [3]], { expect })),
          'attribute.out_of_range',
          `expect has to be a list of kinds of warnings, each of them once, as ['outer'], not ${shown}.`,
        ],
      ),
    ),
    ...[
      [['a', null], 'with null as entry 1'],
      [['a'], 'a list of length 1'],
      [['a', 'b', 'c'], 'a list of length 3'],
      ['ab', '"ab"'],
      [endless('a'), 'a list of length 1000000000'],
    ].flatMap(([expressions, shown]) =>
      [(alignment) => alignment.repairs(), (alignment) => alignment.cause].map((ask) => [
        () => ask(inside.align('numpy', [[2], [3]], { expressions })),
        'attribute.out_of_range',
        `expressions has to be a list with a text for each operand, 2 in all, not ${shown}.`,
      ]),
    ),
    ...[
      [1, '1'],
      ['numpy', '"numpy"'],
      [{ keepsRule: true }, 'an object'],
      [Object.create(null), 'an object'],
    ].map(([pasted, shown]) => [
      () => inside.align('numpy', [[2], [3]], { pasted }).repairs(),
      'attribute.out_of_range',
      `pasted has to be the question of readPasted, not ${shown}.`,
    ]),
  ],
  'Texts to read': [
    [
      () => inside.readPasted(Object.create(null)),
      'parse',
      'A text is needed, and an object was given that cannot be made one.',
    ],
    [() => inside.readShapes(hostile), 'parse', 'A text is needed, and an object was given that cannot be made one.'],
  ],
  'Lines of code': [
    ...[
      [
        'numpy',
        { operands: [{ values: [1, 2] }] },
        'extent',
        'A has fewer values than elements, or its step is below 1.',
      ],
      ['numpy', { operands: [{ dtype: 'i32', values: [1.5] }] }, 'attribute', 'A: 1.5 is no value of i32.'],
      ['numpy', { operands: [{ values: { first: 1.5 } }] }, 'attribute', 'A: 1.5 is no whole number.'],
      ['numpy', { operands: [{ values: Array(6).fill('x') }] }, 'attribute', 'A: "x" is no value of f32.'],
      ['numpy', { operands: [{}, { values: [1, 2, undefined] }] }, 'attribute', 'B: undefined is no value of f32.'],
      [
        'numpy',
        { operands: [{ values: new Array(1e6).fill(1) }, {}] },
        'extent',
        'A has more values than elements, which are 6.',
      ],
      ['numpy', { operands: [{ name: 5 }] }, 'attribute', 'A: 5 is no name.'],
      ['numpy', { operands: 5 }, 'attribute', 'operands has to be a list with an object for each operand, not 5.'],
      [
        'fortran',
        {},
        'unknown',
        'There is no system "fortran". There are: numpy, pytorch, jax, tensorflow, onnx, openvino, openvino-ir, broadloom-js, broadloom-cpp.',
      ],
    ].map(([system, options, code, message]) => [
      () => inside.align('numpy', [[2, 3], [3]], { op: 'Add' }).code(system, options),
      code,
      message,
    ]),
  ],
  'Unknown extents': [
    [
      () => other.alignSymbolic('numpy', ['(N,)']),
      'not_loaded',
      'Explanations are not loaded: await bl.loadExplanations() before.',
    ],
    ...[
      ['(N)', 'arity', 'A list of shapes is needed, not "(N)".'],
      [
        ['(N, 3) (M, 3)'],
        'parse',
        'A: "(N, 3) (M, 3)" is not one shape. Write it as (N, 1, 3), one text for each operand.',
      ],
      [
        ['(..., 5)', '(3,)'],
        'extent',
        'A: "(..., 5)" has extents beside "...". Write ... alone where the number of axes is unknown, or else every axis, as in (?, 3).',
      ],
      [[[2], 5], 'extent', 'B has to be a text, or a list of numbers and names, not 5.'],
      [[['N', 'a, b']], 'extent', 'A, axis 1: "a, b" is no extent: a number, a name, ? or a range such as 2..8.'],
      [[[2.5]], 'extent', 'A, axis 0: 2.5 is no extent: a number, a name, ? or a range such as 2..8.'],
      [['(3, 8..2)'], 'extent.bad_token', 'A, axis 1: the range 8..2 is empty, since it begins above its end.'],
      [[[3, '8..2']], 'extent.bad_token', 'A, axis 1: the range 8..2 is empty, since it begins above its end.'],
      [['(N, -2)'], 'extent.negative', 'A, axis 1: the extent -2 is negative. An extent is 0 or more.'],
      [
        [['N', -1]],
        'extent.negative',
        'Axis 1 of A: an extent must not be negative, but may be -1 here; an unknown extent is written as a name or ?.',
      ],
      [
        [Array.from({ length: 10_000 }, (_, i) => `N${i}`)],
        'limit',
        'The shapes have 10000 axes together; with unknown extents there may be 512.',
      ],
      [Array(65).fill('(N)'), 'arity', 'There are 65 operands; with unknown extents there may be 64.'],
      [[], 'arity', 'NumPy takes at least 1 operand, not 0.'],
      [
        ['(a=2, N)'],
        'attribute',
        'Axes are matched by name, so each axis needs one: name the axes of A.',
        { byName: true },
      ],
      [
        ['(a=2, a=N)'],
        'attribute',
        'Axis 1 of A: an earlier axis has the same name; axes that are matched by name need different ones.',
        { byName: true },
      ],
      [['(N)'], 'attribute.out_of_range', 'byName has to be true or false, not "yes".', { byName: 'yes' }],
      [
        ['(N)'],
        'unknown',
        'There is no option "byname". Did you mean "byName"? There are: axis, targetShape, axesMapping, byName.',
        { byname: true },
      ],
      [
        ['(N)'],
        'attribute.unexpected',
        'NumPy takes no target shape; that is for bidirectional, broadcast_numpy, explicit.',
        { targetShape: '(3)' },
      ],
    ].map(([shapes, code, message, options]) => [() => inside.alignSymbolic('numpy', shapes, options), code, message]),
    [
      () => inside.alignSymbolic('broadcast_numpy', ['(N)'], { targetShape: 3 }),
      'extent',
      'The target has to be a text, or a list of numbers and names, not 3.',
    ],
  ],
  Policies: [
    [
      () => bl.inferShape('numpy', [[2, 3], [3]], { policy: 'no_rank_promotion' }),
      'policy.no_rank_promotion',
      'Axis 0: B has no such axis but A has 2 (its axis 0). The policy no_rank_promotion adds no axes: give B an axis of extent 1 there.',
    ],
    [
      () => bl.inferShape('numpy', [[1], [1, 1]], { policy: ['match'] }),
      'policy.no_rank_promotion',
      'Axis 0: A has no such axis but B has 1 (its axis 0). The policy no_rank_promotion adds no axes: give A an axis of extent 1 there.',
    ],
    [
      () => bl.add(f32([1, 2], [2, 1]), f32([1, 2, 3, 4], [2, 2]), { policy: 'no_stretching' }),
      'policy.no_stretching',
      'Axis 1: A has 1 (its axis 1) but B has 2 (its axis 1). The policy no_stretching repeats no axis: give A the extent 2 there.',
    ],
    [
      () => bl.inferShape('numpy', [[8, 8], [8]], { policy: 'same_names', names: [['batch', 'head'], ['batch']] }),
      'policy.same_names',
      'Axis 1: axis 0 of B and axis 1 of A do not have the same name, as the policy same_names demands: name both alike, or change the order of the axes.',
    ],
    [
      () => bl.inferShape('numpy', [[1]], { policy: 'no_stretch' }),
      'unknown',
      'There is no policy "no_stretch". Did you mean "no_stretching"? There are: no_rank_promotion, no_stretching, same_names.',
    ],
    [
      () => bl.inferShape('numpy', [[1]], { policy: ['conflict'] }),
      'unknown',
      'There is no relation "conflict". There are: match, insert, stretch.',
    ],
    [
      () => bl.inferShape('numpy', [[1]], { names: 'batch' }),
      'attribute.same_names',
      `names has for each operand a list with a name for each axis, as [['batch', 'head'], ['head']], not "batch".`,
    ],
    [
      () => bl.inferShape('numpy', [[1]], { names: [[3]] }),
      'attribute.same_names',
      `names has for each operand a list with a name for each axis, as [['batch', 'head'], ['head']], not 3.`,
    ],
    [
      () => bl.inferShape('numpy', [[1]], { names: [[], []] }),
      'attribute.same_names',
      'axis_names has 2 lists of names, but there is 1 operand: give one list for each operand, which may be empty.',
    ],
    [
      () => bl.inferShape('numpy', [[1], [1]], { names: [['batch']] }),
      'attribute.same_names',
      'axis_names has 1 list of names, but there are 2 operands: give one list for each operand, which may be empty.',
    ],
    [
      () => bl.inferShape('numpy', [[2, 3], [3]], { names: [['batch'], []] }),
      'attribute.same_names',
      'axis_names has 1 name for A, which has 2 axes: give one for each axis, or an empty list.',
    ],
    [
      () => bl.inferShape('numpy', [[2], [3]], { names: [['batch', 'head'], []] }),
      'attribute.same_names',
      'axis_names has 2 names for A, which has 1 axis: give one for each axis, or an empty list.',
    ],
  ],
  Operators: [
    [() => bl.apply('Plus', []), 'unknown.op', `There is no operator "Plus". There are: ${operators}.`],
    [
      () => bl.apply('add', []),
      'unknown.op',
      `There is no operator "add". Did you mean "Add"? There are: ${operators}.`,
    ],
    [() => bl.add(f32([1])), 'arity', 'Add takes 2 operands, not 1.'],
    [() => bl.add(f32([1]), f32([1]), f32([1])), 'arity', 'Add takes 2 operands, not 3.'],
    [() => bl.apply('Add', [f32([1])]), 'arity', 'Add takes 2 operands, not 1.'],
    [() => bl.max([]), 'arity', 'Max takes at least 1 operand, not 0.'],
    [() => bl.apply('Max', [f32([1]), f32([1]), f32([1])], { rule: 'pdpd' }), 'arity', 'PDPD takes 2 operands, not 3.'],
    [() => bl.max([f32([1])], {}, {}), 'arity', 'Max takes a list of arrays and options, not 3 arguments.'],
    [
      () => bl.apply('Add', [f32([1]), f32([1])], f32([1])),
      'arity',
      'Add takes its arrays in one list; another stands where options do.',
    ],
    [() => bl.apply('Add', 5), 'arity', 'Add takes a list of arrays, not 5.'],
    [
      () => bl.mod(f32([1]), f32([1]), { fmod: 1 }),
      'unknown',
      'fmod is an attribute: give it in attrs, as { attrs: { fmod } }.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { rul: 'numpy' }),
      'unknown',
      'There is no option "rul". Did you mean "rule"? There are: axis, targetShape, axesMapping, attrs, policy, names, rule, out, promote, as.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { rule: 'explicit', targetShape: [1], axesMapping: [0] }),
      'unknown.rule',
      'Add does not take the rule explicit. It takes none, numpy, onnx_multidirectional, onnx_unidirectional, pdpd.',
    ],
    [
      () => bl.add(f32([1]), f64([1])),
      'dtype.mixed',
      'B is f64, but A is f32. Add takes one type: convert one of them.',
    ],
    [
      () => bl.add(bool([1]), bool([1])),
      'dtype.unsupported',
      'Add does not take bool (A). It takes i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64.',
    ],
    [() => bl.where(u8([1]), f32([1]), f32([1])), 'dtype.unsupported', 'Where does not take u8 (A). It takes bool.'],
    [
      () => bl.mod(f32([1]), f32([1])),
      'dtype.unsupported',
      'Mod does not take f32 (A). It takes i8, i16, i32, i64, u8, u16, u32, u64; with fmod=1 also the floats.',
    ],
    [() => bl.sumTo(bool([1, 0]), []), 'dtype.unsupported', 'A is bool, which is not summed: convert it.'],
    [
      () => bl.add(f32([1, 2]), f32([1, 2, 3])),
      'incompatible',
      'Axis 0: B has 3 (its axis 0) but A has 2 (its axis 0). ONNX multidirectional: along each axis the extents are one common extent or 1.',
    ],
    [
      () => bl.add(i32([1]), i32([1]), { promote: 'numpy3' }),
      'unknown',
      'There is no way of promotion "numpy3". Did you mean "numpy2"? There are: strict, numpy2.',
    ],
    [
      () => bl.add(f32([1]), { data: new Uint8Array(1), shape: [1], dtype: 'u1' }, { promote: 'numpy2' }),
      'dtype.mixed',
      'B is u1, but A is f32. Add takes one type: convert one of them.',
    ],
    [() => bl.resultType(), 'arity', 'Give at least one element type or array.'],
    [() => bl.resultType('f32', 'u1'), 'dtype.mixed', 'u1 and f32 have no common type: convert one of them.'],
    [
      () => bl.resultType('i4', true),
      'dtype.mixed',
      'a scalar of kind bool and i4 have no common type: convert one of them.',
    ],
    [
      () => bl.resultType('floot32'),
      'unknown.dtype',
      `A: there is no element type "floot32". There are: ${elementTypes}.`,
    ],
    [() => bl.mod(i32([1]), i32([1]), { attrs: { fmod: 2 } }), 'attribute.out_of_range', 'Mod: fmod is 0 or 1, not 2.'],
    [
      () => bl.mod(i32([1]), i32([1]), { attrs: { fmod: 0.5 } }),
      'attribute.fractional',
      'fmod: 0.5 is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { attrs: { fmod: 0 } }),
      'attribute.unexpected',
      'Add takes no such attribute: fmod is for Mod, direction is for BitShift, to, with saturate, is for Cast.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { axis: 1 }),
      'attribute.unexpected',
      'ONNX multidirectional takes no axis (1 was given); that is for pdpd.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { rule: 'numpy', targetShape: [1] }),
      'attribute.unexpected',
      'NumPy takes no target shape; that is for bidirectional, broadcast_numpy, explicit.',
    ],
    [() => bl.bitShift(u8([1]), u8([1])), 'attribute.missing', 'BitShift needs a direction: left or right.'],
    [
      () => bl.bitShift(u8([1]), u8([1]), { attrs: { direction: 'up' } }),
      'attribute.out_of_range',
      "direction is 'left' or 'right', not \"up\".",
    ],
    [() => bl.apply('Cast', [f32([1])]), 'attribute.missing', 'Cast needs an element type: to.'],
    [
      () => bl.cast(f32([1]), 'u1'),
      'dtype.unsupported',
      'Cast does not make u1. It makes bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64.',
    ],
    [() => bl.cast(f32([1]), 'u8', { saturate: 2 }), 'attribute.out_of_range', 'Cast: saturate is 0 or 1, not 2.'],
    [
      () => bl.cast(f32([1]), 'u8', { saturate: 'yes' }),
      'attribute.fractional',
      'saturate: "yes" is not a whole number; give one, such as 1.',
    ],
    [
      () => bl.apply('Cast', [f32([1])], { attrs: { to: 'f33' } }),
      'unknown.dtype',
      `There is no element type "f33". Did you mean "f32"? There are: ${elementTypes}.`,
    ],
    [
      () => bl.broadcast(f32([1]), { mode: 'nunpy', targetShape: [1] }),
      'unknown.rule',
      'There is no mode "nunpy". Did you mean "numpy"? There are: numpy, bidirectional, explicit.',
    ],
  ],
  Results: [
    [
      () => bl.add(f32([1]), f32([1]), { as: 'list' }),
      'unknown',
      'There is no form "list". Did you mean "first"? There are: first, array, strided, zarr, stdlib, onnx, nested.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { as: 'nested', out: f32([0]) }),
      'attribute.unexpected',
      'The result goes to out, so it cannot have the form "nested". Leave `as` away.',
    ],
    [
      () => bl.add(bl.tensor(f32([1])), f32([1]), { as: 'nested' }),
      'attribute.unexpected',
      'The result is a tensor, so it cannot have the form "nested". Leave `as` away.',
    ],
    [
      () => bl.equal(f32([1]), f32([1]), { out: f32([0]) }),
      'dtype.output',
      'out is f32, but the result is bool: give one of bool.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { out: [0] }),
      'dtype.unsupported',
      'out has to be { data, shape } with a typed array as data, not a list.',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { out: 'x' }),
      'dtype.unsupported',
      'out: it has to be an array, as {data, shape} or otherwise, not "x".',
    ],
    [
      () => bl.add(f32([1]), f32([1]), { out: new Float32Array(1) }),
      'dtype.unsupported',
      'out: it is a typed array without a shape: give { data, shape: [1] }, or another shape.',
    ],
    [
      () => bl.add(f32([1, 2]), f32([1]), { out: { data: new Float32Array(4), shape: [2], strides: [0] } }),
      'overlap.strides',
      'out overlaps itself: its stride 0 along axis 0 has to be at least 1 or at most -1, so that no element is written twice.',
    ],
    [
      () => bl.add(f32([1, 2]), f32([1]), { out: f32([1, 2], [1, 2]) }),
      'incompatible.output',
      'out has 2 axes, but the result has 1: give one of that shape.',
    ],
    [
      () => bl.add(f32([1, 2]), f32([1]), { out: f32([1, 2, 3]) }),
      'incompatible.output',
      'out has 3 along axis 0, but the result has 2: give one of that shape.',
    ],
    [
      () => bl.add(f32([1, 2]), f32([1]), { out: { data: new Float32Array(3), shape: [2] } }),
      'length',
      'out: its shape needs 8 bytes, but its data has 12. Give as many, or another shape.',
    ],
    [
      () => bl.sumTo(f32([1, 2]), [], { out: f64([0], []) }),
      'dtype.output',
      'out is f64, but the result is f32: give one of f32.',
    ],
    [
      () => bl.broadcast(f32([1]), { targetShape: [2], out: i32([0, 0]) }),
      'dtype.output',
      'out is i32, but the result is f32: give one of f32.',
    ],
    [
      () => overlapping(),
      'overlap',
      "out overlaps A. Give memory of its own, or all of an operand of the result's shape and type.",
    ],
    [
      () => bl.apply('Broadcast', [f32([1]), f32([1])], { rule: 'sonnx', out: f32([1]) }),
      'arity',
      'out has to be a list of arrays, one for each operand, not an object.',
    ],
    [
      () => bl.apply('Broadcast', [f32([1]), f32([1])], { rule: 'sonnx', out: [f32([1])] }),
      'arity',
      'There have to be 2 results, not 1.',
    ],
    [
      () => sharing(),
      'overlap',
      "out overlaps another out. Give memory of its own, or all of an operand of the result's shape and type.",
    ],
    [
      () => bl.broadcastTo(f32([1]), [0, 2n ** 60n]),
      'extent.unsafe',
      'The result: 1152921504606846976 is too large; numbers are exact up to 2^53-1, bigints up to 2^63-1.',
    ],
    [
      () => bl.broadcastTo(f32([1]), [2 ** 50]),
      'limit',
      'The result needs 4503599627370496 bytes, more than the 8589934591 that can be had here. Compute it box by box.',
    ],
    [
      () => bl.broadcastTo({ data: new Uint8Array(1), shape: [1], dtype: 'bf16' }, [1]),
      'dtype.unsupported',
      'A: bf16 is held in Uint16Array, not in Uint8Array.',
    ],
    [
      () => bl.apply('Broadcast', [bf16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'onnx' }),
      'dtype.unsupported',
      "The result: onnxruntime's tensor holds no bf16; ask for the result in the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [bf16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'strided' }),
      'dtype.unsupported',
      "The result: scijs's ndarray holds no bf16; ask for the result in the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [bf16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'zarr' }),
      'dtype.unsupported',
      "The result: zarrita's chunk holds no bf16; ask for the result in the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [bf16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'stdlib' }),
      'dtype.unsupported',
      "The result: @stdlib's ndarray holds no bf16; ask for the result in the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [complex()], { rule: 'broadcast_numpy', targetShape: [1], as: 'stdlib' }),
      'dtype.unsupported',
      "The result: @stdlib's ndarray of c64 needs a class that is not known here; ask for the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [complex()], { rule: 'broadcast_numpy', targetShape: [1], as: 'nested' }),
      'dtype.unsupported',
      "The result: nested lists hold no c64; ask for the form 'array'.",
    ],
    [
      () =>
        withoutFloat16(() =>
          bl.apply('Broadcast', [f16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'strided' }),
        ),
      'dtype.unsupported',
      "The result: scijs's ndarray holds f16 in a Float16Array, which this platform has not; ask for the form 'array'.",
    ],
    [
      () => bl.apply('Broadcast', [f32([])], { rule: 'broadcast_numpy', targetShape: [2 ** 40, 0], as: 'nested' }),
      'limit',
      "The result: it would be 1099511627776 lists, and more than 16777216 take too long; ask for the form 'array'.",
    ],
    [
      () =>
        withoutFloat16(() => bl.apply('Broadcast', [f16()], { rule: 'broadcast_numpy', targetShape: [1], as: 'zarr' })),
      'dtype.unsupported',
      "The result: zarrita's chunk holds f16 in a Float16Array, which this platform has not; ask for the form 'array'.",
    ],
    [
      () => bl.add(unlike(), 1, { as: 'first' }),
      'dtype.unsupported',
      "The result: giving it back in the form 'onnx' failed: there is one already.",
    ],
  ],
  Memory: [
    [
      () => starving((bl) => bl.tensor(f32([1]))),
      'allocation',
      'Memory was refused (4 bytes). Free some, or ask for less.',
    ],
    [
      () =>
        bl.tensor({ data: new Uint8Array(1), shape: [1] }).view(() => bl.broadcastTo(bl.tensor(u8([1])), [2 ** 30])),
      'allocation',
      'Memory cannot grow inside view(): do this before or after it.',
    ],
    [
      () => bl.broadcastTo(bl.tensor(u8([1])), [2 ** 32 - 8192]),
      'allocation',
      'Memory was refused (4294959104 bytes). Free some, or ask for less.',
    ],
    [
      () => bl.broadcastTo(bl.tensor(u8([1])), [2 ** 40]),
      'limit',
      'The result needs 1099511627776 bytes, more than the 4294963136 that can be had here. Compute it box by box.',
    ],
  ],
  Tensors: [
    [
      () => bl.tensor({ data: new Float32Array(2 ** 10), shape: [2 ** 40] }),
      'length',
      'A: its shape needs 4398046511104 bytes, but its data has 4096. Give as many, or another shape.',
    ],
    [
      () => bl.tensor({ data: new Float32Array(1), shape: [2n ** 61n, 2 ** 40] }),
      'overflow',
      'A is too large: it would have more than 2^63-1 elements. Use smaller extents.',
    ],
    [
      () => bl.add(other.tensor(f32([1])), f32([1])),
      'dtype',
      "A: this tensor is another instance's: give { data: tensor.read(), shape: tensor.shape, dtype: tensor.dtype }.",
    ],
    [
      () => bl.add(disposed(bl.tensor(f32([1]))), f32([1])),
      'disposed',
      'A: this tensor was disposed of: make another one.',
    ],
    [
      () => bl.add(foreign, f32([1])),
      'dtype.unsupported',
      'A: it is a tensor of another copy of this package: give { data: tensor.read(), shape: tensor.shape, dtype: tensor.dtype }.',
    ],
    [() => disposed(bl.tensor(f32([1]))).read(), 'disposed', 'This tensor was disposed of: make another one.'],
    [() => bl.tensor(f32([1])).write([1]), 'dtype.unsupported', 'A tensor of f32 takes Float32Array, not a list.'],
    [
      () => bl.tensor(f32([1])).write(new Float64Array(1)),
      'dtype.unsupported',
      'A tensor of f32 takes Float32Array, not Float64Array.',
    ],
    [() => bl.tensor(f32([1])).write(new Float32Array(2)), 'length', 'A tensor of 4 bytes takes as many, not 8.'],
    [
      () => bl.tensor(f32([1])).view(async () => {}),
      'attribute',
      'view takes a function that is done when it returns.',
    ],
    [() => bl.tensor(f32([1])).view(5), 'attribute', 'view takes a function that is done when it returns.'],
    [
      () => bl.tensor(f32([1])).view(() => Promise.resolve()),
      'attribute',
      'view takes no function that returns a promise: the array is gone when it returns.',
    ],
  ],
  Plans: [
    [
      () => bl.plan('Add', 'numpy', [[2], [2]], ['f32']),
      'arity',
      'As many element types are needed as shapes: 2, not 1.',
    ],
    [
      () => bl.plan('Broadcast', 'sonnx', [[2], [2]], ['f32', 'f32']),
      'arity',
      'A plan has one result, and sonnx one for each operand: plan broadcast_numpy for each of them.',
    ],
    [
      () => bl.plan('Add', 'numpy', [[2], [3]], ['f32', 'f32']),
      'incompatible',
      'Axis 0: B has 3 (its axis 0) but A has 2 (its axis 0). NumPy: two extents fit when they are equal or one of them is 1.',
    ],
    [
      () => disposed(planned()).run([new Float32Array(6), new Float32Array(3)]),
      'disposed',
      'This plan was disposed of: make another one.',
    ],
    [() => planned().run([new Float32Array(6)]), 'arity', 'Add takes 2 operands, not 1.'],
    [() => planned().run(5), 'arity', 'Add takes a list of arrays, not 5.'],
    [
      () => planned().run([new Float64Array(6), new Float32Array(3)]),
      'dtype.unsupported',
      'A: f32 is held in Float32Array, not in Float64Array.',
    ],
    [
      () => planned().run([f64([0, 0, 0, 0, 0, 0], [2, 3]), new Float32Array(3)]),
      'dtype.mixed',
      'A is f64, but the plan is made for f32: give one of f32.',
    ],
    [
      () => planned().run([new Float32Array(6), f32([1, 2])]),
      'incompatible.size',
      'B has 2 along axis 0, but the plan is made for 3: give one of that shape.',
    ],
    [
      () => planned().run([new Float32Array(5), new Float32Array(3)]),
      'length',
      'A: its shape needs 24 bytes, but its data has 20. Give as many, or another shape.',
    ],
    [
      () => planned().run([new Float32Array(6), new Float32Array(3)], f32([0], [1])),
      'incompatible.output',
      'out has 1 axis, but the result has 2: give one of that shape.',
    ],
    [
      () => planned().run([new Float32Array(6), new Float32Array(3)], f64([0, 0, 0, 0, 0, 0], [2, 3])),
      'dtype.output',
      'out is f64, but the result is f32: give one of f32.',
    ],
    [() => planned().runRegion(5, []), 'extent', 'A box is a list of {begin, end}, not 5.'],
    [
      () => planned().runRegion([{ begin: 0, end: 1 }], []),
      'extent.size',
      'The result: the box has to have 2 ranges, one for each axis, not 1.',
    ],
    [
      () => planned().runRegion([{ begin: 0, end: 1 }, { begin: 0 }], []),
      'extent.fractional',
      'The box, axis 1, end: undefined is not a whole number; give one, such as 1.',
    ],
    [
      () => planned().runRegion([{ begin: 0, end: 1 }, throwing({ begin: 0, end: 1 }, 'end')], []),
      'extent',
      'Reading axis 1 of the box failed: not today.',
    ],
    [
      () =>
        planned().runRegion(
          [
            { begin: 0, end: 1 },
            { begin: 2, end: 1 },
          ],
          [],
        ),
      'extent.out_of_range',
      "The result, axis 1: the box's bound 1 does not fit: 0 <= begin <= end <= 3.",
    ],
    [
      () =>
        planned().runRegion(
          [
            { begin: 0, end: 3 },
            { begin: 0, end: 1 },
          ],
          [],
        ),
      'extent.out_of_range',
      "The result, axis 0: the box's bound 3 does not fit: 0 <= begin <= end <= 2.",
    ],
  ],
};
