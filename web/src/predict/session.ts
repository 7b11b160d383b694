// The progress of a learner, kept while the tab is open.

import { signal } from '@preact/signals';
import { levelAt, levels } from './questions';

export interface Session {
  readonly level: number;
  /** Right answers in a row, without hints. */
  readonly streak: number;
  readonly best: number;
  /** The number of these at the present level. */
  readonly here: number;
}

/** After so many right answers in a row the next level begins. */
export const perLevel = 3;

const place = 'broadloom.predict';
const fresh: Session = { level: 1, streak: 0, best: 0, here: 0 };

function stored(): Session {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? '') as Partial<Record<keyof Session, unknown>>;
    const whole = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.trunc(value) : 0);
    return {
      level: levelAt(whole(kept.level)),
      streak: whole(kept.streak),
      best: whole(kept.best),
      here: whole(kept.here),
    };
  } catch {
    return fresh; // nothing stored, or storage denied
  }
}

export const session = signal(stored());
session.subscribe((now) => {
  try {
    sessionStorage.setItem(place, JSON.stringify(now));
  } catch {
    // Storage is denied: the progress is kept while the page is open.
  }
});

/** The progress after an answer at `level`. A right answer with a hint neither ends nor extends the streak. */
export function after(now: Session, level: number, right: boolean, hinted: boolean): Session {
  if (!right) return { ...now, level, streak: 0, here: 0 };
  if (hinted) return { ...now, level };
  const streak = now.streak + 1;
  const here = (now.level === level ? now.here : 0) + 1;
  const best = Math.max(now.best, streak);
  return here >= perLevel && level < levels.length
    ? { level: level + 1, streak, best, here: 0 }
    : { level, streak, best, here };
}
