// Extents and shapes as callers may give them.

/** An extent: a number, or a bigint where the shapes were given as bigints. */
export type Extent = number | bigint;

/** Typed arrays of whole numbers, as shapes, targets and mappings may be given. */
export type IntegerArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array;

/**
 * Extents along the axes, outermost first; `[]` is a scalar's shape. Numbers have to be whole and safe (below 2^53);
 * bigints reach to 2^63 - 1. Where extents are given as bigints, extents come back as bigints.
 */
export type ShapeLike = readonly Extent[] | IntegerArray | BigInt64Array | BigUint64Array;

/** The type of a result's extents: `number`, or `bigint` where extents were given as bigints. */
export type ExtentOf<S> = S extends { readonly [index: number]: infer E } ? Extract<E, Extent> : never;

/** Whether two lists of extents are the same; both may be undefined. */
export function sameExtents(a: readonly Extent[] | undefined, b: readonly Extent[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether two shapes are equal. One may have numbers and the other bigints. */
export function sameShape(a: readonly Extent[], b: readonly Extent[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; ++i) if (!sameExtent(a[i] as Extent, b[i] as Extent)) return false;
  return true;
}

/** Whether two extents are equal. One may be a number and the other a bigint. */
export function sameExtent(a: Extent, b: Extent): boolean {
  return a == b;
}

/** A number where that is exact, else as it is. */
export function exact(extent: Extent): Extent {
  return Number.isSafeInteger(Number(extent)) ? Number(extent) : extent;
}
