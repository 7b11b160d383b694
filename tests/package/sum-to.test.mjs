// sumTo, the adjoint of broadcasting.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'broadloom';
import { array, ARRAYS, bool, f32, f64, fault, i32, plain, u8 } from './arrays.mjs';
import { startInside } from './inside.mjs';

const bl = await load();
const g = f32([0, 1, 2, 3, 4, 5], [2, 3]);

test('sums along the axes that broadcasting repeats', () => {
  const want = (shape, data, options) =>
    assert.deepEqual(plain(bl.sumTo(g, shape, options)), { data, shape, dtype: 'f32' });
  want([3], [3, 5, 7]);
  want([1, 3], [3, 5, 7]);
  want([2, 1], [3, 12]);
  want([1, 1], [15]);
  want([], [15]);
  want([2, 3], [0, 1, 2, 3, 4, 5]);
  want([2], [3, 12], { rule: 'pdpd', axis: 0 });
  want([2, 1], [3, 12], { rule: 'pdpd', axis: 0n });
  want([3], [3, 5, 7], { rule: 'pdpd' });
  want([2], [3, 12], { rule: 'explicit', axesMapping: [0] });
  want([3], [3, 5, 7], { rule: 'explicit', axesMapping: new Int32Array([1]) });
  for (const rule of ['numpy', 'onnx_unidirectional', 'onnx_multidirectional', 'sonnx', 'bidirectional']) {
    want([1, 3], [3, 5, 7], { rule });
  }
  assert.deepEqual(bl.sumTo(g, [2n, 1n]).shape, [2, 1]);
  assert.deepEqual(bl.sumTo(g, new Uint8Array([3])).shape, [3]);
});

test('the sum of a broadcast array is a multiple of it', () => {
  for (const [shape, result] of [
    [[3], [2, 3]],
    [
      [4, 1, 2],
      [4, 5, 2],
    ],
    [[1], [7, 9]],
    [
      [6, 1, 1],
      [5, 6, 7, 8],
    ],
  ]) {
    const count = shape.reduce((a, b) => a * b, 1);
    const times = result.reduce((a, b) => a * b, 1) / count;
    const x = i32(
      Array.from({ length: count }, (_, i) => i * i - 7),
      shape,
    );
    const back = bl.sumTo(bl.broadcastTo(x, result), shape);
    assert.deepEqual(
      [...back.data],
      [...x.data].map((value) => value * times),
    );
  }
});

test('each type that can be summed', () => {
  const want = (given, data, dtype) => assert.deepEqual(plain(bl.sumTo(given, [])), { data, shape: [], dtype });
  want(u8([200, 100, 1]), [45], 'u8');
  want(array(Int8Array, [127, 1]), [-128], 'i8');
  want(array(BigInt64Array, [2n ** 62n, 2n ** 62n, 5n]), [-(2n ** 63n) + 5n], 'i64');
  want(array(BigUint64Array, [2n ** 63n, 2n ** 63n, 5n]), [5n], 'u64');
  want(f64([1e300, 1, -1e300]), [1], 'f64');
  want(f32([1e8, 1, -1e8, 1]), [2], 'f32');
  want(array(Uint16Array, [0x3c00, 0x4000], [2], 'f16'), [0x4200], 'f16');
  want(array(Uint16Array, [0x3f80, 0x4000], [2], 'bf16'), [0x4040], 'bf16');
  want(array(Float32Array, [1, 2, 10, 20, 100, 200], [3], 'c64'), [111, 222], 'c64');
  want(array(Float64Array, [1, 2, 10, 20], [2], 'c128'), [11, 22], 'c128');
  want(f64([-0, -0]), [-0], 'f64');
  want(f64([]), [0], 'f64');
  want(f64([Infinity, 1]), [Infinity], 'f64');
  want(f64([Infinity, -Infinity]), [NaN], 'f64');
  assert.deepEqual([...bl.sumTo(f32([], [0, 3]), [3]).data], [0, 0, 0]);
  assert.deepEqual([...bl.sumTo(f32([], [2, 0]), [0]).data], []);
});

