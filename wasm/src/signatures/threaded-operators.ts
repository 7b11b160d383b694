// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.

import type { AnyOperand } from '../operands/arrays.js';
import type { ResultForm } from '../operands/result-forms.js';
import type { Promote } from '../types/promote.js';
import type { Fit, FittingList, Given, Problem, ResultType } from './inference.js';
import type { AnyOut, ApplyOptions } from './options.js';

/** The methods of `Operators`, for operators that are computed by threads. */
export interface ThreadedOperators {
  /** As `Operators.add`. */
  add<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Add', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Add', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Add', ResultType<'Add', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Add', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.sub`. */
  sub<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Sub', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Sub', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Sub', ResultType<'Sub', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Sub', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.mul`. */
  mul<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Mul', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Mul', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Mul', ResultType<'Mul', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Mul', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.div`. */
  div<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Div', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Div', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Div', ResultType<'Div', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Div', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.mod`. */
  mod<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Mod', readonly [A, B], M, '0', A, 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64'>>,
    b: Fit<B, Problem<'Mod', readonly [A, B], M, '1', B, 'i8' | 'i16' | 'i32' | 'i64' | 'u8' | 'u16' | 'u32' | 'u64'>>,
    options?: ApplyOptions<'Mod', ResultType<'Mod', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Mod', readonly [A, B], M>, readonly [A, B], F, T>>;
  /** The same of floats, which have the one remainder only. */
  mod<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Mod', readonly [A, B], M, '0', A, 'f16' | 'bf16' | 'f32' | 'f64'>>,
    b: Fit<B, Problem<'Mod', readonly [A, B], M, '1', B, 'f16' | 'bf16' | 'f32' | 'f64'>>,
    options: ApplyOptions<'Mod', ResultType<'Mod', readonly [A, B], M>, M, F, T> & {
      readonly attrs: { readonly fmod: 1 };
    },
  ): Promise<Given<ResultType<'Mod', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.pow`. */
  pow<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Pow', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Pow', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Pow', ResultType<'Pow', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Pow', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.squaredDifference`. */
  squaredDifference<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'SquaredDifference', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'SquaredDifference', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'SquaredDifference', ResultType<'SquaredDifference', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'SquaredDifference', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.max`. */
  max<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Max', L, M>,
    options?: ApplyOptions<'Max', ResultType<'Max', L, M>, M, F, T>,
  ): Promise<Given<ResultType<'Max', L, M>, L, F, T>>;

  /** As `Operators.min`. */
  min<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Min', L, M>,
    options?: ApplyOptions<'Min', ResultType<'Min', L, M>, M, F, T>,
  ): Promise<Given<ResultType<'Min', L, M>, L, F, T>>;

  /** As `Operators.sum`. */
  sum<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Sum', L, M>,
    options?: ApplyOptions<'Sum', ResultType<'Sum', L, M>, M, F, T>,
  ): Promise<Given<ResultType<'Sum', L, M>, L, F, T>>;

  /** As `Operators.mean`. */
  mean<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Mean', L, M>,
    options?: ApplyOptions<'Mean', ResultType<'Mean', L, M>, M, F, T>,
  ): Promise<Given<ResultType<'Mean', L, M>, L, F, T>>;

  /** As `Operators.equal`. */
  equal<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Equal', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Equal', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Equal', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.notEqual`. */
  notEqual<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'NotEqual', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'NotEqual', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'NotEqual', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.less`. */
  less<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Less', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Less', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Less', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.lessOrEqual`. */
  lessOrEqual<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'LessOrEqual', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'LessOrEqual', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'LessOrEqual', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.greater`. */
  greater<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Greater', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Greater', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Greater', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.greaterOrEqual`. */
  greaterOrEqual<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'GreaterOrEqual', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'GreaterOrEqual', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'GreaterOrEqual', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.and`. */
  and<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'And', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'And', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'And', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.or`. */
  or<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Or', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Or', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Or', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.xor`. */
  xor<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'Xor', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'Xor', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'Xor', 'bool', M, F, T>,
  ): Promise<Given<'bool', readonly [A, B], F, T>>;

  /** As `Operators.bitwiseAnd`. */
  bitwiseAnd<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'BitwiseAnd', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'BitwiseAnd', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'BitwiseAnd', ResultType<'BitwiseAnd', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'BitwiseAnd', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.bitwiseOr`. */
  bitwiseOr<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'BitwiseOr', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'BitwiseOr', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'BitwiseOr', ResultType<'BitwiseOr', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'BitwiseOr', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.bitwiseXor`. */
  bitwiseXor<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'BitwiseXor', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'BitwiseXor', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'BitwiseXor', ResultType<'BitwiseXor', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'BitwiseXor', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.bitShift`. */
  bitShift<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'BitShift', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'BitShift', readonly [A, B], M, '1', B>>,
    options: ApplyOptions<'BitShift', ResultType<'BitShift', readonly [A, B], M>, M, F, T> & {
      readonly attrs: { readonly direction: 'left' | 'right' };
    },
  ): Promise<Given<ResultType<'BitShift', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.prelu`. */
  prelu<
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    a: Fit<A, Problem<'PRelu', readonly [A, B], M, '0', A>>,
    b: Fit<B, Problem<'PRelu', readonly [A, B], M, '1', B>>,
    options?: ApplyOptions<'PRelu', ResultType<'PRelu', readonly [A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'PRelu', readonly [A, B], M>, readonly [A, B], F, T>>;

  /** As `Operators.where`. */
  where<
    const C extends AnyOperand,
    const A extends AnyOperand,
    const B extends AnyOperand,
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    c: Fit<C, Problem<'Where', readonly [C, A, B], M, '0', C>>,
    a: Fit<A, Problem<'Where', readonly [C, A, B], M, '1', A>>,
    b: Fit<B, Problem<'Where', readonly [C, A, B], M, '2', B>>,
    options?: ApplyOptions<'Where', ResultType<'Where', readonly [C, A, B], M>, M, F, T>,
  ): Promise<Given<ResultType<'Where', readonly [C, A, B], M>, readonly [C, A, B], F, T>>;
}
