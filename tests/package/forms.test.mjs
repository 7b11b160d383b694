// Arrays of common libraries: recognised by their properties, gathered in parts, and made as results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import ndarray from 'ndarray';
import { Tensor } from 'onnxruntime-common';
import * as zarr from 'zarrita';
import { FormFault } from '../../build/package-sources/types/fault.js';
import { fill } from '../../build/package-sources/operands/fill.js';
import { giveBack, isResultForm } from '../../build/package-sources/operands/give-back.js';
import { recognise } from '../../build/package-sources/operands/recognise.js';
import { encodeFloat as encode, valuesOf } from '../../build/package-sources/elements/small-floats.js';
import { gather, sourceOf } from '../../build/package-sources/operands/strided.js';

/** The error that `call` throws, with these fields and a matching message. */
function faultOf(call, fields, message = /\S/) {
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof FormFault, `a FormFault, not ${thrown}`);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(thrown.fields[name], value, thrown.message);
  assert.match(thrown.message, message);
  return thrown;
}

const unsupported = { code: 'dtype', detail: 'unsupported' };

/** All elements of a recognised array, concatenated. */
function elements(value) {
  const { data, dtype, shape, strides, offset } = recognise(value);
  const source = sourceOf(data, dtype, shape, strides, offset);
  const into = new data.constructor(source.count * (dtype.startsWith('c') ? 2 : 1));
  gather(source, 0, source.count, into, 0);
  return [...into];
}

// A stand-in for an ndarray of @stdlib, as documented: its constructor's arguments and its properties.
class StdlibNdarray {
  #own;
  constructor(dtype, buffer, shape, strides, offset, order) {
    assert.ok(shape.length > 0 ? strides.length === shape.length : strides.length === 1 && strides[0] === 0);
    assert.ok(order === 'row-major' || order === 'column-major');
    this.#own = { dtype, buffer, shape, strides, offset, order };
  }
  get data() {
    return this.#own.buffer;
  }
  get shape() {
    return this.#own.shape.slice();
  }
  get strides() {
    return this.#own.strides.slice();
  }
  get offset() {
    return this.#own.offset;
  }
  get order() {
    return this.#own.order;
  }
  get dtype() {
    return this.#own.dtype;
  }
}

// Arrays of types for which JavaScript has no typed array.
class Complex64Array {
  BYTES_PER_ELEMENT = 8;
  constructor(buffer, byteOffset, length) {
    Object.assign(this, { buffer, byteOffset, length });
  }
}
class BooleanArray extends Complex64Array {
  BYTES_PER_ELEMENT = 1;
}

/** A platform with or without a Float16Array. */
function withFloat16Array(t, Float16Array) {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Float16Array');
  Object.defineProperty(globalThis, 'Float16Array', { value: Float16Array, configurable: true });
  t.after(() => {
    if (before) Object.defineProperty(globalThis, 'Float16Array', before);
    else delete globalThis.Float16Array;
  });
}

test('typed array and shape', () => {
  const data = new Float32Array(6);
  const shape = [2, 3];
  assert.deepEqual(recognise({ data, shape }), {
    form: 'array',
    data,
    shape,
    dtype: 'f32',
    strides: undefined,
    offset: 0,
    plain: undefined,
  });
  assert.equal(recognise({ data, shape }).shape, shape);
  const implied = {
    i8: Int8Array,
    i16: Int16Array,
    i32: Int32Array,
    i64: BigInt64Array,
    u8: Uint8Array,
    u16: Uint16Array,
    u32: Uint32Array,
    u64: BigUint64Array,
    f32: Float32Array,
    f64: Float64Array,
  };
  for (const [dtype, Type] of Object.entries(implied)) {
    assert.equal(recognise({ data: new Type(1), shape: [1] }).dtype, dtype);
    assert.equal(recognise({ data: new Type(1), shape: [1], dtype }).dtype, dtype);
  }
  const bits = new Uint16Array(1);
  for (const dtype of ['f16', 'bf16']) assert.equal(recognise({ data: bits, shape: [1], dtype }).dtype, dtype);
  assert.equal(recognise({ data: new Float32Array(2), shape: [1], dtype: 'c64' }).dtype, 'c64');
  faultOf(() => recognise({ data, shape, dtype: 'f64' }), { code: 'dtype', dtype: 'f64', otherDtype: 'f32' });
  for (const dtype of ['float33', '', 5, null, {}, 'toString', '__proto__']) {
    faultOf(() => recognise({ data, shape, dtype }), { code: 'unknown', detail: 'dtype' });
  }
  for (const wrong of [null, [1], 'x', new ArrayBuffer(4), { length: 1 }, Object.create(Float32Array.prototype)]) {
    faultOf(() => recognise({ data: wrong, shape }), unsupported, /typed array/);
  }
  const clamped = new Uint8ClampedArray([7, 8, 9]).subarray(1);
  for (const dtype of [undefined, 'u8']) {
    const { data: bytes, dtype: read } = recognise({ data: clamped, shape: [2], dtype });
    assert.deepEqual([bytes, read], [new Uint8Array([8, 9]), 'u8']);
    assert.equal(bytes.buffer, clamped.buffer);
  }
  faultOf(() => recognise({ data: clamped, shape: [2], dtype: 'bool' }), unsupported, /Uint8ClampedArray/);
  structuredClone(clamped.buffer, { transfer: [clamped.buffer] });
  assert.equal(recognise({ data: clamped, shape: [2] }).data.length, 0);
});

