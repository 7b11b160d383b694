// Runs a plan on typed arrays: their bytes go into the module's memory, the result's bytes come out of it.

import type { Extent } from './alignment.js';
import { OUTPUT, wrap, type BytesPlace, type Reading } from './arguments.js';
import type { NdArray, TypedArray } from './arrays.js';
import type { DType } from './vocabulary.js';
import { bytesOf, type Core, type PlanFacts, type Request } from './core.js';
import { isBroadcastError, type ErrorRecord } from './errors.js';

const ALIGNMENT = 64;

/** What every error about a result says. */
type Where = Pick<ErrorRecord, 'op' | 'rule' | 'operand'>;

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
  const plan = afterLengths(core, request, operands, () => core.plan(request));
  try {
    operands.forEach((array, i) => checkLength(core, request, array, i, plan.bytes[i]));
    if (out !== undefined) checkResults(core, request, plan, operands, out);
    return compute(core, request, plan, operands, (pieces) => core.run(plan, pieces), out);
  } finally {
    core.releasePlan(plan);
  }
}

/** Sums `array`, the first shape of `request`, to its second; the result goes where that of `runPlan` does. */
export function runSumTo(core: Core, request: Request, array: Reading, out?: Reading): NdArray {
  afterLengths(core, request, [array], () => core.sumTo(request));
  const shape = request.shapes[1] as readonly Extent[];
  const { dtype } = array;
  const results: Results = {
    shape: shape.map((extent) => (Number.isSafeInteger(Number(extent)) ? Number(extent) : extent)),
    results: [{ dtype, bytes: core.count(shape, dtype) }],
    bytes: [core.count(array.shape, dtype)],
  };
  checkLength(core, request, array, 0, results.bytes[0]);
  const targets = out && [out];
  if (targets !== undefined) checkResults(core, request, results, [array], targets);
  const run = (pieces: readonly number[]) => core.sumTo(request, pieces);
  return compute(core, request, results, [array], run, targets)[0] as NdArray;
}

/** What is known of results before they are computed. */
type Results = Omit<PlanFacts, 'handle'>;

function compute(
  core: Core,
  request: Request,
  plan: Results,
  operands: readonly Reading[],
  run: (pieces: readonly number[]) => void,
  out?: readonly Reading[],
): NdArray[] {
  const where = { op: request.op ?? null, rule: request.rule ?? null, operand: OUTPUT };
  // One piece of memory holds all, one after the other: operands, then results. `pieces` is place and size of each.
  const pieces: number[] = [];
  let total = 0;
  const add = (bytes: Extent) => {
    pieces.push(total, Number(bytes));
    total += Math.ceil(Number(bytes) / ALIGNMENT) * ALIGNMENT;
  };
  for (const bytes of plan.bytes) add(bytes);
  for (const { bytes } of plan.results) add(bytes);
  const memory = allocate(core, where, plan, total);
  try {
    const shape = exactShape(core, where, plan);
    for (let i = 0; i < pieces.length; i += 2) (pieces[i] as number) += memory;
    const piece = (i: number) => [pieces[2 * i], pieces[2 * i + 1]] as [place: number, size: number];
    operands.forEach((array, i) => {
      const [place, size] = piece(i);
      core.bytes(place, size).set(bytesOf(array.place, size));
    });
    // All of them, before the first is written to.
    const targets = out?.map((array, i) => bytesOf(array.place, piece(operands.length + i)[1]));
    run(pieces);
    return plan.results.map(({ dtype }, i) => {
      const [place, size] = piece(operands.length + i);
      targets?.[i]?.set(core.bytes(place, size));
      const data = out?.[i]?.data ?? copyOut(core, where, place, size, dtype);
      return { data, shape: shape.slice(), dtype } as NdArray;
    });
  } finally {
    core.release(memory);
  }
}

