// Asks what the rule says of shapes with unknown extents, or what matching by name does.

import { type Engine, type Extent, type Failure, targetOperand } from '../engine/engine';
import type { Field, SymbolicOutcome, SymbolicQuestion } from '../model/model';
import { namesOf } from '../state/operand-names';

export function ask(engine: Engine, question: SymbolicQuestion): SymbolicOutcome {
  const { state, rule, operands, axis, target, mapping } = question;
  const shapeOf = ({ values, unknown, names, text }: Field): string | readonly Extent[] =>
    unknown?.text ?? (names || !values ? text : values);
  const options = {
    ...(axis.values?.[0] === undefined ? {} : { axis: axis.values[0] }),
    ...(rule?.takesTarget ? { targetShape: shapeOf(target) } : {}),
    ...(mapping.values ? { axesMapping: mapping.values } : {}),
  };
  const byName = state.byName !== '';
  const answer = engine.alignSymbolic(state.rule, operands.map(shapeOf), byName ? { byName } : options);
  if (answer.ok) return answer;
  const failure = namesOf(engine, state.operands.slice(0, operands.length)).inFailure(answer.failure);
  return {
    ok: false,
    failure,
    marked: {
      operands: operands.map((operand, i) => (i === failure.operand ? marked(operand, failure) : operand)),
      target: failure.operand === targetOperand ? marked(target, failure) : target,
    },
  };
}

/** The field with its extent at fault, where the failure names one. */
function marked<F extends Field>(field: F, failure: Failure): F {
  return { ...field, failure: { ...failure, span: field.spans[failure.operandAxis ?? -1] ?? null } };
}
