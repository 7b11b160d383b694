// The questions for which code is generated: every rule, with shapes of the documents and others, and every operator
// with every element type. Expected answers are the package's, on the same values.
import { readFileSync } from 'node:fs';
import { load } from 'broadloom';
import { encodeFloat, isSmallFloat } from 'broadloom/floats';
import { inRoot } from '../../scripts/paths.mjs';
import { mostUlps } from '../reference/accuracy.mjs';

const bl = await load();

export const { vocabulary } = bl;
const { ops, dtypes, rules } = vocabulary;
const targetRules = ['bidirectional', 'broadcast_numpy', 'explicit'];

// --- Values -----------------------------------------------------------------------------------------------------------

const counting = (i, dtype) =>
  dtype === 'bool' ? { first: 0, step: 2 ** i } : { first: i === 0 ? 0 : 10 ** i, step: 10 ** i };

// Small numbers, negative and fractional where the type allows, that are valid divisors and exponents.
function small(dtype, operand, elements) {
  const { kind, name } = dtypes[dtype];
  const first = [5, -7, 3, 0, -2, 6, 1, -4];
  const second = [2, 3, 1, 5, 4];
  const list = operand === 0 ? first : second;
  const at = (i) => list[i % list.length];
  const parts = name.startsWith('c') ? 2 : 1;
  return Array.from({ length: elements * parts }, (_, i) => {
    if (kind === 'boolean') return at(i) % 2 === 0;
    const value = kind === 'unsigned' || name === 'u4' ? Math.abs(at(i)) : at(i);
    if (kind === 'signed' || kind === 'unsigned') return dtypes[dtype].bits === 64 ? BigInt(value) : value;
    return kind === 'float' && operand === 0 ? value + 0.5 : value;
  });
}

// --- Questions --------------------------------------------------------------------------------------------------------

// A question in the form that the writers take, from shapes, types and values (for each operand "counting", a list, or
// one value).
function ask({ rule, options = {}, op, attributes = {}, shapes, types, values }) {
  const operands = shapes.map((shape, i) => {
    const elements = bl.countElements(shape);
    const own = values?.[i] ?? 'counting';
    return {
      name: bl.formatOperand(i),
      shape,
      elements,
      dtype: types[i],
      values: own === 'counting' ? counting(i, types[i]) : own,
    };
  });
  const alignment = bl.align(rule, shapes, options);
  if (alignment.error) return null;
  return {
    id: `${op} ${rule} ${JSON.stringify(options)} ${shapes.map((s, i) => `${types[i]}(${s})`).join(' ')}${attributes.fmod ? ' fmod' : ''}${attributes.direction ? ` ${attributes.direction}` : ''}${attributes.to ? ` to ${attributes.to}` : ''}${values ? (values[0].all ? ' constant' : ' listed') : ''}`,
    rule,
    returnsEach: rules[rule].returnsEach,
    options,
    op: ops[op],
    attributes: { fmod: '', direction: '', to: '', saturate: '', ...attributes },
    operands,
    alignment: { axes: alignment.axes, output: alignment.shape },
  };
}

// The types of all operands if the leading one is of `dtype`.
const typesOf = (op, dtype, count) =>
  Array.from({ length: count }, (_, i) => (op === 'Where' && i === 0 ? 'bool' : dtype));

function* attributesOf(op, dtype) {
  if (op === 'BitShift') yield* [{ direction: 'left' }, { direction: 'right' }];
  else if (op === 'Mod') yield* dtypes[dtype].kind === 'float' ? [{ fmod: '1' }] : [{}, { fmod: '1' }];
  else if (op === 'Cast') for (const to of ops.Cast.types[0]) yield { to };
  else yield {};
}

const acceptedBy = ({ name, types, fmodTypes }) => {
  const at = name === 'Where' ? 1 : 0;
  return [...new Set([...types[at], ...(fmodTypes?.[at] ?? [])])];
};

