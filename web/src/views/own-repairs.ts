// Repairs of what the page itself was given: values that do not fill a shape, element types that do not go together. Each
// is tried, and offered only where it gives an answer.

import type { Engine } from '../engine/engine';
import { shapeText } from '../text/format';
import { answers, mixedTypes, type Model } from '../model/model';
import { changeOperand, type State } from '../state/state';

export interface OwnRepair {
  readonly says: string;
  readonly next: State;
}

export function ownRepairs(core: Engine, model: Model): readonly OwnRepair[] {
  const { state, operands } = model;
  const found: OwnRepair[] = [];
  operands.forEach(({ name, given }, i) => {
    if (!given?.failure) return;
    if (given.ownShape) {
      const shape = shapeText(given.ownShape);
      found.push({ says: `give ${name} the shape of its values, ${shape}`, next: changeOperand(state, i, { shape }) });
    }
    const values = { kind: 'counting', text: '' } as const;
    found.push({ says: `let ${name} count instead`, next: changeOperand(state, i, { values }) });
  });
  if (mixedTypes(model)) {
    const dtypes = operands.map(({ dtype }) => dtype);
    const promoted = core.computedTypes(state.op, dtypes, 'numpy2');
    if (promoted.ok && state.promote === '')
      found.push({
        says: `promote as NumPy 2 does, to ${core.resultType('', promoted.value).name}`,
        next: { ...state, promote: 'numpy2' },
      });
    for (const dtype of new Set(dtypes)) {
      const alike = operands.reduce((next, _, i) => changeOperand(next, i, { dtype: '' }), { ...state, dtype });
      found.push({ says: `make all of them ${dtype}`, next: alike });
    }
  }
  return found.filter(({ next }) => answers(core, next));
}
