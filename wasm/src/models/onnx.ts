// Finds the broadcasting nodes of an ONNX model, in the order in which they run.

import type { Broadloom } from '../api/broadloom.js';
import type { OpName, RuleName } from '../types/vocabulary.js';
import type { AuditedOperand, Findings, NodeQuestion } from './audited.js';
import { ModelError, quoted } from './model-error.js';
import {
  MOST_LEVELS,
  type OnnxAttribute,
  type OnnxFunction,
  type OnnxGraph,
  type OnnxModel,
  type OnnxNode,
} from './onnx-file.js';
import { order } from './order.js';
import { resultsOf, type Inputs } from './onnx-shapes.js';
import { merge, UNKNOWN, unknownExtent, type ModelExtent, type ModelShape, type Value } from './shape.js';

/** Before this version, operators on two operands have the attributes `broadcast` and `axis`. */
const BROADCASTS_SINCE = 7;
/** Before this version, Max, Min, Mean and Sum do not broadcast. */
const LISTS_BROADCAST_SINCE = 8;
/** The most nodes, those of functions counted at each call. */
const MOST_NODES = 1_000_000;

/** Operators of the vocabulary that are none of ONNX, or do not broadcast there. */
const NOT_ONNX: readonly OpName[] = ['Broadcast', 'Cast', 'SquaredDifference', 'NotEqual'];

/** What surrounds a graph: what its nodes may refer to. */
interface Surroundings {
  readonly path: readonly string[];
  readonly opsets: ReadonlyMap<string, number>;
  /** Values of the graphs around; none around a function. */
  readonly outer: Scope | null;
  /** In a function: the attributes of the call. */
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
  /** How many graphs and functions are around. */
  readonly level: number;
}

/** The values of a graph by their names. */
class Scope {
  readonly #values = new Map<string, Value>();
  readonly #outer: Scope | null;

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }

  get(name: string): Value {
    return this.#values.get(name) ?? this.#outer?.get(name) ?? UNKNOWN;
  }
}

/** @throws ModelError */
export function auditOnnx(bl: Broadloom, model: OnnxModel, findings: Findings): void {
  new Walk(bl, model, findings).run();
}

class Walk {
  readonly #bl: Broadloom;
  readonly #model: OnnxModel;
  readonly #findings: Findings;
  readonly #functions = new Map<string, OnnxFunction>();
  /** The functions that are being called. */
  readonly #calls = new Set<OnnxFunction>();
  /** The results of calls, by function and operands. */
  readonly #called = new Map<string, readonly Value[]>();
  readonly #used = new Set<OnnxFunction>();
  #nodes = 0;

  constructor(bl: Broadloom, model: OnnxModel, findings: Findings) {
    this.#bl = bl;
    this.#model = model;
    this.#findings = findings;
    for (const each of model.functions) this.#functions.set(functionKey(each.domain, each.name, each.overload), each);
  }

  run(): void {
    const { graph, opsets, functions } = this.#model;
    this.#graph(graph, { path: [], opsets, outer: null, attributes: new Map(), level: 1 }, []);
    // Functions that are not called.
    for (const each of functions) if (!this.#used.has(each)) this.#call(each, [], each.defaults, [], 1);
  }

  /** Goes through a graph. `inputs` are the values of its inputs, where they are known. */
  #graph(graph: OnnxGraph, around: Surroundings, inputs: Inputs): Value[] {
    const scope = new Scope(around.outer);
    graph.inputs.forEach((name, i) => {
      const shape = merge(inputs[i]?.shape ?? null, graph.declared.get(name) ?? null).shape;
      scope.set(name, { shape, ints: inputs[i]?.ints ?? null });
    });
    for (const [name, value] of graph.initializers) scope.set(name, value);
    for (const node of inOrder(graph)) this.#node(node, graph, scope, around);
    return graph.outputs.map((name) => scope.get(name));
  }

  #node(node: OnnxNode, graph: OnnxGraph, scope: Scope, around: Surroundings): void {
    if (++this.#nodes > MOST_NODES) {
      throw new ModelError(
        'limit',
        `The model has more than ${MOST_NODES} nodes, those of functions counted at each call.`,
      );
    }
    const attribute = (name: string) => {
      const found = node.attributes.get(name);
      return found !== undefined && found.reference !== '' ? around.attributes.get(found.reference) : found;
    };
    const inputs = node.inputs.map((name) => (name === '' ? undefined : scope.get(name)));
    const declaredAt = (i: number) => graph.declared.get(node.outputs[i] ?? '') ?? null;
    const settle = (computed: ModelShape) => merge(computed, declaredAt(0));

