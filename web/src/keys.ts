// Keys that work wherever the focus is.

import { redo, undo } from './store';

/**
 * Ctrl+Z takes back the last step of the page in text fields, too: what is typed there is a step like others, and a field's
 * own undo would know nothing of what else changed. Fields that are no part of the state, marked by `data-own-undo`, keep
 * their own.
 */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest('[data-own-undo]')) return;
    const key = event.key.toLowerCase();
    const back = key === 'z' && !event.shiftKey;
    const forward = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
    if (!back && !forward) return;
    event.preventDefault();
    if (back) undo();
    else redo();
  });
}
