// The entry `broadloom/floats`. That every code is decoded and rounded right is tested in forms.test.mjs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'broadloom';
import { decodeFloat, encodeFloat, isSmallFloat } from 'broadloom/floats';

const bl = await load();

test('the small floats are the float types whose typed arrays hold bits', () => {
  const small = Object.keys(bl.vocabulary.dtypes).filter(isSmallFloat);
  assert.deepEqual(small, ['f16', 'bf16', 'f8e4m3', 'f8e5m2']);
  assert.equal(isSmallFloat('toString'), false);
});

test('numbers to bits and back', () => {
  assert.equal(encodeFloat(1, 'f16'), 0x3c00);
  assert.equal(decodeFloat(0x3c00, 'f16'), 1);
  assert.equal(encodeFloat(-2, 'bf16'), 0xc000);
  assert.equal(decodeFloat(encodeFloat(1e6, 'f8e5m2'), 'f8e5m2'), Infinity);
  assert.ok(Number.isNaN(decodeFloat(encodeFloat(1e6, 'f8e4m3'), 'f8e4m3')));
  assert.ok(Object.is(decodeFloat(encodeFloat(-0, 'f16'), 'f16'), -0));
});

test('the entry is one small file', async () => {
  const text = await readFile(new URL('../../wasm/dist/floats.js', import.meta.url), 'utf8');
  assert.doesNotMatch(text, /\bimport\b|\bfrom\b/);
});
