import createCore from './broadloom-core.mjs';
import { Broadloom } from './broadloom.js';
import { Core, type CoreModule } from './core.js';
import { LoadError } from './errors.js';

/** Where the `.wasm` file may come from. */
export type WasmSource = URL | string | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

export interface LoadOptions {
  /**
   * Where `broadloom-core.wasm` comes from: an address (a text is resolved against the page), its bytes, a response
   * that brings them, or the compiled module. Without it the file beside the package's own is taken.
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
    wasm = readSource(options);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  const key = wasm instanceof URL ? wasm.href : wasm;
  const instances = typeof key === 'object' && key !== null ? byObject : byAddress;
  let instance = instances.get(key);
  if (instance === undefined) {
    instance = instantiate(wasm ?? new URL('./broadloom-core.wasm', import.meta.url)).then(
      (core) => new Broadloom(core),
    );
    instances.set(key, instance);
    instance.catch(() => instances.delete(key));
  }
  return instance;
}

function readSource(options: unknown): WasmSource | undefined {
  if (typeof options !== 'object' || options === null) {
    throw new LoadError('load', `load takes its options as an object, not ${String(options)}.`);
  }
  const unknown = Object.keys(options).find((name) => name !== 'wasm');
  if (unknown !== undefined) throw new LoadError('load', `load has no option ${JSON.stringify(unknown)}, only "wasm".`);
  return (options as LoadOptions).wasm;
}

// A module whose one function uses i8x16.splat and i8x16.popcnt.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

async function instantiate(source: WasmSource): Promise<Core> {
  if (typeof WebAssembly !== 'object') {
    throw new LoadError('no_webassembly', 'Broadloom needs WebAssembly, which is missing or switched off here.');
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    throw new LoadError(
      'no_simd',
      'Broadloom needs WebAssembly SIMD (128 bits): Chrome 91, Firefox 89, Safari 16.4, Node 20.16 or later.',
    );
  }
  try {
    const compiled = await compile(source);
    const { module, memory } = await start(compiled);
    return new Core(module, memory);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LoadError('load', `Broadloom's WebAssembly could not be loaded: ${reason}`, { cause });
  }
}

// Emscripten's glue asks for an instance of what was compiled already. It would wait for ever if there is none.
function start(compiled: WebAssembly.Module): Promise<{ module: CoreModule; memory: WebAssembly.Memory }> {
  return new Promise((resolve, reject) => {
    let memory: WebAssembly.Memory;
    createCore({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(compiled, imports)
          .then((instance) => {
            const found = Object.values(instance.exports).find((item) => item instanceof WebAssembly.Memory);
            if (found === undefined) throw new Error('the file is not the one that belongs to this package');
            memory = found;
            receive(instance, compiled);
          })
          .catch(reject);
        return {};
      },
    }).then((module) => resolve({ module, memory }), reject);
  });
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === 'string') return fetchModule(source);
  if (typeof Response === 'function' && source instanceof Response) return compileResponse(source);
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source)
    ? source
    : new Uint8Array(source as ArrayBuffer);
  return WebAssembly.compile(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
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
    if (files !== undefined) return WebAssembly.compile(await files.readFile(url));
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
