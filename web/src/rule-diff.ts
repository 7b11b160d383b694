// The same operands under every rule: what each gives, and where the same shape comes out of other elements. The core is
// asked for each rule's alignment; these are compared, and nothing else is known of the rules here.

import type { Alignment, Engine, Extent, Failure, RuleEntry } from './engine';
import { shapeText } from './format';
import { arityOf, type Model } from './model';
import { namesOf } from './operand-names';
import type { OperandSpec, State } from './state';
import { pickRule } from './store';
import { sentences } from './views/words';

/** What a rule says to the operands in hand. */
export type Ruling =
  | { readonly kind: 'fits'; readonly alignment: Alignment; readonly likeness: Likeness | null }
  | { readonly kind: 'refuses'; readonly failure: Failure; readonly alignment: Alignment | null }
  /** It asks for what is not given. */
  | { readonly kind: 'lacks'; readonly fields: readonly string[] };

/** A rule that gives the same shape, and where elements go another way under it. */
export interface Likeness {
  readonly to: RuleEntry;
  /** Null where every element goes where it goes under that rule. */
  readonly differs: string | null;
}

export interface Ruled {
  readonly rule: RuleEntry;
  readonly ruling: Ruling;
  /** What is asked besides the operands, or of fewer of them: `A alone, to (6,)`, `axis 1`; else an empty text. */
  readonly asked: string;
  /** The operator that stands for the one in hand, where the rule does not go with it. */
  readonly instead: string | null;
  /** The page with that rule chosen. */
  readonly next: State;
}

/**
 * All rules in the order of the vocabulary; null while a shape cannot be read. A rule with a target shape is asked of the
 * first operand, as it would be with that rule chosen.
 */
export function compareRules(core: Engine, { state, rule: chosen, operands }: Model): readonly Ruled[] | null {
  const specs = chosen?.takesTarget ? state.operands : state.operands.slice(0, operands.length);
  if (!shapesOf(core, specs)) return null;

  function rulingOf(rule: RuleEntry, asked: readonly OperandSpec[], missing: number): Ruling {
    const named = namesOf(core, asked);
    const shapes = shapesOf(core, asked) ?? [];
    const fields = [
      ...(missing > 0 ? [missing === 1 ? 'one more operand' : `${missing} more operands`] : []),
      ...(rule.takesTarget && state.target.trim() === '' ? ['a target shape'] : []),
      ...(rule.takesMapping && state.mapping.trim() === '' ? ['`axes_mapping`'] : []),
    ];
    if (fields.length > 0) return { kind: 'lacks', fields };
    const target = rule.takesTarget ? core.parseTarget(state.target) : null;
    const mapping = rule.takesMapping ? core.parseMapping(state.mapping) : null;
    const axis = rule.takesAxis && state.axis.trim() !== '' ? core.parseAxis(state.axis) : null;
    for (const field of [target, mapping, axis])
      if (field && !field.ok) return { kind: 'refuses', failure: field.failure, alignment: null };
    const aligned = core.align(rule.name, shapes, {
      ...(target?.ok ? { targetShape: target.value.values } : {}),
      ...(mapping?.ok ? { axesMapping: mapping.value.values } : {}),
      ...(axis?.ok ? { axis: axis.value.values[0] } : {}),
    });
    if (!aligned.ok) return { kind: 'refuses', failure: named.inFailure(aligned.failure), alignment: null };
    const alignment = named.inAlignment(aligned.value);
    if (alignment.failure) return { kind: 'refuses', failure: alignment.failure, alignment };
    return { kind: 'fits', alignment, likeness: null };
  }

  function wordsOf(rule: RuleEntry, asked: readonly OperandSpec[]): string {
    const [axis, target] = [state.axis.trim(), state.target.trim()];
    return [
      asked.length < specs.length ? `${names[0]} alone` : '',
      rule.takesAxis && axis !== '' ? `axis ${axis}` : '',
      rule.takesTarget && target !== '' ? `to ${target}` : '',
    ]
      .filter((text) => text !== '')
      .join(', ');
  }

  const { names } = namesOf(core, specs);
  const ruled = core.vocabulary.rules.map((rule): Ruled => {
    const next = pickRule(core, state, rule.name);
    const op = core.vocabulary.ops.find(({ name }) => name === next.op) ?? null;
    const { least } = arityOf(rule, op);
    const asked = rule.takesTarget ? specs.slice(0, 1) : specs;
    return {
      rule,
      ruling: rulingOf(rule, asked, least - asked.length),
      asked: wordsOf(rule, asked),
      instead: next.op === state.op ? null : next.op,
      next,
    };
  });
  return ruled.map((one) => {
    if (one.ruling.kind !== 'fits') return one;
    const likeness = likenessOf(one, ruled, chosen, names);
    return { ...one, ruling: { ...one.ruling, likeness } };
  });
}

/** The shapes as the core reads them; null where one cannot be read. */
function shapesOf(core: Engine, specs: readonly OperandSpec[]): readonly (readonly Extent[])[] | null {
  const read = specs.map(({ shape }, i) => core.parseShape(shape, i));
  return read.every((parsed) => parsed.ok) ? read.map((parsed) => (parsed.ok ? parsed.value.values : [])) : null;
}

/** Compared is with the rule in hand if it gives this shape, too; else with the first that does. */
function likenessOf(
  { rule, ruling }: Ruled,
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
  return { to: other.rule, differs: differenceOf(ruling.alignment, other.ruling.alignment, names) };
}

/** The axis of the result along which each axis of an operand runs; those of one element run along none. */
function courses({ axes }: Alignment, operand: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { axis, cells, extent } of axes) {
    const cell = cells[operand];
    if (cell && cell.relation === 'match' && cell.sourceAxis !== null && Number(extent) !== 1)
      found.set(cell.sourceAxis, axis);
  }
  return found;
}

/** Where elements go another way, in words; of the operands that both were asked of. */
function differenceOf(one: Alignment, other: Alignment, names: readonly string[]): string | null {
  // Nothing goes another way where there is nothing.
  if (one.output.some((extent) => Number(extent) === 0)) return null;
  const both = Math.min(one.axes[0]?.cells.length ?? 0, other.axes[0]?.cells.length ?? 0);
  const parts: string[] = [];
  for (let operand = 0; operand < both; ++operand) {
    const [here, there] = [courses(one, operand), courses(other, operand)];
    for (const own of new Set([...here.keys(), ...there.keys()])) {
      const [to, instead] = [here.get(own), there.get(own)];
      if (to === instead) continue;
      const place = (axis: number | undefined): string => (axis === undefined ? 'no axis' : `axis ${axis}`);
      parts.push(`axis ${own} of ${names[operand]} runs along ${place(to)} of the result, not ${place(instead)}`);
    }
  }
  return parts.length > 0 ? parts.join('; ') : null;
}

/** Why a rule refuses, as short as it can be said. */
export function shortReason({ failure, alignment }: Extract<Ruling, { kind: 'refuses' }>): string {
  const clashing = alignment?.axes.filter(({ conflict }) => conflict) ?? [];
  const [first] = clashing;
  if (failure.class === 'incompatible' && first) {
    const more = clashing.length - 1;
    const others = more > 0 ? ` ${more === 1 ? 'One more axis clashes' : `${more} more axes clash`}.` : '';
    return `Axis ${first.axis}: ${first.why}${others}`;
  }
  return sentences(failure.message)[0];
}
