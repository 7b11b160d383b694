// Converts operands of messages to arguments of `Broadloom`'s methods.

import { FormFault } from '../types/fault.js';
import type { SentOperand } from './messages.js';

/** The operand that was sent, or an array that throws the sent error when its data is read. */
export function receive(sent: SentOperand): unknown {
  if ('plain' in sent) return sent.plain;
  if (!('fault' in sent)) return sent;
  const { fields, message, value } = sent.fault;
  return {
    shape: [],
    get data(): never {
      throw new FormFault(fields, value, message);
    },
  };
}
