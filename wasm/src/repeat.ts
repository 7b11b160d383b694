// Results that are one block again and again: the platform's own copying is as fast as it gets.

import { bufferOf, byteLengthOf, byteOffsetOf, type Elements } from './typed-arrays.js';

// A block is doubled until it is as long, and then copied as it is: it stays in the cache.
const CHUNK_BYTES = 128 * 1024;

/** Fills `out` with the first `block` bytes of `source`, whose length `out`'s is a multiple of. */
export function repeat(source: Elements, out: Elements, block: number): void {
  if (fill(source, out, block)) return;
  const to = bytesOf(out);
  const from = bytesOf(source).subarray(0, block);
  to.set(from);
  let filled = block;
  while (filled < to.length && filled < CHUNK_BYTES) {
    to.copyWithin(filled, 0, Math.min(filled, to.length - filled));
    filled = Math.min(2 * filled, to.length);
  }
  for (const chunk = filled; filled < to.length; filled += chunk) {
    to.copyWithin(filled, 0, Math.min(chunk, to.length - filled));
  }
}

/** One element, as an integer, so that the bits of a NaN stay. False where there is none of its width and alignment. */
function fill(source: Elements, out: Elements, block: number): boolean {
  const Class = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[block];
  if (Class === undefined || byteOffsetOf.call(source) % block !== 0 || byteOffsetOf.call(out) % block !== 0) {
    return false;
  }
  const [value] = new Class(bufferOf.call(source) as ArrayBuffer, byteOffsetOf.call(source), 1);
  const to = new Class(bufferOf.call(out) as ArrayBuffer, byteOffsetOf.call(out), byteLengthOf.call(out) / block);
  (to as { fill(value: unknown): unknown }).fill(value);
  return true;
}

function bytesOf(data: Elements): Uint8Array {
  return new Uint8Array(bufferOf.call(data) as ArrayBuffer, byteOffsetOf.call(data), byteLengthOf.call(data));
}
