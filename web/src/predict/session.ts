// How a learner is doing, for as long as the tab is open.

import { signal } from '@preact/signals';
import { levelAt, levels } from './questions';

export interface Session {
  readonly level: number;
  /** Right answers in a row, without hints. */
  readonly streak: number;
  readonly best: number;
  /** Of these, how many at this level. */
  readonly here: number;
}

/** So many in a row, and the next level begins. */
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
    return fresh; // nothing kept, or storage denied
  }
}

export const session = signal(stored());
session.subscribe((now) => {
  try {
    sessionStorage.setItem(place, JSON.stringify(now));
  } catch {
    // It then lasts as long as the page.
  }
});

/** After an answer at `level`. A hint ends no streak, and adds nothing to it. */
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
