// A thread from each axis of an operand to the axis of the result that it becomes, behind the table's cells. While the
// shapes stand as written, the cells stand at their own axes' places, and the threads lead over to the result's.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AlignedAxis, Relation } from '../engine';
import { told } from '../glide';
import type { Row } from './alignment-table';
import { hueOf } from './chip';

interface Stretch {
  readonly start: number;
  readonly size: number;
}

/** Where the table's columns, its rows of operands and its result lie. */
interface Frame {
  readonly columns: readonly Stretch[];
  readonly rows: readonly Stretch[];
  readonly result: number;
  readonly width: number;
  readonly height: number;
}

interface Thread {
  readonly row: number;
  readonly operand: number;
  readonly relation: Relation;
  /** Columns: of its own axis, counted from the left, and of the result's. */
  readonly from: number;
  readonly to: number;
}

function threadsOf(rows: readonly Row[], axes: readonly AlignedAxis[]): readonly Thread[] {
  return rows.flatMap((row, i) =>
    axes.flatMap((axis, column) => {
      const cell = row.cell(axis);
      if (!cell || cell.sourceAxis === null) return [];
      const from = Math.min(cell.sourceAxis, axes.length - 1);
      return [{ row: i, operand: row.operand, relation: cell.relation, from, to: column }];
    }),
  );
}

function measure(table: HTMLTableElement): Frame | null {
  const whole = table.getBoundingClientRect();
  const [body] = table.tBodies;
  const [first] = body?.rows ?? [];
  const last = body?.rows[body.rows.length - 1]?.cells[1]?.firstElementChild;
  if (!body || !first || !last) return null;
  return {
    columns: [...first.cells].slice(1).map((cell) => {
      const { left, width } = cell.getBoundingClientRect();
      return { start: left - whole.left, size: width };
    }),
    rows: [...body.rows].slice(0, -1).map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { start: top - whole.top, size: height };
    }),
    result: last.getBoundingClientRect().top - whole.top,
    width: whole.width,
    height: whole.height,
  };
}

const part = (from: number): number => Math.min(1, Math.max(0, told.value - from));

export function AxisThreads({ rows, axes }: { rows: readonly Row[]; axes: readonly AlignedAxis[] }) {
  const svg = useRef<SVGSVGElement>(null);
  const frame = useSignal<Frame | null>(null);
  const threads = threadsOf(rows, axes);
  const placed = part(0);
  const repeated = part(1);
  const { columns = [], rows: lines = [], result = 0, width = 0, height = 0 } = frame.value ?? {};

  // The table is laid out anew with each answer, with each width of the window, and when fonts arrive.
  useLayoutEffect(() => {
    const table = svg.current?.previousElementSibling;
    if (!(table instanceof HTMLTableElement)) return;
    const look = (): void => {
      const seen = measure(table);
      if (JSON.stringify(seen) !== JSON.stringify(frame.peek())) frame.value = seen;
    };
    look();
    const watcher = new ResizeObserver(look);
    watcher.observe(table);
    return () => watcher.disconnect();
  }, [axes, rows, frame]);

  useLayoutEffect(() => {
    const table = svg.current?.previousElementSibling;
    if (!(table instanceof HTMLTableElement)) return;
    for (const { row, from, to } of threads) {
      const cell = table.tBodies[0]?.rows[row]?.cells[to + 1]?.firstElementChild;
      const away = ((columns[from]?.start ?? 0) - (columns[to]?.start ?? 0)) * (1 - placed);
      if (cell instanceof HTMLElement) cell.style.translate = away === 0 ? '' : `${away}px`;
    }
    // Cells that are used again for what has no axis of its own stay where they are.
    for (const cell of table.querySelectorAll<HTMLElement>('.insert')) cell.style.translate = '';
  });

  return (
    <svg class={`axis-threads ${placed < 1 ? 'fore' : ''}`} ref={svg} aria-hidden="true" width={width} height={height}>
      {threads.map(({ row, operand, relation, from, to }) => {
        const [own, column, line] = [columns[from], columns[to], lines[row]];
        if (!own || !column || !line) return null;
        // Clear of what the cells say: at the left and, where there is room, at the right.
        const narrow = column.size < 120;
        const apart = Math.min(narrow ? 6 : 8, ((narrow ? 0.2 : 0.3) * column.size) / lines.length);
        const inset = (narrow ? 0.86 : 0.5) * column.size + (row - (lines.length - 1) / 2) * apart;
        const x1 = column.start + inset;
        const x0 = x1 + (own.start - column.start) * (1 - placed);
        const y0 = line.start + line.size - 1;
        const clash = relation === 'conflict' ? repeated : 0;
        const y1 = result - 11 * clash;
        const middle = (y0 + y1) / 2;
        const tines = relation === 'stretch' && repeated > 0 ? [-20 * repeated, 20 * repeated] : [];
        return (
          <g key={`${row} ${to}`} class={`${hueOf(operand)} ${relation} ${clash > 0 ? 'clashes' : ''}`}>
            <path
              class="run"
              d={x0 === x1 ? `M${x1} ${y0}V${y1}` : `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`}
            />
            {tines.map((aside) => (
              <path key={Math.sign(aside)} d={`M${x1} ${result - 12}Q${x1} ${result - 4} ${x1 + aside} ${result}`} />
            ))}
            {clash > 0 && <path d={`M${x1 - 3.5} ${y1 - 1}l7 7m0 -7l-7 7`} />}
          </g>
        );
      })}
    </svg>
  );
}
