// Where arrays lie: the bytes behind them, whether they meet.

/** A piece of a buffer. */
export interface BytesPlace {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}

export function isSamePlace(a: BytesPlace, b: BytesPlace): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;
}

export function overlap(a: BytesPlace, b: BytesPlace): boolean {
  return (
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
  );
}
