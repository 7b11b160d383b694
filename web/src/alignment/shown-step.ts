// The step of the alignment that is shown at this moment: the chosen one, or a point on the way there. Loaded with the lines.

import { effect, signal } from '@preact/signals';
import { stageNumber } from '../model/stage-names';
import { state } from '../store/store';

const still = matchMedia('(prefers-reduced-motion: reduce)');
/** Milliseconds from one step to the next. */
const stepTime = 520;

/** From 0, the first step, to the last; a fraction while it moves. */
export const shownStep = signal(stageNumber(state.peek().step));

let goal = shownStep.peek();
let frame = 0;

effect(() => {
  const next = stageNumber(state.value.step);
  if (next !== goal) glide(next);
});

function glide(to: number): void {
  goal = to;
  cancelAnimationFrame(frame);
  const from = shownStep.peek();
  if (still.matches || document.hidden) {
    shownStep.value = to;
    return;
  }
  const begun = performance.now();
  const time = stepTime * Math.sqrt(Math.abs(to - from));
  const move = (now: number): void => {
    const done = Math.min(1, Math.max(0, (now - begun) / time));
    shownStep.value = done === 1 ? to : from + (to - from) * done * done * (3 - 2 * done);
    if (done < 1) frame = requestAnimationFrame(move);
  };
  frame = requestAnimationFrame(move);
}
