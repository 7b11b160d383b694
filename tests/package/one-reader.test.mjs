// Every form of an array in every argument that takes arrays: the same elements and type are read.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import ndarray from 'ndarray';
import { Tensor } from 'onnxruntime-common';
import { load } from 'broadloom';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { startWorker } from 'broadloom/worker';

const bl = await load();
const worker = await startWorker();
after(() => worker.terminate());

const rows = [
  [1, 2, 3],
  [4, 5, 6],
];
const flat = rows.flat();
const NAMES = {
  i8: ['int8'],
  i16: ['int16'],
  i32: ['int32'],
  u8: ['uint8', 'uint8_clamped', 'buffer'],
  u16: ['uint16'],
  u32: ['uint32'],
  f32: ['float32', 'generic', 'array'],
  f64: ['float64'],
  i64: ['int64', 'bigint64'],
  u64: ['uint64', 'biguint64'],
  f16: ['float16'],
};
const HOLDERS = {
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f16: Uint16Array,
};
const HALVES = [0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600]; // 0 to 6
const entry = (dtype, value) =>
  /64/.test(dtype) && dtype !== 'f64' ? BigInt(value) : dtype === 'f16' ? HALVES[value] : value;
const typed = (dtype, values) => new HOLDERS[dtype](values.map((value) => entry(dtype, value)));

/** The same array in each form that can hold its elements: by name, its value. */
function formsOf(dtype) {
  const data = typed(dtype, flat);
  const transposed = typed(dtype, [1, 4, 2, 5, 3, 6]);
  const within = typed(dtype, [0, 0, ...flat, 0]);
  const apart = typed(
    dtype,
    flat.flatMap((value) => [value, 0]),
  );
  const reversed = typed(dtype, flat.toReversed());
  const forms = {
    'data and shape': { data, shape: [2, 3], dtype },
    'strides as of a transpose': { data: transposed, shape: [2, 3], strides: [1, 2], dtype },
    'an offset': { data: within, shape: [2, 3], offset: 2, dtype },
    'a stride and an offset': { data: within, shape: [2, 3], stride: [3, 1], offset: 2, dtype },
    'elements apart': { data: apart, shape: [2, 3], stride: [6, 2], dtype },
    'negative strides': { data: reversed, shape: [2, 3], stride: [-3, -1], offset: 5, dtype },
    'strides as bigints': { data: transposed, shape: [2n, 3n], stride: [1n, 2n], dtype },
    'column-major': { data: transposed, shape: [2, 3], strides: [1, 2], offset: 0, order: 'column-major', dtype },
    onnx: { type: dtype, data, dims: [2, 3] },
    tensor: bl.tensor({ data, shape: [2, 3], dtype }),
  };
  for (const name of NAMES[dtype]) {
    forms[`dtype ${name}`] = { data, shape: [2, 3], dtype: name };
    forms[`dtype ${name} and strides`] = { data: transposed, shape: [2, 3], stride: [1, 2], dtype: name };
    if (!['generic', 'array'].includes(name)) forms[`type ${name}`] = { type: name, data, dims: [2, 3] };
  }
  if (dtype === 'f64') forms['nested lists'] = rows;
  if (dtype === 'i64') forms['nested lists'] = rows.map((row) => row.map(BigInt));
  if (dtype === 'u8') forms.clamped = { data: new Uint8ClampedArray(flat), shape: [2, 3] };
  if (dtype !== 'f16') forms.scijs = ndarray(transposed, [3, 2]).transpose(1, 0);
  if (dtype === 'f32') forms.onnxruntime = new Tensor('float32', data, [2, 3]);
  return forms;
}

/** What each argument makes of an array, as `{data, shape, dtype}`. */
const PLACES = {
  'an operator': (array) => bl.broadcastTo(array, [2, 3]),
  apply: (array) => bl.apply('Broadcast', [array], { rule: 'broadcast_numpy', targetShape: [2, 3] }),
  'under promotion': (array) => bl.max([array], { promote: 'numpy2' }),
  sumTo: (array) => bl.sumTo(array, [2, 3]),
  tensor: (array) => bl.tensor(array),
  broadcastArrays: (array) => bl.broadcastArrays(array)[0],
  plan: (array, dtype) => bl.plan('Max', 'numpy', [[2, 3]], [dtype]).run([array]),
  region: (array, dtype) => {
    const box = [2, 3].map((end) => ({ begin: 0, end }));
    return bl.plan('Max', 'numpy', [[2, 3]], [dtype]).runRegion(box, [array]);
  },
  npy: (array) => parseNpy(formatNpy(array)),
  resultType: (array) => ({ data: null, shape: [2, 3], dtype: bl.resultType(array) }),
  worker: (array) => worker.apply('Max', [array]),
  'sumTo of a worker': (array) => worker.sumTo(array, [2, 3]),
};

test('every form is read the same in every argument', async () => {
  let count = 0;
  for (const dtype of Object.keys(HOLDERS)) {
    for (const [form, array] of Object.entries(formsOf(dtype))) {
      for (const [place, call] of Object.entries(PLACES)) {
        const where = `${dtype} as ${form}, to ${place}`;
        if (place.endsWith('worker') && form === 'tensor') continue; // it is in another thread's memory
        const given = await call(array, dtype);
        const data = given.read?.() ?? given.data;
        assert.deepEqual([given.dtype, [...given.shape]], [dtype, [2, 3]], where);
        if (data !== null)
          assert.deepEqual(
            Array.from(data, Number),
            dtype === 'f16' && data instanceof Uint16Array ? HALVES.slice(1) : flat,
            where,
          );
        ++count;
      }
    }
  }
  assert.ok(count > 1500, String(count));
});

