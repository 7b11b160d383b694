import { alphabet, escapes, order, size, text } from './broadloom-core-text.mjs';
import type { Broadloom } from './broadloom.js';
import { LoadError } from './errors.js';
import { asLoadError, bytesOfSource, checkPlatform, readSource, start } from './start.js';

export type * from './index.js';
export { BroadcastError, isBroadcastError, LoadError } from './errors.js';

/** What the `load` of `broadloom/inline` may be told. */
export interface InlineLoadOptions {
  /**
   * The bytes of `broadloom-core.wasm`, or the compiled module, where it is not the embedded one that is wanted: a
   * worker may be sent the module that its page has compiled.
   */
  // TypeScript's Module has no members, so that without more any text would be one.
  readonly wasm?: ArrayBuffer | ArrayBufferView | (WebAssembly.Module & object) | undefined;
}

let embedded: Broadloom | undefined;
// Bytes and modules are not kept.
const given = new WeakMap<object, Broadloom>();

/**
 * Gives the core at once: the WebAssembly is embedded in this entry, nothing is fetched and nothing awaited. Further
 * calls give the same instance (one for each `wasm` source). Works in Node, on pages and in workers, under
 * `script-src 'self' 'wasm-unsafe-eval'`. It is the larger download of the two entries for those who compress nothing,
 * and it is compiled while the page waits, for a few milliseconds.
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
  if (wasm === undefined) return (embedded ??= instantiate(() => decode()));
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
  return ArrayBuffer.isView(wasm) || /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(wasm));
}

function instantiate(bring: () => Source): Broadloom {
  try {
    checkPlatform();
    const source = bring();
    return start(source instanceof WebAssembly.Module ? source : new WebAssembly.Module(bytesOfSource(source)));
  } catch (error) {
    throw asLoadError(error);
  }
}

/** The bytes behind the text: embed.mjs, in the package's sources, writes it. */
function decode(): Uint8Array<ArrayBuffer> {
  // Of each character: its place in the alphabet.
  const places = new Uint8Array(128);
  for (let i = 0; i < alphabet.length; ++i) places[alphabet.charCodeAt(i)] = i;
  const singles = alphabet.length - escapes;
  const ranked = Uint8Array.from({ length: 256 }, (_, i) => Number.parseInt(order.slice(2 * i, 2 * i + 2), 16));

  const bytes = new Uint8Array(size);
  for (let i = 0, at = 0; i < size; ++i) {
    let place = places[text.charCodeAt(at++)] as number;
    let first = 0;
    if (place < escapes) {
      first = (place + 1) * singles;
      place = places[text.charCodeAt(at++)] as number;
    }
    bytes[i] = ranked[first + place - escapes] as number;
  }
  return bytes;
}
