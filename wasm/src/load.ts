import type { Broadloom, ExplanationOptions } from './api/broadloom.js';
import { compileCore, type WasmSource } from './compile.js';
import { asLoadError, readSource } from './platform.js';

/** The options of {@link load}. */
export interface LoadOptions {
  /**
   * Where `broadloom-core.wasm` comes from: an address (a string is resolved against the page's), a response or the
   * promise of one that `fetch` returns, the file's bytes, or the compiled module. Without it the file beside the
   * package's scripts is loaded.
   */
  readonly wasm?: WasmSource | undefined;
  /** Whether to call `bl.loadExplanations()`, too, or its options. */
  readonly explanations?: boolean | ExplanationOptions | undefined;
}

interface Instances {
  get(source: unknown): Promise<Broadloom> | undefined;
  set(source: unknown, instance: Promise<Broadloom>): unknown;
  delete(source: unknown): boolean;
}

// One instance for each source. A failure is removed, so that the next call tries again. Bytes and modules are held
// weakly.
const byAddress: Instances = new Map<unknown, Promise<Broadloom>>();
const byObject: Instances = new WeakMap<object, Promise<Broadloom>>();

/**
 * Loads the core, once: further calls give the same instance (one for each `wasm` source). Works in Node, on pages and
 * in workers, under `script-src 'self' 'wasm-unsafe-eval'`.
 *
 * @throws LoadError where the platform lacks WebAssembly or its SIMD, the file cannot be loaded, or an option is wrong.
 * @example
 * const bl = await load();
 * bl.add({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] }, { data: new Float32Array([10, 20]), shape: [2] }).data;
 * // Float32Array [11, 22, 13, 24]
 */
export function load(options: LoadOptions = {}): Promise<Broadloom> {
  let wasm: WasmSource | undefined;
  let explanations: unknown;
  try {
    wasm = readSource(options, 'load', 'explanations') as WasmSource | undefined;
    explanations = options.explanations;
  } catch (error) {
    return Promise.reject(asLoadError(error));
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
  if (!explanations) return instance;
  const given = explanations === true ? undefined : (explanations as ExplanationOptions);
  return instance.then((bl) => bl.loadExplanations(given));
}

// Requests the scripts and the WebAssembly at the same time, and neither of them before `load` is called.
async function startEngine(wasm: WasmSource | undefined): Promise<Broadloom> {
  const [{ start }, compiled] = await Promise.all([import('./start.js'), compileCore(wasm)]);
  return start(compiled, () => import('./explanations.js'));
}
