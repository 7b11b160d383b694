// Arrays of every form in operators: as operands, mixed, and as results; hostile objects are rejected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import ndarray from 'ndarray';
import { Tensor as OrtTensor } from 'onnxruntime-common';
import { bool, f32, f64, fault, i32, u8 } from './arrays.mjs';

const bl = await load();
const F = (...values) => new Float32Array(values);

const given = () => ({
  array: f32([1, 2, 3, 4, 5, 6], [2, 3]),
  strided: ndarray(F(1, 4, 2, 5, 3, 6), [3, 2]).transpose(1, 0),
  zarr: { data: F(1, 2, 3, 4, 5, 6), shape: [2, 3], stride: [3, 1] },
  stdlib: {
    data: F(1, 2, 3, 4, 5, 6),
    shape: [2, 3],
    strides: [3, 1],
    offset: 0,
    order: 'row-major',
    dtype: 'float32',
  },
  onnx: new OrtTensor('float32', F(1, 2, 3, 4, 5, 6), [2, 3]),
  nested: [
    [1, 2, 3],
    [4, 5, 6],
  ],
});

/** The contents of a result of any form. */
function valuesOf(result) {
  return Array.isArray(result) ? result.flat(9).map(Number) : [...result.data];
}

test('every form combines with every other, and results have the requested form', () => {
  const expected = [2, 4, 6, 8, 10, 12];
  for (const [name, a] of Object.entries(given())) {
    for (const [other, b] of Object.entries(given())) {
      const label = `${name} and ${other}`;
      assert.deepEqual([...bl.add(a, b).data], expected, label);
      const first = bl.add(a, b, { as: 'first' });
      assert.deepEqual(valuesOf(first), expected, label);
      assert.equal(Array.isArray(first), name === 'nested', label);
      for (const as of ['array', 'strided', 'zarr', 'stdlib', 'onnx', 'nested']) {
        const result = bl.add(a, b, { as });
        assert.deepEqual(valuesOf(result), expected, `${label} as ${as}`);
        assert.equal(Array.isArray(result), as === 'nested', `${label} as ${as}`);
        assert.deepEqual(
          as === 'nested' ? [result.length, result[0].length] : [...(result.shape ?? result.dims)],
          [2, 3],
        );
        // A result is accepted as an operand.
        assert.deepEqual([...bl.add(result, 0).data], expected, `${label} as ${as}, again`);
      }
    }
  }
  const { onnx, strided, nested } = given();
  assert.ok(bl.add(onnx, strided, { as: 'first' }) instanceof OrtTensor);
  assert.ok(bl.add(onnx, nested, { as: 'onnx' }) instanceof OrtTensor);
  assert.equal(bl.add(strided, onnx, { as: 'first' }).stride.join(), '3,1');
});

test("a library's class makes only arrays of that library", () => {
  const { onnx, strided } = given();
  assert.deepEqual(Object.keys(bl.add([1, 2], [3, 4], { as: 'onnx' })), ['type', 'data', 'dims']);
  assert.equal(bl.add([1, 2], [3, 4], { as: 'stdlib' }).order, 'row-major');
  assert.deepEqual(bl.add(strided, strided, { as: 'onnx' }).dims, [2, 3]);
  assert.deepEqual(bl.add(onnx, onnx, { as: 'stdlib' }).strides, [3, 1]);
  class Own {
    data = F(1, 2);
    shape = [2];
  }
  assert.deepEqual(bl.add(new Own(), 1, { as: 'onnx' }).dims, [2]);
  assert.deepEqual(bl.add(new Own(), 1, { as: 'first' }), { data: F(2, 3), shape: [2], dtype: 'f32' });
});

test('several results are returned in one form each', () => {
  const results = bl.apply('Broadcast', [[1, 2], f32([7], [1, 1])], { rule: 'sonnx', as: 'nested' });
  assert.deepEqual(results, [[[1, 2]], [[7, 7]]]);
});

