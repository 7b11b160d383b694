import {
  isBroadcastError,
  type AlignOptions,
  type Alignment,
  type Broadloom,
  type OpName,
  type OpRow,
  type RuleName,
  type RuleRow,
} from '../index.js';
import type { CommandLine } from './command-line.js';
import { Failure } from './failure.js';
import { readInteger, readIntegers, readOperand, type Operand } from './operands.js';

/** The question, parsed: the rule, the operator and all that they take. */
export interface Question {
  readonly rule: RuleName;
  readonly op: OpRow | null;
  readonly operands: readonly Operand[];
  readonly options: RuleOptions;
  readonly attrs: Attributes;
}

/** The options of rules, as the package takes them. */
export interface RuleOptions {
  readonly axis?: bigint;
  readonly targetShape?: readonly bigint[];
  readonly axesMapping?: readonly bigint[];
}

interface Attributes {
  readonly fmod?: number;
  readonly direction?: string;
  readonly to?: string;
  readonly saturate?: number;
}

/** @throws Failure where a word has no meaning, or options contradict each other. */
export function readQuestion(bl: Broadloom, line: CommandLine): Question {
  refuseLooseOptions(line);
  if (line.operands.length === 0) {
    throw new Failure('There is no operand. Give shapes, as in broadloom "(2, 3)" "(3,)", or .npy files; see --help.');
  }
  const op = line.op === undefined ? null : readOp(bl, line.op);
  const rule = readRuleOf(bl, line, op);
  const operands = line.operands.map((text, operand) => readOperand(bl, text, operand));
  const question = { rule, op, operands, options: readRuleOptions(bl, line), attrs: readAttributes(bl, line, op) };
  if (op !== null) {
    checkOperator(op, question);
    checkAttributes(bl, op, question.attrs);
  }
  return question;
}

/** The given rule, or the operator's own. */
export function readRuleOf(
  bl: Broadloom,
  line: CommandLine,
  op = line.op === undefined ? null : readOp(bl, line.op),
): RuleName {
  return line.rule === undefined ? (op?.defaultRule ?? 'numpy') : readRule(bl, line.rule);
}

function refuseLooseOptions({ op, rule, all, fmod, direction, to, saturate, output }: CommandLine): void {
  if (op === undefined) {
    if (output.length > 0) throw new Failure('--output needs --op: nothing is computed without it.');
    if (fmod !== undefined) throw new Failure('--fmod needs --op mod.');
    if (direction !== undefined) throw new Failure('--direction needs --op bitShift.');
    if (to !== undefined || saturate) throw new Failure(`--${to === undefined ? 'saturate' : 'to'} needs --op cast.`);
  }
  if (!all) return;
  if (rule !== undefined) throw new Failure('--all stands for every rule; it cannot be used with --rule.');
  if (op !== undefined) throw new Failure('--all compares shapes only; it cannot be used with --op.');
}

// Only the vocabulary knows the names. Upper and lower case, dashes and underscores make no difference.
const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');

export function readOp(bl: Broadloom, name: string): OpRow {
  const rows = Object.values(bl.vocabulary.ops);
  const found = rows.find((row) => plain(row.name) === plain(name) || plain(row.method) === plain(name));
  return found ?? asked(() => bl.apply(name as OpName, [] as never)); // throws an error that lists the names
}

function readRule(bl: Broadloom, name: string): RuleName {
  const found = Object.values(bl.vocabulary.rules).find((row) => plain(row.name) === plain(name));
  return found?.name ?? asked(() => bl.align(name as RuleName, []) as never);
}

function readRuleOptions(bl: Broadloom, { axis, target, mapping }: CommandLine): RuleOptions {
  return {
    ...(axis === undefined ? {} : { axis: readInteger(bl, '--axis', axis) }),
    ...(target === undefined ? {} : { targetShape: readIntegers(bl, '--target', target) }),
    ...(mapping === undefined ? {} : { axesMapping: readIntegers(bl, '--mapping', mapping) }),
  };
}

