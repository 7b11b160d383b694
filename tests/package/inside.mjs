// An instance with access to its core, which the public entries do not show. It is made of the package's own modules, one
// for each source file, as the build compiles them before it bundles them.

import { readFileSync } from 'node:fs';
import { Broadloom } from '../../build/package-sources/api/broadloom.js';
import { Explainer } from '../../build/package-sources/explain/explainer.js';
import { startCore } from '../../build/package-sources/start.js';

const compile = (name) => new WebAssembly.Module(readFileSync(new URL(`../../wasm/dist/${name}`, import.meta.url)));

/** The core's module, and the one that explains, compiled. */
export const compiled = compile('broadloom-core.wasm');
export const compiledExplain = compile('broadloom-explain.wasm');

/** A new instance, whose memory has its initial size, and the core that it calls. */
export function startInside(module = compiled) {
  const core = startCore(module);
  core.explainer = new Explainer(core, compiledExplain);
  return { bl: new Broadloom(core), core };
}
