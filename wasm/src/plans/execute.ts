// Runs plans on what callers have. Typed arrays go through the module piece by piece: a block's segments are copied in, the
// block is computed, its result copied out, all of it in the cache, so that the module's memory is as large for gigabytes
// as for kilobytes. Tensors lie in the module's memory and are computed where they are.

import { exact, type Extent } from '../types/extent.js';
import { OUTPUT, type Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import type { TypedArray } from '../types/data.js';
import { afterLengths, checkAll, checkLength, sameShape, whereOf, type Results, type Where } from './checks.js';
import type { Core } from '../core/core.js';
import { newRequest, type Request } from '../core/fields.js';
import type { Box, PlanFacts } from '../core/module.js';
import { isBroadcastError } from '../types/errors.js';
import { gather, sourceOf } from '../operands/strided.js';
import { meet, partOf } from '../elements/places.js';
import { Blocks, Planned, RecentPlans, Sum } from './planned.js';
import { isSpread, spread } from './spread.js';
import { Tensor, Tensors, type Place } from '../operands/tensor.js';
import {
  bufferOf,
  byteLengthOf,
  classOf,
  entriesOf,
  holderOf,
  resultClassOf,
  setElements,
  typedArrayName,
  type ClassName,
  type Elements,
} from '../elements/typed-arrays.js';
import type { DType, ErrorCode } from '../types/vocabulary.js';

/** A result: a new typed array, the caller's, or a tensor. */
export type Computed = NdArray | Tensor;

/** How far a computation is. */
export interface Progress {
  /** Elements of the result that are done; of the array, where it is summed. */
  readonly done: number;
  /** Of how many; those of all results, where there are several. */
  readonly total: number;
}

// More bytes than typed arrays hold on any platform.
const MOST_BYTES = 2 ** 33;
// From so many bytes on a result that is made of long pieces is left to the platform's own copying.
const SPREAD_BYTES = 4096;

export class Executor {
  readonly core: Core;
  readonly tensors: Tensors;
  readonly #plans: RecentPlans;
  /** Counts uses of the arena: a use that finds another number than its own has lost what it put there. */
  #turn = 0;

  constructor(core: Core) {
    this.core = core;
    this.tensors = new Tensors(core);
    this.#plans = new RecentPlans(core);
  }

  /**
   * Plans and runs `request` on `operands`, into `out` where it is given. Whatever can fail does so before anything of
   * the caller's is written. Where `keepsForms`, results are tensors where their own operands are, else where any is.
   */
  run(request: Request, operands: readonly Reading[], out?: readonly Reading[], keepsForms = false): Computed[] {
    let planned: Planned;
    try {
      planned = this.#plans.get(request);
    } catch (error) {
      throw afterLengths(this.tensors, request, operands, error);
    }
    const inputs = bareData(operands);
    if (inputs !== null && (out === undefined || this.#fits(planned, out))) {
      const data = this.runBare(planned, inputs, out?.[0]?.data);
      if (data !== undefined) {
        const { dtype } = planned.facts.results[0] as PlanFacts['results'][number];
        return [result(data, planned.shape as readonly number[], dtype)];
      }
    }
    return this.runPlanned(planned, operands, out, keepsForms);
  }

  /**
   * As `run`, on typed arrays alone and piece by piece, for whoever does other work in between: tells after each block
   * how far it is. Whoever stops early leaves `out` written in part.
   */
  *runInSteps(
    request: Request,
    operands: readonly Reading[],
    out?: readonly Reading[],
  ): Generator<Progress, NdArray[]> {
    let planned: Planned;
    try {
      planned = new Planned(this.core, request); // kept ones are given back whenever others are asked for
    } catch (error) {
      throw afterLengths(this.tensors, request, operands, error);
    }
    try {
      checkAll(this.tensors, request, planned.facts, operands, out);
      const { results } = planned.facts;
      if (results.length === 1) return [yield* this.#stepsOfOne(planned, planned.blocks, operands, out?.[0])];
      const computed: NdArray[] = [];
      const each = this.#planEach(request, planned.facts, operands);
      try {
        for (const [i, own] of each.entries()) {
          const steps = this.#stepsOfOne(own, own.blocks, [operands[i] as Reading], out?.[i]);
          let step = steps.next();
          for (; step.done !== true; step = steps.next()) {
            const { done, total } = step.value;
            yield { done: i * total + done, total: results.length * total };
          }
          computed.push(step.value);
        }
      } finally {
        for (const own of each) own.release();
      }
      return computed;
    } finally {
      planned.release();
    }
  }

  /** The same with a plan at hand. No code of the caller's runs from here on. */
  runPlanned(planned: Planned, operands: readonly Reading[], out?: readonly Reading[], keepsForms = false): Computed[] {
    const { request, facts } = planned;
    checkAll(this.tensors, request, facts, operands, out);
    if (operands.some(isTensor) || out?.some(isTensor) === true) {
      const run = (memory: readonly number[]) => this.core.run(facts.handle, memory);
      const resident = (result: number) => !keepsForms || operands[result]?.isTensor === true;
      return this.#runInMemory(request, facts, operands, run, resident, out);
    }
    if (facts.results.length === 1) return [this.#runOnce(planned, operands, out?.[0])];
    return this.#runEach(request, facts, operands, out);
  }

  /**
   * The short way: a plan of one block on typed arrays of its types and lengths. Gives the result's data; undefined where
   * anything is otherwise, and then nothing was written and `runPlanned` says what.
   */
  runBare(planned: Planned, inputs: readonly unknown[], out: unknown): Elements | undefined {
    const { bare } = planned;
    if (bare === null || inputs.length !== bare.held.length) return undefined;
    const { places } = bare;
    const given = out as Elements | undefined;
    let buffer: ArrayBufferLike | undefined;
    if (given !== undefined) {
      if (typedArrayName.call(given) !== bare.resultHeld || byteLengthOf.call(given) !== bare.resultBytes) {
        return undefined;
      }
      buffer = bufferOf.call(given);
    }
    ++this.#turn;
    for (let i = 0; i < bare.held.length; ++i) {
      const input = inputs[i];
      if (typedArrayName.call(input) !== bare.held[i] || byteLengthOf.call(input) !== bare.bytes[i]) return undefined;
      if (buffer !== undefined) {
        if (input === out) {
          if (!bare.mayReplace[i]) return undefined;
        } else if (bufferOf.call(input) === buffer && meet(input as Elements, given as Elements)) {
          return undefined;
        }
      }
      setElements.call(places[i] as Elements, input as Elements, 0);
    }
    this.core.runBlock(bare.handle, 0);
    // Asked for again: to compute may need memory, which then has grown.
    const computed = bare.places[bare.held.length] as Elements;
    if (given === undefined) return new bare.resultClass(computed);
    setElements.call(given, computed, 0);
    return given;
  }

  /**
   * The same for tensors alone, which are computed where they are: gives `out`, or undefined where anything is otherwise.
   */
  runResident({ request, facts }: Planned, inputs: readonly unknown[], out: unknown): Tensor | undefined {
    const { length } = request.shapes;
    const memory: number[] = [];
    for (let i = 0; i <= length; ++i) {
      const tensor = (i < length ? inputs[i] : out) as Tensor;
      const place = Tensor.placeOrNull(tensor, this.tensors);
      if (place === null) return undefined;
      const dtype = i < length ? request.dtypes?.[i] : facts.results[0]?.dtype;
      const shape = (i < length ? request.shapes[i] : facts.shape) as readonly Extent[];
      if (tensor.dtype !== dtype || !sameShape(tensor.shape, shape)) return undefined;
      if (tensor === out && !sameShape(shape, facts.shape)) return undefined; // which it may not replace
      memory.push(place.address, place.bytes);
    }
    this.core.run(facts.handle, memory);
    return out as Tensor;
  }

  /** Runs the box of a plan with one result that `blocks` were made of. */
  runBox(planned: Planned, box: Box, blocks: Blocks, operands: readonly Reading[], out?: Reading): Computed {
    const { request, facts } = planned;
    const { shape, bytes } = blocks.facts;
    const { dtype } = facts.results[0] as PlanFacts['results'][number];
    const results = { shape, results: [{ dtype, bytes }], bytes: facts.bytes };
    const targets = out && [out];
    checkAll(this.tensors, request, results, operands, targets);
    if (operands.some(isTensor) || out?.isTensor === true) {
      const run = (memory: readonly number[]) => this.core.run(facts.handle, memory, box);
      return this.#runInMemory(request, results, operands, run, () => true, targets)[0] as Computed;
    }
    return this.#runBlocks(planned, blocks, operands, out);
  }

  #fits({ facts }: Planned, out: readonly Reading[]): boolean {
    const target = out[0] as Reading;
    const { dtype } = facts.results[0] as PlanFacts['results'][number];
    return out.length === 1 && isBare(target) && target.dtype === dtype && sameShape(target.shape, facts.shape);
  }

  /** Sums `array`, the first shape of `request`, to its second. */
  sumTo(request: Request, array: Reading, out?: Reading): Computed {
    if (!array.isTensor && out?.isTensor !== true) return lastOf(this.sumInSteps(request, array, out))[0] as Computed;
    const { core } = this;
    ++this.#turn; // the sums are in the arena
    const sum = this.#sum(request, array, true);
    try {
      const results = resultsOfSum(request, sum);
      const targets = out && [out];
      checkAll(this.tensors, request, results, [array], targets);
      const run = ([from, , to]: readonly number[]) => {
        while (!sum.state.done) {
          const { place, result } = sum.add(from);
          const begin = (to as number) + result.begin;
          (core.views.Uint8Array as Uint8Array).copyWithin(begin, place, place + result.bytes);
        }
      };
      return this.#runInMemory(request, results, [array], run, () => true, targets)[0] as Computed;
    } finally {
      sum.release();
    }
  }

  /** As `sumTo`, on typed arrays alone and piece by piece, for whoever does other work in between. */
  *sumInSteps(request: Request, array: Reading, out?: Reading): Generator<Progress, NdArray[]> {
    const sum = this.#sum(request, array, false);
    try {
      const { dtype } = array;
      const { core } = this;
      const where = whereOf(request);
      const results = resultsOfSum(request, sum);
      checkAll(this.tensors, request, results, [array], out && [out]);
      const data = out?.data ?? this.#newArray(where, dtype, Number(sum.state.resultBytes));
      const extents = exactShape(core, where, results.shape);
      const held = out?.held ?? resultClassOf(dtype);
      const size = data.BYTES_PER_ELEMENT;
      const total = Number(core.count(array.shape));
      while (!sum.state.done) {
        const { place, input, bytes } = sum.state;
        for (let i = 0; i < input.count; ++i) {
          this.#load(array, input.begin + i * input.step, input.bytes, place + i * input.bytes);
        }
        const { result, added } = sum.add();
        if (result.bytes > 0) {
          const at = place / size;
          setElements.call(data, core.views[held].subarray(at, at + result.bytes / size), result.begin / size);
        }
        yield { done: bytes === 0 ? total : Math.floor((total * Number(added)) / Number(bytes)), total };
      }
      return [result(data, extents, dtype)];
    } finally {
      sum.release();
    }
  }

  #sum(request: Request, array: Reading, inMemory: boolean): Sum {
    try {
      return new Sum(this.core, request, inMemory);
    } catch (error) {
      throw afterLengths(this.tensors, request, [array], error);
    }
  }

  /** A tensor with the elements of `array`. */
  tensor(array: Reading): Tensor {
    const { core } = this;
    const { dtype } = array;
    const where = { op: null, rule: null, operand: OUTPUT };
    const bytes = this.#bytesOf(array);
    checkLength(this.tensors, {}, array, 0, bytes);
    const shape = exactShape(core, where, array.shape.map(exact));
    const address = this.#allocate(where, { dtype, bytes });
    if (array.isTensor) {
      const from = (Tensor.placeOf(array.given, this.tensors) as Place).address;
      (core.views.Uint8Array as Uint8Array).copyWithin(address, from, from + Number(bytes));
    } else {
      this.#load(array, 0, Number(bytes), address);
    }
    return this.tensors.adopt({ address, bytes: Number(bytes) }, shape, dtype);
  }

  /** The bytes of an array that is taken by itself. */
  #bytesOf({ shape, dtype }: Reading): Extent {
    try {
      return this.core.count(shape, dtype);
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      const { code, detail, operandAxis, extent, otherExtent } = error;
      throw this.core.error({ code: code as ErrorCode, detail, operand: 0, operandAxis, extent, otherExtent });
    }
  }

  // --- Typed arrays -------------------------------------------------------------------------------------------------

  /** One result. */
  #runOnce(planned: Planned, operands: readonly Reading[], out: Reading | undefined): NdArray {
    const { request, facts } = planned;
    const { dtype, bytes } = facts.results[0] as PlanFacts['results'][number];
    const source = operands[0] as Reading;
    if (bytes > SPREAD_BYTES && source.source === null && isSpread(facts.loops, dtype)) {
      const data = out?.data ?? this.#newArray(whereOf(request), dtype, Number(bytes));
      spread(source.data, data, facts.loops, dtype);
      return result(data, exactShape(this.core, whereOf(request), facts.shape), dtype);
    }
    return this.#runBlocks(planned, planned.blocks, operands, out);
  }

  #runBlocks(planned: Planned, blocks: Blocks, operands: readonly Reading[], out: Reading | undefined): NdArray {
    return lastOf(this.#stepsOfOne(planned, blocks, operands, out));
  }

  /**
   * Runs block by block, and gives after each how many are done. Whoever takes their time in between may do other work
   * with the same module.
   */
  *#steps(blocks: Blocks, operands: readonly Reading[], out: Elements, held: keyof Core['views']): Generator<number> {
    const { core } = this;
    const { handle, count, places } = blocks.facts;
    const place = places[operands.length] as number;
    const size = out.BYTES_PER_ELEMENT;
    const segments = new Array<number>(2 * operands.length + 3).fill(0);
    const before = new Array<number>(2 * operands.length).fill(-1);
    const last = new (classOf(held))(1);
    let turn = ++this.#turn;
    for (let block = 0; block < count; ++block) {
      core.block(handle, block, segments);
      if (this.#turn !== turn) {
        before.fill(-1);
        turn = ++this.#turn;
      }
      for (let i = 0; i < operands.length; ++i) {
        const begin = segments[2 * i] as number;
        const bytes = segments[2 * i + 1] as number;
        if (before[2 * i] === begin && before[2 * i + 1] === bytes) continue;
        before[2 * i] = begin;
        before[2 * i + 1] = bytes;
        this.#load(operands[i] as Reading, begin, bytes, places[i] as number);
      }
      const begin = segments[2 * operands.length] as number;
      const bytes = segments[2 * operands.length + 1] as number;
      const shares = segments[2 * operands.length + 2] !== 0;
      if (blocks.isPacked && block > 0) {
        setElements.call(shares ? core.views[held] : out, last, shares ? place : begin - 1);
      }
      core.runBlock(handle, block);
      const computed = blocks.result(held, bytes / size);
      // The last byte waits for the block that may share it: where the result replaces an operand, that one's elements
      // are still to be read from it.
      if (blocks.isPacked && block + 1 < count) {
        setElements.call(last, computed.subarray(bytes - 1, bytes), 0);
        setElements.call(out, computed.subarray(0, bytes - 1), begin);
      } else {
        setElements.call(out, computed, begin / size);
      }
      yield block + 1;
    }
  }

  /** Copies bytes [begin, begin + bytes) of an operand's elements to a place in the memory. */
  #load({ data, held, source, dtype }: Reading, begin: number, bytes: number, place: number): void {
    if (bytes === 0) return; // detached memory is as good as any for it
    if (source !== null) {
      const Holder = holderOf(dtype);
      const size = entriesOf(dtype) * Holder.BYTES_PER_ELEMENT;
      const into = this.core.views[Holder.name as ClassName] as unknown as TypedArray;
      gather(source, begin / size, bytes / size, into, place / size, dtype);
      return;
    }
    const view = this.core.views[held];
    const size = view.BYTES_PER_ELEMENT;
    const all = begin === 0 && bytes === byteLengthOf.call(data);
    setElements.call(view, all ? data : partOf(data, held, begin / size, bytes / size), place / size);
  }

  /** One result, or the box of it that `blocks` are of. */
  *#stepsOfOne(
    planned: Planned,
    blocks: Blocks,
    operands: readonly Reading[],
    out: Reading | undefined,
  ): Generator<Progress, NdArray> {
    const where = whereOf(planned.request);
    const { dtype } = planned.facts.results[0] as PlanFacts['results'][number];
    const { bytes, count, elements, shape } = blocks.facts;
    // Before the shape, since an extent that is not exact is of a result without elements, or of one that nobody holds.
    const data = out?.data ?? this.#newArray(where, dtype, Number(bytes));
    const extents = exactShape(this.core, where, shape);
    const total = Number(elements);
    for (const block of this.#steps(blocks, operands, data, out?.held ?? resultClassOf(dtype))) {
      yield { done: Math.floor((total * block) / count), total };
    }
    return result(data, extents, dtype);
  }

  /** Several results. */
  #runEach(
    request: Request,
    facts: PlanFacts,
    operands: readonly Reading[],
    out: readonly Reading[] | undefined,
  ): NdArray[] {
    if (out === undefined) {
      return operands.map((operand) =>
        this.#runOnce(this.#plans.get(ownRequest(request, facts, operand)), [operand], out),
      );
    }
    const each = this.#planEach(request, facts, operands);
    try {
      return each.map((own, i) => this.#runOnce(own, [operands[i] as Reading], out[i]));
    } finally {
      for (const own of each) own.release();
    }
  }

  /**
   * One plan an operand, since no block has segments of all results; to be released. All are there before anything is
   * written, with all that they need.
   */
  #planEach(request: Request, facts: PlanFacts, operands: readonly Reading[]): Planned[] {
    const each: Planned[] = [];
    try {
      for (const operand of operands) {
        const own = new Planned(this.core, ownRequest(request, facts, operand));
        each.push(own);
        void own.blocks;
      }
      return each;
    } catch (error) {
      for (const own of each) own.release();
      throw error;
    }
  }

  #newArray(where: Where, dtype: DType, bytes: number): Elements {
    const Class = classOf(resultClassOf(dtype));
    try {
      return new Class(bytes / Class.BYTES_PER_ELEMENT);
    } catch {
      const fields = { ...where, extent: bytes, dtype };
      if (bytes < MOST_BYTES) throw this.core.error({ ...fields, code: 'allocation' });
      throw this.core.error({ ...fields, code: 'limit', otherExtent: MOST_BYTES - 1 });
    }
  }

  #copyOf(request: Request, Class: ReturnType<typeof classOf>, elements: Elements, dtype: DType): Elements {
    try {
      return new Class(elements);
    } catch {
      const extent = elements.length * Class.BYTES_PER_ELEMENT;
      throw this.core.error({ ...whereOf(request), code: 'allocation', extent, dtype });
    }
  }

  // --- In the module's memory ---------------------------------------------------------------------------------------

  /**
   * Runs on memory: tensors where they are, everything else in copies for the time being. Results are tensors where
   * `resident`.
   */
  #runInMemory(
    request: Request,
    facts: Results,
    operands: readonly Reading[],
    run: (memory: readonly number[]) => void,
    resident: (result: number) => boolean,
    out?: readonly Reading[],
  ): Computed[] {
    const { core } = this;
    const where = whereOf(request);
    const shape = exactShape(core, where, facts.shape);
    const passing: number[] = [];
    const kept: number[] = [];
    const memory: number[] = [];
    const borrow = (list: number[], of: { dtype: DType; bytes: Extent }) => {
      const address = this.#allocate(where, of);
      list.push(address);
      memory.push(address, Number(of.bytes));
      return address;
    };
    try {
      operands.forEach((operand, i) => {
        const bytes = Number(facts.bytes[i]);
        if (operand.isTensor && operand.dtype === (operand.given as Tensor).dtype) {
          memory.push((Tensor.placeOf(operand.given, this.tensors) as Place).address, bytes);
        } else if (operand.isTensor) {
          this.#convert(operand, bytes, borrow(passing, { dtype: operand.dtype, bytes }));
        } else {
          this.#load(operand, 0, bytes, borrow(passing, { dtype: operand.dtype, bytes }));
        }
      });
      const places = facts.results.map((of, i) => {
        const target = out?.[i];
        if (target?.isTensor !== true) return borrow(resident(i) && target === undefined ? kept : passing, of);
        const { address, bytes } = Tensor.placeOf(target.given, this.tensors) as Place;
        memory.push(address, bytes);
        return address;
      });
      run(memory);
      return facts.results.map(({ dtype, bytes }, i) => {
        const target = out?.[i];
        if (target?.isTensor === true) return target.given as Tensor;
        const address = places[i] as number;
        if (resident(i) && target === undefined) {
          kept.shift();
          return this.tensors.adopt({ address, bytes: Number(bytes) }, shape, dtype);
        }
        const held = target?.held ?? resultClassOf(dtype);
        const Class = classOf(held);
        const [at, length] = [address / Class.BYTES_PER_ELEMENT, Number(bytes) / Class.BYTES_PER_ELEMENT];
        const computed = core.views[held].subarray(at, at + length);
        if (target === undefined) return result(this.#copyOf(request, Class, computed, dtype), shape, dtype);
        if (length !== 0) setElements.call(target.data, computed, 0);
        return result(target.data, shape, dtype);
      });
    } finally {
      for (const address of passing.concat(kept)) core.release(address);
    }
  }

  /** Copies a tensor's elements to another place, as elements of another type. */
  #convert(operand: Reading, bytes: number, place: number): void {
    const { dtype, shape } = operand.given as Tensor;
    const { address, bytes: length } = Tensor.placeOf(operand.given, this.tensors) as Place;
    const Holder = holderOf(dtype);
    const buffer = bufferOf.call(this.core.views.Uint8Array);
    const data = new Holder(buffer, address, length / Holder.BYTES_PER_ELEMENT);
    this.#load({ ...operand, source: sourceOf(data, dtype, shape) }, 0, bytes, place);
  }

  /** The error tells of what the memory is for. */
  #allocate(where: Where, { dtype, bytes }: { readonly dtype: DType; readonly bytes: Extent }): number {
    try {
      return this.core.allocate(Number(bytes));
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      const fields = { ...where, extent: bytes, dtype };
      if (error.code === 'limit') throw this.core.error({ ...fields, code: 'limit', otherExtent: error.otherExtent });
      const lent = 'Memory cannot grow inside view(): do this before or after it.';
      throw this.core.error({ ...fields, code: 'allocation' }, undefined, this.core.isLent ? lent : undefined);
    }
  }
}

