// Common element types: NumPy's answers, and the package's errors if there is none.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'broadloom';
import { fault } from './arrays.mjs';

const bl = await load();
const resultType = (...operands) => bl.resultType(...operands);
// A scalar of each kind.
const WEAK = { bool: true, int: 1, float: 1.5 };

test('lists are promoted as NumPy does', async () => {
  const lines = (await readFile(new URL('../promotion/numpy.txt', import.meta.url), 'utf8')).trimEnd().split('\n');
  let thirds;
  let count = 0;
  for (const line of lines) {
    if (line.startsWith('#')) continue;
    const [first, ...rest] = line.split(' ');
    if (first === 'types') {
      thirds = rest;
      continue;
    }
    const [a, b, ...answers] = rest;
    assert.equal(answers.length, thirds.length, line);
    answers.forEach((answer, i) => {
      const operands = [a, b, thirds[i]];
      if (first !== 'none') operands.splice(i % 4, 0, WEAK[first]);
      const ask = () => resultType(...operands);
      // If NumPy's answer depends on the order, there is none.
      if (answer === '-' || answer.includes('|')) fault(ask, { code: 'dtype', detail: 'mixed' });
      else assert.equal(ask(), answer, JSON.stringify(operands));
      ++count;
    });
  }
  assert.ok(count > 5000);
});

test('arguments of resultType: names, arrays of every form, scalars', () => {
  assert.equal(resultType('i8', 'u8'), 'i16');
  assert.equal(resultType('i16', 'u16', 'f32'), 'f32');
  assert.equal(resultType({ data: new Int8Array(2), shape: [2] }, 'f16'), 'f16');
  assert.equal(resultType({ type: 'int64', data: new BigInt64Array(1), dims: [1] }, 'u64'), 'f64');
  assert.equal(resultType('f32', 1.5), 'f32');
  assert.equal(resultType('i32', 1), 'i32');
  assert.equal(resultType('i32', 2.5), 'f64');
  assert.equal(resultType('u8', 300n), 'u8'); // whether the value fits is not checked
  assert.equal(resultType('bool', true), 'bool');
  assert.equal(resultType('bool', 1), 'i64');
  assert.equal(resultType(true), 'bool');
  assert.equal(resultType(1, true), 'i64');
  assert.equal(resultType(1n, 0.5), 'f64');
  assert.equal(resultType(NaN, 'i8'), 'f64');
  // Lists are arrays with their own type, as in NumPy.
  assert.equal(resultType([[1, 2.5]], 'f32'), 'f64');
  assert.equal(resultType(bl.tensor({ data: new Int8Array(2), shape: [2] }), 'u8'), 'i16');
});

test('the types that an operator computes in are those of its results', () => {
  const types = ['bool', 'i8', 'u8', 'i64', 'f16', 'f32'];
  const array = (dtype) => bl.cast({ data: new Uint8Array([1]), shape: [1] }, dtype);
  for (const op of ['Add', 'Div', 'Pow']) {
    for (const a of types) {
      for (const b of types) {
        const [first, second] = bl.promotedTypes(op, a, b);
        assert.equal(first, second, `${op} ${a} ${b}`);
        const run = () => bl.apply(op, [array(a), array(b)], { promote: 'numpy2' });
        if (bl.vocabulary.ops[op].types[0].includes(first)) assert.equal(run().dtype, first, `${op} ${a} ${b}`);
        else fault(run, { code: 'dtype', op });
      }
    }
  }
  assert.deepEqual(bl.promotedTypes('Where', 'bool', 'i8', 'f32'), ['bool', 'f32', 'f32']);
  assert.deepEqual(bl.promotedTypes('And', 'bool', 'bool'), ['bool', 'bool']);
  fault(() => bl.promotedTypes('Add', 'f16', 'bf16'), { code: 'dtype', detail: 'mixed', op: 'Add', operand: 1 });
  fault(() => bl.promotedTypes('Ad'), { code: 'unknown', detail: 'op' });
  fault(() => bl.promotedTypes('Add', 'i7'), { code: 'unknown', detail: 'dtype', op: 'Add', operand: 0 });
});

test('if there is no common type, the two conflicting types are named', () => {
  const mixed = { code: 'dtype', detail: 'mixed' };
  const error = fault(() => resultType('i8', 'f16', 'u8', 'bf16'), {
    ...mixed,
    operand: 3,
    otherOperand: 1,
    dtype: 'bf16',
    otherDtype: 'f16',
  });
  assert.match(error.message, /bf16 and f16/);
  fault(() => resultType('i4', 'u4'), { ...mixed, operand: 1, otherOperand: 0 });
  fault(() => resultType(1, 'i4'), { ...mixed, dtype: 'i4', otherDtype: null });
  fault(() => resultType(), { code: 'arity' });
  fault(() => resultType('f33'), { code: 'unknown', detail: 'dtype' });
  for (const wrong of [undefined, null, {}, () => 1, Symbol('x')]) fault(() => resultType(wrong), { code: 'dtype' });
});
