/// <reference lib="esnext.disposable" preserve="true" />

import type { AnyArray, DTypeOf, NdArray, Operand, PlainValues, Summed } from './operands/arrays.js';
import type { ShapeLike } from './types/extent.js';
import type { TypedArray } from './types/data.js';
import { isList } from './values/lists.js';
import { show } from './values/show.js';
import { BroadcastError, faultOf, LoadError } from './types/errors.js';
import type { Progress } from './plans/execute.js';
import { fromElsewhere, isFormFault, RESULT } from './types/fault.js';
import { giveBack, isResultForm, resultFormOf } from './operands/give-back.js';
import type { Fit, FittingList, Given, OperandsOf, ProblemAlone, ResultType } from './signatures/inference.js';
import { compileCore, type WasmSource } from './compile.js';
import type { InstanceOf } from './values/globals.js';
import type { Promote } from './types/promote.js';
import type { ApplyOptions, SumToOptions } from './signatures/options.js';
import type { ResultForm } from './operands/result-forms.js';
import { asLoadError, readSource } from './platform.js';
import { propertiesOf } from './values/properties.js';
import {
  bufferOf,
  byteOffsetOf,
  classOf,
  lengthOf,
  setElements,
  typedArrayName,
  type ClassName,
  type Elements,
} from './elements/typed-arrays.js';
import type { OpName } from './types/vocabulary.js';
import type { Order, Reply, Returned, SentCall, SentError, SentResult } from './worker/messages.js';
import { isOfSharedMemory, Shipment, type Packed } from './worker/send.js';
import { spawn, type Thread } from './worker/spawn.js';

export type { Progress } from './plans/execute.js';
export type { BroadloomWorker };

/** The options of {@link startWorker}. */
export interface WorkerOptions {
  /**
   * Where `broadloom-core.wasm` comes from, as for `load`. Without it the worker fetches the file beside its own
   * script.
   */
  readonly wasm?: WasmSource | undefined;
}

/** The options of every call to a worker, in addition to those of the operator. */
export interface CallOptions {
  /**
   * Aborts the call: it rejects at once with a `BroadcastError` of code `aborted`, whose `cause` is the signal's
   * reason. The worker stops within some milliseconds; until then it may write to an `out` in shared memory.
   */
  readonly signal?: InstanceOf<'AbortSignal'> | undefined;
  /**
   * Called with the progress at most 25 times a second, and once at the end. If it throws, the call rejects with that
   * error.
   */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Whether the arrays are moved to the worker, `out` included: nothing is copied, but the caller's typed arrays are
   * detached, and so is everything else in the same buffers. By default arrays are copied, in the calling thread.
   * Arrays in a SharedArrayBuffer are neither copied nor moved. If the call fails, the error's `moved` has the arrays,
   * as {@link MovedArrays}; if it is aborted, they are lost.
   */
  readonly transfer?: boolean | undefined;
}

/**
 * The property `moved` of the error of a call with `transfer`: the given arrays, in new typed arrays on the same
 * memory.
 */
export interface MovedArrays {
  /** The operands, in order. An operand that was not moved is the given value. */
  readonly inputs: readonly unknown[];
  /** A list where `out` was one; undefined where there was none. */
  readonly out: unknown;
}

/** The operands that a worker takes: all but tensors, which are in the memory of another thread. */
export type SendableOperand = AnyArray | PlainValues;

const CALL_OPTIONS = ['signal', 'onProgress', 'transfer'] as const;

/**
 * Starts a module worker with a core of its own. Works on pages (the content policy has to allow
 * `worker-src 'self'; script-src 'self' 'wasm-unsafe-eval'`), in Node, Deno and Bun. An idle worker does not keep a
 * Node program running.
 *
 * @throws LoadError as `load`, and where the worker's script cannot be loaded.
 * @example
 * import { startWorker } from 'broadloom/worker';
 * const worker = await startWorker();
 * const a = { data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] };
 * const sum = await worker.apply('Add', [a, { data: new Float32Array([10, 20]), shape: [2] }]);
 * sum.data; // Float32Array [11, 22, 13, 24]
 * worker.terminate();
 */
