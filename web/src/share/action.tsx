// A button that shows for a moment whether its action succeeded.

import { useSignal } from '@preact/signals';

interface ActionProps {
  id: string;
  label: string;
  /** Shown on the button when it is done. */
  done: string;
  act: () => Promise<void> | void;
}

export function Action({ id, label, done, act }: ActionProps) {
  const said = useSignal('');
  const press = async (): Promise<void> => {
    try {
      await act();
      said.value = done;
    } catch {
      said.value = 'Not allowed here';
    }
    setTimeout(() => (said.value = ''), 2400);
  };
  return (
    <button type="button" id={id} onClick={() => void press()}>
      <span aria-live="polite">{said.value || label}</span>
    </button>
  );
}

/** Copies a text. */
export const copying = (text: string) => (): Promise<void> => navigator.clipboard.writeText(text);
