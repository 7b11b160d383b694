// Panning and zooming of a large result: keeps the view, draws when something changed, and turns pointer events into views
// and cells. It works without Preact, since a frame has time for drawing only.

import type { Hot } from '../model/lit';
import { indexAt } from '../model/picture';
import type { Look } from '../state/state';
import type { Pane } from './layout';
import type { ValueRange } from './colours';
import { type Axes, InSight } from './in-sight';
import { paint, type Scene } from './paint';
import {
  cellAt,
  centre,
  closest,
  digitsFrom,
  drawnAxes,
  farthest,
  lookOf,
  pan,
  pixelOf,
  reveal,
  settle,
  stepOf,
  type View,
  viewOf,
  zoomBy,
} from './view';

export interface Elements {
  readonly canvas: HTMLCanvasElement;
  /** The cell in hand, for focus and for screen readers. */
  readonly hand: HTMLElement;
  readonly thumbDown: HTMLElement;
  readonly thumbAcross: HTMLElement;
  /** The frame on the overview that shows the view. */
  readonly window: HTMLElement;
  readonly overview: HTMLElement;
}

export interface Handlers {
  /** Another cell is pointed at; null is none. */
  point(cell: Hot | null): void;
  press(cell: Hot): void;
  /** The view has changed in a way that the page shows. */
  view(summary: ViewSummary): void;
  /** The view has come to rest where the user, or a link, moved it. */
  rest(look: Look): void;
}

/** A point of the canvas, in pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the page shows of a view. */
export interface ViewSummary {
  /** A block of the canvas stands for so many rows and columns. */
  readonly rowStep: number;
  readonly columnStep: number;
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
  /** Whether cells are drawn as colours, not digits. */
  readonly coloured: boolean;
  /** The ends of the scale of colours: of the values in sight, or, beside digits, of the overview. */
  readonly range: ValueRange;
}

/** Milliseconds without a move after which the view rests. */
const restsAfter = 250;
/** A pointer that moves less than this, in pixels, presses. */
const still = 4;
/** The least size of the overview's frame and of the thumbs, in pixels. */
const leastMark = 6;
const leastThumb = 24;

export class PanZoom {
  #scene: Scene | null = null;
  #inSight: InSight | null = null;
  #view: View = { zoom: closest, rows: { first: 0, hidden: 0 }, columns: { first: 0, hidden: 0 } };
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Whether the view was moved on purpose; else it follows the cell in hand. */
  #moved = false;
  #rests = false;
  #summary = '';
  readonly #pointers = new Map<number, Point>();
  /** The two fingers on the canvas. */
  #fingers: readonly [Point, Point] | null = null;
  #dragged = false;
  readonly #elements: Elements;
  readonly #handlers: Handlers;
  readonly #stop = new AbortController();

