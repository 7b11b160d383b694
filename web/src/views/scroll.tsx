// A box that scrolls sideways where it must, and can be reached by keyboard then, and only then.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const scrolls = useSignal(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => void (scrolls.value = element.scrollWidth > element.clientWidth);
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    if (element.firstElementChild) watcher.observe(element.firstElementChild);
    return () => watcher.disconnect();
  }, [scrolls]);
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
