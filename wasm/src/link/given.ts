// Checks the arguments of questionOf. The package's own requests are already checked.

import type { Vocabulary } from '../types/vocabulary-rows.js';
import { listLength } from '../values/lists.js';
import { nearest } from '../values/nearest.js';
import { asked, propertiesOf } from '../values/properties.js';
import { show } from '../values/show.js';
import { refuse, type LinkedCase } from './case.js';
import { MOST_AXES, MOST_OPERANDS } from './question.js';

const FIELDS = [
  'rule',
  'op',
  'shapes',
  'names',
  'byName',
  'dtypes',
  'dtype',
  'axis',
  'targetShape',
  'axesMapping',
  'fmod',
  'direction',
  'to',
  'saturate',
] as const;

/** A case of which every property was read once. @throws BroadcastError `link` */
export function readCase(vocabulary: unknown, given: unknown): LinkedCase {
  const isVocabulary = asked(() => {
    const { ops, rules, dtypes } = vocabulary as Vocabulary;
    return [ops, rules, dtypes].every((table) => typeof table === 'object' && table !== null);
  });
  if (!isVocabulary) refuse(`questionOf takes first the vocabulary of load(), bl.vocabulary, not ${show(vocabulary)}.`);
  const { ops, rules, dtypes } = vocabulary as Vocabulary;
  if (typeof given !== 'object' || given === null) {
    refuse(`A question is given as an object with rule and shapes, not as ${show(given)}.`);
  }
  let read = {} as { readonly [N in (typeof FIELDS)[number]]: unknown };
  try {
    read = propertiesOf(given, FIELDS);
  } catch {
    refuse('The question could not be read: give it in an object of its own.');
  }
  checkName('rule', read.rule, rules);
  if (read.op !== undefined) checkName('operator', read.op, ops);
  for (const type of [read.dtype, read.to]) if (type !== undefined) checkName('element type', type, dtypes);
  const shapes = entriesOf('shapes', read.shapes, MOST_OPERANDS, 'operands');
  const { axis, fmod, saturate, direction, targetShape, axesMapping, names } = read;
  for (const [name, value] of Object.entries({ axis, fmod, saturate })) {
    if (value !== undefined && !isWhole(value)) refuse(`${name} has to be a whole number, not ${show(value)}.`);
  }
  if (direction !== undefined && direction !== 'left' && direction !== 'right') {
    refuse(`direction is 'left' or 'right', not ${show(direction)}.`);
  }
  const ownTypes = read.dtypes === undefined ? undefined : entriesOf('dtypes', read.dtypes, MOST_OPERANDS, 'operands');
  for (const type of ownTypes ?? []) checkName('element type', type, dtypes);
  const mapping = axesMapping === undefined ? undefined : entriesOf('axesMapping', axesMapping, MOST_AXES, 'axes');
  for (const entry of mapping ?? []) {
    if (!isWhole(entry)) refuse(`axesMapping has to have whole numbers, not ${show(entry)}.`);
  }
  return {
    ...read,
    shapes: shapes.map((shape, i) => extentsOf(`shapes[${i}]`, shape)),
    targetShape: targetShape === undefined ? undefined : extentsOf('targetShape', targetShape),
    dtypes: ownTypes,
    axesMapping: mapping,
    names:
      names === undefined
        ? undefined
        : entriesOf('names', names, MOST_OPERANDS, 'operands').map((list, i) => {
            if (list === null || list === undefined) return null;
            const texts = entriesOf(`names[${i}]`, list, MOST_AXES, 'axes');
            return texts.map((text) => (typeof text === 'string' ? text : null));
          }),
  } as LinkedCase;
}

function checkName(what: string, name: unknown, table: object): void {
  if (typeof name === 'string' && Object.hasOwn(table, name)) return;
  const known = Object.keys(table);
  const near = typeof name === 'string' ? nearest(name, known) : [];
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map(show).join(' or ')}?`;
  refuse(`There is no ${what} ${show(name)}.${hint} There are: ${known.join(', ')}.`);
}

const isWhole = (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value);

/** The extents of a shape; null for one of unknown rank. */
function extentsOf(name: string, shape: unknown): unknown[] | null {
  if (shape === null) return null;
  const extents = entriesOf(name, shape, MOST_AXES, 'axes');
  for (const extent of extents) {
    if (typeof extent === 'string' || isWhole(extent)) continue;
    refuse(`${name}: ${show(extent)} is no extent: a whole number, a name, ? or a range such as 2..8.`);
  }
  return extents;
}

/** The entries of a list, which may be a proxy. */
function entriesOf(name: string, list: unknown, most: number, what: string): unknown[] {
  const length = listLength(list);
  if (length === -1) refuse(`${name} has to be a list, not ${show(list)}.`);
  if (length > most) refuse(`The playground shows at most ${most} ${what}, and there are ${length}.`);
  try {
    return Array.from({ length }, (_, i) => (list as unknown[])[i]);
  } catch {
    return refuse(`${name} could not be read: give a plain list.`);
  }
}
