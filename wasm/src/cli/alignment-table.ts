import type { AlignedCell, Alignment, Relation } from '../index.js';
import type { Row, Table, Words } from './table.js';
import type { Style } from './terminal.js';

const STYLES: { readonly [R in Relation]: Style } = {
  match: 'green',
  stretch: 'yellow',
  insert: 'cyan',
  conflict: 'red',
};

/**
 * The alignment as a table: a column for each axis of the result, a row for each operand, the target and the result.
 */
export function tableOf(alignment: Alignment<bigint>, names: readonly string[], targetName: string): Table {
  const { axes, targetShape } = alignment;
  if (axes.length === 0) return scalarTable(alignment, names, targetName);
  const operands = names.map((label, operand): Row => {
    return { label, cells: axes.map(({ cells }) => formatCell(cells[operand] ?? null)) };
  });
  if (targetShape !== null) {
    operands.push({ label: targetName, cells: axes.map(({ target }) => formatCell(target)) });
  }
  // The shapes may not fit although no extents conflict. Then no axis of the result is known.
  const isPlaced = alignment.error === null || alignment.conflicts.length > 0;
  const result = axes.map(({ extent, conflict }): Words[] => [
    conflict || !isPlaced ? { text: '?', style: 'red' } : { text: String(extent), style: 'bold' },
  ]);
  return {
    heads: axes.map(({ axis }) => `axis ${axis}`),
    groups: [operands, [{ label: 'result', cells: result }]],
  };
}

function formatCell(cell: AlignedCell<bigint> | null): Words[] {
  if (cell === null) return [];
  const { sourceAxis, relation, extent } = cell;
  return [
    { text: `${sourceAxis === null ? '-' : extent} ${relation}`, style: STYLES[relation] },
    { text: sourceAxis === null ? 'no axis' : `its axis ${sourceAxis}`, style: 'dim' },
  ];
}

// Scalars have no axes: one column says so, instead of a table without columns.
function scalarTable(alignment: Alignment<bigint>, names: readonly string[], targetName: string): Table {
  const { shape, operands, targetShape } = alignment;
  const rowOf = (label: string, own: readonly bigint[]): Row => {
    return { label, cells: [[{ text: own.length === 0 ? 'one element' : 'no place' }]] };
  };
  const rows = operands.map((own, operand) => rowOf(names[operand] as string, own));
  if (targetShape !== null) rows.push(rowOf(targetName, targetShape));
  const result: Words = shape === null ? { text: '?', style: 'red' } : { text: '()', style: 'bold' };
  return { heads: ['no axes'], groups: [rows, [{ label: 'result', cells: [[result]] }]] };
}
