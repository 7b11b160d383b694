// Shapes of results of operators that do not broadcast, as far as the audit follows them: those that keep their input's
// shape, and those that shapes are computed with.

import { KEEPING_OPERATORS } from './keeping.js';
import type { OnnxAttribute, OnnxNode } from './onnx-file.js';
import { isKnown, merge, UNKNOWN, unknownExtent, type ModelExtent, type ModelShape, type Value } from './shape.js';

/** Looks up an attribute of a node, in functions that of the call that it refers to. */
export type Attributes = (name: string) => OnnxAttribute | undefined;

/** The inputs of a node; undefined where an optional one is left out. */
export type Inputs = readonly (Value | undefined)[];

/** The results of a node that does not broadcast and has no graphs. */
export function resultsOf(node: OnnxNode, inputs: Inputs, attribute: Attributes): Value[] {
  const first = inputs[0] ?? UNKNOWN;
  if (KEEPING_OPERATORS.has(node.op)) {
    const keepsInts = node.op === 'Identity' || node.op === 'Cast';
    const result = { shape: first.shape, ints: keepsInts ? first.ints : null };
    // Dropout's mask is like its data; other further results are small.
    return node.op === 'Dropout' ? [result, { shape: first.shape, ints: null }] : [result];
  }
  if (/^(?:Reduce\w+|Arg(?:Max|Min))$/.test(node.op)) return [reduced(node.op, inputs, attribute)];
  const computed = Object.hasOwn(OPERATORS, node.op) ? OPERATORS[node.op]?.(inputs, attribute) : undefined;
  return [computed ?? UNKNOWN];
}

type Compute = (inputs: Inputs, attribute: Attributes) => Value | undefined;

