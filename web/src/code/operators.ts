// What each system calls the core's operators. A row for each operator, a column for each system: nothing else lists them.
// Broadloom's own texts need no column: they are written from the vocabulary.

import type { OpName } from '../engine/engine';
import { integerForm, isFloat } from './dtypes';
import { type CodeQuestion, leadingType } from './question';

/** The system's file writes the operator itself: it depends on more than the operands' names. */
export const composed = Symbol('composed');

/**
 * How a system says an operator: by a text, by one of several texts, in its own file, or not at all (null). Of several texts
 * the first applies whose condition holds, else the last one. A condition is an attribute's value, such as `fmod=1`, or the
 * kind of the operands' type: `float` or `signed`.
 */
export type Spelling = string | null | typeof composed | { readonly [condition: string]: Spelling };

interface Row {
  /** An expression of the operands `a`, `b`, `c`, in their order. JAX has the same; in its place `np` is `jnp`. */
  readonly numpy: Spelling;
  /** Where it is not NumPy's with `torch` for `np`; TensorFlow likewise. */
  readonly pytorch?: Spelling;
  readonly tensorflow?: Spelling;
  /** The type of the node. */
  readonly onnx: Spelling;
  /** The function of OpenVINO's opset in Python. */
  readonly openvino: Spelling;
  /** The type of the layer in OpenVINO's IR, of opset1 unless it says another: `opset13::BitwiseAnd`. */
  readonly layer: Spelling;
  /** The operator rounds at several steps: f16 and bf16 are computed in f32, and rounded once. */
  readonly hasSteps?: true;
}

export type Column = Exclude<keyof Row, 'hasSteps'>;

