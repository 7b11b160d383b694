// The alignment as rows of texts: an operand each, a cell for each axis of the result. Pictures and Markdown are made of
// them; what they say is the core's.

import { drawnAxes, extentText, markText, ownText, repeatOf, resultText, timesText } from '../model/drawn-axes';
import {
  type AlignedAxis,
  type AlignedCell,
  type Alignment,
  type Extent,
  type RuleEntry,
  targetOperand,
} from '../engine/engine';
import { shapeText } from '../text/format';
import type { Model } from '../model/model';

export interface Meeting {
  readonly relation: AlignedCell['relation'];
  /** `4`, `1 ×6`, `×4`, `3`; an empty text where the operand has no such axis and nothing is repeated. */
  readonly extent: string;
  /** Which axis of the operand this is: `axis 0`, `no axis`, `clash`, `no axis, clash`, `left out`. */
  readonly own: string;
  /** Whether it is an extent that clashes. */
  readonly struck: boolean;
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

function meeting(cell: AlignedCell | null, axis: AlignedAxis, rule: RuleEntry | null): Meeting | null {
  if (!cell) return null;
  const { relation, sourceAxis } = cell;
  const mark = markText(cell, rule);
  const own = sourceAxis === null && mark ? `${ownText(cell)}, ${mark}` : mark || ownText(cell);
  const extent = [extentText(cell), timesText(repeatOf(cell, axis))].filter(Boolean).join(' ');
  return { relation, extent, own, struck: relation === 'conflict' && sourceAxis !== null };
}

export function meetingsOf(alignment: Alignment, model: Model): Meetings {
  const axes = drawnAxes(alignment.axes);
  const row = (
    operand: number,
    name: string,
    shape: readonly Extent[],
    of: (axis: AlignedAxis) => AlignedCell | null,
  ): MeetingRow => ({
    operand,
    name,
    shape: shapeText(shape),
    cells: axes.map((axis) => meeting(of(axis), axis, model.rule)),
  });
  const rows = model.operands.map(({ name, values }, i) => row(i, name, values ?? [], ({ cells }) => cells[i] ?? null));
  return {
    axes,
    rows: model.rule?.takesTarget
      ? [...rows, row(targetOperand, 'to', model.target.values ?? [], ({ target }) => target)]
      : rows,
    result: axes.map((axis) => resultText(axis, alignment.failure)),
    hidden: alignment.axes.length - axes.length,
  };
}
