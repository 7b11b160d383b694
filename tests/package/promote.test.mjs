// Operands of mixed types: an error, or with promotion, the result of NumPy 2.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from 'broadloom';
import { ARRAYS, bool, f32, f64, fault, i32, u8 } from './arrays.mjs';

const bl = await load();
const numpy2 = { promote: 'numpy2' };
const i8 = (values) => ({ data: new Int8Array(values), shape: [values.length] });
const i16 = (values) => ({ data: new Int16Array(values), shape: [values.length] });
const u16 = (values) => ({ data: new Uint16Array(values), shape: [values.length] });
const u32 = (values) => ({ data: new Uint32Array(values), shape: [values.length] });
const i64 = (values) => ({ data: new BigInt64Array(values), shape: [values.length] });
const u64 = (values) => ({ data: new BigUint64Array(values), shape: [values.length] });

function gives(result, dtype, values) {
  assert.deepEqual([result.dtype, [...result.data]], [dtype, values]);
}

test('by default mixed types are an error that names both', () => {
  for (const options of [undefined, {}, { promote: 'strict' }, { promote: undefined }]) {
    fault(() => bl.add(u8([1]), i8([1]), options), {
      code: 'dtype',
      detail: 'mixed',
      op: 'Add',
      dtype: 'i8',
      otherDtype: 'u8',
    });
  }
  for (const promote of ['numpy', 'weak', 2, null, {}]) {
    fault(() => bl.add(u8([1]), i8([1]), { promote }), { code: 'unknown', op: 'Add' });
  }
});

test('arrays of two types', () => {
  gives(bl.add(u8([200, 255]), i8([-1, -128]), numpy2), 'i16', [199, 127]);
  gives(bl.mul(i16([300]), u16([300]), numpy2), 'i32', [90_000]);
  gives(bl.sub(u32([0]), i32([1]), numpy2), 'i64', [-1n]);
  gives(bl.add(i64([1n]), u64([2n]), numpy2), 'f64', [3]);
  gives(bl.add(u64([2n ** 64n - 1n]), u8([1]), numpy2), 'u64', [0n]);
  gives(bl.div(i8([7]), f32([2]), numpy2), 'f32', [3.5]);
  gives(bl.add(i32([16_777_217]), f32([0]), numpy2), 'f64', [16_777_217]);
  gives(bl.add(i16([5]), f32([0.5]), numpy2), 'f32', [5.5]);
  gives(bl.add(u8([1]), { data: new Uint16Array([0x3800]), shape: [1], dtype: 'f16' }, numpy2), 'f16', [0x3e00]);
  gives(bl.add(f64([0.1]), f32([0.5]), numpy2), 'f64', [0.6]);
  gives(bl.max([i8([1]), i16([2]), f32([1.5])], numpy2), 'f32', [2]);
  gives(bl.add(bool([1]), u8([1]), numpy2), 'u8', [2]);
});

test('scalars adapt, lists do not', () => {
  gives(bl.add(u8([250]), 5, numpy2), 'u8', [255]);
  gives(bl.add(u8([250]), true, numpy2), 'u8', [251]);
  gives(bl.add(f32([1]), 1e-3, numpy2), 'f32', [Math.fround(1 + Math.fround(1e-3))]);
  gives(bl.add(i32([1]), 2.5, numpy2), 'f64', [3.5]);
  gives(bl.add(u8([1]), [1], numpy2), 'f64', [2]);
  gives(bl.add(f32([1]), [0.1], numpy2), 'f64', [1.1]);
  gives(bl.add(u8([1]), [1n], numpy2), 'i64', [2n]);
  gives(bl.add(bool([1]), 1, numpy2), 'i64', [2n]);
  gives(bl.add(2, 3, numpy2), 'i64', [5n]);
  gives(bl.add(2, 0.5, numpy2), 'f64', [2.5]);
  assert.match(fault(() => bl.add(u8([1]), 300, numpy2), { code: 'dtype', operand: 1 }).message, /300/);
  fault(() => bl.add(u8([1]), -1, numpy2), { code: 'dtype', operand: 1 });
  // Without promotion, everything without a type takes the type of the others.
  gives(bl.add(f32([1]), [0.5]), 'f32', [1.5]);
  fault(() => bl.add(i32([1]), 2.5), { code: 'dtype', operand: 1 });
});