export async function startWorker(options: WorkerOptions = {}): Promise<BroadloomWorker> {
  const wasm = await sendableSource(readSource(options, 'startWorker') as WasmSource | undefined);
  return new Promise((resolve, reject) => {
    let thread: Thread;
    const fail = (reason: unknown) => {
      thread?.terminate();
      reject(asLoadError(reason ?? new Error('the worker ended at once')));
    };
    let worker: BroadloomWorker | undefined;
    try {
      thread = spawn(makeWorker, besideThis(), {
        reply(reply) {
          if (worker !== undefined) worker[HEAR](reply);
          else if (reply.type === 'started') resolve((worker = new BroadloomWorker(thread)));
          else if (reply.type === 'unstarted') fail(new LoadError(reply.code, reply.message));
        },
        fail: (reason) => (worker === undefined ? fail(reason) : worker[END](reason)),
      });
      thread.post({ type: 'start', wasm }, []);
    } catch (error) {
      fail(error);
    }
  });
}

/** In the form that bundlers recognise: they bundle the worker's script and put its address here. */
function makeWorker(): Worker {
  return new Worker(new URL('./worker-thread.js', import.meta.url), { type: 'module' });
}

/**
 * The address of the same file, for Node. With `new URL(name, base)` bundlers for browsers would ship the file twice.
 */
function besideThis(): string {
  return import.meta.url.replace(/[^/]*$/, 'worker-thread.js');
}

/** The source as it is sent to a worker: an absolute address, or the compiled module. */
async function sendableSource(source: WasmSource | undefined): Promise<string | WebAssembly.Module | undefined> {
  if (source === undefined) return undefined;
  if (typeof source !== 'string' && !(source instanceof URL)) return compileCore(source);
  try {
    return new URL(source, globalThis.location?.href).href;
  } catch (error) {
    throw asLoadError(error);
  }
}

// Methods for the messages of the worker.
const HEAR = Symbol('hear');
const END = Symbol('end');

/** A call whose results have not arrived. */
interface Pending {
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** The arrays that were moved, made from the buffers that the worker returned. */
  readonly restore: (returned: Returned) => MovedArrays;
  readonly resolve: (reply: Extract<Reply, { readonly type: 'results' }>) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Operators that run in a worker while the page or program continues; made by {@link startWorker}. Calls run one after
 * the other, in order. They take arrays in every form that the methods of `Broadloom` take except tensors, which are in
 * the memory of another thread. Results are moved back, not copied. All errors are rejections.
 */
class BroadloomWorker {
  readonly #thread: Thread;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;
  /** How the worker ended; null while it runs. */
  #ended: string | null = null;

  /** @internal Made by `startWorker`. */
  constructor(thread: Thread) {
    this.#thread = thread;
    thread.hold(false);
  }

