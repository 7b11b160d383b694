// Which axes of an alignment are drawn, and the texts of its cells: for the table on the page and for the pictures of it.

import type { AlignedAxis, AlignedCell, AxisNames, Extent, Failure, RuleEntry } from '../engine/engine';

/** At most so many axes are drawn: more columns could not be read. */
export const mostAxes = 24;

/** The axes that are drawn, in their order. If there are too many, those that clash are kept before others. */
export function drawnAxes(axes: readonly AlignedAxis[], most = mostAxes): readonly AlignedAxis[] {
  if (axes.length <= most) return axes;
  const clashing = axes.filter(({ conflict }) => conflict).slice(0, most);
  const room = most - clashing.length;
  const others = room > 0 ? axes.filter(({ conflict }) => !conflict).slice(-room) : [];
  return [...clashing, ...others].sort((a, b) => a.axis - b.axis);
}

/** Whether the rule leaves out the cell's axis, as PDPD does with trailing 1s: another clause than the rule's own decides it. */
export const isLeftOut = ({ relation, clause }: AlignedCell, rule: RuleEntry | null): boolean =>
  (relation === 'stretch' || relation === 'match') && rule !== null && clause !== rule.clauses[relation];

/** Whether the rule found no place for the operand's axes. A target has no stride, but always has its place. */
const isUnplaced = (cell: AlignedCell, { target }: AlignedAxis): boolean =>
  cell.relation === 'insert' && cell.stride === null && cell !== target;

/** How many times the elements are repeated along an axis; null if they are not. */
export function repeatOf(cell: AlignedCell, axis: AlignedAxis): Extent | null {
  const repeats = (cell.relation === 'stretch' || cell.relation === 'insert') && !isUnplaced(cell, axis);
  // A target may ask for an extent below 0, which repeats nothing.
  return repeats && Number(axis.extent) !== 1 && Number(axis.extent) >= 0 ? axis.extent : null;
}

/** The operand's own extent; an empty text if it has no such axis. */
export const extentText = ({ sourceAxis, extent }: AlignedCell): string => (sourceAxis === null ? '' : String(extent));

/** The extent that is compared: the operand's own, or the 1 that a missing axis counts as; an empty text if there is neither. */
export const countedText = (cell: AlignedCell, axis: AlignedAxis): string =>
  cell.relation === 'insert' && !isUnplaced(cell, axis) ? '1' : extentText(cell);

/** `×4` */
export const timesText = (repeat: Extent | null): string => (repeat === null ? '' : `×${repeat}`);

/** A cell in words: `1, stretches to 4`, `no such axis, clashes`. */
export function cellText(cell: AlignedCell, axis: AlignedAxis, rule: RuleEntry | null): string {
  const repeat = repeatOf(cell, axis);
  const has = isUnplaced(cell, axis) ? 'no place yet' : extentText(cell) || 'no such axis';
  const goes =
    cell.relation === 'conflict'
      ? ', clashes'
      : repeat !== null
        ? `, stretches to ${repeat}`
        : cell.relation === 'match' && !isLeftOut(cell, rule)
          ? ', matches'
          : '';
  return `${has}${goes}`;
}

/** Whether an alignment failed before extents were compared: not every axis has a place. */
export const isIncomplete = (failure: Failure | null): boolean =>
  failure !== null && failure.class !== 'incompatible' && failure.class !== 'overflow';

/** The result's extent along an axis; `?` if there is none. */
export const resultText = ({ conflict, extent }: AlignedAxis, failure: Failure | null): string =>
  conflict || isIncomplete(failure) ? '?' : String(extent);

/** Says how many axes are left out; an empty text if none is. */
export const hiddenText = (hidden: number, done: string): string =>
  hidden > 0 ? `${hidden} more ${hidden === 1 ? 'axis is' : 'axes are'} not ${done}.` : '';

/** The operand's own axis in a cell: its name, or its number. */
export const ownText = ({ sourceAxis }: AlignedCell, names: AxisNames | null): string =>
  sourceAxis === null ? 'no axis' : names?.[sourceAxis] || `axis ${sourceAxis}`;

/** The mark of a cell that clashes or is ignored; else an empty text. */
export const markText = (cell: AlignedCell, rule: RuleEntry | null): string =>
  cell.relation === 'conflict' ? 'clash' : isLeftOut(cell, rule) ? 'ignored' : '';
