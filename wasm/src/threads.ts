// The entry `broadloom/threads`: the core, with operators that several threads compute.

import type { ExplanationOptions } from './api/broadloom.js';
import { Broadloom } from './api/broadloom.js';
import { compile, type WasmSource } from './compile.js';
import { Core } from './core/core.js';
import type { CoreModule } from './core/module.js';
import { asLoadError, readSource } from './platform.js';
import { ThreadedBroadloom } from './threads/broadloom.js';
import { ThreadedExecutor } from './threads/executor.js';
import { makeSharedMemory } from './threads/memory.js';
import { instantiate } from './threads/module.js';
import { SharedCore } from './threads/shared-core.js';
import { Team } from './threads/team.js';
import { LoadError } from './types/errors.js';
import { propertiesOf } from './values/properties.js';
import { show } from './values/show.js';
import { cores } from './worker/cores.js';

export type { ThreadedBroadloom } from './threads/broadloom.js';
export type { ThreadedPlan } from './threads/plan.js';
export type { ThreadedOperators } from './signatures/threaded-operators.js';
export { BroadcastError, isBroadcastError, LoadError } from './types/errors.js';

/** The options of the `load` of `broadloom/threads`. */
export interface ThreadsOptions {
  /**
   * How many threads compute, 1 to 64; by default as many as the machine runs at once, but at most 8. 1: this thread
   * alone, and none is started.
   */
  readonly threads?: number | undefined;
  /** Where `broadloom-core.wasm` comes from, as for the `load` of `broadloom`. */
  readonly wasm?: WasmSource | undefined;
  /** Where `broadloom-threads.wasm` comes from, likewise. */
  readonly threadsWasm?: WasmSource | undefined;
  /** Whether to call `bl.loadExplanations()`, too, or its options. */
  readonly explanations?: boolean | ExplanationOptions | undefined;
}

const MOST_THREADS = 64;
// Results are often limited by the memory, of which more threads do not get more.
const MOST_BY_DEFAULT = 8;

/**
 * Starts threads: workers that share a memory, and compute operators together. Each call starts threads of its own; in Node
 * they do not keep a program running. Where threads cannot share memory, the instance computes in the calling thread,
 * `bl.threads` is 1, and `bl.reason` says why. A page's server has to send two headers, so that the page is isolated:
 *
 *     Cross-Origin-Opener-Policy: same-origin
 *     Cross-Origin-Embedder-Policy: require-corp
 *
 * @throws LoadError as the `load` of `broadloom`, and where a worker's script cannot be loaded.
 * @example
 * import { load } from 'broadloom/threads';
 * const bl = await load({ threads: 4 });
 * const a = bl.tensor({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] });
 * const sum = await bl.add(a, { data: new Float32Array([10, 20]), shape: [2] });
 * sum.read(); // Float32Array [11, 22, 13, 24]
 * bl.close();
 */
export async function load(options: ThreadsOptions = {}): Promise<ThreadedBroadloom> {
  try {
    const wasm = readSource(options, 'load', 'threads', 'threadsWasm', 'explanations') as WasmSource | undefined;
    const { threads, threadsWasm, explanations } = propertiesOf(options, ['threads', 'threadsWasm', 'explanations']);
    const asked = readThreads(threads);
    const bl = await start(asked, wasm, threadsWasm as WasmSource | undefined);
    if (explanations) {
      await bl.loadExplanations(explanations === true ? undefined : (explanations as ExplanationOptions));
    }
    return bl;
  } catch (error) {
    throw asLoadError(error);
  }
}

async function start(
  threads: number,
  wasm: WasmSource | undefined,
  threadsWasm: WasmSource | undefined,
): Promise<ThreadedBroadloom> {
  let reason = threads === 1 ? null : whyAlone();
  let memory: WebAssembly.Memory | undefined;
  if (threads > 1 && reason === null) {
    try {
      memory = makeSharedMemory();
    } catch (error) {
      reason = `This platform refuses memory that threads share: ${error instanceof Error ? error.message : String(error)}.`;
    }
  }
  const [compiled, module] = await Promise.all([
    compileFile(wasm, 'broadloom-core.wasm', new URL('./broadloom-core.wasm', import.meta.url)),
    memory && compileFile(threadsWasm, 'broadloom-threads.wasm', new URL('./broadloom-threads.wasm', import.meta.url)),
  ]);
  const exports = new WebAssembly.Instance(compiled).exports as unknown as Partial<CoreModule>;
  if (exports.broadloom_align === undefined) throw new Error('broadloom-core.wasm is not the one of this package');
  const core = new Core(exports as CoreModule);
  const bring = () => import('./explanations.js');
  if (memory === undefined || module === undefined) {
    return new ThreadedBroadloom(new Broadloom(core, undefined, bring), core, undefined, reason);
  }
  const instance = instantiate(module, memory);
  instance._initialize();
  const shared = new SharedCore(exports as CoreModule, instance, memory);
  const team = await Team.start(shared, { module, memory, threads, makeWorker, address: besideThis() });
  const executor = new ThreadedExecutor(core, shared, team);
  return new ThreadedBroadloom(new Broadloom(core, executor, bring), core, { team, executor }, null);
}

/** Why threads cannot share memory here; null where they can. */
function whyAlone(): string | null {
  const isIsolated = (globalThis as { readonly crossOriginIsolated?: boolean }).crossOriginIsolated;
  if (isIsolated === false) {
    return (
      'This page is not isolated, so that its threads cannot share memory. Its server has to send the headers ' +
      'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.'
    );
  }
  return typeof SharedArrayBuffer === 'function' ? null : 'This platform has no SharedArrayBuffer.';
}

/** @throws LoadError */
function readThreads(threads: unknown): number {
  if (threads === undefined) return Math.max(1, Math.min(cores(), MOST_BY_DEFAULT));
  if (Number.isInteger(threads) && (threads as number) >= 1 && (threads as number) <= MOST_THREADS) {
    return threads as number;
  }
  throw new LoadError('load', `threads has to be a whole number from 1 to ${MOST_THREADS}, not ${show(threads)}.`);
}

/** Compiles a module; without a source, from the file at `address`. */
async function compileFile(source: WasmSource | undefined, file: string, address: URL): Promise<WebAssembly.Module> {
  try {
    return await compile(source ?? address);
  } catch (error) {
    // esbuild, Rollup and Bun leave out a file that is named by its address alone, without a warning.
    const hint = ` If a bundler built this, it has left out ${file}: put the file beside the built script, or give its address.`;
    throw asLoadError(error, source === undefined ? hint : '');
  }
}

/** In the form that bundlers recognise: they bundle the worker's script and put its address here. */
function makeWorker(): Worker {
  return new Worker(new URL('./threads-worker.js', import.meta.url), { type: 'module' });
}

/** The address of the same file, for Node. */
function besideThis(): string {
  return import.meta.url.replace(/[^/]*$/, 'threads-worker.js');
}
