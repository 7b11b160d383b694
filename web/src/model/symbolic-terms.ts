// Texts about shapes with unknown extents: conditions, extents of the result, the ranks of a case, why no extents fit.

import type { SymbolicDocument } from '../engine/engine';
import { targetOperand } from '../engine/engine';
import { shortName } from './axis-names';
import type { Field, Model } from './model';
import { extentText } from '../text/symbolic-text';

export type Case = SymbolicDocument['cases'][number];
export type Axis = Case['axes'][number];
export type Alternative = Axis['alternatives'][number];
type Term = Axis['choices'][number];

/** An operand, or the target, of the question. */
export interface Given {
  /** Its number; -2 for the target. */
  readonly operand: number;
  readonly name: string;
  readonly field: Field;
  /** Its place in `Case.sources`. */
  readonly place: number;
}

/** The operands of the question, then the target if the rule takes one. */
export function givenOf({ operands, target, rule, state }: Model): readonly Given[] {
  const given: Given[] = operands.map((field, operand) => ({ operand, name: field.name, field, place: operand }));
  if (rule?.takesTarget && state.byName === '')
    given.push({ operand: targetOperand, name: 'the target', field: target, place: operands.length });
  return given;
}

const nameIn = (model: Model, operand: number): string =>
  operand === targetOperand ? 'the target' : (model.operands[operand]?.name ?? '');

/** Letters of a name that are shown; the code has all of them. */
const mostInName = 40;

/** `3`, `N`, or the place of an extent without a name: `A[0]`. */
export function termText(model: Model, term: Term): string {
  if (typeof term !== 'object') return String(term);
  const symbol = model.symbolic?.symbols[term.symbol];
  if (!symbol) return '?';
  const shape = symbol.operand === targetOperand ? 'target' : nameIn(model, symbol.operand);
  return shortName(symbol.name || `${shape}[${symbol.axis}]`, mostInName);
}

/** `N = M and M = 3` */
export const alternativeText = (model: Model, equal: Alternative['equal']): string =>
  equal.map(([left, right]) => `${termText(model, left)} = ${termText(model, right)}`).join(' and ');

/** What must hold on an axis, on a line: `N = M or N = 1 or M = 1`. */
export function conditionText(model: Model, { alternatives }: Axis): string {
  return alternatives
    .map(({ equal }) => {
      const text = alternativeText(model, equal);
      return equal.length > 1 && alternatives.length > 1 ? `(${text})` : text;
    })
    .join(' or ');
}

/** The values of symbols, on a line: `N = 2, M = 1`; an empty text if there are none. */
export function witnessText(model: Model, { ranks }: Case, witness: Alternative['witness']): string {
  const symbols = model.symbolic?.symbols ?? [];
  const texts = symbols.flatMap((symbol, i) => {
    // Of an operand of unknown rank, only the axes that it has in this case.
    const rank = ranks.find(({ operand }) => operand === symbol.operand)?.rank;
    if (symbol.name === '' && rank !== undefined && (symbol.axis < 0 ? -symbol.axis > rank : symbol.axis >= rank))
      return [];
    return witness[i] === undefined ? [] : [`${termText(model, { symbol: i })} = ${witness[i]}`];
  });
  const most = 6;
  return texts.length > most ? `${texts.slice(0, most).join(', ')}, …` : texts.join(', ');
}

/** The result's extent on an axis: `3`, `N or M`, `2..8`, `?`. */
export function resultText({ mustCheck, choices, least, most }: Axis, model: Model): string {
  const isNamed = (term: Term): boolean =>
    typeof term !== 'object' || (model.symbolic?.symbols[term.symbol]?.name ?? '') !== '';
  return !mustCheck && choices.length > 0 && choices.length < 4 && choices.every(isNamed)
    ? choices.map((term) => termText(model, term)).join(' or ')
    : String(least) === String(most)
      ? String(least)
      : extentText({ name: null, least: Number(least), most: most === null ? null : Number(most) });
}

