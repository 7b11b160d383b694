// Pages without a bundler: the package's modules, found by an import map or by their addresses.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launch, open, policy, serveStrictly } from './browser.mjs';
import { answers, makeProject } from './project.mjs';

let project;
let browser;
let server;
let importMap;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
  const at = (name) => `/node_modules/broadloom/${name}`;
  importMap = JSON.stringify({
    imports: { broadloom: at('dist/index.js'), 'broadloom/inline': at('dist/inline.js') },
  });
  const hash = createHash('sha256').update(importMap).digest('base64');
  server = await serveStrictly(project.folder, policy(`'sha256-${hash}'`));
});
after(async () => {
  await server?.close();
  await browser?.close();
  project?.remove();
});

// A page with the import map, running a script of app/.
async function openPage(script, map = importMap) {
  const html = readFileSync(project.inFolder('src/index.html'), 'utf8')
    .replace('</head>', `<script type="importmap">${map}</script></head>`)
    .replace('./main.js', `./${script}`);
  writeFileSync(project.inFolder('src/page.html'), html);
  return open(browser, `${server.origin}/src/page.html`);
}

const fetched = (paths, name) => paths.filter((path) => path.endsWith(`/${name}`)).length;

test('a page with an import map computes through both entries', async () => {
  writeFileSync(
    project.inFolder('src/without-worker.js'),
    `import { compute } from './compute.js';
compute().then((page) => (globalThis.answers = page), (error) => (globalThis.answers = String(error)));`,
  );
  const { answers: found, paths } = await openPage('without-worker.js');
  assert.deepEqual(found, answers);
  assert.equal(fetched(paths, 'broadloom-core.wasm'), 1);
});

test('a page that uses one entry loads nothing of the other', async () => {
  const byFile = await openPage('only-async.js');
  assert.equal(byFile.answers, '2,3');
  assert.equal(fetched(byFile.paths, 'broadloom-core.wasm'), 1);
  assert.equal(fetched(byFile.paths, 'broadloom-core-text.mjs'), 0);
  const inline = await openPage('only-inline.js');
  assert.equal(inline.answers, '2,3');
  assert.equal(fetched(inline.paths, 'broadloom-core.wasm'), 0);
  assert.equal(fetched(inline.paths, 'index.js'), 0);
});

test('a module worker imports it by its address', async () => {
  // Import maps do not apply to workers.
  const byAddress = readFileSync(project.inFolder('src/compute.js'), 'utf8')
    .replace("'broadloom'", "'../node_modules/broadloom/dist/index.js'")
    .replace("'broadloom/inline'", "'../node_modules/broadloom/dist/inline.js'");
  assert.doesNotMatch(byAddress, /from 'broadloom/);
  writeFileSync(project.inFolder('src/compute-by-address.js'), byAddress);
  for (const name of ['main', 'worker']) {
    const source = readFileSync(project.inFolder(`src/${name}.js`), 'utf8')
      .replace('./compute.js', './compute-by-address.js')
      .replace('./worker.js', './worker-by-address.js');
    writeFileSync(project.inFolder(`src/${name}-by-address.js`), source);
  }
  const { answers: found } = await openPage('main-by-address.js');
  assert.deepEqual(found, { page: answers, worker: answers });
});
