// How an operand changes when its values are typed in, or another kind of values is chosen.

import { isComplexValue } from '../values/elements';
import type { Engine } from '../engine/engine';
import { shapeText } from '../text/format';
import type { Operand } from './model';
import type { OperandSpec, ValuesKind } from '../state/state';
import { listOf } from '../values/values';

/** A list starts with the present values, unless there are more than these: they could not be edited by hand. */
const mostStarted = 200;

/** A value as text that reads back the same; JavaScript would write -0 as 0. */
const plain = (value: number | bigint | boolean): string => (Object.is(value, -0) ? '-0' : String(value));
const signed = (value: number): string => (plain(value).startsWith('-') ? plain(value) : `+${plain(value)}`);

/** The text that a kind of values starts with. */
export function startOf(kind: ValuesKind, { given, values }: Operand): string {
  if (kind === 'random') return '7';
  if (kind === 'constant') return '1';
  if (kind !== 'list' || !given || !values || given.kind === 'zarr') return '';
  const shape = values.map(Number);
  if (shape.reduce((a, b) => a * b, 1) > mostStarted) return '';
  let flat = 0;
  const nested = (axis: number): string => {
    if (axis === shape.length) {
      const value = given.source(flat++) ?? 0;
      return isComplexValue(value) ? `${plain(value[0])}${signed(value[1])}j` : plain(value);
    }
    return `[${Array.from({ length: shape[axis] ?? 0 }, () => nested(axis + 1)).join(', ')}]`;
  };
  return nested(0);
}

/** The operand with a list of values. Its shape follows the list, unless the list is flat and fills the present shape. */
export function typedIn(engine: Engine, { values: shape }: Operand, text: string): Partial<OperandSpec> {
  const values = { kind: 'list', text } as const;
  const read = listOf(values);
  if (!read.ok) return { values };
  const { shape: own, nested, values: typed } = read.list;
  const room = shape && engine.countElements(shape);
  const keeps = room?.ok && room.value === BigInt(typed.length) && (!nested || own.length <= 1);
  return keeps || shape?.join() === own.join() ? { values } : { values, shape: shapeText(own) };
}
