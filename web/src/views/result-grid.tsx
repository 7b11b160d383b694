// Cells of the result as a grid: the slice on the loom, or one of several beside one another. What is pointed at, walked to
// or pinned is a cell of the result, whichever grid shows it.

import type { ComponentChildren } from 'preact';
import { inBox, type Lit, sameIndex } from '../model/lit';
import type { Cloth } from '../model/model';
import { type Cells, indexAt } from '../model/picture';
import { hot, pin, state, update } from '../store/store';
import type { Window } from '../text/window';
import { Grid } from './grid';

interface Props {
  id: string;
  label: string;
  /** With the index of the slice that is shown. */
  cloth: Cloth;
  lit: Lit;
  rows: Window;
  columns: Window;
  rulers: { readonly rows: boolean; readonly columns: boolean };
  compact: boolean;
  cells: Cells;
  children?: ComponentChildren;
}

/** What was pointed at is no more. */
export const leave = (): void => void (hot.value = null);

export function ResultGrid({ cloth, lit, ...shown }: Props) {
  const cellAt = (row: number, column: number) => ({ kind: 'result', index: indexAt(cloth, row, column) }) as const;
  const on = (axis: number | null): number => (axis === null ? 0 : (cloth.at[axis] ?? 0));
  return (
    <Grid
      {...shown}
      hue="hue-result"
      isLit={(index) => inBox(index, lit.box)}
      isHand={(index) => lit.hot.kind === 'result' && sameIndex(lit.hot.index, index)}
      stop={{ row: on(cloth.rows), column: on(cloth.columns) }}
      onPoint={(row, column) => (hot.value = cellAt(row, column))}
      onLeave={leave}
      onWalk={(row, column) => {
        const at = indexAt(cloth, row, column);
        if (sameIndex(state.value.at, at)) leave();
        else update({ ...state.value, at });
      }}
      onPin={(row, column) => pin(cellAt(row, column))}
    />
  );
}
