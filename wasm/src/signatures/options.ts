import type { Extent } from '../types/extent.js';
import type { Operand } from '../operands/arrays.js';
import type { ShapeLike } from '../types/extent.js';
import type { Fit, ProblemOfOut } from './inference.js';
import type { AxisNames, Policy } from '../operands/policy.js';
import type { Promote } from '../types/promote.js';
import type { ResultForm } from '../operands/result-forms.js';
import type { Tensor } from '../operands/tensor.js';
import type { PastedQuestion } from '../types/explanation.js';
import type { DType, OpName, OpTable, RuleName, WarningKind } from '../types/vocabulary.js';

/** The options of a rule; one that the rule does not take is an error. */
export interface RuleOptions<T extends ShapeLike = ShapeLike> {
  /** `pdpd`: the axis of A on which B begins; -1, the default, lines B up with A's last axes. */
  readonly axis?: Extent | undefined;
  /** `bidirectional`, `broadcast_numpy` and `explicit`, which need it: the target's extents. */
  readonly targetShape?: T | undefined;
  /** `explicit`, which needs it: for each axis of the data the axis of the target that it goes to. */
  readonly axesMapping?: ShapeLike | undefined;
  /**
   * What is refused although the rule allows it, with the error `policy`.
   *
   * @example bl.add(x, mean, { policy: 'no_rank_promotion' }); // mean has to have as many axes as x, or none
   * @example bl.add(x, y, { policy: ['match'] }); // equal shapes only
   */
  readonly policy?: Policy | undefined;
  /**
   * The names of axes, for the policy `same_names`.
   *
   * @example bl.align('numpy', shapes, { policy: 'same_names', names: [['batch', 'head'], ['head']] });
   */
  readonly names?: AxisNames | undefined;
}

/** The options of `inferShape` and `align`. */
export interface ShapeOptions<T extends ShapeLike = ShapeLike> extends RuleOptions<T> {
  /** The result's element type: results are held to 2^63-1 bytes of it. Without it an element counts as one byte. */
  readonly dtype?: DType | undefined;
}

/** The options of `align`. */
export interface AlignOptions<T extends ShapeLike = ShapeLike> extends ShapeOptions<T> {
  /** The operator that the shapes are for: warnings depend on it. */
  readonly op?: OpName | undefined;
  /**
   * Kinds of warnings that are meant, and left out of `warnings()`.
   *
   * @example bl.align('numpy', [[32, 1], [32]], { expect: ['outer'] }).warnings(); // []
   */
  readonly expect?: readonly WarningKind[] | undefined;
  /** What the operands are called in the code of repairs, as `x` or `x.mean(axis=1)`; without it a, b, ... */
  readonly expressions?: readonly string[] | undefined;
  /**
   * The question of a pasted text that this is: its repairs are those that are of use to whoever saw the text. None has another
   * rule where the system has no other, and one that changes an array that is written to needs a new one.
   *
   * @example bl.align('numpy', [[2, 3], [2]], { pasted: bl.readPasted(text).question }).repairs();
   */
  readonly pasted?: PastedQuestion | null | undefined;
}

/** What `out` may be. */
export type AnyOut = Operand | Tensor;

type OperandOf<D> = D extends DType ? Operand<D> : never;

/** The attributes that an operator takes beside its operands. */
export type AttributesOf<O extends OpName> = [OpTable[O]['attribute']] extends [never]
  ? { readonly [name: string]: never }
  : OpTable[O]['attribute'] extends 'fmod'
    ? { readonly fmod?: 0 | 1 | undefined }
    : OpTable[O]['attribute'] extends 'direction'
      ? { readonly direction: 'left' | 'right' }
      : OpTable[O]['attribute'] extends 'to'
        ? { readonly to: DType; readonly saturate?: 0 | 1 | undefined }
        : {
            readonly fmod?: 0 | 1 | undefined;
            readonly direction?: 'left' | 'right' | undefined;
            readonly to?: DType | undefined;
            readonly saturate?: 0 | 1 | undefined;
          };

