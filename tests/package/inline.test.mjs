// The entry that contains the WebAssembly: available at once, without any request, and with the same modules as the
// other entry.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import * as async from 'broadloom';
import { BroadcastError, load, LoadError } from 'broadloom/inline';
import { embed } from '../../wasm/embed.mjs';
import { f32, plain } from './arrays.mjs';

const dist = new URL('../../wasm/dist/', import.meta.url);
const bytes = await readFile(new URL('broadloom-core.wasm', dist));
const sum = (bl) => plain(bl.add(f32([1, 2]), f32([10]))).data;

test('load returns at once, and always the same instance', () => {
  const bl = load();
  assert.deepEqual(sum(bl), [11, 12]);
  assert.equal(load(), bl);
  assert.equal(load({}), bl);
  assert.equal(load({ wasm: undefined }), bl);
});

test('both entries use the same modules', async () => {
  assert.equal(load().constructor, (await async.load()).constructor);
});

test('each entry recognises the errors of the other', () => {
  for (const Known of [BroadcastError, async.BroadcastError]) {
    assert.throws(() => load().inferShape('numpy', [[2], [3]]), Known);
    class Own extends Known {}
    assert.ok(!(new Known({ code: 'axis', message: '' }) instanceof Own));
  }
  for (const Known of [LoadError, async.LoadError]) {
    assert.throws(() => load({ wasm: new Uint8Array(3) }), Known);
    assert.ok(!(new BroadcastError({ code: 'axis', message: '' }) instanceof Known));
    assert.ok(![new Error('x'), { name: 'LoadError' }, 'LoadError', null].some((value) => value instanceof Known));
  }
});

test('the embedded core equals the file beside it', async () => {
  const { alphabet, escapes, order, size, text } = await import(new URL('broadloom-core-text.mjs', dist));
  assert.equal(size, bytes.length);
  assert.match(text, /^[ -~]*$/);
  assert.doesNotMatch(text, /["'`\\$<]/);
  assert.equal(alphabet.length, new Set(alphabet).size);
  // Decoded here in another way than in the package: one match after the other.
  const ranked = Buffer.from(order, 'hex');
  const singles = alphabet.length - escapes;
  const firsts = alphabet.slice(0, escapes);
  const read = text.match(/./g) ?? [];
  const decoded = [];
  for (const characters = read.values(); ;) {
    const { value, done } = characters.next();
    if (done) break;
    const escape = firsts.indexOf(value);
    const last = escape < 0 ? value : characters.next().value;
    decoded.push(ranked[(escape + 1) * singles + alphabet.indexOf(last) - escapes]);
  }
  assert.ok(Buffer.from(decoded).equals(bytes));
});

test('any bytes can be embedded', async () => {
  const all = Uint8Array.from({ length: 1024 }, (_, i) => (i * i) >> 4);
  for (const some of [
    all,
    new Uint8Array(300),
    Uint8Array.from({ length: 256 }, (_, i) => 255 - i),
    new Uint8Array(),
  ]) {
    const { alphabet, escapes, order, size, text } = await import(
      `data:text/javascript,${encodeURIComponent(embed(some))}`
    );
    const codes = new Map();
    const singles = [...alphabet.slice(escapes)];
    ['', ...alphabet.slice(0, escapes)].forEach((escape) =>
      singles.forEach((last) => codes.set(escape + last, codes.size)),
    );
    const ranked = Buffer.from(order, 'hex');
    const pattern = new RegExp(`[${alphabet.slice(0, escapes).replace(/[\]^-]/g, '\\$&')}]?.`, 'g');
    const decoded = (text.match(pattern) ?? []).map((code) => ranked[codes.get(code)]);
    assert.deepEqual(Uint8Array.from(decoded), some);
    assert.equal(size, some.length);
  }
});

test('another core may be given if it is available at once', async () => {
  const module = await WebAssembly.compile(bytes);
  const copy = new Uint8Array(bytes);
  for (const wasm of [bytes, copy, copy.buffer, new DataView(copy.buffer), module]) {
    assert.deepEqual(sum(load({ wasm })), [11, 12]);
  }
  assert.equal(load({ wasm: module }), load({ wasm: module }));
  assert.notEqual(load({ wasm: module }), load());
});

test('a core that is not available at once is a LoadError that names the entry to use', () => {
  const url = new URL('broadloom-core.wasm', dist);
  for (const wasm of [url, url.href, new Response(bytes), Promise.resolve(new Response(bytes)), 5, {}, null]) {
    assert.throws(
      () => load({ wasm }),
      (error) => error instanceof LoadError && /load of broadloom takes/.test(error.message),
    );
  }
});

test('an invalid core is a LoadError', () => {
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  for (const options of [{ wasm: new Uint8Array() }, { wasm: empty }, null, 5, 'x', { wasn: bytes }]) {
    assert.throws(
      () => load(options),
      (error) => error instanceof LoadError && error.code === 'load' && !!error.message,
    );
  }
});

test('a platform without WebAssembly or SIMD is reported', (t) => {
  t.mock.method(WebAssembly, 'validate', () => false);
  assert.throws(() => load({ wasm: new Uint8Array(1) }), { name: 'LoadError', code: 'no_simd' });
  const { WebAssembly: kept } = globalThis;
  delete globalThis.WebAssembly;
  try {
    assert.throws(() => load({ wasm: new Uint8Array(2) }), { name: 'LoadError', code: 'no_webassembly' });
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', { value: kept, configurable: true, writable: true });
  }
});

test('a core that cannot be loaded leaves no console message and no rejected promise', () => {
  const code = `
    import { load } from ${JSON.stringify(new URL('inline.js', dist).href)};
    process.on('unhandledRejection', () => console.log('unhandled'));
    for (const bytes of [[], [0, 97, 115, 109, 1, 0, 0, 0], [0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 5, 1, 1, 116, 2, 0]]) {
      try { load({ wasm: new Uint8Array(bytes) }) } catch ({ name }) { console.log(name) }
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    console.log(load().inferShape('numpy', [[2, 1], [3]]).join());`;
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', code];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  assert.equal(output, 'LoadError\nLoadError\nLoadError\n2,3\n');
});
