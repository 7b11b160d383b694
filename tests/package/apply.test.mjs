// Operators on typed arrays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { array, ARRAYS, bool, f32, f64, fault, i32, plain, u8 } from './arrays.mjs';

const bl = await load();

test('every operator has a method and a name', () => {
  const a = f32([1, 2, 3, 4, 5, 6], [2, 3]);
  const b = f32([10, 20, 30]);
  const sum = { data: [11, 22, 33, 14, 25, 36], shape: [2, 3], dtype: 'f32' };
  assert.deepEqual(plain(bl.add(a, b)), sum);
  assert.deepEqual(plain(bl.apply('Add', [a, b])), sum);
  for (const { method } of Object.values(bl.vocabulary.ops)) assert.equal(typeof bl[method], 'function', method);
});

test('each operator computes', () => {
  const a = i32([7, -7, 3]);
  const b = i32([2]);
  const want = (result, data, dtype = 'i32') => assert.deepEqual(plain(result), { data, shape: [3], dtype });
  want(bl.sub(a, b), [5, -9, 1]);
  want(bl.mul(a, b), [14, -14, 6]);
  want(bl.div(a, b), [3, -3, 1]);
  want(bl.div(a, i32([0])), [0, 0, 0]);
  want(bl.mod(a, b), [1, 1, 1]);
  want(bl.mod(a, b, { attrs: { fmod: 1 } }), [1, -1, 1]);
  want(bl.pow(a, b), [49, 49, 9]);
  want(bl.pow(a, f32([2])), [49, 49, 9]);
  want(bl.squaredDifference(a, b), [25, 81, 1]);
  want(bl.max([a, b]), [7, 2, 3]);
  want(bl.min([a, b, i32([0])]), [0, -7, 0]);
  want(bl.equal(a, i32([3])), [0, 0, 1], 'bool');
  want(bl.notEqual(a, i32([3])), [1, 1, 0], 'bool');
  want(bl.less(a, b), [0, 1, 0], 'bool');
  want(bl.lessOrEqual(a, i32([3])), [0, 1, 1], 'bool');
  want(bl.greater(a, b), [1, 0, 1], 'bool');
  want(bl.greaterOrEqual(a, i32([3])), [1, 0, 1], 'bool');
  want(bl.and(bool([1, 0, 5]), bool([1])), [1, 0, 1], 'bool');
  want(bl.or(bool([1, 0, 5]), bool([0])), [1, 0, 1], 'bool');
  want(bl.xor(bool([1, 0, 5]), bool([1])), [0, 1, 0], 'bool');
  want(bl.bitwiseAnd(a, i32([6])), [6, 0, 2]);
  want(bl.bitwiseOr(a, i32([8])), [15, -7, 11]);
  want(bl.bitwiseXor(a, i32([1])), [6, -8, 2]);
  want(bl.bitShift(u8([1, 2, 3]), u8([7]), { attrs: { direction: 'left' } }), [128, 0, 128], 'u8');
  want(bl.bitShift(u8([255, 2, 3]), u8([1]), { attrs: { direction: 'right' } }), [127, 1, 1], 'u8');
  want(bl.prelu(a, b), [7, -14, 3]);
  want(bl.where(bool([1, 0, 1]), a, i32([0])), [7, 0, 3]);
  want(bl.sum([f32([1, 2, 3]), f32([10]), f32([100])]), [111, 112, 113], 'f32');
  want(bl.mean([f64([1, 2, 3]), f64([3])]), [2, 2.5, 3], 'f64');
  want(bl.mod(f32([5.5, -5.5, 1]), f32([2]), { attrs: { fmod: 1 } }), [1.5, -1.5, 1], 'f32');
});

test('Broadcast takes every element type', () => {
  for (const { name, bits } of Object.values(bl.vocabulary.dtypes)) {
    const { data } = bl.broadcastTo(array(Uint8Array, [255], [1], 'bool'), [1]);
    assert.equal(data.length, 1);
    const Type = ARRAYS[name];
    const bytes = Math.ceil((3 * bits) / 8);
    const source = { data: new Type(bytes / Type.BYTES_PER_ELEMENT), shape: [3, 1], dtype: name };
    new Uint8Array(source.data.buffer).forEach((_, i, all) => (all[i] = 1 + i));
    const result = bl.broadcastTo(source, [3, 2]);
    assert.equal(result.dtype, name);
    assert.deepEqual(result.shape, [3, 2]);
    assert.ok(result.data instanceof Type, name);
    assert.equal(result.data.byteLength, bl.countBytes([3, 2], name), name);
    if (bits >= 8) {
      const size = bits / 8;
      const from = new Uint8Array(source.data.buffer);
      const to = new Uint8Array(result.data.buffer);
      for (let i = 0; i < to.length; ++i) assert.equal(to[i], from[Math.floor(i / 2 / size) * size + (i % size)], name);
    }
  }
  assert.deepEqual([...bl.broadcastTo(array(Uint8Array, [0x21], [2, 1], 'u4'), [2, 2]).data], [0x11, 0x22]);
  assert.deepEqual(
    [...bl.broadcastTo(array(Uint8Array, [0b10100000], [3, 1], 'u1'), [3, 3]).data],
    [0b11100011, 0b10000000],
  );
});

