// Builds the package: its TypeScript, and the core's module beside it, as a file and as text.
//
//   node wasm/build.mjs [--core FOLDER] [--out FOLDER]
//
// The core's folder (default: $BROADLOOM_CORE_DIR, then build/wasm/wasm) holds broadloom-core.mjs and .wasm; the package
// is written to wasm/dist, or elsewhere, as a test does that brings another core. What every entry needs is one file,
// engine.js, so that a page without a bundler asks for few files and does not find out about them one after the other;
// the command has another, command.js. The entry that loads, index.js, holds all that it needs for asking for engine.js
// and the WebAssembly at the same time. Each module is still there by its name, and gives what these have of it.

import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { minify } from 'terser';
import { embed } from './embed.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values: options } = parseArgs({
  options: {
    core: { type: 'string', default: process.env.BROADLOOM_CORE_DIR ?? resolve(here, '../build/wasm/wasm') },
    out: { type: 'string', default: resolve(here, 'dist') },
  },
});
const out = resolve(options.out);

const require = createRequire(import.meta.url);
const compiler = resolve(require.resolve('typescript/package.json'), '..', require('typescript/package.json').bin.tsc);
const compiled = spawnSync(process.execPath, [compiler, '-p', here, '--outDir', out], { stdio: 'inherit' });
if (compiled.status !== 0) process.exit(1);

await mkdir(out, { recursive: true });
for (const name of ['broadloom-core.mjs', 'broadloom-core.wasm']) {
  await copyFile(resolve(options.core, name), resolve(out, name));
}
for (const name of ['broadloom-core.d.mts', 'broadloom-core-text.d.mts', 'wasm.d.mts']) {
  await copyFile(resolve(here, 'src', name), resolve(out, name));
}
// npm packs a licence only from the package's own folder.
await copyFile(resolve(here, '../LICENSE'), resolve(out, 'LICENSE'));

const modules = (await readdir(resolve(here, 'src'), { recursive: true }))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .map((name) => name.replace(/ts$/, 'js'));
const isCommand = (name) => /^cli\b/.test(name);
const isLoader = (name) => /^(?:index|load)\.js$/.test(name);
// A bundle has `var Tensor = class {`, whose name would be that of the variable once it is shortened.
const keepNames = { class: true, function: false };
const classNames = {
  name: 'class-names',
  renderChunk: (code) => code.replace(/^((?:var|let|const) ([\w$]+) = class)(?= extends\b| ?\{)/gm, '$1 $2'),
};

// First the loader, while the modules that it shares with the engine are whole.
await shorten(['index.js'], {
  external: [/\.\/engine\.js$/],
  plugins: [{ name: 'engine', resolveId: (id) => (id === './start.js' ? './engine.js' : null) }],
});
await rm(resolve(out, 'load.js'));
await shorten([...modules.filter((name) => !isCommand(name) && !isLoader(name)), 'broadloom-core.mjs'], {
  external: [/broadloom-core-text\.mjs$/],
  chunk: { name: 'engine', test: /\bstart\.js$/, named: 'start.js' },
});
// The command is one of the package's users: it knows what the entry gives.
await shorten(modules.filter(isCommand), {
  external: [/^node:/, /\.\/(?:index|npy)\.js$/],
  chunk: { name: 'command', test: /\bcli[\\/]/ },
});

// What `chunk.test` matches, with all that it needs, becomes one file; what the module `chunk.named` exports has its own
// names there, too.
async function shorten(names, { external, plugins, chunk }) {
  const bundle = await rolldown({
    cwd: out,
    input: Object.fromEntries(names.map((name) => [name, `./${name}`])),
    external,
    plugins: [...(plugins ?? []), classNames],
    platform: 'neutral',
    treeshake: false,
    preserveEntrySignatures: 'strict',
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({
    entryFileNames: '[name]',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: chunk === undefined ? [] : [{ name: chunk.name, test: chunk.test }] },
    // Names of classes are kept, since they are seen where values are printed.
    minify: { compress: { keepNames }, mangle: { keepNames } },
  });
  await bundle.close();
  const named = output.find(({ fileName }) => fileName === chunk?.named);
  for (const { fileName, code } of output) {
    const file = resolve(out, fileName);
    await mkdir(dirname(file), { recursive: true });
    const isChunk = fileName === `${chunk?.name}.js`;
    await writeFile(
      file,
      isChunk ? await shortest(withSecondNames(code, named ? secondNamesOf(named.code) : [])) : code,
    );
  }
}

// Terser finds 2 % more to leave out. Node prints the line where an error was thrown that nobody caught: lines are of a
// length that leaves the message in sight.
async function shortest(code) {
  const options = { module: true, ecma: 2020, keep_classnames: true, compress: { passes: 3 } };
  const shortened = await minify(code, { ...options, format: { max_line_len: 500 } });
  return shortened.code;
}

// What a module exports may change as far as engines know, and is looked up at each use. That costs a function little when
// it is called, but keeps them from looking through what `call` is called on. All other exports of a chunk are therefore
// second names of its own; with them small calls take a tenth less.
function withSecondNames(code, more) {
  const functions = parseAst(code).body.filter(({ type }) => type === 'FunctionDeclaration');
  const isFunction = (name) => functions.some(({ id }) => id.name === name);
  return code.replace(/export\{([^}]*)\};?\s*$/, (_, list) => {
    const pairs = list.split(',').map((item) => item.split(' as '));
    const seconds = pairs.filter(([name]) => !isFunction(name)).map(([name]) => `$$${name}=${name}`);
    const exported = pairs.flatMap(([name, as = name]) => {
      const also = more.filter(({ local }) => local.name === as).map(({ exported }) => exported.name);
      return [as, ...also].map((as) => `${isFunction(name) ? name : `$$${name}`} as ${as}`);
    });
    return `const ${seconds};export{${exported}};\n`;
  });
}

// How a module that gives what the chunk has renames it.
function secondNamesOf(code) {
  const renamed = parseAst(code).body.find(({ type }) => type === 'ExportNamedDeclaration').specifiers;
  if (renamed.length === 0) throw new Error(`no names: ${code}`);
  return renamed;
}

await writeFile(resolve(out, 'broadloom-core-text.mjs'), embed(await readFile(resolve(out, 'broadloom-core.wasm'))));
