// Which cells are lit: the cell in hand and the element of every operand that feeds it, or an element of an operand and all
// cells that it feeds. The alignment says which; nothing is computed here.

import type { Alignment, IndexRange } from '../engine/engine';
import type { DrawnResult } from './model';
import type { Pin } from '../state/state';

/** The cell that is pointed at. */
export type Hot = Pin;

export interface Lit {
  readonly hot: Hot;
  /** Whether it stays lit whatever is pointed at. */
  readonly pinned: boolean;
  /** The index of the lit element of each operand; null if none is lit. */
  readonly sources: readonly (readonly number[] | null)[];
  /** The lit cells of the result: a range along each axis. */
  readonly box: readonly IndexRange[];
}

/** Whether the cell exists; links may name cells that do not. */
function isCell(result: DrawnResult, hot: Hot): boolean {
  const shape = hot.kind === 'result' ? result.shape : result.operands[hot.operand]?.shape;
  return shape?.length === hot.index.length && hot.index.every((i, axis) => i < (shape[axis] ?? 0));
}

/** Lights the pinned cell if there is one, else the one pointed at, else the cell in hand. */
export function light(alignment: Alignment, result: DrawnResult, pin: Hot | null, pointed: Hot | null): Lit {
  const pinned = pin !== null && isCell(result, pin);
  const chosen = pinned ? pin : pointed;
  const hot: Hot = chosen && isCell(result, chosen) ? chosen : { kind: 'result', index: result.at };
  if (hot.kind === 'result') {
    return {
      hot,
      pinned,
      sources: result.operands.map((_, operand) => alignment.sourceOf(operand, hot.index)),
      box: hot.index.map((i) => ({ begin: i, end: i + 1 })),
    };
  }
  return {
    hot,
    pinned,
    sources: result.operands.map((_, operand) => (operand === hot.operand ? hot.index : null)),
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