test('the type is that of the typed array, or dtype', () => {
  for (const [name, Type] of Object.entries(ARRAYS).slice(1, 9)) {
    const values = Type.name.startsWith('Big') ? [1n, 2n] : [1, 2];
    assert.equal(bl.add(array(Type, values), array(Type, values)).dtype, name);
  }
  const halves = array(Uint16Array, [0x3c00, 0x4000], [2], 'f16');
  assert.deepEqual(plain(bl.add(halves, halves)), { data: [0x4000, 0x4400], shape: [2], dtype: 'f16' });
  const brains = array(Uint16Array, [0x3f80, 0x4000], [2], 'bf16');
  assert.deepEqual(plain(bl.add(brains, brains)), { data: [0x4000, 0x4080], shape: [2], dtype: 'bf16' });
  assert.equal(bl.add(array(Uint16Array, [1]), array(Uint16Array, [2])).dtype, 'u16');
});

test('rules are selected by options, with their own options', () => {
  const a = f32([1, 2, 3, 4, 5, 6], [2, 3]);
  assert.deepEqual([...bl.add(a, f32([10, 20]), { rule: 'pdpd', axis: 0 }).data], [11, 12, 13, 24, 25, 26]);
  assert.deepEqual([...bl.apply('Add', [a, f32([10, 20])], { rule: 'pdpd', axis: 0n }).data], [11, 12, 13, 24, 25, 26]);
  fault(() => bl.add(a, f32([10, 20])), { code: 'incompatible', op: 'Add', rule: 'onnx_multidirectional' });
  fault(() => bl.add(a, f32([1, 1, 1]), { rule: 'none' }), { code: 'incompatible', rule: 'none' });
  fault(() => bl.prelu(f32([1]), f32([1, 2])), { code: 'incompatible', rule: 'onnx_unidirectional' });
});

test('broadcast and broadcastTo', () => {
  const a = f32([1, 2], [2, 1]);
  assert.deepEqual(plain(bl.broadcastTo(a, [2, 3])), { data: [1, 1, 1, 2, 2, 2], shape: [2, 3], dtype: 'f32' });
  assert.deepEqual([...bl.broadcast(a, { targetShape: [2, 2] }).data], [1, 1, 2, 2]);
  assert.deepEqual(bl.broadcast(a, { mode: 'bidirectional', targetShape: [3, 1, 2] }).shape, [3, 2, 2]);
  const explicit = bl.broadcast(i32([1, 2]), { mode: 'explicit', targetShape: [2, 3], axesMapping: [0] });
  assert.deepEqual(plain(explicit), { data: [1, 1, 1, 2, 2, 2], shape: [2, 3], dtype: 'i32' });
  fault(() => bl.broadcast(a, { mode: 'pdpd', targetShape: [2] }), { code: 'unknown', detail: 'rule' });
  fault(() => bl.broadcast(a), { code: 'attribute', detail: 'missing' });
  fault(() => bl.broadcastTo(a, [3]), { code: 'rank' });
  fault(() => bl.broadcastTo(a, [-1, 2]), { code: 'negative_dim' });
  fault(() => bl.broadcast(a, { targetShape: [2, 2], axesMapping: [0, 1] }), {
    code: 'axes_mapping',
    detail: 'unexpected',
  });
});

test('broadcastArrays returns several arrays in their common shape', () => {
  const [x, y, z] = bl.broadcastArrays(f32([1, 2], [2, 1]), array(BigInt64Array, [7n, 8n, 9n]), bool([1], []));
  assert.deepEqual(plain(x), { data: [1, 1, 1, 2, 2, 2], shape: [2, 3], dtype: 'f32' });
  assert.deepEqual(plain(y), { data: [7n, 8n, 9n, 7n, 8n, 9n], shape: [2, 3], dtype: 'i64' });
  assert.deepEqual(plain(z), { data: [1, 1, 1, 1, 1, 1], shape: [2, 3], dtype: 'bool' });
  fault(() => bl.broadcastArrays(f32([1, 2]), f64([1, 2, 3])), { code: 'incompatible', rule: 'sonnx', operand: 1 });
  fault(() => bl.broadcastArrays(f32([1, 2]), { data: new Float32Array(1), shape: [2] }), {
    code: 'length',
    operand: 1,
  });
});

