// The entry `broadloom/zarr`: operators on Zarr arrays, computed chunk by chunk.

import type { Broadloom } from './api/broadloom.js';
import { compileCore } from './compile.js';
import type { Elements } from './elements/typed-arrays.js';
import { load } from './index.js';
import type { AnyArray } from './operands/arrays.js';
import { planRegions, type RegionPlan } from './regions.js';
import type { IndexRange } from './types/alignment.js';
import { faultOf } from './types/errors.js';
import type { OpName } from './types/vocabulary.js';
import { isList } from './values/lists.js';
import { show } from './values/show.js';
import { boxOf, isZarr, openInput, openOutput, type Opened, type ZarrArray } from './zarr/arrays.js';
import { ChunkError, said } from './zarr/chunk-error.js';
import { countCost, type ZarrCost } from './zarr/cost.js';
import { mark } from './zarr/metadata.js';
import { readZarrOptions, type Given, type ZarrOptions, type ZarrProgress } from './zarr/options.js';
import { Pool, type Script } from './zarr/pool.js';
import { abortedBy, runChunks, sourceOf, type Job, type Source } from './zarr/run.js';
import { stridesOf } from './zarr/read.js';

export { ChunkError } from './zarr/chunk-error.js';
export type { ZarrArray } from './zarr/arrays.js';
export type { ZarrCost } from './zarr/cost.js';
export type { ZarrOptions, ZarrProgress } from './zarr/options.js';

/** An operand: a Zarr array, of which blocks are read, or an array in memory. */
export type ZarrInput = ZarrArray | AnyArray;

/**
 * Applies an operator to Zarr arrays of any size, and writes the result into a Zarr array, chunk by chunk: the blocks of the
 * operands that a chunk of the result needs are read, a worker computes the chunk, and it is written. The elements are those of
 * `bl.apply` on whole arrays, bit for bit. At most `memory` bytes of chunks are in use at once.
 *
 * Until the last chunk is written, the result is marked as incomplete in its attributes, and it is refused as an operand. The
 * Python package has the same mark. A call that rejects leaves it.
 *
 * @param op One of `bl.vocabulary.ops`.
 * @param inputs The operands, in order: arrays that zarrita has opened, or arrays in memory.
 * @param output Where the result goes: a Zarr array of the result's shape and element type in a store that can be written;
 * zarrita's `create` makes one. Shards cannot be written. All of its chunks are replaced.
 * @returns The chunks and bytes of the whole call.
 * @throws ChunkError `length` for a chunk that is missing or damaged, that cannot be written, or an array that is incomplete;
 * `limit` where a chunk does not fit into `memory`, before anything is read; `incompatible`, `dtype` where `output` is not of
 * the result's shape and type; `overlap` where it is an operand; `aborted` where a worker ended.
 * @throws BroadcastError as `bl.plan`; `aborted`.
 * @throws LoadError as the `load` of `broadloom`, and where a worker's script cannot be loaded.
 * @example
 * import * as zarr from 'zarrita';
 * import { applyZarr } from 'broadloom/zarr';
 * const store = new Map();
 * const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }];
 * const make = (path, shape, chunkShape) =>
 *   zarr.create(zarr.root(store).resolve(path), { shape, chunkShape, codecs, dtype: 'float32', fillValue: 0 });
 * const volume = await make('volume', [4, 6], [2, 3]);
 * await zarr.set(volume, null, 1);
 * const sum = await make('sum', [4, 6], [2, 3]);
 * await applyZarr('Add', [volume, { data: new Float32Array([10, 20, 30, 40]), shape: [4, 1] }], sum);
 * (await zarr.get(sum, [3, null])).data; // Float32Array [41, 41, 41, 41, 41, 41]
 */
