// The package's threads: on pages that are isolated and on others, without a bundler and with one, and in other runtimes.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import esbuild from 'esbuild';
import puppeteer from 'puppeteer-core';
import { rollup } from 'rollup';
import { firefox } from '../../scripts/toolchain.mjs';
import { isolation, launch, open, policy, serveStrictly } from './browser.mjs';
import { viteBuild, viteServe, webpackBuild } from './bundlers.mjs';
import { addImportMap, addPage, makeProject, program, succeeds } from './project.mjs';

const expected = {
  threads: 2,
  reason: null,
  memory: '[object SharedArrayBuffer]',
  small: '10,21,32,13,24,35',
  shape: '2,3',
  last: 7,
  copied: [1 << 20, 32, '[object ArrayBuffer]'],
  sum: 7,
  clash: { code: 'incompatible', known: true },
  running: 'aborted',
  closed: 'disposed',
};

const alone = {
  ...expected,
  threads: 1,
  reason:
    'This page is not isolated, so that its threads cannot share memory. Its server has to send the headers ' +
    'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
  memory: '[object ArrayBuffer]',
  running: 'done', // computed at once
};

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
  addPage(project, 'threads', 'threads.js');
});
after(async () => {
  await browser?.close();
  project?.remove();
});

async function opened(folder, { address = '/', contentPolicy, headers = isolation } = {}) {
  const { origin, close } = await serveStrictly(folder, contentPolicy, headers);
  try {
    return await open(browser, `${origin}${address}`);
  } finally {
    await close();
  }
}

const count = (paths, name) => paths.filter((each) => each.endsWith(`/${name}`)).length;

function withImportMap() {
  const imports = { 'broadloom/threads': '/node_modules/broadloom/dist/threads.js' };
  const { address, allowed } = addImportMap(project, 'threads', imports);
  return { address, contentPolicy: policy(allowed) };
}

test('an isolated page computes with threads', async () => {
  const { answers, paths } = await opened(project.folder, withImportMap());
  assert.deepEqual(answers, expected);
  for (const name of ['broadloom-core.wasm', 'broadloom-threads.wasm']) assert.equal(count(paths, name), 1, name);
});

test('another page computes with its own thread, and the reason names the headers', async () => {
  const { answers, paths } = await opened(project.folder, { ...withImportMap(), headers: {} });
  assert.deepEqual(answers, alone);
  for (const name of ['broadloom-threads.wasm', 'threads-worker.js']) assert.equal(count(paths, name), 0, name);
});

test('an isolated page in Firefox computes with threads', async () => {
  const { address, contentPolicy } = withImportMap();
  const { origin, close } = await serveStrictly(project.folder, contentPolicy, isolation);
  const other = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox(),
    headless: true,
    timeout: 60_000,
  });
  try {
    const page = await other.newPage();
    await page.goto(`${origin}${address}`);
    const found = await page.waitForFunction(() => globalThis.answers, { timeout: 60_000 });
    assert.deepEqual(await found.jsonValue(), expected);
  } finally {
    await other.close();
    await close();
  }
});

test('Vite builds it', async () => {
  const outDir = project.inFolder('vite');
  await viteBuild(project.inFolder('threads'), outDir);
  assert.deepEqual((await opened(outDir)).answers, expected);
});

test("Vite's development server serves it", async () => {
  const headers = { 'Content-Security-Policy': policy(), ...isolation };
  await viteServe(project.inFolder('threads'), project.inFolder('vite-cache'), headers, async (address) => {
    assert.deepEqual((await open(browser, address)).answers, expected);
  });
});

test('webpack builds it', async () => {
  const outDir = project.inFolder('webpack');
  await webpackBuild(project.folder, './threads/threads.js', outDir, 'threads.js');
  cpSync(project.inFolder('threads/index.html'), path.join(outDir, 'index.html'));
  assert.deepEqual((await opened(outDir)).answers, expected);
});

const esbuildOptions = (outdir) => ({
  absWorkingDir: project.folder,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  minify: true,
  logLevel: 'silent',
  outdir,
});

// esbuild does not change a worker's address, so the file must be beside the page's script.
const workerEntry = { 'threads-worker': 'node_modules/broadloom/dist/threads-worker.js' };

