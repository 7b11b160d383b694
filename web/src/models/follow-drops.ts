// Files and texts that are dropped on the page or pasted, and files that are chosen by a button. The fields' own drops of arrays are
// left to them.

import { signal } from '@preact/signals';
import type { Engine } from '../engine/engine';
import { readText } from '../paste/follow-paste';
import { refusal } from './opened';

/** Whether something is dragged over the page that it takes. */
export const dragged = signal(false);

async function take(core: Engine, files: readonly File[], operand = 0): Promise<void> {
  try {
    const { receive } = await import('./receive');
    await receive(core, files, operand);
  } catch {
    refusal.value = 'The part of the page that reads files did not arrive: the network may have dropped it. Try again.';
  }
}

const operandUnder = (target: EventTarget | null): number => {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-operand]') : null;
  return Number(row?.dataset['operand'] ?? 0);
};

const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA)$/.test(target.tagName));

export function followDrops(core: Engine): void {
  /** A drag that began on the page moves something of the page. */
  let isOwn = false;
  const takes = ({ dataTransfer, target }: DragEvent): 'files' | 'text' | null => {
    const types = dataTransfer?.types ?? [];
    if (types.includes('Files')) return 'files';
    return types.includes('text/plain') && !isOwn && !takesText(target) ? 'text' : null;
  };
  addEventListener('dragstart', () => (isOwn = true));
  addEventListener('dragend', () => (isOwn = false));
  addEventListener('dragover', (event) => {
    if (takes(event) === null) return;
    event.preventDefault();
    dragged.value = true;
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) dragged.value = false;
  });
  // Before the operands' fields, which take arrays.
  addEventListener(
    'drop',
    (event) => {
      dragged.value = false;
      const files = [...(event.dataTransfer?.files ?? [])];
      const isForFields = files.every(({ name }) => /\.npy$/i.test(name)) && document.querySelector('.controls');
      if (files.length > 0) {
        event.preventDefault();
        refusal.value = null;
        if (isForFields) return;
        event.stopPropagation();
        void take(core, files, operandUnder(event.target));
      } else if (takes(event) === 'text') {
        event.preventDefault();
        void readText(core, event.dataTransfer?.getData('text/plain') ?? '');
      }
    },
    { capture: true },
  );
  addEventListener(
    'paste',
    (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      // A picture in the clipboard is pasted with the text that it came with.
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
      event.preventDefault();
      event.stopPropagation();
      void take(core, files, operandUnder(event.target));
    },
    { capture: true },
  );
}

/** Kept, since a browser may forget an element that is nowhere before the user has chosen. */
let chooser: HTMLInputElement | null = null;

/** Lets the user choose files of any kind: phones cannot choose by endings that they do not know. */
export function chooseFiles(core: Engine): void {
  const input = document.createElement('input');
  chooser = input;
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => {
    if (chooser === input) chooser = null;
    void take(core, [...(input.files ?? [])]);
  });
  input.click();
}
