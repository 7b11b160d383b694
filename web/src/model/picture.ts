// The grids as they are laid out: which elements are drawn, where, and how the grids are arranged. Pure. Pointing at cells
// changes nothing here, so that a picture is made once for each result and cell in hand.

import type { Alignment, IndexRange } from '../engine/engine';
import { exactText, shortened } from '../values/element-text';
import { indexText, shortSliceText, sliceText } from '../text/format';
import type { DrawnResult, Model } from './model';
import { mostLines, linesApart, type RepeatedOperand } from './repeat-lines';
import type { BoxElements, ElementBox } from '../values/computed-result';
import { oneCell, type CellRange, mostColumns, cellRangeOf, mostRows } from '../text/cell-range';

export interface Cell {
  readonly text: string;
  readonly label: string;
  /** The element's index in its array. */
  readonly index: readonly number[];
  /** In place of the text, the elements of operands from which the cell is computed. */
  readonly parts?: readonly Part[];
}
/** An element of an operand in a cell of the result. */
export interface Part {
  readonly operand: number;
  readonly text: string;
  /** The element as it is read aloud before its text: `A [1, 0] = `. */
  readonly says: string;
  /** How many cells away from its own place it is repeated. */
  readonly away: number;
}
export type CellRows = readonly (readonly Cell[])[];

/** The grid of an operand: along an axis that it is repeated on, one cell. */
export interface Panel extends RepeatedOperand {
  readonly name: string;
  readonly rows: CellRange;
  readonly columns: CellRange;
  /** Whether the operand has axes of its own along rows and columns. */
  readonly rulers: { readonly rows: boolean; readonly columns: boolean };
  /** The slice that is drawn, `[0, :, :]`, and the same shortened; empty texts for arrays of rank 2 or less. */
  readonly slice: string;
  readonly shortSlice: string;
  /** Says to which cells its elements go. */
  readonly says: string;
  readonly cells: CellRows;
}

export interface Picture {
  readonly rows: CellRange;
  readonly columns: CellRange;
  readonly panels: readonly Panel[];
  /** Operands of one row, which lie above the result; and the others. */
  readonly above: readonly Panel[];
  readonly beside: readonly Panel[];
  /** Whether the grids are too wide to stand side by side: then the operands come first, and the result below them. */
  readonly stacked: boolean;
  /** The operands whose lines are drawn in the result. */
  readonly repeated: readonly RepeatedOperand[];
  readonly cells: CellRows;
  readonly cellWidth: number;
  /** Pixels that digits leave to lines, at the left and at the bottom of a cell. */
  readonly clearLeft: number;
  readonly clearBottom: number;
}

/** Pixels beside the input in a window 1280 pixels wide; and those of a grid's ruler and gap. */
const mostWidth = 900;
const besideGap = 46;

/** The index in the result of the cell at this row and column of the slice in hand. */
export function indexAt(result: DrawnResult, row: number, column: number): number[] {
  return result.at.map((i, axis) => (axis === result.rows ? row : axis === result.columns ? column : i));
}

/** The box of the result that is drawn. */
const boxOf = (result: DrawnResult, rows: CellRange, columns: CellRange): readonly IndexRange[] =>
  result.at.map((i, axis) => {
    const range = axis === result.rows ? rows : axis === result.columns ? columns : { first: i, drawn: 1 };
    return { begin: range.first, end: range.first + range.drawn };
  });

function cellsOf(rows: CellRange, columns: CellRange, cell: (row: number, column: number) => Cell): CellRows {
  return Array.from({ length: rows.drawn }, (_, r) =>
    Array.from({ length: columns.drawn }, (_, c) => cell(rows.first + r, columns.first + c)),
  );
}

function cellOf(name: string, box: ElementBox, index: readonly number[]): Cell {
  const text = exactText(box.valueAt(index), box.tensor.dtype);
  return { text: shortened(text), index, label: `${name} [${index.join(', ')}] = ${text}` };
}

function saying(across: boolean, down: boolean): string {
  if (across && down) return 'gives one value to all cells';
  if (across) return 'gives each row one value: its threads run across';
  if (down) return 'gives each column one value: its threads run down';
  return 'gives each cell its own value';
}

interface PictureInput {
  readonly alignment: Alignment;
  readonly result: DrawnResult;
  readonly rows: CellRange;
  readonly columns: CellRange;
  readonly drawn: BoxElements;
}

/** Whether an operand has elements of its own along rows and columns; `swapped` if its rows come after its columns. */
export function spreadOf(alignment: Alignment, result: Pick<DrawnResult, 'rows' | 'columns'>, operand: number) {
  const goesAlong = (axis: number | null): boolean =>
    axis !== null && alignment.axes[axis]?.cells[operand]?.relation === 'match';
  const [byRow, byColumn] = [goesAlong(result.rows), goesAlong(result.columns)];
  return { byRow, byColumn, swapped: byRow && byColumn && (result.columns ?? 0) < (result.rows ?? 0) };
}

/** Whether the slice in hand has more cells than are drawn as elements of the page. */
export const isLarge = ({ shape, rows, columns }: DrawnResult): boolean =>
  (rows !== null && (shape[rows] ?? 1) > mostRows) || (columns !== null && (shape[columns] ?? 1) > mostColumns);