test('long sums keep their precision', () => {
  const data = new Float32Array(300000).fill(0.1);
  assert.equal(bl.sumTo({ data, shape: [300000] }, []).data[0], Math.fround(Math.fround(0.1) * 300000));
  const rows = bl.sumTo({ data, shape: [100000, 3] }, [100000, 1]).data;
  assert.ok(rows.every((value) => value === Math.fround(3 * Math.fround(0.1))));
});

test("into the caller's array", () => {
  const out = f32([7, 7, 7]);
  const result = bl.sumTo(g, [3], { out });
  assert.equal(result.data, out.data);
  assert.deepEqual([...out.data], [3, 5, 7]);
  const same = f32([0, 1, 2, 3, 4, 5], [2, 3]);
  assert.deepEqual([...bl.sumTo(same, [2, 3], { out: same }).data], [0, 1, 2, 3, 4, 5]);
  const memory = new Float32Array(6);
  const within = { data: memory.subarray(0, 3), shape: [3] };
  fault(() => bl.sumTo({ data: memory, shape: [2, 3] }, [3], { out: within }), { code: 'overlap', operand: -3 });
  fault(() => bl.sumTo(g, [3], { out: f32([1, 2]) }), { code: 'incompatible', detail: 'output', operand: -3 });
  fault(() => bl.sumTo(g, [3], { out: f64([1, 2, 3]) }), { code: 'dtype', detail: 'output', operand: -3 });
});

test('errors', () => {
  const shapes = { code: 'incompatible', rule: 'broadcast_numpy', operand: 0, otherOperand: -2 };
  fault(() => bl.sumTo(g, [4]), { ...shapes, axis: 1, extent: 4, otherExtent: 3, op: null });
  fault(() => bl.sumTo(g, [1, 2, 3]), { code: 'rank', operand: 0, otherOperand: -2 });
  fault(() => bl.sumTo(f32([1]), [3], { rule: 'numpy' }), { code: 'incompatible', operand: 0, otherOperand: 1 });
  fault(() => bl.sumTo(g, [2], { rule: 'pdpd', axis: 3 }), { code: 'axis', operand: 1 });
  fault(() => bl.sumTo(g, [2], { rule: 'explicit' }), { code: 'axes_mapping', detail: 'missing' });
  fault(() => bl.sumTo(g, [3], { axis: 1 }), { code: 'attribute', detail: 'unexpected' });
  fault(() => bl.sumTo(g, [3], { rule: 'nunpy' }), { code: 'unknown', detail: 'rule' });
  fault(() => bl.sumTo(g, [3], { axes: 1 }), { code: 'unknown' });
  fault(() => bl.sumTo(g, [-3]), { code: 'extent', detail: 'negative', operand: -3 });
  fault(() => bl.sumTo(g, [1.5]), { code: 'extent', detail: 'fractional', operand: -3 });
  fault(() => bl.sumTo(g, 3), { code: 'extent' });
  fault(() => bl.sumTo(bool([1]), []), { code: 'dtype', detail: 'unsupported', dtype: 'bool', operand: 0 });
  fault(() => bl.sumTo(array(Uint8Array, [1], [2], 'i4'), []), { code: 'dtype', dtype: 'i4' });
  fault(() => bl.sumTo(f32([1, 2], [3]), []), { code: 'length', operand: 0, extent: 8, otherExtent: 12 });
  // Before errors about shapes, and before allocation.
  fault(() => bl.sumTo(f32([1, 2], [3]), [4]), { code: 'length', operand: 0 });
  fault(() => bl.sumTo(g, [1e9, 1e9]), { code: 'incompatible' });
  fault(() => bl.sumTo(null, []), { code: 'dtype', detail: 'unsupported' });
});

