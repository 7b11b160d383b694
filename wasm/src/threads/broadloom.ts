/// <reference lib="esnext.disposable" preserve="true" />

import type { Broadloom, ExplanationOptions } from '../api/broadloom.js';
import type { Core } from '../core/core.js';
import type { AnyOperand, DTypeOf, Summed, TypesOf } from '../operands/arrays.js';
import { named, OUTPUT } from '../operands/arguments.js';
import { giveBack, resultFormOf, type DenseResult } from '../operands/give-back.js';
import type { ResultForm } from '../operands/result-forms.js';
import type { Tensor } from '../operands/tensor.js';
import type {
  Fit,
  FittingList,
  Given,
  OperandsOf,
  PlannedType,
  ProblemAlone,
  ResultType,
} from '../signatures/inference.js';
import type {
  AnyOut,
  ApplyOptions,
  BroadcastOptions,
  CastOptions,
  PlanOptions,
  SumToOptions,
} from '../signatures/options.js';
import type { ThreadedOperators } from '../signatures/threaded-operators.js';
import type { ShapeLike } from '../types/extent.js';
import { RESULT } from '../types/fault.js';
import type { Promote } from '../types/promote.js';
import type { DType, OpName, OpTable } from '../types/vocabulary.js';
import { propertiesOf } from '../values/properties.js';
import type { Given as GivenCall, ThreadedExecutor } from './executor.js';
import { ThreadedPlan } from './plan.js';
import { endedError } from './shared-core.js';
import type { Team } from './team.js';

/** What does not compute elements, and makes no promise: as in {@link Broadloom}. */
const AT_ONCE = [
  'align',
  'alignSymbolic',
  'broadcastShapes',
  'countBytes',
  'countElements',
  'formatOperand',
  'formatShape',
  'inferShape',
  'parseIntegers',
  'parseShape',
  'promotedTypes',
  'readPasted',
  'readShapes',
  'resultType',
] as const;

/** Where the options of other methods than operators are among their arguments; null: they have none that is read here. */
const OPTIONS_AT = { apply: 2, broadcast: null, broadcastArrays: null, broadcastTo: null, cast: 2, sumTo: null };

/** How it computes: the threads, if there are any, and an executor that gives calls to them. */
export interface Threading {
  readonly team: Team;
  readonly executor: ThreadedExecutor;
}

type Method = (...given: unknown[]) => unknown;

/**
 * {@link Broadloom} with threads: `load` of `broadloom/threads` returns one. What computes elements returns a promise; all
 * else is the same. The threads share one memory, where tensors are. Other arrays are copied into it when a call is made,
 * and results are copied out of it.
 *
 * Calls are computed one after the other, in order. An error is a rejection: those of {@link Broadloom}, `aborted` for a
 * call that was not done when the threads ended, and `disposed` for one that was made later.
 */
export class ThreadedBroadloom {
  /** How many threads compute. 1: this thread alone. */
  readonly threads: number;
  /** Why there is only one thread although more were asked for, and what to do about it; else null. */
  readonly reason: string | null;
  /** Highway's name of the SIMD target that the kernels were compiled for: `WASM`. */
  readonly target: string;
  readonly #bl: Broadloom;
  readonly #core: Core;
  readonly #threading: Threading | undefined;
  #isClosed = false;

  /** @internal Made by `load`. */
  constructor(bl: Broadloom, core: Core, threading: Threading | undefined, reason: string | null) {
    this.#bl = bl;
    this.#core = core;
    this.#threading = threading;
    this.threads = threading?.team.threads ?? 1;
    this.reason = reason;
    this.target = bl.target;
    const methods = bl as unknown as { readonly [name: string]: Method };
    for (const name of AT_ONCE) Object.defineProperty(this, name, { value: (methods[name] as Method).bind(bl) });
    const operators = [...core.calls.values()].map(({ method, mostOperands }) => [method, mostOperands ?? 1] as const);
    for (const [name, at] of [...operators, ...Object.entries(OPTIONS_AT)]) {
      const call = (...given: unknown[]) =>
        this.#later(() => (methods[name] as Method).apply(bl, given), at === null ? undefined : given[at]);
      Object.defineProperty(this, name, { value: call, configurable: true });
    }
  }

  /** Everything known by name: operators, element types, rules, errors, documents and clauses. Frozen. */
  get vocabulary(): Broadloom['vocabulary'] {
    return this.#bl.vocabulary;
  }

  /** As `Broadloom.loadExplanations`. */
  async loadExplanations(options?: ExplanationOptions): Promise<this> {
    await this.#bl.loadExplanations(options);
    return this;
  }

  /**
   * A tensor in the memory that the threads share, with a copy of an array's elements. It may be disposed of while calls use
   * it; its memory is released after them. `read`, `write` and `view` do not wait for calls. The array that `view` lends
   * stays as it is when `view` returns: it must not be used after the tensor was disposed of.
   *
   * @throws BroadcastError as `Broadloom.tensor`; `disposed`.
   * @example
   * using t = bl.tensor({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] });
   * using sum = await bl.add(t, { data: new Float32Array([10, 20]), shape: [2] });
   * sum.read(); // Float32Array [11, 22, 13, 24]
   */
  tensor<const A extends AnyOperand>(array: Fit<A, ProblemAlone<A>>): Tensor<DTypeOf<A>> {
    this.#check();
    return this.#bl.tensor<A>(array);
  }

