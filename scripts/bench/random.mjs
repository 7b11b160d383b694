// Random shapes of each class of cases: shows whether the library also reaches the limit for shapes that are not in the list.
import { Book, measure } from './measure.mjs';
import { shapesText } from './cases.mjs';
import { span, table, times } from './table.mjs';

const goal = 1.25;
const smallest = 256 * 1024;
const largest = 16 * 1024 * 1024;

// A generator of random numbers that depend on the seed alone, on every platform.
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + Math.floor(next() * (high - low + 1));
  const logBetween = (low, high) => Math.round(Math.exp(Math.log(low) + next() * Math.log(high / low)));
  const pick = (values) => values[Math.floor(next() * values.length)];
  return { next, between, logBetween, pick };
}

// `rank` extents whose product is about `count`.
function extents(random, rank, count) {
  const parts = Array.from({ length: rank }, () => 0.2 + random.next());
  const sum = parts.reduce((a, b) => a + b, 0);
  return parts.map((part) => Math.max(1, Math.round(count ** (part / sum))));
}

const ones = (count) => Array(count).fill(1);
const evens = (shape) => shape.map((extent, axis) => (axis % 2 === 0 ? extent : 1));
const odds = (shape) => shape.map((extent, axis) => (axis % 2 === 1 ? extent : 1));

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
  pdpd: (random, count) => {
    const shape = extents(random, random.between(2, 5), count);
    const axis = random.between(0, shape.length - 1);
    return { shapes: [shape, shape.slice(axis, random.between(axis + 1, shape.length))], rule: 'pdpd', axis };
  },
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

const bits = { u8: 8, i16: 16, i32: 32, f32: 32, f64: 64, i64: 64, f16: 16, c128: 128 };

// `count` cases of each class, the same for the same seed.
export function randomCases(count, seed) {
  const random = generator(seed);
  const make = (kind, name, shapesOf, index) => {
    const moves = kind === 'broadcast';
    const dtype = random.pick(
      moves ? ['u8', 'f16', 'f32', 'f32', 'f64', 'c128'] : ['f32', 'f32', 'f32', 'f64', 'i32', 'u8', 'i16', 'i64'],
    );
    const made = shapesOf(random, random.logBetween(smallest, largest) / (bits[dtype] / 8));
    const item = Array.isArray(made) ? { shapes: made } : made;
    const op = moves ? 'Broadcast' : random.pick(['Add', 'Sub', 'Mul', 'Max']);
    // Either operand may be the one that repeats.
    if (!moves && item.rule !== 'pdpd' && random.next() < 0.3) item.shapes = [item.shapes[1], item.shapes[0]];
    return {
      name: `${name}_${index}`,
      class: `${kind} ${name}`,
      kind,
      op,
      rule: moves ? 'broadcast_numpy' : 'numpy',
      dtypes: item.shapes.map(() => dtype),
      ...item,
    };
  };
  return Object.entries({ elementwise, broadcast }).flatMap(([kind, classes]) =>
    Object.entries(classes).flatMap(([name, shapesOf]) =>
      Array.from({ length: count }, (_, index) => make(kind, name, shapesOf, index)),
    ),
  );
}

export async function random(program, cases, { seed, rounds, threads }) {
  const book = new Book();
  const measured = [];
  console.log(`random shapes, --seed ${seed}; results of 256 KiB to 16 MiB; goal: at most ${goal} x the limit`);
  const row = table(['class', 30], ['cases', 7], ['within', 9], ['median', 9], ['worst', 9]);
  const share = (of) => `${((100 * of.filter((ratio) => ratio <= goal).length) / of.length).toFixed(0)} %`;
  const printRatios = (name, ratios) =>
    row(
      name,
      ratios.length,
      share(ratios),
      times(ratios[ratios.length >> 1] ?? NaN),
      times(ratios[ratios.length - 1] ?? NaN),
    );
  const classes = [...new Set(cases.map((item) => item.class))];
  for (const name of classes) {
    const ratios = [];
    for (const item of cases.filter((one) => one.class === name)) {
      const result = await measure(program, item, { threads, rounds, least: 5e5 });
      if (!book.add(item, threads, result)) continue;
      ratios.push(result.ratio);
      measured.push({ item, ...result });
    }
    if (ratios.length)
      printRatios(
        name,
        ratios.sort((a, b) => a - b),
      );
  }
  if (measured.length === 0) return book;
  printRatios(
    'all',
    measured.map(({ ratio }) => ratio).sort((a, b) => a - b),
  );
  console.log('\nthe worst ten');
  const worst = table(['class', 30], ['x limit', 9], ['95 %', 14], ['', 4]);
  for (const { item, ratio, interval } of measured.sort((a, b) => b.ratio - a.ratio).slice(0, 10))
    worst(item.class, times(ratio), span(interval), '', `${item.op} ${item.dtypes[0]} ${shapesText(item)}`);
  return book;
}
