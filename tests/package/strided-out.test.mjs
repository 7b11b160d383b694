// Results into strides: every way of computing, types and layouts at random, compared with dense results; nothing but the
// result is written. Then results in place, beside operands in the same array, in a worker; and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { startWorker } from 'broadloom/worker';
import { ARRAYS, f32, fault } from './arrays.mjs';
import { randomOf } from './random-arrays.mjs';

const bl = await load();

/** Strides in which no two indices have the same element: any order of axes, reversed, with gaps. */
function layoutOf(below, shape) {
  const strides = new Array(shape.length).fill(0);
  const order = [...shape.keys()].sort(() => below(3) - 1);
  let step = 1;
  let offset = below(5);
  for (const axis of order) {
    strides[axis] = step * (1 + below(2));
    step = Math.abs(strides[axis]) * shape[axis] + below(4);
    if (below(3) > 0) continue;
    strides[axis] = -strides[axis];
    offset -= strides[axis] * Math.max(shape[axis] - 1, 0);
  }
  const most = shape.reduce((at, extent, axis) => at + Math.max(strides[axis] * (extent - 1), 0), offset);
  return { strides, offset, elements: most + 1 + below(3) };
}

const WIDTHS = { c64: 2, c128: 2 };

/** An \`out\` of that layout, filled with a value; and what it has to hold once \`dense\` was written to it. */
function outOf(layout, { data, shape, dtype }) {
  const width = WIDTHS[dtype] ?? 1;
  const filler = ARRAYS[dtype].name.startsWith('Big') ? 7n : 7;
  const empty = () => new ARRAYS[dtype](layout.elements * width).fill(filler);
  const wanted = empty();
  const index = shape.map(() => 0);
  for (let i = 0; i < data.length / width; ++i) {
    const at = index.reduce((sum, k, axis) => sum + k * layout.strides[axis], layout.offset);
    for (let k = 0; k < width; ++k) wanted[at * width + k] = data[i * width + k];
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; --axis) index[axis] = 0;
  }
  return { out: { data: empty(), shape, dtype, strides: layout.strides, offset: layout.offset }, wanted };
}

const SHAPES = [[], [1], [7], [3, 5], [2, 1, 4], [2, 3, 4], [60, 50], [300, 401], [5, 1, 700, 30]];

function filled(below, dtype, shape) {
  const count = shape.reduce((a, b) => a * b, WIDTHS[dtype] ?? 1);
  const isBig = ARRAYS[dtype].name.startsWith('Big');
  const data = ARRAYS[dtype].from({ length: count }, () => (isBig ? BigInt(below(9)) : below(9)));
  return { data, shape, dtype };
}

test('every way of computing writes the same elements as into a dense out, and no others', () => {
  const below = randomOf(1);
  let count = 0;
  for (const shape of SHAPES) {
    for (const dtype of ['f32', 'u8', 'f64', 'i64', 'f16', 'i16']) {
      const a = filled(below, dtype, shape);
      const b = filled(below, dtype, shape.slice(shape.length - below(shape.length + 1)));
      const dense = bl.add(a, b);
      const write = (what, call, result = dense) => {
        const layout = layoutOf(below, result.shape);
        const { out, wanted } = outOf(layout, result);
        const returned = call(out);
        assert.deepEqual(out.data, wanted, `${what} ${dtype} [${shape}] strides [${layout.strides}]`);
        assert.equal(returned.data.buffer, out.data.buffer, what);
        assert.deepEqual(bl.add(returned, returned).data, bl.add(result, result).data, what);
        ++count;
      };
      write('add', (out) => bl.add(a, b, { out }));
      const tensor = bl.tensor(b);
      write('add on a tensor', (out) => bl.add(a, tensor, { out }));
      const plan = bl.plan('Add', 'numpy', [a.shape, b.shape], [dtype, dtype]);
      write('a plan', (out) => plan.run([a, b], out));
      const box = shape.map((extent) => ({ begin: extent > 1 ? 1 : 0, end: extent }));
      write('a box', (out) => plan.runRegion(box, [a, b], out), plan.runRegion(box, [a, b]));
      const isF16 = dtype === 'f16';
      write('broadcast', (out) => bl.broadcast(b, { targetShape: shape, out }), bl.broadcastTo(b, shape));
      write('cast', (out) => bl.cast(b, isF16 ? 'f32' : 'f16', { out }), bl.cast(b, isF16 ? 'f32' : 'f16'));
      write('sumTo', (out) => bl.sumTo(a, b.shape, { out }), bl.sumTo(a, b.shape));
      const whole = bl.tensor(a);
      write('sumTo of a tensor', (out) => bl.sumTo(whole, b.shape, { out }), bl.sumTo(a, b.shape));
      for (const it of [tensor, plan, whole]) it.dispose();
    }
    for (const dtype of ['c64', 'c128', 'bf16', 'bool', 'f8e5m2']) {
      const a = filled(below, dtype, shape);
      const dense = { ...bl.broadcastTo(a, [2, ...shape]), dtype };
      const { out, wanted } = outOf(layoutOf(below, dense.shape), dense);
      bl.broadcast(a, { targetShape: dense.shape, out });
      assert.deepEqual(out.data, wanted, dtype);
    }
  }
  assert.ok(count > 400, String(count));
});

