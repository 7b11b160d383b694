import type { ErrorRecord } from './errors.js';
import { asked } from '../values/properties.js';
import type { ErrorCode } from './vocabulary.js';

/**
 * What is wrong with a value, found where it is not known which operand it is. The message begins with the place in the
 * value (`[0][2] has 3 entries, ...`). The caller that knows the operand puts its name in front, and makes a
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

/** The name in messages about a result that cannot have the form that was asked for. */
export const RESULT = 'The result';

/** Whether a thrown value is a FormFault. Any value may be thrown; `instanceof` throws for a revoked proxy. */
export function isFormFault(thrown: unknown): thrown is FormFault {
  return asked(() => thrown instanceof FormFault);
}

/** A fault of code `dtype`: the value is not an array, or not of a known type. */
export function unsupported(value: unknown, message: string, fields?: Partial<Omit<ErrorRecord, 'code'>>): FormFault {
  return new FormFault({ code: 'dtype', detail: 'unsupported', ...fields }, value, message);
}

/** A fault for what the caller's code threw while a property was read or an object made. */
export function fromElsewhere(doing: string, cause: unknown): FormFault {
  let reason = 'for a reason that cannot be told';
  try {
    // On one line, and not too long.
    const said = String(cause instanceof Error ? cause.message : cause).slice(0, 300);
    reason = said.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/\.$/, '');
  } catch {
    // The error's own properties throw: there is no reason to show.
  }
  const message = `${doing} failed: ${reason}.`;
  return new FormFault({ code: 'dtype', detail: 'unsupported' }, undefined, message, { cause });
}
