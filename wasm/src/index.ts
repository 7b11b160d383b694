export { load, type LoadOptions, type WasmSource } from './load.js';
export type { Broadloom, ParseOptions, ParsedIntegers } from './broadloom.js';
export type { Plan, PlanInput } from './plan.js';
export type { Tensor } from './tensor.js';
export type { AlignedAxis, AlignedCell, Alignment, Conflict, Extent, IndexRange, Repair } from './alignment.js';
export type {
  DataOf,
  DTypeOf,
  ExtentOf,
  ImpliedDType,
  IntegerArray,
  NdArray,
  Operand,
  PlannedType,
  ShapeLike,
  Summed,
  TypedArray,
  TypesOf,
} from './arrays.js';
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
  ApplyOptions,
  AttributesOf,
  BroadcastOptions,
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
  Relation,
  RepairKind,
  RuleName,
} from './vocabulary.js';
export type { ClauseRow, DocumentRow, DTypeRow, ErrorRow, OpRow, RuleRow, Vocabulary } from './vocabulary-rows.js';
