// Which cells are lit: from the cell in hand to the source cell of every
// operand, or from a source cell to everything that it feeds. The core's maps
// say which; this only keeps them together.

import type { Alignment, IndexRange } from './engine';
import type { Cloth } from './model';

/** What the reader points at. */
export type Hot =
  | { readonly kind: 'result'; readonly index: readonly number[] }
  | { readonly kind: 'source'; readonly operand: number; readonly index: readonly number[] };

export interface Lit {
  readonly hot: Hot;
  /** The lit element of each operand; null where none is. */
  readonly sources: readonly (readonly number[] | null)[];
  /** The lit cells of the result, axis by axis. */
  readonly box: readonly IndexRange[];
}

export function light(alignment: Alignment, cloth: Cloth, pointed: Hot | null): Lit {
  const fits =
    pointed !== null &&
    (pointed.kind === 'result'
      ? pointed.index.length === cloth.shape.length && pointed.index.every((i, axis) => i < (cloth.shape[axis] ?? 0))
      : pointed.operand < cloth.operands.length &&
        pointed.index.length === cloth.operands[pointed.operand]?.shape.length &&
        pointed.index.every((i, axis) => i < (cloth.operands[pointed.operand]?.shape[axis] ?? 0)));
  const hot: Hot = fits ? pointed : { kind: 'result', index: cloth.at };
  if (hot.kind === 'result') {
    return {
      hot,
      sources: cloth.operands.map((_, operand) => alignment.sourceOf(operand, hot.index)),
      box: hot.index.map((i) => ({ begin: i, end: i + 1 })),
    };
  }
  return {
    hot,
    sources: cloth.operands.map((_, operand) => (operand === hot.operand ? hot.index : null)),
    box: alignment.fanOut(hot.operand, hot.index),
  };
}

export const inBox = (index: readonly number[], box: readonly IndexRange[]): boolean =>
  box.every(({ begin, end }, axis) => (index[axis] ?? -1) >= begin && (index[axis] ?? -1) < end);

export const sameIndex = (a: readonly number[] | null, b: readonly number[]): boolean =>
  a !== null && a.length === b.length && a.every((i, axis) => i === b[axis]);
