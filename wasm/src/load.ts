import type { Broadloom } from './api/broadloom.js';
import { compileCore, type WasmSource } from './compile.js';
import { asLoadError, readSource } from './platform.js';

/** What {@link load} may be told. */
export interface LoadOptions {
  /**
   * Where `broadloom-core.wasm` comes from: an address (a text is resolved against the page), a response that brings
   * it, or what `fetch` promises, its bytes, or the compiled module. Without it the file beside the package's own is
   * taken.
   */
  readonly wasm?: WasmSource | undefined;
}

interface Instances {
  get(source: unknown): Promise<Broadloom> | undefined;
  set(source: unknown, instance: Promise<Broadloom>): unknown;
  delete(source: unknown): boolean;
}

// One instance for each source; a failure is forgotten, so that it can be tried again. Bytes and modules are not kept.
const byAddress: Instances = new Map<unknown, Promise<Broadloom>>();
const byObject: Instances = new WeakMap<object, Promise<Broadloom>>();

/**
 * Loads the core, once: further calls give the same instance (one for each `wasm` source). Works in Node, on pages and
 * in workers, under `script-src 'self' 'wasm-unsafe-eval'`.
 *
 * @throws LoadError where the platform lacks WebAssembly or its SIMD, the file cannot be had, or an option is wrong.
 * @example
 * const bl = await load();
 * bl.add({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] }, { data: new Float32Array([10, 20]), shape: [2] }).data;
 * // Float32Array [11, 22, 13, 24]
 */
export function load(options: LoadOptions = {}): Promise<Broadloom> {
  let wasm: WasmSource | undefined;
  try {
    wasm = readSource(options) as WasmSource | undefined;
  } catch (error) {
    return Promise.reject(error as Error);
  }
  const key = wasm instanceof URL ? wasm.href : wasm;
  const instances = typeof key === 'object' && key !== null ? byObject : byAddress;
  let instance = instances.get(key);
  if (instance === undefined) {
    instance = startEngine(wasm).catch((error: unknown) => {
      throw asLoadError(error);
    });
    instances.set(key, instance);
    instance.catch(() => instances.delete(key));
  }
  return instance;
}

// The scripts are asked for while the WebAssembly comes: a page waits for both at once, and for neither before it loads.
async function startEngine(wasm: WasmSource | undefined): Promise<Broadloom> {
  const [{ start }, compiled] = await Promise.all([import('./start.js'), compileCore(wasm)]);
  return start(compiled);
}
