// Names of axes, (batch=8, heads=8), wherever axes are shown. Rules match axes by place; names are kept beside it.

import type { AlignedAxis, Alignment, AxisNames, Failure } from '../engine/engine';

interface Named {
  readonly names: AxisNames | null;
}

/** A name in few letters: `position_…`. */
export const shortName = (name: string, most = 11): string =>
  name.length > most ? `${name.slice(0, most - 1)}…` : name;

/** The name that operands give an axis of the result: `batch`, `batch/heads` of unlike names, an empty text for none. */
export function nameAlong(axis: AlignedAxis, operands: readonly Named[]): string {
  const names = axis.cells.flatMap(({ sourceAxis }, i) =>
    sourceAxis === null ? [] : operands[i]?.names?.[sourceAxis] || [],
  );
  return [...new Set(names)].join('/');
}

/** The index of a cell with the names of its axes: `[batch=1, 2]`. */
export const namedIndex = (
  index: readonly (number | string)[],
  names: AxisNames | null,
): readonly (number | string)[] =>
  names ? index.map((i, axis) => (names[axis] ? `${shortName(names[axis])}=${i}` : i)) : index;

/** The names of the result's axes; null where there are none. */
export function resultNames(alignment: Alignment | null, operands: readonly Named[]): AxisNames | null {
  if (!alignment || !operands.some(({ names }) => names)) return null;
  return alignment.axes.map((axis) => nameAlong(axis, operands) || null);
}

/** The alignment with names beside the numbers of axes in its sentences. */
export function withNames(alignment: Alignment, operands: readonly Named[]): Alignment {
  const names = resultNames(alignment, operands);
  if (!names) return alignment;
  const named = (text: string): string =>
    text.replace(/(^Axis|\balong axis) (\d+)\b/gi, (found, _, axis: string) => {
      const name = names[Number(axis)];
      return name ? `${found} (${shortName(name, 24)})` : found;
    });
  const inFailure = (failure: Failure): Failure => ({ ...failure, message: named(failure.message) });
  return {
    ...alignment,
    verdict: named(alignment.verdict),
    failure: alignment.failure && inFailure(alignment.failure),
    cause() {
      const cause = alignment.cause();
      return cause && { ...cause, text: named(cause.text) };
    },
    repairs: (pasted) => alignment.repairs(pasted).map((repair) => ({ ...repair, meaning: named(repair.meaning) })),
    warnings: () =>
      alignment
        .warnings()
        .map((warning) => (warning.kind === 'axis_names' ? warning : { ...warning, message: named(warning.message) })),
  };
}
