import type { CoreModule } from './core/module.js';

// Emscripten's code for the module. The package passes in the instance; the call returns when it is ready.
export default function createCore(options: {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => WebAssembly.Exports,
  ): WebAssembly.Exports;
}): CoreModule;
