// The dialog that shares an answer: the link, a picture, texts, and a frame for documents.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { useModel } from '../context/context';
import { fileName } from '../export/file-name';
import { markdown } from '../export/markdown';
import { answerAlt } from '../export/sentences';
import { download } from '../page/download';
import { leftOut, link } from '../store/store';
import { Action, copying } from './action';
import { FramePanel } from './frame-panel';
import { Pictures } from './pictures';
import './share.css';

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
        <FramePanel />
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

function Texts() {
  const model = useModel();
  const alt = answerAlt(model);
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
          act={() => download(new Blob([text], { type: 'text/markdown' }), fileName(model, '', 'md'))}
        />
      </div>
    </section>
  );
}