test('elements that are moved keep every bit, those of a signalling NaN, too', () => {
  const below = randomOf(2);
  const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
  let count = 0;
  for (const shape of SHAPES) {
    for (const dtype of ['f16', 'bf16', 'f32', 'f64', 'c64', 'c128', 'f8e5m2']) {
      const width = (WIDTHS[dtype] ?? 1) * ARRAYS[dtype].BYTES_PER_ELEMENT;
      const elements = shape.reduce((product, extent) => product * extent, 1);
      // Every second byte has all bits of an exponent, so most elements are a NaN.
      const bytes = Uint8Array.from({ length: elements * width }, (_, i) => (i % 2 ? 0x7f : below(256)));
      const target = [2, ...shape];
      const layout = layoutOf(below, shape);
      const at = (index, strides, offset) => index.reduce((sum, k, axis) => sum + k * strides[axis], offset);
      const strided = new Uint8Array(layout.elements * width);
      const outLayout = layoutOf(below, target);
      const wanted = new Uint8Array(outLayout.elements * width);
      const index = shape.map(() => 0);
      for (let i = 0; i < elements; ++i) {
        const element = bytes.subarray(i * width, (i + 1) * width);
        strided.set(element, at(index, layout.strides, layout.offset) * width);
        for (const k of [0, 1]) wanted.set(element, at([k, ...index], outLayout.strides, outLayout.offset) * width);
        for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; --axis) index[axis] = 0;
      }
      const from = { data: new ARRAYS[dtype](strided.buffer), shape, dtype, ...layout };
      const out = { data: new ARRAYS[dtype](wanted.length / ARRAYS[dtype].BYTES_PER_ELEMENT), shape: target, dtype };
      bl.broadcast(from, { targetShape: target, out: { ...out, ...outLayout } });
      assert.deepEqual(bytesOf(out.data), wanted, `${dtype} [${shape}]`);
      const dense = bl.broadcastTo(from, target).data;
      assert.deepEqual(bytesOf(dense).subarray(0, bytes.length), bytes, `${dtype} [${shape}] dense`);
      ++count;
    }
  }
  assert.equal(count, 7 * SHAPES.length);
});

test('results of each operand go to strides of their own', () => {
  const out = [
    { data: new Float32Array(12), shape: [2, 3], stride: [6, 2] },
    { data: new Float32Array(6), shape: [2, 3], stride: [1, 2] },
  ];
  bl.apply('Broadcast', [f32([1, 2, 3]), f32([4, 5], [2, 1])], { rule: 'sonnx', out });
  assert.deepEqual([...out[0].data], [1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 3, 0]);
  assert.deepEqual([...out[1].data], [4, 5, 4, 5, 4, 5]);
});

test('out may be an operand of the same strides, or lie in another part of its array', () => {
  for (const rows of [4, 30_000]) {
    const data = Float32Array.from({ length: rows * 10 }, (_, i) => i % 1000);
    const before = data.slice();
    const part = (begin, end, columns) => ({
      data,
      shape: [end - begin, columns],
      strides: [10, 1],
      offset: begin * 10 + 3,
    });
    const half = rows / 2;
    bl.add(part(0, half, 4), part(0, half, 4), { out: part(0, half, 4) });
    bl.mul(part(0, half, 4), f32([0.5]), { out: part(half, rows, 4) });
    for (let i = 0; i < data.length; ++i) {
      const inside = i % 10 >= 3 && i % 10 < 7;
      const row = Math.floor(i / 10);
      const wanted = !inside ? before[i] : row < half ? 2 * before[i] : before[i - half * 10];
      assert.equal(data[i], wanted);
    }
  }
});

