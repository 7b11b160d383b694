import type { NdArray } from '../operands/arrays.js';
import type { Reading } from '../operands/arguments.js';
import type { Request } from '../core/core.js';
import { Executor, type Computed, type Progress } from '../plans/execute.js';

/**
 * Takes down what there is to run, for whoever runs it step by step: the calls of the `Broadloom` that has it read and
 * check what they are given, and have no results yet.
 */
export class DeferredExecutor extends Executor {
  #steps: Generator<Progress, NdArray[]> | undefined;

  override run(request: Request, operands: readonly Reading[], out?: readonly Reading[]): Computed[] {
    this.#steps = this.runInSteps(request, operands, out);
    return [];
  }

  override sumTo(request: Request, array: Reading, out?: Reading): Computed {
    this.#steps = this.sumInSteps(request, array, out);
    return undefined as unknown as Computed; // as the first of no results
  }

  /** What the last call left to be done. */
  take(): Generator<Progress, NdArray[]> {
    const steps = this.#steps as Generator<Progress, NdArray[]>;
    this.#steps = undefined;
    return steps;
  }
}
