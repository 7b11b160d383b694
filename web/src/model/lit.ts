// Which cells are lit: from the cell in hand to the source cell of every
// operand, or from a source cell to everything that it feeds. The core's maps
// say which; this only keeps them together.

import type { Alignment, IndexRange } from '../engine/engine';
import type { Cloth } from './model';
import type { Pin } from '../state/state';

/** What the reader points at. */
export type Hot = Pin;

export interface Lit {
  readonly hot: Hot;
  /** Held in hand, whatever is pointed at. */
  readonly pinned: boolean;
  /** The lit element of each operand; null where none is. */
  readonly sources: readonly (readonly number[] | null)[];
  /** The lit cells of the result, axis by axis. */
  readonly box: readonly IndexRange[];
}

/** Whether there is such a cell: links may name others. */
function isCell(cloth: Cloth, hot: Hot): boolean {
  const shape = hot.kind === 'result' ? cloth.shape : cloth.operands[hot.operand]?.shape;
  return shape?.length === hot.index.length && hot.index.every((i, axis) => i < (shape[axis] ?? 0));
}

/** What is pinned goes before what is pointed at, and this before the cell in hand. */
export function light(alignment: Alignment, cloth: Cloth, pin: Hot | null, pointed: Hot | null): Lit {
  const pinned = pin !== null && isCell(cloth, pin);
  const chosen = pinned ? pin : pointed;
  const hot: Hot = chosen && isCell(cloth, chosen) ? chosen : { kind: 'result', index: cloth.at };
  if (hot.kind === 'result') {
    return {
      hot,
      pinned,
      sources: cloth.operands.map((_, operand) => alignment.sourceOf(operand, hot.index)),
      box: hot.index.map((i) => ({ begin: i, end: i + 1 })),
    };
  }
  return {
    hot,
    pinned,
    sources: cloth.operands.map((_, operand) => (operand === hot.operand ? hot.index : null)),
    box: alignment.fanOut(hot.operand, hot.index),
  };
}

export const inBox = (index: readonly number[], box: readonly IndexRange[]): boolean =>
  box.every(({ begin, end }, axis) => (index[axis] ?? -1) >= begin && (index[axis] ?? -1) < end);

export const sameHot = (a: Hot | null, b: Hot): boolean =>
  a?.kind === b.kind &&
  sameIndex(a.index, b.index) &&
  (a.kind === 'result' || b.kind === 'result' || a.operand === b.operand);

export const sameIndex = (a: readonly number[] | null, b: readonly number[]): boolean =>
  a !== null && a.length === b.length && a.every((i, axis) => i === b[axis]);
