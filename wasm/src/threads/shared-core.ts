// The core, with tensors in a memory that threads share. Shapes, plans that are checked, and errors are those of the module
// with one thread, whose memory is its own; the module with threads has the elements, and the plans that are run.

import { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { Box, CoreModule } from '../core/module.js';
import type { Wire } from '../core/wire.js';
import { viewsOf, type Views } from '../elements/views.js';
import { faultOf, isBroadcastError, type BroadcastError } from '../types/errors.js';
import type { ThreadsModule } from './module.js';
import type { Work } from './messages.js';

/** What is to be computed, and in which memory. */
export interface Task {
  /** Of a plan; of a sum, with the shapes of the array and of the result. */
  readonly request: Request;
  readonly sums: boolean;
  /** Address and bytes of each operand, then of each result. */
  readonly memory: readonly number[];
  /** The box of the result that is computed; undefined for all of it. */
  readonly box: Box | undefined;
}

/** The error of a call that was made after the threads ended; `how` says how that was. */
export function endedError(how: string): BroadcastError {
  return faultOf('disposed', `The threads ${how}. load() starts others.`, {});
}

export class SharedCore extends Core {
  readonly #module: ThreadsModule;
  readonly #memory: WebAssembly.Memory;
  #views: Views;
  #wire: Wire;
  /** How many tasks use memory at an address, and the addresses that were released meanwhile. */
  readonly #uses = new Map<number, number>();
  readonly #released = new Set<number>();
  #ended: string | null = null;

  /** @param core The exports of an instance of the module with one thread, which was initialised. */
  constructor(core: CoreModule, module: ThreadsModule, memory: WebAssembly.Memory) {
    super({ ...core, _initialize: () => {} });
    this.#module = module;
    this.#memory = memory;
    this.#views = viewsOf(memory.buffer);
    this.#wire = this.#newWire();
  }

  /**
   * Lets the threads that wait for work return; `how` says how they ended. From then on no memory is allocated or released: a
   * thread may have ended while it did that.
   */
  end(how: string): void {
    if (this.#ended !== null) return;
    this.#ended = how;
    this.#module.broadloom_end();
  }

  /** @throws BroadcastError `disposed` where the threads have ended. */
  check(): void {
    if (this.#ended !== null) throw endedError(this.#ended);
  }

  // --- Memory -------------------------------------------------------------------------------------------------------

  override allocate(bytes: number): number {
    this.check();
    const address = this.#module.broadloom_allocate(bytes) >>> 0;
    if (address === 0) throw this.#fault();
    return address;
  }

  /** Gives memory back; what a task uses, after the task. */
  override release(address: number): void {
    if (this.#ended !== null) return;
    if (this.#uses.has(address)) this.#released.add(address);
    else this.#module.broadloom_release(address);
  }

  override get views(): Views {
    this.#refresh();
    return this.#views;
  }

  /** Shared memory keeps its views when it grows, so that nothing has to be prevented or taken back. */
  override lend<T>(use: () => T): T {
    return use();
  }

  override get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  override refuseAfter(allocations: number): void {
    this.#module.broadloom_refuse_after(allocations);
  }

  // --- Tasks --------------------------------------------------------------------------------------------------------

  /** Keeps the memory of a task until `forget`. */
  hold({ memory }: Task): void {
    for (let i = 0; i < memory.length; i += 2) {
      const address = memory[i] as number;
      this.#uses.set(address, (this.#uses.get(address) ?? 0) + 1);
    }
  }

  forget({ memory }: Task): void {
    for (let i = 0; i < memory.length; i += 2) {
      const address = memory[i] as number;
      const uses = (this.#uses.get(address) as number) - 1;
      if (uses > 0) {
        this.#uses.set(address, uses);
      } else {
        this.#uses.delete(address);
        if (this.#released.delete(address)) this.release(address);
      }
    }
  }

  /** Computes a task in this thread. No other task may be running. */
  compute(task: Task): void {
    const plan = this.begin(task);
    const { broadloom_run, broadloom_sum_run } = this.#module;
    this.finish(task, plan, task.sums ? broadloom_sum_run(plan) : broadloom_run(plan, task.box !== undefined));
  }

  /** Makes the plan of a task, and writes where its memory is. Nothing else may be written before it has been run. */
  begin({ request, sums, memory, box }: Task): number {
    this.check();
    this.#refresh();
    const { broadloom_plan, broadloom_sum_plan } = this.#module;
    let plan = 0;
    try {
      this.#wire.writeRequest(request);
      plan = sums ? broadloom_sum_plan() : broadloom_plan();
      if (plan === 0) throw this.#fault();
      this.#refresh(); // the plan may have needed more memory
      this.#wire.writeMemory(memory, box);
      return plan;
    } catch (error) {
      if (plan !== 0) this.#drop(sums, plan);
      throw isBroadcastError(error) ? this.#fault() : error;
    }
  }

  /** What a thread is told of a task, which has begun. */
  workOf({ sums, box }: Task, plan: number, threads: number): Work {
    return { plan, sums, boxed: box !== undefined, threads };
  }

  /** Gives the plan of a task back. `status` is what running it has returned. */
  finish({ sums }: Task, plan: number, status: number): void {
    this.#drop(sums, plan);
    if (status < 0) throw this.#fault();
  }

  #drop(sums: boolean, plan: number): void {
    if (this.#ended !== null) return;
    if (sums) this.#module.broadloom_sum_plan_release(plan);
    else this.#module.broadloom_plan_release(plan);
  }

  /** The error that the module with threads reported last, with the core's sentence. */
  #fault(): BroadcastError {
    this.#refresh();
    const { message: _, ...fields } = this.#wire.record();
    return this.error(fields);
  }

  /** When the memory grows, views of it stay as long as they were. */
  #refresh(): void {
    if (this.#memory.buffer.byteLength === this.#views.Int8Array.length) return;
    this.#views = viewsOf(this.#memory.buffer);
    this.#wire = this.#newWire();
  }

  /** The module with threads has no sentences: a page's TextDecoder does not take shared memory. */
  #newWire(): Wire {
    return this.wireTo({ ...this.#module, memory: this.#memory, broadloom_describe: () => -1 });
  }
}
