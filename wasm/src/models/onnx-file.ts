// Reads what the audit needs of an ONNX file (onnx.proto of ONNX 1.23). Elements of tensors are not read, except for
// short lists of whole numbers: shapes are given as such.

import { ModelError } from './model-error.js';
import { readFields, type Field } from './protobuf.js';
import { extentFrom, namedExtent, unknownExtent, type ModelExtent, type ModelShape, type Value } from './shape.js';
import type { FileWindow } from './source.js';

export interface OnnxAttribute {
  readonly int: bigint | null;
  readonly text: string | null;
  readonly ints: readonly bigint[];
  readonly tensor: Value | null;
  readonly graphs: readonly OnnxGraph[];
  /** In functions: the attribute of the call that is meant. */
  readonly reference: string;
}

export interface OnnxNode {
  readonly name: string;
  readonly op: string;
  /** Empty for ONNX's own operators. */
  readonly domain: string;
  readonly overload: string;
  /** Names of values; empty where an optional one is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** What the file says of values: of inputs, outputs and others. */
  readonly declared: ReadonlyMap<string, ModelShape>;
  readonly initializers: ReadonlyMap<string, Value>;
}

export interface OnnxFunction extends OnnxGraph {
  readonly name: string;
  readonly domain: string;
  readonly overload: string;
  /** The version of each domain's operators. */
  readonly opsets: ReadonlyMap<string, number>;
  readonly defaults: ReadonlyMap<string, OnnxAttribute>;
}

export interface OnnxModel {
  readonly graph: OnnxGraph;
  readonly opsets: ReadonlyMap<string, number>;
  readonly functions: readonly OnnxFunction[];
}

/** The most nodes, names, extents and attributes of a file together. */
export const MOST_PARTS = 2_000_000;
/** The most levels of graphs in graphs. Protobuf's own limit, 100 messages in messages, is 33 of them. */
export const MOST_LEVELS = 33;
/** The most axes of a value. */
export const MOST_AXES = 256;
/** The most elements of a tensor that are read. */
const MOST_INTS = 256;

const INT32 = 6;
const INT64 = 7;

/** The domain of a name, in its short form. */
const shortDomain = (domain: string) => (domain === 'ai.onnx' ? '' : domain);

/** @throws ModelError */
export function readOnnx(file: FileWindow): OnnxModel {
  return new Reader(file).model();
}

class Reader {
  readonly #file: FileWindow;
  #parts = 0;

  constructor(file: FileWindow) {
    this.#file = file;
  }

  model(): OnnxModel {
    let version = 0n;
    let graph: OnnxGraph | null = null;
    const opsets = new Map<string, number>();
    const functions: OnnxFunction[] = [];
    readFields(this.#file, 0, this.#file.size, (field) => {
      if (field.number === 1) version = field.integer();
      else if (field.number === 7) graph = this.#graph(field, 1);
      else if (field.number === 8) this.#opset(field, opsets);
      else if (field.number === 25) functions.push(this.#function(field));
    });
    if (graph === null) throw new ModelError('format', 'The file holds no graph: it is no ONNX model, or truncated.');
    if (opsets.size === 0) {
      // Files of the first two versions have none: theirs is 1.
      if (version < 1n || version > 2n) {
        throw new ModelError(
          'format',
          'The file does not state which version of operators it uses: it may be truncated.',
        );
      }
      opsets.set('', 1);
    }
    return { graph, opsets, functions };
  }

