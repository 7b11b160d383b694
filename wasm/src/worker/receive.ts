// What comes from the other thread, made into what the calls take.

import { FormFault } from '../types/fault.js';
import type { SentOperand } from './messages.js';

/** An operand as it was before it was sent, or one that says what is wrong with it when it is read. */
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
