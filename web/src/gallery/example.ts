// An example of the gallery, and the state that it opens.

import type { Engine } from '../engine/engine';
import { changeOperand, firstState, shaped, type State, valuesFrom } from '../state/state';
import { pickOperator, pickRule } from '../store/store';

export interface Example {
  readonly id: string;
  /** The documents' examples have none. */
  readonly title?: string;
  readonly rule: string;
  readonly shapes: readonly string[];
  readonly axis?: string;
  readonly target?: string;
  readonly mapping?: string;
  /** Operator and type, if the values matter; else the operator in use is kept if the rule takes it. */
  readonly op?: string;
  readonly dtype?: string;
  readonly names?: readonly string[];
  /** As in a link: `list:[1, 2]`, `random:7`; an empty text is counting. */
  readonly values?: readonly string[];
  readonly at?: readonly number[];
  /** What to look at; the first sentence is the story on the card. */
  readonly look: string;
  readonly tags?: readonly string[];
}

/** The state with an example; what the example leaves open stays as in `now`. */
export function stateOf(core: Engine, example: Example, now: State): State {
  const bare: State = {
    ...firstState,
    op: now.op,
    dtype: now.dtype,
    fmod: now.fmod,
    direction: now.direction,
    to: now.to,
    saturate: now.saturate,
    operands: example.shapes.map(shaped),
    target: example.target ?? '',
    only: now.only,
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
