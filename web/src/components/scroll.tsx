// A box that scrolls sideways if its content is wider, and only then can be reached by keyboard.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useScrollHints } from './follow-scroll';

interface Props {
  label: string;
  /** A selector of the element to scroll into sight; looked for again when `of` changes. */
  show?: string;
  of?: unknown;
  children: ComponentChildren;
}

export function Scroll({ label, show, of, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useSignal(false);
  useScrollHints(box, ({ scrollWidth, clientWidth }) => (scrolls.value = scrollWidth > clientWidth));
  useLayoutEffect(() => {
    const element = scrolls.value ? box.current : null;
    const wanted = show ? element?.querySelector<HTMLElement>(show) : null;
    if (!element || !wanted) return;
    // On narrow screens the row's head stays in sight, above the cells that scroll.
    const head = wanted.parentElement?.firstElementChild;
    const covered = head instanceof HTMLElement && getComputedStyle(head).position === 'sticky' ? head.offsetWidth : 0;
    element.scrollLeft = wanted.offsetLeft - covered - (element.clientWidth - covered - wanted.offsetWidth) / 2;
  }, [scrolls.value, show, of]);
  return scrolls.value ? (
    <div class="scroll" ref={box} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  ) : (
    <div class="scroll" ref={box}>
      {children}
    </div>
  );
}
