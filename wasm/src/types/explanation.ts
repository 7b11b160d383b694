import type {
  CauseKind,
  ClauseName,
  CodeSystem,
  DetailName,
  DType,
  ErrorCode,
  Grade,
  OpName,
  Relation,
  RepairKind,
  RuleName,
  WarningKind,
} from './vocabulary.js';
import type { TypedArray } from './data.js';
import type { Extent } from './extent.js';
import type { TextSpan } from './errors.js';

/** The likeliest cause of shapes that do not fit. */
export interface Cause {
  readonly kind: CauseKind;
  /** The operand that probably is to be changed; -2 for the target, null where none is likelier than the others. */
  readonly operand: number | null;
  /** The axis of the result where it shows; null for none. */
  readonly axis: number | null;
  /** Whether the shapes would also allow another cause, or tell little. */
  readonly isThin: boolean;
  /** The evidence in the shapes, as sentences. */
  readonly text: string;
}

/** A warning about shapes that fit. */
export interface Warning {
  /** To be given as `expect` where it is meant. */
  readonly kind: WarningKind;
  /** Axes of the result. */
  readonly axes: readonly number[];
  /** The reason for the warning, and how to check it. */
  readonly message: string;
  /** Of kind `other_systems`: those that differ from Broadloom. */
  readonly systems: readonly DivergentSystem[];
}

/** A system that differs from the documents or from Broadloom. */
export type DivergentSystem = 'onnxruntime' | 'openvino' | 'paddle' | 'numpy';

/**
 * The elements of an operand in code. Counting: element i is `first + i * step` (1 and 1, if not given), wrapped to an
 * integer type; of bools it is true where `floor(i / step)` is odd. `all`: one value for all elements. A list: every element
 * in row-major order. A complex number is two values, its real and its imaginary part. At most 1000 elements are listed.
 */
export type CodeValues =
  | { readonly first?: number | undefined; readonly step?: number | undefined }
  | { readonly all: readonly (number | bigint | boolean)[] }
  | readonly (number | bigint | boolean)[]
  | TypedArray;

/** An operand in code. */
export interface CodeOperand {
  /** A variable's name follows from it. */
  readonly name?: string | undefined;
  /** That of the other operands, if they have one; else f32, if the operator takes it. */
  readonly dtype?: DType | undefined;
  readonly values?: CodeValues | undefined;
}

/** Options of `alignment.code`. */
export interface CodeOptions {
  /** One for each operand; none for the usual ones. */
  readonly operands?: readonly CodeOperand[] | undefined;
  /** The operator's attributes. */
  readonly attrs?:
    | {
        readonly fmod?: number | undefined;
        readonly direction?: 'left' | 'right' | undefined;
        readonly to?: DType | undefined;
        readonly saturate?: number | undefined;
      }
    | undefined;
}

/** A question as code for a system. */
export interface QuestionCode {
  /** Null where the system does not have the operator, a type, or a defined result for these values. */
  readonly text: string | null;
  /** Then one sentence on why; else null. */
  readonly reason: string | null;
}

/** By system the line of code of a repair; null where the system cannot express it. */
export type RepairCode = { readonly [S in CodeSystem]: string | null };

/** An extent in a text: a number, or a name and range. A bigint only beyond 2^53. */
export type ExtentInText =
  | Extent
  | {
      /** Extents with the same name are equal; null: independent of all others. */
      readonly name: string | null;
      readonly least: Extent;
      /** Null: no upper end. */
      readonly most: Extent | null;
    };

/** A shape that was read from a text. */
export interface ShapeInText {
  /** Null for a shape of unknown rank. */
  readonly extents: readonly ExtentInText[] | null;
  /** The names of the axes; null where there are none. */
  readonly names: readonly (string | null)[] | null;
  /** The shape as the text has it. */
  readonly text: string;
  /** The text before it, such as `a.shape`; null if there is none. */
  readonly label: string | null;
  readonly span: TextSpan | null;
  /** Whether the text has extents although the rank is unknown: `(..., 3)`. They are not in `extents`. */
  readonly isPartial: boolean;
  /** An element type beside the shape, as the text has it: `f32` of `tensor<2x3xf32>`; null for none. */
  readonly elementType: string | null;
  /** The element type of Broadloom that it is; null for none. */
  readonly dtype: DType | null;
}

/** A shape of an error text. */
export interface PastedShape extends ShapeInText {
  readonly role: 'operand' | 'target operand' | 'input operand' | 'value' | 'target' | 'output' | 'broadcast';
  /** Whether a shape in this role is an operand. */
  readonly isOperand: boolean;
  /** The shape as `align` or `alignSymbolic` take it, `(?, 3)`; null where the text has the expression alone. */
  readonly shape: string | null;
  /** The operand in the line of code, such as `x.mean(axis=1)`; null where the text does not have it. */
  readonly expression: string | null;
  readonly expressionSpan: TextSpan | null;
}

