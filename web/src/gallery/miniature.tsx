// A small picture of an example. Up to two axes: the result, with lines where operands repeat, or its values as shades of grey if
// the example is about values. More axes, or a clash: the alignment, as boxes.

import { useEngine } from '../context/context';
import type { AlignedCell, Alignment, Engine } from '../engine/engine';
import { compute } from '../model/model';
import type { State } from '../state/state';
import { hueOf } from '../components/chip';

const cell = 10;
const gap = 5;
const mostRows = 9;
const mostColumns = 9;
const width = 156;
const heights = { low: 64, high: 112 };

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

interface Props {
  readonly alignment: Alignment;
  /** The state whose values are drawn; null if none are. */
  readonly shaded: State | null;
}

export function Miniature({ low, ...props }: Props & { readonly low: boolean }) {
  const { alignment } = props;
  const height = low ? heights.low : heights.high;
  const empty = alignment.output.some((extent) => Number(extent) === 0);
  const drawsGrid = alignment.failure === null && !empty && alignment.axes.length <= 2;
  return (
    <svg class="miniature" viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      {drawsGrid ? (
        <GridPicture {...props} height={height} />
      ) : (
        <AlignmentPicture alignment={alignment} height={height} />
      )}
    </svg>
  );
}

/** Whether an operand has elements of its own along an axis of the result. */
const varies = (alignment: Alignment, axis: number, operand: number): boolean =>
  alignment.axes[axis]?.cells[operand]?.relation === 'match';

function GridPicture({ alignment, shaded, height }: Props & { height: number }) {
  const core = useEngine();
  const rank = alignment.axes.length;
  const extentOf = (axis: number): number => Number(alignment.axes[axis]?.extent ?? 1);
  const rows = Math.min(mostRows, extentOf(rank - 2));
  const columns = Math.min(mostColumns, extentOf(rank - 1));
  const sources = (alignment.axes[0]?.cells ?? []).map((_, operand) => ({
    operand,
    byRow: varies(alignment, rank - 2, operand),
    byColumn: varies(alignment, rank - 1, operand),
  }));
  // As on the page, rows lie above and columns beside. Operands as large as the result are not drawn.
  const above = sources.filter(({ byRow, byColumn }) => byColumn && !(byRow && rows > 1)).slice(0, 2);
  const beside = sources.filter(({ byRow, byColumn }) => !byColumn && byRow).slice(0, 2);
  const lone = sources.filter(({ byRow, byColumn }) => !byColumn && !byRow).slice(0, 2);
  const left = Math.max(beside.length, lone.length) * (cell + gap);
  const top = Math.max(above.length, lone.length > 0 ? 1 : 0) * (cell + gap);
  const x = (width - left - columns * cell) / 2 + left;
  const y = (height - top - rows * cell) / 2 + top;
  const shades = shaded ? shadesOf(core, shaded, rows, columns) : null;
  return (
    <>
      {above.map(({ operand }, i) => (
        <Strip key={operand} operand={operand} x={x} y={y - (above.length - i) * (cell + gap)} count={columns} across />
      ))}
      {beside.map(({ operand }, i) => (
        <Strip key={operand} operand={operand} x={x - (beside.length - i) * (cell + gap)} y={y} count={rows} />
      ))}
      {lone.map(({ operand }, i) => (
        <Strip key={operand} operand={operand} x={x - (lone.length - i) * (cell + gap)} y={y - cell - gap} count={1} />
      ))}
      <rect class="ground" x={x} y={y} width={columns * cell} height={rows * cell} />
      {shades
        ? range(rows * columns).map((i) => (
            <rect
              key={i}
              class="shade"
              x={x + (i % columns) * cell}
              y={y + Math.floor(i / columns) * cell}
              width={cell}
              height={cell}
              fill-opacity={shades[i]}
            />
          ))
        : sources.map(({ operand, byRow, byColumn }) => (
            <path
              key={operand}
              class={`thread ${hueOf(operand)}`}
              d={[
                ...(byColumn ? [] : range(rows).map((r) => `M${x} ${y + (r + 0.68) * cell}h${columns * cell}`)),
                ...(byRow ? [] : range(columns).map((c) => `M${x + (c + 0.32) * cell} ${y}v${rows * cell}`)),
              ].join('')}
            />
          ))}
      <rect class="edge" x={x} y={y} width={columns * cell} height={rows * cell} />
    </>
  );
}

function Strip({ operand, x, y, count, across }: StripProps) {
  return (
    <g class={hueOf(operand)}>
      {range(count).map((i) => (
        <rect
          key={i}
          class="own"
          x={x + (across ? i * cell : 0) + 0.75}
          y={y + (across ? 0 : i * cell) + 0.75}
          width={cell - 1.5}
          height={cell - 1.5}
          rx="1.5"
        />
      ))}
    </g>
  );
}
interface StripProps {
  operand: number;
  x: number;
  y: number;
  count: number;
  across?: boolean;
}

/** The darkness of each cell, row by row: 0 for the least value, and greatest for the largest. */
function shadesOf(core: Engine, state: State, rows: number, columns: number): readonly number[] | null {
  const { result } = compute(core, state);
  if (!result) return null;
  const drawn = [rows, columns].slice(2 - result.shape.length);
  const box = result.cells(drawn.map((end) => ({ begin: 0, end }))).outputs[0];
  if (!box) return null;
  const values = range(rows * columns).map((i) => Number(box.read(i)));
  const least = Math.min(...values);
  const most = Math.max(...values);
  return values.map((value) => (most > least ? (0.86 * (value - least)) / (most - least) : 0));
}

const boxWidth = 17;
const boxHeight = 13;

/** The alignment: one line of boxes for each operand, the result below them. */
function AlignmentPicture({ alignment, height }: { alignment: Alignment; height: number }) {
  const { axes } = alignment;
  // No extents clash, and yet there is no result: ranks, an axis or a mapping are at fault.
  const refused = alignment.failure !== null && alignment.conflicts.length === 0;
  const operands = axes[0]?.cells.length ?? 0;
  const target = axes[0]?.target ? 1 : 0;
  const lines = operands + target + 1;
  const across = Math.min(boxWidth, (width - 12) / Math.max(1, axes.length) - 3);
  const x = (axis: number): number => (width - axes.length * (across + 3) + 3) / 2 + axis * (across + 3);
  const y = (line: number): number => (height - lines * (boxHeight + 5) + 5) / 2 + line * (boxHeight + 5);
  const box = (axis: number, line: number, kind: string, hue: string) => (
    <g key={`${axis} ${line}`} class={`box ${kind} ${hue}`}>
      <rect x={x(axis)} y={y(line)} width={across} height={boxHeight} rx="3" />
      {kind === 'stretch' && <path d={`M${x(axis)} ${y(line) + boxHeight - 4}h${across}`} />}
      {kind === 'conflict' && <path d={`M${x(axis) + 3} ${y(line) + boxHeight - 3}l${across - 6} ${6 - boxHeight}`} />}
    </g>
  );
  const of = (kind: AlignedCell | null | undefined): string => kind?.relation ?? 'none';
  return (
    <>
      {axes.map(({ axis, cells, target: wanted, conflict }) => [
        ...cells.map((found, operand) => box(axis, operand, of(found), hueOf(operand))),
        ...(target ? [box(axis, operands, of(wanted), 'hue-target')] : []),
        box(axis, lines - 1, conflict || refused ? 'open' : 'result', ''),
      ])}
    </>
  );
}