test('sonnx returns a result for each operand', () => {
  for (const options of [{}, { promote: 'numpy2' }]) {
    const mixed = [array(Uint16Array, [515], [1, 1]), bool([1, 0, 1], [1, 1, 3]), f64([0.5, -2], [2, 1, 1]), 7, true];
    const results = bl.apply('Broadcast', mixed, { rule: 'sonnx', ...options });
    const shape = [2, 1, 3];
    assert.deepEqual(results.map(plain), [
      { data: [515, 515, 515, 515, 515, 515], shape, dtype: 'u16' },
      { data: [1, 0, 1, 1, 0, 1], shape, dtype: 'bool' },
      { data: [0.5, 0.5, 0.5, -2, -2, -2], shape, dtype: 'f64' },
      { data: [7, 7, 7, 7, 7, 7], shape, dtype: 'f64' },
      { data: [1, 1, 1, 1, 1, 1], shape, dtype: 'bool' },
    ]);
  }
  assert.equal(bl.apply('Broadcast', [f32([1])], { rule: 'sonnx' }).length, 1);
  const out = [f32([0, 0, 0, 0], [2, 2]), f32([0, 0, 0, 0], [2, 2])];
  const results = bl.apply('Broadcast', [f32([1, 2]), f32([3, 4], [2, 1])], { rule: 'sonnx', out });
  assert.deepEqual([...out[0].data], [1, 2, 1, 2]);
  assert.equal(results[1].data, out[1].data);
  assert.deepEqual([...out[1].data], [3, 3, 4, 4]);
});

test('the result is written to out', () => {
  const a = f32([1, 2, 3]);
  const buffer = new Float32Array(5).fill(9);
  const out = { data: buffer.subarray(1, 4), shape: [3] };
  const result = bl.add(a, f32([10]), { out });
  assert.equal(result.data, out.data);
  assert.deepEqual([...buffer], [9, 11, 12, 13, 9]);
  const flags = bool([9, 9, 9]);
  bl.less(a, f32([2]), { out: flags });
  assert.deepEqual([...flags.data], [1, 0, 0]);
});

test('a result may replace an operand, but not partly overlap one', () => {
  const a = f32([1, 2, 3]);
  bl.add(a, f32([10]), { out: a });
  assert.deepEqual([...a.data], [11, 12, 13]);
  bl.mul(a, a, { out: a });
  assert.deepEqual([...a.data], [121, 144, 169]);
  const flags = u8([1, 2, 3]);
  bl.less(flags, u8([2]), { out: { ...flags, dtype: 'bool' } });
  assert.deepEqual([...flags.data], [1, 0, 0]);

  const buffer = new Float32Array([1, 2, 3, 4]);
  const first = { data: buffer.subarray(0, 3), shape: [3] };
  const last = { data: buffer.subarray(1, 4), shape: [3] };
  const before = [...buffer];
  fault(() => bl.add(first, f32([1]), { out: last }), { code: 'overlap', operand: -3, otherOperand: 0 });
  fault(() => bl.add(f32([1]), first, { out: last }), { code: 'overlap', otherOperand: 1 });
  // The same memory with another shape is read and written in different orders.
  const square = f32([1, 2, 3, 4], [4, 1]);
  fault(() => bl.add(square, f32([1, 2, 3, 4], [1, 1]), { out: { ...square, shape: [1, 4] } }), { code: 'length' });
  const one = f32([5], [1]);
  fault(() => bl.add(one, f32([1], [1, 1]), { out: { ...one, shape: [1, 1] } }), { code: 'overlap' });
  fault(() => bl.apply('Broadcast', [f32([1]), f32([2])], { rule: 'sonnx', out: [one, one] }), {
    code: 'overlap',
    otherOperand: -3,
  });
  assert.deepEqual([...buffer], before);
});

