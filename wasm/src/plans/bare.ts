// The shortcut for small calls: all operands and the result fit into one block, and are typed arrays of just the plan's
// types and lengths.

import { sameExtents } from '../types/extent.js';
import type { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { PlanFacts, BlocksFacts } from '../core/module.js';
import { meet } from '../elements/places.js';
import {
  bufferOf,
  byteLengthOf,
  classOf,
  resultClassOf,
  setElements,
  typedArrayName,
  type ClassName,
  type Elements,
  type ElementsClass,
} from '../elements/typed-arrays.js';
import type { Views } from '../elements/views.js';
import type { DType } from '../types/vocabulary.js';

/** A plan of one block, for typed arrays of its operands' types and lengths. */
export class Bare {
  /** Of the blocks. */
  readonly #handle: number;
  /** Of each operand: its class, its bytes, and whether the result may replace it. */
  readonly #held: readonly ClassName[];
  readonly #bytes: readonly number[];
  readonly #mayReplace: readonly boolean[];
  readonly #resultHeld: ClassName;
  readonly #resultClass: ElementsClass;
  readonly #resultBytes: number;
  readonly #core: Core;
  readonly #addresses: readonly number[];
  #views: Views | undefined;
  #elements: readonly Elements[] = [];

  constructor(core: Core, request: Request, facts: PlanFacts, blocks: BlocksFacts) {
    const { dtype, bytes } = facts.results[0] as PlanFacts['results'][number];
    this.#handle = blocks.handle;
    this.#held = (request.dtypes as readonly DType[]).map((type) => resultClassOf(type));
    this.#bytes = facts.bytes as readonly number[];
    this.#mayReplace = request.shapes.map((shape) => sameExtents(shape, facts.shape));
    this.#resultHeld = resultClassOf(dtype);
    this.#resultClass = classOf(this.#resultHeld);
    this.#resultBytes = bytes as number;
    this.#core = core;
    this.#addresses = blocks.places;
  }

  /**
   * Computes the result. Returns its data: `out`, or a new typed array. Undefined where an operand or `out` is not of the
   * plan's type and length, or they overlap; then nothing was written.
   */
  run(inputs: readonly unknown[], out: unknown): Elements | undefined {
    const held = this.#held;
    const { length } = held;
    if (inputs.length !== length) return undefined;
    const places = this.places;
    const given = out as Elements | undefined;
    let buffer: ArrayBufferLike | undefined;
    if (given !== undefined) {
      if (typedArrayName.call(given) !== this.#resultHeld || byteLengthOf.call(given) !== this.#resultBytes) {
        return undefined;
      }
      buffer = bufferOf.call(given);
    }
    ++this.#core.arenaUses;
    for (let i = 0; i < length; ++i) {
      const input = inputs[i];
      if (typedArrayName.call(input) !== held[i] || byteLengthOf.call(input) !== this.#bytes[i]) return undefined;
      if (buffer !== undefined) {
        if (input === out) {
          if (!this.#mayReplace[i]) return undefined;
        } else if (bufferOf.call(input) === buffer && meet(input as Elements, given as Elements)) {
          return undefined;
        }
      }
      setElements.call(places[i] as Elements, input as Elements, 0);
    }
    this.#core.runBlock(this.#handle, 0);
    // Made anew where the memory has grown, which computing may need.
    const computed = this.places[length] as Elements;
    if (given === undefined) return new this.#resultClass(computed);
    setElements.call(given, computed, 0);
    return given;
  }

  /**
   * Where the block is computed: the elements of each operand, then of the result. Not private: a private getter costs a
   * small call 5 %.
   */
  get places(): readonly Elements[] {
    const { views } = this.#core;
    if (this.#views !== views) {
      this.#views = views;
      this.#elements = this.#addresses.map((address, i) => {
        const view = views[this.#held[i] ?? this.#resultHeld];
        const size = view.BYTES_PER_ELEMENT;
        return view.subarray(address / size, (address + (this.#bytes[i] ?? this.#resultBytes)) / size);
      });
    }
    return this.#elements;
  }
}
