// A field that reads a layer of OpenVINO's IR and fills the page's fields with it.

import { useSignal } from '@preact/signals';
import { useEngine } from '../context/context';
import { NotLoaded } from '../components/lazy';
import type { LayerQuestion } from '../engine/engine';
import { stateOfLayer } from './pasted-layer';
import { state as current, unanswered, update } from '../store/store';

const example = '<layer type="Broadcast"> … </layer>';

/** The layer that was read, or a message; or how often the reader failed to load. */
type Read = { readonly layer: LayerQuestion } | { readonly message: string } | { readonly times: number };

export function PasteLayer() {
  const core = useEngine();
  const text = useSignal('');
  const found = useSignal<Read | null>(null);
  const read = async (typed: string): Promise<void> => {
    text.value = typed;
    unanswered.value = null;
    if (typed.trim() === '') {
      found.value = null;
      return;
    }
    const before = found.peek();
    const result = await core.readLayer(typed).catch(() => null);
    // The reader is loaded on first use: meanwhile another text may have been typed.
    if (text.peek() !== typed) return;
    if (result === null) {
      found.value = { times: before !== null && 'times' in before ? before.times + 1 : 1 };
    } else if (result.ok) {
      found.value = { layer: result.value };
      update(stateOfLayer(core, current.peek(), result.value), 'layer');
    } else {
      found.value = { message: result.message };
      unanswered.value = current.peek();
    }
  };
  const pasted = found.value;
  const wrong = pasted !== null && 'message' in pasted;
  return (
    <div class={`layer ${wrong ? 'malformed' : ''}`}>
      <textarea
        id="layer"
        rows={4}
        aria-label="XML of an OpenVINO layer"
        aria-invalid={wrong}
        aria-describedby="layer-says"
        placeholder={example}
        value={text.value}
        autocomplete="off"
        spellcheck={false}
        data-own-undo
        onInput={({ currentTarget }) => void read(currentTarget.value)}
      />
      <div id="layer-says" role="status">
        {pasted === null ? (
          <p class="note">Broadcast, or an elementwise operator: from &lt;layer to &lt;/layer&gt;.</p>
        ) : 'layer' in pasted ? (
          <p class="note">
            The page shows this {pasted.layer.op}. {pasted.layer.notes.join(' ')}
          </p>
        ) : 'message' in pasted ? (
          <p class="message">{pasted.message}</p>
        ) : (
          <NotLoaded times={pasted.times} retry={() => void read(text.peek())} />
        )}
      </div>
    </div>
  );
}