const OPERATORS: { readonly [op: string]: Compute } = {
  Constant: (_, attribute) => {
    const tensor = attribute('value')?.tensor;
    if (tensor) return tensor;
    const int = attribute('value_int')?.int;
    if (int !== undefined && int !== null) return { shape: [], ints: [plain(int)] };
    const ints = attribute('value_ints')?.ints;
    if (ints !== undefined && ints.length > 0) return { shape: [ints.length], ints: ints.map(plain) };
    if (attribute('value_float') || attribute('value_string')) return { shape: [], ints: null };
    const sparse = attribute('sparse_value');
    return sparse ? undefined : { shape: null, ints: null };
  },
  ConstantOfShape: ([target], attribute) => {
    const ints = target?.ints;
    if (!ints) return filled(target);
    const shape = ints;
    const value = attribute('value');
    const fill = value === undefined ? 0 : value.tensor?.ints?.[0];
    const [length] = shape;
    const isShort = shape.length <= 1 && (length === undefined || (typeof length === 'number' && length <= 256));
    const isList = isShort && typeof fill === 'number' && fill !== 0;
    return { shape, ints: isList ? Array<ModelExtent>((length as number | undefined) ?? 1).fill(fill) : null };
  },
  Shape: ([data], attribute) => {
    if (!data?.shape) return { shape: [unknownExtent()], ints: null };
    const ints = data.shape.slice(slot(attribute('start')?.int), slot(attribute('end')?.int));
    return { shape: [ints.length], ints };
  },
  Conv: ([data, weights], attribute) =>
    windowed(data, weights?.shape?.[0] ?? unknownExtent(), attribute, weights?.shape?.slice(2)),
  MaxPool: ([data], attribute) => windowed(data, undefined, attribute),
  AveragePool: ([data], attribute) => windowed(data, undefined, attribute),
  // With C it broadcasts, and is asked about.
  Gemm: ([a, b], attribute) => {
    const rows = a?.shape?.[attribute('transA')?.int === 1n ? 1 : 0];
    const columns = b?.shape?.[attribute('transB')?.int === 1n ? 0 : 1];
    return { shape: [rows ?? unknownExtent(), columns ?? unknownExtent()], ints: null };
  },
  GlobalAveragePool: ([data]) => pooled(data),
  GlobalMaxPool: ([data]) => pooled(data),
  Size: () => ({ shape: [], ints: null }),
  Gather: ([data, indices], attribute) => {
    const axis = Number(attribute('axis')?.int ?? 0n);
    if (!data?.shape || !indices?.shape) return undefined;
    const rank = data.shape.length;
    const at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) return undefined;
    const shape = [...data.shape.slice(0, at), ...indices.shape, ...data.shape.slice(at + 1)];
    const { ints } = data;
    const picked = ints && rank === 1 ? indices.ints?.map((i) => ints.at(Number(i))) : undefined;
    return { shape, ints: picked && picked.every((each) => each !== undefined) ? picked : null };
  },
  Concat: (inputs, attribute) => {
    if (inputs.every((input) => input?.shape?.length === 1 && input.ints !== null)) {
      const ints = inputs.flatMap((input) => input?.ints ?? []);
      return ints.length > 256 ? { shape: [ints.length], ints: null } : { shape: [ints.length], ints };
    }
    return concatenated(inputs, attribute);
  },
  Slice: ([data, starts, ends, axes, steps], attribute) => {
    const given = (input: Value | undefined, name: string) =>
      input === undefined ? attribute(name)?.ints : input.ints;
    if (!data?.shape) return undefined;
    const { shape } = data;
    const from = given(starts, 'starts');
    const to = given(ends, 'ends');
    const along = axes === undefined && attribute('axes') === undefined ? from?.map((_, i) => i) : given(axes, 'axes');
    const by = steps === undefined ? along?.map(() => 1) : steps.ints;
    if (!along) return { shape: shape.map(() => unknownExtent()), ints: null };
    const result = [...shape];
    let { ints } = data;
    along.forEach((axis, i) => {
      const at = Number(axis) < 0 ? Number(axis) + shape.length : Number(axis);
      const [extent, begin, end, step] = [shape[at], from?.[i], to?.[i], by?.[i]];
      if (extent === undefined) return;
      const isWhole = begin === 0 && step === 1 && isNumber(end) && end >= MOST_SLICE;
      result[at] = isWhole ? extent : sliced(extent, begin, end, step);
      if (step !== 1 || !isNumber(begin) || !isNumber(end)) ints = null;
      else if (shape.length === 1) ints = ints?.slice(Number(begin), Number(end)) ?? null;
    });
    return { shape: result, ints };
  },
  Transpose: ([data], attribute) => {
    if (!data?.shape) return undefined;
    const { shape } = data;
    const permutation = attribute('perm')?.ints ?? [];
    if (permutation.length === 0) return { shape: [...shape].reverse(), ints: null };
    if (permutation.length !== shape.length) return undefined;
    const permuted = permutation.map((axis) => shape[Number(axis)]);
    return permuted.every((extent) => extent !== undefined) ? { shape: permuted, ints: null } : undefined;
  },
  Unsqueeze: ([data, axes], attribute) => {
    const inserted = axes?.ints ?? attribute('axes')?.ints;
    if (!data?.shape || !inserted?.every(isNumber)) return undefined;
    const rank = data.shape.length + inserted.length;
    const places = new Set(inserted.map((axis) => (Number(axis) < 0 ? Number(axis) + rank : Number(axis))));
    if (places.size !== inserted.length || [...places].some((axis) => axis < 0 || axis >= rank)) return undefined;
    const rest = [...data.shape];
    return {
      shape: Array.from({ length: rank }, (_, i) => (places.has(i) ? 1 : (rest.shift() as ModelExtent))),
      ints: data.ints,
    };
  },
  Squeeze: ([data, axes], attribute) => {
    if (!data?.shape) return undefined;
    const { shape, ints } = data;
    const given = axes === undefined ? attribute('axes')?.ints : axes.ints;
    if (axes !== undefined && !given) return undefined;
    if (!given?.length)
      return shape.every(isKnown) ? { shape: shape.filter((extent) => extent !== 1), ints } : undefined;
    const removed = new Set(given.map((axis) => (Number(axis) < 0 ? Number(axis) + shape.length : Number(axis))));
    return { shape: shape.filter((_, axis) => !removed.has(axis)), ints };
  },
  Reshape: ([data, target], attribute) => {
    const ints = target === undefined ? attribute('shape')?.ints.map(plain) : target.ints;
    if (!ints) return filled(target);
    const allowsZero = attribute('allowzero')?.int === 1n;
    const shape = ints.map((extent, axis): ModelExtent => {
      if (extent === 0 && !allowsZero) return data?.shape?.[axis] ?? unknownExtent();
      return isKnown(extent) && extent < 0 ? unknownExtent() : extent;
    });
    const inferred = ints.indexOf(-1);
    if (inferred >= 0 && data?.shape) shape[inferred] = remaining(data.shape, shape, inferred);
    return { shape, ints: shape.length <= 1 && data?.ints ? data.ints : null };
  },
  Flatten: ([data], attribute) => {
    if (!data?.shape) return { shape: [unknownExtent(), unknownExtent()], ints: null };
    const axis = Number(attribute('axis')?.int ?? 1n);
    const at = axis < 0 ? axis + data.shape.length : axis;
    return { shape: [product(data.shape.slice(0, at)), product(data.shape.slice(at))], ints: null };
  },
};

