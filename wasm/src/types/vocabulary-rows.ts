import type {
  ClauseName,
  DetailName,
  DocumentName,
  DType,
  ErrorCode,
  OpName,
  Relation,
  RepairKind,
  RuleName,
} from './vocabulary.js';

/** An element type. */
export interface DTypeRow {
  readonly name: DType;
  /** Of one element. */
  readonly bits: number;
  /** `opaque` ones are moved, never computed with. */
  readonly kind: 'boolean' | 'signed' | 'unsigned' | 'float' | 'opaque';
  readonly doc: string;
}

/** An operator. */
export interface OpRow {
  readonly name: OpName;
  /** The method of the package: `bl[method]`. */
  readonly method: string;
  readonly leastOperands: number;
  /** Null: any number. */
  readonly mostOperands: number | null;
  /** The types that each operand may be of; all operands after the last entry are like it. */
  readonly types: readonly (readonly DType[])[];
  /** The same with the attribute `fmod` at 1; null for operators that do not take it. */
  readonly fmodTypes: readonly (readonly DType[])[] | null;
  /** Whether each operand has to be of the type that the result follows. */
  readonly follows: readonly boolean[];
  /** Whether each operand takes part in promotion: one that is always bool does not. */
  readonly promoted: readonly boolean[];
  /** The result's type: that of the first or second operand, bool, or that of the attribute `to`. */
  readonly result: 'first' | 'second' | 'bool' | 'to';
  /**
   * Under promotion, the type in which bools and integers are computed: f64 for `Div`, as NumPy's division is true
   * division. Null: in their common type.
   */
  readonly integersTo: DType | null;
  /** With `to` goes `saturate`. */
  readonly attribute: 'fmod' | 'direction' | 'to' | null;
  /** The rules by which its operands may be matched. */
  readonly rules: readonly RuleName[];
  readonly defaultRule: RuleName;
  /** How a result cell is spelled out: `a + b`, `max(a, b)`, `c ? a : b`. */
  readonly notation: string;
  readonly doc: string;
}

/** A broadcasting rule. */
export interface RuleRow {
  readonly name: RuleName;
  readonly title: string;
  readonly doc: string;
  readonly leastOperands: number;
  /** Null: any number. */
  readonly mostOperands: number | null;
  /** How an operand's axes find theirs: from the right, from `axis` on, or where `axesMapping` says. */
  readonly placement: 'right' | 'axis' | 'mapping';
  /** Whose shape is fixed: nobody's, operand A's, or the target. */
  readonly reference: 'everyone' | 'first' | 'target';
  /** False: extents have to be equal. */
  readonly stretches: boolean;
  readonly takesAxis: boolean;
  readonly takesTarget: boolean;
  readonly takesMapping: boolean;
  /** Whether each operand comes back by itself, in the common shape and of its own type; else there is one result. */
  readonly returnsEach: boolean;
  /** The clauses that it cites. */
  readonly clauses: {
    readonly match: ClauseName;
    readonly stretch: ClauseName;
    readonly insert: ClauseName;
    readonly conflict: ClauseName;
    readonly rank: ClauseName;
  };
}

/** A class of errors, or a detail within one. */
export interface ErrorRow<N extends string> {
  readonly name: N;
  readonly doc: string;
}

/** A document that governs rules. */
export interface DocumentRow {
  readonly name: DocumentName;
  readonly title: string;
}

/** A clause of a document. */
export interface ClauseRow {
  readonly name: ClauseName;
  readonly document: DocumentName;
  /** Where in the document. */
  readonly place: string;
  /** What it says, in our words. */
  readonly text: string;
}

/**
 * Everything that Broadloom knows by name, as the core has it. Rows are kept by name, in the core's order:
 * `Object.values(bl.vocabulary.rules)` fills a menu.
 */
export interface Vocabulary {
  readonly dtypes: { readonly [N in DType]: DTypeRow };
  readonly ops: { readonly [N in OpName]: OpRow };
  readonly rules: { readonly [N in RuleName]: RuleRow };
  readonly errors: { readonly [N in ErrorCode]: ErrorRow<N> };
  readonly details: { readonly [N in DetailName]: ErrorRow<N> };
  readonly documents: { readonly [N in DocumentName]: DocumentRow };
  readonly clauses: { readonly [N in ClauseName]: ClauseRow };
  readonly relations: readonly Relation[];
  readonly repairs: readonly RepairKind[];
  /** Repairs try the axes of `pdpd` from 0 to this one; of higher ranks, some axes are not tried. */
  readonly mostAxisTried: number;
}
