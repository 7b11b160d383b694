// Download sizes: each entry's modules as published, and the WebAssembly, each compressed separately, as a server sends
// them. A bundler's output is smaller.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const KIB = 1024;
const dist = new URL('../../wasm/dist/', import.meta.url);
const gzipped = async (url) => gzipSync(await readFile(url), { level: 9 }).length;

// Imported by loadExplanations alone.
const LATER = /\/explanations(-inline)?\.js$/;

/** The modules that an entry imports before it is used, itself included. */
async function modulesOf(entry) {
  const found = new Set([new URL(entry, dist).href]);
  for (const href of found) {
    const source = await readFile(new URL(href), 'utf8');
    for (const [, name] of source.matchAll(/(?:^|[[;}\s])(?:import|export)\b[^;'"`]*?["'`](\.[^"'`]+)["'`]/g)) {
      if (!LATER.test(name)) found.add(new URL(name, href).href);
    }
  }
  return [...found].map((href) => new URL(href));
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const downloadOf = async (entry) => sum(await Promise.all((await modulesOf(entry)).map(gzipped)));
const inKib = (bytes) => `${(bytes / KIB).toFixed(1)} KiB`;

test('an entry imports only its own modules', async () => {
  const names = async (entry) => (await modulesOf(entry)).map((url) => url.href.slice(dist.href.length));
  assert.deepEqual((await names('index.js')).sort(), ['engine.js', 'index.js']);
  assert.deepEqual((await names('inline.js')).sort(), [
    'broadloom-core-text.mjs',
    'decode.js',
    'engine.js',
    'inline.js',
    'platform.js',
  ]);
});

test('the whole download is at most 120 KiB', async (t) => {
  const [scripts, core] = await Promise.all([downloadOf('index.js'), gzipped(new URL('broadloom-core.wasm', dist))]);
  t.diagnostic(`JavaScript ${inKib(scripts)}, WebAssembly ${inKib(core)}, together ${inKib(scripts + core)}`);
  assert.ok(scripts + core <= 120 * KIB, inKib(scripts + core));
});

test('the WebAssembly is at most 800 KB', async (t) => {
  const { length } = await readFile(new URL('broadloom-core.wasm', dist));
  t.diagnostic(`${length} bytes`);
  assert.ok(length <= 800_000, `${length} bytes`);
});

test('broadloom/inline is at most 190 KiB', async (t) => {
  const bytes = await downloadOf('inline.js');
  t.diagnostic(inKib(bytes));
  assert.ok(bytes <= 190 * KIB, inKib(bytes));
});

test('broadloom/threads loads no script but its own, and a module that is smaller than the core', async (t) => {
  assert.deepEqual(
    (await modulesOf('threads.js')).map((url) => url.href.slice(dist.href.length)),
    ['threads.js'],
  );
  const [core, module] = await Promise.all(
    ['core', 'threads'].map((name) => gzipped(new URL(`broadloom-${name}.wasm`, dist))),
  );
  t.diagnostic(`JavaScript ${inKib(await downloadOf('threads.js'))}, WebAssembly ${inKib(module)} beside the core's`);
  assert.ok(module < core, inKib(module));
});
