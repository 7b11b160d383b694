// Copies elements between arrays with strides and consecutive places.

import type { TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';
import { holdsNumbers, isPlain, readNumbers, writeNumbers, type NumberArray } from '../elements/convert.js';
import { placeIn, type BytesPlace } from '../elements/places.js';
import type { Extent } from '../types/extent.js';
import { FormFault } from '../types/fault.js';
import {
  bitsOf,
  entriesOf,
  holderOf,
  isPacked,
  lengthOf,
  movableOf,
  viewAs,
  type Elements,
} from '../elements/typed-arrays.js';

/** An array for `gather` and `scatter`, whose strides were checked. */
export interface Source {
  /** The typed array; for f16, its bits. */
  readonly data: TypedArray;
  readonly dtype: DType;
  /** The entry where the first element begins. */
  readonly offset: number;
  /** The number of elements. */
  readonly count: number;
  /** The length of `data` when it was checked. A buffer may be detached later. */
  readonly entries: number;
  /** Of the axes, outermost first. Axes of extent 1 are left out, and neighbours are joined where that is possible. */
  readonly extents: readonly number[];
  /** In entries. */
  readonly strides: readonly number[];
  /** The strides of all axes, in elements. */
  readonly steps: readonly number[];
  /** Whether the elements lie row-major and dense, from `offset` on. */
  readonly dense: boolean;
}

/**
 * Makes an array ready for `gather`.
 *
 * @param shape Extents, each a whole number of at least 0.
 * @param strides One for each axis, in elements; may be 0 or negative. Without them the elements lie row-major and dense.
 * @param offset The place of the first element, in elements.
 * @throws FormFault `incompatible`, detail `strides`, where there is not one stride for each axis; `length`, with the axis,
 * where an element would lie outside the data; `dtype` for strides of a packed type.
 * @example
 * sourceOf(new Float32Array([1, 2, 3, 4, 5, 6]), 'f32', [3, 2], [1, 3], 0); // the transpose of a [2, 3]
 */
export function sourceOf(
  data: TypedArray,
  dtype: DType,
  shape: readonly number[],
  strides?: readonly number[],
  offset = 0,
): Source {
  const steps = strides === undefined ? rowMajor(shape) : stridesOf(strides, shape);
  const count = shape.reduce((product, extent) => product * extent, 1);
  checkBounds(data, dtype, shape, steps, offset, count);
  const width = entriesOf(dtype);
  const axes: { extent: number; stride: number }[] = [];
  shape.forEach((extent, axis) => {
    if (extent === 1) return;
    const stride = (steps[axis] as number) * width;
    const outer = axes.at(-1);
    if (outer !== undefined && outer.stride === extent * stride) {
      outer.extent *= extent;
      outer.stride = stride;
    } else {
      axes.push({ extent, stride });
    }
  });
  const dense = count <= 1 || (axes.length === 1 && axes[0]?.stride === width);
  if (!dense && isPacked(dtype)) {
    const message = `elements of ${dtype}, which share bytes, have to lie row-major and dense; these have strides: copy them.`;
    throw new FormFault({ code: 'dtype', detail: 'unsupported', dtype }, strides, message);
  }
  return {
    // A new view, since the caller's array may be of a class with a `subarray` of its own.
    data: viewAs(data, holderOf(dtype), lengthOf.call(data)),
    dtype,
    offset: offset * width,
    count,
    entries: lengthOf.call(data),
    extents: axes.map(({ extent }) => extent),
    strides: axes.map(({ stride }) => stride),
    steps,
    dense,
  };
}

/** Whether two arrays have the same elements, at the same indices. */
export function isSame(a: Source | null, b: Source | null): boolean {
  if (a === null || b === null) return a === b;
  const alike = (one: readonly number[], other: readonly number[]) => one.join() === other.join();
  return a.dtype === b.dtype && a.offset === b.offset && alike(a.extents, b.extents) && alike(a.strides, b.strides);
}

/** Where the elements are. */
export function reachOf({ data, count, offset, extents, strides, dtype }: Source): BytesPlace {
  const place = placeIn(data as Elements);
  if (count === 0) return place;
  const size = data.BYTES_PER_ELEMENT;
  let begin = offset;
  let end = offset + entriesOf(dtype);
  extents.forEach((extent, axis) => {
    const reach = (extent - 1) * (strides[axis] as number);
    if (reach < 0) begin += reach;
    else end += reach;
  });
  return { ...place, byteOffset: place.byteOffset + begin * size, byteLength: (end - begin) * size };
}

/**
 * Why `scatter` might write an element twice, as fields of an error: an axis, its stride, and how long that has to be at
 * least, which is longer than what the axes of shorter strides span. Null where each element is written once.
 */
export function twiceWritten(
  shape: readonly Extent[],
  { steps, count }: Source,
): { readonly operandAxis: number; readonly extent: number; readonly otherExtent: number } | null {
  const length = (axis: number) => Math.abs(steps[axis] as number);
  const axes = [...shape.keys()].filter((axis) => count !== 0 && Number(shape[axis]) > 1);
  let span = 1;
  let fault = null;
  for (const axis of axes.sort((a, b) => length(a) - length(b) || b - a)) {
    if (length(axis) < span) fault = { operandAxis: axis, extent: steps[axis] as number, otherExtent: span };
    span += (Number(shape[axis]) - 1) * length(axis);
  }
  return fault;
}

/** The strides, in elements, of an array whose elements lie row-major and dense. */
export function rowMajor(shape: readonly number[]): number[] {
  const strides = new Array<number>(shape.length);
  let step = 1;
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    strides[axis] = step;
    step *= shape[axis] as number;
  }
  return strides;
}

