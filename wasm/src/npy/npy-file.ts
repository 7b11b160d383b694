// Shared by parseNpy and the command, which reads headers alone.

import type { Extent } from '../types/extent.js';

/** The longest header that is read. NumPy's own limit is 10,000 bytes. */
export const MOST_HEADER_BYTES = 2 ** 20;

/** The message for a file with fewer bytes after its header than its shape needs. */
export function endsEarly(shape: string, dtype: string, needed: bigint, present: number): string {
  return `The .npy file ends too early. Its shape ${shape} of ${dtype} takes ${needed} bytes, but ${present} are there.`;
}

/** The message for a file with bytes after its array. */
export function goesOn(end: number, size: number): string {
  return (
    `The array ends at byte ${end}, but the file has ${size}. ` +
    'Where a file holds several arrays, give the bytes of one of them.'
  );
}

/**
 * The number of elements. Beyond 2^63 it may be that of the first axes alone, which is too large for any file already.
 */
export function countElements(shape: readonly Extent[]): bigint {
  if (shape.some((extent) => BigInt(extent) === 0n)) return 0n;
  let count = 1n;
  for (const extent of shape) {
    if (count > 2n ** 63n) break;
    count *= BigInt(extent);
  }
  return count;
}

/** Extents as a Python tuple, shortened. */
export function formatExtents(shape: readonly Extent[]): string {
  return `(${shorten(shape.join(', '))}${shape.length === 1 ? ',' : ''})`;
}

/** The text, cut after 40 characters. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
