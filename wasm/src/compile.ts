import type { WasmSource } from './types/wasm-source.js';
import { asLoadError, bytesOfSource } from './platform.js';

export type { WasmSource } from './types/wasm-source.js';

// esbuild, Rollup and Bun leave out a file that is named by its address alone, without a warning.
const leftOut = (file: string) =>
  ` If a bundler built this, it has left out ${file}. Load what holds it: import { load } from 'broadloom/inline'; or, for an ES module, copy the file beside the built script.`;

/**
 * Compiles the module; without a source, from the file beside this one.
 *
 * @internal
 * @throws LoadError as `load`.
 */
export function compileCore(source?: WasmSource): Promise<WebAssembly.Module> {
  return compileFile(source, new URL('./broadloom-core.wasm', import.meta.url), 'broadloom-core.wasm');
}

/**
 * Compiles a module; without a source, from the file at `address`.
 *
 * @internal
 * @throws LoadError as `load`.
 */
export async function compileFile(
  source: WasmSource | undefined,
  address: URL,
  file: string,
): Promise<WebAssembly.Module> {
  try {
    return await compile(source === undefined ? address : source);
  } catch (error) {
    throw asLoadError(error, source === undefined ? leftOut(file) : '');
  }
}

/** Compiles a module; errors are those of the platform. */
export async function compile(given: WasmSource): Promise<WebAssembly.Module> {
  const source = await given;
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof URL || typeof source === 'string') return fetchModule(source);
  if (typeof Response === 'function' && source instanceof Response) return compileResponse(source);
  return WebAssembly.compile(bytesOfSource(source));
}

interface NodeGlobal {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    getBuiltinModule?(name: 'node:fs'): { readFileSync(url: URL): Uint8Array<ArrayBuffer> };
  };
}

async function fetchModule(address: URL | string): Promise<WebAssembly.Module> {
  const url = urlOf(address);
  if (url.protocol === 'file:') {
    // Node's fetch reads no files. `getBuiltinModule` is invisible to bundlers for browsers, which fail on `node:fs`.
    const { process } = globalThis as NodeGlobal;
    const files = process?.getBuiltinModule?.('node:fs');
    if (files === undefined && process?.versions?.node !== undefined) {
      throw new Error('Node 20.16 or later is needed to read files');
    }
    // Read and compiled synchronously: that takes a few milliseconds, less than handing it to other threads.
    if (files !== undefined) return new WebAssembly.Module(files.readFileSync(url));
  }
  return compileResponse(await fetch(url));
}

function urlOf(address: URL | string): URL {
  try {
    return new URL(address, globalThis.location?.href);
  } catch {
    throw new Error(`${JSON.stringify(String(address).slice(0, 80))} is no URL. Of a file, give pathToFileURL(path)`);
  }
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url || 'the response'} came with status ${response.status}`);
  // Compiling while the file arrives requires this content type, which not every server sends.
  if (response.headers.get('content-type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}
