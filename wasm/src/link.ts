// The entry `broadloom/link`: addresses that open the playground at a question. It needs neither the core nor WebAssembly.

import { joined } from './link/address.js';
import { questionOf as question, type LinkedCase } from './link/case.js';
import { readCase } from './link/given.js';
import type { Vocabulary } from './types/vocabulary-rows.js';
import { questionFields, type LinkedQuestion } from './link/question.js';

export type { LinkedCase } from './link/case.js';
export { operandType } from './link/operand-type.js';
export {
  escapeText,
  LONGEST_TEXT,
  MOST_AXES,
  MOST_OPERANDS,
  questionFields,
  type LinkedOperand,
  type LinkedQuestion,
} from './link/question.js';
import type { InstanceOf } from './values/globals.js';

/**
 * The address that opens the playground at a question. `alignment.link(base)` and `error.link(base)` write that of shapes
 * which were aligned; this function takes the texts of the playground's fields as they are, and checks only that they are texts.
 *
 * @param base Where the playground is: a URL of http, https or file, or a path such as `/playground/`. Its fragment is left out.
 * @throws BroadcastError `link` where `base` is no such address, or the question has something else than texts.
 * @example
 * const question = { rule: 'numpy', op: 'Add', dtype: 'f32', operands: [{ shape: '(2,3)' }, { shape: '(3,)' }] };
 * linkTo('http://localhost:8080/', question);
 * // http://localhost:8080/#v=1&rule=numpy&op=Add&type=f32&in=(2,3)&in=(3,)
 */
export function linkTo(base: string | InstanceOf<'URL'>, question: LinkedQuestion): string {
  return joined(base, questionFields(question));
}

/**
 * Shapes under a rule as a question of the playground, with the operator and the element type that it needs: extents may be
 * unknown.
 *
 * @param vocabulary That of `load()`.
 * @throws BroadcastError `link` where the playground would show another case; the message says why.
 * @example
 * const question = questionOf(bl.vocabulary, { rule: 'pdpd', shapes: [['N', 3, 4], [3]], axis: 1 });
 * linkTo('/', question); // /#v=1&rule=pdpd&op=Add&type=f32&in=(N,3,4)&in=(3,)&axis=1
 */
export function questionOf(vocabulary: Vocabulary, given: LinkedCase): LinkedQuestion {
  return question(vocabulary, readCase(vocabulary, given));
}
