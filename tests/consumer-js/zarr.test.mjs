// broadloom/zarr on pages: without a bundler, and built by bundlers.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { launch, open, policy, serveStrictly } from './browser.mjs';
import { viteBuild, viteServe, webpackBuild } from './bundlers.mjs';
import { addImportMap, addPage, makeProject } from './project.mjs';

const expected = {
  done: { done: 4, chunks: 4, read: 216, written: 128 },
  last: '11,21,31,41,51,61',
  aborted: { code: 'aborted', cause: 'enough' },
  refused: ['length', true],
};

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
  for (const name of ['zarrita', '@zarrita/storage', 'numcodecs', 'fflate', 'reference-spec-reader', 'unzipit']) {
    cpSync(inRoot('tests/node_modules', name), project.inFolder('node_modules', name), { recursive: true });
  }
  addPage(project, 'chunks', 'chunks.js');
});
after(async () => {
  await browser?.close();
  project?.remove();
});

async function answersOf(folder, address = '/', contentPolicy = policy()) {
  const { origin, close } = await serveStrictly(folder, contentPolicy);
  try {
    return (await open(browser, `${origin}${address}`)).answers;
  } finally {
    await close();
  }
}

test('a page with an import map', async () => {
  const { address, allowed } = addImportMap(project, 'chunks', {
    broadloom: '/node_modules/broadloom/dist/index.js',
    'broadloom/zarr': '/node_modules/broadloom/dist/zarr.js',
    zarrita: '/node_modules/zarrita/dist/src/index.js',
    '@zarrita/storage/fetch': '/node_modules/@zarrita/storage/dist/src/fetch.js',
  });
  assert.deepEqual(await answersOf(project.folder, address, policy(allowed)), expected);
});

test('Vite builds it', async () => {
  const outDir = project.inFolder('vite');
  // zarrita's codecs are large.
  const build = { outDir, emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 };
  await viteBuild(project.inFolder('chunks'), outDir, { build });
  assert.deepEqual(await answersOf(outDir), expected);
});

test("Vite's development server serves it", async () => {
  const headers = { 'Content-Security-Policy': policy() };
  await viteServe(project.inFolder('chunks'), project.inFolder('vite-cache'), headers, async (address) => {
    assert.deepEqual((await open(browser, address)).answers, expected);
  });
});

test('webpack builds it', async () => {
  const outDir = project.inFolder('webpack');
  await webpackBuild(project.folder, './chunks/chunks.js', outDir, 'chunks.js');
  cpSync(project.inFolder('chunks/index.html'), path.join(outDir, 'index.html'));
  assert.deepEqual(await answersOf(outDir), expected);
});
