// The moving part of a large loom: keeps the view, draws when something changed, and turns what pointers do into views
// and cells. It stands outside of Preact, since a frame has no time for anything but drawing.

import type { Hot } from '../model/lit';
import { indexAt } from '../model/picture';
import type { Look } from '../state/state';
import type { Pane } from './layout';
import { paint, type Scene } from './paint';
import {
  cellAt,
  centre,
  closest,
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

export interface Parts {
  readonly canvas: HTMLCanvasElement;
  /** The cell in hand, for focus and for screen readers. */
  readonly hand: HTMLElement;
  readonly thumbDown: HTMLElement;
  readonly thumbAcross: HTMLElement;
  /** Where the view is on the overview. */
  readonly window: HTMLElement;
  readonly overview: HTMLElement;
}

export interface Heard {
  /** What is pointed at; null when nothing is. */
  point(cell: Hot | null): void;
  press(cell: Hot): void;
  /** The view is another one: how closely one looks, and how many cells a block stands for. */
  view(told: Told): void;
  /** It rests where somebody has moved it, or where a link had it. */
  rest(look: Look): void;
}

/** A place on the canvas, in pixels. */
interface Place {
  readonly x: number;
  readonly y: number;
}

/** What the page says of a view. */
export interface Told {
  readonly rowStep: number;
  readonly columnStep: number;
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
  /** Cells are colours, not digits. */
  readonly coloured: boolean;
}

/** Milliseconds without a move after which the view rests. */
const restsAfter = 250;
/** A pointer that moves less, in pixels, presses. */
const still = 4;
/** Pixels that the overview's window and the thumbs have at least. */
const leastMark = 6;
const leastThumb = 24;

export class Stage {
  #scene: Scene | null = null;
  #view: View = { zoom: closest, rows: { first: 0, hidden: 0 }, columns: { first: 0, hidden: 0 } };
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** Whether it was moved on purpose: until then the view is where the cell in hand brings it. */
  #moved = false;
  #told = '';
  readonly #pointers = new Map<number, Place>();
  /** The two fingers on the canvas. */
  #fingers: readonly [Place, Place] | null = null;
  #dragged = false;
  readonly #parts: Parts;
  readonly #heard: Heard;
  readonly #stop = new AbortController();

  constructor(parts: Parts, heard: Heard) {
    this.#parts = parts;
    this.#heard = heard;
    const { canvas, thumbDown, thumbAcross, overview } = parts;
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
    on(canvas, 'pointerleave', () => this.#pointers.size === 0 && this.#heard.point(null));
    this.#slide(on, thumbDown, thumbDown.parentElement, false, true);
    this.#slide(on, thumbAcross, thumbAcross.parentElement, true, false);
    this.#slide(on, overview, overview, true, true);
  }

  dispose(): void {
    this.#stop.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#rest);
  }

  /** Draws another scene: where it is, or where a link looks, or with that cell in sight. */
  show(scene: Scene, to: Look | readonly number[] | null): void {
    this.#scene = scene;
    const { layout, cloth } = scene;
    const settled = settle(this.#view, layout.frame);
    if (to === null) this.#see(settled);
    else if ('scale' in to) this.#look(viewOf(to, layout.frame));
    else {
      const on = (axis: number | null): number => (axis === null ? 0 : (to[axis] ?? 0));
      this.#see(reveal(settled, layout.frame, on(cloth.rows), on(cloth.columns)));
    }
  }

  /** Zooms about the middle. */
  zoom(factor: number): void {
    if (!this.#scene) return;
    const { frame } = this.#scene.layout;
    this.#look(zoomBy(this.#view, frame, factor, frame.columns.pixels / 2, frame.rows.pixels / 2));
  }

  /** Zooms out until the whole is in sight, or in again to a cell with digits. */
  zoomToWhole(): void {
    if (this.#scene) this.zoom(farthest(this.#scene.layout.frame) / this.#view.zoom);
  }

  zoomTo(at: readonly number[]): void {
    this.#moved = true;
    this.#view = { ...this.#view, zoom: closest };
    if (this.#scene) this.show(this.#scene, at);
  }

  /** How many cells a key goes: the blocks that are drawn, and a page of them. */
  strides(): { readonly row: number; readonly column: number; readonly page: number; readonly pageAcross: number } {
    if (!this.#scene) return { row: 1, column: 1, page: 1, pageAcross: 1 };
    const { rows, columns } = drawnAxes(this.#view, this.#scene.layout.frame);
    const page = (axis: typeof rows): number => Math.max(1, Math.floor(axis.pixels / axis.size));
    return { row: stepOf(rows), column: stepOf(columns), page: page(rows), pageAcross: page(columns) };
  }

  /** Goes to a view on purpose. */
  #look(view: View): void {
    this.#moved = true;
    this.#see(view);
  }

  #see(view: View): void {
    this.#view = view;
    this.#ask();
    clearTimeout(this.#rest);
    const frame = this.#scene?.layout.frame;
    if (this.#moved && frame) this.#rest = setTimeout(() => this.#heard.rest(lookOf(view, frame)), restsAfter);
  }

  #ask(): void {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#frame = 0;
    const scene = this.#scene;
    if (!scene) return;
    const { canvas } = this.#parts;
    const scale = devicePixelRatio;
    const [width, height] = [Math.round(scene.layout.width * scale), Math.round(scene.layout.height * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const context = canvas.getContext('2d');
    if (context && !paint(context, scene, this.#view, scale)) this.#ask();
    this.#mark(scene);
  }

  /** Brings the marks to where the view is: the cell in hand, the thumbs, the window of the overview. */
  #mark({ layout, cloth }: Scene): void {
    const { hand, thumbAcross, thumbDown, window, overview } = this.#parts;
    const { rows, columns } = drawnAxes(this.#view, layout.frame);
    const { main, frame } = layout;
    const put = (element: HTMLElement, x: number, y: number, width: number, height: number): void => {
      element.style.transform = `translate(${x}px, ${y}px)`;
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    };
    const near = (pixel: number, length: number): number => Math.max(-40, Math.min(length + 8, pixel));
    const row = cloth.rows === null ? 0 : (cloth.at[cloth.rows] ?? 0);
    const column = cloth.columns === null ? 0 : (cloth.at[cloth.columns] ?? 0);
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
    const told: Told = {
      rowStep: stepOf(rows),
      columnStep: stepOf(columns),
      canZoomIn: zoom < closest,
      canZoomOut: zoom > farthest(frame),
      coloured: rows.size < 28,
    };
    const key = JSON.stringify(told);
    if (key !== this.#told) this.#heard.view(told);
    this.#told = key;
  }

  // --- Pointers ----------------------------------------------------------------

  #placeOf(event: { readonly clientX: number; readonly clientY: number }): Place {
    const box = this.#parts.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** What lies at a place of the canvas. */
  #cellAt({ x, y }: Place): Hot | null {
    const scene = this.#scene;
    if (!scene) return null;
    const within = (pane: Pane): boolean =>
      x >= pane.x && y >= pane.y && x < pane.x + pane.width && y < pane.y + pane.height;
    const pane = scene.layout.panes.find(within);
    if (!pane) return null;
    const { rows, columns } = drawnAxes(this.#view, scene.layout.frame);
    const row = pane.byRow ? cellAt(rows, y - pane.y) : rows.first;
    const column = pane.byColumn ? cellAt(columns, x - pane.x) : columns.first;
    const index = indexAt(scene.cloth, row, column);
    if (pane.operand === null) return { kind: 'result', index };
    return { kind: 'source', operand: pane.operand, index: scene.alignment.sourceOf(pane.operand, index) };
  }

  /**
   * A plain wheel is the page's. With Ctrl or the command key, as a pinch on a trackpad comes, it zooms; sideways, where the
   * page does not scroll, it pans.
   */
  #wheel(event: WheelEvent): void {
    const scene = this.#scene;
    if (!scene) return;
    const { frame, main } = scene.layout;
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const { x, y } = this.#placeOf(event);
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
    const fingers = [...event.touches].map((touch) => this.#placeOf(touch));
    const [a, b] = fingers;
    const before = this.#fingers;
    this.#fingers = a && b ? [a, b] : null;
    if (!scene || !a || !b) return;
    event.preventDefault();
    this.#dragged = true;
    this.#heard.point(null);
    if (!before || event.type !== 'touchmove') return;
    const { frame, main } = scene.layout;
    const apart = ([p, q]: readonly [Place, Place]): number => Math.hypot(p.x - q.x, p.y - q.y);
    const middle = ([p, q]: readonly [Place, Place]): Place => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });
    const [from, to] = [middle(before), middle([a, b])];
    const factor = apart([a, b]) / Math.max(1, apart(before));
    const zoomed = zoomBy(this.#view, frame, factor, from.x - main.x, from.y - main.y);
    this.#look(pan(zoomed, frame, from.x - to.x, from.y - to.y));
  }

  #down(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (event.pointerType !== 'touch') this.#parts.canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, this.#placeOf(event));
    if (this.#pointers.size === 1) this.#dragged = false;
  }

  #move(event: PointerEvent): void {
    const scene = this.#scene;
    const from = this.#pointers.get(event.pointerId);
    const to = this.#placeOf(event);
    if (!scene || !from) {
      this.#heard.point(this.#cellAt(to));
      return;
    }
    const { frame } = scene.layout;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    if (!this.#dragged && Math.hypot(dx, dy) < still) return;
    this.#dragged = true;
    this.#heard.point(null);
    // Fingers are followed by their touches.
    if (event.pointerType === 'touch') return;
    this.#pointers.set(event.pointerId, to);
    this.#look(pan(this.#view, frame, -dx, -dy));
  }

  #up(event: PointerEvent): void {
    if (!this.#pointers.delete(event.pointerId) || this.#dragged || event.type === 'pointercancel') return;
    const cell = this.#cellAt(this.#placeOf(event));
    if (cell) this.#heard.press(cell);
  }

  /** A mark that is dragged along a box moves the view to that part of the whole. */
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
