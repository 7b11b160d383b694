// Which axes of an alignment are drawn, and what its cells are called: for the table on the page and for the pictures of it.

import type { AlignedAxis, AlignedCell, RuleEntry } from './engine';

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

/** A stretch by another clause than the rule's own: the rule leaves that axis out, as PDPD does with trailing 1s. */
export const isLeftOut = ({ relation, clause }: AlignedCell, rule: RuleEntry | null): boolean =>
  relation === 'stretch' && rule !== null && clause !== rule.clauses.stretch;

/** Which axis of its own array a cell is. */
export const ownText = ({ sourceAxis }: AlignedCell): string =>
  sourceAxis === null ? 'no axis' : `axis ${sourceAxis}`;

/** What sets a cell apart; most are called nothing. */
export const markText = (cell: AlignedCell, rule: RuleEntry | null): string =>
  cell.relation === 'conflict' ? 'clash' : isLeftOut(cell, rule) ? 'left out' : '';