/** The options of a plan. */
export interface PlanOptions<O extends OpName = OpName> extends RuleOptions {
  /** As in {@link ApplyOptions}. */
  readonly attrs?: AttributesOf<O> | undefined;
}

/**
 * The options of an operator. `D` is the element type of its result. The other parameters are inferred from the call: the
 * way of promotion, the form of the result, and what `out` is.
 */
export interface ApplyOptions<
  O extends OpName = OpName,
  D = DType,
  M extends Promote = Promote,
  F extends ResultForm | 'first' = ResultForm | 'first',
  T = OperandOf<D>,
> extends RuleOptions {
  /** How the operands are matched; the default is the operator's own, `bl.vocabulary.ops[op].defaultRule`. */
  readonly rule?: OpTable[O]['rules'] | undefined;
  /**
   * `Mod`: `fmod`, 0 (default) or 1. `BitShift`: `direction`, 'left' or 'right', which it needs. `Cast`: `to`, an element
   * type, which it needs, and `saturate`, 0 (default) or 1.
   */
  readonly attrs?: AttributesOf<O> | undefined;
  /**
   * Where the result goes: an array or a tensor of the result's type and shape. An array may have strides, as some rows and
   * columns of a larger one; nothing between its elements is written, and no element may be written twice. May be an
   * operand of the same shape and strides (the result replaces it), but may not overlap one otherwise. Without it a new
   * typed array is made, or a tensor where one is among the operands.
   */
  readonly out?: Fit<T, ProblemOfOut<T, D>> | undefined;
  /**
   * What becomes of operands of different element types. `strict` (default): they are refused. `numpy2`: they are computed
   * in their common type, as NumPy 2 promotes them; `bl.resultType` returns it. Under `sonnx` each keeps its own type.
   *
   * @example bl.add(bytes, floats, { promote: 'numpy2' }); // u8 and f32: f32
   */
  readonly promote?: M | undefined;
  /**
   * The form of the result: `array` (default) is `{data, shape, dtype}`, `first` that of the first operand. A result that
   * is a tensor, or goes to `out`, has no other form.
   *
   * @example bl.add([[1, 2], [3, 4]], 10, { as: 'nested' }); // [[11, 12], [13, 14]]
   */
  readonly as?: F | undefined;
}

/** The options of `broadcast`, after OpenVINO's Broadcast-3. */
export interface BroadcastOptions<D = DType, T = OperandOf<D>> {
  /**
   * `numpy` (default): data stretches to `targetShape`; `bidirectional`: each to the other; `explicit`: axes of data go
   * where `axesMapping` says.
   */
  readonly mode?: 'numpy' | 'bidirectional' | 'explicit' | undefined;
  /** The target's extents. */
  readonly targetShape: ShapeLike;
  /** For mode `explicit`, which needs it. */
  readonly axesMapping?: ShapeLike | undefined;
  /** As in {@link ApplyOptions}. */
  readonly out?: Fit<T, ProblemOfOut<T, D>> | undefined;
}

/** The options of `cast`. */
export interface CastOptions<
  D = DType,
  F extends ResultForm | 'first' = ResultForm | 'first',
  T = OperandOf<D>,
> extends Pick<ApplyOptions<'Cast', D, Promote, F, T>, 'out' | 'as'> {
  /** Whether integers that do not fit become the nearest value that does; otherwise they wrap. Floats always saturate. */
  readonly saturate?: boolean | undefined;
}

/** The options of `sumTo`: the rule by which the summed shape broadcasts to the array's. */
export interface SumToOptions<D = DType, T = OperandOf<D>> extends Pick<RuleOptions, 'axis' | 'axesMapping'> {
  /**
   * `broadcast_numpy` by default. Under it, `bidirectional` and `explicit` the array's shape is the target; under all
   * others it is operand A and the summed shape B.
   */
  readonly rule?: RuleName | undefined;
  /** As in {@link ApplyOptions}. */
  readonly out?: Fit<T, ProblemOfOut<T, D>> | undefined;
}
