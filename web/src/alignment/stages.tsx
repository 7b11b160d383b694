// The controls of the step-by-step view: buttons, a slider with its arrow keys, and playing.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useModel } from '../context/context';
import type { Alignment } from '../engine/engine';
import { lastStage, stageName, stageNumber, stages } from '../model/stage-names';
import { stepText } from '../model/step-text';
import { state, update } from '../store/store';
import './stages.css';
import { Words } from '../components/words';

/** How long each step is shown while playing, in milliseconds. */
const standing = 2200;

export function Stages({ alignment }: { alignment: Alignment }) {
  const model = useModel();
  const at = stageNumber(model.state.step);
  const playing = useSignal(false);
  const go = (to: number): void => update({ ...state.value, step: stageName(Math.min(lastStage, Math.max(0, to))) });
  const byHand = (to: number): void => {
    playing.value = false;
    go(to);
  };
  const on = playing.value;
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => {
      if (at + 1 >= lastStage) playing.value = false;
      go(at + 1);
    }, standing);
    return () => clearTimeout(timer);
  }, [on, at]);
  const play = (): void => {
    playing.value = !on;
    if (!on && at === lastStage) go(0);
  };
  const name = stages[at] ?? 'result';
  if (alignment.axes.length === 0) return null;
  return (
    <>
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
      <p class="telling" aria-live="polite">
        {(at < lastStage || on) && <Words text={stepText(name, model, alignment)} />}
      </p>
    </>
  );
}
