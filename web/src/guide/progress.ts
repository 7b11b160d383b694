// Where the reader is in the guide, and what was guessed, while the page is open: the guide goes on where it was left.

import { signal } from '@preact/signals';
import { steps } from './steps';

export const at = signal(0);
/** The choice that was picked last in each step; null is none. */
export const picked = signal<readonly (number | null)[]>(steps.map(() => null));

export const lastStep = steps.length - 1;

export function pick(choice: number): void {
  picked.value = picked.value.map((before, step) => (step === at.value ? choice : before));
}

/** Begins anew, if the guide was read to its end. */
export function begin(): void {
  if (at.value < lastStep) return;
  at.value = 0;
  picked.value = steps.map(() => null);
}
