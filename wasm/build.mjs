// Builds the package.
//
//   node wasm/build.mjs [--core FOLDER]
//
// FOLDER (default: $BROADLOOM_CORE_DIR, then build/wasm/wasm) holds the modules broadloom-core.wasm, broadloom-explain.wasm
// and broadloom-threads.wasm.
//
// The sources are compiled file by file into build/package-sources, from where tests of internals import them. From
// these files the published ones are bundled into wasm/dist: for each entry a script and a declaration file, and what
// several entries share:
//
//   engine.js          the code that computes. A page without a bundler has to request few files,
//                      and not one after the other. index.js shares nothing else with the other entries: it requests
//                      engine.js and the WebAssembly at the same time.
//   platform.js, messages.js
//                      what loads the module, and what both sides of a worker need
//   declarations.d.ts  types

import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { minify } from 'terser';
import { bundleDeclarations } from './declarations.mjs';
import { embed } from './embed.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values: options } = parseArgs({
  options: {
    core: { type: 'string', default: process.env.BROADLOOM_CORE_DIR ?? resolve(here, '../build/wasm/wasm') },
  },
});
const sources = resolve(here, '../build/package-sources');
const published = resolve(here, 'dist');
const ENGINE = 'engine.js';
for (const folder of [sources, published]) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}

const require = createRequire(import.meta.url);
const compiler = resolve(require.resolve('typescript/package.json'), '..', require('typescript/package.json').bin.tsc);
const compiled = spawnSync(process.execPath, [compiler, '-p', here, '--outDir', sources], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);

for (const name of ['broadloom-core.wasm', 'broadloom-explain.wasm', 'broadloom-threads.wasm']) {
  await copyFile(resolve(options.core, name), resolve(sources, name));
}
for (const name of ['broadloom-core', 'broadloom-explain']) {
  const text = embed(await readFile(resolve(sources, `${name}.wasm`)));
  await writeFile(resolve(sources, `${name}-text.mjs`), text);
}

const fromEngine = { name: 'engine', resolveId: (id) => (id === './start.js' ? './engine.js' : null) };
await bundleScripts(['index.js'], { plugins: [fromEngine], external: [/\/(?:engine|explanations)\.js$/] });
const shared = [ENGINE, 'inline.js', 'npy.js', 'worker.js', 'worker-thread.js'];
await bundleScripts([...shared, 'explanations.js', 'explanations-inline.js'], {
  external: [/\/broadloom-(?:core|explain)-text\.mjs$/],
});
// By itself, so that a page that converts floats need not load the engine.
await bundleScripts(['floats.js'], {});
// By itself likewise: a program that writes links may have no use for the engine.
await bundleScripts(['link.js'], {});
// By itself likewise, with the libraries that read model files.
await bundleScripts(['models.js'], {});
// By themselves likewise: the engine need not export what computes in shared memory.
await bundleScripts(['threads.js'], { external: [/\/explanations\.js$/] });
await bundleScripts(['threads-worker.js'], {});
// By itself likewise: it needs an instance, and nothing of the engine.
await bundleScripts(['regions.js'], {});
// It imports the entries that it needs, and zarrita, which the program has.
await bundleScripts(['zarr.js'], { external: [/^zarrita$/, /\/(?:index|regions)\.js$/] });
await bundleScripts(['zarr-worker.js'], { plugins: [fromEngine], external: [/\/(?:engine|regions)\.js$/] });
// The command imports the entries, as any user of the package.
await bundleScripts(['cli.js'], { external: [/^node:/, /\/(?:index|link|models|npy)\.js$/] });
await bundleDeclarations(
  ['index', 'inline', 'npy', 'floats', 'link', 'worker', 'models', 'threads', 'regions', 'zarr'],
  sources,
  published,
);
await writeFile(resolve(published, 'LICENSES.txt'), await licencesOf(['@bufbuild/protobuf', 'saxes', 'xmlchars']));

for (const name of ['broadloom-core', 'broadloom-explain']) {
  for (const file of [`${name}.wasm`, `${name}-text.mjs`])
    await copyFile(resolve(sources, file), resolve(published, file));
}
await copyFile(resolve(sources, 'broadloom-threads.wasm'), resolve(published, 'broadloom-threads.wasm'));
await copyFile(resolve(here, 'src/wasm.d.mts'), resolve(published, 'wasm.d.mts'));
// npm packs a licence only from the package's own folder.
await copyFile(resolve(here, '../LICENSE'), resolve(published, 'LICENSE'));

/** The licences of the libraries that are bundled into models.js. */
async function licencesOf(names) {
  const texts = names.map(async (name) => {
    const folder = resolve(here, '../node_modules', name);
    const { version, license } = JSON.parse(await readFile(resolve(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : `\n${(await readFile(resolve(folder, file), 'utf8')).trim()}\n`;
    return `${name} ${version} (${license})\n${text}`;
  });
  return `models.js contains parts of these libraries.\n\n${(await Promise.all(texts)).join('\n')}`;
}

/** Bundles entries, and the modules that they share. What start.js imports becomes part of the engine. */
async function bundleScripts(entries, { external, plugins = [] }) {
  const bundle = await rolldown({
    cwd: sources,
    input: Object.fromEntries(entries.map((name) => [name, name === ENGINE ? './start.js' : `./${name}`])),
    external,
    plugins: [...plugins, { name: 'class-names', renderChunk: nameClasses }],
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] }, // of libraries
    preserveEntrySignatures: 'allow-extension', // the engine also exports what the other entries import
    checks: { bundlerTimings: false }, // a warning is an error below, and a build on a busy machine is slow
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  // Names of classes are kept: they are seen where values are printed.
  const keepNames = { class: true, function: false };
  const { output } = await bundle.generate({
    entryFileNames: '[name]',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: ENGINE, test: /\/start\.js$/ }] },
    minify: { compress: { keepNames }, mangle: { keepNames } },
  });
  await bundle.close();
  for (const { fileName, code } of output) {
    const text = await shortest(fileName === ENGINE ? withConstants(code) : code);
    await writeFile(resolve(published, fileName), text);
  }
}

/** A bundle has `var Tensor = class {`, and the minifier would give the class the variable's new name. */
function nameClasses(code) {
  return code.replace(/^((?:var|let|const) ([\w$]+) = class)(?= extends\b| ?\{)/gm, '$1 $2');
}

/**
 * The code as short as can be: Terser finds 2 % more than rolldown's own minifier. When an error is not caught, Node
 * prints the line that threw it; lines of 500 characters leave the message in sight.
 */
async function shortest(code) {
  const options = { module: true, ecma: 2020, keep_classnames: true, compress: { passes: 3, reduce_funcs: false } };
  const shortened = await minify(code, { ...options, format: { max_line_len: 500 } });
  return shortened.code;
}

/**
 * Exports constants in place of all that is not a function. Engines look up an exported name at each use, as they allow
 * for its value to change, and do not optimise method calls on it. With constants small calls take a tenth less.
 */
function withConstants(code) {
  const functions = parseAst(code).body.filter(({ type }) => type === 'FunctionDeclaration');
  const isFunction = (name) => functions.some(({ id }) => id.name === name);
  return code.replace(/export\{([^}]*)\};?\s*$/, (_, list) => {
    const pairs = list.split(',').map((item) => item.split(' as '));
    const constants = pairs.filter(([name]) => !isFunction(name)).map(([name]) => `$$${name}=${name}`);
    const exported = pairs.map(([name, as = name]) => `${isFunction(name) ? name : `$$${name}`} as ${as}`);
    return `const ${constants};export{${exported}};\n`;
  });
}
