// Small multiples: slices of the result along one axis, beside one another. Light that falls on a cell of one shows in
// all of them, so that one sees what an element feeds across slices.

import '../styles/tiles.css';
import { useMemo } from 'preact/hooks';
import type { Lit } from '../model/lit';
import type { Cloth } from '../model/model';
import { tilesOf } from '../model/tiles';
import { ResultGrid } from './result-grid';

export function Tiles({ cloth, lit }: { cloth: Cloth; lit: Lit }) {
  const axis = cloth.tiles ?? 0;
  const { heading, rows, columns, cellWidth, tiles } = useMemo(() => tilesOf(cloth, axis), [cloth]);
  return (
    <section class="tiles" aria-labelledby="tiles-title" style={{ '--cell-width': `${cellWidth}px` }}>
      <h3 id="tiles-title">{heading}</h3>
      <div class="multiples">
        {tiles.map(({ place, here, title, cloth: slice, cells }) => (
          <figure key={place} class={`tile ${here ? 'here' : ''}`}>
            <figcaption>
              <code>{title}</code>
              {here && <span class="note"> in hand</span>}
            </figcaption>
            <ResultGrid
              id={`tile-${place}`}
              label={`Result, axis ${axis} at ${place}`}
              cloth={slice}
              lit={lit}
              rows={rows}
              columns={columns}
              rulers={{ rows: false, columns: false }}
              compact
              cells={cells}
            />
          </figure>
        ))}
      </div>
    </section>
  );
}
