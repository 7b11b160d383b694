// The layer of OpenVINO's IR, as it stands in a model's XML: what converters write, and what parsers of it read.

import type { Extent } from '../engine/engine';
import { isInteger } from './dtypes';
import { checkLayer } from './openvino';
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

const precisions: Readonly<Record<string, string>> = {
  bool: 'BOOL',
  i4: 'I4',
  i8: 'I8',
  i16: 'I16',
  i32: 'I32',
  i64: 'I64',
  u1: 'BIN',
  u4: 'U4',
  u8: 'U8',
  u16: 'U16',
  u32: 'U32',
  u64: 'U64',
  f16: 'FP16',
  bf16: 'BF16',
  f32: 'FP32',
  f64: 'FP64',
  f8e4m3: 'F8E4M3',
  f8e5m2: 'F8E5M2',
};

interface Layer {
  readonly type: string;
  readonly version: string;
}

const opset1 = (type: string): Layer => ({ type, version: 'opset1' });

const layers: Readonly<Record<string, Layer>> = {
  Add: opset1('Add'),
  Sub: opset1('Subtract'),
  Mul: opset1('Multiply'),
  Div: opset1('Divide'),
  Pow: opset1('Power'),
  SquaredDifference: opset1('SquaredDifference'),
  Max: opset1('Maximum'),
  Min: opset1('Minimum'),
  Sum: opset1('Add'),
  Equal: opset1('Equal'),
  NotEqual: opset1('NotEqual'),
  Less: opset1('Less'),
  LessOrEqual: opset1('LessEqual'),
  Greater: opset1('Greater'),
  GreaterOrEqual: opset1('GreaterEqual'),
  And: opset1('LogicalAnd'),
  Or: opset1('LogicalOr'),
  Xor: opset1('LogicalXor'),
  BitwiseAnd: { type: 'BitwiseAnd', version: 'opset13' },
  BitwiseOr: { type: 'BitwiseOr', version: 'opset13' },
  BitwiseXor: { type: 'BitwiseXor', version: 'opset13' },
  Where: opset1('Select'),
};

function layerOf({ op, attributes, operands }: CodeQuestion): Layer {
  if (op.name === 'Mod') return opset1(attributes.fmod === '1' ? 'Mod' : 'FloorMod');
  if (op.name === 'BitShift')
    return { type: attributes.direction === 'right' ? 'BitwiseRightShift' : 'BitwiseLeftShift', version: 'opset15' };
  if (op.name === 'Cast') return opset1('Convert');
  const layer = layers[op.name];
  if (!layer) throw new Unwritable(`OpenVINO has no layer for ${op.name} under this rule.`);
  if (operands.length !== (op.name === 'Where' ? 3 : 2))
    throw new Unwritable(`OpenVINO's ${layer.type} takes two inputs: ${operands.length} need several layers.`);
  return layer;
}

function port(id: number, dtype: string, shape: readonly Extent[]): string {
  const precision = precisions[dtype];
  if (precision === undefined) throw new Unwritable(`OpenVINO's IR has no precision for ${dtype}.`);
  const dims = shape.map((extent) => `<dim>${extent}</dim>`).join('');
  const head = `<port id="${id}" precision="${precision}"`;
  return dims === '' ? `    ${head} />` : `    ${head}>${dims}</port>`;
}

interface Parts {
  readonly layer: Layer;
  readonly data: string;
  readonly inputs: readonly string[];
  readonly output: string;
}

const joined = ({ layer, data, inputs, output }: Parts): string =>
  [
    `<layer id="0" name="out" type="${layer.type}" version="${layer.version}">`,
    `  <data ${data} />`,
    '  <input>',
    ...inputs,
    '  </input>',
    '  <output>',
    output,
    '  </output>',
    '</layer>',
    '',
  ].join('\n');

/** An input that a Const layer feeds: its values are not in the XML. */
const constant = (id: number, name: string, values: readonly Extent[]): readonly string[] => [
  `    <!-- ${name}, from a Const: ${values.join(', ')} -->`,
  port(id, 'i64', [values.length]),
];

function broadcast(question: CodeQuestion): string {
  const { rule, options, operands, alignment } = question;
  const [data] = operands;
  if (rule === 'sonnx' || !data)
    throw new Unwritable('SONNX returns every operand: in OpenVINO that is one Broadcast layer for each of them.');
  const mode = rule === 'broadcast_numpy' ? 'numpy' : rule;
  const constants = [
    ...constant(1, 'target_shape', options.targetShape ?? []),
    ...(rule === 'explicit' ? constant(2, 'axes_mapping', options.axesMapping ?? []) : []),
  ];
  return joined({
    layer: { type: 'Broadcast', version: 'opset3' },
    data: `mode="${mode}"`,
    inputs: [port(0, data.dtype, data.shape), ...constants],
    output: port(rule === 'explicit' ? 3 : 2, data.dtype, alignment.output),
  });
}

function elementwise(question: CodeQuestion): string {
  const { op, rule, operands, alignment, attributes } = question;
  const layer = layerOf(question);
  // The IR holds no axis for PDPD, which then is 0; what compares takes none.
  const fromFirst = alignment.axes[0]?.cells[1]?.sourceAxis === 0;
  const pdpd = rule === 'pdpd' && fromFirst && op.result !== 'bool' && !liesRight(question, 1);
  const mode = rule === 'none' ? 'none' : pdpd ? 'pdpd' : 'numpy';
  const division = op.name === 'Div' && isInteger(leadingType(question)) ? ' m_pythondiv="false"' : '';
  const destination = attributes.to === 'bool' ? 'boolean' : attributes.to;
  return joined({
    layer,
    data: op.name === 'Cast' ? `destination_type="${destination}"` : `auto_broadcast="${mode}"${division}`,
    inputs: operands.flatMap(({ dtype, shape }, i) =>
      pdpd || liesRight(question, i)
        ? [port(i, dtype, shape)]
        : [
            `    <!-- of shape (${shape.join(', ')}) before a Reshape: the IR has no place for PDPD's axis -->`,
            port(i, dtype, placedShape(question, i)),
          ],
    ),
    output: port(operands.length, resultType(question), alignment.output),
  });
}

export const openvinoIr: Writer = (question) =>
  written(question, () => {
    checkLayer(question);
    return onlyRepeats(question) ? broadcast(question) : elementwise(question);
  });
