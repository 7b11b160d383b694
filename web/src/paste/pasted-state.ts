// Turns a pasted text that was read into a state of the page.

import type { Engine, Pasted } from '../engine/engine';
import { writtenShape } from '../text/symbolic-text';
import { longestName, mostOperands, type OperandSpec, shaped, type State } from '../state/state';
import { pickOperator, pickRule } from '../store/store';

/**
 * The state with the text's shapes as the question; null where the text does not hold the shapes of all operands, or follows
 * no rule of this page.
 */
export function stateOfPasted(core: Engine, now: State, found: Pasted): State | null {
  const { system, question, lacksShapes, shapes, noBroadcast } = found;
  // Shapes alone are asked about under the rule at hand.
  const operands = shapes.filter(({ isOperand }, i) => question?.operands.includes(i) ?? isOperand);
  const target = shapes.find((_, i) => i === question?.target);
  const texts = operands.slice(0, mostOperands).map(writtenShape);
  if (texts.length === 0 || lacksShapes || noBroadcast || (question === null && system !== 'unknown')) return null;
  return ask(core, now, found, {
    operands: operands.slice(0, mostOperands).map(({ expression }, i): OperandSpec => ({
      ...shaped(texts[i] ?? ''),
      name: expression !== null && expression.length <= longestName ? expression : '',
    })),
    target: target ? writtenShape(target) : '',
  });
}

function ask(core: Engine, now: State, found: Pasted, shapes: Pick<State, 'operands' | 'target'>): State {
  const { question, op, ruleAxis } = found;
  const rule = question?.rule ?? found.rule;
  const cleared = { promote: '', at: [], pin: null, view: '', step: '' };
  const asked = {
    ...pickRule(core, { ...now, ...cleared }, rule ?? now.rule),
    ...shapes,
    axis: ruleAxis === null ? '' : String(ruleAxis),
    mapping: '',
    byName: '',
  };
  // Where the text names no operator, the one before says nothing about it.
  const named = core.opsFor(asked.rule).find(({ name }) => name === (op ?? 'Add'));
  return shapes.target !== '' || !named ? asked : withRoom(core, pickOperator(core, asked, named.name));
}

/** At most so many axes stand in for those that a text does not say. */
const mostAssumed = 16;

/**
 * A question that shows which extents clash, for a text that has them but no shapes: `(?, ?, 64)` with `(?, ?, 128)`; null
 * where it lacks those, too. Without an axis, each extent is a shape of its own.
 */
export function stateOfClash(core: Engine, now: State, found: Pasted): State | null {
  const { sizes, axis, axisCounts, rule } = found;
  if (rule === null || sizes.length !== 2 || sizes.some((size) => typeof size === 'object')) return null;
  const before = axisCounts === 'from_left_in_result' ? (axis ?? 0) : 0;
  const after = axisCounts === 'from_right_in_result' ? Math.max(0, -(axis ?? 0) - 1) : 0;
  if (before < 0 || before + after >= mostAssumed) return null;
  const unknown = (axes: number): readonly string[] => Array.from({ length: axes }, () => '?');
  const texts = sizes.map((size) => [...unknown(before), String(size), ...unknown(after)].join(', '));
  const lone = before + after === 0 ? ',' : '';
  return ask(core, now, found, { operands: texts.map((text) => shaped(`(${text}${lone})`)), target: '' });
}

/** The state with these shapes as its operands; a single one takes the place of the first. */
export function stateOfShapes(core: Engine, now: State, shapes: readonly string[]): State {
  const given = shapes.slice(0, mostOperands);
  const kept = given.length === 1 ? now.operands.slice(1) : [];
  const operands = given.map((shape, i) => ({ ...(now.operands[i] ?? shaped('')), shape }));
  return withRoom(core, { ...now, operands: [...operands, ...kept], at: [], pin: null });
}

/** The state with an operator that takes all its operands: Sum, where the present one takes fewer. */
function withRoom(core: Engine, state: State): State {
  const most = core.opsFor(state.rule).find(({ name }) => name === state.op)?.mostOperands ?? null;
  return most !== null && state.operands.length > most ? pickOperator(core, state, 'Sum') : state;
}
