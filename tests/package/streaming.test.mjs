// Typed arrays larger than the buffer through which they are copied, compared bit for bit with plain JavaScript.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'broadloom';
import { ARRAYS, f32, fault } from './arrays.mjs';
import { startInside } from './inside.mjs';

const bl = await load();

let seed = 2024;
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >> 8) % n;
};

const ENTRIES = { c64: 2, c128: 2 };

const countOf = (shape) => shape.reduce((product, extent) => product * extent, 1);

/** Elements with any bits except NaNs, whose bits arithmetic need not keep. */
function make(dtype, shape) {
  const Type = ARRAYS[dtype];
  const wide = Type === BigInt64Array || Type === BigUint64Array;
  const entry = {
    bool: () => random(3),
    f32: () => (random(1 << 20) - (1 << 19)) / 64,
    f64: () => (random(1 << 20) - (1 << 19)) / 64,
  }[dtype];
  const data = new Type(countOf(shape) * (ENTRIES[dtype] ?? 1));
  for (let i = 0; i < data.length; ++i) {
    const value = entry === undefined ? random(1 << 22) * 1021 - 2 ** 30 : entry();
    data[i] = wide ? BigInt(value) * 4294967311n : value;
  }
  return { data, shape, dtype };
}

/** For each element of a result, the numbers of the elements that feed it, right-aligned or on the given axes. */
function* sources(shapes, shape, axesOf) {
  const strides = shapes.map((extents, k) => {
    const axes = axesOf?.[k] ?? extents.map((_, axis) => shape.length - extents.length + axis);
    const steps = Array(shape.length).fill(0);
    let step = 1;
    for (let axis = extents.length - 1; axis >= 0; --axis) {
      if (extents[axis] > 1) steps[axes[axis]] = step;
      step *= extents[axis];
    }
    return steps;
  });
  const index = Array(shape.length).fill(0);
  const at = shapes.map(() => 0);
  for (let left = countOf(shape); left > 0; --left) {
    yield at;
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      for (let k = 0; k < at.length; ++k) at[k] += strides[k][axis];
      if (++index[axis] < shape[axis]) break;
      for (let k = 0; k < at.length; ++k) at[k] -= strides[k][axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

function naive(operands, shape, Result, compute, axesOf) {
  const out = new Result(countOf(shape));
  const values = operands.map(({ data }) => data);
  let i = 0;
  for (const at of sources(
    operands.map((operand) => operand.shape),
    shape,
    axesOf,
  )) {
    // Typed arrays wrap integers and round to f32 when they are written.
    out[i++] = compute(...values.map((data, k) => data[at[k]]));
  }
  return out;
}

const bytesOf = (data) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

function same(found, expected, label) {
  assert.equal(found.length, expected.length, label);
  if (Buffer.compare(bytesOf(found), bytesOf(expected)) === 0) return;
  const i = expected.findIndex((value, at) => !Object.is(value, found[at]));
  assert.fail(`${label}: element ${i} is ${found[i]}, and should be ${expected[i]}`);
}

/** Computes in every way: into a new array, into out with an offset, in shared memory, in place. */
function check(label, operands, expected, shape, dtype, compute) {
  const before = operands.map(({ data }) => data.slice());
  const memory = bl.memory().bytes;
  const result = compute(operands, {});
  assert.deepEqual([result.shape, result.dtype], [shape, dtype], label);
  same(result.data, expected, label);
  const { constructor: Type, length } = expected;
  const whole = new Type(length + 7);
  const entry = expected.length === 0 ? 0 : expected[0];
  whole.fill(entry);
  const out = { data: whole.subarray(3, length + 3), shape, dtype };
  assert.equal(compute(operands, { out }).data, out.data);
  same(out.data, expected, `${label}, out`);
  for (const i of [0, 1, 2, length + 3, length + 6]) assert.equal(whole[i], entry, `${label}, around out`);
  const share = (data) => {
    const shared = new data.constructor(new SharedArrayBuffer(data.byteLength + 64), 64, data.length);
    shared.set(data);
    return shared;
  };
  const target = { data: share(new Type(length)), shape, dtype };
  const given = operands.map((operand) => ({ ...operand, data: share(operand.data) }));
  compute(given, { out: target });
  same(target.data, expected, `${label}, shared`);
  operands.forEach(({ data }, i) => same(data, before[i], `${label}, operand ${i}`));
  operands.forEach((operand, i) => {
    if (operand.dtype !== dtype || operand.shape.length !== shape.length) return;
    if (!operand.shape.every((extent, axis) => extent === shape[axis])) return;
    const own = { ...operand, data: operand.data.slice() };
    compute(operands.with?.(i, own) ?? operands.map((other, k) => (k === i ? own : other)), { out: own });
    same(own.data, expected, `${label}, in place of ${i}`);
  });
  assert.equal(bl.memory().bytes, memory, `${label}: memory`);
}

const PATTERNS = {
  same: [
    [300, 401],
    [300, 401],
  ],
  scalar: [[300, 401], []],
  'scalar first': [[], [120_301]],
  row: [[300, 401], [401]],
  column: [
    [300, 401],
    [300, 1],
  ],
  'column first': [
    [300, 1],
    [300, 401],
  ],
  outer: [
    [301, 1],
    [1, 403],
  ],
  NCHW: [
    [3, 16, 47, 53],
    [1, 16, 1, 1],
  ],
  rgb: [[201, 203, 3], [3]],
  thin: [
    [40_001, 3],
    [40_001, 1],
  ],
  alternating: [
    [17, 1, 19, 1, 23],
    [1, 11, 1, 3, 1],
  ],
  'high rank': [
    [2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 5],
    [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 5],
  ],
  'long rows': [[3, 70_001], [70_001]],
  'long columns': [
    [70_001, 2],
    [70_001, 1],
  ],
};

const WRAP = {
  f32: [
    [(x, y) => x + y, 'Add'],
    [(x, y) => x * y, 'Mul'],
    [(x, y) => x - y, 'Sub'],
  ],
};
WRAP.f64 = WRAP.f32;
for (const dtype of ['i8', 'u8', 'i16', 'u16'])
  WRAP[dtype] = [
    [(x, y) => x + y, 'Add'],
    [(x, y) => Math.imul(x, y), 'Mul'],
  ];
for (const dtype of ['i32', 'u32'])
  WRAP[dtype] = [
    [(x, y) => x + y, 'Add'],
    [(x, y) => Math.imul(x, y), 'Mul'],
  ];
for (const dtype of ['i64', 'u64'])
  WRAP[dtype] = [
    [(x, y) => x + y, 'Add'],
    [(x, y) => x * y, 'Mul'],
  ];

for (const [name, shapes] of Object.entries(PATTERNS)) {
  test(`pattern ${name}`, () => {
    const shape = bl.broadcastShapes(...shapes);
    const dtypes =
      name === 'row' || name === 'outer' || name === 'alternating' ? Object.keys(WRAP) : ['f32', 'u8', 'i64'];
    for (const dtype of dtypes) {
      const operands = shapes.map((extents) => make(dtype, extents));
      for (const [compute, op] of WRAP[dtype]) {
        const expected = naive(operands, shape, ARRAYS[dtype], compute);
        check(`${op} ${dtype}`, operands, expected, shape, dtype, (list, options) => bl.apply(op, list, options));
      }
    }
  });
}

test('results narrower than their operands', () => {
  for (const dtype of ['f64', 'i64', 'f32', 'u16', 'u8']) {
    for (const shapes of [PATTERNS.same, PATTERNS.row, PATTERNS.outer, PATTERNS.thin]) {
      const shape = bl.broadcastShapes(...shapes);
      const operands = shapes.map((extents) => make(dtype, extents));
      for (const [op, compute] of [
        ['Less', (x, y) => x < y],
        ['NotEqual', (x, y) => x !== y],
      ]) {
        const expected = naive(operands, shape, Uint8Array, compute);
        check(`${op} ${dtype}`, operands, expected, shape, 'bool', (list, options) => bl.apply(op, list, options));
      }
    }
  }
});

test('three operands, and six', () => {
  for (const shapes of [
    [
      [300, 401],
      [300, 401],
      [300, 401],
    ],
    [[300, 1], [401], [300, 401]],
    [[], [300, 401], [401]],
    [[120_301], [], []],
    [
      [23, 1, 17, 1],
      [29, 1, 13],
      [23, 1, 1, 1],
    ],
  ]) {
    const shape = bl.broadcastShapes(...shapes);
    for (const dtype of ['f32', 'i64', 'u8', 'bf16', 'c128']) {
      const operands = [make('bool', shapes[0]), make(dtype, shapes[1]), make(dtype, shapes[2])];
      if (dtype === 'c128') {
        const chosen = naive(
          operands.map((operand, k) => ({
            shape: operand.shape,
            data: k === 0 ? operand.data : operand.data.map((_, i) => i),
          })),
          shape,
          Float64Array,
          (c, x, y) => (c !== 0 ? x : -1 - y),
        );
        const expected = new Float64Array(2 * chosen.length);
        chosen.forEach((from, i) => {
          const [data, k] = from >= 0 ? [operands[1].data, from] : [operands[2].data, -1 - from];
          expected[2 * i] = data[2 * k];
          expected[2 * i + 1] = data[2 * k + 1];
        });
        check('Where c128', operands, expected, shape, dtype, (list, options) => bl.where(...list, options));
        continue;
      }
      const expected = naive(operands, shape, ARRAYS[dtype], (c, x, y) => (c !== 0 ? x : y));
      check(`Where ${dtype}`, operands, expected, shape, dtype, (list, options) => bl.where(...list, options));
    }
  }
  const shapes = [[300, 401], [401], [300, 1], [], [1, 401], [300, 401]];
  for (const dtype of ['f32', 'i16', 'u64']) {
    const operands = shapes.map((extents) => make(dtype, extents));
    const most = (...values) => values.reduce((best, value) => (value > best ? value : best));
    const expected = naive(operands, [300, 401], ARRAYS[dtype], most);
    check(`Max ${dtype}`, operands, expected, [300, 401], dtype, (list, options) => bl.max(list, options));
  }
});

test('pdpd and explicit', () => {
  for (const dtype of ['f32', 'u8']) {
    const operands = [make(dtype, [23, 17, 301, 3]), make(dtype, [17, 301])];
    const shape = operands[0].shape;
    const axes = [undefined, [1, 2]];
    const expected = naive(operands, shape, ARRAYS[dtype], (x, y) => x + y, axes);
    check(`pdpd ${dtype}`, operands, expected, shape, dtype, (list, options) =>
      bl.add(...list, { rule: 'pdpd', axis: 1, ...options }),
    );
  }
  const cases = [
    [
      [7, 401],
      [11, 7, 5, 401],
      [1, 3],
    ],
    [[401], [401, 301], [0]],
    [[401], [301, 401], [1]],
    [
      [1, 401],
      [13, 401, 29],
      [0, 1],
    ],
    [[], [120_301], []],
    [
      [3, 1],
      [2, 3, 50_001],
      [1, 2],
    ],
  ];
  for (const dtype of ['u8', 'bf16', 'f32', 'f64', 'i64', 'c64', 'c128', 'f8e4m3']) {
    for (const [extents, shape, mapping] of cases) {
      const data = make(dtype, extents);
      const width = ENTRIES[dtype] ?? 1;
      // Each part of a complex number is an element of an additional axis.
      const parts = { data: data.data, shape: width === 1 ? extents : [...extents, 2] };
      const target = width === 1 ? shape : [...shape, 2];
      const axes = width === 1 ? mapping : [...mapping, shape.length];
      const expected = naive([parts], target, ARRAYS[dtype], (x) => x, [axes]);
      check(`explicit ${dtype} ${shape}`, [data], expected, shape, dtype, ([only], options) =>
        bl.broadcast(only, { mode: 'explicit', targetShape: shape, axesMapping: mapping, ...options }),
      );
    }
  }
});

test('packed elements whose blocks begin within bytes', () => {
  const get = {
    i4: (data, i) => (data[i >> 1] >> (4 * (i & 1))) & 15,
    u1: (data, i) => (data[i >> 3] >> (7 - (i & 7))) & 1,
  };
  get.u4 = get.i4;
  const cases = [
    [[1001], [1001, 1003], [0]],
    [[1003], [1001, 1003], [1]],
    [[], [3_000_001], []],
    [
      [3, 1, 333],
      [3, 3001, 333],
      [0, 1, 2],
    ],
    [[1_400_003], [3, 1_400_003], [1]],
    [
      [700_001, 1],
      [700_001, 5],
      [0, 1],
    ],
    [[2_900_001], [2_900_001], [0]],
  ];
  for (const [dtype, bits] of [
    ['i4', 4],
    ['u4', 4],
    ['u1', 1],
  ]) {
    const bytes = (shape) => Math.ceil((countOf(shape) * bits) / 8);
    for (const [extents, shape, mapping] of cases) {
      const label = `${dtype} [${extents}] to [${shape}]`;
      const data = Uint8Array.from({ length: bytes(extents) }, () => random(256));
      const expected = new Uint8Array(bytes(shape));
      let i = 0;
      for (const [at] of sources([extents], shape, [mapping])) {
        const element = get[dtype](data, at);
        expected[(i * bits) >> 3] |= bits === 4 ? element << (4 * (i & 1)) : element << (7 - (i & 7));
        ++i;
      }
      const options = { mode: 'explicit', targetShape: shape, axesMapping: mapping };
      const result = bl.broadcast({ data, shape: extents, dtype }, options);
      same(result.data, expected, label);
      // Whatever the contents of out were.
      const whole = new Uint8Array(expected.length + 6).fill(0xa5);
      const out = { data: whole.subarray(5, -1), shape, dtype };
      bl.broadcast({ data, shape: extents, dtype }, { ...options, out });
      same(out.data, expected, `${label}, out`);
      assert.deepEqual([whole[4], whole.at(-1)], [0xa5, 0xa5]);
    }
    const shape = [1001, 1003];
    const operands = [[1001, 1], [1003], shape].map((extents, k) =>
      k === 0
        ? make('bool', extents)
        : { data: Uint8Array.from({ length: bytes(extents) }, () => random(256)), shape: extents, dtype },
    );
    const expected = new Uint8Array(bytes(shape));
    let i = 0;
    for (const [c, x, y] of sources(
      operands.map((operand) => operand.shape),
      shape,
    )) {
      const element = operands[0].data[c] !== 0 ? get[dtype](operands[1].data, x) : get[dtype](operands[2].data, y);
      expected[(i * bits) >> 3] |= bits === 4 ? element << (4 * (i & 1)) : element << (7 - (i & 7));
      ++i;
    }
    check(`Where ${dtype}`, operands, expected, shape, dtype, (list, options) => bl.where(...list, options));
  }
});

test('strides are followed block by block', () => {
  for (const dtype of ['u8', 'i16', 'f32', 'f64', 'i64', 'c64', 'c128']) {
    const width = ENTRIES[dtype] ?? 1;
    const base = make(dtype, [401, 303]);
    // The number of an element, from its indexes, in the transpose, the reverse, a slice with step 2, and a repetition.
    const views = [
      [[303, 401], [1, 303], 0],
      [[401, 303], [-303, -1], 401 * 303 - 1],
      [[200, 101], [606, 3], 304],
      [[5, 401, 303], [0, 303, 1], 0],
      [[303, 401], [0, 1], 7],
      [[401, 300], [303, 1], 2],
    ];
    for (const [shape, stride, offset] of views) {
      const label = `${dtype} ${shape} by ${stride}`;
      const dense = new ARRAYS[dtype](countOf(shape) * width);
      let i = 0;
      const index = Array(shape.length).fill(0);
      for (let left = countOf(shape); left > 0; --left) {
        const at = index.reduce((sum, value, axis) => sum + value * stride[axis], offset);
        for (let part = 0; part < width; ++part) dense[i++] = base.data[at * width + part];
        for (let axis = shape.length - 1; axis >= 0; --axis) {
          if (++index[axis] < shape[axis]) break;
          index[axis] = 0;
        }
      }
      const given = { data: base.data, shape, stride, offset, dtype };
      const memory = bl.memory().bytes;
      same(bl.broadcastTo(given, shape).data, dense, label);
      same(bl.broadcastTo(given, [2, ...shape]).data.subarray(dense.length), dense, label);
      if (width === 1) {
        const other = make(dtype, shape.slice(-1));
        const plain = bl.add({ data: dense, shape, dtype }, other).data;
        same(bl.add(given, other).data, plain, label);
        same(bl.add(other, given).data, plain, label);
      }
      assert.equal(bl.memory().bytes, memory, label);
      const tensor = bl.tensor(given);
      same(tensor.read(), dense, label);
      tensor.dispose();
    }
  }
});

test('mixed types are converted block by block', () => {
  const shape = [401, 303];
  const bytes = make('u8', shape);
  const memory = bl.memory().bytes;
  for (const [dtype, expected] of [
    ['i16', 'i16'],
    ['f32', 'f32'],
    ['f64', 'f64'],
    ['i8', 'i16'],
    ['i32', 'i32'],
  ]) {
    const other = make(dtype, [303]);
    const result = bl.add(bytes, other, { promote: 'numpy2' });
    assert.equal(result.dtype, expected);
    same(
      result.data,
      naive([bytes, other], shape, ARRAYS[expected], (x, y) => x + y),
      dtype,
    );
  }
  assert.equal(bl.memory().bytes, memory);
});

test('overlaps are rejected before anything is written', () => {
  const whole = new Float32Array(200_100).fill(1);
  const a = { data: whole.subarray(0, 200_000), shape: [200_000] };
  const out = { data: whole.subarray(100), shape: [200_000] };
  fault(() => bl.add(a, f32([1]), { out }), { code: 'overlap', operand: -3, otherOperand: 0 });
  fault(
    () =>
      bl.broadcastTo(a, [2, 200_000]) &&
      bl.apply('Broadcast', [a], { rule: 'broadcast_numpy', targetShape: [200_000], out }),
    { code: 'overlap' },
  );
  assert.ok(whole.every((value) => value === 1));
});

test('memory use stays small and constant, whatever the size', async () => {
  // A separate module, whose memory has its initial size.
  const wasm = await readFile(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
  const bl = await load({ wasm });
  const length = 16 << 20;
  const a = { data: new Float32Array(length).fill(1), shape: [4096, 4096] };
  const row = f32(new Float32Array(4096).fill(2));
  bl.add(f32([1]), f32([1]));
  const { bytes } = bl.memory();
  const out = { data: new Float32Array(length), shape: a.shape };
  bl.add(a, row, { out });
  bl.mul(a, a, { out });
  bl.where({ data: new Uint8Array(length), shape: a.shape, dtype: 'bool' }, a, row, { out });
  bl.broadcastTo(row, a.shape);
  bl.add({ data: a.data, shape: a.shape, stride: [1, 4096], offset: 0 }, row, { out });
  assert.equal(out.data[length - 1], 3);
  assert.equal(bl.memory().bytes, bytes);
  assert.ok(bytes <= 4 << 20, `${bytes} bytes`);
});

test('blocks that find no memory are an error, and everything works afterwards', () => {
  const { bl, core } = startInside();
  const a = make('f32', [300, 401]);
  const lists = Array.from({ length: 80 }, () => a);
  for (const call of [() => bl.add(a, make('f32', [401])), () => bl.sum(lists), () => bl.less(a, a)]) {
    for (let allocations = 0; ; ++allocations) {
      assert.ok(allocations < 1000);
      core.refuseAfter(allocations);
      try {
        call();
        break;
      } catch (error) {
        assert.equal(error.code, 'allocation', error.stack);
      } finally {
        core.refuseAfter(-1);
      }
    }
  }
  const result = bl.add(a, a).data;
  assert.ok(result.every((value, i) => value === 2 * a.data[i]));
});

test('repeated elements keep every bit', () => {
  // NaNs of any payload, quiet and signalling, as integers and as floats.
  const bits32 = new Uint32Array([0x7fc00001, 0xffc12345, 0x7f800001, 0xff812345, 0x80000000]);
  const bits64 = new BigUint64Array([0x7ff8000000000001n, 0xfff8123456789abcn, 0x7ff0000000000001n, 1n << 63n, 5n]);
  const cases = [
    ['f32', new Float32Array(bits32.buffer)],
    ['f64', new Float64Array(bits64.buffer)],
    ['bf16', new Uint16Array(bits32.buffer)],
    ['f16', new Uint16Array(bits32.buffer)],
    ['c64', new Float32Array(bits64.buffer)],
    ['c128', new Float64Array(new BigUint64Array([...bits64, 7n]).buffer)],
    ['u8', new Uint8Array(bits32.buffer, 0, 7)],
  ];
  for (const [dtype, source] of cases) {
    const width = ENTRIES[dtype] ?? 1;
    const n = source.length / width;
    const element = source.BYTES_PER_ELEMENT * width;
    // At the alignment of the typed array's entries, which may be less than the elements'.
    const moved = new source.constructor(
      new ArrayBuffer(source.byteLength + 64),
      source.BYTES_PER_ELEMENT,
      source.length,
    );
    bytesOf(moved).set(bytesOf(source));
    const shapes = [
      [[n], [3, n]],
      [[n], [40_001, n]],
      [
        [n, 1],
        [n, 40_001],
      ],
      [
        [n, 1],
        [2, n, 40_001],
      ],
      [
        [n, 1],
        [n, 3],
      ],
      [
        [1, n, 1, 1],
        [50, n, 30, 20],
      ],
    ];
    for (const [extents, shape] of shapes) {
      const label = `${dtype} [${extents}] to [${shape}]`;
      const expected = new Uint8Array(countOf(shape) * element);
      const from = bytesOf(source);
      let i = 0;
      for (const [at] of sources([extents], shape)) {
        for (let byte = 0; byte < element; ++byte) expected[i++] = from[at * element + byte];
      }
      for (const data of [source, moved]) {
        const given = { data, shape: extents, dtype };
        same(bytesOf(bl.broadcastTo(given, shape).data), expected, label);
        const whole = new source.constructor(expected.length / source.BYTES_PER_ELEMENT + 2);
        const out = { data: whole.subarray(1, -1), shape, dtype };
        bl.broadcast(given, { targetShape: shape, out });
        same(bytesOf(out.data), expected, `${label}, out`);
        assert.deepEqual([whole[0], whole.at(-1)], [0, 0], label);
        const tensor = bl.tensor(given);
        const result = bl.broadcastTo(tensor, shape);
        same(bytesOf(result.read()), expected, `${label}, resident`);
        tensor.dispose();
        result.dispose();
      }
    }
  }
});

test('random broadcasts, computed in every way', () => {
  for (let round = 0; round < 150; ++round) {
    const shape = Array.from({ length: 1 + random(6) }, () => [1, 2, 3, 5, 8, 13, 70][random(7)]);
    if (random(2) === 0) shape[random(shape.length)] = 1 + random(3000);
    if (countOf(shape) > 400_000) continue;
    const extents = shape.map((extent) => (random(2) === 0 ? 1 : extent)).slice(random(shape.length));
    const dtype = ['u8', 'i16', 'f32', 'f64', 'i64'][random(5)];
    const data = make(dtype, extents);
    const expected = naive([data], shape, ARRAYS[dtype], (x) => x);
    const label = `${dtype} [${extents}] to [${shape}]`;
    same(bl.broadcastTo(data, shape).data, expected, label);
    const whole = new ARRAYS[dtype](expected.length + 3);
    bl.broadcast(data, { targetShape: shape, out: { data: whole.subarray(2, -1), shape, dtype } });
    same(whole.subarray(2, -1), expected, `${label}, out`);
    const other = make(
      dtype,
      shape.map((extent) => (random(3) === 0 ? 1 : extent)),
    );
    const common = bl.broadcastShapes(extents, other.shape);
    same(
      bl.add(data, other).data,
      naive([data, other], common, ARRAYS[dtype], (x, y) => x + y),
      `add ${label} to ${other.shape}`,
    );
  }
});

test('more operands than fit in a block', () => {
  for (const count of [64, 65, 300, 4094, 4095, 4096, 5000]) {
    for (const shape of [[3], [2, 1001]]) {
      if (countOf(shape) * count > 2_000_000) continue;
      const lists = Array.from({ length: count }, (_, k) => ({
        data: new Float32Array(countOf(shape)).fill(k % 7),
        shape,
      }));
      lists[1] = f32([1], []);
      const total = lists.reduce((sum, { data }) => sum + data[0], 0);
      const { data } = bl.sum(lists);
      assert.equal(data.length, countOf(shape));
      assert.ok(
        data.every((value) => value === total),
        `${count} of [${shape}]`,
      );
      bl.max(lists, { out: { data, shape } });
      assert.ok(data.every((value) => value === 6));
      const own = lists[2];
      bl.sum(lists, { out: own });
      assert.ok(own.data.every((value) => value === total));
    }
  }
});
