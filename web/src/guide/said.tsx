// A sentence of the guide: `{axis}` is a term of the field, `{extents|extent}` one in another form, `axis` in backquotes code.

import { Term } from '../components/term';
import type { TermName } from '../components/terms';
import { Words } from '../components/words';

const marked = /\{([^{}|]+)(?:\|([^{}]+))?\}/;

/** The sentence without marks. */
export const plainText = (text: string): string =>
  text.replace(new RegExp(marked, 'g'), (_, words: string) => words).replaceAll('`', '');

export function Said({ text }: { text: string }) {
  // Text, then the word and the term (if that is another) of each mark, and text again.
  const parts = text.split(marked);
  return (
    <>
      {parts.map((part, i) => {
        if (i % 3 === 0) return <Words key={i} text={part} />;
        return i % 3 === 2 ? null : (
          <Term key={i} of={(parts[i + 1] ?? part) as TermName}>
            {part}
          </Term>
        );
      })}
    </>
  );
}
