// Reads one layer of an OpenVINO IR as a question. Constants are not in the XML: the target is read off the output, and
// axes_mapping off a comment if there is one, as in OpenVINO's document and in Broadloom's own text.

import type { DType, OpName, RuleName } from '../types/vocabulary.js';
import { checkText } from './given.js';
import { LAYERS, PRECISIONS, type LayerMeaning } from './layers.js';
import { ModelError } from './model-error.js';
import { BROADCAST_RULES, layerQuestion, RULES, type IrOperand } from './openvino.js';
import { MOST_BYTES, readIr, type IrLayer, type IrPort } from './openvino-file.js';
import { isKnown, type ModelShape } from './shape.js';
import { FileWindow, sourceFrom } from './source.js';

/** The question that a layer asks. */
export interface LayerQuestion {
  readonly rule: RuleName;
  readonly op: OpName;
  /** The attributes that the layer's type and its `destination_type` stand for. */
  readonly attrs: {
    readonly fmod?: number;
    readonly direction?: 'left' | 'right';
    /** As the layer has it: it need not be an element type. */
    readonly to?: string;
  };
  /** Of the operands, in their order. */
  readonly shapes: readonly (readonly (number | bigint)[])[];
  /** The element type, where a port has a precision. */
  readonly dtype: DType | null;
  /** For `pdpd`; else null. */
  readonly axis: number | null;
  /** For rules that take one; else null. */
  readonly targetShape: readonly (number | bigint)[] | null;
  /** For `explicit`, where a comment has it; else null. */
  readonly axesMapping: readonly number[] | null;
  /** What was assumed or left open, in sentences. */
  readonly notes: readonly string[];
}

/**
 * The question of a layer of OpenVINO's IR: one `<layer>`, or the first that broadcasts of a part of a model. Nothing of the
 * text is run.
 *
 * @throws ModelError `format`, `truncated` or `limit`, and `input` for what is no text; the message says in a sentence what is missing.
 * @example
 * const { rule, shapes, targetShape } = readLayer(
 *   '<layer type="Broadcast"><data mode="numpy"/><input><port id="0"><dim>3</dim></port><port id="1"/></input>' +
 *     '<output><port id="2"><dim>2</dim><dim>3</dim></port></output></layer>',
 * );
 * [rule, shapes, targetShape]; // ['broadcast_numpy', [[3]], [2, 3]]
 */
export function readLayer(text: string): LayerQuestion {
  checkText(text, 'readLayer');
  const layers = layersIn(text);
  const [first] = layers;
  if (first === undefined) {
    throw missing('There is no <layer> in this XML: paste one of a model, from <layer to </layer>.');
  }
  const known = layers.filter(({ type }) => Object.hasOwn(LAYERS, type));
  const [layer] = known;
  if (layer === undefined) {
    throw missing(
      first.type === ''
        ? 'The layer has no type: <layer type="Broadcast" ...> or that of an elementwise operator is understood.'
        : `A layer of type ${short(first.type)} does not broadcast: Broadcast and elementwise operators such as Add do.`,
    );
  }
  const notes = known.length > 1 ? [`${known.length} layers broadcast; this is the first of them.`] : [];
  return questionOf(layer, LAYERS[layer.type] as LayerMeaning, notes);
}

/** Dots among the attributes of a tag, as documents write them for omitted ones. */
const DOTS = /(<layer\b[^<>]*?)\s\.\.\.(?=[\s/>])/g;

function layersIn(text: string): readonly IrLayer[] {
  if (text.length > MOST_BYTES) {
    throw new ModelError('limit', `The XML has ${text.length} characters. At most ${MOST_BYTES} are read.`);
  }
  const part = text
    .trim()
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(DOTS, '$1 ')
    .replace(DOTS, '$1 ');
  if (!part.includes('<')) throw missing("This isn't XML: paste a layer, from <layer to </layer>.");
  try {
    const bytes = new TextEncoder().encode(`<net>${part}</net>`);
    return readIr(new FileWindow(sourceFrom(bytes))).layers;
  } catch (error) {
    if (!(error instanceof ModelError) || !/malformed|DOCTYPE/.test(error.message)) throw error;
    const message = 'The XML is not whole: every tag has to be closed, from <layer to </layer>.';
    throw new ModelError(error.code, message, { cause: error });
  }
}