test('arrays of any form are broadcast to a common shape and keep their types', () => {
  const tensor = bl.tensor(f32([9]));
  const results = bl.broadcastArrays([1, 2], 3, true, 4n, f32([5], [1, 1]), given().onnx.reshape([3, 2]), tensor);
  assert.deepEqual(
    results.map(({ dtype }) => dtype),
    ['f64', 'f64', 'bool', 'i64', 'f32', 'f32', 'f32'],
  );
  for (const { shape } of results) assert.deepEqual([...shape], [3, 2]);
  assert.deepEqual([...results[0].data], [1, 2, 1, 2, 1, 2]);
  assert.deepEqual([...results[3].data], [4n, 4n, 4n, 4n, 4n, 4n]);
  assert.deepEqual([...results[6].read()], [9, 9, 9, 9, 9, 9]);
  const again = bl.broadcastArrays(given().strided, [0]);
  assert.deepEqual([...again[0].data], [1, 2, 3, 4, 5, 6]);
  tensor.dispose();
  results[6].dispose();
});

test('values of `as` that cannot be used', () => {
  const a = f32([1, 2]);
  fault(() => bl.add(a, a, { as: 'numpy' }), { code: 'unknown', op: 'Add' });
  fault(() => bl.add(a, a, { as: 5 }), { code: 'unknown', op: 'Add' });
  for (const as of ['nested', 'onnx'])
    fault(() => bl.add(a, a, { as, out: f32([0, 0]) }), { code: 'attribute', op: 'Add' });
  const out = f32([0, 0]);
  assert.equal(bl.add([1, 2], a, { as: 'first', out }).data, out.data);
  const half = { data: new Uint16Array(2), shape: [2], dtype: 'bf16' };
  fault(() => bl.add(half, half, { as: 'onnx' }), { code: 'dtype', op: 'Add', operand: -3, dtype: 'bf16' });
  assert.deepEqual(bl.add(half, half, { as: 'nested' }), [0, 0]);
});

test('out may have any form', () => {
  const a = f32([1, 2, 3, 4, 5, 6], [2, 3]);
  for (const name of ['array', 'zarr', 'stdlib', 'onnx']) {
    const out = given()[name];
    assert.equal(bl.mul(a, a, { out }).data, out.data, name);
    assert.deepEqual([...out.data], [1, 4, 9, 16, 25, 36], name);
  }
  const within = ndarray(new Float32Array(9), [2, 3], [3, 1], 2);
  bl.mul(a, a, { out: within });
  assert.deepEqual([...within.data], [0, 0, 1, 4, 9, 16, 25, 36, 0]);
  const refused = (out) => fault(() => bl.mul(a, a, { out }), { code: 'dtype', op: 'Mul', operand: -3 });
  const { strided } = given();
  bl.mul(a, a, { out: strided });
  assert.deepEqual([...strided.data], [1, 16, 4, 25, 9, 36]);
  const apart = { data: new Float32Array(12), shape: [2, 3], strides: [6, 2], offset: 0 };
  bl.mul(a, a, { out: apart });
  assert.deepEqual([...apart.data], [1, 0, 4, 0, 9, 0, 16, 0, 25, 0, 36, 0]);
  const reversed = { data: new Float32Array(6), shape: [2, 3], stride: [-3, 1], offset: 3 };
  bl.mul(a, a, { out: reversed });
  assert.deepEqual([...reversed.data], [16, 25, 36, 1, 4, 9]);
  refused(given().nested);
  refused(5);
});

