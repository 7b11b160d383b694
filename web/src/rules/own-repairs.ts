// Repairs of the page's own input: values that do not fill a shape, element types that do not go together, an element type
// too large for the result. Each is tried, and offered only if it gives an answer.

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
    for (const dtype of new Set(dtypes))
      found.push({ says: `make all of them ${dtype}`, next: withType(model, dtype) });
  }
  return [...found.filter(({ next }) => answers(core, next)), ...smallerTypes(core, model)];
}

/** The question with that element type for all operands. */
const withType = ({ state, operands }: Model, dtype: string): State =>
  operands.reduce((next, _, i) => changeOperand(next, i, { dtype: '' }), { ...state, dtype });

/** At most so many element types are offered in place of one that is too large. */
const mostTypes = 2;

/** The widest element types in which a result can be counted that has too many bytes in its own; the same kind first. */
function smallerTypes(core: Engine, model: Model): readonly OwnRepair[] {
  const { state, op, failure } = model;
  if (failure?.class !== 'overflow' || !op) return [];
  const casts = op.attribute === 'to';
  const types = casts ? core.operandTypes(op.name, 0, state) : core.dtypesFor(op.name, state);
  const { kind, bits } = core.typeNamed(casts ? state.to : state.dtype);
  return types
    .filter((type) => type.bits < bits)
    .sort((a, b) => b.bits - a.bits || Number(b.kind === kind) - Number(a.kind === kind))
    .map(({ name }) => ({
      says: `${casts ? 'cast to' : 'use elements of'} ${name}`,
      next: casts ? { ...state, to: name } : withType(model, name),
    }))
    .filter(({ next }) => answers(core, next))
    .slice(0, mostTypes);
}
