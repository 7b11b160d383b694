// The pictures of the question, to look at, save and copy.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useModel } from '../context/context';
import { alignmentSvg } from '../export/alignment-svg';
import type { SvgPicture } from '../export/figure';
import { gridSvg } from '../export/grid-svg';
import { alignmentAlt, answerAlt } from '../export/sentences';
import { download } from '../page/download';
import { Action, copying } from './action';
import { Choice } from './choice';
import { type Ground, paletteOf, shownGround } from './colours';
import { pngBlob, svgBlob } from './files';

type Subject = 'alignment' | 'grid';

export function Pictures() {
  const model = useModel();
  const wanted = useSignal<Subject>('alignment');
  const ground = useSignal<Ground>(shownGround());
  const subject = model.result ? wanted.value : 'alignment';
  const picture = useMemo(() => {
    const palette = paletteOf(ground.value);
    return subject === 'grid' ? gridSvg(model, palette) : alignmentSvg(model, palette);
  }, [model, subject, ground.value]);
  const name = `broadloom-${subject}`;
  return (
    <section aria-labelledby="share-picture-title">
      <h3 id="share-picture-title">Picture</h3>
      {picture ? (
        <>
          <div class="row">
            {model.result && (
              <Choice
                name="share-subject"
                label="What it shows"
                value={subject}
                choices={[
                  ['alignment', 'Alignment'],
                  ['grid', 'Grid'],
                ]}
                choose={(value) => (wanted.value = value)}
              />
            )}
            <Choice
              name="share-ground"
              label="Colours"
              value={ground.value}
              choices={[
                ['light', 'Light'],
                ['dark', 'Dark'],
              ]}
              choose={(value) => (ground.value = value)}
            />
          </div>
          <Preview picture={picture} alt={subject === 'grid' ? answerAlt(model) : alignmentAlt(model)} />
          <div class="row">
            <Action
              id="share-svg"
              label="Save SVG"
              done="Saved"
              act={() => download(svgBlob(picture), `${name}.svg`)}
            />
            <Action
              id="share-png"
              label="Save PNG"
              done="Saved"
              act={async () => download(await pngBlob(picture), `${name}.png`)}
            />
            <Action id="share-copy-svg" label="Copy SVG" done="Copied" act={copying(picture.svg)} />
            <Action
              id="share-copy-png"
              label="Copy PNG"
              done="Copied"
              act={() => navigator.clipboard.write([new ClipboardItem({ 'image/png': pngBlob(picture) })])}
            />
          </div>
        </>
      ) : (
        <p class="note">
          {model.symbolic
            ? 'Shapes with unknown extents have no picture: open one of their examples for one. Markdown has the conditions.'
            : 'There is nothing to draw until the shapes can be read.'}
        </p>
      )}
    </section>
  );
}

/** The picture as it will be saved. */
function Preview({ picture, alt }: { picture: SvgPicture; alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(svgBlob(picture));
    if (image.current) image.current.src = address;
    return () => URL.revokeObjectURL(address);
  }, [picture]);
  return <img class="preview" id="share-preview" ref={image} alt={alt} width={picture.width} height={picture.height} />;
}
