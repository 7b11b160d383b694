// Changes with which the shapes would fit, found by the core, each as a button. They stand in the grids' place.

import './repairs.css';
import { CopyButton } from '../components/copy-button';
import { Scroll } from '../components/scroll';
import { Words } from '../components/words';
import { useEngine, useModel } from '../context/context';
import { type CodeSystem, type Repair, targetOperand } from '../engine/engine';
import { indexText, shapeText } from '../text/format';
import { codeSystem, codeTitle, repairSystems } from './code-system';
import { coreRepairs, systemWithoutCode } from './core-repairs';
import type { State } from '../state/state';
import { update } from '../store/store';
import { OtherRules } from './other-rules';
import { ownRepairs } from './own-repairs';
import { withValuesMoved } from './transposed-values';

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
    case 'transpose':
      return (
        <>
          transpose {whose} to {shape}
        </>
      );
    case 'insert_axis':
    case 'remove_axis':
    case 'reshape':
      return (
        <>
          reshape {whose} to {shape}
        </>
      );
    case 'change_size':
      return (
        <>
          make {whose} {shape}
        </>
      );
    case 'change_target':
      return <>make the target {shape}</>;
    case 'swap_operands':
      return <>swap {model.operands.map(({ name }) => name).join(' and ')}</>;
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

/** How sure it is that a change is what was meant, in words. */
const grades: Readonly<Record<string, string>> = {
  certain: 'Almost certainly meant:',
  likely: 'Likely meant:',
  only_if_meant: 'Only if you mean it:',
};

function CodeSystems() {
  return (
    <label class="code-system">
      <span>Code for</span>{' '}
      <select
        id="repair-code"
        value={codeSystem.value}
        onChange={({ currentTarget }) => (codeSystem.value = currentTarget.value)}
      >
        {repairSystems.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The line of code for a change in the system at hand. */
const lineOf = ({ code }: Repair): string | null => code[codeSystem.value as CodeSystem];

/** The line of code for a change, with a button that copies it. A system without the rule takes what an earlier change writes. */
function CodeLine({ repair, earlier }: { repair: Repair; earlier: readonly Repair[] }) {
  const code = lineOf(repair);
  const title = codeTitle.value;
  if (!code) return <p class="note line">There is no {title} code for this change.</p>;
  const repeats = repair.kind === 'change_rule' && earlier.some((other) => code.includes(lineOf(other) ?? code));
  if (repeats)
    return (
      <p class="note line">
        {title} does not have this rule; in {title}, use the code above.
      </p>
    );
  return (
    <div class="line">
      <Scroll label="Code of this change, scrolling">
        <pre>
          <code>{code}</code>
        </pre>
      </Scroll>
      <CopyButton text={code} class="copy-line" of={`Copy ${code}`} otherwise="Not copied">
        Copy
      </CopyButton>
    </div>
  );
}

/** In place of a line of code, where the change is one of an array that is written to. */
const NewPlace = ({ repair: { shape } }: { repair: Repair }) => (
  <p class="note line">
    <span>
      The array that is written to has to be {shape && shapeText(shape)}: write to a new one, as in{' '}
      <span class="mono">out = a + b</span>.
    </span>
  </p>
);

function Cause() {
  const cause = useModel().alignment?.cause();
  if (!cause) return null;
  return (
    <p class="cause" data-cause={cause.kind}>
      <Words text={cause.text} />
      {cause.isThin && <span class="note"> The shapes alone do not prove it.</span>}
    </p>
  );
}

export function Repairs() {
  const core = useEngine();
  const model = useModel();
  const repairs = coreRepairs(core, model);
  const own = ownRepairs(core, model);
  const some = repairs.length > 0 || own.length > 0;
  const codeless = systemWithoutCode(model.state);
  // If the shapes align, the operator, its type or the size of the result is wrong.
  const align = model.alignment?.failure === null;
  return (
    <section class="repairs" aria-labelledby="repairs-title">
      <Cause />
      <div class="head">
        <h2 id="repairs-title">
          {some ? 'What would work' : align ? 'The shapes themselves fit' : 'No small change makes these fit'}
        </h2>
        {repairs.length > 0 && <CodeSystems />}
      </div>
      {repairs.length > 0 && codeless && (
        <p class="note">
          No code is written for {codeless}: these lines are in {codeTitle.value}.
        </p>
      )}
      {some ? (
        <ul>
          {own.map(({ says, next }) => (
            <li key={says}>
              <button type="button" class="apply" onClick={() => update(next)}>
                <span class="action">{says}</span>
              </button>
            </li>
          ))}
          {repairs.map(({ repair, next }, i) => (
            <li key={i} class={repair.grade}>
              {repair.needsNewArray ? (
                <NewPlace repair={repair} />
              ) : (
                <CodeLine repair={repair} earlier={repairs.slice(0, i).map((each) => each.repair)} />
              )}
              <p class="meaning">
                <span class="grade">{grades[repair.grade] ?? repair.grade}</span> <Words text={repair.meaning} />
              </p>
              <button
                type="button"
                class="apply"
                onClick={() => update(repair.kind === 'transpose' ? withValuesMoved(model, repair, next) : next)}
              >
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
      {/* The table of all rules shows the same. */}
      {!align && model.state.view !== 'rules' && <OtherRules />}
    </section>
  );
}
