// How far the alignment is told at this moment: the step that is chosen, or on the way there. Loaded with what moves.

import { effect, signal } from '@preact/signals';
import { stageNumber } from './stages';
import { state } from './store';

const still = matchMedia('(prefers-reduced-motion: reduce)');
/** From one step to the next, in milliseconds. */
const stepTime = 520;

/** From 0, the first step, to the last; between whole numbers while it moves. */
export const told = signal(stageNumber(state.peek().step));

let goal = told.peek();
let frame = 0;

effect(() => {
  const next = stageNumber(state.value.step);
  if (next !== goal) glide(next);
});

function glide(to: number): void {
  goal = to;
  cancelAnimationFrame(frame);
  const from = told.peek();
  if (still.matches || document.hidden) {
    told.value = to;
    return;
  }
  const begun = performance.now();
  const time = stepTime * Math.sqrt(Math.abs(to - from));
  const move = (now: number): void => {
    const way = Math.min(1, Math.max(0, (now - begun) / time));
    told.value = way === 1 ? to : from + (to - from) * way * way * (3 - 2 * way);
    if (way < 1) frame = requestAnimationFrame(move);
  };
  frame = requestAnimationFrame(move);
}