test('operators whose operands have different kinds of types', () => {
  gives(bl.where(bool([1, 0]), u8([1, 2]), i8([-1, -2]), numpy2), 'i16', [1, -2]);
  gives(bl.where([true, false], u8([1, 2]), 7, numpy2), 'u8', [1, 7]);
  gives(bl.where(bool([1, 0]), 1, 2.5, numpy2), 'f64', [1, 2.5]);
  gives(bl.less(u8([200]), i8([-1]), numpy2), 'bool', [0]);
  gives(bl.equal(bool([1]), u8([1]), numpy2), 'bool', [1]);
  gives(bl.pow(i8([2]), u8([3]), numpy2), 'i16', [8]);
  gives(bl.pow(i32([2]), 0.5, numpy2), 'f64', [Math.SQRT2]);
  gives(bl.bitwiseAnd(u8([0xff]), i16([-1]), numpy2), 'i16', [255]);
  gives(bl.and(bool([1]), true, numpy2), 'bool', [1]);
  fault(() => bl.bitwiseAnd(u8([1]), f32([1]), numpy2), { code: 'dtype', op: 'BitwiseAnd' });
  fault(() => bl.bitwiseAnd(u64([1n]), i8([1]), numpy2), { code: 'dtype', op: 'BitwiseAnd' });
  fault(() => bl.where(f32([1]), 1, 2, numpy2), { code: 'dtype', op: 'Where', operand: 0 });
});

test('every pair of types that Add takes is computed in the type of resultType', () => {
  const make = {
    i8,
    i16,
    i32,
    u8,
    u16,
    u32,
    i64: (values) => i64(values.map(BigInt)),
    u64: (values) => u64(values.map(BigInt)),
    f32,
    f64,
  };
  for (const [a, first] of Object.entries(make)) {
    for (const [b, second] of Object.entries(make)) {
      const dtype = bl.resultType(a, b);
      const [x, y] = [first([1, 2, 100]), second([3, 4, 5])];
      const result = bl.add(x, y, numpy2);
      assert.equal(result.dtype, dtype, `${a} and ${b}`);
      assert.deepEqual([...result.data].map(Number), [4, 6, 105], `${a} and ${b}`);
      const out = { data: new result.data.constructor(3), shape: [3], dtype };
      bl.add(x, y, { ...numpy2, out });
      assert.deepEqual(out.data, result.data);
      // Also for strided data.
      const apart = { ...x, data: new x.data.constructor([x.data[2], x.data[1], x.data[0]]), stride: [-1], offset: 2 };
      assert.deepEqual(bl.add(apart, y, numpy2).data, result.data, `${a} and ${b}, reversed`);
    }
  }
});

test('a converted array is as long as its shape says', () => {
  const short = { data: new Uint8Array(2), shape: [3] };
  fault(() => bl.add(short, i16([1]), numpy2), { code: 'length', operand: 0, extent: 2, otherExtent: 3 });
  fault(() => bl.add({ data: new Uint8Array(4), shape: [3] }, i16([1]), numpy2), { code: 'length', operand: 0 });
  fault(() => bl.add({ data: new Uint8Array(2), shape: [-3] }, i16([1]), numpy2), { code: 'extent', operand: 0 });
  fault(() => bl.add({ data: new Uint8Array(2), shape: [2 ** 40, 2 ** 40] }, i16([1]), numpy2), {});
  const empty = bl.add({ data: new Uint8Array(0), shape: [0, 2] }, i16([1, 2]), numpy2);
  assert.deepEqual([empty.dtype, empty.shape], ['i16', [0, 2]]);
});