    const isOwn = node.domain === '';
    const questions = isOwn ? this.#questions(node, inputs, attribute, around) : [];
    const shapes = questions.map((question) => this.#findings.add(question, settle));
    const [shape] = shapes;
    const results: readonly Value[] =
      shape !== undefined
        ? [{ shape, ints: computedInts(node.op, inputs) }]
        : this.#results(node, inputs, attribute, scope, around);
    node.outputs.forEach((name, i) => {
      if (name === '') return;
      const { shape, ints } = results[i] ?? UNKNOWN;
      scope.set(name, { shape: merge(shape, declaredAt(i)).shape, ints });
    });
  }

  #results(
    node: OnnxNode,
    inputs: Inputs,
    attribute: (name: string) => OnnxAttribute | undefined,
    scope: Scope,
    around: Surroundings,
  ): readonly Value[] {
    const named = this.#functions.get(functionKey(node.domain, node.op, node.overload));
    if (named !== undefined) {
      const attributes = new Map(named.defaults);
      for (const name of node.attributes.keys()) {
        const given = attribute(name);
        if (given !== undefined) attributes.set(name, given);
      }
      return this.#call(named, inputs, attributes, [...around.path, titleOf(node)], around.level + 1);
    }
    // The results of an If are those of its branches, where these agree.
    let branches: Value[] | null = null;
    for (const [name, { graphs }] of node.attributes) {
      for (const graph of graphs) {
        const path = [...around.path, `${titleOf(node)}.${name}`];
        const outputs = this.#graph(
          graph,
          { ...around, path, outer: scope, level: around.level + 1 },
          loopInputs(node),
        );
        branches = branches === null ? outputs : branches.map((each, i) => common(each, outputs[i] ?? UNKNOWN));
      }
    }
    if (node.domain !== '') return [];
    if (branches !== null) return node.op === 'If' ? branches : [];
    if (node.op === 'MatMul') return [{ shape: this.#product(inputs), ints: null }];
    return resultsOf(node, inputs, attribute);
  }

  /** The shape of a product of matrices, or of stacks of them, which broadcast. */
  #product([a, b]: Inputs): ModelShape {
    if (!a?.shape?.length || !b?.shape?.length) return null;
    const rows = a.shape.length > 1 ? a.shape.slice(-2, -1) : [];
    const columns = b.shape.length > 1 ? b.shape.slice(-1) : [];
    const stacks = this.#findings.infer('onnx_multidirectional', [a.shape.slice(0, -2), b.shape.slice(0, -2)]);
    return stacks === null ? null : [...stacks, ...rows, ...columns];
  }

  #call(
    called: OnnxFunction,
    inputs: Inputs,
    attributes: ReadonlyMap<string, OnnxAttribute>,
    around: readonly string[],
    level: number,
  ): readonly Value[] {
    if (this.#calls.has(called)) throw new ModelError('cycle', `The function ${quoted(called.name)} calls itself.`);
    if (level > MOST_LEVELS)
      throw new ModelError('limit', `Functions call each other more than ${MOST_LEVELS} levels deep.`);
    this.#used.add(called);
    // Equal calls have equal results: a function that is called twice by each of thirty others is gone through once.
    const key = keyOf(called, inputs, attributes);
    const known = key === null ? undefined : this.#called.get(key);
    if (known !== undefined) return known.map(({ shape, ints }) => ({ shape: renewed(shape), ints }));
    this.#calls.add(called);
    const path = around.length > 0 ? around : [called.name];
    const results = this.#graph(called, { path, opsets: called.opsets, outer: null, attributes, level }, inputs);
    this.#calls.delete(called);
    if (key !== null) this.#called.set(key, results);
    return results;
  }

  /** The questions that a broadcasting node asks; none of other nodes. */
  #questions(
    node: OnnxNode,
    inputs: Inputs,
    attribute: (name: string) => OnnxAttribute | undefined,
    { path, opsets }: Surroundings,
  ): NodeQuestion[] {
    const version = opsets.get('') ?? 1;
    const { op } = node;
    const name = node.name === '' ? (node.outputs[0] ?? '') : node.name;
    const operands = node.inputs.map((input, i) => ({ name: input, shape: inputs[i]?.shape ?? null }));
    const rest = { name, path, op };
    const isOld = version < BROADCASTS_SINCE;
    // Until version 6, `broadcast` lines B up with consecutive axes of A, as PDPD does, and without it shapes have to be equal.
    const old = (first: RuleName): Pick<NodeQuestion, 'rule' | 'axis'> => {
      if (attribute('broadcast')?.int !== 1n) return { rule: 'none' };
      return first === 'pdpd'
        ? { rule: 'pdpd', axis: Number(BigInt.asIntN(32, attribute('axis')?.int ?? -1n)) }
        : { rule: first };
    };

    if (op === 'Expand') {
      const [data, target] = operands;
      if (!isGiven(data) || !isGiven(target)) return [];
      const ints = inputs[1]?.ints ?? null;
      const rank = inputs[1]?.shape?.[0];
      const targetShape =
        ints ?? (typeof rank === 'number' && rank <= 256 ? Array.from({ length: rank }, unknownExtent) : null);
      return [{ ...rest, rule: 'bidirectional', operands: [data], targetShape }];
    }
    if (op === 'Gemm') {
      const [a, b, c] = operands;
      if (!isGiven(a) || !isGiven(b) || !isGiven(c)) return [];
      const shape = [
        extentOf(a.shape, attribute('transA')?.int === 1n ? 1 : 0),
        extentOf(b.shape, attribute('transB')?.int === 1n ? 0 : 1),
      ];
      const rule = isOld ? old('onnx_unidirectional') : ({ rule: 'onnx_unidirectional' } as const);
      return [{ ...rest, ...rule, operands: [{ name: `${a.name} x ${b.name}`, shape }, c] }];
    }
    if (op === 'LayerNormalization' || op === 'RMSNormalization') {
      // Scale and bias stretch to the data.
      const [data, ...others] = operands;
      const given = others.filter(isGiven);
      if (!isGiven(data)) return [];
      return given.map((operand) => ({ ...rest, rule: 'onnx_unidirectional', operands: [data, operand] }));
    }
    if (!operands.every(isGiven)) return [];
    if (op === 'StringConcat' && operands.length === 2) return [{ ...rest, rule: 'onnx_multidirectional', operands }];
    const row = Object.hasOwn(this.#bl.vocabulary.ops, op) ? this.#bl.vocabulary.ops[op as OpName] : undefined;
    if (row === undefined || NOT_ONNX.includes(row.name)) return [];
    if (operands.length < row.leastOperands || operands.length > (row.mostOperands ?? Infinity)) return [];
    if (row.mostOperands === null) {
      return [{ ...rest, rule: version < LISTS_BROADCAST_SINCE ? 'none' : row.defaultRule, operands }];
    }
    if (!isOld) return [{ ...rest, rule: row.defaultRule, operands }];
    // The slope of the old PRelu is one number, or one for each channel.
    if (op === 'PRelu') return [{ ...rest, rule: 'pdpd', axis: 1, operands }];
    return [{ ...rest, ...old('pdpd'), operands }];
  }
}

