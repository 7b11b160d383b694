// Zarr arrays, opened a second time through a store that reports what zarrita does not: chunks that are missing, and wrong
// checksums.

import { Location, open, type OpenArray } from 'zarrita';
import type { IndexRange } from '../types/alignment.js';
import type { DType } from '../types/vocabulary.js';
import { show } from '../values/show.js';
import { ChunkError, said } from './chunk-error.js';
import { hasChecksum } from './crc32c.js';
import { readMetadata, type Metadata, type Store } from './metadata.js';

/** What is needed of a Zarr array. Arrays that zarrita has opened have it. */
export interface ZarrArray {
  /** The array's extents. */
  readonly shape: readonly number[];
  /** The extents of a chunk. */
  readonly chunks: readonly number[];
  /** The element type, as Zarr names it. */
  readonly dtype: string;
  /** Where its chunks are: a `FetchStore`, a `FileSystemStore`, a `Map`. */
  readonly store: object;
  /** Its path in the store. */
  readonly path: string;
  /** Reads a chunk. */
  getChunk(coordinates: number[]): Promise<unknown>;
}

/** A Zarr array that is read or written. */
export interface Opened {
  /** How messages name it. */
  readonly name: string;
  readonly store: Store;
  readonly path: string;
  readonly array: OpenArray;
  readonly metadata: Metadata;
  readonly dtype: DType;
  /** Bytes of an element, and of a stored chunk that is not compressed. */
  readonly width: number;
  readonly chunkBytes: number;
}

/** What is thrown where a store has no such chunk. */
class MissingChunk extends Error {}

const DTYPES: { readonly [name: string]: readonly [DType, number] } = {
  bool: ['bool', 1],
  int8: ['i8', 1],
  int16: ['i16', 2],
  int32: ['i32', 4],
  int64: ['i64', 8],
  uint8: ['u8', 1],
  uint16: ['u16', 2],
  uint32: ['u32', 4],
  uint64: ['u64', 8],
  float16: ['f16', 2],
  float32: ['f32', 4],
  float64: ['f64', 8],
};

export function isZarr(value: unknown): value is ZarrArray {
  return typeof value === 'object' && value !== null && 'getChunk' in value && 'store' in value && 'chunks' in value;
}

/**
 * Opens an array for reading: an array that is marked as incomplete is refused, and, without `fills`, so is a missing chunk
 * when it is read.
 */
export async function openInput(
  given: ZarrArray,
  operand: string,
  fills: boolean,
  signal: AbortSignal,
): Promise<Opened> {
  const opened = await openAgain(given, operand, signal, (store, codecs) => {
    const check = (key: string, bytes: Uint8Array | undefined, isWhole: boolean) => {
      if (isMetadata(key)) return bytes;
      if (bytes === undefined && !fills) throw new MissingChunk(key);
      if (bytes !== undefined && isWhole && codecs.at(-1) === 'crc32c' && !hasChecksum(bytes)) {
        throw new Error('its checksum is wrong');
      }
      return bytes;
    };
    return {
      get: async (key, options) => check(key, await store.get(key, { ...options, signal }), true),
      ...(store.getRange && {
        getRange: async (key, range, options) =>
          check(key, await store.getRange?.(key, range, { ...options, signal }), false),
      }),
    };
  });
  if (opened.metadata.isIncomplete) {
    const reason = 'it was not written to its end, so some of its chunks are missing: remove it, and write it again.';
    throw new ChunkError('length', opened.name, null, boxOf(opened.array.shape), reason);
  }
  return opened;
}

/** Opens an array for writing. Its old chunks are not read: zarrita would read those that lie partly beyond its end. */
export function openOutput(given: ZarrArray, signal: AbortSignal): Promise<Opened> {
  return openAgain(given, 'The result', signal, (store) => ({
    get: (key, options) => (isMetadata(key) ? store.get(key, options) : undefined),
    set: (key, value) => store.set?.(key, value),
    ...(store.getRange && { getRange: async () => undefined }),
  }));
}

