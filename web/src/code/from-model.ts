// The operands of the page's picture as code makes them.

import { emptyArray, valuesIn, writerOf } from '../values/elements';
import type { CodeOperand, CodeSystem, DType, DTypeEntry, Engine } from '../engine/engine';
import type { Model, Operand } from '../model/model';
import { countedBy, type Source } from '../values/sources';
import type { OperandValues } from '../values/operand-values';
import { mostListed } from './systems';

/** The code of the page's question for a system: its text, or why there is none. Null if the shapes do not fit. */
export function codeOf(core: Engine, model: Model, system: CodeSystem) {
  const { op, alignment, failure, state, operands } = model;
  if (!op || !alignment || failure) return null;
  const reason = operands.map(({ given }) => given?.noCode).find(Boolean);
  if (reason) return { text: null, reason };
  const dtypes = operands.map(({ dtype }) => dtype);
  const computed = core.computedTypes(op.name, dtypes, state.promote);
  const given = operands.map((operand, i) =>
    operandFrom(core, operand, i, computed.ok ? computed.value[i] : undefined),
  );
  return alignment.code(system, given, state);
}

/** An operand, of the type that it is computed in: the writers know no mixed types. */
function operandFrom(core: Engine, operand: Operand, number: number, computedIn = operand.dtype): CodeOperand {
  const { name, dtype, values, given } = operand;
  const counted = core.countElements(values ?? []);
  const elements = counted.ok ? counted.value : 0n;
  const type = core.typeNamed(dtype);
  // Counting in a small float rounds, and types that are only moved do not count: their elements are listed.
  const own = dtype === computedIn;
  const formula = own && type.kind !== 'opaque' && !(type.kind === 'float' && type.bits < 32);
  return {
    name,
    dtype: computedIn as DType,
    values:
      formula && given?.kind === 'counting'
        ? countedBy(type, number)
        : given
          ? listedBy(type, given, elements, own)
          : [],
  };
}

/** A constant is one value; of other sources every element is listed, if they are not too many to be written. */
function listedBy(
  type: DTypeEntry,
  { kind, source }: OperandValues,
  elements: bigint,
  own: boolean,
): CodeOperand['values'] {
  if (kind === 'constant') return { all: elementsOf(type, source, 1, own) };
  return elements <= BigInt(mostListed) ? elementsOf(type, source, Number(elements), own) : [];
}

/** Every element, converted to its type; complex numbers as real and imaginary part in turn. */
function elementsOf(
  type: DTypeEntry,
  source: Source,
  elements: number,
  own: boolean,
): readonly (number | bigint | boolean)[] {
  const data = emptyArray(type, elements);
  const write = writerOf(type, data);
  for (let i = 0; i < elements; ++i) write(i, source(i) ?? 0);
  // As it was given, 0.1 and not 0.10000000149, if the text converts it to its type: every system rounds it alike.
  const asGiven = own && type.kind === 'float' && type.bits >= 32;
  const read = valuesIn(type, data);
  return Array.from({ length: elements }, (_, i) => {
    const value = source(i);
    return asGiven && typeof value === 'number' ? value : read(i);
  }).flat();
}
