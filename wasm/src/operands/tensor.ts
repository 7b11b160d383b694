/// <reference lib="esnext.disposable" preserve="true" />

import { show } from '../values/show.js';
import type { DataOf } from '../types/data.js';
import { sameShape, type Extent } from '../types/extent.js';
import type { Core } from '../core/core.js';
import { faultOf } from '../types/errors.js';
import { asked, kindOf } from '../values/properties.js';
import type { DType } from '../types/vocabulary.js';
import {
  byteLengthOf,
  classOf,
  holds,
  resultClassOf,
  setElements,
  typedArrayName,
  type ClassName,
  type Elements,
} from '../elements/typed-arrays.js';

/** The memory of a tensor. */
export interface Place {
  readonly address: number;
  readonly bytes: number;
}

/** The type and shape that a plan has for an operand or its result. */
export interface Slot {
  readonly dtype: DType;
  readonly shape: readonly Extent[];
}

/** The tensors of an instance. Releases the memory of those that are collected without having been disposed of. */
export class Tensors {
  readonly core: Core;
  #held = 0;
  #count = 0;
  readonly #net = new FinalizationRegistry<Place>((place) => this.#release(place));
  /** Memory of which a caller's function has a view, and the part of it whose tensors were disposed of meanwhile. */
  readonly #lent = new Set<Place>();
  readonly #waiting: Place[] = [];

  constructor(core: Core) {
    this.core = core;
  }

  /** Bytes that tensors hold. */
  get held(): number {
    return this.#held;
  }

  /** Tensors that are not disposed of. */
  get count(): number {
    return this.#count;
  }

  /** A tensor that owns `place`. */
  adopt<D extends DType>(place: Place, shape: readonly number[], dtype: D): Tensor<D> {
    const tensor = new Tensor(this, place, shape, dtype);
    this.#held += place.bytes;
    ++this.#count;
    this.#net.register(tensor, place, tensor);
    return tensor;
  }

  /** Gives a tensor's memory back: if a caller's function has a view of it, as soon as that has returned. */
  release(tensor: Tensor, place: Place): void {
    this.#net.unregister(tensor);
    if (this.#lent.has(place)) this.#waiting.push(place);
    else this.#release(place);
  }

  /** Calls `use`, which gets a view of `place`. That memory is not released before the outermost such call has returned. */
  lend<T>(place: Place, use: () => T): T {
    this.#lent.add(place);
    try {
      return this.core.lend(use);
    } finally {
      if (!this.core.isLent) {
        this.#lent.clear();
        for (const waiting of this.#waiting.splice(0)) this.#release(waiting);
      }
    }
  }

  #release(place: Place): void {
    this.core.release(place.address);
    this.#held -= place.bytes;
    --this.#count;
  }
}

/**
 * Elements in the module's own memory, which operators read and write without copying: for chains of operations.
 * `bl.tensor` makes one, and operators whose operands include one. It holds its memory until it is disposed of: by `using`,
 * by `dispose()`, or some time after nothing refers to it any more.
 *
 * @example
 * using a = bl.tensor({ data: new Float32Array([1, 2, 3]), shape: [3] });
 * using b = bl.mul(a, a);
 * b.read(); // Float32Array [1, 4, 9]
 */
export class Tensor<D extends DType = DType> {
  /** Extents, outermost axis first. */
  readonly shape: readonly number[];
  /** Its element type. */
  readonly dtype: D;
  readonly #tensors: Tensors;
  #place: Place | null;
  /** The slot for which the tensor was right last. */
  #slot: Slot | null = null;

  /** @internal Made by `Tensors`. */
  constructor(tensors: Tensors, place: Place, shape: readonly number[], dtype: D) {
    this.#tensors = tensors;
    this.#place = place;
    this.shape = Object.freeze(shape.slice());
    this.dtype = dtype;
    // Its properties describe its memory, and must not be changed.
    Object.freeze(this);
  }

  /** Whether it was disposed of. */
  get disposed(): boolean {
    return this.#place === null;
  }