  /**
   * Applies an operator to arrays, like `bl.apply`, in blocks between which the call can be aborted.
   *
   * @param op One of `bl.vocabulary.ops`.
   * @param inputs The operands, in order.
   * @param options Those of `bl.apply` and {@link CallOptions}. If `out` was neither moved nor in shared memory, the
   * elements are copied into it; if it was moved, the result is a new typed array on the same memory.
   * @returns The result; for Broadcast under `sonnx` a list, one for each operand.
   * @throws BroadcastError as `bl.apply`; with code `aborted` if the call was aborted or the worker ended before it was
   * done; with code `disposed` if the worker had ended before the call.
   * @example
   * const abort = new AbortController();
   * const sum = await worker.apply('Add', [a, b], {
   *   signal: abort.signal,
   *   onProgress: ({ done, total }) => (bar.value = done / total),
   * });
   */
  apply<
    const L extends readonly SendableOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends readonly Operand[] = never,
  >(
    op: 'Broadcast',
    inputs: L & { readonly [I in keyof L]: Fit<L[I], ProblemAlone<L[I]>> },
    options: ApplyOptions<'Broadcast', DTypeOf<L[number]>, M, F, T> & CallOptions & { readonly rule: 'sonnx' },
  ): Promise<{ -readonly [I in keyof L]: Given<DTypeOf<L[I]>, L, F, T[number]> }>;
  apply<
    O extends OpName,
    const L extends readonly SendableOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends Operand = never,
  >(
    op: O,
    inputs: L & OperandsOf<O> & FittingList<O, L, M>,
    options?: ApplyOptions<O, ResultType<O, L, M>, M, F, T> & CallOptions,
  ): Promise<Given<ResultType<O, L, M>, L, F, T>>;
  async apply(op: OpName, inputs: unknown, options?: unknown): Promise<unknown> {
    const call = readCall(op, options);
    const shipment = new Shipment(call.transfer);
    const givens = entriesIn(inputs, op);
    const operands = givens === null ? null : givens.map((input) => shipment.operand(input));
    const { as, out, ...rest } = call.rest;
    const outList = entriesIn(out, op);
    const outGivens = outList ?? [out];
    const outs = out === undefined ? [] : outGivens.map((each) => shipment.out(each));
    // The result is given its form here, where the operands are. A form that does not exist is sent: the worker reports
    // it.
    const form = out === undefined ? formOf(as, operands?.[0]?.form) : null;
    const sentOptions = {
      ...rest,
      ...(out !== undefined && { out: outList === null ? outs[0]?.sent : outs.map(({ sent }) => sent) }),
      ...(as !== undefined && form === null && { as }),
    };
    const sent = operands === null ? inputs : operands.map((operand) => operand.sent);
    const order = { method: 'apply', op, inputs: sent, options: call.isPlain ? options : sentOptions } as const;
    const restore = (returned: Returned): MovedArrays => {
      const back = outs.map((packed, i) => restored(packed, returned.out[i], outGivens[i]));
      const given = operands?.map((packed, i) => restored(packed, returned.inputs[i], givens?.[i]));
      return { inputs: given ?? [], out: outList === null ? back[0] : back };
    };
    const { results, isMany } = await this.#call(order, shipment, call, op, restore);
    const given = results.map((result, i) => inForm(broughtTo(outs[i], result), form, givens ?? [], op));
    return isMany ? given : given[0];
  }

  /**
   * Sums an array back to the shape of an operand, like `bl.sumTo`, in steps between which the call can be aborted.
   *
   * @throws BroadcastError as `bl.sumTo`, and as `apply`.
   * @example
   * const g = { data: new Float32Array([0, 1, 2, 3, 4, 5]), shape: [2, 3] };
   * (await worker.sumTo(g, [3])).data; // Float32Array [3, 5, 7]
   */
  sumTo<const A extends SendableOperand, const T extends Operand = never>(
    array: Fit<A, ProblemAlone<A, Summed>>,
    shape: ShapeLike,
    options?: SumToOptions<DTypeOf<A>, T> & CallOptions,
  ): Promise<Given<DTypeOf<A>, readonly [A], 'array', T>>;
  async sumTo(array: unknown, shape: unknown, options?: unknown): Promise<unknown> {
    const call = readCall(null, options);
    const shipment = new Shipment(call.transfer);
    const operand = shipment.operand(array);
    const { out, ...rest } = call.rest;
    const target = out === undefined ? undefined : shipment.out(out);
    const sentOptions = target === undefined ? rest : { ...rest, out: target.sent };
    const order = {
      method: 'sumTo',
      array: operand.sent,
      shape: entriesIn(shape, null) ?? shape,
      options: call.isPlain ? options : sentOptions,
    } as const;
    const restore = (returned: Returned): MovedArrays => ({
      inputs: [restored(operand, returned.inputs[0], array)],
      out: target && restored(target, returned.out[0], out),
    });
    const { results } = await this.#call(order, shipment, call, null, restore);
    return broughtTo(target, results[0] as SentResult);
  }

