// Lists of callers, which may be code of theirs.

/** Array.isArray, to which a revoked proxy is no list but an error, and one that lies about its length is a list. */
export function isList(value: unknown): value is unknown[] {
  return listLength(value) !== -1;
}

/** How many entries a list has; -1 of what is none. To be asked for once, since the answer may be code of the caller's. */
export function listLength(value: unknown): number {
  try {
    if (!Array.isArray(value)) return -1;
    const { length } = value;
    return length >>> 0 === length ? length : -1;
  } catch {
    return -1;
  }
}
