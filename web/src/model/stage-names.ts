// The steps in which the alignment can be shown: the shapes as written, aligned, repeated where they are short, and the result.
// The page shows the last step unless another one is chosen.

import type { Model } from './model';

export const stages = ['written', 'aligned', 'stretched', 'result'] as const;
export type Stage = (typeof stages)[number];

export const lastStage = stages.length - 1;

/** The number of a step by its name in a link; unknown names give the last step. */
export function stageNumber(name: string): number {
  const at = stages.findIndex((stage) => stage === name);
  return at < 0 ? lastStage : at;
}

/** The name of a step in a link; the last step has none. */
export const stageName = (at: number): string => (at >= lastStage ? '' : (stages[Math.max(0, at)] ?? ''));

/** The step that a question is shown in; what has no alignment has no steps. */
export const stageOf = ({ alignment, state }: Model): number => (alignment ? stageNumber(state.step) : lastStage);

/** Whether the answer is kept back until the last step. */
export const keepsAnswer = (model: Model): boolean => stageOf(model) < lastStage;

/** Whether extents are compared in this step, so that axes are repeated or clash. */
export const compares = (at: number): boolean => at >= stageNumber('stretched');
