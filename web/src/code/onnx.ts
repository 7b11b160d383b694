// ONNX: a model made by onnx.helper, run by the reference evaluator, so that every type has its operators.

import { made } from './array-library';
import { isFloat, isHalf, isInteger, nameOf } from './dtypes';
import { brackets, list, tuple } from './lines';
import { library as numpy } from './numpy';
import { operators, spellingOf } from './operators';
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
import { checkCast, dividesByZero, hasNegativeExponent, shiftsPastWidth } from './values';

const quoted = (text: string): string => `"${text}"`;

function typeOf(dtype: string): string {
  const type = nameOf(dtype, 'onnx');
  if (type === null) throw new Unwritable(`ONNX's operators do not take ${dtype}.`);
  return `TensorProto.${type}`;
}

/** The nodes of a graph and its constants, in the order in which they are added. */
class Graph {
  readonly nodes: string[] = [];
  readonly constants: string[] = [];

  node(op: string, inputs: readonly string[], output: string, attributes = ''): string {
    const more = attributes === '' ? '' : `, ${attributes}`;
    this.nodes.push(`helper.make_node("${op}", [${inputs.map(quoted).join(', ')}], ["${output}"]${more})`);
    return output;
  }

  constant(name: string, type: string, shape: readonly number[], values: string): string {
    this.constants.push(`helper.make_tensor("${name}", ${type}, ${brackets(shape)}, ${values})`);
    return name;
  }

  shape(name: string, shape: readonly (number | bigint)[]): string {
    return this.constant(name, 'TensorProto.INT64', [shape.length], brackets(shape));
  }
}

function check(question: CodeQuestion): void {
  const { op, operands } = question;
  for (const { dtype } of operands) typeOf(dtype);
  const dtype = leadingType(question);
  if ((op.name === 'Div' || op.name === 'Mod') && isInteger(dtype) && dividesByZero(question))
    throw new Unwritable('ONNX leaves open what integers divided by 0 give; runtimes fail.');
  if (op.name === 'Pow') {
    if (!['i32', 'i64'].includes(dtype) && !isFloat(dtype))
      throw new Unwritable(`ONNX's Pow takes no base of type ${dtype}.`);
    if (isInteger(dtype) && hasNegativeExponent(question))
      throw new Unwritable('ONNX leaves open what integers to negative powers give.');
  }
  checkCast(question, 'ONNX');
  if (op.name === 'BitShift' && shiftsPastWidth(question))
    throw new Unwritable('ONNX leaves open what a shift by the width or more gives.');
}

/** The nodes of an operator, from its operands to `out`. */
function compute(graph: Graph, inputs: readonly string[], question: CodeQuestion): void {
  const { op } = question;
  const dtype = leadingType(question);
  if (isHalf(dtype) && operators[op.name].hasSteps) {
    // Runtimes round at every step; through FLOAT there is one rounding.
    const wide = inputs.map((input) => graph.node('Cast', [input], `${input}_wide`, 'to=TensorProto.FLOAT'));
    graph.node('Cast', [operator(graph, wide, 'f32', 'wide', question)], 'out', `to=${typeOf(dtype)}`);
  } else {
    operator(graph, inputs, dtype, 'out', question);
  }
}

/** The node's attribute as an argument of make_node. */
function attributeOf({ op, attributes }: CodeQuestion): string {
  if (op.attribute === 'direction') return `direction="${attributes.direction === 'right' ? 'RIGHT' : 'LEFT'}"`;
  if (op.attribute === 'fmod' && attributes.fmod === '1') return 'fmod=1';
  return op.attribute === 'to' ? `to=${typeOf(attributes.to)}` : '';
}

