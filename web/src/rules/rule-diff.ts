// The same operands under every rule: the result of each, and whether equal shapes are made of different elements. The core
// gives each rule's alignment, and these are compared; no rule is known here.

import type { Alignment, Engine, Extent, Failure, Outcome, RuleEntry, RuleOptions } from '../engine/engine';
import { indexText, shapeText } from '../text/format';
import { arityOf, type Model } from '../model/model';
import { namesOf } from '../state/operand-names';
import { longestText, mostAxes, type OperandSpec, type State } from '../state/state';
import { pickRule } from '../store/store';
import { sentences } from '../components/words';

/** The answer of a rule to the present operands. */
export type Ruling =
  | { readonly kind: 'fits'; readonly alignment: Alignment; readonly likeness: Likeness | null }
  | {
      readonly kind: 'refuses';
      readonly failure: Failure;
      readonly alignment: Alignment | null;
      /** Says which of its options were tried without success: `No axis fits.`; else an empty text. */
      readonly vain: string;
      /** Of the chosen rule: another option with which the operands fit; else null. */
      readonly instead: { readonly option: string; readonly alignment: Alignment; readonly next: State } | null;
    }
  /** The rule needs fields that are not given. */
  | { readonly kind: 'lacks'; readonly fields: readonly string[] };

/** A rule that gives the same shape, and where it uses other elements. */
export interface Likeness {
  readonly to: RuleEntry;
  /** Says where elements differ; null if every element is the same under that rule. */
  readonly differs: string | null;
  /** The operand that both rules were asked about; an empty text for all. */
  readonly of: string;
}

export interface Ruled {
  readonly rule: RuleEntry;
  readonly ruling: Ruling;
  /** What the rule is asked besides the operands, or of fewer of them: `A alone, to (6,)`, `axis 1`; else an empty text. */
  readonly asked: string;
  /** Where it is asked only a part of the question, that part in words: `them without the target`, `A alone, to (6,)`. */
  readonly partial: string;
  /** Whether the rule is asked the whole question: with a target if the question has one, without if it has none. */
  readonly whole: boolean;
  /** The operator used in place of the chosen one, if the rule does not take that; else null. */
  readonly instead: string | null;
  /** The page with that rule chosen, and with the options that it was asked with. */
  readonly next: State;
}

/** The options with which a rule is asked, as texts and as values. */
interface Asking {
  readonly axis: string;
  readonly mapping: string;
  readonly options: RuleOptions;
}

/**
 * All rules in the order of the vocabulary; null while a shape cannot be read. A rule with a target shape is asked about the
 * first operand, as if that rule were chosen. If a rule refuses with the given option, the core's repairs say with which
 * option it fits, so that this table and the repairs agree.
 */
