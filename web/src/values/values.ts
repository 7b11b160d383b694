// An operand's values: from the text in the state to a source of elements, or to a message that says what is wrong.

import { holds, isComplexValue, type Value } from './elements';
import type { Engine, Span } from '../engine/engine';
import { files } from './files';
import type { OperandValues, ValuesRequest } from './operand-values';
import { constant, counting, elementsOf, listed, random, type Source } from './sources';
import { countText } from '../text/format';
import { zarrValues } from './zarr-values';
import { longestList, type ValuesSpec } from '../state/state';
import { readList, type ReadList } from './typed-list';

// Each text is read once; specs are immutable.
const read = new WeakMap<ValuesSpec, ReadList>();

export function listOf(spec: ValuesSpec): ReadList {
  const known =
    read.get(spec) ??
    (spec.text.length <= longestList
      ? readList(spec.text)
      : { ok: false, message: tooLong(spec.text), span: { begin: longestList, end: spec.text.length } });
  read.set(spec, known);
  return known;
}

const tooLong = (text: string): string =>
  `The values are ${countText(text.length)} characters long; this page reads up to ${countText(longestList)}. Give them as a .npy file.`;

export function valuesOf(engine: Engine, asked: ValuesRequest): OperandValues {
  const { operand, dtype, shape, spec } = asked;
  const type = engine.typeNamed(dtype);
  const fine = (source: Source, ownShape: readonly number[] | null = null): OperandValues => ({
    kind: spec.kind,
    type,
    source,
    failure: null,
    ownShape,
  });
  const wrong = (
    code: 'parse' | 'length' | 'dtype',
    message: string,
    span: Span | null,
    ownShape: readonly number[] | null = null,
  ): OperandValues => ({
    kind: spec.kind,
    type,
    source: counting(type, operand),
    failure: { class: code, detail: '', message, operand, operandAxis: null, span },
    ownShape,
  });
  const counted = engine.countElements(shape);
  const elements = counted.ok ? counted.value : null;
  const tooFew = (given: number, what: string): string | null =>
    elements === BigInt(given)
      ? null
      : `${asked.name} has ${elements} ${elements === 1n ? 'element' : 'elements'} by its shape, but ${what} ${given}.`;

  switch (spec.kind) {
    case 'counting':
      return fine(counting(type, operand));
    case 'random':
      return fine(random(type, operand, spec.text));
    case 'constant': {
      const list = listOf(spec);
      if (spec.text.length > longestList && !list.ok) return wrong('parse', list.message, list.span);
      if (!list.ok || list.list.values.length !== 1)
        return wrong('parse', 'One value is needed, such as 0.5 or true.', list.ok ? null : list.span);
      const [value = 0] = list.list.values;
      return holds(type, value) ? fine(constant(value)) : wrong('dtype', notHeld(value, dtype), whole(spec.text));
    }
    case 'list': {
      const list = listOf(spec);
      if (!list.ok) return wrong('parse', list.message, list.span);
      const { values, spans, shape: own } = list.list;
      const short = tooFew(values.length, 'the values typed in are');
      if (short) return wrong('length', short, null, own);
      const misfit = values.findIndex((value) => !holds(type, value));
      if (misfit >= 0) return wrong('dtype', notHeld(values[misfit] ?? 0, dtype), spans[misfit] ?? null, own);
      return fine(listed(values), own);
    }
    case 'file': {
      const tensor = files.value.get(spec.text);
      if (!tensor)
        return wrong(
          'length',
          `${spec.text || 'The file'} is not here: links do not contain files. Choose it again.`,
          null,
        );
      const held = engine.typeNamed(tensor.dtype);
      const short = tooFew(
        tensor.shape.reduce((a, b) => a * b, 1),
        `${spec.text} holds`,
      );
      if (short) return wrong('length', short, null, tensor.shape);
      return fine(elementsOf(held, tensor.data), tensor.shape);
    }
    case 'zarr':
      return zarrValues.of?.(asked, elements, fine, wrong) ?? fine(() => null);
  }
}

const whole = (text: string): Span => ({ begin: 0, end: text.length });

function notHeld(value: Value, dtype: string): string {
  const text = isComplexValue(value) ? `${value[0]}${value[1] < 0 ? '-' : '+'}${Math.abs(value[1])}j` : String(value);
  return `${text} is not a value of ${dtype}: change it, or the element type.`;
}