/** The operator's nodes on inputs of type `dtype`; returns the name of their output. */
function operator(
  graph: Graph,
  inputs: readonly string[],
  dtype: string,
  output: string,
  question: CodeQuestion,
): string {
  const { op, operands, alignment } = question;
  const node = spellingOf(question, 'onnx');
  if (typeof node === 'string') return graph.node(node, inputs, output, attributeOf(question));
  const [a = '', b = ''] = inputs;
  switch (node && op.name) {
    case 'Mean': {
      // Divided, since runtimes' Mean multiplies by a rounded reciprocal.
      const count = graph.constant('count', typeOf(dtype), [], `[${inputs.length}]`);
      return graph.node('Div', [graph.node('Sum', inputs, 'sum'), count], output);
    }
    case 'SquaredDifference': {
      const difference = graph.node('Sub', inputs, 'difference');
      return graph.node('Mul', [difference, difference], output);
    }
    case 'NotEqual':
      return graph.node('Not', [graph.node('Equal', inputs, 'equal')], output);
    case 'PRelu': {
      // ONNX's PRelu never stretches its first input.
      if (dtype !== 'bf16' && brackets(operands[0]?.shape ?? []) === brackets(alignment.output))
        return graph.node('PRelu', inputs, output);
      const negative = graph.node('Less', [a, graph.constant('zero', typeOf(dtype), [], '[0]')], 'negative');
      return graph.node('Where', [negative, graph.node('Mul', [a, b], 'sloped'), a], output);
    }
    default:
      throw new Unwritable(`ONNX has no operator ${op.name}.`);
  }
}

/** Adds an Expand node for each input; returns the names of their outputs. */
function repeat(
  graph: Graph,
  inputs: readonly string[],
  { rule, options, alignment }: CodeQuestion,
): readonly string[] {
  const target = rule === 'bidirectional' ? (options.targetShape ?? []) : alignment.output;
  const shape = graph.shape('target_shape', target);
  return inputs.map((input, i) => graph.node('Expand', [input, shape], inputs.length === 1 ? 'out' : `out${i}`));
}

function write(question: CodeQuestion, names: readonly string[]): string {
  const { operands, alignment, returnsEach: several } = question;
  check(question);
  const graph = new Graph();
  const inputs = names.map((name, i) =>
    liesRight(question, i)
      ? name
      : graph.node(
          'Reshape',
          [name, graph.shape(`${name}_shape`, placedShape(question, i))],
          `${name}_placed`,
          'allowzero=1',
        ),
  );
  const outputs = onlyRepeats(question) ? repeat(graph, inputs, question) : ['out'];
  if (!onlyRepeats(question)) compute(graph, inputs, question);
  const info = (name: string, dtype: string, shape: readonly (number | bigint)[]): string =>
    `helper.make_tensor_value_info("${name}", ${typeOf(dtype)}, ${brackets(shape)})`;
  const typeOfOutput = (i: number): string =>
    onlyRepeats(question) ? (operands[i]?.dtype ?? '') : resultType(question);
  const rows = (items: readonly string[]): string => items.map((item) => `        ${item},\n`).join('');
  return [
    ...numpy.imports(operands.map(({ dtype }) => dtype)),
    'from onnx import TensorProto, helper',
    'from onnx.reference import ReferenceEvaluator',
    '',
    ...operands.map((operand, i) => `${names[i]} = ${made(numpy, operand)}`),
    'graph = helper.make_graph(',
    `    [\n${rows(graph.nodes)}    ],`,
    '    "broadcast",',
    `    [\n${rows(operands.map(({ dtype, shape }, i) => info(names[i] ?? '', dtype, shape)))}    ],`,
    `    [\n${rows(outputs.map((output, i) => info(output, typeOfOutput(i), alignment.output)))}    ],`,
    ...(graph.constants.length > 0 ? [`    [\n${rows(graph.constants)}    ],`] : []),
    ')',
    'model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)',
    `${several ? 'outs' : '(out,)'} = ReferenceEvaluator(model).run(None, ${list(
      '{',
      names.map((name) => `"${name}": ${name}`),
      '}',
    )})  # ${several ? 'each of shape' : 'shape'} ${tuple(alignment.output)}`,
    '',
  ].join('\n');
}

export const onnx: Writer = (question) => written(question, (names) => write(question, names));
