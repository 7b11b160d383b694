// Parts of the page that are loaded when they are first needed.

import { signal } from '@preact/signals';
import type { FunctionComponent, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { awaited } from './awaited';

interface NotLoadedProps {
  /** How often the part was asked for in vain. */
  times: number;
  retry: () => void;
}

/** Stands in a part's place when its file did not arrive. */
export const NotLoaded = ({ times, retry }: NotLoadedProps) => (
  <div class="not-loaded" role="status">
    <p class="note">
      {times === 1
        ? 'This part of the page did not load: the network may have failed.'
        : 'This part of the page still did not load. If trying again does not help, reload the page: the address keeps your shapes.'}
    </p>
    <button type="button" class="quiet" onClick={retry}>
      Try again
    </button>
  </div>
);

/** A component that is loaded when it is first drawn. */
export interface Lazy<P> extends FunctionComponent<P> {
  /** Loads it before that; ends, too, if it does not arrive. */
  readonly load: () => Promise<void>;
}

/** A component that is loaded when it is first drawn. Until then its place is empty, or `meanwhile` holds it. */
export function lazily<P extends object>(
  arrive: () => Promise<FunctionComponent<P>>,
  meanwhile: VNode | null = null,
): Lazy<P> {
  const part = signal<FunctionComponent<P> | null>(null);
  const lost = signal(0);
  let asking: Promise<void> | null = null;
  const ask = async (): Promise<void> => {
    try {
      part.value = await awaited(arrive());
    } catch {
      ++lost.value;
    }
    asking = null;
  };
  const load = async (): Promise<void> => {
    if (!part.peek()) await (asking ??= ask());
  };
  const Lazy = (props: P) => {
    // Asked for as soon as it is drawn; once more when it is drawn anew, if it did not arrive before.
    useMemo(() => void load(), []);
    const Part = part.value;
    if (Part) return <Part {...props} />;
    return lost.value > 0 ? <NotLoaded times={lost.value} retry={() => void load()} /> : meanwhile;
  };
  return Object.assign(Lazy, { load });
}
