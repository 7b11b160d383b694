// Common element types: NumPy's answers, and what the package says where there is none.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import createCore from '../../wasm/dist/broadloom-core.mjs';
import { FormFault } from '../../wasm/dist/forms/fault.js';
import { Promotion, promotedOf } from '../../wasm/dist/promotion.js';

const wasmBinary = await readFile(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
const core = await createCore({ wasmBinary });
const dtypes = Object.keys(JSON.parse(core.vocabulary()).dtypes);
const promotion = new Promotion(dtypes, (set, weak) => core._broadloom_result_type(set, weak));
const resultType = (...operands) => promotion.resultType(operands.map(promotedOf));

/** The fault that `call` ends in. */
function faultOf(call, fields = {}) {
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof FormFault, `a FormFault, not ${thrown}`);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(thrown.fields[name], value, name);
  return thrown;
}

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
      const operands = [a, b, thirds[i]].map((dtype) => ({ dtype }));
      if (first !== 'none') operands.splice(i % 4, 0, { weak: first });
      const ask = () => promotion.resultType(operands);
      // Where NumPy's answer depends on the order there is none.
      if (answer === '-' || answer.includes('|')) faultOf(ask, { code: 'dtype', detail: 'mixed' });
      else assert.equal(ask(), answer, JSON.stringify(operands));
      ++count;
    });
  }
  assert.ok(count > 5000);
});

test('what promotes: names, arrays of every form, scalars', () => {
  assert.equal(resultType('i8', 'u8'), 'i16');
  assert.equal(resultType('i16', 'u16', 'f32'), 'f32');
  assert.equal(resultType({ data: new Int8Array(2), shape: [2] }, 'f16'), 'f16');
  assert.equal(resultType({ type: 'int64', data: new BigInt64Array(1), dims: [1] }, 'u64'), 'f64');
  assert.equal(resultType('f32', 1.5), 'f32');
  assert.equal(resultType('i32', 1), 'i32');
  assert.equal(resultType('i32', 2.5), 'f64');
  assert.equal(resultType('u8', 300n), 'u8'); // whether it is held is another question
  assert.equal(resultType('bool', true), 'bool');
  assert.equal(resultType('bool', 1), 'i64');
  assert.equal(resultType(true), 'bool');
  assert.equal(resultType(1, true), 'i64');
  assert.equal(resultType(1n, 0.5), 'f64');
  assert.equal(resultType(NaN, 'i8'), 'f64');
  assert.equal(resultType([[1, 2.5]], 'f32'), 'f32');
});

test('where there is no common type, the two at odds are named', () => {
  const mixed = { code: 'dtype', detail: 'mixed' };
  const fault = faultOf(() => resultType('i8', 'f16', 'u8', 'bf16'), {
    ...mixed,
    operand: 3,
    otherOperand: 1,
    dtype: 'bf16',
    otherDtype: 'f16',
  });
  assert.match(fault.message, /bf16 and f16/);
  faultOf(() => resultType('i4', 'u4'), { ...mixed, operand: 1, otherOperand: 0 });
  faultOf(() => resultType(1, 'i4'), { ...mixed, dtype: 'i4', otherDtype: null });
  faultOf(() => resultType(), { code: 'arity' });
  faultOf(() => resultType('f33'), { code: 'unknown', detail: 'dtype' });
  for (const wrong of [undefined, null, {}, () => 1, Symbol('x')]) faultOf(() => resultType(wrong), { code: 'dtype' });
});
