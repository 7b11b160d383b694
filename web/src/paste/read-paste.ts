// Reads a pasted text. Loaded with the first one, as what explains is.

import type { Engine } from '../engine/engine';
import { codeSystem, repairSystems } from '../rules/code-system';
import { pastedQuestion } from '../rules/core-repairs';
import { longestText } from '../state/state';
import { state, unanswered, update } from '../store/store';
import { writtenShape } from '../text/symbolic-text';
import { insert, mostRead, nothingFound, pasted } from './follow-paste';
import { stateOfClash, stateOfPasted, stateOfShapes } from './pasted-state';

/** In which system's notation people write what another one runs. */
const writtenIn: ReadonlyMap<string, string> = new Map([
  ['keras', 'tensorflow'],
  ['onnxruntime', 'onnx'],
]);

/** @param field The field that it was pasted into; null for none. */
export function readPaste(core: Engine, text: string, field: HTMLInputElement | null): void {
  const found = core.readPasted(text.slice(0, mostRead));
  const shapes = !found && text.length <= longestText ? core.readShapes(text).map(writtenShape) : [];
  const [only] = shapes;
  if (field && only !== undefined && shapes.length === 1) return insert(field, only);
  if (shapes.length > 0) {
    pasted.value = null;
    update(stateOfShapes(core, state.value, shapes));
  } else if (found) {
    const next = stateOfPasted(core, state.value, found);
    const clash = next ? null : stateOfClash(core, state.value, found);
    const shown = next ?? clash;
    if (shown) update(shown);
    else if (state.value.view !== '') update({ ...state.value, view: '' });
    pastedQuestion.value = next && found.question ? { question: found.question, shown: state.value } : null;
    unanswered.value = shown ? null : state.value;
    pasted.value = { found, shown: state.value, isWhole: next !== null, isClash: clash !== null };
    const system = writtenIn.get(found.system) ?? found.system;
    if (repairSystems.some(({ id }) => id === system)) codeSystem.value = system;
  } else if (field) {
    insert(field, text);
  } else {
    nothingFound();
  }
}
