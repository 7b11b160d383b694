import type { NdArray } from '../operands/arrays.js';
import type { Reading } from '../operands/arguments.js';
import type { Request } from '../core/fields.js';
import { Executor, type Computed, type Progress } from '../plans/execute.js';

/**
 * Records the steps of a call instead of running them. A `Broadloom` with this executor reads and checks the arguments
 * of a call; its owner then takes the steps and runs them one by one.
 */
export class DeferredExecutor extends Executor {
  #steps: Generator<Progress, NdArray[]> | undefined;

  override run(request: Request, operands: readonly Reading[], out?: readonly Reading[]): Computed[] {
    this.#steps = this.runInSteps(request, operands, out);
    return [];
  }

  override sumTo(request: Request, array: Reading, out?: Reading): Computed {
    this.#steps = this.sumInSteps(request, array, out);
    return undefined as unknown as Computed; // no result yet
  }

  /** The steps of the last call, which are then forgotten here. */
  take(): Generator<Progress, NdArray[]> {
    const steps = this.#steps as Generator<Progress, NdArray[]>;
    this.#steps = undefined;
    return steps;
  }
}