export async function applyZarr<O extends OpName>(
  op: O,
  inputs: readonly ZarrInput[],
  output: ZarrArray,
  options: ZarrOptions<O> = {},
): Promise<ZarrProgress> {
  const given = readZarrOptions(options);
  const stop = new AbortController();
  const abort = () => stop.abort(abortedBy(given.signal?.reason));
  if (given.signal?.aborted === true) abort();
  given.signal?.addEventListener('abort', abort);
  let pool: Pool | undefined;
  try {
    const { job, module, question } = await prepare(op, inputs, output, given, stop.signal);
    const { cost, output: target } = job;
    checkTarget(job, given.memory);
    const id = newId();
    const marked = (complete: boolean) =>
      mark(target.store, target.path, target.metadata.version, complete, id).catch((error: unknown) => {
        const reason = `its attributes cannot be written: ${said(error)}.`;
        throw new ChunkError('length', target.name, null, boxOf(target.array.shape), reason, error);
      });
    if (cost.chunks > 0) pool = await Pool.start(cost.workers, script, module, question);
    stop.signal.throwIfAborted();
    await marked(false);
    const progress: ZarrProgress =
      pool === undefined
        ? { done: 0, chunks: 0, read: 0, written: 0 }
        : await runChunks(job, pool, stop, given.onProgress);
    stop.signal.throwIfAborted();
    await marked(true);
    return progress;
  } catch (error) {
    // A store that was told to stop reports that in its own way.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    given.signal?.removeEventListener('abort', abort);
    pool?.end();
  }
}

/**
 * What `applyZarr` takes with the same arguments: it opens the arrays, and reads and writes no chunk.
 *
 * @throws as `applyZarr` where the arguments are wrong or an operand is incomplete.
 * @example
 * const { chunks, read, written, peak, atOnce } = await costOfZarr('Add', [volume, mask], sum);
 * console.log(`${chunks} chunks, ${read} bytes read, ${written} written, ${peak * atOnce} in memory`);
 */
