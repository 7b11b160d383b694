// The threads, and the tasks that they compute, one after the other.

import { faultOf } from '../types/errors.js';
import { spawn, type Thread } from '../worker/spawn.js';
import type { Order, Reply } from './messages.js';
import type { SharedCore, Task } from './shared-core.js';

// Of each thread. The core needs less than 64 KiB.
const STACK_BYTES = 256 * 1024;

/** How threads are started. */
export interface Start {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly threads: number;
  /** Makes a worker where the platform has `Worker`. */
  readonly makeWorker: () => Worker;
  /** The address of the worker's script, for Node. */
  readonly address: string;
}

/** The call that waits for the thread that leads. */
interface Waiting {
  readonly resolve: (status: number) => void;
  readonly reject: (error: unknown) => void;
}

export class Team {
  readonly #core: SharedCore;
  readonly #threads: Thread<Order>[] = [];
  readonly #started: Promise<void>[] = [];
  #waiting: Waiting | undefined;
  /** Resolves after the last task that was given. */
  #last: Promise<void> = Promise.resolve();
  #count = 0;
  #ended: unknown;

  /**
   * Starts threads, of which the first one leads.
   *
   * @throws what a thread has failed with, after all have been ended.
   */
  static async start(core: SharedCore, given: Start): Promise<Team> {
    const team = new Team(core);
    try {
      for (let i = 0; i < given.threads; ++i) team.#spawn(given, i > 0);
      await Promise.all(team.#started);
    } catch (error) {
      team.end('ended', error);
      throw error;
    }
    for (const thread of team.#threads) thread.hold(false);
    return team;
  }

  private constructor(core: SharedCore) {
    this.#core = core;
  }

  /** How many threads compute. */
  get threads(): number {
    return this.#threads.length;
  }

  /** Whether no task is waiting or running. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  /** @throws BroadcastError `disposed` where the threads have ended. */
  check(): void {
    this.#core.check();
  }

  /** Computes a task after those that were given before. Its memory is kept until then. */
  run(task: Task): Promise<void> {
    this.#core.hold(task);
    ++this.#count;
    const done = this.#last.then(async () => {
      try {
        await this.#lead(task);
      } finally {
        --this.#count;
        this.#core.forget(task);
      }
    });
    this.#last = done.catch(() => {});
    return done;
  }

  /** Ends the threads at once. The task that is running fails, and so do all others. */
  end(how: string, reason?: unknown): void {
    if (this.#ended !== undefined) return;
    const why = reason === undefined ? '' : `: ${describe(reason)}`;
    const error = faultOf('aborted', `The threads ${how} before the call was done${why}.`, {}, reason);
    this.#ended = Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true });
    this.#core.end(`${how}${why}`);
    for (const thread of this.#threads) thread.terminate();
    this.#waiting?.reject(this.#ended);
  }

  async #lead(task: Task): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended;
    const leader = this.#threads[0] as Thread<Order>;
    const plan = this.#core.begin(task);
    leader.hold(true);
    let status = 0;
    try {
      status = await new Promise<number>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        leader.post({ type: 'lead', work: this.#core.workOf(task, plan, this.threads) }, []);
      });
    } finally {
      this.#waiting = undefined;
      leader.hold(false);
    }
    this.#core.finish(task, plan, status);
  }

  #spawn({ module, memory, makeWorker, address }: Start, helps: boolean): void {
    const stack = this.#core.allocate(STACK_BYTES) + STACK_BYTES;
    const started = new Promise<void>((resolve, reject) => {
      const fail = (reason: unknown) => {
        const error = reason ?? new Error('a thread has ended');
        reject(error);
        this.end('ended', error);
      };
      const thread = spawn<Order, Reply>(makeWorker, address, {
        reply: (reply) => {
          if (reply.type === 'started') resolve();
          else if (reply.type === 'ran') this.#waiting?.resolve(reply.status);
          else fail(new Error(reply.message));
        },
        fail,
      });
      this.#threads.push(thread);
      thread.post({ type: 'start', module, memory, stack, helps }, []);
    });
    started.catch(() => {}); // `start` may have failed before it waits
    this.#started.push(started);
  }
}

function describe(reason: unknown): string {
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, '');
}
