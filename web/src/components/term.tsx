// A word of the field that is explained when it is pressed. It must not stand in a label or in a live region: it is a button.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import './term.css';
import type { TermName } from './terms';
import { lazily } from './lazy';

const TermNote = lazily(() => import('./term-note').then(({ TermNote }) => TermNote));

interface Props {
  readonly of: TermName;
  /** The word as it stands in its sentence; it is the term itself if it is left out. */
  readonly children?: string;
}

export function Term({ of, children = of }: Props) {
  const open = useSignal(false);
  const word = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        type="button"
        class="term-word"
        ref={word}
        aria-haspopup="dialog"
        aria-expanded={open.value}
        onClick={(event) => {
          // While the note is open, the browser closes it; the press that opens it must not close it at once.
          if (open.value) return;
          event.preventDefault();
          open.value = true;
        }}
      >
        {children}
      </button>
      {open.value && <TermNote of={of} word={word} close={() => (open.value = false)} />}
    </>
  );
}
