// The address of the playground that a link begins with.

import { faultOf } from '../types/errors.js';

const NO_ADDRESS =
  'The base of a link is the address of the playground: http://localhost:8080/, or a path that begins with /, ./ or ../.';

/** Letters of an address. */
const LONGEST_ADDRESS = 2000;

/**
 * The address without a fragment. No playground is published, so there is none to take by default.
 *
 * @throws BroadcastError `link` where it is neither a URL of http, https or file, nor a path.
 */
export function addressOf(base: unknown): string {
  const text = textOf(base).replace(/#[^]*$/, '');
  const isAddress = /^(?:https?:\/\/[^/?]|file:\/\/\/.|\.{0,2}\/)/i.test(text) && text.length <= LONGEST_ADDRESS;
  // Characters that an address cannot contain, or that would end it in a text or a page.
  if (isAddress && !/[^!-~]|["'<>\\`]/.test(text)) return text;
  throw faultOf('link', NO_ADDRESS, {}, base);
}

/** The text of a URL or of a text; empty for anything else, whose properties may throw. */
function textOf(base: unknown): string {
  try {
    const given = base instanceof URL ? base.href : base;
    return typeof given === 'string' ? given : '';
  } catch {
    return '';
  }
}

/**
 * The address that opens the playground at a question.
 *
 * @param fields Of `questionFields`.
 * @param expect Kinds of warnings that are meant.
 */
export function joined(base: unknown, fields: readonly string[], expect: readonly string[] = []): string {
  const all = expect.length > 0 ? [...fields, `expect=${expect.join(',')}`] : fields;
  return `${addressOf(base)}#${all.join('&')}`;
}
