// The example that was opened last, while the page shows it. A note above the answer says what to look at.

import { computed, signal } from '@preact/signals';
import { sameQuestion, type State } from '../state/state';
import { state, update } from '../store/store';

const last = signal<{ readonly id: string; readonly state: State } | null>(null);

export const opened = computed(() =>
  last.value && state.value.view === '' && sameQuestion(last.value.state, state.value) ? last.value.id : null,
);

export function open(id: string, next: State): void {
  last.value = { id, state: next };
  update(next);
  scrollTo(0, 0);
}

/** The example whose card was pressed last: it gets the focus when the gallery is opened again. */
export const lastOpened = (): string | null => last.peek()?.id ?? null;

export const close = (): void => void (last.value = null);
