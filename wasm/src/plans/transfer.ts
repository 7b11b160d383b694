// Copies between a caller's arrays and the module's memory, and makes the arrays of results.

import { exact, type Extent } from '../types/extent.js';
import type { Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import type { TypedArray } from '../types/data.js';
import type { Core } from '../core/core.js';
import { isBroadcastError } from '../types/errors.js';
import { gather, scatter, type Source } from '../operands/strided.js';
import { partOf } from '../elements/places.js';
import {
  byteLengthOf,
  classOf,
  entriesOf,
  holderOf,
  resultClassOf,
  setElements,
  type ClassName,
  type Elements,
} from '../elements/typed-arrays.js';
import type { DType } from '../types/vocabulary.js';
import type { Where } from './checks.js';

// More bytes than a typed array holds on any platform.
const MOST_BYTES = 2 ** 33;

/** Copies bytes [begin, begin + bytes) of an operand's elements to an address. */
export function load(core: Core, operand: Reading, begin: number, bytes: number, address: number): void {
  const { data, held, source, dtype } = operand;
  if (bytes === 0) return; // the array may be detached
  if (source !== null) {
    const Holder = holderOf(dtype);
    const size = entriesOf(dtype) * Holder.BYTES_PER_ELEMENT;
    const into = core.views[Holder.name as ClassName] as unknown as TypedArray;
    gather(source, begin / size, bytes / size, into, address / size, dtype);
    return;
  }
  const view = core.views[held];
  const size = view.BYTES_PER_ELEMENT;
  const isWhole = begin === 0 && bytes === byteLengthOf.call(data);
  setElements.call(view, isWhole ? data : partOf(data, held, begin / size, bytes / size), address / size);
}

/** Copies `bytes` bytes of a result from an address to elements of `out`, which begin at byte `begin`. */
export function store(core: Core, out: Reading, begin: number, bytes: number, address: number): void {
  const { data, held, source, dtype } = out;
  if (bytes === 0) return; // the array may be detached
  if (source !== null) {
    const Holder = holderOf(dtype);
    const size = entriesOf(dtype) * Holder.BYTES_PER_ELEMENT;
    const from = core.views[Holder.name as ClassName] as unknown as TypedArray;
    scatter(source, begin / size, bytes / size, from, address / size);
    return;
  }
  const view = core.views[held];
  const size = view.BYTES_PER_ELEMENT;
  setElements.call(data, view.subarray(address / size, (address + bytes) / size), begin / size);
}

/** Memory of the module; an error has the fields of what it is for. */
export function allocate(core: Core, where: Where, of: { readonly dtype: DType; readonly bytes: Extent }): number {
  const { dtype, bytes } = of;
  try {
    return core.allocate(Number(bytes));
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    const fields = { ...where, extent: bytes, dtype };
    if (error.code === 'limit') throw core.error({ ...fields, code: 'limit', otherExtent: error.otherExtent });
    const lent = 'Memory cannot grow inside view(): do this before or after it.';
    throw core.error({ ...fields, code: 'allocation' }, undefined, core.isLent ? lent : undefined);
  }
}

/** A typed array for a result. */
export function newArray(core: Core, where: Where, dtype: DType, bytes: number): Elements {
  const Class = classOf(resultClassOf(dtype));
  try {
    return new Class(bytes / Class.BYTES_PER_ELEMENT);
  } catch {
    const fields = { ...where, extent: bytes, dtype };
    if (bytes < MOST_BYTES) throw core.error({ ...fields, code: 'allocation' });
    throw core.error({ ...fields, code: 'limit', otherExtent: MOST_BYTES - 1 });
  }
}

/** A typed array with a copy of a result's elements. */
export function copyOf(core: Core, where: Where, held: ClassName, elements: Elements, dtype: DType): Elements {
  const Class = classOf(held);
  try {
    return new Class(elements);
  } catch {
    const extent = elements.length * Class.BYTES_PER_ELEMENT;
    throw core.error({ ...where, code: 'allocation', extent, dtype });
  }
}

/** A result as it is returned; with the strides of the `out` in which it is. */
export function resultOf(
  data: Elements,
  shape: readonly number[],
  dtype: DType,
  source: Source | null = null,
): NdArray {
  const result = { data: data as unknown, shape: shape.slice(), dtype };
  if (source === null) return result as NdArray;
  const places = { strides: source.steps.slice(), offset: source.offset / entriesOf(dtype) };
  return { ...result, ...places } as NdArray;
}

/**
 * A result's shape in numbers.
 *
 * @throws BroadcastError `extent`, `unsafe`, where an extent is not exact: the result has no elements then, or is too
 * large for any memory.
 */
export function exactShape(core: Core, where: Where, shape: readonly Extent[]): number[] {
  return shape.map((given) => {
    const extent = exact(given);
    if (typeof extent === 'number') return extent;
    throw core.error({ ...where, code: 'extent', detail: 'unsafe', extent }, extent);
  });
}
