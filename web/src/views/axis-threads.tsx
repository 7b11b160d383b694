// A thread from each axis of an operand to the axis of the result that it becomes, behind the table's cells. While the
// shapes stand as written, the cells stand at their own axes' places, and the threads lead over to the result's.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AlignedAxis, Relation } from '../engine/engine';
import { told } from '../store/glide';
import type { Row } from './alignment-rows';
import { hueOf } from '../parts/chip';

interface Stretch {
  readonly start: number;
  readonly size: number;
}

/** Where the table's columns, its rows of operands and its result lie. */
interface Frame {
  readonly columns: readonly Stretch[];
  readonly rows: readonly Stretch[];
  readonly result: number;
}

interface Thread {
  readonly row: number;
  readonly operand: number;
  readonly relation: Relation;
  /** Columns: of its own axis, counted from the left, and of the result's. */
  readonly from: number;
  readonly to: number;
}

/** The threads of an operand whose axes take part in one way: as SVG's path data, a piece for each. */
interface Run {
  readonly operand: number;
  readonly relation: Relation;
  readonly run: string[];
  readonly ends: string[];
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
  };
}

const tableBefore = (svg: SVGSVGElement | null): HTMLTableElement | null =>
  svg?.previousElementSibling instanceof HTMLTableElement ? svg.previousElementSibling : null;

const kindOf = (columns: number, rows: number): string => `${columns} ${rows}`;

const part = (from: number): number => Math.min(1, Math.max(0, told.value - from));

export function AxisThreads({ rows, axes }: { rows: readonly Row[]; axes: readonly AlignedAxis[] }) {
  const svg = useRef<SVGSVGElement>(null);
  // A table of as many columns and rows mostly lies where the last one did: its threads are there at once, and are drawn
  // again only where they are out of place.
  const frames = useSignal<ReadonlyMap<string, Frame>>(new Map());
  const threads = threadsOf(rows, axes);
  const placed = part(0);
  const repeated = part(1);
  const {
    columns = [],
    rows: lines = [],
    result = 0,
  } = frames.value.get(kindOf(Math.max(1, axes.length), rows.length)) ?? {}; // a scalar's table has a column, too
  const clashes = (relation: Relation): boolean => relation === 'conflict' && repeated > 0;

  // All threads of an operand that meet the result in the same way are one path, and their ends another.
  const runs: Run[] = [];
  for (const { row, operand, relation, from, to } of threads) {
    const [own, column, line] = [columns[from], columns[to], lines[row]];
    if (!own || !column || !line) continue;
    let run = runs.find((known) => known.operand === operand && known.relation === relation);
    if (!run) runs.push((run = { operand, relation, run: [], ends: [] }));
    // Clear of what the cells say: at the left and, where there is room, at the right.
    const narrow = column.size < 120;
    const apart = Math.min(narrow ? 6 : 8, ((narrow ? 0.2 : 0.3) * column.size) / lines.length);
    const inset = (narrow ? 0.86 : 0.5) * column.size + (row - (lines.length - 1) / 2) * apart;
    const x1 = column.start + inset;
    const x0 = x1 + (own.start - column.start) * (1 - placed);
    const y0 = line.start + line.size - 1;
    const y1 = result - (clashes(relation) ? 11 * repeated : 0);
    const middle = (y0 + y1) / 2;
    run.run.push(x0 === x1 ? `M${x1} ${y0}V${y1}` : `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`);
    if (clashes(relation)) run.ends.push(`M${x1 - 3.5} ${y1 - 1}l7 7m0 -7l-7 7`);
    // What is repeated fans out.
    if (relation === 'stretch' && repeated > 0)
      for (const aside of [-20 * repeated, 20 * repeated])
        run.ends.push(`M${x1} ${result - 12}Q${x1} ${result - 4} ${x1 + aside} ${result}`);
  }

  // The table is laid out anew with each answer, with each width of the window, and when fonts arrive.
  const look = useRef(() => {
    const table = tableBefore(svg.current);
    const seen = table && measure(table);
    if (!seen) return;
    const kind = kindOf(seen.columns.length, seen.rows.length);
    const known = frames.peek();
    if (JSON.stringify(seen) !== JSON.stringify(known.get(kind))) frames.value = new Map([...known, [kind, seen]]);
  }).current;
  useLayoutEffect(look, [axes, rows, look]);
  useLayoutEffect(() => {
    const table = tableBefore(svg.current);
    if (!table) return;
    const watcher = new ResizeObserver(look);
    watcher.observe(table);
    return () => watcher.disconnect();
  }, [look]);

  // Cells that stand at their own axes' places, and have to be put back.
  const moved = useRef<readonly HTMLElement[]>([]);
  useLayoutEffect(() => {
    const back = new Set(moved.current);
    moved.current = [];
    for (const { row, from, to } of placed < 1 ? threads : []) {
      const cell = tableBefore(svg.current)?.tBodies[0]?.rows[row]?.cells[to + 1]?.firstElementChild;
      const away = ((columns[from]?.start ?? 0) - (columns[to]?.start ?? 0)) * (1 - placed);
      if (!(cell instanceof HTMLElement) || away === 0) continue;
      cell.style.translate = `${away}px`;
      moved.current = [...moved.current, cell];
      back.delete(cell);
    }
    for (const cell of back) cell.style.translate = '';
  });

  return (
    <svg class={`axis-threads ${placed < 1 ? 'fore' : ''}`} ref={svg} aria-hidden="true">
      {runs.map(({ operand, relation, run, ends }, i) => (
        <g key={i} class={`${hueOf(operand)} ${relation} ${clashes(relation) ? 'clashes' : ''}`}>
          <path class="run" d={run.join('')} />
          {ends.length > 0 && <path class="ends" d={ends.join('')} />}
        </g>
      ))}
    </svg>
  );
}