/** The error tells of the result alone: the largest, where there are several. */
function allocate(core: Core, where: Where, { results }: Results, total: number): number {
  try {
    return core.allocate(total);
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    const { dtype, bytes } = results.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    const fields = { ...where, extent: bytes, dtype };
    // All pieces together may be too large where the result is not.
    if (error.code !== 'limit' || bytes <= error.otherExtent) throw core.error({ ...fields, code: 'allocation' });
    throw core.error({ ...fields, code: 'limit', otherExtent: error.otherExtent });
  }
}

/** A result's shape is told in numbers, so they have to be exact; beyond 2^53 only an empty result gets here. */
function exactShape(core: Core, where: Where, plan: Results): number[] {
  return plan.shape.map((extent) => {
    if (typeof extent === 'number') return extent;
    throw core.error({ ...where, code: 'extent', detail: 'unsafe', extent }, extent);
  });
}

function copyOut(core: Core, where: Where, place: number, size: number, dtype: DType): TypedArray {
  try {
    return wrap(core.copy(place, size), dtype);
  } catch {
    throw core.error({ ...where, code: 'allocation', extent: size, dtype });
  }
}

/** What `ask` gives. Where it fails with a class that comes after `length`, the operands' lengths are judged first. */
export function afterLengths<T>(
  core: Core,
  request: Pick<Request, 'op' | 'rule'>,
  operands: readonly Reading[],
  ask: () => T,
): T {
  try {
    return ask();
  } catch (error) {
    const classes = Object.keys(core.vocabulary.errors);
    if (!isBroadcastError(error) || classes.indexOf(error.code) <= classes.indexOf('length')) throw error;
    operands.forEach((array, i) => {
      const bytes = countOrNull(core, array);
      if (bytes !== null) checkLength(core, request, array, i, bytes);
    });
    throw error;
  }
}

/** An operand's bytes; null where they cannot be counted. */
function countOrNull(core: Core, { shape, dtype }: Reading): Extent | null {
  try {
    return core.count(shape, dtype);
  } catch {
    return null;
  }
}

/** The data has to hold what its shape says: no less, and no more. */
export function checkLength(
  core: Core,
  { op, rule }: Pick<Request, 'op' | 'rule'>,
  { place, shape, dtype }: Reading,
  operand: number,
  bytes: Extent = core.count(shape, dtype),
): void {
  if (place.byteLength === bytes) return;
  const lengths = { extent: place.byteLength, otherExtent: bytes };
  throw core.error({ code: 'length', op: op ?? null, rule: rule ?? null, operand, ...lengths });
}

/** Each result has to be of the plan's type, shape and length, and may take an operand's place or none. */
function checkResults(
  core: Core,
  request: Request,
  plan: Results,
  operands: readonly Reading[],
  out: readonly Reading[],
): void {
  const where = { op: request.op ?? null, rule: request.rule ?? null, operand: OUTPUT };
  const { length } = plan.results;
  if (out.length !== length) {
    throw core.error({ ...where, code: 'arity', extent: out.length, otherExtent: length });
  }
  out.forEach((array, i) => {
    const { place, shape, dtype } = array;
    const { dtype: otherDtype, bytes } = plan.results[i] as PlanFacts['results'][number];
    if (dtype !== otherDtype) throw core.error({ ...where, code: 'dtype', detail: 'output', dtype, otherDtype });
    checkShape(core, where, shape, plan.shape);
    checkLength(core, request, array, OUTPUT, bytes);
    operands.forEach((operand, k) => {
      const replaces =
        (length === 1 || k === i) && isSamePlace(place, operand.place) && sameShape(shape, operand.shape);
      if (!replaces && overlap(place, operand.place)) throw core.error({ ...where, code: 'overlap', otherOperand: k });
    });
    if (out.slice(0, i).some((other) => overlap(place, other.place))) {
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

function isSamePlace(a: BytesPlace, b: BytesPlace): boolean {
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;
}

function overlap(a: BytesPlace, b: BytesPlace): boolean {
  return (
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
  );
}
