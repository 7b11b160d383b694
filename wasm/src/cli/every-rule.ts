// `--all`: the question of the command line under every rule. No rule is known here: the vocabulary says which options a rule
// takes, the core aligns, and its repairs name the option with which the shapes fit. `compare()` asks something else: it gives
// rules that take a target the second operand as one, and lists every axis and mapping. Here the target is the one that was
// typed, the given options are kept, and each rule has one answer.

import { isBroadcastError, type Alignment, type Broadloom, type RuleName, type RuleRow } from '../index.js';
import type { Question, RuleOptions } from './question.js';
import type { Terminal } from './terminal.js';

/** The answer of one rule. */
export interface Answer {
  readonly rule: RuleName;
  /** Null where the rule does not apply: it takes another number of operands, or needs an option that is not given. */
  readonly fits: boolean | null;
  readonly shape: readonly bigint[] | null;
  /** The alignment's verdict, or why the rule does not apply. */
  readonly verdict: string;
  /** The option that was used: the given one, or else one with which the shapes fit; null for none. */
  readonly axis: bigint | null;
  readonly axesMapping: readonly bigint[] | null;
}

/**
 * Aligns the same shapes under every rule. Each rule gets the options that it takes; the target is part of the
 * question, so all of them get it. Where the shapes do not fit, the rule is tried again with the option that a repair
 * names.
 */
export function askEveryRule(bl: Broadloom, { operands, options }: Question): Answer[] {
  const shapes = operands.map(({ shape }) => shape);
  return Object.values(bl.vocabulary.rules).map((row): Answer => {
    const rule = row.name;
    const given = optionsOf(row, options);
    const answered = (asked: RuleOptions, rest: Pick<Answer, 'fits' | 'shape' | 'verdict'>): Answer => {
      return { rule, ...rest, axis: asked.axis ?? null, axesMapping: asked.axesMapping ?? null };
    };
    try {
      const alignment = bl.align(rule, shapes, given) as Alignment<bigint>;
      const other = alignment.shape === null ? otherOptions(row, alignment) : null;
      if (other !== null) {
        const { shape, verdict } = bl.align(rule, shapes, { ...given, ...other }) as Alignment<bigint>;
        if (shape !== null) return answered({ ...given, ...other }, { fits: true, shape, verdict });
      }
      const { shape, verdict } = alignment;
      return answered(given, { fits: shape !== null, shape, verdict });
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      return answered(given, { fits: null, shape: null, verdict: error.message });
    }
  });
}

function optionsOf(row: RuleRow, { axis, targetShape, axesMapping }: RuleOptions): RuleOptions {
  return {
    ...(row.takesAxis && axis !== undefined ? { axis } : {}),
    ...(targetShape !== undefined ? { targetShape } : {}),
    ...(row.takesMapping && axesMapping !== undefined ? { axesMapping } : {}),
  };
}

/** The option with which the shapes fit under the same rule, from the alignment's repairs; null if there is none. */
function otherOptions({ name, takesAxis, takesMapping }: RuleRow, alignment: Alignment<bigint>): RuleOptions | null {
  if (!takesAxis && !takesMapping) return null;
  const repair = alignment.repairs().find(({ kind, rule }) => kind === 'change_rule' && rule === name);
  if (repair === undefined) return null;
  const { axis, axesMapping } = repair;
  return {
    ...(axis === null ? {} : { axis: BigInt(axis) }),
    ...(axesMapping === null ? {} : { axesMapping: axesMapping.map(BigInt) }),
  };
}

/** For a rule under which the shapes do not fit: which option was used, and that no other one helps. */
function vainText({ takesAxis, takesMapping }: RuleRow, { axis, axesMapping }: Answer): string {
  if (takesAxis) return ` That is with axis ${axis ?? -1}; no other axis fits.`;
  if (takesMapping) return axesMapping === null ? ' No axes_mapping fits.' : ' No other axes_mapping fits.';
  return '';
}

/** A line for each rule: the result's shape and the option that it needs, or the reason why the shapes do not fit. */
export function formatAnswers(
  bl: Broadloom,
  { options, operands }: Question,
  answers: readonly Answer[],
  { paint }: Terminal,
): string[] {
  const width = Math.max(...answers.map(({ rule }) => rule.length));
  const allTried = operands.every(({ shape }) => shape.length <= bl.vocabulary.mostAxisTried);
  return answers.map((answer) => {
    const { rule, fits, shape, verdict, axis, axesMapping } = answer;
    const name = rule.padEnd(width);
    const found =
      axis !== null && axis !== options.axis
        ? ` with --axis ${axis}`
        : axesMapping !== null && String(axesMapping) !== String(options.axesMapping)
          ? ` with --mapping "${axesMapping.join(',')}"`
          : axis === null && bl.vocabulary.rules[rule].takesAxis
            ? ' with the default, --axis -1'
            : '';
    if (shape !== null) return `${name}  ${paint('green', 'fits    ')}  ${bl.formatShape(shape)}${found}`;
    if (fits === null) return `${name}  ${paint('dim', 'no      ')}  ${verdict}`;
    const vain = allTried ? vainText(bl.vocabulary.rules[rule], answer) : '';
    return `${name}  ${paint('red', 'conflict')}  ${verdict}${vain}`;
  });
}