  /**
   * A copy of its elements, as a new typed array.
   *
   * @throws BroadcastError `disposed`; `allocation`.
   */
  read(): DataOf[D] {
    const { address, bytes } = this.#here();
    const Class = classOf(resultClassOf(this.dtype));
    try {
      return new Class(this.#elements(address, bytes)) as unknown as DataOf[D];
    } catch {
      throw this.#tensors.core.error({ code: 'allocation', extent: bytes, dtype: this.dtype });
    }
  }

  /**
   * Replaces its elements.
   *
   * @param data A typed array of its element type and length.
   * @throws BroadcastError `disposed`; `dtype`, `length` where the array is of another type or length.
   */
  write(data: DataOf[D] | (D extends 'u8' ? Uint8ClampedArray : never)): void {
    const { address, bytes } = this.#here();
    const name: string | undefined = typedArrayName.call(data);
    const held = name === 'Uint8ClampedArray' && this.dtype === 'u8' ? resultClassOf('u8') : (name as ClassName);
    if (name === undefined || !holds(held, this.dtype)) {
      const given = name ?? show(data);
      const message = `A tensor of ${this.dtype} takes ${resultClassOf(this.dtype)}, not ${given}.`;
      throw faultOf('dtype', message, { dtype: this.dtype, detail: 'unsupported' });
    }
    const length = byteLengthOf.call(data);
    if (length !== bytes) {
      const message = `A tensor of ${bytes} bytes takes as many, not ${length}.`;
      throw faultOf('length', message, { extent: length, otherExtent: bytes });
    }
    if (bytes === 0) return; // the array may be detached
    setElements.call(this.#elements(address, bytes, held), data as unknown as Elements, 0);
  }

  /**
   * Calls `use` with a view of its elements, which may be read and written, without a copy, until `use` returns. After
   * that the array has no elements, so that it cannot be read once the memory is used for something else (of nested calls:
   * after the outermost). Meanwhile the module's memory cannot grow: what needs more fails. A tensor that is disposed of
   * meanwhile cannot be used any more, and gives its memory back after the outermost call.
   *
   * @param use Not an async function, since the array has no elements any more when that continues.
   * @returns What `use` returns.
   * @throws BroadcastError `disposed`; `attribute` for an async function, or one that returns a promise.
   * @example t.view((data) => data.reduce((sum, value) => sum + value, 0));
   */
  view<T>(use: (data: DataOf[D]) => T): T {
    const { address, bytes } = this.#here();
    if (typeof use !== 'function' || !asked(() => !kindOf(use).startsWith('Async'))) {
      throw faultOf('attribute', 'view takes a function that is done when it returns.', {});
    }
    const result = this.#tensors.lend(this.#here(), () => use(this.#elements(address, bytes) as unknown as DataOf[D]));
    if (asked(() => typeof (result as { then?: unknown } | null | undefined)?.then === 'function')) {
      throw faultOf(
        'attribute',
        'view takes no function that returns a promise: the array is gone when it returns.',
        {},
      );
    }
    return result;
  }

  /** Gives its memory back. Every use afterwards is an error, but for another `dispose()`. */
  dispose(): void {
    const place = this.#place;
    if (place === null) return;
    this.#place = null;
    this.#tensors.release(this, place);
  }

  #here(): Place {
    if (this.#place !== null) return this.#place;
    throw faultOf('disposed', 'This tensor was disposed of: make another one.', {});
  }

  #elements(address: number, bytes: number, held: ClassName = resultClassOf(this.dtype)): Elements {
    const view = this.#tensors.core.views[held];
    const size = view.BYTES_PER_ELEMENT;
    return view.subarray(address / size, (address + bytes) / size);
  }

  /** @internal Whether a value is a tensor of any instance of this copy of the package. Runs no code of the caller's. */
  static isOne(value: unknown): value is Tensor {
    return typeof value === 'object' && value !== null && #place in value;
  }

  /** @internal The address of a tensor of the slot's type and shape; -1 for anything else, or where it cannot be used. */
  static addressIn(slot: Slot, value: unknown, tensors: Tensors): number {
    if (!Tensor.isOne(value) || value.#tensors !== tensors || value.#place === null) return -1;
    if (value.#slot !== slot) {
      if (value.dtype !== slot.dtype || !sameShape(value.shape, slot.shape)) return -1;
      value.#slot = slot;
    }
    return value.#place.address;
  }

  /** @internal The memory of a tensor; null for anything else. Throws for one that cannot be used. */
  static placeOf(value: unknown, tensors: Tensors): Place | null {
    if (!Tensor.isOne(value)) return null;
    if (value.#tensors === tensors) return value.#here();
    throw faultOf(
      'dtype',
      "This tensor is another instance's: give { data: tensor.read(), shape: tensor.shape, dtype: tensor.dtype }.",
      {},
    );
  }
}

export interface Tensor<D extends DType = DType> {
  /** As `dispose()`: for `using`. */
  [Symbol.dispose](): void;
}

// A platform without Symbol.dispose has no `using`.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(Tensor.prototype, Symbol.dispose, { value: Tensor.prototype.dispose });
}
