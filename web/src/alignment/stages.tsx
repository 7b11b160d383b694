// The step-by-step view: buttons, a slider with its arrow keys, playing, and the sentence about the step.

import { useEffect } from 'preact/hooks';
import { useModel } from '../context/context';
import type { Alignment } from '../engine/engine';
import { lastStage, stageName, stageOf, stages } from '../model/stage-names';
import { stepText } from '../model/step-text';
import { fillsInOrder, playing } from '../store/playing';
import { state, update } from '../store/store';
import './stages.css';
import { Words } from '../components/words';

/** How long a step is shown while playing, in milliseconds: the picture is looked at, and each letter is read. */
const lookingTime = 1400;
const letterTime = 45;
const mostTime = 8000;

/** Goes to a step. The comparison of all rules has the answer: it is closed. */
function go(to: number): void {
  const step = stageName(Math.min(lastStage, Math.max(0, to)));
  const { view } = state.value;
  update({ ...state.value, step, view: view === 'rules' ? '' : view });
}

export function Stages({ alignment }: { alignment: Alignment }) {
  const model = useModel();
  const at = stageOf(model);
  const name = stages[at] ?? 'result';
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    if (at === lastStage) {
      playing.value = false;
      return;
    }
    const time = Math.min(mostTime, lookingTime + letterTime * stepText(name, model, alignment).length);
    const timer = setTimeout(() => {
      fillsInOrder.value = at + 1 === lastStage;
      go(at + 1);
    }, time);
    return () => clearTimeout(timer);
  }, [on, at, alignment]);
  useEffect(() => () => void (playing.value = false), []);
  const byHand = (to: number): void => {
    playing.value = false;
    fillsInOrder.value = false;
    go(to);
  };
  const play = (): void => {
    if (!on && at === lastStage) byHand(0);
    playing.value = !on;
  };
  return (
    <div class="stages" role="group" aria-label="The alignment step by step">
      <button type="button" class="quiet" id="play-steps" onClick={play}>
        <span aria-hidden="true">{on ? '❚❚ ' : '▶ '}</span>
        {on ? 'Pause' : 'Step by step'}
      </button>
      <button
        type="button"
        id="step-back"
        aria-label="Step back"
        aria-disabled={at === 0}
        onClick={() => byHand(at - 1)}
      >
        ‹
      </button>
      <input
        type="range"
        id="step"
        aria-label="Step"
        aria-valuetext={`${at + 1} of ${stages.length}, ${name}`}
        min={0}
        max={lastStage}
        value={String(at)}
        onInput={({ currentTarget }) => byHand(Number(currentTarget.value))}
      />
      <button
        type="button"
        id="step-on"
        aria-label="Step on"
        aria-disabled={at === lastStage}
        onClick={() => byHand(at + 1)}
      >
        ›
      </button>
      <span class="stage-name">{name}</span>
    </div>
  );
}

interface TellingProps {
  readonly stage: number;
  readonly text: string;
  readonly clashes: boolean;
}

/** A step in words. A clash is not the end of the page, but it is of a frame, whose styles hide where it goes on. */
const Telling = ({ stage, text, clashes }: TellingProps) => (
  <>
    <Words text={text} />
    {clashes && stage === lastStage && <span class="goes-on"> Why, and what would work, comes next on the page.</span>}
  </>
);

interface StepSentenceProps {
  alignment: Alignment;
  /** Whether steps are shown; if not, there is nothing to say. */
  told: boolean;
}

/** The sentence about the step, between the pictures that it is about. It is as high as the longest, so that nothing moves. */
export function StepSentence({ alignment, told }: StepSentenceProps) {
  const model = useModel();
  const at = stageOf(model);
  const clashes = alignment.conflicts.length > 0;
  const texts = told ? stages.map((stage) => stepText(stage, model, alignment)) : [];
  return (
    <div class={told ? 'step-sentence narrated' : 'step-sentence'}>
      <p class="telling" aria-live="polite">
        {told && <Telling stage={at} text={texts[at] ?? ''} clashes={clashes} />}
      </p>
      {texts.map((text, i) => (
        <p key={i} class="room" aria-hidden="true">
          <Telling stage={i} text={text} clashes={clashes} />
        </p>
      ))}
    </div>
  );
}
