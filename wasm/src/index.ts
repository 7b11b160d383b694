export { load, type LoadOptions } from './load.js';
export type { WasmSource } from './compile.js';
export type { Broadloom, ExplanationOptions, ParseOptions, ParsedIntegers } from './api/broadloom.js';
export type { Plan, PlanInput, PlanOut } from './plans/plan.js';
export type { Tensor } from './operands/tensor.js';
export type { AlignedAxis, AlignedCell, Alignment, Conflict, IndexRange, Repair } from './types/alignment.js';
export type {
  AlignmentDocument,
  Cause,
  CellDocument,
  CodeOperand,
  CodeOptions,
  CodeValues,
  ComparedRule,
  Comparison,
  DivergentSystem,
  ExtentInText,
  NoBroadcast,
  Pasted,
  PastedQuestion,
  PastedShape,
  QuestionCode,
  RepairCode,
  ShapeInText,
  Warning,
  Whole,
} from './types/explanation.js';
export type {
  ExtentEquality,
  ExtentTerm,
  SymbolicAlternative,
  SymbolicAxis,
  SymbolicCase,
  SymbolicDocument,
  SymbolicFit,
  SymbolicOptions,
  SymbolicShape,
} from './types/symbolic.js';
export type { Extent } from './types/extent.js';
export type {
  AnyArray,
  AnyOperand,
  DTypeOf,
  ElementArray,
  LibraryTypes,
  NdArray,
  NestedList,
  Operand,
  PlainValue,
  PlainValues,
  Summed,
  TypesOf,
} from './operands/arrays.js';
export type { DataOf, ImpliedDType, TypedArray } from './types/data.js';
export type { ExtentOf, IntegerArray, ShapeLike } from './types/extent.js';
export type { Given, PlannedType, PromotedTypeOf, ResultType } from './signatures/inference.js';
export type { AxisNames, Policy } from './operands/policy.js';
export type { Promote } from './types/promote.js';
export type { FormOf, Nested, ResultForm, ResultForms, ValueOf } from './operands/result-forms.js';
export {
  BroadcastError,
  isBroadcastError,
  LoadError,
  type ErrorRecord,
  type LoadErrorCode,
  type TextSpan,
} from './types/errors.js';
export type { PackageErrorCode } from './types/error-code.js';
export type {
  AlignOptions,
  AnyOut,
  ApplyOptions,
  AttributesOf,
  BroadcastOptions,
  CastOptions,
  PlanOptions,
  RuleOptions,
  ShapeOptions,
  SumToOptions,
} from './signatures/options.js';
export type {
  CauseKind,
  ClauseName,
  CodeSystem,
  DetailName,
  DocumentName,
  DType,
  ErrorCode,
  Grade,
  OpName,
  OpTable,
  PromotedType,
  Relation,
  RepairKind,
  RuleName,
  WarningKind,
  WeakKind,
} from './types/vocabulary.js';
export type { Operators } from './signatures/operators.js';
export type {
  ClauseRow,
  DocumentRow,
  DTypeRow,
  ErrorRow,
  OpRow,
  RuleRow,
  Vocabulary,
} from './types/vocabulary-rows.js';
