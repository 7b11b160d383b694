// What the explanations add to an audit: answers about unknown extents, warnings, differences of systems, links.

import type { Broadloom } from '../api/broadloom.js';
import { joined } from '../link/address.js';
import { isName, questionOf } from '../link/case.js';
import { questionFields } from '../link/question.js';
import { isBroadcastError } from '../types/errors.js';
import type { ExtentTerm, SymbolicDocument } from '../types/symbolic.js';
import type { OpName } from '../types/vocabulary.js';
import type { AuditedNode, AuditOptions } from './audited.js';
import { FITS, type Fit, type ShapeQuestion } from './fit.js';
import { checkInstance, readGiven } from './given.js';
import { opNamed } from './operators.js';
import { isKnown, isUnnamed, narrow, unknownExtent, type ModelExtent, type ModelShape } from './shape.js';
import type { InstanceOf } from '../values/globals.js';

/** Options of `withExplanations`. */
export interface ExplainedOptions {
  /** Where the playground is, as in `Alignment.link`; with it each node has a link. */
  readonly link?: string | InstanceOf<'URL'> | undefined;
}

/** The most different questions of one kind that are asked, which takes some seconds. Later nodes have the built-in answers. */
const MOST_ASKED = 5000;
/** Letters of a verdict's conditions; `conditions` has all of them. */
const LONGEST_VERDICT = 300;

/**
 * Options of `auditModel` with which it answers for unknown extents by conditions, has the warnings of `bl.align(...).warnings()`
 * and the differences of other systems that are known, and, with `link`, an address for each node at which it opens in
 * the playground. No address has a text of the file but names of extents that are letters, digits and underscores.
 *
 * @param bl Of `load({ explanations: true })`.
 * @throws BroadcastError `link` where `link` is no address of a playground; `not_loaded` before `await bl.loadExplanations()`.
 * @throws ModelError `input` for a wrong argument.
 * @example
 * const { nodes } = auditModel(bl, bytes, withExplanations(bl, { link: 'http://localhost:8080/' }));
 * nodes.filter(({ fits }) => fits === null).map(({ verdict }) => verdict); // ['Fits if N=M or N=1 or M=1.']
 */
export function withExplanations(bl: Broadloom, options: ExplainedOptions = {}): AuditOptions {
  checkInstance(bl, 'withExplanations');
  const { link } = readGiven(options, ['link'], 'withExplanations') as ExplainedOptions;
  bl.align('numpy', [[1]]).warnings(); // throws where explanations are not loaded
  if (link !== undefined) joined(link, []);
  const answers = new Asked((question: ShapeQuestion) => answerOf(bl, question));
  const judged = new Asked(({ rule, op, operands, axis, targetShape, axesMapping }: WarnedNode) => {
    const name = opNamed(bl, op);
    const options = {
      ...(axis === null ? {} : { axis }),
      ...(targetShape === null ? {} : { targetShape: targetShape as number[] }),
      ...(axesMapping === null ? {} : { axesMapping }),
      ...(name === null ? {} : { op: name }),
    };
    return attempt(() => bl.align(rule, operands as number[][], options).warnings());
  });
  const warningsOf = (node: AuditedNode) => {
    const { rule, op, operands, axis, targetShape, axesMapping } = node;
    const { takesTarget } = bl.vocabulary.rules[rule];
    const shapes = operands.map(({ shape }) => shape);
    if (![...shapes, takesTarget ? targetShape : []].every((shape) => shape?.every(isKnown))) return null;
    const all = [...shapes, targetShape ?? []].flat() as (number | bigint)[];
    const alike = (shape: ModelShape) =>
      shape && (all.some((extent) => typeof extent === 'bigint') ? shape.map(BigInt) : shape);
    const given = { rule, op, operands: shapes.map(alike), axis, targetShape: alike(targetShape), axesMapping };
    return judged.answer(given as WarnedNode);
  };
  return {
    ask: (question) => answers.answer(question),
    warnings: (node) => warningsOf(node)?.filter(({ kind }) => kind !== 'other_systems') ?? null,
    differs: (node) =>
      warningsOf(node)
        ?.filter(({ kind }) => kind === 'other_systems')
        .map(({ message, systems }) => ({ system: systems[0] ?? 'other', systems, message })) ?? null,
    link: link === undefined ? undefined : (node, exact) => linkOf(bl, { ...node, ...exact }, link),
  };
}

