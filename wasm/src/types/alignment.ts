import type { Extent } from './extent.js';
import type { ShapeLike } from './extent.js';
import type {
  AlignmentDocument,
  Cause,
  CodeOptions,
  Comparison,
  QuestionCode,
  RepairCode,
  Warning,
} from './explanation.js';
import type { ErrorRecord } from './errors.js';
import type { ClauseName, CodeSystem, Grade, Relation, RepairKind, RuleName } from './vocabulary.js';
import type { InstanceOf } from '../values/globals.js';

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
  /** The result's extent; where `conflict`, the extent of the first operand of the conflict. */
  readonly extent: E;
  /** Whether extents conflict along it. */
  readonly conflict: boolean;
  /** One cell for each operand, in their order. */
  readonly cells: readonly AlignedCell<E>[];
  /** The cell of the target shape, for rules that take one. */
  readonly target: AlignedCell<E> | null;
  /** One sentence: why the axis is as it is. */
  readonly why: string;
}

/** Two operands whose extents conflict along one axis. -2 stands for the target shape. */
export interface Conflict<E extends Extent = number> {
  /** The axis of the result. */
  readonly axis: number;
  /** The operand at fault. */
  readonly operand: number;
  /** The one that it conflicts with. */
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
  /**
   * For `insert_axis` the axes of `shape` that are new; for `remove_axis` the axes of the old shape that go; for
   * `transpose` the old axis of each new one; for a changed extent its axis.
   */
  readonly axes: readonly number[];
  /** The rule after the change. */
  readonly rule: RuleName;
  /** The axis to give; null where the rule stays, or does not take one. */
  readonly axis: number | null;
  /** The mapping to give; null likewise. */
  readonly axesMapping: readonly number[] | null;
  /** How sure it is that the change is what was meant. */
  readonly grade: Grade;
  /** One sentence: what the result is after the change. */
  readonly meaning: string;
  /** Whether the target is an array that is written to, so that a new one is needed: see the option `pasted`. */
  readonly needsNewArray: boolean;
  /** The line of code in each system. */
  readonly code: RepairCode;
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
  /** Every conflict of extents, leftmost axis first. */
  readonly conflicts: readonly Conflict<E>[];
  /**
   * Whether there are several operands and each is repeated along some axis, so that the result is larger than any of
   * them. That is meant in an outer product, and otherwise a common mistake. False for a result without elements.
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
   * A few small changes that make the shapes fit, the likeliest first. None where the shapes fit.
   *
   * @throws BroadcastError `not_loaded` before `await bl.loadExplanations()`.
   */
  repairs(): Repair<E>[];
  /**
   * The likeliest cause; null where the shapes fit.
   *
   * @throws BroadcastError `not_loaded` before `await bl.loadExplanations()`.
   */
  readonly cause: Cause | null;
  /**
   * What may be wrong although the shapes fit. Kinds in the option `expect` are left out.
   *
   * @throws BroadcastError `not_loaded` before `await bl.loadExplanations()`; `unknown` for a kind in `expect` that does
   * not exist.
   */
  warnings(): Warning[];
  /**
   * The question as code for a system: a program that makes the operands and computes the result; of OpenVINO's IR, a
   * layer. The operator is the option `op` of `bl.align`, or else the first that takes the rule. Operands are called by
   * `expressions`, or A, B, ...
   *
   * @param system One of `numpy`, `pytorch`, `jax`, `tensorflow`, `onnx`, `openvino`, `openvino-ir`, `broadloom-js`,
   * `broadloom-cpp`.
   * @throws BroadcastError with the alignment's own error where the shapes do not fit; `unknown` for the system; `arity`,
   * `attribute`, `dtype`, `extent` where operator, attributes, types or values are wrong; `not_loaded` before
   * `await bl.loadExplanations()`.
   * @example
   * await bl.loadExplanations();
   * bl.align('numpy', [[2, 3], [3]], { op: 'Sub' }).code('numpy').text;
   * // import numpy as np
   * //
   * // a = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
   * // b = np.arange(1, 4, dtype=np.float32)
   * // out = a - b  # shape (2, 3)
   */
  code(system: CodeSystem, options?: CodeOptions): QuestionCode;
  /**
   * All of this as a document for JSON: the same from the package, the command line and C++.
   *
   * @throws BroadcastError as `warnings`.
   */
  document(): AlignmentDocument;
  /**
   * The address that opens the playground at this case: rule, operator, element type, shapes and options. It has nothing
   * else of the program: no `expressions` and no elements. Names of axes are part of the shapes: `in=(batch=8,3)`.
   *
   * @param base Where the playground is, as there is none by default: a URL of http, https or file, or a path such as
   * `/playground/`.
   * @throws BroadcastError `link` where `base` is none of these, or the playground cannot show the case: the message says
   * why. `not_loaded` before `await bl.loadExplanations()`.
   * @example
   * bl.align('numpy', [[2, 3], [4]]).link('http://localhost:8080/');
   * // http://localhost:8080/#v=1&rule=numpy&op=Add&type=f32&in=(2,3)&in=(4,)
   */
  link(base: string | InstanceOf<'URL'>): string;
  /**
   * The operands under every rule, whichever rule and options this alignment has: a rule with a target is asked about the
   * first operand alone, with the second one as the target; `pdpd` with each axis, `explicit` with each mapping that fits.
   *
   * @throws BroadcastError `not_loaded` before `await bl.loadExplanations()`.
   * @example
   * await bl.loadExplanations();
   * const { rows } = bl.align('numpy', [[2, 3, 3], [3]]).compare();
   * rows.find(({ rule, axis }) => rule === 'pdpd' && axis === 1).differs.cell; // [0, 1, 0]
   */
  compare(): Comparison;
}
