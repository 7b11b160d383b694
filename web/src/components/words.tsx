// Sentences of the core, with the names of fields set as code.

import type { ComponentChildren } from 'preact';

/** Names between backquotes, and names with an underscore: axes_mapping. */
const names = /`([^`]+)`|\b(\w+_\w+)\b/;

interface WordsProps {
  text: string;
  /** How the text between the names is set; as it is, if this is left out. */
  between?: (part: string) => ComponentChildren;
}

export function Words({ text, between = (part) => part }: WordsProps) {
  const texts = text.split(names).filter((each) => each !== undefined);
  return <>{texts.map((each, i) => (i % 2 === 1 ? <code key={i}>{each}</code> : between(each)))}</>;
}

/** The sentence with a capital letter, unless it begins with the name of a field. */
export const capital = (text: string): string =>
  /^(`|\w+_)/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);

/** The first sentence, and the rest. */
export function sentences(text: string): readonly [first: string, rest: string] {
  const end = /\. (?=[A-Z])/.exec(text);
  return end ? [text.slice(0, end.index + 1), text.slice(end.index + 2)] : [text, ''];
}
