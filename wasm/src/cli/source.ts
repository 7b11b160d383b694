// Reads `.npy` arrays from files, members of `.npz` archives and standard input. Shape and element type are read from
// the header; the elements are read only when something is computed.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { NdArray } from '../index.js';
import { NpyError, parseNpy, type NpyDType } from '../npy.js';
import { countElements, endsEarly, formatExtents, goesOn, MOST_HEADER_BYTES } from '../npy/npy-file.js';

/** An array whose elements have not been read. */
export interface Source {
  readonly shape: readonly bigint[];
  readonly dtype: NpyDType;
  /** Reads the array with its elements. */
  read(): NdArray<NpyDType>;
}

/** A sequence of `size` bytes with random access. */
export interface Bytes {
  readonly size: number;
  /** `length` bytes from `begin` on; fewer at the end. */
  read(begin: number, length: number): Uint8Array;
}

/** The most bytes that are read or written by one system call: Node allows less than 2 GiB. */
export const BLOCK = 2 ** 30;

/** Opens a file for `use`. */
export function withFile<T>(name: string, use: (file: Bytes) => T): T {
  const descriptor = openSync(name, 'r');
  try {
    // A folder can be opened; reading it fails with the system's error.
    const { size } = fstatSync(descriptor);
    return use({ size, read: (begin, length) => readBlocks(descriptor, Math.min(length, size - begin), begin) });
  } finally {
    closeSync(descriptor);
  }
}

function readBlocks(descriptor: number, length: number, begin: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(length, 1));
  let filled = 0;
  for (;;) {
    const room = Math.min(BLOCK, length - filled);
    const count = readSync(descriptor, bytes, filled, Math.max(room, 0), begin + filled);
    filled += count;
    if (count === 0 || filled >= length) return bytes.subarray(0, filled);
  }
}

/** All bytes of standard input. */
export function readStandardInput(): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = new Uint8Array(65536);
    let count: number;
    try {
      count = readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === 'EAGAIN') continue; // the pipe is empty, but open
      if (code !== 'EOF') throw error;
      count = 0; // Windows reports the end of a pipe as an error
    }
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Bytes in memory. */
export const inMemory = (bytes: Uint8Array): Bytes => ({
  size: bytes.length,
  read: (begin, length) => bytes.subarray(begin, begin + length),
});

// The bytes before a header: magic number, version and the header's length, which takes two bytes in version 1.0 and
// four in later ones.
const PREFIX = 12;

/**
 * Reads the header of a `.npy` file. `read` returns the whole file; it is called when the elements are needed.
 *
 * @throws NpyError as `parseNpy`, and for a file that is shorter or longer than its header says.
 */
export function readNpySource(bytes: Bytes, read: () => Uint8Array): Source {
  const prefix = bytes.read(0, PREFIX);
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefix.length);
  const isFirst = prefix[6] === 1;
  const length = prefix.length < PREFIX ? 0 : isFirst ? view.getUint16(8, true) : view.getUint32(8, true);
  const begin = (isFirst ? 10 : PREFIX) + Math.min(length, MOST_HEADER_BYTES);
  const header = bytes.read(0, begin);
  const whole = () => parseNpy(read());
  try {
    const array = parseNpy(header); // succeeds for an array without elements
    if (bytes.size > begin) return fromArray(whole()); // throws an error about the bytes after the array
    return fromArray(array);
  } catch (error) {
    // The header is valid if the only error is that the elements are missing.
    if (!(error instanceof NpyError) || error.code !== 'truncated' || header.length < begin) throw error;
  }

  let text = '';
  for (const byte of header) text += String.fromCharCode(byte);
  const [tuple = '', extents = ''] = /\((?=[^'"]*\))([^)]*)\)/.exec(text.slice(10)) ?? [];
  const shape = [...extents.matchAll(/\d+/g)].map(([digits]) => BigInt(digits));
  const at = text.indexOf(tuple, 10);
  const empty = Uint8Array.from(header);
  // The same header with the shape (0,) gives the element type.
  `${'(0,)'.padEnd(Math.max(tuple.length, 4))}`
    .split('')
    .forEach((letter, i) => (empty[at + i] = letter.charCodeAt(0)));
  if (tuple.length < 4) return fromArray(whole()); // the shape (): one element
  const { data, dtype } = parseNpy(empty) as NdArray<NpyDType>;
  const itemBytes = BigInt(data.BYTES_PER_ELEMENT * (dtype === 'c64' || dtype === 'c128' ? 2 : 1));
  const needed = countElements(shape) * itemBytes;
  if (needed > bytes.size - begin) {
    throw new NpyError('truncated', endsEarly(formatExtents(shape), dtype, needed, bytes.size - begin));
  }
  if (needed < bytes.size - begin) {
    throw new NpyError('trailing', goesOn(begin + Number(needed), bytes.size));
  }
  return { shape, dtype, read: whole };
}

function fromArray(array: NdArray<NpyDType>): Source {
  return { shape: array.shape.map(BigInt), dtype: array.dtype, read: () => array };
}