test('a Uint8ClampedArray is u8, also as a result', () => {
  const clamped = { data: new Uint8ClampedArray([1, 200, 255]), shape: [3] };
  const bytes = u8([1, 200, 255]);
  const got = bl.mul(clamped, bytes);
  assert.deepEqual([got.dtype, got.data], ['u8', bl.mul(bytes, bytes).data]);
  assert.deepEqual([...bl.sub(clamped, u8([2])).data], [255, 198, 253]); // wraps, like all u8
  assert.equal(bl.resultType(clamped), 'u8');
  const out = { data: new Uint8ClampedArray(5).subarray(1, 4), shape: [3] };
  const result = bl.add(clamped, bytes, { out });
  assert.deepEqual([...out.data], [2, 144, 254]);
  assert.deepEqual([result.data, result.data.buffer], [new Uint8Array([2, 144, 254]), out.data.buffer]);
  bl.add(out, bytes, { out });
  assert.deepEqual([...out.data], [3, 88, 253]);
  const plan = bl.plan('Add', 'numpy', [[3], [3]], ['u8', 'u8']);
  plan.run([clamped.data, clamped], out.data);
  assert.deepEqual([...out.data], [2, 144, 254]);
  const tensor = bl.tensor(clamped);
  assert.deepEqual([...tensor.read()], [1, 200, 255]);
  tensor.dispose();
  structuredClone(out.data.buffer, { transfer: [out.data.buffer] });
  fault(() => bl.add(out, bytes), { code: 'length', operand: 0 });
  fault(() => bl.add(bytes, bytes, { out }), { code: 'length', operand: -3 });
});

test('numbers and lists are accepted as arrays', () => {
  const a = f32([1, 2, 3]);
  const cases = [
    [bl.add(a, 1), 'f32', [2, 3, 4]],
    [bl.sub(1, a), 'f32', [0, -1, -2]],
    [bl.mul([[1], [2]], a), 'f32', [1, 2, 3, 2, 4, 6]],
    [bl.pow(a, 2), 'f32', [1, 4, 9]],
    [bl.pow(i32([2, 3]), [3, 2]), 'i32', [8, 9]],
    [bl.pow(i32([16]), 0.5), 'i32', [4]],
    [bl.pow(2, a), 'f32', [2, 4, 8]],
    [bl.pow(2.5, f32([2])), 'f32', [6.25]],
    [bl.pow([2, 3], f64([3, 2])), 'f64', [8, 9]],
    [bl.pow(2, i32([3, 4])), 'i32', [8, 16]],
    [bl.pow(2.5, i32([2])), 'f64', [6.25]],
    [bl.pow(true, u8([3])), 'u8', [1]],
    [bl.pow(2n, u8([3])), 'u8', [8]],
    [bl.pow(2, [3, 4]), 'f64', [8, 16]],
    [bl.pow([[2], [3]], bl.add(a, 0)), 'f32', [2, 4, 8, 3, 9, 27]],
    [bl.where([true, false, true], a, 0), 'f32', [1, 0, 3]],
    [bl.where(1, a, [7, 8, 9]), 'f32', [1, 2, 3]],
    [bl.where(bool([1, 0]), 1, 2), 'f64', [1, 2]],
    [bl.where(bool([1, 0]), true, false), 'bool', [1, 0]],
    [bl.where(bool([1, 0]), 1n, 2n), 'i64', [1n, 2n]],
    [bl.greater(a, 1.5), 'bool', [0, 1, 1]],
    [bl.equal([1, 2, 3], a), 'bool', [1, 1, 1]],
    [bl.equal(bool([1, 0]), true), 'bool', [1, 0]],
    [bl.and(bool([1, 0]), [true, true]), 'bool', [1, 0]],
    [bl.bitwiseAnd(u8([6, 5]), 3), 'u8', [2, 1]],
    [bl.bitwiseXor(6, 3), 'i32', [5]],
    [bl.bitwiseOr([1n, 2n], 4n), 'i64', [5n, 6n]],
    [bl.bitShift(u8([1, 2]), 2, { attrs: { direction: 'left' } }), 'u8', [4, 8]],
    [bl.mod(i32([7, -7]), 3), 'i32', [1, 2]],
    [bl.prelu(f32([-2, 2]), 0.5), 'f32', [-1, 2]],
    [bl.max([a, 2, [0, 9, 0]]), 'f32', [2, 9, 3]],
    [bl.sum([1, 2.5]), 'f64', [3.5]],
    [
      bl.mean([
        [1, 2],
        [3, 4],
      ]),
      'f64',
      [2, 3],
    ],
    [bl.add(1, 2), 'f64', [3]],
    [bl.add(1n, 2n), 'i64', [3n]],
    [bl.add({ data: new BigInt64Array([1n]), shape: [1] }, 2), 'i64', [3n]],
    [bl.add({ data: new BigUint64Array([1n]), shape: [1] }, 2n ** 63n), 'u64', [2n ** 63n + 1n]],
    [bl.add(i32([1]), true), 'i32', [2]],
    [
      bl.sumTo(
        [
          [1, 2],
          [3, 4],
        ],
        [2],
      ),
      'f64',
      [4, 6],
    ],
    [bl.broadcastTo([1, 2], [2, 2]), 'f64', [1, 2, 1, 2]],
    [bl.add([], 1), 'f64', []],
  ];
  cases.forEach(([{ data, dtype }, type, values], i) => {
    assert.equal(dtype, type, `case ${i}`);
    assert.deepEqual([...data], values, `case ${i}`);
  });
  assert.deepEqual(bl.add([], 1).shape, [0]);
  assert.deepEqual(bl.add(1, 2, { as: 'first' }), 3);
  assert.deepEqual(bl.less([1, 5], 2, { as: 'first' }), [true, false]);
});

