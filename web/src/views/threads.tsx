// The threads of a cloth. A thread is one element of an operand that serves
// many cells: it runs across a row where the operand repeats along the columns,
// and down a column where it repeats along the rows. They keep to the cells'
// edges, so that digits stay legible, and pass over and under one another.

import { mostThreads, threadsApart, type Weave } from '../picture';
import { hueOf } from './chip';

interface Props {
  weaves: readonly Weave[];
  /** The operands that stand next to the cloth: their threads are seen to come from them. */
  reachesLeft: number | null;
  reachesUp: number | null;
  /** Whether a caption and a ruler lie between. */
  headed: boolean;
  rows: number;
  columns: number;
  cellWidth: number;
  cellHeight: number;
  /** Whether the thread of an operand in this row (or column) is in hand. */
  litRow: (operand: number, row: number) => boolean;
  litColumn: (operand: number, column: number) => boolean;
}

const fringe = 10;
/** From the cells of an operand to those of the result (see loom.css). */
const gapLeft = 24 + 22;
const gapUp = 14;
const heading = 26 + 18;
const first = 4.5;

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

export function Threads({
  weaves,
  reachesLeft,
  reachesUp,
  headed,
  rows,
  columns,
  cellWidth,
  cellHeight,
  litRow,
  litColumn,
}: Props) {
  const width = columns * cellWidth;
  const height = rows * cellHeight;
  const across = weaves.filter((weave) => weave.across).slice(0, mostThreads);
  const down = weaves.filter((weave) => weave.down).slice(0, mostThreads);
  const y = (row: number, k: number): number => (row + 1) * cellHeight - first - k * threadsApart;
  const x = (column: number, k: number): number => column * cellWidth + first + k * threadsApart;
  const line = (row: number, k: number): string =>
    `M${across[k]?.operand === reachesLeft && !across[k]?.down ? -gapLeft : -fringe} ${y(row, k)}H${width + fringe}`;
  const drop = (column: number, k: number): string =>
    `M${x(column, k)} ${down[k]?.operand === reachesUp && !down[k]?.across ? -gapUp - (headed ? heading : 0) : -fringe}V${height + fringe}`;
  // Where a thread that runs across passes over those that run down.
  const reach = first + down.length * threadsApart;
  const over = (k: number, lit: boolean, operand: number): string =>
    range(rows)
      .filter((row) => litRow(operand, row) === lit)
      .map((row) =>
        range(columns)
          .filter((column) => (row + column) % 2 === 1)
          .map((column) => `M${column * cellWidth + 0.5} ${y(row, k)}h${reach}`)
          .join(''),
      )
      .join('');
  return (
    <svg class="threads" aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {across.map(({ operand }, k) => (
        <g key={operand} class={hueOf(operand)}>
          <path
            d={range(rows)
              .filter((row) => !litRow(operand, row))
              .map((row) => line(row, k))
              .join('')}
          />
          <path
            class="lit"
            d={range(rows)
              .filter((row) => litRow(operand, row))
              .map((row) => line(row, k))
              .join('')}
          />
        </g>
      ))}
      {down.map(({ operand }, k) => (
        <g key={operand} class={hueOf(operand)}>
          {across.length > 0 && (
            <path
              class="halo"
              d={range(columns)
                .map((column) => drop(column, k))
                .join('')}
            />
          )}
          <path
            d={range(columns)
              .filter((column) => !litColumn(operand, column))
              .map((column) => drop(column, k))
              .join('')}
          />
          <path
            class="lit"
            d={range(columns)
              .filter((column) => litColumn(operand, column))
              .map((column) => drop(column, k))
              .join('')}
          />
        </g>
      ))}
      {down.length > 0 &&
        across.map(({ operand }, k) => (
          <g key={operand} class={hueOf(operand)}>
            <path class="halo" d={over(k, false, operand) + over(k, true, operand)} />
            <path d={over(k, false, operand)} />
            <path class="lit" d={over(k, true, operand)} />
          </g>
        ))}
    </svg>
  );
}
