// The keys of the whole page and what they do. The list that `?` opens (app/key-table.ts) describes them and those of its parts.

import { signal } from '@preact/signals';
import { redo, state, undo, update } from './store';

export interface KeyAction {
  /** For example `mod+shift+z`; `mod` is Ctrl, or the command key of a Mac. */
  readonly keys: readonly string[];
  readonly run: () => void;
  /** When the key is handled; else the browser handles it. */
  readonly when?: () => boolean;
  /** Whether it works while a text is typed, too. */
  readonly inText?: boolean;
}

/** Whether the list of keys is open. */
export const keysOpen = signal(false);

export const keyActions = {
  list: { keys: ['?'], run: () => (keysOpen.value = true) },
  // Ctrl+Z undoes the last step of the page in text fields, too: typing is a step like others, and the field's own undo would
  // miss other changes.
  undo: { keys: ['mod+z'], run: undo, inText: true },
  redo: { keys: ['mod+shift+z', 'mod+y'], run: redo, inText: true },
  back: {
    keys: ['Escape'],
    run: () => update({ ...state.value, view: '' }),
    when: () => state.value.view !== '',
  },
} satisfies Readonly<Record<string, KeyAction>>;

/** Fields in which letters are typed. Sliders and buttons do not use `?`. */
const typing = 'input:not([type=radio], [type=checkbox], [type=range]), textarea, select';

function pressed({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent, keys: string): boolean {
  const parts = keys.split('+');
  const last = parts.at(-1) ?? '';
  return (
    key.toLowerCase() === last.toLowerCase() &&
    !altKey &&
    parts.includes('mod') === (ctrlKey || metaKey) &&
    // Whether `?` is typed with Shift depends on the keyboard.
    (last === '?' || parts.includes('shift') === shiftKey)
  );
}

/** Handles the keys of the whole page. Fields that are not part of the state, marked by `data-own-undo`, keep their own undo. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
    const at = event.target instanceof Element ? event.target : null;
    const found = Object.values<KeyAction>(keyActions).find(
      ({ keys, when }) => when?.() !== false && keys.some((one) => pressed(event, one)),
    );
    if (!found || at?.closest(found.inText ? '[data-own-undo]' : typing)) return;
    event.preventDefault();
    found.run();
  });
}