function panelOf({ alignment, result, rows, columns, drawn }: PictureInput, operand: number, name: string): Panel {
  const box = drawn.operands[operand];
  const along = (axis: number | null) => (axis === null ? undefined : alignment.axes[axis]?.cells[operand]);
  const { byRow, byColumn } = spreadOf(alignment, result, operand);
  const ownRows = along(result.rows)?.sourceAxis ?? null;
  const ownColumns = along(result.columns)?.sourceAxis ?? null;
  const source = alignment.sourceOf(operand, result.at);
  const whole = source.map((_, axis) => (byRow && ownRows === axis) || (byColumn && ownColumns === axis));
  const across = !byColumn && columns.all > 1;
  const down = !byRow && rows.all > 1;
  const drawnRows = byRow ? rows : oneCell;
  const drawnColumns = byColumn ? columns : oneCell;
  return {
    operand,
    name,
    rows: drawnRows,
    columns: drawnColumns,
    across,
    down,
    rulers: { rows: ownRows !== null, columns: ownColumns !== null },
    slice: source.length > 2 ? sliceText(source, whole) : '',
    shortSlice: source.length > 2 ? shortSliceText(source, whole) : '',
    says: saying(across, down),
    cells: box
      ? cellsOf(drawnRows, drawnColumns, (row, column) =>
          cellOf(name, box, alignment.sourceOf(operand, indexAt(result, row, column))),
        )
      : [],
  };
}

/** Cells show at most so many parts. */
export const mostParts = 4;

/** The cells of the result before it is computed: the operands' elements in their places. */
export function cellsInPlace({ rows, columns, panels, repeated }: Picture, result: DrawnResult): CellRows {
  const shown = panels.filter((panel) => repeated.includes(panel)).slice(0, mostParts);
  return cellsOf(rows, columns, (row, column) => {
    const index = indexAt(result, row, column);
    const parts = shown.flatMap(({ operand, name, down, across, cells }) => {
      const [r, c] = [row - rows.first, column - columns.first];
      const own = cells[down || cells.length === 1 ? 0 : r];
      const cell = own?.[across || own.length === 1 ? 0 : c];
      const away = (across ? c : 0) + (down ? r : 0);
      return cell ? [{ operand, text: cell.text, says: `${name} ${indexText(cell.index)} = `, away }] : [];
    });
    return { text: '', label: '', index, parts };
  });
}

const widthOf = (cells: readonly Cell[], least: number): number =>
  cells.reduce((longest, { text }) => Math.max(longest, text.length), 2) * 8 + least;

/** One slice of the result, without operands. */
export function slicePicture(
  result: DrawnResult,
  rows: CellRange,
  columns: CellRange,
): Pick<Picture, 'cells' | 'cellWidth'> {
  const output = result.cells(boxOf(result, rows, columns)).outputs[result.output];
  const cells = output ? cellsOf(rows, columns, (r, c) => cellOf('result', output, indexAt(result, r, c))) : [];
  return { cells, cellWidth: Math.max(32, widthOf(cells.flat(), 12)) };
}

/** `most` is how many rows and columns are drawn; more are cut off around the cell in hand. */
export function draw(
  alignment: Alignment,
  model: Model,
  result: DrawnResult,
  most = { rows: mostRows, columns: mostColumns },
): Picture {
  const rows = cellRangeOf(result.shape, result.at, result.rows, most.rows);
  const columns = cellRangeOf(result.shape, result.at, result.columns, most.columns);
  const drawn = result.cells(boxOf(result, rows, columns));
  const input = { alignment, result, rows, columns, drawn };
  const panels = result.operands.map((_, i) => panelOf(input, i, model.operands[i]?.name ?? ''));
  const output = drawn.outputs[result.output];
  const cells = output ? cellsOf(rows, columns, (r, c) => cellOf('result', output, indexAt(result, r, c))) : [];

  // All grids have the same cell width, so that columns stand under columns; digits keep clear of the lines.
  const repeated = panels.filter((_, operand) => result.outputs.length === 1 || operand === result.output);
  const clear = (way: 'across' | 'down'): number =>
    Math.max(0, Math.min(mostLines, repeated.filter((operand) => operand[way]).length) - 1) * linesApart;
  const all = [cells, ...panels.map((panel) => panel.cells)].flat(2);
  const cellWidth = Math.max(44, widthOf(all, 20) + clear('down'));

  const above = panels.filter(
    (panel) => columns.all > 1 && (rows.all === 1 || (panel.rows.all === 1 && panel.columns.all > 1)),
  );
  const beside = panels.filter((panel) => !above.includes(panel));
  const across = (range: CellRange): number => range.drawn * cellWidth + besideGap;
  const besideWidth = beside.reduce((sum, panel) => sum + across(panel.columns), 0);
  return {
    rows,
    columns,
    panels,
    above,
    beside,
    // A result that is too wide by itself scrolls, and keeps its narrow neighbours.
    stacked: besideWidth > 0.4 * mostWidth && besideWidth + across(columns) > mostWidth,
    repeated,
    cells,
    cellWidth,
    clearLeft: clear('down'),
    clearBottom: clear('across'),
  };
}
