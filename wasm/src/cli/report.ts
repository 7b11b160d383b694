import type { Alignment, Broadloom, CodeSystem, Repair } from '../index.js';
import { tableOf } from './alignment-table.js';
import { printable } from './failure.js';
import type { LinkDocument } from './json.js';
import type { Operand } from './operands.js';
import type { Question } from './question.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

/** The operand number of the target shape. */
const TARGET = -2;

/** At most so many axes have a sentence; the table has all of them. */
const MOST_EXPLAINED = 24;

/** An alignment as text: the question, the table, a sentence for each axis, the verdict and the repairs. */
export function report(
  bl: Broadloom,
  question: Question,
  alignment: Alignment<bigint>,
  terminal: Terminal,
  system?: CodeSystem,
): string[] {
  const names = question.operands.map(({ name }) => name);
  const table = formatTable(tableOf(alignment, names, bl.formatOperand(TARGET)), terminal);
  const lines = [...introduce(bl, question, alignment), '', ...table, ''];
  const reasons = explain(alignment);
  if (reasons.length > 0) lines.push(...reasons, '');
  lines.push(...conclude(bl, question, alignment, terminal, system), ...whyNotComputed(question));
  return lines;
}

/** The link, or why there is none; empty if no link was asked for. */
export function reportLink({ link, whyNoLink }: LinkDocument): string[] {
  return link ? ['', `Open: ${link}`] : whyNoLink ? ['', `There is no link: ${whyNoLink}`] : [];
}

/** Why nothing is computed, if some operands are arrays and others shapes. */
function whyNotComputed({ op, operands }: Question): string[] {
  const shapes = operands.filter(({ source }) => source === null);
  if (op === null || shapes.length === 0 || shapes.length === operands.length) return [];
  const names = shapes.map(({ name }) => name).join(', ');
  return ['', `Nothing is computed, as of ${names} only the shape is given: a number is an extent, not a value.`];
}

/** The rule and the operands. */
function introduce(bl: Broadloom, question: Question, { targetShape }: Alignment<bigint>): string[] {
  const { op, options } = question;
  const rule = bl.vocabulary.rules[question.rule];
  const given = [
    ...(options.axis === undefined ? [] : [`axis ${options.axis}`]),
    ...(options.axesMapping === undefined ? [] : [`mapping [${options.axesMapping.join(', ')}]`]),
  ];
  const named = [op === null ? rule.name : `${op.name} by ${rule.name}`, ...given].join(', ');
  const lines = [`${named}: ${rule.doc}`];
  for (const operand of question.operands) lines.push(`${operand.name} = ${describe(bl, operand)}`);
  if (targetShape !== null) lines.push(`${bl.formatOperand(TARGET)} = ${shapeText(targetShape)}`);
  return lines;
}

function describe(bl: Broadloom, operand: Operand): string {
  const { shape, names, file, source, expression, dtype, unknownType } = operand;
  const type = unknownType
    ? `; its type ${printable(unknownType)} is left out, since Broadloom has none of that name`
    : source === null && dtype !== null
      ? `, ${dtype}`
      : '';
  if (names !== null) return `(${shape.map((extent, axis) => `${names[axis] ?? '?'}=${extent}`).join(', ')})${type}`;
  const text = `${bl.formatShape(shape)}${type}${expression ? `: ${printable(expression)}` : ''}`;
  return file === null || source === null ? text : `${printable(file)}, ${source.dtype} ${text}`;
}

/** A sentence for each axis. Of more than MOST_EXPLAINED, those with a conflict come first, then the last ones. */
function explain({ axes }: Alignment<bigint>): string[] {
  const chosen = new Set(axes.filter(({ conflict }) => conflict).slice(0, MOST_EXPLAINED));
  for (let axis = axes.length - 1; axis >= 0 && chosen.size < MOST_EXPLAINED; --axis) {
    chosen.add(axes[axis] as (typeof axes)[number]);
  }
  const lines = axes.filter((axis) => chosen.has(axis)).map(({ axis, why }) => `axis ${axis}: ${why}`);
  const hidden = axes.length - lines.length;
  if (hidden > 0) lines.push(`(${hidden} more ${hidden === 1 ? 'axis is' : 'axes are'} not explained here.)`);
  return lines;
}

function conclude(
  bl: Broadloom,
  question: Question,
  alignment: Alignment<bigint>,
  terminal: Terminal,
  system: CodeSystem | undefined,
): string[] {
  const { shape, verdict } = alignment;
  if (shape !== null) {
    const lines = [`${terminal.paint('green', `Fits: ${bl.formatShape(shape)}.`)} ${verdict}`];
    const warnings = alignment.warnings();
    for (const { kind, message } of warnings) {
      lines.push(`${terminal.paint('yellow', `Warning (${kind}):`)} ${message}`);
    }
    return lines;
  }
  const lines = [`${terminal.paint('red', 'Conflict.')} ${verdict}`];
  const { op } = question;
  const { cause } = alignment;
  if (cause !== null) lines.push(`${cause.isThin ? 'Perhaps' : 'Likely cause'}: ${cause.text}`);
  const repairs = alignment.repairs().filter(({ rule }) => op === null || op.rules.includes(rule));
  if (repairs.length === 0) return lines;
  const rows = repairs.map((repair) => [change(bl, repair, question), bl.formatShape(repair.result)] as const);
  const width = Math.max(...rows.map(([what]) => what.length));
  return [
    ...lines,
    '',
    'What would work:',
    ...rows.flatMap(([what, result], i) => {
      const { meaning, code } = repairs[i] as Repair<bigint>;
      const line = `  ${what.padEnd(width)}  gives ${result}`;
      if (system === undefined) return [line];
      return [line, ...(code[system] === null ? [] : [`      ${code[system]}`]), `      ${meaning}`];
    }),
  ];
}

/** A repair as an instruction. */
function change(bl: Broadloom, { kind, operand, shape, rule, axis, axesMapping }: Repair<bigint>, asked: Question) {
  const whose = operand === null ? '' : bl.formatOperand(operand);
  const to = shape === null ? '' : shapeText(shape);
  switch (kind) {
    case 'transpose':
      return `transpose ${whose} to ${to}`;
    case 'insert_axis':
    case 'remove_axis':
    case 'reshape':
      return `reshape ${whose} to ${to}`;
    case 'change_size':
      return `give ${whose} the extents ${to}`;
    case 'swap_operands':
      return 'swap A and B';
    case 'change_target':
      return `--target "${to}"`;
    default: {
      const { options } = asked;
      // An option that the repair does not use has to be left out: the other rule would read it, too.
      const dropped = [
        ...(axis === null && options.axis !== undefined ? ['--axis'] : []),
        ...(axesMapping === null && options.axesMapping !== undefined ? ['--mapping'] : []),
      ];
      const given = [
        ...(rule === asked.rule ? [] : [`--rule ${rule}`]),
        ...(axis === null ? [] : [`--axis ${axis}`]),
        ...(axesMapping === null ? [] : [`--mapping "${axesMapping.join(',')}"`]),
        ...(dropped.length === 0 ? [] : [`without ${dropped.join(' and ')}`]),
      ];
      return given.join(' ');
    }
  }
}

// A target may have negative extents, which the package's formatShape refuses.
function shapeText(extents: readonly bigint[]): string {
  return `(${extents.join(', ')}${extents.length === 1 ? ',' : ''})`;
}
