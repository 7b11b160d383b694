// Checks what a caller gives besides the model: the instance, the options, and what their functions return.

import type { Broadloom } from '../api/broadloom.js';
import { isBroadcastError } from '../types/errors.js';
import { listLength } from '../values/lists.js';
import { nearest } from '../values/nearest.js';
import { asked, propertiesOf } from '../values/properties.js';
import { show } from '../values/show.js';
import type { AuditDifference, AuditOptions, AuditWarning } from './audited.js';
import type { AskSymbolic, SymbolicConditions } from './fit.js';
import { ModelError } from './model-error.js';
import type { ModelExtent } from './shape.js';

const refuse = (message: string, cause?: unknown): never => {
  throw new ModelError('input', message, cause === undefined ? undefined : { cause });
};

/** Refuses anything but an instance, such as a promise of one, or a proxy, which has no private fields. */
export function checkInstance(bl: unknown, call: string): asserts bl is Broadloom {
  try {
    const { align, vocabulary } = bl as Broadloom;
    if (typeof vocabulary.rules.numpy === 'object' && align.call(bl, 'numpy', [[2], [2]]).shape?.[0] === 2) return;
  } catch (error) {
    if (asked(() => isBroadcastError(error))) throw error; // of an instance whose memory is full
  }
  refuse(`${call} takes first what await load() gives, not ${show(bl)}.`);
}

/** Refuses anything but a text. */
export function checkText(text: unknown, call: string): asserts text is string {
  if (typeof text !== 'string') refuse(`${call} takes a text, not ${show(text)}.`);
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

/** The options of `auditModel`. What their functions return is checked where they are called. */
export function readAuditOptions(options: unknown): AuditOptions {
  const given = readGiven(options, ['ask', 'warnings', 'differs', 'link', 'weights'], 'auditModel');
  for (const name of ['ask', 'warnings', 'differs', 'link'] as const) {
    const value = given[name];
    if (value === undefined || typeof value === 'function') continue;
    const hint = name === 'link' ? ' Give an address to withExplanations, which makes a function of it.' : '';
    refuse(`${name} has to be a function, not ${show(value)}.${hint}`);
  }
  const { ask, warnings, differs, link } = given as AuditOptions;
  return {
    ...(given as AuditOptions),
    ask: ask && ((question) => readAnswer(ask(question))),
    warnings: warnings && ((node) => readRecords<AuditWarning>('warnings', warnings(node), ['kind', 'message'])),
    differs:
      differs &&
      ((node) =>
        readRecords<AuditDifference>('differs', differs(node), ['system', 'message'])?.map((one) => ({
          ...one,
          systems: systemsOf(one),
        })) ?? null),
    link: link && ((node, exact) => readLink(link(node, exact))),
  };
}

// --- What the functions return -----------------------------------------------

/** What `read` makes of a value of the caller, of which each property is read once; else an error that says what is due. */
function readReturned<T>(name: string, due: string, value: unknown, read: () => T | undefined): T {
  let cause: unknown;
  try {
    const made = read();
    if (made !== undefined) return made;
  } catch (error) {
    cause = error;
  }
  return refuse(`${name} has to return ${due}; it returned ${show(value)}.`, cause);
}

/** A copy of a record, each of whose own properties is read once, and of which these properties are texts; undefined where one is none. */
function recordOf<T>(value: unknown, names: readonly (keyof T & string)[]): T | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const copy = { ...value } as { readonly [N in keyof T]?: unknown };
  return names.every((name) => typeof copy[name] === 'string') ? (copy as T) : undefined;
}

function entriesOf(value: unknown): readonly unknown[] | undefined {
  const length = listLength(value);
  return length < 0 || length > MOST_RETURNED ? undefined : Array.from({ length }, (_, i) => (value as unknown[])[i]);
}
/** Entries of a list that a function returns. */
const MOST_RETURNED = 100_000;

const CONDITIONS = ['plain', 'python', 'torch', 'jax'] as const;
const isExtent = (extent: unknown): extent is ModelExtent =>
  typeof extent === 'string' ||
  (typeof extent === 'bigint' && extent >= 0n) ||
  (Number.isSafeInteger(extent) && (extent as number) >= 0);

function readAnswer(answer: unknown): ReturnType<AskSymbolic> {
  const due = 'null, or an object with fits, shape and verdict';
  return readReturned('ask', due, answer, () => {
    if (answer === null) return null;
    const { fits, shape, verdict, conditions } = propertiesOf(answer as object, [
      'fits',
      'shape',
      'verdict',
      'conditions',
    ]);
    const extents = shape === null ? null : entriesOf(shape);
    const texts = conditions === undefined ? undefined : recordOf<SymbolicConditions>(conditions, CONDITIONS);
    if ((typeof fits !== 'boolean' && fits !== null) || typeof verdict !== 'string') return undefined;
    if (extents === undefined || extents?.every(isExtent) === false) return undefined;
    if (conditions !== undefined && texts === undefined) return undefined;
    return { fits, shape: extents as readonly ModelExtent[] | null, verdict, conditions: texts };
  });
}

function readRecords<T>(name: string, records: unknown, names: readonly (keyof T & string)[]): readonly T[] | null {
  return readReturned(name, `null, or a list of objects with ${names.join(' and ')}`, records, () => {
    if (records === null) return null;
    const all = entriesOf(records)?.map((record) => recordOf<T>(record, names));
    return all?.every((record) => record !== undefined) ? (all as readonly T[]) : undefined;
  });
}

/** The systems of a difference; those that are no texts are left out, and without a list it is about one. */
function systemsOf({ system, systems }: AuditDifference): readonly string[] {
  return (entriesOf(systems) ?? [system]).filter((each): each is string => typeof each === 'string');
}

function readLink(link: unknown): string | null {
  return readReturned('link', 'an address, or null', link, () =>
    link === null || typeof link === 'string' ? link : undefined,
  );
}
