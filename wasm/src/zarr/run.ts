// Computes a result chunk by chunk: reads the blocks of a chunk, has a worker compute it, writes it. Several chunks are in work
// at once.

import { set, slice } from 'zarrita';
import type { Broadloom } from '../api/broadloom.js';
import type { Elements } from '../elements/typed-arrays.js';
import type { RegionPlan } from '../regions.js';
import type { IndexRange } from '../types/alignment.js';
import { faultOf, isBroadcastError } from '../types/errors.js';
import { boxOf, chunkBox, chunksOf, gridOf, type Opened } from './arrays.js';
import { ChunkError, said } from './chunk-error.js';
import type { ZarrCost } from './cost.js';
import type { ZarrProgress } from './options.js';
import { NotComputed, type Pool } from './pool.js';
import { indicesIn, product, readRegion, stridesOf } from './read.js';

/** Gives the elements of a region of an operand, in memory of its own. */
export type Source = (region: readonly IndexRange[]) => Promise<Elements> | Elements;

export interface Job {
  readonly bl: Broadloom;
  readonly plan: RegionPlan;
  readonly inputs: readonly { readonly opened: Opened | null; readonly read: Source }[];
  readonly output: Opened;
  readonly cost: ZarrCost;
}

/** Reads regions of a Zarr array. */
export function sourceOf(bl: Broadloom, opened: Opened): Source {
  return (region) => readRegion(bl, opened, region);
}

/**
 * Computes all chunks. When it rejects, no chunk is being written any more.
 *
 * @param stop Aborted by the caller, with the error of the call, and here after the first failure.
 */
export async function runChunks(
  { plan, inputs, output, cost }: Job,
  pool: Pool,
  stop: AbortController,
  onProgress: ((progress: ZarrProgress) => void) | undefined,
): Promise<ZarrProgress> {
  const { signal } = stop;
  // Shared by the lanes: each takes the next chunk.
  const chunks = indicesIn(boxOf(gridOf(output)));
  const writing = new Set<Promise<void>>();
  let progress: ZarrProgress = { done: 0, chunks: cost.chunks, read: 0, written: 0 };

  const one = async (chunk: readonly number[]) => {
    const box = chunkBox(output, chunk);
    const regions = plan.inputRegions(box);
    const blocks: Elements[] = [];
    let read = 0;
    for (const [i, { opened, read: readBlock }] of inputs.entries()) {
      const region = regions[i] as IndexRange[];
      blocks.push(await readBlock(region));
      signal.throwIfAborted();
      if (opened !== null) {
        read += opened.chunkBytes * product(chunksOf(opened, region).map(({ begin, end }) => end - begin));
      }
    }
    const data = await pool.compute(box, blocks).catch((error: unknown) => {
      throw error instanceof NotComputed
        ? new ChunkError(error.code, output.name, chunk, box, `it was not computed: ${said(error)}.`, error)
        : error;
    });
    signal.throwIfAborted();
    const write = writeChunk(output, chunk, box, data);
    writing.add(write);
    await write.finally(() => writing.delete(write));
    signal.throwIfAborted();
    const { done } = progress;
    progress = {
      done: done + 1,
      chunks: cost.chunks,
      read: progress.read + read,
      written: progress.written + output.chunkBytes,
    };
    onProgress?.(progress);
  };
  const lane = async () => {
    for (const chunk of chunks) {
      if (signal.aborted) return;
      try {
        await one(chunk);
      } catch (error) {
        stop.abort(error); // the first failure is the reason
        throw error;
      }
    }
  };
  const stopped = new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  try {
    await Promise.race([Promise.all(Array.from({ length: cost.atOnce }, lane)), stopped]);
    return progress;
  } catch {
    pool.stop(new NotComputed('aborted', 'the call ended'));
    await Promise.allSettled(writing);
    throw signal.reason;
  }
}

async function writeChunk(
  output: Opened,
  chunk: readonly number[],
  box: readonly IndexRange[],
  data: Elements,
): Promise<void> {
  const { array, dtype } = output;
  const shape = box.map(({ begin, end }) => end - begin);
  const stride = stridesOf(shape);
  try {
    if (shape.length === 0) {
      const [value] = data as unknown as readonly unknown[];
      await set(array, null, dtype === 'bool' ? value !== 0 : value); // zarrita takes no array there
    } else {
      await set(
        array,
        box.map(({ begin, end }) => slice(begin, end)),
        { data, shape, stride },
      );
    }
  } catch (error) {
    const reason = `the chunk cannot be written: ${said(error)}.`;
    throw new ChunkError('length', output.name, chunk, box, reason, error);
  }
}

/** The error of a call that its signal has aborted. */
export function abortedBy(reason: unknown): Error {
  if (isBroadcastError(reason)) return reason;
  const error = faultOf('aborted', 'The call was aborted before it was done: the result is incomplete.', {}, reason);
  return Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true });
}