  /** Ends the worker at once. Pending calls reject with code `aborted`, later ones with code `disposed`. */
  terminate(): void {
    this[END](undefined, 'was terminated');
  }

  #call(
    call: SentCall,
    { moved }: Shipment,
    { signal, onProgress, transfer }: Call,
    op: OpName | null,
    restore: Pending['restore'],
  ): Promise<Extract<Reply, { readonly type: 'results' }>> {
    if (this.#ended !== null) {
      throw faultOf('disposed', `This worker ${this.#ended}. startWorker() starts another one.`, { op });
    }
    if (signal?.aborted === true) throw aborted(signal.reason, op);
    const id = ++this.#calls;
    const isMoved = transfer && moved.size > 0;
    this.#post({ type: 'call', id, call, wantsProgress: onProgress !== undefined, isMoved }, [...moved], op);
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#settle(id)?.reject(aborted(signal?.reason, op));
        this.#thread.post({ type: 'abort', id }, []);
      };
      const forget = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort);
      if (this.#pending.size === 0) this.#thread.hold(true);
      this.#pending.set(id, {
        onProgress,
        restore,
        resolve: (reply) => (forget(), resolve(reply)),
        reject: (reason) => (forget(), reject(reason as Error)),
      });
    });
  }

  #post(order: Order, moved: readonly ArrayBufferLike[], op: OpName | null): void {
    try {
      this.#thread.post(order, moved);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The call cannot be sent to the worker: ${reason}`;
      throw faultOf('dtype', message, { detail: 'unsupported', op }, error);
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (this.#pending.delete(id) && this.#pending.size === 0) this.#thread.hold(false);
    return pending;
  }

  /** @internal */
  [HEAR](reply: Reply): void {
    if (reply.type === 'error') {
      const pending = this.#settle(reply.id);
      const error = errorOf(reply.error);
      const moved = reply.returned && pending?.restore(reply.returned);
      pending?.reject(moved ? Object.assign(error, { moved }) : error);
    } else if (reply.type === 'progress') this.#tell(reply.id, reply.progress);
    else if (reply.type === 'results') {
      this.#tell(reply.id, { done: reply.total, total: reply.total });
      this.#settle(reply.id)?.resolve(reply);
    }
  }

  #tell(id: number, progress: Progress): void {
    try {
      this.#pending.get(id)?.onProgress?.(progress);
    } catch (error) {
      this.#settle(id)?.reject(error);
      this.#thread.post({ type: 'abort', id }, []);
    }
  }

  /** @internal */
  [END](reason: unknown, how = 'ended'): void {
    if (this.#ended !== null) return;
    const why = reason === undefined ? '' : `: ${describe(reason).replace(/\.$/, '')}`;
    this.#ended = `${how}${why}`;
    this.#thread.terminate();
    for (const id of this.#pending.keys()) {
      const message = `The worker ${how} before the call was done${why}.`;
      this.#settle(id)?.reject(withCause(faultOf('aborted', message, {}, reason), reason));
    }
  }
}

interface BroadloomWorker {
  /** Same as `terminate()`; for `using`. */
  [Symbol.dispose](): void;
}

// Platforms without Symbol.dispose do not have `using` either.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(BroadloomWorker.prototype, Symbol.dispose, { value: BroadloomWorker.prototype.terminate });
}

/** The options of a call, read. */
interface Call {
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly transfer: boolean;
  /** The options that the worker reads. */
  readonly rest: { readonly [name: string]: unknown };
  /** Whether no object was given: the value is sent as it is, and the worker reports it. */
  readonly isPlain: boolean;
}