/** What a generator returns in the end. */
function lastOf<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** What is known of the sums of an array beforehand. */
function resultsOfSum({ shapes, dtypes }: Request, { state }: Sum): Results {
  const dtype = (dtypes as readonly DType[])[1] as DType;
  const shape = (shapes[1] as readonly Extent[]).map(exact);
  return { shape, results: [{ dtype, bytes: state.resultBytes }], bytes: [state.bytes] };
}

/** What gives one of several results. */
function ownRequest({ op }: Request, { shape: target }: PlanFacts, { shape, dtype }: Reading): Request {
  const request = newRequest([shape], [dtype]);
  request.op = op;
  request.rule = 'broadcast_numpy';
  request.targetShape = target;
  return request;
}

function result(data: Elements, shape: readonly number[], dtype: DType): NdArray {
  return { data: data as unknown, shape: shape.slice(), dtype } as NdArray;
}

/** Their typed arrays, where the elements of each lie side by side in one. */
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

/** A result's shape is told in numbers, so they have to be exact; beyond 2^53 only an empty result gets here. */
function exactShape(core: Core, where: Where, shape: readonly Extent[]): number[] {
  return shape.map((extent) => {
    if (typeof extent === 'number') return extent;
    throw core.error({ ...where, code: 'extent', detail: 'unsafe', extent }, extent);
  });
}
