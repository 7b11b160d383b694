// A value of a caller in the words of a message.

import { isList } from './lists.js';

/** A text in quotes, without what would steer a terminal or break the line. */
export function inQuotes(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029]/g, '?');
}

/** A value in a few words, whatever it is. */
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
