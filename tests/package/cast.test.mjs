// Cast: the method, its options, and conversions elsewhere in the package. The element values, from every type to every
// other, are in tests/conformance/cast.jsonl.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { array, ARRAYS, bool, f32, f64, fault, i32, plain, u8 } from './arrays.mjs';

const bl = await load();

test('an array is converted to another type', () => {
  assert.deepEqual(plain(bl.cast(u8([0, 128, 255]), 'f32')), { data: [0, 128, 255], shape: [3], dtype: 'f32' });
  assert.deepEqual([...bl.cast(f32([-1.9, 1.9, 255.9, 256, -Infinity, NaN]), 'u8').data], [0, 1, 255, 255, 0, 0]);
  assert.deepEqual([...bl.cast(f64([1.9, -1.9, 1e30, NaN]), 'i64').data], [1n, -1n, 2n ** 63n - 1n, 0n]);
  assert.deepEqual([...bl.cast(i32([-1, 300]), 'u8').data], [255, 44]);
  assert.deepEqual([...bl.cast(i32([-1, 300]), 'u8', { saturate: true }).data], [0, 255]);
  assert.deepEqual([...bl.cast(f32([0, -0, NaN, 0.1]), 'bool').data], [0, 0, 1, 1]);
  assert.deepEqual([...bl.cast(bool([0, 77]), 'i64').data], [0n, 1n]);
  assert.deepEqual([...bl.cast(bool([0, 77]), 'bool').data], [0, 1]);
});

test('conversions round once', () => {
  // f32 can hold the midpoint of two f16, but would lose a small difference from it.
  const beyond = f64([1 + 2 ** -11 + 2 ** -40, 1 + 2 ** -11, 1 + 2 ** -11 - 2 ** -40]);
  const bits = (result) => [...new Uint16Array(result.data.buffer)];
  assert.deepEqual(bits(bl.cast(beyond, 'f16')), [0x3c01, 0x3c00, 0x3c00]);
  const wide = f64([1 + 2 ** -8 + 2 ** -40, 2 ** -134 + 2 ** -160, 2 ** -134]);
  assert.deepEqual(bits(bl.cast(wide, 'bf16')), [0x3f81, 1, 0]);
  const integers = array(BigInt64Array, [
    2n ** 62n + 2n ** 38n + 1n,
    2n ** 62n + 2n ** 38n,
    -(2n ** 62n) - 2n ** 38n - 1n,
  ]);
  assert.deepEqual([...bl.cast(integers, 'f32').data], [2 ** 62 + 2 ** 39, 2 ** 62, -(2 ** 62) - 2 ** 39]);
});

test('apply takes it as an operator with attributes', () => {
  const a = i32([-1, 300]);
  assert.deepEqual(
    plain(bl.apply('Cast', [a], { attrs: { to: 'u8', saturate: 1 } })),
    plain(bl.cast(a, 'u8', { saturate: true })),
  );
  assert.deepEqual([...bl.apply('Cast', [a], { attrs: { to: 'u8', saturate: 0 } }).data], [255, 44]);
  // Kept plans are distinguished by both attributes.
  assert.equal(bl.apply('Cast', [a], { attrs: { to: 'i8' } }).dtype, 'i8');
  assert.deepEqual([...bl.apply('Cast', [a], { attrs: { to: 'u8' } }).data], [255, 44]);
});

test('values without a type, views, nested results', () => {
  assert.deepEqual(plain(bl.cast(3.7, 'u8')), { data: [3], shape: [], dtype: 'u8' });
  assert.deepEqual(
    plain(
      bl.cast(
        [
          [1, 2],
          [3, 4],
        ],
        'f64',
      ),
    ),
    { data: [1, 2, 3, 4], shape: [2, 2], dtype: 'f64' },
  );
  assert.deepEqual(bl.cast(f32([1.5, -2.5], [2, 1]), 'i32', { as: 'nested' }), [[1], [-2]]);
  const view = { data: new Float32Array([9, 1.5, 9, 2.5, 9]), shape: [2, 3], stride: [2, 0], offset: 1 };
  assert.deepEqual([...bl.cast(view, 'u8').data], [1, 1, 1, 2, 2, 2]);
  const last = { data: new Int16Array([1, 2, 3]), shape: [3], stride: [-1], offset: 2 };
  assert.deepEqual([...bl.cast(last, 'u8').data], [3, 2, 1]);
});

