// What would work instead, found by the core, each as one press. They stand
// where the grids would stand.

import { type Engine, type Repair, targetOperand } from '../engine';
import { shapeText } from '../format';
import type { Model } from '../model';
import { changeOperand, type State } from '../state';
import { pickRule, update } from '../store';
import { lazily } from './lazy';
import { ownRepairs } from './own-repairs';

const OtherRules = lazily(() => import('./rules-more').then((part) => part.OtherRules));

/** The state after a repair: what it does not name stays as it was typed. */
export function repaired(core: Engine, state: State, repair: Repair): State {
  let next = repair.rule === state.rule ? state : pickRule(core, state, repair.rule);
  if (repair.rule !== state.rule) next = { ...next, axis: '', mapping: '' };
  const { shape } = repair;
  if (shape !== null && repair.operand === targetOperand) next = { ...next, target: shapeText(shape) };
  else if (shape !== null && repair.operand !== null) {
    next = changeOperand(next, repair.operand, { shape: shapeText(shape) });
  }
  if (repair.axis !== null) next = { ...next, axis: String(repair.axis) };
  if (repair.axesMapping !== null) next = { ...next, mapping: `[${repair.axesMapping.join(', ')}]` };
  return next;
}

function Action({ core, model, repair }: { core: Engine; model: Model; repair: Repair }) {
  const shape = repair.shape ? <b class="mono">{shapeText(repair.shape)}</b> : null;
  const whose =
    repair.operand === targetOperand
      ? 'the target'
      : repair.operand === null
        ? ''
        : model.operands[repair.operand]?.name;
  const rule = core.vocabulary.rules.find(({ name }) => name === repair.rule)?.title ?? repair.rule;
  const given = [
    repair.axis !== null ? `axis ${repair.axis}` : '',
    repair.axesMapping !== null ? `axes_mapping [${repair.axesMapping.join(', ')}]` : '',
  ].filter((text) => text !== '');
  switch (repair.kind) {
    case 'insert_axis':
      return (
        <>
          give {whose} axes of extent 1: {shape}
        </>
      );
    case 'remove_axis':
      return (
        <>
          take axes of extent 1 from {whose}: {shape}
        </>
      );
    case 'transpose':
      return (
        <>
          transpose {whose} to {shape}
        </>
      );
    case 'change_target':
      return <>make the target {shape}</>;
    default:
      return (
        <>
          {repair.rule === model.state.rule ? 'keep the rule ' : 'use the rule '}
          <b>{rule}</b>
          {given.length > 0 && <> with {given.join(' and ')}</>}
          {shape && (
            <>
              , {whose} {shape}
            </>
          )}
        </>
      );
  }
}

export function Repairs({ core, model }: { core: Engine; model: Model }) {
  const repairs = model.alignment?.repairs() ?? [];
  const own = ownRepairs(core, model);
  const some = repairs.length > 0 || own.length > 0;
  // What is wrong may be the operator, its type, or the size of the result.
  const align = model.alignment?.failure === null;
  return (
    <>
      <section class="repairs" aria-labelledby="repairs-title">
        <h2 id="repairs-title">
          {some ? 'What would work' : align ? 'The shapes themselves fit' : 'No small change makes these fit'}
        </h2>
        {some ? (
          <ul>
            {own.map(({ says, next }) => (
              <li key={says}>
                <button type="button" onClick={() => update(next)}>
                  <span class="action">{says}</span>
                </button>
              </li>
            ))}
            {repairs.map((repair, i) => (
              <li key={i}>
                <button type="button" onClick={() => update(repaired(core, model.state, repair))}>
                  <span class="action">
                    <Action core={core} model={model} repair={repair} />
                  </span>
                  <span class="gives">
                    gives <b class="mono">{shapeText(repair.result)}</b>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        ) : (
          <p class="note">
            {align
              ? 'Change what the message names: the operator, its type or option, the operands, or an extent.'
              : 'Change an extent, an option or the rule.'}
          </p>
        )}
      </section>
      {/* The table of all rules says it already. */}
      {!align && model.state.view !== 'rules' && <OtherRules core={core} model={model} />}
    </>
  );
}
