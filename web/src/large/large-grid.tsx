// A result with too many cells for elements of the page: a canvas that pans and zooms, with the operands at its edges. For
// screen readers it is a grid of one cell, the cell in hand.

import './large-grid.css';
import { useSignal } from '@preact/signals';
import type { CSSProperties, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useDrawn } from '../context/context';
import { exactText, firstText, shortened } from '../values/element-text';
import { countText, indexText } from '../text/format';
import { sameHot, sameIndex } from '../model/lit';
import type { DrawnResult } from '../model/model';
import { indexAt, spreadOf } from '../model/picture';
import type { Look } from '../state/state';
import { engine, hot, lookAt, pin, state, theme as themeSignal, update } from '../store/store';
import { feedsText } from '../model/spelled';
import { Chip, hueOf } from '../components/chip';
import type { AxisRange } from '../values/computed-result';
import { gradient, huePalette, resultPalette, type ValueRange } from './colours';
import { type Layout, layoutOf, widthFor } from './layout';
import { PanZoom, type ViewSummary } from './pan-zoom';
import { sliceOf } from './cell-images';
import { type CanvasTheme, rgbOf, themeOf } from './theme';
import { closest } from './view';

/** The canvas takes at most this part of the window's height: below the alignment, or beside it. */
const mostOfWindow = { below: 0.42, beside: 0.6 };
const leastHeight = 240;
const mostHeight = { below: 560, beside: 800 };
/** The number of rows and columns whose texts are measured for the width of a cell. */
const probes = 9;

const mac = /Mac|iPhone|iPad/.test(navigator.platform);

/** A key that is the same for the same slice of the same result. */
const sliceKey = (result: DrawnResult): string =>
  [
    result.rows,
    result.columns,
    result.output,
    ...result.at.map((i, axis) => (axis === result.rows || axis === result.columns ? '' : i)),
  ].join();

