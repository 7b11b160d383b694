import type { Alignment } from '../types/alignment.js';
import type { Extent } from '../types/extent.js';
import {
  asType,
  checkedOut,
  entryOf,
  isOperand,
  named,
  noList,
  OUTPUT,
  readArray,
  readDType,
  readInteger,
  readIntegers,
  readMapping,
  readName,
  readOp,
  readOperand,
  readOptions,
  readRule,
  readShapes,
  unknownName,
  type Reading,
} from '../operands/arguments.js';
import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';
import type { AnyOperand, DTypeOf, Summed, TypesOf } from '../operands/arrays.js';
import type { ExtentOf, ShapeLike } from '../types/extent.js';
import type { Core } from '../core/core.js';
import { newRequest } from '../core/fields.js';
import type { ExplainerCalls } from '../core/explainer-calls.js';
import type { OpCall } from '../core/module.js';
import type { WasmSource } from '../types/wasm-source.js';
import type { TextSpan } from '../types/errors.js';
import type { Pasted, ShapeInText } from '../types/explanation.js';
import type { SymbolicDocument, SymbolicOptions, SymbolicShape } from '../types/symbolic.js';
import type {
  Fit,
  FittingList,
  Given,
  OperandsOf,
  PlannedType,
  ProblemAlone,
  PromotedTypeOf,
  ResultType,
} from '../signatures/inference.js';
import type { ResultForm } from '../operands/result-forms.js';
import type {
  AlignOptions,
  AnyOut,
  ApplyOptions,
  BroadcastOptions,
  CastOptions,
  PlanOptions,
  ShapeOptions,
  SumToOptions,
} from '../signatures/options.js';
import { isFormFault, RESULT } from '../types/fault.js';
import { giveBack, isResultForm, resultFormOf, RESULT_FORM_NAMES, type DenseResult } from '../operands/give-back.js';
import { promotedBy, promotedTypes, settleTypes } from '../operands/operand-types.js';
import type { Promote } from '../types/promote.js';
import { Executor, type Computed } from '../plans/execute.js';
import { Plan } from '../plans/plan.js';
import type { Planned } from '../plans/planned.js';
import type { Tensor } from '../operands/tensor.js';
import type { DType, OpName, OpTable, RuleName } from '../types/vocabulary.js';
import { as, isWide, makeAlignment } from './alignment.js';
import {
  ALIGN_OPTIONS,
  APPLY_OPTIONS,
  applyOptionsOf,
  isOutAlone,
  NO_APPLY_OPTIONS,
  PLAN_OPTIONS,
  readPlanRequest,
  readShapeRequest,
} from './requests.js';
import type { Operators } from '../signatures/operators.js';
import type { Vocabulary } from '../types/vocabulary-rows.js';

/** The options of `loadExplanations`. */
export interface ExplanationOptions {
  /**
   * Where `broadloom-explain.wasm` comes from, as for `load`; for `broadloom/inline`, bytes or the compiled module.
   * Without it, it is the file beside the package's scripts, or the embedded one.
   */
  readonly wasm?: WasmSource | undefined;
}

/** @internal */
export type BringExplanations = () => Promise<{
  startExplainer(core: Core, options: unknown): Promise<ExplainerCalls>;
}>;

/** Integers read from a text, and where each of them is in it. */
export interface ParsedIntegers<E extends Extent = number> {
  /** In the order of the text. */
  readonly values: readonly E[];
  /** One for each of the values. */
  readonly spans: readonly TextSpan[];
}

/** Options of `parseShape` and `parseIntegers`. */
export interface ParseOptions {
  /** The operand that errors name: 0 is A, -2 the target shape. */
  readonly operand?: number | undefined;
  /** Whether values are bigints, up to 2^63 - 1; numbers are exact below 2^53. */
  readonly bigint?: boolean | undefined;
}

/**
 * Broadcasting rules as data, and operators on typed arrays: {@link load} returns one. Immutable; any number of callers may
 * share it, but each thread needs its own.
 *
 * Shapes are lists of extents, outermost axis first; `[]` is a scalar's, and an extent of 0 is legal. Extents are whole
 * numbers below 2^53, or bigints below 2^63. For every mistake of a caller, methods throw a {@link BroadcastError}.
 */
export class Broadloom {
  /** Highway's name of the SIMD target that the kernels were compiled for: `WASM`. */
  readonly target: string;
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #planNet = new FinalizationRegistry<Planned>((planned) => planned.release());

  readonly #bringExplanations: BringExplanations | undefined;
  #explained: Promise<unknown> | undefined;

