// Shared by all ways to load the package: reading the options, and the errors.

import { LoadError } from './types/errors.js';
import { kindOf, propertyOf } from './values/properties.js';

// A WebAssembly module with one function, which uses i8x16.splat and i8x16.popcnt.
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * The `wasm` option of `taker`, of whatever type: the caller checks it.
 *
 * @throws LoadError where `options` is no object, or has an option of another name.
 */
export function readSource(options: unknown, taker = 'load', ...others: string[]): unknown {
  if (kindOf(options) !== 'Object') {
    const given = typeof options === 'string' ? JSON.stringify(options.slice(0, 40)) : kindOf(options);
    throw new LoadError('load', `${taker} takes its options as an object, { wasm: source }, not ${given}.`);
  }
  try {
    const known = ['wasm', ...others];
    const unknown = Object.keys(options as object).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const only = known.map((name) => JSON.stringify(name)).join(' and ');
      throw new LoadError('load', `${taker} has no option ${JSON.stringify(unknown)}, only ${only}.`);
    }
    return propertyOf(options as object, 'wasm');
  } catch (error) {
    throw asLoadError(error); // a getter threw
  }
}

/** Whether `source` is an ArrayBuffer, a SharedArrayBuffer or a view of one. */
export function isBytes(source: unknown): boolean {
  return ArrayBuffer.isView(source) || /^(Shared)?ArrayBuffer$/.test(kindOf(source));
}

/**
 * The bytes of a buffer or a view of any class, as `WebAssembly.Module` takes them.
 *
 * @internal
 * @throws TypeError where `source` is neither.
 */
export function bytesOfSource(source: unknown): Uint8Array<ArrayBuffer> {
  if (!isBytes(source)) {
    const given = typeof source === 'object' && source !== null ? `an object (${kindOf(source)})` : String(source);
    throw new TypeError(`wasm has to be an address, a response, bytes or a WebAssembly.Module, not ${given}.`);
  }
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(source)
    ? source
    : new Uint8Array(source as ArrayBuffer);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** A LoadError for `cause`: it names what the platform lacks, or else the message of `cause`, followed by `hint`. */
export function asLoadError(cause: unknown, hint = ''): LoadError {
  if (cause instanceof LoadError) return cause;
  // Checked only after a failure, since validating takes a while.
  if (typeof WebAssembly !== 'object') {
    return new LoadError('no_webassembly', 'Broadloom needs WebAssembly, which is missing or switched off here.');
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    return new LoadError(
      'no_simd',
      'Broadloom needs WebAssembly SIMD (128 bits): Chrome 114, Firefox 89, Safari 16.4, Node 20.16 or later.',
    );
  }
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '');
  return new LoadError('load', `Broadloom could not be loaded: ${reason}.${hint}`, { cause });
}