// Every example of the documents that fits, as in the page's menu.
function* documents() {
  const shapeOf = (text) => bl.parseShape(text).values;
  const { documents } = JSON.parse(readFileSync(inRoot('web/src/gallery/presets.json'), 'utf8'));
  for (const { rule, shapes, axis, target, mapping } of documents.flatMap(({ examples }) => examples)) {
    const options = {
      ...(axis === undefined ? {} : { axis: Number(axis) }),
      ...(target === undefined ? {} : { targetShape: shapeOf(target) }),
      ...(mapping === undefined ? {} : { axesMapping: bl.parseIntegers(mapping).values }),
    };
    yield { rule, options, shapes: shapes.map(shapeOf) };
  }
}

const beside = [
  {
    rule: 'none',
    shapes: [
      [2, 3],
      [2, 3],
    ],
  },
  { rule: 'none', shapes: [[], []] },
  { rule: 'none', shapes: [[0], [0]] },
  {
    rule: 'numpy',
    shapes: [
      [0, 3],
      [1, 3],
    ],
  },
  { rule: 'numpy', shapes: [[2, 0], []] },
  { rule: 'numpy', shapes: [[1, 1, 1], []] },
  {
    rule: 'numpy',
    shapes: [
      [2, 1, 3, 1, 2, 1, 2, 1],
      [3, 1, 2, 1, 3, 1, 2],
    ],
  },
  { rule: 'onnx_multidirectional', shapes: [[4, 1], [6]] },
  { rule: 'onnx_unidirectional', shapes: [[3, 0], [1]] },
  { rule: 'pdpd', options: { axis: 0 }, shapes: [[2, 3, 4], [2]] },
  {
    rule: 'pdpd',
    options: { axis: 0 },
    shapes: [
      [2, 3, 4],
      [2, 3],
    ],
  },
  { rule: 'pdpd', options: { axis: 1 }, shapes: [[2, 3, 4], [3]] },
  {
    rule: 'pdpd',
    options: { axis: 0 },
    shapes: [
      [2, 3, 4],
      [1, 3],
    ],
  },
  {
    rule: 'pdpd',
    options: { axis: 0 },
    shapes: [
      [2, 3, 4],
      [2, 1, 1],
    ],
  },
  {
    rule: 'pdpd',
    options: { axis: 2 },
    shapes: [
      [2, 3, 4],
      [4, 1],
    ],
  },
  {
    rule: 'pdpd',
    options: { axis: 1 },
    shapes: [
      [2, 0, 4],
      [0, 1],
    ],
  },
  { rule: 'pdpd', options: { axis: 0 }, shapes: [[3, 3, 3], [3]] },
  { rule: 'pdpd', shapes: [[], []] },
  { rule: 'bidirectional', options: { targetShape: [2, 0] }, shapes: [[1]] },
  { rule: 'bidirectional', options: { targetShape: [] }, shapes: [[]] },
  { rule: 'broadcast_numpy', options: { targetShape: [2, 3] }, shapes: [[]] },
  { rule: 'broadcast_numpy', options: { targetShape: [0, 3] }, shapes: [[1, 3]] },
  { rule: 'broadcast_numpy', options: { targetShape: [] }, shapes: [[]] },
  { rule: 'explicit', options: { targetShape: [2, 3, 4], axesMapping: [0, 2] }, shapes: [[2, 4]] },
  { rule: 'explicit', options: { targetShape: [3, 3], axesMapping: [0] }, shapes: [[3]] },
  { rule: 'explicit', options: { targetShape: [2, 3], axesMapping: [1] }, shapes: [[1]] },
  { rule: 'explicit', options: { targetShape: [2, 3], axesMapping: [] }, shapes: [[]] },
  { rule: 'sonnx', shapes: [[2, 3]] },
  { rule: 'sonnx', shapes: [[0, 1], [3]] },
  { rule: 'sonnx', shapes: [[], [2, 1], [1, 3], [3]] },
];