test('nothing is written if anything is wrong', () => {
  const out = f32([7, 7, 7]);
  const calls = [
    () => bl.add(f32([1, 2]), f32([1, 2, 3]), { out }),
    () => bl.add(f32([1, 2, 3]), { data: new Float32Array(2), shape: [3] }, { out }),
    () => bl.add(f32([1, 2, 3, 4]), f32([1]), { out }),
    () => bl.add(f32([1, 2, 3], [1, 3]), f32([1]), { out }),
    () => bl.add(f64([1, 2, 3]), f64([1]), { out }),
    () => bl.add(f32([1, 2, 3]), f64([1]), { out }),
  ];
  for (const call of calls) fault(call, {});
  assert.deepEqual([...out.data], [7, 7, 7]);
  fault(calls[2], { code: 'incompatible', detail: 'output', operand: -3, extent: 3, otherExtent: 4 });
  fault(calls[3], { code: 'incompatible', detail: 'output', operand: -3 });
  fault(calls[4], { code: 'dtype', detail: 'output', dtype: 'f32', otherDtype: 'f64' });
  fault(() => bl.add(f32([1, 2, 3]), f32([1]), { out: { data: new Float32Array(4), shape: [3] } }), {
    code: 'length',
    operand: -3,
    extent: 16,
    otherExtent: 12,
  });
  fault(() => bl.apply('Broadcast', [f32([1])], { rule: 'sonnx', out: [] }), { code: 'arity', operand: -3 });
  fault(() => bl.apply('Broadcast', [f32([1])], { rule: 'sonnx', out: f32([1]) }), { code: 'arity' });
});

test('views at any offset, and shared memory', () => {
  const buffer = new ArrayBuffer(64);
  const a = { data: new Float32Array(buffer, 12, 3), shape: [3] };
  a.data.set([1, 2, 3]);
  assert.deepEqual([...bl.add(a, f32([1])).data], [2, 3, 4]);
  const bytes = { data: new Uint8Array(buffer, 3, 3), shape: [3] };
  bytes.data.set([1, 2, 3]);
  assert.deepEqual([...bl.add(bytes, u8([1])).data], [2, 3, 4]);

  const shared = { data: new Float32Array(new SharedArrayBuffer(16)), shape: [4] };
  shared.data.set([1, 2, 3, 4]);
  const result = bl.add(shared, f32([1]));
  assert.deepEqual([...result.data], [2, 3, 4, 5]);
  assert.ok(result.data.buffer instanceof ArrayBuffer);
  bl.add(shared, f32([1]), { out: shared });
  assert.deepEqual([...shared.data], [2, 3, 4, 5]);
});

test('detached and shrunken memory is an error of length', () => {
  const a = f32([1, 2, 3]);
  structuredClone(a.data.buffer, { transfer: [a.data.buffer] });
  fault(() => bl.add(a, f32([1])), { code: 'length', operand: 0, extent: 0, otherExtent: 12 });
  fault(() => bl.add(f32([1, 2, 3]), f32([1]), { out: a }), { code: 'length', operand: -3 });
  const resizable = new ArrayBuffer(12, { maxByteLength: 12 });
  const b = { data: new Float32Array(resizable), shape: [3] };
  resizable.resize(4);
  fault(() => bl.add(b, f32([1])), { code: 'length', extent: 4 });
});

test('detached memory is accepted for arrays without elements', () => {
  const detached = () => {
    const data = new Float32Array(0);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    return { data, shape: [0] };
  };
  const empty = { data: [], shape: [0], dtype: 'f32' };
  assert.deepEqual(plain(bl.add(detached(), f32([1]))), empty);
  const out = detached();
  assert.equal(bl.add(f32([], [0]), f32([1]), { out }).data, out.data);
  // Reading a later argument may detach the memory of an earlier one.
  const a = f32([1, 2]);
  const b = {
    data: new Float32Array(1),
    get shape() {
      structuredClone(a.data.buffer, { transfer: [a.data.buffer] });
      return [1];
    },
  };
  fault(() => bl.add(a, b), { code: 'length', operand: 0, extent: 0, otherExtent: 8 });
});

