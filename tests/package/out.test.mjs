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
