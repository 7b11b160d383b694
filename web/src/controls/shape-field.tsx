// A text field that keeps what is typed and marks tokens in it: a copy of the text lies behind the input, transparent except
// for its marks.

import { useRef } from 'preact/hooks';
import type { Span } from '../engine/engine';
import { sentences } from '../components/words';

export interface Mark extends Span {
  readonly kind: 'bad' | 'clash';
}

interface Props {
  id: string;
  label: string;
  text: string;
  placeholder?: string;
  marks: readonly Mark[];
  message: string | null;
  /** Whether the verdict shows the message, too. */
  shownByVerdict: boolean;
  hue?: string;
  onText: (text: string) => void;
}

export function ShapeField({ id, label, text, placeholder, marks, message, shownByVerdict, hue, onText }: Props) {
  const mirror = useRef<HTMLDivElement>(null);
  return (
    // A form of its own: browsers look through the whole form at each key stroke, and here that is one field.
    <form class={`shape-field ${hue ?? ''} ${message ? 'malformed' : ''}`} onSubmit={(event) => event.preventDefault()}>
      <div class="typed">
        <div class="mirror" aria-hidden="true" ref={mirror}>
          <Marked text={text} marks={marks} />
        </div>
        <input
          id={id}
          type="text"
          value={text}
          placeholder={placeholder ?? ''}
          aria-label={label}
          aria-invalid={message !== null}
          aria-describedby={message ? `${id}-message` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (mirror.current) mirror.current.scrollLeft = currentTarget.scrollLeft;
          }}
        />
      </div>
      {message && (
        <p class={`message ${shownByVerdict ? 'shown-by-verdict' : ''}`} id={`${id}-message`}>
          {sentences(message)[0]}
        </p>
      )}
    </form>
  );
}

/** A text with some of its tokens marked. */
export function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const texts = [];
  let done = 0;
  for (const { begin, end, kind } of [...marks].sort((a, b) => a.begin - b.begin)) {
    if (begin < done) continue;
    texts.push(text.slice(done, begin));
    // A fault at the end of the text has no letter: a space is marked.
    texts.push(<mark class={kind}>{text.slice(begin, end) || ' '}</mark>);
    done = Math.max(end, begin);
  }
  texts.push(text.slice(done));
  return <>{texts}</>;
}
