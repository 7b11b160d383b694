// The shapes at hand under every rule, as lines of a table. The core compares; here its answer is put into words. No rule is
// known here.

import type { ComparedRule, Comparison, Engine, Extent, RuleEntry } from '../engine/engine';
import { aboutAxis, countText, indexText, shapeText } from '../text/format';
import type { Model } from '../model/model';
import { namesOf, type OperandNames } from '../state/operand-names';
import { longestText, mostAxes, type OperandSpec, shaped, type State } from '../state/state';
import { pickRule } from '../store/store';
import { sentences } from '../components/words';
import { type System, systems, titleOfSystem } from './references';

/** A rule with one option: a line of the table. */
export interface Line {
  readonly rule: RuleEntry;
  /** Whether it is the rule's first line. */
  readonly first: boolean;
  /** What was asked besides the operands, or of which of them, in words; an empty text for nothing. */
  readonly asked: string;
  /** The part of it that differs from the line before. */
  readonly option: string;
  /** The result's shape; null where the shapes do not fit. */
  readonly shape: readonly Extent[] | null;
  /** Why the shapes do not fit, in short, and the whole message; empty texts where they do. */
  readonly reason: string;
  readonly message: string;
  /** Which elements the result is made of, beside another line of the same shape; null for the first of its shape. */
  readonly sources: { readonly same: boolean; readonly says: string } | null;
  /** Names of the clauses of the answer. */
  readonly clauses: readonly string[];
  /** What other systems do with this. */
  readonly systems: readonly Difference[];
  readonly row: ComparedRule | null;
  /** The page with that rule and option; null where the line stands for several options. */
  readonly next: State | null;
  /** Whether it is what the page shows. */
  readonly inUse: boolean;
  /** Whether the rule is asked the page's own question: with a target if that has one, without if it has none. */
  readonly whole: boolean;
}

export interface Difference {
  readonly section: string;
  readonly title: string;
  readonly message: string;
  readonly systems: readonly string[];
}

export interface Compared {
  readonly comparison: Comparison;
  readonly lines: readonly Line[];
  /** The operands as they are called, with their shapes: `A (2, 3)`. */
  readonly operands: readonly { readonly name: string; readonly shape: string }[];
  /** What the rules are asked that take another form than the page's question: with a target if that has none, or without. */
  readonly note: string;
  /** Whether the page's question has a target. */
  readonly usesTarget: boolean;
  readonly differences: readonly Difference[];
}

/** The operands that are compared; with a target in the page's question, the target is the second one. */
function specsAtHand({ state, rule, operands }: Model): readonly OperandSpec[] {
  const specs = state.operands.slice(0, operands.length);
  if (!rule?.takesTarget) return specs;
  if (state.target.trim() === '') return state.operands.slice(0, 2);
  return [...specs.slice(0, 1), shaped(state.target)];
}

/** The shapes as the core reads them; null where one cannot be read, or where they have too many axes. */
function shapesOf(core: Engine, specs: readonly OperandSpec[]): readonly (readonly Extent[])[] | null {
  if (specs.length === 0 || specs.some(({ shape }) => shape.length > longestText)) return null;
  const read = specs.flatMap(({ shape }, i) => {
    const parsed = core.parseShape(shape, i);
    return parsed.ok ? [parsed.value.values] : [];
  });
  if (read.length < specs.length || read.reduce((sum, { length }) => sum + length, 0) > mostAxes) return null;
  return read;
}

/** Any shapes have an alignment under a rule that takes any number of operands and nothing else. */
export function anyRule(core: Engine): string {
  const takesAll = ({ leastOperands, mostOperands, takesTarget, stretches }: RuleEntry): boolean =>
    leastOperands <= 1 && mostOperands === null && !takesTarget && stretches;
  return core.vocabulary.rules.find(takesAll)?.name ?? '';
}

/** The result's element type, in the page's question. */
function typeOf(core: Engine, { state: { op, promote }, operands }: Model): string {
  const dtypes = operands.map(({ dtype }) => dtype);
  const computed = core.computedTypes(op, dtypes, promote);
  return core.resultType(op, computed.ok ? computed.value : dtypes).name;
}

