// The loom as it is laid out: which elements stand where, in which window, and how the grids are arranged. Pure, and
// the same for as long as nobody moves: pointing at cells does not change it.

import type { Alignment, IndexRange } from '../engine/engine';
import { cut, exactText } from '../values/element-text';
import { sliceText } from '../text/format';
import type { Cloth, Model } from './model';
import { mostThreads, threadsApart, type Weave } from './thread-lines';
import type { Cells as CellsOfBox, Patch } from '../values/weave';
import { oneCell, type Window, windowColumns, windowOf, windowRows } from '../text/window';

export interface Cell {
  readonly text: string;
  readonly label: string;
  /** Which element of the array this is. */
  readonly index: readonly number[];
}
export type Cells = readonly (readonly Cell[])[];

/** An operand as it is drawn: along an axis that it repeats on, one cell. */
export interface Panel extends Weave {
  readonly name: string;
  readonly rows: Window;
  readonly columns: Window;
  /** Whether it has an axis of its own that way. */
  readonly rulers: { readonly rows: boolean; readonly columns: boolean };
  readonly title: string;
  /** How its elements are handed out. */
  readonly says: string;
  readonly cells: Cells;
}

export interface Picture {
  readonly rows: Window;
  readonly columns: Window;
  readonly panels: readonly Panel[];
  /** Rows of one cell height, which lie above the cloth; and the others. */
  readonly above: readonly Panel[];
  readonly beside: readonly Panel[];
  /** Too wide to stand side by side: the operands come first, and the cloth below them. */
  readonly stacked: boolean;
  /** The operands whose threads are seen in the result. */
  readonly woven: readonly Weave[];
  readonly cells: Cells;
  readonly cellWidth: number;
  /** Room that digits leave to threads, at the left and at the bottom of a cell. */
  readonly clearLeft: number;
  readonly clearBottom: number;
}

/** What fits beside the input at 1280 pixels; a ruler and a gap for each grid. */
const mostWidth = 900;
const besideGap = 46;

/** The result's index of the cell at this row and column, on the slice in hand. */
export function indexAt(cloth: Cloth, row: number, column: number): number[] {
  return cloth.at.map((i, axis) => (axis === cloth.rows ? row : axis === cloth.columns ? column : i));
}

/** The part of the result that is drawn, on the slice in hand. */
const boxOf = (cloth: Cloth, rows: Window, columns: Window): readonly IndexRange[] =>
  cloth.at.map((i, axis) => {
    const part = axis === cloth.rows ? rows : axis === cloth.columns ? columns : { first: i, drawn: 1 };
    return { begin: part.first, end: part.first + part.drawn };
  });

function cellsOf(rows: Window, columns: Window, cell: (row: number, column: number) => Cell): Cells {
  return Array.from({ length: rows.drawn }, (_, r) =>
    Array.from({ length: columns.drawn }, (_, c) => cell(rows.first + r, columns.first + c)),
  );
}

function cellOf(name: string, patch: Patch, index: readonly number[]): Cell {
  const text = exactText(patch.valueAt(index), patch.tensor.dtype);
  return { text: cut(text), index, label: `${name} [${index.join(', ')}] = ${text}` };
}

function saying(across: boolean, down: boolean): string {
  if (across && down) return 'gives one value to all cells';
  if (across) return 'gives each row one value: its threads run across';
  if (down) return 'gives each column one value: its threads run down';
  return 'gives each cell its own value';
}

interface Frame {
  readonly alignment: Alignment;
  readonly cloth: Cloth;
  readonly rows: Window;
  readonly columns: Window;
  readonly drawn: CellsOfBox;
}

/** How an operand is spread over rows and columns; swapped: its rows come after its columns. */
export function spreadOf(alignment: Alignment, cloth: Pick<Cloth, 'rows' | 'columns'>, operand: number) {
  const goesAlong = (axis: number | null): boolean =>
    axis !== null && alignment.axes[axis]?.cells[operand]?.relation === 'match';
  const [byRow, byColumn] = [goesAlong(cloth.rows), goesAlong(cloth.columns)];
  return { byRow, byColumn, swapped: byRow && byColumn && (cloth.columns ?? 0) < (cloth.rows ?? 0) };
}

