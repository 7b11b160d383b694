// The values of an operand whose axes are put in another order: each element keeps its value and moves with its axes.

import type { Repair } from '../engine/engine';
import type { Model } from '../model/model';
import { changeOperand, type State, type ValuesSpec } from '../state/state';
import { exactText } from '../values/element-text';
import { emptyArray, readerOf, writerOf } from '../values/elements';
import { keepFile } from '../values/files';

/** Up to so many values are written as a list, which a link can hold; more are kept as a file's are. */
const mostListed = 256;
/** Beyond so many elements the values stay as they are given: counting or random ones are then not the same elements. */
const mostMoved = 1 << 22;

/** `next`, the state after a transposition, with the values of the transposed operand moved. */
export function withValuesMoved(model: Model, { operand, axes }: Repair, next: State): State {
  const given = operand === null ? undefined : model.operands[operand];
  const shape = given?.values?.map(Number);
  if (operand === null || !given?.given || !shape || given.given.kind === 'constant') return next;
  // The rest of a Zarr array is not read for this: it stays as it is given, too.
  if (given.given.kind === 'zarr') return next;
  const elements = shape.reduce((product, extent) => product * extent, 1);
  if (elements > mostMoved) return next;
  const { type, source } = given.given;
  const data = emptyArray(type, elements);
  const write = writerOf(type, data);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, extent) => product * extent, 1));
  const moved = axes.map((axis) => shape[axis] ?? 1);
  const index = moved.map(() => 0);
  for (let flat = 0; flat < elements; ++flat) {
    write(flat, source(index.reduce((sum, at, axis) => sum + at * (strides[axes[axis] ?? 0] ?? 0), 0)) ?? 0);
    for (let axis = moved.length - 1; axis >= 0; --axis) {
      index[axis] = (index[axis] ?? 0) + 1;
      if ((index[axis] ?? 0) < (moved[axis] ?? 0)) break;
      index[axis] = 0;
    }
  }
  const read = readerOf(type, data);
  const values: ValuesSpec =
    elements <= mostListed
      ? {
          kind: 'list',
          text: `[${Array.from({ length: elements }, (_, flat) => exactText(read(flat), type.name)).join(', ')}]`,
        }
      : { kind: 'file', text: keepFile(`${given.name} transposed`, { data, shape: moved, dtype: type.name }) };
  return changeOperand(next, operand, { values });
}
