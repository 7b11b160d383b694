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

test('a method answers as apply does, also after a call of the same shapes, whatever its options', () => {
  const x = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
  const y = { data: new Float32Array([1, 2, 3]), shape: [3] };
  const shared = new Float32Array(12);
  const outs = [
    undefined,
    () => ({ data: new Float32Array(6), shape: [2, 3] }),
    () => ({ data: new Float32Array(12), shape: [2, 3], strides: [6, 2] }),
    () => ({ data: shared.subarray(6), shape: [2, 3] }),
    () => x,
    () => ({ data: new Float64Array(6), shape: [2, 3] }),
    () => ({ data: new Float32Array(6), shape: [3, 2] }),
    () => ({ data: new Float32Array(5), shape: [2, 3] }),
    () => [{ data: new Float32Array(6), shape: [2, 3] }],
    () => new Float32Array(6),
    () => null,
    () => bl.tensor({ data: new Float32Array(6), shape: [2, 3] }),
  ];
  const others = {
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
  };
  const optionsList = [
    {},
    ...Object.entries(others).flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
  ];
  const outcome = (call, out) => {
    try {
      const result = call();
      const { data, ...rest } = result.dtype === undefined ? { ...result } : { data: result.data, shape: result.shape };
      return { data: data && [...data], rest, is: data === out?.data };
    } catch (error) {
      if (!(error instanceof Error) || error.code === undefined) throw error;
      return { code: error.code, message: error.message };
    }
  };
  let count = 0;
  for (const options of optionsList) {
    for (const makeOut of outs) {
      const call = (by) => {
        x.data.set([1, 2, 3, 4, 5, 6]);
        const out = makeOut?.();
        const all = makeOut ? { ...options, out } : Object.keys(options).length > 0 ? options : undefined;
        return outcome(() => by(all), out);
      };
      const expected = call((all) => bl.apply('Sub', [x, y], all));
      for (const before of [() => bl.sub(x, y), () => bl.sub(x, y, { out: outs[1]() })]) {
        x.data.set([1, 2, 3, 4, 5, 6]);
        before();
        assert.deepEqual(
          call((all) => bl.sub(x, y, all)),
          expected,
          JSON.stringify({ options, out: String(makeOut) }),
        );
        ++count;
      }
    }
  }
  assert.ok(count > 600, String(count));
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
