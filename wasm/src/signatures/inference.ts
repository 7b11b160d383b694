// What calls give for the operands and options that they have, and what does not go together, told while compiling. The
// rules are those of operand-types.ts and promotion.ts; what operators take is the core's table.
//
// Nothing here recurs over lists of operands: what hangs on several is asked of their union, or of each by itself.

import type { DataOf } from '../types/data.js';
import type { DTypeOf, NdArray, PlainValues, TypesOf } from '../operands/arrays.js';
import type { Promote } from '../types/promote.js';
import type { Tensor } from '../operands/tensor.js';
import type { FormOf, ResultForm, ResultForms } from '../operands/result-forms.js';
import type { DType, OpName, OpTable, PromotedType, PromotionTable, WeakKind } from '../types/vocabulary.js';

// --- Element types of results -----------------------------------------------------------------------------------------

/** The element types that operands have of their own: values have none. */
type OwnType<A> = A extends PlainValues ? never : DTypeOf<A>;

/** The operands that promotion takes in: all but Where's condition. */
type Promotable<O extends OpName, L extends readonly unknown[]> = '0' extends OpTable[O]['free']
  ? L extends readonly [unknown, ...infer R]
    ? R
    : L
  : L;

/** Those that have to agree: not Pow's exponent, either. */
type Agreeing<O extends OpName, L extends readonly unknown[]> = '1' extends OpTable[O]['free']
  ? readonly [L[0]]
  : Promotable<O, L>;

/** The type that operands have, or what their values stand for by themselves, if the operator takes it. */
type StrictType<O extends OpName, A> = [OwnType<A>] extends [never]
  ? AcceptedType<O, 'f64' extends DTypeOf<A> ? 'f64' : DTypeOf<A>>
  : OwnType<A>;

type AcceptedType<O extends OpName, D> =
  D extends TypesOf<O> ? D : 'i32' extends TypesOf<O> ? 'i32' : 'f64' extends TypesOf<O> ? 'f64' : 'bool';

/** Pow's: that of the base; a base that is a value is promoted together with the exponent. */
type BaseType<O extends OpName, L extends readonly unknown[]> = [OwnType<L[0]>] extends [never]
  ? [OwnType<L[1]>] extends [never]
    ? StrictType<O, L[0]>
    : PromotedTypeOf<L>
  : OwnType<L[0]>;

/** What an operand adds to a promotion: scalars their kind, all else a type, which may also be told by its name. */
type Promoted<A> = A extends DType
  ? A
  : A extends boolean
    ? 'bool'
    : A extends bigint
      ? 'int'
      : A extends number
        ? number extends A
          ? 'int' | 'float'
          : `${A}` extends
                `${bigint}` | `${string}e+${string}` // too large for a fraction
            ? 'int'
            : 'float'
        : DTypeOf<A>;

/** Those of several types and kinds that could come of a list with some of them. */
type Possible<U> = [Extract<U, DType>] extends [never]
  ? KindType<U>
  : PromotedType<PromotedType<Extract<U, DType>, Extract<U, DType>>, Extract<U, DType | WeakKind>>;

/** What comes of a list with all of them: types first, then the kinds of scalars. Never where they have none in common. */
type Common<U> = [Extract<U, DType>] extends [never]
  ? Widest<KindType<U>>
  : [Exclude<U, DType>] extends [never]
    ? Joined<Extract<U, DType>>
    : Widest<PromotedType<Joined<Extract<U, DType>>, Extract<U, WeakKind>>>;

type KindType<K> = K extends 'int' ? 'i64' : K extends 'float' ? 'f64' : never;

type Joined<D extends DType> = null extends PromotionTable[D][D] ? never : Widest<PromotedType<D, D>, D>;

/** The one of `P` that all of `All` are promoted to. */
type Widest<P extends DType, All extends DType = P> = P extends unknown
  ? [PromotedType<P, All>] extends [P]
    ? P
    : never
  : never;

/** Whether some operand may be of one type or of another. */
type IsUncertain<L extends readonly unknown[]> = number extends L['length']
  ? true
  : true extends { [I in keyof L]: IsUnion<Promoted<L[I]>> }[number]
    ? true
    : false;

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

