// The core's repairs as states of the page: each leads on to a question whose shapes fit.

import { type Engine, type Repair, targetOperand } from '../engine/engine';
import { indexText, shapeText } from '../text/format';
import { type Model, shapesFit } from '../model/model';
import { changeOperand, sameQuestion, type State } from '../state/state';
import { pickRule } from './store';

/** The state after a repair: what it does not name stays as it was typed. */
export function repaired(core: Engine, state: State, repair: Repair): State {
  const { kind, operand, shape, rule, axis, axesMapping } = repair;
  if (kind === 'change_rule') {
    const next = rule === state.rule ? state : pickRule(core, state, rule);
    // An option that is not named is not given.
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

/** Those that lead on: not back to the question itself, and to shapes that fit with the page's own types. */
export function coreRepairs(core: Engine, { state, alignment }: Model): readonly CoreRepair[] {
  return (alignment?.repairs() ?? [])
    .map((repair) => ({ repair, next: repaired(core, state, repair) }))
    .filter(({ next }) => !sameQuestion(state, next) && shapesFit(core, next));
}
