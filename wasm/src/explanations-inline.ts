// What `bl.loadExplanations()` of `broadloom/inline` loads: the module that explains, embedded as text.

import * as embeddedText from './broadloom-explain-text.mjs';
import type { WasmSource } from './compile.js';
import type { Core } from './core/core.js';
import { decode } from './decode.js';
import { Explainer } from './explain/explainer.js';
import { asLoadError, bytesOfSource, readSource } from './platform.js';

/**
 * Starts the module that explains, for an instance of the core.
 *
 * @internal
 * @throws LoadError as `load`.
 */
export async function startExplainer(core: Core, options: unknown): Promise<Explainer> {
  const source = (await readSource(options, 'loadExplanations')) as WasmSource | undefined;
  try {
    if (source instanceof WebAssembly.Module) return new Explainer(core, source);
    const bytes = source === undefined ? decode(embeddedText) : bytesOfSource(source);
    return new Explainer(core, await WebAssembly.compile(bytes));
  } catch (error) {
    throw asLoadError(error);
  }
}
