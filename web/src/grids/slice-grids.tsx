// Slices of the result along one axis, side by side. Lit cells are lit in all of them, so that it is seen which cells of other
// slices an element feeds.

import './slice-grids.css';
import { useMemo, useRef } from 'preact/hooks';
import { useDrawn } from '../context/context';
import { sliceGridsOf } from '../model/slice-grids';
import { Shortened } from '../components/shortened';
import { useScrollHints } from '../components/follow-scroll';
import { ResultGrid } from './result-grid';

export function SliceGrids() {
  const { result } = useDrawn();
  const axis = result.slices ?? 0;
  const box = useRef<HTMLDivElement>(null);
  useScrollHints(box);
  const { heading, rows, columns, cellWidth, grids } = useMemo(() => sliceGridsOf(result, axis), [result]);
  return (
    <section class="slice-grids" aria-labelledby="slice-grids-title" style={{ '--cell-width': `${cellWidth}px` }}>
      <h3 id="slice-grids-title">{heading}</h3>
      <div class="multiples" ref={box}>
        <div>
          {grids.map(({ index, here, title, shortTitle, result: slice, cells }) => (
            <figure key={index} class={`slice-grid ${here ? 'here' : ''}`}>
              <figcaption>
                <Shortened text={shortTitle} whole={title} />
                {here && <span class="note"> in hand</span>}
              </figcaption>
              <ResultGrid
                id={`slice-grid-${index}`}
                label={`Result, axis ${axis} at ${index}`}
                result={slice}
                rows={rows}
                columns={columns}
                rulers={{ rows: false, columns: false }}
                compact
                cells={cells}
              />
            </figure>
          ))}
        </div>
      </div>
    </section>
  );
}