/** The type that `bl.resultType` gives for names of types and operands. */
export type PromotedTypeOf<L extends readonly unknown[]> =
  IsUncertain<L> extends true ? Possible<Promoted<L[number]>> : Common<Promoted<L[number]>>;

/** The type that an operator computes a common type in under promotion: `Div` has f64 for integers. */
type Divided<O extends OpName, D extends DType> = [OpTable[O]['integersTo']] extends [never]
  ? D
  : D extends WholeType
    ? OpTable[O]['integersTo']
    : D;

type WholeType = 'bool' | `${'i' | 'u'}${8 | 16 | 32 | 64}`;

/**
 * The element type of an operator's result, by the way of promotion: `ResultTypes<O, L>[M]`. What hangs on the way is always
 * a member like this one, which the compiler does not look into as long as the way is not known: in a chain of conditions
 * it would look for operands that a result or a text could come of, in all of the types above.
 */
interface ResultTypes<O extends OpName, L extends readonly unknown[]> {
  strict: OpTable[O]['result'] extends 'bool'
    ? 'bool'
    : OpTable[O]['result'] extends 'to'
      ? TypesOf<O>
      : '1' extends OpTable[O]['free']
        ? BaseType<O, L>
        : StrictType<O, Agreeing<O, L>[number]>;
  numpy2: OpTable[O]['result'] extends 'bool'
    ? 'bool'
    : OpTable[O]['result'] extends 'to'
      ? TypesOf<O>
      : Divided<O, PromotedTypeOf<Promotable<O, L>>>;
}

/** The element type of an operator's result. */
export type ResultType<O extends OpName, L extends readonly unknown[], M extends Promote = 'strict'> = ResultTypes<
  O,
  L
>[M];

/** The element type of a plan's result, from those of its operands. */
export type PlannedType<O extends OpName, L extends readonly DType[]> = OpTable[O]['result'] extends 'bool'
  ? 'bool'
  : OpTable[O]['result'] extends 'to'
    ? TypesOf<O>
    : number extends L['length']
      ? L[number]
      : Extract<L[OpTable[O]['lead']], DType>;

// --- What does not fit ------------------------------------------------------------------------------------------------

/** An operand, or what is wrong with it: a text, which is what the compiler then shows. */
export type Fit<A, Problem> = [Problem] extends [never] ? A : Problem;

/** As many operands as an operator takes. */
export type OperandsOf<O extends OpName> = number extends OpTable[O]['operands']['length']
  ? unknown
  : AsMany<OpTable[O]['operands']>;

type AsMany<T extends readonly unknown[]> = { readonly [I in keyof T]: unknown };

/** The operands of an operator, each held against what it takes and against the others. */
export type FittingList<O extends OpName, L extends readonly unknown[], M extends Promote> = {
  readonly [I in keyof L]: Fit<L[I], Problem<O, L, M, I, L[I]>>;
};

/**
 * What is wrong with operand `I` of a list, `A`; never where nothing is. `D` are the types that the operator takes, where
 * they are not all of them.
 */
export type Problem<
  O extends OpName,
  L extends readonly unknown[],
  M extends Promote,
  I,
  A,
  D extends DType = TypesOf<O>,
> = Problems<O, L, I, A, D>[M];

interface Problems<O extends OpName, L extends readonly unknown[], I, A, D extends DType> {
  strict: [A] extends [PlainValues]
    ? never
    : [DTypeOf<A>] extends [never]
      ? Untold
      : I extends OpTable[O]['free']
        ? Untaken<O, DTypeOf<A>, TypesAt<O, I>>
        : [Untaken<O, DTypeOf<A>, D>] extends [never]
          ? Disagreement<DTypeOf<A>, Agreeing<O, L>>
          : Untaken<O, DTypeOf<A>, D>;
  numpy2: [A] extends [PlainValues]
    ? never
    : [DTypeOf<A>] extends [never]
      ? Untold
      : I extends OpTable[O]['free'] & '0'
        ? Untaken<O, DTypeOf<A>, TypesAt<O, I>>
        : Unpromoted<O, DTypeOf<A>, Promotable<O, L>, D>;
}

