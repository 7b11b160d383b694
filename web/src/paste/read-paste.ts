// Reads a pasted text. Loaded with the first one, as what explains is.

import type { Engine, ShapeInText } from '../engine/engine';
import { codeSystem, repairSystems } from '../rules/code-system';
import { pastedQuestion } from '../rules/core-repairs';
import { longestText, mostOperands } from '../state/state';
import { state, unanswered, update } from '../store/store';
import { writtenShape } from '../text/symbolic-text';
import { insert, mostRead, nothingFound, pasted } from './follow-paste';
import { stateOfClash, stateOfPasted, stateOfShapes } from './pasted-state';

/** In which system's notation people write what another one runs. */
const writtenIn: ReadonlyMap<string, string> = new Map([
  ['keras', 'tensorflow'],
  ['onnxruntime', 'onnx'],
]);

/** Whether a text is plainly a shape, outside a field, too: it has brackets or a number. A word alone is an extent in a field. */
const isPlainly = ({ text }: ShapeInText): boolean => /[([{<]|\b\d/.test(text);

/** @param field The field that it was pasted into; null for none. */
export function readPaste(core: Engine, text: string, field: HTMLInputElement | null): void {
  const found = core.readPasted(text.slice(0, mostRead));
  const read = !found && text.length <= longestText ? core.readShapes(text) : [];
  const shapes = field || read.some(isPlainly) ? read.map(writtenShape) : [];
  const [only] = shapes;
  if (field && only !== undefined && shapes.length === 1) return insert(field, only);
  if (shapes.length > 0) {
    update(stateOfShapes(core, state.value, shapes));
    const tooMany = shapes.length > mostOperands ? shapes.length : 0;
    pasted.value = tooMany > 0 ? { found: null, tooMany, shown: state.value, isWhole: true, isClash: false } : null;
  } else if (found) {
    const next = stateOfPasted(core, state.value, found);
    const clash = next ? null : stateOfClash(core, state.value, found);
    const shown = next ?? clash;
    if (shown) update(shown);
    else if (state.value.view !== '') update({ ...state.value, view: '' });
    const system = writtenIn.get(found.system) ?? found.system;
    const hasCode = repairSystems.some(({ id }) => id === system);
    if (hasCode) codeSystem.value = system;
    const codeless = hasCode || found.system === 'unknown' ? null : found.systemTitle;
    const operands = found.question?.operands.length ?? found.shapes.length;
    const tooMany = next && operands > mostOperands ? operands : 0;
    pastedQuestion.value =
      next && found.question && tooMany === 0 ? { question: found.question, shown: state.value, codeless } : null;
    unanswered.value = shown ? null : state.value;
    pasted.value = { found, tooMany, shown: state.value, isWhole: next !== null, isClash: clash !== null };
  } else if (field) {
    insert(field, text);
  } else {
    nothingFound();
  }
}
