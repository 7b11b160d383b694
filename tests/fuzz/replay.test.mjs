// The harnesses in JavaScript on their corpora, what they found once and what each of their branches needs, and on a few
// inputs made of it by chance.

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
      // Any part of it will do, too.
      assert.equal(faultOf(bytes.subarray(0, bytes.length >> 1)), '', `the first half of ${file}`);
    }
  });

  test(`inputs of ${name} by chance`, async () => {
    const { faultOf } = await import(`./${name}.mjs`);
    const inputs = [...corpus.values()];
    const below = chance(2026);
    for (let i = 0; i < 1000; ++i) {
      const bytes = makeInput(below, inputs);
      assert.equal(faultOf(bytes), '', `input ${i}: ${Buffer.from(bytes).toString('hex')}`);
    }
  });
}
