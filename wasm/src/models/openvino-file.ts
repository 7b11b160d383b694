// Reads what the audit needs of an OpenVINO IR, version 10 or 11: an XML file. The parser reads it piece by piece, and
// knows no entities but XML's own five.

import { SaxesParser } from 'saxes';
import { MOST_AXES, MOST_PARTS } from './onnx-file.js';
import { ModelError, quoted } from './model-error.js';
import { extentFrom, type ModelExtent } from './shape.js';
import type { FileWindow } from './source.js';

export interface IrPort {
  readonly id: string;
  /** The attribute; empty where there is none. */
  readonly precision: string;
  readonly dims: ModelExtent[];
  /** Those in the port, and the one right before it. */
  readonly comments: string[];
}

export interface IrLayer {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly version: string;
  /** The attributes of its element `data`. */
  data: Readonly<Record<string, string>>;
  readonly inputs: IrPort[];
  readonly outputs: IrPort[];
  /** The networks in a layer such as If, by the names of their elements. */
  readonly bodies: { readonly name: string; readonly net: IrNet }[];
}

export interface IrEdge {
  readonly fromLayer: string;
  readonly fromPort: string;
  readonly toLayer: string;
  readonly toPort: string;
}

export interface IrNet {
  readonly layers: IrLayer[];
  readonly edges: IrEdge[];
}

/** The most bytes: the files of models with thousands of layers have some millions. */
export const MOST_BYTES = 64 * 2 ** 20;
/** The most levels of elements: a body within a layer takes three. */
const MOST_ELEMENTS_DEEP = 100;
const PIECE = 64 * 1024;

/** @throws ModelError */
export function readIr(file: FileWindow): IrNet {
  if (file.size > MOST_BYTES) {
    throw new ModelError('limit', `The XML has ${file.size} bytes. At most ${MOST_BYTES} are read.`);
  }
  const builder = new Builder();
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => {
    const isEnd = /unexpected end|unclosed/.test(message);
    throw new ModelError(isEnd ? 'truncated' : 'format', `The XML is malformed: ${message.slice(0, 200)}`);
  });
  parser.on('doctype', () => {
    throw new ModelError('format', 'The XML has a DOCTYPE, which no IR has.');
  });
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes));
  parser.on('closetag', ({ name }) => builder.close(name));
  parser.on('text', (text) => builder.text(text));
  parser.on('comment', (text) => builder.comment(text));

  const decoder = new TextDecoder();
  for (let at = 0; at < file.size; at += PIECE) {
    parser.write(decoder.decode(file.slice(at, Math.min(at + PIECE, file.size)), { stream: true }));
  }
  parser.close();
  return builder.net;
}

/** Makes a network of the parser's events. */
class Builder {
  net: IrNet = { layers: [], edges: [] };
  /** The networks around the current element, outermost first, and the depth of their elements. */
  readonly #nets: { readonly net: IrNet; readonly depth: number }[] = [];
  #depth = 0;
  #parts = 0;
  readonly #layers: IrLayer[] = [];
  #ports: IrPort[] | null = null;
  #port: IrPort | undefined;
  #comment: string | null = null;
  #dim: string | null = null;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#depth > MOST_ELEMENTS_DEEP) {
      throw new ModelError('limit', `Elements of the XML are nested more than ${MOST_ELEMENTS_DEEP} levels deep.`);
    }
    if (++this.#parts > MOST_PARTS) throw new ModelError('limit', `The XML has more than ${MOST_PARTS} elements.`);
    const layer = this.#layers.at(-1);
    const comment = this.#comment;
    this.#comment = null;
    const { id = '', type = '', version = '' } = attributes;
    if (this.#depth === 1) {
      if (name !== 'net') throw new ModelError('format', `The XML begins with ${name}: it is no network of OpenVINO.`);
      this.net = this.#begin();
    } else if (/^(?:\w+_)?body$/.test(name) && layer !== undefined) {
      layer.bodies.push({ name, net: this.#begin() });
    } else if (name === 'layer') {
      const made = { id, name: attributes['name'] ?? '', type, version, data: {}, inputs: [], outputs: [], bodies: [] };
      this.#net?.layers.push(made);
      this.#layers.push(made);
    } else if (name === 'edge' && attributes['to-layer'] !== undefined) {
      this.#net?.edges.push({
        fromLayer: attributes['from-layer'] ?? '',
        fromPort: attributes['from-port'] ?? '',
        toLayer: attributes['to-layer'],
        toPort: attributes['to-port'] ?? '',
      });
    } else if (name === 'data' && layer !== undefined) {
      layer.data = { ...attributes };
    } else if (name === 'input' || name === 'output') {
      this.#ports = (name === 'input' ? layer?.inputs : layer?.outputs) ?? null;
    } else if (name === 'port') {
      const { precision = '' } = attributes;
      this.#port = { id, precision, dims: [], comments: comment === null ? [] : [comment] };
      this.#ports?.push(this.#port);
    } else if (name === 'dim') {
      this.#dim = '';
    }
  }

  text(text: string): void {
    if (this.#dim !== null && this.#dim.length < 64) this.#dim += text.slice(0, 64);
  }

  comment(text: string): void {
    if (this.#port === undefined) this.#comment = text;
    else this.#port.comments.push(text);
  }

  close(name: string): void {
    this.#comment = null;
    if (this.#nets.at(-1)?.depth === this.#depth) this.#nets.pop();
    else if (name === 'layer') this.#layers.pop();
    else if (name === 'input' || name === 'output') this.#ports = null;
    else if (name === 'port') this.#port = undefined;
    else if (name === 'dim') this.#addDim();
    this.#depth -= 1;
  }

  #addDim(): void {
    const text = this.#dim?.trim() ?? '';
    this.#dim = null;
    const port = this.#ports?.at(-1);
    if (port === undefined) return;
    if (!/^(?:-?\d{1,19}|\?)$/.test(text)) {
      throw new ModelError('format', `A <dim> is ${quoted(text)}, which is no extent.`);
    }
    if (port.dims.length === MOST_AXES) throw new ModelError('limit', `A port has more than ${MOST_AXES} axes.`);
    port.dims.push(extentFrom(text === '?' ? -1n : BigInt(text)));
  }

  get #net(): IrNet | undefined {
    return this.#nets.at(-1)?.net;
  }

  #begin(): IrNet {
    const net: IrNet = { layers: [], edges: [] };
    this.#nets.push({ net, depth: this.#depth });
    return net;
  }
}