test('other objects are not recognised', () => {
  for (const value of [undefined, null, 'x', Symbol('x'), () => 1, {}, { rule: 'numpy' }, data(), new Map()]) {
    assert.equal(recognise(value), null);
  }
  function data() {
    return new Float32Array(2);
  }
});

test('an ndarray of scijs', () => {
  const array = ndarray(new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]);
  const { form, dtype, shape, strides, offset } = recognise(array);
  assert.deepEqual([form, dtype, [...shape], strides, offset], ['strided', 'f32', [2, 3], [3, 1], 0]);
  assert.deepEqual(elements(array.transpose(1, 0)), [1, 4, 2, 5, 3, 6]);
  assert.deepEqual(elements(array.step(1, -1)), [3, 2, 1, 6, 5, 4]);
  assert.deepEqual(elements(array.hi(2, 2).lo(1, 1)), [5]);
  assert.deepEqual(elements(array.pick(null, 1)), [2, 5]);
  assert.deepEqual(elements(array.pick(1, 2)), [6]);
  assert.deepEqual(recognise(ndarray(new BigInt64Array(1), [1])).dtype, 'i64');
  assert.deepEqual(recognise(ndarray(new Uint8ClampedArray([9]), [1])).dtype, 'u8');
  assert.deepEqual(elements(ndarray(new Uint8ClampedArray([9, 8]), [2]).step(-1)), [8, 9]);
  assert.deepEqual(recognise(ndarray(Buffer.from([1]), [1])).dtype, 'u8');
  faultOf(() => recognise(ndarray([1, 2], [2])), unsupported, /typed array/);
  const plain = { data: new Float64Array([1, 2, 3, 4]), shape: [2], strides: [2], offset: 1 };
  assert.deepEqual(elements(plain), [2, 4]);
  assert.deepEqual(elements({ ...plain, strides: undefined }), [2, 3]);
});

