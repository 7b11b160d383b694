// The comparison as Markdown and as CSV (RFC 4180), for documents and spreadsheets.

import { indexText, shapeText } from '../text/format';
import { plain } from '../text/plain-markdown';
import type { Clause } from '../engine/engine';
import { type Compared, type Line, noteOn, rulesText } from './compared';
import { referenceOf, type System } from './references';

type Clauses = ReadonlyMap<string, Clause>;

const linkTo = (text: string, address: string): string => (address ? `[${plain(text)}](${address})` : plain(text));

const titleOf = ({ operands }: Compared): string => operands.map(({ name, shape }) => `${name} ${shape}`).join(', ');

/** The clauses that some line cites, in their order. */
export const citedBy = (lines: readonly Line[], clauses: Clauses): readonly Clause[] => {
  const cited = new Set(lines.flatMap((line) => line.clauses));
  return [...clauses.values()].filter(({ name }) => cited.has(name));
};

/** A section with the table of a system's rules, or of all, the clauses it cites and, below, where it can be opened. */
export function comparisonMarkdown(
  compared: Compared,
  lines: readonly Line[],
  only: System | null,
  clauses: Clauses,
  documents: ReadonlyMap<string, string>,
  link: string,
): string {
  const rows = lines.map(({ rule, asked, shape, reason, sources, clauses: cited, systems }) => [
    plain(rule.title),
    plain(asked),
    shape ? `**${shapeText(shape)}**` : plain(reason),
    plain(sources?.says ?? ''),
    cited.map((name) => `\`${name}\``).join(' '),
    plain(systems.map(({ message, title }) => message || title).join(' ')),
  ]);
  const table = [
    ['rule', 'asked', 'result, or why there is none', 'elements', 'clauses', 'other systems'],
    Array<string>(6).fill('---'),
    ...rows,
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const notes = citedBy(lines, clauses).map((clause) => {
    const { place, address } = referenceOf(clause);
    const document = documents.get(clause.document) ?? '';
    return `- \`${clause.name}\`: ${plain(clause.text)}. ${linkTo(document, address)}, ${plain(place)}`;
  });
  return [
    `### ${plain(titleOf(compared))} under ${plain(rulesText(only))}`,
    ...[noteOn(compared, lines)].filter(Boolean).map(plain),
    table.join('\n'),
    notes.join('\n'),
    `[Open in Broadloom](${link.replace(/[()]/g, (letter) => (letter === '(' ? '%28' : '%29'))})`,
    '',
  ].join('\n\n');
}

/** A field; one that a spreadsheet would compute is made a text. */
function field(value: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d+$)/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line for each of the table's, with a head. */
export function comparisonCsv(compared: Compared, lines: readonly Line[], clauses: Clauses): string {
  const head = [
    'operands',
    'rule',
    'asked',
    'axis',
    'axes_mapping',
    'fits',
    'result',
    'reason',
    'elements',
    'clauses',
    'references',
    'other_systems',
  ];
  const rows = lines.map(({ rule, asked, row, shape, message, reason, sources, clauses: cited, systems }) => [
    titleOf(compared),
    rule.name,
    asked,
    row?.axis == null ? '' : String(row.axis),
    row?.axesMapping && shape ? indexText(row.axesMapping) : '',
    shape ? 'yes' : 'no',
    shape ? shapeText(shape) : '',
    message || reason,
    sources?.says ?? '',
    cited.join(' '),
    cited
      .flatMap((name) => clauses.get(name) ?? [])
      .map((clause) => referenceOf(clause).address)
      .filter((address, i, all) => all.indexOf(address) === i)
      .join(' '),
    systems.map((difference) => difference.message || difference.title).join(' '),
  ]);
  return [head, ...rows].map((cells) => `${cells.map(field).join(',')}\r\n`).join('');
}
