// Run by full-memory.test.mjs under --wasm-max-mem-pages: fills the module's memory with tensors, makes the call that
// its argument names, and prints the outcome.

import assert from 'node:assert/strict';
import { startInside } from './inside.mjs';
import { CALLS, outcomeOf } from './public-calls.mjs';
import { takeMemory } from './take-memory.mjs';

/** The outcomes of `times` calls without memory and of one with memory, and how much can be allocated afterwards. */
function starve(call, times) {
  const { bl } = startInside();
  const taken = takeMemory(bl);
  const before = bl.memory();
  const outcomes = Array.from({ length: times }, () => outcomeOf(call, bl));
  assert.deepEqual(bl.memory(), before, 'what is held changed');
  for (const tensor of taken) tensor.dispose();
  const after = outcomeOf(call, bl);
  assert.deepEqual([bl.memory().held, bl.memory().tensors], [0, 0]);
  const takenAgain = takeMemory(bl);
  const { held } = bl.memory();
  for (const tensor of takenAgain) tensor.dispose();
  return { outcomes, after, held };
}

const faults = {};
for (const [name, call] of Object.entries(CALLS)) {
  try {
    const expected = outcomeOf(call, startInside().bl);
    const few = starve(call, 1);
    const many = starve(call, 100);
    for (const { outcomes, after } of [few, many]) {
      for (const outcome of outcomes) if (outcome.code !== 'allocation') assert.deepEqual(outcome, expected);
      assert.deepEqual(after, expected);
    }
    assert.equal(many.held, few.held, `${few.held - many.held} bytes are lost in 99 calls`);
  } catch (error) {
    faults[name] = error.message;
  }
}
process.stdout.write(JSON.stringify(faults));