/** Ends at least this large stand for the end of the axis. */
const MOST_SLICE = 2 ** 31 - 1;

/** How many indexes of an axis a Slice keeps. */
function sliced(
  extent: ModelExtent,
  begin: ModelExtent | bigint | undefined,
  end: ModelExtent | bigint | undefined,
  step: ModelExtent | bigint | undefined,
): ModelExtent {
  if (typeof extent !== 'number' || !isNumber(begin) || !isNumber(end) || !isNumber(step) || Number(step) === 0) {
    return unknownExtent();
  }
  const by = Number(step);
  const least = by > 0 ? 0 : -1;
  const most = by > 0 ? extent : extent - 1;
  const place = (at: number | bigint) =>
    Math.min(Math.max(Number(at) < 0 ? Number(at) + extent : Number(at), least), most);
  return Math.max(0, Math.ceil((place(end) - place(begin)) / by));
}

/** Reductions: over all axes, those of an attribute or, in later versions, of an input. */
function reduced(op: string, [data, axes]: Inputs, attribute: Attributes): Value {
  if (!data?.shape) return UNKNOWN;
  const { shape } = data;
  const keeps = attribute('keepdims')?.int !== 0n;
  const isArg = op.startsWith('Arg');
  if (axes !== undefined && axes.ints === null) {
    return keeps ? { shape: shape.map(() => unknownExtent()), ints: null } : UNKNOWN;
  }
  const given = isArg ? [attribute('axis')?.int ?? 0n] : (axes?.ints ?? attribute('axes')?.ints ?? []);
  if (given.length === 0 && attribute('noop_with_empty_axes')?.int === 1n) return { shape, ints: null };
  const all = given.length === 0 ? shape.map((_, axis) => axis) : given.map(Number);
  const removed = new Set(all.map((axis) => (axis < 0 ? axis + shape.length : axis)));
  if (keeps) return { shape: shape.map((extent, axis) => (removed.has(axis) ? 1 : extent)), ints: null };
  return { shape: shape.filter((_, axis) => !removed.has(axis)), ints: null };
}

