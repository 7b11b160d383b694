// Runs plans and sums on what callers give. There are two ways: typed arrays are computed block by block (in-blocks.ts),
// and as soon as a tensor takes part, everything in the module's memory (in-memory.ts). Two shortcuts serve small calls:
// typed arrays that fit into one block (bare.ts), and kept plans whose operands and result are all tensors (runResident).

import { sameShape, type Extent } from '../types/extent.js';
import { OUTPUT, type Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import { afterLengths, checkAll, checkLength, whereOf } from './checks.js';
import type { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { PlanFacts } from '../core/module.js';
import { isBroadcastError } from '../types/errors.js';
import { lastOf, runInBlocks, type Progress } from './in-blocks.js';
import { runInMemory, type Computed } from './in-memory.js';
import { Planned, RecentPlans, type Blocks } from './planned.js';
import { isSpread, spread } from './spread.js';
import { sumInMemory, sumInSteps } from './sums.js';
import { Tensor, Tensors, type Place, type Slot } from '../operands/tensor.js';
import { allocate, exactShape, load, newArray, resultOf } from './transfer.js';
import type { Elements } from '../elements/typed-arrays.js';
import type { ErrorCode } from '../types/vocabulary.js';

export type { Computed, Progress };

// The fewest bytes of a result that the platform's own copying may write.
const SPREAD_BYTES = 4096;

export class Executor {
  readonly core: Core;
  readonly tensors: Tensors;
  /** The plan of the last `run`. It may have been released since. */
  lastPlanned: Planned | undefined;
  readonly #plans: RecentPlans;

  constructor(core: Core) {
    this.core = core;
    this.tensors = new Tensors(core);
    this.#plans = new RecentPlans(core);
  }

  /**
   * Plans and runs `request` on `operands`, into `out` where it is given. Nothing of the caller's is written unless all
   * checks and allocations have succeeded. Results are tensors where any operand is one; with `keepsForms`, the results of
   * those operands alone that are tensors.
   */
  run(request: Request, operands: readonly Reading[], out?: readonly Reading[], keepsForms = false): Computed[] {
    let planned: Planned;
    try {
      planned = this.#plans.get(request);
    } catch (error) {
      throw afterLengths(this.tensors, request, operands, error);
    }
    this.lastPlanned = planned;
    return this.runRecent(planned, operands, out, keepsForms);
  }

  /** As `run`, with the plan of a recent call. */
  runRecent(planned: Planned, operands: readonly Reading[], out?: readonly Reading[], keepsForms = false): Computed[] {
    const inputs = bareData(operands);
    if (inputs !== null && (out === undefined || this.#fits(planned, out))) {
      const data = planned.bare?.run(inputs, out?.[0]?.data);
      if (data !== undefined) {
        const { dtype } = planned.facts.results[0] as PlanFacts['results'][number];
        return [resultOf(data, planned.shape as readonly number[], dtype)];
      }
    }
    return this.runPlanned(planned, operands, out, keepsForms);
  }

  /**
   * As `run`, for typed arrays alone, and reports after each block how much is done. In between, the caller may do other
   * work. If the caller stops early, `out` is written in part.
   */
  *runInSteps(
    request: Request,
    operands: readonly Reading[],
    out?: readonly Reading[],
  ): Generator<Progress, NdArray[]> {
    let planned: Planned;
    try {
      planned = new Planned(this.core, request); // recent ones may be released in between
    } catch (error) {
      throw afterLengths(this.tensors, request, operands, error);
    }
    try {
      checkAll(this.tensors, request, planned.facts, operands, out);
      const computed: NdArray[] = [];
      const { length } = planned.each;
      for (const [i, own] of planned.each.entries()) {
        const steps = runInBlocks(this.core, own, own.blocks, operandsOf(planned, operands, i), out?.[i]);
        let step = steps.next();
        for (; step.done !== true; step = steps.next()) {
          const { done, total } = step.value;
          yield { done: i * total + done, total: length * total };
        }
        computed.push(step.value);
      }
      return computed;
    } finally {
      planned.release();
    }
  }

  /**
   * As `run`, with a plan at hand, or the box of it that `box` is of. No code of the caller's runs from here on.
   */
  runPlanned(
    planned: Planned,
    operands: readonly Reading[],
    out?: readonly Reading[],
    keepsForms = false,
    box?: Blocks,
  ): Computed[] {
    const { request, facts } = planned;
    const results = box?.results ?? facts;
    checkAll(this.tensors, request, results, operands, out);
    if (operands.some(isTensor) || out?.some(isTensor) === true) {
      const run = (memory: readonly number[]) => this.core.run(facts.handle, memory, box?.box);
      const resident = (result: number) => !keepsForms || operands[result]?.isTensor === true;
      return runInMemory(this.tensors, request, results, operands, out, run, resident);
    }
    if (box !== undefined) return [lastOf(runInBlocks(this.core, planned, box, operands, out?.[0]))];
    return planned.each.map((own, i) => this.#runOne(own, operandsOf(planned, operands, i), out?.[i]));
  }

  /** A plan with one result on typed arrays. */
  #runOne(planned: Planned, operands: readonly Reading[], out: Reading | undefined): NdArray {
    const { core } = this;
    const { request, facts } = planned;
    const { dtype, bytes } = facts.results[0] as PlanFacts['results'][number];
    const source = operands[0] as Reading;
    const isDense = source.source === null && (out === undefined || out.source === null);
    if (bytes > SPREAD_BYTES && isDense && isSpread(facts.loops, dtype)) {
      const where = whereOf(request);
      const data = out?.data ?? newArray(core, where, dtype, Number(bytes));
      spread(source.data, data, facts.loops, dtype);
      return resultOf(data, exactShape(core, where, facts.shape), dtype);
    }
    return lastOf(runInBlocks(core, planned, planned.blocks, operands, out));
  }

  /**
   * The shortcut for tensors alone. Returns `out`; undefined where an operand or `out` is not a tensor of the plan's type
   * and shape, and then nothing was written.
   */
  runResident({ slots, facts }: Planned, inputs: readonly unknown[], out: unknown): Tensor | undefined {
    if (slots === null) return undefined;
    const last = slots.length - 1;
    const { tensors } = this;
    const result = Tensor.addressIn(slots[last] as Slot, out, tensors);
    if (result === -1) return undefined;
    const a = Tensor.addressIn(slots[0] as Slot, inputs[0], tensors);
    const b = last > 1 ? Tensor.addressIn(slots[1] as Slot, inputs[1], tensors) : 0;
    const c = last > 2 ? Tensor.addressIn(slots[2] as Slot, inputs[2], tensors) : 0;
    if (a === -1 || b === -1 || c === -1) return undefined;
    this.core.runAt(facts.handle, result, a, b, c);
    return out as Tensor;
  }

  #fits({ facts }: Planned, out: readonly Reading[]): boolean {
    const target = out[0] as Reading;
    const { dtype } = facts.results[0] as PlanFacts['results'][number];
    return out.length === 1 && isBare(target) && target.dtype === dtype && sameShape(target.shape, facts.shape);
  }

  /** Sums `array`, the first shape of `request`, to its second. */
  sumTo(request: Request, array: Reading, out?: Reading): Computed {
    if (array.isTensor || out?.isTensor === true) return sumInMemory(this.tensors, request, array, out);
    return lastOf(this.sumInSteps(request, array, out))[0] as Computed;
  }

  /** As `sumTo`, for typed arrays alone, and reports after each step how much is done. */
  sumInSteps(request: Request, array: Reading, out?: Reading): Generator<Progress, NdArray[]> {
    return sumInSteps(this.tensors, request, array, out);
  }

  /** A tensor with the elements of `array`. */
  tensor(array: Reading): Tensor {
    const { core } = this;
    const { dtype } = array;
    const where = { op: null, rule: null, operand: OUTPUT };
    const bytes = this.#bytesOf(array);
    checkLength(this.tensors, {}, array, 0, bytes);
    const shape = exactShape(core, where, array.shape);
    const address = allocate(core, where, { dtype, bytes });
    if (array.isTensor) {
      const from = (Tensor.placeOf(array.given, this.tensors) as Place).address;
      (core.views.Uint8Array as Uint8Array).copyWithin(address, from, from + Number(bytes));
    } else {
      load(core, array, 0, Number(bytes), address);
    }
    return this.tensors.adopt({ address, bytes: Number(bytes) }, shape, dtype);
  }

  /** The bytes of an array that is the only operand. */
  #bytesOf({ shape, dtype }: Reading): Extent {
    try {
      return this.core.count(shape, dtype);
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      const { code, detail, operandAxis, extent, otherExtent } = error;
      throw this.core.error({ code: code as ErrorCode, detail, operand: 0, operandAxis, extent, otherExtent });
    }
  }
}

/** The operands of the plan of result `i`. */
function operandsOf({ each }: Planned, operands: readonly Reading[], i: number): readonly Reading[] {
  return each.length === 1 ? operands : [operands[i] as Reading];
}

/** The operands' typed arrays. Null where the elements of one do not lie side by side in a typed array. */
function bareData(operands: readonly Reading[]): readonly Elements[] | null {
  const { length } = operands;
  const inputs = new Array<Elements>(length);
  for (let i = 0; i < length; ++i) {
    const operand = operands[i] as Reading;
    if (!isBare(operand)) return null;
    inputs[i] = operand.data;
  }
  return inputs;
}

/** Whether its elements lie side by side in a typed array. */
function isBare({ isTensor, source }: Reading): boolean {
  return !isTensor && source === null;
}

function isTensor(array: Reading): boolean {
  return array.isTensor;
}
