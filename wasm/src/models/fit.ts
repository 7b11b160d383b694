// Asks the core about shapes whose extents need not be known. Rules compare extents with each other and with 0 and 1.
// So an unknown extent is tried as 0, as 1, as each extent that occurs, and as a number that does not occur: what the
// core answers for all of these holds for every extent.

import type { Broadloom } from '../api/broadloom.js';
import type { ErrorRecord } from '../types/errors.js';
import type { SymbolicCase } from '../types/symbolic.js';
import type { RuleName } from '../types/vocabulary.js';
import { isKnown, narrow, unknownExtent, type ModelExtent, type ModelShape } from './shape.js';

/** A question about shapes, of which none is of unknown rank. */
export interface ShapeQuestion {
  readonly rule: RuleName;
  readonly shapes: readonly (readonly ModelExtent[])[];
  readonly axis?: number;
  readonly targetShape?: readonly ModelExtent[];
  readonly axesMapping?: readonly number[];
}

/** Whether shapes fit, and the result. */
export interface Fit {
  /** Null where that depends on unknown extents. */
  readonly fits: boolean | null;
  /** The result's shape where they fit; null where they do not, or its rank is unknown. */
  readonly shape: ModelShape;
  /** One or two sentences. */
  readonly verdict: string;
  /** The core's error where they do not fit. */
  readonly error: ErrorRecord | null;
  /** Whether operands stretch to each other, so that the result is larger than each. */
  readonly growsBoth: boolean;
  /** The conditions under which unknown extents fit, if they are known. */
  readonly conditions?: SymbolicConditions | undefined;
}

/** Conditions on unknown extents as lines of text, as `alignSymbolic` writes them. */
export type SymbolicConditions = SymbolicCase['conditions'];

/** Answers a question whose extents need not be known; null where it has no answer. */
export type AskSymbolic = (question: ShapeQuestion) => Pick<Fit, 'fits' | 'shape' | 'verdict' | 'conditions'> | null;

/** The most combinations of tried extents for one question. */
const MOST_TRIES = 4096;
const MOST_TRIES_OF_SEVERAL_AXES = 400;
/** The most combinations that are tried for all questions together: about four seconds. */
const MOST_TRIES_IN_ALL = 200_000;
/** The most fitting combinations that a verdict lists. */
const MOST_LISTED = 4;

export const FITS = 'The shapes fit, whatever the unknown extents are.';

type Numbers = readonly (number | bigint)[];
type Assignment = ReadonlyMap<string, number | bigint>;

/** Answers questions, each once. */
export class Fitter {
  readonly #bl: Broadloom;
  readonly #ask: AskSymbolic | undefined;
  readonly #answers = new Map<string, Fit>();
  readonly #alone = new Map<string, { readonly unknown: readonly string[]; readonly fit: Fit }>();
  #triesLeft = MOST_TRIES_IN_ALL;

  constructor(bl: Broadloom, ask?: AskSymbolic) {
    this.#bl = bl;
    this.#ask = ask;
  }

  answer(question: ShapeQuestion): Fit {
    const key = [question.rule, question.axis, question.targetShape, question.axesMapping, ...question.shapes]
      .map((part) => (Array.isArray(part) ? `(${part.map((extent) => JSON.stringify(String(extent)))})` : part))
      .join(';');
    let fit = this.#answers.get(key);
    if (fit === undefined) this.#answers.set(key, (fit = this.#answer(question)));
    return fit;
  }

  #answer(question: ShapeQuestion): Fit {
    const extents = [...question.shapes, question.targetShape ?? []].flat();
    const unknown = [...new Set(extents.filter((extent) => typeof extent === 'string'))];
    if (unknown.length === 0) return this.#align(question, new Map());
    const answered = this.#ask?.(question);
    if (answered) {
      // The core's own answers, where there are any.
      if (answered.fits === false) return this.#refusal(question, unknown);
      const growsBoth = answered.fits === true && this.#align(question, differentFor(question, unknown)).growsBoth;
      return { error: null, growsBoth, ...answered };
    }

