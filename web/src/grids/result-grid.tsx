// A slice of the result as a grid: the slice in hand, or one of several side by side. Pointing at a cell, moving to it and
// pinning it mean the same in every such grid.

import type { ComponentChildren } from 'preact';
import { useDrawn } from '../context/context';
import { inBox, sameIndex } from '../model/lit';
import type { DrawnResult } from '../model/model';
import { type CellRows, indexAt } from '../model/picture';
import { hot, pin, state, update } from '../store/store';
import type { CellRange } from '../text/cell-range';
import { Grid } from './grid';

interface Props {
  id: string;
  label: string;
  /** With the index of the slice that the grid shows. */
  result: DrawnResult;
  rows: CellRange;
  columns: CellRange;
  rulers: { readonly rows: boolean; readonly columns: boolean };
  compact: boolean;
  cells: CellRows;
  inOrder?: boolean;
  children?: ComponentChildren;
}

/** Nothing is pointed at any more. */
export const leave = (): void => void (hot.value = null);

export function ResultGrid({ result, ...shown }: Props) {
  const { lit } = useDrawn();
  const cellAt = (row: number, column: number) => ({ kind: 'result', index: indexAt(result, row, column) }) as const;
  const on = (axis: number | null): number => (axis === null ? 0 : (result.at[axis] ?? 0));
  return (
    <Grid
      {...shown}
      hue="hue-result"
      isLit={(index) => inBox(index, lit.box)}
      isHand={(index) => lit.hot.kind === 'result' && sameIndex(lit.hot.index, index)}
      stop={{ row: on(result.rows), column: on(result.columns) }}
      onPoint={(row, column) => (hot.value = cellAt(row, column))}
      onLeave={leave}
      onMove={(row, column) => {
        const at = indexAt(result, row, column);
        if (sameIndex(state.value.at, at)) leave();
        else update({ ...state.value, at });
      }}
      onPin={(row, column) => pin(cellAt(row, column))}
    />
  );
}
