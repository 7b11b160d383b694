// The rows of the alignment's table: the operands, and the target if the rule takes one.

import type { AlignedAxis, AlignedCell, AxisNames, Engine, Extent } from '../engine/engine';
import { targetOperand } from '../engine/engine';
import type { Model } from '../model/model';

export interface Row {
  readonly operand: number;
  readonly name: string;
  readonly shape: readonly Extent[];
  readonly names: AxisNames | null;
  readonly cell: (axis: AlignedAxis) => AlignedCell | null;
}

export function rowsOf(core: Engine, model: Model): readonly Row[] {
  const rows: Row[] = model.operands.map(({ name, values, names }, i) => ({
    operand: i,
    name,
    shape: values ?? [],
    names,
    cell: (axis) => axis.cells[i] ?? null,
  }));
  if (model.rule?.takesTarget) {
    rows.push({
      operand: targetOperand,
      name: core.operandName(targetOperand),
      shape: model.target.values ?? [],
      names: model.target.names,
      cell: (axis) => axis.target,
    });
  }
  return rows;
}