    const { placement } = this.#bl.vocabulary.rules[question.rule];
    return placement === 'right' ? this.#byAxis(question, unknown) : this.#byTrying(question, unknown);
  }

  /** Rules that align shapes from the right look at each axis by itself: they are asked about one after the other. */
  #byAxis(question: ShapeQuestion, unknown: readonly string[]): Fit {
    const { rule, shapes, targetShape } = question;
    const rank = Math.max(...[...shapes, targetShape ?? []].map(({ length }) => length));
    const columns = Array.from({ length: rank }, (_, axis): Fit => {
      const extentsOf = (shape: readonly ModelExtent[]) => {
        const own = axis - (rank - shape.length);
        return own < 0 ? [] : shape.slice(own, own + 1);
      };
      const target = targetShape === undefined ? {} : { targetShape: extentsOf(targetShape) };
      return this.#answerAlone({ rule, shapes: shapes.map(extentsOf), ...target });
    });
    if (columns.some(({ fits }) => fits === false)) return this.#refusal(question, unknown);
    const shape = columns.map((column) => column.shape?.[0] ?? unknownExtent());
    const open = columns.filter(({ fits }) => fits === null);
    if (open.length === 0) return this.#always(question, unknown, shape);
    // Conditions of several axes on one extent may exclude each other.
    const tried = new Set([...shapes, targetShape ?? []].flat()).size + 3;
    if (open.length > 1 && tried ** unknown.length <= MOST_TRIES_OF_SEVERAL_AXES)
      return this.#byTrying(question, unknown);
    const [only] = open;
    const verdict = only !== undefined && open.length === 1 ? only.verdict : dependsOn(unknown);
    return { fits: null, shape, verdict, error: null, growsBoth: false };
  }

  /** One axis; every question about it is answered once. */
  #answerAlone(question: ShapeQuestion): Fit {
    const extents = [...question.shapes, question.targetShape ?? []].flat();
    const unknown = [...new Set(extents.filter((extent) => typeof extent === 'string'))];
    // Unknown extents are numbered, so that a question about others has the same answer.
    const numbers = new Map(unknown.map((name, i) => [name, `#${i}`]));
    const renamed = (extent: ModelExtent) => (isKnown(extent) ? String(extent) : numbers.get(extent));
    const key = [question.rule, question.targetShape?.map(renamed), ...question.shapes.map((each) => each.map(renamed))]
      .map(String)
      .join(';');
    const known = this.#alone.get(key);
    if (known !== undefined && known.unknown.length === unknown.length) {
      const { fit } = known;
      const shape = fit.shape?.map((extent) => {
        const at = known.unknown.indexOf(extent as string);
        return isKnown(extent) ? extent : (unknown[at] ?? unknownExtent());
      });
      if (known.unknown.every((name, i) => nameOf(name) === nameOf(unknown[i] as string)))
        return { ...fit, shape: shape ?? null };
    }
    const fit = unknown.length === 0 ? this.#align(question, new Map()) : this.#byTrying(question, unknown);
    this.#alone.set(key, { unknown, fit });
    return fit;
  }

  #byTrying(question: ShapeQuestion, unknown: readonly string[]): Fit {
    const different = differentFor(question, unknown);
    const fresh = [...different.values()];
    const known = [...new Set([...question.shapes, question.targetShape ?? []].flat().filter(isKnown).map(narrow))];
    const tried = [...new Set([0, 1, ...known, ...fresh])];
    const count = tried.length ** unknown.length;
    if (count > Math.min(MOST_TRIES, this.#triesLeft)) {
      const { shapes, options } = numbersOf(question, different);
      const { axes } = this.#bl.align(question.rule, shapes, options);
      const shape = axes.map(() => unknownExtent());
      return { fits: null, shape, verdict: dependsOn(unknown), error: null, growsBoth: false };
    }
    this.#triesLeft -= count;
    const all = combinations(unknown, tried);
    const fitting = all.filter((assignment) => this.#shapeOf(question, assignment) !== null);
    if (fitting.length === 0) return this.#refusal(question, unknown);
    const shape = this.#common(question, fitting);
    if (fitting.length === all.length) return this.#always(question, unknown, shape);
    const verdict = whenFitting(unknown, fitting, fresh) ?? dependsOn(unknown);
    return { fits: null, shape, verdict, error: null, growsBoth: false };
  }

  /** The answer where all extents fit. */
  #always(question: ShapeQuestion, unknown: readonly string[], shape: ModelShape): Fit {
    const { growsBoth } = this.#align(question, differentFor(question, unknown));
    return { fits: true, shape, verdict: FITS, error: null, growsBoth };
  }

  /** The answer where no extents fit: the core's own, if it is about known extents only. */
  #refusal(question: ShapeQuestion, unknown: readonly string[]): Fit {
    const { shapes, options } = numbersOf(question, new Map(unknown.map((name) => [name, 1])));
    const { conflicts, verdict, error } = this.#bl.align(question.rule, shapes, options);
    const extentAt = (operand: number, axis: number) =>
      (operand === -2 ? question.targetShape : question.shapes[operand])?.[axis] ?? 1;
    const isOfKnown = conflicts.every(
      ({ operand, operandAxis, otherOperand, otherAxis }) =>
        isKnown(extentAt(operand, operandAxis)) && isKnown(extentAt(otherOperand, otherAxis)),
    );
    const failed = { fits: false, shape: null, growsBoth: false } as const;
    if (isOfKnown && error !== null) return { ...failed, verdict, error };
    return { ...failed, verdict: 'The shapes do not fit, whatever the unknown extents are.', error: null };
  }

  /** The result's shape as far as it is the same for all assignments. */
  #common(question: ShapeQuestion, assignments: readonly Assignment[]): ModelShape {
    const extents = [...new Set([...question.shapes, question.targetShape ?? []].flat())];
    let candidates: ModelExtent[][] | null = null;
    for (const assignment of assignments) {
      const result = this.#shapeOf(question, assignment);
      if (result === null || (candidates !== null && result.length !== candidates.length)) return null;
      candidates = result.map((extent, axis): ModelExtent[] => {
        const before = candidates?.[axis] ?? [...extents, 1];
        return before.filter((candidate) => valueOf(candidate, assignment) === narrow(extent));
      });
    }
    return candidates?.map(([extent]) => extent ?? unknownExtent()) ?? null;
  }

  #align(question: ShapeQuestion, assignment: Assignment): Fit {
    const { shapes, options } = numbersOf(question, assignment);
    const { shape, verdict, error, growsBoth } = this.#bl.align(question.rule, shapes, options);
    return { fits: shape !== null, shape: shape?.map(narrow) ?? null, verdict, error, growsBoth };
  }

  #shapeOf(question: ShapeQuestion, assignment: Assignment): Numbers | null {
    const { shapes, options } = numbersOf(question, assignment);
    return this.#bl.align(question.rule, shapes, options).shape;
  }
}

