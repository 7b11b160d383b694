// What each step of the alignment shows, in a sentence: for the page and for pictures.

import type { AlignedAxis, Alignment } from '../engine/engine';
import { repeatOf } from './drawn-axes';
import type { Model } from './model';
import type { Stage } from './stage-names';

/** A sentence about what the step shows. */
export function stepText(stage: Stage, model: Model, alignment: Alignment): string {
  const { axes } = alignment;
  switch (stage) {
    case 'written':
      return 'As written: each counts its own axes from the left.';
    case 'aligned':
      return placing(model, alignment);
    case 'stretched':
      return stretching(model, axes);
    case 'result':
      return alignment.failure ? 'There is no result.' : 'One extent is left on each axis: the result.';
  }
}

function placing({ rule, operands }: Model, { axes, failure }: Alignment): string {
  if (failure?.class === 'axis' || failure?.class === 'axes_mapping')
    return `\`${failure.class}\` does not place every axis.`;
  const second = operands[1];
  const start = axes.find(({ cells }) => cells[1]?.sourceAxis === 0)?.axis;
  if (rule?.placement === 'axis') {
    return second && start !== undefined
      ? `${second.name} is laid onto ${operands[0]?.name} from axis ${start} on.`
      : 'Each axis goes where `axis` puts it.';
  }
  if (rule?.placement === 'mapping') return '`axes_mapping` puts each axis where it belongs.';
  return 'Right under right: last axes share a column.';
}

function stretching({ rule }: Model, axes: readonly AlignedAxis[]): string {
  // Only operands are repeated, not a target.
  const some = (relation: string): boolean =>
    axes.some((axis) => axis.cells.some((cell) => cell.relation === relation && repeatOf(cell, axis) !== null));
  const clashing = axes.filter(({ conflict }) => conflict).map(({ axis }) => axis);
  const clash =
    clashing.length > 0
      ? ` ${clashing.length === 1 ? `Axis ${clashing[0]} clashes` : `${clashing.length} axes clash`}.`
      : '';
  if (rule && !rule.stretches) return `This rule repeats nothing.${clash}`;
  if (some('stretch')) return `A 1 is repeated: stride 0 reads it again.${clash}`;
  if (some('insert')) return `A missing axis is repeated: stride 0.${clash}`;
  return `No axis has to be repeated.${clash}`;
}
