// Reads a pasted layer of OpenVINO's IR as a question. The XML does not hold the values of constants: target_shape is read
// off the output, and axes_mapping off a comment if there is one, as in OpenVINO's document and in this page's own text.

import { elementTypes, nameOf } from './dtypes';
import { type LayerMeaning, layerMeanings } from './layers';

/** The question that a layer asks; its operands in their order. */
export interface PastedLayer {
  readonly rule: 'none' | 'numpy' | 'pdpd' | 'bidirectional' | 'broadcast_numpy' | 'explicit';
  /** An operator of the core's vocabulary. */
  readonly op: string;
  readonly fmod: '' | '1';
  readonly direction: '' | 'left' | 'right';
  /** Convert's destination_type. */
  readonly to: string;
  readonly shapes: readonly (readonly number[])[];
  /** The element type, if a port has a precision. */
  readonly dtype: string | null;
  /** Under `pdpd` 0, as OpenVINO has it: the IR has no attribute for it. */
  readonly axis: number | null;
  readonly targetShape: readonly number[] | null;
  /** Null under `explicit` as well if no comment has it: the user has to give it. */
  readonly axesMapping: readonly number[] | null;
  /** What was assumed or left open, in sentences. */
  readonly notes: readonly string[];
}

export type Pasted =
  { readonly ok: true; readonly layer: PastedLayer } | { readonly ok: false; readonly message: string };

/** Thrown while reading; its message says in a sentence what is missing. */
class Missing extends Error {}

const broadcastModes = { numpy: 'broadcast_numpy', bidirectional: 'bidirectional', explicit: 'explicit' } as const;
const elementwiseModes = { none: 'none', numpy: 'numpy', pdpd: 'pdpd' } as const;

const operations = layerMeanings();

/** Element types by their precision. */
const dtypes: ReadonlyMap<string | null, string> = new Map(
  Object.keys(elementTypes).map((dtype) => [nameOf(dtype, 'precision'), dtype]),
);

/**
 * The layer in `text`: one `<layer>`, or the first that broadcasts of a whole model.
 *
 * @example
 * readLayer('<layer type="Broadcast"><data mode="numpy"/><input><port id="0"><dim>3</dim></port><port id="1"/></input>' +
 *   '<output><port id="2"><dim>2</dim><dim>3</dim></port></output></layer>');
 * // rule broadcast_numpy, shapes [[3]], targetShape [2, 3]
 */
export function readLayer(text: string): Pasted {
  try {
    return { ok: true, layer: read(text) };
  } catch (error) {
    if (error instanceof Missing) return { ok: false, message: error.message };
    throw error;
  }
}

function read(text: string): PastedLayer {
  const document = parse(text);
  const all = [...document.querySelectorAll('layer')];
  if (all.length === 0)
    throw new Missing('There is no <layer> in this XML: paste one of a model, from <layer to </layer>.');
  const known = all.filter((layer) => operations.has(typeOf(layer)));
  const layer = known[0];
  if (!layer) {
    const type = typeOf(all[0] as Element);
    throw new Missing(
      type === ''
        ? 'The layer does not say its type: <layer type="Broadcast" ...> or that of an elementwise operator is understood.'
        : `A layer of type ${shown(type)} does not broadcast: Broadcast and elementwise operators such as Add do.`,
    );
  }
  const notes = known.length > 1 ? [`${known.length} layers broadcast; this is the first of them.`] : [];
  const meaning = operations.get(typeOf(layer)) as LayerMeaning;
  return meaning.op === 'Broadcast' ? broadcast(layer, notes) : elementwise(layer, meaning, notes);
}

const typeOf = (layer: Element): string => layer.getAttribute('type') ?? '';

/** A word of the user's for a sentence, cut to 40 characters. */
const shown = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word);

// --- The XML -----------------------------------------------------------------

interface Policy {
  createHTML(text: string): string;
}
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}
let policy: Policy | undefined;

/** The document is only read: nothing of it is shown or run. */
function trusted(text: string): string {
  const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  policy ??= policies?.createPolicy('broadloom-layer', { createHTML: (xml) => xml }) ?? { createHTML: (xml) => xml };
  return policy.createHTML(text);
}

const piece =
  /<!--(?:(?!--)[^])*-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(?<end>\/?)(?<name>[a-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>\/?)>|&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);|[^<&]+/iy;

/**
 * Whether every tag is complete and closed. For other text browsers make an error page with inline styles, which a strict
 * policy reports.
 */
