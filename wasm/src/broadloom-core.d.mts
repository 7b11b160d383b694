import type { CoreModule } from './core/core.js';

// What Emscripten's glue takes here: we bring the instance, while it waits.
export default function createCore(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => WebAssembly.Exports,
  ): WebAssembly.Exports;
}): CoreModule;
