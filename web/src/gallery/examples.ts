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
  return [
    {
      id: 'sights',
      title: 'Worth seeing',
      says: 'What broadcasting is good for, and what it looks like.',
      examples: presets.sights,
    },
    {
      id: 'mistakes',
      title: 'Where people trip',
      says: 'Mistakes that were really made. The worst of them fit.',
      examples: presets.mistakes,
    },
    ...documents.map(({ document, examples }) => ({
      id: document,
      title: core.vocabulary.documents.get(document) ?? document,
      says: 'The document’s own examples, in its order.',
      examples,
    })),
  ];
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
