import type { Broadloom, SymbolicCase, SymbolicDocument } from '../index.js';
import type { CommandLine } from './command-line.js';
import { printable } from './failure.js';
import { faultOf } from './symbolic.js';
import type { Terminal } from './terminal.js';

/** At most so many cases are printed; the JSON document has all of them. */
const MOST_CASES = 16;

const BY_NAME = 'by name: axes of one name must have equal extents; 1 does not stretch';

/** An answer about unknown extents as text: the question, whether it fits, the result, the conditions as code. */
export function reportSymbolic(bl: Broadloom, document: SymbolicDocument, { paint }: Terminal): string[] {
  const { rule, byName, operands, targetShape, axis, axesMapping, cases } = document;
  const row = bl.vocabulary.rules[rule];
  const given = [
    ...(axis === null ? [] : [`axis ${axis}`]),
    ...(axesMapping === null ? [] : [`mapping [${axesMapping.join(', ')}]`]),
  ];
  const lines = [byName ? BY_NAME : `${[row.name, ...given].join(', ')}: ${row.doc}`];
  for (const { name, shape } of operands) lines.push(`${name} = ${shape}`);
  if (targetShape !== null) lines.push(`${bl.formatOperand(-2)} = ${targetShape}`);
  for (const each of cases.slice(0, MOST_CASES)) {
    lines.push('', ...(cases.length > 1 ? [titleOf(document, each)] : []), ...reportCase(bl, each, paint));
  }
  if (cases.length > MOST_CASES) lines.push('', `(${cases.length - MOST_CASES} more cases: --json has them.)`);
  if (document.notes.length > 0) lines.push('', ...document.notes);
  return lines.map((line) => (line.includes('\u001b') ? line : printable(line)));
}

/** For which ranks a case is. */
function titleOf({ operands, cases }: SymbolicDocument, each: SymbolicCase): string {
  const ranks = each.ranks.map(({ operand, rank, orMore }) => {
    const name = operands[operand]?.name ?? 'the target';
    return `${name} has ${rank}${orMore ? ' or more' : ''} ${rank === 1 && !orMore ? 'axis' : 'axes'}`;
  });
  return ranks.length === 0 ? `Case ${cases.indexOf(each) + 1}:` : `If ${ranks.join(' and ')}:`;
}

function reportCase(bl: Broadloom, each: SymbolicCase, paint: Terminal['paint']): string[] {
  const { fit, shape, conditions } = each;
  const indented = (text: string) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => `  ${line}`);
  if (fit === 'never') return [`${paint('red', 'Never fits.')}${whyNever(bl, each)}`];
  if (fit === 'always') return [paint('green', `Always fits: ${shape}.`)];
  const examples = each.axes.flatMap(({ always, alternatives }, axis) => {
    const texts = always ? [] : alternatives.map(({ example }) => example).filter(Boolean);
    return texts.length === 0 ? [] : [`  axis ${axis}: ${texts.join('; ')}`];
  });
  return [
    fit === 'if'
      ? `${paint('yellow', 'Fits if')} these conditions hold, and only then: ${shape}.`
      : `${paint('yellow', 'May fit:')} ${shape}. There are too many unknown extents to decide.`,
    ...indented(conditions.plain),
    ...(examples.length === 0 ? [] : ['For instance:', ...examples]),
    'Python:',
    ...indented(conditions.python),
    'PyTorch:',
    ...indented(conditions.torch),
    'JAX (constraints of jax.export.symbolic_shape):',
    ...indented(conditions.jax),
  ];
}

function whyNever(bl: Broadloom, { conflictAxis, otherConflictAxis, error }: SymbolicCase): string {
  if (conflictAxis !== null) {
    const other = otherConflictAxis === null ? '' : `, as axis ${otherConflictAxis} needs others`;
    return ` No extents fit on axis ${conflictAxis} of the result${other}.`;
  }
  const row = Object.values(bl.vocabulary.errors).find(({ name }) => name === error);
  return row === undefined ? '' : ` The reason is the error ${row.name}: ${row.doc}.`;
}

/** That element types beside shapes are left out, where there are any. */
export function typesLeftOut(bl: Broadloom, { operands, target }: CommandLine): string[] {
  const texts = [...operands, ...(target === undefined ? [] : [target])];
  const types = texts.flatMap((text) => {
    let types: readonly (string | null)[] = [];
    faultOf(() => (types = bl.readShapes(text).map(({ elementType }) => elementType)));
    return types.filter((type) => type !== null);
  });
  const named = [...new Set(types)].join(', ');
  return named === '' ? [] : ['', `Element types (${named}) are left out: only the extents are judged.`];
}