interface WarnedNode extends Pick<AuditedNode, 'rule' | 'op' | 'axis' | 'targetShape' | 'axesMapping'> {
  readonly operands: readonly ModelShape[];
}

/** Asks each question once, and no more than so many. */
class Asked<Q, A> {
  readonly #known = new Map<string, A | null>();
  readonly #ask: (question: Q) => A | null;

  constructor(ask: (question: Q) => A | null) {
    this.#ask = ask;
  }

  answer(question: Q): A | null {
    const key = JSON.stringify(question, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_ASKED) return null;
    const answer = this.#ask(question);
    this.#known.set(key, answer);
    return answer;
  }
}

/** Null in place of an error of the core: the question is too large, or the operator is none of the rule's. */
function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (error) {
    if (isBroadcastError(error) && error.code !== 'not_loaded') return null;
    throw error;
  }
}

// --- Unknown extents ---------------------------------------------------------

type Answer = Pick<Fit, 'fits' | 'shape' | 'verdict' | 'conditions'>;

function answerOf(bl: Broadloom, question: ShapeQuestion): Answer | null {
  const names = namesFor(question);
  const texts = (shape: readonly ModelExtent[]) =>
    shape.map((extent) => (isKnown(extent) ? extent : (names.get(extent) as string)));
  const { rule, shapes, axis, targetShape, axesMapping } = question;
  const options = {
    ...(axis === undefined ? {} : { axis }),
    ...(targetShape === undefined ? {} : { targetShape: texts(targetShape) }),
    ...(axesMapping === undefined ? {} : { axesMapping }),
  };
  const document = attempt(() => bl.alignSymbolic(rule, shapes.map(texts), options));
  if (document === null) return null;
  const shape = resultOf(question, document);
  switch (document.fit) {
    case 'always':
      return { fits: true, shape, verdict: FITS };
    case 'never':
      return { fits: false, shape: null, verdict: '' };
    case 'must_check':
      return { fits: null, shape, verdict: 'There are too many unknown extents to decide whether they fit.' };
    default: {
      // Extents without a name are shown as they are in the file.
      const conditions = withNames(question, names, document);
      return { fits: null, shape, verdict: verdictOf(conditions.plain), conditions };
    }
  }
}

/** Names by which unknown extents are asked about: `?` for one that occurs once and has none. */
function namesFor({ shapes, targetShape }: ShapeQuestion): Map<string, string> {
  const all = [...shapes, targetShape ?? []].flat().filter((extent) => typeof extent === 'string');
  const names = new Map<string, string>();
  all.forEach((extent, i) => {
    if (names.has(extent)) return;
    if (isUnnamed(extent)) return void names.set(extent, all.indexOf(extent, i + 1) < 0 ? '?' : `extent_${i}_`);
    // Only names that no notation reads as something else.
    names.set(extent, isName(extent) && !WORDS.test(extent) ? extent : `extent_${i}_`);
  });
  return names;
}
const WORDS = /^(?:x|none|null|nil|nan|inf|any|dynamic|unknown|undefined|unk\w*|extent_\d+_)$/i;

