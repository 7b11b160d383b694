// Where threads run: for the cloth on the page, for pictures of it, and for the canvas. A thread runs across a row where its
// operand repeats along the columns, and down a column where it repeats along the rows. Threads keep to the cells' edges,
// so that digits stay legible, and pass over and under one another.

/** Which way the elements of an operand are repeated: as threads that run across, or down. */
export interface Weave {
  readonly operand: number;
  readonly across: boolean;
  readonly down: boolean;
}

/** More threads than this beside one another would reach the digits. */
export const mostThreads = 3;
export const threadsApart = 3.5;
const first = 4.5;
/** How far threads reach beyond the cloth, in pixels. */
export const fringe = 10;

/** From the edge of a cell to thread number `k` along it: the left edge, or the one below. */
export const threadAt = (k: number): number => first + k * threadsApart;

export interface Cloth {
  readonly weaves: readonly Weave[];
  readonly rows: number;
  readonly columns: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

type Which = (i: number) => boolean;
const every: Which = () => true;

/** Paths of threads, from the corner of the cloth; `which` picks the rows, or the columns, that they are drawn in. */
export interface ThreadLines {
  readonly across: readonly Weave[];
  readonly down: readonly Weave[];
  readonly width: number;
  readonly height: number;
  /** Thread number `k` of those that run across, beginning at `from`. */
  runs(k: number, from?: number, which?: Which): string;
  /** Thread number `k` of those that run down. */
  falls(k: number, from?: number, which?: Which): string;
  /** Where thread number `k` of those that run across passes over those that run down. */
  crossings(k: number, which?: Which): string;
}

/**
 * @example
 * threadLines({ weaves, rows: 1, columns: 2, cellWidth: 44, cellHeight: 34 }).runs(0); // M-10 29.5H98
 */
export function threadLines({ weaves, rows, columns, cellWidth, cellHeight }: Cloth): ThreadLines {
  const across = weaves.filter((weave) => weave.across).slice(0, mostThreads);
  const down = weaves.filter((weave) => weave.down).slice(0, mostThreads);
  const [width, height] = [columns * cellWidth, rows * cellHeight];
  const each = (count: number, which: Which, draw: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => (which(i) ? draw(i) : '')).join('');
  const level = (row: number, k: number): number => (row + 1) * cellHeight - threadAt(k);
  const reach = threadAt(down.length);
  return {
    across,
    down,
    width,
    height,
    runs: (k, from = -fringe, which = every) =>
      each(rows, which, (row) => `M${from} ${level(row, k)}H${width + fringe}`),
    falls: (k, from = -fringe, which = every) =>
      each(columns, which, (column) => `M${column * cellWidth + threadAt(k)} ${from}V${height + fringe}`),
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
