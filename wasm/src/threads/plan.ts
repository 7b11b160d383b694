/// <reference lib="esnext.disposable" preserve="true" />

import type { IndexRange } from '../types/alignment.js';
import type { Extent } from '../types/extent.js';
import type { Plan, PlanInput, PlanOut } from '../plans/plan.js';
import type { Fit, FittingInputs, Given, ProblemInPlan } from '../signatures/inference.js';
import type { DType, OpName, RuleName } from '../types/vocabulary.js';

/** Calls a method, and waits for what it gives to the threads. */
export type Later = (call: () => unknown) => Promise<unknown>;

/** The methods that compute: their arguments are passed on as they were given. */
interface Runs {
  run(inputs: unknown, out: unknown): unknown;
  runRegion(box: unknown, inputs: unknown, out: unknown): unknown;
}

/**
 * An operator made ready for operands of given shapes and types: as {@link Plan}, but `run` and `runRegion` return promises.
 *
 * @example
 * const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
 * const out = new Float32Array(6);
 * await plan.run([new Float32Array([1, 2, 3, 4, 5, 6]), new Float32Array([10, 20, 30])], out);
 * // out: 11 22 33 14 25 36
 */
export class ThreadedPlan<D extends DType = DType, L extends readonly DType[] = readonly DType[]> {
  /** The operator. */
  readonly op: OpName;
  /** How the operands are matched. */
  readonly rule: RuleName;
  /** The result's extents. */
  readonly shape: readonly number[];
  /** The result's element type. */
  readonly dtype: D;
  /** The operands' extents. */
  readonly operands: readonly (readonly Extent[])[];
  /** The operands' element types. */
  readonly dtypes: L;
  readonly #plan: Plan<D, L>;
  readonly #later: Later;

  /** @internal Made by `bl.plan`. */
  constructor(plan: Plan<D, L>, later: Later) {
    this.#plan = plan;
    this.#later = later;
    this.op = plan.op;
    this.rule = plan.rule;
    this.shape = plan.shape;
    this.dtype = plan.dtype;
    this.operands = plan.operands;
    this.dtypes = plan.dtypes;
    Object.freeze(this);
  }

  /**
   * Computes the whole result: see `Plan.run`.
   *
   * @throws BroadcastError as `Plan.run`; `aborted`, `disposed` as {@link ThreadedBroadloom}.
   */
  run<const I extends readonly PlanInput[], const T extends PlanOut = never>(
    inputs: I & FittingInputs<L, I>,
    out?: Fit<T, ProblemInPlan<T, D>>,
  ): Promise<Given<D, I, 'array', T>> {
    return this.#later(() => (this.#plan as unknown as Runs).run(inputs, out)) as Promise<Given<D, I, 'array', T>>;
  }

  /**
   * Computes a box of the result: see `Plan.runRegion`.
   *
   * @throws BroadcastError as `Plan.runRegion`; `aborted`, `disposed` as {@link ThreadedBroadloom}.
   */
  runRegion<const I extends readonly PlanInput[], const T extends PlanOut = never>(
    box: readonly IndexRange<Extent>[],
    inputs: I & FittingInputs<L, I>,
    out?: Fit<T, ProblemInPlan<T, D>>,
  ): Promise<Given<D, I, 'array', T>> {
    return this.#later(() => (this.#plan as unknown as Runs).runRegion(box, inputs, out)) as Promise<
      Given<D, I, 'array', T>
    >;
  }

  /** Whether it was disposed of. */
  get disposed(): boolean {
    return this.#plan.disposed;
  }

  /** Gives its memory back. Every use afterwards is an error, except another `dispose()`. Calls that were made before are computed. */
  dispose(): void {
    this.#plan.dispose();
  }
}

export interface ThreadedPlan<D extends DType, L extends readonly DType[]> {
  /** As `dispose()`: for `using`. */
  [Symbol.dispose](): void;
}

// A platform without Symbol.dispose has no `using`.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(ThreadedPlan.prototype, Symbol.dispose, { value: ThreadedPlan.prototype.dispose });
}
