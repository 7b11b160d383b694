// The frame that shows an answer in a document: its address and its HTML.

import { escaped } from '../export/svg';
import { titleText } from '../export/sentences';
import type { Model } from '../model/model';
import { toFragment } from '../state/state';

/** The parts that a frame can show below the verdict. */
export const frameParts = ['', 'alignment', 'grid', 'verdict'] as const;
export type FramePart = (typeof frameParts)[number];

/** The colours of a frame; an empty text stands for the reader's system setting. */
export type FrameGround = '' | 'light' | 'dark';

export interface FrameLook {
  readonly part: FramePart;
  readonly ground: FrameGround;
}

/** The heights of what a frame shows, in CSS pixels, in a wide and in a narrow window. */
export interface FrameHeights {
  readonly wide: number;
  readonly narrow: number;
}

/** The widths of the frames whose heights count as wide and narrow. Wide ones show grids beside each other. */
export const measuredWidths = { wide: 528, narrow: 320 };
/** Windows of documents below this width get the height of narrow frames. */
const narrowWindow = 600;

/** Until the heights are known. */
export const usualHeights: Readonly<Record<FramePart, FrameHeights>> = {
  '': { wide: 900, narrow: 1260 },
  alignment: { wide: 510, narrow: 620 },
  grid: { wide: 530, narrow: 860 },
  verdict: { wide: 160, narrow: 220 },
};

export const frameAddress = (home: string, model: Model, { part, ground }: FrameLook): string =>
  `${home}?embed${part && `=${part}`}${ground && `&theme=${ground}`}#${toFragment(model.state)}`;

/**
 * The frame, and a script that gives it the height of what it shows. Where a document may have no scripts, the style chooses
 * between the two heights by the width of the window; the attribute is for documents that may have no styles either.
 */
export function frameHtml(home: string, model: Model, look: FrameLook, { wide, narrow }: FrameHeights): string {
  const height = `clamp(${wide}px, (${narrowWindow}px - 100vw) * 999, ${Math.max(wide, narrow)}px)`;
  return `<iframe
  src="${escaped(frameAddress(home, model, look))}"
  title="${escaped(`Broadloom: ${titleText(model)}`)}"
  width="100%" height="${wide}" loading="lazy" style="border: 0; height: ${height}"
></iframe>
<script>
  // Gives the frame the height of what it shows.
  addEventListener('message', ({ source, origin, data }) => {
    if (origin !== '${new URL(home).origin}' || data?.from !== 'broadloom' || data.type !== 'height') return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source) frame.style.height = \`\${data.height}px\`;
    }
  });
</script>
`;
}