function stridesOf(strides: readonly number[], shape: readonly number[]): readonly number[] {
  // @stdlib gives a scalar one stride, of 0.
  if (strides.length === shape.length || shape.length === 0) return strides;
  const fields = {
    code: 'incompatible',
    detail: 'strides',
    extent: strides.length,
    otherExtent: shape.length,
  } as const;
  const message = `strides has length ${strides.length}, but shape has length ${shape.length}; each axis needs one.`;
  throw new FormFault(fields, strides, message);
}

/** Checks that every element lies in the data. */
function checkBounds(
  data: TypedArray,
  dtype: DType,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  count: number,
): void {
  if (count === 0) return;
  const entries = lengthOf.call(data);
  // Packed elements are dense: their length is checked elsewhere, in bytes.
  const held = isPacked(dtype) ? Infinity : Math.floor(entries / entriesOf(dtype));
  const refuse = (axis: number | undefined, index: number) => {
    const where = axis === undefined ? `offset ${offset}` : `the stride ${strides[axis]} of axis ${axis}`;
    const message = `${where} leads to element ${index}, counted from 0, but the data has ${held}: stay within it.`;
    const fields = {
      code: 'length',
      extent: held,
      otherExtent: index,
      ...(axis === undefined ? {} : { operandAxis: axis }),
    };
    return new FormFault(fields as FormFault['fields'], axis === undefined ? offset : strides[axis], message);
  };
  if (offset < 0 || offset >= held) throw refuse(undefined, offset);
  let least = offset;
  let most = offset;
  shape.forEach((extent, axis) => {
    const reach = (extent - 1) * (strides[axis] as number);
    if (reach < 0) least += reach;
    else most += reach;
    if (least < 0) throw refuse(axis, least);
    if (most >= held) throw refuse(axis, most);
  });
}

// For fewer entries, a loop is faster than a view and a call of `set`.
const LONG = 48;
// How many numbers are converted at a time.
const SCRATCH = 2048;

