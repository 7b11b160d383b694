// Sentences of the core, with the names of fields set as code.

import type { TermName } from './terms';
import { Term } from './term';

/** Names between backquotes, and names with an underscore: axes_mapping. */
const names = /`([^`]+)`|\b(\w+_\w+)\b/;

/** The terms that stand in sentences, by the forms that they have there. */
const termOf: Readonly<Record<string, TermName>> = {
  axis: 'axis',
  axes: 'axis',
  extents: 'extent',
  operand: 'operand',
  rank: 'rank',
  stretch: 'repeat, stretch',
  stretches: 'repeat, stretch',
  target: 'target shape',
};
const termForms = new RegExp(`\\b(${Object.keys(termOf).join('|')})\\b`);

interface WordsProps {
  text: string;
  /** Whether the first use of each term is explained; not in labels and live regions. */
  explained?: boolean;
}

export function Words({ text, explained }: WordsProps) {
  const texts = text.split(names).filter((each) => each !== undefined);
  const used = new Set<TermName>();
  const withTerms = (part: string) =>
    part.split(termForms).map((word, i) => {
      const term = i % 2 === 1 ? termOf[word] : undefined;
      if (!term || used.has(term)) return word;
      used.add(term);
      return (
        <Term key={term} of={term}>
          {word}
        </Term>
      );
    });
  return (
    <>{texts.map((each, i) => (i % 2 === 1 ? <code key={i}>{each}</code> : explained ? withTerms(each) : each))}</>
  );
}

/** The sentence with a capital letter, unless it begins with the name of a field. */
export const capital = (text: string): string =>
  /^(`|\w+_)/.test(text) ? text : text.slice(0, 1).toUpperCase() + text.slice(1);

/** The first sentence, and the rest. */
export function sentences(text: string): readonly [first: string, rest: string] {
  const end = /\. (?=[A-Z])/.exec(text);
  return end ? [text.slice(0, end.index + 1), text.slice(end.index + 2)] : [text, ''];
}
