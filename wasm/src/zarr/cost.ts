// What it takes to compute a result chunk by chunk.

import type { RegionPlan } from '../regions.js';
import { chunkBox, gridOf, type Opened } from './arrays.js';
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
  const counts = gridOf(output);
  const chunks = product(counts);
  if (chunks === 0) return { chunks, read: 0, written: 0, peak: 0, atOnce: 0, workers: 0 };
  const largest = chunkBox(
    output,
    counts.map(() => 0),
  );
  const { read, written } = plan.cost(largest);
  const stored = Math.max(0, ...inputs.map((input) => input?.chunkBytes ?? 0));
  const peak = Math.max(read + 2 * stored, read + written, written + 2 * output.chunkBytes);
  const atOnce = Math.min(Math.floor(memory / peak), 2 * workers, chunks);
  return {
    chunks,
    read: readBytes(plan, inputs, output, counts),
    written: chunks * output.chunkBytes,
    peak,
    atOnce,
    workers: Math.min(workers, Math.max(atOnce, 1)),
  };
}

/**
 * Along an axis of the result on which an operand lies, chunks of both are cut at their own bounds, and each piece between
 * two bounds is read once. Along the others, each chunk of the result needs one stored chunk.
 */
function readBytes(
  plan: RegionPlan,
  inputs: readonly (Opened | null)[],
  output: Opened,
  counts: readonly number[],
): number {
  const { shape, chunks } = output.array;
  return inputs.reduce((sum, input, i) => {
    if (input === null) return sum;
    const places = plan.places[i] as readonly (number | null)[];
    const times = counts.map((count, axis) => {
      const own = places.indexOf(axis);
      return own === -1
        ? count
        : piecesOf(shape[axis] as number, chunks[axis] as number, input.array.chunks[own] as number);
    });
    return sum + product(times) * input.chunkBytes;
  }, 0);
}

/** Into how many pieces an extent is cut by chunks of two sizes. */
function piecesOf(extent: number, size: number, other: number): number {
  const common = (size / greatestDivisor(size, other)) * other;
  return Math.ceil(extent / size) + Math.ceil(extent / other) - 1 - Math.floor((extent - 1) / common);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
