import { entryFor } from '../types/entry-for.js';
import type { OpRow } from '../types/vocabulary-rows.js';
import type { DType } from '../types/vocabulary.js';

/**
 * The element type that an operand of a question has, unless it has its own: that of the question, or the first that the
 * operator takes there.
 *
 * @param dtype The question's.
 * @example
 * operandType(bl.vocabulary.ops.Where, 0, 'f32'); // 'bool'
 */
export function operandType({ types, follows }: OpRow, operand: number, dtype: DType): DType {
  const accepted = entryFor(types, operand) ?? [];
  return entryFor(follows, operand) || accepted.includes(dtype) ? dtype : (accepted[0] ?? dtype);
}