test('a refused allocation is an error, and nothing is written', () => {
  const { bl, core } = startInside();
  const wide = Array(40).fill(1);
  const out = f32([7], wide);
  for (let allocations = 0; ; ++allocations) {
    assert.ok(allocations < 100);
    core.refuseAfter(allocations);
    try {
      bl.sumTo(f32([3], wide), wide, { out });
      break;
    } catch (error) {
      assert.equal(error.code, 'allocation');
      assert.deepEqual([...out.data], [7]);
    } finally {
      core.refuseAfter(-1);
    }
  }
  assert.deepEqual([...out.data], [3]);
});

// --- Arrays larger than the memory through which they are streamed ----------------------------------------------------

const countOf = (shape) => shape.reduce((product, extent) => product * extent, 1);

/** Compares bits; `deepEqual` is slow for large arrays. */
function same(actual, expected, label) {
  assert.equal(actual.constructor, expected.constructor, label);
  const bytes = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);
  assert.ok(bytes(actual).equals(bytes(expected)), label);
}

/** Elements of which every sum is exact in any order: small numbers, for floats multiples of one eighth. */
function make(dtype, shape) {
  const Type = ARRAYS[dtype];
  const data = new Type(countOf(shape) * (dtype === 'c64' ? 2 : 1));
  const wide = Type === BigInt64Array;
  const scale = Type === Float32Array || Type === Float64Array ? 1 / 8 : 1;
  for (let i = 0; i < data.length; ++i) {
    const value = (Math.imul(i + 1, 2654435761) >>> 24) - 100;
    data[i] = wide ? BigInt(value) << 50n : value * scale;
  }
  return { data, shape, dtype };
}

/** The sums along the `summed` axes, one by one; the typed array rounds them. */
function naive({ data, shape, dtype }, summed) {
  const Type = ARRAYS[dtype];
  const parts = dtype === 'c64' ? 2 : 1;
  const sums = Array.from({ length: countOf(shape.map((extent, axis) => (summed[axis] ? 1 : extent))) * parts }, () =>
    Type === BigInt64Array ? 0n : 0,
  );
  const index = shape.map(() => 0);
  for (let i = 0; i < data.length; i += parts) {
    let at = 0;
    for (let axis = 0; axis < shape.length; ++axis) if (!summed[axis]) at = at * shape[axis] + index[axis];
    for (let part = 0; part < parts; ++part) sums[at * parts + part] += data[i + part];
    for (let axis = shape.length; axis-- > 0; index[axis] = 0) if (++index[axis] < shape[axis]) break;
  }
  return new Type(sums);
}

const LARGE = [
  [
    [3, 300_000],
    [1, 0],
  ], // more sums than there is room for
  [
    [300, 4_000],
    [1, 0],
  ],
  [
    [200_000, 5],
    [0, 1],
  ],
  [[900_000], [1]],
  [
    [3, 300_000],
    [0, 1],
  ],
  [
    [90, 100, 100],
    [0, 1, 0],
  ],
  [
    [70, 110, 120],
    [1, 0, 1],
  ],
  [
    [5, 60_000, 3],
    [1, 0, 1],
  ],
  [
    [4, 700, 3, 110],
    [1, 0, 1, 0],
  ],
  [
    [300, 3_000],
    [0, 0],
  ], // a copy
];

test('large arrays, along every kind of axes, of every type, in every way', () => {
  for (const [shape, summed] of LARGE) {
    const kept = shape.map((extent, axis) => (summed[axis] ? 1 : extent));
    for (const dtype of ['u8', 'i16', 'i32', 'i64', 'f32', 'f64', 'c64']) {
      const label = `${dtype} [${shape}] to [${kept}]`;
      const given = make(dtype, shape);
      const expected = naive(given, summed);
      same(bl.sumTo(given, kept).data, expected, label);
      if (dtype === 'i16' || dtype === 'f64') continue;
      // Into a view, whose surroundings are not changed.
      const whole = new ARRAYS[dtype](expected.length + 5);
      bl.sumTo(given, kept, { out: { data: whole.subarray(3, -2), shape: kept, dtype } });
      same(whole.subarray(3, -2), expected, `${label}, out`);
      assert.deepEqual([whole[2], whole.at(-2)], [whole[0], whole[0]], label);
      // In place, and from one place to another.
      const tensor = bl.tensor(given);
      const sums = bl.sumTo(tensor, kept);
      same(sums.read(), expected, `${label}, tensor`);
      sums.write(new ARRAYS[dtype](expected.length));
      assert.equal(bl.sumTo(given, kept, { out: sums }), sums);
      same(sums.read(), expected, `${label}, tensor as out`);
      const out = { data: new ARRAYS[dtype](expected.length), shape: kept, dtype };
      same(bl.sumTo(tensor, kept, { out }).data, expected, `${label}, out of a tensor`);
      tensor.dispose();
      sums.dispose();
    }
  }
});

