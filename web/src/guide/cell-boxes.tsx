// The cells of an example: the operands beside the room of the result, or on it, lines where a cell is read again, and the result.
// The cells move when the shapes are lined up, and those of the result appear one after the other.

import type { AlignedAxis } from '../engine/engine';
import { sameIndex } from '../model/lit';
import { repeatLines } from '../model/repeat-lines';
import { exactText } from '../values/element-text';
import { hueOf } from '../components/chip';
import { type Answered, type CellsDrawing, cellsOf, type OperandCells, rowsAndColumns } from './drawing';
import type { Look } from './steps';

const width = 31;
const height = 30;
const gap = 14;
/** Room for the name of an operand beside its cells, and for the name of an axis beside all of it. */
const nameRoom = 20;
const axisRoom = 18;
const margin = axisRoom + nameRoom;
/** How far lines reach beyond the last cell. */
const beyond = 10;
/** Milliseconds until the first cell of the result appears, and from one to the next. */
const firstCell = 700;
const nextCell = 40;

interface Place {
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly of: Answered;
  readonly look: Look;
  /** The cell of the result that is spelled out; null while there is none. */
  readonly hand: readonly number[] | null;
  readonly onPoint: (index: readonly number[]) => void;
}

export function CellBoxes({ of, look, hand, onPoint }: Props) {
  const { alignment, model } = of;
  const drawing = cellsOf(of, look);
  const [down, across] = rowsAndColumns(alignment);
  const { rows, columns, operands } = drawing;
  const most = (side: OperandCells['side'], room: (each: OperandCells) => number): number =>
    Math.max(0, ...operands.filter((each) => each.side === side).map(room));
  const left = most('left', (each) => each.columns * width + gap);
  const above = most('above', (each) => each.rows * height + gap);
  const at: Place = { x: margin + left, y: margin + above };
  const [right, bottom] = [at.x + columns * width, at.y + rows * height];
  // The result takes the operands' room, unless one of them lies there.
  const taken = operands.some(({ side }) => side === 'on');
  const result: Place = taken ? { x: at.x, y: bottom + gap + beyond } : at;
  const shows = model.result !== null && look.answered;
  const all = { width: right + beyond + 2, height: (shows ? result.y + rows * height : bottom) + beyond + 2 };
  const placeOf = ({ side, rows: ownRows, columns: ownColumns }: OperandCells): Place => ({
    x: side === 'left' ? at.x - ownColumns * width - gap : at.x,
    y: side === 'above' ? at.y - ownRows * height - gap : at.y,
  });
  return (
    <svg class="cell-boxes" viewBox={`0 0 ${all.width} ${all.height}`} style={{ '--own-width': `${all.width}px` }}>
      <AxisName axis={across} look={look} x={at.x + (columns * width) / 2} y={12} />
      <AxisName axis={down} look={look} x={10} y={at.y + (rows * height) / 2} upright />
      {operands.map((each) => {
        const place = placeOf(each);
        // Before the shapes are lined up, each begins at the left.
        const x = look.aligned ? place.x : margin;
        const named = each.side === 'on' && left > 0 ? { x: 2, y: -7 } : { x: -17, y: 20 };
        return (
          <g key={each.operand} class={`cells-of ${hueOf(each.operand)}`} style={{ translate: `${x}px ${place.y}px` }}>
            <text class="name" {...named}>
              {each.name}
            </text>
            <OperandBoxes each={each} lit={hand && alignment.sourceOf(each.operand, hand)} />
          </g>
        );
      })}
      {shows && (
        <g style={{ translate: `${result.x}px ${result.y}px` }}>
          <ResultBoxes {...{ of, hand, onPoint, rows, columns }} />
        </g>
      )}
      <g style={{ translate: `${at.x}px ${at.y}px` }}>
        <Lines drawing={drawing} />
      </g>
    </svg>
  );
}

interface AxisNameProps extends Place {
  readonly axis: AlignedAxis | null;
  readonly look: Look;
  readonly upright?: boolean;
}

/** The direction of an axis, at the edge of the cells. */
const AxisName = ({ axis, look, x, y, upright }: AxisNameProps) =>
  axis && (
    <text
      class={`head ${look.aligned ? '' : 'absent'} ${axis.axis === look.axis ? 'meant' : ''}`}
      transform={upright ? `translate(${x} ${y}) rotate(-90)` : `translate(${x} ${y})`}
    >
      axis {axis.axis}
    </text>
  );

interface OperandProps {
  readonly each: OperandCells;
  /** The index of the element that feeds the cell in hand. */
  readonly lit: readonly number[] | null;
}

function OperandBoxes({ each: { cells }, lit }: OperandProps) {
  return (
    <>
      {cells.map(({ row, column, index, text }) => (
        <g
          key={`${row} ${column}`}
          class={`cell-box ${text === null ? 'lacking' : sameIndex(lit, index) ? 'lit' : ''}`}
          style={{ translate: `${column * width}px ${row * height}px` }}
        >
          <rect x={1} y={1} width={width - 2} height={height - 2} />
          <text x={width / 2} y={height / 2 + 5}>
            {text ?? '?'}
          </text>
        </g>
      ))}
    </>
  );
}

interface ResultProps extends Omit<Props, 'look'> {
  readonly rows: number;
  readonly columns: number;
}

function ResultBoxes({ of: { model, alignment }, hand, onPoint, rows, columns }: ResultProps) {
  const output = model.result?.cells(alignment.output.map((extent) => ({ begin: 0, end: Number(extent) }))).outputs[0];
  if (!output) return null;
  return (
    <>
      {Array.from({ length: rows * columns }, (_, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns];
        const index = [row, column].slice(2 - alignment.output.length);
        return (
          <g
            key={i}
            class={`sum-box ${sameIndex(hand, index) ? 'lit' : ''}`}
            data-index={index.join(',')}
            style={{
              translate: `${column * width}px ${row * height}px`,
              animationDelay: `${firstCell + i * nextCell}ms`,
            }}
            onPointerOver={() => onPoint(index)}
          >
            <rect x={0.5} y={0.5} width={width} height={height} />
            <text x={width / 2} y={height / 2 + 5}>
              {exactText(output.valueAt(index), output.tensor.dtype)}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** The lines of repeated cells, from the operand beside the room to its far edge. */
function Lines({ drawing: { rows, columns, repeated } }: { drawing: CellsDrawing }) {
  const lines = repeatLines({ repeated, rows, columns, cellWidth: width, cellHeight: height });
  return (
    <>
      {lines.across.map(({ operand }, k) => (
        <path key={`across ${operand}`} class={`repeats across ${hueOf(operand)}`} d={lines.rowLines(k, -gap)} />
      ))}
      {lines.down.map(({ operand }, k) => (
        <path key={`down ${operand}`} class={`repeats down ${hueOf(operand)}`} d={lines.columnLines(k, -gap)} />
      ))}
    </>
  );
}
