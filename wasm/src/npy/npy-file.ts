// What parseNpy and the command, which reads headers alone, both know of a .npy file.

import type { Extent } from '../types/extent.js';

/** Far more than any header of an array holds; NumPy itself stops at 10,000. */
export const MOST_HEADER_BYTES = 2 ** 20;

/** Of a file that has fewer bytes behind its header than its shape takes. */
export function endsEarly(shape: string, dtype: string, needed: bigint, present: number): string {
  return `The .npy file ends too early. Its shape ${shape} of ${dtype} takes ${needed} bytes, but ${present} are there.`;
}

/** Of a file that goes on behind its array. */
export function goesOn(end: number, size: number): string {
  return (
    `The array ends at byte ${end}, but the file has ${size}. ` +
    'Where a file holds several arrays, give the bytes of one of them.'
  );
}

/** The number of elements, or of those along the first axes where they alone are more than any file holds. */
export function countElements(shape: readonly Extent[]): bigint {
  if (shape.some((extent) => BigInt(extent) === 0n)) return 0n;
  let count = 1n;
  for (const extent of shape) {
    if (count > 2n ** 63n) break;
    count *= BigInt(extent);
  }
  return count;
}

/** Extents as Python writes a tuple, in a few words. */
export function formatExtents(shape: readonly Extent[]): string {
  return `(${shorten(shape.join(', '))}${shape.length === 1 ? ',' : ''})`;
}

/** The beginning of a text that may be of any length. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
