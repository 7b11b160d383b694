// A dialog with a field for an error text: where there is no key to paste with, as on phones, and for those who look for a button.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import '../components/dialog.css';
import './paste-dialog.css';
import { useEngine } from '../context/context';
import { readText } from './follow-paste';

export function PasteDialog({ close }: { close: () => void }) {
  const core = useEngine();
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const refused = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const shut = (): void => dialog.current?.close();
  const read = (typed: string): void => {
    if (typed.trim() === '') return;
    shut();
    void readText(core, typed);
  };
  useLayoutEffect(() => {
    dialog.current?.showModal();
    field.current?.focus();
    // What is pasted anywhere is read at once, unless it is added to a text in the field.
    const follow = (event: ClipboardEvent): void => {
      if (event.target === field.current && field.current?.value !== '') return;
      event.preventDefault();
      event.stopPropagation();
      read(event.clipboardData?.getData('text/plain') ?? '');
    };
    document.addEventListener('paste', follow, true);
    return () => document.removeEventListener('paste', follow, true);
  }, []);
  const fetchText = async (): Promise<void> => {
    try {
      read(await navigator.clipboard.readText());
    } catch {
      refused.value = true;
      field.current?.focus();
    }
  };
  return (
    <dialog
      class="dialog paste-dialog"
      ref={dialog}
      aria-labelledby="paste-title"
      onClose={close}
      // A press on the backdrop closes it.
      onClick={(event) => event.target === dialog.current && shut()}
    >
      <form
        class="sheet"
        onSubmit={(event) => {
          event.preventDefault();
          read(text.value);
        }}
      >
        <div class="head">
          <h2 id="paste-title">Paste an error</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={shut}>
            <span aria-hidden="true">×</span>
          </button>
        </div>
        <label for="pasted-text" class="note">
          An error message, a whole traceback, or shapes such as (2, 3) (3,). It is read in this browser and sent
          nowhere.
        </label>
        <textarea
          id="pasted-text"
          ref={field}
          rows={7}
          value={text.value}
          placeholder="ValueError: operands could not be broadcast together with shapes (32,10) (32,)"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-own-undo
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            read(event.currentTarget.value);
          }}
        />
        <p class="ways">
          <button type="submit" class="main" id="read-pasted" aria-disabled={text.value.trim() === ''}>
            Read it
          </button>
          {'clipboard' in navigator && 'readText' in navigator.clipboard && (
            <button type="button" class="quiet" onClick={() => void fetchText()}>
              Paste from the clipboard
            </button>
          )}
        </p>
        <p class="note" role="status">
          {refused.value
            ? 'The browser does not give this page the clipboard: paste into the field.'
            : 'Without this dialog: press the keys for pasting anywhere on the page, or drop the text on it.'}
        </p>
      </form>
    </dialog>
  );
}
