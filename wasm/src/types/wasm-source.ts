import type { InstanceOf, WasmInstanceOf } from '../values/globals.js';

/** Where the `.wasm` file may come from. */
export type WasmSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | InstanceOf<'URL'>
  | InstanceOf<'Response'>
  | Promise<InstanceOf<'Response'>>
  | WasmInstanceOf<'Module'>;
