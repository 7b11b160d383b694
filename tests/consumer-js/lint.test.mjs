// Checks of the packed package by other tools: publint, and Are the types wrong?
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { pack, succeeds } from './project.mjs';

let folder;
let tarball;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-lint-'));
  tarball = await pack(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('publint reports nothing', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: readFileSync(tarball) }, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test('Are the types wrong? reports nothing', async () => {
  const manifest = createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json');
  const attw = path.join(path.dirname(manifest), createRequire(manifest)(manifest).bin.attw);
  const output = await succeeds('node', [attw, '--profile', 'esm-only', '--no-color', '--no-emoji', tarball]);
  for (const entry of ['broadloom', 'broadloom/inline', 'broadloom/wasm'])
    assert.ok(output.includes(`"${entry}"`), entry);
});

test('the tarball contains only the package', async () => {
  const listed = await succeeds('tar', ['-tzf', tarball]);
  const files = listed.trim().split('\n');
  const scripts = [
    'cli',
    'compile',
    'decode',
    'engine',
    'explainer',
    'explanations-inline',
    'explanations',
    'floats',
    'index',
    'inline',
    'link',
    'messages',
    'models',
    'npy',
    'platform',
    'regions',
    'threads-worker',
    'threads',
    'worker-thread',
    'worker',
    'zarr-worker',
    'zarr',
  ];
  const types = [
    'declarations',
    'floats',
    'index',
    'inline',
    'link',
    'models',
    'npy',
    'regions',
    'threads',
    'worker',
    'zarr',
  ];
  const expected = [
    ...scripts.map((name) => `dist/${name}.js`),
    ...types.map((name) => `dist/${name}.d.ts`),
    ...['core', 'explain'].flatMap((name) => [`dist/broadloom-${name}-text.mjs`, `dist/broadloom-${name}.wasm`]),
    ...['LICENSE', 'LICENSES.txt', 'broadloom-threads.wasm', 'wasm.d.mts'].map((name) => `dist/${name}`),
    'package.json',
    'README.md',
  ];
  assert.deepEqual(files.sort(), expected.map((name) => `package/${name}`).sort());
});
