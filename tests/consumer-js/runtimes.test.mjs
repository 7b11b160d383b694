// Programs without a page: Node by import and by require, Deno, Bun, and TypeScript's view of all of it.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { answers, makeProject, succeeds } from './project.mjs';

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

test('Node finds the file by its name', async () => {
  const code = `import { load } from 'broadloom';
    const bl = await load({ wasm: import.meta.resolve('broadloom/wasm') });
    console.log(bl.inferShape('numpy', [[2, 1], [3]]).join());`;
  const args = ['--input-type=module', '--eval', code];
  assert.equal((await succeeds('node', args, { cwd: project.folder })).trim(), '2,3');
});

// The program of a runtime, from the package for this platform that npm has chosen; installing runs no scripts here, and
// where it does, Bun's moves the program.
function program(runtime, ...places) {
  const manifest = require.resolve(`${runtime}/package.json`);
  const { optionalDependencies } = require(manifest);
  const near = createRequire(manifest);
  const folders = [path.dirname(manifest)];
  for (const name of Object.keys(optionalDependencies)) {
    try {
      folders.push(path.dirname(near.resolve(`${name}/package.json`)));
    } catch {
      // another platform's
    }
  }
  const found = folders.toReversed().flatMap((folder) => places.map((place) => path.join(folder, place)));
  return found.find((file) => existsSync(file));
}

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

// The compiler of the repository, and the one before it, whose rules for packages are its own.
for (const [name, from] of [
  ['TypeScript', '../../package.json'],
  ['TypeScript 6', './runtimes.test.mjs'],
]) {
  test(`${name} finds the types`, async () => {
    const manifest = createRequire(new URL(from, import.meta.url)).resolve('typescript/package.json');
    const tsc = path.join(path.dirname(manifest), require(manifest).bin.tsc);
    const common = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes'];
    common.push('--target', 'es2022', '--lib', 'es2022,dom');
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const how = ['--module', module, '--moduleResolution', resolution];
      await succeeds('node', [tsc, ...common, ...how, 'src/types.ts'], { cwd: project.folder });
    }
  });
}
