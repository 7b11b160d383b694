// The HTML of a frame for a document, with what the frame shows and in which colours.

import { useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { useModel } from '../context/context';
import { home } from '../store/store';
import { Action, copying } from './action';
import { Choice } from './choice';
import { frameAddress, type FrameGround, type FrameHeights, frameHtml, type FramePart, usualHeights } from './frame';
import { FrameMeasure } from './frame-measure';

export function FramePanel() {
  const model = useModel();
  const part = useSignal<FramePart>('');
  const ground = useSignal<FrameGround>('');
  const look = { part: part.value, ground: ground.value };
  // The heights do not depend on the colours.
  const address = frameAddress(home(), model, { ...look, ground: '' });
  const known = useSignal<{ readonly address: string; readonly heights: Partial<FrameHeights> } | null>(null);
  const measured = useCallback(
    (heights: Partial<FrameHeights>) => {
      const before = known.peek();
      known.value = { address, heights: { ...(before?.address === address ? before.heights : {}), ...heights } };
    },
    [address],
  );
  const heights = known.value?.address === address ? known.value.heights : {};
  const html = frameHtml(home(), model, look, { ...usualHeights[part.value], ...heights });
  return (
    <section aria-labelledby="share-frame-title">
      <h3 id="share-frame-title">Frame for a document</h3>
      <div class="row">
        <Choice
          name="share-part"
          label="What the frame shows"
          value={part.value}
          choices={[
            ['', 'All'],
            ['alignment', 'Alignment'],
            ['grid', 'Grid'],
            ['verdict', 'Result'],
          ]}
          choose={(value) => (part.value = value)}
        />
        <Choice
          name="share-frame-ground"
          label="Colours of the frame"
          value={ground.value}
          choices={[
            ['', 'Auto'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          choose={(value) => (ground.value = value)}
        />
        <Action id="share-copy-frame" label="Copy HTML" done="Copied" act={copying(html)} />
      </div>
      <textarea
        id="share-frame"
        readOnly
        rows={4}
        aria-labelledby="share-frame-title"
        spellcheck={false}
        data-measured={heights.wide !== undefined && heights.narrow !== undefined}
        value={html}
      />
      <p class="note">
        The script gives the frame the height of what it shows; without it, the height is that of this question. A page
        can also talk to its frame: set what it shows, and ask for the answer. How is in docs/embed.md.
      </p>
      <FrameMeasure address={address} measured={measured} />
    </section>
  );
}
