// Lists that a caller gives. They may be proxies, which run the caller's code when they are read.

/** As Array.isArray, but false for a revoked proxy, for which that throws, and for a proxy without a valid length. */
export function isList(value: unknown): value is unknown[] {
  return listLength(value) !== -1;
}

/** The length of a list; -1 for what is not a list. Ask once a list: the answer may come from the caller's code. */
export function listLength(value: unknown): number {
  try {
    if (!Array.isArray(value)) return -1;
    const { length } = value;
    return length >>> 0 === length ? length : -1;
  } catch {
    return -1;
  }
}