/** The conditions, with the extents' own names in place of those that stood for them. */
function withNames({ shapes, targetShape }: ShapeQuestion, names: Map<string, string>, document: SymbolicDocument) {
  const shown = new Map<string, string>();
  for (const [extent, name] of names) {
    if (name === '?' || name === extent) continue;
    const operand = shapes.findIndex((shape) => shape.includes(extent));
    const place =
      operand < 0
        ? `the target[${targetShape?.indexOf(extent)}]`
        : `${document.operands[operand]?.name}[${shapes[operand]?.indexOf(extent)}]`;
    shown.set(name, isUnnamed(extent) ? place : JSON.stringify(extent.slice(0, 64)));
  }
  const cases = document.cases.map(({ conditions }) => conditions);
  const join = (texts: readonly string[]) => [...new Set(texts)].join(cases.length > 1 ? 'or else\n' : '');
  const named = (text: string) => text.replace(/\bextent_\d+_/g, (name) => shown.get(name) ?? name);
  return {
    plain: join(cases.map(({ plain }) => named(plain))),
    // As code they are about the extents of arrays, which have no names.
    python: join(cases.map(({ python }) => python)),
    torch: join(cases.map(({ torch }) => torch)),
    jax: join(cases.map(({ jax }) => jax)),
  };
}

/** Conditions as a sentence: `Fits if N=M or N=1 or M=1, and K=3 or K=1.` */
function verdictOf(plain: string): string {
  const text = plain
    .split('or else\n')
    .map((lines) => lines.split('\n').filter(Boolean).join('; and '))
    .filter(Boolean)
    .join('; or else ');
  return text.length <= LONGEST_VERDICT ? `Fits if ${text}.` : `Fits if ${text.slice(0, LONGEST_VERDICT)}...`;
}

/** The result's shape as far as it is the same in all cases. */
function resultOf(question: ShapeQuestion, { cases, symbols }: SymbolicDocument): ModelShape {
  const extentOf = (term: ExtentTerm): ModelExtent => {
    if (typeof term !== 'object') return narrow(BigInt(term));
    const symbol = symbols[term.symbol];
    const shape = symbol?.operand === -2 ? question.targetShape : question.shapes[symbol?.operand ?? 0];
    return shape?.[symbol?.axis ?? 0] ?? unknownExtent();
  };
  const results = cases.map(({ axes }) =>
    axes.map(({ choices }) => (choices.length === 1 ? extentOf(choices[0] as ExtentTerm) : unknownExtent())),
  );
  const [first, ...others] = results;
  if (first === undefined || others.some(({ length }) => length !== first.length)) return null;
  return first.map((extent, axis) => (others.every((other) => other[axis] === extent) ? extent : unknownExtent()));
}

// --- Links ---------------------------------------------------------------------

/** The address at which a node opens; null where the playground cannot show it. */
function linkOf(bl: Broadloom, node: AuditedNode, base: string | InstanceOf<'URL'>): string | null {
  const { rule, op, operands, axis, targetShape, axesMapping } = node;
  const { takesTarget } = bl.vocabulary.rules[rule];
  const shapes = operands.map(({ shape }) => shape);
  const all = [...shapes, targetShape ?? []].flat();
  const own = new Set(all.filter((extent) => isName(String(extent))));
  // Other names may be anything; in links they are letters. An extent without a name needs one where it occurs again.
  const others = new Map<string, string>();
  const inLink = (extent: ModelExtent): ModelExtent => {
    if (isKnown(extent) || own.has(extent)) return extent;
    if (isUnnamed(extent) && all.indexOf(extent) === all.lastIndexOf(extent)) return '?';
    for (let i = 0; !others.has(extent); ++i) {
      const name = `N${i || ''}`;
      if (!own.has(name) && ![...others.values()].includes(name)) others.set(extent, name);
    }
    return others.get(extent) as string;
  };
  const named = (shape: ModelShape) => shape && shape.map(inLink);
  const name: OpName | null = opNamed(bl, op);
  return attempt(() => {
    const question = questionOf(bl.vocabulary, {
      rule,
      ...(name === null ? {} : { op: name }),
      shapes: shapes.map(named),
      ...(axis === null ? {} : { axis }),
      ...(takesTarget ? { targetShape: named(targetShape) } : {}),
      ...(axesMapping === null ? {} : { axesMapping }),
    });
    return joined(base, questionFields(question));
  });
}
