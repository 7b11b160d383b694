// Random cases by class, for the native bench and the package's: the same seed gives the same cases everywhere.
import { generator } from '../random-numbers.mjs';
import { bitsOf } from './wasm/elements.mjs';

const MiB = 1024 * 1024;
// Large results: those that fit caches, and those that are streamed past them.
export const cachedResults = { bytes: [MiB / 4, 16 * MiB], text: '256 KiB to 16 MiB' };
export const streamedResults = { bytes: [64 * MiB, 256 * MiB], text: '64 to 256 MiB' };
const small = [16, 16384]; // elements of results
const casesOfClass = 1000; // more than any run has time for

// `rank` extents whose product is about `count`.
function extents(random, rank, count) {
  const parts = Array.from({ length: rank }, () => 0.2 + random.next());
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => Math.max(1, Math.round(count ** (part / sum))));
}

const ones = (count) => Array(count).fill(1);
const evens = (shape) => shape.map((extent, axis) => (axis % 2 === 0 ? extent : 1));
const odds = (shape) => shape.map((extent, axis) => (axis % 2 === 1 ? extent : 1));

// Operands that repeat along random axes of a shape; each axis is that of some operand.
function masked(random, shape, operands) {
  const all = Array.from({ length: operands }, () => shape.map((extent) => (random.next() < 0.6 ? extent : 1)));
  shape.forEach((extent, axis) => {
    if (all.every((own) => own[axis] === 1)) random.pick(all)[axis] = extent;
  });
  return all;
}

// Each class: a function from random numbers and the approximate number of elements of the result to the operands' shapes.
const elementwise = {
  same: (random, count) => {
    const shape = extents(random, random.between(1, 8), count);
    return [shape, shape];
  },
  scalar: (random, count) => [extents(random, random.between(1, 8), count), ones(random.between(0, 2))],
  row: (random, count) => {
    const inner = random.logBetween(34, 8192);
    const shape = [...extents(random, random.between(1, 4), count / inner), inner];
    return [shape, shape.slice(-random.between(1, Math.max(1, shape.length - 1)))];
  },
  column: (random, count) => {
    const inner = random.logBetween(34, 8192);
    const outer = extents(random, random.between(1, 4), count / inner);
    return [
      [...outer, inner],
      [...outer, 1],
    ];
  },
  outer: (random, count) => {
    const inner = random.logBetween(34, 8192);
    return [
      [Math.max(1, Math.round(count / inner)), 1],
      [1, inner],
    ];
  },
  channel_first: (random, count) => {
    const plane = random.pick([7, 14, 28, 32, 56, 64, 112, 224]);
    const channels = random.logBetween(3, 512);
    const batch = Math.max(1, Math.round(count / (plane * plane * channels)));
    return [
      [batch, channels, plane, plane],
      [channels, 1, 1],
    ];
  },
  channel_last: (random, count) => {
    const channels = random.logBetween(34, 1024);
    return [[...extents(random, 3, count / channels), channels], [channels]];
  },
  periodic_inner: (random, count) => {
    const inner = random.between(2, 33);
    return [[...extents(random, random.between(1, 3), count / inner), inner], [inner]];
  },
  repeat_inner: (random, count) => {
    const inner = random.between(2, 33);
    const outer = extents(random, random.between(1, 3), count / inner);
    return [
      [...outer, inner],
      [...outer, 1],
    ];
  },
  alternating: (random, count) => {
    const shape = extents(random, 4, count);
    return [evens(shape), odds(shape).slice(1)];
  },
  high_rank: (random, count) => {
    const shape = extents(random, random.between(6, 8), count);
    return [evens(shape), odds(shape)];
  },
  attention: (random, count) => {
    const heads = random.between(1, 16);
    const queries = random.logBetween(16, 512);
    const keys = random.logBetween(16, 512);
    const batch = Math.max(1, Math.round(count / (heads * queries * keys)));
    const mask = random.pick([
      [batch, 1, 1, keys],
      [batch, 1, queries, keys],
      [1, 1, queries, keys],
      [heads, 1, 1],
    ]);
    return [[batch, heads, queries, keys], mask];
  },
  // Any operand may repeat along any axis.
  any: (random, count) => masked(random, extents(random, random.between(2, 6), count), 2),
  pdpd: (random, count) => {
    const shape = extents(random, random.between(2, 5), count);
    const axis = random.between(0, shape.length - 1);
    return { shapes: [shape, shape.slice(axis, random.between(axis + 1, shape.length))], rule: 'pdpd', axis };
  },
  pdpd_middle: (random, count) => {
    const shape = extents(random, random.between(3, 6), count);
    const axis = random.between(1, shape.length - 2);
    return { shapes: [shape, shape.slice(axis, random.between(axis + 1, shape.length - 1))], rule: 'pdpd', axis };
  },
  where: (random, count) => ({ op: 'Where', shapes: masked(random, extents(random, random.between(1, 5), count), 3) }),
  several: (random, count) => ({
    op: random.pick(['Sum', 'Mean', 'Max']),
    shapes: masked(random, extents(random, random.between(1, 5), count), random.between(3, 4)),
  }),
};

