// The dialog that shares an answer: the link, a picture, texts, and a frame for documents.

import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useModel } from '../context/context';
import { alignmentSvg } from '../export/alignment-svg';
import type { SvgPicture } from '../export/figure';
import { gridSvg } from '../export/grid-svg';
import { markdown } from '../export/markdown';
import { alignmentAlt, gridAlt } from '../export/sentences';
import type { Model } from '../model/model';
import { draw } from '../model/picture';
import { type Ground, paletteOf, shownGround } from './colours';
import { download } from '../page/download';
import { pngBlob, svgBlob } from './files';
import { frameHtml, type FramePart } from './frame';
import { home, leftOut, link } from '../store/store';
import './share.css';

interface ActionProps {
  id: string;
  label: string;
  /** Shown on the button when it is done. */
  done: string;
  act: () => Promise<void> | void;
}

/** A button that shows for a moment whether its action succeeded. */
function Action({ id, label, done, act }: ActionProps) {
  const said = useSignal('');
  const press = async (): Promise<void> => {
    try {
      await act();
      said.value = done;
    } catch {
      said.value = 'Not allowed here';
    }
    setTimeout(() => (said.value = ''), 2400);
  };
  return (
    <button type="button" id={id} onClick={() => void press()}>
      <span aria-live="polite">{said.value || label}</span>
    </button>
  );
}

const copying = (text: string) => (): Promise<void> => navigator.clipboard.writeText(text);

interface ChoiceProps<T extends string> {
  name: string;
  label: string;
  value: T;
  choices: readonly (readonly [value: T, title: string])[];
  choose: (value: T) => void;
}

function Choice<T extends string>({ name, label, value, choices, choose }: ChoiceProps<T>) {
  return (
    <span class="one-of" role="radiogroup" aria-label={label}>
      {choices.map(([each, title]) => (
        <label key={each}>
          <input type="radio" name={name} value={each} checked={each === value} onChange={() => choose(each)} />
          <span class="face">{title}</span>
        </label>
      ))}
    </span>
  );
}

export function Share({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="share"
      id="share-dialog"
      ref={dialog}
      aria-labelledby="share-title"
      onClose={close}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) currentTarget.close(); // Beside it.
      }}
    >
      <div class="sheet">
        <div class="head">
          <h2 id="share-title">Share</h2>
          <button type="button" class="close" aria-label="Close" onClick={() => dialog.current?.close()}>
            <span aria-hidden="true">✕</span>
          </button>
        </div>
        <Link />
        <Pictures />
        <Texts />
        <Frame />
      </div>
    </dialog>
  );
}

function Link() {
  const without = leftOut.value;
  return (
    <section aria-labelledby="share-link-title">
      <h3 id="share-link-title">Link</h3>
      <div class="row">
        <input
          type="text"
          id="share-link"
          readOnly
          aria-labelledby="share-link-title"
          value={link()}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Action id="share-copy-link" label="Copy" done="Copied" act={copying(link())} />
      </div>
      <p class="note">
        {without.length === 0
          ? 'It holds all of what you see, and opens it again.'
          : `It opens what you see, but not the values of ${without.join(', ')}: files and long lists stay here.`}
      </p>
    </section>
  );
}

type Subject = 'alignment' | 'grid';

function Pictures() {
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
          <Preview picture={picture} alt={altOf(model, subject)} />
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

function altOf(model: Model, subject: Subject): string {
  const { alignment, result } = model;
  return subject === 'grid' && alignment && result
    ? gridAlt(model, result, draw(alignment, model, result))
    : alignmentAlt(model);
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

function Texts() {
  const model = useModel();
  const alt = altOf(model, 'grid');
  const text = markdown(model, link());
  return (
    <section aria-labelledby="share-text-title">
      <h3 id="share-text-title">Text</h3>
      <p class="alt" id="share-alt">
        {alt}
      </p>
      <div class="row">
        <Action id="share-copy-alt" label="Copy alt text" done="Copied" act={copying(alt)} />
        <Action id="share-copy-markdown" label="Copy Markdown" done="Copied" act={copying(text)} />
        <Action
          id="share-markdown"
          label="Save Markdown"
          done="Saved"
          act={() => download(new Blob([text], { type: 'text/markdown' }), 'broadloom.md')}
        />
      </div>
    </section>
  );
}

function Frame() {
  const model = useModel();
  const part = useSignal<FramePart>('');
  const html = frameHtml(home(), model, part.value);
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
        <Action id="share-copy-frame" label="Copy HTML" done="Copied" act={copying(html)} />
      </div>
      <textarea
        id="share-frame"
        readOnly
        rows={4}
        aria-labelledby="share-frame-title"
        spellcheck={false}
        value={html}
      />
      <p class="note">
        A page can talk to its frame: set what it shows, ask for the answer, follow its height. How is in docs/embed.md.
      </p>
    </section>
  );
}
