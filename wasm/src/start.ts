// The last step of every way to load the package: an instance of the compiled module.

import { Broadloom, type BringExplanations } from './api/broadloom.js';
import { Core } from './core/core.js';
import type { CoreModule } from './core/module.js';

/**
 * Makes an instance from the compiled module.
 *
 * @internal
 */
export function start(compiled: WebAssembly.Module, bringExplanations?: BringExplanations): Broadloom {
  return new Broadloom(startCore(compiled), undefined, bringExplanations);
}

/**
 * The core alone, for a caller with an executor of its own.
 *
 * @internal
 */
export function startCore(compiled: WebAssembly.Module): Core {
  const module = new WebAssembly.Instance(compiled).exports as unknown as Partial<CoreModule>;
  if (module.broadloom_align === undefined) throw new Error('the file is not the one that belongs to this package');
  return new Core(module as CoreModule);
}
