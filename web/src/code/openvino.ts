// OpenVINO's Python: a model of one operator, run on its CPU plugin.

import { made } from './array-library';
import { integerForm, isInteger } from './dtypes';
import { brackets, tuple } from './lines';
import { library as numpy } from './numpy';
import {
  type CodeQuestion,
  leadingType,
  liesRight,
  onlyRepeats,
  placedShape,
  resultType,
  Unwritable,
  type Writer,
  written,
} from './question';
import { castsBeyond, checkCast, dividesByZero, hasNegativeExponent, shiftsPastWidth } from './values';

/** What it takes from NumPy's arrays, and gives back as one. */
const taken = ['bool', 'i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f16', 'f32', 'f64'];

const functions: Readonly<Record<string, string>> = {
  Add: 'add',
  Sub: 'subtract',
  Mul: 'multiply',
  Div: 'divide',
  Pow: 'power',
  SquaredDifference: 'squared_difference',
  Max: 'maximum',
  Min: 'minimum',
  Sum: 'add',
  Equal: 'equal',
  NotEqual: 'not_equal',
  Less: 'less',
  LessOrEqual: 'less_equal',
  Greater: 'greater',
  GreaterOrEqual: 'greater_equal',
  And: 'logical_and',
  Or: 'logical_or',
  Xor: 'logical_xor',
  BitwiseAnd: 'bitwise_and',
  BitwiseOr: 'bitwise_or',
  BitwiseXor: 'bitwise_xor',
  Where: 'select',
};

/**
 * What Broadcast-3 is not asked for.
 *
 * @throws Unwritable where OpenVINO's CPU plugin crashes, or repeats otherwise than its own document says.
 */
function checkBroadcast({ rule, options, operands, alignment }: CodeQuestion): void {
  if (alignment.output.length === 0)
    throw new Unwritable('OpenVINO crashes where target_shape has no entries; a scalar is itself already.');
  if (operands.some(({ elements }) => BigInt(elements) === 0n))
    throw new Unwritable('OpenVINO crashes where the data of a Broadcast has no elements.');
  if (rule === 'bidirectional' && (options.targetShape ?? []).length === 0)
    throw new Unwritable('OpenVINO crashes where target_shape has no entries; the data is the result.');
  if (rule === 'bidirectional' && (options.targetShape ?? []).some((extent) => BigInt(extent) === 0n))
    throw new Unwritable('OpenVINO leaves 1 as it is where a bidirectional target has a 0.');
}

/**
 * What no layer is asked for.
 *
 * @throws Unwritable where OpenVINO leaves open, or its CPU plugin crashes over, what the core defines.
 */
export function checkLayer(question: CodeQuestion): void {
  const { op } = question;
  if (onlyRepeats(question)) checkBroadcast(question);
  const dtype = leadingType(question);
  if ((op.name === 'Div' || op.name === 'Mod') && isInteger(dtype) && dividesByZero(question))
    throw new Unwritable('OpenVINO leaves open what integers divided by 0 give.');
  if (op.name === 'Pow' && new Set(question.operands.map((operand) => operand.dtype)).size > 1)
    throw new Unwritable("OpenVINO's Power takes a base and an exponent of one type.");
  if (op.name === 'Pow' && isInteger(dtype) && hasNegativeExponent(question))
    throw new Unwritable('OpenVINO leaves open what integers to negative powers give.');
  checkCast(question, 'OpenVINO');
  if (op.name === 'Cast' && castsBeyond(question) !== null)
    throw new Unwritable('OpenVINO leaves open what integers beyond an integer type become.');
  if (op.name === 'BitShift' && shiftsPastWidth(question))
    throw new Unwritable('OpenVINO leaves open what a shift by the width or more gives.');
}

/** What its CPU plugin does otherwise than the core. */
function notes(question: CodeQuestion): readonly string[] {
  const dtype = leadingType(question);
  if (['i64', 'u64', 'f64'].includes(dtype)) return [`# The CPU plugin brings ${dtype} to 32 bits on the way.`];
  if (onlyRepeats(question) || question.op.name === 'Where') return [];
  if (dtype === 'i8' || dtype === 'u8') return [`# The CPU plugin saturates ${dtype}, where others wrap.`];
  return [];
}

const broadcasting = (mode: string): string => (mode === '' ? '' : `, auto_broadcast="${mode}"`);

