// Plans in the module's memory, their blocks, and the plans of recent calls.

import { sameExtents, type Extent } from '../types/extent.js';
import type { Core } from '../core/core.js';
import { newRequest, sameFields, type Request } from '../core/fields.js';
import type { Box, PlanFacts, BlocksFacts } from '../core/module.js';
import { isPacked, type ClassName, type Elements } from '../elements/typed-arrays.js';
import type { Views } from '../elements/views.js';
import type { DType } from '../types/vocabulary.js';
import type { Slot } from '../operands/tensor.js';
import { Bare } from './bare.js';
import type { Results } from './checks.js';

/** Three operands and a result. */
const MOST_SLOTS = 4;

/** A plan in the module's memory. */
export class Planned {
  readonly request: Request;
  readonly facts: PlanFacts;
  /** The result's extents as numbers. Null where one is not exact. */
  readonly shape: readonly number[] | null;
  /** What tensors have to be: the operands, then the result; null where there are more than `runAt` takes. */
  readonly slots: readonly Slot[] | null;
  readonly #core: Core;
  #blocks: Blocks | undefined;
  #bare: Bare | null | undefined;
  #each: readonly Planned[] | undefined;
  #isReleased = false;

  constructor(core: Core, request: Request) {
    this.#core = core;
    this.request = request;
    this.facts = core.plan(request);
    const { shape, results } = this.facts;
    const operands = request.shapes.map((extents, i) => ({ shape: extents, dtype: request.dtypes?.[i] as DType }));
    const slots = [...operands, ...results.map(({ dtype }) => ({ shape, dtype }))];
    this.slots = results.length === 1 && slots.length <= MOST_SLOTS ? slots : null;
    this.shape = shape.every((extent) => typeof extent === 'number') ? (shape as readonly number[]) : null;
  }

