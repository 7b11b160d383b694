// Sums of arrays back to an operand's shape. The core asks for the segments of the array that it adds next.

import { exact, type Extent } from '../types/extent.js';
import type { Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import type { Tensors } from '../operands/tensor.js';
import { afterLengths, checkAll, whereOf, type Results } from './checks.js';
import type { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { SumState } from '../core/module.js';
import { resultClassOf } from '../elements/typed-arrays.js';
import type { DType } from '../types/vocabulary.js';
import type { Progress } from './in-blocks.js';
import { runInMemory, type Computed } from './in-memory.js';
import { exactShape, load, newArray, resultOf, store } from './transfer.js';

/** A sum in the module's memory. */
export class Sum {
  readonly #core: Core;
  readonly #handle: number;
  #state: SumState;

  /** @param inMemory Whether the array lies in the module's memory; then nothing else may be run before it is done. */
  constructor(core: Core, request: Request, inMemory: boolean) {
    this.#core = core;
    this.#handle = core.sum(request, inMemory);
    this.#state = core.sumState();
  }

  get state(): SumState {
    return this.#state;
  }

  /** Adds what the state asks for: it was copied to `state.place`, or the array lies at `input`. */
  add(input?: number): SumState {
    this.#core.addToSum(this.#handle, input);
    return (this.#state = this.#core.sumState());
  }

  release(): void {
    this.#core.releaseSum(this.#handle);
  }
}

/** Sums an array, the first shape of `request`, to its second, where the array or `out` is a tensor. */
export function sumInMemory(tensors: Tensors, request: Request, array: Reading, out: Reading | undefined): Computed {
  const { core } = tensors;
  ++core.arenaUses;
  const sum = begin(tensors, request, array, true);
  try {
    const results = resultsOf(request, sum);
    const targets = out && [out];
    checkAll(tensors, request, results, [array], targets);
    const run = ([from, , to]: readonly number[]) => {
      while (!sum.state.done) {
        const { place, result } = sum.add(from);
        const begin = (to as number) + result.begin;
        (core.views.Uint8Array as Uint8Array).copyWithin(begin, place, place + result.bytes);
      }
    };
    return runInMemory(tensors, request, results, [array], targets, run, () => true)[0] as Computed;
  } finally {
    sum.release();
  }
}

/**
 * The same for typed arrays, of which the segments that are added next are copied into the module. In between, the caller
 * may do other work with the same module.
 */
export function* sumInSteps(
  tensors: Tensors,
  request: Request,
  array: Reading,
  out: Reading | undefined,
): Generator<Progress, NdArray[]> {
  const { core } = tensors;
  const sum = begin(tensors, request, array, false);
  try {
    const { dtype } = array;
    const where = whereOf(request);
    const results = resultsOf(request, sum);
    checkAll(tensors, request, results, [array], out && [out]);
    const made = () => newArray(core, where, dtype, Number(sum.state.resultBytes));
    const target = out ?? { ...array, data: made(), held: resultClassOf(dtype), source: null };
    const extents = exactShape(core, where, results.shape);
    const total = Number(core.count(array.shape));
    while (!sum.state.done) {
      const { place, input, bytes } = sum.state;
      for (let i = 0; i < input.count; ++i) {
        load(core, array, input.begin + i * input.step, input.bytes, place + i * input.bytes);
      }
      const { result, added } = sum.add();
      store(core, target, result.begin, result.bytes, place);
      yield { done: bytes === 0 ? total : Math.floor((total * Number(added)) / Number(bytes)), total };
    }
    return [resultOf(target.data, extents, dtype, target.source)];
  } finally {
    sum.release();
  }
}

/** Begins a sum. Errors are those of the request, or of the array. */
export function begin(tensors: Tensors, request: Request, array: Reading, inMemory: boolean): Sum {
  try {
    return new Sum(tensors.core, request, inMemory);
  } catch (error) {
    throw afterLengths(tensors, request, [array], error);
  }
}

/** What is known of the sums before they are computed. */
export function resultsOf({ shapes, dtypes }: Request, { state }: Sum): Results {
  const dtype = (dtypes as readonly DType[])[1] as DType;
  const shape = (shapes[1] as readonly Extent[]).map(exact);
  return { shape, results: [{ dtype, bytes: state.resultBytes }], bytes: [state.bytes] };
}
