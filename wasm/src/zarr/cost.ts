// What it takes to compute a result chunk by chunk.

import type { RegionPlan } from '../regions.js';
import type { IndexRange } from '../types/alignment.js';
import { chunkBox, chunksOf, type Opened } from './arrays.js';
import { product } from './read.js';

/** What a call of `applyZarr` takes. Bytes are those of elements that are not compressed. */
export interface ZarrCost {
  /** Chunks of the result: so many steps, each of which reads, computes and writes. */
  readonly chunks: number;
  /** Bytes of all stored chunks that are read. One that several chunks of the result need is read for each of them. */
  readonly read: number;
  /** Bytes of all chunks that are written. */
  readonly written: number;
  /**
   * The most bytes in use at once for a chunk of the result: its blocks and itself, and the stored chunk that is being read
   * or written, once as it is stored and once as elements.
   */
  readonly peak: number;
  /** How many chunks are in work at once: as many as fit into `memory`, and at most two for each worker. */
  readonly atOnce: number;
  /** How many workers compute. */
  readonly workers: number;
}

/** Counts chunks and bytes. `inputs` has null for an operand that is in memory. */
export function countCost(
  plan: RegionPlan,
  inputs: readonly (Opened | null)[],
  output: Opened,
  memory: number,
  workers: number,
): ZarrCost {
  const { shape, chunks: sizes } = output.array;
  const counts = shape.map((extent, axis) => Math.ceil(extent / (sizes[axis] as number)));
  const chunks = product(counts);
  if (chunks === 0) return { chunks, read: 0, written: 0, peak: 0, atOnce: 0, workers: 0 };
  const first = counts.map(() => 0);
  const boxAt = (chunk: readonly number[]) => chunkBox(output, chunk);
  const { read, written } = plan.cost(boxAt(first));
  const stored = Math.max(0, ...inputs.map((input) => input?.chunkBytes ?? 0));
  const peak = Math.max(read + 2 * stored, read + written, written + 2 * output.chunkBytes);
  const atOnce = Math.min(Math.floor(memory / peak), 2 * workers, chunks);
  return {
    chunks,
    read: readBytes(plan, inputs, counts, first, boxAt),
    written: chunks * output.chunkBytes,
    peak,
    atOnce,
    workers: Math.min(workers, Math.max(atOnce, 1)),
  };
}

/**
 * Each axis of the result decides about at most one axis of an operand, so the number of stored chunks that a box touches is
 * a product over the axes, and its sum over all boxes is the product of sums along each axis.
 */
function readBytes(
  plan: RegionPlan,
  inputs: readonly (Opened | null)[],
  counts: readonly number[],
  first: readonly number[],
  boxAt: (chunk: readonly number[]) => IndexRange[],
): number {
  const touched = (chunk: readonly number[]) =>
    plan
      .inputRegions(boxAt(chunk))
      .map((region, i) => (inputs[i] ? product(chunksOf(inputs[i] as Opened, region).map(lengthOf)) : 0));
  const base = touched(first);
  const sums = counts.map((count, axis) => {
    const along = base.map(() => 0);
    for (let index = 0; index < count; ++index) {
      touched(first.map((zero, k) => (k === axis ? index : zero))).forEach((n, i) => (along[i] = (along[i] ?? 0) + n));
    }
    return along;
  });
  return base.reduce((sum, of, i) => {
    if (of === 0) return sum;
    const times = sums.reduce((factor, along) => (factor * (along[i] ?? 0)) / of, of);
    return sum + Math.round(times) * (inputs[i]?.chunkBytes ?? 0);
  }, 0);
}

function lengthOf({ begin, end }: IndexRange): number {
  return end - begin;
}
