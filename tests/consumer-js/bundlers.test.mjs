// Projects with a bundler: built, and opened in Chromium under a strict content policy.
import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import esbuild from 'esbuild';
import { rollup } from 'rollup';
import { launch, open, policy, serveStrictly } from './browser.mjs';
import { viteBuild, viteServe, webpackBuild } from './bundlers.mjs';
import { answers, makeProject, program, succeeds } from './project.mjs';

let project;
let browser;
before(async () => {
  [project, browser] = await Promise.all([makeProject(), launch()]);
});
after(async () => {
  await browser?.close();
  project?.remove();
});

// Checks the output: no Node module is imported, and the number of WebAssembly files is as expected: the core, and what explains,
// which is loaded when it is asked for.
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
  assertForBrowsers(outDir, { wasmFiles: 2 });
  assert.deepEqual(await answersOf(outDir), { page: answers, worker: answers });
});

test("Vite's development server serves it", async () => {
  const headers = { 'Content-Security-Policy': policy() };
  await viteServe(project.inFolder('src'), project.inFolder('vite-cache'), headers, async (address) => {
    assert.deepEqual((await open(browser, address)).answers, { page: answers, worker: answers });
  });
});

test('webpack builds it', async () => {
  const outDir = project.inFolder('webpack');
  await webpackBuild(project.folder, './src/main.js', outDir, 'main.js');
  assertForBrowsers(outDir, { wasmFiles: 2 });
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

test('esbuild builds it, with the file imported', async () => {
  const outdir = project.inFolder('esbuild');
  // esbuild does not copy a file because of its address, only if it is imported.
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

test('each entry bundles only its own modules', async () => {
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
  assert.ok(!inline.modules.includes('index.js'), inline.modules.join(' '));
  assert.ok(!/import\.meta|new URL/.test(inline.text), 'it knows of no file');
});

// Bundlers that do not copy a file because of its address, without configuration. Each builds a program with one entry
// in a folder.
const plain = {
  esbuild: async (entry, outdir) => {
    const { warnings } = await esbuild.build({
      absWorkingDir: project.folder,
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
      entryPoints: [entry],
      outdir,
    });
    assert.deepEqual(warnings, []);
  },
  Rollup: async (entry, dir) => {
    const warnings = [];
    const find = (id) =>
      /^broadloom(\/\w+)?$/.exec(id) && project.inFolder(`node_modules/broadloom/dist${id.slice(9) || '/index'}.js`);
    const bundle = await rollup({
      input: project.inFolder(entry),
      plugins: [{ name: 'find', resolveId: (id) => find(id) }],
      onwarn: ({ message }) => warnings.push(message),
    });
    await bundle.write({ dir, format: 'esm' });
    await bundle.close();
    assert.deepEqual(warnings, []);
  },
  'bun build --compile': async (entry, outdir) => {
    const outfile = path.join(outdir, 'program');
    const args = ['build', '--compile', entry, '--outfile', outfile];
    await succeeds(program('bun', 'bin/bun', 'bin/bun.exe'), args, { cwd: project.folder });
  },
};

for (const [name, build] of Object.entries(plain)) {
  test(`${name} without configuration: the error names the line to change, and then the program runs`, async () => {
    const isCompiled = name.startsWith('bun');
    const make = async (entry) => {
      const folder = project.inFolder(`plain-${name.replaceAll(' ', '')}-${path.basename(entry, '.js')}`);
      await build(entry, folder);
      return folder;
    };
    const answerOf = async (folder) => {
      if (isCompiled) return (await succeeds(path.join(folder, 'program'), [])).trim();
      const script = readdirSync(folder).find((file) => /^(plain|held)\.js$/.test(file));
      return (
        await succeeds('node', [
          '--input-type=module',
          '--eval',
          `import ${JSON.stringify(path.join(folder, script))};`,
        ])
      ).trim();
    };
    const folder = await make('src/plain.js');
    const told = await answerOf(folder);
    assert.match(told, /^LoadError: Broadloom could not be loaded: /);
    const [line] = /import \{ load \} from '[^']+'/.exec(told) ?? [];
    assert.ok(line, told);

    const source = readFileSync(project.inFolder('src/plain.js'), 'utf8');
    const changed = source.replace(/^import .*;$/m, `${line};`);
    assert.notEqual(changed, source);
    writeFileSync(project.inFolder('src/held.js'), changed);
    assert.equal(await answerOf(await make('src/held.js')), '2,3');

    if (isCompiled) return;
    // The same on a page. There and in Node, the alternative is the file beside the script.
    writeFileSync(path.join(folder, 'index.html'), '<!doctype html><script type="module" src="plain.js"></script>');
    const { origin, close } = await serveStrictly(folder);
    const page = await browser.newPage();
    await page.goto(origin);
    const onPage = await page.waitForFunction(() => globalThis.answers).then((handle) => handle.jsonValue());
    assert.ok(onPage.includes(line), onPage);
    assert.match(onPage, /404/);
    await page.close();
    await close();
    cpSync(path.join(project.installed, 'dist/broadloom-core.wasm'), path.join(folder, 'broadloom-core.wasm'));
    assert.equal(await answerOf(folder), '2,3');
  });
}