export async function costOfZarr<O extends OpName>(
  op: O,
  inputs: readonly ZarrInput[],
  output: ZarrArray,
  options: ZarrOptions<O> = {},
): Promise<ZarrCost> {
  const given = readZarrOptions(options);
  const stop = new AbortController();
  const { job } = await prepare(op, inputs, output, given, given.signal ?? stop.signal);
  return job.cost;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** The core, compiled once for all calls that name no source. A failure is forgotten, so that the next call tries again. */
function moduleOf(wasm: Given['wasm']): Promise<WebAssembly.Module> {
  if (wasm !== undefined) return compileCore(wasm);
  compiled ??= compileCore();
  compiled.catch(() => (compiled = undefined));
  return compiled;
}

/** Names a run: 128 random bits. `crypto.randomUUID` is missing on pages that came by HTTP. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Opens the arrays, and plans. */
async function prepare(op: OpName, inputs: unknown, output: unknown, given: Given, signal: AbortSignal) {
  signal.throwIfAborted();
  if (!isList(inputs)) throw faultOf('arity', `The operands are a list, not ${show(inputs)}.`, { op }, inputs);
  if (!isZarr(output)) {
    throw faultOf(
      'dtype',
      `The result goes into a Zarr array, not ${show(output)}.`,
      { op, detail: 'unsupported' },
      output,
    );
  }
  const module = await moduleOf(given.wasm);
  const bl = await load({ wasm: module });
  const sources = await Promise.all(
    Array.from(inputs, async (input: unknown, i) => {
      if (!isZarr(input)) return inMemory(bl, input);
      const opened = await openInput(input, `Operand ${bl.formatOperand(i)}`, given.fills, signal);
      return { opened, read: sourceOf(bl, opened), shape: opened.array.shape, dtype: opened.dtype };
    }),
  );
  const target = await openOutput(output, signal);
  const shapes = sources.map(({ shape }) => shape);
  const dtypes = sources.map(({ dtype }) => dtype);
  const ops = bl.vocabulary.ops as { readonly [name: string]: { readonly defaultRule: string } | undefined };
  const rule = given.rule ?? (Object.hasOwn(ops, op) ? ops[op]?.defaultRule : undefined) ?? 'numpy';
  const plan = planRegions(bl, op, rule as never, shapes, dtypes, given.plan) as RegionPlan;
  checkResult(bl, plan, target);
  const opened = sources.map((source) => source.opened);
  const cost = countCost(plan, opened, target, given.memory, given.workers);
  const job: Job = { bl, plan, inputs: sources, output: target, cost };
  return { job, module, question: { op, rule, shapes, dtypes, options: given.plan } };
}

/** An operand in memory. It is copied: it may be changed while chunks are computed. */
function inMemory(bl: Broadloom, input: unknown) {
  const { shape, dims } = Object(input) as { readonly shape?: unknown; readonly dims?: unknown };
  const whole = bl.broadcastTo(input as AnyArray, (shape ?? dims) as readonly number[]);
  const { data, dtype } = whole;
  const strides = stridesOf(whole.shape);
  const read: Source = (region: readonly IndexRange[]) => {
    const part = region.map(({ begin, end }) => end - begin);
    const offset = region.reduce((sum, { begin }, axis) => sum + begin * (strides[axis] as number), 0);
    return bl.broadcastTo({ data, dtype, shape: part, strides, offset } as AnyArray, part).data as unknown as Elements;
  };
  return { opened: null, read, shape: whole.shape, dtype };
}

function checkResult(bl: Broadloom, plan: RegionPlan, { name, array, dtype }: Opened): void {
  const refuse = (code: 'incompatible' | 'dtype', reason: string) =>
    new ChunkError(code, name, null, boxOf(array.shape), reason);
  if (array.shape.join() !== plan.shape.join()) {
    throw refuse('incompatible', `it has shape ${bl.formatShape(array.shape)}, not ${bl.formatShape(plan.shape)}.`);
  }
  if (dtype !== plan.dtype) throw refuse('dtype', `it has elements ${dtype}, not ${plan.dtype}.`);
}

function checkTarget({ plan, inputs, output, cost }: Job, memory: number): void {
  const { name, array, store, path, metadata } = output;
  const refuse = (code: 'overlap' | 'limit' | 'dtype', reason: string, chunk: readonly number[] | null = null) =>
    new ChunkError(code, name, chunk, boxOf(array.shape), reason);
  if (typeof store.set !== 'function') throw refuse('dtype', 'its store cannot be written: it has no method `set`.');
  if (metadata.codecs.includes('sharding_indexed')) throw refuse('dtype', 'zarrita cannot write shards.');
  const isUneven = array.shape.some((extent, axis) => extent % (array.chunks[axis] as number) !== 0);
  if (isUneven && array.fillValue === null && /64/.test(array.dtype) && array.dtype !== 'float64') {
    throw refuse(
      'dtype',
      'its fill value is null, so zarrita cannot write its last chunks: create it with fillValue: 0.',
    );
  }
  if (inputs.some(({ opened }) => opened?.store === store && opened.path === path)) {
    throw refuse('overlap', 'it is an operand as well. Write the result into an array of its own.');
  }
  if (cost.chunks > 0 && cost.atOnce === 0) {
    const sizes = inputs.map(({ opened }) => (opened === null ? 'in memory' : `${opened.chunkBytes} bytes`)).join(', ');
    const reason =
      `a chunk takes ${cost.peak} bytes, and memory is ${memory}. A chunk of the result has ${output.chunkBytes} bytes, those ` +
      `of the operands: ${sizes}. Give more memory, or make the result with smaller chunks.`;
    throw refuse(
      'limit',
      reason,
      plan.shape.map(() => 0),
    );
  }
}

const script: Script = { onWeb: makeWorker, address: besideThis() };

/** In the form that bundlers recognise: they bundle the worker's script and put its address here. */
function makeWorker(): Worker {
  return new Worker(new URL('./zarr-worker.js', import.meta.url), { type: 'module' });
}

/** The address of the same file, for Node. */
function besideThis(): string {
  return import.meta.url.replace(/[^/]*$/, 'zarr-worker.js');
}