function compute(inputs: readonly string[], question: CodeQuestion): string {
  const { op, attributes, rule } = question;
  const [a = '', b = ''] = inputs;
  // PDPD's axis has no place in this interface: operands are laid on their axes beforehand.
  const mode = broadcasting(rule === 'none' ? 'NONE' : '');
  const two = (name: string, x: string, y: string): string => `ops.${name}(${x}, ${y}${mode})`;
  const all = (name: string): string => inputs.slice(1).reduce((made, input) => two(name, made, input), a);
  switch (op.name) {
    case 'Div':
      // Toward zero: its division of integers rounds down.
      return integerForm(leadingType(question))?.signed
        ? two('divide', two('subtract', a, two('mod', a, b)), b)
        : two('divide', a, b);
    case 'Mod':
      return two(attributes.fmod === '1' ? 'mod' : 'floor_mod', a, b);
    case 'BitShift':
      return two(attributes.direction === 'right' ? 'bitwise_right_shift' : 'bitwise_left_shift', a, b);
    case 'Mean':
      return `ops.divide(${all('add')}, ops.constant(${inputs.length}, ${numpy.types[leadingType(question)]}))`;
    case 'PRelu':
      // OpenVINO's own lays a slope of rank 1 on axis 1.
      return `ops.select(ops.less(${a}, ops.constant(0, ${numpy.types[leadingType(question)]})), ${two('multiply', a, b)}, ${a})`;
    case 'Cast':
      return `ops.convert(${a}, "${attributes.to === 'bool' ? 'boolean' : attributes.to}")`;
    case 'Where':
      return `ops.select(${inputs.join(', ')}${mode})`;
    default: {
      const name = functions[op.name];
      if (name === undefined) throw new Unwritable(`OpenVINO has no operator ${op.name}.`);
      return all(name);
    }
  }
}

/** Broadcast-3, a node for each result. */
function repeat(inputs: readonly string[], { rule, options, alignment }: CodeQuestion): readonly string[] {
  const [data = ''] = inputs;
  const target = `np.array(${brackets(options.targetShape ?? [])}, dtype=np.int64)`;
  if (rule === 'explicit') {
    const mapping = `np.array(${brackets(options.axesMapping ?? [])}, dtype=np.int64)`;
    return [`ops.broadcast(${data}, ${target}, ${mapping}, "EXPLICIT")`];
  }
  if (rule === 'bidirectional') return [`ops.broadcast(${data}, ${target}, broadcast_spec="BIDIRECTIONAL")`];
  return inputs.map((input) => `ops.broadcast(${input}, np.array(${brackets(alignment.output)}, dtype=np.int64))`);
}

function write(question: CodeQuestion, names: readonly string[]): string {
  const { operands, alignment, rule } = question;
  const strange = operands.find(({ dtype }) => !taken.includes(dtype))?.dtype;
  if (strange !== undefined) throw new Unwritable(`OpenVINO's Python takes no arrays of ${strange} from NumPy.`);
  const result = resultType(question);
  if (!taken.includes(result)) throw new Unwritable(`OpenVINO's Python gives NumPy no arrays of ${result}.`);
  checkLayer(question);
  const nodes = names.map((name) => `${name}_in`);
  const repeats = onlyRepeats(question);
  const placed = nodes.map((node, i) =>
    repeats || liesRight(question, i)
      ? node
      : `ops.reshape(${node}, np.array(${brackets(placedShape(question, i))}, dtype=np.int64), False)`,
  );
  const results = repeats ? repeat(nodes, question) : [compute(placed, question)];
  const several = rule === 'sonnx';
  const run = `compiled([${names.join(', ')}])`;
  return [
    'import numpy as np',
    'import openvino as ov',
    'import openvino.opset15 as ops',
    '',
    ...operands.map((operand, i) => `${names[i]} = ${made(numpy, operand)}`),
    ...names.map((name) => `${name}_in = ops.parameter(${name}.shape, ${name}.dtype)`),
    ...notes(question),
    results.length === 1
      ? `nodes = [${results[0]}]`
      : `nodes = [\n${results.map((result) => `    ${result},\n`).join('')}]`,
    `model = ov.Model(nodes, [${nodes.join(', ')}])`,
    'compiled = ov.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})',
    several
      ? `outs = list(${run}.values())  # each of shape ${tuple(alignment.output)}`
      : `out = ${run}[0]  # shape ${tuple(alignment.output)}`,
    '',
  ].join('\n');
}

export const openvino: Writer = (question) => written(question, (names) => write(question, names));
