// Small multiples: slices of the result along one axis, beside one another. Light that falls on a cell of one shows in
// all of them, so that one sees what an element feeds across slices.

import '../styles/tiles.css';
import { useMemo } from 'preact/hooks';
import { countText, sliceText } from '../format';
import { inBox, type Lit, sameIndex } from '../lit';
import type { Cloth } from '../model';
import { indexAt, slicePicture } from '../picture';
import { hot, pin, state, update } from '../store';
import { Grid } from './grid';
import { windowOf } from '../window';

/** So many slices at once, of so many rows and columns each. */
const mostTiles = 8;
const mostCells = 8;

export function Tiles({ cloth, lit }: { cloth: Cloth; lit: Lit }) {
  const axis = cloth.tiles ?? 0;
  const part = windowOf(cloth.shape, cloth.at, axis, mostTiles);
  const rows = windowOf(cloth.shape, cloth.at, cloth.rows, mostCells);
  const columns = windowOf(cloth.shape, cloth.at, cloth.columns, mostCells);
  const slices = useMemo(
    () =>
      Array.from({ length: part.drawn }, (_, i) => {
        const at = cloth.at.map((own, a) => (a === axis ? part.first + i : own));
        const slice: Cloth = { ...cloth, at };
        return { slice, ...slicePicture(slice, rows, columns) };
      }),
    [cloth],
  );
  const cellWidth = Math.max(...slices.map((slice) => slice.cellWidth));
  const whole = cloth.shape.map((_, a) => a === cloth.rows || a === cloth.columns);
  const hidden = (rows.all - rows.drawn) * columns.all + (columns.all - columns.drawn) * rows.drawn > 0;
  const leave = (): void => void (hot.value = null);
  return (
    <section class="tiles" aria-labelledby="tiles-title" style={{ '--cell-width': `${cellWidth}px` }}>
      <h3 id="tiles-title">
        Slices along axis {axis}
        {part.drawn < part.all && ` (${part.first} to ${part.first + part.drawn - 1} of ${countText(part.all)})`}
        {hidden && `, ${rows.drawn} × ${columns.drawn} cells of each around the cell in hand`}
      </h3>
      <div class="multiples">
        {slices.map(({ slice, cells }, i) => {
          const here = part.first + i === cloth.at[axis];
          const walk = (row: number, column: number): void => {
            const at = indexAt(slice, row, column);
            if (!sameIndex(state.value.at, at)) update({ ...state.value, at });
          };
          return (
            <figure key={part.first + i} class={`tile ${here ? 'here' : ''}`}>
              <figcaption>
                <code>out{sliceText(slice.at, whole)}</code>
                {here && <span class="note"> in hand</span>}
              </figcaption>
              <Grid
                id={`tile-${part.first + i}`}
                label={`Result, axis ${axis} at ${part.first + i}`}
                hue="hue-result"
                rows={rows}
                columns={columns}
                rulers={{ rows: false, columns: false }}
                compact
                cells={cells}
                isLit={(index) => inBox(index, lit.box)}
                isHand={(index) => lit.hot.kind === 'result' && sameIndex(lit.hot.index, index)}
                stop={{
                  row: cloth.rows === null ? 0 : (cloth.at[cloth.rows] ?? 0),
                  column: cloth.columns === null ? 0 : (cloth.at[cloth.columns] ?? 0),
                }}
                onPoint={(row, column) => (hot.value = { kind: 'result', index: indexAt(slice, row, column) })}
                onLeave={leave}
                onWalk={walk}
                onPin={(row, column) => pin({ kind: 'result', index: indexAt(slice, row, column) })}
              />
            </figure>
          );
        })}
      </div>
    </section>
  );
}
