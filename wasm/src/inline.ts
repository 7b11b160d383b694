import * as embeddedText from './broadloom-core-text.mjs';
import type { Broadloom } from './api/broadloom.js';
import { LoadError } from './types/errors.js';
import type { WasmInstanceOf } from './values/globals.js';
import { asLoadError, bytesOfSource, isBytes, readSource } from './platform.js';
import { decode } from './decode.js';
import { start } from './start.js';

export type * from './index.js';
export { BroadcastError, isBroadcastError, LoadError } from './types/errors.js';

/** The options of the `load` of `broadloom/inline`. */
export interface InlineLoadOptions {
  /**
   * The bytes of `broadloom-core.wasm`, or the compiled module, to be used in place of the embedded one: a page can
   * send a worker the module that it has compiled.
   */
  // TypeScript's Module has no members: without `& object` it would accept any string.
  readonly wasm?: ArrayBuffer | ArrayBufferView | (WasmInstanceOf<'Module'> & object) | undefined;
}

let embedded: Broadloom | undefined;
// Bytes and modules are held weakly.
const given = new WeakMap<object, Broadloom>();

/**
 * Returns the core at once: the WebAssembly is embedded in this entry, so nothing is fetched or awaited. Further calls
 * return the same instance (one for each `wasm` source). Works in Node, on pages and in workers, under
 * `script-src 'self' 'wasm-unsafe-eval'`. Without compression it is the larger download of the two entries, and
 * compiling it blocks the page for a few milliseconds.
 *
 * @throws LoadError where the platform lacks WebAssembly or its SIMD, or an option is wrong.
 * @example
 * import { load } from 'broadloom/inline';
 * const bl = load();
 * bl.add({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] }, { data: new Float32Array([10, 20]), shape: [2] }).data;
 * // Float32Array [11, 22, 13, 24]
 */
export function load(options: InlineLoadOptions = {}): Broadloom {
  const wasm = readSource(options);
  if (wasm === undefined) return (embedded ??= instantiate(() => decode(embeddedText)));
  if (!isSource(wasm)) {
    throw new LoadError(
      'load',
      'The load of broadloom/inline takes bytes or a WebAssembly.Module; the load of broadloom takes addresses and ' +
        'responses, too, since it may await them.',
    );
  }
  let instance = given.get(wasm);
  if (instance === undefined) given.set(wasm, (instance = instantiate(() => wasm)));
  return instance;
}

type Source = NonNullable<InlineLoadOptions['wasm']>;

function isSource(wasm: unknown): wasm is Source {
  if (typeof WebAssembly === 'object' && wasm instanceof WebAssembly.Module) return true;
  return isBytes(wasm);
}

function instantiate(bring: () => Source): Broadloom {
  try {
    const source = bring();
    const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOfSource(source));
    return start(module, () => import('./explanations-inline.js'));
  } catch (error) {
    throw asLoadError(error);
  }
}