test('floats give the same bits from typed arrays and from tensors', () => {
  for (const [shape, summed] of LARGE) {
    const kept = shape.map((extent, axis) => (summed[axis] ? 1 : extent));
    for (const Type of [Float32Array, Float64Array]) {
      const data = Type.from({ length: countOf(shape) }, (_, i) => Math.sin(i) * 10 ** (i % 17));
      const tensor = bl.tensor({ data, shape });
      const sums = bl.sumTo(tensor, kept);
      same(bl.sumTo({ data, shape }, kept).data, sums.read(), `[${shape}] to [${kept}]`);
      tensor.dispose();
      sums.dispose();
    }
  }
});

test('strided arrays are read segment by segment', () => {
  const [rows, columns] = [1_100, 700];
  const data = Float32Array.from({ length: rows * columns + 9 }, (_, i) => i % 251);
  const transposed = { data, shape: [columns, rows], stride: [1, columns], offset: 9 };
  const dense = Float32Array.from({ length: rows * columns }, (_, i) => {
    const [column, row] = [Math.floor(i / rows), i % rows];
    return data[9 + row * columns + column];
  });
  for (const shape of [[], [rows], [columns, 1], [columns, rows]]) {
    const expected = bl.sumTo({ data: dense, shape: [columns, rows] }, shape).data;
    same(bl.sumTo(transposed, shape).data, expected, `[${shape}]`);
  }
});

test('sums under the rules of other systems', () => {
  const given = make('i32', [40, 50, 600]);
  const want = (shape, summed, options) => same(bl.sumTo(given, shape, options).data, naive(given, summed));
  want([50], [1, 0, 1], { rule: 'pdpd', axis: 1 });
  want([40, 50], [0, 0, 1], { rule: 'pdpd', axis: 0 });
  want([40, 600], [0, 1, 0], { rule: 'explicit', axesMapping: [0, 2] });
  want([50, 1], [1, 0, 1], { rule: 'numpy' });
});

test('a large copy may be in place', () => {
  const given = make('f32', [300, 3_000]);
  const before = given.data.slice();
  assert.equal(bl.sumTo(given, [300, 3_000], { out: given }).data, given.data);
  same(given.data, before);
});

test('memory use is constant, whatever the size', async () => {
  // A separate module, whose memory has its initial size.
  const wasm = await readFile(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
  const own = await load({ wasm });
  own.sumTo(f32([1, 2]), []);
  const { bytes } = own.memory();
  const data = new Float32Array(1 << 25).fill(1);
  for (const [shape, sums, each] of [
    [[2, 1 << 24], [1 << 24], 2],
    [[1 << 24, 2], [1 << 24, 1], 2],
    [[1 << 25], [], 1 << 25],
    [[8, 64, 1 << 16], [64, 1], 8 << 16],
    [[1 << 12, 1 << 13], [1 << 13], 1 << 12],
    [[1 << 25], [1 << 25], 1],
  ]) {
    const result = own.sumTo({ data, shape }, sums).data;
    assert.ok(result.every((value) => value === each));
  }
  assert.equal(own.memory().bytes, bytes);
  assert.ok(bytes <= 4 << 20, `${bytes} bytes`);
});
