// What a picture of the question can show.

import { alignmentSvg } from '../export/alignment-svg';
import type { SvgPicture } from '../export/figure';
import { gridSvg } from '../export/grid-svg';
import type { Palette } from '../export/palette';
import { alignmentAlt, answerAlt } from '../export/sentences';
import { slideSvg } from '../export/slide-svg';
import { stepsAlt, stepsSvg } from '../export/steps-svg';
import type { Model } from '../model/model';

export type Subject = 'alignment' | 'grid' | 'slide' | 'steps';

export interface PictureOf {
  readonly subject: Subject;
  readonly title: string;
  /** Null where the question has no such picture. */
  readonly draw: (model: Model, palette: Palette) => SvgPicture | null;
  readonly alt: (model: Model) => string;
  /** Pixels for each unit where it is saved in pixels; 0 for a picture that moves, which pixels cannot show. */
  readonly pixels: number;
  /** What is said of it, beside what is seen. */
  readonly note: string;
}

export const pictures: readonly PictureOf[] = [
  { subject: 'alignment', title: 'Alignment', draw: alignmentSvg, alt: alignmentAlt, pixels: 2, note: '' },
  { subject: 'grid', title: 'Grid', draw: gridSvg, alt: answerAlt, pixels: 2, note: '' },
  {
    ...{ subject: 'slide', title: 'Slide', draw: slideSvg, alt: alignmentAlt, pixels: 1 },
    note: 'A slide of 1920 × 1080 pixels.',
  },
  {
    ...{ subject: 'steps', title: 'Steps', draw: stepsSvg, alt: stepsAlt, pixels: 0 },
    note: 'It plays wherever an SVG is shown as an image, and stands still for readers who want less motion.',
  },
];
