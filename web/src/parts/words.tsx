// Sentences of the core: names that are typed as they stand are set as code.

/** Names between backquotes, and names that could be nothing else: axes_mapping. */
const names = /`([^`]+)`|\b(\w+_\w+)\b/;

export function Words({ text }: { text: string }) {
  const pieces = text.split(names).filter((piece) => piece !== undefined);
  return <>{pieces.map((piece, i) => (i % 2 === 1 ? <code key={i}>{piece}</code> : piece))}</>;
}

/** A name keeps its small letter. */
export const capital = (text: string): string =>
  /^(`|\w+_)/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);

/** The first sentence, and what follows it. */
export function sentences(text: string): readonly [first: string, rest: string] {
  const cut = /\. (?=[A-Z])/.exec(text);
  return cut ? [text.slice(0, cut.index + 1), text.slice(cut.index + 2)] : [text, ''];
}
