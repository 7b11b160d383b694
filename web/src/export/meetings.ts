// The alignment as rows of texts: an operand each, a cell for each axis of the result. Pictures and Markdown are made of
// them; what they say is the core's.

import { type AlignedAxis, type AlignedCell, type Alignment, type Extent, targetOperand } from '../engine';
import { shapeText } from '../format';
import type { Model } from '../model';

export interface Meeting {
  readonly relation: AlignedCell['relation'];
  /** `4`, `1 ×6`, `×4`, `3` */
  readonly extent: string;
  /** Which axis of the operand this is: `axis 0`, `no axis`, `clash`, `left out`. */
  readonly own: string;
}

export interface MeetingRow {
  readonly operand: number;
  readonly name: string;
  readonly shape: string;
  /** Null where the operand has no part. */
  readonly cells: readonly (Meeting | null)[];
}

export interface Meetings {
  readonly axes: readonly AlignedAxis[];
  readonly rows: readonly MeetingRow[];
  /** The extents of the result; `?` where it has none. */
  readonly result: readonly string[];
  /** Axes that are left out, since there are too many to be looked at. */
  readonly hidden: number;
}

const mostAxes = 24;

/** Those that clash come before the others. */
function drawn(axes: readonly AlignedAxis[]): readonly AlignedAxis[] {
  if (axes.length <= mostAxes) return axes;
  const clashing = axes.filter(({ conflict }) => conflict).slice(0, mostAxes);
  const room = mostAxes - clashing.length;
  const others = room > 0 ? axes.filter(({ conflict }) => !conflict).slice(-room) : [];
  return [...clashing, ...others].sort((a, b) => a.axis - b.axis);
}

function meeting(cell: AlignedCell | null, axis: AlignedAxis, leftOut: boolean): Meeting | null {
  if (!cell) return null;
  const { relation, sourceAxis } = cell;
  const own =
    relation === 'conflict' ? 'clash' : leftOut ? 'left out' : sourceAxis === null ? 'no axis' : `axis ${sourceAxis}`;
  const times = `×${axis.extent}`;
  const extent = { match: String(cell.extent), stretch: `1 ${times}`, insert: times, conflict: String(cell.extent) }[
    relation
  ];
  return { relation, extent, own };
}

export function meetingsOf(alignment: Alignment, model: Model): Meetings {
  const axes = drawn(alignment.axes);
  // A stretch by another clause than the rule's own: the rule leaves that axis out.
  const leftOut = ({ relation, clause }: AlignedCell): boolean =>
    relation === 'stretch' && model.rule !== null && clause !== model.rule.clauses.stretch;
  const row = (
    operand: number,
    name: string,
    shape: readonly Extent[],
    of: (axis: AlignedAxis) => AlignedCell | null,
  ): MeetingRow => ({
    operand,
    name,
    shape: shapeText(shape),
    cells: axes.map((axis) => {
      const cell = of(axis);
      return meeting(cell, axis, cell !== null && leftOut(cell));
    }),
  });
  const rows = model.operands.map(({ name, values }, i) => row(i, name, values ?? [], ({ cells }) => cells[i] ?? null));
  return {
    axes,
    rows: model.rule?.takesTarget
      ? [...rows, row(targetOperand, 'to', model.target.values ?? [], ({ target }) => target)]
      : rows,
    result: axes.map(({ conflict, extent }) => (conflict ? '?' : String(extent))),
    hidden: alignment.axes.length - axes.length,
  };
}
