// What was read of a pasted text, above the answer.

import { useLayoutEffect, useRef } from 'preact/hooks';
import './pasted.css';
import { useEngine, useModel } from '../context/context';
import type { CodeSystem, Pasted } from '../engine/engine';
import { Words } from '../components/words';
import { codeSystem, codeTitle } from '../rules/code-system';
import { coreRepairs, systemWithoutCode } from '../rules/core-repairs';
import { mostOperands, sameQuestion } from '../state/state';
import { countText } from '../text/format';
import { explains } from '../store/store';
import { dismissPasted, pasted, showsClash } from './follow-paste';

/** Says what a text without shapes does hold. */
function held({ sizes, axis, axisCounts }: Pasted): string {
  const extents = sizes.flatMap((size) => (typeof size === 'object' ? [] : [String(size)]));
  if (extents.length < 2) return 'does not name the shapes';
  const place =
    axis === null || axisCounts === 'in_operand'
      ? ''
      : axisCounts === 'from_left_in_result'
        ? ` along axis ${axis}`
        : ` along axis ${axis}, counted from the right`;
  return `says that ${extents.join(' and ')} differ${place}, but not the shapes`;
}

/** What is to be added to shapes that end at the axis that clashes. */
const axesAfter = ({ axis, axisCounts }: Pasted): string =>
  axisCounts === 'from_left_in_result' && axis !== null
    ? `, and add the axes after axis ${axis} if there are more`
    : '';

export function PastedNotice() {
  const core = useEngine();
  const { state } = useModel();
  const read = pasted.value;
  const notice = useRef<HTMLElement>(null);
  // On a small screen the answer is below the fields.
  useLayoutEffect(() => {
    if (matchMedia('(max-width: 860px)').matches) notice.current?.scrollIntoView();
  }, [read]);
  // It speaks of the question that was pasted; where that lacks something, of what is typed until it fits.
  if (!read || !(read.found?.lacksShapes || sameQuestion(state, read.shown))) return null;
  const { found, tooMany, isWhole } = read;
  const rule = core.vocabulary.rules.find(({ name }) => name === state.rule)?.title ?? state.rule;
  return (
    <section class="pasted" role="status" aria-label="Pasted text" ref={notice}>
      <div class="says">
        {tooMany > 0 && (
          <p>
            The text has {countText(tooMany)} shapes. This page takes {mostOperands} operands: the first {mostOperands}{' '}
            are shown.
          </p>
        )}
        {found === null ? (
          tooMany === 0 && (
            <>
              <p>
                <b>No shapes found in the pasted text.</b>
              </p>
              <p class="note">
                Paste an error message with its shapes, a whole traceback, or shapes such as (2, 3) (3,).
              </p>
            </>
          )
        ) : (
          <>
            <p>
              {found.system === 'unknown' ? 'Read from the pasted text' : <b>An error of {found.systemTitle}</b>}
              {isWhole ? (
                `, judged under the rule ${rule}`
              ) : found.noBroadcast ? null : found.rule === null && found.system !== 'unknown' ? (
                ', which follows none of the rules here: nothing is judged'
              ) : (
                <>
                  {' '}
                  that {held(found)}.{' '}
                  <b>
                    {showsClash.value
                      ? state.operands.some(({ shape }) => shape.includes('?'))
                        ? `Replace each ? by your sizes${axesAfter(found)}`
                        : 'Type your shapes in place of these'
                      : 'Type your shapes in'}
                  </b>
                </>
              )}
              .
            </p>
            {isWhole && <LineToChange />}
            {found.noBroadcast && (
              <p>
                <Words text={found.noBroadcast.message} />
              </p>
            )}
            {found.notes.map((note) => (
              <p key={note} class="note">
                <Words text={note} />
              </p>
            ))}
          </>
        )}
      </div>
      <button type="button" class="quiet" aria-label="Dismiss this note" title="Dismiss" onClick={dismissPasted}>
        <span aria-hidden="true">×</span>
      </button>
    </section>
  );
}

/** The line of the first change that is probably meant, for small screens, on which its card is further down. */
function LineToChange() {
  const core = useEngine();
  const model = useModel();
  const [first] = model.failure && explains.value ? coreRepairs(core, model) : [];
  const code = first && first.repair.grade !== 'only_if_meant' && first.repair.code[codeSystem.value as CodeSystem];
  return code ? (
    <p class="line-to-change">
      Change it to <code>{code}</code>
      {systemWithoutCode(model.state) && ` (${codeTitle.value})`}
    </p>
  ) : null;
}

/** Systems whose users have a model file rather than a line of code. */
const ofModels: readonly string[] = ['onnx', 'onnxruntime', 'openvino'];

/** In place of repairs, which need the shapes. */
export const ClashNotice = () => (
  <p class="clash-notice">
    Which change helps depends on the whole shapes.{' '}
    {ofModels.includes(pasted.value?.found?.system ?? '') ? (
      <>Drop the model on this page: its list has the shapes of every node that broadcasts.</>
    ) : (
      <>
        They are what <code>print(a.shape, b.shape)</code> prints before the line that failed: paste that here.
      </>
    )}
  </p>
);
