// The core's repairs as states of the page: questions whose shapes fit.

import { signal } from '@preact/signals';
import { type AxisNames, type Engine, type PastedQuestion, type Repair, targetOperand } from '../engine/engine';
import { indexText } from '../text/format';
import { fieldText } from '../text/symbolic-text';
import { type Model, shapesFit } from '../model/model';
import { changeOperand, sameQuestion, type State } from '../state/state';
import { pickRule } from '../store/store';

/** The question of the last pasted text; null where the text has none. */
export const pastedQuestion = signal<{
  readonly question: PastedQuestion;
  /** The state that shows it. */
  readonly shown: State;
  /** The title of the text's system where no code is written for it; else null. */
  readonly codeless: string | null;
} | null>(null);

/** The pasted question that a state shows; null where it shows none. */
const pastedIn = (state: State) =>
  pastedQuestion.value && sameQuestion(pastedQuestion.value.shown, state) ? pastedQuestion.value : null;

/** The title of the system whose error text the state shows, where no code is written for it; else null. */
export const systemWithoutCode = (state: State): string | null => pastedIn(state)?.codeless ?? null;

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
  readonly next: State;
}

/**
 * The repairs that change the question, and whose shapes fit with the page's element types. Those that need another rule are
 * last: a program that follows one rule cannot take another, as NumPy cannot take PDPD's.
 */
export function coreRepairs(core: Engine, { state, alignment }: Model): readonly CoreRepair[] {
  const question = pastedIn(state)?.question;
  const found = (alignment?.repairs(question) ?? [])
    .map((repair) => ({ repair, next: repaired(core, state, repair) }))
    .filter(({ next }) => !sameQuestion(state, next) && shapesFit(core, next));
  if (question) return found;
  const keeps = ({ repair }: CoreRepair): boolean => repair.rule === state.rule;
  return [...found.filter(keeps), ...found.filter((each) => !keeps(each))];
}