export function compareRules(core: Engine, { state, rule: chosen, operands }: Model): readonly Ruled[] | null {
  const specs = chosen?.takesTarget ? state.operands : state.operands.slice(0, operands.length);
  if (!shapesOf(core, specs)) return null;
  const { names } = namesOf(core, specs);

  /** The result's type, as in the page's question: the result's bytes have to be countable, too. */
  function typeOf({ op, dtype, promote }: State, asked: readonly OperandSpec[]): string {
    const dtypes = asked.map((spec, i) => spec.dtype || core.operandType(op, i, dtype));
    const computed = core.computedTypes(op, dtypes, promote);
    return core.resultType(op, computed.ok ? computed.value : dtypes).name;
  }

  function ruledBy(rule: RuleEntry): Ruled {
    const next = pickRule(core, state, rule.name);
    const op = core.vocabulary.ops.find(({ name }) => name === next.op) ?? null;
    const asked = rule.takesTarget ? specs.slice(0, 1) : specs;
    const missing = arityOf(rule, op).least - asked.length;
    const whole = rule.takesTarget === (chosen?.takesTarget === true);
    const target = rule.takesTarget && state.target.trim() !== '' ? `to ${state.target.trim()}` : '';
    const alone = rule.takesTarget && asked.length < specs.length ? `${names[0]} alone` : '';
    const without = !whole && !rule.takesTarget ? 'without the target' : '';
    const listed = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(', ');
    const answer = (ruling: Ruling, option: string, given: Partial<State> = {}): Ruled => ({
      rule,
      ruling,
      asked: listed(alone, without, target, option),
      partial: whole ? '' : alone ? listed(alone, target) : `them ${without || target}`,
      whole,
      instead: next.op === state.op ? null : next.op,
      next: { ...next, ...given },
    });

    const fields = [
      ...(missing > 0 ? [missing === 1 ? 'one more operand' : `${missing} more operands`] : []),
      ...(rule.takesTarget && state.target.trim() === '' ? ['a target shape'] : []),
    ];
    // Without operands or a target no mapping can be searched for.
    if (fields.length > 0 && rule.takesMapping && state.mapping.trim() === '') fields.push('`axes_mapping`');
    if (fields.length > 0) return answer({ kind: 'lacks', fields }, '');

    const targetRead = rule.takesTarget ? core.parseTarget(state.target) : null;
    const mapping = rule.takesMapping && state.mapping.trim() !== '' ? core.parseMapping(state.mapping) : null;
    const axis = rule.takesAxis && state.axis.trim() !== '' ? core.parseAxis(state.axis) : null;
    const refusal = { kind: 'refuses', alignment: null, vain: '', instead: null } as const;
    for (const field of [targetRead, mapping, axis])
      if (field && !field.ok) return answer({ ...refusal, failure: field.failure }, '');

    const named = namesOf(core, asked);
    const shapes = shapesOf(core, asked) ?? [];
    const dtype = typeOf(next, asked);
    const ask = (options: RuleOptions): Outcome<Alignment> => {
      const fixed = targetRead?.ok ? { targetShape: targetRead.value.values } : {};
      const aligned = core.align(rule.name, shapes, { ...fixed, ...options, dtype });
      return aligned.ok
        ? { ok: true, value: named.inAlignment(aligned.value) }
        : { ok: false, failure: named.inFailure(aligned.failure) };
    };

    const given: Asking = {
      axis: state.axis.trim(),
      mapping: state.mapping.trim(),
      options: {
        ...(axis?.ok ? { axis: axis.value.values[0] } : {}),
        ...(mapping?.ok ? { axesMapping: mapping.value.values } : {}),
      },
    };
    const first = ask(given.options);
    if (!first.ok) return answer({ ...refusal, failure: first.failure }, '');
    const alignment = first.value;
    const { failure } = alignment;
    if (!failure) return answer({ kind: 'fits', alignment, likeness: null }, optionText(rule, given));

    const other = rule.takesAxis || rule.takesMapping ? otherOption(rule, alignment) : null;
    const found = other && ask(other.options);
    const fits = other && found?.ok && !found.value.failure ? { other, alignment: found.value } : null;
    if (fits && rule !== chosen) {
      const { axis: on, mapping: to } = fits.other;
      return answer(
        { kind: 'fits', alignment: fits.alignment, likeness: null },
        optionText(rule, fits.other),
        rule.takesAxis ? { axis: on } : { mapping: to },
      );
    }
    const option = optionText(rule, given);
    return answer(
      {
        kind: 'refuses',
        failure,
        alignment,
        vain: fits ? '' : vainText(rule, option, alignment, core.vocabulary.mostAxisTried),
        instead: fits && {
          option: optionText(rule, fits.other),
          alignment: fits.alignment,
          next: { ...next, ...(rule.takesAxis ? { axis: fits.other.axis } : { mapping: fits.other.mapping }) },
        },
      },
      option,
    );
  }

  const ruled = core.vocabulary.rules.map(ruledBy);
  return ruled.map((one) => {
    if (one.ruling.kind !== 'fits') return one;
    const likeness = likenessOf(one, ruled, chosen, names);
    return { ...one, ruling: { ...one.ruling, likeness } };
  });
}

/** The option of the rule with which the operands fit, by the core's repairs; null if there is none. */
function otherOption({ name }: RuleEntry, alignment: Alignment): Asking | null {
  const repair = alignment.repairs().find(({ kind, rule }) => kind === 'change_rule' && rule === name);
  if (!repair) return null;
  const { axis, axesMapping } = repair;
  return {
    axis: axis === null ? '' : String(axis),
    mapping: axesMapping === null ? '' : indexText(axesMapping),
    options: { ...(axis === null ? {} : { axis }), ...(axesMapping === null ? {} : { axesMapping }) },
  };
}

/** The option of a rule in words: `axis 1`, `axes_mapping [0, 2]`; if no axis is given, PDPD's default. */
function optionText({ takesAxis, takesMapping }: RuleEntry, { axis, mapping }: Asking): string {
  if (takesAxis) return `axis ${axis === '' ? '-1' : axis}`;
  return takesMapping && mapping !== '' ? `axes_mapping ${mapping}` : '';
}

function vainText(
  { takesAxis, takesMapping }: RuleEntry,
  option: string,
  { axes }: Alignment,
  mostAxisTried: number,
): string {
  if (axes.length > mostAxisTried) return '';
  if (takesAxis) return 'No other axis fits.';
  return takesMapping ? `No ${option === '' ? '' : 'other '}axes_mapping fits.` : '';
}

/** A rule, not the chosen one, that takes the operands as they are; its option, and the state with it. */
export interface Taker {
  readonly rule: RuleEntry;
  readonly asked: string;
  readonly output: readonly Extent[];
  readonly next: State;
}

export const takersOf = (ruled: readonly Ruled[], chosen: string): readonly Taker[] =>
  ruled.flatMap(({ rule, ruling, asked, whole, next }) =>
    ruling.kind === 'fits' && whole && rule.name !== chosen
      ? [{ rule, asked, output: ruling.alignment.output, next }]
      : [],
  );

/** The title of a rule that takes what it is asked, with its option where that is not the one in hand; else null. */
function takerTitle({ rule, ruling, next }: Ruled, state: State): string | null {
  if (ruling.kind === 'lacks') return null;
  const taken = ruling.kind === 'fits' ? next : ruling.instead?.next;
  if (!taken) return null;
  const { axis, mapping } = taken;
  if (rule.takesAxis && axis.trim() !== state.axis.trim()) return `${rule.title} with axis ${axis}`;
  if (rule.takesMapping && mapping.trim() !== state.mapping.trim()) return `${rule.title} with axes_mapping ${mapping}`;
  return rule.title;
}

