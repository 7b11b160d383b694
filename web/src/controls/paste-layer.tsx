// A field that reads a layer of OpenVINO's IR and fills the page's fields with it.

import { useSignal } from '@preact/signals';
import { useEngine, useModel } from '../context/context';
import { readLayer } from '../code/openvino-layer';
import { stateOfLayer } from './pasted-layer';
import { update } from '../store/store';

const example = '<layer type="Broadcast"> … </layer>';

export function PasteLayer() {
  const core = useEngine();
  const { state } = useModel();
  const text = useSignal('');
  const pasted = text.value.trim() === '' ? null : readLayer(text.value);
  const read = (typed: string): void => {
    text.value = typed;
    const layer = typed.trim() === '' ? null : readLayer(typed);
    if (layer?.ok) update(stateOfLayer(core, state, layer.layer), 'layer');
  };
  const wrong = pasted?.ok === false;
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
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
      <div id="layer-says" role="status">
        {pasted === null ? (
          <p class="note">Broadcast, or an elementwise operator: from &lt;layer to &lt;/layer&gt;.</p>
        ) : pasted.ok ? (
          <p class="note">
            The page shows this {pasted.layer.op}. {pasted.layer.notes.join(' ')}
          </p>
        ) : (
          <p class="message">{pasted.message}</p>
        )}
      </div>
    </div>
  );
}
