// Builds the package: its TypeScript, and the core's module beside it.
//
//   node wasm/build.mjs [--core FOLDER] [--out FOLDER]
//
// The core's folder (default: $BROADLOOM_CORE_DIR, then build/wasm/wasm) holds broadloom-core.mjs and .wasm; the package
// is written to wasm/dist, or elsewhere, as a test does that brings another core.

import { spawnSync } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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
await copyFile(resolve(here, 'src/broadloom-core.d.mts'), resolve(out, 'broadloom-core.d.mts'));
// npm packs a licence only from the package's own folder.
await copyFile(resolve(here, '../LICENSE'), resolve(out, 'LICENSE'));