test('results go to out, which may be the operand', () => {
  const out = { data: new Uint8Array(3), shape: [3] };
  assert.equal(bl.cast(f32([1, 2, 3]), 'u8', { out }).data, out.data);
  assert.deepEqual([...out.data], [1, 2, 3]);
  fault(() => bl.cast(f32([1, 2, 3]), 'i8', { out }), { code: 'dtype', detail: 'output' });
  for (const length of [3, 1000, 200_000]) {
    const data = Float32Array.from({ length }, (_, i) => i - 7.5);
    const wanted = Int32Array.from(data, Math.trunc);
    const place = { data: new Int32Array(data.buffer), shape: [length] };
    bl.cast({ data, shape: [length] }, 'i32', { out: place });
    assert.deepEqual(place.data, wanted);
    bl.cast(place, 'f32', { out: { data: new Float32Array(place.data.buffer), shape: [length] } });
    assert.deepEqual(new Float32Array(place.data.buffer), Float32Array.from(wanted));
  }
});

test('every length, and more than a block, on typed arrays and tensors', () => {
  for (const from of bl.vocabulary.ops.Cast.types[0]) {
    for (const [to, length] of [
      ['u8', 70],
      ['f32', 70],
      ['bf16', 70],
      ['i64', 70],
      ['f32', 300_001],
    ]) {
      const wide = from === 'i64' || from === 'u64';
      const data = ARRAYS[from].from({ length }, (_, i) => (wide ? BigInt(i % 100) : i % 100));
      const operand = { data, shape: [length], dtype: from };
      const whole = bl.cast(operand, to);
      for (let n = 0; n < 70; n += 3) {
        const some = bl.cast({ data: data.slice(0, n), shape: [n], dtype: from }, to);
        assert.deepEqual(some.data, whole.data.slice(0, n), `${n} of ${from} to ${to}`);
      }
      const tensor = bl.tensor(operand);
      const result = bl.cast(tensor, to);
      assert.deepEqual(result.read(), whole.data, `${from} to ${to} as tensors`);
      result.dispose();
      tensor.dispose();
    }
  }
});

test('errors', () => {
  fault(() => bl.cast(f32([1]), 'f33'), { code: 'unknown', detail: 'dtype', op: 'Cast' });
  const opaque = fault(() => bl.cast(f32([1]), 'c64'), {
    code: 'dtype',
    detail: 'unsupported',
    op: 'Cast',
    dtype: 'c64',
  });
  assert.match(opaque.message, /Cast does not make c64\. It makes bool, i8/);
  fault(() => bl.cast({ data: new Uint8Array(1), shape: [2], dtype: 'i4' }, 'f32'), { code: 'dtype', operand: 0 });
  const missing = fault(() => bl.apply('Cast', [f32([1])]), { code: 'attribute', detail: 'missing' });
  assert.match(missing.message, /Cast needs an element type: to/);
  const range = fault(() => bl.apply('Cast', [f32([1])], { attrs: { to: 'u8', saturate: 2 } }), { code: 'attribute' });
  assert.match(range.message, /saturate is 0 or 1, not 2/);
  fault(() => bl.add(f32([1]), f32([1]), { attrs: { to: 'u8' } }), { code: 'attribute', detail: 'unexpected' });
  fault(() => bl.cast(f32([1]), 'u8', { rule: 'numpy' }), { code: 'unknown' });
  fault(() => bl.plan('Cast', 'pdpd', [[2]], ['f32']), { code: 'unknown' });
  const plan = bl.plan('Cast', 'numpy', [[2]], ['f32'], { attrs: { to: 'u8' } });
  assert.deepEqual([...plan.run([new Float32Array([1.5, 2])]).data], [1, 2]);
});