function* questions() {
  // Placement of axes: each shape once, with numbers that distinguish elements.
  for (const { rule, options, shapes } of [...documents(), ...beside]) {
    const broadcast = targetRules.includes(rule) || rule === 'sonnx';
    const op = broadcast ? 'Broadcast' : 'Add';
    for (const dtype of ['f32', 'i32']) yield { rule, options, op, shapes, types: shapes.map(() => dtype) };
    if (!broadcast) yield { rule, options, op: 'Or', shapes, types: shapes.map(() => 'bool') };
  }
  // Computation: each operator with each of its types, counting and with small numbers.
  for (const op of Object.values(ops).filter(({ name }) => name !== 'Broadcast')) {
    const uneven = op.name === 'PRelu' ? [[2, 4], [4]] : [[2, 1], [4]];
    const shapes = op.name === 'Where' ? [[2, 1], [4], [2, 4]] : uneven.slice(0, op.mostOperands ?? 2);
    for (const dtype of acceptedBy(op)) {
      const types = typesOf(op.name, dtype, shapes.length);
      for (const attributes of attributesOf(op.name, dtype)) {
        const rule = op.defaultRule;
        if (dtypes[dtype].kind !== 'opaque') yield { rule, op: op.name, attributes, shapes, types };
        const values = shapes.map((shape, i) =>
          small(types[i], op.name === 'Where' ? Math.max(0, i - 1) : i, bl.countElements(shape)),
        );
        yield { rule, op: op.name, attributes, shapes, types, values };
      }
    }
    // Under the other rules, one type is enough.
    const dtype = acceptedBy(op).find((type) => ['f32', 'u32', 'bool'].includes(type));
    for (const rule of op.rules.filter((name) => name !== op.defaultRule)) {
      const fitting = {
        none: [
          [2, 3],
          [2, 3],
          [2, 3],
        ],
        onnx_unidirectional: [
          [2, 3],
          [1, 3],
        ],
        pdpd: [
          [2, 3, 4],
          [3, 1],
        ],
        numpy: [[2, 1], [3], [1]],
      }[rule] ?? [[2, 3], [3], []];
      const count = op.name === 'Where' ? 3 : (op.mostOperands ?? 3);
      const own = fitting.slice(0, count);
      if (own.length < op.leastOperands) continue;
      const types = typesOf(op.name, dtype, own.length);
      const values = own.map((shape, i) => small(types[i], i, bl.countElements(shape)));
      for (const attributes of attributesOf(op.name, dtype)) {
        const options = rule === 'pdpd' ? { axis: 1 } : {};
        yield { rule, options, op: op.name, attributes, shapes: own, types, values };
      }
    }
  }
  // PDPD's axis, which OpenVINO computes in some layers and for some types.
  for (const op of Object.values(ops).filter(({ name, rules: own }) => own.includes('pdpd') && name !== 'Broadcast')) {
    for (const dtype of acceptedBy(op).filter((type) => /^(f32|i32|u32|bool)$/.test(type))) {
      for (const [axis, b] of [
        [0, [2]],
        [0, [1, 3]],
        [1, [3, 4]],
      ]) {
        const shapes = [[2, 3, 4], b];
        const values = shapes.map((shape, i) => small(dtype, i, bl.countElements(shape)));
        for (const attributes of attributesOf(op.name, dtype)) {
          yield { rule: 'pdpd', options: { axis }, op: op.name, attributes, shapes, types: [dtype, dtype], values };
        }
      }
    }
  }
  // Moved data: every type.
  for (const dtype of Object.keys(dtypes)) {
    const values = [small(dtype, 0, 3)];
    yield {
      rule: 'explicit',
      options: { targetShape: [3, 2], axesMapping: [0] },
      op: 'Broadcast',
      shapes: [[3]],
      types: [dtype],
      values,
    };
    yield {
      rule: 'broadcast_numpy',
      options: { targetShape: [2, 3] },
      op: 'Broadcast',
      shapes: [[3]],
      types: [dtype],
      values,
    };
  }
  // The same value in all elements: every type, also with two operands.
  for (const dtype of Object.keys(dtypes)) {
    const values = [{ all: small(dtype, 0, 1) }];
    for (const shape of [[40, 1], []]) {
      const options = { targetShape: [2, ...shape] };
      yield { rule: 'broadcast_numpy', options, op: 'Broadcast', shapes: [shape], types: [dtype], values };
    }
  }
  for (const dtype of acceptedBy(ops.Add))
    yield {
      rule: 'numpy',
      op: 'Add',
      shapes: [[2, 1], [4]],
      types: [dtype, dtype],
      values: [{ all: small(dtype, 0, 1) }, { all: small(dtype, 1, 1) }],
    };
  // More operands, exponents of another type, numbers that wrap, and NaN.
  for (const op of ['Max', 'Min', 'Sum', 'Mean']) {
    for (const dtype of ['f16', 'f32'])
      for (const shapes of [[[3]], [[2, 1], [3], []], [[1], [1], [1], [2, 2]]])
        yield {
          rule: 'numpy',
          op,
          shapes,
          types: shapes.map(() => dtype),
          values: shapes.map((s, i) => small(dtype, i % 2, bl.countElements(s))),
        };
  }
  for (const types of [
    ['f32', 'i32'],
    ['i32', 'f32'],
    ['i8', 'i32'],
    ['f64', 'u8'],
    ['f16', 'f32'],
    ['i64', 'u8'],
  ])
    yield {
      rule: 'numpy',
      op: 'Pow',
      shapes: [[4], [2, 1]],
      types,
      values: [small(types[0], 0, 4), small(types[1], 1, 2)],
    };
  yield { rule: 'numpy', op: 'Add', shapes: [[20, 20], [20]], types: ['i8', 'i8'] };
  yield { rule: 'numpy', op: 'Mul', shapes: [[100, 1], [40]], types: ['u8', 'u8'] };
  yield { rule: 'numpy', op: 'Add', shapes: [[40], [40]], types: ['f64', 'f64'] };
  yield { rule: 'numpy', op: 'Add', shapes: [[40], [40]], types: ['u64', 'u64'] };
  const odd = [NaN, Infinity, -Infinity, -0, 1.5e-7, 3.4028234663852886e38, 16777217 * 2, 0.1];
  for (const dtype of ['f32', 'f64', 'f16', 'bf16'])
    yield {
      rule: 'broadcast_numpy',
      options: { targetShape: [2, 8] },
      op: 'Broadcast',
      shapes: [[8]],
      types: [dtype],
      values: [odd],
    };
  const wide = { i64: [-(2n ** 63n), 2n ** 63n - 1n, -1n], u64: [2n ** 64n - 1n, 2n ** 63n, 0n] };
  for (const [dtype, values] of Object.entries(wide))
    yield { rule: 'numpy', op: 'Add', shapes: [[3], [1]], types: [dtype, dtype], values: [values, [1n]] };
}