  /** The blocks of the one result. */
  get blocks(): Blocks {
    return (this.#blocks ??= new Blocks(this.#core, this));
  }

  /** The shortcut for bare typed arrays. Null where there are several results or blocks. */
  get bare(): Bare | null {
    if (this.#bare === undefined) {
      const isBare = this.facts.results.length === 1 && this.blocks.facts.count === 1;
      this.#bare = isBare ? new Bare(this.#core, this.request, this.facts, this.blocks.facts) : null;
    }
    return this.#bare;
  }

  /**
   * A plan for each result. That of the only result is this one; of several results, each has a plan that broadcasts one
   * operand, since no block has parts of all results. They have all the memory that they need.
   */
  get each(): readonly Planned[] {
    return (this.#each ??= this.facts.results.length === 1 ? [this] : this.#planEach());
  }

  #planEach(): Planned[] {
    const { op, shapes, dtypes } = this.request;
    const each: Planned[] = [];
    try {
      shapes.forEach((shape, i) => {
        const request = newRequest([shape], [(dtypes as readonly DType[])[i] as DType]);
        request.op = op;
        request.rule = 'broadcast_numpy';
        request.targetShape = this.facts.shape;
        const own = new Planned(this.#core, request);
        each.push(own);
        void own.blocks;
      });
      return each;
    } catch (error) {
      for (const own of each) own.release();
      throw error;
    }
  }

  /** Whether it is a plan of operands of these shapes and types, and was not released. */
  isOf(operands: readonly Slot[]): boolean {
    const { shapes, dtypes } = this.request;
    if (this.#isReleased || operands.length !== shapes.length) return false;
    for (let i = 0; i < shapes.length; ++i) {
      const { shape, dtype } = operands[i] as Slot;
      if (dtypes?.[i] !== dtype || !sameExtents(shapes[i], shape)) return false;
    }
    return true;
  }

  /** Gives the plan's memory back. Nothing of it may be used any more. */
  release(): void {
    this.#isReleased = true;
    for (const own of this.#each ?? []) if (own !== this) own.release();
    this.#blocks?.release();
    this.#core.releasePlan(this.facts.handle);
  }
}

/** A plan cut into blocks, or a box of it. */
export class Blocks {
  readonly facts: BlocksFacts;
  /** The box; undefined for all of the result. */
  readonly box: Box | undefined;
  /** What is known of the result, or of the box, before it is computed. */
  readonly results: Results;
  /** Whether elements of the result may share a byte. */
  readonly isPacked: boolean;
  readonly #core: Core;
  #views: Views | undefined;
  #result: Elements | undefined;
  #resultHeld: ClassName | undefined;

  constructor(core: Core, planned: Planned, box?: Box) {
    const { handle, bytes, results } = planned.facts;
    const { dtype } = results[0] as PlanFacts['results'][number];
    this.#core = core;
    this.box = box;
    this.isPacked = isPacked(dtype);
    this.facts = core.blocks(handle, bytes.length, box);
    this.results = { shape: this.facts.shape, results: [{ dtype, bytes: this.facts.bytes }], bytes };
  }

  /** The result of a block, as `elements` elements of a class. */
  result(held: ClassName, elements: number): Elements {
    const { views } = this.#core;
    if (this.#views !== views || this.#resultHeld !== held || this.#result?.length !== elements) {
      const view = views[held];
      const at = (this.facts.places.at(-1) as number) / view.BYTES_PER_ELEMENT;
      this.#views = views;
      this.#resultHeld = held;
      this.#result = view.subarray(at, at + elements);
    }
    return this.#result as Elements;
  }

  release(): void {
    this.#core.releaseBlocks(this.facts.handle);
  }
}

// How many plans a generation has.
const MOST_YOUNG = 64;

/**
 * The plans of recent calls, in two generations: those asked for since the generations last changed, and the ones before.
 * A plan that is not asked for during a whole generation is released. To find a plan of the young generation changes
 * nothing, so that repeated calls are fast.
 */
export class RecentPlans {
  readonly #core: Core;
  #young = new Map<number, Planned[]>();
  #old = new Map<number, Planned[]>();
  #count = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The plan for a request. It may be released when another one is asked for. */
  get(request: Request): Planned {
    const hash = hashOf(request);
    const young = find(this.#young.get(hash), request);
    if (young !== undefined) return young;
    const old = this.#old.get(hash);
    const known = find(old, request);
    if (known !== undefined) old?.splice(old.indexOf(known), 1);
    const planned = known ?? new Planned(this.#core, request);
    this.#keep(hash, planned);
    return planned;
  }

  #keep(hash: number, planned: Planned): void {
    if (this.#count >= MOST_YOUNG) {
      for (const plans of this.#old.values()) for (const plan of plans) plan.release();
      this.#old = this.#young;
      this.#young = new Map();
      this.#count = 0;
    }
    const alike = this.#young.get(hash);
    if (alike === undefined) this.#young.set(hash, [planned]);
    else alike.push(planned);
    ++this.#count;
  }
}

function find(plans: readonly Planned[] | undefined, request: Request): Planned | undefined {
  if (plans === undefined) return undefined;
  for (const planned of plans) if (same(planned.request, request)) return planned;
  return undefined;
}

// Of the shapes alone: names are compared faster than they are hashed.
function hashOf({ shapes }: Request): number {
  let hash = shapes.length;
  for (let i = 0; i < shapes.length; ++i) {
    const shape = shapes[i] as readonly Extent[];
    hash = Math.imul(hash ^ shape.length, 0x01000193);
    for (let axis = 0; axis < shape.length; ++axis) {
      hash = Math.imul(hash ^ Number(shape[axis]), 0x01000193);
    }
  }
  return hash;
}

function same(a: Request, b: Request): boolean {
  const { length } = a.shapes;
  if (b.shapes.length !== length || !sameFields(a, b)) return false;
  for (let i = 0; i < length; ++i) {
    if (a.dtypes?.[i] !== b.dtypes?.[i] || !sameExtents(a.shapes[i], b.shapes[i])) return false;
  }
  return true;
}
