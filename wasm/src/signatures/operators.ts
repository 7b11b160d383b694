// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.

import type { AnyOperand } from '../operands/arrays.js';
import type { ResultForm } from '../operands/result-forms.js';
import type { Promote } from '../types/promote.js';
import type { Fit, FittingList, Given, Problem, ResultType } from './inference.js';
import type { AnyOut, ApplyOptions } from './options.js';

/**
 * A method for each operator. Operands of one element type (but where said otherwise) are matched by a rule, by
 * default the operator's own; the result has the broadcast shape.
 *
 * @throws BroadcastError for whatever does not fit; nothing has been written then.
 */
export interface Operators {
  /**
   * `a + b`: sum of two; integers wrap.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.add({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Add', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a - b`: difference; integers wrap.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.sub({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Sub', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a * b`: product; integers wrap.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.mul({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Mul', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a / b`: quotient; integers truncate toward zero, x / 0 is 0.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.div({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Div', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a mod b`: remainder with the divisor's sign; with fmod=1 the dividend's.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64; with fmod=1 also f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.mod({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }, { attrs: { fmod: 1 } }); // shape [3]
   */
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
  ): Given<ResultType<'Mod', readonly [A, B], M>, readonly [A, B], F, T>;
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
  ): Given<ResultType<'Mod', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a ** b`: a to the power b; b may be of another number type.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.pow({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Pow', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `(a - b)^2`: square of the difference; integers wrap.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.squaredDifference({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'SquaredDifference', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `max(a, b)`: largest of all inputs; NaN when any is NaN.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.max([{ data: new Float32Array([1, 5, 3]), shape: [3] }, { data: new Float32Array([4]), shape: [1] }]); // shape [3]
   */
  max<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Max', L, M>,
    options?: ApplyOptions<'Max', ResultType<'Max', L, M>, M, F, T>,
  ): Given<ResultType<'Max', L, M>, L, F, T>;

  /**
   * `min(a, b)`: smallest of all inputs; NaN when any is NaN.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.min([{ data: new Float32Array([1, 5, 3]), shape: [3] }, { data: new Float32Array([4]), shape: [1] }]); // shape [3]
   */
  min<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Min', L, M>,
    options?: ApplyOptions<'Min', ResultType<'Min', L, M>, M, F, T>,
  ): Given<ResultType<'Min', L, M>, L, F, T>;

  /**
   * `a + b`: sum of all inputs, left to right; f16 and bf16 are added in f32.
   *
   * Types: f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.sum([{ data: new Float32Array([1, 5, 3]), shape: [3] }, { data: new Float32Array([4]), shape: [1] }]); // shape [3]
   */
  sum<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Sum', L, M>,
    options?: ApplyOptions<'Sum', ResultType<'Sum', L, M>, M, F, T>,
  ): Given<ResultType<'Sum', L, M>, L, F, T>;

  /**
   * `mean(a, b)`: sum of all inputs divided by their number.
   *
   * Types: f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.mean([{ data: new Float32Array([1, 5, 3]), shape: [3] }, { data: new Float32Array([4]), shape: [1] }]); // shape [3]
   */
  mean<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    arrays: L & FittingList<'Mean', L, M>,
    options?: ApplyOptions<'Mean', ResultType<'Mean', L, M>, M, F, T>,
  ): Given<ResultType<'Mean', L, M>, L, F, T>;

  /**
   * `a == b`: true where both are equal; NaN equals nothing.
   *
   * Types: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.equal({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a != b`: true where both differ; NaN differs from all.
   *
   * Types: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.notEqual({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a < b`: true where a is smaller.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.less({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a <= b`: true where a is smaller or equal.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.lessOrEqual({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a > b`: true where a is larger.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.greater({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a >= b`: true where a is larger or equal.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.greaterOrEqual({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a && b`: true where both are.
   *
   * Types: bool. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.and({ data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' }, { data: new Uint8Array([1]), shape: [1], dtype: 'bool' }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a || b`: true where either is.
   *
   * Types: bool. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.or({ data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' }, { data: new Uint8Array([1]), shape: [1], dtype: 'bool' }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a xor b`: true where exactly one is.
   *
   * Types: bool. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.xor({ data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' }, { data: new Uint8Array([1]), shape: [1], dtype: 'bool' }); // shape [3]
   */
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
  ): Given<'bool', readonly [A, B], F, T>;

  /**
   * `a & b`: bits set in both.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.bitwiseAnd({ data: new Uint32Array([1, 2, 3]), shape: [3] }, { data: new Uint32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'BitwiseAnd', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a | b`: bits set in either.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.bitwiseOr({ data: new Uint32Array([1, 2, 3]), shape: [3] }, { data: new Uint32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'BitwiseOr', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a ^ b`: bits set in exactly one.
   *
   * Types: i8 i16 i32 i64 u8 u16 u32 u64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.bitwiseXor({ data: new Uint32Array([1, 2, 3]), shape: [3] }, { data: new Uint32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'BitwiseXor', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `a shift b`: bits moved by b; a shift of the width or more gives 0.
   *
   * Types: u8 u16 u32 u64. Rules: `none`, `numpy`, `onnx_multidirectional` (default), `onnx_unidirectional`, `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.bitShift({ data: new Uint32Array([1, 2, 3]), shape: [3] }, { data: new Uint32Array([2]), shape: [1] }, { attrs: { direction: 'left' } }); // shape [3]
   */
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
  ): Given<ResultType<'BitShift', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `prelu(a, b)`: a where a is not negative, else a times the slope b.
   *
   * Types: i32 i64 u32 u64 f16 bf16 f32 f64. Rules: `none`, `numpy`, `onnx_multidirectional`, `onnx_unidirectional` (default), `pdpd`.
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.prelu({ data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'PRelu', readonly [A, B], M>, readonly [A, B], F, T>;

  /**
   * `c ? a : b`: the second input where the first is true, else the third.
   *
   * Types: bool; any; any. Rules: `none`, `numpy`, `onnx_multidirectional` (default).
   * Governed by: ONNX: Broadcasting in ONNX.
   *
   * @example bl.where({ data: new Uint8Array([1, 0, 1]), shape: [3], dtype: 'bool' }, { data: new Float32Array([1, 2, 3]), shape: [3] }, { data: new Float32Array([2]), shape: [1] }); // shape [3]
   */
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
  ): Given<ResultType<'Where', readonly [C, A, B], M>, readonly [C, A, B], F, T>;
}