export const cases = [...questions()].map(ask).filter(Boolean);

// --- Answers ----------------------------------------------------------------------------------------------------------

// The elements of an operand as bytes of its type, computed from the question.
export function arrayOf({ dtype, elements, shape, values }) {
  const { bits, kind } = dtypes[dtype];
  const counted = (i) => (dtype === 'bool' ? Math.floor(i / values.step) % 2 === 1 : values.first + i * values.step);
  const listed = Array.isArray(values)
    ? values
    : Array.from({ length: elements }, (_, i) => values.all ?? counted(i)).flat();
  const holders = {
    signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array, 64: BigInt64Array },
    unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array, 64: BigUint64Array },
    float: { 32: Float32Array, 64: Float64Array },
  };
  if (isSmallFloat(dtype)) {
    const Holder = bits === 16 ? Uint16Array : Uint8Array;
    return { data: Holder.from(listed, (value) => encodeFloat(Number(value), dtype)), shape, dtype };
  }
  if (kind === 'opaque' && bits >= 64)
    return { data: (bits === 64 ? Float32Array : Float64Array).from(listed), shape, dtype };
  if (kind === 'opaque') return packed(listed, dtype, shape);
  const Holder = kind === 'boolean' ? Uint8Array : holders[kind][bits];
  return { data: Holder.from(listed, bits === 64 && kind !== 'float' ? BigInt : Number), shape, dtype };
}

