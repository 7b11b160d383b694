// Runs on tensors, which lie in the module's memory, and on copies there of operands and results that are typed arrays.

import type { Extent } from '../types/extent.js';
import type { Reading } from '../operands/arguments.js';
import type { NdArray } from '../operands/arrays.js';
import { whereOf, type Results } from './checks.js';
import type { Request } from '../core/fields.js';
import { sourceOf } from '../operands/strided.js';
import { Tensor, type Place, type Tensors } from '../operands/tensor.js';
import { bufferOf, holderOf, resultClassOf } from '../elements/typed-arrays.js';
import type { DType } from '../types/vocabulary.js';
import { allocate, copyOf, exactShape, load, resultOf, store } from './transfer.js';

/** A result: a new typed array, the caller's, or a tensor. */
export type Computed = NdArray | Tensor;

/**
 * @param run Computes: gets address and bytes of each operand, then of each result.
 * @param resident Whether a result that has no place in `out` becomes a tensor.
 */
export function runInMemory(
  tensors: Tensors,
  request: Request,
  facts: Results,
  operands: readonly Reading[],
  out: readonly (Reading | undefined)[] | undefined,
  run: (memory: readonly number[]) => void,
  resident: (result: number) => boolean,
): Computed[] {
  const { core } = tensors;
  const where = whereOf(request);
  const shape = exactShape(core, where, facts.shape);
  // Addresses of the copies, which are released at the end, and of new tensors, which are released if anything fails.
  const passing: number[] = [];
  const kept: number[] = [];
  const memory: number[] = [];
  const borrow = (list: number[], of: { dtype: DType; bytes: Extent }) => {
    const address = allocate(core, where, of);
    list.push(address);
    memory.push(address, Number(of.bytes));
    return address;
  };
  try {
    operands.forEach((operand, i) => {
      const bytes = Number(facts.bytes[i]);
      if (operand.isTensor && operand.dtype === (operand.given as Tensor).dtype) {
        memory.push((Tensor.placeOf(operand.given, tensors) as Place).address, bytes);
      } else if (operand.isTensor) {
        convert(tensors, operand, bytes, borrow(passing, { dtype: operand.dtype, bytes }));
      } else {
        load(core, operand, 0, bytes, borrow(passing, { dtype: operand.dtype, bytes }));
      }
    });
    const places = facts.results.map((of, i) => {
      const target = out?.[i];
      if (target?.isTensor !== true) return borrow(resident(i) && target === undefined ? kept : passing, of);
      const { address, bytes } = Tensor.placeOf(target.given, tensors) as Place;
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
        return tensors.adopt({ address, bytes: Number(bytes) }, shape, dtype);
      }
      if (target !== undefined) {
        store(core, target, 0, Number(bytes), address);
        return resultOf(target.data, shape, dtype, target.source);
      }
      const held = resultClassOf(dtype);
      const view = core.views[held];
      const size = view.BYTES_PER_ELEMENT;
      const computed = view.subarray(address / size, (address + Number(bytes)) / size);
      return resultOf(copyOf(core, where, held, computed, dtype), shape, dtype);
    });
  } finally {
    for (const address of passing.concat(kept)) core.release(address);
  }
}

/** Copies a tensor's elements to an address, as elements of another type. */
function convert(tensors: Tensors, operand: Reading, bytes: number, address: number): void {
  const { core } = tensors;
  const { dtype, shape } = operand.given as Tensor;
  const place = Tensor.placeOf(operand.given, tensors) as Place;
  const Holder = holderOf(dtype);
  const buffer = bufferOf.call(core.views.Uint8Array);
  const data = new Holder(buffer, place.address, place.bytes / Holder.BYTES_PER_ELEMENT);
  load(core, { ...operand, source: sourceOf(data, dtype, shape) }, 0, bytes, address);
}