function questionOf(layer: IrLayer, { op, fmod, direction }: LayerMeaning, found: readonly string[]): LayerQuestion {
  const { type, data, inputs, outputs } = layer;
  const isBroadcast = op === 'Broadcast';
  const [modes, attribute] = isBroadcast ? ([BROADCAST_RULES, 'mode'] as const) : ([RULES, 'auto_broadcast'] as const);
  // OpenVINO takes numpy where the attribute is missing.
  const mode = (data[attribute] ?? 'numpy').toLowerCase();
  if (!Object.hasOwn(modes, mode)) {
    const known = Object.keys(modes).join(', ');
    throw missing(`The attribute ${attribute}="${short(data[attribute] ?? '')}" is not known: it is one of ${known}.`);
  }
  const wanted = op === 'Where' ? 3 : op === 'Cast' ? 1 : 2;
  if (isBroadcast && inputs.length === 0) throw missing('The layer has no <input> with a <port> for its data.');
  if (isBroadcast && outputs.length === 0 && !listedIn(inputs[1])) {
    throw missing('The layer has no <output> with a <port>: the shape to broadcast to is read off it.');
  }
  if (!isBroadcast && inputs.length !== wanted) {
    throw missing(
      `${type} takes ${wanted} input${wanted === 1 ? '' : 's'}; this layer has ${inputs.length} <port> in its <input>.`,
    );
  }
  const operands = inputs.map((port): IrOperand => ({ name: port.id, shape: port.dims, ints: listedIn(port) }));
  // Where the constant is not at hand, a layer without a second port asks the same.
  if (isBroadcast && operands.length === 1) operands.push({ name: '', shape: null, ints: null });
  const asked = layerQuestion({ ...layer, data: { ...data, [attribute]: mode } }, operands, outputs[0], []);
  if (asked === null) throw missing(`A layer of type ${short(type)} does not broadcast.`);
  const { rule, axis, axesMapping } = asked;
  const notes = [...found];
  if (rule === 'pdpd' && data[PDPD_AXIS] === undefined) {
    notes.push(`The layer has no attribute ${PDPD_AXIS}: OpenVINO then takes axis 0.`);
  }
  if (rule === 'explicit' && axesMapping === undefined) {
    notes.push('axes_mapping is a constant, which is not in the XML: give it in its field.');
  }
  // Without its constant, the target is the result's shape.
  const target = isBroadcast ? (operands[1]?.ints ?? outputs[0]?.dims ?? null) : null;
  const to = op === 'Cast' ? (data['destination_type'] ?? '').replace('boolean', 'bool') : null;
  return {
    rule,
    op,
    attrs: {
      ...(fmod === null ? {} : { fmod }),
      ...(direction === null ? {} : { direction }),
      ...(to === null ? {} : { to }),
    },
    shapes: asked.operands.map(({ shape }, i) => known(shape, isBroadcast ? 'the data' : `input ${i}`)),
    dtype: dtypeOf(inputs[op === 'Where' ? 1 : 0]),
    axis: axis ?? null,
    targetShape: target && known(target, 'the output'),
    axesMapping: axesMapping ?? null,
    notes,
  };
}

const PDPD_AXIS = 'auto_broadcast.auto_broadcast_axis';

const missing = (message: string) => new ModelError('format', message);

/** A word of the text for a sentence, cut to 40 characters. */
const short = (word: string) => (word.length > 40 ? `${word.slice(0, 40)}…` : word);

function known(shape: ModelShape, what: string): readonly (number | bigint)[] {
  const extents = shape ?? [];
  if (extents.every(isKnown)) return extents;
  throw missing(`A <dim> of ${what} is -1, an extent that is not known: put a number in its place.`);
}

/** The numbers of a constant, from a comment in its port or right before it: "...: [1, 16]". */
function listedIn(port: IrPort | undefined): readonly number[] | null {
  for (const comment of port?.comments ?? []) {
    const numbers = numbersAfterColon(comment);
    if (numbers !== null) return numbers;
  }
  return null;
}

/** The list of whole numbers that a text ends with: "axes_mapping: [1, 16]"; null where it ends otherwise. */
function numbersAfterColon(text: string): readonly number[] | null {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return null;
  let list = text.slice(colon + 1).trim();
  if (list.startsWith('[')) list = list.slice(1);
  if (list.endsWith(']')) list = list.slice(0, -1);
  if (list.trim() === '') return [];
  const items = list.split(',').map((item) => item.trim());
  return items.every((item) => /^\d{1,15}$/.test(item)) ? items.map(Number) : null;
}

/** The element type of a port's precision, which may also be its name in capitals; null where it names none. */
function dtypeOf(port: IrPort | undefined): DType | null {
  const precision = port?.precision ?? '';
  if (Object.hasOwn(PRECISIONS, precision)) return PRECISIONS[precision] ?? null;
  return Object.values(PRECISIONS).find((dtype) => dtype?.toUpperCase() === precision) ?? null;
}
