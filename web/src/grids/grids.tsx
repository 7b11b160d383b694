// The grids of operands and result. Operands of one row lie above the result, column over column; the others stand beside it,
// row by row.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Alignment, IndexRange } from '../engine/engine';
import { sliceText } from '../text/format';
import { type Lit, sameIndex } from '../model/lit';
import type { DrawnResult, Model } from '../model/model';
import { draw, isLarge, type Panel, type Picture } from '../model/picture';
import { hot, lit as litSignal, pin } from '../store/store';
import { Arithmetic } from './arithmetic';
import { Chip, hueOf } from '../components/chip';
import { Grid } from './grid';
import { lazily } from '../components/lazy';
import { leave, ResultGrid } from './result-grid';
import { RepeatLines } from './repeat-lines';

const AxisPlaces = lazily(() => import('./axis-places').then(({ AxisPlaces }) => AxisPlaces));
const LargeGrid = lazily(() => import('../large/large-grid').then(({ LargeGrid }) => LargeGrid));
const SliceGrids = lazily(() => import('./slice-grids').then(({ SliceGrids }) => SliceGrids));

const cellHeight = 34;

interface Props {
  model: Model;
  alignment: Alignment;
  result: DrawnResult;
}

/**
 * The loom where there is a result. Where the next letter takes it away it is kept, out of sight and of reach: mostly the one
 * after brings it back, and to put it back takes far less than to make it anew.
 */
export function Grids({ model }: { model: Model }) {
  const kept = useRef<VNode | null>(null);
  // Read here, so that pointing at cells draws nothing but the loom again.
  const lit = litSignal.value;
  const { alignment, result } = model;
  const shows = lit !== null && alignment !== null && result !== null;
  const large = shows && isLarge(result);
  const drawn = shows ? (
    <ShownGrids model={model} alignment={alignment} result={result} lit={lit} large={large} />
  ) : (
    kept.current
  );
  kept.current = large ? null : drawn;
  if (!drawn) return null;
  const look = shows ? [lit.pinned && 'pinned', large && 'vast'] : ['kept'];
  return (
    <section
      class={['grids-section', ...look].filter(Boolean).join(' ')}
      aria-labelledby="grids-title"
      onKeyDown={({ key }) => key === 'Escape' && pin(null)}
    >
      {drawn}
    </section>
  );
}

function ShownGrids({ model, alignment, result, lit, large }: Props & { lit: Lit; large: boolean }) {
  return (
    <>
      <h2 id="grids-title">Which element goes where</h2>
      <Arithmetic model={model} result={result} lit={lit} />
      {(result.shape.length > 2 || result.outputs.length > 1) && <AxisPlaces model={model} result={result} />}
      {large ? (
        <LargeGrid model={model} alignment={alignment} result={result} lit={lit} />
      ) : (
        <SmallGrids model={model} alignment={alignment} result={result} lit={lit} />
      )}
      {result.slices !== null && <SliceGrids result={result} lit={lit} />}
    </>
  );
}

function SmallGrids({ model, alignment, result, lit }: Props & { lit: Lit }) {
  const picture = useMemo(() => draw(alignment, model, result), [alignment, model, result]);
  const { panels, above, beside, stacked } = picture;
  const shape = [stacked && 'stacked', above.length === 0 && 'no-above', beside.length === 0 && 'no-beside'];
  return (
    <>
      <div class="grids-scroll">
        <div
          class={['grids', ...shape].filter(Boolean).join(' ')}
          style={{
            '--cell-width': `${picture.cellWidth}px`,
            '--cell-height': `${cellHeight}px`,
            '--clear-left': `${picture.clearLeft}px`,
            '--clear-bottom': `${picture.clearBottom}px`,
            '--above-names': `${nameRoom(above)}px`,
          }}
        >
          {beside.length > 0 && (
            <div class="beside">
              {beside.map((panel) => (
                <OperandGrid key={panel.operand} panel={panel} lit={lit} />
              ))}
            </div>
          )}
          {above.length > 0 && (
            <div class="above">
              {above.map((panel, i) => (
                <OperandGrid key={panel.operand} panel={panel} lit={lit} row first={i === 0} />
              ))}
            </div>
          )}
          <Result model={model} result={result} picture={picture} lit={lit} />
        </div>
      </div>
      <p class="legend">
        {panels.map(({ operand, name, says }) => (
          <span key={operand}>
            <Chip operand={operand}>{name}</Chip> {says}.
          </span>
        ))}
      </p>
    </>
  );
}

