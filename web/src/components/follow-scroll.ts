// Marks a box that scrolls sideways, `data-hides`, with the sides on which something is out of sight: styles show a hint there.

import './scroll.css';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Pixels out of sight that are too few for a hint: edges and gaps. */
const negligible = 12;

/** @param measured Called when the box or its content changes its size. */
export function useScrollHints(box: RefObject<HTMLElement | null>, measured?: (element: HTMLElement) => void): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const mark = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element;
      const hides = [
        scrollLeft > negligible && 'before',
        scrollLeft + clientWidth < scrollWidth - negligible && 'after',
      ].filter(Boolean);
      if (hides.length === 0) delete element.dataset['hides'];
      else if (element.dataset['hides'] !== hides.join(' ')) element.dataset['hides'] = hides.join(' ');
    };
    const watcher = new ResizeObserver(() => {
      measured?.(element);
      mark();
    });
    watcher.observe(element);
    if (element.firstElementChild) watcher.observe(element.firstElementChild);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener('scroll', mark);
    };
  }, [box]);
}