/** Whether a node has an input: one that is left out has an empty name. */
const isGiven = (operand: AuditedOperand | undefined): operand is AuditedOperand =>
  operand !== undefined && operand.name !== '';

/** The nodes, each after those whose results it takes. Most files have them in this order. */
function inOrder(graph: OnnxGraph): readonly OnnxNode[] {
  const producers = new Map<string, number>();
  graph.nodes.forEach(({ outputs }, i) => outputs.forEach((name) => name !== '' && producers.set(name, i)));
  const found = order(graph.nodes.length, (i) =>
    (graph.nodes[i] as OnnxNode).inputs.map((name) => producers.get(name)),
  );
  if ('stuck' in found) {
    const stuck = titleOf(graph.nodes[found.stuck] as OnnxNode);
    throw new ModelError('cycle', `The node ${quoted(stuck)} needs its own result: the graph has a cycle.`);
  }
  return found.sorted.map((i) => graph.nodes[i] as OnnxNode);
}

/** The first two inputs of a Loop's graph are the iteration and the condition. Others may change from turn to turn. */
function loopInputs({ op }: OnnxNode): Value[] {
  const scalar = { shape: [], ints: null };
  return op === 'Loop' ? [scalar, scalar] : [];
}

/** Lists of whole numbers are followed through the few operators that targets of Expand are computed with. */
function computedInts(op: string, inputs: Inputs): readonly ModelExtent[] | null {
  const [a, b, c] = inputs.map((input) => input?.ints);
  if (op === 'Equal' && a && b) {
    const known = zip(a, b, (x, y) =>
      typeof x === 'string' || typeof y === 'string' ? unlessSame(x, y) : Number(x === y),
    );
    return known;
  }
  if (op === 'Where' && a && b && c) {
    const length = Math.max(a.length, b.length, c.length);
    const at = (list: readonly ModelExtent[], i: number) => (list.length === 1 ? list[0] : list[i]);
    const picked = Array.from({ length }, (_, i) =>
      at(a, i) === 1 ? at(b, i) : at(a, i) === 0 ? at(c, i) : undefined,
    );
    return picked.every((each) => each !== undefined) ? picked : null;
  }
  const compute = arithmetic[op];
  return compute && a && b ? zip(a, b, (x, y) => compute(x, y)) : null;
}

