// The field for the address of a Zarr array. The operand changes when the array is open.

import { useSignal } from '@preact/signals';
import { awaited } from '../components/awaited';
import { useEngine } from '../context/context';
import { fileFault } from '../store/store';

interface Props {
  number: number;
  /** The address of the array that the operand has; an empty text for none. */
  address: string;
  onOpened: () => void;
}

export function ZarrField({ number: i, address, onOpened }: Props) {
  const core = useEngine();
  const typed = useSignal(address);
  const busy = useSignal(false);
  const fault = fileFault.value?.operand === i;
  const open = async (): Promise<void> => {
    if (busy.value) return;
    busy.value = true;
    try {
      const { giveZarr } = await import('../zarr/arrays');
      if (await giveZarr(core, i, typed.value)) onOpened();
    } catch {
      fileFault.value = { operand: i, message: 'What reads Zarr arrays did not load. Try again.' };
    }
    busy.value = false;
  };
  return (
    <form
      class="zarr wide"
      onSubmit={(event) => {
        event.preventDefault();
        void awaited(open());
      }}
    >
      <label class="note" for={`zarr-${i}`}>
        Path of an array on this page’s server
      </label>
      <input
        id={`zarr-${i}`}
        type="text"
        class="mono"
        value={typed.value}
        placeholder="data/volume.zarr"
        aria-invalid={fault}
        aria-describedby={fault ? `values-message-${i}` : undefined}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <button type="submit" aria-disabled={busy.value}>
        {busy.value ? 'Opening…' : 'Open'}
      </button>
    </form>
  );
}
