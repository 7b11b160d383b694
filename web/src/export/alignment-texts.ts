// The alignment as texts: a row for each operand, a cell for each axis of the result. Pictures and Markdown are made of them.

import {
  countedText,
  drawnAxes,
  markText,
  mostAxes,
  ownText,
  repeatOf,
  resultText,
  timesText,
} from '../model/drawn-axes';
import {
  type AlignedAxis,
  type AlignedCell,
  type Alignment,
  type AxisNames,
  type RuleEntry,
  targetOperand,
} from '../engine/engine';
import { fieldText } from '../text/symbolic-text';
import { nameAlong, shortName } from '../model/axis-names';
import type { Field, Model } from '../model/model';

export interface CellTexts {
  readonly relation: AlignedCell['relation'];
  /** `4`, the 1 that a missing axis counts as, or an empty text. */
  readonly extent: string;
  /** `×6`; an empty text if nothing is repeated. */
  readonly times: string;
  /** The operand's own axis: `axis 0`, `no axis`. */
  readonly place: string;
  /** The same, or the cell's mark: `axis 0`, `no axis`, `clash`, `no axis, clash`, `ignored`. */
  readonly own: string;
  /** The number of the operand's own axis; null if it has none. */
  readonly axis: number | null;
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
  /** `axis 0`, `axis 0 (batch)` */
  readonly titles: readonly string[];
  readonly rows: readonly RowTexts[];
  /** The extents of the result; `?` for none. */
  readonly result: readonly string[];
  /** The number of axes that are left out, if there are too many. */
  readonly hidden: number;
}

function cellTexts(
  cell: AlignedCell | null,
  axis: AlignedAxis,
  rule: RuleEntry | null,
  names: AxisNames | null,
): CellTexts | null {
  if (!cell) return null;
  const { relation, sourceAxis } = cell;
  const mark = markText(cell, rule);
  const place = shortName(ownText(cell, names), 24);
  const own = sourceAxis === null && mark ? `${place}, ${mark}` : mark || place;
  return {
    ...{ relation, place, own, axis: sourceAxis },
    extent: countedText(cell, axis),
    times: timesText(repeatOf(cell, axis)),
    struck: relation === 'conflict' && sourceAxis !== null,
  };
}

/** `1 ×6` */
export const repeatedText = ({ extent, times }: CellTexts): string => [extent, times].filter(Boolean).join(' ');

/** `most` is how many axes are drawn. */
export function alignmentTexts(alignment: Alignment, model: Model, most = mostAxes): AlignmentTexts {
  const axes = drawnAxes(alignment.axes, most);
  const row = (
    operand: number,
    name: string,
    { values: shape, names }: Field,
    of: (axis: AlignedAxis) => AlignedCell | null,
  ): RowTexts => ({
    operand,
    name,
    shape: fieldText(shape ?? [], names),
    cells: axes.map((axis) => cellTexts(of(axis), axis, model.rule, names)),
  });
  const rows = model.operands.map((operand, i) => row(i, operand.name, operand, ({ cells }) => cells[i] ?? null));
  return {
    axes,
    titles: axes.map((axis) => {
      const name = nameAlong(axis, model.operands);
      return `axis ${axis.axis}${name && ` (${shortName(name, 24)})`}`;
    }),
    rows: model.rule?.takesTarget ? [...rows, row(targetOperand, 'to', model.target, ({ target }) => target)] : rows,
    result: axes.map((axis) => resultText(axis, alignment.failure)),
    hidden: alignment.axes.length - axes.length,
  };
}
