// The workers that compute chunks.

import type { Elements } from '../elements/typed-arrays.js';
import type { IndexRange } from '../types/alignment.js';
import type { PackageErrorCode } from '../types/error-code.js';
import { asLoadError } from '../platform.js';
import { spawn, type Thread } from '../worker/spawn.js';
import type { Order, Question, Reply } from './messages.js';

/** How workers are made. The entry says it, in the form that bundlers recognise. */
export interface Script {
  readonly onWeb: () => Worker;
  /** The script's address, for Node. */
  readonly address: string;
}

/** Why a chunk was not computed. */
export class NotComputed extends Error {
  readonly code: PackageErrorCode;

  constructor(code: PackageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

interface Pending {
  readonly member: Member;
  readonly resolve: (data: Elements) => void;
  readonly reject: (error: unknown) => void;
}

interface Member {
  thread: Thread<Order> | undefined;
  /** How many chunks it has been given that are not computed. */
  load: number;
}

/** Workers that have started, each with a core and a plan of its own. */
export class Pool {
  readonly #members: Member[] = [];
  readonly #pending = new Map<number, Pending>();
  #orders = 0;
  /** Why no chunk is computed any more. */
  #end: NotComputed | undefined;

  /**
   * Starts workers.
   *
   * @throws LoadError where one does not start.
   */
  static async start(count: number, script: Script, module: WebAssembly.Module, question: Question): Promise<Pool> {
    const pool = new Pool();
    try {
      await Promise.all(Array.from({ length: count }, () => pool.#add(script, { type: 'start', module, question })));
      return pool;
    } catch (error) {
      pool.stop(new NotComputed('aborted', 'Another worker could not be started.'));
      throw asLoadError(error);
    }
  }

  #add({ onWeb, address }: Script, order: Order): Promise<void> {
    return new Promise((resolve, reject) => {
      const member: Member = { thread: undefined, load: 0 };
      member.thread = spawn<Order, Reply>(onWeb, address, {
        reply: (reply) => {
          if (reply.type === 'started') resolve();
          else if (reply.type === 'failed' && reply.id === null) reject(new Error(reply.message));
          else this.#hear(reply);
        },
        fail: (reason) => {
          const why = reason === undefined ? '' : `: ${reason instanceof Error ? reason.message : String(reason)}`;
          reject(reason ?? new Error('the worker ended at once'));
          this.stop(new NotComputed('aborted', `the worker that computed it ended${why}`, reason));
        },
      });
      this.#members.push(member);
      member.thread.post(order, []);
    });
  }

  /** Computes a box from the blocks of its input regions, which are moved. @throws NotComputed */
  compute(box: readonly IndexRange[], blocks: readonly Elements[]): Promise<Elements> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const member = this.#members.reduce((least, each) => (each.load < least.load ? each : least));
    const id = ++this.#orders;
    ++member.load;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { member, resolve, reject });
      const moved = blocks.map((block) => (block as unknown as ArrayBufferView).buffer);
      member.thread?.post({ type: 'compute', id, box, blocks }, moved);
    });
  }

  /** Ends the workers at once. What is not computed is rejected with `why`. */
  stop(why: NotComputed): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    for (const { thread } of this.#members) thread?.terminate();
    for (const { reject } of this.#pending.values()) reject(why);
    this.#pending.clear();
  }

  /** Ends the workers after the last chunk, or after `stop`. */
  end(): void {
    this.stop(new NotComputed('aborted', 'the workers were ended'));
  }

  #hear(reply: Exclude<Reply, { readonly type: 'started' }>): void {
    const pending = this.#pending.get(reply.id as number);
    if (pending === undefined) return;
    this.#pending.delete(reply.id as number);
    --pending.member.load;
    if (reply.type === 'computed') pending.resolve(reply.data);
    else pending.reject(new NotComputed(reply.code ?? 'aborted', reply.message));
  }
}
