// Runs plans on typed arrays, block by block: what a block reads is copied into the module, the block is computed, and its
// part of the result is copied out. All of that stays in the cache, and the module's memory is as large for gigabytes as
// for kilobytes.

import type { Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import { whereOf } from './checks.js';
import type { Core } from '../core/core.js';
import type { PlanFacts } from '../core/module.js';
import { classOf, resultClassOf, setElements, type ClassName, type Elements } from '../elements/typed-arrays.js';
import type { Planned, Blocks } from './planned.js';
import { exactShape, load, newArray, resultOf, store } from './transfer.js';

/** How much of a computation is done. */
export interface Progress {
  /** Elements of the result that are done; of the array, where it is summed. */
  readonly done: number;
  /** Of how many; those of all results, where there are several. */
  readonly total: number;
}

/**
 * Computes the one result of a plan, or the box of it that `blocks` are of, and reports after each block how much is done.
 * In between, the caller may do other work with the same module.
 */
export function* runInBlocks(
  core: Core,
  planned: Planned,
  blocks: Blocks,
  operands: readonly Reading[],
  out: Reading | undefined,
): Generator<Progress, NdArray> {
  const where = whereOf(planned.request);
  const { dtype } = planned.facts.results[0] as PlanFacts['results'][number];
  const { bytes, count, elements, shape } = blocks.facts;
  // Before the extents are checked: a result that no memory holds is reported as such.
  const data = out?.data ?? newArray(core, where, dtype, Number(bytes));
  const extents = exactShape(core, where, shape);
  const total = Number(elements);
  for (const done of runEach(core, blocks, operands, data, out?.held ?? resultClassOf(dtype), out)) {
    yield { done: Math.floor((total * done) / count), total };
  }
  return resultOf(data, extents, dtype, out?.source);
}

/** Gives the number of blocks that are done. `target` is the caller's `out`, if there is one. */
function* runEach(
  core: Core,
  blocks: Blocks,
  operands: readonly Reading[],
  out: Elements,
  held: ClassName,
  target: Reading | undefined,
): Generator<number> {
  const { handle, count, places } = blocks.facts;
  const place = places[operands.length] as number;
  const size = out.BYTES_PER_ELEMENT;
  const segments = new Array<number>(2 * operands.length + 3).fill(0);
  // What lies in the arena: begin and bytes of each operand's segment.
  const before = new Array<number>(2 * operands.length).fill(-1);
  const last = new (classOf(held))(1);
  let use = ++core.arenaUses;
  for (let block = 0; block < count; ++block) {
    core.block(handle, block, segments);
    if (core.arenaUses !== use) {
      before.fill(-1);
      use = ++core.arenaUses;
    }
    for (let i = 0; i < operands.length; ++i) {
      const begin = segments[2 * i] as number;
      const bytes = segments[2 * i + 1] as number;
      if (before[2 * i] === begin && before[2 * i + 1] === bytes) continue;
      before[2 * i] = begin;
      before[2 * i + 1] = bytes;
      load(core, operands[i] as Reading, begin, bytes, places[i] as number);
    }
    const begin = segments[2 * operands.length] as number;
    const bytes = segments[2 * operands.length + 1] as number;
    const shares = segments[2 * operands.length + 2] !== 0;
    if (blocks.isPacked && block > 0) {
      setElements.call(shares ? core.views[held] : out, last, shares ? place : begin - 1);
    }
    core.runBlock(handle, block);
    if (target !== undefined && target.source !== null) {
      store(core, target, begin, bytes, place);
      yield block + 1;
      continue;
    }
    const computed = blocks.result(held, bytes / size);
    // The next block may share the last byte, which is therefore written after that: where the result replaces an operand,
    // elements of the operand are still to be read from it.
    if (blocks.isPacked && block + 1 < count) {
      setElements.call(last, computed.subarray(bytes - 1, bytes), 0);
      setElements.call(out, computed.subarray(0, bytes - 1), begin);
    } else {
      setElements.call(out, computed, begin / size);
    }
    yield block + 1;
  }
}

/** What a generator returns in the end. */
export function lastOf<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
