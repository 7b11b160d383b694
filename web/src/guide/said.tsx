// A sentence of the guide: `{stride}` is a term of the field, `{extents|extent}` one in another form, `axis` in backquotes code.

import { Words } from '../components/words';

const marked = /\{([^{}|]+)(?:\|([^{}]+))?\}/;

/** The sentence without marks. */
export const plainText = (text: string): string =>
  text.replace(new RegExp(marked, 'g'), (_, words: string) => words).replaceAll('`', '');

export function Said({ text }: { text: string }) {
  const parts = text.split(marked);
  return (
    <>
      {parts.map((part, i) =>
        i % 3 === 0 ? <Words key={i} text={part ?? ''} /> : i % 3 === 1 ? <dfn key={i}>{part}</dfn> : null,
      )}
    </>
  );
}
