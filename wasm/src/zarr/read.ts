// Reads regions of Zarr arrays: one stored chunk after the other, so that no more than one is in memory beside the region.

import type { Broadloom } from '../api/broadloom.js';
import { classOf, resultClassOf, type Elements } from '../elements/typed-arrays.js';
import type { IndexRange } from '../types/alignment.js';
import { chunksOf, unreadable, type Opened } from './arrays.js';

/** The elements of a region, dense. */
export async function readRegion(bl: Broadloom, opened: Opened, region: readonly IndexRange[]): Promise<Elements> {
  const { array, dtype } = opened;
  const shape = region.map(({ begin, end }) => end - begin);
  const data = new (classOf(resultClassOf(dtype)))(product(shape));
  const strides = stridesOf(shape);
  for (const chunk of indicesIn(chunksOf(opened, region))) {
    let stored;
    try {
      stored = await array.getChunk(chunk);
    } catch (error) {
      throw unreadable(opened, chunk, error);
    }
    const needed = product(array.chunks);
    if (stored.data.length !== needed) {
      throw unreadable(opened, chunk, new Error(`it has ${stored.data.length} elements, not ${needed}`));
    }
    const begins = chunk.map((index, axis) => index * (array.chunks[axis] as number));
    const common = region.map(({ begin, end }, axis) => ({
      begin: Math.max(begin, begins[axis] as number),
      end: Math.min(end, (begins[axis] as number) + (array.chunks[axis] as number)),
    }));
    const part = common.map(({ begin, end }) => end - begin);
    const place = (steps: readonly number[], from: (axis: number) => number) =>
      common.reduce((offset, { begin }, axis) => offset + (begin - from(axis)) * (steps[axis] as number), 0);
    const source = {
      data: stored.data,
      dtype,
      shape: part,
      strides: stored.stride,
      offset: place(stored.stride, (axis) => begins[axis] as number),
    };
    const target = {
      data,
      dtype,
      shape: part,
      strides,
      offset: place(strides, (axis) => (region[axis] as IndexRange).begin),
    };
    copy(bl, source, target, part);
  }
  return data as unknown as Elements;
}

/** Copies between arrays of equal shape, either of which may be strided. */
function copy(bl: Broadloom, source: unknown, target: unknown, shape: readonly number[]): void {
  const apply = bl.apply.bind(bl) as (op: string, inputs: readonly unknown[], options: object) => unknown;
  apply('Broadcast', [source], { rule: 'broadcast_numpy', targetShape: shape, out: target });
}

export function product(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}

export function stridesOf(shape: readonly number[]): number[] {
  return shape.map((_, axis) => product(shape.slice(axis + 1)));
}

/** All indices of a box, in C order. */
export function* indicesIn(box: readonly IndexRange[]): Generator<number[]> {
  const [first, ...rest] = box;
  if (first === undefined) {
    yield [];
    return;
  }
  for (let index = first.begin; index < first.end; ++index)
    for (const others of indicesIn(rest)) yield [index, ...others];
}
