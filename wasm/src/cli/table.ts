import type { Style, Terminal } from './terminal.js';

/** A text and its style. */
export interface Words {
  readonly text: string;
  readonly style?: Style;
}

/** A row: its label, and cells of one or more lines each. */
export interface Row {
  readonly label: string;
  readonly cells: readonly (readonly Words[])[];
}

/** A table of columns with headings. A line separates the groups of rows. */
export interface Table {
  readonly heads: readonly string[];
  readonly groups: readonly (readonly Row[])[];
}

/**
 * The table as lines no wider than the terminal, unless a single column is wider. Columns that do not fit beside the
 * others follow below, with the labels repeated.
 */
export function formatTable({ heads, groups }: Table, terminal: Terminal): string[] {
  const rows = groups.flat();
  const labelWidth = widest(rows.map(({ label }) => label));
  const widths = heads.map((head, column) => {
    let width = head.length;
    for (const { cells } of rows) width = Math.max(width, widest((cells[column] ?? []).map(({ text }) => text)));
    return width;
  });

  const { vertical, horizontal, crossing } = terminal.rules;
  const formatLine = (label: string, columns: readonly number[], at: (column: number) => Words) => {
    const cells = columns.map((column) => {
      const { text, style } = at(column);
      const painted = style === undefined || text === '' ? text : terminal.paint(style, text);
      return painted + ' '.repeat((widths[column] as number) - text.length);
    });
    return [label.padEnd(labelWidth), ...cells].join(` ${vertical} `).trimEnd();
  };

  return bandsOf(widths, labelWidth, terminal.columns).flatMap((columns, band) => {
    const lines = band === 0 ? [] : [''];
    lines.push(formatLine('', columns, (column) => ({ text: heads[column] as string, style: 'bold' })));
    const ruler = [labelWidth, ...columns.map((column) => widths[column] as number)]
      .map((width) => horizontal.repeat(width))
      .join(`${horizontal}${crossing}${horizontal}`);
    for (const group of groups) {
      lines.push(ruler);
      for (const { label, cells } of group) {
        const height = Math.max(1, ...columns.map((column) => cells[column]?.length ?? 0));
        for (let line = 0; line < height; ++line) {
          lines.push(formatLine(line === 0 ? label : '', columns, (column) => cells[column]?.[line] ?? { text: '' }));
        }
      }
    }
    return lines;
  });
}

/** The columns, in their order, divided into bands that fit the width. */
function bandsOf(widths: readonly number[], labelWidth: number, room: number): number[][] {
  const bands: number[][] = [];
  let used = Infinity;
  widths.forEach((width, column) => {
    const needed = width + 3; // with the separator before it
    if (used + needed > room) {
      bands.push([]);
      used = labelWidth;
    }
    bands.at(-1)?.push(column);
    used += needed;
  });
  return bands;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, { length }) => Math.max(width, length), 0);
}
