// Projects with a bundler: built, and opened in Chromium under a strict content policy.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import esbuild from 'esbuild';
import { launch, open, policy, serveStrictly } from './browser.mjs';
import { viteBuild, viteServe, webpackBuild } from './bundlers.mjs';
import { answers, makeProject } from './project.mjs';

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
});
after(async () => {
  await browser?.close();
  project?.remove();
});

// What was built: no module of Node is asked for, and there are as many WebAssembly files as there should be.
function assertForBrowsers(folder, { wasmFiles }) {
  const files = readdirSync(folder, { recursive: true });
  const scripts = files.filter((file) => /\.m?js$/.test(file));
  assert.ok(scripts.length > 0, 'scripts were built');
  for (const file of scripts) {
    const source = readFileSync(path.join(folder, file), 'utf8');
    const asked = source.match(/(?:\bfrom|\bimport|\brequire|__require)\s*\(?\s*["'`](?:node:[\w/]+|fs|module)["'`]/g);
    assert.deepEqual(asked, null, file);
  }
  assert.equal(files.filter((file) => file.endsWith('.wasm')).length, wasmFiles, files.join(' '));
}

async function answersOf(folder) {
  const { origin, close } = await serveStrictly(folder);
  try {
    return (await open(browser, `${origin}/`)).answers;
  } finally {
    await close();
  }
}

test('Vite builds it', async () => {
  const outDir = project.inFolder('vite');
  await viteBuild(project.inFolder('src'), outDir, { worker: { format: 'es' } });
  assertForBrowsers(outDir, { wasmFiles: 1 });
  assert.deepEqual(await answersOf(outDir), { page: answers, worker: answers });
});

test("Vite's server for development serves it", async () => {
  const headers = { 'Content-Security-Policy': policy() };
  await viteServe(project.inFolder('src'), project.inFolder('vite-cache'), headers, async (address) => {
    assert.deepEqual((await open(browser, address)).answers, { page: answers, worker: answers });
  });
});

test('webpack builds it', async () => {
  const outDir = project.inFolder('webpack');
  await webpackBuild(project.folder, './src/main.js', outDir, 'main.js');
  assertForBrowsers(outDir, { wasmFiles: 1 });
  cpSync(project.inFolder('src/index.html'), path.join(outDir, 'index.html'));
  assert.deepEqual(await answersOf(outDir), { page: answers, worker: answers });
});

const esbuildOptions = () => ({
  absWorkingDir: project.folder,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  minify: true,
  metafile: true,
  logLevel: 'silent',
});

test('esbuild builds it, with the file named', async () => {
  const outdir = project.inFolder('esbuild');
  // esbuild ships no file by its address alone; it does so for what is imported.
  const compute = readFileSync(project.inFolder('src/compute.js'), 'utf8');
  const named = compute
    .replace("from 'broadloom';", "from 'broadloom';\nimport wasm from 'broadloom/wasm';")
    .replace('compute(options)', 'compute(options = { wasm: new URL(wasm, import.meta.url) })');
  assert.match(named, /broadloom\/wasm[^]*new URL\(wasm/);
  cpSync(project.inFolder('src'), project.inFolder('named'), { recursive: true });
  writeFileSync(project.inFolder('named/compute.js'), named);
  const { warnings } = await esbuild.build({
    ...esbuildOptions(),
    entryPoints: ['named/main.js', 'named/worker.js'],
    outdir,
    loader: { '.wasm': 'file' },
  });
  assert.deepEqual(warnings, []);
  assertForBrowsers(outdir, { wasmFiles: 1 });
  cpSync(project.inFolder('src/index.html'), path.join(outdir, 'index.html'));
  assert.deepEqual(await answersOf(outdir), { page: answers, worker: answers });
});

test('each entry brings its own alone', async () => {
  const bundle = async (entry) => {
    const { metafile, outputFiles, warnings } = await esbuild.build({
      ...esbuildOptions(),
      entryPoints: [`src/${entry}.js`],
      outdir: project.inFolder(entry),
      write: false,
    });
    assert.deepEqual(warnings, []);
    const modules = Object.keys(metafile.inputs).filter((name) => name.includes('node_modules/broadloom/'));
    return { modules: modules.map((name) => path.basename(name)), text: outputFiles[0].text };
  };
  const byFile = await bundle('only-async');
  assert.ok(!byFile.modules.includes('broadloom-core-text.mjs'), byFile.modules.join(' '));
  assert.ok(
    /new URL\(.\.\/broadloom-core\.wasm., ?import\.meta\.url\)/.test(byFile.text),
    'it knows where the file is',
  );
  const inline = await bundle('only-inline');
  assert.ok(!inline.modules.includes('load.js'), inline.modules.join(' '));
  assert.ok(!/import\.meta|new URL/.test(inline.text), 'it knows of no file');
});
