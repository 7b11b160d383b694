// The keys of the page. One table has the keys and their actions: the handler below uses it, and the list that `?` opens.

import { signal } from '@preact/signals';
import { redo, state, undo, update } from './store';

export interface KeyEntry {
  readonly where: string;
  /** For example `mod+shift+z`; `mod` is Ctrl, or the command key of a Mac. */
  readonly keys: readonly string[];
  readonly does: string;
  /** Absent if a part of the page handles the key while it has the focus. */
  readonly run?: () => void;
  /** When the key is handled; else the browser handles it. */
  readonly when?: () => boolean;
  /** Whether it works while a text is typed, too. */
  readonly inText?: boolean;
}

/** Whether the list of keys is open. */
export const keysOpen = signal(false);

const everywhere = 'Everywhere';
const grid = 'In a grid';
const predict = 'In Predict';

export const keyTable: readonly KeyEntry[] = [
  { where: everywhere, keys: ['?'], does: 'this list', run: () => (keysOpen.value = true) },
  // Ctrl+Z undoes the last step of the page in text fields, too: typing is a step like others, and the field's own undo would
  // miss other changes.
  { where: everywhere, keys: ['mod+z'], does: 'undo', run: undo, inText: true },
  { where: everywhere, keys: ['mod+shift+z', 'mod+y'], does: 'redo', run: redo, inText: true },
  {
    where: everywhere,
    keys: ['Escape'],
    does: 'from the gallery or Predict back to the page',
    run: () => update({ ...state.value, view: '' }),
    when: () => state.value.view !== '',
  },
  { where: everywhere, keys: ['Tab', 'shift+Tab'], does: 'the next control, the one before' },
  { where: grid, keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], does: 'the next cell that way' },
  { where: grid, keys: ['Home', 'End'], does: 'the first and the last cell of the row' },
  { where: grid, keys: ['mod+Home', 'mod+End'], does: 'the first and the last cell of all' },
  { where: predict, keys: ['Enter'], does: 'check the answer; then the next question' },
  { where: predict, keys: ['ArrowUp', 'ArrowDown'], does: 'fits or does not; then which axis' },
];

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

/** Handles the keys of the table. Fields that are not part of the state, marked by `data-own-undo`, keep their own undo. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const at = event.target instanceof Element ? event.target : null;
    const found = keyTable.find(
      ({ keys, run, when }) => run && when?.() !== false && keys.some((one) => pressed(event, one)),
    );
    if (!found || at?.closest(found.inText ? '[data-own-undo]' : typing)) return;
    event.preventDefault();
    found.run?.();
  });
}