test('out is read in the same way as operands', () => {
  for (const dtype of Object.keys(HOLDERS)) {
    if (dtype === 'f16') continue;
    const make = () => new HOLDERS[dtype](9);
    const operand = { data: typed(dtype, flat), shape: [2, 3], dtype };
    const outs = {
      plain: (data) => ({ data: data.subarray(0, 6), shape: [2, 3], dtype }),
      offset: (data) => ({ data, shape: [2, 3], offset: 2, dtype }),
      strides: (data) => ({ data: data.subarray(0, 6), shape: [2, 3], stride: [3, 1], dtype }),
      onnx: (data) => ({ type: dtype, data: data.subarray(0, 6), dims: [2, 3] }),
      scijs: (data) => ndarray(data, [2, 3], [3, 1], 2),
    };
    for (const name of NAMES[dtype]) outs[name] = (data) => ({ data: data.subarray(0, 6), shape: [2, 3], dtype: name });
    for (const [form, out] of Object.entries(outs)) {
      const data = make();
      const begin = form === 'offset' || form === 'scijs' ? 2 : 0;
      bl.max([operand], { out: out(data) });
      assert.deepEqual([...data].map(Number).slice(begin, begin + 6), flat, `${dtype} as ${form}`);
      bl.sumTo(operand, [2, 3], { out: out(make()) });
    }
    const apart = { data: new HOLDERS[dtype](12), shape: [2, 3], stride: [6, 2], dtype };
    bl.max([operand], { out: apart });
    assert.deepEqual(
      [0, 2, 4, 6, 8, 10].map((i) => Number(apart.data[i])),
      flat,
    );
  }
});

test('invalid arrays are rejected in every argument', async () => {
  const wrong = [
    [{ data: new Float32Array(6), shape: [2, 3], dtype: 'float33' }, /float33/],
    [{ data: new Float32Array(6), shape: [2, 3], dtype: 'float64' }, /f64 is held in Float64Array/],
    [{ data: new Float32Array(5), shape: [2, 3] }, /./],
    [{ data: new Float32Array(6), shape: [2, 3], stride: [3] }, /strides has length 1, but shape has length 2/],
    [{ data: new Float32Array(6), shape: [2, 3], stride: [4, 1] }, /leads to element 6/],
    [new Float32Array(6), /without a shape: give/],
    [{ data: [1], shape: [1] }, /data has to be a typed array/],
  ];
  for (const [array, message] of wrong) {
    for (const [place, call] of Object.entries(PLACES)) {
      if (/^(plan|region)$/.test(place) && array instanceof Float32Array) continue; // these two accept it
      if (place === 'resultType') continue; // it looks only at the type
      await assert.rejects(async () => call(array, 'f32'), message, place);
    }
  }
});

test("results in the form of the first operand have scijs's own class", () => {
  for (const shape of [[6], [2, 3], [1, 2, 3], [1, 1, 2, 3]]) {
    const view = ndarray(new Float32Array(flat), shape);
    for (const array of [
      bl.mul(view, 2, { as: 'first' }),
      bl.mul(view, view, { as: 'strided' }),
      bl.mul(ndarray(new Float32Array([2])), view, { as: 'first' }),
      bl.mul(view.step(...shape.map(() => 1)), ndarray(new Float32Array([2]), [1]), { as: 'first' }),
    ]) {
      assert.equal(array.constructor, view.constructor, `${shape}`);
      assert.deepEqual(array.shape, shape);
      assert.equal(array.get(...shape.map((extent) => extent - 1)), view === array ? 6 : array.data[5]);
      array.set(...shape.map(() => 0), 9);
      assert.equal(array.data[0], 9);
      assert.deepEqual(array.transpose(...shape.map((_, i) => shape.length - 1 - i)).shape, shape.toReversed());
      assert.deepEqual(bl.add(array, 0).shape, shape);
    }
  }
  // A class for fewer axes than any operand has is also found.
  const picked = bl.apply(
    'Broadcast',
    [ndarray(new Float32Array([1]), []), ndarray(new Float32Array(6), [2, 3])].slice(0, 1),
    {
      rule: 'broadcast_numpy',
      targetShape: [],
      as: 'first',
    },
  );
  assert.equal(picked.get(), 1);
  // No class for this type or number of axes is available: a plain object with the fields.
  const plain = bl.equal(ndarray(new Float32Array(3)), 0, { as: 'first' });
  assert.deepEqual([plain.constructor, plain.dtype, plain.stride], [Object, 'uint8', [1]]);
  const grown = bl.broadcastTo(ndarray(new Float32Array([1, 2])), [2, 2]);
  assert.equal(grown.constructor, Object);
  // A class with a different constructor.
  class Other {
    constructor(own) {
      Object.assign(this, own);
    }
  }
  const other = new Other({
    data: new Float32Array(2),
    shape: [2],
    stride: [1],
    offset: 0,
    dtype: 'float32',
    dimension: 1,
  });
  assert.equal(bl.add(other, 1, { as: 'first' }).constructor, Object);
});