test('values that a type cannot represent', () => {
  const refused = (call, operand, message) => {
    const { message: told } = fault(call, { code: 'dtype', operand });
    assert.match(told, message);
  };
  refused(() => bl.add(u8([1, 2]), 300), 1, /300 .* u8 \(0 to 255\).* u16/);
  refused(() => bl.add(-1, u8([1, 2])), 0, /-1 .* i8/);
  refused(() => bl.add(i32([1]), [2.5]), 1, /\[0\] is 2.5.* f32/);
  refused(() => bl.add(i32([1]), NaN), 1, /NaN/);
  refused(() => bl.add(f32([1]), 1e39), 1, /f64/);
  refused(() => bl.where([1, 2], 1, 1), 0, /bool/);
  refused(() => bl.and(bool([1]), 2), 1, /bool/);
  refused(() => bl.add(i32([1]), 2n ** 40n), 1, /i64/);
  refused(() => bl.add(f32([1]), [1, 'a']), 1, /\[1\] is "a"/);
  refused(() => bl.add(f32([1]), [1, undefined]), 1, /\[1\]/);
  refused(() => bl.add(f32([1]), [1n, 0.5]), 1, /bigint/);
  for (const none of ['a', null, undefined, Symbol('x'), () => 1, {}, new Date(), new Map()]) {
    fault(() => bl.add(f32([1]), none), { code: 'dtype', operand: 1 });
  }
  fault(() => bl.add(f32([1]), [[1, 2], [3]]), { code: 'length', operand: 1 });
  fault(() => bl.add(f32([1]), [[1, 2], 3]), { code: 'length', operand: 1 });
  const deep = [];
  deep.push(deep);
  fault(() => bl.add(f32([1]), deep), { code: 'limit', operand: 1 });
});

test('strides that leave the data', () => {
  const data = F(1, 2, 3, 4);
  const refused = (operand, fields) => fault(() => bl.add(f32([1]), operand), { operand: 1, op: 'Add', ...fields });
  refused({ data, shape: [2, 2], stride: [1] }, { code: 'incompatible', detail: 'strides' });
  refused({ data, shape: [2, 2], stride: [3, 1] }, { code: 'length', operandAxis: 1 });
  refused({ data, shape: [2], stride: [-1], offset: 0 }, { code: 'length', operandAxis: 0 });
  refused({ data, shape: [2], stride: [1], offset: 4 }, { code: 'length' });
  refused({ data, shape: [2], stride: [1], offset: -1 }, { code: 'length' });
  refused({ data, shape: [2], stride: [0.5] }, { code: 'extent', operandAxis: 0 });
  refused({ data, shape: [2], stride: 'ab' }, { code: 'extent' });
  refused({ data, shape: [2], stride: [1], offset: NaN }, { code: 'extent' });
  refused({ data, shape: [2 ** 30, 2 ** 30], stride: [0, 1] }, { code: 'length' });
  refused({ data, shape: [2, -1], stride: [1, 1] }, { code: 'extent', detail: 'negative' });
  refused({ data, shape: [2n ** 60n], stride: [0] }, { code: 'extent', detail: 'unsafe' });
  refused({ data: new Uint8Array(2), shape: [2, 2], stride: [1, 2], dtype: 'i4' }, { code: 'dtype' });
  // Nothing is read from an array without elements.
  assert.equal(bl.add(f32([1]), { data, shape: [0, 5], stride: [99, -99], offset: 1000 }).data.length, 0);
});

