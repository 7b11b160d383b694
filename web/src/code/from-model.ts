// The page's picture as a question for the writers.

import type { Engine, Extent } from '../engine';
import type { Model, Operand } from '../model';
import { countingData } from '../values';
import { isComplex, isHalf } from './dtypes';
import type { CodeOperand, CodeQuestion } from './question';
import { mostListed } from './values';

/** What the page asks, where it has an answer; null where shapes do not fit or are none. */
export function questionFrom(core: Engine, model: Model): CodeQuestion | null {
  const { op, rule, alignment, failure, state, operands, axis, target, mapping } = model;
  if (!op || !rule || !alignment || failure) return null;
  return {
    rule: rule.name,
    options: {
      ...(axis.values ? { axis: axis.values[0] } : {}),
      ...(target.values ? { targetShape: target.values } : {}),
      ...(mapping.values ? { axesMapping: mapping.values } : {}),
    },
    op,
    attributes: state,
    operands: operands.map((operand, i) => operandFrom(core, operand, i)),
    alignment,
  };
}

function operandFrom(core: Engine, { name, dtype, values }: Operand, operand: number): CodeOperand {
  const shape = values ?? [];
  const counted = core.countElements(shape);
  const elements = counted.ok ? counted.value : 0n;
  return { name, dtype, shape, elements, values: valuesOf(core, dtype, shape, elements, operand) };
}

function valuesOf(
  core: Engine,
  dtype: string,
  shape: readonly Extent[],
  elements: bigint,
  operand: number,
): CodeOperand['values'] {
  const type = core.typeNamed(dtype);
  if (type.kind !== 'opaque' && !isHalf(dtype)) return countedBy(core, dtype, operand);
  // Small floats are counted by rounding, and types that are only moved do not count: their elements are told.
  if (elements > BigInt(mostListed)) return [];
  const made = countingData(type, shape.map(Number), operand);
  if (isComplex(dtype)) return Array.from(made.data as ArrayLike<number>);
  return Array.from({ length: Number(elements) }, (_, i) => made.read(i) as number);
}

/** How the page counts, seen from what it counts. */
function countedBy(core: Engine, dtype: string, operand: number): { first: number; step: number } {
  if (dtype === 'bool') {
    const { data } = countingData(core.typeNamed('bool'), [64], operand);
    return { first: 0, step: Array.from(data as Uint8Array).indexOf(1) };
  }
  const [first = 0, second = 0] = countingData(core.typeNamed('f64'), [2], operand).data as Float64Array;
  return { first, step: second - first };
}
