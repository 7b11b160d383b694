// Results in place of an operand, beside operands that repeat: operators of two, three and four operands, every element type,
// rows of many lengths, on tensors and on typed arrays. The answer is the result apart, and for Sub of i32 what JavaScript computes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { bytes, randomArray, randomOf } from './random-arrays.mjs';

const bl = await load();

const COLUMNS = [
  1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 18, 23, 31, 32, 33, 47, 49, 63, 64, 65, 77, 100, 129, 257, 1025, 4100,
];
const OPERANDS = { Sub: 2, Max: 3, Pow: 2, Where: 3, Sum: 3, Mean: 4 };

/** What the other operands have, beside one of shape [2, rows, columns]. */
const others = (rows, columns) => [
  [2, rows, 1],
  [columns],
  [rows, columns],
  [2, 1, columns],
  [1, rows, 1],
  [],
  [2, rows, columns],
];

/** Calls check(name, arrays, k, label) for each call: operand k, each of them in turn, has the result's shape and type. */
function forEachCall(check) {
  const random = randomOf(20);
  for (const [name, count] of Object.entries(OPERANDS)) {
    for (const dtype of bl.vocabulary.ops[name].types.at(-1)) {
      for (const columns of COLUMNS) {
        const rows = Math.max(2, Math.min(40, Math.floor(3000 / columns)));
        const forms = others(rows, columns);
        for (let mine = name === 'Where' ? 1 : 0; mine < count; ++mine) {
          // The other operands have different forms, each of them every form.
          for (let turn = 0; turn < forms.length; ++turn) {
            const arrays = Array.from({ length: count }, (_, k) =>
              randomArray(
                bl,
                random,
                name === 'Where' && k === 0 ? 'bool' : dtype,
                k === mine ? forms.at(-1) : forms[(turn + 2 * k) % forms.length],
              ),
            );
            const shapes = arrays.map(({ shape }) => `[${shape}]`);
            check(name, arrays, mine, `${name} ${dtype}, operand ${mine} of ${shapes}`);
          }
        }
      }
    }
  }
}

test('a result in place has the bytes of one apart', () => {
  let calls = 0;
  forEachCall((name, arrays, mine, label) => {
    const apart = bl.apply(name, arrays);
    ++calls;
    const tensors = arrays.map((one) => bl.tensor(one));
    bl.apply(name, tensors, { out: tensors[mine] });
    assert.ok(bytes(tensors[mine].read()).equals(bytes(apart.data)), `${label}, tensors`);
    for (const tensor of tensors) tensor.dispose();
    bl.apply(name, arrays, { out: arrays[mine] });
    assert.ok(bytes(arrays[mine].data).equals(bytes(apart.data)), `${label}, typed arrays`);
  });
  assert.ok(calls > 20_000, `${calls} calls`);
});

test('differences in place are those of JavaScript', () => {
  for (const columns of COLUMNS) {
    const rows = 37;
    for (const step of [0, 1]) {
      const a = Int32Array.from({ length: rows * columns }, (_, i) => i * 7);
      const b = Int32Array.from({ length: step ? columns : rows }, (_, i) => i * i);
      const wanted = a.map((value, i) => value - b[step ? i % columns : Math.floor(i / columns)]);
      const out = bl.tensor({ data: a, shape: [rows, columns] });
      bl.sub(out, { data: b, shape: step ? [columns] : [rows, 1] }, { out });
      assert.deepEqual(out.read(), wanted, `${columns} columns`);
      out.dispose();
    }
  }
});
