// The grids of operands and result. Operands of one row lie above the result, column over column; the others stand beside it,
// row by row.

import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import './grids.css';
import { DrawnContext, useDrawn, useModel } from '../context/context';
import type { IndexRange } from '../engine/engine';
import { shortSliceText, sliceText } from '../text/format';
import { sameIndex } from '../model/lit';
import { cellsInPlace, draw, isLarge, mostParts, type Panel, type Picture } from '../model/picture';
import { compares, keepsAnswer, stageOf, stages } from '../model/stage-names';
import { fillsInOrder } from '../store/playing';
import { hot, lit as litSignal, pin } from '../store/store';
import { Arithmetic } from './arithmetic';
import { Chip, hueOf } from '../components/chip';
import { Grid } from './grid';
import { Shortened } from '../components/shortened';
import { useScrollHints } from '../components/follow-scroll';
import { lazily } from '../components/lazy';
import { leave, ResultGrid } from './result-grid';
import { RepeatLines } from './repeat-lines';

const AxisPlaces = lazily(() => import('./axis-places').then(({ AxisPlaces }) => AxisPlaces));
const LargeGrid = lazily(
  () => import('../large/large-grid').then(({ LargeGrid }) => LargeGrid),
  <div class="awaited-grid" />,
);
const SliceGrids = lazily(() => import('./slice-grids').then(({ SliceGrids }) => SliceGrids));

const cellHeight = 34;
/** Pixels that an operand's element needs in a cell of the result, in the steps before the answer. */
const partHeight = 16;

/**
 * The grids, if there is a result. When a key stroke leaves no result, they are kept, hidden and inert: the next key stroke
 * mostly brings a result back, and showing them again takes far less time than making them.
 */
export function Grids() {
  const model = useModel();
  const kept = useRef<VNode | null>(null);
  // Read here, so that pointing at cells draws only the grids again.
  const lit = litSignal.value;
  const { alignment, result } = model;
  const shows = lit !== null && alignment !== null && result !== null;
  const large = shows && isLarge(result);
  const drawn = shows ? (
    <DrawnContext.Provider value={{ model, alignment, result, lit }}>
      <ShownGrids large={large} />
    </DrawnContext.Provider>
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
      data-step={stages[stageOf(model)]}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !lit?.pinned) return;
        event.preventDefault();
        pin(null);
      }}
    >
      {drawn}
    </section>
  );
}

function ShownGrids({ large }: { large: boolean }) {
  const { model, result } = useDrawn();
  return (
    <>
      <h2 id="grids-title">Where each value comes from</h2>
      {keepsAnswer(model) && (
        <p class="before-answer note">
          {compares(stageOf(model))
            ? 'Each cell of the result takes one element of each operand.'
            : 'The elements of each operand, before they are combined.'}
        </p>
      )}
      <Arithmetic />
      {(result.shape.length > 2 || result.outputs.length > 1) && <AxisPlaces />}
      {large ? <LargeGrid /> : <SmallGrids />}
      {result.slices !== null && <SliceGrids />}
    </>
  );
}

function SmallGrids() {
  const { model, alignment, result } = useDrawn();
  const picture = useMemo(() => draw(alignment, model, result), [alignment, model, result]);
  const { panels, above, beside, stacked, repeated, cellWidth } = picture;
  const height = keepsAnswer(model)
    ? Math.max(cellHeight, partHeight * Math.min(mostParts, repeated.length) + 4)
    : cellHeight;
  const box = useRef<HTMLDivElement>(null);
  useScrollHints(box);
  const shape = [stacked && 'stacked', above.length === 0 && 'no-above', beside.length === 0 && 'no-beside'];
  return (
    <>
      <div class="grids-scroll" ref={box}>
        <div
          class={['grids', ...shape].filter(Boolean).join(' ')}
          style={{
            '--cell-width': `${cellWidth}px`,
            '--cell-height': `${height}px`,
            '--written-at': `${-besideRoom(picture)}px`,
            '--clear-left': `${picture.clearLeft}px`,
            '--clear-bottom': `${picture.clearBottom}px`,
            '--above-names': `${nameRoom(above)}px`,
          }}
        >
          {beside.length > 0 && (
            <div class="beside">
              {beside.map((panel) => (
                <OperandGrid key={panel.operand} panel={panel} />
              ))}
            </div>
          )}
          {above.length > 0 && (
            <div class="above">
              {above.map((panel, i) => (
                <OperandGrid key={panel.operand} panel={panel} row first={i === 0} />
              ))}
            </div>
          )}
          <Result picture={picture} height={height} />
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

/** Pixels from the left edge of the grids to the rows above the result: there, shapes are written before they are aligned. */
const besideRoom = ({ beside, cellWidth }: Picture): number =>
  beside.reduce((sum, { columns }) => sum + columns.drawn * cellWidth + 22, 0) +
  32 * Math.max(0, beside.length - 1) +
  24;

/** Pixels that the longest of these names needs beyond those of a letter. */
const nameRoom = (panels: readonly Panel[]): number =>
  Math.max(0, ...panels.map(({ name }) => Math.min(96, 8 * name.length + 12) - 22));

/** An operand's grid; `row` if it is a row above the result, `first` if it is the topmost. */
function OperandGrid({ panel, row, first }: { panel: Panel; row?: boolean; first?: boolean }) {
  const { lit } = useDrawn();
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
        {panel.slice && <Shortened text={panel.shortSlice} whole={panel.slice} />}
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

function Result({ picture, height }: { picture: Picture; height: number }) {
  const { model, result, lit } = useDrawn();
  const { rows, columns, above, beside, stacked, repeated, cellWidth } = picture;
  const inPlace = keepsAnswer(model) && compares(stageOf(model));
  const cells = inPlace ? cellsInPlace(picture, result) : picture.cells;
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
          {result.shape.length > 2 && alone && (
            <Shortened text={shortSliceText(result.at, whole)} whole={sliceText(result.at, whole)} />
          )}
        </figcaption>
      )}
      <ResultGrid
        id="grid-result"
        label={inPlace ? 'The operands in their places' : several ? `Result of ${whose}` : 'Result'}
        inOrder={fillsInOrder.value}
        result={result}
        rows={rows}
        columns={columns}
        rulers={{
          // Indexes are written once: not where a neighbour has them.
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
          cellHeight={height}
          litRow={(operand, row) => pulls(operand) && inRange(result.rows, rows.first + row)}
          litColumn={(operand, column) => pulls(operand) && inRange(result.columns, columns.first + column)}
        />
      </ResultGrid>
    </figure>
  );
}

const within = (range: IndexRange | undefined, i: number): boolean =>
  range !== undefined && i >= range.begin && i < range.end;
