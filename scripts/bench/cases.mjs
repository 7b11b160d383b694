// Reads cases from files with the schema of tests/bench/cases.json, and writes them as requests.
//
// A case is {name, kind, op, rule, axis, target, mapping, dtypes, shapes, fmod, direction, to, saturate, spoil}; missing
// fields are undefined. `spoil` is the number of a byte of the result that is changed before the check, to test the check.
import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '../fail.mjs';
import { inRoot } from '../paths.mjs';

const targetRules = { numpy: 'broadcast_numpy', bidirectional: 'bidirectional', explicit: 'explicit' };
const isShape = (value) => Array.isArray(value) && value.every((extent) => Number.isSafeInteger(extent));
const isName = (value) => typeof value === 'string' && /^\w+$/.test(value);

const readers = {
  elementwise: (item, need) => ({
    op: capital(need('op', isName)),
    rule: item.rule ?? 'numpy',
    axis: item.axis,
    dtypes: [need('dtype', isName), item.dtype],
    shapes: [need('a', isShape), need('b', isShape)],
  }),
  broadcast: (item, need) => ({
    op: 'Broadcast',
    rule: item.mode === undefined ? targetRules.numpy : (targetRules[item.mode] ?? item.mode),
    target: need('target', isShape),
    mapping: item.axes_mapping,
    dtypes: [need('dtype', isName)],
    shapes: [need('data', isShape)],
  }),
};

const capital = (name) => `${name[0].toUpperCase()}${name.slice(1)}`;

// The file of a list: one of tests/bench by its name, or any file.
export function listNamed(name) {
  const own = inRoot(`tests/bench/${name}.json`);
  return /^[\w-]+$/.test(name) && existsSync(own) ? own : name;
}

export function readCases(file) {
  let text, work;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`);
  }
  try {
    work = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${file} is not JSON: ${error.message}`);
  }
  return Object.entries(readers).flatMap(([kind, read]) => {
    const items = work?.[kind] ?? [];
    if (!Array.isArray(items)) throw new Failure(`${file}: "${kind}" is not a list`);
    return items.map((item, index) => {
      const where = `${file}: ${kind} case ${JSON.stringify(item?.name) ?? index}`;
      const need = (field, isRight) => {
        if (item?.[field] === undefined) throw new Failure(`${where} has no "${field}"`);
        if (!isRight(item[field])) throw new Failure(`${where}: "${field}" is wrong: ${JSON.stringify(item[field])}`);
        return item[field];
      };
      const { fmod, direction, spoil } = item ?? {};
      return { name: need('name', isName), kind, ...read(item, need), fmod, direction, spoil };
    });
  });
}

export const shapeText = (shape) => `[${shape}]`;

// [1024,1024] op [1024], or [16] -> [8,16]
export function shapesText({ shapes, target, mapping, axis }) {
  const parts = shapes.map(shapeText).join(' ');
  const to = target ? ` -> ${shapeText(target)}` : '';
  return `${parts}${to}${mapping ? ` at ${shapeText(mapping)}` : ''}${axis === undefined ? '' : ` axis ${axis}`}`;
}

// The arguments of a request: all words but the first.
export function requestWords(
  { op, rule, axis, target, mapping, dtypes, shapes, fmod, direction, to, saturate, spoil },
  more = {},
) {
  const words = {
    op,
    rule,
    axis,
    target: target && shapeText(target),
    mapping: mapping && shapeText(mapping),
    dtypes: dtypes.join(','),
    shapes: shapes.map(shapeText).join(';'),
    fmod,
    direction,
    to,
    saturate,
    spoil,
    ...more,
  };
  return Object.entries(words)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

// The same computation under NumPy's rule: operands with axes of extent 1 added, so that right-alignment places every axis.
export function numpyForm({ rule, axis, target, mapping, shapes }) {
  if (rule === 'pdpd') {
    const [a, b] = shapes;
    const trimmed = [...b];
    while (trimmed.at(-1) === 1) trimmed.pop();
    const start = axis === undefined || axis === -1 ? a.length - b.length : axis;
    return { shapes: [a, [...trimmed, ...Array(a.length - start - trimmed.length).fill(1)]] };
  }
  if (rule === 'explicit') {
    const placed = target.map(() => 1);
    mapping.forEach((place, own) => (placed[place] = shapes[0][own]));
    return { shapes: [placed], target };
  }
  return { shapes, target };
}

// The result's shape, for shapes under NumPy's rule.
export function resultShape({ shapes, target }) {
  if (target) return target;
  const rank = Math.max(...shapes.map((shape) => shape.length));
  return Array.from({ length: rank }, (_, axis) =>
    shapes.reduce((extent, shape) => (extent === 1 ? (shape[axis - rank + shape.length] ?? 1) : extent), 1),
  );
}

// The same computation without axes of extent 1, and with neighbouring axes joined where each operand either has both axes or
// repeats along both.
export function coalesce({ shapes, target }) {
  const padded = shapes.map((shape) => [...Array(target.length - shape.length).fill(1), ...shape]);
  const out = [];
  const operands = shapes.map(() => []);
  let last;
  target.forEach((extent, axis) => {
    if (extent === 1) return;
    const repeats = padded.map((shape) => shape[axis] === 1).join();
    if (repeats === last) {
      out[out.length - 1] *= extent;
      operands.forEach((shape, i) => (shape[shape.length - 1] *= padded[i][axis]));
    } else {
      out.push(extent);
      operands.forEach((shape, i) => shape.push(padded[i][axis]));
    }
    last = repeats;
  });
  return { shapes: operands, target: out };
}
