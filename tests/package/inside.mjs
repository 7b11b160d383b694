// An instance with access to its core, which the public entries do not show. It is made of the package's own modules, one
// for each source file, as the build compiles them before it bundles them.

import { readFileSync } from 'node:fs';
import { Broadloom } from '../../build/package-sources/api/broadloom.js';
import { startCore } from '../../build/package-sources/start.js';

/** The core's module, compiled. */
export const compiled = new WebAssembly.Module(
  readFileSync(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url)),
);

/** A new instance, whose memory has its initial size, and the core that it calls. */
export function startInside(module = compiled) {
  const core = startCore(module);
  return { bl: new Broadloom(core), core };
}