/**
 * Copies elements [begin, begin + count), counted in row-major order, to `into`, from element `at` on, as elements of
 * `dtype`: of the source's type, or of one that it is promoted to.
 *
 * @param into Large enough, and not the source's memory; for f16, the bits.
 * @example
 * const transposed = sourceOf(new Float32Array([1, 2, 3, 4, 5, 6]), 'f32', [3, 2], [1, 3]);
 * gather(transposed, 1, 3, into, 0); // into begins with 4, 2, 5
 */
export function gather(
  source: Source,
  begin: number,
  count: number,
  into: TypedArray,
  at: number,
  dtype: DType = source.dtype,
): void {
  if (count === 0) return;
  const width = entriesOf(source.dtype);
  const view = source.dtype === dtype ? movableOf : bitsOf;
  const target = view(into);
  const transfer = isPlain(source.dtype, dtype)
    ? new Copy(view(source.data), width, target, at * width)
    : new Conversion(source, target, at, dtype);
  if (source.dense) {
    transfer.rows(source.offset + begin * width, 0, 1, width, count);
  } else {
    transferRows(source, begin, count, transfer);
  }
  transfer.end();
}

/**
 * The reverse of `gather`: copies `count` elements of `from`, from element `at` on, to elements [begin, begin + count) of
 * an array of the same type.
 *
 * @param from Not the array's memory; for f16, the bits.
 */
export function scatter(target: Source, begin: number, count: number, from: TypedArray, at: number): void {
  if (count === 0) return;
  const width = entriesOf(target.dtype);
  transferRows(target, begin, count, new Scattering(movableOf(target.data), width, movableOf(from), at * width));
}

/** Copies or converts `rows` rows of `columns` elements. The first element is at entry `base`. */
interface Transfer {
  rows(base: number, rowStride: number, rows: number, stride: number, columns: number): void;
  end(): void;
}

/** Transfers as many rows of the innermost axis at a time as the axis around it has, and incomplete rows one by one. */
function transferRows({ extents, strides, offset }: Source, begin: number, count: number, transfer: Transfer): void {
  const inner = extents.length - 1;
  const columns = extents[inner] as number;
  const stride = strides[inner] as number;
  const rowAxis = inner - 1;
  const rows = rowAxis < 0 ? 1 : (extents[rowAxis] as number);
  const rowStride = rowAxis < 0 ? 0 : (strides[rowAxis] as number);
  // The first entry of a row. Rows are counted through all outer axes.
  const rowAt = (row: number) => {
    let rest = row;
    let place = offset;
    for (let axis = rowAxis; axis >= 0; --axis) {
      const extent = extents[axis] as number;
      place += (rest % extent) * (strides[axis] as number);
      rest = Math.floor(rest / extent);
    }
    return place;
  };
  let at = begin;
  const end = begin + count;
  while (at < end) {
    const row = Math.floor(at / columns);
    const column = at - row * columns;
    const left = end - at;
    if (column > 0 || left < columns) {
      const some = Math.min(columns - column, left);
      transfer.rows(rowAt(row) + column * stride, 0, 1, stride, some);
      at += some;
    } else {
      const some = Math.min(rows - (row % rows), Math.floor(left / columns));
      transfer.rows(rowAt(row), rowStride, some, stride, columns);
      at += some * columns;
    }
  }
}

/** Copies entries as they are, or as `set` converts them. */
class Copy implements Transfer {
  readonly #source: TypedArray;
  readonly #width: number;
  readonly #into: TypedArray;
  #at: number;

  constructor(source: TypedArray, width: number, into: TypedArray, at: number) {
    this.#source = source;
    this.#width = width;
    this.#into = into;
    this.#at = at;
  }

