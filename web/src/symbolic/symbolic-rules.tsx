// Shapes with unknown extents under every rule: whether they fit, and the result's shape. Each rule can be chosen.

import { useEngine, useModel } from '../context/context';
import type { RuleEntry, SymbolicDocument } from '../engine/engine';
import { fitTexts, shapesText } from '../model/symbolic-terms';
import { pickRule, update } from '../store/store';
import { ask } from './ask';

export function SymbolicRules() {
  const core = useEngine();
  const model = useModel();
  const { state, operands, target } = model;
  /** The answer of a rule, or why it cannot be asked. */
  const answerOf = (rule: RuleEntry): SymbolicDocument | string => {
    const asked = rule.takesTarget ? operands.slice(0, 1) : operands;
    if (rule.mostOperands !== null && asked.length > rule.mostOperands) return `takes ${rule.mostOperands} operands`;
    if (asked.length < rule.leastOperands) return `needs ${rule.leastOperands} operands`;
    if (rule.takesTarget && state.target.trim() === '') return 'needs a target shape';
    if (rule.takesMapping && state.mapping.trim() === '') return 'needs axes_mapping';
    const targetRead = model.rule?.takesTarget ? target : null;
    if (rule.takesTarget && !targetRead) return 'needs a target shape';
    const answer = ask(core, { ...model, state: { ...state, rule: rule.name, byName: '' }, rule, operands: asked });
    return answer.ok ? answer.value : answer.failure.message;
  };
  return (
    <section class="symbolic" aria-labelledby="symbolic-rules-title">
      <h2 id="symbolic-rules-title">All rules</h2>
      <ul class="cases">
        {core.vocabulary.rules.map((rule) => {
          const answer = answerOf(rule);
          return (
            <li key={rule.name}>
              <button
                type="button"
                class="case"
                aria-pressed={rule.name === state.rule}
                onClick={() => update(pickRule(core, state, rule.name))}
              >
                <b>{rule.title}</b>:{' '}
                {typeof answer === 'string' ? (
                  <span class="gives">{answer}</span>
                ) : (
                  <>
                    <span class="mono">{answer.fit === 'never' ? '' : shapesText({ symbolic: answer })}</span>{' '}
                    <span class="gives">{fitTexts[answer.fit].text}</span>
                  </>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
