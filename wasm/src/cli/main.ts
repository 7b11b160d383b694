import { load, LoadError, type Broadloom } from '../index.js';
import { readCommandLine, type CommandLine } from './command-line.js';
import { compute, formatComputed, isComputable } from './compute.js';
import { askEveryRule, formatAnswers } from './every-rule.js';
import { Failure, formatFailure } from './failure.js';
import { help } from './help.js';
import { alignmentDocument, errorDocumentOf, rulesDocument } from './json.js';
import { alignmentOf, readQuestion } from './question.js';
import { report } from './report.js';
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
    const bl = await load();
    if (line.help) return said(help(bl));
    return answer(bl, line, terminal);
  } catch (error) {
    const failure = error instanceof LoadError ? new Failure(error.message) : error;
    if (!(failure instanceof Failure)) throw error;
    const end = args.indexOf('--');
    const isJson = args.slice(0, end < 0 ? args.length : end).includes('--json');
    return isJson ? { status: 2, out: json(errorDocumentOf(failure)), err: [] } : failed(failure);
  }
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
