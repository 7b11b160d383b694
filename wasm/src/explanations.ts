// What `bl.loadExplanations()` loads: the module that explains, from its file.

import { compileFile, type WasmSource } from './compile.js';
import type { Core } from './core/core.js';
import { Explainer } from './explain/explainer.js';
import { asLoadError, readSource } from './platform.js';

/**
 * Loads the module that explains, for an instance of the core.
 *
 * @internal
 * @throws LoadError as `load`.
 */
export async function startExplainer(core: Core, options: unknown): Promise<Explainer> {
  const source = readSource(options, 'loadExplanations') as WasmSource | undefined;
  const address = new URL('./broadloom-explain.wasm', import.meta.url);
  const compiled = await compileFile(source, address, 'broadloom-explain.wasm');
  try {
    return new Explainer(core, compiled);
  } catch (error) {
    throw asLoadError(error);
  }
}
