// A button that copies a text and says so for a moment.

import { useSignal } from '@preact/signals';

interface Props {
  /** What is copied. */
  readonly text: string;
  readonly id?: string;
  readonly class?: string;
  readonly disabled?: boolean;
  /** The button's label for screen readers. */
  readonly of?: string;
  /** The label if the browser does not let the page copy. */
  readonly otherwise?: string;
  readonly children: string;
}

const shownFor = 2400; // ms

export function CopyButton({ text, of, otherwise = 'Select the text to copy it', children, ...button }: Props) {
  const said = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      said.value = 'Copied';
    } catch {
      said.value = otherwise;
    }
    setTimeout(() => (said.value = ''), shownFor);
  };
  const label = of === undefined ? {} : { 'aria-label': said.value || of };
  return (
    <button
      type="button"
      {...button}
      class={`quiet ${button.class ?? ''}`.trim()}
      {...label}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{said.value || children}</span>
    </button>
  );
}
