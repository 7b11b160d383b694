// The pictures of the question, to look at, save and copy.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useModel } from '../context/context';
import type { SvgPicture } from '../export/figure';
import { fileName } from '../export/file-name';
import { download } from '../page/download';
import { type Ground, shownGround } from '../page/shown-ground';
import { Action, copying } from './action';
import { Choice } from './choice';
import { paletteOf } from './colours';
import { pngBlob, svgBlob } from './files';
import { pictures, type Subject } from './subjects';

export function Pictures() {
  const model = useModel();
  const wanted = useSignal<Subject>('alignment');
  const ground = useSignal<Ground>(shownGround());
  const offered = pictures.filter(({ subject }) => subject !== 'grid' || model.result !== null);
  const shown = offered.find(({ subject }) => subject === wanted.value) ?? offered[0];
  const picture = useMemo(() => shown?.draw(model, paletteOf(ground.value)) ?? null, [model, shown, ground.value]);
  return (
    <section aria-labelledby="share-picture-title">
      <h3 id="share-picture-title">Picture</h3>
      {shown && picture ? (
        <>
          <div class="row">
            <Choice
              name="share-subject"
              label="What it shows"
              value={shown.subject}
              choices={offered.map(({ subject, title }) => [subject, title] as const)}
              choose={(value) => (wanted.value = value)}
            />
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
          <Preview picture={picture} alt={shown.alt(model)} />
          {shown.note && <p class="note">{shown.note}</p>}
          <div class="row">
            <Action
              id="share-svg"
              label="Save SVG"
              done="Saved"
              act={() => download(svgBlob(picture), fileName(model, shown.subject, 'svg'))}
            />
            <Action id="share-copy-svg" label="Copy SVG" done="Copied" act={copying(picture.svg)} />
            {shown.pixels > 0 && (
              <>
                <Action
                  id="share-png"
                  label="Save PNG"
                  done="Saved"
                  act={async () =>
                    download(await pngBlob(picture, shown.pixels), fileName(model, shown.subject, 'png'))
                  }
                />
                <Action
                  id="share-copy-png"
                  label="Copy PNG"
                  done="Copied"
                  act={() =>
                    navigator.clipboard.write([new ClipboardItem({ 'image/png': pngBlob(picture, shown.pixels) })])
                  }
                />
              </>
            )}
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