test('a chunk of zarrita', async () => {
  const store = new Map();
  const array = await zarr.create(zarr.root(store), { shape: [2, 3], chunkShape: [2, 3], dtype: 'int16' });
  await zarr.set(array, null, { data: new Int16Array([1, 2, 3, 4, 5, 6]), shape: [2, 3], stride: [3, 1] });
  const chunk = await zarr.get(array);
  assert.deepEqual([recognise(chunk).form, recognise(chunk).dtype], ['zarr', 'i16']);
  assert.deepEqual(elements(chunk), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(elements(await zarr.get(array, [null, zarr.slice(1, 3)])), [2, 3, 5, 6]);
  assert.deepEqual(elements({ ...chunk, shape: [3, 2], stride: [1, 3] }), [1, 4, 2, 5, 3, 6]);
  const masks = await zarr.create(zarr.root(store).resolve('mask'), {
    shape: [3],
    chunkShape: [3],
    dtype: 'bool',
  });
  const mask = await zarr.get(masks);
  mask.data.set(1, true);
  assert.equal(recognise(mask).dtype, 'bool');
  assert.deepEqual(elements(mask), [0, 1, 0]);
  const same = giveBack({ data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' }, 'zarr', mask);
  assert.equal(same.data.constructor, mask.data.constructor);
  assert.deepEqual([...same.data], [true, false, true]);
  await zarr.set(masks, null, same);
  assert.deepEqual([...(await zarr.get(masks)).data], [true, false, true]);
  faultOf(() => recognise({ data: ['a'], shape: [1], stride: [1] }), unsupported);
  const texts = { buffer: new ArrayBuffer(1), byteOffset: 0, length: 1, BYTES_PER_ELEMENT: 1, chars: 1 };
  faultOf(() => recognise({ data: texts, shape: [1], stride: [1] }), unsupported);
});

test('a tensor of onnxruntime', () => {
  const types = {
    float32: ['f32', new Float32Array(2)],
    float64: ['f64', new Float64Array(2)],
    float16: ['f16', new Uint16Array(2)],
    int8: ['i8', new Int8Array(2)],
    int16: ['i16', new Int16Array(2)],
    int32: ['i32', new Int32Array(2)],
    int64: ['i64', new BigInt64Array(2)],
    uint8: ['u8', new Uint8Array(2)],
    uint16: ['u16', new Uint16Array(2)],
    uint32: ['u32', new Uint32Array(2)],
    uint64: ['u64', new BigUint64Array(2)],
    bool: ['bool', new Uint8Array(2)],
  };
  for (const [type, [dtype, data]] of Object.entries(types)) {
    const tensor = new Tensor(type, data, [2, 1]);
    const found = recognise(tensor);
    assert.deepEqual([found.form, found.dtype, found.shape], ['onnx', dtype, [2, 1]]);
    const back = giveBack({ data, shape: [2, 1], dtype }, 'onnx', tensor);
    assert.ok(back instanceof Tensor);
    assert.deepEqual([back.type, back.dims], [type, [2, 1]]);
    assert.deepEqual(recognise({ type, data, dims: [2] }).dtype, dtype);
    assert.deepEqual(giveBack({ data, shape: [2], dtype }, 'onnx', { type, data, dims: [2] }), {
      type,
      data,
      dims: [2],
    });
  }
  assert.equal(recognise({ type: 'int4', data: new Uint8Array(2), dims: [3] }).dtype, 'i4');
  assert.equal(giveBack({ data: new Uint8Array(2), shape: [3], dtype: 'u4' }, 'onnx').type, 'uint4');
  faultOf(() => recognise(new Tensor('string', ['a'], [1])), { code: 'unknown', detail: 'dtype' }, /"string"/);
  const far = Tensor.fromGpuBuffer({}, { dataType: 'float32', dims: [2] });
  faultOf(() => recognise(far), unsupported, /reading it failed: .*getData/);
  faultOf(() => recognise({ data: new Float32Array(1), dims: [1] }), { code: 'unknown' });
});

test('an ndarray of @stdlib', () => {
  const columns = new StdlibNdarray('float64', new Float64Array([1, 2, 3, 4, 5, 6]), [2, 3], [1, 2], 0, 'column-major');
  assert.deepEqual([recognise(columns).form, recognise(columns).dtype], ['stdlib', 'f64']);
  assert.deepEqual(elements(columns), [1, 3, 5, 2, 4, 6]);
  const scalar = new StdlibNdarray('int32', new Int32Array([7, 8]), [], [0], 1, 'row-major');
  assert.deepEqual(elements(scalar), [8]);
  const named = { toString: () => 'uint8c' };
  assert.equal(recognise(new StdlibNdarray(named, new Uint8ClampedArray(1), [1], [1], 0, 'row-major')).dtype, 'u8');

  const parts = new Float32Array([0, 0, 1, 2, 3, 4, 5, 6]);
  const wrapped = new Complex64Array(parts.buffer, 8, 3);
  const complex = new StdlibNdarray('complex64', wrapped, [3], [-1], 2, 'row-major');
  assert.deepEqual(elements(complex), [5, 6, 3, 4, 1, 2]);
  const back = giveBack({ data: parts.subarray(2), shape: [3], dtype: 'c64' }, 'stdlib', complex);
  assert.ok(back instanceof StdlibNdarray && back.data instanceof Complex64Array);
  assert.deepEqual([back.dtype, back.data.byteOffset, back.data.length, back.strides], ['complex64', 8, 3, [1]]);

  const flags = new StdlibNdarray(
    'bool',
    new BooleanArray(new Uint8Array([1, 0]).buffer, 0, 2),
    [2],
    [1],
    0,
    'row-major',
  );
  assert.equal(recognise(flags).dtype, 'bool');
  const result = { data: new Uint8Array([0, 1]), shape: [2], dtype: 'bool' };
  assert.ok(giveBack(result, 'stdlib', flags).data instanceof BooleanArray);
  const bytes = giveBack(result, 'stdlib', columns);
  assert.deepEqual([bytes.dtype, bytes.data], ['uint8', result.data]);
  const one = giveBack({ data: new Float32Array(1), shape: [], dtype: 'f32' }, 'stdlib', columns);
  assert.deepEqual([one.shape, one.strides, one.offset, one.order], [[], [0], 0, 'row-major']);
  for (const [dtype, data] of [
    ['c64', new Float32Array(2)],
    ['i64', new BigInt64Array(1)],
    ['bf16', new Uint16Array(1)],
  ]) {
    faultOf(() => giveBack({ data, shape: [1], dtype }, 'stdlib', columns), { ...unsupported, dtype }, /'array'/);
  }
});

test('numbers, bigints and booleans', () => {
  const kinds = [
    [2, 'int', 'f64'],
    [-0, 'int', 'f64'],
    [2 ** 60, 'int', 'f64'],
    [2.5, 'float', 'f64'],
    [NaN, 'float', 'f64'],
    [-Infinity, 'float', 'f64'],
    [3n, 'int', 'i64'],
    [true, 'bool', 'bool'],
  ];
  for (const [value, weak, fallback] of kinds) {
    const found = recognise(value);
    assert.deepEqual(
      [found.form, found.shape, found.dtype, found.plain],
      ['scalar', [], undefined, { values: [value], weak, fallback }],
    );
  }
});

test('nested lists', () => {
  const read = (list) => {
    const { form, shape, plain } = recognise(list);
    assert.equal(form, 'nested');
    return [shape, [...plain.values], plain.weak, plain.fallback];
  };
  assert.deepEqual(read([1, 2, 3]), [[3], [1, 2, 3], 'int', 'f64']);
  assert.deepEqual(
    read([
      [1, 2.5],
      [3, 4],
    ]),
    [[2, 2], [1, 2.5, 3, 4], 'float', 'f64'],
  );
  assert.deepEqual(read([[[1n]], [[2n]]]), [[2, 1, 1], [1n, 2n], 'int', 'i64']);
  assert.deepEqual(read([true, false]), [[2], [true, false], 'bool', 'bool']);
  assert.deepEqual(read([true, 1]), [[2], [true, 1], 'int', 'f64']);
  assert.deepEqual(read([1, 2n]), [[2], [1, 2n], 'int', 'i64']);
  assert.deepEqual(read([]), [[0], [], 'float', 'f64']);
  assert.deepEqual(read([[], [], []]), [[3, 0], [], 'float', 'f64']);
  assert.deepEqual(read([[[]], [[]]]), [[2, 1, 0], [], 'float', 'f64']);
});

test('invalid nested lists: the message says where', () => {
  const length = { code: 'length' };
  faultOf(
    () =>
      recognise([
        [
          [1, 2],
          [3, 4],
          [5, 6, 7],
        ],
      ]),
    length,
    /^\[0\]\[2\] has 3 entries, \[0\]\[0\] has 2: all lists of a level have to be alike\.$/,
  );
  faultOf(
    () => recognise([[1, 2], [3]]),
    length,
    /^\[1\] has 1 entry, \[0\] has 2: all lists of a level have to be alike\.$/,
  );
  faultOf(
    () => recognise([[], [1]]),
    length,
    /^\[1\] has 1 entry, \[0\] has 0: all lists of a level have to be alike\.$/,
  );
  faultOf(() => recognise([[1], 2]), length, /^\[1\] is 2, \[0\] is a list: all lists of a level have to be alike\.$/);
  faultOf(
    () => recognise([1, [2]]),
    length,
    /^\[1\] is a list, \[0\] is none: all lists of a level have to be alike\.$/,
  );
  faultOf(
    () => recognise([[[]], [5]]),
    length,
    /^\[1\]\[0\] is 5, \[0\]\[0\] is a list: all lists of a level have to be alike\.$/,
  );
  faultOf(
    () =>
      recognise([
        [1, 2],
        [3, 'x'],
      ]),
    unsupported,
    /^\[1\]\[1\] is "x", not a number/,
  );
  faultOf(() => recognise([1, , 3]), unsupported, /^\[1\] is undefined/);
  faultOf(() => recognise([1.5, [2n]]), length);
  faultOf(() => recognise([[1n, 0.5]]), unsupported, /^\[0\]\[0\] is a bigint, but \[0\]\[1\] is 0\.5: /);
  const itself = [];
  itself.push(itself);
  faultOf(() => recognise(itself), { code: 'limit' }, /deeper than 65536 levels: one may contain itself/);
  faultOf(() => recognise(new Array(2 ** 32 - 1)), unsupported, /^\[0\] is undefined/);
});

test('an unreadable property is an error, and each property is read once', () => {
  const throwing = {
    get data() {
      throw new Error('not today');
    },
  };
  faultOf(() => recognise(throwing), unsupported, /reading it failed: not today/);
  const odd = {
    get data() {
      throw Object.create(null);
    },
  };
  faultOf(() => recognise(odd), unsupported, /reading it failed/);
  for (const target of [{}, []]) {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    faultOf(() => recognise(proxy), unsupported);
    faultOf(() => recognise({ data: proxy, shape: [1] }), unsupported);
    faultOf(() => recognise([proxy]), unsupported);
    faultOf(() => recognise({ data: new Int8Array(1), shape: [1], stride: proxy }), {});
  }
  const lying = Object.defineProperties(new Float32Array(2), {
    length: { value: 1e9 },
    buffer: { value: new ArrayBuffer(1) },
    constructor: { value: Array },
    [Symbol.toStringTag]: { value: 'Int8Array' },
  });
  assert.equal(recognise({ data: lying, shape: [2] }).dtype, 'f32');
  faultOf(() => sourceOf(lying, 'f32', [3]), { code: 'length', extent: 2 });
  faultOf(() => recognise({ data: { buffer: {}, BYTES_PER_ELEMENT: 1 }, shape: [1], stride: [1] }), unsupported);

  const reads = new Map();
  const counted = (object) =>
    new Proxy(object, {
      get(target, name, receiver) {
        reads.set(name, (reads.get(name) ?? 0) + 1);
        return Reflect.get(target, name, receiver);
      },
    });
  const tensor = { type: 'float32', data: new Float32Array(1), dims: [1] };
  const strided = { data: new Float32Array(1), shape: [1], stride: [1], offset: 0, dtype: 'float32' };
  for (const value of [tensor, strided, { data: new Int8Array(1), shape: [1] }]) {
    reads.clear();
    assert.ok(recognise(counted(value)));
    assert.ok(
      [...reads.values()].every((times) => times === 1),
      JSON.stringify([...reads]),
    );
  }
  reads.clear();
  recognise(counted([1, 2]));
  assert.deepEqual([reads.get('0'), reads.get('1'), reads.get('length')], [1, 1, 1]);
});

test('strides and offsets are checked against the data', () => {
  const view = (fields) => () => {
    const { data, dtype, shape, strides, offset } = recognise({ data: new Int32Array(6), shape: [2, 3], ...fields });
    return sourceOf(data, dtype, shape, strides, offset);
  };
  const length = { code: 'length', extent: 6 };
  faultOf(view({ stride: [3, 1], offset: 1 }), { ...length, otherExtent: 6, operandAxis: 1 }, /stride 1 of axis 1/);
  faultOf(view({ stride: [6, 1] }), { ...length, operandAxis: 0 }, /stride 6 of axis 0 leads to element 6/);
  faultOf(view({ stride: [3, -1] }), { ...length, otherExtent: -2 + 3 - 3, operandAxis: 1 });
  faultOf(view({ stride: [0, 0], offset: 6 }), length, /offset 6 leads/);
  faultOf(view({ stride: [0, 0], offset: -1 }), length, /offset -1 leads/);
  faultOf(view({ stride: [2 ** 52, 0] }), length);
  faultOf(view({ stride: [1] }), { code: 'incompatible', detail: 'strides', extent: 1, otherExtent: 2 });
  faultOf(view({ stride: [1, 0.5] }), { code: 'extent', operandAxis: 1 }, /stride of axis 1/);
  faultOf(view({ stride: '1,2' }), { code: 'extent' });
  faultOf(view({ stride: [1, 1], offset: NaN }), { code: 'extent' }, /the offset/);
  assert.equal(view({ stride: [1, 1], shape: [0, 3], offset: 99 })().count, 0);
  assert.deepEqual(elements({ data: new Int32Array([7]), shape: [2, 2], stride: [0, 0] }), [7, 7, 7, 7]);
  assert.deepEqual(elements({ data: new Int32Array([1, 2]), shape: [2, 1], stride: [1n, 5n] }), [1, 2]);
  const packed = { data: new Uint8Array(4), shape: [2, 2], stride: [1, 2], dtype: 'i4' };
  faultOf(() => elements(packed), { ...unsupported, dtype: 'i4' });
});

/** The elements, read one after the other. */
function* byTheBook(data, shape, strides, offset, width) {
  const count = shape.reduce((a, b) => a * b, 1);
  for (let i = 0; i < count; ++i) {
    let rest = i;
    let place = offset;
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      place += (rest % shape[axis]) * strides[axis];
      rest = Math.floor(rest / shape[axis]);
    }
    for (let part = 0; part < width; ++part) yield data[place * width + part];
  }
}

test('segments of strided arrays are gathered correctly', () => {
  let seed = 4711;
  const random = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  for (let round = 0; round < 600; ++round) {
    const rank = random(5);
    const shape = Array.from(
      { length: rank },
      () => [0, 1, 2, 3, 5, 67, 130][random(20) === 0 ? 0 : 1 + random(rank < 3 ? 6 : 4)],
    );
    const width = random(4) === 0 ? 2 : 1;
    // A dense array with these axes in any order, each possibly repeated, reversed or with gaps.
    const strides = Array(rank).fill(0);
    let step = 1;
    let offset = random(5);
    for (const axis of shape.map((_, i) => i).sort(() => random(3) - 1)) {
      if (random(6) === 0) continue;
      strides[axis] = step;
      step *= Math.max(shape[axis], 1) + (random(5) === 0 ? 1 : 0);
      if (random(4) === 0 && shape[axis] > 0) {
        offset += (shape[axis] - 1) * strides[axis];
        strides[axis] = -strides[axis];
      }
    }
    const data = Float64Array.from({ length: (step + offset + 1) * width }, (_, i) => i);
    const source = sourceOf(data, width === 2 ? 'c128' : 'f64', shape, strides, offset);
    const expected = [...byTheBook(data, shape, strides, offset, width)];
    assert.equal(source.count * width, expected.length);
    const into = new Float64Array(expected.length + 2 * width).fill(-1);
    for (let begin = 0; begin < source.count;) {
      const count = Math.min(source.count - begin, 1 + random(300));
      gather(source, begin, count, into, begin + 1);
      begin += count;
    }
    const label = JSON.stringify({ shape, strides, offset });
    assert.deepEqual([...into.subarray(width, width + expected.length)], expected, label);
    assert.ok(into.subarray(0, width).every((value) => value === -1) && into.at(-1) === -1, label);
  }
});

test('elements are converted while they are gathered', () => {
  const convert = (from, to, data, Into, strides) => {
    const width = from.startsWith('c') ? 2 : 1;
    const source = sourceOf(data, from, [data.length / width], strides);
    const into = new Into(source.count * (to.startsWith('c') ? 2 : 1));
    gather(source, 0, source.count, into, 0, to);
    return [...into];
  };
  assert.deepEqual(convert('i8', 'i16', new Int8Array([-128, 127]), Int16Array), [-128, 127]);
  assert.deepEqual(convert('u32', 'f64', new Uint32Array([2 ** 32 - 1]), Float64Array), [2 ** 32 - 1]);
  assert.deepEqual(convert('bool', 'i32', new Uint8Array([0, 1, 255]), Int32Array), [0, 1, 1]);
  assert.deepEqual(convert('bool', 'bool', new Uint8Array([0, 2]), Uint8Array), [0, 2]);
  assert.deepEqual(convert('i32', 'i64', new Int32Array([-(2 ** 31), -1, 5]), BigInt64Array), [-(2n ** 31n), -1n, 5n]);
  assert.deepEqual(convert('u32', 'i64', new Uint32Array([2 ** 32 - 1]), BigInt64Array), [2n ** 32n - 1n]);
  assert.deepEqual(convert('u16', 'u64', new Uint16Array([65535, 0]), BigUint64Array), [65535n, 0n]);
  const wide = [2n ** 63n - 1n, -(2n ** 63n), -1n, 2n ** 53n + 1n, 2n ** 53n + 3n, 0n, -(2n ** 53n) - 1n, 4294967295n];
  assert.deepEqual(convert('i64', 'f64', new BigInt64Array(wide), Float64Array), wide.map(Number));
  const unsigned = wide.map((value) => BigInt.asUintN(64, value));
  assert.deepEqual(convert('u64', 'f64', new BigUint64Array(unsigned), Float64Array), unsigned.map(Number));
  assert.deepEqual(convert('u64', 'c128', new BigUint64Array([3n]), Float64Array), [3, 0]);
  assert.deepEqual(convert('f32', 'c64', new Float32Array([1.5, -2]), Float32Array), [1.5, 0, -2, 0]);
  assert.deepEqual(convert('c64', 'c128', new Float32Array([1.5, -2]), Float64Array), [1.5, -2]);
  assert.deepEqual(convert('f16', 'f32', new Uint16Array([0x3c00, 0xc000, 1, 0x7c00]), Float32Array), [
    1,
    -2,
    2 ** -24,
    Infinity,
  ]);
  assert.deepEqual(convert('bf16', 'f64', new Uint16Array([0x3fc0, 0xff80]), Float64Array), [1.5, -Infinity]);
  assert.deepEqual(convert('u8', 'f16', new Uint8Array([0, 1, 255]), Uint16Array), [0, 0x3c00, 0x5bf8]);
  assert.deepEqual(convert('i8', 'bf16', new Int8Array([-1, 127]), Uint16Array), [0xbf80, 0x42fe]);
  assert.deepEqual(convert('f8e4m3', 'f32', new Uint8Array([0x38, 0x7e, 0xff]), Float32Array), [1, 448, NaN]);
  // Across the limit of what is converted at a time, and with strides.
  const long = Int16Array.from({ length: 5000 }, (_, i) => i - 2500);
  assert.deepEqual(convert('i16', 'i64', long, BigInt64Array), Array.from(long, BigInt));
  const halves = Uint16Array.from({ length: 6 }, (_, i) => encode(i, 'f16'));
  const transposed = sourceOf(halves, 'f16', [3, 2], [1, 3]);
  const into = new Float32Array(4);
  gather(transposed, 1, 4, into, 0, 'f32');
  assert.deepEqual([...into], [3, 1, 4, 2]);
});

test('codes of small floats: all of them, in both directions', () => {
  for (const [dtype, Bits] of Object.entries({ f16: 65536, bf16: 65536, f8e4m3: 256, f8e5m2: 256 })) {
    const values = valuesOf(dtype);
    assert.equal(values.length, Bits);
    values.forEach((value, code) => {
      if (Number.isNaN(value)) assert.ok(Number.isNaN(values[encode(NaN, dtype)]));
      else assert.equal(encode(value, dtype), code, `${dtype} ${code}`);
    });
    // A number between two codes goes to the nearer one, or to the even one.
    for (let code = 0; Number.isFinite(values[code + 1]); ++code) {
      const [low, high] = [values[code], values[code + 1]];
      const middle = (low + high) / 2;
      assert.equal(encode(middle, dtype), code + (code % 2), `${dtype} between ${low} and ${high}`);
      assert.equal(encode(middle - (high - low) / 64, dtype), code);
      assert.equal(encode(-middle - (high - low) / 64, dtype), (code + 1) | (Bits / 2));
    }
  }
  const bits = new Uint32Array(1);
  const number = new Float32Array(bits.buffer);
  for (let code = 0; code < 65536; code += 7) {
    bits[0] = code << 16;
    assert.ok(Object.is(valuesOf('bf16')[code], number[0]));
  }
  assert.deepEqual(
    [65504, 65519, 65520, -65520].map((value) => encode(value, 'f16')),
    [0x7bff, 0x7bff, 0x7c00, 0xfc00],
  );
  assert.deepEqual(
    [448, 463, 465, Infinity].map((value) => encode(value, 'f8e4m3')),
    [0x7e, 0x7e, 0x7f, 0x7f],
  );
  // Rounded once; rounding through f32 would give 1.
  assert.equal(encode(1 + 2 ** -11 + 2 ** -40, 'f16'), 0x3c01);
});

test('values take the type that is found for them', () => {
  const filled = (values, dtype) => [...fill(values, [values.length], dtype)];
  assert.deepEqual(filled([1, 2n, true, -0], 'u8'), [1, 2, 1, 0]);
  assert.deepEqual(filled([-128, 127], 'i8'), [-128, 127]);
  assert.deepEqual(filled([2 ** 60, -5, 2n ** 63n - 1n], 'i64'), [2n ** 60n, -5n, 2n ** 63n - 1n]);
  assert.deepEqual(filled([0.1, 2n], 'f32'), [Math.fround(0.1), 2]);
  assert.deepEqual(filled([0.1, -Infinity, NaN], 'f64'), [0.1, -Infinity, NaN]);
  assert.deepEqual(filled([1.5, Infinity, 2n], 'f16'), [0x3e00, 0x7c00, 0x4000]);
  assert.deepEqual(filled([1.5], 'bf16'), [0x3fc0]);
  assert.deepEqual(filled([true, 0, 1n], 'bool'), [1, 0, 1]);
  assert.deepEqual(filled([1.5, 2n], 'c64'), [1.5, 0, 2, 0]);
  assert.ok(fill([1], [], 'f32') instanceof Float32Array);
  assert.deepEqual(filled([], 'i32'), []);
});

test('values that a type cannot represent are reported with their position and a fitting type', () => {
  const refused = (values, shape, dtype, message) => {
    const fault = faultOf(() => fill(values, shape, dtype), { ...unsupported, dtype }, message);
    return fault.value;
  };
  assert.equal(
    refused([1, 2, 3, 300], [2, 2], 'u8', /^\[1\]\[1\] is 300, which u8 \(0 to 255\) does not hold; u16 does\.$/),
    300,
  );
  refused([300], [], 'u8', /^300 is not held by u8 \(0 to 255\); u16 does\.$/);
  refused([-1], [], 'u64', /i8 does/);
  refused([2.5], [], 'i32', /f32 does/);
  refused([NaN], [], 'i32', /NaN .* f32 does/);
  refused([2n ** 63n], [], 'i64', /9223372036854775808n .* u64 does/);
  refused([2n ** 64n], [], 'u64', /f32 does/);
  refused([2 ** 63], [], 'i64', /u64 does/);
  refused([70000], [], 'f16', /u32 does/);
  refused([70000.5], [], 'f16', /f32 does/);
  refused([1e39], [], 'f32', /f64 does/);
  refused([1e39], [], 'bf16', /f64 does/);
  refused([10n ** 400n], [], 'f64', /is not held by f64\.$/);
  refused([2], [], 'bool', /true, false, 1 and 0\); u8 does/);
  refused([Infinity], [], 'f8e4m3', /f32 does/);
  refused([1], [], 'i4', /packed\.$/);
});

test('results have the requested form', () => {
  const f32 = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3], dtype: 'f32' };
  assert.equal(giveBack(f32, 'array'), f32);
  assert.deepEqual(giveBack(f32, 'strided'), {
    data: f32.data,
    shape: [2, 3],
    stride: [3, 1],
    offset: 0,
    dtype: 'float32',
  });
  assert.deepEqual(giveBack(f32, 'strided', { strides: [1] }).strides, [3, 1]);
  const { data, shape, stride, offset } = giveBack(f32, 'strided', ndarray(f32.data, [2, 3]));
  assert.equal(ndarray(data, shape, stride, offset).get(1, 2), 6);
  assert.deepEqual(giveBack(f32, 'zarr'), { data: f32.data, shape: [2, 3], stride: [3, 1] });
  assert.deepEqual(giveBack(f32, 'nested'), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const wide = { data: new BigInt64Array([5n]), shape: [1], dtype: 'i64' };
  assert.equal(giveBack(wide, 'strided').dtype, 'bigint64');
  assert.deepEqual(giveBack(wide, 'nested'), [5n]);
  const mask = { data: new Uint8Array([1, 0]), shape: [2], dtype: 'bool' };
  assert.deepEqual(giveBack(mask, 'nested'), [true, false]);
  assert.equal(giveBack(mask, 'strided').dtype, 'uint8');
  assert.equal(giveBack(mask, 'zarr').data, mask.data);
  assert.equal(giveBack({ data: new Float64Array([2.5]), shape: [], dtype: 'f64' }, 'nested'), 2.5);
  assert.deepEqual(giveBack({ data: new Int8Array(), shape: [2, 0], dtype: 'i8' }, 'nested'), [[], []]);
  assert.deepEqual(giveBack({ data: new Uint16Array([0x3fc0]), shape: [1], dtype: 'bf16' }, 'nested'), [1.5]);
  assert.deepEqual(['array', 'nested', 'scalar', 'toString', 5].map(isResultForm), [true, true, false, false, false]);
  // A result is accepted as an operand.
  for (const form of ['strided', 'zarr', 'onnx', 'stdlib']) {
    const again = recognise(giveBack(f32, form));
    assert.deepEqual([again.form, again.dtype, again.data], [form, 'f32', f32.data]);
  }
});

