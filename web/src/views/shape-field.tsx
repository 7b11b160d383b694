// A text field that keeps what is typed and marks a token of it where it
// stands: a copy of the text lies behind the input, transparent but for marks.

import { useRef } from 'preact/hooks';
import type { Span } from '../engine/engine';
import { sentences } from '../parts/words';

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
  /** Whether the verdict says the message. */
  told: boolean;
  hue?: string;
  onText: (text: string) => void;
}

export function ShapeField({ id, label, text, placeholder, marks, message, told, hue, onText }: Props) {
  const mirror = useRef<HTMLDivElement>(null);
  return (
    // A form of its own: browsers look through the whole form at each letter, and here that is one field.
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
        <p class={`message ${told ? 'told' : ''}`} id={`${id}-message`}>
          {sentences(message)[0]}
        </p>
      )}
    </form>
  );
}

/** A text with some of its tokens marked. */
export function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const pieces = [];
  let done = 0;
  for (const { begin, end, kind } of [...marks].sort((a, b) => a.begin - b.begin)) {
    if (begin < done) continue;
    pieces.push(text.slice(done, begin));
    // A fault at the very end has no letter of its own: mark the place.
    pieces.push(<mark class={kind}>{text.slice(begin, end) || ' '}</mark>);
    done = Math.max(end, begin);
  }
  pieces.push(text.slice(done));
  return <>{pieces}</>;
}