  rows(base: number, rowStride: number, rows: number, stride: number, columns: number): void {
    const width = this.#width;
    const entries = columns * width;
    if (entries >= LONG && stride === width) {
      for (let row = 0; row < rows; ++row, this.#at += entries) {
        const begin = base + row * rowStride;
        (this.#into as Float64Array).set(this.#source.subarray(begin, begin + entries) as Float64Array, this.#at);
      }
      return;
    }
    if (width === 2) this.#pairs(base, rowStride, rows, stride, columns);
    else this.#each(base, rowStride, rows, stride, columns);
    this.#at += rows * entries;
  }

  end(): void {}

  #each(base: number, rowStride: number, rows: number, stride: number, columns: number): void {
    const source = this.#source as Float64Array;
    const into = this.#into as Float64Array;
    let at = this.#at;
    for (let row = 0; row < rows; ++row) {
      let from = base + row * rowStride;
      if (stride === 0 && columns >= LONG) {
        into.fill(source[from] as number, at, at + columns);
        at += columns;
        continue;
      }
      for (let column = 0; column < columns; ++column, from += stride) into[at++] = source[from] as number;
    }
  }

  #pairs(base: number, rowStride: number, rows: number, stride: number, columns: number): void {
    const source = this.#source as Float64Array;
    const into = this.#into as Float64Array;
    let at = this.#at;
    for (let row = 0; row < rows; ++row) {
      let from = base + row * rowStride;
      for (let column = 0; column < columns; ++column, from += stride) {
        into[at++] = source[from] as number;
        into[at++] = source[from + 1] as number;
      }
    }
  }
}

/** Copies entries to the places of an array with strides. */
class Scattering implements Transfer {
  readonly #target: TypedArray;
  readonly #width: number;
  readonly #from: TypedArray;
  #at: number;

  constructor(target: TypedArray, width: number, from: TypedArray, at: number) {
    this.#target = target;
    this.#width = width;
    this.#from = from;
    this.#at = at;
  }

  rows(base: number, rowStride: number, rows: number, stride: number, columns: number): void {
    const width = this.#width;
    const target = this.#target as Float64Array;
    const from = this.#from as Float64Array;
    const entries = columns * width;
    let at = this.#at;
    for (let row = 0; row < rows; ++row) {
      let to = base + row * rowStride;
      if (entries >= LONG && stride === width) {
        target.set(from.subarray(at, at + entries), to);
        at += entries;
        continue;
      }
      for (let column = 0; column < columns; ++column, to += stride) {
        for (let entry = 0; entry < width; ++entry) target[to + entry] = from[at++] as number;
      }
    }
    this.#at = at;
  }

  end(): void {}
}

/** Converts elements by reading them as numbers: directly into `into` if it holds numbers, else a few at a time. */
class Conversion implements Transfer {
  readonly #source: Source;
  readonly #into: TypedArray;
  readonly #dtype: DType;
  readonly #numbers: Float64Array | undefined;
  #held = 0;
  #at: number;

  constructor(source: Source, into: TypedArray, at: number, dtype: DType) {
    this.#source = source;
    this.#into = into;
    this.#dtype = dtype;
    this.#numbers = holdsNumbers(dtype) ? undefined : new Float64Array(SCRATCH);
    this.#at = at;
  }

  rows(base: number, rowStride: number, rows: number, stride: number, columns: number): void {
    for (let row = 0; row < rows; ++row) this.#row(base + row * rowStride, stride, columns);
  }

  end(): void {
    if (this.#numbers === undefined) return;
    writeNumbers(this.#numbers, this.#held, this.#dtype, this.#into, this.#at);
    this.#at += this.#held;
    this.#held = 0;
  }

  #row(base: number, stride: number, columns: number): void {
    const { data, dtype } = this.#source;
    if (this.#numbers === undefined) {
      readNumbers(data, dtype, base, stride, columns, this.#into as NumberArray, this.#at);
      this.#at += columns;
      return;
    }
    for (let done = 0; done < columns;) {
      if (this.#held === SCRATCH) this.end();
      const some = Math.min(columns - done, SCRATCH - this.#held);
      readNumbers(data, dtype, base + done * stride, stride, some, this.#numbers, this.#held);
      this.#held += some;
      done += some;
    }
  }
}
