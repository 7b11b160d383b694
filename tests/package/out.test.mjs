// Destinations of results: every operator, through every way of computing, with every wrong `out`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { ARRAYS, fault } from './arrays.mjs';

const bl = await load();

/** Sizes of one block and of many. */
const SIZES = { 'the short way': 3, blocks: 300_000 };
const array = (dtype, size) => ({ data: new ARRAYS[dtype](size), shape: [size], dtype });

/** Operands of an operator, of equal shapes, and its options. */
function callOf({ name, types, leastOperands, attribute }, size) {
  const common = types[types.length > 1 && name === 'Where' ? 1 : 0].includes('u8') ? 'u8' : types[0][0];
  const typeOf = (i) => ((types[Math.min(i, types.length - 1)] ?? []).includes(common) ? common : types[i][0]);
  const inputs = Array.from({ length: leastOperands }, (_, i) => array(typeOf(i), size));
  const options = name === 'Broadcast' ? { rule: 'broadcast_numpy', targetShape: [size] } : {};
  const attrs = { direction: { direction: 'left' }, to: { to: 'u8' } }[attribute];
  return { inputs, options: attrs ? { ...options, attrs } : options };
}

test('an out of a wrong type, length, shape or memory is rejected, whatever the size and the way', () => {
  let count = 0;
  for (const op of Object.values(bl.vocabulary.ops)) {
    for (const [way, size] of Object.entries(SIZES)) {
      const { inputs, options } = callOf(op, size);
      const { dtype } = bl.apply(op.name, inputs, options);
      for (const resident of [false, true]) {
        const operands = resident ? inputs.map((input) => bl.tensor(input)) : inputs;
        const where = `${op.name}, ${resident ? 'tensors' : way}`;
        const into = (out) => () => bl.apply(op.name, operands, { ...options, out });
        for (const other of Object.keys(ARRAYS)) {
          if (other === dtype) continue;
          const length = /^(i4|u4)$/.test(other) ? Math.ceil(size / 2) : other === 'u1' ? Math.ceil(size / 8) : size;
          const wrong = {
            data: new ARRAYS[other](other.startsWith('c') ? 2 * size : length),
            shape: [size],
            dtype: other,
          };
          const { message } = fault(into(wrong), {
            code: 'dtype',
            detail: 'output',
            operand: -3,
            dtype: other,
            otherDtype: dtype,
          });
          assert.match(
            message,
            new RegExp(`^out is ${other}, but the result is ${dtype}: give one of ${dtype}`),
            where,
          );
          ++count;
        }
        const Holder = ARRAYS[dtype];
        // Without a name, its type is that of its typed array.
        if (dtype === 'bool')
          fault(into({ data: new Uint8Array(size), shape: [size] }), { code: 'dtype', dtype: 'u8' });
        fault(into({ data: new Holder(size), shape: [size, 1], dtype }), { code: 'incompatible', detail: 'output' });
        fault(into({ data: new Holder(size + 1), shape: [size + 1], dtype }), {
          code: 'incompatible',
          detail: 'output',
        });
        fault(into({ data: new Holder(size - 1), shape: [size], dtype }), { code: 'length', operand: -3 });
        const apart = { data: new Holder(4 * size), shape: [size], stride: [0], dtype };
        if (/^(i4|u4|u1)$/.test(dtype)) fault(into(apart), { code: 'dtype', detail: 'unsupported' });
        else fault(into(apart), { code: 'overlap', detail: 'strides', operand: -3, operandAxis: 0, otherExtent: 1 });
        if (!resident) {
          const shared = new ARRAYS[inputs[0].dtype](size + 1);
          const bytes = { data: shared.subarray(0, size), shape: [size], dtype: inputs[0].dtype };
          const apart = {
            data: new Holder(shared.buffer, 0, Math.floor(shared.byteLength / Holder.BYTES_PER_ELEMENT)).subarray(1),
            shape: [size],
            dtype,
          };
          if (apart.data.length === size) {
            const call = () => bl.apply(op.name, [bytes, ...inputs.slice(1)], { ...options, out: apart });
            fault(call, { code: 'overlap', operand: -3, otherOperand: 0 });
          }
        }
        const right = { data: new Holder(size), shape: [size], dtype };
        assert.equal(bl.apply(op.name, operands, { ...options, out: right }).data, right.data, where);
        if (resident) operands.forEach((tensor) => tensor.dispose());
      }
    }
  }
  assert.ok(count > 1500, String(count));
});