function readCall(op: OpName | null, options: unknown): Call {
  if (typeof options !== 'object' || options === null) {
    return { signal: undefined, onProgress: undefined, transfer: false, rest: {}, isPlain: true };
  }
  const { signal: _, onProgress: __, transfer: ___, ...rest } = options as { readonly [name: string]: unknown };
  const { signal, onProgress, transfer = false } = propertiesOf(options, CALL_OPTIONS);
  const refuse = (name: (typeof CALL_OPTIONS)[number], what: string, value: unknown) =>
    faultOf('attribute', `${name} has to be ${what}, not ${show(value)}.`, { op, detail: 'out_of_range' }, value);
  if (signal !== undefined && !isSignal(signal)) throw refuse('signal', 'an AbortSignal', signal);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw refuse('onProgress', 'a function', onProgress);
  if (typeof transfer !== 'boolean') throw refuse('transfer', 'true or false', transfer);
  return { signal, onProgress: onProgress as Call['onProgress'], transfer, rest, isPlain: false };
}

function isSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener } = value as { readonly [name: string]: unknown };
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** The form into which a result is converted in this thread; null where it is left as the worker returns it. */
function formOf(as: unknown, first: Packed['form']): ResultForm | null {
  if (as === 'first') return first === undefined ? null : resultFormOf(first);
  return isResultForm(as) ? as : null;
}

function inForm(result: NdArray, form: ResultForm | null, inputs: readonly unknown[], op: OpName): unknown {
  if (form === null) return result;
  try {
    return giveBack(result, form, inputs[0], inputs);
  } catch (fault) {
    if (!isFormFault(fault)) throw fault;
    throw faultOf(fault.fields.code, `${RESULT}: ${fault.message}`, { ...fault.fields, op }, fault.value);
  }
}

/** The entries of a list, or null where it is none. Each entry is read once: reading may run code of the caller. */
function entriesIn(list: unknown, op: OpName | null): unknown[] | null {
  if (!isList(list)) return null;
  try {
    return Array.from(list);
  } catch (cause) {
    const { message } = fromElsewhere('Reading the list', cause);
    throw faultOf('dtype', message, { detail: 'unsupported', op });
  }
}

/** The array on the memory that the worker returned for it; the given array where it was not moved. */
function restored({ sent }: Packed, data: unknown, given: unknown): unknown {
  return data == null ? given : { ...sent, data };
}

/** The result, in `out` if that was given: elements that were computed in a substitute for it are copied into it. */
function broughtTo(out: Packed | undefined, { data, shape, dtype, ...places }: SentResult): NdArray {
  const result = (held: unknown) => ({ data: held, shape: shape.slice(), dtype, ...places }) as NdArray;
  const target = out?.data;
  const computed = data as TypedArray;
  if (target == null) return result(data);
  const isWhole = lengthOf.call(target) === lengthOf.call(computed);
  if (isOfSharedMemory(target)) return result(isWhole ? target : data);
  if (lengthOf.call(target) === 0) return result(isDetached(target) ? data : target); // `out` was moved
  // The substitute is as long as `out`; the result may be a part of it.
  const Own = classOf(typedArrayName.call(target) as ClassName);
  const begin = byteOffsetOf.call(computed);
  setElements.call(target as unknown as Elements, computed as unknown as Elements, begin / Own.BYTES_PER_ELEMENT);
  if (isWhole) return result(target);
  return result(new Own(bufferOf.call(target), byteOffsetOf.call(target) + begin, lengthOf.call(computed)));
}

function isDetached(data: TypedArray): boolean {
  return bufferOf.call(data).byteLength === 0;
}

function aborted(reason: unknown, op: OpName | null): BroadcastError {
  return withCause(faultOf('aborted', 'The call was aborted before it was done.', { op }, reason), reason);
}

function withCause(error: BroadcastError, cause: unknown): BroadcastError {
  return Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true });
}

function errorOf({ message, record, value }: SentError): Error {
  return record === null ? new Error(message) : new BroadcastError(record, value);
}

function describe(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