/** What the longest name of these takes beyond the room that a letter has. */
const nameRoom = (panels: readonly Panel[]): number =>
  Math.max(0, ...panels.map(({ name }) => Math.min(96, 8 * name.length + 12) - 22));

/** An operand's grid; as a row above the result, or beside it. */
function OperandGrid({ panel, lit, row, first }: { panel: Panel; lit: Lit; row?: boolean; first?: boolean }) {
  const { operand, name, cells, rows, columns, rulers } = panel;
  const source = lit.sources[operand] ?? null;
  const isLit = (index: readonly number[]): boolean => sameIndex(source, index);
  const litRow = Math.max(
    0,
    cells.findIndex((line) => line.some(({ index }) => isLit(index))),
  );
  const litColumn = Math.max(0, cells[litRow]?.findIndex(({ index }) => isLit(index)) ?? 0);
  const point = (r: number, c: number): void => {
    const index = cells[r - rows.first]?.[c - columns.first]?.index;
    if (index) hot.value = { kind: 'source', operand, index };
  };
  return (
    <figure class="panel">
      <figcaption>
        <Chip operand={operand}>{name}</Chip>
        {panel.title && <code>{panel.title}</code>}
      </figcaption>
      <Grid
        id={`grid-${operand}`}
        label={`${name}, ${panel.says}`}
        hue={hueOf(operand)}
        rows={rows}
        columns={columns}
        rulers={row ? { rows: false, columns: rulers.columns && first === true } : rulers}
        compact={row === true}
        cells={cells}
        isLit={isLit}
        isHand={isLit}
        stop={{ row: rows.first + litRow, column: columns.first + litColumn }}
        onPoint={point}
        onLeave={leave}
        onMove={point}
        onPin={(r, c) => {
          const index = cells[r - rows.first]?.[c - columns.first]?.index;
          if (index) pin({ kind: 'source', operand, index });
        }}
      />
    </figure>
  );
}

interface ResultProps {
  model: Model;
  result: DrawnResult;
  picture: Picture;
  lit: Lit;
}

function Result({ model, result, picture, lit }: ResultProps) {
  const { rows, columns, above, beside, stacked, cells, repeated, cellWidth } = picture;
  const several = result.outputs.length > 1;
  const whose = model.operands[result.output]?.name ?? '';
  const left = stacked ? null : (beside.at(-1) ?? null);
  const alone = above.length === 0;
  const headed = several || left !== null || alone;
  const whole = result.shape.map((_, axis) => axis === result.rows || axis === result.columns);

  const pulls = (operand: number): boolean => lit.hot.kind === 'result' || lit.hot.operand === operand;
  const inRange = (axis: number | null, i: number): boolean => axis === null || within(lit.box[axis], i);

  return (
    <figure class="panel result-panel">
      {headed && (
        <figcaption>
          {(several || alone) && <span class="chip result">{several ? `= ${whose}` : '='}</span>}
          {result.shape.length > 2 && alone && <code>{sliceText(result.at, whole)}</code>}
        </figcaption>
      )}
      <ResultGrid
        id="grid-result"
        label={several ? `Result of ${whose}` : 'Result'}
        result={result}
        lit={lit}
        rows={rows}
        columns={columns}
        rulers={{
          // Written once: not again where a neighbour has them already.
          rows: result.rows !== null && !(left?.rows.all === rows.all && rows.all > 1),
          columns: result.columns !== null && !(above[0]?.columns.all === columns.all && above[0].rulers.columns),
        }}
        compact={!headed}
        cells={cells}
      >
        <RepeatLines
          repeated={repeated}
          reachesLeft={left?.operand ?? null}
          reachesUp={rows.all > 1 ? (above.at(-1)?.operand ?? null) : null}
          headed={headed}
          rows={rows.drawn}
          columns={columns.drawn}
          cellWidth={cellWidth}
          cellHeight={cellHeight}
          litRow={(operand, row) => pulls(operand) && inRange(result.rows, rows.first + row)}
          litColumn={(operand, column) => pulls(operand) && inRange(result.columns, columns.first + column)}
        />
      </ResultGrid>
    </figure>
  );
}

const within = (range: IndexRange | undefined, i: number): boolean =>
  range !== undefined && i >= range.begin && i < range.end;