export const operators: Readonly<Record<OpName, Row>> = {
  Add: { numpy: 'a + b', onnx: 'Add', openvino: 'add', layer: 'Add' },
  Sub: { numpy: 'a - b', onnx: 'Sub', openvino: 'subtract', layer: 'Subtract' },
  Mul: { numpy: 'a * b', onnx: 'Mul', openvino: 'multiply', layer: 'Multiply' },
  // Integers are divided toward zero; // alone rounds down.
  Div: {
    numpy: { float: 'a / b', signed: '(a - np.fmod(a, b)) // b', otherwise: 'a // b' },
    pytorch: { float: 'a / b', otherwise: 'torch.div(a, b, rounding_mode="trunc")' },
    tensorflow: { float: 'a / b', otherwise: 'tf.truncatediv(a, b)' },
    onnx: 'Div',
    openvino: { signed: composed, otherwise: 'divide' },
    layer: 'Divide',
  },
  Mod: {
    numpy: { 'fmod=1': 'np.fmod(a, b)', otherwise: 'a % b' },
    // truncatemod takes few integer types.
    tensorflow: {
      'fmod=1': { float: 'tf.truncatemod(a, b)', otherwise: 'a - tf.truncatediv(a, b) * b' },
      otherwise: 'a % b',
    },
    onnx: 'Mod',
    openvino: { 'fmod=1': 'mod', otherwise: 'floor_mod' },
    layer: { 'fmod=1': 'Mod', otherwise: 'FloorMod' },
  },
  Pow: { numpy: 'a ** b', onnx: 'Pow', openvino: 'power', layer: 'Power' },
  // By a multiplication, as in the core: a power of 2 may round differently.
  SquaredDifference: {
    numpy: 'np.square(a - b)',
    onnx: composed,
    openvino: 'squared_difference',
    layer: 'SquaredDifference',
    hasSteps: true,
  },
  Max: { numpy: 'np.maximum(a, b)', onnx: 'Max', openvino: 'maximum', layer: 'Maximum' },
  Min: { numpy: 'np.minimum(a, b)', onnx: 'Min', openvino: 'minimum', layer: 'Minimum' },
  Sum: { numpy: 'a + b', onnx: 'Sum', openvino: 'add', layer: 'Add', hasSteps: true },
  Mean: { numpy: composed, onnx: composed, openvino: composed, layer: null, hasSteps: true },
  Equal: { numpy: 'a == b', onnx: 'Equal', openvino: 'equal', layer: 'Equal' },
  NotEqual: { numpy: 'a != b', onnx: composed, openvino: 'not_equal', layer: 'NotEqual' },
  Less: { numpy: 'a < b', onnx: 'Less', openvino: 'less', layer: 'Less' },
  LessOrEqual: { numpy: 'a <= b', onnx: 'LessOrEqual', openvino: 'less_equal', layer: 'LessEqual' },
  Greater: { numpy: 'a > b', onnx: 'Greater', openvino: 'greater', layer: 'Greater' },
  GreaterOrEqual: { numpy: 'a >= b', onnx: 'GreaterOrEqual', openvino: 'greater_equal', layer: 'GreaterEqual' },
  And: { numpy: 'np.logical_and(a, b)', onnx: 'And', openvino: 'logical_and', layer: 'LogicalAnd' },
  Or: { numpy: 'np.logical_or(a, b)', onnx: 'Or', openvino: 'logical_or', layer: 'LogicalOr' },
  Xor: {
    numpy: 'np.logical_xor(a, b)',
    tensorflow: 'tf.math.logical_xor(a, b)',
    onnx: 'Xor',
    openvino: 'logical_xor',
    layer: 'LogicalXor',
  },
  BitwiseAnd: {
    numpy: 'a & b',
    tensorflow: 'tf.bitwise.bitwise_and(a, b)',
    onnx: 'BitwiseAnd',
    openvino: 'bitwise_and',
    layer: 'opset13::BitwiseAnd',
  },
  BitwiseOr: {
    numpy: 'a | b',
    tensorflow: 'tf.bitwise.bitwise_or(a, b)',
    onnx: 'BitwiseOr',
    openvino: 'bitwise_or',
    layer: 'opset13::BitwiseOr',
  },
  BitwiseXor: {
    numpy: 'a ^ b',
    tensorflow: 'tf.bitwise.bitwise_xor(a, b)',
    onnx: 'BitwiseXor',
    openvino: 'bitwise_xor',
    layer: 'opset13::BitwiseXor',
  },
  BitShift: {
    numpy: { 'direction=right': 'a >> b', 'direction=left': 'a << b' },
    tensorflow: {
      'direction=right': 'tf.bitwise.right_shift(a, b)',
      'direction=left': 'tf.bitwise.left_shift(a, b)',
    },
    onnx: 'BitShift',
    openvino: { 'direction=right': 'bitwise_right_shift', 'direction=left': 'bitwise_left_shift' },
    layer: { 'direction=right': 'opset15::BitwiseRightShift', 'direction=left': 'opset15::BitwiseLeftShift' },
  },
  PRelu: { numpy: 'np.where(a < 0, a * b, a)', onnx: composed, openvino: composed, layer: null },
  Where: { numpy: 'np.where(a, b, c)', onnx: 'Where', openvino: 'select', layer: 'Select' },
  Cast: { numpy: composed, onnx: 'Cast', openvino: composed, layer: 'Convert' },
  Broadcast: { numpy: composed, onnx: composed, openvino: composed, layer: 'opset3::Broadcast' },
};

function holds(condition: string, question: CodeQuestion): boolean {
  const { attributes } = question;
  const dtype = leadingType(question);
  switch (condition) {
    case 'float':
      return isFloat(dtype);
    case 'signed':
      return integerForm(dtype)?.signed === true;
    default:
      return (['fmod', 'direction'] as const).some((name) => condition === `${name}=${attributes[name]}`);
  }
}

/** How the system of that column says the question's operator. */
export function spellingOf(question: CodeQuestion, column: Column): string | null | typeof composed {
  const row = operators[question.op.name];
  let spelling: Spelling = row[column] === undefined ? row.numpy : row[column];
  while (typeof spelling === 'object' && spelling !== null) {
    const several: (readonly [string, Spelling])[] = Object.entries(spelling);
    const found = several.find(([condition]) => holds(condition, question)) ?? several.at(-1);
    spelling = found ? found[1] : null;
  }
  return spelling;
}
