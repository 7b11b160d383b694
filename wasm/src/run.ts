// Runs a plan on typed arrays: their bytes go into the module's memory, the result's bytes come out of it.

import type { Extent } from './alignment.js';
import { OUTPUT, wrap, type Reading } from './arguments.js';
import type { NdArray, TypedArray } from './arrays.js';
import type { DType } from './vocabulary.js';
import { bytesOf, type Core, type PlanFacts, type Request } from './core.js';

const ALIGNMENT = 64;

/**
 * Plans and runs `request` on `operands`, into `out` where it is given, else into new arrays. Whatever can fail does
 * so before anything of the caller's is written.
 */
export function runPlan(
  core: Core,
  request: Request,
  operands: readonly Reading[],
  out?: readonly Reading[],
): NdArray[] {
  const plan = core.plan(request);
  try {
    operands.forEach((array, i) => checkLength(core, request, array, i, plan.bytes[i]));
    if (out !== undefined) checkResults(core, request, plan, operands, out);
    return compute(core, plan, operands, out);
  } finally {
    core.releasePlan(plan);
  }
}

function compute(core: Core, plan: PlanFacts, operands: readonly Reading[], out?: readonly Reading[]): NdArray[] {
  // One piece of memory holds all, one after the other: operands, then results. `pieces` is place and size of each.
  const pieces: number[] = [];
  let total = 0;
  const add = (bytes: Extent) => {
    pieces.push(total, Number(bytes));
    total += Math.ceil(Number(bytes) / ALIGNMENT) * ALIGNMENT;
  };
  for (const bytes of plan.bytes) add(bytes);
  for (const { bytes } of plan.results) add(bytes);
  const memory = core.allocate(total);
  try {
    const shape = exactShape(core, plan);
    for (let i = 0; i < pieces.length; i += 2) (pieces[i] as number) += memory;
    const piece = (i: number) => [pieces[2 * i], pieces[2 * i + 1]] as [place: number, size: number];
    operands.forEach(({ data }, i) => {
      const [place, size] = piece(i);
      core.bytes(place, size).set(bytesOf(data, size));
    });
    core.run(plan, pieces);
    return plan.results.map(({ dtype }, i) => {
      const [place, size] = piece(operands.length + i);
      const given = out?.[i];
      if (given !== undefined) bytesOf(given.data, size).set(core.bytes(place, size));
      return { data: given?.data ?? copyOut(core, place, size, dtype), shape: shape.slice(), dtype } as NdArray;
    });
  } finally {
    core.release(memory);
  }
}

/** A result's shape is told in numbers, so they have to be exact; beyond 2^53 only an empty result gets here. */
function exactShape(core: Core, plan: PlanFacts): number[] {
  return plan.shape.map((extent) => {
    if (typeof extent === 'number') return extent;
    throw core.error({ code: 'extent', detail: 'unsafe', operand: OUTPUT, extent }, extent);
  });
}

function copyOut(core: Core, place: number, size: number, dtype: DType): TypedArray {
  try {
    return wrap(core.copy(place, size), dtype);
  } catch {
    throw core.error({ code: 'allocation', operand: OUTPUT, extent: size, dtype });
  }
}

/** The data has to hold what its shape says: no less, and no more. */
export function checkLength(
  core: Core,
  { op, rule }: Pick<Request, 'op' | 'rule'>,
  { data, shape, dtype }: Reading,
  operand: number,
  bytes: Extent = core.count(shape, dtype),
): void {
  if (data.byteLength === bytes) return;
  const lengths = { extent: data.byteLength, otherExtent: bytes };
  throw core.error({ code: 'length', op: op ?? null, rule: rule ?? null, operand, ...lengths });
}

/** Each result has to be of the plan's type, shape and length, and may take an operand's place or none. */
function checkResults(
  core: Core,
  request: Request,
  plan: PlanFacts,
  operands: readonly Reading[],
  out: readonly Reading[],
): void {
  const where = { op: request.op ?? null, rule: request.rule ?? null, operand: OUTPUT };
  const { length } = plan.results;
  if (out.length !== length) {
    throw core.error({ ...where, code: 'arity', extent: out.length, otherExtent: length });
  }
  out.forEach((array, i) => {
    const { data, shape, dtype } = array;
    const { dtype: otherDtype, bytes } = plan.results[i] as PlanFacts['results'][number];
    if (dtype !== otherDtype) throw core.error({ ...where, code: 'dtype', detail: 'output', dtype, otherDtype });
    checkShape(core, where, shape, plan.shape);
    checkLength(core, request, array, OUTPUT, bytes);
    operands.forEach((operand, k) => {
      const replaces = (length === 1 || k === i) && isSamePlace(data, operand.data) && sameShape(shape, operand.shape);
      if (!replaces && overlap(data, operand.data)) throw core.error({ ...where, code: 'overlap', otherOperand: k });
    });
    if (out.slice(0, i).some((other) => overlap(data, other.data))) {
      throw core.error({ ...where, code: 'overlap', otherOperand: OUTPUT });
    }
  });
}

function checkShape(core: Core, where: object, shape: readonly Extent[], expected: readonly Extent[]): void {
  const refuse = (fields: object) => core.error({ ...where, code: 'incompatible', detail: 'output', ...fields });
  if (shape.length !== expected.length) throw refuse({ extent: shape.length, otherExtent: expected.length });
  for (let axis = 0; axis < shape.length; ++axis) {
    const [extent, otherExtent] = [shape[axis] as Extent, expected[axis] as Extent];
    if (!equal(extent, otherExtent)) throw refuse({ operandAxis: axis, extent, otherExtent });
  }
}

function sameShape(a: readonly Extent[], b: readonly Extent[]): boolean {
  return a.length === b.length && a.every((extent, i) => equal(extent, b[i] as Extent));
}

/** Whether two extents are the same, of which one may be a number and the other a bigint. */
function equal(a: Extent, b: Extent): boolean {
  return a == b;
}

function isSamePlace(a: TypedArray, b: TypedArray): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;
}

function overlap(a: TypedArray, b: TypedArray): boolean {
  return (
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
  );
}
