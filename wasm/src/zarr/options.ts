// Reads the options of `applyZarr`.

import type { PlanOptions } from '../signatures/options.js';
import { faultOf } from '../types/errors.js';
import type { OpName, OpTable } from '../types/vocabulary.js';
import type { WasmSource } from '../types/wasm-source.js';
import { propertiesOf } from '../values/properties.js';
import { show } from '../values/show.js';
import type { InstanceOf } from '../values/globals.js';
import { cores } from '../worker/cores.js';

/** How far a call of `applyZarr` is. Bytes are those of elements that are not compressed. */
export interface ZarrProgress {
  /** Chunks of the result that are written. */
  readonly done: number;
  /** All of them. */
  readonly chunks: number;
  /** Bytes of the stored chunks that were read. */
  readonly read: number;
  /** Bytes of the chunks that were written. */
  readonly written: number;
}

/** The options of `applyZarr` and `costOfZarr`, beside those of the rule and the operator's attributes. */
export interface ZarrOptions<O extends OpName = OpName> extends PlanOptions<O> {
  /** How the operands are matched; by default the rule that ONNX gives the operator. */
  readonly rule?: OpTable[O]['rules'] | undefined;
  /**
   * How many bytes chunks may take at once, 256 MiB by default: it decides how many chunks are in work (`costOfZarr` says
   * how many). What the workers themselves need, about 15 MiB each in Node, is not counted.
   */
  readonly memory?: number | undefined;
  /** How many workers compute, 1 to 64; by default as many as the machine runs at once, but at most 4. */
  readonly workers?: number | undefined;
  /**
   * Whether a stored chunk that is missing is an error, the default, or has the fill value: for arrays that were written
   * without chunks that have the fill value alone.
   */
  readonly missing?: 'error' | 'fill' | undefined;
  /** Stops the call. It then rejects with an error of code `aborted`, and the result stays marked as incomplete. */
  readonly signal?: InstanceOf<'AbortSignal'> | undefined;
  /** Called after each chunk. If it throws, the call rejects with that error. */
  readonly onProgress?: ((progress: ZarrProgress) => void) | undefined;
  /** Where `broadloom-core.wasm` comes from, as for `load`. */
  readonly wasm?: WasmSource | undefined;
}

const OWN = ['rule', 'memory', 'workers', 'missing', 'signal', 'onProgress', 'wasm'] as const;
const MEMORY = 256 * 1024 * 1024;
const MOST_WORKERS = 64;
const MOST_BY_DEFAULT = 4;

/** The options, read. */
export interface Given {
  readonly rule: string | undefined;
  readonly memory: number;
  readonly workers: number;
  readonly fills: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: ZarrProgress) => void) | undefined;
  readonly wasm: WasmSource | undefined;
  /** Those of `bl.plan`, which checks them. */
  readonly plan: object;
}

/** @throws BroadcastError `attribute` */
export function readZarrOptions(options: unknown): Given {
  const refuse = (name: string, what: string, value: unknown) =>
    faultOf('attribute', `${name} has to be ${what}, not ${show(value)}.`, { detail: 'out_of_range' }, value);
  if (typeof options !== 'object' || options === null) throw refuse('options', 'an object', options);
  const { rule, memory, workers, missing, signal, onProgress, wasm } = propertiesOf(options, OWN);
  const rest = Object.fromEntries(
    Object.entries(options).filter(([name]) => !(OWN as readonly string[]).includes(name)),
  );
  if (memory !== undefined && !(typeof memory === 'number' && memory > 0)) {
    throw refuse('memory', 'a number of bytes', memory);
  }
  const isCount = Number.isInteger(workers) && (workers as number) >= 1 && (workers as number) <= MOST_WORKERS;
  if (workers !== undefined && !isCount) throw refuse('workers', `a whole number from 1 to ${MOST_WORKERS}`, workers);
  if (!([undefined, 'error', 'fill'] as unknown[]).includes(missing)) {
    throw refuse('missing', "'error' or 'fill'", missing);
  }
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== 'function') {
    throw refuse('signal', 'an AbortSignal', signal);
  }
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw refuse('onProgress', 'a function', onProgress);
  return {
    rule: rule as string | undefined,
    memory: (memory as number | undefined) ?? MEMORY,
    workers: (workers as number | undefined) ?? Math.max(1, Math.min(cores(), MOST_BY_DEFAULT)),
    fills: missing === 'fill',
    signal: signal as AbortSignal | undefined,
    onProgress: onProgress as Given['onProgress'],
    wasm: wasm as WasmSource | undefined,
    plan: rest,
  };
}
