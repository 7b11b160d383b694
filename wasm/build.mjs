// Builds the package: its TypeScript, and the core's module beside it, as a file and as text.
//
//   node wasm/build.mjs [--core FOLDER] [--out FOLDER]
//
// The core's folder (default: $BROADLOOM_CORE_DIR, then build/wasm/wasm) holds broadloom-core.mjs and .wasm; the package
// is written to wasm/dist, or elsewhere, as a test does that brings another core. The code is minified file by file: a
// page without a bundler downloads no more than one with, and both entries still share their modules.

import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { minify } from 'vite';
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

// Shorter, but as it was: compressing would drop what seems to have no effect, such as asking whether something is an
// array, which throws for a revoked proxy. Names of classes are kept, since they are seen where values are printed.
const shorter = { module: true, compress: false, mangle: { keepNames: { class: true, function: false } } };
for (const name of (await readdir(out)).filter((file) => /\.m?js$/.test(file))) {
  const file = resolve(out, name);
  const { code, errors } = await minify(name, await readFile(file, 'utf8'), shorter);
  if (errors.length > 0) throw new Error(`${name} cannot be minified: ${errors[0].message}`);
  await writeFile(file, code);
}
await writeFile(resolve(out, 'broadloom-core-text.mjs'), embed(await readFile(resolve(out, 'broadloom-core.wasm'))));
