import { isBroadcastError, load, LoadError, type Broadloom, type Pasted } from '../index.js';
import { linkTo } from '../link.js';
import { audit } from './audit.js';
import { readCommandLine, type CommandLine } from './command-line.js';
import { compute, formatComputed, isComputable } from './compute.js';
import { askEveryRule, formatAnswers } from './every-rule.js';
import { Failure, formatFailure } from './failure.js';
import { help } from './help.js';
import { alignmentDocument, errorDocumentOf, pastedDocument, rulesDocument, type LinkDocument } from './json.js';
import { meantBy, plainOperands, questionOf, readExpected, readPaste, readSystem } from './paste.js';
import { introducePaste, whyNotAsked } from './paste-report.js';
import { alignmentOf, asked as ask, readQuestion } from './question.js';
import { report, reportLink } from './report.js';
import { answerSymbolic, linkOf } from './symbolic.js';
import { reportSymbolic, typesLeftOut } from './symbolic-report.js';
import type { Terminal } from './terminal.js';

/**
 * The exit status. 0: the shapes fit. 1: they do not. 2: the question is wrong, or a file cannot be read or written.
 */
export type Status = 0 | 1 | 2;

/** The lines for standard output and for standard error, and the exit status. */
export interface Outcome {
  readonly status: Status;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Runs the command line. An error in the question is an outcome of status 2, not an exception. */
export async function main(args: readonly string[], terminal: Terminal, readVersion: () => string): Promise<Outcome> {
  try {
    const line = readCommandLine(args);
    if (line.version) return said([readVersion()]);
    const bl = await load({ explanations: true });
    if (line.help) return said(help(bl));
    if (line.command === 'audit') return await audit(bl, line, terminal);
    if (line.command === 'explain') return explain(bl, line, terminal);
    refuseExplain(line);
    return answer(bl, line, terminal);
  } catch (error) {
    const failure = error instanceof LoadError ? new Failure(error.message) : error;
    if (!(failure instanceof Failure)) throw error;
    const end = args.indexOf('--');
    const isJson = args.slice(0, end < 0 ? args.length : end).includes('--json');
    return isJson ? { status: 2, out: json(errorDocumentOf(failure)), err: [] } : failed(failure);
  }
}

/** The question of an error text on standard input, or of the operands, with its cause, repairs and warnings. */
function explain(bl: Broadloom, given: CommandLine, terminal: Terminal): Outcome {
  if (given.all || given.output.length > 0) throw new Failure('explain takes one rule, and computes nothing.');
  if (given.paste && given.byName) throw new Failure('--by-name cannot be used with --paste.');
  const pasted = given.paste ? readPaste(bl, given) : null;
  const line = pasted === null ? plainOperands(bl, given) : given;
  const asked = pasted === null ? (answerSymbolic(bl, line) ?? readQuestion(bl, line)) : questionOf(bl, line, pasted);
  if (asked === null) {
    const found = pasted as Pasted;
    return { status: 2, out: line.json ? json(pastedDocument(found)) : whyNotAsked(found), err: [] };
  }
  if ('kind' in asked) {
    const link = linked(line, (base) => linkOf(bl, line, asked, base));
    const document = { ...asked, ...(pasted === null ? {} : { pasted }), ...link };
    const lines = [
      ...introducePaste(pasted),
      ...reportSymbolic(bl, asked, terminal),
      ...typesLeftOut(bl, line),
      ...reportLink(link),
    ];
    return said(line.json ? json(document) : lines, asked.fit !== 'never');
  }
  const meant = { expect: readExpected(bl, line), ...meantBy(pasted, asked) };
  const alignment = alignmentOf(bl, asked, meant);
  const fits = alignment.error === null;
  const link = linked(line, (base) => alignment.link(base));
  if (line.json) return said(json(alignmentDocument(asked, alignment, null, pasted, link)), fits);
  const system = readSystem(bl, line, pasted);
  return said(
    [...introducePaste(pasted), ...report(bl, asked, alignment, terminal, system), ...reportLink(link)],
    fits,
  );
}

/** The link, or why there is none. @throws Failure where the option is no address. */
function linked({ link: base }: CommandLine, write: (base: string) => string): LinkDocument {
  if (base === undefined) return {};
  ask(() => linkTo(base, { rule: '', op: '', dtype: '', operands: [] }));
  try {
    return { link: write(base), whyNoLink: null };
  } catch (error) {
    if (isBroadcastError(error)) return { link: null, whyNoLink: error.message };
    throw error;
  }
}

function refuseExplain({ paste, expect, system, byName, link }: CommandLine): void {
  if (link !== undefined) throw new Failure('--link belongs to the commands explain and audit.');
  const given = { paste, expect: expect !== undefined, system: system !== undefined, 'by-name': byName };
  const name = Object.entries(given).find(([, isGiven]) => isGiven)?.[0];
  if (name !== undefined) throw new Failure(`--${name} belongs to the command explain.`);
}

function answer(bl: Broadloom, line: CommandLine, terminal: Terminal): Outcome {
  const question = readQuestion(bl, line);
  if (line.all) {
    const answers = askEveryRule(bl, question);
    const fits = answers.some((each) => each.fits === true);
    return said(
      line.json ? json(rulesDocument(question, answers)) : formatAnswers(bl, question, answers, terminal),
      fits,
    );
  }
  const alignment = alignmentOf(bl, question);
  const fits = alignment.error === null;
  const isComputed = isComputable(question);
  if (line.output.length > 0 && !isComputed) {
    throw new Failure(
      '--output needs elements to compute with: each operand has to be an array, of a .npy or .npz file.',
    );
  }
  const archive = line.output.find((file) => /\.npz$/i.test(file));
  if (archive !== undefined) {
    throw new Failure(`--output writes one array to a file: name it ${archive.slice(0, -4)}.npy, not ${archive}.`);
  }
  if (line.json && line.output.includes('-')) {
    throw new Failure('--json and -o - both go to standard output: write the result to a file.');
  }
  const results = fits && isComputed ? compute(bl, question, line.output) : null;
  if (line.json) return said(json(alignmentDocument(question, alignment, results)), fits);
  if (results !== null) return said(formatComputed(bl, results, terminal.columns));
  return said(report(bl, question, alignment, terminal), fits);
}

function said(out: readonly string[], fits = true): Outcome {
  return { status: fits ? 0 : 1, out, err: [] };
}

function failed(failure: Failure): Outcome {
  return { status: 2, out: [], err: formatFailure(failure) };
}

function json(document: object): string[] {
  return [JSON.stringify(document, null, 2)];
}
