// Prepares arrays for a message to the worker: copied, moved or shared. Their form is recognised in this thread,
// because objects lose their class when they are cloned. The worker checks everything else.

import type { TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';
import { faultOf, isBroadcastError } from '../types/errors.js';
import { fromElsewhere, isFormFault, unsupported } from '../types/fault.js';
import { noArray, recognise, type FormName, type Recognised } from '../operands/recognise.js';
import { sourceOf } from '../operands/strided.js';
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

/** An array that was prepared: what is sent, and what is kept in this thread. */
export interface Packed {
  readonly sent: SentOperand;
  /** Undefined where the form was not recognised. */
  readonly form: FormName | undefined;
  /** The given typed array; null for values without one. */
  readonly data: TypedArray | null;
}

/** The arrays of one call. */
export class Shipment {
  /** The buffers to move with the message, which detaches them in this thread. */
  readonly moved = new Set<ArrayBufferLike>();
  readonly #transfer: boolean;
  readonly #copies = new Map<TypedArray, Elements>();

  /** @param transfer Whether the caller's arrays are moved instead of copied. */
  constructor(transfer: boolean) {
    this.#transfer = transfer;
  }

  /** Prepares an operand of any form. */
  operand(given: unknown): Packed {
    return pack(given, (data) => (this.#goes(data) ? this.#itself(data) : this.#copy(data)));
  }

  /**
   * Prepares an `out`. If it is neither moved nor shared, a substitute is sent, from which the result is copied: all of it,
   * so that an `out` whose elements lie apart has no substitute.
   */
  out(given: unknown): Packed {
    return pack(given, (data, recognised) => {
      if (this.#goes(data)) return this.#itself(data);
      if (!isDense(recognised)) {
        const message = 'elements that lie apart are written in place: share their memory, or give transfer: true.';
        throw unsupported(undefined, message);
      }
      return this.#make(data, lengthOf.call(data));
    });
  }

  #goes(data: TypedArray): boolean {
    return this.#transfer || isOfSharedMemory(data);
  }

  #itself(data: TypedArray): TypedArray {
    if (!isOfSharedMemory(data)) this.moved.add(bufferOf.call(data));
    return data;
  }

  /** Copies the elements of the array alone; cloning it would copy its whole buffer. */
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

/** Whether the elements are consecutive. True as well where strides are wrong, which the worker reports. */
function isDense({ data, shape, dtype, strides, offset }: Recognised): boolean {
  try {
    const extents = Array.from(shape as ArrayLike<unknown>, Number);
    return strides === undefined || sourceOf(data as TypedArray, dtype as DType, extents, strides, offset).dense;
  } catch {
    return true;
  }
}

function pack(given: unknown, bring: (data: TypedArray, recognised: Recognised) => unknown): Packed {
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
    // The list may be a proxy, as in the state of some frameworks; proxies cannot be cloned.
    const extents: unknown = Array.isArray(shape) ? Array.from(shape) : shape;
    // An array that was moved before has no elements. That is no error here: the shape may have none either.
    const isEmpty = lengthOf.call(data) === 0;
    const elements = isEmpty ? new (classOf(typedArrayName.call(data) as ClassName))(0) : bring(data, recognised);
    const array = { data: elements, shape: extents, dtype };
    const isPlain = strides === undefined && offset === 0;
    return { sent: isPlain ? array : { ...array, ...(strides && { strides }), offset }, form, data };
  } catch (fault) {
    if (isBroadcastError(fault)) throw fault;
    const { fields, message, value } = isFormFault(fault) ? fault : fromElsewhere('reading it', fault);
    return { sent: { fault: { fields, message, value: plainValue(value) } }, form: undefined, data: null };
  }
}

/** Whether the array is in a SharedArrayBuffer. */
export function isOfSharedMemory(data: TypedArray): boolean {
  return Object.prototype.toString.call(bufferOf.call(data)) === '[object SharedArrayBuffer]';
}