export function isWhole(text: string): boolean {
  const open: (string | undefined)[] = [];
  piece.lastIndex = 0;
  while (piece.lastIndex < text.length) {
    const { end, name, empty } = piece.exec(text)?.groups ?? {};
    if (piece.lastIndex === 0) return false;
    if (name === undefined || empty) continue;
    if (!end) open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

/** Dots among the attributes of a tag, as documents write them for omitted ones. */
const dots = /(<layer\b[^<>]*?)\s\.\.\.(?=[\s/>])/g;

function parse(text: string): Document {
  // A part of a model, without the dots of documents.
  const dotless = text
    .trim()
    .replace(/^<\?xml[^>]*\?>/, '')
    .replace(dots, '$1 ')
    .replace(dots, '$1 ');
  if (!dotless.includes('<')) throw new Missing('This is no XML: paste a layer, from <layer to </layer>.');
  const broken = 'The XML is not whole: every tag has to be closed, from <layer to </layer>.';
  if (!isWhole(dotless)) throw new Missing(broken);
  const document = new DOMParser().parseFromString(trusted(`<pasted>${dotless}</pasted>`), 'application/xml');
  if (document.querySelector('parsererror')) throw new Missing(broken);
  return document;
}

function portsOf(layer: Element, side: 'input' | 'output'): readonly Element[] {
  const part = [...layer.children].find(({ tagName }) => tagName === side);
  return part ? [...part.children].filter(({ tagName }) => tagName === 'port') : [];
}

function dimsOf(port: Element, what: string): readonly number[] {
  return [...port.children]
    .filter(({ tagName }) => tagName === 'dim')
    .map(({ textContent }) => {
      const digits = (textContent ?? '').trim();
      if (digits === '-1' || digits === '?')
        throw new Missing(`A <dim> of ${what} is ${digits}, an extent that is not known: put a number in its place.`);
      if (!/^\d{1,15}$/.test(digits))
        throw new Missing(`A <dim> of ${what} is "${shown(digits)}", which is no extent.`);
      return Number(digits);
    });
}

/** The numbers of a constant, from a comment in its port or right before it: "...: [1, 16]". */
function commentNumbers(port: Element | undefined): readonly number[] | null {
  if (!port) return null;
  let before = port.previousSibling;
  while (before?.nodeType === Node.TEXT_NODE) before = before.previousSibling;
  const comments = [...port.childNodes, ...(before ? [before] : [])].filter(
    (node) => node.nodeType === Node.COMMENT_NODE,
  );
  for (const { nodeValue } of comments) {
    const listed = numbersAfterColon(nodeValue ?? '');
    if (listed) return listed;
  }
  return null;
}

/** The list of whole numbers that a text ends with: "axes_mapping: [1, 16]"; null where it ends otherwise. */
export function numbersAfterColon(text: string): readonly number[] | null {
  const colon = text.lastIndexOf(':');
  if (colon < 0) return null;
  let list = text.slice(colon + 1).trim();
  if (list.startsWith('[')) list = list.slice(1);
  if (list.endsWith(']')) list = list.slice(0, -1);
  if (list.trim() === '') return [];
  const items = list.split(',').map((item) => item.trim());
  return items.every((item) => /^\d{1,15}$/.test(item)) ? items.map(Number) : null;
}

/** The element type of a port's precision, which may also be the core's name in capitals; null where it names none. */
function dtypeOf(port: Element | undefined): string | null {
  const precision = port?.getAttribute('precision') ?? '';
  const lower = precision.toLowerCase();
  return (
    dtypes.get(precision) ?? (Object.hasOwn(elementTypes, lower) && lower.toUpperCase() === precision ? lower : null)
  );
}

const attribute = (layer: Element, name: string): string | null =>
  [...layer.children].find(({ tagName }) => tagName === 'data')?.getAttribute(name) ?? null;

function choose<M extends object>(modes: M, given: string | null, name: string): M[keyof M] {
  const mode = (given ?? 'numpy').toLowerCase();
  if (Object.hasOwn(modes, mode)) return modes[mode as keyof M];
  throw new Missing(
    `The attribute ${name}="${shown(given ?? '')}" is not known: it is one of ${Object.keys(modes).join(', ')}.`,
  );
}

// --- Layers ------------------------------------------------------------------

function broadcast(layer: Element, found: readonly string[]): PastedLayer {
  const rule = choose(broadcastModes, attribute(layer, 'mode'), 'mode');
  const [data, target, mapping] = portsOf(layer, 'input');
  if (!data) throw new Missing('The layer has no <input> with a <port> for its data.');
  const [output] = portsOf(layer, 'output');
  const targetShape = commentNumbers(target) ?? (output && dimsOf(output, 'the output'));
  if (!targetShape)
    throw new Missing('The layer has no <output> with a <port>: the shape to broadcast to is read off it.');
  const axesMapping = rule === 'explicit' ? commentNumbers(mapping) : null;
  const unknown = 'axes_mapping is a constant, which is not in the XML: give it in its field.';
  return {
    rule,
    op: 'Broadcast',
    fmod: '',
    direction: '',
    to: '',
    shapes: [dimsOf(data, 'the data')],
    dtype: dtypeOf(data),
    axis: null,
    targetShape,
    axesMapping,
    notes: rule === 'explicit' && axesMapping === null ? [...found, unknown] : found,
  };
}

function elementwise(layer: Element, { op, fmod, direction }: LayerMeaning, found: readonly string[]): PastedLayer {
  const type = typeOf(layer);
  const rule = choose(elementwiseModes, attribute(layer, 'auto_broadcast'), 'auto_broadcast');
  const ports = portsOf(layer, 'input');
  const wanted = op === 'Where' ? 3 : op === 'Cast' ? 1 : 2;
  if (ports.length !== wanted)
    throw new Missing(
      `${type} takes ${wanted} input${wanted === 1 ? '' : 's'}; this layer has ${ports.length} <port> in its <input>.`,
    );
  const supposed = 'The IR has no place for the axis of PDPD; OpenVINO then takes 0.';
  return {
    rule,
    op,
    fmod,
    direction,
    to: op === 'Cast' ? (attribute(layer, 'destination_type') ?? '').replace('boolean', 'bool') : '',
    shapes: ports.map((port, i) => dimsOf(port, `input ${i}`)),
    dtype: dtypeOf(ports[op === 'Where' ? 1 : 0]),
    axis: rule === 'pdpd' ? 0 : null,
    targetShape: null,
    axesMapping: null,
    notes: rule === 'pdpd' ? [...found, supposed] : found,
  };
}