function packed(values, dtype, shape) {
  const { bits } = dtypes[dtype];
  const each = 8 / bits;
  const data = new Uint8Array(Math.ceil(values.length / each));
  values.forEach((value, i) => {
    const place = bits === 1 ? 7 - (i % each) : bits * (i % each);
    data[Math.floor(i / each)] |= (Number(value) & (2 ** bits - 1)) << place;
  });
  return { data, shape, dtype };
}

// The package's answer: one result, or one for each operand.
export function answers({ rule, options, op, attributes, operands }) {
  const attrs = {
    ...(op.attribute === 'fmod' && attributes.fmod !== '' ? { fmod: Number(attributes.fmod) } : {}),
    ...(op.attribute === 'direction' ? { direction: attributes.direction } : {}),
    ...(op.attribute === 'to' ? { to: attributes.to } : {}),
  };
  const made = bl.apply(op.name, operands.map(arrayOf), { rule, ...options, attrs });
  return (Array.isArray(made) ? made : [made]).map(({ data, shape, dtype }) => ({ data, shape: [...shape], dtype }));
}

// --- Comparing --------------------------------------------------------------------------------------------------------

const bytesOf = (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

// A float as an integer in the same order, so that neighbours differ by 1; all NaNs are equal.
function places({ data, dtype }) {
  const { bits, kind } = dtypes[dtype];
  if (kind !== 'float') return null;
  const raw = bytesOf(data);
  const top = { f16: 0x7c00n, bf16: 0x7f80n, f32: 0x7f800000n, f64: 0x7ff0000000000000n }[dtype];
  return Array.from({ length: raw.length / (bits / 8) }, (_, i) => {
    let word = 0n;
    for (let byte = bits / 8 - 1; byte >= 0; --byte) word = (word << 8n) | BigInt(raw[(i * bits) / 8 + byte]);
    const size = word & (2n ** BigInt(bits - 1) - 1n);
    if (size > top) return NaN;
    return word === size ? size : -size - 1n;
  });
}

// Null if both have the same bits (all NaNs are equal) or differ by at most `ulps`; else a description of the
// difference.
export function difference(wanted, got, ulps = 0) {
  if (got === undefined) return 'no result';
  if (wanted.dtype !== got.dtype) return `type ${got.dtype} for ${wanted.dtype}`;
  if (wanted.shape.join() !== got.shape.join()) return `shape (${got.shape}) for (${wanted.shape})`;
  const a = places(wanted);
  if (a === null) {
    return bytesOf(wanted.data).equals(bytesOf(got.data)) ? null : `${[...got.data]} for ${[...wanted.data]}`;
  }
  const b = places(got);
  const close = (x, y) =>
    Object.is(x, y) || (typeof x === 'bigint' && typeof y === 'bigint' && (x > y ? x - y : y - x) <= BigInt(ulps));
  const at = a.findIndex((value, i) => !close(value, b[i]));
  return a.length === b.length && at < 0 ? null : `element ${at}: ${got.data[at]} for ${wanted.data[at]}`;
}

// How far a result may be off, in units in the last place.
export const unitsOf = ({ op, operands }) => mostUlps(op.name, operands[0].dtype);

// A tensor that a program has printed.
export const received = ({ dtype, shape, b64 }) => ({ dtype, shape, data: new Uint8Array(Buffer.from(b64, 'base64')) });
