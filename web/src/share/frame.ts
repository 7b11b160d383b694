// The frame that shows an answer in a document: its address and its HTML.

import { escaped } from '../export/svg';
import { titleText } from '../export/sentences';
import type { Model } from '../model/model';
import { toFragment } from '../state/state';

/** The parts that a frame can show below the verdict. */
export const frameParts = ['', 'alignment', 'grid', 'verdict'] as const;
export type FramePart = (typeof frameParts)[number];

/** The height in pixels, until the frame reports its own. */
const heights: Readonly<Record<FramePart, number>> = { '': 640, alignment: 380, grid: 460, verdict: 150 };

export const frameAddress = (home: string, model: Model, part: FramePart): string =>
  `${home}?embed${part && `=${part}`}#${toFragment(model.state)}`;

export const frameHtml = (home: string, model: Model, part: FramePart): string =>
  `<iframe\n  src="${escaped(frameAddress(home, model, part))}"\n  title="${escaped(`Broadloom: ${titleText(model)}`)}"\n  width="100%" height="${heights[part]}" loading="lazy" style="border: 0"\n></iframe>\n`;
