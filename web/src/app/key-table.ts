// The rows of the list of keys: those of the whole page, and those that a part of the page handles while it has the focus.

import { keyActions } from '../store/keys';

export interface KeyRow {
  readonly where: string;
  readonly keys: readonly string[];
  readonly does: string;
}

const everywhere = 'Everywhere';
const grid = 'In a grid';
const large = 'In a large result';
const tabs = 'In the tabs of the code';
const pasting = 'In the field for a copied text';
const predict = 'In Predict';
const guide = 'In the guide';

export const keyTable: readonly KeyRow[] = [
  { where: everywhere, keys: keyActions.list.keys, does: 'this list' },
  {
    where: everywhere,
    keys: ['mod+v'],
    does: 'read a copied error text, traceback or model file; or drop it on the page',
  },
  { where: everywhere, keys: keyActions.undo.keys, does: 'undo' },
  { where: everywhere, keys: keyActions.redo.keys, does: 'redo' },
  {
    where: everywhere,
    keys: keyActions.back.keys,
    does: 'from the guide, the gallery, Predict or a model back to the page',
  },
  { where: everywhere, keys: ['Tab', 'shift+Tab'], does: 'the next control, the one before' },
  { where: grid, keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], does: 'the next cell that way' },
  { where: grid, keys: ['PageUp', 'PageDown'], does: 'eight rows up, eight rows down' },
  { where: grid, keys: ['Home', 'End'], does: 'the first and the last cell of the row' },
  { where: grid, keys: ['mod+Home', 'mod+End'], does: 'the first and the last cell of all' },
  { where: grid, keys: ['Enter', 'Space'], does: 'pin the cell, so that it stays lit; unpin it' },
  { where: grid, keys: ['Escape'], does: 'unpin any cell' },
  { where: large, keys: ['+', '-', '0'], does: 'zoom in, zoom out, show the whole' },
  { where: large, keys: ['PageUp', 'PageDown'], does: 'a page up, a page down' },
  { where: large, keys: ['shift+PageUp', 'shift+PageDown'], does: 'a page to the left, to the right' },
  { where: tabs, keys: ['ArrowLeft', 'ArrowRight'], does: 'the tab before, the next one' },
  { where: tabs, keys: ['Home', 'End'], does: 'the first and the last tab' },
  { where: pasting, keys: ['mod+Enter'], does: 'read it' },
  { where: predict, keys: ['Enter'], does: 'check the answer; then the next question' },
  { where: predict, keys: ['ArrowUp', 'ArrowDown'], does: 'fits or does not; then which axis' },
  { where: guide, keys: ['ArrowLeft', 'ArrowRight'], does: 'the step before, the next step' },
  { where: guide, keys: ['Space'], does: 'play, pause' },
  { where: guide, keys: ['1', '2', '3'], does: 'pick a guess' },
];
