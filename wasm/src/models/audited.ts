// The records that an audit returns, and the code that makes them for both formats.

import type { Broadloom } from '../api/broadloom.js';
import type { ErrorRecord } from '../types/errors.js';
import type { RuleName } from '../types/vocabulary.js';
import { Fitter, type AskSymbolic, type Fit, type ShapeQuestion, type SymbolicConditions } from './fit.js';
import { isUnnamed, shown, type ModelExtent, type ModelShape } from './shape.js';

/** An operand of a node. */
export interface AuditedOperand {
  /** The value's name in the file. */
  readonly name: string;
  readonly shape: ModelShape;
}

/** Something about a node that is legal and may yet be a mistake. */
export interface AuditWarning {
  /**
   * One of `bl.align(...).warnings()`, where `withExplanations` is used and all extents are known. Else `both_grow`: operands
   * stretch to each other, so that the result is larger than each. `declared`: the file says another shape of the result.
   */
  readonly kind: string;
  /** One or two sentences. */
  readonly message: string;
}

/** A system that treats a node differently from the rule's document. */
export interface AuditDifference {
  /** The first of `systems`; `other` where a document is read differently, and no system is named. */
  readonly system: string;
  /** `onnxruntime`, `openvino`, `paddle` or `numpy`. */
  readonly systems: readonly string[];
  /** One or two sentences. */
  readonly message: string;
}

/** A node whose operands are broadcast. */
export interface AuditedNode {
  /** The node's name; that of its first result, where it has none. */
  readonly name: string;
  /** Graphs and functions around the node, outermost first: `If_3.then_branch`. Empty in the main graph. */
  readonly path: readonly string[];
  /** The operator, as the file names it. */
  readonly op: string;
  readonly rule: RuleName;
  readonly operands: readonly AuditedOperand[];
  /** For `pdpd`; else null. */
  readonly axis: number | null;
  /** For rules that take one; null for others, and where it is unknown. */
  readonly targetShape: ModelShape;
  /** For `explicit`; else null. */
  readonly axesMapping: readonly number[] | null;
  /** Null if that depends on extents that the file does not state. */
  readonly fits: boolean | null;
  /** The result's shape, as far as it is known. Null where the shapes do not fit, and where its rank is unknown. */
  readonly shape: ModelShape;
  /** One or two sentences. */
  readonly verdict: string;
  /** The core's error where the shapes do not fit, if known extents are its reason; else null. */
  readonly error: ErrorRecord | null;
  readonly warnings: readonly AuditWarning[];
  readonly differs: readonly AuditDifference[];
  /** The conditions under which the shapes fit; null where they fit always or never, or that is not known. */
  readonly conditions: SymbolicConditions | null;
  /** Where the options have `link`: the address at which the node opens in the playground; null where it cannot. */
  readonly link?: string | null;
}

/** What `auditModel` found. */
export interface ModelAudit {
  readonly version: 1;
  readonly format: 'onnx' | 'openvino';
  /**
   * Every broadcasting node, in the file's order; those of a function after the node that calls it. One that lacks an input
   * which its operator needs is left out.
   */
  readonly nodes: readonly AuditedNode[];
}

/** Options of `auditModel`. */
export interface AuditOptions {
  /** Answers about shapes with unknown extents, instead of the built-in ones. */
  readonly ask?: AskSymbolic | undefined;
  /** Warnings about a node. A list takes the place of `both_grow`; null leaves that. */
  readonly warnings?: ((node: AuditedNode) => readonly AuditWarning[] | null) | undefined;
  /** Differences of systems at a node. A list replaces the built-in one; null keeps that. */
  readonly differs?: ((node: AuditedNode) => readonly AuditDifference[] | null) | undefined;
  /**
   * The address at which a node opens in the playground; null for none. In `exact`, unknown extents without a name are `?1`,
   * `?2`, ...: equal where they are known to be equal.
   */
  readonly link?:
    ((node: AuditedNode, exact: Pick<AuditedNode, 'operands' | 'targetShape'>) => string | null) | undefined;
  /** For OpenVINO's IR: the `.bin` file with the elements of constants, from which targets of Broadcast are read. */
  readonly weights?: unknown;
}

/** A question about a node; a shape or target is null where its rank is unknown. */
export interface NodeQuestion extends Omit<ShapeQuestion, 'shapes' | 'targetShape'> {
  readonly name: string;
  readonly path: readonly string[];
  readonly op: string;
  readonly operands: readonly AuditedOperand[];
  readonly targetShape?: ModelShape;
}

/** Collects the broadcasting nodes of a model. */
export class Findings {
  readonly nodes: AuditedNode[] = [];
  readonly #bl: Broadloom;
  readonly #fitter: Fitter;
  readonly #options: AuditOptions;

  constructor(bl: Broadloom, options: AuditOptions) {
    this.#bl = bl;
    this.#fitter = new Fitter(bl, options.ask);
    this.#options = options;
  }

