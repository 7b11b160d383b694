// Plans in the module's memory: what they say, their blocks, and the recent ones kept for calls alike.

import { sameExtents, type Extent } from '../types/extent.js';
import type { Core } from '../core/core.js';
import { sameFields, type Request } from '../core/fields.js';
import type { BlocksFacts, Box, PlanFacts, SumState } from '../core/module.js';
import {
  classOf,
  isPacked,
  resultClassOf,
  type ClassName,
  type Elements,
  type ElementsClass,
} from '../elements/typed-arrays.js';
import type { Views } from '../elements/views.js';
import type { DType } from '../types/vocabulary.js';

/** A plan in the module's memory. */
export class Planned {
  readonly request: Request;
  readonly facts: PlanFacts;
  /** The results' extents as numbers, where they are exact. */
  readonly shape: readonly number[] | null;
  readonly #core: Core;
  #blocks: Blocks | undefined;
  #bare: Bare | null | undefined;

  constructor(core: Core, request: Request) {
    this.#core = core;
    this.request = request;
    this.facts = core.plan(request);
    const { shape } = this.facts;
    this.shape = shape.every((extent) => typeof extent === 'number') ? (shape as readonly number[]) : null;
  }

  /** All of the one result, in blocks. */
  get blocks(): Blocks {
    return (this.#blocks ??= new Blocks(this.#core, this));
  }

  /** What is needed to run it on bare typed arrays; null where it is no single block, or has several results. */
  get bare(): Bare | null {
    if (this.#bare === undefined) {
      const isBare = this.facts.results.length === 1 && this.blocks.facts.count === 1;
      this.#bare = isBare ? new Bare(this.#core, this.request, this.facts, this.blocks.facts) : null;
    }
    return this.#bare;
  }

  /** Gives the plan's memory back; nothing of it may be used any more. */
  release(): void {
    this.#blocks?.release();
    this.#core.releasePlan(this.facts.handle);
  }
}

/** A plan of one block, for typed arrays of its operands' types and lengths. */
export class Bare {
  /** Of the blocks. */
  readonly handle: number;
  /** Of each operand: its class, its bytes, and whether the result may replace it. */
  readonly held: readonly ClassName[];
  readonly bytes: readonly number[];
  readonly mayReplace: readonly boolean[];
  readonly resultHeld: ClassName;
  readonly resultClass: ElementsClass;
  readonly resultBytes: number;
  readonly #core: Core;
  readonly #addresses: readonly number[];
  #views: Views | undefined;
  #places: readonly Elements[] = [];

  constructor(core: Core, request: Request, facts: PlanFacts, blocks: BlocksFacts) {
    const { dtype, bytes } = facts.results[0] as PlanFacts['results'][number];
    this.handle = blocks.handle;
    this.held = (request.dtypes as readonly DType[]).map((type) => resultClassOf(type));
    this.bytes = facts.bytes as readonly number[];
    this.mayReplace = request.shapes.map((shape) => sameExtents(shape, facts.shape));
    this.resultHeld = resultClassOf(dtype);
    this.resultClass = classOf(this.resultHeld);
    this.resultBytes = bytes as number;
    this.#core = core;
    this.#addresses = blocks.places;
  }

  /** Where the elements are: each operand's, then the result's. */
  get places(): readonly Elements[] {
    const { views } = this.#core;
    if (this.#views !== views) {
      this.#views = views;
      this.#places = this.#addresses.map((address, i) => {
        const view = views[this.held[i] ?? this.resultHeld];
        const size = view.BYTES_PER_ELEMENT;
        return view.subarray(address / size, (address + (this.bytes[i] ?? this.resultBytes)) / size);
      });
    }
    return this.#places;
  }
}

/** A plan cut into blocks, or a box of it. */
export class Blocks {
  readonly facts: BlocksFacts;
  /** Whether elements of the result may share a byte. */
  readonly isPacked: boolean;
  readonly #core: Core;
  #views: Views | undefined;
  #result: Elements | undefined;
  #resultHeld: ClassName | undefined;

  constructor(core: Core, planned: Planned, box?: Box) {
    this.#core = core;
    this.isPacked = isPacked((planned.facts.results[0] as PlanFacts['results'][number]).dtype);
    this.facts = core.blocks(planned.facts.handle, planned.facts.bytes.length, box);
  }

  /** where the result's segments are, as `elements` elements of a class. */
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

/** A sum in the module's memory, of an array that comes piece by piece or lies there, too. */
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

  /** Adds what was asked for: it was brought, or the array lies at `input`. */
  add(input?: number): SumState {
    this.#core.addToSum(this.#handle, input);
    return (this.#state = this.#core.sumState());
  }

  release(): void {
    this.#core.releaseSum(this.#handle);
  }
}

const MOST_YOUNG = 64;

/**
 * The plans of recent calls. Two generations: those that were asked for since the last change, and those before; whoever
 * is not asked for during a whole generation goes. A call that finds its plan writes nothing.
 */
export class RecentPlans {
  readonly #core: Core;
  #young = new Map<number, Planned[]>();
  #old = new Map<number, Planned[]>();
  #count = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The plan for a request; valid until the next one is asked for. */
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

// Names are not part of it: they are compared by identity, which is cheap.
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