  /** @internal Given by `load`. */
  constructor(core: Core, executor = new Executor(core), bringExplanations?: BringExplanations) {
    this.#core = core;
    this.#bringExplanations = bringExplanations;
    this.#executor = executor;
    this.target = core.target;
    for (const [name, { method, mostOperands }] of core.calls) {
      if (method in this) continue; // broadcast
      const call = mostOperands === null ? this.#listMethod(name) : this.#method(name, mostOperands);
      Object.defineProperty(this, method, { value: call });
    }
  }

  /** Everything known by name: operators, element types, rules, errors, documents and clauses. Frozen. */
  get vocabulary(): Vocabulary {
    return this.#core.vocabulary;
  }

  /**
   * Loads what explains, once: causes, repairs and warnings of alignments. It is a second `.wasm` file,
   * `broadloom-explain.wasm`, and loaded neither before nor without this call.
   *
   * @returns This instance.
   * @throws LoadError where the file cannot be loaded, or an option is wrong. The next call tries again.
   * @example
   * await bl.loadExplanations();
   * bl.align('numpy', [[2, 3], [2]]).repairs()[0].shape; // [2, 1]
   */
  async loadExplanations(options: ExplanationOptions = {}): Promise<this> {
    this.#explained ??= this.#bringExplanations?.().then(async ({ startExplainer }) => {
      this.#core.explainer = await startExplainer(this.#core, options);
    });
    try {
      await this.#explained;
    } catch (error) {
      this.#explained = undefined;
      throw error;
    }
    return this;
  }

  // --- Shapes -------------------------------------------------------------------------------------------------------

  /**
   * The shape that a rule gives for these shapes (for `sonnx`: of each of its results). The documents that govern each
   * rule are in `bl.vocabulary.rules[rule].clauses`.
   *
   * @param rule One of `bl.vocabulary.rules`.
   * @param shapes One for each operand; for the rules with a target, the data's alone.
   * @returns Bigints where any shape was given as bigints, else numbers.
   * @throws BroadcastError `incompatible`, `rank`, `axis`, `axes_mapping`, `negative_dim` or `overflow` where the shapes
   * do not fit; `extent`, `arity`, `attribute` or `unknown` where the question is wrong.
   * @example
   * bl.inferShape('numpy', [[2, 1, 4], [3, 1]]); // [2, 3, 4]
   * bl.inferShape('pdpd', [[2, 3, 4], [3]], { axis: 1 }); // [2, 3, 4]
   * bl.inferShape('explicit', [[16]], { targetShape: [1, 16, 50], axesMapping: [1] }); // [1, 16, 50]
   */
  inferShape<S extends ShapeLike, T extends ShapeLike = never>(
    rule: RuleName,
    shapes: readonly S[],
    options?: ShapeOptions<T>,
  ): ExtentOf<S | T>[] {
    const request = readShapeRequest(this.#core, rule, shapes, options);
    return as(this.#core.inferShape(request), isWide(request)) as ExtentOf<S | T>[];
  }

  /**
   * What a rule says about these shapes, axis by axis, as data. If the shapes do not fit, the alignment has an `error`, and
   * nothing is thrown. `verdict`, `why` and `repairs()` are computed when they are first read.
   *
   * @param rule As for `inferShape`, and so are the other parameters.
   * @throws BroadcastError where the question itself is wrong: `arity`, `attribute`, `extent`, `unknown`.
   * @example
   * const { error, axes } = bl.align('numpy', [[2, 3], [4]]);
   * error?.code; // 'incompatible'
   * axes[1].cells.map((cell) => cell.relation); // ['match', 'conflict']
   */
  align<S extends ShapeLike, T extends ShapeLike = never>(
    rule: RuleName,
    shapes: readonly S[],
    options?: AlignOptions<T>,
  ): Alignment<ExtentOf<S | T>> {
    const core = this.#core;
    const meant = {};
    const request = readShapeRequest(core, rule, shapes, options, ALIGN_OPTIONS, meant);
    return makeAlignment(core, request, meant) as unknown as Alignment<ExtentOf<S | T>>;
  }

  /**
   * What a rule says about shapes with unknown extents: whether they fit always, under conditions or never, the
   * conditions, and the result's shape. Every answer is the rule's own, and exact unless `fit` is `must_check`.
   *
   * @param shapes One for each operand: a text, or a list of numbers and names. Equal names are equal extents; `?` is
   * independent of all others, `2..8` a range, `...` an unknown rank. In a text, -1 is unknown too.
   * @throws BroadcastError `parse` for a text that is not one shape; `extent` for an extent that may be negative, or an
   * empty range; `arity`, `attribute`, `limit`, `unknown`; `not_loaded` before `await bl.loadExplanations()`.
   * @example
   * await bl.loadExplanations();
   * bl.alignSymbolic('numpy', ['(N, 1, C)', '(H, C)']).cases[0].shape; // '(N, H, C)'
   * const { fit, cases } = bl.alignSymbolic('numpy', [['N', 3], ['M', 3]]);
   * [fit, cases[0].shape, cases[0].conditions.plain]; // ['if', '(N or M, 3)', 'N=M or N=1 or M=1\n']
   */
  alignSymbolic(rule: RuleName, shapes: readonly SymbolicShape[], options?: SymbolicOptions): SymbolicDocument {
    const core = this.#core;
    const explainer = core.explain();
    const given = readOptions(core, options, ['axis', 'targetShape', 'axesMapping', 'byName']);
    return explainer.symbolic(shapes, given, (numbers) => readShapeRequest(core, rule, [], numbers));
  }

  /**
   * The common shape of any number of shapes by the NumPy rule (the array API's `broadcast_shapes`).
   *
   * @throws BroadcastError as `inferShape`.
   * @example bl.broadcastShapes([2, 1, 4], [3, 1], [1]); // [2, 3, 4]
   */
  broadcastShapes<S extends ShapeLike>(...shapes: S[]): ExtentOf<S>[] {
    return this.inferShape('numpy', shapes) as ExtentOf<S>[];
  }

  /**
   * The number of elements of a shape: 1 for a scalar, 0 where an extent is 0. A bigint only beyond 2^53.
   *
   * @throws BroadcastError `overflow` beyond 2^63-1; `extent`.
   * @example bl.countElements([2, 3, 4]); // 24
   */
  countElements(shape: ShapeLike): Extent {
    return this.#core.count(readIntegers(this.#core, shape, 'extent', {}));
  }

  /**
   * The bytes of a dense array. Packed types are rounded up to whole bytes once, at the end.
   *
   * @throws BroadcastError as `countElements`; `unknown` for the type.
   * @example bl.countBytes([3, 3], 'i4'); // 5
   */
  countBytes(shape: ShapeLike, dtype: DType): Extent {
    const type = readDType(this.#core, dtype);
    return this.#core.count(readIntegers(this.#core, shape, 'extent', {}), type);
  }

  // --- Texts --------------------------------------------------------------------------------------------------------

  /**
   * Reads a shape in any usual spelling: `2,3` `(2, 3)` `[2,3]` `2x3` `2 3` `(5,)` `torch.Size([2, 3])`, `()` for a
   * scalar.
   *
   * @throws BroadcastError `parse` with the bad token's span; `extent` (`negative`, `fractional`, `unsafe`) likewise.
   * @example bl.parseShape('(2, 3)'); // { values: [2, 3], spans: [{ begin: 1, end: 2 }, { begin: 4, end: 5 }] }
   */
  parseShape(text: string, options: ParseOptions & { readonly bigint: true }): ParsedIntegers<bigint>;
  parseShape(text: string, options?: ParseOptions & { readonly bigint?: false | undefined }): ParsedIntegers;
  parseShape(text: string, options?: ParseOptions): ParsedIntegers<Extent> {
    return this.#parse(text, options, true);
  }

  /**
   * Reads a target shape or an axes mapping: the same spellings, but negative values pass, since the rule judges them.
   *
   * @throws BroadcastError as `parseShape`.
   * @example bl.parseIntegers('0, 2').values; // [0, 2]
   */
  parseIntegers(text: string, options: ParseOptions & { readonly bigint: true }): ParsedIntegers<bigint>;
  parseIntegers(text: string, options?: ParseOptions & { readonly bigint?: false | undefined }): ParsedIntegers;
  parseIntegers(text: string, options?: ParseOptions): ParsedIntegers<Extent> {
    return this.#parse(text, options, false);
  }

  /**
   * Reads an error text of another system: a message, a traceback or a notebook's cell. Its last error that has shapes is
   * read; nothing in it is executed.
   *
   * @returns Null where the text has no shapes and is no error that is known.
   * @throws BroadcastError `not_loaded` before `await bl.loadExplanations()`.
   * @example
   * await bl.loadExplanations();
   * const text = 'ValueError: operands could not be broadcast together with shapes (2,3) (2,)';
   * const { system, rule, shapes } = bl.readPasted(text);
   * [system, rule, ...shapes.map(({ extents }) => extents)]; // ['numpy', 'numpy', [2, 3], [2]]
   */
  readPasted(text: string): Pasted | null {
    return this.#core.explain().readPasted(text);
  }

  /**
   * Reads one or several shapes as people write them: `a.shape = (2, 3)`, `tensor<2x3xf32>`, `f32[2,?,3]`, `(N, 2..8)`.
   *
   * @throws BroadcastError as `parseShape`; `not_loaded` before `await bl.loadExplanations()`.
   * @example
   * await bl.loadExplanations();
   * bl.readShapes('(2,3) and (N,)').map(({ text }) => text); // ['(2,3)', '(N,)']
   */
  readShapes(text: string): ShapeInText[] {
    return this.#core.explain().readShapes(text);
  }

  /**
   * A shape as text.
   *
   * @example bl.formatShape([5]); // '(5,)'
   */
  formatShape(shape: ShapeLike): string {
    return this.#core.formatShape(readIntegers(this.#core, shape, 'extent', {}));
  }

  /**
   * The name of an operand in sentences.
   *
   * @example [0, 1, -2].map((operand) => bl.formatOperand(operand)); // ['A', 'B', 'the target']
   */
  formatOperand(operand: number): string {
    return this.#core.formatOperand(readOperand(this.#core, operand) ?? 0);
  }

  // --- Arrays -------------------------------------------------------------------------------------------------------

  /**
   * Computes an operator on arrays. Operands of one element type (Pow's exponent and Where's condition may differ) are
   * matched by a rule; the result is a new array of the broadcast shape, or `options.out`.
   *
   * @param op One of `bl.vocabulary.ops`.
   * @param inputs The operands, in order.
   * @returns The result; for Broadcast under `sonnx` a list, one for each operand.
   * @throws BroadcastError `unknown`, `arity`, `attribute`, `dtype`, `extent`, `length` where the call is wrong; those of
   * `inferShape` where the shapes do not fit; `limit`, `allocation` where there is no memory for the result; `overlap` for
   * `out`.
   * Nothing has been written then.
   * @example
   * const a = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] };
   * bl.apply('Add', [a, { data: new Float32Array([10, 20]), shape: [2] }], { rule: 'pdpd', axis: 0 }).data;
   * // Float32Array [11, 12, 13, 24, 25, 26]
   */
  apply<
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends readonly AnyOut[] = never,
  >(
    op: 'Broadcast',
    inputs: L & { readonly [I in keyof L]: Fit<L[I], ProblemAlone<L[I]>> },
    options: ApplyOptions<'Broadcast', DTypeOf<L[number]>, M, F, T> & { readonly rule: 'sonnx' },
  ): { -readonly [I in keyof L]: Given<DTypeOf<L[I]>, L, F, T[number]> };
  apply<
    O extends OpName,
    const L extends readonly AnyOperand[],
    M extends Promote = 'strict',
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    op: O,
    inputs: L & OperandsOf<O> & FittingList<O, L, M>,
    options?: ApplyOptions<O, ResultType<O, L, M>, M, F, T>,
  ): Given<ResultType<O, L, M>, L, F, T>;
  apply(op: OpName, inputs: readonly unknown[], options?: unknown): Computed | Computed[] {
    return this.#apply(op, inputs, options);
  }

  /**
   * One array in another shape, by OpenVINO's Broadcast-3.
   *
   * @throws BroadcastError as `apply`.
   * @example
   * const data = { data: new Int32Array([1, 2]), shape: [2] };
   * bl.broadcast(data, { mode: 'explicit', targetShape: [2, 3], axesMapping: [0] }).data; // 1 1 1 2 2 2
   */
  broadcast<const A extends AnyOperand, const T extends AnyOut = never>(
    data: Fit<A, ProblemAlone<A>>,
    options: BroadcastOptions<DTypeOf<A>, T>,
  ): Given<DTypeOf<A>, readonly [A], 'array', T> {
    const core = this.#core;
    const { mode = 'numpy', ...rest } = readOptions(core, options, ['mode', 'targetShape', 'axesMapping', 'out']);
    const fields = { detail: 'rule', op: 'Broadcast' } as const;
    const rule = MODES[readName(core, mode, 'mode', MODES, fields) as keyof typeof MODES];
    return this.#apply('Broadcast', [data], { ...rest, rule }) as Given<DTypeOf<A>, readonly [A], 'array', T>;
  }

  /**
   * A copy of an array repeated into a shape that it stretches to (the array API's `broadcast_to`, NumPy's rule in one
   * direction).
   *
   * @throws BroadcastError as `apply`.
   * @example bl.broadcastTo({ data: new Int8Array([1, 2]), shape: [2, 1] }, [2, 3]).data; // 1 1 1 2 2 2
   */
  broadcastTo<const A extends AnyOperand>(
    array: Fit<A, ProblemAlone<A>>,
    shape: ShapeLike,
  ): Given<DTypeOf<A>, readonly [A]> {
    const options = { rule: 'broadcast_numpy', targetShape: shape };
    return this.#apply('Broadcast', [array], options) as Given<DTypeOf<A>, readonly [A]>;
  }

  /**
   * Copies of any number of arrays, each repeated into their common shape and of its own element type: SONNX's Broadcast,
   * which is the array API's `broadcast_arrays`. Those of tensors are tensors.
   *
   * @throws BroadcastError as `apply`.
   * @example
   * const [x, y] = bl.broadcastArrays(
   *   { data: new Float32Array([1, 2]), shape: [2, 1] },
   *   { data: new Int32Array([7, 8, 9]), shape: [3] },
   * ); // both of shape [2, 3]
   */
  broadcastArrays<const L extends readonly AnyOperand[]>(
    ...arrays: L & { readonly [I in keyof L]: Fit<L[I], ProblemAlone<L[I]>> }
  ): { -readonly [I in keyof L]: Given<DTypeOf<L[I]>, readonly [L[I]]> } {
    const results = this.#applyTo('Broadcast', arrays, { rule: 'sonnx' }, true);
    return results as unknown as { -readonly [I in keyof L]: Given<DTypeOf<L[I]>, readonly [L[I]]> };
  }

  /**
   * An array's elements converted to another type. Integers wrap, or saturate if asked to. Floats are truncated to integers
   * and saturate; NaN becomes 0. Conversions to floats round once, to nearest even. A bool is true for all but 0.
   *
   * @param to The element type of the result: bool or any of the numbers.
   * @throws BroadcastError as `apply`.
   * @example
   * const bytes = { data: new Uint8Array([0, 128, 255]), shape: [3] };
   * bl.cast(bytes, 'f32').data; // Float32Array [0, 128, 255]
   * bl.cast({ data: new Int32Array([-1, 300]), shape: [2] }, 'u8', { saturate: true }).data; // Uint8Array [0, 255]
   */
  cast<
    const A extends AnyOperand,
    const D extends TypesOf<'Cast'>,
    F extends ResultForm | 'first' = 'array',
    const T extends AnyOut = never,
  >(
    array: Fit<A, ProblemAlone<A, TypesOf<'Cast'>>>,
    to: D,
    options?: CastOptions<D, F, T>,
  ): Given<D, readonly [A], F, T> {
    const { saturate, ...given } = readOptions(this.#core, options, ['saturate', 'out', 'as']);
    const attrs = { to, saturate: typeof saturate === 'boolean' ? Number(saturate) : saturate };
    return this.#applyTo('Cast', [array], { ...given, attrs }) as Given<D, readonly [A], F, T>;
  }

  /**
   * The adjoint of broadcasting, as a gradient needs it: sums an array of a result's shape to the shape of an operand that
   * broadcasts to it. Each element is the sum of those that it was repeated to. Integers wrap; f16, bf16, f32 and c64 are
   * summed in f64 and rounded once; f64 and c128 in twice their precision. A sum of no elements is 0.
   *
   * @param shape That of the operand: (3) for an array of (2,3) sums along the first axis.
   * @param options The rule by which `shape` broadcasts to the array's, with its options, and `out`.
   * @throws BroadcastError those of `inferShape` where the shapes do not fit (their operands are named as
   * {@link SumToOptions} says), `incompatible` also where the array itself would have to stretch; `dtype` for bool,
   * 8-bit floats and packed types; `unknown`, `attribute`, `extent`, `length`, `limit`, `allocation`, `overlap` as
   * `apply`.
   * @example
   * const g = { data: new Float32Array([0, 1, 2, 3, 4, 5]), shape: [2, 3] };
   * bl.sumTo(g, [3]).data; // Float32Array [3, 5, 7]
   * bl.sumTo(g, [2, 1]).data; // Float32Array [3, 12]
   * bl.sumTo(g, [2], { rule: 'pdpd', axis: 0 }).data; // Float32Array [3, 12]
   */
  sumTo<const A extends AnyOperand, const T extends AnyOut = never>(
    array: Fit<A, ProblemAlone<A, Summed>>,
    shape: ShapeLike,
    options?: SumToOptions<DTypeOf<A>, T>,
  ): Given<DTypeOf<A>, readonly [A], 'array', T> {
    const core = this.#core;
    const given = readOptions(core, options, ['rule', 'axis', 'axesMapping', 'out']);
    const rule = given.rule === undefined ? 'broadcast_numpy' : readRule(core, given.rule);
    const operand = this.#read(array, null, 0);
    const request = newRequest([], [operand.dtype, operand.dtype]);
    request.rule = rule;
    request.axis = readInteger(core, given.axis, 'axis', 'attribute', { rule });
    request.axesMapping = readMapping(core, given.axesMapping, rule);
    request.shapes = [operand.shape, readIntegers(core, shape, 'extent', { rule, operand: OUTPUT })];
    const target = given.out === undefined ? undefined : readArray(this.#executor.tensors, given.out, null, OUTPUT);
    const out = target && checkedOut(core, target, null);
    return this.#executor.sumTo(request, operand, out) as Given<DTypeOf<A>, readonly [A], 'array', T>;
  }

  // --- Kept ---------------------------------------------------------------------------------------------------------

  /**
   * Makes an operator ready for operands of given shapes and types, for calls that are repeated. (Other calls keep the
   * plans of recent calls, too.)
   *
   * @param op One of `bl.vocabulary.ops`.
   * @param rule How the operands are matched: one of `bl.vocabulary.rules` that the operator takes, but not `sonnx`,
   * which has several results.
   * @param shapes One for each operand.
   * @param dtypes One for each operand.
   * @param options Those of the rule, and the operator's attributes.
   * @throws BroadcastError as `apply`, except for errors that depend on data.
   * @example
   * using plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
   * plan.run([new Float32Array(6), new Float32Array([1, 2, 3])]).data; // 1 2 3 1 2 3
   */
  plan<O extends OpName, const L extends readonly DType[]>(
    op: O,
    rule: OpTable[O]['rules'],
    shapes: readonly ShapeLike[],
    dtypes: L,
    options?: PlanOptions<O>,
  ): Plan<PlannedType<O, L>, L> {
    const core = this.#core;
    const name = readOp(core, op);
    const given = readOptions(core, options, PLAN_OPTIONS);
    const ruleName = readRule(core, rule, name);
    const extents = readShapes(core, shapes, ruleName);
    const typeCount = listLength(dtypes);
    if (typeCount !== extents.length) {
      const counts = { extent: Math.max(typeCount, 0), otherExtent: extents.length };
      const message = `As many element types are needed as shapes: ${counts.otherExtent}, not ${counts.extent}.`;
      throw core.error({ code: 'arity', op: name, rule: ruleName, ...counts }, dtypes, message);
    }
    const types = extents.map((_, operand) => readDType(core, entryOf(core, dtypes, operand), { op: name, operand }));
    if (core.returnEach.includes(ruleName)) {
      const message = `A plan has one result, and ${ruleName} one for each operand: plan broadcast_numpy for each of them.`;
      throw core.error({ code: 'arity', op: name, rule: ruleName }, rule, message);
    }
    const request = readPlanRequest(core, name, ruleName, extents, types, given);
    return new Plan(this.#executor, this.#planNet, request) as Plan<PlannedType<O, L>, L>;
  }

  /**
   * A tensor with the elements of an array, in the module's own memory: see {@link Tensor}. An operator with a tensor among
   * its operands returns a tensor.
   *
   * @throws BroadcastError `dtype`, `extent`, `length` where the array is wrong; `limit`, `allocation`.
   * @example
   * using t = bl.tensor({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2] });
   * using sum = bl.add(t, { data: new Float32Array([10, 20]), shape: [2] });
   * sum.read(); // Float32Array [11, 22, 13, 24]
   */
  tensor<const A extends AnyOperand>(array: Fit<A, ProblemAlone<A>>): Tensor<DTypeOf<A>> {
    return this.#executor.tensor(this.#read(array, null, 0)) as Tensor<DTypeOf<A>>;
  }

  /**
   * The element type in which operands are computed together under `promote: 'numpy2'`: NumPy 2's rules (NEP 50), by
   * which numbers, bigints and booleans give way to the types of arrays. `div` computes bools and integers in f64 then.
   *
   * @param operands Names of element types, arrays in any form, tensors, scalars.
   * @throws BroadcastError `dtype` where they have none in common; `unknown`; `arity` without operands.
   * @example
   * bl.resultType('i8', 'u8'); // 'i16'
   * bl.resultType({ data: new Float32Array(3), shape: [3] }, 2.5); // 'f32'
   */
  resultType<const L extends readonly (DType | AnyOperand)[]>(...operands: L): PromotedTypeOf<L> {
    const core = this.#core;
    const promoted = Array.from(operands, (operand, i) => {
      if (typeof operand === 'string') return { dtype: readDType(core, operand, { operand: i }) };
      return promotedBy(readArray(this.#executor.tensors, operand, null, i));
    });
    try {
      return core.promotion.resultType(promoted) as PromotedTypeOf<L>;
    } catch (fault) {
      if (!isFormFault(fault)) throw fault;
      throw core.error(fault.fields, fault.value, fault.message);
    }
  }

  /**
   * The element types in which an operator computes operands of these types under `promote: 'numpy2'`: their common type,
   * or f64 where that is an integer type and `op` is `Div`. An operand that takes no part in it, as Where's condition,
   * keeps its type.
   *
   * @param op One of `bl.vocabulary.ops`.
   * @param dtypes One for each operand.
   * @throws BroadcastError as `resultType`.
   * @example
   * bl.promotedTypes('Add', 'i8', 'u8'); // ['i16', 'i16']
   * bl.promotedTypes('Where', 'bool', 'i8', 'f32'); // ['bool', 'f32', 'f32']
   */
  promotedTypes(op: OpName, ...dtypes: DType[]): DType[] {
    const core = this.#core;
    const name = readOp(core, op);
    const given = dtypes.map((dtype, operand) => readDType(core, dtype, { op: name, operand }));
    const promoted = promotedTypes(
      core,
      core.vocabulary.ops[name],
      given.map((dtype) => ({ dtype })),
    );
    return given.map((dtype, i) => promoted[i] ?? dtype);
  }

  /**
   * The size of the module's memory, the bytes that tensors hold, and the number of tensors.
   *
   * @example bl.memory(); // { bytes: 4194304, held: 0, tensors: 0 }
   */
  memory(): { readonly bytes: number; readonly held: number; readonly tensors: number } {
    const { held, count } = this.#executor.tensors;
    return { bytes: this.#core.memoryBytes, held, tensors: count };
  }

  // --- Internals -------------------------------------------------------------------------------------------------------

  /** An array that is the only operand. Values without a type get that of their kind. */
  #read(array: unknown, op: OpName | null, operand: number): Reading {
    const read = readArray(this.#executor.tensors, array, op, operand);
    return read.plain === null ? read : asType(this.#core, read, read.dtype, op, operand);
  }

  #method(op: OpName, operands: number) {
    const recent: Recent = { planned: undefined };
    return (...given: unknown[]) => {
      const { length } = given;
      if (length > operands + 1 || isOperand(given[operands])) {
        throw this.#core.error({ code: 'arity', op, extent: length, otherExtent: operands }, given);
      }
      const options = length > operands ? given.pop() : undefined;
      return this.#applyTo(op, given, options, false, recent);
    };
  }

  #listMethod(op: OpName) {
    return (...given: unknown[]) => {
      if (given.length > 2) {
        const message = `${op} takes a list of arrays and options, not ${given.length} arguments.`;
        throw this.#core.error({ code: 'arity', op }, given, message);
      }
      return this.#apply(op, given[0], given[1]);
    };
  }

  #apply(opName: unknown, inputs: unknown, options: unknown): Computed | Computed[] {
    const op = readOp(this.#core, opName);
    if (isOperand(options)) {
      const message = `${op} takes its arrays in one list; another stands where options do.`;
      throw this.#core.error({ code: 'arity', op }, options, message);
    }
    return this.#applyTo(op, inputs, options);
  }

  /** `recent`: where the plan of a call is kept that has no option but `out`. */
  #applyTo(op: OpName, inputs: unknown, options: unknown, keepsForms = false, recent?: Recent): Computed | Computed[] {
    const core = this.#core;
    const given = options === undefined ? NO_APPLY_OPTIONS : readOptions(core, options, APPLY_OPTIONS, applyOptionsOf);
    const rule = given.rule === undefined ? (core.calls.get(op) as OpCall).defaultRule : readRule(core, given.rule, op);
    if (options !== undefined && !isOutAlone(given)) recent = undefined;
    const length = listLength(inputs);
    if (length === -1) {
      throw noList(core, inputs, op);
    }
    const operands = new Array<Reading>(length);
    let isPlain = false;
    for (let i = 0; i < length; ++i) {
      const operand = readArray(this.#executor.tensors, entryOf(core, inputs as unknown[], i), op, i);
      operands[i] = operand;
      isPlain ||= operand.plain !== null;
    }
    // Another call with operands of the same shapes and types, which is usual, needs no request.
    let out: Reading[] | undefined;
    if (recent?.planned?.isOf(operands) === true && !isPlain) {
      if (given.out !== undefined) out = this.#results(op, given.out, false);
      // A getter of `out` may have made other calls.
      if (recent.planned.isOf(operands)) {
        return this.#executor.runRecent(recent.planned, operands, out)[0] as Computed;
      }
    }
    const promote = given.promote === undefined ? 'strict' : this.#promote(given.promote, op);
    const isMany = core.returnEach.includes(rule); // a result for each operand, of its type
    if (isPlain || (promote !== 'strict' && !isMany)) settleTypes(core, op, operands, promote, isMany);
    const shapes = new Array<readonly Extent[]>(length);
    const dtypes = new Array<DType>(length);
    for (let i = 0; i < length; ++i) {
      const { shape, dtype } = operands[i] as Reading;
      shapes[i] = shape;
      dtypes[i] = dtype;
    }
    const request = readPlanRequest(core, op, rule, shapes, dtypes, given);
    if (given.out !== undefined) out ??= this.#results(op, given.out, isMany);
    const form = given.as === undefined ? 'array' : this.#form(given, op, operands);
    const results = this.#executor.run(request, operands, out, keepsForms);
    if (recent !== undefined && results.length === 1) recent.planned = this.#executor.lastPlanned;
    if (form !== 'array') {
      try {
        // A library's array is made by the class of an operand of that library.
        const alike = operands.map((operand) => (operand.form === form ? operand.given : undefined));
        const given = results.map((result) => giveBack(result as DenseResult, form, alike[0], alike));
        return (isMany ? given : given[0]) as Computed;
      } catch (fault) {
        throw named(core, fault, op, OUTPUT, RESULT);
      }
    }
    return isMany ? results : (results[0] as Computed);
  }

  #promote(promote: unknown, op: OpName): Promote {
    const names = { strict: true, numpy2: true };
    return readName(this.#core, promote, 'way of promotion', names, { op }) as Promote;
  }

  /** The form of the result: the option `as`. */
  #form(
    given: { readonly as?: unknown; readonly out?: unknown },
    op: OpName,
    operands: readonly Reading[],
  ): ResultForm {
    const core = this.#core;
    const form = given.as;
    if (form !== 'first' && !isResultForm(form)) {
      throw unknownName(core, 'form', form, ['first', ...RESULT_FORM_NAMES], { op });
    }
    const isKept = given.out !== undefined || operands.some(({ isTensor }) => isTensor);
    if (isKept && form !== 'first' && form !== 'array') {
      const what = given.out === undefined ? 'is a tensor' : 'goes to out';
      const message = `The result ${what}, so it cannot have the form ${show(form)}. Leave \`as\` away.`;
      throw core.error({ code: 'attribute', detail: 'unexpected', op }, form, message);
    }
    if (form !== 'first') return form;
    const first = operands[0]?.form ?? 'array';
    if (isKept || first === 'tensor') return 'array';
    return resultFormOf(first);
  }

  #results(op: OpName, out: unknown, isMany: boolean): Reading[] {
    const core = this.#core;
    const read = (array: unknown) => checkedOut(core, readArray(this.#executor.tensors, array, op, OUTPUT), op);
    if (!isMany) return [read(out)];
    const length = listLength(out);
    if (length !== -1) return Array.from({ length }, (_, i) => read(entryOf(core, out as unknown[], i)));
    const message = `out has to be a list of arrays, one for each operand, not ${show(out)}.`;
    throw core.error({ code: 'arity', op, operand: OUTPUT }, out, message);
  }

  #parse(text: unknown, options: unknown, isShape: boolean): ParsedIntegers<Extent> {
    const core = this.#core;
    const given = readOptions(core, options, ['operand', 'bigint']);
    const operand = readOperand(core, given.operand) ?? -1;
    if (typeof text !== 'string') {
      throw core.error({ code: 'parse' }, text, `A text is needed, not ${show(text)}.`);
    }
    const { values, spans } = core.parse(text, operand, isShape);
    if (given.bigint === true) return { values, spans };
    values.forEach((value, i) => {
      if (Number.isSafeInteger(Number(value))) return;
      const span = spans[i] as TextSpan;
      const named = operand === -1 ? null : operand;
      throw core.error(
        { code: 'extent', detail: 'unsafe', operand: named, operandAxis: i, extent: value, span },
        value,
      );
    });
    return { values: values.map(Number), spans };
  }
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the constructor adds a method an operator
export interface Broadloom extends Operators {}

/** The plan of a method's last call with no option but `out`. */
interface Recent {
  planned: Planned | undefined;
}

/** The rule of each mode of Broadcast-3. */
const MODES = { numpy: 'broadcast_numpy', bidirectional: 'bidirectional', explicit: 'explicit' } as const;
