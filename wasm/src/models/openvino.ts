// Finds the broadcasting layers of an OpenVINO IR. Its ports have the shapes; an edge says that two ports are one value.

import type { RuleName } from '../types/vocabulary.js';
import type { AuditedOperand, Findings, NodeQuestion } from './audited.js';
import { KEEPING_LAYERS } from './keeping.js';
import { LAYERS } from './layers.js';
import { ModelError, quoted } from './model-error.js';
import type { IrLayer, IrNet, IrPort } from './openvino-file.js';
import { order } from './order.js';
import { isKnown, merge, unknownExtent, type ModelExtent, type ModelShape } from './shape.js';
import type { FileWindow } from './source.js';

/** The rules of `auto_broadcast`. OpenVINO's enumeration has `explicit` as another name of `none`. */
export const RULES: { readonly [mode: string]: RuleName | undefined } = {
  none: 'none',
  explicit: 'none',
  numpy: 'numpy',
  pdpd: 'pdpd',
};

/** The rules of a Broadcast's `mode`. */
export const BROADCAST_RULES: { readonly [mode: string]: RuleName | undefined } = {
  numpy: 'broadcast_numpy',
  bidirectional: 'bidirectional',
  explicit: 'explicit',
};

/** Integers of a constant are read where it has at most this many: a target or a mapping. */
const MOST_INTS = 256;

/** @throws ModelError */
export function auditIr(
  net: IrNet,
  weights: FileWindow | null,
  findings: Findings,
  path: readonly string[] = [],
): void {
  const layers = new Map(net.layers.map((layer, i) => [layer.id, i]));
  const sources = net.layers.map(() => new Map<string, { readonly layer: number; readonly port: string }>());
  for (const { fromLayer, fromPort, toLayer, toPort } of net.edges) {
    const from = layers.get(fromLayer);
    const to = layers.get(toLayer);
    if (from === undefined || to === undefined) throw new ModelError('format', 'An edge of the XML leads to no layer.');
    sources[to]?.set(toPort, { layer: from, port: fromPort });
  }
  const found = order(net.layers.length, (i) => [...(sources[i]?.values() ?? [])].map(({ layer }) => layer));
  if ('stuck' in found) {
    const { name } = net.layers[found.stuck] as IrLayer;
    throw new ModelError('cycle', `The layer ${quoted(name)} needs its own result: the network has a cycle.`);
  }

  /** The shapes of each layer's outputs, by port. */
  const outputs = net.layers.map(() => new Map<string, ModelShape>());
  for (const i of found.sorted) {
    const layer = net.layers[i] as IrLayer;
    const operands = layer.inputs.map((port): IrOperand => {
      const source = sources[i]?.get(port.id);
      if (source === undefined) return { name: port.id, shape: port.dims, ints: null };
      const from = net.layers[source.layer] as IrLayer;
      const shape = merge(outputs[source.layer]?.get(source.port) ?? null, port.dims).shape;
      return { name: from.name, shape, ints: intsOf(from, weights) };
    });
    const first = layer.outputs[0];
    const asked = layerQuestion(layer, operands, first, path);
    // Every layer that broadcasts takes two inputs or more.
    const question = operands.length < 2 ? null : asked;
    const computed =
      question !== null
        ? findings.add(question, (shape) => merge(shape, first?.dims ?? null))
        : KEEPING_LAYERS.has(layer.type)
          ? (operands[0]?.shape ?? null)
          : null;
    layer.outputs.forEach((port, at) => {
      outputs[i]?.set(port.id, merge(at === 0 ? computed : null, port.dims).shape);
    });
    for (const body of layer.bodies) auditIr(body.net, weights, findings, [...path, `${layer.name}.${body.name}`]);
  }
}

/** An input; `ints` are the elements of a short constant. */
export type IrOperand = AuditedOperand & { readonly ints: readonly number[] | null };