  constructor(elements: Elements, handlers: Handlers) {
    this.#elements = elements;
    this.#handlers = handlers;
    const { canvas, thumbDown, thumbAcross, overview } = elements;
    const { signal } = this.#stop;
    const on = <E extends Event>(target: EventTarget, names: string, listener: (event: E) => void): void => {
      for (const name of names.split(' '))
        target.addEventListener(name, listener as EventListener, { signal, passive: false });
    };
    on(canvas, 'wheel', (event: WheelEvent) => this.#wheel(event));
    on(canvas, 'pointerdown', (event: PointerEvent) => this.#down(event));
    on(canvas, 'pointermove', (event: PointerEvent) => this.#move(event));
    on(canvas, 'pointerup pointercancel', (event: PointerEvent) => this.#up(event));
    on(canvas, 'touchstart touchmove touchend touchcancel', (event: TouchEvent) => this.#touch(event));
    on(canvas, 'pointerleave', () => this.#pointers.size === 0 && this.#handlers.point(null));
    this.#slide(on, thumbDown, thumbDown.parentElement, false, true);
    this.#slide(on, thumbAcross, thumbAcross.parentElement, true, false);
    this.#slide(on, overview, overview, true, true);
  }

  dispose(): void {
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  /** Draws another scene: in the present view, in that of a link, or with a cell in sight. */
  show(scene: Scene, to: Look | readonly number[] | null): void {
    if (this.#scene?.slice !== scene.slice) this.#inSight = new InSight(scene.slice);
    this.#scene = scene;
    const { layout, result } = scene;
    const settled = settle(this.#view, layout.frame);
    if (to === null) this.#see(settled);
    else if ('scale' in to) this.#look(viewOf(to, layout.frame));
    else {
      const on = (axis: number | null): number => (axis === null ? 0 : (to[axis] ?? 0));
      this.#see(reveal(settled, layout.frame, on(result.rows), on(result.columns)));
    }
  }

  /** Zooms about the middle. */
  zoom(factor: number): void {
    if (!this.#scene) return;
    const { frame } = this.#scene.layout;
    this.#look(zoomBy(this.#view, frame, factor, frame.columns.pixels / 2, frame.rows.pixels / 2));
  }

  /** Zooms out until the whole slice is in sight. */
  zoomToWhole(): void {
    if (this.#scene) this.zoom(farthest(this.#scene.layout.frame) / this.#view.zoom);
  }

  zoomTo(at: readonly number[]): void {
    this.#moved = true;
    this.#view = { ...this.#view, zoom: closest };
    if (this.#scene) this.show(this.#scene, at);
  }

  /** By how many cells a key moves: by a block, or by a page of blocks. */
  strides(): { readonly row: number; readonly column: number; readonly page: number; readonly pageAcross: number } {
    if (!this.#scene) return { row: 1, column: 1, page: 1, pageAcross: 1 };
    const { rows, columns } = drawnAxes(this.#view, this.#scene.layout.frame);
    const page = (axis: typeof rows): number => Math.max(1, Math.floor(axis.pixels / axis.size));
    return { row: stepOf(rows), column: stepOf(columns), page: page(rows), pageAcross: page(columns) };
  }

  /** Moves to a view on purpose. */
  #look(view: View): void {
    this.#moved = true;
    this.#see(view);
  }

  #see(view: View): void {
    this.#view = view;
    this.#ask();
    clearTimeout(this.#rest);
    this.#rests = false;
    this.#rest = setTimeout(() => {
      this.#rests = true;
      this.#ask();
      const frame = this.#scene?.layout.frame;
      if (this.#moved && frame) this.#handlers.rest(lookOf(view, frame));
    }, restsAfter);
  }

  #ask(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const scene = this.#scene;
    if (!scene) return;
    const { canvas } = this.#elements;
    const scale = devicePixelRatio;
    const [width, height] = [Math.round(scene.layout.width * scale), Math.round(scene.layout.height * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const axes = drawnAxes(this.#view, scene.layout.frame);
    const drawn = axes.rows.size < digitsFrom ? (this.#inSight?.prepare(axes, this.#rests) ?? null) : null;
    const context = canvas.getContext('2d');
    if (context) paint(context, scene, axes, drawn?.images ?? null, scale);
    if (drawn?.complete === false) this.#ask();
    this.#mark(scene, axes, drawn ? drawn.images.ranges.result : scene.slice.ranges.result, drawn !== null);
  }

  /** Moves the marks to the view: the cell in hand, the thumbs, the frame on the overview. */
  #mark({ layout, result }: Scene, { rows, columns }: Axes, range: ValueRange, coloured: boolean): void {
    const { hand, thumbAcross, thumbDown, window, overview } = this.#elements;
    const { main, frame } = layout;
    const put = (element: HTMLElement, x: number, y: number, width: number, height: number): void => {
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    };
    const near = (pixel: number, length: number): number => Math.max(-40, Math.min(length + 8, pixel));
    const row = result.rows === null ? 0 : (result.at[result.rows] ?? 0);
    const column = result.columns === null ? 0 : (result.at[result.columns] ?? 0);
    put(
      hand,
      main.x + (main.byColumn ? near(pixelOf(columns, column), main.width) : 0),
      main.y + (main.byRow ? near(pixelOf(rows, row), main.height) : 0),
      Math.max(4, columns.size),
      Math.max(4, rows.size),
    );
    const part = (axis: typeof rows, length: number, least: number): [number, number] => {
      const size = Math.max(least, Math.min(length, (length * axis.pixels) / axis.size / axis.all));
      const most = axis.all - axis.pixels / axis.size;
      const at = most > 0 ? (axis.first + axis.hidden / axis.size) / most : 0;
      return [Math.min(1, at) * (length - size), size];
    };
    const [x, width] = part(columns, frame.columns.pixels, leastThumb);
    const [y, height] = part(rows, frame.rows.pixels, leastThumb);
    put(thumbAcross, x, 0, width, 6);
    put(thumbDown, 0, y, 6, height);
    thumbAcross.hidden = width >= frame.columns.pixels;
    thumbDown.hidden = height >= frame.rows.pixels;
    const [left, across] = part(columns, overview.clientWidth, leastMark);
    const [top, down] = part(rows, overview.clientHeight, leastMark);
    put(window, left, top, across, down);

    const { zoom } = this.#view;
    const summary: ViewSummary = {
      rowStep: stepOf(rows),
      columnStep: stepOf(columns),
      canZoomIn: zoom < closest,
      canZoomOut: zoom > farthest(frame),
      coloured,
      range,
    };
    const key = JSON.stringify(summary);
    if (key !== this.#summary) this.#handlers.view(summary);
    this.#summary = key;
  }

  // --- Pointers ----------------------------------------------------------------

  #pointOf(event: { readonly clientX: number; readonly clientY: number }): Point {
    const box = this.#elements.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** The cell at a point of the canvas. */
  #cellAt({ x, y }: Point): Hot | null {
    const scene = this.#scene;
    if (!scene) return null;
    const within = (pane: Pane): boolean =>
      x >= pane.x && y >= pane.y && x < pane.x + pane.width && y < pane.y + pane.height;
    const pane = scene.layout.panes.find(within);
    if (!pane) return null;
    const { rows, columns } = drawnAxes(this.#view, scene.layout.frame);
    const row = pane.byRow ? cellAt(rows, y - pane.y) : rows.first;
    const column = pane.byColumn ? cellAt(columns, x - pane.x) : columns.first;
    const index = indexAt(scene.result, row, column);
    if (pane.operand === null) return { kind: 'result', index };
    return { kind: 'source', operand: pane.operand, index: scene.alignment.sourceOf(pane.operand, index) };
  }

  /**
   * A plain wheel scrolls the page. With Ctrl or the command key it zooms; a pinch on a trackpad comes as such an event. A wheel
   * that turns sideways pans, as the page does not scroll that way.
   */
  #wheel(event: WheelEvent): void {
    const scene = this.#scene;
    if (!scene) return;
    const { frame, main } = scene.layout;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const { x, y } = this.#pointOf(event);
      const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY * lines)) / 150);
      this.#look(zoomBy(this.#view, frame, factor, x - main.x, y - main.y));
      return;
    }
    const across = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    if (Math.abs(across) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return;
    const next = pan(this.#view, frame, across * lines, 0);
    const { first, hidden } = this.#view.columns;
    if (next.columns.first === first && next.columns.hidden === hidden) return;
    event.preventDefault();
    this.#look(next);
  }

  /** One finger scrolls the page, as everywhere on it; two pan and zoom. */
  #touch(event: TouchEvent): void {
    const scene = this.#scene;
    const fingers = [...event.touches].map((touch) => this.#pointOf(touch));
    const [a, b] = fingers;
    const before = this.#fingers;
    this.#fingers = a && b ? [a, b] : null;
    if (!scene || !a || !b) return;
    event.preventDefault();
    this.#dragged = true;
    this.#handlers.point(null);
    if (!before || event.type !== 'touchmove') return;
    const { frame, main } = scene.layout;
    const apart = ([p, q]: readonly [Point, Point]): number => Math.hypot(p.x - q.x, p.y - q.y);
    const middle = ([p, q]: readonly [Point, Point]): Point => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
    const [from, to] = [middle(before), middle([a, b])];
    const factor = apart([a, b]) / Math.max(1, apart(before));
    const zoomed = zoomBy(this.#view, frame, factor, from.x - main.x, from.y - main.y);
    this.#look(pan(zoomed, frame, from.x - to.x, from.y - to.y));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (event.pointerType !== 'touch') this.#elements.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#pointOf(event));
    if (this.#pointers.size === 1) this.#dragged = false;
  }

  #move(event: PointerEvent): void {
    const scene = this.#scene;
    const from = this.#pointers.get(event.pointerId);
    const to = this.#pointOf(event);
    if (!scene || !from) {
      this.#handlers.point(this.#cellAt(to));
      return;
    }
    const { frame } = scene.layout;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    if (!this.#dragged && Math.hypot(dx, dy) < still) return;
    this.#dragged = true;
    this.#handlers.point(null);
    // Touches have events of their own.
    if (event.pointerType === 'touch') return;
    this.#pointers.set(event.pointerId, to);
    this.#look(pan(this.#view, frame, -dx, -dy));
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId) || this.#dragged || event.type === 'pointercancel') return;
    const cell = this.#cellAt(this.#pointOf(event));
    if (cell) this.#handlers.press(cell);
  }

  /** Dragging a mark along a box moves the view to that part of the slice. */
  #slide(
    on: (target: EventTarget, names: string, listener: (event: PointerEvent) => void) => void,
    mark: HTMLElement,
    along: HTMLElement | null,
    across: boolean,
    down: boolean,
  ): void {
    on(mark, 'pointerdown pointermove', (event) => {
      if (event.type === 'pointerdown') mark.setPointerCapture(event.pointerId);
      if (!this.#scene || !along || !mark.hasPointerCapture(event.pointerId)) return;
      event.preventDefault();
      const box = along.getBoundingClientRect();
      const part = (at: number, begin: number, length: number): number =>
        Math.max(0, Math.min(1, (at - begin) / length));
      this.#look(
        centre(
          this.#view,
          this.#scene.layout.frame,
          across ? part(event.clientX, box.left, box.width) : null,
          down ? part(event.clientY, box.top, box.height) : null,
        ),
      );
    });
  }
}
