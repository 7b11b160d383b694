// Values as messages show them.

import { isList } from './lists.js';

/** A text in quotes, without control characters and line breaks. */
export function inQuotes(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, '?');
}

/** Any value in a few words. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return inQuotes(value.length > 40 ? `${value.slice(0, 40)}…` : value);
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      return value === null ? 'null' : isList(value) ? 'a list' : 'an object';
    default:
      return `a ${typeof value}`;
  }
}
