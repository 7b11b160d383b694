// The last step of every way to load the package: an instance of the compiled module.

import createCore from './broadloom-core.mjs';
import { Broadloom } from './api/broadloom.js';
import { Core } from './core/core.js';

/**
 * Makes an instance from the compiled module.
 *
 * @internal
 */
export function start(compiled: WebAssembly.Module): Broadloom {
  return new Broadloom(startCore(compiled));
}

/**
 * The core alone, for a caller with an executor of its own.
 *
 * @internal
 */
export function startCore(compiled: WebAssembly.Module): Core {
  let memory: WebAssembly.Memory | undefined;
  let failure: unknown;
  const module = createCore({
    instantiateWasm(imports, receive) {
      // Emscripten's code would print what is thrown here, and reject a promise that no code handles.
      try {
        const instance = new WebAssembly.Instance(compiled, imports);
        const found = Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory);
        if (found === undefined) throw new Error('the file is not the one that belongs to this package');
        const exports = receive(instance, compiled);
        memory = found;
        return exports;
      } catch (error) {
        failure = error;
        return {};
      }
    },
  });
  if (memory === undefined) throw failure;
  return new Core(module, memory);
}
