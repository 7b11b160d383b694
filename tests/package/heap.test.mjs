// The heap of the module: pieces do not overlap, are used again, and end below 4 GiB.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startInside } from './inside.mjs';
import { randomOf } from './random-arrays.mjs';

const MIB = 2 ** 20;

test('tensors keep their elements while others come and go', () => {
  const { bl } = startInside();
  const random = randomOf(7);
  const held = [];
  const check = ({ tensor, length, value }) => {
    const elements = tensor.read();
    assert.equal(elements.length, length);
    assert.ok(elements.every((element) => element === value));
    tensor.dispose();
  };
  for (let i = 0; i < 20_000; ++i) {
    if (random(100) < (held.length < 300 ? 40 : 60) && held.length > 0) {
      const [last] = held.splice(random(held.length), 1);
      check(last);
    } else {
      const length = random(2 ** random(16)) + 1;
      const value = i % 256;
      held.push({ tensor: bl.tensor({ data: new Uint8Array(length).fill(value), shape: [length] }), length, value });
    }
  }
  held.forEach(check);
  // All pieces are joined again: one of three quarters of the memory fits.
  const { bytes } = bl.memory();
  const length = (bytes / 4) * 3 - MIB;
  bl.tensor({ data: new Uint8Array(length), shape: [length] }).dispose();
  assert.equal(bl.memory().bytes, bytes);
});

test('a free piece is found behind many that are too small', () => {
  const { core } = startInside();
  // While the memory is lent it cannot grow.
  core.lend(() => {
    const large = core.allocate(700);
    core.allocate(1);
    const small = Array.from({ length: 100 }, () => {
      const piece = core.allocate(640);
      core.allocate(1); // keeps them apart
      return piece;
    });
    for (let size = MIB; size >= 1;) {
      try {
        core.allocate(size);
      } catch {
        size >>= 1;
      }
    }
    for (const piece of [large, ...small]) core.release(piece);
    assert.equal(core.allocate(700), large);
    assert.throws(() => core.allocate(700), { code: 'allocation' });
  });
});

test('sizes up to 2^32 that do not fit are refused, and nothing is overwritten', () => {
  const { core } = startInside();
  const first = core.allocate(200 * MIB);
  const second = core.allocate(MIB);
  core.views.Uint8Array.fill(5, second, second + MIB);
  core.release(first); // Its address and each of these sizes add up to more than 2^32.
  const sizes = [0, 1, 63, 64, 4096, 4159, 4160, 4161, 4224, 8192].map((less) => 2 ** 32 - less);
  for (let size = 2 ** 32 - MIB; size > 2 ** 32 - 200 * MIB; size -= 10 * MIB + 64) sizes.push(size);
  for (const size of sizes) assert.throws(() => core.allocate(size), { code: /^(allocation|limit)$/ }, `${size}`);
  assert.ok(core.views.Uint8Array.subarray(second, second + MIB).every((byte) => byte === 5));
  const { memoryBytes } = core;
  core.release(core.allocate(199 * MIB));
  assert.equal(core.memoryBytes, memoryBytes);
});