test('packed and complex elements at an offset', () => {
  const data = new Uint8Array([0xff, 0x21, 0x43]);
  const packed = { data, shape: [4], stride: [1], offset: 1, dtype: 'i4' };
  try {
    // For an offset in bytes, the array is dense or rejected.
    assert.equal(bl.broadcastTo(packed, [4]).data.length, 2);
  } catch (error) {
    assert.equal(error.name, 'BroadcastError');
  }
  const complex = { data: F(0, 0, 1, 2, 3, 4), shape: [2], stride: [1], offset: 1, dtype: 'c64' };
  assert.deepEqual([...bl.broadcastTo(complex, [2]).data], [1, 2, 3, 4]);
  const reverse = { data: F(1, 2, 3, 4), shape: [2], stride: [-1], offset: 1, dtype: 'c64' };
  assert.deepEqual([...bl.broadcastTo(reverse, [2, 2]).data], [3, 4, 1, 2, 3, 4, 1, 2]);
});

test('getters that throw, in arrays of any form', () => {
  const boom = () => {
    throw new Error('boom');
  };
  for (const name of ['data', 'shape', 'dtype', 'stride', 'strides', 'offset', 'dims', 'type', 'order']) {
    const base =
      name === 'dims' || name === 'type'
        ? { data: F(1), type: 'float32', dims: [1] }
        : { data: F(1), shape: [1], strides: [1], stride: [1], offset: 0, order: 'row-major', dtype: 'f32' };
    if (name === 'stride') delete base.strides;
    const trap = Object.defineProperty(base, name, { get: boom });
    const refused = fault(() => bl.add(f32([1]), trap), { operand: 1, op: 'Add' });
    assert.match(refused.message, /boom/);
    fault(() => bl.add(f32([1]), f32([1]), { out: trap }), { operand: -3, op: 'Add' });
    fault(() => bl.tensor(trap), { operand: 0 });
    fault(() => bl.resultType(trap), { operand: 0 });
  }
  const list = [1, 2];
  Object.defineProperty(list, 1, { get: boom });
  fault(() => bl.add(f32([1]), list), { operand: 1, code: 'dtype' });
  fault(() => bl.add(f32([1]), new Proxy({}, { get: boom, has: boom, getPrototypeOf: boom })), {
    operand: 1,
    code: 'dtype',
  });
  fault(() => bl.add(f32([1]), new Proxy([], { get: boom })), { operand: 1, code: 'dtype' });
  const liar = { buffer: new ArrayBuffer(8), byteOffset: 4, length: 99, BYTES_PER_ELEMENT: 1 };
  fault(() => bl.add(bool([1]), { data: liar, shape: [99], stride: [1] }), { operand: 1 });
});

test('lists of extents that throw when they are read', () => {
  const shape = [2];
  Object.defineProperty(shape, 0, {
    get() {
      throw new Error('boom');
    },
  });
  const refused = fault(() => bl.add(f32([1]), { data: F(1, 2), shape }), { code: 'extent', operand: 1, op: 'Add' });
  assert.match(refused.message, /boom/);
  fault(() => bl.inferShape('numpy', [[1], shape]), { code: 'extent', operand: 1 });
  fault(() => bl.broadcastTo(f32([1]), shape), { code: 'extent', operand: -2 });
  fault(() => bl.plan('Add', 'numpy', [[2], shape], ['f32', 'f32']), { code: 'extent', operand: 1 });
});