/** Where systems are known to differ, whatever the shapes. */
export function divergencesOf(core: Engine): Comparison['divergences'] {
  const asked = core.align(anyRule(core), [[1]], {});
  return asked.ok ? asked.value.compare().divergences : [];
}

/** All rules in the order of the vocabulary; null while a shape cannot be read. */
export function compareRules(core: Engine, model: Model): Compared | null {
  const { state, rule: chosen, op } = model;
  const specs = specsAtHand(model);
  const shapes = shapesOf(core, specs);
  if (!shapes) return null;
  const named = namesOf(core, specs);
  const asked = core.align(anyRule(core), shapes, { dtype: typeOf(core, model), ...(op ? { op: op.name } : {}) });
  if (!asked.ok) return null;
  const comparison = asked.value.compare();
  const differences = comparison.divergences.filter(({ systems: some }) => some.length > 0);
  const rest = specs.length > 2 ? `; ${listed(named.names.slice(2))} left out` : '';
  const usesTarget = chosen?.takesTarget === true && state.target.trim() !== '';
  const second = usesTarget ? 'the target' : (named.names[1] ?? '');
  const lines = new Lines(core, model, comparison, named, specs, usesTarget).all();
  const note =
    specs.length < 2
      ? 'With one shape, rules that take a target have none.'
      : usesTarget
        ? `Rules that take no target are given it as B.`
        : `Rules that take a target are given ${named.names[0]} alone, with ${second} as the target${rest}.`;
  return {
    comparison,
    lines,
    operands: specs.map((_, i) => ({
      name: usesTarget && i === 1 ? 'the target' : (named.names[i] ?? ''),
      shape: shapeText(shapes[i] ?? []),
    })),
    note,
    usesTarget,
    differences,
  };
}

/** The note, where it is about one of these lines. */
export const noteOn = ({ note, usesTarget }: Compared, lines: readonly Line[]): string =>
  lines.some(({ rule }) => rule.takesTarget !== usesTarget) ? note : '';

