// The examples of `presets.json`, in their sections.

import type { Alignment, Engine } from '../engine/engine';
import presets from './presets.json';
import type { Example } from './example';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly examples: readonly Example[];
}

export function sectionsOf(core: Engine): readonly Section[] {
  const documents: readonly { document: string; examples: readonly Example[] }[] = presets.documents;
  const seen = new Set<string>();
  return [
    {
      id: 'mistakes',
      title: 'Where people trip',
      says: 'Mistakes that people made. The worst ones raise no error.',
      examples: presets.mistakes,
    },
    {
      id: 'sights',
      title: 'Worth seeing',
      says: 'What broadcasting is good for, and what it looks like.',
      examples: presets.sights,
    },
    ...documents.map(({ document, examples }) => ({
      id: document,
      title: core.vocabulary.documents.get(document) ?? document,
      says: 'The document’s own examples, in its order.',
      // Two editions of a document share most of theirs.
      examples: examples.filter((example) => {
        const question = questionOf(example);
        return !seen.has(question) && seen.add(question);
      }),
    })),
  ];
}

/** What two examples have in common if they are the same. */
const questionOf = ({ rule, shapes, axis, target, mapping }: Example): string =>
  JSON.stringify([rule, shapes, axis, target, mapping]);

/** The tag of examples whose shapes fit although they should not. */
export const fitsButWrong = 'fits but wrong';

/** The tags of an example: its own, and those that its shapes have. */
export function tagsOf({ tags = [], shapes, target }: Example): readonly string[] {
  return [
    ...tags,
    ...(target === undefined ? [] : ['target shape']),
    ...(shapes.includes('()') ? ['scalar'] : []),
    ...(shapes.some((shape) => /\b0\b/.test(shape)) ? ['extent 0'] : []),
    ...(shapes.length > 2 ? ['three operands'] : []),
  ];
}

/** A shape as one word, whatever blanks and brackets it has: (8,3). */
const asWord = (text: string): string => `(${text.replace(/[\s()[\]]|,\s*[)\]]/g, '')})`;

/** Whether all words are in the example's texts; shapes are found however they are spaced. */
export function hasWords(core: Engine, example: Example, words: string): boolean {
  const { title = '', look, rule, shapes, names = [], target = '', mapping = '', axis, op = '' } = example;
  const placed = axis === undefined ? '' : `axis ${axis}`;
  const ruled = core.vocabulary.rules.find(({ name }) => name === rule)?.title ?? '';
  const texts = [title, look, rule, ruled, ...names, target, mapping, placed, op, ...tagsOf(example)].join(' ');
  const written = [...shapes, target, mapping].map(asWord).join(' ');
  const all = `${texts} ${shapes.join(' ')} ${written}`.toLowerCase();
  const sought = words.toLowerCase().replace(/[([][^)\]]*[)\]]/g, (shape) => ` ${asWord(shape)} `);
  return sought.split(/\s+/).every((word) => all.includes(word));
}

/** The core's alignment of an example; null if the core refuses the question. */
export function alignmentOf(core: Engine, { rule, shapes, axis, target, mapping }: Example): Alignment | null {
  const read = shapes.map((text, i) => core.parseShape(text, i));
  const wanted = target === undefined ? null : core.parseTarget(target);
  const mapped = mapping === undefined ? null : core.parseMapping(mapping);
  const placed = axis === undefined ? null : core.parseAxis(axis);
  const aligned = core.align(
    rule,
    read.map((shape) => (shape.ok ? shape.value.values : [])),
    {
      ...(wanted?.ok ? { targetShape: wanted.value.values } : {}),
      ...(mapped?.ok ? { axesMapping: mapped.value.values } : {}),
      ...(placed?.ok ? { axis: placed.value.values[0] } : {}),
    },
  );
  return aligned.ok ? aligned.value : null;
}
