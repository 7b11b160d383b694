// The element types that operands are computed in: values without a type get one, and mixed types are promoted to a common
// type where the caller asks for it. The core checks that these types fit the operator and each other.

import type { Promote } from '../types/promote.js';
import { asType, type Reading } from './arguments.js';
import type { Core } from '../core/core.js';
import { entryFor } from '../types/entry-for.js';
import { FormFault } from '../types/fault.js';
import type { Promoted } from '../core/promotion.js';
import type { DType, OpName } from '../types/vocabulary.js';
import type { OpRow } from '../types/vocabulary-rows.js';

/** Gives each operand of `op` the type that it is computed in. With `isMany`, operands keep types of their own. */
export function settleTypes(core: Core, op: OpName, operands: Reading[], promote: Promote, isMany: boolean): void {
  if (isMany) {
    operands.forEach((operand, i) => {
      if (operand.plain !== null) operands[i] = asType(core, operand, operand.dtype, op, i);
    });
    return;
  }
  const row = core.vocabulary.ops[op];
  if (promote === 'numpy2') promoteAll(core, row, operands);
  if (!operands.some(({ plain }) => plain !== null)) return;
  const leader = operands.findIndex((operand, i) => follows(row, i) && operand.plain === null);
  const common = leader === -1 ? typeWithoutLeader(core, row, operands) : (operands[leader] as Reading).dtype;
  operands.forEach((operand, i) => {
    if (operand.plain === null) return;
    const dtype = follows(row, i) ? common : accepted(row, i, operand.dtype);
    operands[i] = asType(core, operand, dtype, op, i);
  });
}

function promoteAll(core: Core, row: OpRow, operands: Reading[]): void {
  promotedTypes(core, row, operands.map(promotedBy)).forEach((dtype, i) => {
    if (dtype !== undefined) operands[i] = asType(core, operands[i] as Reading, dtype, row.name, i);
  });
}

/**
 * The type in which an operator computes each of its operands, by NumPy 2's promotion. Undefined for an operand that takes
 * no part in it, as Where's condition.
 */
export function promotedTypes(core: Core, row: OpRow, operands: readonly Promoted[]): (DType | undefined)[] {
  const taking = operands.flatMap((_, i) => (isPromoted(row, i) ? [i] : []));
  if (taking.length === 0) return []; // logical operators, whose operands are all bools
  let dtype: DType;
  try {
    dtype = core.promotion.resultType(taking.map((i) => operands[i] as Promoted));
  } catch (fault) {
    throw fault instanceof FormFault ? ofOperands(core, fault, row.name, taking) : fault;
  }
  const { kind } = core.vocabulary.dtypes[dtype];
  if (row.integersTo !== null && kind !== 'float' && kind !== 'opaque') dtype = row.integersTo;
  return operands.map((_, i) => (taking.includes(i) ? dtype : undefined));
}

/** The error for two operands without a common type, with the numbers that they have in the call. */
function ofOperands(core: Core, { fields, value, message }: FormFault, op: OpName, numbers: readonly number[]) {
  const [operand, otherOperand] = [fields.operand, fields.otherOperand].map((i) => numbers[i as number] as number) as [
    number,
    number,
  ];
  // The core has no sentence for scalars, which have no type.
  const told = fields.dtype && fields.otherDtype ? undefined : message;
  return core.error({ ...fields, op, operand, otherOperand }, value, told);
}

/** What promotion needs to know: a scalar's kind; a list, as in NumPy, counts as an array of its type. */
export function promotedBy({ dtype, plain, form }: Reading): Promoted {
  return plain !== null && form === 'scalar' ? { weak: plain.weak } : { dtype };
}

/**
 * The type of values if no operand that must be of the same type has one. If an operand that may be of another type has
 * one, as Pow's exponent, they are promoted with it.
 */
function typeWithoutLeader(core: Core, row: OpRow, operands: readonly Reading[]): DType {
  const other = operands.find(({ plain }, i) => plain === null && isPromoted(row, i));
  if (other === undefined || !typesOf(row, row.follows.indexOf(true)).includes(other.dtype)) {
    return commonFallback(row, operands);
  }
  const kinds = operands.flatMap(({ plain }) => (plain === null ? [] : [{ weak: plain.weak }]));
  return core.promotion.resultType([{ dtype: other.dtype }, ...kinds]);
}

/** The type of values if no operand has one: that of the values, if the operator takes it. */
function commonFallback(row: OpRow, operands: readonly Reading[]): DType {
  const own = operands.filter((_, i) => follows(row, i)).map(({ dtype }) => dtype);
  return accepted(row, row.follows.indexOf(true), own.find((dtype) => dtype === 'f64') ?? own[0] ?? 'f64');
}

function accepted(row: OpRow, operand: number, dtype: DType): DType {
  const types = typesOf(row, operand);
  return ([dtype, 'i32', 'f64', 'bool'].find((type) => types.includes(type as DType)) as DType | undefined) ?? dtype;
}

function follows(row: OpRow, operand: number): boolean {
  return entryFor(row.follows, operand) === true;
}

function isPromoted(row: OpRow, operand: number): boolean {
  return entryFor(row.promoted, operand) === true;
}

function typesOf(row: OpRow, operand: number): readonly DType[] {
  return entryFor(row.types, operand) ?? [];
}