export function LargeGrid() {
  const { model, alignment, result, lit } = useDrawn();
  const frame = useRef<HTMLDivElement>(null);
  const elements = {
    canvas: useRef<HTMLCanvasElement>(null),
    hand: useRef<HTMLDivElement>(null),
    thumbDown: useRef<HTMLSpanElement>(null),
    thumbAcross: useRef<HTMLSpanElement>(null),
    window: useRef<HTMLSpanElement>(null),
    overview: useRef<HTMLDivElement>(null),
    probe: useRef<HTMLSpanElement>(null),
  };
  const panZoom = useRef<PanZoom | null>(null);
  const width = useSignal(0);
  const place = useSignal<'below' | 'beside'>('below');
  const theme = useSignal<CanvasTheme | null>(null);
  const summary = useSignal<ViewSummary | null>(null);
  const said = useSignal('');
  const several = result.outputs.length > 1;

  const extent = (axis: number | null): number => (axis === null ? 1 : (result.shape[axis] ?? 1));
  const [rows, columns] = [extent(result.rows), extent(result.columns)];
  const operands = useMemo(
    () => result.operands.map((_, operand) => spreadOf(alignment, result, operand)),
    [alignment, result.rows, result.columns],
  );

  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = (): void => {
      const part = element.closest('section');
      const before = part?.previousElementSibling;
      // The width follows the place: where the parts of the answer wrap, it changes.
      place.value = before instanceof HTMLElement && before.offsetTop === part?.offsetTop ? 'beside' : 'below';
      width.value = element.clientWidth;
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => watcher.disconnect();
  }, []);

  // Colours follow the theme of the page and of the system.
  useLayoutEffect(() => {
    const read = (): void => {
      const probe = elements.probe.current;
      if (probe) theme.value = themeOf(probe, [0, 1, 2, 3, 4, 5, 6, 7].map(hueOf));
    };
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    const stop = themeSignal.subscribe(read);
    return () => {
      system.removeEventListener('change', read);
      stop();
    };
  }, []);

  const key = sliceKey(result);
  const slice = useMemo(() => {
    if (!theme.value) return null;
    const { washes, hues } = theme.value;
    const palettes = result.operands.map((_, k) => {
      const [pale, full] = [washes[k % 8], hues[k % 8]];
      return pale && full ? huePalette(rgbOf(pale), rgbOf(full)) : resultPalette;
    });
    return sliceOf(result, operands, { result: resultPalette, operands: palettes });
  }, [result.cells, key, operands, theme.value]);

  const cellWidth = useMemo(() => widthOf(result), [result.cells, key]);
  const layout = useMemo(
    () =>
      layoutOf({
        width: width.value,
        most: Math.max(leastHeight, Math.min(mostHeight[place.value], mostOfWindow[place.value] * innerHeight)),
        rows,
        columns,
        cellWidth,
        cellHeight: closest,
        operands,
        shown: model.state.shown,
        several,
      }),
    [width.value, place.value, rows, columns, cellWidth, operands, model.state.shown, several],
  );

  useEffect(() => {
    const { canvas, hand, thumbDown, thumbAcross, window, overview } = elements;
    if (!canvas.current || !hand.current || !thumbDown.current || !thumbAcross.current) return;
    if (!window.current || !overview.current) return;
    const made = new PanZoom(
      {
        canvas: canvas.current,
        hand: hand.current,
        thumbDown: thumbDown.current,
        thumbAcross: thumbAcross.current,
        window: window.current,
        overview: overview.current,
      },
      {
        point(cell) {
          if (cell ? !sameHot(hot.value, cell) : hot.value) hot.value = cell;
        },
        press(cell) {
          hand.current?.focus({ preventScroll: true });
          pin(cell);
        },
        view: (now) => (summary.value = now),
        rest(look) {
          const now = state.value.look;
          if (now?.row === look.row && now.column === look.column && now.scale === look.scale) return;
          rested.current = look;
          lookAt(look);
        },
      },
    );
    panZoom.current = made;
    return () => made.dispose();
  }, []);

  // The view follows the cell in hand when that moves; a link, and undo, bring their own view.
  const shownAt = useRef<readonly number[] | null>(null);
  const rested = useRef<Look | null>(null);
  const { look } = model.state;
  useEffect(() => {
    if (!theme.value || !slice || layout.width === 0) return;
    const follows = !sameIndex(shownAt.current, result.at);
    shownAt.current = result.at;
    const elsewhere = look !== rested.current;
    rested.current = look;
    panZoom.current?.show(
      { alignment, result, lit, layout, theme: theme.value, slice },
      elsewhere && look ? look : follows ? result.at : null,
    );
  }, [alignment, result, lit, layout, theme.value, slice, look]);

  // The overview: the whole slice, small.
  useLayoutEffect(() => {
    const small = elements.overview.current?.querySelector('canvas');
    if (!small || !slice) return;
    small.width = slice.overview.width;
    small.height = slice.overview.height;
    small.getContext('2d')?.drawImage(slice.overview, 0, 0);
  }, [slice]);

  const on = (axis: number | null): number => (axis === null ? 0 : (result.at[axis] ?? 0));
  const [row, column] = [on(result.rows), on(result.columns)];
  const name = nameOf(result, result.at);
  const title = several ? `Result of ${model.operands[result.output]?.name}` : 'Result';

  const go = (at: readonly number[]): void => {
    if (!sameIndex(model.state.at, at)) update({ ...model.state, at });
    said.value = nameOf(result, at);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = panZoom.current;
    if (!now || event.altKey || event.metaKey) return;
    const to = target(event, now, { row, column, rows, columns });
    if (to) go(indexAt(result, clamp(to.row, rows), clamp(to.column, columns)));
    else if (event.key === 'Enter' || event.key === ' ') pin({ kind: 'result', index: result.at });
    else if (event.ctrlKey) return;
    else if (event.key === '+' || event.key === '=') now.zoom(2);
    else if (event.key === '-') now.zoom(0.5);
    else if (event.key === '0') now.zoomToWhole();
    else return;
    event.preventDefault();
  };

  return (
    <div class="large">
      <span class="unseen" aria-hidden="true" ref={elements.probe} />
      <div class="large-bar">
        <GoTo go={go} zoomTo={(at) => panZoom.current?.zoomTo(at)} />
        <span class="zoom" role="group" aria-label="Zoom">
          <button
            type="button"
            id="zoom-out"
            aria-label="Zoom out"
            aria-disabled={summary.value?.canZoomOut === false}
            onClick={() => panZoom.current?.zoom(0.5)}
          >
            −
          </button>
          <button
            type="button"
            id="zoom-in"
            aria-label="Zoom in"
            aria-disabled={summary.value?.canZoomIn === false}
            onClick={() => panZoom.current?.zoom(2)}
          >
            +
          </button>
          <button type="button" id="zoom-whole" onClick={() => panZoom.current?.zoomToWhole()}>
            Whole
          </button>
          <button type="button" id="zoom-cell" onClick={() => panZoom.current?.zoomTo(result.at)}>
            Digits
          </button>
        </span>
        {layout.left.length > 0 && (
          <span class="zoom" role="group" aria-label="What is shown">
            {[null, ...layout.left].map((operand) => (
              <button
                type="button"
                key={operand}
                id={`show-${operand ?? 'result'}`}
                aria-pressed={layout.main.operand === operand}
                onClick={() => update({ ...state.value, shown: operand })}
              >
                {operand === null ? 'Result' : <Chip operand={operand}>{model.operands[operand]?.name}</Chip>}
              </button>
            ))}
          </span>
        )}
      </div>
      <div class="stage" ref={frame} style={{ height: `${layout.height + 8}px` }}>
        <canvas
          ref={elements.canvas}
          aria-hidden="true"
          style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
        />
        {layout.panes.map(
          ({ operand, name: place }) =>
            place && (
              <span
                key={operand ?? 'result'}
                class="pane-name"
                aria-hidden="true"
                style={{
                  transform: `translate(${place.x}px, ${place.y}px)${place.ends ? ' translateX(-100%)' : ''}`,
                  maxWidth: `${place.most}px`,
                }}
              >
                {operand === null ? (
                  <span class="chip result">{several ? `= ${model.operands[result.output]?.name}` : '='}</span>
                ) : (
                  <Chip operand={operand}>{model.operands[operand]?.name}</Chip>
                )}
              </span>
            ),
        )}
        <div
          id="grid-result"
          role="grid"
          aria-label={title}
          aria-rowcount={rows}
          aria-colcount={columns}
          aria-describedby="large-keys"
        >
          <div role="row" aria-rowindex={row + 1}>
            <div
              role="gridcell"
              class="in-hand"
              ref={elements.hand}
              tabIndex={0}
              aria-colindex={column + 1}
              aria-selected={lit.hot.kind === 'result' && sameIndex(lit.hot.index, result.at)}
              aria-label={name}
              data-index={result.at.join(',')}
              onKeyDown={onKeyDown}
            />
          </div>
        </div>
        <Track layout={layout} down thumb={elements.thumbDown} />
        <Track layout={layout} thumb={elements.thumbAcross} />
      </div>
      <p class="unseen" id="large-keys">
        Arrows move the cell in hand, Page keys by a page, plus and minus zoom, 0 shows the whole, Enter pins.
      </p>
      <p class="unseen" aria-live="polite" id="said">
        {said.value}
      </p>
      <div class="large-foot">
        <div class="overview" ref={elements.overview} aria-hidden="true" title="Where this is in the whole">
          <canvas />
          <span class="window" ref={elements.window} />
        </div>
        <div class="told">
          {slice && (
            <Legend
              range={summary.value?.range ?? slice.ranges.result}
              type={result.outputs[result.output]?.dtype ?? ''}
              coloured={summary.value?.coloured === true}
              isRead={!model.operands.some(({ given }) => given?.kind === 'zarr')}
            />
          )}
          <p class="note sampled" id="sampled">
            {summary.value && sampling(summary.value)}
          </p>
          <p class="note sampled" id="moving">
            <span class="by-hand">Drag to pan, {mac ? '⌘' : 'Ctrl'} + wheel to zoom.</span>
            <span class="by-touch">Two fingers pan and zoom.</span>
          </p>
          <Feeds />
        </div>
      </div>
    </div>
  );
}

