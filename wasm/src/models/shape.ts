// Shapes as models have them: extents may be unknown.

/**
 * An extent: a number (a bigint beyond 2^53 - 1), the name that the file gives to an unknown one, such as `batch`, or `?`
 * where it has no name.
 */
export type ModelExtent = number | bigint | string;

/** Extents, outermost first; null where even the number of axes is unknown. */
export type ModelShape = readonly ModelExtent[] | null;

let unnamed = 0;

/**
 * An unknown extent without a name, different from all others, so that a value and its Relu are known to have the same
 * extent. It is shown as `?`.
 */
export function unknownExtent(): string {
  return `?${++unnamed}`;
}

/** The named unknown extent of a file; names that begin with `?` are none. */
export function namedExtent(name: string): string {
  return name === '' || name.startsWith('?') ? unknownExtent() : name;
}

/** An int64 of a file as an extent: negative ones are unknown. */
export function extentFrom(value: bigint): ModelExtent {
  return value < 0n ? unknownExtent() : narrow(value);
}

/** A number where that is exact. */
export function narrow(value: number | bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The shape as callers see it. */
export function shown(shape: ModelShape): ModelShape {
  return shape === null ? null : shape.map((extent) => (isUnnamed(extent) ? '?' : extent));
}

export function isKnown(extent: ModelExtent): extent is number | bigint {
  return typeof extent !== 'string';
}

export function isUnnamed(extent: ModelExtent): boolean {
  return typeof extent === 'string' && extent.startsWith('?');
}

/** A value's shape as far as it is known, and its elements if it is a short list of whole numbers. */
export interface Value {
  readonly shape: ModelShape;
  /** Elements of a scalar or a list: of a shape, for instance. Those that are unknown extents are texts. */
  readonly ints: readonly ModelExtent[] | null;
}

export const UNKNOWN: Value = { shape: null, ints: null };

export interface Merged {
  readonly shape: ModelShape;
  /** Whether the two contradict each other. */
  readonly differ: boolean;
}

/** A computed and a declared shape combined. Where they differ, the computed one is taken. */
export function merge(computed: ModelShape, declared: ModelShape): Merged {
  if (computed === null || declared === null) return { shape: computed ?? declared, differ: false };
  if (computed.length !== declared.length) return { shape: computed, differ: true };
  let differ = false;
  const shape = computed.map((extent, axis) => {
    const other = declared[axis] as ModelExtent;
    if (isKnown(extent)) {
      if (isKnown(other) && BigInt(other) !== BigInt(extent)) differ = true;
      return extent;
    }
    if (isKnown(other)) return other;
    return isUnnamed(extent) ? other : extent;
  });
  return { shape, differ };
}
