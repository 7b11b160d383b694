// Programs without a page: Node by import and by require, Deno, Bun, and TypeScript.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answers, makeProject, program, succeeds } from './project.mjs';

const require = createRequire(import.meta.url);
let project;
before(async () => {
  project = await makeProject();
});
after(() => project?.remove());

const offloaded = { sum: '10,21,32,13,24,35', moved: 0, aborted: 'aborted', progress: true };
const json = (output) => JSON.parse(output.trim().split('\n').at(-1));

test('Node imports it', async () => {
  const strict = '--disallow-code-generation-from-strings';
  assert.deepEqual(json(await succeeds('node', [strict, project.inFolder('src/node.mjs')])), answers);
});

test('Node requires it', async () => {
  const output = await succeeds('node', ['--no-warnings', project.inFolder('src/require.cjs')]);
  assert.equal(output.trim(), '2,3 2,3');
});

test('Node finds the .wasm file by its package name', async () => {
  const code = `import { load } from 'broadloom';
    const bl = await load({ wasm: import.meta.resolve('broadloom/wasm') });
    console.log(bl.inferShape('numpy', [[2, 1], [3]]).join());`;
  const args = ['--input-type=module', '--eval', code];
  assert.equal((await succeeds('node', args, { cwd: project.folder })).trim(), '2,3');
});

test('Deno imports it', async () => {
  const deno = program('deno', 'deno', 'deno.exe');
  const env = { ...process.env, DENO_DIR: project.inFolder('deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  const args = ['run', '--cached-only', '--quiet', `--allow-read=${project.folder}`, 'src/node.mjs'];
  assert.deepEqual(json(await succeeds(deno, args, { cwd: project.folder, env })), { ...answers, evaluates: true });
});

test('Bun imports it', async () => {
  const bun = program('bun', 'bin/bun', 'bin/bun.exe');
  const args = ['--no-install', 'src/node.mjs'];
  assert.deepEqual(json(await succeeds(bun, args, { cwd: project.folder })), { ...answers, evaluates: true });
});

test('its worker runs in Node, Deno and Bun', async () => {
  const script = 'src/offload-run.mjs';
  const env = { ...process.env, DENO_DIR: project.inFolder('deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  const ways = [
    ['node', '--disallow-code-generation-from-strings', script],
    [program('deno', 'deno', 'deno.exe'), 'run', '--cached-only', '--quiet', `--allow-read=${project.folder}`, script],
    [program('bun', 'bin/bun', 'bin/bun.exe'), '--no-install', script],
  ];
  for (const [command, ...args] of ways) {
    const { sum, moved, aborted, progress } = json(await succeeds(command, args, { cwd: project.folder, env }));
    assert.deepEqual({ sum, moved, aborted: aborted?.code, progress }, offloaded, command);
  }
});

// The compiler of the repository; the previous major version, with its own rules for packages; the oldest version that
// the README names; and two between, before and after typed arrays got a type parameter for their memory.
const compilers = [
  ['TypeScript', '../../package.json', 'typescript'],
  ['TypeScript 6', './runtimes.test.mjs', 'typescript'],
  ...['5.2', '5.6', '5.9'].map((version) => [`TypeScript ${version}`, './runtimes.test.mjs', `typescript-${version}`]),
];
describe('compilers', { concurrency: os.availableParallelism() }, () => {
  for (const [name, from, compiler] of compilers) {
    test(`${name} finds the types, also without browser types`, async () => {
      const manifest = createRequire(new URL(from, import.meta.url)).resolve(`${compiler}/package.json`);
      const tsc = path.join(path.dirname(manifest), require(manifest).bin.tsc);
      const common = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes'];
      for (const [module, resolution, lib, ...files] of [
        ['nodenext', 'nodenext', 'es2022,dom', 'src/types.ts', 'src/types-without-dom.ts'],
        ['esnext', 'bundler', 'es2022', 'src/types-without-dom.ts'],
      ]) {
        const how = ['--target', 'es2022', '--lib', lib, '--module', module, '--moduleResolution', resolution];
        await succeeds('node', [tsc, ...common, ...how, ...files], { cwd: project.folder });
      }
    });
  }
});

test('the oldest tested TypeScript is the one that the README names', () => {
  const { devDependencies } = require('../package.json');
  const versions = Object.keys(devDependencies).flatMap((name) => /^typescript-(\d+\.\d+)$/.exec(name)?.[1] ?? []);
  const oldest = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))[0];
  assert.ok(readFileSync(inRoot('wasm/README.md'), 'utf8').includes(`TypeScript ${oldest} or later`));
});
