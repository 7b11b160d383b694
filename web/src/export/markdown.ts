// The answer as Markdown: tables of the alignment and of the grid, and the link.

import { hiddenText } from '../model/drawn-axes';
import type { Model } from '../model/model';
import { draw } from '../model/picture';
import { caseTitle, fitTexts } from '../model/symbolic-terms';
import { rangeText } from '../text/cell-range';
import { plain } from '../text/plain-markdown';
import { alignmentTexts, repeatedText } from './alignment-texts';
import { cellText, questionText, reasonText, titleText } from './sentences';

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table whose columns but the first are aligned to the right. */
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [tableRow(head), `|${head.map((_, i) => (i === 0 ? '---|' : '--:|')).join('')}`, ...rows.map(tableRow)].join('\n');

function alignmentTable(model: Model): readonly string[] {
  if (!model.alignment) return [];
  const { axes, titles, rows, result, hidden } = alignmentTexts(model.alignment, model);
  if (axes.length === 0) return [];
  const cells = rows.map(({ name, shape, cells: row }) => [
    `**${plain(name)}** ${plain(shape)}`,
    ...row.map((cell) => {
      if (!cell) return '';
      const extent = cell.struck ? `~~${cell.extent}~~` : repeatedText(cell);
      return extent ? `${extent} (${plain(cell.own)})` : plain(cell.own);
    }),
  ]);
  return [
    table(['', ...titles.map(plain)], [...cells, ['**result**', ...result.map((extent) => `**${extent}**`)]]),
    [
      ...axes.map(({ axis, why }) => `- axis ${axis}: ${plain(why)}`),
      ...(hidden > 0 ? [`- ${hiddenText(hidden, 'shown')}`] : []),
    ].join('\n'),
  ];
}

function gridTable(model: Model): readonly string[] {
  const { alignment, result } = model;
  if (!alignment || !result) return [];
  const drawn = draw(alignment, model, result);
  const { rows, columns, cells } = drawn;
  const slice =
    result.shape.length > 2
      ? result.at.map((i, axis) => (axis === result.rows || axis === result.columns ? ':' : i)).join(', ')
      : '';
  const parts = [slice && `slice [${slice}]`, rangeText(rows, 'rows'), rangeText(columns, 'columns')].filter(Boolean);
  const head = Array.from({ length: columns.drawn }, (_, c) =>
    result.columns === null ? 'value' : String(columns.first + c),
  );
  return [
    `\`${cellText(model, result).replace(/[`\s]+/g, ' ')}\`${parts.length > 0 ? ` (below: ${parts.join('; ')})` : ''}`,
    table(
      ['out', ...head],
      cells.map((line, r) => [
        result.rows === null ? '' : `**${rows.first + r}**`,
        ...line.map(({ text }) => plain(text)),
      ]),
    ),
  ];
}

/** At most so many cases of shapes with unknown extents are written. */
const mostCases = 16;

/** What must hold of unknown extents, in each case. */
const conditions = (model: Model): readonly string[] =>
  (model.symbolic?.cases ?? []).slice(0, mostCases).flatMap((found) => {
    const title = caseTitle(model, found);
    const code = found.conditions.python.trimEnd();
    return [
      ...(title ? [`**${plain(title)}**: ${plain(found.shape)}, ${fitTexts[found.fit].text}`] : []),
      ...(code ? [`\`\`\`python\n${code.replaceAll('`', "'")}\n\`\`\``] : []),
    ];
  });

/**
 * @param link The address of the page with this question; null leaves it out.
 * @example
 * markdown(model, 'https://example.org/#v=1&…'); // ### A (4, 1) and B (6,) under NumPy: (4, 6) …
 */
export function markdown(model: Model, link: string | null): string {
  // Parentheses would end the address.
  const address = link?.replace(/[()<>\s]/g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `${[
    `### ${plain(titleText(model))}`,
    `${plain(questionText(model))}. ${plain(reasonText(model))}`,
    ...alignmentTable(model),
    ...gridTable(model),
    ...conditions(model),
    ...(address ? [`[Open in Broadloom](${address})`] : []),
  ].join('\n\n')}\n`;
}