/** For which ranks a case is: `if A has 1 axis`; `if M = 1` where only that places the axes so. */
export function caseTitle(model: Model, { ranks, when }: Case): string {
  const texts = ranks.map(
    ({ operand, rank, orMore }) =>
      `${nameIn(model, operand)} has ${rank}${orMore ? ' or more' : ''} ${rank === 1 && !orMore ? 'axis' : 'axes'}`,
  );
  if (when.length > 0) texts.push(alternativeText(model, when));
  return texts.length === 0 ? '' : `If ${texts.join(' and ')}`;
}

/** Whether no extents fit on an axis of the result: there is no way in which it does, or none that another axis allows. */
export function neverFits({ axes, conflictAxis }: Case, axis: number): boolean {
  const { always = true, mustCheck = false, alternatives = [] } = axes[axis] ?? {};
  return conflictAxis === axis || (!always && !mustCheck && alternatives.length === 0);
}

/** Why no extents fit. */
export function whyNever(model: Model, { conflictAxis, otherConflictAxis, error, axes, sources }: Case): string {
  if (conflictAxis !== null) {
    const has = givenOf(model).flatMap(({ name, field, place }) => {
      const axis = sources[place]?.[conflictAxis] ?? null;
      const extents = field.values ?? field.unknown?.extents ?? [];
      const extent = axis === null ? undefined : extents[axis];
      return extent === undefined ? [] : [`${name} has ${extentText(extent)}`];
    });
    const named = axes[conflictAxis]?.name;
    const which = named ? `axis ${named}` : `axis ${conflictAxis} of the result`;
    const other = otherConflictAxis === null ? '' : `, as axis ${otherConflictAxis} needs other extents`;
    return `No extents fit on ${which}${other}${has.length > 0 ? `: ${has.join(', ')}` : ''}.`;
  }
  return error === null ? '' : `Whatever the extents are, the rule refuses these ranks or options (${error}).`;
}

/** One line for each fit: how it stands with a case. */
export const fitTexts: Readonly<Record<Case['fit'], { readonly sign: string; readonly text: string }>> = {
  always: { sign: '✓', text: 'always fits' },
  if: { sign: '⚠', text: 'fits under conditions' },
  must_check: { sign: '⚠', text: 'may fit' },
  never: { sign: '✕', text: 'never fits' },
};

/** The answer in sentences, for the verdict and for texts that are taken elsewhere. */
export function answerText(model: Model): string {
  const { symbolic } = model;
  const [first] = symbolic?.cases ?? [];
  if (!symbolic || !first) return '';
  const by = symbolic.byName ? 'Axes are matched by name, as in xarray: equal names, equal extents. ' : '';
  const several = symbolic.cases.length > 1 ? ` There are ${symbolic.cases.length} cases.` : '';
  switch (symbolic.fit) {
    case 'always':
      return `${by}${symbolic.symbols.length > 0 ? 'These shapes fit whatever the unknown extents are.' : 'These shapes fit.'}${several}`;
    case 'never':
      return `${by}${whyNever(model, first)}`;
    case 'must_check':
      return `${by}There are too many unknown extents to decide: check the shapes when the program runs.${several}`;
    default: {
      const lines = [...new Set(first.axes.filter(({ always }) => !always).map((axis) => conditionText(model, axis)))];
      const when = first.when.length > 0 ? [alternativeText(model, first.when)] : [];
      const all = [...when, ...lines].map((line) =>
        line.includes(' or ') && when.length + lines.length > 1 ? `(${line})` : line,
      );
      return several
        ? `${by}Whether they fit depends on the unknown extents.${several}`
        : `${by}They fit if ${all.length < 4 ? all.join(' and ') : `${all.length} conditions hold`}, and only then.`;
    }
  }
}

/** Letters of the result's shapes; the table has all extents. */
const mostInShapes = 240;

/** The result's shape; of several cases, the shapes that they give. */
export function shapesText({ symbolic }: Pick<Model, 'symbolic'>): string {
  if (!symbolic || symbolic.fit === 'never') return 'No result';
  const shapes = [...new Set(symbolic.cases.map(({ shape }) => shape))];
  return shapes.length < 4 ? shortName(shapes.join(' or '), mostInShapes) : `${shapes.length} possible shapes`;
}