test("properties that hide a typed array's real memory are ignored", () => {
  const lie = (data, fields) => {
    for (const [name, value] of Object.entries(fields)) Object.defineProperty(data, name, { value });
    return data;
  };
  class Liar extends Float32Array {
    get byteLength() {
      return 1e9;
    }
    get byteOffset() {
      return -4;
    }
    get buffer() {
      return new ArrayBuffer(1);
    }
  }
  assert.deepEqual([...bl.add({ data: new Liar([1, 2]), shape: [2] }, f32([1])).data], [2, 3]);
  const long = lie(new Float32Array([1, 2]), { byteLength: 12 });
  fault(() => bl.add({ data: long, shape: [3] }, f32([1])), { code: 'length', extent: 8, otherExtent: 12 });
  // All results are written, or none.
  const first = f32([7, 7]);
  const second = { data: lie(new Float32Array([7, 7]), { byteOffset: 1e9 }), shape: [2] };
  bl.apply('Broadcast', [f32([1, 2]), f32([3])], { rule: 'sonnx', out: [first, second] });
  assert.deepEqual([...first.data, ...second.data], [1, 2, 3, 3]);
  const out = f32([1, 2, 3, 4], [2, 2]);
  const hidden = { data: lie(out.data.subarray(0, 2), { buffer: new ArrayBuffer(8) }), shape: [2] };
  fault(() => bl.add(hidden, f32([1, 2], [2, 1]), { out }), { code: 'overlap', otherOperand: 0 });
});

test('subclasses whose subarray returns something else are read correctly', () => {
  class Liar extends Float32Array {
    static get [Symbol.species]() {
      return Array;
    }
    subarray() {
      return [];
    }
  }
  // Long rows in reverse order, which are moved a row at a time.
  const values = Float32Array.from({ length: 200 }, (_, i) => i + 1);
  const turned = [...values.subarray(100), ...values.subarray(0, 100)];
  const strided = { data: new Liar(values), shape: [2, 100], strides: [-100, 1], offset: 100 };
  assert.deepEqual([...bl.add(strided, f32([0])).data], turned);
  assert.deepEqual([...bl.sumTo(strided, [2, 100]).data], turned);
  assert.deepEqual([...parseNpy(formatNpy(strided)).data], turned);
});

test('empty arrays and scalars', () => {
  assert.deepEqual(plain(bl.add(f32([], [0, 3]), f32([1]))), { data: [], shape: [0, 3], dtype: 'f32' });
  assert.deepEqual(plain(bl.add(f32([], [0]), f32([], [0]))), { data: [], shape: [0], dtype: 'f32' });
  assert.deepEqual(plain(bl.add(f32([1], []), f32([2], []))), { data: [3], shape: [], dtype: 'f32' });
  assert.deepEqual(bl.broadcastTo(f32([1], [1]), [0, 5]).shape, [0, 5]);
  const [x] = bl.broadcastArrays(f32([], [0, 1]), f32([1, 2]));
  assert.deepEqual(x.shape, [0, 2]);
});

test('many axes and many operands', () => {
  const rank = 16;
  const shape = (odd) => Array.from({ length: rank }, (_, i) => (i % 2 === odd ? 2 : 1));
  const a = f32(
    Float32Array.from({ length: 256 }, (_, i) => i),
    shape(0),
  );
  const b = f32(
    Float32Array.from({ length: 256 }, (_, i) => 1000 * i),
    shape(1),
  );
  const { data, shape: result } = bl.add(a, b);
  assert.deepEqual(result, Array(rank).fill(2));
  for (const cell of [0, 1, 2, 12345, 65535]) {
    let [i, j] = [0, 0];
    for (let axis = 0; axis < rank; ++axis) {
      const bit = (cell >> (rank - 1 - axis)) & 1;
      if (axis % 2 === 0) i = 2 * i + bit;
      else j = 2 * j + bit;
    }
    assert.equal(data[cell], i + 1000 * j);
  }
  const forty = Array.from({ length: 40 }, (_, i) => f32([i, 0 - i]));
  assert.deepEqual([...bl.sum(forty).data], [780, -780]);
  assert.deepEqual([...bl.max(forty).data], [39, 0]);
  assert.deepEqual([...bl.min(forty).data], [0, -39]);
  assert.deepEqual([...bl.mean(forty).data], [19.5, -19.5]);
  assert.equal(bl.broadcastArrays(...forty).length, 40);
});

test('arguments are not changed', () => {
  const a = Object.freeze({ data: new Float32Array([1, 2]), shape: Object.freeze([2]) });
  const result = bl.add(a, a, Object.freeze({}));
  result.shape.push(5);
  assert.deepEqual(a.shape, [2]);
  assert.deepEqual([...a.data], [1, 2]);
  assert.notEqual(bl.broadcastTo(a, [2]).data, a.data);
});

test('a getter may call the package', () => {
  const a = {
    get data() {
      return bl.add(f32([1, 2]), f32([1])).data;
    },
    get shape() {
      return [bl.inferShape('numpy', [[2], [1]])[0]];
    },
  };
  assert.deepEqual([...bl.add(a, f32([10])).data], [12, 13]);
});