/** Convolutions and pools: batch, channels, and how many places the window has along each other axis. */
function windowed(
  data: Value | undefined,
  channels: ModelExtent | undefined,
  attribute: Attributes,
  weights: readonly ModelExtent[] = [],
): Value | undefined {
  if (!data?.shape || data.shape.length < 2) return undefined;
  const [batch, own, ...rest] = data.shape as readonly [ModelExtent, ModelExtent, ...ModelExtent[]];
  const numbers = (name: string) => (attribute(name)?.ints ?? []).map(Number);
  const [kernel, strides, pads, dilations] = ['kernel_shape', 'strides', 'pads', 'dilations'].map(numbers) as [
    number[],
    number[],
    number[],
    number[],
  ];
  const mode = attribute('auto_pad')?.text ?? 'NOTSET';
  const round = attribute('ceil_mode')?.int === 1n ? undefined : Math.floor;
  const places = rest.map((extent, axis): ModelExtent => {
    const size = kernel[axis] ?? weights[axis];
    const stride = strides[axis] ?? 1;
    const isKnown = typeof extent === 'number' && typeof size === 'number' && stride > 0 && round !== undefined;
    if (!isKnown) return unknownExtent();
    if (mode.startsWith('SAME')) return Math.ceil(extent / stride);
    const pad = mode === 'VALID' ? 0 : (pads[axis] ?? 0) + (pads[axis + rest.length] ?? 0);
    const span = (dilations[axis] ?? 1) * (size - 1) + 1;
    return Math.max(0, round((extent + pad - span) / stride) + 1);
  });
  return { shape: [batch, channels ?? own, ...places], ints: null };
}

function pooled(data: Value | undefined): Value | undefined {
  return data?.shape ? { shape: data.shape.map((extent, axis) => (axis < 2 ? extent : 1)), ints: null } : undefined;
}

/** A result of which only the rank is known: the number of entries of its target. */
function filled(target: Value | undefined): Value | undefined {
  const [rank] = target?.shape ?? [];
  if (typeof rank !== 'number' || rank > 256) return undefined;
  return { shape: Array.from({ length: rank }, unknownExtent), ints: null };
}

/** Along the axis the extents are added; along others they are the same. */
function concatenated(inputs: Inputs, attribute: Attributes): Value | undefined {
  const given = attribute('axis')?.int;
  const rank = inputs[0]?.shape?.length;
  if (given === undefined || given === null || rank === undefined) return undefined;
  const at = given < 0n ? Number(given) + rank : Number(given);
  let total: ModelExtent = 0;
  let shape: ModelShape = null;
  for (const input of inputs) {
    if (input?.shape?.length !== rank) return undefined;
    const extent: ModelExtent = input.shape[at] ?? unknownExtent();
    total = typeof total === 'number' && typeof extent === 'number' ? total + extent : unknownExtent();
    shape = shape === null ? input.shape : merge(shape, input.shape).shape;
  }
  return { shape: (shape as readonly ModelExtent[]).map((extent, axis) => (axis === at ? total : extent)), ints: null };
}

/** What -1 stands for in a Reshape: the elements that the other extents leave. */
function remaining(data: readonly ModelExtent[], target: readonly ModelExtent[], inferred: number): ModelExtent {
  // Equal unknown extents on both sides cancel.
  const left = [...data];
  const right: ModelExtent[] = [];
  target.forEach((extent, axis) => {
    if (axis === inferred) return;
    const at = isKnown(extent) ? -1 : left.indexOf(extent);
    if (at >= 0) left.splice(at, 1);
    else right.push(extent);
  });
  const names = left.filter((extent) => !isKnown(extent));
  const [all, some] = [product(left.filter(isKnown)), product(right)];
  if (typeof all !== 'number' || typeof some !== 'number' || some === 0 || all % some !== 0) return unknownExtent();
  if (names.length === 0) return all / some;
  return names.length === 1 && all === some ? (names[0] as string) : unknownExtent();
}

function product(extents: readonly ModelExtent[]): ModelExtent {
  const factors = extents.filter((extent) => extent !== 1);
  if (factors.length === 1) return factors[0] as ModelExtent;
  let result = 1;
  for (const extent of factors) {
    if (typeof extent !== 'number') return unknownExtent();
    result *= extent;
  }
  return Number.isSafeInteger(result) ? result : unknownExtent();
}

const plain = (value: bigint): ModelExtent => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint';
const slot = (value: bigint | null | undefined) => (value === null || value === undefined ? undefined : Number(value));
