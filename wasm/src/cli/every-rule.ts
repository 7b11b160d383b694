import { isBroadcastError, type Alignment, type Broadloom, type RuleName, type RuleRow } from '../index.js';
import type { Question, RuleOptions } from './question.js';
import type { Terminal } from './terminal.js';

/** What one rule says of the shapes. */
export interface Answer {
  readonly rule: RuleName;
  /** Null where the rule cannot be asked: it takes another number of operands, or an option that is not given. */
  readonly fits: boolean | null;
  readonly shape: readonly bigint[] | null;
  /** Why: the alignment's verdict, or why the rule cannot be asked. */
  readonly verdict: string;
}

/** The same shapes under every rule. Each gets those of the options that it takes. */
export function askEveryRule(bl: Broadloom, { operands, options }: Question): Answer[] {
  const shapes = operands.map(({ shape }) => shape);
  return Object.values(bl.vocabulary.rules).map((row): Answer => {
    const rule = row.name;
    try {
      const { shape, verdict } = bl.align(rule, shapes, optionsOf(row, options)) as Alignment<bigint>;
      return { rule, fits: shape !== null, shape, verdict };
    } catch (error) {
      if (!isBroadcastError(error)) throw error;
      return { rule, fits: null, shape: null, verdict: error.message };
    }
  });
}

function optionsOf(row: RuleRow, { axis, targetShape, axesMapping }: RuleOptions): RuleOptions {
  return {
    ...(row.takesAxis && axis !== undefined ? { axis } : {}),
    ...(row.takesTarget && targetShape !== undefined ? { targetShape } : {}),
    ...(row.takesMapping && axesMapping !== undefined ? { axesMapping } : {}),
  };
}

/** A line for each rule: the result's shape, or the reason why there is none. */
export function formatAnswers(bl: Broadloom, answers: readonly Answer[], { paint }: Terminal): string[] {
  const width = Math.max(...answers.map(({ rule }) => rule.length));
  return answers.map(({ rule, fits, shape, verdict }) => {
    const name = rule.padEnd(width);
    if (shape !== null) return `${name}  ${paint('green', 'fits    ')}  ${bl.formatShape(shape)}`;
    return `${name}  ${fits === null ? paint('dim', 'no      ') : paint('red', 'conflict')}  ${verdict}`;
  });
}