  /** Adds a node, and returns the shape of its result. `settle` compares that with what the file says of it. */
  add(question: NodeQuestion, settle: (computed: ModelShape) => { shape: ModelShape; differ: boolean }): ModelShape {
    const { name, path, op, rule, operands, axis, axesMapping, targetShape } = question;
    const fit = this.#fit(question);
    const { shape, differ } = settle(fit.shape);
    const warnings: AuditWarning[] = [];
    if (fit.growsBoth) {
      const message = `Operands stretch to each other: the result ${format(fit.shape)} is larger than each of them.`;
      warnings.push({ kind: 'both_grow', message });
    }
    if (differ) {
      const message = `The file says another shape of the result than ${format(fit.shape)}.`;
      warnings.push({ kind: 'declared', message });
    }
    const node: AuditedNode = {
      name,
      path,
      op,
      rule,
      operands: operands.map((operand) => ({ name: operand.name, shape: shown(operand.shape) })),
      axis: axis ?? null,
      targetShape: shown(targetShape ?? null),
      axesMapping: axesMapping ?? null,
      fits: fit.fits,
      shape: fit.fits === false ? null : shown(shape),
      verdict: `${fit.verdict}${aboutUnnamed(question, fit)}`,
      error: fit.error,
      conditions: fit.conditions ?? null,
      warnings,
      differs: this.#differences(question),
    };
    const judged = this.#options.warnings?.(node) ?? null;
    const others = this.#options.differs?.(node) ?? null;
    const link = this.#options.link?.(node, { operands, targetShape: targetShape ?? null });
    const declared = warnings.filter(({ kind }) => kind === 'declared');
    this.nodes.push({
      ...node,
      warnings: judged === null ? warnings : [...judged, ...declared],
      differs: others ?? node.differs,
      ...(link === undefined ? {} : { link }),
    });
    return shape;
  }

  /** The shape that a rule gives for shapes of known rank. */
  infer(rule: RuleName, shapes: readonly (readonly ModelExtent[])[]): ModelShape {
    return this.#fitter.answer({ rule, shapes }).shape;
  }

  #fit(question: NodeQuestion): Fit {
    const { name: _, path: __, op: ___, operands, targetShape, ...rest } = question;
    const shapes = operands.map(({ shape }) => shape);
    const lacks = shapes.some((shape) => shape === null) || targetShape === null;
    const { leastOperands, mostOperands } = this.#bl.vocabulary.rules[rest.rule];
    if (shapes.length < leastOperands || shapes.length > (mostOperands ?? Infinity)) {
      const verdict = `The rule ${rest.rule} is not defined for ${shapes.length} operands.`;
      return { fits: null, shape: null, verdict, error: null, growsBoth: false };
    }
    if (!lacks) {
      const target = targetShape === undefined ? {} : { targetShape: targetShape as readonly ModelExtent[] };
      return this.#fitter.answer({ ...rest, ...target, shapes: shapes as readonly (readonly ModelExtent[])[] });
    }
    const missing = operands.filter(({ shape }) => shape === null).map(({ name }) => name);
    const verdict =
      missing.length > 0
        ? `Not even the number of axes is known of ${missing.slice(0, 4).join(', ')}.`
        : 'The target shape is not known.';
    return { fits: null, shape: null, verdict, error: null, growsBoth: false };
  }

  /** Rows of docs/divergences.md that shapes alone decide. */
  #differences(question: NodeQuestion): AuditDifference[] {
    const { op, rule } = question;
    if (op !== 'PRelu' || rule !== 'onnx_unidirectional') return [];
    const differs =
      this.#fit(question).fits === false && this.#fit({ ...question, rule: 'onnx_multidirectional' }).fits;
    const message = 'ONNX Runtime stretches X to the slope, which the document does not allow.';
    return differs ? [{ system: 'onnxruntime', systems: ['onnxruntime'], message }] : [];
  }
}

/** That extents which are shown alike are not the same, where the answer depends on them. */
function aboutUnnamed({ operands, targetShape }: NodeQuestion, { fits }: Fit): string {
  const shapes = [...operands.map(({ shape }) => shape), targetShape ?? []];
  const unnamed = shapes.flatMap((shape) => shape?.filter(isUnnamed) ?? []);
  const isEachOther = unnamed.length > 1 && new Set(unnamed).size === unnamed.length;
  return fits === null && isEachOther ? ' Each ? is an unknown extent of its own.' : '';
}

/** A shape as a text: `(N, 3)`, `?` where its rank is unknown. */
export function format(shape: ModelShape): string {
  if (shape === null) return '?';
  const extents = (shown(shape) as readonly ModelExtent[]).map(String);
  return extents.length === 1 ? `(${extents[0]},)` : `(${extents.join(', ')})`;
}