const broadcast = {
  fill: (random, count) => {
    const target = extents(random, random.between(1, 8), count);
    return { shapes: [ones(random.between(0, target.length))], target };
  },
  rows: (random, count) => {
    const [a, b] = elementwise.row(random, count);
    return { shapes: [b], target: a };
  },
  columns: (random, count) => {
    const [a, b] = elementwise.column(random, count);
    return { shapes: [b], target: a };
  },
  channels_first: (random, count) => {
    const [a, b] = elementwise.channel_first(random, count);
    return { shapes: [b], target: a };
  },
  channels_last: (random, count) => {
    const [a, b] = elementwise.channel_last(random, count);
    return { shapes: [b], target: a };
  },
  explicit: (random, count) => {
    const target = extents(random, random.between(2, 5), count);
    const mapping = target.map((_, axis) => axis).filter(() => random.next() < 0.5);
    if (mapping.length === 0) mapping.push(random.between(0, target.length - 1));
    return { shapes: [mapping.map((axis) => target[axis])], target, mapping, rule: 'explicit' };
  },
  explicit_middle: (random, count) => {
    const target = extents(random, random.between(3, 6), count);
    const inner = target.map((_, axis) => axis).slice(1, -1);
    const mapping = inner.filter(() => random.next() < 0.5);
    if (mapping.length === 0) mapping.push(random.pick(inner));
    return { shapes: [mapping.map((axis) => target[axis])], target, mapping, rule: 'explicit' };
  },
  periodic_inner: (random, count) => {
    const [a, b] = elementwise.periodic_inner(random, count);
    return { shapes: [b], target: a };
  },
  repeat_inner: (random, count) => {
    const [a, b] = elementwise.repeat_inner(random, count);
    return { shapes: [b], target: a };
  },
  batch: (random, count) => {
    const target = extents(random, random.between(2, 4), count);
    return { shapes: [[1, ...target.slice(1)]], target };
  },
  alternating: (random, count) => {
    const target = extents(random, random.between(4, 8), count);
    return { shapes: [evens(target)], target };
  },
};

// Results so small that the call itself counts; in a table of their own.
const smallElementwise = {
  small: (random, count) => masked(random, extents(random, random.between(1, 4), count), 2),
};
const smallBroadcast = {
  small: (random, count) => {
    const target = extents(random, random.between(1, 4), count);
    return { shapes: [target.map((extent) => (random.next() < 0.6 ? extent : 1))], target };
  },
};

const classTables = [
  { kind: 'elementwise', classes: elementwise, isSmall: false },
  { kind: 'broadcast', classes: broadcast, isSmall: false },
  { kind: 'elementwise', classes: smallElementwise, isSmall: true },
  { kind: 'broadcast', classes: smallBroadcast, isSmall: true },
];

// In turn, so that every class has types of all widths.
const numberTypes = ['f32', 'u8', 'f64', 'i16', 'f32', 'i64', 'f16', 'i32'];
const floatTypes = ['f32', 'f64', 'f16', 'f32'];
const movedTypes = ['f32', 'u8', 'f64', 'f16', 'c128', 'i64'];

function makeCase({ kind, isSmall }, name, shapesOf, index, seed, bytes) {
  const moves = kind === 'broadcast';
  const random = generator(hash(`${seed} ${kind} ${name} ${index}`));
  const turn = (types) => types[index % types.length];
  // The operator may allow floats only, but the number of elements is needed first.
  const wide = turn(moves ? movedTypes : numberTypes);
  const count = isSmall ? random.logBetween(...small) : random.logBetween(...bytes) / (bitsOf(wide) / 8);
  const made = shapesOf(random, count);
  const item = Array.isArray(made) ? { shapes: made } : made;
  const op = moves ? 'Broadcast' : (item.op ?? random.pick(['Add', 'Sub', 'Mul', 'Max', 'Less']));
  const dtype = op === 'Sum' || op === 'Mean' ? turn(floatTypes) : wide;
  // Either operand may be the one that repeats.
  if (!moves && item.rule !== 'pdpd' && random.next() < 0.3) item.shapes.push(item.shapes.shift());
  return {
    name: `${kind}_${name}_${index}`,
    class: `${kind} ${name}`,
    isSmall,
    kind,
    rule: moves ? 'broadcast_numpy' : 'numpy',
    ...item,
    op,
    dtypes: item.shapes.map((_, operand) => (op === 'Where' && operand === 0 ? 'bool' : dtype)),
  };
}

function hash(text) {
  let state = 0x811c9dc5;
  for (let i = 0; i < text.length; ++i) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return state >>> 0;
}

// Cases of every class, `count` of each; the first ones of all classes come first.
export const randomCases = (seed, count = casesOfClass, { bytes } = cachedResults) =>
  Array.from({ length: count }, (_, index) =>
    classTables.flatMap((table) =>
      Object.entries(table.classes).map(([name, shapesOf]) => makeCase(table, name, shapesOf, index, seed, bytes)),
    ),
  ).flat();

// The same with results that are streamed, without the classes of small ones.
export const streamedCases = (seed) =>
  randomCases(seed, casesOfClass, streamedResults).filter(({ isSmall }) => !isSmall);
