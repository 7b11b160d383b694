// Checks what a caller gives besides the model: the instance and the options.

import type { Broadloom } from '../api/broadloom.js';
import { nearest } from '../values/nearest.js';
import { asked, propertiesOf } from '../values/properties.js';
import { show } from '../values/show.js';
import { ModelError } from './model-error.js';

const refuse = (message: string, cause?: unknown): never => {
  throw new ModelError('input', message, cause === undefined ? undefined : { cause });
};

/** Refuses anything but an instance, such as a promise of one. */
export function checkInstance(bl: unknown, call: string): asserts bl is Broadloom {
  const isOne = asked(() => {
    const { align, vocabulary } = bl as Partial<Broadloom>;
    return typeof align === 'function' && typeof vocabulary?.rules === 'object';
  });
  if (!isOne) refuse(`${call} takes first what await load() gives, not ${show(bl)}.`);
}

/** Options, each read once. Other names than `known` are refused, so that a misspelt option is not ignored. */
export function readGiven<K extends string>(
  options: unknown,
  known: readonly K[],
  call: string,
): { readonly [N in K]: unknown } {
  if (typeof options !== 'object' || options === null || asked(() => Array.isArray(options))) {
    refuse(`${call} takes its options as an object, not ${show(options)}.`);
  }
  let names: readonly string[] = [];
  let given = {} as { readonly [N in K]: unknown };
  try {
    names = Object.keys(options as object);
    given = propertiesOf(options as object, known);
  } catch (cause) {
    refuse(`The options of ${call} could not be read: give them in an object of their own.`, cause);
  }
  for (const name of names) {
    if ((known as readonly string[]).includes(name)) continue;
    const near = nearest(name, known);
    const hint = near.length === 0 ? '' : ` Did you mean ${near.map(show).join(' or ')}?`;
    refuse(`${call} has no option ${show(name)}.${hint} There are: ${known.join(', ')}.`);
  }
  return given;
}

/** The options of `auditModel`. */
export function readAuditOptions(options: unknown): object {
  const given = readGiven(options, ['ask', 'warnings', 'differs', 'link', 'weights'], 'auditModel');
  for (const name of ['ask', 'warnings', 'differs', 'link'] as const) {
    const value = given[name];
    if (value === undefined || typeof value === 'function') continue;
    const hint = name === 'link' ? ' Give an address to withExplanations, which makes a function of it.' : '';
    refuse(`${name} has to be a function, not ${show(value)}.${hint}`);
  }
  return given;
}