const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.length} operands` : names.join(' and ');

class Lines {
  constructor(
    private readonly core: Engine,
    private readonly model: Model,
    private readonly comparison: Comparison,
    private readonly named: OperandNames,
    private readonly specs: readonly OperandSpec[],
    private readonly usesTarget: boolean,
  ) {}

  all(): readonly Line[] {
    const lines: Line[] = [];
    const { rows, mappings, axesLeftOut } = this.comparison;
    rows.forEach((row, i) => {
      const entry = this.entryOf(row);
      const before = lines.at(-1);
      // Axes beyond the last possible one have one line.
      const isBeyond = ({ axis, error }: ComparedRule): boolean =>
        axis !== null && (error?.code === 'axis' || error?.code === 'rank');
      if (isBeyond(row) && before?.row?.rule === row.rule && isBeyond(before.row)) {
        const from = /\d+/.exec(before.option)?.[0] ?? '';
        const option = `axes ${from} to ${row.axis}`;
        const asked = before.asked.replace(/ax[ei]s \d.*/, option);
        lines[lines.length - 1] = { ...before, asked, option, next: null };
        return;
      }
      const line = this.lineOf(row, entry, before?.rule !== entry);
      lines.push(line);
      if (rows[i + 1]?.rule === row.rule) return;
      const count = Number(mappings?.count ?? 0);
      if (entry.takesMapping && mappings && count > mappings.listed)
        lines.push(this.restOf(line, `${countText(BigInt(mappings.count) - BigInt(mappings.listed))} more mappings`));
      if (entry.takesAxis && axesLeftOut > 0) lines.push(this.restOf(line, `${countText(axesLeftOut)} more axes`));
    });
    return lines;
  }

  /** A line for options that are counted, not listed. */
  private restOf(line: Line, asked: string): Line {
    const shape = line.rule.takesMapping ? line.shape : null;
    const reason = shape ? '' : 'not listed';
    const none = { sources: null, clauses: [], systems: [], row: null, next: null, inUse: false };
    return { ...line, ...none, first: false, asked, option: asked, shape, reason, message: '' };
  }

  private entryOf(row: ComparedRule): RuleEntry {
    const entry = this.core.vocabulary.rules.find(({ name }) => name === row.rule);
    if (!entry) throw new Error(`no rule ${row.rule}`);
    return entry;
  }

  private lineOf(row: ComparedRule, rule: RuleEntry, first: boolean): Line {
    const { state, rule: chosen } = this.model;
    const { divergences } = this.comparison;
    const noneFits = rule.takesMapping && this.comparison.mappings?.count === 0;
    const axis = row.axis === null ? '' : String(row.axis);
    const mapping = row.axesMapping === null || noneFits ? '' : indexText(row.axesMapping);
    const second = this.usesTarget ? state.target : (this.specs[1]?.shape ?? '');
    const picked = pickRule(this.core, state, rule.name);
    const next: State = {
      ...(this.usesTarget && !rule.takesTarget ? this.withTarget(picked, rule) : picked),
      axis: rule.takesAxis ? axis : state.axis,
      mapping,
      target: rule.takesTarget && row.asksTarget ? second : state.target,
    };
    const given = state.axis.trim() === '-1' ? '' : state.axis.trim();
    const options =
      (!rule.takesAxis || given === axis) && (!rule.takesMapping || noneFits || mapping === this.givenMapping());
    const option = this.optionOf(row, rule, noneFits);
    return {
      rule,
      first,
      asked: [this.operandsOf(row, rule), option].filter((text) => text !== '').join(', '),
      option,
      shape: row.shape?.map((extent) => (typeof extent === 'string' ? BigInt(extent) : extent)) ?? null,
      reason: this.named.inText(this.reasonOf(row, noneFits)),
      message: this.named.inText(row.error?.message ?? ''),
      sources: this.sourcesOf(row),
      clauses: row.clauses,
      systems: row.systems.flatMap((i) => divergences[i] ?? []),
      row,
      next,
      inUse: rule === chosen && options && (!rule.takesTarget || this.usesTarget),
      whole: rule.takesTarget === (chosen?.takesTarget === true),
    };
  }

  /** The target as the second operand, which it is in the comparison. */
  private withTarget(state: State, { mostOperands }: RuleEntry): State {
    const [first, second] = [this.model.state.operands[0] ?? shaped('()'), shaped(this.model.state.target)];
    return mostOperands === 1 ? state : { ...state, operands: [first, second] };
  }

  private givenMapping(): string {
    const read = this.core.parseMapping(this.model.state.mapping);
    return read.ok ? indexText(read.value.values.map(Number)) : '';
  }

  /** Which operands are asked about, where not all are. */
  private operandsOf({ asksTarget }: ComparedRule, { takesTarget }: RuleEntry): string {
    const { names } = this.named;
    if (this.usesTarget) return takesTarget ? 'to the target' : 'the target as B';
    return asksTarget ? `${names[0]} alone, ${names[1]} as the target` : '';
  }

  private optionOf({ axis, axesMapping, startAxis }: ComparedRule, rule: RuleEntry, noneFits: boolean): string {
    if (axesMapping !== null) return noneFits ? '' : `axes_mapping ${indexText(axesMapping)}`;
    if (!rule.takesAxis) return '';
    if (axis !== null) return `axis ${axis}`;
    return `default axis -1${startAxis === null || startAxis < 0 ? '' : `, here axis ${startAxis}`}`;
  }

  private reasonOf({ error, axesMapping }: ComparedRule, noneFits: boolean): string {
    if (!error) return '';
    const { why, axis, clashes, code, message } = error;
    if (noneFits && axesMapping) {
      const tried = why && code === 'incompatible' ? ` With ${indexText(axesMapping)}: ${aboutAxis(axis, why)}` : '';
      return `No axes_mapping fits.${tried}`;
    }
    if (code !== 'incompatible' || why === null) return sentences(message)[0];
    const more = clashes - 1;
    const others = more > 0 ? ` ${more === 1 ? 'One more axis clashes' : `${more} more axes clash`}.` : '';
    return `${aboutAxis(axis, why)}${others}`;
  }

  private sourcesOf({ sameAs, differs, asksTarget }: ComparedRule): Line['sources'] {
    const { rows } = this.comparison;
    const { names } = this.named;
    // The operands that both rows have.
    const of = (other: number): string => (asksTarget || rows[other]?.asksTarget ? `of ${names[0]} ` : '');
    if (sameAs !== null) return { same: true, says: `same elements ${of(sameAs)}as ${this.titleOf(sameAs)}` };
    if (!differs) return null;
    const { row, operand, cell, source, otherSource } = differs;
    const at = `out${placeText(cell)} comes from ${names[operand]}${placeText(source)}`;
    return {
      same: false,
      says: `other elements ${of(row)}than ${this.titleOf(row)}: ${at}, under ${this.titleOf(row)} from ${names[operand]}${placeText(otherSource)}`,
    };
  }

  private titleOf(place: number): string {
    const row = this.comparison.rows[place];
    if (!row) return '';
    const { title } = this.entryOf(row);
    if (row.axis !== null) return `${title} with axis ${row.axis}`;
    return row.axesMapping === null ? title : `${title} with ${indexText(row.axesMapping)}`;
  }
}

/** An element's place: `[0, 2]`; that of a scalar is `[]`. */
const placeText = (index: readonly number[]): string => `[${index.join(', ')}]`;

/** A rule, not the chosen one, that takes the operands as they are; its option, and the state with it. */
export interface Taker {
  readonly rule: RuleEntry;
  readonly asked: string;
  readonly output: readonly Extent[];
  readonly next: State;
}

/** The rules that take the page's own question, one line each: with the given option if that fits, else the first. */
export function takersOf({ lines }: Compared, { state }: Model): readonly Taker[] {
  return taking(lines.filter(({ whole, rule }) => whole && rule.name !== state.rule)).map(
    ({ rule, row, shape, next }) => ({
      rule,
      asked:
        rule.takesAxis && row
          ? `axis ${row.axis ?? -1}`
          : row?.axesMapping
            ? `axes_mapping ${indexText(row.axesMapping)}`
            : '',
      output: shape ?? [],
      next: next ?? state,
    }),
  );

  function taking(some: readonly Line[]): readonly Line[] {
    const fitting = some.filter(({ shape, next }) => shape !== null && next !== null);
    const isGiven = ({ row }: Line): boolean => String(row?.axis) === state.axis.trim();
    return [...new Set(fitting.map(({ rule }) => rule))].flatMap((rule) => {
      const own = fitting.filter((line) => line.rule === rule);
      return own.find(isGiven) ?? own[0] ?? [];
    });
  }
}

/** `every rule`, or the rules of a system. */
export const rulesText = (only: System | null): string =>
  only === null ? 'every rule' : `the rules of ${titleOfSystem(only)}`;

/** How many of these lines' rules take the shapes, and which. */
export function takersText(lines: readonly Line[], only: System | null): string {
  const count = new Set(lines.map(({ rule }) => rule)).size;
  const rules = `${count === 1 ? 'rule' : 'rules'}${only === null ? '' : ` of ${titleOfSystem(only)}`}`;
  const takes = ({ shape }: Line): boolean => shape !== null;
  const titles = [...new Set(lines.filter(takes).map(({ rule }) => rule))].map((rule) => {
    const own = lines.filter((line) => line.rule === rule && line.row !== null);
    const fitting = own.filter(takes);
    const [first] = fitting;
    // A rule that does not take the shapes without an option is named with it.
    const needs = own[0] !== first && fitting.length === 1 ? first?.row : null;
    return needs && needs.axis !== null ? `${rule.title} with axis ${needs.axis}` : rule.title;
  });
  return titles.length === 0
    ? `${count === 1 ? 'The only' : `None of the ${count}`} ${rules} ${count === 1 ? 'does not take' : 'takes'} these shapes.`
    : `${count === 1 ? 'The only' : `${titles.length} of ${count}`} ${rules} ${titles.length === 1 ? 'takes' : 'take'} these shapes: ${titles.join(', ')}.`;
}

/** Whether the line is of a rule that the system has; all are without a system. */
export const systemNamed = (only: string): System | null =>
  systems.find(([id]) => only.split(',').includes(id))?.[0] ?? null;