test('out in the memory of a converted operand', () => {
  const data = new Uint8Array([1, 2]);
  const a = { data, shape: [2], dtype: 'bool' };
  // The same memory as both: an element that is written could be read again.
  fault(() => bl.add(a, u8([1, 1]), { ...numpy2, out: { data, shape: [2] } }), { code: 'overlap', operand: -3 });
  const own = u8([1, 2]);
  assert.deepEqual([...bl.add(own, 1, { ...numpy2, out: own }).data], [2, 3]);
});

// Types that ml_dtypes adds to NumPy follow result_type, which is stricter than the operators of ml_dtypes.
const EXTENSIONS = ['bf16', 'f8e4m3', 'f8e5m2'];

test("each operator returns NumPy's results for each pair of types and each scalar, and without promotion rejects them", () => {
  const lines = readFileSync(new URL('../promotion/operators.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const rows = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(' '));
  const [, ...seconds] = rows.shift();
  const array = (dtype) => {
    const Array = ARRAYS[dtype];
    const one = Array.name.startsWith('Big') ? 1n : 1;
    return { data: new Array(dtype.startsWith('c') ? 2 : 1).fill(one), shape: [1], dtype };
  };
  const scalars = { int: 1, float: 1.5 };
  const counts = { same: 0, refused: 0 };
  for (const [op, a, ...answers] of rows) {
    const { types, integersTo, result } = bl.vocabulary.ops[op];
    answers.forEach((answer, i) => {
      const b = seconds[i];
      const where = `${op} of ${a} and ${b}`;
      const [x, y] = [array(a), scalars[b] ?? array(b)];
      let common = null;
      try {
        common = bl.resultType(x, y);
      } catch {}
      const isWhole = /^([iu]\d+|bool)$/.test(common);
      const computed = isWhole && integersTo !== null ? integersTo : common;
      if (!types[0].includes(computed)) {
        fault(() => bl.apply(op, [x, y], numpy2), { code: 'dtype' });
        ++counts.refused;
      } else {
        const given = bl.apply(op, [x, y], numpy2);
        if (EXTENSIONS.includes(a) || EXTENSIONS.includes(b)) {
          assert.equal(given.dtype, result === 'bool' ? 'bool' : computed, where);
        } else {
          assert.equal(given.dtype, answer, where);
        }
        ++counts.same;
      }
      const mayDiffer = op === 'Pow';
      if (a !== b && !(b in scalars) && !mayDiffer) fault(() => bl.apply(op, [x, y]), { code: 'dtype' });
    });
  }
  assert.ok(counts.same > 2500 && counts.refused > 500, JSON.stringify(counts));
});

test('division of integers is true division', () => {
  gives(bl.div(u8([0, 100, 255]), 255, numpy2), 'f64', [0, 100 / 255, 1]);
  gives(bl.div(7, 2, numpy2), 'f64', [3.5]);
  gives(bl.div(i32([7, -7]), i32([2, 0]), numpy2), 'f64', [3.5, -Infinity]);
  gives(bl.div(bool([1, 0]), bool([1, 1]), numpy2), 'f64', [1, 0]);
  gives(bl.div(i64([2n ** 53n + 1n]), u64([3n]), numpy2), 'f64', [2 ** 53 / 3]);
  gives(bl.div(u8([1]), f32([3]), numpy2), 'f32', [Math.fround(1 / 3)]);
  gives(bl.div(i16([1]), f32([3]), numpy2), 'f32', [Math.fround(1 / 3)]);
  const tensor = bl.tensor(u8([0, 100, 255]));
  assert.deepEqual([...bl.div(tensor, 255, numpy2).read()], [0, 100 / 255, 1]);
  const out = f64([0, 0]);
  assert.deepEqual([...bl.div(u8([1, 2]), u8([4, 4]), { ...numpy2, out }).data], [0.25, 0.5]);
  fault(() => bl.div(u8([1]), u8([4]), { ...numpy2, out: u8([0]) }), { code: 'dtype', detail: 'output' });
  // Without promotion it truncates.
  gives(bl.div(u8([7, 255]), 2), 'u8', [3, 127]);
});
