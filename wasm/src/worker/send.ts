// Arrays made ready for their way to the worker: copied, moved, or shared. Whatever form they have is recognised here,
// since objects of classes lose what they are when they are cloned; what they mean is the worker's to judge.

import type { TypedArray } from '../types/data.js';
import { faultOf, isBroadcastError } from '../types/errors.js';
import { fromElsewhere, isFormFault, unsupported } from '../types/fault.js';
import { noArray, recognise, type FormName } from '../operands/recognise.js';
import { Tensor } from '../operands/tensor.js';
import {
  bufferOf,
  byteLengthOf,
  classOf,
  lengthOf,
  typedArrayName,
  type ClassName,
  type Elements,
} from '../elements/typed-arrays.js';
import { plainValue, type SentOperand } from './messages.js';

/** An array on its way: what is sent, and what of it stays here. */
export interface Packed {
  readonly sent: SentOperand;
  /** Undefined where it was not recognised. */
  readonly form: FormName | undefined;
  /** Its elements, as they were given; null for values without a typed array. */
  readonly data: TypedArray | null;
}

/** The arrays of one call. */
export class Shipment {
  /** The buffers that go with the message, and are detached here. */
  readonly moved = new Set<ArrayBufferLike>();
  readonly #transfer: boolean;
  readonly #copies = new Map<TypedArray, Elements>();

  /** @param transfer Whether the caller's arrays are moved; else they are copied. */
  constructor(transfer: boolean) {
    this.#transfer = transfer;
  }

  /** An operand, whatever it is. */
  operand(given: unknown): Packed {
    return pack(given, (data) => (this.#goes(data) ? this.#itself(data) : this.#copy(data)));
  }

  /** Where a result goes: itself, or a stand-in from which the elements are copied when they are there. */
  out(given: unknown): Packed {
    return pack(given, (data) => (this.#goes(data) ? this.#itself(data) : this.#make(data, lengthOf.call(data))));
  }

  #goes(data: TypedArray): boolean {
    return this.#transfer || isOfSharedMemory(data);
  }

  #itself(data: TypedArray): TypedArray {
    if (!isOfSharedMemory(data)) this.moved.add(bufferOf.call(data));
    return data;
  }

  /** Of the array alone: to clone it would be to copy all of the buffer that it is a view of. */
  #copy(data: TypedArray): Elements {
    let copy = this.#copies.get(data);
    if (copy === undefined) {
      copy = this.#make(data, data as unknown as Elements);
      this.#copies.set(data, copy);
    }
    return copy;
  }

  #make(data: TypedArray, source: Elements | number): Elements {
    const bytes = byteLengthOf.call(data);
    try {
      const made = new (classOf(typedArrayName.call(data) as ClassName))(source);
      this.moved.add(bufferOf.call(made));
      return made;
    } catch {
      const message = `There is no memory for a copy of ${bytes} bytes; with transfer: true arrays are moved instead.`;
      throw faultOf('allocation', message, { extent: bytes });
    }
  }
}

function pack(given: unknown, bring: (data: TypedArray) => unknown): Packed {
  try {
    if (Tensor.isOne(given)) {
      throw unsupported(
        undefined,
        'a tensor lies in the memory of this thread; give what read() gives, with its shape.',
      );
    }
    const recognised = recognise(given);
    if (recognised === null) throw noArray(given);
    const { form, data, shape, dtype, strides, offset } = recognised;
    if (data === undefined) return { sent: { plain: given }, form, data: null };
    // A list may be a proxy, as frameworks for pages make them, and proxies cannot be cloned.
    const extents: unknown = Array.isArray(shape) ? Array.from(shape) : shape;
    // Nothing is left of an array that was moved before; it is no error yet to have no elements.
    const isEmpty = lengthOf.call(data) === 0;
    const elements = isEmpty ? new (classOf(typedArrayName.call(data) as ClassName))(0) : bring(data);
    const array = { data: elements, shape: extents, dtype };
    const isDense = strides === undefined && offset === 0;
    return { sent: isDense ? array : { ...array, ...(strides && { strides }), offset }, form, data };
  } catch (fault) {
    if (isBroadcastError(fault)) throw fault;
    const { fields, message, value } = isFormFault(fault) ? fault : fromElsewhere('reading it', fault);
    return { sent: { fault: { fields, message, value: plainValue(value) } }, form: undefined, data: null };
  }
}

/** Whether several threads have the memory that it lies in. */
export function isOfSharedMemory(data: TypedArray): boolean {
  return Object.prototype.toString.call(bufferOf.call(data)) === '[object SharedArrayBuffer]';
}
