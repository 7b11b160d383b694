// A layer of OpenVINO's IR, pasted, as a question. What constants hold is not in the XML: target_shape is read off the
// output, axes_mapping off a comment where there is one, as OpenVINO's document and this page's own text have it.

/** What a layer says; its operands in their order. */
export interface PastedLayer {
  readonly rule: 'none' | 'numpy' | 'pdpd' | 'bidirectional' | 'broadcast_numpy' | 'explicit';
  /** An operator of the core's vocabulary. */
  readonly op: string;
  readonly fmod: '' | '1';
  readonly direction: '' | 'left' | 'right';
  /** Convert's destination_type. */
  readonly to: string;
  readonly shapes: readonly (readonly number[])[];
  /** The element type, where a port tells its precision. */
  readonly dtype: string | null;
  /** `pdpd`: 0, which OpenVINO reads, since the IR has no place for it. */
  readonly axis: number | null;
  readonly targetShape: readonly number[] | null;
  /** Null under `explicit`, too, where no comment tells it: it is to be given by hand. */
  readonly axesMapping: readonly number[] | null;
  /** What had to be supposed or left open, in sentences. */
  readonly notes: readonly string[];
}

export type Pasted =
  { readonly ok: true; readonly layer: PastedLayer } | { readonly ok: false; readonly message: string };

/** Thrown while reading: what is missing, in a sentence. */
class Missing extends Error {}

const broadcastModes = { numpy: 'broadcast_numpy', bidirectional: 'bidirectional', explicit: 'explicit' } as const;
const elementwiseModes = { none: 'none', numpy: 'numpy', pdpd: 'pdpd' } as const;

interface Operation {
  readonly op: string;
  readonly fmod?: '1';
  readonly direction?: 'left' | 'right';
}

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries<Operation>({
    Add: { op: 'Add' },
    Subtract: { op: 'Sub' },
    Multiply: { op: 'Mul' },
    Divide: { op: 'Div' },
    FloorMod: { op: 'Mod' },
    Mod: { op: 'Mod', fmod: '1' },
    Power: { op: 'Pow' },
    SquaredDifference: { op: 'SquaredDifference' },
    Maximum: { op: 'Max' },
    Minimum: { op: 'Min' },
    Equal: { op: 'Equal' },
    NotEqual: { op: 'NotEqual' },
    Less: { op: 'Less' },
    LessEqual: { op: 'LessOrEqual' },
    Greater: { op: 'Greater' },
    GreaterEqual: { op: 'GreaterOrEqual' },
    LogicalAnd: { op: 'And' },
    LogicalOr: { op: 'Or' },
    LogicalXor: { op: 'Xor' },
    BitwiseAnd: { op: 'BitwiseAnd' },
    BitwiseOr: { op: 'BitwiseOr' },
    BitwiseXor: { op: 'BitwiseXor' },
    BitwiseLeftShift: { op: 'BitShift', direction: 'left' },
    BitwiseRightShift: { op: 'BitShift', direction: 'right' },
    Select: { op: 'Where' },
    Convert: { op: 'Cast' },
  }),
);

/** Precisions that are not the core's name for the type in capitals. */
const precisions: ReadonlyMap<string, string> = new Map([
  ['BOOL', 'bool'],
  ['BIN', 'u1'],
  ['FP16', 'f16'],
  ['FP32', 'f32'],
  ['FP64', 'f64'],
]);

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
  const known = all.filter((layer) => typeOf(layer) === 'Broadcast' || operations.has(typeOf(layer)));
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
  return typeOf(layer) === 'Broadcast' ? broadcast(layer, notes) : elementwise(layer, notes);
}

const typeOf = (layer: Element): string => layer.getAttribute('type') ?? '';

/** Somebody's word in a sentence, not longer than it has to be. */
const shown = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word);

// --- The XML -----------------------------------------------------------------

interface Policy {
  createHTML(text: string): string;
}
interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}
let policy: Policy | undefined;

/** Nothing of the document is shown or run: it is read, and forgotten. */
function trusted(text: string): string {
  const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
  policy ??= policies?.createPolicy('broadloom-layer', { createHTML: (xml) => xml }) ?? { createHTML: (xml) => xml };
  return policy.createHTML(text);
}

const piece =
  /<!--(?:(?!--)[^])*-->|<\?[^]*?\?>|<!\[CDATA\[[^]*?\]\]>|<(?<end>\/?)(?<name>[a-z_][\w:.-]*)(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?<empty>\/?)>|&(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);|[^<&]+/iy;

/** Whether every tag is whole and closed: browsers draw what is not as a page with styles, which a strict policy reports. */
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

/** Dots among the attributes of a tag, which ends before the next one begins. */
const dots = /(<layer\b[^<>]*?)\s\.\.\.(?=[\s/>])/g;

function parse(text: string): Document {
  // A part of a model, with the dots that documents leave in.
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
function told(port: Element | undefined): readonly number[] | null {
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

function dtypeOf(port: Element | undefined): string | null {
  const precision = port?.getAttribute('precision');
  if (!precision) return null;
  return (
    precisions.get(precision) ?? (/^(BF16|[IU]\d+|F8E4M3|F8E5M2)$/.test(precision) ? precision.toLowerCase() : null)
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
  const targetShape = told(target) ?? (output && dimsOf(output, 'the output'));
  if (!targetShape)
    throw new Missing('The layer has no <output> with a <port>: the shape to broadcast to is read off it.');
  const axesMapping = rule === 'explicit' ? told(mapping) : null;
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

function elementwise(layer: Element, found: readonly string[]): PastedLayer {
  const type = typeOf(layer);
  const operation = operations.get(type) as Operation;
  const rule = choose(elementwiseModes, attribute(layer, 'auto_broadcast'), 'auto_broadcast');
  const ports = portsOf(layer, 'input');
  const wanted = type === 'Select' ? 3 : type === 'Convert' ? 1 : 2;
  if (ports.length !== wanted)
    throw new Missing(
      `${type} takes ${wanted} input${wanted === 1 ? '' : 's'}; this layer has ${ports.length} <port> in its <input>.`,
    );
  const supposed = 'The IR has no place for the axis of PDPD; OpenVINO then takes 0.';
  return {
    rule,
    op: operation.op,
    fmod: operation.fmod ?? '',
    direction: operation.direction ?? '',
    to: type === 'Convert' ? (attribute(layer, 'destination_type') ?? '').replace('boolean', 'bool') : '',
    shapes: ports.map((port, i) => dimsOf(port, `input ${i}`)),
    dtype: dtypeOf(ports[type === 'Select' ? 1 : 0]),
    axis: rule === 'pdpd' ? 0 : null,
    targetShape: null,
    axesMapping: null,
    notes: rule === 'pdpd' ? [...found, supposed] : found,
  };
}