const clamp = (i: number, all: number): number => Math.max(0, Math.min(i, all - 1));

/** The cell that a key moves to; null for other keys. */
function target(
  { key, ctrlKey, shiftKey }: KeyboardEvent,
  stage: PanZoom,
  { row, column, rows, columns }: { row: number; column: number; rows: number; columns: number },
): { row: number; column: number } | null {
  const stride = stage.strides();
  const page = key === 'PageUp' ? -1 : 1;
  switch (key) {
    case 'ArrowUp':
      return { row: row - stride.row, column };
    case 'ArrowDown':
      return { row: row + stride.row, column };
    case 'ArrowLeft':
      return { row, column: column - stride.column };
    case 'ArrowRight':
      return { row, column: column + stride.column };
    case 'PageUp':
    case 'PageDown':
      return shiftKey || rows === 1
        ? { row, column: column + page * stride.pageAcross }
        : { row: row + page * stride.page, column };
    case 'Home':
      return { row: ctrlKey ? 0 : row, column: 0 };
    case 'End':
      return { row: ctrlKey ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}

function nameOf(result: DrawnResult, at: readonly number[]): string {
  const { outputs } = result.cells(at.map((i) => ({ begin: i, end: i + 1 })));
  return `result ${indexText(at)} = ${firstText(outputs[result.output])}`;
}

/** The width of a cell for the longest text among some cells all over the slice. */
function widthOf(result: DrawnResult): number {
  const drawn = (axis: number): boolean => axis === result.rows || axis === result.columns;
  const cell = (i: number): AxisRange => ({ begin: i, end: i + 1 });
  const boxes = [
    result.at.map(cell),
    result.shape.map((extent, axis) => cell(drawn(axis) ? extent - 1 : (result.at[axis] ?? 0))),
    result.at.map((i, axis): AxisRange => {
      const end = result.shape[axis] ?? 1;
      return drawn(axis) ? { begin: 0, end, step: Math.ceil(end / probes) } : cell(i);
    }),
  ];
  const probed = boxes
    .map((box) => result.cells(box, true))
    .flatMap(({ outputs, operands }) => [...outputs, ...operands]);
  let letters = 3;
  for (const { tensor, read } of probed) {
    const elements = tensor.shape.reduce((product: number, extent) => product * Number(extent), 1);
    for (let i = 0; i < elements; ++i) letters = Math.max(letters, shortened(exactText(read(i), tensor.dtype)).length);
  }
  return widthFor(letters);
}

function sampling({ rowStep, columnStep, coloured }: ViewSummary): string {
  if (rowStep === 1 && columnStep === 1) return coloured ? 'Each cell is a block of its colour.' : '';
  return `Each block shows one cell of ${countText(rowStep)} × ${countText(columnStep)}; the others are not computed.`;
}

interface TrackProps {
  layout: Layout;
  down?: boolean;
  thumb: RefObject<HTMLSpanElement | null>;
}

/** A scroll bar for pointers; keys move the cell in hand instead. */
function Track({ layout: { main, frame }, down, thumb }: TrackProps) {
  const style: CSSProperties = down
    ? { transform: `translate(${main.x + frame.columns.pixels + 2}px, ${main.y}px)`, height: `${frame.rows.pixels}px` }
    : { transform: `translate(${main.x}px, ${main.y + frame.rows.pixels + 2}px)`, width: `${frame.columns.pixels}px` };
  return (
    <span class={`track ${down ? 'down' : 'across'}`} aria-hidden="true" style={style}>
      <span class="thumb" ref={thumb} />
    </span>
  );
}

interface LegendProps {
  range: ValueRange;
  type: string;
  coloured: boolean;
  /** Whether all elements are known from the start. */
  isRead: boolean;
}

function Legend({ range, type, coloured, isRead }: LegendProps) {
  const ends = type === 'bool' ? ['false', 'true'] : [exactText(range.low, type), exactText(range.high, type)];
  return (
    <p class="scale" id="scale">
      <span>{ends[0]}</span>
      <span class="gradient" style={{ backgroundImage: gradient }} role="img" aria-label="from dark to light" />
      <span>{ends[1]}</span>
      {coloured && (
        <span class="note">
          values in sight; {type.startsWith('c') ? 'real part; ' : ''}blank is NaN{isRead ? '' : ' or not read'};
          operands from pale to full
        </span>
      )}
    </p>
  );
}

/** The elements that feed the cell in hand, and how many cells each of them feeds. */
function Feeds() {
  const { model, alignment, result, lit } = useDrawn();
  const cells = result.cells(lit.box.map(({ begin }) => ({ begin, end: begin + 1 })));
  const from = lit.box.map(({ begin }) => begin);
  return (
    <ul class="feeds-list" aria-label="What feeds this cell, and what else these elements feed">
      {result.operands.map((_, operand) => {
        const index = alignment.sourceOf(operand, from);
        const fed = alignment
          .fanOut(operand, index)
          .reduce((product, { begin, end }) => product * BigInt(end - begin), 1n);
        const source = { kind: 'source', operand, index } as const;
        const name = model.operands[operand]?.name ?? '';
        return (
          <li key={operand}>
            <button
              type="button"
              class="feed"
              id={`feeds-${operand}`}
              data-index={index.join(',')}
              aria-pressed={lit.pinned && sameHot(lit.hot, source)}
              onClick={() => pin(source)}
            >
              <Chip operand={operand}>{name}</Chip>{' '}
              <span class="mono">
                {indexText(index)} = {firstText(cells.operands[operand])}
              </span>{' '}
              <span class="note">{feedsText(fed)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface GoToProps {
  go: (at: readonly number[]) => void;
  zoomTo: (at: readonly number[]) => void;
}

function GoTo({ go, zoomTo }: GoToProps) {
  const { result } = useDrawn();
  const text = useSignal('');
  const fault = useSignal('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const read = engine.value?.parseTarget(text.value);
    const { shape } = result;
    fault.value = '';
    if (!read?.ok || read.value.values.length !== shape.length) {
      fault.value = `Give ${shape.length === 1 ? 'one whole number' : `${shape.length} whole numbers, one for each axis`}: ${indexText(result.at)}`;
      return;
    }
    const at = read.value.values.map(Number);
    const axis = at.findIndex((i, a) => i < 0 || i >= (shape[a] ?? 0));
    if (axis >= 0) {
      fault.value = `Axis ${axis} goes from 0 to ${countText((shape[axis] ?? 1) - 1)}.`;
      return;
    }
    go(at);
    zoomTo(at);
  };
  return (
    <form class="go-to" onSubmit={submit}>
      <label for="go-to">Go to cell</label>
      <input
        type="text"
        id="go-to"
        autocomplete="off"
        spellcheck={false}
        inputMode="text"
        data-own-undo
        placeholder={indexText(result.at)}
        value={text.value}
        aria-invalid={fault.value !== ''}
        aria-describedby="go-to-fault"
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          fault.value = '';
        }}
      />
      <button type="submit">Go</button>
      <span class="fault" id="go-to-fault" role="alert">
        {fault.value}
      </span>
    </form>
  );
}