type Untold =
  'the element type of this array cannot be told: its dtype is missing, is no literal type (`as const`), or does not fit its data';

type Untaken<O extends OpName, D extends DType, Taken> = [Extract<D, Taken>] extends [never]
  ? `${O} takes no ${D} here`
  : never;

type Disagreement<D extends DType, L extends readonly unknown[]> = {
  [I in keyof L]: [OwnType<L[I]>] extends [never]
    ? never
    : [Extract<D, OwnType<L[I]>>] extends [never]
      ? `${D} and ${OwnType<L[I]>} do not go together: convert one of them, or ask for { promote: 'numpy2' }`
      : never;
}[number];

/** Told by pairs, which is far less work for the compiler than the common type of all. */
type Unpromoted<O extends OpName, A extends DType, L extends readonly unknown[], D> = [
  Extract<Divided<O, PromotedType<A, Promoted<L[number]>>>, D>,
] extends [never]
  ? `${O} takes no ${PromotedType<A, Promoted<L[number]>>}, the common element type of these operands`
  : {
      [I in keyof L]: [PromotedType<A, Promoted<L[I]>>] extends [never]
        ? `${A} and ${Promoted<L[I]>} have no common element type: convert one of them`
        : never;
    }[number];

/** The types that an operator takes at one place. */
type TypesAt<O extends OpName, I> = I extends keyof OpTable[O]['operands'] ? OpTable[O]['operands'][I] : TypesOf<O>;

/** What is wrong with an operand that is taken by itself. */
export type ProblemAlone<A, D extends DType = DType> = [DTypeOf<A>] extends [never]
  ? Untold
  : [Extract<DTypeOf<A>, D>] extends [never]
    ? `${DTypeOf<A>} is not taken here`
    : never;

/** The inputs of a plan for operands of types `L`, each held against its own. */
export type FittingInputs<L extends readonly DType[], I extends readonly unknown[]> = {
  readonly [K in keyof I]: Fit<I[K], ProblemInPlan<I[K], K extends keyof L ? Extract<L[K], DType> : L[number]>>;
};

/** What is wrong with an input, or an `out`, where a plan has an array of type `D`. */
export type ProblemInPlan<A, D extends DType> = [A] extends [DataOf[D] | PlainValues]
  ? never
  : [Extract<DTypeOf<A>, D>] extends [never]
    ? `the plan has ${D} here`
    : never;

/** What is wrong with an `out` for a result of type `D`. */
export type ProblemOfOut<T, D> = [T] extends [never]
  ? never
  : [Extract<DTypeOf<T>, D>] extends [never]
    ? `the result is of type ${Extract<D, DType>}, and out has to hold that`
    : never;

// --- Results ----------------------------------------------------------------------------------------------------------

/**
 * A result of type `D` of operands `L`: a {@link Tensor} where one is among them, or is the `out` that was given, `T`;
 * else an array in the form `F`.
 */
export type Given<D, L extends readonly unknown[], F extends ResultForm | 'first' = 'array', T = never> = [T] extends [
  never,
]
  ? [Extract<L[number], Tensor>] extends [never]
    ? InForm<D, L[0], F>
    : true extends { [I in keyof L]: [L[I]] extends [Tensor] ? true : false }[number]
      ? TensorOf<D>
      : TensorOf<D> | InForm<D, L[0], F>
  : T extends Tensor
    ? TensorOf<D>
    : ArrayOf<D>;

// Not held against DType before they are known: the compiler would do it for all types that there are.
type ArrayOf<D> = D extends DType ? NdArray<D> : never;
type TensorOf<D> = [D] extends [DType] ? Tensor<D> : never;
type InForm<D, A, F> = F extends 'array'
  ? ArrayOf<D>
  : D extends DType
    ? ResultForms<D, A>[Extract<F extends 'first' ? FormOf<A> : F, ResultForm>]
    : never;
