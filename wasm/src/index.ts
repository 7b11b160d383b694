export { load, type LoadOptions } from './load.js';
export type { WasmSource } from './compile.js';
export type { Broadloom, ParseOptions, ParsedIntegers } from './broadloom.js';
export type { Plan, PlanInput, PlanOut } from './plan.js';
export type { Tensor } from './tensor.js';
export type { AlignedAxis, AlignedCell, Alignment, Conflict, Extent, IndexRange, Repair } from './alignment.js';
export type {
  AnyArray,
  AnyOperand,
  DataOf,
  DTypeOf,
  ElementArray,
  ExtentOf,
  ImpliedDType,
  IntegerArray,
  LibraryTypes,
  NdArray,
  NestedList,
  Operand,
  PlainValue,
  PlainValues,
  ShapeLike,
  Summed,
  TypedArray,
  TypesOf,
} from './arrays.js';
export type { Given, PlannedType, PromotedTypeOf, ResultType } from './inference.js';
export type { Promote } from './operand-types.js';
export type { FormOf, Nested, ResultForm, ResultForms, ValueOf } from './result-forms.js';
export {
  BroadcastError,
  isBroadcastError,
  LoadError,
  type ErrorRecord,
  type LoadErrorCode,
  type PackageErrorCode,
  type TextSpan,
} from './errors.js';
export type {
  AnyOut,
  ApplyOptions,
  AttributesOf,
  BroadcastOptions,
  CastOptions,
  PlanOptions,
  RuleOptions,
  ShapeOptions,
  SumToOptions,
} from './options.js';
export type {
  ClauseName,
  DetailName,
  DocumentName,
  DType,
  ErrorCode,
  Operators,
  OpName,
  OpTable,
  PromotedType,
  Relation,
  RepairKind,
  RuleName,
  WeakKind,
} from './vocabulary.js';
export type { ClauseRow, DocumentRow, DTypeRow, ErrorRow, OpRow, RuleRow, Vocabulary } from './vocabulary-rows.js';
