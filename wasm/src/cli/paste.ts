// `explain`: what it reads beside shapes, and error texts from standard input.

import type {
  AlignOptions,
  Broadloom,
  CodeSystem,
  Pasted,
  PastedShape,
  SymbolicDocument,
  WarningKind,
} from '../index.js';
import { nearest } from '../values/nearest.js';
import { meant, type CommandLine } from './command-line.js';
import { Failure } from './failure.js';
import { asked, readQuestion, type Question } from './question.js';
import { readStandardInput } from './source.js';
import { askSymbolic } from './symbolic.js';

/** @throws Failure where nothing can be read from the text. */
export function readPaste(bl: Broadloom, { operands }: CommandLine): Pasted {
  if (operands.length > 0) throw new Failure('--paste reads the error text from standard input, and takes no operand.');
  const text = new TextDecoder().decode(readStandardInput());
  const pasted = asked(() => bl.readPasted(text));
  if (pasted !== null) return pasted;
  throw new Failure(
    'No error with shapes was found in the text. Give the shapes, as in broadloom explain "(2, 3)" "(2,)".',
  );
}

/** The command line that asks an error text's question; null if the text does not hold the whole question. */
export function lineOf(bl: Broadloom, line: CommandLine, pasted: Pasted): CommandLine | null {
  const { shapes, question, ruleAxis, op, lacksShapes } = pasted;
  const rule = line.rule ?? question?.rule;
  if (rule === undefined || lacksShapes) return null;
  const isOwn = rule === question?.rule;
  const operands = operandsOf(pasted, isOwn).map(({ shape }) => shape);
  if (operands.length === 0 || operands.includes(null)) return null;
  const { target = null } = question ?? {};
  const targetText = target === null ? null : (shapes[target]?.shape ?? null);
  const row = Object.values(bl.vocabulary.rules).find(({ name }) => name === rule);
  const withTarget = row?.takesTarget === true && line.target === undefined && targetText !== null;
  const withAxis = row?.takesAxis === true && line.axis === undefined && ruleAxis !== null;
  const named = Object.values(bl.vocabulary.ops).find(({ name }) => name === op);
  const takesThem =
    named !== undefined &&
    (named.rules as readonly string[]).includes(rule) &&
    named.leastOperands <= operands.length &&
    (named.mostOperands ?? operands.length) >= operands.length;
  return {
    ...line,
    rule,
    operands: operands as string[],
    ...(withTarget ? { target: targetText } : {}),
    ...(withAxis ? { axis: String(ruleAxis) } : {}),
    ...(takesThem && line.op === undefined ? { op: named.name } : {}),
  };
}

/** The question in an error text; an answer where some of its extents are not known; null for neither. */
export function questionOf(bl: Broadloom, line: CommandLine, pasted: Pasted): Question | SymbolicDocument | null {
  const own = lineOf(bl, line, pasted);
  if (own === null) return null;
  const texts = [...own.operands, ...(own.target === undefined ? [] : [own.target])];
  const isKnown = (text: string) => pasted.shapes.every(({ shape, extents }) => shape !== text || isNumbers(extents));
  if (!texts.every(isKnown)) return askSymbolic(bl, own);
  const question = readQuestion(bl, own);
  const asked = operandsOf(pasted, question.rule === pasted.question?.rule);
  const named = question.operands.map((operand, i) => ({ ...operand, expression: asked[i]?.expression ?? null }));
  return { ...question, operands: named };
}

const isNumbers = (extents: PastedShape['extents']) => extents?.every((extent) => typeof extent !== 'object') ?? false;

/** The operands of the text's own question, or else all that its shapes have. */
function operandsOf({ shapes, question }: Pasted, isOwn: boolean): PastedShape[] {
  return isOwn && question !== null
    ? question.operands.map((i) => shapes[i] as PastedShape)
    : shapes.filter(({ isOperand }) => isOperand);
}

/** What a pasted text says besides the question: what the operands are called, and which repairs are of use. */
export function meantBy(pasted: Pasted | null, { rule }: Question): Pick<AlignOptions, 'expressions' | 'pasted'> {
  if (pasted === null) return {};
  const isOwn = rule === pasted.question?.rule;
  const expressions = operandsOf(pasted, isOwn).map(({ expression }) => expression ?? '');
  return { expressions, pasted: pasted.question };
}

/**
 * The command line with shapes in plain characters: full-width digits and brackets, no-break spaces and the like are read as
 * those that they look like.
 */
export function plainOperands(bl: Broadloom, line: CommandLine): CommandLine {
  const plain = (text: string) => {
    if (/^[ -~]*$/.test(text)) return text;
    try {
      const [only, more] = bl.readShapes(text);
      if (only === undefined || more !== undefined) return text;
      return isNumbers(only.extents) ? `(${only.extents?.join(',')})` : text;
    } catch {
      return text; // the name of a file, or a mistake that is reported where the text is read
    }
  };
  return { ...line, operands: line.operands.map(plain) };
}

/** The kinds of warnings after --expect. */
export function readExpected(bl: Broadloom, { expect: given }: CommandLine): WarningKind[] {
  const expect = (given?.split(',') ?? []).map((kind) => kind.trim()).filter(Boolean) as WarningKind[];
  asked(() => bl.align('numpy', [[1]], { expect }).warnings()); // refuses a kind that does not exist
  return expect;
}

/** The system for which code is printed: the given one, that of the text, or NumPy. */
export function readSystem(bl: Broadloom, { system }: CommandLine, pasted: Pasted | null): CodeSystem {
  const systems = Object.keys(bl.align('numpy', [[2], [3]]).repairs()[0]?.code ?? {});
  if (system === undefined) return (systems.includes(pasted?.system ?? '') ? pasted?.system : 'numpy') as CodeSystem;
  if (systems.includes(system)) return system as CodeSystem;
  const hint = meant(nearest(system, systems).map((each) => JSON.stringify(each)));
  throw new Failure(`There is no system ${JSON.stringify(system)}.${hint} There are: ${systems.join(', ')}.`);
}
