// Texts pasted anywhere on the page: error messages, tracebacks, several shapes at once. A single shape goes into its field as
// any text does, and so does what is pasted into a field for something else.

import { computed, signal } from '@preact/signals';
import type { Engine, Pasted } from '../engine/engine';
import { sameQuestion, type State } from '../state/state';
import { explanations, state, unanswered, update } from '../store/store';

/** What was read of a pasted text, and the state that shows it: the one before where the text does not hold the question. */
export interface Read {
  /** Null: the text has no shapes, or nothing but shapes. */
  readonly found: Pasted | null;
  /** How many shapes the text has of which the page takes the first alone; 0 if it takes all. */
  readonly tooMany: number;
  readonly shown: State;
  /** Whether the text holds the whole question. */
  readonly isWhole: boolean;
  /** Whether `shown` stands in for it: of the shapes it has only the extents that clash. */
  readonly isClash: boolean;
}
export const pasted = signal<Read | null>(null);

export function nothingFound(): void {
  if (state.value.view !== '') update({ ...state.value, view: '' });
  pasted.value = { found: null, tooMany: 0, shown: state.value, isWhole: false, isClash: false };
  unanswered.value = state.value;
}

/** Closes the note about a pasted text. */
export function dismissPasted(): void {
  pasted.value = null;
  unanswered.value = null;
}

/** Whether the page shows no more than which extents clash, since the pasted text has no more. */
export const showsClash = computed(
  () => pasted.value?.isClash === true && sameQuestion(pasted.value.shown, state.value),
);

export function followPaste(core: Engine): void {
  document.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const { target } = event;
    const field = target instanceof HTMLInputElement && target.closest('.shape-field') !== null ? target : null;
    const takesText =
      target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    if (text.trim() === '' || (takesText && !field)) return;
    if (field && isShape(core, text)) return;
    event.preventDefault();
    void readText(core, text, field);
  });
}

/**
 * Reads a text that was pasted, dropped, or typed into the dialog for it.
 *
 * @param field The field that it was pasted into; null for none.
 */
export const readText = (core: Engine, text: string, field: HTMLInputElement | null = null): Promise<void> =>
  // Without what explains, the text goes where any other does.
  Promise.all([import('./read-paste'), explanations()]).then(
    ([{ readPaste }]) => readPaste(core, text, field),
    () => (field ? insert(field, text) : nothingFound()),
  );

/** Letters of a pasted text that are read; more of a log hold nothing new. */
export const mostRead = 1 << 20;

/** Whether a field takes the text as it is: a shape without a label or the name of a function. */
function isShape(core: Engine, text: string): boolean {
  if (/^[^([{<]*\w[^([{<]*[([{<]/.test(text)) return false;
  const read = core.parseShape(text, 0);
  return read.ok || read.failure.unknown !== undefined;
}

/** Puts a text into a field in place of what is selected, as pasting does. */
export function insert(field: HTMLInputElement, text: string): void {
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
