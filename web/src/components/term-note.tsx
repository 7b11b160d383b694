// What a term means, beside its word: a popover, which the browser closes on Escape and on a press elsewhere.

import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import './term-note.css';
import { terms, type TermName } from './terms';

interface Props {
  of: TermName;
  word: RefObject<HTMLButtonElement | null>;
  close: () => void;
}

/** Pixels from the word, and from the edges of the window. */
const gap = 6;

export function TermNote({ of, word, close }: Props) {
  const note = useRef<HTMLSpanElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const [button, shown] = [word.current, note.current];
    if (!button || !shown) return;
    // So that a press on the word closes the note again.
    button.popoverTargetElement = shown;
    shown.showPopover();
    place(shown, button.getBoundingClientRect());
    const hide = (): void => shown.hidePopover();
    // It lies on the page, not in a box that scrolls or in columns that are set anew.
    const scrolled = ({ target }: Event): void => {
      if (target !== document) hide();
    };
    addEventListener('scroll', scrolled, true);
    addEventListener('resize', hide);
    return () => {
      button.popoverTargetElement = null;
      removeEventListener('scroll', scrolled, true);
      removeEventListener('resize', hide);
    };
  }, [word]);
  return (
    <span
      class="term-note"
      ref={note}
      popover="auto"
      role="dialog"
      aria-labelledby={id}
      aria-describedby={`${id}-says`}
      tabIndex={-1}
      autofocus
      onToggle={({ newState }) => newState === 'closed' && close()}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && relatedTarget !== word.current) currentTarget.hidePopover();
      }}
    >
      <b id={id}>{of}</b>
      {/* No shape is broken across lines. */}
      <span id={`${id}-says`}>{terms[of].replace(/, (?=\d)/g, ',\u00a0')}</span>
    </span>
  );
}

/** Puts the note above the word, or below it if there is no room: what comes next stays in sight. */
function place(note: HTMLElement, word: DOMRect): void {
  const { width, height } = note.getBoundingClientRect();
  const { clientWidth } = document.documentElement;
  const left = Math.max(gap, Math.min(word.left, clientWidth - width - gap));
  const above = word.top - gap - height;
  note.style.left = `${left + scrollX}px`;
  note.style.top = `${(above >= 0 ? above : word.bottom + gap) + scrollY}px`;
}
