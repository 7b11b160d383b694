// Files as values of operands. Loaded with the first file.

import type { Engine } from '../engine/engine';
import { changeOperand, mostAxes, withoutTurns } from '../state/state';
import { countText, shapeText } from '../text/format';
import { keepFile } from '../values/files';
import { fileFault, state, update } from './store';

/** Makes a `.npy` file an operand's values, shape and type. False if the file cannot be read. */
export async function giveFile(core: Engine, operand: number, file: File): Promise<boolean> {
  const read = await file
    .arrayBuffer()
    .then(core.readNpy, (error: unknown) => ({ ok: false, message: String(error) }) as const);
  if (!read.ok) {
    fileFault.value = { operand, message: `${withoutTurns(file.name)}: ${read.message}` };
    return false;
  }
  const now = state.value;
  const { shape, dtype } = read.value;
  if (shape.length > mostAxes) {
    const message = `${withoutTurns(file.name)} has ${countText(shape.length)} axes; this page takes up to ${countText(mostAxes)} in one question.`;
    fileFault.value = { operand, message };
    return false;
  }
  const values = { kind: 'file', text: keepFile(withoutTurns(file.name), read.value) } as const;
  const usual = core.operandType(now.op, operand, now.dtype);
  update(changeOperand(now, operand, { values, shape: shapeText(shape), dtype: dtype === usual ? '' : dtype }));
  return true;
}

/** Makes several files the values of that operand and those after it. */
export async function giveFiles(core: Engine, operand: number, given: readonly File[]): Promise<void> {
  for (const [i, file] of given.entries()) {
    if (operand + i < state.value.operands.length) await giveFile(core, operand + i, file);
  }
}
