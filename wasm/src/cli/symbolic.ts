// `explain` for shapes of which some extents are unknown.

import { existsSync } from 'node:fs';
import { isBroadcastError, type Broadloom, type SymbolicDocument, type SymbolicOptions } from '../index.js';
import type { CommandLine } from './command-line.js';
import { Failure } from './failure.js';
import { readInteger, readIntegers, readNumbers } from './operands.js';
import { linkTo, questionOf } from '../link.js';
import { asked, readOp, readRuleOf } from './question.js';

/** The answer, where an operand is no shape of numbers but one with unknown extents; else null. */
export function answerSymbolic(bl: Broadloom, line: CommandLine): SymbolicDocument | null {
  const { operands, expect, system, byName } = line;
  if (byName) refuseRules(line);
  else if (!operands.some((text) => isSymbolic(bl, text))) return null;
  const file = operands.find(isFile);
  if (file !== undefined)
    throw new Failure(`${file}: beside unknown extents, give the shape of the array, not its file.`);
  if (expect !== undefined || system !== undefined) {
    const option = system === undefined ? 'expect' : 'system';
    const reason = byName ? 'cannot be used with --by-name' : 'needs shapes whose extents are all known';
    throw new Failure(`--${option} ${reason}.`);
  }
  return askSymbolic(bl, line);
}

/** The rule's answer for the operands, with known or unknown extents. */
export function askSymbolic(bl: Broadloom, line: CommandLine): SymbolicDocument {
  const { operands, axis, target, mapping, byName } = line;
  const options: SymbolicOptions = {
    ...(axis === undefined ? {} : { axis: readInteger(bl, '--axis', axis) }),
    ...(target === undefined ? {} : { targetShape: target }),
    ...(byName ? { byName } : {}),
    ...(mapping === undefined ? {} : { axesMapping: readIntegers(bl, '--mapping', mapping) }),
  };
  return asked(() => bl.alignSymbolic(readRuleOf(bl, line), operands, options));
}

/** Axes are matched by name in place of a rule. */
function refuseRules({ operands, rule, op, axis, target, mapping }: CommandLine): void {
  const given = Object.entries({ rule, op, axis, target, mapping }).find(([, value]) => value !== undefined)?.[0];
  if (given !== undefined)
    throw new Failure(`--${given} cannot be used with --by-name, which matches axes by name alone.`);
  if (operands.length > 0) return;
  throw new Failure('There is no operand. Give shapes with names, as in --by-name "batch=8, heads=N" "heads=4".');
}

/** The address at which the playground opens the question. @throws BroadcastError `link` */
export function linkOf(bl: Broadloom, { op }: CommandLine, document: SymbolicDocument, base: string): string {
  const { rule, byName, operands, axis, targetShape, axesMapping } = document;
  const name = op === undefined ? undefined : readOp(bl, op).name;
  const question = questionOf(bl.vocabulary, {
    rule,
    op: name,
    byName,
    shapes: operands.map(() => []),
    axis: axis === null ? undefined : BigInt(axis),
    targetShape: targetShape === null ? undefined : [],
    axesMapping: axesMapping?.map(BigInt),
  });
  // The document has the shapes as texts.
  const shaped = question.operands.map((operand, i) => ({ ...operand, shape: operands[i]?.shape ?? '' }));
  return linkTo(base, { ...question, operands: shaped, target: targetShape ?? undefined });
}

const isFile = (text: string) => text === '-' || /\.np[yz](?::|$)/i.test(text) || existsSync(text);

/** Whether a text is no shape of numbers, but read as one with unknown extents. */
function isSymbolic(bl: Broadloom, text: string): boolean {
  // A name with a dot or a slash is that of a file, perhaps a misspelt one.
  if (isFile(text) || /^[^([{<,=]*[a-z][^([{<,=]*[./\\]/i.test(text)) return false;
  const fault = faultOf(() => bl.parseShape(text, { bigint: true }));
  if (fault === null || readNumbers(bl, text) !== null) return false;
  const other = faultOf(() => bl.alignSymbolic('numpy', [text]));
  return other === null || (other !== 'parse' && fault === 'parse');
}

/** The class of the error that a call throws; null if it throws none. */
export function faultOf(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    if (isBroadcastError(error)) return error.code;
    throw error;
  }
}