function readAttributes(bl: Broadloom, line: CommandLine, op: OpRow | null): Attributes {
  const { fmod, direction, to, saturate } = line;
  if (fmod !== undefined && op?.attribute !== 'fmod') throw new Failure(`${op?.name} takes no --fmod.`);
  if (direction !== undefined && op?.attribute !== 'direction') throw new Failure(`${op?.name} takes no --direction.`);
  if (op?.attribute !== 'to') {
    if (to !== undefined) throw new Failure(`${op?.name} takes no --to.`);
    if (saturate) throw new Failure(`${op?.name} takes no --saturate.`);
  } else if (to === undefined) {
    throw new Failure(`${op.name} needs an element type: --to, one of ${op.types[0]?.join(', ')}.`);
  }
  return {
    ...(fmod === undefined ? {} : { fmod: Number(readInteger(bl, '--fmod', fmod)) }),
    ...(direction === undefined ? {} : { direction: direction.toLowerCase() }),
    ...(to === undefined ? {} : { to: to.toLowerCase() }),
    ...(saturate ? { saturate: 1 } : {}),
  };
}

// The same checks that the package makes for arrays, from the same rows of the vocabulary.
function checkOperator(op: OpRow, { rule, operands }: Question): void {
  if (!op.rules.includes(rule)) {
    throw new Failure(`${op.name} does not take the rule ${rule}. It takes: ${op.rules.join(', ')}.`);
  }
  const { leastOperands: least, mostOperands: most } = op;
  const { length } = operands;
  if (length >= least && (most === null || length <= most)) return;
  const needed = least === most ? `${least}` : most === null ? `${least} or more` : `${least} to ${most}`;
  const plural = needed === '1' ? '' : 's';
  throw new Failure(`${op.name} takes ${needed} operand${plural} (${op.notation}), not ${length}.`);
}

// Makes a plan for shapes that fit, which checks the attributes; `align` does not.
function checkAttributes(bl: Broadloom, op: OpRow, attrs: Attributes): void {
  if (Object.keys(attrs).length === 0) return;
  const shapes = Array.from({ length: op.leastOperands }, () => [1]);
  const dtypes = shapes.map((_, i) => op.types[Math.min(i, op.types.length - 1)]?.[0]);
  asked(() => bl.plan(op.name, op.defaultRule as never, shapes, dtypes as never, { attrs } as never).dispose());
}

/** The alignment of the operands. */
export function alignmentOf(
  bl: Broadloom,
  { rule, op, operands, options }: Question,
  meant: Pick<AlignOptions, 'expect' | 'expressions' | 'pasted'> = {},
): Alignment<bigint> {
  const shapes = operands.map(({ shape }) => shape);
  const names = operands.map((operand) => operand.names ?? []);
  const named = names.some(({ length }) => length > 0) ? { names } : {};
  const hint = hintOf(bl.vocabulary.rules[rule], options);
  const alignment = asked(
    () => bl.align(rule, shapes, { ...options, op: op?.name, ...named, ...meant }) as Alignment<bigint>,
    hint,
  );
  // An option that the rule does not take makes the question wrong, whatever the shapes are.
  if (alignment.error?.detail === 'unexpected') throw new Failure(alignment.error.message);
  return alignment;
}

/**
 * Calls the package. A BroadcastError becomes a Failure with the same message; `hint` is added if an option is missing.
 */
export function asked<T>(call: () => T, hint = ''): T {
  try {
    return call();
  } catch (error) {
    if (isBroadcastError(error)) throw new Failure(`${error.message}${error.detail === 'missing' ? hint : ''}`);
    throw error;
  }
}

// The package's messages name its own options; the command spells them differently.
function hintOf(rule: RuleRow, { targetShape, axesMapping }: RuleOptions): string {
  const missing = [];
  if (rule.takesTarget && targetShape === undefined) missing.push('--target');
  if (rule.takesMapping && axesMapping === undefined) missing.push('--mapping');
  return missing.length === 0 ? '' : ` Give ${missing.join(' and ')}.`;
}