  /**
   * As `Broadloom.plan`: what it runs is computed by the threads.
   *
   * @throws BroadcastError as `Broadloom.plan`.
   * @example
   * using plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
   * (await plan.run([new Float32Array(6), new Float32Array([1, 2, 3])])).data; // 1 2 3 1 2 3
   */
  plan<O extends OpName, const L extends readonly DType[]>(
    op: O,
    rule: OpTable[O]['rules'],
    shapes: readonly ShapeLike[],
    dtypes: L,
    options?: PlanOptions<O>,
  ): ThreadedPlan<PlannedType<O, L>, L> {
    const plan = this.#bl.plan(op, rule, shapes, dtypes, options);
    return new ThreadedPlan(plan, (call) => this.#later(call, undefined));
  }

  /** The size of the memory that the threads share, the bytes that tensors hold, and the number of tensors. */
  memory(): ReturnType<Broadloom['memory']> {
    const memory = this.#bl.memory();
    const shared = this.#threading?.executor.tensors.core.memoryBytes;
    return shared === undefined ? memory : { ...memory, bytes: shared };
  }

  /**
   * Ends the threads at once. Calls that are not done reject with code `aborted`, later ones with code `disposed`. Tensors
   * can still be read.
   */
  close(): void {
    this.#isClosed = true;
    this.#threading?.team.end('were closed');
  }

  #check(): void {
    if (this.#threading !== undefined) this.#threading.team.check();
    else if (this.#isClosed) throw endedError('were closed');
  }

  /** Calls a method of `#bl`, and waits for what it gives to the threads. `options` may have the form of the results. */
  async #later(call: () => unknown, options: unknown): Promise<unknown> {
    this.#check();
    const answer = call();
    const given = this.#threading?.executor.take();
    if (given === undefined) return answer;
    const form = formOf(options, given);
    const results = await given.results;
    const formed = form === 'array' ? results : results.map((result) => this.#inForm(result, form, given));
    return Array.isArray(answer) ? formed : formed[0];
  }

  #inForm(result: unknown, form: ResultForm, { op, operands }: GivenCall): unknown {
    const alike = operands.map((operand) => (operand.form === form ? operand.given : undefined));
    try {
      return giveBack(result as DenseResult, form, alike[0], alike);
    } catch (fault) {
      throw named(this.#core, fault, op, OUTPUT, RESULT);
    }
  }
}

/** The form of a call's results, which `#bl` has checked. */
function formOf(options: unknown, { operands, hasOut }: GivenCall): ResultForm {
  if (options === undefined) return 'array';
  const { as = 'array' } = propertiesOf(options as object, ['as']);
  if (as !== 'first') return as as ResultForm;
  const first = operands[0]?.form ?? 'array';
  if (hasOut || first === 'tensor' || operands.some(({ isTensor }) => isTensor)) return 'array';
  return resultFormOf(first);
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the constructor adds the methods
export interface ThreadedBroadloom extends Pick<Broadloom, (typeof AT_ONCE)[number]>, ThreadedOperators {
  /** As `Broadloom.apply`. */
  apply<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends readonly AnyOut[] = never,
  >(
    op: 'Broadcast',
    inputs: L & { readonly [I in keyof L]: Fit<L[I], ProblemAlone<L[I]>> },
    options: ApplyOptions<'Broadcast', DTypeOf<L[number]>, M, F, T> & { readonly rule: 'sonnx' },
  ): Promise<{ -readonly [I in keyof L]: Given<DTypeOf<L[I]>, L, F, T[number]> }>;
  /** As `Broadloom.apply`. */
  apply<
    O extends OpName,
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    op: O,
    inputs: L & OperandsOf<O> & FittingList<O, L, M>,
    options?: ApplyOptions<O, ResultType<O, L, M>, M, F, T>,
  ): Promise<Given<ResultType<O, L, M>, L, F, T>>;

  /** As `Broadloom.broadcast`. */
  broadcast<const A extends AnyOperand, const T extends AnyOut = never>(
    data: Fit<A, ProblemAlone<A>>,
    options: BroadcastOptions<DTypeOf<A>, T>,
  ): Promise<Given<DTypeOf<A>, readonly [A], 'array', T>>;

  /** As `Broadloom.broadcastTo`. */
  broadcastTo<const A extends AnyOperand>(
    array: Fit<A, ProblemAlone<A>>,
    shape: ShapeLike,
  ): Promise<Given<DTypeOf<A>, readonly [A]>>;

  /** As `Broadloom.broadcastArrays`. */
  broadcastArrays<const L extends readonly AnyOperand[]>(
    ...arrays: L & { readonly [I in keyof L]: Fit<L[I], ProblemAlone<L[I]>> }
  ): Promise<{ -readonly [I in keyof L]: Given<DTypeOf<L[I]>, readonly [L[I]]> }>;

  /** As `Broadloom.cast`. */
  cast<
    const A extends AnyOperand,
    const D extends TypesOf<'Cast'>,
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    array: Fit<A, ProblemAlone<A, TypesOf<'Cast'>>>,
    to: D,
    options?: CastOptions<D, F, T>,
  ): Promise<Given<D, readonly [A], F, T>>;

  /** As `Broadloom.sumTo`. */
  sumTo<const A extends AnyOperand, const T extends AnyOut = never>(
    array: Fit<A, ProblemAlone<A, Summed>>,
    shape: ShapeLike,
    options?: SumToOptions<DTypeOf<A>, T>,
  ): Promise<Given<DTypeOf<A>, readonly [A], 'array', T>>;

  /** As `close()`: for `using`. */
  [Symbol.dispose](): void;
}

// A platform without Symbol.dispose has no `using`.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(ThreadedBroadloom.prototype, Symbol.dispose, { value: ThreadedBroadloom.prototype.close });
}
