// The list of keys, in a dialog. The browser keeps the focus in it, closes it on Escape, and gives the focus back.

import { useLayoutEffect, useRef } from 'preact/hooks';
import '../components/dialog.css';
import './keys-list.css';
import { keysOpen } from '../store/keys';
import { state, update } from '../store/store';
import { keyTable } from './key-table';

const mac = /Mac|iPhone|iPad/.test(navigator.platform);
const spelled: Readonly<Record<string, string>> = {
  mod: mac ? '⌘' : 'Ctrl',
  shift: 'Shift',
  Escape: 'Esc',
  PageUp: 'Page up',
  PageDown: 'Page down',
  '-': '−',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const spoken: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  '?': 'question mark',
  '+': 'plus',
  '-': 'minus',
};
const capped = (part: string): string => spelled[part] ?? (part.length === 1 ? part.toUpperCase() : part);

export function KeysList() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const places = [...new Set(keyTable.map(({ where }) => where))];
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      class="dialog keys-list"
      ref={dialog}
      aria-labelledby="keys-title"
      onClose={() => (keysOpen.value = false)}
      // A press on the backdrop closes it.
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="sheet">
        <header class="head">
          <h2 id="keys-title">Keys</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={close}>
            <span aria-hidden="true">×</span>
          </button>
        </header>
        {places.map((place) => (
          <section key={place} aria-label={place}>
            <h3>{place}</h3>
            <dl>
              {keyTable
                .filter(({ where }) => where === place)
                .map(({ keys, does }) => (
                  <div key={does}>
                    <dt>
                      {keys.map((one) => (
                        <span key={one} class="chord" data-keys={one}>
                          {(one === '+' ? [one] : one.split('+')).map((part) => (
                            <kbd key={part}>
                              {spoken[part] ? (
                                <>
                                  <span aria-hidden="true">{capped(part)}</span>
                                  <span class="unseen">{spoken[part]}</span>
                                </>
                              ) : (
                                capped(part)
                              )}
                            </kbd>
                          ))}
                        </span>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <p class="to-guide">
          <button
            type="button"
            id="keys-guide"
            onClick={() => {
              close();
              update({ ...state.value, view: 'guide' });
            }}
          >
            Broadcasting in a minute: the guide
          </button>
        </p>
      </div>
    </dialog>
  );
}
