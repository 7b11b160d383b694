// The module's memory: refused, grown, released.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Core } from '../../build/package-sources/core/core.js';
import { f32, fault, u8 } from './arrays.mjs';
import { startInside } from './inside.mjs';

const { bl, core } = startInside();

/** Allows `count` allocations during `call`, and then none. */
function refusing(allocations, call) {
  core.refuseAfter(allocations);
  try {
    return call();
  } finally {
    core.refuseAfter(-1);
  }
}

test('a refused allocation is an error, wherever it happens, and nothing is written', () => {
  const wide = Array(40).fill(1);
  const out = f32([7, 7], [2]);
  const calls = [
    () => bl.add(f32([1, 2]), f32([1]), { out }),
    () =>
      bl.sum(
        Array.from({ length: 20 }, () => f32([1, 2])),
        { out },
      ),
    () => bl.apply('Broadcast', [f32([1]), f32([5, 6])], { rule: 'sonnx', out: [out, f32([0, 0])] }),
    () => bl.add(f32([1], wide), f32([1], wide)),
    () => bl.broadcastArrays(f32([1]), f32([2], wide)),
    () => bl.inferShape('numpy', [wide, wide]),
    () => bl.align('numpy', [wide, wide]),
    () => bl.align('numpy', [Array(40).fill(3), Array(40).fill(2)]),
    () => bl.parseShape(wide.join()),
    () => bl.parseShape('1'.repeat(400)),
  ];
  for (const call of calls) {
    out.data.fill(7);
    let allocations = 0;
    for (; allocations < 1000; ++allocations) {
      let failed;
      try {
        refusing(allocations, call);
      } catch (error) {
        failed = error;
      }
      if (failed?.code !== 'allocation') break;
      assert.deepEqual([...out.data], [7, 7]);
    }
    assert.ok(allocations < 1000);
  }
  assert.deepEqual([...bl.add(f32([1, 2]), f32([1]), { out }).data], [2, 3]);
});

test('running allocates through the same allocator as everything else', () => {
  const many = Array.from({ length: 20 }, () => f32([1, 2]));
  const tensors = many.map((array) => bl.tensor(array));
  bl.sum(tensors);
  const { run } = Core.prototype;
  Core.prototype.run = function (...given) {
    // One for the list of inputs; the allocation of Run itself is refused.
    return refusing(1, () => run.apply(this, given));
  };
  try {
    fault(() => bl.sum(tensors), { code: 'allocation', op: 'Sum' });
  } finally {
    Object.assign(Core.prototype, { run });
  }
  assert.deepEqual([...bl.sum(many).data], [20, 40]);
});

test('nothing is refused any more once writing a result has begun', () => {
  const shape = [3, 100_000];
  const rows = Array.from({ length: 300 }, (_, i) => f32([i], [1, 1]));
  const many = [f32(new Float32Array(300_000).fill(1), shape), ...rows];
  const calls = [
    (out) => bl.sum(many.slice(0, 9), { out }), // more operands than the stack has room for
    (out) => bl.sum(many, { out }), // more than the first answer has room for
    (out) => bl.sumTo(f32(new Float32Array(600_000).fill(1), [2, 3, 100_000]), shape, { out }),
  ];
  const prototype = Core.prototype;
  const { block, runBlock, addToSum } = prototype;
  for (const call of calls) {
    const expected = call(f32(new Float32Array(300_000), shape)).data;
    const out = f32(new Float32Array(300_000).fill(7), shape);
    let steps = 0;
    const starve = (method) =>
      function (...given) {
        ++steps;
        return refusing(0, () => method.apply(this, given));
      };
    Object.assign(prototype, { block: starve(block), runBlock: starve(runBlock), addToSum: starve(addToSum) });
    try {
      assert.deepEqual(call(out).data, expected);
    } finally {
      Object.assign(prototype, { block, runBlock, addToSum });
    }
    assert.ok(steps > 3, `${steps} steps`);
    // Errors before that leave `out` unchanged.
    out.data.fill(7);
    for (let allocations = 0; ; ++allocations) {
      assert.ok(allocations < 100);
      let failed;
      try {
        refusing(allocations, () => call(out));
      } catch (error) {
        failed = error;
      }
      if (failed === undefined) break;
      assert.equal(failed.code, 'allocation');
      assert.ok(out.data.every((value) => value === 7));
    }
    assert.deepEqual(out.data, expected);
  }
});

test('an alignment with more cells than 32 bits can count is rejected', () => {
  const shapes = Array.from({ length: 50_000 }, (_, i) => (i === 0 ? Array(90_000).fill(1) : []));
  fault(() => bl.align('numpy', shapes), { code: 'allocation' });
  assert.deepEqual([...bl.add(f32([1, 2]), f32([1])).data], [2, 3]);
});

test('sentences for which there is no memory are errors', () => {
  const alignment = bl.align('numpy', [Array(40).fill(3), Array(40).fill(2)]);
  fault(() => refusing(0, () => alignment.verdict), { code: 'allocation' });
  assert.match(alignment.verdict, /In all/);
});

test('ten thousand calls leak nothing', () => {
  const a = f32(new Float32Array(1000));
  const wide = Array(20).fill(1);
  const work = () => {
    bl.add(a, f32([1]));
    bl.add(f32([1], wide), f32([2], wide));
    bl.broadcastArrays(a, f32([1]));
    void bl.align('numpy', [wide, [3]]).verdict;
    bl.parseShape('(2, 3)');
    fault(() => bl.add(a, f32([1, 2])), { code: 'incompatible' });
    fault(() => bl.add({ data: new Float32Array(2), shape: [3] }, a), { code: 'length' });
    fault(() => bl.add({ data: new Float32Array(2), shape: [1000] }, a), { code: 'length' });
  };
  for (let i = 0; i < 100; ++i) work();
  const before = bl.memory().bytes;
  for (let i = 0; i < 10_000; ++i) work();
  assert.equal(bl.memory().bytes, before);
});

test('large buffers are released', () => {
  const a = u8(new Uint8Array(8 << 20).fill(3));
  const first = bl.add(a, u8([1]));
  assert.equal(first.data[(8 << 20) - 1], 4);
  const before = bl.memory().bytes;
  for (let i = 0; i < 20; ++i) bl.add(a, u8([1]));
  assert.equal(bl.memory().bytes, before);
});

test('memory that grows during a call', async () => {
  // A separate module, whose memory has its initial size.
  const { bl: own } = startInside();
  const before = own.memory().bytes;
  const data = new Float32Array((before >> 2) + 5).map((_, i) => i % 1000);
  const result = own.add(own.tensor({ data, shape: [data.length] }), f32([1])).read();
  assert.ok(own.memory().bytes > before);
  for (let i = 0; i < data.length; i += 997) assert.equal(result[i], (i % 1000) + 1);
  assert.equal(result.at(-1), ((data.length - 1) % 1000) + 1);
  // A request that exceeds its buffer: just before and just after.
  const wide = Array(5000).fill(1);
  assert.deepEqual(own.inferShape('numpy', [wide, wide]), wide);
  assert.deepEqual(own.align('numpy', [wide, [2]]).shape, [...wide.slice(1), 2]);
  assert.deepEqual([...own.add(f32([1, 2]), f32([1])).data], [2, 3]);
});

test('results do not change with later calls', () => {
  const first = bl.add(f32([1, 2, 3]), f32([1]));
  for (let i = 0; i < 100; ++i) bl.add(f32([9, 9, 9]), f32([1]));
  assert.deepEqual([...first.data], [2, 3, 4]);
  assert.equal(first.data.buffer.byteLength, 12);
});
