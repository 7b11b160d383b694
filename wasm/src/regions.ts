// The entry `broadloom/regions`: which elements of the operands a box of a result is computed from, and plans of boxes. It
// is read from the core's alignment, and knows no rule.

import type { Broadloom } from './api/broadloom.js';
import type { Plan } from './plans/plan.js';
import type { PlannedType } from './signatures/inference.js';
import type { AlignOptions, PlanOptions } from './signatures/options.js';
import type { Alignment, IndexRange } from './types/alignment.js';
import { faultOf, type BroadcastError } from './types/errors.js';
import type { Extent, ShapeLike } from './types/extent.js';
import type { DType, OpName, OpTable } from './types/vocabulary.js';
import { isList } from './values/lists.js';
import { propertiesOf } from './values/properties.js';
import { show } from './values/show.js';

export type { RegionPlan };
export { BroadcastError, isBroadcastError } from './types/errors.js';

/** The operand number that stands for the result in errors. */
const RESULT = -3;

/** What it takes to compute a box. */
export interface RegionCost {
  /** Bytes of all input regions together, each as a dense array. */
  readonly read: number;
  /** Bytes of the box, as a dense array. */
  readonly written: number;
  /** The most memory in use at once: the sum of both. Copies, and the module's own 4 MiB, are not counted. */
  readonly peak: number;
}

/**
 * An operator on operands of given shapes and types, computed box by box: with it, a store of chunks or a pool of workers
 * computes a result that is in no memory as a whole. Made by {@link planRegions}.
 *
 * The elements of an operand that a box needs always form a box as well, its input region: along an axis on which the operand
 * lies, the range of the box; along an axis that repeats, [0, 1). Any division of the result into boxes, computed in any
 * order, gives the bits of the whole.
 */
class RegionPlan<D extends DType = DType, L extends readonly DType[] = readonly DType[]> {
  /** The result's extents. */
  readonly shape: readonly number[];
  /** The result's element type. */
  readonly dtype: D;
  /** The operands' extents. */
  readonly operands: readonly (readonly Extent[])[];
  /** The operands' element types. */
  readonly dtypes: L;
  readonly #bl: Broadloom;
  readonly #op: OpName;
  readonly #rule: string;
  readonly #options: PlanOptions;
  /** @internal Of each operand: for each of its axes the axis of the result on which it lies; null where it repeats. */
  readonly places: readonly (readonly (number | null)[])[];

