import type { Broadloom } from './broadloom.js';
import { asLoadError, bytesOfSource, checkPlatform, readSource, start } from './start.js';

/** Where the `.wasm` file may come from. */
export type WasmSource =
  URL | string | Response | Promise<Response> | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

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
    instance = compileCore(wasm)
      .then(start)
      .catch((error: unknown) => {
        throw asLoadError(error);
      });
    instances.set(key, instance);
    instance.catch(() => instances.delete(key));
  }
  return instance;
}

/**
 * The compiled module; without a source, from the file beside this one.
 *
 * @internal
 * @throws LoadError as `load`.
 */
export async function compileCore(source?: WasmSource): Promise<WebAssembly.Module> {
  try {
    checkPlatform();
    return await compile(source ?? new URL('./broadloom-core.wasm', import.meta.url));
  } catch (error) {
    throw asLoadError(error);
  }
}

async function compile(given: WasmSource): Promise<WebAssembly.Module> {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === 'string') return fetchModule(source);
  if (typeof Response === 'function' && source instanceof Response) return compileResponse(source);
  return WebAssembly.compile(bytesOfSource(source));
}

interface NodeGlobal {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(name: 'node:fs/promises'): { readFile(url: URL): Promise<Uint8Array<ArrayBuffer>> };
  };
}

async function fetchModule(address: URL | string): Promise<WebAssembly.Module> {
  const url = new URL(address, globalThis.location?.href);
  if (url.protocol === 'file:') {
    // Node fetches no files. Its own module is asked for in a way that bundlers for browsers do not stumble over.
    const { process } = globalThis as NodeGlobal;
    const files = process?.getBuiltinModule?.('node:fs/promises');
    if (files === undefined && process?.versions?.node !== undefined) {
      throw new Error('Node 20.16 or later is needed to read files');
    }
    // Compiled here, since a few milliseconds are less than it takes to leave it to other threads.
    if (files !== undefined) return new WebAssembly.Module(await files.readFile(url));
  }
  return compileResponse(await fetch(url));
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url || 'the response'} came with status ${response.status}`);
  // Compiling while it arrives needs the right type, which not every server knows.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
