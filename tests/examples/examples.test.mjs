// Runs each example in a copy with the packed package installed: pages in Chromium, programs in Node.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import * as vite from 'vite';
import { inRoot } from '../../scripts/paths.mjs';
import { launch, policy, serveStrictly } from '../consumer-js/browser.mjs';
import { makeProject, succeeds } from '../consumer-js/project.mjs';

const names = readdirSync(inRoot('examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const manifestOf = (...file) => JSON.parse(readFileSync(inRoot(...file, 'package.json'), 'utf8'));

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
  const modules = project.inFolder('node_modules');
  for (const name of [
    'onnxruntime-common',
    'zarrita',
    '@zarrita/storage',
    'numcodecs',
    'reference-spec-reader',
    'unzipit',
  ]) {
    cpSync(inRoot('tests/node_modules', name), path.join(modules, name), { recursive: true });
  }
  for (const name of names) {
    cpSync(inRoot('examples', name), project.inFolder(name), {
      recursive: true,
      filter: (file) => !/node_modules|\bdist\b|\bzarr.data\b/.test(path.relative(inRoot('examples'), file)),
    });
    symlinkSync(modules, project.inFolder(name, 'node_modules'));
  }
});
after(async () => {
  await browser?.close();
  project?.remove();
});

/** Opens the page in a folder of the project and passes it to `use`; console errors and warnings fail the test. */
async function withPage(address, use) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(address);
    await use(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** The same for an example's page, under the strictest policy, which includes the hash of its import map. */
async function withExample(name, use) {
  const html = readFileSync(project.inFolder(name, 'index.html'), 'utf8');
  const [, map] = html.match(/<script type="importmap">([^]*?)<\/script>/);
  const hash = createHash('sha256').update(map).digest('base64');
  const { origin, close } = await serveStrictly(project.folder, policy(`'sha256-${hash}'`));
  try {
    await withPage(`${origin}/${name}/`, use);
  } finally {
    await close();
  }
}

/** Waits until the page shows `words`; on a timeout, reports what it shows instead. */
async function says(page, words) {
  const heard = (text) => document.querySelector('output').textContent.includes(text);
  await page.waitForFunction(heard, words).catch(async () => {
    assert.fail(`${words}: ${await page.textContent('output')}`);
  });
}

test('the list names every example, and each has a README', () => {
  const list = readFileSync(inRoot('examples/README.md'), 'utf8');
  for (const name of names) {
    assert.ok(list.includes(`](${name})`), name);
    assert.match(readFileSync(inRoot('examples', name, 'README.md'), 'utf8'), /^# \S/, name);
  }
});

test('the examples depend on the versions that the tests install', () => {
  const versions = {
    ...manifestOf('.').devDependencies,
    ...manifestOf('tests').devDependencies,
    broadloom: `file:../../broadloom-${manifestOf('wasm').version}.tgz`, // not published: `npm pack` makes it
  };
  for (const name of names) {
    const { dependencies, devDependencies } = manifestOf('examples', name);
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      assert.equal(version, versions[dependency], `${name}: ${dependency}`);
    }
  }
});

test('page shows what shapes broadcast to, or why they do not', () =>
  withExample('page', async (page) => {
    await says(page, '(2, 3, 4)');
    await page.fill('[name=b]', '(2, 1)');
    await says(page, 'Axis 1: B has 2');
    await says(page, 'Try ');
    await page.fill('[name=b]', '(2, x)');
    await says(page, 'x');
  }));

async function scales(page) {
  await says(page, '0.50 0.50 0.50');
  await page.fill('[name=red]', '0.2');
  await says(page, '0.10 0.50 0.50');
  // The picture's last pixel.
  const pixel = () => [...document.querySelector('canvas').getContext('2d').getImageData(255, 255, 1, 1).data];
  assert.deepEqual(await page.evaluate(pixel), [51, 255, 128, 255]);
}

test('vite is built, and scales colours', async () => {
  const root = project.inFolder('vite');
  await vite.build({ root, configFile: false, logLevel: 'error' });
  const { origin, close } = await serveStrictly(path.join(root, 'dist'));
  try {
    await withPage(`${origin}/`, scales);
  } finally {
    await close();
  }
});

test("vite's development server serves it", async () => {
  const server = await vite.createServer({
    root: project.inFolder('vite'),
    configFile: false,
    logLevel: 'error',
    cacheDir: project.inFolder('vite-cache'),
    server: { host: 'localhost', port: 0, fs: { allow: [project.folder] } },
  });
  await server.listen();
  try {
    await withPage(server.resolvedUrls.local[0], scales);
  } finally {
    await server.close();
  }
});

test('worker computes, shows its progress, and cancels', () =>
  withExample('worker', async (page) => {
    // As soon as the bar moves, because the work may be finished before a later click arrives.
    await page.evaluate(() => {
      const progress = document.querySelector('progress');
      const observer = new MutationObserver(() => {
        if (progress.value === 0) return;
        observer.disconnect();
        document.querySelector('#cancel').click();
      });
      observer.observe(progress, { attributes: true });
    });
    await page.click('#start:enabled');
    await says(page, 'Cancelled.');
    assert.ok((await page.evaluate(() => document.querySelector('progress').value)) < 1);
    await page.click('#start:enabled');
    await says(page, 'Done: 16777216 powers, the last of them 3.375.');
    assert.equal(await page.evaluate(() => document.querySelector('progress').value), 1);
  }));

test('zarr adds a mask to a volume, cancels, and shows a slice', async () => {
  const cwd = project.inFolder('zarr');
  const made = await succeeds('npm', ['run', 'data', '--silent', '--', '--mib', '6', '--side', '128'], { cwd });
  assert.match(made, /data\/volume\.zarr: \(96, 128, 128\), 6 MiB/);
  const server = spawn('node', ['serve.mjs', '--port', '0'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [address] = await once(server.stdout, 'data');
    await withPage(String(address).trim(), async (page) => {
      await page.waitForSelector('#start:enabled');
      // As soon as the bar moves, because the work may be finished before a later click arrives.
      await page.evaluate(() => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          document.querySelector('#cancel').click();
        });
        observer.observe(document.querySelector('progress'), { attributes: true });
      });
      const attributes = () =>
        JSON.parse(readFileSync(path.join(cwd, 'data/sum.zarr/zarr.json'), 'utf8')).attributes.broadloom;
      await page.click('#start');
      await says(page, 'Cancelled.');
      assert.equal(attributes().complete, false);
      await page.click('#start:enabled');
      await says(page, 'Done: 48 chunks');
      assert.equal(attributes().complete, true);
      await page.waitForSelector('figure:not([hidden])');
      assert.equal(await page.textContent('#chunks'), '48 of 48');
      await page.fill('input[type=range]', '70');
      await page.waitForFunction(() => document.querySelector('#slice').textContent.startsWith('70'));
      // In the middle the volume is 0.5 + 0.5 * sin(-2 pi * 70 / 64), and the mask 1.
      const pixel = () => [...document.querySelector('canvas').getContext('2d').getImageData(64, 64, 1, 1).data];
      const value = Math.round((1.5 + 0.5 * Math.sin((-2 * Math.PI * 70) / 64)) * 127.5);
      assert.deepEqual(await page.evaluate(pixel), [value, value, value, 255]);
    });
  } finally {
    server.kill();
  }
});

test('node-npy standardises what NumPy saved, and saves it for NumPy', async () => {
  const cwd = project.inFolder('node-npy');
  const output = await succeeds('npm', ['start', '--silent'], { cwd });
  assert.match(output, /standardised\.npy: f32 \(2, 4, 4, 3\)/);
  assert.match(output, /mean of each colour: 0\.000 0\.000 0\.000/);
  assert.equal(readFileSync(path.join(cwd, 'standardised.npy'), 'latin1').slice(1, 6), 'NUMPY');
  assert.match(await succeeds('npm', ['run', 'inspect', '--silent'], { cwd }), /\(2, 4, 4, 3\)/);
});

test("onnxruntime's tensors are accepted and returned", async () => {
  const output = await succeeds('npm', ['start', '--silent'], { cwd: project.inFolder('onnxruntime') });
  assert.equal(
    output.trim(),
    [
      'input: a Tensor of float32, dims 1,3,2,2',
      'first and last: -2.118 2.640',
      'scores: dims 2,3, 1.5 3 7 3 6 13',
    ].join('\n'),
  );
});
