// What parseNpy and the command, which reads headers alone, both know of a .npy file.

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
