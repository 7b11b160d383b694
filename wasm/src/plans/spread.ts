// Broadcasts whose results are made of long segments. The platform's fill, set and copyWithin are faster for these than the
// module, into which and out of which elements have to be copied.

import type { Loop } from '../core/module.js';
import {
  bufferOf,
  byteLengthOf,
  byteOffsetOf,
  entriesOf,
  holderOf,
  isPacked,
  type Elements,
} from '../elements/typed-arrays.js';
import type { DType } from '../types/vocabulary.js';

// Shorter segments are faster computed in a block.
const SEGMENT_BYTES = 1024;
// As much of what was written last is still in the cache, so that it is copied rather than made again.
const NEAR_BYTES = 128 * 1024;

/** Whether a result is made of long segments: of the operand, of one repeated element, or of what was written before. */
export function isSpread(loops: readonly Loop[], dtype: DType): boolean {
  if (isPacked(dtype)) return false;
  // From the innermost loop outwards: the bytes, and how many calls write them.
  let bytes = sizeOf(dtype);
  let calls = 1;
  for (let i = loops.length - 1; i >= 0; --i) {
    const { extent, stride } = loops[i] as Loop;
    const isSegment = i === loops.length - 1 && stride <= 1;
    if (!isSegment) calls = isRepeated(stride, bytes) ? calls + Math.log2(extent) : calls * extent;
    bytes *= extent;
  }
  return bytes >= calls * SEGMENT_BYTES;
}

/** Whether the steps of a loop after the first one are copies of the first. */
function isRepeated(stride: number, stepBytes: number): boolean {
  return stride === 0 && stepBytes <= NEAR_BYTES;
}

/** Writes the elements of `source` to `out` in the order of the loops. Neither is packed. */
export function spread(source: Elements, out: Elements, loops: readonly Loop[], dtype: DType): void {
  new Spreading(source, out, loops, sizeOf(dtype)).level(0, 0, 0);
}

function sizeOf(dtype: DType): number {
  return entriesOf(dtype) * holderOf(dtype).BYTES_PER_ELEMENT;
}

/** Elements are moved as integers, which keeps the bits of a NaN. */
type Units = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

class Spreading {
  readonly #loops: readonly Loop[];
  readonly #from: Units;
  readonly #to: Units;
  /** Units of an element. */
  readonly #width: number;
  /** Units of one step of each loop. */
  readonly #steps: readonly number[];

  constructor(source: Elements, out: Elements, loops: readonly Loop[], size: number) {
    const places = byteOffsetOf.call(source) | byteOffsetOf.call(out);
    const Class = [BigUint64Array, Uint32Array, Uint16Array].find(
      ({ BYTES_PER_ELEMENT: bytes }) => size % bytes === 0 && places % bytes === 0,
    );
    const make = (data: Elements) => {
      const Units = Class ?? Uint8Array;
      const length = byteLengthOf.call(data) / Units.BYTES_PER_ELEMENT;
      return new Units(bufferOf.call(data) as ArrayBuffer, byteOffsetOf.call(data), length);
    };
    this.#loops = loops;
    this.#from = make(source);
    this.#to = make(out);
    this.#width = size / this.#to.BYTES_PER_ELEMENT;
    const steps = new Array<number>(loops.length);
    let step = this.#width;
    for (let i = loops.length - 1; i >= 0; --i) {
      steps[i] = step;
      step *= (loops[i] as Loop).extent;
    }
    this.#steps = steps;
  }

  /** Runs loop `i` and those inside it, from unit `from` of the source to unit `to` of the result. */
  level(i: number, from: number, to: number): void {
    if (i === this.#loops.length) return this.#copy(from, this.#width, to);
    const { extent, stride } = this.#loops[i] as Loop;
    const step = this.#steps[i] as number;
    const isLast = i + 1 === this.#loops.length;
    if (stride === 0 && isLast && this.#width === 1) {
      (this.#to as Uint8Array).fill(this.#from[from] as number, to, to + extent);
    } else if (stride === 1 && isLast) {
      this.#copy(from, extent * this.#width, to);
    } else if (isRepeated(stride, step * this.#to.BYTES_PER_ELEMENT)) {
      this.level(i + 1, from, to);
      this.#repeat(to, step, extent);
    } else {
      for (let k = 0; k < extent; ++k) this.level(i + 1, from + k * stride * this.#width, to + k * step);
    }
  }

  #copy(from: number, units: number, to: number): void {
    (this.#to as Uint8Array).set((this.#from as Uint8Array).subarray(from, from + units), to);
  }

  /** Copies the first `units` units, which lie at `at`, until there are `times` of them. */
  #repeat(at: number, units: number, times: number): void {
    const end = at + units * times;
    const near = NEAR_BYTES / this.#to.BYTES_PER_ELEMENT;
    let filled = at + units;
    while (filled < end && filled - at < near) {
      this.#to.copyWithin(filled, at, Math.min(filled, at + end - filled));
      filled = Math.min(2 * filled - at, end);
    }
    for (const chunk = filled - at; filled < end; filled += chunk) {
      this.#to.copyWithin(filled, at, at + Math.min(chunk, end - filled));
    }
  }
}