/** A named extent of a shape is never the -1 that it is compared with. */
function unlessSame(x: ModelExtent, y: ModelExtent): ModelExtent | undefined {
  if (x === y) return 1;
  return (typeof x === 'number' && x < 0) || (typeof y === 'number' && y < 0) ? 0 : undefined;
}

const ofNumbers = (compute: (x: number, y: number) => number) => (x: ModelExtent, y: ModelExtent) => {
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  const result = compute(x, y);
  return Number.isSafeInteger(result) ? result : undefined;
};
const arithmetic: { readonly [op: string]: ((x: ModelExtent, y: ModelExtent) => ModelExtent | undefined) | undefined } =
  {
    Add: ofNumbers((x, y) => x + y),
    Sub: ofNumbers((x, y) => x - y),
    Mul: (x, y) => (y === 1 ? x : x === 1 ? y : ofNumbers((p, q) => p * q)(x, y)),
    Div: (x, y) => (y === 1 ? x : ofNumbers((p, q) => Math.trunc(p / q))(x, y)),
  };

function zip(
  a: readonly ModelExtent[],
  b: readonly ModelExtent[],
  compute: (x: ModelExtent, y: ModelExtent) => ModelExtent | undefined,
): readonly ModelExtent[] | null {
  if (a.length !== b.length && a.length !== 1 && b.length !== 1) return null;
  const length = a.length === 0 || b.length === 0 ? 0 : Math.max(a.length, b.length);
  const at = (list: readonly ModelExtent[], i: number) => (list.length === 1 ? list[0] : list[i]) as ModelExtent;
  const results = Array.from({ length }, (_, i) => compute(at(a, i), at(b, i)));
  return results.every((each) => each !== undefined) ? results : null;
}

/** What holds for both values. */
function common(a: Value, b: Value): Value {
  if (a.shape === null || b.shape === null || a.shape.length !== b.shape.length) return UNKNOWN;
  const shape = a.shape.map((extent, axis) => (extent === b.shape?.[axis] ? extent : unknownExtent()));
  return { shape, ints: null };
}

const extentOf = (shape: ModelShape, axis: number): ModelExtent => shape?.[axis] ?? unknownExtent();
const titleOf = ({ name, op, outputs }: OnnxNode) => (name !== '' ? name : `${op}:${outputs[0] ?? ''}`);
const functionKey = (domain: string, name: string, overload: string) => JSON.stringify([domain, name, overload]);

/** Equal for calls that have equal results; null if an attribute has no place in the key. */
function keyOf(
  { domain, name, overload }: OnnxFunction,
  inputs: Inputs,
  attributes: ReadonlyMap<string, OnnxAttribute>,
): string | null {
  if ([...attributes.values()].some(({ graphs }) => graphs.length > 0)) return null;
  const numbers = new Map<string, string>();
  const extent = (each: ModelExtent) => {
    if (typeof each !== 'string' || !each.startsWith('?')) return String(each);
    if (!numbers.has(each)) numbers.set(each, `?${numbers.size}`);
    return numbers.get(each);
  };
  const values = inputs.map((input) => [input?.shape?.map(extent) ?? null, input?.ints?.map(extent) ?? null]);
  const given = [...attributes].map(([key, { int, text, ints, tensor }]) => [
    key,
    String(int),
    text,
    ints.map(String),
    tensor && [tensor.shape?.map(String), tensor.ints?.map(String)],
  ]);
  return JSON.stringify([domain, name, overload, values, given]);
}

/** A shape whose unnamed extents are other ones than before. */
function renewed(shape: ModelShape): ModelShape {
  return shape?.map((each) => (typeof each === 'string' && each.startsWith('?') ? unknownExtent() : each)) ?? null;
}
