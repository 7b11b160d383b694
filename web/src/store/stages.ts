// The alignment, told in steps: the shapes as they are written, put under one another, repeated where they are short,
// and what comes out. The last is what the page shows unless one asks to go through it.

export const stages = ['written', 'aligned', 'stretched', 'result'] as const;
export type Stage = (typeof stages)[number];

export const lastStage = stages.length - 1;

/** The number of a step by its name in a link; foreign names are the last one. */
export function stageNumber(name: string): number {
  const at = stages.findIndex((stage) => stage === name);
  return at < 0 ? lastStage : at;
}

/** The name that a link holds: the last step is none. */
export const stageName = (at: number): string => (at >= lastStage ? '' : (stages[Math.max(0, at)] ?? ''));
