// Changes with which the shapes would fit, found by the core, each as a button. They stand in the grids' place.

import './repairs.css';
import { useEngine, useModel } from '../context/context';
import { type Repair, targetOperand } from '../engine/engine';
import { indexText, shapeText } from '../text/format';
import { coreRepairs } from './core-repairs';
import type { State } from '../state/state';
import { update } from '../store/store';
import { OtherRules } from './other-rules';
import { ownRepairs } from './own-repairs';

function Action({ repair, next }: { repair: Repair; next: State }) {
  const core = useEngine();
  const model = useModel();
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
    repair.axesMapping !== null ? `axes_mapping ${indexText(repair.axesMapping)}` : '',
    next.op !== model.state.op ? `the operator ${next.op}` : '',
  ].filter((text) => text !== '');
  const kept = repair.rule === model.state.rule;
  const dropped = kept && model.state.mapping.trim() !== '' && next.mapping === '';
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
          {kept ? 'keep the rule ' : 'use the rule '}
          <b>{rule}</b>
          {given.length > 0 && <> with {given.join(' and ')}</>}
          {dropped && ' without axes_mapping'}
          {shape && (
            <>
              , {whose} {shape}
            </>
          )}
        </>
      );
  }
}

export function Repairs() {
  const core = useEngine();
  const model = useModel();
  const repairs = coreRepairs(core, model);
  const own = ownRepairs(core, model);
  const some = repairs.length > 0 || own.length > 0;
  // If the shapes align, the operator, its type or the size of the result is wrong.
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
            {repairs.map(({ repair, next }, i) => (
              <li key={i}>
                <button type="button" onClick={() => update(next)}>
                  <span class="action">
                    <Action repair={repair} next={next} />
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
              : model.failure?.class === 'overflow'
                ? 'Change an extent: the result has too many elements, whatever their type.'
                : 'Change an extent or an option.'}
          </p>
        )}
      </section>
      {/* The table of all rules shows the same. */}
      {!align && model.state.view !== 'rules' && <OtherRules />}
    </>
  );
}
