// The package's worker: on a page without a bundler, built by bundlers, and in other runtimes than Node.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import esbuild from 'esbuild';
import { launch, open, policy, serveStrictly } from './browser.mjs';
import { viteBuild, viteServe, webpackBuild } from './bundlers.mjs';
import { addImportMap, addPage, makeProject, succeeds } from './project.mjs';

const expected = {
  sum: '10,21,32,13,24,35',
  moved: 0,
  aborted: { code: 'aborted', cause: 'enough', wasEarly: true },
  progress: true,
  clash: { name: 'BroadcastError', code: 'incompatible', axis: 1 },
};

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
  addPage(project, 'offload', 'offload.js');
});
after(async () => {
  await browser?.close();
  project?.remove();
});

async function opened(folder, address = '/', contentPolicy) {
  const { origin, close } = await serveStrictly(folder, contentPolicy);
  try {
    return await open(browser, `${origin}${address}`);
  } finally {
    await close();
  }
}

const count = (paths, name) => paths.filter((each) => each.endsWith(`/${name}`)).length;

test('a page with an import map starts it', async () => {
  const imports = { 'broadloom/worker': '/node_modules/broadloom/dist/worker.js' };
  const { address, allowed } = addImportMap(project, 'offload', imports);
  const { answers, paths } = await opened(project.folder, address, policy(allowed));
  assert.deepEqual(answers, expected);
  assert.equal(count(paths, 'broadloom-core.wasm'), 1, 'the worker alone fetches it');
});

test('Vite builds it', async () => {
  const outDir = project.inFolder('vite');
  await viteBuild(project.inFolder('offload'), outDir);
  assert.deepEqual((await opened(outDir)).answers, expected);
});

test("Vite's development server serves it", async () => {
  const headers = { 'Content-Security-Policy': policy() };
  await viteServe(project.inFolder('offload'), project.inFolder('vite-cache'), headers, async (address) => {
    assert.deepEqual((await open(browser, address)).answers, expected);
  });
});

test('webpack builds it', async () => {
  const outDir = project.inFolder('webpack');
  await webpackBuild(project.folder, './offload/offload.js', outDir, 'offload.js');
  cpSync(project.inFolder('offload/index.html'), path.join(outDir, 'index.html'));
  assert.deepEqual((await opened(outDir)).answers, expected);
});

test('esbuild builds it, with the worker as a separate entry', async () => {
  const outdir = project.inFolder('esbuild');
  const page = readFileSync(project.inFolder('offload/offload.js'), 'utf8');
  const named = page
    .replace("from 'broadloom/worker';", "from 'broadloom/worker';\nimport wasm from 'broadloom/wasm';")
    .replace('compute()', 'compute({ wasm: new URL(wasm, import.meta.url) })');
  assert.match(named, /broadloom\/wasm[^]*new URL\(wasm/);
  writeFileSync(project.inFolder('offload/named.js'), named);
  const { warnings } = await esbuild.build({
    absWorkingDir: project.folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    logLevel: 'silent',
    loader: { '.wasm': 'file' },
    outdir,
    // esbuild does not change a worker's address, so the file must be beside the page's script.
    entryPoints: { offload: 'offload/named.js', 'worker-thread': 'node_modules/broadloom/dist/worker-thread.js' },
  });
  assert.deepEqual(warnings, []);
  cpSync(project.inFolder('offload/index.html'), path.join(outdir, 'index.html'));
  assert.deepEqual((await opened(outdir)).answers, expected);
});

test("if the server lacks the worker's file, the error names it and the remedy", async () => {
  const outdir = project.inFolder('esbuild-alone');
  await esbuild.build({
    absWorkingDir: project.folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
    outdir,
    entryPoints: { offload: 'offload/offload.js' },
  });
  cpSync(project.inFolder('offload/index.html'), path.join(outdir, 'index.html'));
  const { origin, close } = await serveStrictly(outdir);
  const page = await browser.newPage();
  try {
    await page.goto(`${origin}/`);
    const answer = await (await page.waitForFunction(() => globalThis.answers)).jsonValue();
    assert.equal(
      answer,
      'LoadError: Broadloom could not be loaded: worker-thread.js, which runs in the worker, did not arrive or could not ' +
        `be run. Put it and what it imports at ${origin}/worker-thread.js; where a bundler renames it, put there what ` +
        'the bundler made of it.',
    );
  } finally {
    await page.close();
    await close();
  }
});

test('esbuild builds it for Node, with the worker as a separate entry beside it', async () => {
  const outdir = project.inFolder('for-node');
  await esbuild.build({
    absWorkingDir: project.folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    outdir,
    entryPoints: { run: 'src/offload-run.mjs', 'worker-thread': 'node_modules/broadloom/dist/worker-thread.js' },
  });
  cpSync(path.join(project.installed, 'dist/broadloom-core.wasm'), path.join(outdir, 'broadloom-core.wasm'));
  const output = await succeeds('node', [path.join(outdir, 'run.js')]);
  assert.equal(JSON.parse(output.trim().split('\n').at(-1)).sum, expected.sum);
});
