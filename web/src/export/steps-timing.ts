// The timing of a picture that shows the steps: animations in CSS, which browsers play in an <img>, too. Nothing but the
// animations hides anything: without them, and for readers who want less motion, the picture shows the last step.

import type { PictureStep, Timing } from './timing';
import { type Markup, type MarkupAttributes, tag } from './svg';

/** A step, and how long it is shown, in seconds. */
export interface TimedStep {
  readonly step: PictureStep;
  readonly time: number;
}

const fade = 0.3; // s
/** At the end of the last step everything goes back to the first one. */
const back = 0.6; // s
/** The part of a step in which it is built up. */
const building = 0.55;

export interface StepsTiming extends Timing {
  /** The rules of all parts that were drawn with it. */
  style(): Markup;
}

/** `name` begins all class names: pictures in one document share their styles. */
export function stepsTiming(name: string, steps: readonly TimedStep[]): StepsTiming {
  const total = steps.reduce((sum, { time }) => sum + time, 0);
  const percent = (time: number): string => `${Math.round((10_000 * time) / total) / 100}%`;
  const begin = (step: PictureStep): number => {
    const at = steps.findIndex((timed) => timed.step === step);
    return steps.slice(0, at).reduce((sum, { time }) => sum + time, 0);
  };
  const timeOf = (step: PictureStep): number => steps.find((timed) => timed.step === step)?.time ?? 0;
  const within = (step: PictureStep, share: number): number => begin(step) + share * building * timeOf(step);

  const rules = new Map<string, string>();
  /** The class of parts that change from one look to another between two times, and back at the end. */
  const changing = (key: string, start: number, end: number, before: string, after: string, more = ''): string => {
    const named = `${name}-${key}`;
    rules.set(
      named,
      `.${named}{animation:${named} ${Math.round(total * 100) / 100}s ease-in-out infinite;${more}}` +
        `@keyframes ${named}{0%,${percent(start)}{${before}}${percent(end)},${percent(total - back)}{${after}}100%{${before}}}`,
    );
    return named;
  };

  return {
    steps: true,
    from: (step, share = 0) => {
      if (begin(step) === 0 && share === 0) return {};
      const start = within(step, share);
      const key = `${step}-${Math.round(share * 100)}`;
      return { class: changing(key, start, start + fade, 'opacity:0', 'opacity:1') };
    },
    until: (step, share = 0) => {
      const end = within(step, share);
      const key = `before-${step}-${Math.round(share * 100)}`;
      return { class: changing(key, end - fade, end, 'opacity:1', 'opacity:0'), opacity: 0 };
    },
    lined: (away) => {
      if (away === 0) return {};
      const moved = 'transform:translateX(var(--away))';
      return {
        class: changing('lined', within('aligned', 0.1), within('aligned', 0.9), moved, 'transform:none'),
        style: `--away:${Math.round(away)}px`,
      };
    },
    grown: (way): MarkupAttributes => {
      // Rows first, so that each is seen.
      const start = begin('stretched') + fade + (way === 'across' ? 0 : 0.6);
      const none = way === 'across' ? 'transform:scaleX(0)' : 'transform:scaleY(0)';
      const from = 'transform-box:fill-box;transform-origin:0 0';
      return { class: changing(way, start, start + 1.2, none, 'transform:none', from) };
    },
    style: () => tag('style', {}, `@media (prefers-reduced-motion:no-preference){${[...rules.values()].join('')}}`),
  };
}
