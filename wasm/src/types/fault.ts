import type { ErrorRecord } from './errors.js';
import { asked } from '../values/properties.js';
import type { ErrorCode } from './vocabulary.js';

/**
 * What is wrong with one value, told without knowing where in a call it was given: the message begins with the value's
 * own part (`[0][2] has 3 entries, ...`), and whoever knows the operand puts its name in front and makes a
 * `BroadcastError` of `fields`.
 */
export class FormFault extends Error {
  readonly fields: Partial<Omit<ErrorRecord, 'code'>> & { readonly code: ErrorCode };
  /** The value at fault. */
  readonly value: unknown;

  constructor(
    fields: Partial<Omit<ErrorRecord, 'code'>> & { readonly code: ErrorCode },
    value: unknown,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.fields = fields;
    this.value = value;
  }
}

/** What a result is called that cannot have the form that it is asked for in. */
export const RESULT = 'The result';

/** Whether somebody's code has thrown one of these; it may have thrown anything, of which a revoked proxy has no class. */
export function isFormFault(thrown: unknown): thrown is FormFault {
  return asked(() => thrown instanceof FormFault);
}

/** Of the class `dtype`: it is no array, or none of a type that is known. */
export function unsupported(value: unknown, message: string, fields?: Partial<Omit<ErrorRecord, 'code'>>): FormFault {
  return new FormFault({ code: 'dtype', detail: 'unsupported', ...fields }, value, message);
}

/** What somebody else's code threw, while it was asked for a property or for a new object. */
export function fromElsewhere(doing: string, cause: unknown): FormFault {
  let reason = 'for a reason that cannot be told';
  try {
    // On one line, of a length that can be read.
    const said = String(cause instanceof Error ? cause.message : cause).slice(0, 300);
    reason = said.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/\.$/, '');
  } catch {
    // A hostile error: what it says is not worth a second failure.
  }
  const message = `${doing} failed: ${reason}.`;
  return new FormFault({ code: 'dtype', detail: 'unsupported' }, undefined, message, { cause });
}
