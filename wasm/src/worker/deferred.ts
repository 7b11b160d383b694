import type { NdArray } from '../arrays.js';
import type { Reading } from '../arguments.js';
import type { Request } from '../core.js';
import { Executor, type Computed, type Progress } from '../execute.js';

/**
 * Takes down what there is to run, for whoever runs it step by step: the calls of the `Broadloom` that has it read and
 * check what they are given, and have no results yet.
 */
export class DeferredExecutor extends Executor {
  #steps: Generator<Progress, NdArray[]> | null = null;

  override run(request: Request, operands: readonly Reading[], out?: readonly Reading[]): Computed[] {
    this.#steps = this.runInSteps(request, operands, out);
    return [];
  }

  /** What the last call left to be done; null where it left nothing. */
  take(): Generator<Progress, NdArray[]> | null {
    const steps = this.#steps;
    this.#steps = null;
    return steps;
  }
}
