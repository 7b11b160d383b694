// The core's repairs as states of the page: questions whose shapes fit.

import { signal } from '@preact/signals';
import { type AxisNames, type Engine, type Repair, targetOperand } from '../engine/engine';
import { indexText } from '../text/format';
import { fieldText } from '../text/symbolic-text';
import { type Model, shapesFit } from '../model/model';
import { changeOperand, sameQuestion, type State } from '../state/state';
import { pickRule } from '../store/store';

/** The question of a pasted text in which the target is an array that is written to; null where there is none. */
export const writesToTarget = signal<State | null>(null);

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
  if (kind === 'swap_operands') return { ...state, operands: state.operands.toReversed() };
  if (shape === null || operand === null) return state;
  const text = fieldText(shape, namesAfter(core, state, repair));
  return operand === targetOperand ? { ...state, target: text } : changeOperand(state, operand, { shape: text });
}

/** The names of an operand's axes after a repair; null where it has none, or where axes are merged. */
function namesAfter(core: Engine, { operands }: State, { kind, operand, shape, axes }: Repair): AxisNames | null {
  const read = core.parseShape(operands[operand ?? -1]?.shape ?? '', 0);
  const names = read.ok ? read.value.names : undefined;
  if (!names) return null;
  const kept = [...names];
  switch (kind) {
    case 'insert_axis':
      return (shape ?? []).map((_, axis) => (axes.includes(axis) ? null : (kept.shift() ?? null)));
    case 'remove_axis':
      return names.filter((_, axis) => !axes.includes(axis));
    case 'transpose':
      return axes.map((axis) => names[axis] ?? null);
    case 'change_size':
      return names;
    default:
      return null;
  }
}

export interface CoreRepair {
  readonly repair: Repair;
  /** Whether it changes an array that is written to: no line of code makes that larger, but a new one can be written to. */
  readonly isPlace: boolean;
  readonly next: State;
}

/**
 * The repairs that change the question, and whose shapes fit with the page's element types. Those that need another rule are
 * last: a program that follows one rule cannot take another, as NumPy cannot take PDPD's. Where an array is written
 * to, no rule is another.
 */
export function coreRepairs(core: Engine, { state, alignment }: Model): readonly CoreRepair[] {
  const isWritten = writesToTarget.value !== null && sameQuestion(writesToTarget.value, state);
  const found = (alignment?.repairs() ?? [])
    .map((repair) => ({
      ...{ repair, next: repaired(core, state, repair) },
      isPlace: isWritten && repair.kind === 'change_target',
    }))
    .filter(({ repair }) => !isWritten || repair.rule === state.rule)
    .filter(({ next }) => !sameQuestion(state, next) && shapesFit(core, next));
  const keeps = ({ repair }: CoreRepair): boolean => repair.rule === state.rule;
  return [...found.filter(keeps), ...found.filter((each) => !keeps(each))];
}
