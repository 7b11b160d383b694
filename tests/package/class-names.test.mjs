// Classes keep their names in the built package: consoles, stack traces and test reports show them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { BroadcastError, load, LoadError } from 'broadloom';
import { NpyError } from 'broadloom/npy';
import { startWorker } from 'broadloom/worker';

test('printed names are those of the sources', async () => {
  const bl = await load();
  const worker = await startWorker();
  const named = {
    Broadloom: bl,
    BroadloomWorker: worker,
    Plan: bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']),
    Tensor: bl.tensor({ data: new Float32Array(2), shape: [2] }),
  };
  for (const [name, value] of Object.entries(named)) {
    assert.equal(value.constructor.name, name);
    assert.ok(inspect(value).startsWith(`${name} {`), inspect(value));
  }
  worker.terminate();
  assert.match(inspect(bl.align('numpy', [[2], [3]])), /^\{\n/, 'an alignment is a plain object');
  for (const error of [BroadcastError, LoadError, NpyError])
    assert.match(inspect(error), /^\[class \w+Error extends Error/);
  assert.throws(
    () => bl.inferShape('numpy', [[2], [3]]),
    (error) => /^BroadcastError: /.test(inspect(error)) && /Broadloom\.inferShape/.test(error.stack),
  );
});

test('no class is anonymous or has a shortened name', async () => {
  const dist = new URL('../../wasm/dist/', import.meta.url);
  const sources = new URL('../../wasm/src/', import.meta.url);
  const texts = (folder, ending) =>
    readdir(folder, { recursive: true }).then((names) =>
      Promise.all(names.filter((name) => ending.test(name)).map((name) => readFile(new URL(name, folder), 'utf8'))),
    );
  const written = (await texts(sources, /\.ts$/)).flatMap((text) => [...text.matchAll(/\bclass (\w+)/g)]);
  const names = new Set(written.map(([, name]) => name));
  const built = (await texts(dist, /\.js$/)).flatMap((text) => [
    ...text.matchAll(/(?<![\w$.'"`-])class(?:\s+(?!extends\b)([\w$]+))?(?:\s+extends\b[^{;]*)?\s*\{/g),
  ]);
  assert.ok(built.length > 10);
  const strange = built.filter(([, name]) => !names.has(name)).map(([text]) => text);
  // Of the libraries in models.js: the reader of protobuf, and that of XML.
  assert.deepEqual(strange.sort(), ['class BinaryReader{', 'class{']);
});

test('an uncaught error prints a few lines, not the source of a whole file', () => {
  const clash = "import { load } from 'broadloom'; (await load()).inferShape('numpy', [[2, 3], [2]]);";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', clash], {
    cwd: new URL('.', import.meta.url),
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /BroadcastError: Axis 1: B has 2 \(its axis 0\) but A has 3/);
  assert.ok(stderr.length < 4000, `${stderr.length} characters`);
});
