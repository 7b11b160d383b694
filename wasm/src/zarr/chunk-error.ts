import { BroadcastError, NO_RECORD } from '../types/errors.js';
import type { PackageErrorCode } from '../types/error-code.js';
import type { IndexRange } from '../types/alignment.js';

/**
 * An error about a chunk: one that is missing, damaged or too large, that cannot be written, or that was not computed. It
 * is a `BroadcastError`, of code `length` where a stored chunk is missing or damaged.
 *
 * @example
 * try {
 *   await applyZarr('Add', [volume, mask], result);
 * } catch (error) {
 *   if (!(error instanceof ChunkError)) throw error;
 *   console.log(error.array, error.chunk, error.box); // volume.zarr/ [ 0, 3 ] [ { begin: 0, end: 64 }, { begin: 192, end: 256 } ]
 * }
 */
export class ChunkError extends BroadcastError {
  /** Where the array is: the address or the folder of its store, if it has one, and its path in there. */
  readonly array: string;
  /** The chunk's index along each axis; null where the error is about the array. */
  readonly chunk: readonly number[] | null;
  /** The elements of the array that the chunk has, without what lies beyond the array's end. */
  readonly box: readonly IndexRange[];

  /** @internal */
  constructor(
    code: PackageErrorCode,
    array: string,
    chunk: readonly number[] | null,
    box: readonly IndexRange[],
    reason: string,
    cause?: unknown,
  ) {
    const where = chunk === null ? '' : `, chunk (${chunk.join(', ')}), box ${boxText(box)}`;
    super(
      { ...NO_RECORD, code, message: `${array}${where}: ${reason}` },
      undefined,
      cause === undefined ? {} : { cause },
    );
    this.array = array;
    this.chunk = chunk;
    this.box = box;
  }
}

/** A box as NumPy's slices. */
function boxText(box: readonly IndexRange[]): string {
  return `[${box.map(({ begin, end }) => `${begin}:${end}`).join(', ')}]`;
}

/** What an error of a store, a codec or a worker says. */
export function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message;
}