/**
 * How many rules take the operands, and which. The rules that take them only in part, as without the target, are counted
 * in a sentence of their own, so that every line of the table with a result is named.
 */
export function takersText(ruled: readonly Ruled[], { state }: Model): string {
  const titlesOf = (some: readonly Ruled[]): readonly string[] =>
    some.map((one) => takerTitle(one, state)).filter((title) => title !== null);
  const take = ({ length }: readonly string[]): string => (length === 1 ? 'takes' : 'take');
  const titles = titlesOf(ruled.filter(({ whole }) => whole));
  const first =
    titles.length === 0
      ? `None of the ${ruled.length} rules takes these shapes as they are.`
      : `${titles.length} of ${ruled.length} rules ${take(titles)} these shapes: ${titles.join(', ')}.`;
  const rest = ruled.filter(({ whole }) => !whole);
  const partly = titlesOf(rest);
  // All of them are asked the same part: the operands without the target, or the first operand with it.
  return partly.length === 0
    ? first
    : `${first} ${partly.length} ${take(partly)} ${rest[0]?.partial}: ${partly.join(', ')}.`;
}

/** The shapes as the core reads them; null where one cannot be read, or where they have too many axes. */
function shapesOf(core: Engine, specs: readonly OperandSpec[]): readonly (readonly Extent[])[] | null {
  if (specs.some(({ shape }) => shape.length > longestText)) return null;
  const read = specs.map(({ shape }, i) => core.parseShape(shape, i));
  if (read.reduce((sum, parsed) => sum + (parsed.ok ? parsed.value.values.length : 0), 0) > mostAxes) return null;
  return read.every((parsed) => parsed.ok) ? read.map((parsed) => (parsed.ok ? parsed.value.values : [])) : null;
}

/** Compares a rule with the chosen rule if that gives the same shape, else with the first rule that does. */
function likenessOf(
  { rule, ruling, whole }: Ruled,
  all: readonly Ruled[],
  chosen: RuleEntry | null,
  names: readonly string[],
): Likeness | null {
  if (ruling.kind !== 'fits') return null;
  const shape = shapeText(ruling.alignment.output);
  const alike = all.filter(
    (other) => other.ruling.kind === 'fits' && shapeText(other.ruling.alignment.output) === shape,
  );
  const other = alike.find((one) => one.rule === chosen) ?? alike[0];
  if (!other || other.rule === rule || other.ruling.kind !== 'fits') return null;
  const of = whole && other.whole ? '' : (names[0] ?? '');
  return { to: other.rule, differs: differenceOf(ruling.alignment, other.ruling.alignment, names), of };
}

/** The axis of the result that each axis of an operand runs along; axes of extent 1 run along none. */
function axisTargets({ axes }: Alignment, operand: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { axis, cells, extent } of axes) {
    const cell = cells[operand];
    if (cell && cell.relation === 'match' && cell.sourceAxis !== null && Number(extent) !== 1)
      found.set(cell.sourceAxis, axis);
  }
  return found;
}

/** Says where elements differ, of the operands that both rules were asked about; null if they do not. */
function differenceOf(one: Alignment, other: Alignment, names: readonly string[]): string | null {
  // Empty results have no elements that differ.
  if (one.output.some((extent) => Number(extent) === 0)) return null;
  const both = Math.min(one.axes[0]?.cells.length ?? 0, other.axes[0]?.cells.length ?? 0);
  const differences: string[] = [];
  for (let operand = 0; operand < both; ++operand) {
    const [here, there] = [axisTargets(one, operand), axisTargets(other, operand)];
    for (const own of new Set([...here.keys(), ...there.keys()])) {
      const [to, instead] = [here.get(own), there.get(own)];
      if (to === instead) continue;
      const place = (axis: number | undefined): string => (axis === undefined ? 'no axis' : `axis ${axis}`);
      differences.push(`axis ${own} of ${names[operand]} runs along ${place(to)} of the result, not ${place(instead)}`);
    }
  }
  return differences.length > 0 ? differences.join('; ') : null;
}

/** Why a rule refuses, in one short sentence. */
export function shortReason(ruling: Extract<Ruling, { kind: 'refuses' }>): string {
  const { vain } = ruling;
  return vain === '' ? refusalOf(ruling) : `${refusalOf(ruling)} ${vain}`;
}

function refusalOf({ failure, alignment }: Extract<Ruling, { kind: 'refuses' }>): string {
  const clashing = alignment?.axes.filter(({ conflict }) => conflict) ?? [];
  const [first] = clashing;
  if (failure.class === 'incompatible' && first) {
    const more = clashing.length - 1;
    const others = more > 0 ? ` ${more === 1 ? 'One more axis clashes' : `${more} more axes clash`}.` : '';
    return `Axis ${first.axis}: ${first.why}${others}`;
  }
  return sentences(failure.message)[0];
}
