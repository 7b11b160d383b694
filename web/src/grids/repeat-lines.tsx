// The lines of repeated elements in a grid of the result. Those of the cells in hand are stronger than the others.

import { fringe, repeatLines, type RepeatedOperand } from '../model/repeat-lines';
import { hueOf } from '../components/chip';

interface Props {
  repeated: readonly RepeatedOperand[];
  /** The operands that stand next to the result: their lines begin at them. */
  reachesLeft: number | null;
  reachesUp: number | null;
  /** Whether a caption and a ruler lie between the operands above and the result. */
  headed: boolean;
  rows: number;
  columns: number;
  cellWidth: number;
  cellHeight: number;
  /** Whether the line of an operand in this row (or column) is in hand. */
  litRow: (operand: number, row: number) => boolean;
  litColumn: (operand: number, column: number) => boolean;
}

/** Pixels from the cells of an operand to those of the result; see grids.css. */
const gapLeft = 24 + 22;
const gapUp = 14;
const heading = 26 + 18;

export function RepeatLines({ reachesLeft, reachesUp, headed, litRow, litColumn, ...grid }: Props) {
  const { across, down, width, height, rowLines, columnLines, crossings } = repeatLines(grid);
  const left = (line: RepeatedOperand): number => (line.operand === reachesLeft && !line.down ? -gapLeft : -fringe);
  const top = (line: RepeatedOperand): number =>
    line.operand === reachesUp && !line.across ? -gapUp - (headed ? heading : 0) : -fringe;
  return (
    <svg class="repeat-lines" aria-hidden="true" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {across.map((line, k) => (
        <g key={line.operand} class={hueOf(line.operand)}>
          <path d={rowLines(k, left(line), (row) => !litRow(line.operand, row))} />
          <path class="lit" d={rowLines(k, left(line), (row) => litRow(line.operand, row))} />
        </g>
      ))}
      {down.map((line, k) => (
        <g key={line.operand} class={hueOf(line.operand)}>
          {across.length > 0 && <path class="halo" d={columnLines(k, top(line))} />}
          <path d={columnLines(k, top(line), (column) => !litColumn(line.operand, column))} />
          <path class="lit" d={columnLines(k, top(line), (column) => litColumn(line.operand, column))} />
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
