// When the parts of a drawing appear. A picture of the steps shows them one after another; a still picture shows them all.

import type { MarkupAttributes } from './svg';

/** The steps of a picture: those of the page, and before the result the step that fills the grid. */
export const pictureSteps = ['written', 'aligned', 'stretched', 'filled', 'result'] as const;
export type PictureStep = (typeof pictureSteps)[number];

export interface Timing {
  /** Whether there are steps: only then does a drawing need what is seen before the last one. */
  readonly steps: boolean;
  /** Attributes of a part that appears in a step, at this share of the step. */
  from(step: PictureStep, share?: number): MarkupAttributes;
  /** Attributes of a part that has disappeared by then. */
  until(step: PictureStep, share?: number): MarkupAttributes;
  /** Attributes of a part that is so many pixels away until its axes are lined up. */
  lined(away: number): MarkupAttributes;
  /** Attributes of a part that grows from its left or top edge when operands are stretched. */
  grown(way: 'across' | 'down'): MarkupAttributes;
}

export const still: Timing = {
  steps: false,
  from: () => ({}),
  until: () => ({}),
  lined: () => ({}),
  grown: () => ({}),
};