/** The question in an error text: for `align`, or `alignSymbolic` where some extents are not known. */
export interface PastedQuestion {
  /**
   * The rule of the text; or `broadcast_numpy` for an operator that works in place, of which only the right operand may be
   * stretched.
   */
  readonly rule: RuleName;
  /** Indices in `shapes`. */
  readonly operands: readonly number[];
  readonly target: number | null;
  /** Whether an extent or a rank is not known. */
  readonly isSymbolic: boolean;
  /** Whether the target is an array that is written to, not a shape that was asked for. */
  readonly writesToTarget: boolean;
  /** Whether an operand is written there; else the text has only the shape of what the operands make together. */
  readonly writesOperand: boolean;
  /** Whether the system has no other rule. */
  readonly keepsRule: boolean;
}

/** What an error text is about that is no broadcast. */
export interface NoBroadcast {
  readonly kind:
    | 'reshape'
    | 'matmul'
    | 'einsum'
    | 'core dimensions'
    | 'concatenate'
    | 'index'
    | 'axis'
    | 'layer'
    | 'ragged'
    | 'call';
  /** A sentence: what it is, and what helps. */
  readonly message: string;
}

/** What was read from an error text. */
export interface Pasted {
  /** The system that printed it; `unknown` where only shapes were found. */
  readonly system: string;
  readonly systemTitle: string | null;
  /** Other systems that print the same text. */
  readonly also: readonly string[];
  /** The row of the table of formats. */
  readonly format: string | null;
  /** The rule that the system applied; null where it is none of Broadloom's, and then `otherRule` names it. */
  readonly rule: RuleName | null;
  readonly otherRule: string | null;
  /** What the text is about if it is no broadcast; else null. */
  readonly noBroadcast: NoBroadcast | null;
  /** The attribute `axis` of the rule `pdpd`; null where the text does not have it. */
  readonly ruleAxis: number | null;
  /** The operator as the text or the line of code has it, and Broadloom's if it has that. */
  readonly operator: string | null;
  readonly op: OpName | null;
  /** In the order of the text. */
  readonly shapes: readonly PastedShape[];
  /** The extents that conflict, if the text has those and no shapes. */
  readonly sizes: readonly ExtentInText[];
  /** The axis in the text, and how it is counted; null where there is none. */
  readonly axis: number | null;
  readonly axisCounts: 'from_left_in_result' | 'from_right_in_result' | 'in_operand' | null;
  /** Whether the result is written into the left operand, whose shape it must have: `x -= y`. */
  readonly inPlace: boolean;
  /** Whether shapes of operands are not in the text, and would help: ask for them. */
  readonly lacksShapes: boolean;
  /** Null where the text lacks shapes, or its rule is none of Broadloom's. */
  readonly question: PastedQuestion | null;
  /** The line of code that failed; null where the text does not have it. */
  readonly sourceLine: string | null;
  readonly sourceSpan: TextSpan | null;
  readonly messageSpan: TextSpan | null;
  /** Sentences on what the system does differently. */
  readonly notes: readonly string[];
}

/** A whole number in JSON; beyond 2^53 - 1, where a JSON number would lose digits, a string of its decimal digits. */
export type Whole = number | string;

/** One operand along one axis of the result, in JSON. */
export interface CellDocument {
  /** The operand's own axis; null where it has none. */
  readonly sourceAxis: number | null;
  readonly relation: Relation;
  /** The clause of the governing document. */
  readonly clause: ClauseName;
  readonly extent: Whole;
  /** The stride of the dense operand along the axis, in elements; 0 where it is repeated; null where there is none. */
  readonly stride: Whole | null;
}

/**
 * All that there is to say of an alignment, as JSON. While `version` is 1, fields keep their names and meanings; new ones
 * may be added.
 */
