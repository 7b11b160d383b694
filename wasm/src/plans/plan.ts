/// <reference lib="esnext.disposable" preserve="true" />

import { Tensor } from '../operands/tensor.js';
import {
  asType,
  checkedOut,
  entryOf,
  noList,
  OUTPUT,
  readArray,
  readWhole,
  thrownElsewhere,
  type Reading,
} from '../operands/arguments.js';
import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';
import type { Extent } from '../types/extent.js';
import type { IndexRange } from '../types/alignment.js';
import type { AnyOperand, NdArray } from '../operands/arrays.js';
import type { TypedArray } from '../types/data.js';
import { checkShape } from './checks.js';
import type { Request } from '../core/fields.js';
import { faultOf } from '../types/errors.js';
import type { FittingInputs, Fit, Given, ProblemInPlan } from '../signatures/inference.js';
import type { AnyOut } from '../signatures/options.js';
import type { Computed, Executor } from './execute.js';
import { Planned, Blocks } from './planned.js';
import { propertiesOf } from '../values/properties.js';
import { holds, typedArrayName, type Elements } from '../elements/typed-arrays.js';
import type { DType, OpName, RuleName } from '../types/vocabulary.js';

/**
 * An operand of a plan: a typed array alone, of the operand's type and length, or an array, a tensor or values of its
 * shape.
 */
export type PlanInput = TypedArray | AnyOperand;

/** Where the result of a plan goes: a typed array alone, a dense array, or a tensor. */
export type PlanOut = TypedArray | AnyOut;

/**
 * An operator made ready for operands of given shapes and types, for calls that are repeated: `bl.plan` makes it.
 * Everything that follows from shapes and types has been computed and checked. A plan holds some of the module's memory
 * until it is disposed of, or some time after nothing refers to it any more.
 *
 * @example
 * const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
 * const out = new Float32Array(6);
 * plan.run([new Float32Array([1, 2, 3, 4, 5, 6]), new Float32Array([10, 20, 30])], out);
 * // out: 11 22 33 14 25 36
 */
export class Plan<D extends DType = DType, L extends readonly DType[] = readonly DType[]> {
  /** The operator. */
  readonly op: OpName;
  /** How the operands are matched. */
  readonly rule: RuleName;
  /** The result's extents. */
  readonly shape: readonly number[];
  /** The result's element type. */
  readonly dtype: D;
  /** The operands' extents. */
  readonly operands: readonly (readonly Extent[])[];
  /** The operands' element types. */
  readonly dtypes: L;
  readonly #executor: Executor;
  readonly #net: FinalizationRegistry<Planned>;
  // As `shape`, but not frozen: to copy a frozen list takes long.
  readonly #extents: readonly number[];
  #planned: Planned | null;