test('esbuild builds it, with the worker as a separate entry', async () => {
  const outdir = project.inFolder('esbuild');
  const page = readFileSync(project.inFolder('threads/threads.js'), 'utf8');
  const imports = "import wasm from 'broadloom/wasm';\nimport threadsWasm from 'broadloom/threads/wasm';\n";
  const named = page.replace(
    'compute()',
    'compute({ wasm: new URL(wasm, import.meta.url), threadsWasm: new URL(threadsWasm, import.meta.url) })',
  );
  assert.notEqual(named, page);
  writeFileSync(project.inFolder('threads/named.js'), imports + named);
  const { warnings } = await esbuild.build({
    ...esbuildOptions(outdir),
    loader: { '.wasm': 'file' },
    entryPoints: { threads: 'threads/named.js', ...workerEntry },
  });
  assert.deepEqual(warnings, []);
  cpSync(project.inFolder('threads/index.html'), path.join(outdir, 'index.html'));
  assert.deepEqual((await opened(outdir)).answers, expected);
});

test('Rollup builds it, with the files beside it', async () => {
  const dir = project.inFolder('rollup');
  const find = (id) => (id === 'broadloom/threads' ? path.join(project.installed, 'dist/threads.js') : null);
  const bundle = await rollup({
    input: project.inFolder('threads/threads.js'),
    plugins: [{ name: 'find', resolveId: (id) => find(id) }],
    onwarn: ({ message }) => assert.fail(message),
  });
  await bundle.write({ dir, format: 'esm' });
  await bundle.close();
  for (const name of ['broadloom-core.wasm', 'broadloom-threads.wasm', 'threads-worker.js']) {
    cpSync(path.join(project.installed, 'dist', name), path.join(dir, name));
  }
  cpSync(project.inFolder('threads/index.html'), path.join(dir, 'index.html'));
  assert.deepEqual((await opened(dir)).answers, expected);
});

// The answer of a page whose server lacks a file that the threads need.
async function answerWithout(missing) {
  const outdir = project.inFolder(`esbuild-without-${missing}`);
  await esbuild.build({ ...esbuildOptions(outdir), entryPoints: { threads: 'threads/threads.js', ...workerEntry } });
  cpSync(project.inFolder('threads/index.html'), path.join(outdir, 'index.html'));
  for (const name of ['broadloom-core.wasm', 'broadloom-threads.wasm']) {
    if (name !== missing) cpSync(path.join(project.installed, 'dist', name), path.join(outdir, name));
  }
  const { origin, close } = await serveStrictly(outdir, policy(), isolation);
  const page = await browser.newPage();
  try {
    if (missing === 'threads-worker.js') await page.route(`**/${missing}`, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${origin}/`);
    return { origin, answer: await (await page.waitForFunction(() => globalThis.answers)).jsonValue() };
  } finally {
    await page.close();
    await close();
  }
}

test('if the server lacks a file, the error names it', async () => {
  for (const name of ['broadloom-core.wasm', 'broadloom-threads.wasm']) {
    const { origin, answer } = await answerWithout(name);
    assert.equal(
      answer,
      `LoadError: Broadloom could not be loaded: ${origin}/${name} came with status 404. ` +
        `If a bundler built this, it has left out ${name}: put the file beside the built script, or give its address.`,
    );
  }
  const { origin, answer } = await answerWithout('threads-worker.js');
  assert.equal(
    answer,
    'LoadError: Broadloom could not be loaded: threads-worker.js, which runs in the worker, did not arrive or could not ' +
      `be run. Put it and what it imports at ${origin}/threads-worker.js; where a bundler renames it, put there what ` +
      'the bundler made of it.',
  );
});

test('it runs in Node, Deno and Bun', async () => {
  assert.ok(readdirSync(project.inFolder('src')).includes('threads-run.mjs'));
  const script = 'src/threads-run.mjs';
  const env = { ...process.env, DENO_DIR: project.inFolder('deno'), DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };
  const ways = [
    ['node', '--disallow-code-generation-from-strings', script],
    [program('deno', 'deno', 'deno.exe'), 'run', '--cached-only', '--quiet', `--allow-read=${project.folder}`, script],
    [program('bun', 'bin/bun', 'bin/bun.exe'), '--no-install', script],
  ];
  for (const [command, ...args] of ways) {
    const output = await succeeds(command, args, { cwd: project.folder, env });
    assert.deepEqual(JSON.parse(output.trim().split('\n').at(-1)), expected, command);
  }
});
