// The threads of a cloth: those that are in hand stronger than the others.

import { fringe, threadLines, type Weave } from '../model/thread-lines';
import { hueOf } from '../parts/chip';

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

/** From the cells of an operand to those of the result (see loom.css). */
const gapLeft = 24 + 22;
const gapUp = 14;
const heading = 26 + 18;

export function Threads({ reachesLeft, reachesUp, headed, litRow, litColumn, ...cloth }: Props) {
  const { across, down, width, height, runs, falls, crossings } = threadLines(cloth);
  const left = ({ operand, down: also }: Weave): number => (operand === reachesLeft && !also ? -gapLeft : -fringe);
  const top = ({ operand, across: also }: Weave): number =>
    operand === reachesUp && !also ? -gapUp - (headed ? heading : 0) : -fringe;
  return (
    <svg class="threads" aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {across.map((weave, k) => (
        <g key={weave.operand} class={hueOf(weave.operand)}>
          <path d={runs(k, left(weave), (row) => !litRow(weave.operand, row))} />
          <path class="lit" d={runs(k, left(weave), (row) => litRow(weave.operand, row))} />
        </g>
      ))}
      {down.map((weave, k) => (
        <g key={weave.operand} class={hueOf(weave.operand)}>
          {across.length > 0 && <path class="halo" d={falls(k, top(weave))} />}
          <path d={falls(k, top(weave), (column) => !litColumn(weave.operand, column))} />
          <path class="lit" d={falls(k, top(weave), (column) => litColumn(weave.operand, column))} />
        </g>
      ))}
      {down.length > 0 &&
        across.map(({ operand }, k) => (
          <g key={operand} class={hueOf(operand)}>
            <path class="halo" d={crossings(k)} />
            <path d={crossings(k, (row) => !litRow(operand, row))} />
            <path class="lit" d={crossings(k, (row) => litRow(operand, row))} />
          </g>
        ))}
    </svg>
  );
}
