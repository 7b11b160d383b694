// The example that was opened last, for as long as the page shows it: what to look at stands above the answer then.

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

/** The card that was pressed last, to come back to. */
export const lastOpened = (): string | null => last.peek()?.id ?? null;

export const close = (): void => void (last.value = null);
