// Reads the chunks of a Zarr array whose elements are shown, and keeps those that were read last. What is no longer shown is not
// waited for: its requests are cancelled.

import { awaited } from '../components/awaited';
import { bytesText, countText } from '../text/format';
import type { Source } from '../values/sources';
import type { Chunk } from './messages';
import type { RemoteArray } from './remote-array';

/** Bytes of the decoded chunks that are kept, and that one view may need. */
const mostBytes = 256 * 2 ** 20;
/** Chunks that one view may need. */
const mostChunks = 512;
/** Requests at a time. */
const mostRequests = 6;
/**
 * When a view counts as drawn: after `milliseconds`, once `frames` frames in a row have drawn nothing of the array. A view that draws
 * nothing at all counts as drawn after `unseen` milliseconds more.
 */
const settling = { frames: 3, milliseconds: 100, unseen: 1000 };
/** Milliseconds after which it is said that chunks are being read. */
const patience = 300;
/** Milliseconds in which chunks that arrive are shown together: the last ones, and those before them. */
const together = { last: 30, others: 200 };

type Entry =
  | { readonly kind: 'read'; readonly chunk: Chunk }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'asked'; readonly controller: AbortController };

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export class ChunkReader {
  readonly source: Source;
  /** By the number of the chunk in the grid of chunks; the one read last comes last. */
  readonly #entries = new Map<number, Entry>();
  /** The chunks that are shown, with the view that asked for them last. */
  readonly #wanted = new Map<number, number>();
  readonly #grid: readonly number[];
  /** How many chunks one view may need. */
  readonly #most: number;
  #view = 0;
  /** How many elements the view has drawn. */
  #drawn = 0;
  #asked = 0;
  #refused = 0;
  #isSlow = false;
  /** Ends what is awaited, while something that arrived is not shown yet. */
  #told: (() => void) | null = null;
  #timers = new Map<string, ReturnType<typeof setTimeout>>();

  /** `changed` is called when more is known: elements, or what `note` says. */
  constructor(
    private readonly array: RemoteArray,
    private readonly changed: () => void,
  ) {
    const { shape, chunkShape } = array;
    this.#grid = shape.map((extent, axis) => Math.ceil(extent / (chunkShape[axis] ?? 1)));
    this.#most = Math.max(1, Math.min(mostChunks, Math.floor(mostBytes / array.chunkBytes)));
    const rank = shape.length;
    const isBool = array.dtype === 'bool';
    const within = new Array<number>(rank).fill(0);
    this.source = (flat, peeks = false) => {
      let rest = flat;
      let number = 0;
      let apart = 1;
      for (let axis = rank - 1; axis >= 0; --axis) {
        const [extent, size] = [shape[axis] ?? 1, chunkShape[axis] ?? 1];
        const index = rest % extent;
        rest = (rest - index) / extent;
        const place = Math.floor(index / size);
        within[axis] = index - place * size;
        number += place * apart;
        apart *= this.#grid[axis] ?? 1;
      }
      if (!peeks) this.#draw(number);
      const entry = this.#entries.get(number);
      if (entry?.kind !== 'read') return null;
      const { elements, strides } = entry.chunk;
      const value = elements[within.reduce((at, index, axis) => at + index * (strides[axis] ?? 0), 0)] ?? 0;
      return isBool ? value !== 0 : value;
    };
  }

  /** The view has changed: it asks anew for what it shows. */
  turn(): void {
    const view = ++this.#view;
    this.#drawn = 0;
    const waits = [...this.#entries.values()].some(({ kind }) => kind !== 'read');
    this.#after(`turn ${view}`, settling.milliseconds, () => this.#settleDrawn(view, performance.now()));
    if (!waits && this.#refused === 0) return;
    this.#refused = 0;
    this.changed();
  }

  /** The array is not shown any more: its requests are cancelled, and its chunks forgotten. */
  stop(): void {
    ++this.#view;
    this.#cancel(Infinity);
    this.#timers.forEach(clearTimeout);
    this.#timers.clear();
    this.#told?.();
    this.#told = null;
    this.#wanted.clear();
    this.#refused = 0;
    if (this.#entries.size === 0) return;
    this.#entries.clear();
    this.changed();
  }

  /** The array's shape. */
  get shape(): readonly number[] {
    return this.array.shape;
  }

  /** What is being read, what could not be, and which elements are the fill value; an empty text for nothing to say. */
  get note(): string {
    const { address, fillValue } = this.array;
    const entries = [...this.#entries.values()];
    const failed = entries.flatMap((entry) => (entry.kind === 'failed' ? [entry.message] : []));
    const read = entries.flatMap((entry) => (entry.kind === 'read' ? [entry.chunk] : []));
    const missing = read.filter((chunk) => chunk.isMissing).length;
    const asked = entries.length - failed.length - read.length;
    const ofRead =
      read.length === 1 ? 'The chunk in sight' : `Of ${countText(read.length)} chunks read, ${countText(missing)}`;
    return [
      this.#isSlow && asked > 0 ? `Reading ${chunks(asked)} of ${address}…` : '',
      ...failed.slice(0, 1),
      failed.length > 1 ? `${failed.length - 1} more ${failed.length === 2 ? 'chunk' : 'chunks'} cannot be read.` : '',
      failed.length > 0 ? 'Elements that are not read are shown as “…”.' : '',
      missing > 0
        ? `${ofRead} ${missing === 1 ? 'is not stored: its' : 'are not stored: their'} elements are the fill value, ${fillValue}.`
        : '',
      this.#refused > 0
        ? `This view needs ${chunks(this.#most + this.#refused)}; ${countText(this.#most)} are read, of ${bytesText(BigInt(this.array.chunkBytes))} each. Zoom in to read the others.`
        : '',
    ]
      .filter(Boolean)
      .join(' ');
  }

  /** The view draws an element of a chunk. */
  #draw(number: number): void {
    ++this.#drawn;
    if (this.#wanted.get(number) === this.#view) return;
    // Those that were asked for last come last.
    this.#wanted.delete(number);
    this.#wanted.set(number, this.#view);
    const entry = this.#entries.get(number);
    // A chunk that failed is asked for again when another view shows it.
    if (entry?.kind === 'failed') this.#entries.delete(number);
    if (entry?.kind === 'read') {
      this.#entries.delete(number);
      this.#entries.set(number, entry);
    }
    // When the whole view is drawn, and all that it shows is known.
    this.#after('ask', 0, () => this.#ask());
  }

  /** Does not call what was to be called by that name. */
  #drop(name: string): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  /** Calls `act` after so many milliseconds, once for each name. */
  #after(name: string, milliseconds: number, act: () => void): void {
    if (this.#timers.has(name)) return;
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        act();
      }, milliseconds),
    );
  }

  #ask(): void {
    const shown = [...this.#wanted].flatMap(([number, view]) => (view === this.#view ? [number] : []));
    const refused = Math.max(0, shown.length - this.#most);
    if (refused !== this.#refused) {
      this.#refused = refused;
      this.#tell();
    }
    // What is read or asked for keeps its place until the view has settled: the order of drawing, which depends on how much time
    // a frame has, does not make a view read more chunks than it may need.
    let room = this.#most - [...this.#wanted.keys()].filter((number) => this.#entries.has(number)).length;
    for (const number of shown) {
      if (room <= 0 || this.#asked >= mostRequests) break;
      if (this.#entries.has(number)) continue;
      --room;
      void awaited(this.#read(number));
    }
    if (this.#asked > 0)
      this.#after('slow', patience, () => {
        this.#isSlow = this.#asked > 0;
        this.changed();
      });
  }

  async #read(number: number): Promise<void> {
    const controller = new AbortController();
    const entry: Entry = { kind: 'asked', controller };
    this.#entries.set(number, entry);
    ++this.#asked;
    let found: Entry | null = null;
    try {
      found = { kind: 'read', chunk: await this.array.readChunk(this.#placeOf(number), controller.signal) };
    } catch (error) {
      // Where another request was cancelled with which this one shared a file, it is asked again.
      if (!isAbort(error)) found = { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
    --this.#asked;
    if (this.#entries.get(number) === entry) {
      this.#entries.delete(number);
      if (found) this.#entries.set(number, found);
      this.#forget();
    }
    // What is asked for next decides whether this was the last one.
    this.#ask();
    if (found) this.#tell();
  }

  #placeOf(number: number): readonly number[] {
    let rest = number;
    return this.#grid
      .toReversed()
      .map((chunksAlong) => {
        const place = rest % chunksAlong;
        rest = (rest - place) / chunksAlong;
        return place;
      })
      .toReversed();
  }

  /** Cancels the requests for chunks that no view from `view` on shows, and forgets their failures. */
  #cancel(view: number): void {
    let found = false;
    for (const [number, entry] of this.#entries) {
      if (entry.kind === 'read' || (this.#wanted.get(number) ?? 0) >= view) continue;
      this.#entries.delete(number);
      found = true;
      if (entry.kind === 'asked') entry.controller.abort();
    }
    for (const [number, last] of this.#wanted) if (last < view) this.#wanted.delete(number);
    // What is still shown and was drawn late asks again.
    if (found) this.#tell();
  }

  /**
   * Settles a view once it is drawn, or the next view has begun. `since` is when the wait began, `quiet` how many frames in a row
   * have drawn nothing.
   */
  #settleDrawn(view: number, since: number, quiet = 0): void {
    const drawn = this.#drawn;
    requestAnimationFrame(() => {
      const isSeen = this.#drawn > 0 || performance.now() - since > settling.unseen;
      const stillQuiet = isSeen && this.#drawn === drawn ? quiet + 1 : 0;
      if (view < this.#view || stillQuiet >= settling.frames) this.#settle(view);
      else this.#settleDrawn(view, since, stillQuiet);
    });
  }

  /** A view is drawn: what those before it showed gives up its place. */
  #settle(view: number): void {
    this.#cancel(view);
    this.#ask();
  }

  /** Forgets the chunks that were shown longest ago, beyond what is kept. */
  #forget(): void {
    let kept = 0;
    for (const { kind } of this.#entries.values()) if (kind === 'read') ++kept;
    for (const [number, { kind }] of this.#entries) {
      if (kept <= this.#most) return;
      if (kind !== 'read' || this.#wanted.get(number) === this.#view) continue;
      this.#entries.delete(number);
      --kept;
    }
  }

  #tell(): void {
    if (this.#told === null) void awaited(new Promise<void>((resolve) => (this.#told = resolve)));
    const isLast = this.#asked === 0;
    if (isLast) this.#drop('tell');
    this.#after('tell', isLast ? together.last : together.others, () => {
      this.#isSlow &&= this.#asked > 0;
      this.changed();
      this.#told?.();
      this.#told = null;
    });
  }
}

const chunks = (count: number): string => (count === 1 ? 'one chunk' : `${countText(count)} chunks`);
