// OpenVINO's Python: a model of one operator, run on its CPU plugin.

import { made, typeOf } from './array-library';
import { isBorrowed, isInteger, nameOf } from './dtypes';
import { brackets, tuple } from './lines';
import { library as numpy } from './numpy';
import { spellingOf } from './operators';
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

/** Whether its Python exchanges arrays of the type with NumPy: it does so of NumPy's own types. */
const isShared = (dtype: string): boolean =>
  nameOf(dtype, 'openvino') !== null && nameOf(dtype, 'numpy') !== null && !isBorrowed(dtype);

/**
 * Refuses calls of Broadcast-3 that do not work.
 *
 * @throws Unwritable where OpenVINO's CPU plugin crashes or deviates from its document.
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
 * Refuses layers whose result OpenVINO does not define, or whose computation crashes.
 *
 * @throws Unwritable where OpenVINO's result is undefined but the core's is not.
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

/** Comments on what OpenVINO's CPU plugin does differently from the core. */
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
  // This interface has no argument for PDPD's axis: operands are reshaped beforehand.
  const mode = broadcasting(rule === 'none' ? 'NONE' : '');
  const of = (name: string, ...operands: readonly string[]): string => `ops.${name}(${operands.join(', ')}${mode})`;
  const chained = (name: string): string => inputs.slice(1).reduce((made, input) => of(name, made, input), a);
  const name = spellingOf(question, 'openvino');
  if (typeof name === 'string') return op.mostOperands === null ? chained(name) : of(name, ...inputs);
  const type = typeOf(numpy, leadingType(question));
  switch (name && op.name) {
    case 'Div':
      // Its division of integers rounds down; the core's rounds toward zero.
      return of('divide', of('subtract', a, of('mod', a, b)), b);
    case 'Mean':
      return `ops.divide(${chained('add')}, ops.constant(${inputs.length}, ${type}))`;
    case 'PRelu':
      // OpenVINO's PRelu puts a slope of rank 1 on axis 1.
      return `ops.select(ops.less(${a}, ops.constant(0, ${type})), ${of('multiply', a, b)}, ${a})`;
    case 'Cast':
      return `ops.convert(${a}, "${nameOf(attributes.to, 'openvino')}")`;
    default:
      throw new Unwritable(`OpenVINO has no operator ${op.name}.`);
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
  const { operands, alignment, returnsEach: several } = question;
  const strange = operands.find(({ dtype }) => !isShared(dtype))?.dtype;
  if (strange !== undefined) throw new Unwritable(`OpenVINO's Python takes no arrays of ${strange} from NumPy.`);
  const result = resultType(question);
  if (!isShared(result)) throw new Unwritable(`OpenVINO's Python gives NumPy no arrays of ${result}.`);
  checkLayer(question);
  const nodes = names.map((name) => `${name}_in`);
  const repeats = onlyRepeats(question);
  const placed = nodes.map((node, i) =>
    repeats || liesRight(question, i)
      ? node
      : `ops.reshape(${node}, np.array(${brackets(placedShape(question, i))}, dtype=np.int64), False)`,
  );
  const results = repeats ? repeat(nodes, question) : [compute(placed, question)];
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
