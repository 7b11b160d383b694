// Checks operands and `out` against a plan: that operands are as long as their shapes say, and that results may go into
// `out`. These are the last checks: no code of the caller's runs between them and the computation.

import { sameExtent, sameShape, type Extent } from '../types/extent.js';
import { OUTPUT, placeOf, sizeOf, type Reading } from '../operands/arguments.js';
import type { Core } from '../core/core.js';
import type { Request } from '../core/fields.js';
import type { PlanFacts } from '../core/module.js';
import { isBroadcastError, type ErrorRecord } from '../types/errors.js';
import { isSamePlace, overlap } from '../elements/places.js';
import { isSame } from '../operands/strided.js';
import type { Tensor, Tensors } from '../operands/tensor.js';
import { lengthOf } from '../elements/typed-arrays.js';

/** The fields of every error about a result. */
export type Where = Pick<ErrorRecord, 'op' | 'rule' | 'operand'>;

export function whereOf({ op, rule }: Pick<Request, 'op' | 'rule'>): Where {
  return { op: op ?? null, rule: rule ?? null, operand: OUTPUT };
}

/** What is known of results, and of the bytes of operands, before they are computed. */
export type Results = Pick<PlanFacts, 'shape' | 'results' | 'bytes'>;

/** Checks the operands' lengths, then the results. */
export function checkAll(
  tensors: Tensors,
  request: Request,
  results: Results,
  operands: readonly Reading[],
  out: readonly Reading[] | undefined,
): void {
  for (let i = 0; i < operands.length; ++i) {
    checkLength(tensors, request, operands[i] as Reading, i, results.bytes[i] as Extent);
  }
  if (out !== undefined) checkResults(tensors, request, results, operands, out);
}

/**
 * What to throw where the core has refused a request. Errors have an order: before one whose class comes after `length`,
 * the operands' lengths are checked.
 */
export function afterLengths(
  tensors: Tensors,
  request: Pick<Request, 'op' | 'rule'>,
  operands: readonly Reading[],
  error: unknown,
): unknown {
  const { core } = tensors;
  const classes: readonly string[] = core.names('errors');
  if (!isBroadcastError(error) || classes.indexOf(error.code) <= classes.indexOf('length')) return error;
  operands.forEach((array, i) => {
    const bytes = countOrNull(core, array);
    if (bytes !== null) checkLength(tensors, request, array, i, bytes);
  });
  return error;
}

/** An operand's bytes; null where they cannot be counted. */
function countOrNull(core: Core, { shape, dtype }: Reading): Extent | null {
  try {
    return core.count(shape, dtype);
  } catch {
    return null;
  }
}

/** Checks that the data has exactly the bytes that its shape needs. */
export function checkLength(
  tensors: Tensors,
  { op, rule }: Pick<Request, 'op' | 'rule'>,
  array: Reading,
  operand: number,
  bytes: Extent = tensors.core.count(array.shape, array.dtype),
): void {
  const { source } = array;
  if (source !== null) {
    // It was checked when it was made; a getter may have detached the buffer since.
    const entries = lengthOf.call(source.data);
    if (entries === source.entries || source.count === 0) return;
    const width = source.data.BYTES_PER_ELEMENT;
    const lengths = { extent: entries * width, otherExtent: source.entries * width };
    throw tensors.core.error({ code: 'length', op: op ?? null, rule: rule ?? null, operand, ...lengths });
  }
  if (array.isTensor && array.dtype !== (array.given as Tensor).dtype) return;
  const size = sizeOf(array, tensors);
  if (size === bytes) return;
  const lengths = { extent: size, otherExtent: bytes };
  throw tensors.core.error({ code: 'length', op: op ?? null, rule: rule ?? null, operand, ...lengths });
}

/** Checks that each `out` has the result's type, shape and length, and is one of the operands or overlaps none. */
function checkResults(
  tensors: Tensors,
  request: Request,
  plan: Results,
  operands: readonly Reading[],
  out: readonly Reading[],
): void {
  const { core } = tensors;
  const where = whereOf(request);
  const { length } = plan.results;
  if (out.length !== length) {
    throw core.error({ ...where, code: 'arity', extent: out.length, otherExtent: length });
  }
  for (let i = 0; i < length; ++i) {
    const array = out[i] as Reading;
    const { shape, dtype } = array;
    const { dtype: otherDtype, bytes } = plan.results[i] as PlanFacts['results'][number];
    if (dtype !== otherDtype) throw core.error({ ...where, code: 'dtype', detail: 'output', dtype, otherDtype });
    checkShape(core, { ...where, detail: 'output' }, shape, plan.shape);
    checkLength(tensors, request, array, OUTPUT, bytes);
    const place = placeOf(array, tensors);
    for (let k = 0; k < operands.length; ++k) {
      const operand = operands[k] as Reading;
      const other = placeOf(operand, tensors);
      if (!overlap(place, other)) continue;
      const replaces =
        (length === 1 || k === i) &&
        isSamePlace(place, other) &&
        sameShape(shape, operand.shape) &&
        isSame(array.source, operand.source);
      if (!replaces) throw core.error({ ...where, code: 'overlap', otherOperand: k });
    }
    if (out.slice(0, i).some((other) => overlap(place, placeOf(other, tensors)))) {
      throw core.error({ ...where, code: 'overlap', otherOperand: OUTPUT });
    }
  }
}

/** Checks that a shape is the one that is expected. */
export function checkShape(core: Core, where: object, shape: readonly Extent[], expected: readonly Extent[]): void {
  const refuse = (fields: object) => core.error({ ...where, code: 'incompatible', ...fields });
  if (shape.length !== expected.length) throw refuse({ extent: shape.length, otherExtent: expected.length });
  for (let axis = 0; axis < shape.length; ++axis) {
    const [extent, otherExtent] = [shape[axis] as Extent, expected[axis] as Extent];
    if (!sameExtent(extent, otherExtent)) throw refuse({ operandAxis: axis, extent, otherExtent });
  }
}