async function openAgain(
  given: ZarrArray,
  role: string,
  signal: AbortSignal,
  guard: (store: Store, codecs: readonly string[]) => Store,
): Promise<Opened> {
  const store = given.store as Store;
  const path = String(given.path);
  const { url, root } = store as { readonly url?: unknown; readonly root?: unknown };
  const name = `${role} (${String(url ?? root ?? '')}${path})`;
  const refuse = (reason: string, cause?: unknown) =>
    new ChunkError(cause === undefined ? 'length' : 'dtype', name, null, boxOf(given.shape), reason, cause);
  let metadata: Metadata | null;
  try {
    metadata = await readMetadata(store, path, { signal });
  } catch (error) {
    throw new ChunkError(
      'length',
      name,
      null,
      boxOf(given.shape),
      `its metadata cannot be read: ${said(error)}.`,
      error,
    );
  }
  if (metadata === null) throw refuse('there is no array.');
  let array: OpenArray;
  try {
    const location = new Location(guard(store, metadata.codecs), path);
    array = await (metadata.version === 3
      ? open.v3(location, { kind: 'array' })
      : open.v2(location, { kind: 'array' }));
  } catch (error) {
    throw refuse(`zarrita cannot open it: ${said(error)}.`, error);
  }
  // zarrita takes any metadata.
  const { shape, chunks } = array;
  const areCounts = (list: unknown, least: number) =>
    Array.isArray(list) && list.every((n) => Number.isSafeInteger(n) && (n as number) >= least);
  if (!areCounts(shape, 0) || !areCounts(chunks, 1) || shape.length !== chunks.length) {
    throw refuse(`its shape is ${show(shape)} and its chunks are ${show(chunks)}, which is no grid.`);
  }
  const known = Object.hasOwn(DTYPES, array.dtype) ? DTYPES[array.dtype] : undefined;
  if (known === undefined) {
    const reason = `its elements are ${array.dtype}; Broadloom and zarrita share ${Object.keys(DTYPES).join(', ')}.`;
    throw new ChunkError('dtype', name, null, boxOf(array.shape), reason);
  }
  const [dtype, width] = known;
  const chunkBytes = array.chunks.reduce((a, b) => a * b, width);
  return { name, store, path, array, metadata, dtype, width, chunkBytes };
}

function isMetadata(key: string): boolean {
  return /\/(?:zarr\.json|\.zarray|\.zattrs|\.zgroup|\.zmetadata)$/.test(key);
}

export function boxOf(shape: readonly number[]): IndexRange[] {
  return shape.map((extent) => ({ begin: 0, end: extent }));
}

/** How many chunks there are along each axis. */
export function gridOf({ array: { shape, chunks } }: Opened): number[] {
  return shape.map((extent, axis) => Math.ceil(extent / (chunks[axis] as number)));
}

/** The elements of a chunk that are inside the array. */
export function chunkBox({ array: { shape, chunks } }: Opened, chunk: readonly number[]): IndexRange[] {
  return chunk.map((index, axis) => {
    const size = chunks[axis] as number;
    return { begin: index * size, end: Math.min((index + 1) * size, shape[axis] as number) };
  });
}

/** Along each axis, the first stored chunk that a region touches, and the one after the last. */
export function chunksOf({ array: { chunks } }: Opened, region: readonly IndexRange[]): IndexRange[] {
  return region.map(({ begin, end }, axis) => {
    const size = chunks[axis] as number;
    return begin < end ? { begin: Math.floor(begin / size), end: Math.ceil(end / size) } : { begin: 0, end: 0 };
  });
}

/** Why a chunk cannot be read. */
export function unreadable(opened: Opened, chunk: readonly number[], error: unknown): ChunkError {
  const reason =
    error instanceof MissingChunk
      ? "the stored chunk is missing. Restore it, or give missing: 'fill' if the array was written without chunks that " +
        'have the fill value alone.'
      : `the stored chunk cannot be read: ${said(error)}. Restore it, or write the array again.`;
  return new ChunkError('length', opened.name, chunk, chunkBox(opened, chunk), reason, error);
}
