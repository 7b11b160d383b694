// The lines ("threads" on the page) that show where elements of an operand are repeated: for the grids, for the pictures of
// them, and for the canvas. A line runs across a row where the operand repeats along the columns, and down a column where
// it repeats along the rows. Lines keep to the edges of the cells, so that digits stay legible, and cross over and under.

/** The directions in which the elements of an operand are repeated. */
export interface RepeatedOperand {
  readonly operand: number;
  readonly across: boolean;
  readonly down: boolean;
}

/** The most lines drawn side by side in a cell; more would reach the digits. */
export const mostLines = 3;
/** Pixels from one line to the next. */
export const linesApart = 3.5;
const first = 4.5;
/** How far lines reach beyond the grid, in pixels. */
export const fringe = 10;

/** Pixels from the left or bottom edge of a cell to line number `k` along it. */
export const lineAt = (k: number): number => first + k * linesApart;

/** A grid of equal cells, and the operands that are repeated in it. */
export interface LineGrid {
  readonly repeated: readonly RepeatedOperand[];
  readonly rows: number;
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

type Which = (i: number) => boolean;
const every: Which = () => true;

/** Lines as SVG path data, from the corner of the grid; `which` selects the rows or columns that they are drawn in. */
export interface RepeatLines {
  readonly across: readonly RepeatedOperand[];
  readonly down: readonly RepeatedOperand[];
  readonly width: number;
  readonly height: number;
  /** Line number `k` of those that run across, beginning at `from`. */
  rowLines(k: number, from?: number, which?: Which): string;
  /** Line number `k` of those that run down. */
  columnLines(k: number, from?: number, which?: Which): string;
  /** Where line number `k` of those that run across passes over those that run down. */
  crossings(k: number, which?: Which): string;
}

/**
 * @example
 * repeatLines({ repeated, rows: 1, columns: 2, cellWidth: 44, cellHeight: 34 }).rowLines(0); // M-10 29.5H98
 */
export function repeatLines({ repeated, rows, columns, cellWidth, cellHeight }: LineGrid): RepeatLines {
  const across = repeated.filter((operand) => operand.across).slice(0, mostLines);
  const down = repeated.filter((operand) => operand.down).slice(0, mostLines);
  const [width, height] = [columns * cellWidth, rows * cellHeight];
  const each = (count: number, which: Which, draw: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => (which(i) ? draw(i) : '')).join('');
  const level = (row: number, k: number): number => (row + 1) * cellHeight - lineAt(k);
  const reach = lineAt(down.length);
  return {
    across,
    down,
    width,
    height,
    rowLines: (k, from = -fringe, which = every) =>
      each(rows, which, (row) => `M${from} ${level(row, k)}H${width + fringe}`),
    columnLines: (k, from = -fringe, which = every) =>
      each(columns, which, (column) => `M${column * cellWidth + lineAt(k)} ${from}V${height + fringe}`),
    crossings: (k, which = every) =>
      each(rows, which, (row) =>
        each(
          columns,
          (column) => (row + column) % 2 === 1,
          (column) => `M${column * cellWidth + 0.5} ${level(row, k)}h${reach}`,
        ),
      ),
  };
}
