import type { Extent } from './extent.js';
import type { ShapeLike } from './extent.js';
import type { ErrorRecord } from './errors.js';
import type { ClauseName, Relation, RepairKind, RuleName } from './vocabulary.js';

/** One operand along one axis of the result. */
export interface AlignedCell<E extends Extent = number> {
  /** The operand's axis that lies on this one; null where it has none (`insert`). */
  readonly sourceAxis: number | null;
  /** How the operand's axis stands to the result's: `match`, `stretch`, `insert` or `conflict`. */
  readonly relation: Relation;
  /** The clause that decides this cell: a key of `bl.vocabulary.clauses`. */
  readonly clause: ClauseName;
  /** The operand's extent; 1 where it has no such axis. */
  readonly extent: E;
  /**
   * The operand's stride along the axis, in elements of a dense row-major array; 0 where the operand is repeated. In the
   * example of {@link Alignment}, A has strides 4, 0, 1 and B has 0, 1, 0. Null along a `conflict`, for the target shape,
   * beyond 2^63 - 1, and where the rule could not place the axes (the error is neither `incompatible` nor `overflow`).
   */
  readonly stride: E | null;
}

/** One axis of the result. */
export interface AlignedAxis<E extends Extent = number> {
  /** Counted from 0, the outermost. */
  readonly axis: number;
  /** The result's extent; where `conflict`, the extent of the first operand that clashes. */
  readonly extent: E;
  /** Whether extents clash along it. */
  readonly conflict: boolean;
  /** One cell for each operand, in their order. */
  readonly cells: readonly AlignedCell<E>[];
  /** The cell of the target shape, for rules that take one. */
  readonly target: AlignedCell<E> | null;
  /** One sentence: why the axis is as it is. */
  readonly why: string;
}

/** Two operands whose extents clash along one axis. -2 stands for the target shape. */
export interface Conflict<E extends Extent = number> {
  /** The axis of the result. */
  readonly axis: number;
  /** The operand at fault. */
  readonly operand: number;
  /** The one that it clashes with. */
  readonly otherOperand: number;
  /** The same axis as the operand counts its own. */
  readonly operandAxis: number;
  /** The same axis as the other operand counts its own. */
  readonly otherAxis: number;
  /** The operand's extent. */
  readonly extent: E;
  /** The other operand's extent. */
  readonly otherExtent: E;
  /** The clause that is broken: a key of `bl.vocabulary.clauses`. */
  readonly clause: ClauseName;
}

/** A change that makes the shapes fit. It was tried. */
export interface Repair<E extends Extent = number> {
  readonly kind: RepairKind;
  /** The operand whose shape changes; -2 for the target shape, null where no shape changes. */
  readonly operand: number | null;
  /** That operand's shape after the change. */
  readonly shape: readonly E[] | null;
  /** The rule after the change. */
  readonly rule: RuleName;
  /** The axis to give; null where the rule stays, or does not take one. */
  readonly axis: number | null;
  /** The mapping to give; null likewise. */
  readonly axesMapping: readonly number[] | null;
  /** The result's shape after the change. */
  readonly result: readonly E[];
}

/** Indexes `begin` to `end` (not included) along one axis. */
export interface IndexRange<E extends Extent = number> {
  /** The first index. */
  readonly begin: E;
  /** The index after the last. */
  readonly end: E;
}

/**
 * What a rule says about given shapes, as data: made by `bl.align`. (2,1,4) with (3,1) under `numpy`:
 *
 *     axis      0         1          2
 *     A         2 match   1 stretch  4 match
 *     B         . insert  3 match    1 stretch
 *     result    2         3          4
 */
export interface Alignment<E extends Extent = number> {
  /** The rule that was asked. */
  readonly rule: RuleName;
  /** The result's shape; null where the shapes do not fit. */
  readonly shape: readonly E[] | null;
  /** The operands' shapes as they were given. */
  readonly operands: readonly (readonly E[])[];
  /** The target shape as it was given; null where there was none. */
  readonly targetShape: readonly E[] | null;
  /** For `pdpd`: the axis of A that B begins at, with -1 resolved; else null. */
  readonly startAxis: number | null;
  /** One for each axis of the result. */
  readonly axes: readonly AlignedAxis<E>[];
  /** The first error in the order of the rules; null where the shapes fit. */
  readonly error: ErrorRecord | null;
  /** Every clash of extents, leftmost axis first. */
  readonly conflicts: readonly Conflict<E>[];
  /**
   * Whether operands stretch to each other along different axes, so that the result is larger than each of them: right for
   * an outer product, and otherwise a common mistake.
   */
  readonly growsBoth: boolean;
  /** A sentence or two: whether the shapes fit, and what repeats. */
  readonly verdict: string;
  /**
   * Which element of operand `operand` feeds the result's cell `index`: one index for each axis of the operand.
   *
   * @throws BroadcastError with the alignment's own error where the shapes do not fit; `extent` where the index is not
   * one of a cell; `arity` where there is no such operand.
   * @example
   * bl.align('numpy', [[2, 1, 4], [3, 1]]).sourceOf(1, [1, 2, 3]); // [2, 0]
   */
  sourceOf(operand: number, index: ShapeLike): E[];
  /**
   * Which cells of the result read element `index` of operand `operand`. They are a box: one range for each axis of the
   * result.
   *
   * @throws As `sourceOf`.
   * @example
   * bl.align('numpy', [[2, 1, 4], [3, 1]]).fanOut(1, [2, 0]); // 0..2, 2..3, 0..4
   */
  fanOut(operand: number, index: ShapeLike): IndexRange<E>[];
  /**
   * At most six small changes that make the shapes fit, the likeliest first. None where the shapes fit.
   */
  repairs(): Repair<E>[];
}
