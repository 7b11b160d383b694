// Where arrays lie in their buffers, and whether they overlap.

import { bufferOf, byteLengthOf, byteOffsetOf, classOf, type ClassName, type Elements } from './typed-arrays.js';

/** A range of bytes of a buffer. */
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

/** Whether two typed arrays share some bytes. */
export function meet(a: Elements, b: Elements): boolean {
  return overlap(placeIn(a), placeIn(b));
}

/** Where a typed array lies, even if its own properties say something else. */
export function placeIn(data: Elements): BytesPlace {
  return { buffer: bufferOf.call(data), byteOffset: byteOffsetOf.call(data), byteLength: byteLengthOf.call(data) };
}

/** Some elements of a typed array, even if its own `subarray` gives something else. */
export function partOf(data: Elements, held: ClassName, begin: number, count: number): Elements {
  const Class = classOf(held);
  if (count === 0) return new Class(0);
  return new Class(bufferOf.call(data), byteOffsetOf.call(data) + begin * Class.BYTES_PER_ELEMENT, count);
}