function numbersOf(question: ShapeQuestion, assignment: Assignment) {
  const { shapes, axis, targetShape, axesMapping } = question;
  const lists = [...shapes, ...(targetShape === undefined ? [] : [targetShape])].map((shape) =>
    shape.map((extent) => valueOf(extent, assignment)),
  );
  const isWide = lists.some((list) => list.some((extent) => typeof extent === 'bigint'));
  const numbers = (isWide ? lists.map((list) => list.map(BigInt)) : lists) as number[][];
  const target = targetShape === undefined ? undefined : numbers.pop();
  const options = {
    ...(axis === undefined ? {} : { axis }),
    ...(target === undefined ? {} : { targetShape: target }),
    ...(axesMapping === undefined
      ? {}
      : { axesMapping: axesMapping.map((to) => (isWide ? BigInt(to) : to)) as number[] }),
  };
  return { shapes: numbers, options };
}

function valueOf(extent: ModelExtent, assignment: Assignment): number | bigint {
  return isKnown(extent) ? narrow(extent) : (assignment.get(extent) as number);
}

/** An assignment in which each unknown extent is a number of its own, that does not occur. */
function differentFor(question: ShapeQuestion, unknown: readonly string[]): Map<string, number> {
  const known = [...question.shapes, question.targetShape ?? []].flat().filter(isKnown).map(narrow);
  const fresh = unused(known, unknown.length);
  return new Map(unknown.map((name, i) => [name, fresh[i] as number]));
}

/** The smallest numbers from 2 on that are not among `used`: small, so that no result is too large to count. */
function unused(used: readonly (number | bigint)[], count: number): number[] {
  const numbers: number[] = [];
  for (let n = 2; numbers.length < count; ++n) if (!used.includes(n)) numbers.push(n);
  return numbers;
}

function combinations(names: readonly string[], values: Numbers): Map<string, number | bigint>[] {
  let all = [new Map<string, number | bigint>()];
  for (const name of names) all = all.flatMap((one) => values.map((value) => new Map(one).set(name, value)));
  return all;
}

/** For a single unknown extent: the values with which the shapes fit; null where a sentence cannot say it. */
function whenFitting(unknown: readonly string[], fitting: readonly Assignment[], fresh: Numbers): string | null {
  const [name] = unknown;
  if (name === undefined || unknown.length > 1) return null;
  const values = fitting.map((assignment) => assignment.get(name) as number);
  if (values.length > MOST_LISTED || values.some((value) => fresh.includes(value))) return null;
  return `This fits only where ${nameOf(name)} is ${values.join(' or ')}.`;
}

function dependsOn(unknown: readonly string[]): string {
  const names = [...new Set(unknown.map(nameOf))];
  const listed = names.slice(0, MOST_LISTED).join(', ');
  return `Whether this fits depends on ${names.length > MOST_LISTED ? `${listed} and others` : listed}.`;
}

const nameOf = (name: string) => (name.startsWith('?') ? 'an unknown extent' : name);
