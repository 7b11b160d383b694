// A line from each axis of an operand to the axis of the result that it is aligned with, behind the cells of the table. In the
// step "written" the cells stand at the places of their own axes, and there are no lines: they come as the cells move.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AlignedAxis, Relation } from '../engine/engine';
import { shownStep } from './shown-step';
import type { Row } from './alignment-rows';
import { hueOf } from '../components/chip';

interface Interval {
  readonly start: number;
  readonly size: number;
}

/** Where the table's columns, its rows of operands and its result lie. */
interface TableLayout {
  readonly columns: readonly Interval[];
  readonly rows: readonly Interval[];
  readonly result: number;
}

interface AxisLine {
  readonly row: number;
  readonly operand: number;
  readonly relation: Relation;
  /** Columns: of its own axis, counted from the left, and of the result's. */
  readonly from: number;
  readonly to: number;
}

/** The lines of an operand's axes of one relation, and the marks at their ends: SVG path data, an entry for each. */
interface OperandLines {
  readonly operand: number;
  readonly relation: Relation;
  readonly lines: string[];
  readonly ends: string[];
}

function linesOf(rows: readonly Row[], axes: readonly AlignedAxis[]): readonly AxisLine[] {
  return rows.flatMap((row, i) =>
    axes.flatMap((axis, column) => {
      const cell = row.cell(axis);
      if (!cell || cell.sourceAxis === null) return [];
      const from = Math.min(cell.sourceAxis, axes.length - 1);
      return [{ row: i, operand: row.operand, relation: cell.relation, from, to: column }];
    }),
  );
}

function measure(table: HTMLTableElement): TableLayout | null {
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

/** How far the change from step `from` to the next one is: from 0 to 1. */
const progress = (from: number): number => Math.min(1, Math.max(0, shownStep.value - from));

export function AxisLines({ rows, axes }: { rows: readonly Row[]; axes: readonly AlignedAxis[] }) {
  const svg = useRef<SVGSVGElement>(null);
  // A table of as many columns and rows mostly has the same layout as the last one: its lines are drawn at once, and again
  // only if they are out of place.
  const layouts = useSignal<ReadonlyMap<string, TableLayout>>(new Map());
  const axisLines = linesOf(rows, axes);
  const placed = progress(0);
  const repeated = progress(1);
  const {
    columns = [],
    rows: operandRows = [],
    result = 0,
  } = layouts.value.get(kindOf(Math.max(1, axes.length), rows.length)) ?? {}; // a scalar's table has a column, too
  const clashes = (relation: Relation): boolean => relation === 'conflict' && repeated > 0;

  // All lines of an operand with the same relation are one path, and the marks at their ends another.
  const drawn: OperandLines[] = [];
  for (const { row, operand, relation, from, to } of axisLines) {
    const [own, column, operandRow] = [columns[from], columns[to], operandRows[row]];
    if (!own || !column || !operandRow) continue;
    let same = drawn.find((known) => known.operand === operand && known.relation === relation);
    if (!same) drawn.push((same = { operand, relation, lines: [], ends: [] }));
    // Between the texts of the cells, or right of them in narrow columns.
    const narrow = column.size < 120;
    const apart = Math.min(narrow ? 6 : 8, ((narrow ? 0.2 : 0.3) * column.size) / operandRows.length);
    const inset = (narrow ? 0.86 : 0.5) * column.size + (row - (operandRows.length - 1) / 2) * apart;
    const x1 = column.start + inset;
    const x0 = x1 + (own.start - column.start) * (1 - placed);
    const y0 = operandRow.start + operandRow.size - 1;
    const y1 = result - (clashes(relation) ? 11 * repeated : 0);
    const middle = (y0 + y1) / 2;
    same.lines.push(x0 === x1 ? `M${x1} ${y0}V${y1}` : `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`);
    if (clashes(relation)) same.ends.push(`M${x1 - 3.5} ${y1 - 1}l7 7m0 -7l-7 7`);
    // The line of a repeated axis fans out.
    if (relation === 'stretch' && repeated > 0)
      for (const aside of [-20 * repeated, 20 * repeated])
        same.ends.push(`M${x1} ${result - 12}Q${x1} ${result - 4} ${x1 + aside} ${result}`);
  }

  // The layout of the table changes with the answer, with the width of the window, and when fonts arrive.
  const update = useRef(() => {
    const table = tableBefore(svg.current);
    const seen = table && measure(table);
    if (!seen) return;
    const kind = kindOf(seen.columns.length, seen.rows.length);
    const known = layouts.peek();
    if (JSON.stringify(seen) !== JSON.stringify(known.get(kind))) layouts.value = new Map([...known, [kind, seen]]);
  }).current;
  useLayoutEffect(update, [axes, rows, update]);
  useLayoutEffect(() => {
    const table = tableBefore(svg.current);
    if (!table) return;
    const watcher = new ResizeObserver(update);
    watcher.observe(table);
    return () => watcher.disconnect();
  }, [update]);

  // Cells that are moved to the places of their own axes, and have to be moved back.
  const moved = useRef<readonly HTMLElement[]>([]);
  useLayoutEffect(() => {
    const back = new Set(moved.current);
    moved.current = [];
    for (const { row, from, to } of placed < 1 ? axisLines : []) {
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
    <svg class={`axis-lines ${placed < 1 ? 'fore' : ''}`} ref={svg} opacity={placed} aria-hidden="true">
      {drawn.map(({ operand, relation, lines, ends }, i) => (
        <g key={i} class={`${hueOf(operand)} ${relation} ${clashes(relation) ? 'clashes' : ''}`}>
          <path class="run" d={lines.join('')} />
          {ends.length > 0 && <path class="ends" d={ends.join('')} />}
        </g>
      ))}
    </svg>
  );
}
