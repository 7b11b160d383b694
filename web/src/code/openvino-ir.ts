// The layer of OpenVINO's IR, as in a model's XML.

import type { Extent } from '../engine/engine';
import { isInteger, nameOf } from './dtypes';
import { layerNamed } from './layers';
import { checkLayer } from './openvino';
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

interface Layer {
  readonly type: string;
  readonly version: string;
}

function layerOf(question: CodeQuestion): Layer {
  const { op, operands } = question;
  const name = spellingOf(question, 'layer');
  if (typeof name !== 'string') throw new Unwritable(`OpenVINO has no layer for ${op.name} under this rule.`);
  const layer = layerNamed(name);
  if (op.mostOperands === null && !onlyRepeats(question) && operands.length !== 2)
    throw new Unwritable(`OpenVINO's ${layer.type} takes two inputs: ${operands.length} need several layers.`);
  return layer;
}

function port(id: number, dtype: string, shape: readonly Extent[]): string {
  const precision = nameOf(dtype, 'precision');
  if (precision === null) throw new Unwritable(`OpenVINO's IR has no precision for ${dtype}.`);
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

/** An input from a Const layer, whose values are not in the XML. */
const constant = (id: number, name: string, values: readonly Extent[]): readonly string[] => [
  `    <!-- ${name}, from a Const: ${values.join(', ')} -->`,
  port(id, 'i64', [values.length]),
];

function broadcast(question: CodeQuestion): string {
  const { rule, returnsEach, options, operands, alignment } = question;
  const [data] = operands;
  if (returnsEach || !data)
    throw new Unwritable('SONNX returns every operand: in OpenVINO that is one Broadcast layer for each of them.');
  const mode = rule === 'broadcast_numpy' ? 'numpy' : rule;
  const constants = [
    ...constant(1, 'target_shape', options.targetShape ?? []),
    ...(rule === 'explicit' ? constant(2, 'axes_mapping', options.axesMapping ?? []) : []),
  ];
  return joined({
    layer: layerOf(question),
    data: `mode="${mode}"`,
    inputs: [port(0, data.dtype, data.shape), ...constants],
    output: port(rule === 'explicit' ? 3 : 2, data.dtype, alignment.output),
  });
}

function elementwise(question: CodeQuestion): string {
  const { op, rule, operands, alignment, attributes } = question;
  const layer = layerOf(question);
  // The IR has no attribute for PDPD's axis: it is 0. Comparisons ignore it.
  const fromFirst = alignment.axes[0]?.cells[1]?.sourceAxis === 0;
  const pdpd = rule === 'pdpd' && fromFirst && op.result !== 'bool' && !liesRight(question, 1);
  const mode = rule === 'none' ? 'none' : pdpd ? 'pdpd' : 'numpy';
  const division = op.name === 'Div' && isInteger(leadingType(question)) ? ' m_pythondiv="false"' : '';
  const destination = nameOf(attributes.to, 'openvino');
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
