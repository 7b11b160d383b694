// Where the bytes of `.npy` arrays come from: files, members of `.npz` archives, standard input. What a question about
// shapes needs is read from the header alone; elements are read when they are computed with.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { NdArray } from '../index.js';
import { NpyError, parseNpy, type NpyDType } from '../npy.js';
import { countElements, endsEarly, formatExtents, goesOn, MOST_HEADER_BYTES } from '../npy/npy-file.js';

/** An array that is there to be read. */
export interface Source {
  readonly shape: readonly bigint[];
  readonly dtype: NpyDType;
  /** The array with its elements. */
  read(): NdArray<NpyDType>;
}

/** Bytes that can be read from any place; `size` of them. */
export interface Bytes {
  readonly size: number;
  /** At most `length` bytes from `begin` on: fewer only at the end. */
  read(begin: number, length: number): Uint8Array;
}

/** What one call of the system reads or writes: Node takes no more than 2 GiB at once. */
export const BLOCK = 2 ** 30;

/** Opens a file for `use`. */
export function withFile<T>(name: string, use: (file: Bytes) => T): T {
  const descriptor = openSync(name, 'r');
  try {
    // Reading a folder is refused by the system, with its own words.
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

/** All that comes in on standard input. */
export function readStandardInput(): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = new Uint8Array(65536);
    let count: number;
    try {
      count = readSync(0, piece, 0, piece.length, null);
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === 'EAGAIN') continue; // a pipe that has nothing yet
      if (code !== 'EOF') throw error;
      count = 0; // so Windows says that a pipe has ended
    }
    if (count === 0) break;
    pieces.push(piece.subarray(0, count));
    size += count;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Bytes that are there already. */
export const inMemory = (bytes: Uint8Array): Bytes => ({
  size: bytes.length,
  read: (begin, length) => bytes.subarray(begin, begin + length),
});

// Version 1.0 has two bytes for the header's length, the others four; more than this no header holds.
const PREFIX = 12;

/**
 * What the header of a `.npy` file says. `read` brings all of its bytes, when elements are asked for.
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
    const array = parseNpy(header); // Nothing but a header: an array without elements.
    if (bytes.size > begin) return fromArray(whole()); // It tells what follows.
    return fromArray(array);
  } catch (error) {
    // Everything in a header is checked before the elements are missed.
    if (!(error instanceof NpyError) || error.code !== 'truncated' || header.length < begin) throw error;
  }

  let text = '';
  for (const byte of header) text += String.fromCharCode(byte);
  const [tuple = '', extents = ''] = /\((?=[^'"]*\))([^)]*)\)/.exec(text.slice(10)) ?? [];
  const shape = [...extents.matchAll(/\d+/g)].map(([digits]) => BigInt(digits));
  const at = text.indexOf(tuple, 10);
  const empty = Uint8Array.from(header);
  // The same header of no elements tells the type.
  `${'(0,)'.padEnd(Math.max(tuple.length, 4))}`
    .split('')
    .forEach((letter, i) => (empty[at + i] = letter.charCodeAt(0)));
  if (tuple.length < 4) return fromArray(whole()); // `()`: one element
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