export interface AlignmentDocument {
  readonly version: 1;
  readonly kind: 'alignment';
  readonly rule: RuleName;
  readonly op: OpName | null;
  readonly operands: readonly {
    /** The operand's name in sentences: A, B, ... */
    readonly name: string;
    readonly shape: readonly Whole[];
  }[];
  /** The options of the rule that were given. */
  readonly axis: Whole | null;
  readonly targetShape: readonly Whole[] | null;
  readonly axesMapping: readonly Whole[] | null;
  readonly fits: boolean;
  /** The result's shape; null where the shapes do not fit. */
  readonly shape: readonly Whole[] | null;
  readonly axes: readonly {
    readonly axis: number;
    /** The result's extent; null where operands conflict. */
    readonly extent: Whole | null;
    readonly conflict: boolean;
    /** One for each operand. */
    readonly cells: readonly CellDocument[];
    /** The target shape's cell, for rules that take a target. */
    readonly target: CellDocument | null;
    /** One sentence; null from the 1025th axis on. */
    readonly why: string | null;
  }[];
  /** Every conflict of extents, leftmost axis first; operand -2 is the target shape. */
  readonly conflicts: readonly {
    readonly axis: number;
    readonly operand: number;
    readonly otherOperand: number;
    readonly operandAxis: number;
    readonly otherAxis: number;
    readonly extent: Whole;
    readonly otherExtent: Whole;
    readonly clause: ClauseName;
  }[];
  /** Whether every operand is repeated, so that the result is larger than each of them. */
  readonly growsBoth: boolean;
  readonly verdict: string;
  /** The fields of `ErrorRecord` that concern shapes; null where they fit. */
  readonly error: {
    readonly code: ErrorCode;
    readonly detail: DetailName | null;
    readonly rule: RuleName | null;
    readonly clause: ClauseName | null;
    readonly operand: number | null;
    readonly otherOperand: number | null;
    readonly axis: number | null;
    readonly operandAxis: number | null;
    readonly otherAxis: number | null;
    readonly extent: Whole;
    readonly otherExtent: Whole;
    readonly message: string;
  } | null;
  readonly cause: Cause | null;
  readonly repairs: readonly {
    readonly kind: RepairKind;
    readonly operand: number | null;
    readonly shape: readonly Whole[] | null;
    readonly axes: readonly number[];
    readonly rule: RuleName;
    readonly axis: number | null;
    readonly axesMapping: readonly number[] | null;
    readonly grade: Grade;
    readonly meaning: string;
    readonly needsNewArray: boolean;
    readonly code: RepairCode;
    readonly result: readonly Whole[];
  }[];
  readonly warnings: readonly Warning[];
}

/** A rule, with the option that it was asked with, and its answer. */
export interface ComparedRule {
  readonly rule: RuleName;
  /** Whether the first operand alone was asked about, with the second one as the target. */
  readonly asksTarget: boolean;
  /** The option that was given; null for none. */
  readonly axis: number | null;
  readonly axesMapping: readonly number[] | null;
  /** For `pdpd`: the axis of A that B begins at; else null. */
  readonly startAxis: number | null;
  readonly fits: boolean;
  /** The result's shape; null where the shapes do not fit. */
  readonly shape: readonly Whole[] | null;
  /** The clauses of the answer: of its cells, or of its conflicts and error. */
  readonly clauses: readonly ClauseName[];
  /** Null where the shapes fit. */
  readonly error: {
    readonly code: ErrorCode;
    readonly detail: DetailName | null;
    readonly message: string;
    /** The first axis of the result with a conflict, and a sentence about it; null without one. */
    readonly axis: number | null;
    readonly why: string | null;
    /** The number of axes with a conflict. */
    readonly clashes: number;
  } | null;
  /**
   * The first row before with the same shape, under which each cell of the result reads the same elements of the operands
   * that both rows have; null for none.
   */
  readonly sameAs: number | null;
  /** Null, or a cell that reads another element than under the first row of the same shape. */
  readonly differs: {
    /** That row. */
    readonly row: number;
    readonly operand: number;
    /** The cell's index in the result. */
    readonly cell: readonly number[];
    /** The operand's element that the cell reads, and the one that it reads under the other row. */
    readonly source: readonly number[];
    readonly otherSource: readonly number[];
  } | null;
  /** The divergences that the question meets, by their place in `divergences`. */
  readonly systems: readonly number[];
}

/** The same shapes under every rule, as JSON. While `version` is 1, fields keep their meanings; new ones may be added. */
export interface Comparison {
  readonly version: 1;
  readonly kind: 'comparison';
  readonly operands: readonly { readonly name: string; readonly shape: readonly Whole[] }[];
  /** How many mappings of the first operand onto the second fit, and how many have a row; null for one operand. */
  readonly mappings: { readonly count: Whole; readonly listed: number } | null;
  /** How many axes of `pdpd` have no row: those above 31. */
  readonly axesLeftOut: number;
  /** In the order of the rules, axes and mappings. */
  readonly rows: readonly ComparedRule[];
  /** Where systems differ from the documents or from Broadloom: docs/divergences.md. */
  readonly divergences: readonly {
    readonly section: string;
    readonly title: string;
    /** What a warning says; empty where shapes do not show whether the case is at hand. */
    readonly message: string;
    readonly systems: readonly DivergentSystem[];
    /** The clauses that it is about. */
    readonly clauses: readonly ClauseName[];
  }[];
}
