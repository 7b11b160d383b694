// The steps for undo and redo: a list of values. Each is kept whole; they share what did not change.

export interface StepHistory<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
  /** The kind of the last step: steps of one kind in quick succession are one step. */
  readonly kind: string | null;
  /** When it was made, in milliseconds. */
  readonly time: number;
}

/** The number of steps that are kept. */
export const mostSteps = 200;
/** Letters typed within so many milliseconds of one another are undone together. */
export const pause = 1000;

export const begin = <T>(now: T): StepHistory<T> => ({ past: [], now, future: [], kind: null, time: 0 });

/** A step to `next`. Steps of a kind are joined to the one before, if that was of the same kind and at most `within` ago. */
export function step<T>(
  history: StepHistory<T>,
  next: T,
  kind: string | null,
  time: number,
  within: number = pause,
): StepHistory<T> {
  if (next === history.now) return history;
  const joined = kind !== null && kind === history.kind && time - history.time <= within && history.past.length > 0;
  const past = joined ? history.past : [...history.past, history.now].slice(-mostSteps);
  return { past, now: next, future: [], kind, time };
}

export function undo<T>({ past, now, future }: StepHistory<T>): StepHistory<T> {
  const before = past.at(-1);
  return before === undefined
    ? { past, now, future, kind: null, time: 0 }
    : { past: past.slice(0, -1), now: before, future: [now, ...future], kind: null, time: 0 };
}

/** Goes to the nearest step that `is` accepts, earlier ones first; null if there is none. */
export function travel<T>({ past, now, future }: StepHistory<T>, is: (step: T) => boolean): StepHistory<T> | null {
  const all = [...past, now, ...future];
  const earlier = all.slice(0, past.length + 1).findLastIndex(is);
  const at = earlier < 0 ? all.findIndex(is) : earlier;
  const there = all[at];
  return there === undefined
    ? null
    : { past: all.slice(0, at), now: there, future: all.slice(at + 1), kind: null, time: 0 };
}

export function redo<T>({ past, now, future }: StepHistory<T>): StepHistory<T> {
  const [after, ...rest] = future;
  return after === undefined
    ? { past, now, future, kind: null, time: 0 }
    : { past: [...past, now], now: after, future: rest, kind: null, time: 0 };
}