  /** @internal Made by `bl.plan`. */
  constructor(executor: Executor, net: FinalizationRegistry<Planned>, request: Request) {
    const planned = new Planned(executor.core, request);
    const { facts } = planned;
    this.#executor = executor;
    this.#net = net;
    this.#planned = planned;
    this.op = request.op as OpName;
    this.rule = request.rule as RuleName;
    this.#extents = facts.shape.map(Number);
    this.shape = Object.freeze(this.#extents.slice());
    this.dtype = facts.results[0]?.dtype as D;
    this.operands = Object.freeze(request.shapes.map((extents) => Object.freeze(extents.slice())));
    this.dtypes = Object.freeze((request.dtypes as readonly DType[]).slice()) as unknown as L;
    // Its properties are what it was made for, and must not be changed.
    Object.freeze(this);
    net.register(this, planned, this);
  }

  /**
   * Computes the whole result.
   *
   * @param inputs The operands, in order: typed arrays of the plan's types and lengths, arrays of its shapes, or tensors.
   * @param out Where the result goes: likewise, or an array with strides. It may be one of the inputs that has the result's
   * shape and type. Without it a new typed array is made, or a tensor where an input is one.
   * @throws BroadcastError `arity`, `dtype`, `length`, `incompatible`, `overlap` where inputs or `out` are not the plan's;
   * `allocation`; `disposed`.
   */
  run<const I extends readonly PlanInput[], const T extends PlanOut = never>(
    inputs: I & FittingInputs<L, I>,
    out?: Fit<T, ProblemInPlan<T, D>>,
  ): Given<D, I, 'array', T>;
  run(inputs: readonly unknown[], out?: unknown): Computed {
    const given = this.#entries(inputs);
    const planned = this.#here();
    if (Tensor.isOne(out)) {
      const tensor = this.#executor.runResident(planned, given, out);
      if (tensor !== undefined) return tensor;
    } else {
      const data = planned.bare?.run(given, out);
      if (data !== undefined)
        return { data: data as unknown, shape: this.#extents.slice(), dtype: this.dtype } as NdArray;
    }
    const operands = this.#readAll(given);
    const target = out === undefined ? undefined : [this.#read(out, OUTPUT, this.shape, this.dtype)];
    // `#here` again: to read an operand may have run code that disposes of the plan.
    return this.#executor.runPlanned(this.#here(), operands, target)[0] as Computed;
  }

  /**
   * Computes a box of the result. No other elements of the inputs are read than it needs.
   *
   * @param box For each axis of the result, the first index of the box and the one after its last.
   * @param inputs The operands, whole, as for `run`.
   * @param out Where the box goes: an array of the box's shape.
   * @throws BroadcastError as `run`; `extent` where the box is not inside the result.
   * @example
   * const plan = bl.plan('Add', 'numpy', [[1000, 8], [8]], ['f32', 'f32']);
   * plan.runRegion([{ begin: 10, end: 12 }, { begin: 0, end: 8 }], [a, b]); // rows 10 and 11
   */
  runRegion<const I extends readonly PlanInput[], const T extends PlanOut = never>(
    box: readonly IndexRange<Extent>[],
    inputs: I & FittingInputs<L, I>,
    out?: Fit<T, ProblemInPlan<T, D>>,
  ): Given<D, I, 'array', T>;
  runRegion(box: unknown, inputs: readonly unknown[], out?: unknown): Computed {
    const { core } = this.#executor;
    const where = { op: this.op, rule: this.rule, operand: OUTPUT };
    const length = listLength(box);
    if (length === -1) {
      throw core.error({ ...where, code: 'extent' }, box, `A box is a list of {begin, end}, not ${show(box)}.`);
    }
    if (length !== this.shape.length) {
      const counts = { extent: length, otherExtent: this.shape.length };
      throw core.error({ ...where, code: 'extent', detail: 'size', ...counts }, box);
    }
    const ranges = this.shape.map((_, axis) => {
      const place = { ...where, operandAxis: axis };
      const read = (value: unknown, name: string) =>
        readWhole(core, value, `The box, axis ${axis}, ${name}`, 'extent', place);
      let range: { readonly begin: unknown; readonly end: unknown };
      try {
        range = propertiesOf(Object((box as unknown[])[axis]) as object, ['begin', 'end']);
      } catch (cause) {
        throw thrownElsewhere(core, cause, `Reading axis ${axis} of the box`, { ...place, code: 'extent' });
      }
      return { begin: read(range.begin, 'begin'), end: read(range.end, 'end') };
    });
    const blocks = new Blocks(core, this.#here(), ranges);
    try {
      const operands = this.#readAll(this.#entries(inputs));
      const target = out === undefined ? undefined : this.#read(out, OUTPUT, blocks.facts.shape, this.dtype);
      const targets = target && [target];
      return this.#executor.runPlanned(this.#here(), operands, targets, false, blocks)[0] as Computed;
    } finally {
      blocks.release();
    }
  }

  /** Whether it was disposed of. */
  get disposed(): boolean {
    return this.#planned === null;
  }

  /** Gives its memory back. Every use afterwards is an error, but for another `dispose()`. */
  dispose(): void {
    const planned = this.#planned;
    if (planned === null) return;
    this.#planned = null;
    this.#net.unregister(this);
    planned.release();
  }

  #here(): Planned {
    if (this.#planned !== null) return this.#planned;
    throw faultOf('disposed', 'This plan was disposed of: make another one.', { op: this.op, rule: this.rule });
  }

  /** The inputs as they were given. Each is read once, since the list may be a proxy, which runs the caller's code. */
  #entries(inputs: readonly unknown[]): unknown[] {
    const { length } = this.#here().request.shapes;
    const { core } = this.#executor;
    const given = listLength(inputs);
    if (given === -1) throw noList(core, inputs, this.op, this.rule);
    if (given !== length) {
      const fields = { op: this.op, rule: this.rule, extent: given, otherExtent: length };
      throw core.error({ ...fields, code: 'arity' }, inputs);
    }
    // Array.from would take longer than to compute a small result.
    const entries: unknown[] = [];
    for (let i = 0; i < length; ++i) entries.push(entryOf(core, inputs, i));
    return entries;
  }

  #readAll(entries: readonly unknown[]): Reading[] {
    const { shapes, dtypes } = this.#here().request;
    return entries.map((entry, i) => this.#read(entry, i, shapes[i] as readonly Extent[], dtypes?.[i] as DType));
  }

  /** A typed array alone has the plan's shape. Its length is checked before the plan is run. */
  #read(value: unknown, operand: number, shape: readonly Extent[], dtype: DType): Reading {
    const held = typedArrayName.call(value);
    if (held !== undefined && holds(held, dtype)) {
      const data = value as Elements;
      return { given: value, form: 'array', data, held, isTensor: false, shape, dtype, source: null, plain: null };
    }
    const { core } = this.#executor;
    const bare = held === undefined ? value : { data: value, shape, dtype };
    const read = readArray(this.#executor.tensors, bare, this.op, operand);
    if (operand === OUTPUT) return checkedOut(core, read, this.op); // shape and type are checked with the result
    const array = read.plain === null ? read : asType(core, read, dtype, this.op, operand);
    const where = { op: this.op, rule: this.rule, operand };
    if (array.dtype !== dtype) {
      const fields = { ...where, code: 'dtype', detail: 'mixed', dtype: array.dtype, otherDtype: dtype } as const;
      throw core.error(fields);
    }
    checkShape(core, { ...where, detail: 'size' }, array.shape, shape);
    return array;
  }
}

export interface Plan<D extends DType, L extends readonly DType[]> {
  /** As `dispose()`: for `using`. */
  [Symbol.dispose](): void;
}

// A platform without Symbol.dispose has no `using`.
if (Symbol.dispose !== undefined) {
  Object.defineProperty(Plan.prototype, Symbol.dispose, { value: Plan.prototype.dispose });
}