/** Options beside `out`, valid and not, each alone. */
const OTHER_OPTIONS = Object.entries({
  rule: ['numpy', 'none', 'pdpd', 'no rule', null],
  axis: [0, 1, 7, null],
  targetShape: [[2, 3], null],
  axesMapping: [[0], null],
  attrs: [{}, { direction: 'left' }, null],
  policy: ['no_rank_promotion', [], null],
  names: [[['a', 'b'], ['b']], null],
  promote: ['strict', 'numpy2', null],
  as: ['array', 'first', 'strided', null],
  wrong: [1],
}).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));

test('a method answers as apply does, also after a call of the same shapes, whatever its options', () => {
  let count = 0;
  for (const op of Object.values(bl.vocabulary.ops)) {
    const { inputs, options } = callOf(op, 6);
    const takesList = op.mostOperands === null || op.mostOperands > 3;
    if (Object.keys(options).length > 0 || takesList) continue; // they need options, or keep no plan of their own
    const shapes = inputs.map((_, i) => (i === 1 ? [3] : [2, 3]));
    const operands = inputs.map(({ dtype }, i) => ({
      data: new ARRAYS[dtype](i === 1 ? 3 : 6),
      shape: shapes[i],
      dtype,
    }));
    const fill = () => operands.forEach(({ data }, i) => data.forEach((_, j) => (data[j] = (i + 2 * j + 1) % 5)));
    const { dtype } = bl.apply(op.name, operands);
    const Holder = ARRAYS[dtype];
    const shared = new Holder(12);
    const outs = [
      undefined,
      () => ({ data: new Holder(6), shape: [2, 3], dtype }),
      () => ({ data: new Holder(12), shape: [2, 3], strides: [6, 2], dtype }),
      () => ({ data: shared.subarray(6), shape: [2, 3], dtype }),
      () => operands[0],
      () => ({ data: new Float64Array(6), shape: [2, 3] }),
      () => ({ data: new Holder(6), shape: [3, 2], dtype }),
      () => ({ data: new Holder(5), shape: [2, 3], dtype }),
      () => [{ data: new Holder(6), shape: [2, 3], dtype }],
      () => new Holder(6),
      () => null,
      () => bl.tensor({ data: new Holder(6), shape: [2, 3], dtype }),
    ];
    // What the call by `by` gives: its result, or why there is none.
    const outcome = (by, other, makeOut) => {
      fill();
      const out = makeOut?.();
      const all = makeOut ? { ...other, out } : other;
      try {
        const result = by(all);
        const answers = Array.isArray(result) ? result : [result];
        return answers.map((each) => ({
          values: [...(each.read?.() ?? each.data)],
          shape: each.shape,
          dtype: each.dtype,
          isOut: each === out || (each.data !== undefined && each.data === out?.data),
        }));
      } catch (error) {
        if (error.code === undefined) throw error;
        return { code: error.code, message: error.message };
      }
    };
    const method = (all) => bl[op.method](...operands, ...(all === undefined ? [] : [all]));
    for (const other of [undefined, {}, ...OTHER_OPTIONS]) {
      for (const makeOut of outs) {
        const expected = outcome((all) => bl.apply(op.name, operands, all), other, makeOut);
        for (const before of [undefined, { out: outs[1]() }]) {
          fill();
          method(before);
          const where = JSON.stringify({ op: op.name, other, out: String(makeOut) });
          assert.deepEqual(outcome(method, other, makeOut), expected, where);
          ++count;
        }
      }
    }
  }
  assert.ok(count > 10_000, String(count));
});

test('an out whose getter makes other calls of the same method', () => {
  const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
  const y = { data: new Float32Array([1, 2, 3]), shape: [3] };
  const vector = (size) => ({ data: new Float32Array(size).fill(1), shape: [size] });
  const others = [
    () => bl.sub(vector(4), vector(4)),
    () => bl.sub(vector(300_000), vector(300_000)),
    // So many that the plan of the call is not among the recent ones any more.
    () => Array.from({ length: 300 }, (_, i) => bl.sub(vector(i + 1), vector(i + 1))),
  ];
  for (const other of others) {
    bl.sub(x, y);
    const data = new Float32Array(6);
    const out = {
      get data() {
        other();
        return data;
      },
      shape: [2, 3],
    };
    assert.equal(bl.sub(x, y, { out }).data, data);
    assert.deepEqual([...data], [0, 0, 0, 3, 3, 3]);
  }
});