/** The rule of a mode, in letters of any case. @throws ModelError */
function ruleOf(rules: typeof RULES, attribute: string, mode: string, { name }: IrLayer): RuleName {
  const rule = Object.hasOwn(rules, mode.toLowerCase()) ? rules[mode.toLowerCase()] : undefined;
  if (rule !== undefined) return rule;
  const known = Object.keys(rules).join(', ');
  throw new ModelError(
    'format',
    `The layer ${quoted(name)} has ${attribute} ${quoted(mode)}, which is none of ${known}.`,
  );
}

/** The rule that a layer applies to its inputs; null if it does not broadcast. @throws ModelError where its mode is unknown. */
export function layerQuestion(
  layer: IrLayer,
  operands: readonly IrOperand[],
  output: IrPort | undefined,
  path: readonly string[],
): NodeQuestion | null {
  const { name, type: op, data } = layer;
  const rest = { name, path, op };
  const [first, second, third] = operands;
  if (op === 'Broadcast' && first !== undefined && second !== undefined) {
    const rank = second.shape?.[0];
    const ofRank = typeof rank === 'number' && rank <= MOST_INTS ? Array.from({ length: rank }, unknownExtent) : null;
    const rule = ruleOf(BROADCAST_RULES, 'mode', data['mode'] ?? 'numpy', layer);
    if (rule === 'bidirectional') return { ...rest, rule, operands: [first], targetShape: second.ints ?? ofRank };
    // In these modes the result has the target's shape.
    const targetShape = second.ints ?? output?.dims ?? ofRank;
    if (rule !== 'explicit') return { ...rest, rule, operands: [first], targetShape };
    const mapping = third?.ints;
    return {
      ...rest,
      rule,
      operands: [first],
      targetShape: mapping ? targetShape : null,
      ...(mapping ? { axesMapping: mapping } : {}),
    };
  }
  if (op === 'PReLU' && first !== undefined && second !== undefined) {
    // A slope for each channel, or one that stretches to the data.
    const isChannels = second.shape?.length === 1 && isSame(second.shape[0], first.shape?.[1]);
    const rule = isChannels ? ({ rule: 'pdpd', axis: 1 } as const) : ({ rule: 'onnx_unidirectional' } as const);
    return { ...rest, ...rule, operands: [first, second] };
  }
  // Layers that broadcast take numpy where they have no attribute.
  const broadcasts = Object.hasOwn(LAYERS, op) && op !== 'Convert' && op !== 'Broadcast';
  const mode = data['auto_broadcast'] ?? (broadcasts ? 'numpy' : undefined);
  if (mode === undefined) return null;
  const rule = ruleOf(RULES, 'auto_broadcast', mode, layer);
  if (rule !== 'pdpd') return { ...rest, rule, operands };
  // Older files have no attribute for the axis: OpenVINO takes 0.
  const axis = Number(data['auto_broadcast.auto_broadcast_axis'] ?? 0);
  return { ...rest, rule, operands, axis: Number.isSafeInteger(axis) ? axis : 0 };
}

const isSame = (a: ModelExtent | undefined, b: ModelExtent | undefined) => a !== undefined && a === b && isKnown(a);

/** The elements of a short constant of whole numbers; null where they are not known. */
function intsOf({ type, data }: IrLayer, weights: FileWindow | null): readonly number[] | null {
  if (type !== 'Const' || weights === null) return null;
  const width = { i64: 8, u64: 8, i32: 4, u32: 4 }[data['element_type'] ?? ''];
  const begin = Number(data['offset']);
  const size = Number(data['size']);
  if (width === undefined || !Number.isSafeInteger(begin) || !Number.isSafeInteger(size)) return null;
  if (begin < 0 || size < 0 || size > MOST_INTS * width || begin + size > weights.size || size % width !== 0)
    return null;
  const bytes = weights.slice(begin, begin + size);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: size / width }, (_, i) =>
    width === 8 ? Number(view.getBigInt64(i * 8, true)) : view.getInt32(i * 4, true),
  );
}
