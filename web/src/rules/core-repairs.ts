// The core's repairs as states of the page: questions whose shapes fit.

import { type Engine, type Repair, targetOperand } from '../engine/engine';
import { indexText, shapeText } from '../text/format';
import { type Model, shapesFit } from '../model/model';
import { changeOperand, sameQuestion, type State } from '../state/state';
import { pickRule } from '../store/store';

/** The state after a repair; fields that the repair does not name stay as typed. */
export function repaired(core: Engine, state: State, repair: Repair): State {
  const { kind, operand, shape, rule, axis, axesMapping } = repair;
  if (kind === 'change_rule') {
    const next = rule === state.rule ? state : pickRule(core, state, rule);
    // Options that the repair does not name are cleared.
    return {
      ...next,
      axis: axis === null ? '' : String(axis),
      mapping: axesMapping === null ? '' : indexText(axesMapping),
    };
  }
  if (shape === null || operand === null) return state;
  const text = shapeText(shape);
  return operand === targetOperand ? { ...state, target: text } : changeOperand(state, operand, { shape: text });
}

export interface CoreRepair {
  readonly repair: Repair;
  readonly next: State;
}

/** The repairs that change the question, and whose shapes fit with the page's element types. */
export function coreRepairs(core: Engine, { state, alignment }: Model): readonly CoreRepair[] {
  return (alignment?.repairs() ?? [])
    .map((repair) => ({ repair, next: repaired(core, state, repair) }))
    .filter(({ next }) => !sameQuestion(state, next) && shapesFit(core, next));
}
