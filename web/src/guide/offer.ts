// Whether the guide is offered: once, on a first visit. A link with a question and a frame have another purpose.

import { signal } from '@preact/signals';

const place = 'broadloom.guide';

function isFirstVisit(): boolean {
  if (location.hash !== '' || parent !== window) return false;
  try {
    return localStorage.getItem(place) === null;
  } catch {
    return false; // What cannot be remembered would be offered on every visit.
  }
}

export const isOffered = signal(isFirstVisit());

/** Remembers that the guide was offered or opened. */
export function remember(): void {
  try {
    localStorage.setItem(place, 'offered');
  } catch {
    // Storage is denied: nothing is offered there.
  }
}

/** Takes the offer back. */
export function decline(): void {
  isOffered.value = false;
  remember();
}
