// The examples of `presets.json`, and the state that each of them opens.

import type { Alignment, Engine } from '../engine';
import presets from '../presets.json';
import { changeOperand, firstState, shaped, type State, valuesFrom } from '../state';
import { pickOperator, pickRule } from '../store';

export interface Example {
  readonly id: string;
  /** The documents' examples have none: their shapes say it. */
  readonly title?: string;
  readonly rule: string;
  readonly shapes: readonly string[];
  readonly axis?: string;
  readonly target?: string;
  readonly mapping?: string;
  /** Where the numbers matter: the operator and its type; else the operator that is in use, if the rule takes it. */
  readonly op?: string;
  readonly dtype?: string;
  readonly names?: readonly string[];
  /** As in a link: `list:[1, 2]`, `random:7`; an empty text is counting. */
  readonly values?: readonly string[];
  readonly at?: readonly number[];
  /** What to look at. */
  readonly look: string;
}

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

/** The page with an example on it; what the example leaves open stays as it is in `now`. */
export function stateOf(core: Engine, example: Example, now: State): State {
  const bare: State = {
    ...firstState,
    op: now.op,
    dtype: now.dtype,
    fmod: now.fmod,
    direction: now.direction,
    operands: example.shapes.map(shaped),
    target: example.target ?? '',
    at: example.at ?? [],
  };
  const usual = core.opsFor(example.rule).some(({ name }) => name === firstState.op) ? firstState.op : now.op;
  const ruled = pickRule(core, { ...bare, op: example.op ?? usual }, example.rule);
  const chosen = example.op ? { ...pickOperator(core, ruled, example.op), dtype: example.dtype ?? ruled.dtype } : ruled;
  const asked: State = {
    ...chosen,
    operands: example.shapes.map(shaped),
    axis: example.axis ?? '',
    target: example.target ?? '',
    mapping: example.mapping ?? '',
  };
  return example.shapes.reduce(
    (state, _, i) =>
      changeOperand(state, i, { name: example.names?.[i] ?? '', values: valuesFrom(example.values?.[i] ?? '') }),
    asked,
  );
}

/** What the core says to an example; null where it cannot even be asked. */
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
