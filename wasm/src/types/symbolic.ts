import type { Whole } from './explanation.js';
import type { Extent } from './extent.js';
import type { RuleName } from './vocabulary.js';

/**
 * A shape whose extents need not be known: a text as `readShapes` reads it, `(N, 1, C)`, `batch=8, heads=?`, `2..8, 3`,
 * or `...` for an unknown rank; or a list of numbers and such texts, `[2, 'N']`.
 */
export type SymbolicShape = string | readonly (Extent | string)[];

/** The options of `alignSymbolic`. An option that the rule does not take is an error. */
export interface SymbolicOptions {
  /** `pdpd`: the axis of A on which B begins; -1, the default, lines B up with A's last axes. */
  readonly axis?: Extent | undefined;
  /** `bidirectional`, `broadcast_numpy` and `explicit`, which need it. */
  readonly targetShape?: SymbolicShape | undefined;
  /** `explicit`, which needs it: for each axis of the data the axis of the target that it goes to. */
  readonly axesMapping?: readonly Extent[] | undefined;
  /**
   * Axes are matched by name, not by place, as xarray does: axes of one name must have equal extents, and 1 does not
   * stretch. Each axis needs a name, as in `row=2, column=N`. The rule is not applied.
   */
  readonly byName?: boolean | undefined;
}

/**
 * Whether shapes fit: `always`; `if` the conditions hold, and only there; `never`; or `must_check` where there are too many
 * unknown extents to tell.
 */
export type SymbolicFit = 'always' | 'if' | 'never' | 'must_check';

/** A number, or an unknown extent: an index of `symbols`. */
export type ExtentTerm = Whole | { readonly symbol: number };

/** Equal extents. */
export type ExtentEquality = readonly [ExtentTerm, ExtentTerm];

/** One way in which an axis of the result fits. */
export interface SymbolicAlternative {
  /** If all hold, the axis fits; empty: it always does. */
  readonly equal: readonly ExtentEquality[];
  /** The result's extent then. */
  readonly result: ExtentTerm;
  /** A value for each of the symbols, with which all shapes fit; empty where none was found within the limits. */
  readonly witness: readonly Whole[];
  /** Those values that concern this axis, as text: `N=2, M=2`. */
  readonly example: string;
}

/** An axis of the result. */
export interface SymbolicAxis {
  /** The axis' name, where axes are matched by name. */
  readonly name?: string;
  /** Whether it fits whatever the extents are. */
  readonly always: boolean;
  /** Whether there are too many unknown extents along it: then there are no alternatives. */
  readonly mustCheck: boolean;
  /** The result's extent is one of the choices, and in this range. Null: no upper end. */
  readonly least: Whole;
  readonly most: Whole | null;
  readonly choices: readonly ExtentTerm[];
  /** It fits if one of these holds, and only then. */
  readonly alternatives: readonly SymbolicAlternative[];
}

/** Shapes whose axes lie in one way on the axes of the result. */
export interface SymbolicCase {
  readonly fit: SymbolicFit;
  /** The result's shape, as `(N or M, 3)`. */
  readonly shape: string;
  /** Conditions on operands of unknown rank. With `orMore`, higher ranks are meant as well. */
  readonly ranks: readonly { readonly operand: number; readonly rank: number; readonly orMore: boolean }[];
  /** What must hold for the axes to lie so. */
  readonly when: readonly ExtentEquality[];
  /** The axis that represents any number of unknown axes; null if there is none. */
  readonly openAxis: number | null;
  readonly axes: readonly SymbolicAxis[];
  /** For each operand, then the target, and each axis of the result: the shape's own axis. */
  readonly sources: readonly (readonly (number | null)[])[];
  /** Why no extents fit: an axis of the result, and the one that it contradicts; or the class of the core's error. */
  readonly conflictAxis: number | null;
  readonly otherConflictAxis: number | null;
  readonly error: string | null;
  /** The conditions as lines of text: in words, as asserts, for `torch._check`, as constraints of `jax.export`. */
  readonly conditions: {
    readonly plain: string;
    readonly python: string;
    readonly torch: string;
    readonly jax: string;
  };
}

/**
 * What a rule says about shapes with unknown extents, as JSON. While `version` is 1, fields keep their names and
 * meanings; new ones may be added.
 */
export interface SymbolicDocument {
  readonly version: 1;
  readonly kind: 'symbolic';
  readonly rule: RuleName;
  /** Whether axes were matched by name instead. */
  readonly byName: boolean;
  readonly operands: readonly { readonly name: string; readonly shape: string }[];
  /** The options that were given. */
  readonly axis: Whole | null;
  readonly targetShape: string | null;
  readonly axesMapping: readonly Whole[] | null;
  /** Null: `alignSymbolic` throws what is wrong with a question. */
  readonly fault: null;
  readonly fit: SymbolicFit;
  /** The unknown extents. One without a name is axis `axis` of `operand` (-2: the target). */
  readonly symbols: readonly {
    readonly name: string;
    readonly least: Whole;
    readonly most: Whole | null;
    readonly operand: number;
    readonly axis: number;
    /** Whether the name is an expression such as `N+1`, which is not computed. */
    readonly isExpression: boolean;
  }[];
  /** The cases in which shapes fit or may fit; if there are none, one that says why. */
  readonly cases: readonly SymbolicCase[];
  /** Sentences on what the answer does not use: names that are expressions. */
  readonly notes: readonly string[];
}