  #opset(field: Field, opsets: Map<string, number>): void {
    this.#count();
    let domain = '';
    let version = 1;
    field.message((part) => {
      if (part.number === 1) domain = part.text();
      else if (part.number === 2) version = Number(part.integer());
    });
    opsets.set(shortDomain(domain), version);
  }

  #graph(field: Field, level: number): OnnxGraph {
    if (level > MOST_LEVELS) throw new ModelError('limit', `Graphs are nested more than ${MOST_LEVELS} levels deep.`);
    const graph = newGraph();
    field.message((part) => {
      if (part.number === 1) graph.nodes.push(this.#node(part, level));
      else if (part.number === 5) this.#initializer(part, graph);
      else if (part.number === 15) this.#sparse(part, graph);
      else if (part.number === 11) this.#declared(part, graph, graph.inputs);
      else if (part.number === 12) this.#declared(part, graph, graph.outputs);
      else if (part.number === 13) this.#declared(part, graph, []);
    });
    return graph;
  }

  #function(field: Field): OnnxFunction {
    const graph = newGraph();
    let [name, domain, overload] = ['', '', ''];
    const opsets = new Map<string, number>();
    const defaults = new Map<string, OnnxAttribute>();
    field.message((part) => {
      if (part.number === 1) name = this.#name(part);
      else if (part.number === 4) graph.inputs.push(this.#name(part));
      else if (part.number === 5) graph.outputs.push(this.#name(part));
      else if (part.number === 7) graph.nodes.push(this.#node(part, 1));
      else if (part.number === 9) this.#opset(part, opsets);
      else if (part.number === 10) domain = this.#name(part);
      else if (part.number === 11) this.#attribute(part, 1, defaults);
      else if (part.number === 12) this.#declared(part, graph, []);
      else if (part.number === 13) overload = this.#name(part);
    });
    return { ...graph, name, domain: shortDomain(domain), overload, opsets, defaults };
  }

  #node(field: Field, level: number): OnnxNode {
    this.#count();
    const inputs: string[] = [];
    const outputs: string[] = [];
    const attributes = new Map<string, OnnxAttribute>();
    let [name, op, domain, overload] = ['', '', '', ''];
    field.message((part) => {
      if (part.number === 1) inputs.push(this.#name(part));
      else if (part.number === 2) outputs.push(this.#name(part));
      else if (part.number === 3) name = part.text();
      else if (part.number === 4) op = part.text();
      else if (part.number === 5) this.#attribute(part, level, attributes);
      else if (part.number === 7) domain = part.text();
      else if (part.number === 8) overload = part.text();
    });
    return { name, op, domain: shortDomain(domain), overload, inputs, outputs, attributes };
  }

  #attribute(field: Field, level: number, attributes: Map<string, OnnxAttribute>): void {
    this.#count();
    let [name, reference] = ['', ''];
    let int: bigint | null = null;
    let text: string | null = null;
    let tensor: Value | null = null;
    const ints: bigint[] = [];
    const graphs: OnnxGraph[] = [];
    field.message((part) => {
      if (part.number === 1) name = part.text();
      else if (part.number === 3) int = part.integer();
      else if (part.number === 4 && part.length <= 256) text = part.text();
      else if (part.number === 5) tensor = this.#tensor(part).value;
      else if (part.number === 6 || part.number === 11) graphs.push(this.#graph(part, level + 1));
      else if (part.number === 8 && ints.length <= MOST_INTS) {
        this.#count();
        ints.push(...(part.integers(MOST_INTS) ?? Array<bigint>(MOST_INTS + 1).fill(0n)));
      } else if (part.number === 21) reference = part.text();
    });
    attributes.set(name, { int, text, tensor, ints: ints.length > MOST_INTS ? [] : ints, graphs, reference });
  }

  #initializer(field: Field, graph: Graph): void {
    const { name, value } = this.#tensor(field);
    graph.initializers.set(name, value);
  }

  #sparse(field: Field, graph: Graph): void {
    let name = '';
    const dims: bigint[] = [];
    field.message((part) => {
      if (part.number === 1) ({ name } = this.#tensor(part));
      else if (part.number === 3) this.#dims(part, dims);
    });
    graph.initializers.set(name, { shape: shapeOf(dims), ints: null });
  }

  #tensor(field: Field): { readonly name: string; readonly value: Value } {
    this.#count();
    let name = '';
    let type = 0;
    let isElsewhere = false;
    let raw: Field | null = null;
    const dims: bigint[] = [];
    const numbers: bigint[] = [];
    field.message((part) => {
      if (part.number === 1) this.#dims(part, dims);
      else if (part.number === 2) type = Number(part.integer());
      else if ((part.number === 5 || part.number === 7) && numbers.length <= MOST_INTS) {
        numbers.push(...(part.integers(MOST_INTS) ?? Array<bigint>(MOST_INTS + 1).fill(0n)));
      } else if (part.number === 8) name = this.#name(part);
      else if (part.number === 9) raw = part;
      else if (part.number === 14) isElsewhere = part.integer() === 1n;
    });
    const shape = shapeOf(dims);
    const isList = shape.length <= 1 && Number(shape[0] ?? 1) <= MOST_INTS;
    const isInteger = type === INT64 || type === INT32;
    if (!isList || !isInteger || isElsewhere) return { name, value: { shape, ints: null } };
    const count = Number(shape[0] ?? 1);
    const ints = raw === null ? numbers : rawInts(raw, type, count);
    return { name, value: { shape, ints: ints?.length === count ? ints.map(narrowInt) : null } };
  }

  #dims(part: Field, dims: bigint[]): void {
    const more = part.integers(MOST_AXES);
    if (more === null || dims.length + more.length > MOST_AXES) {
      throw new ModelError('limit', `A tensor has more than ${MOST_AXES} axes.`);
    }
    dims.push(...more);
    this.#count(more.length);
  }

  #declared(field: Field, graph: Graph, names: string[]): void {
    let name = '';
    let shape: ModelShape = null;
    field.message((part) => {
      if (part.number === 1) name = this.#name(part);
      else if (part.number === 2) shape = this.#type(part);
    });
    names.push(name);
    if (shape !== null || !graph.declared.has(name)) graph.declared.set(name, shape);
  }

  #type(field: Field): ModelShape {
    let shape: ModelShape = null;
    field.message((kind) => {
      if (kind.number !== 1 && kind.number !== 8) return; // a tensor, or a sparse one
      kind.message((part) => {
        if (part.number !== 2) return;
        const extents: ModelExtent[] = [];
        part.message((dim) => {
          if (dim.number !== 1) return;
          this.#count();
          if (extents.length === MOST_AXES) throw new ModelError('limit', `A value has more than ${MOST_AXES} axes.`);
          let extent: ModelExtent = unknownExtent();
          dim.message((value) => {
            if (value.number === 1) extent = extentFrom(value.integer());
            else if (value.number === 2) extent = namedExtent(value.text());
          });
          extents.push(extent);
        });
        shape = extents;
      });
    });
    return shape;
  }

  #name(field: Field): string {
    this.#count();
    return field.text();
  }

  #count(parts = 1): void {
    this.#parts += parts;
    if (this.#parts > MOST_PARTS) {
      throw new ModelError('limit', `The model has more than ${MOST_PARTS} nodes, names, attributes and extents.`);
    }
  }
}

interface Graph extends OnnxGraph {
  readonly nodes: OnnxNode[];
  readonly inputs: string[];
  readonly outputs: string[];
  readonly declared: Map<string, ModelShape>;
  readonly initializers: Map<string, Value>;
}

function newGraph(): Graph {
  return { nodes: [], inputs: [], outputs: [], declared: new Map(), initializers: new Map() };
}

function shapeOf(dims: readonly bigint[]): readonly ModelExtent[] {
  const negative = dims.find((dim) => dim < 0n);
  if (negative !== undefined) throw new ModelError('format', `A tensor has the extent ${negative}.`);
  return dims.map(extentFrom);
}

/** Elements as they are, the negative ones of a Reshape's target included. */
function narrowInt(value: bigint): ModelExtent {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function rawInts(raw: Field, type: number, count: number): bigint[] | null {
  const width = type === INT64 ? 8 : 4;
  if (raw.length !== count * width) return null;
  const bytes = raw.bytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: count }, (_, i) =>
    width === 8 ? view.getBigInt64(i * 8, true) : BigInt(view.getInt32(i * 4, true)),
  );
}
