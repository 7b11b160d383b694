// Runs plans and sums on what callers give, with threads. Operators on small typed arrays are computed at once, as without
// threads. All else is computed in the memory that threads share, into which arrays are copied. What is small is computed at
// once there, too, unless other tasks are to be done before.

import { OUTPUT, type Reading } from '../operands/arguments.js';
import { Tensor, Tensors, type Place } from '../operands/tensor.js';
import type { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { Box } from '../core/module.js';
import { resultClassOf } from '../elements/typed-arrays.js';
import { checkAll, checkLength, whereOf, type Results } from '../plans/checks.js';
import { Executor, type Computed } from '../plans/execute.js';
import { runInMemory } from '../plans/in-memory.js';
import type { Blocks, Planned } from '../plans/planned.js';
import { begin, resultsOf } from '../plans/sums.js';
import { copyOf, resultOf, store } from '../plans/transfer.js';
import type { OpName } from '../types/vocabulary.js';
import type { SharedCore } from './shared-core.js';
import type { Team } from './team.js';

// Operators whose operands and results are all smaller are not shared among threads by the core.
const LEAST_BYTES = 512 * 1024;

/** A call that was given to the threads. */
export interface Given {
  readonly op: OpName | null;
  readonly operands: readonly Reading[];
  readonly hasOut: boolean;
  readonly results: Promise<Computed[]>;
}

/** What a call asks for: an operator or a sum, its operands and where its results go. */
interface Call {
  readonly request: Request;
  readonly sums: boolean;
  readonly results: Results;
  readonly operands: readonly Reading[];
  readonly out: readonly Reading[] | undefined;
  readonly box: Box | undefined;
  /** Whether a result that has no place in `out` is a tensor. */
  readonly resident: (result: number) => boolean;
}

/**
 * A `Broadloom` with this executor reads and checks the arguments of a call. Where it gives no result, its owner takes the
 * call from here, and waits for it.
 */
export class ThreadedExecutor extends Executor {
  override readonly tensors: Tensors;
  readonly #shared: SharedCore;
  readonly #team: Team;
  readonly #inMemory: Executor;
  #given: Given | undefined;

  constructor(core: Core, shared: SharedCore, team: Team) {
    super(core);
    this.#shared = shared;
    this.#team = team;
    this.#inMemory = new Executor(shared);
    this.tensors = this.#inMemory.tensors;
  }

  /** The last call, if it was given to the threads. It is then forgotten here. */
  take(): Given | undefined {
    const given = this.#given;
    this.#given = undefined;
    return given;
  }

  override runPlanned(
    planned: Planned,
    operands: readonly Reading[],
    out?: readonly Reading[],
    keepsForms = false,
    box?: Blocks,
  ): Computed[] {
    const { request, facts } = planned;
    const results = box?.results ?? facts;
    const isInMemory = operands.some(isTensor) || out?.some(isTensor) === true;
    if (!isInMemory && bytesOf(results) < LEAST_BYTES) return super.runPlanned(planned, operands, out, keepsForms, box);
    checkAll(this.tensors, request, results, operands, out);
    const resident = (result: number) => isInMemory && (!keepsForms || operands[result]?.isTensor === true);
    return this.#give({ request, sums: false, results, operands, out, box: box?.box, resident });
  }

  /** All calls go through `runPlanned`. */
  override runResident(): undefined {
    return undefined;
  }

  override sumTo(request: Request, array: Reading, out?: Reading): Computed {
    const sum = begin(this.tensors, request, array, false); // finds what is wrong with the request
    const results = resultsOf(request, sum);
    sum.release();
    const targets = out && [out];
    checkAll(this.tensors, request, results, [array], targets);
    const resident = () => array.isTensor || out?.isTensor === true;
    const call = { request, sums: true, results, operands: [array], out: targets, box: undefined, resident };
    return this.#give(call)[0] as Computed;
  }

  override tensor(array: Reading): Tensor {
    return this.#inMemory.tensor(array);
  }

  /** Copies operands into the memory and gives the task to the threads, or computes it at once. */
  #give(call: Call): Computed[] {
    const { request, sums, operands, out, box } = call;
    const bytes = bytesOf(call.results);
    const tensorsOut = out?.map((target) => (target.isTensor ? target : undefined));
    let done: Promise<void> | undefined;
    const compute = (memory: readonly number[]) => {
      const task = { request, sums, memory, box };
      if (this.#team.isIdle && bytes < LEAST_BYTES) this.#shared.compute(task);
      else done = this.#team.run(task);
    };
    const made = runInMemory(this.tensors, request, call.results, operands, tensorsOut, compute, () => true);
    const results = this.#bring(call, made as Tensor[], done);
    this.#given = { op: request.op ?? null, operands, hasOut: out !== undefined, results };
    return [];
  }

  /** The results of a call, once they are computed: those that are to be typed arrays are copied out of the tensors. */
  async #bring(call: Call, made: readonly Tensor[], done: Promise<void> | undefined): Promise<Computed[]> {
    const passing = made.filter((_, i) => !isKept(call, i));
    try {
      await done;
      return made.map((tensor, i) => (isKept(call, i) ? tensor : this.#copyOut(call, i, tensor)));
    } catch (error) {
      passing.push(...made.filter((_, i) => isKept(call, i) && call.out?.[i] === undefined));
      throw error;
    } finally {
      for (const tensor of passing) tensor.dispose();
    }
  }

  #copyOut({ request, results, out }: Call, i: number, tensor: Tensor): Computed {
    const { dtype, shape } = tensor;
    const { address, bytes } = Tensor.placeOf(tensor, this.tensors) as Place;
    const target = out?.[i];
    if (target !== undefined) {
      checkLength(this.tensors, request, target, OUTPUT, results.results[i]?.bytes); // it may have been moved meanwhile
      store(this.#shared, target, 0, bytes, address);
      return resultOf(target.data, shape, dtype, target.source);
    }
    const held = resultClassOf(dtype);
    const view = this.#shared.views[held];
    const size = view.BYTES_PER_ELEMENT;
    const computed = view.subarray(address / size, (address + bytes) / size);
    return resultOf(copyOf(this.#shared, whereOf(request), held, computed, dtype), shape, dtype);
  }
}

/** Whether a result stays in the tensor that it is computed in. */
function isKept({ out, resident }: Call, i: number): boolean {
  const target = out?.[i];
  return target === undefined ? resident(i) : target.isTensor;
}

/** Bytes of the largest operand or result. */
function bytesOf({ bytes, results }: Results): number {
  return Math.max(...bytes.map(Number), ...results.map((result) => Number(result.bytes)));
}

function isTensor(array: Reading): boolean {
  return array.isTensor;
}
