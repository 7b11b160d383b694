// A sentence of the core in which the first use of each term is explained; not for labels and live regions.

import { Term } from './term';
import type { TermName } from './terms';
import { Words } from './words';

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
const forms = new RegExp(`\\b(${Object.keys(termOf).join('|')})\\b`);

export function Explained({ text }: { text: string }) {
  const used = new Set<TermName>();
  const withTerms = (part: string) =>
    part.split(forms).map((word, i) => {
      const term = i % 2 === 1 ? termOf[word] : undefined;
      if (!term || used.has(term)) return word;
      used.add(term);
      return (
        <Term key={term} of={term}>
          {word}
        </Term>
      );
    });
  return <Words text={text} between={withTerms} />;
}