test('an out that overlaps an operand otherwise, or itself, is refused, and nothing is written', () => {
  const data = Float32Array.from({ length: 40 }, (_, i) => i);
  const before = data.slice();
  const view = (shape, strides, offset) => ({ data, shape, strides, offset });
  const refuse = (out, a, fields) => {
    fault(() => bl.add(a, a, { out }), { code: 'overlap', op: 'Add', operand: -3, ...fields });
    const plan = bl.plan('Add', 'numpy', [a.shape, a.shape], ['f32', 'f32']);
    fault(() => plan.run([a, a], out), { code: 'overlap', operand: -3, ...fields });
    plan.dispose();
    assert.deepEqual(data, before);
  };
  const block = view([3, 4], [10, 1], 0);
  refuse(view([3, 4], [10, 1], 1), block, { detail: null, otherOperand: 0 });
  refuse(view([3, 4], [10, 2], 0), block, { detail: null, otherOperand: 0 });
  refuse(view([3, 4], [-10, 1], 20), block, { detail: null, otherOperand: 0 });
  const apart = f32(
    Array.from({ length: 12 }, () => 1),
    [3, 4],
  );
  const twice = (out, operandAxis, extent, otherExtent) =>
    refuse(out, apart, { detail: 'strides', operandAxis, extent, otherExtent });
  twice(view([3, 4], [0, 1], 0), 0, 0, 1);
  twice(view([3, 4], [3, 1], 0), 0, 3, 4);
  twice(view([3, 4], [-3, 1], 9), 0, -3, 4);
  twice(view([3, 4], [1, 2], 0), 1, 2, 3);
  twice(view([3, 4], [5, 5], 0), 0, 5, 16);
  fault(() => bl.add(apart, apart, { out: view([3, 4], [30, 1], 0) }), { code: 'length', operand: -3 });
  fault(() => bl.add(apart, apart, { out: view([4, 3], [3, 1], 0) }), { code: 'incompatible', detail: 'output' });
  assert.deepEqual(data, before);
  // One index has any stride, and no elements have any.
  const one = f32([1]);
  bl.add(one, one, { out: view([1], [0], 5) });
  assert.equal(data[5], 2);
  bl.add(f32([], [0, 2]), f32([], [0, 2]), { out: { data: new Float32Array(0), shape: [0, 2], strides: [0, 0] } });
});

test('an empty result has the type of its out, whatever the strides', () => {
  for (const [dtype, Class] of Object.entries(ARRAYS)) {
    for (const shape of [[0], [0, 3]]) {
      const input = { data: new Class(0), shape, dtype };
      const dense = { data: new Class(0), shape, dtype };
      const places = /^[iu][14]$/.test(dtype) ? [{}] : [{}, { strides: shape.map(() => 1) }, { offset: 1 }];
      for (const place of places) {
        const out = Object.keys(place).length === 0 ? dense : { ...dense, data: new Class(6), ...place };
        const result = bl.broadcast(input, { targetShape: shape, out });
        assert.ok(result.data instanceof Class, `${dtype} ${JSON.stringify(place)}`);
        assert.equal(result.data.length, 0);
      }
    }
  }
});

test('packed elements have no strides, as operands have none', () => {
  const out = { data: new Uint8Array(8), shape: [4], strides: [2], dtype: 'u4' };
  const bits = { data: new Uint8Array(2), shape: [4], dtype: 'u4' };
  fault(() => bl.broadcast(bits, { targetShape: [4], out }), { code: 'dtype', operand: -3, dtype: 'u4' });
});

test('a worker writes strides in shared or moved memory, and refuses to copy an out back', async () => {
  const worker = await startWorker();
  const a = f32([1, 2, 3]);
  const shared = { data: new Float32Array(new SharedArrayBuffer(24)), shape: [3], strides: [2] };
  await worker.apply('Add', [a, a], { out: shared });
  assert.deepEqual([...shared.data], [2, 0, 4, 0, 6, 0]);
  const moved = { data: new Float32Array(6).fill(9), shape: [3], strides: [-2], offset: 4 };
  const result = await worker.apply('Add', [f32([1, 2, 3]), f32([1, 2, 3])], { out: moved, transfer: true });
  assert.deepEqual([...result.data], [6, 9, 4, 9, 2, 9]);
  assert.deepEqual([...bl.add(result, f32([0])).data], [2, 4, 6]);
  const copied = { data: new Float32Array(6), shape: [3], strides: [2] };
  await assert.rejects(worker.apply('Add', [a, a], { out: copied }), { code: 'dtype', detail: 'unsupported' });
  const dense = { data: new Float32Array(3), shape: [3], strides: [1] };
  await worker.apply('Add', [a, a], { out: dense });
  assert.deepEqual([...dense.data], [2, 4, 6]);
  worker.terminate();
});
