// Runs the JavaScript harnesses on their corpora (inputs that once failed, and inputs that reach each branch) and on a
// few random changes of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chance, corpusOf, makeInput } from './loop.mjs';

for (const name of ['npy', 'calls']) {
  const corpus = corpusOf(name);

  test(`the corpus of ${name}`, async () => {
    const { faultOf } = await import(`./${name}.mjs`);
    assert.ok(corpus.size >= 20, `${corpus.size} inputs`);
    for (const [file, bytes] of corpus) {
      assert.ok(bytes.length < 2048, file);
      assert.equal(faultOf(bytes), '', file);
      // Any part of an input is a valid input, too.
      assert.equal(faultOf(bytes.subarray(0, bytes.length >> 1)), '', `the first half of ${file}`);
    }
  });

  test(`random inputs of ${name}`, async () => {
    const { faultOf } = await import(`./${name}.mjs`);
    const inputs = [...corpus.values()];
    const below = chance(2026);
    for (let i = 0; i < 1000; ++i) {
      const bytes = makeInput(below, inputs);
      assert.equal(faultOf(bytes), '', `input ${i}: ${Buffer.from(bytes).toString('hex')}`);
    }
  });
}
