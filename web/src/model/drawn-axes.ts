// Which axes of an alignment are drawn, and what its cells are called: for the table on the page and for the pictures of it.

import type { AlignedAxis, AlignedCell, Extent, Failure, RuleEntry } from '../engine/engine';

/** More columns than this do not help anybody. */
const mostAxes = 24;

/** In their order; where there are too many, those that clash come before the others. */
export function drawnAxes(axes: readonly AlignedAxis[]): readonly AlignedAxis[] {
  if (axes.length <= mostAxes) return axes;
  const clashing = axes.filter(({ conflict }) => conflict).slice(0, mostAxes);
  const room = mostAxes - clashing.length;
  const others = room > 0 ? axes.filter(({ conflict }) => !conflict).slice(-room) : [];
  return [...clashing, ...others].sort((a, b) => a.axis - b.axis);
}

/** By another clause than the rule's own: the rule leaves that axis out, as PDPD does with trailing 1s. */
export const isLeftOut = ({ relation, clause }: AlignedCell, rule: RuleEntry | null): boolean =>
  (relation === 'stretch' || relation === 'match') && rule !== null && clause !== rule.clauses[relation];

/** The rule has found no place for the operand's axes. A target has no stride, and always its place. */
const isUnplaced = (cell: AlignedCell, { target }: AlignedAxis): boolean =>
  cell.relation === 'insert' && cell.stride === null && cell !== target;

/** How often the elements are read again along an axis; null where they are not. */
export function repeatOf(cell: AlignedCell, axis: AlignedAxis): Extent | null {
  const repeats = (cell.relation === 'stretch' || cell.relation === 'insert') && !isUnplaced(cell, axis);
  // An extent below 0 is what a target asks for, and nothing is repeated so often.
  return repeats && Number(axis.extent) !== 1 && Number(axis.extent) >= 0 ? axis.extent : null;
}

/** The operand's own extent as it is written; an empty text where it has no such axis. */
export const extentText = ({ sourceAxis, extent }: AlignedCell): string => (sourceAxis === null ? '' : String(extent));

/** `×4` */
export const timesText = (repeat: Extent | null): string => (repeat === null ? '' : `×${repeat}`);

/** A cell in words: `1, repeated to 4`, `no such axis, clashes`. */
export function cellText(cell: AlignedCell, axis: AlignedAxis, rule: RuleEntry | null): string {
  const repeat = repeatOf(cell, axis);
  const has = isUnplaced(cell, axis) ? 'no place yet' : extentText(cell) || 'no such axis';
  const goes =
    cell.relation === 'conflict'
      ? ', clashes'
      : repeat !== null
        ? `, repeated to ${repeat}`
        : cell.relation === 'match' && !isLeftOut(cell, rule)
          ? ', index for index'
          : '';
  return `${has}${goes}`;
}

/** The result's extent along an axis; `?` where there is none. */
export function resultText({ conflict, extent }: AlignedAxis, failure: Failure | null): string {
  const none = failure !== null && failure.class !== 'incompatible' && failure.class !== 'overflow';
  return conflict || none ? '?' : String(extent);
}

/** What follows the axes that are drawn; an empty text where these are all. */
export const hiddenText = (hidden: number, done: string): string =>
  hidden > 0 ? `${hidden} more ${hidden === 1 ? 'axis is' : 'axes are'} not ${done}.` : '';

/** Which axis of its own array a cell is. */
export const ownText = ({ sourceAxis }: AlignedCell): string =>
  sourceAxis === null ? 'no axis' : `axis ${sourceAxis}`;

/** What sets a cell apart; most are called nothing. */
export const markText = (cell: AlignedCell, rule: RuleEntry | null): string =>
  cell.relation === 'conflict' ? 'clash' : isLeftOut(cell, rule) ? 'left out' : '';