test('values that a form cannot represent are reported', () => {
  const refused = (dtype, Type, form, message) => {
    const result = { data: new Type(2), shape: [1], dtype };
    faultOf(() => giveBack(result, form), { ...unsupported, dtype }, message);
  };
  for (const form of ['strided', 'zarr', 'onnx', 'stdlib']) {
    refused('bf16', Uint16Array, form, /holds no bf16; ask for the result in the form 'array'/);
    refused('u1', Uint8Array, form, /'array'/);
  }
  refused('c64', Float32Array, 'nested', /nested lists hold no c64/);
  refused('i4', Uint8Array, 'nested', /nested lists hold no i4/);
  refused('c128', Float64Array, 'onnx', /holds no c128/);
  class Refusing {
    constructor() {
      throw new TypeError('not of that type');
    }
  }
  const like = Object.create(Refusing.prototype);
  const result = { data: new Int8Array(1), shape: [1], dtype: 'i8' };
  faultOf(() => giveBack(result, 'onnx', like), unsupported, /form 'onnx' failed: not of that type/);
});

test('f16 is a Float16Array if the platform has one, else not', (t) => {
  const half = { data: new Uint16Array([0x3c00, 0x4000]), shape: [2], dtype: 'f16' };
  withFloat16Array(t, undefined);
  faultOf(() => giveBack(half, 'strided'), { ...unsupported, dtype: 'f16' }, /Float16Array/);
  faultOf(() => giveBack(half, 'zarr'), { ...unsupported, dtype: 'f16' }, /Float16Array/);
  assert.equal(giveBack(half, 'onnx').data, half.data);
  // Another typed array in its place; only the memory matters here.
  withFloat16Array(t, Int16Array);
  const { data, dtype } = giveBack(half, 'strided');
  assert.equal(dtype, 'float16');
  assert.ok(data instanceof Int16Array && data.buffer === half.data.buffer && data.length === 2);
  assert.ok(giveBack(half, 'zarr').data instanceof Int16Array);
});

test("the platform's own Float16Array", { skip: typeof Float16Array === 'undefined' }, () => {
  const data = new Float16Array([1, 2, 3, 4]);
  assert.equal(recognise({ data, shape: [4] }).dtype, 'f16');
  assert.equal(recognise({ data, shape: [4], dtype: 'f16' }).dtype, 'f16');
  const into = new Uint16Array(4);
  gather(sourceOf(data, 'f16', [2, 2], [1, 2]), 0, 4, into, 0);
  assert.deepEqual([...into], [0x3c00, 0x4200, 0x4000, 0x4400]);
  assert.deepEqual(giveBack({ data, shape: [4], dtype: 'f16' }, 'nested'), [1, 2, 3, 4]);
});
