// The alignment as texts: a row for each operand, a cell for each axis of the result. Pictures and Markdown are made of them.

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

export interface CellTexts {
  readonly relation: AlignedCell['relation'];
  /** `4`, `1 ×6`, `×4`; an empty text if the operand has no such axis and nothing is repeated. */
  readonly extent: string;
  /** The operand's own axis, or the cell's mark: `axis 0`, `no axis`, `clash`, `no axis, clash`, `left out`. */
  readonly own: string;
  /** Whether the extent is struck out, as it clashes. */
  readonly struck: boolean;
}

export interface RowTexts {
  readonly operand: number;
  readonly name: string;
  readonly shape: string;
  /** Null for an axis in which the operand takes no part. */
  readonly cells: readonly (CellTexts | null)[];
}

export interface AlignmentTexts {
  readonly axes: readonly AlignedAxis[];
  readonly rows: readonly RowTexts[];
  /** The extents of the result; `?` for none. */
  readonly result: readonly string[];
  /** The number of axes that are left out, if there are too many. */
  readonly hidden: number;
}

function cellTexts(cell: AlignedCell | null, axis: AlignedAxis, rule: RuleEntry | null): CellTexts | null {
  if (!cell) return null;
  const { relation, sourceAxis } = cell;
  const mark = markText(cell, rule);
  const own = sourceAxis === null && mark ? `${ownText(cell)}, ${mark}` : mark || ownText(cell);
  const extent = [extentText(cell), timesText(repeatOf(cell, axis))].filter(Boolean).join(' ');
  return { relation, extent, own, struck: relation === 'conflict' && sourceAxis !== null };
}

export function alignmentTexts(alignment: Alignment, model: Model): AlignmentTexts {
  const axes = drawnAxes(alignment.axes);
  const row = (
    operand: number,
    name: string,
    shape: readonly Extent[],
    of: (axis: AlignedAxis) => AlignedCell | null,
  ): RowTexts => ({
    operand,
    name,
    shape: shapeText(shape),
    cells: axes.map((axis) => cellTexts(of(axis), axis, model.rule)),
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