  /** @internal Made by `planRegions`. */
  constructor(bl: Broadloom, plan: Plan<D, L>, options: PlanOptions) {
    this.#bl = bl;
    this.#op = plan.op;
    this.#rule = plan.rule;
    this.#options = options;
    this.shape = plan.shape;
    this.dtype = plan.dtype;
    this.operands = plan.operands;
    this.dtypes = plan.dtypes;
    this.places = placesOf(this.#align(plan.operands, options), plan.operands);
    Object.freeze(this);
  }

  /**
   * The input regions of a box: for each operand a range along each of its axes. A box without elements needs none: all
   * ranges are empty.
   *
   * @param box For each axis of the result, the first index of the box and the one after its last.
   * @throws BroadcastError `extent` where the box is not inside the result.
   * @example
   * const plan = planRegions(bl, 'Add', 'numpy', [[1000, 8], [8]], ['f32', 'f32']);
   * plan.inputRegions([{ begin: 10, end: 12 }, { begin: 0, end: 8 }]);
   * // [[{ begin: 10, end: 12 }, { begin: 0, end: 8 }], [{ begin: 0, end: 8 }]]
   */
  inputRegions(box: readonly IndexRange[]): IndexRange[][] {
    const ranges = this.#readBox(box);
    const isEmpty = ranges.some(({ begin, end }) => begin === end);
    const region = (axis: number | null) => {
      if (isEmpty) return { begin: 0, end: 0 };
      return axis === null ? { begin: 0, end: 1 } : { ...(ranges[axis] as IndexRange) };
    };
    return this.places.map((places) => places.map(region));
  }

  /**
   * The plan that computes a box, of operands that have the shapes of the box's input regions. Boxes whose ranges are equally
   * long have equal plans.
   *
   * @throws BroadcastError `extent` where the box is not inside the result or has no elements, so that there is nothing to
   * compute; `allocation`.
   * @example
   * const plan = planRegions(bl, 'Add', 'numpy', [[1000, 8], [8]], ['f32', 'f32']);
   * const rows = plan.within([{ begin: 10, end: 12 }, { begin: 0, end: 8 }]);
   * rows.operands; // [[2, 8], [8]]
   * rows.run([new Float32Array(16), new Float32Array(8)]).shape; // [2, 8]
   */
  within(box: readonly IndexRange[]): Plan<D, L> {
    const shape = this.#readBox(box).map(lengthOf);
    if (shape.includes(0)) throw this.#refuse(`The box ${this.#bl.formatShape(shape)} has no elements.`, box);
    const shapes = this.inputRegions(box).map((region) => region.map(lengthOf));
    const { targetShape, ...rest } = this.#options;
    const options = targetShape === undefined ? rest : { ...rest, targetShape: shape };
    // Elements are those of the whole if each axis of a block with several elements lies where the operand's axis does: of
    // the others index 0 is read, wherever they lie.
    const { axes, error } = this.#align(shapes, options);
    const isSame =
      error === null &&
      axes.length === shape.length &&
      axes.every(({ extent }, axis) => extent === shape[axis]) &&
      shapes.every((extents, i) =>
        extents.every((extent, k) => extent === 1 || axes[this.places[i]?.[k] as number]?.cells[i]?.sourceAxis === k),
      );
    if (!isSame) throw new Error(`The rule ${this.#rule} places blocks otherwise than whole operands.`);
    return this.#bl.plan(this.#op, this.#rule as never, shapes, this.dtypes, options) as unknown as Plan<D, L>;
  }

  /**
   * What it takes to compute a box.
   *
   * @throws BroadcastError `extent` where the box is not inside the result.
   * @example
   * const plan = planRegions(bl, 'Add', 'numpy', [[1000, 8], [8]], ['f32', 'f32']);
   * plan.cost([{ begin: 10, end: 12 }, { begin: 0, end: 8 }]); // { read: 96, written: 64, peak: 160 }
   */
  cost(box: readonly IndexRange[]): RegionCost {
    const bytes = (ranges: readonly IndexRange[], dtype: DType) =>
      Number(this.#bl.countBytes(ranges.map(lengthOf), dtype));
    const regions = this.inputRegions(box);
    const read = regions.reduce((sum, region, i) => sum + bytes(region, this.dtypes[i] as DType), 0);
    const written = bytes(this.#readBox(box), this.dtype);
    return { read, written, peak: read + written };
  }

  #align(shapes: readonly ShapeLike[], options: PlanOptions): Alignment {
    const { attrs: _, ...shapeOptions } = options;
    return this.#bl.align(this.#rule as never, shapes as readonly number[][], shapeOptions as AlignOptions<number[]>);
  }

  #readBox(box: unknown): IndexRange[] {
    if (!isList(box)) throw this.#refuse(`A box is a list of {begin, end}, not ${show(box)}.`, box);
    if (box.length !== this.shape.length) {
      throw this.#refuse(
        `The ranges of a box are as many as the result has axes: ${this.shape.length}, not ${box.length}.`,
        box,
      );
    }
    return this.shape.map((extent, axis) => {
      const range = propertiesOf(Object(box[axis]) as object, ['begin', 'end']);
      const { begin, end } = range as { readonly begin: number; readonly end: number };
      if (Number.isInteger(begin) && Number.isInteger(end) && 0 <= begin && begin <= end && end <= extent) {
        return { begin, end };
      }
      const reason = `The box, axis ${axis}: ${show(begin)} to ${show(end)} is no range of indexes from 0 to ${extent}.`;
      throw this.#refuse(reason, box, axis);
    });
  }

  #refuse(message: string, value: unknown, axis: number | null = null): BroadcastError {
    const where = { op: this.#op, rule: this.#rule as never, operand: RESULT, operandAxis: axis };
    return faultOf('extent', message, where, value);
  }
}

/**
 * Makes ready what computes an operator box by box; see {@link RegionPlan}. The arguments are those of `bl.plan`.
 *
 * @param bl Of the `load` of `broadloom` or `broadloom/inline`.
 * @throws BroadcastError as `bl.plan`.
 * @example
 * import { load } from 'broadloom';
 * import { planRegions } from 'broadloom/regions';
 * const plan = planRegions(await load(), 'Mul', 'pdpd', [[8, 64, 64], [8]], ['f32', 'f32'], { axis: 0 });
 * plan.inputRegions([{ begin: 2, end: 3 }, { begin: 0, end: 64 }, { begin: 0, end: 64 }])[1]; // [{ begin: 2, end: 3 }]
 */
export function planRegions<O extends OpName, const L extends readonly DType[]>(
  bl: Broadloom,
  op: O,
  rule: OpTable[O]['rules'],
  shapes: readonly ShapeLike[],
  dtypes: L,
  options?: PlanOptions<O>,
): RegionPlan<PlannedType<O, L>, L> {
  // Read once, as the caller may change the lists.
  const own = typeof options === 'object' && options !== null ? copyOf(options) : options;
  const plan = bl.plan(op, rule, shapes, dtypes, own);
  plan.dispose();
  return new RegionPlan(bl, plan, (own ?? {}) as PlanOptions);
}

function copyOf<O extends object>(options: O): O {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      isList(value) ? Array.from(value as ArrayLike<unknown>) : value,
    ]),
  ) as O;
}

function placesOf({ axes }: Alignment, operands: readonly (readonly Extent[])[]): (number | null)[][] {
  const places = operands.map((extents) => extents.map((): number | null => null));
  for (const { axis, cells } of axes) {
    cells.forEach(({ sourceAxis, relation }, i) => {
      if (sourceAxis !== null && relation === 'match') (places[i] as (number | null)[])[sourceAxis] = axis;
    });
  }
  return places;
}

function lengthOf({ begin, end }: IndexRange): number {
  return end - begin;
}