test('memory that shrinks while the operands are read', { skip: ArrayBuffer.prototype.resize === undefined }, () => {
  const trap = (buffer, bytes) => ({
    data: new Float32Array(50).fill(1),
    get shape() {
      buffer.resize(bytes);
      return [50];
    },
  });
  for (const bytes of [0, 100, 196, 200, 204, 400]) {
    const make = () => {
      const buffer = new ArrayBuffer(800, { maxByteLength: 800 });
      return [buffer, new Float32Array(buffer).fill(5)];
    };
    const forms = [
      (data) => ({ data, shape: [50], stride: [4], offset: 0 }),
      (data) => ({ data, shape: [50], stride: [-4], offset: 199 }),
      (data) => ({ data, shape: [50], stride: [1], offset: 150 }),
      (data) => ({ data, shape: [200] }),
      (data) => ({ data, shape: [4, 50], stride: [1, 4] }),
    ];
    for (const form of forms) {
      const [buffer, data] = make();
      fault(() => bl.add(form(data), trap(buffer, bytes)), { code: 'length', operand: 0 });
      const [other, more] = make();
      const options = { promote: 'numpy2' };
      fault(
        () =>
          bl.add(
            form(more),
            {
              ...trap(other, bytes),
              data: new Float64Array(50),
              get shape() {
                other.resize(bytes);
                return [50];
              },
            },
            options,
          ),
        { code: 'length', operand: 0 },
      );
    }
    const [buffer, data] = make();
    const out = { data: data.subarray(0, 50), shape: [50] };
    const options = {
      get out() {
        const read = {
          ...out,
          get shape() {
            buffer.resize(bytes);
            return [50];
          },
        };
        return read;
      },
    };
    if (bytes < 200)
      fault(() => bl.add(f32([1]), trap(new ArrayBuffer(8, { maxByteLength: 8 }), 8), options), {
        code: 'length',
        operand: -3,
      });
  }
  // The rest is sufficient.
  const buffer = new ArrayBuffer(800, { maxByteLength: 800 });
  const data = new Float32Array(buffer, 0, 50).fill(5);
  assert.deepEqual([...bl.add({ data, shape: [50] }, trap(buffer, 200)).data], Array(50).fill(6));
});

test('detached memory, in every form', () => {
  const gone = () => {
    const data = F(1, 2, 3);
    structuredClone(data.buffer, { transfer: [data.buffer] });
    return data;
  };
  for (const array of [
    { data: gone(), shape: [3] },
    { data: gone(), shape: [3], stride: [1], offset: 0 },
    { data: gone(), shape: [3], stride: [-1], offset: 2 },
    { type: 'float32', data: gone(), dims: [3] },
  ]) {
    fault(() => bl.add(f32([1]), array), { code: 'length', operand: 1 });
    fault(() => bl.tensor(array), { code: 'length', operand: 0 });
    fault(() => bl.add(f64([1]), array, { promote: 'numpy2' }), { code: 'length', operand: 1 });
  }
  fault(() => bl.add(f32([1]), f32([1, 2, 3]), { out: { data: gone(), shape: [3] } }), { code: 'length', operand: -3 });
});

test('an extra array is reported as such, in any form', () => {
  const a = f32([1, 2]);
  const tensor = bl.tensor(a);
  for (const more of [...Object.values(given()), tensor]) {
    fault(() => bl.add(a, a, more), { code: 'arity', op: 'Add' });
    fault(() => bl.max([a, a], more), { code: 'arity', op: 'Max' });
    fault(() => bl.apply('Add', [a, a], more), { code: 'arity', op: 'Add' });
  }
  fault(() => bl.add(a, a, 5), { code: 'attribute' });
  tensor.dispose();
});

test('lists with a wrong length', () => {
  const plan = bl.plan('Add', 'numpy', [[1], [1]], ['f32', 'f32']);
  for (const length of [-1, 'abc', NaN, 1.5, 2 ** 40, undefined]) {
    const lying = (list) => new Proxy(list, { get: (target, key) => (key === 'length' ? length : target[key]) });
    fault(() => bl.max(lying([1, 2])), { code: 'arity', op: 'Max' });
    fault(() => bl.inferShape('numpy', lying([[1]])), { code: 'arity' });
    fault(() => bl.inferShape('numpy', [lying([1])]), { code: 'extent', operand: 0 });
    fault(() => plan.run(lying([F(1), F(2)])), { code: 'arity', op: 'Add' });
  }
});