/** Whether the slice in hand has more cells than a grid of elements can show. */
export const isLarge = ({ shape, rows, columns }: Cloth): boolean =>
  (rows !== null && (shape[rows] ?? 1) > windowRows) || (columns !== null && (shape[columns] ?? 1) > windowColumns);

function panelOf({ alignment, cloth, rows, columns, drawn }: Frame, operand: number, name: string): Panel {
  const patch = drawn.operands[operand];
  const along = (axis: number | null) => (axis === null ? undefined : alignment.axes[axis]?.cells[operand]);
  const { byRow, byColumn } = spreadOf(alignment, cloth, operand);
  const ownRows = along(cloth.rows)?.sourceAxis ?? null;
  const ownColumns = along(cloth.columns)?.sourceAxis ?? null;
  const source = alignment.sourceOf(operand, cloth.at);
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
    title: source.length > 2 ? sliceText(source, whole) : '',
    says: saying(across, down),
    cells: patch
      ? cellsOf(drawnRows, drawnColumns, (row, column) =>
          cellOf(name, patch, alignment.sourceOf(operand, indexAt(cloth, row, column))),
        )
      : [],
  };
}

const widthOf = (cells: readonly Cell[], least: number): number =>
  cells.reduce((longest, { text }) => Math.max(longest, text.length), 2) * 8 + least;

/** A slice of the result alone. */
export function slicePicture(cloth: Cloth, rows: Window, columns: Window): Pick<Picture, 'cells' | 'cellWidth'> {
  const output = cloth.cells(boxOf(cloth, rows, columns)).outputs[cloth.output];
  const cells = output ? cellsOf(rows, columns, (r, c) => cellOf('result', output, indexAt(cloth, r, c))) : [];
  return { cells, cellWidth: Math.max(32, widthOf(cells.flat(), 12)) };
}

export function draw(alignment: Alignment, model: Model, cloth: Cloth): Picture {
  const rows = windowOf(cloth.shape, cloth.at, cloth.rows, windowRows);
  const columns = windowOf(cloth.shape, cloth.at, cloth.columns, windowColumns);
  const drawn = cloth.cells(boxOf(cloth, rows, columns));
  const frame = { alignment, cloth, rows, columns, drawn };
  const panels = cloth.operands.map((_, i) => panelOf(frame, i, model.operands[i]?.name ?? ''));
  const output = drawn.outputs[cloth.output];
  const cells = output ? cellsOf(rows, columns, (r, c) => cellOf('result', output, indexAt(cloth, r, c))) : [];

  // All grids share one cell width, so that columns stand under columns; digits keep clear of the threads.
  const woven = panels.filter((_, operand) => cloth.outputs.length === 1 || operand === cloth.output);
  const clear = (way: 'across' | 'down'): number =>
    Math.max(0, Math.min(mostThreads, woven.filter((weave) => weave[way]).length) - 1) * threadsApart;
  const all = [cells, ...panels.map((panel) => panel.cells)].flat(2);
  const cellWidth = Math.max(44, widthOf(all, 20) + clear('down'));

  const above = panels.filter(
    (panel) => columns.all > 1 && (rows.all === 1 || (panel.rows.all === 1 && panel.columns.all > 1)),
  );
  const beside = panels.filter((panel) => !above.includes(panel));
  const across = (part: Window): number => part.drawn * cellWidth + besideGap;
  const spools = beside.reduce((sum, panel) => sum + across(panel.columns), 0);
  return {
    rows,
    columns,
    panels,
    above,
    beside,
    // A cloth that is wide by itself scrolls, and keeps its narrow neighbours.
    stacked: spools > 0.4 * mostWidth && spools + across(columns) > mostWidth,
    woven,
    cells,
    cellWidth,
    clearLeft: clear('down'),
    clearBottom: clear('across'),
  };
}
