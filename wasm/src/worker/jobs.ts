// Runs the calls in the worker, one after the other and in steps, so that messages are received between the steps.

import type { Broadloom } from '../api/broadloom.js';
import { isBroadcastError, type ErrorRecord } from '../types/errors.js';
import type { Progress } from '../plans/execute.js';
import type { DeferredExecutor } from './deferred.js';
import {
  plainValue,
  type Order,
  type Reply,
  type Returned,
  type SentCall,
  type SentError,
  type SentOperand,
  type SentResult,
} from './messages.js';
import type { Send } from './listen.js';
import { nextTurn } from './next-turn.js';
import { receive } from './receive.js';

type Job = Omit<Extract<Order, { readonly type: 'call' }>, 'type'>;

// The longest time between two looks for messages, unless one step takes longer.
const TURN_MS = 8;
// The shortest time between two reports of progress.
const PROGRESS_MS = 40;

/** The calls of one worker. */
export class Jobs {
  readonly #bl: Broadloom;
  readonly #executor: DeferredExecutor;
  readonly #send: Send<Reply>;
  readonly #waiting = new Map<number, Job>();
  #isRunning = false;
  /** The time of the last look for messages. */
  #turned = 0;

  /** @param bl An instance that was made with `executor`. */
  constructor(bl: Broadloom, executor: DeferredExecutor, send: Send<Reply>) {
    this.#bl = bl;
    this.#executor = executor;
    this.#send = send;
  }

  /** Runs the job after the ones before it. */
  add(job: Job): void {
    this.#waiting.set(job.id, job);
    if (!this.#isRunning) void this.#runAll();
  }

  /** Removes a job, running or not. */
  abort(id: number): void {
    this.#waiting.delete(id);
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    this.#turned = performance.now();
    for (const [id, job] of this.#waiting) {
      try {
        await this.#run(job);
      } catch (error) {
        const returned = job.isMoved ? returnedOf(job.call) : null;
        const moved =
          returned === null ? [] : [...returned.inputs, ...returned.out].flatMap(bufferIn).filter(isMovable);
        if (this.#waiting.has(id))
          this.#send({ type: 'error', id, error: sentError(error), returned }, [...new Set(moved)]);
      }
      this.#waiting.delete(id);
      if (performance.now() - this.#turned >= TURN_MS) await this.#turn();
    }
    this.#isRunning = false;
  }

  async #run({ id, call, wantsProgress }: Job): Promise<void> {
    const isMany = Array.isArray(this.#start(call));
    const finished = await this.#finish(id, this.#executor.take(), wantsProgress);
    if (finished === null) return;
    const moved = new Set(finished.results.map(({ data }) => (data as ArrayBufferView).buffer).filter(isMovable));
    this.#send({ type: 'results', id, ...finished, isMany }, [...moved]);
  }

  /** Calls `bl`, which reads the arguments; the steps are then in the executor. */
  #start(call: SentCall): unknown {
    const bl = this.#bl as unknown as { readonly [name in 'apply' | 'sumTo']: (...given: unknown[]) => unknown };
    const options = receiveOptions(call.options);
    if (call.method === 'sumTo') return bl.sumTo(receive(call.array), call.shape, options);
    const { op, inputs } = call;
    return bl.apply(op, Array.isArray(inputs) ? inputs.map((input) => receive(input as SentOperand)) : inputs, options);
  }

  /** Runs the steps; null where the call was aborted. */
  async #finish(
    id: number,
    steps: Generator<Progress, SentResult[]>,
    wantsProgress: boolean,
  ): Promise<{ readonly results: SentResult[]; readonly total: number } | null> {
    let told = performance.now();
    let total = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return { results: step.value, total };
      ({ total } = step.value);
      const now = performance.now();
      if (now - this.#turned < TURN_MS) continue;
      if (wantsProgress && now - told >= PROGRESS_MS) {
        this.#send({ type: 'progress', id, progress: step.value }, []);
        told = now;
      }
      await this.#turn();
      if (!this.#waiting.has(id)) {
        steps.return([]); // releases its memory
        return null;
      }
    }
  }

  async #turn(): Promise<void> {
    await nextTurn();
    this.#turned = performance.now();
  }
}

function receiveOptions(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !('out' in options)) return options;
  const { out } = options;
  return {
    ...options,
    out: Array.isArray(out) ? out.map((each) => receive(each as SentOperand)) : receive(out as SentOperand),
  };
}

/** The typed arrays of a call that failed. */
function returnedOf(call: SentCall): Returned {
  const list = (value: unknown) => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
  const data = (sent: unknown) => (sent as { readonly data?: unknown } | null)?.data ?? null;
  const { out } = (call.options ?? {}) as { readonly out?: unknown };
  return { inputs: list(call.method === 'apply' ? call.inputs : call.array).map(data), out: list(out).map(data) };
}

function bufferIn(data: unknown): ArrayBufferLike[] {
  return ArrayBuffer.isView(data) ? [data.buffer] : [];
}

/** Whether the buffer is moved with a message; shared memory is not. */
function isMovable(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
}

function sentError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (!isBroadcastError(error)) return { message, record: null, value: undefined };
  const { name: _, value, ...fields } = error;
  return { message, record: { ...(fields as Omit<ErrorRecord, 'message'>), message }, value: plainValue(value) };
}
