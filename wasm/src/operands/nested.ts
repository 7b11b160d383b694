// Nested lists and single values: arrays without an element type of their own.

import { show } from '../values/show.js';
import type { DType, WeakKind } from '../types/vocabulary.js';
import { FormFault, unsupported } from '../types/fault.js';

/** A scalar, or a value in a nested list. */
export type PlainValue = number | bigint | boolean;

/** Values without an element type. */
export interface PlainValues {
  /** In row-major order, for `fill`. */
  readonly values: readonly PlainValue[];
  /** The widest kind of the values; float if there are none. */
  readonly weak: WeakKind;
  /** The element type if no operand has one: f64 for numbers, i64 for bigints, bool for booleans. */
  readonly fallback: DType;
}

// Far more levels than are used. A list that contains itself is detected by this limit.
const MOST_AXES = 2 ** 16;
// Of deeper places, messages show the first indexes only.
const MOST_SHOWN = 16;

/**
 * Reads the values of nested lists. All lists of a level must have the same length, and all values must be on one level.
 *
 * @throws FormFault that says where: `[0][2] has 3 entries, [0][0] has 2: all lists of a level have to be alike.`
 * @example readNested([[1, 2.5], [3, 4]]); // values [1, 2.5, 3, 4], shape [2, 2], weak 'float', fallback 'f64'
 */
export function readNested(list: readonly unknown[]): PlainValues & { readonly shape: number[] } {
  const values: PlainValue[] = [];
  const shape: number[] = [];
  /** The index in the list of each level. */
  const path: number[] = [];
  /** The level of the values; -1 until one was found. */
  let rank = -1;
  const kinds = new Kinds();

  // The lists that are being read, outermost first. Recursion might exceed the stack.
  const lists: (readonly unknown[])[] = [];
  const enter = (item: readonly unknown[]): void => {
    const level = path.length;
    const length = item.length >>> 0; // a proxy's may be any value
    if (level === rank) throw uneven(`${at(path)} is a list, ${at(firstOf(path))} is none`, item);
    if (level === MOST_AXES) throw tooDeep(item);
    if (level === shape.length) shape.push(length);
    const expected = shape[level] as number;
    if (length !== expected) {
      throw uneven(`${at(path)} has ${entries(length)}, ${at(firstOf(path))} has ${expected}`, item);
    }
    lists.push(item);
    path.push(0);
  };

  const take = (value: unknown): void => {
    if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') {
      throw unsupported(value, `${at(path)} is ${show(value)}, not a number, a bigint, a boolean or a list of them.`);
    }
    if (shape.length > path.length)
      throw uneven(`${at(path)} is ${show(value)}, ${at(firstOf(path))} is a list`, value);
    rank = path.length;
    kinds.add(value, path);
    values.push(value);
  };

  enter(list);
  while (lists.length > 0) {
    const level = lists.length - 1;
    const i = path[level] as number;
    if (i < (shape[level] as number)) {
      const entry = (lists[level] as readonly unknown[])[i];
      if (Array.isArray(entry)) {
        enter(entry);
        continue;
      }
      take(entry);
      path[level] = i + 1;
    } else {
      lists.pop();
      path.pop();
      if (level > 0) path[level - 1] = (path[level - 1] as number) + 1;
    }
  }
  return { values, shape, weak: kinds.widest(), fallback: kinds.fallback() };
}

/** The kinds of values in a list. */
class Kinds {
  #boolean = false;
  #number = false;
  #bigint: string | undefined;
  #fraction: string | undefined;

  add(value: PlainValue, path: readonly number[]): void {
    if (typeof value === 'boolean') this.#boolean = true;
    else if (typeof value === 'bigint') this.#bigint ??= at(path);
    else {
      this.#number = true;
      if (!Number.isInteger(value)) this.#fraction ??= `${at(path)} is ${value}`;
    }
    if (this.#bigint === undefined || this.#fraction === undefined) return;
    const message = `${this.#bigint} is a bigint, but ${this.#fraction}: give all as numbers, or whole ones as bigints.`;
    throw unsupported(value, message);
  }

  widest(): WeakKind {
    if (this.#fraction !== undefined) return 'float';
    if (this.#number || this.#bigint !== undefined) return 'int';
    return this.#boolean ? 'bool' : 'float';
  }

  fallback(): DType {
    if (this.#bigint !== undefined) return 'i64';
    return this.#boolean && !this.#number ? 'bool' : 'f64';
  }
}

/** Indexes as they are written: `[0][2]`. */
export function at(path: readonly number[]): string {
  const shown = path.slice(0, MOST_SHOWN).map((i) => `[${i}]`);
  return `${shown.join('')}${path.length > MOST_SHOWN ? '…' : ''}`;
}

/** The first place on the same level, with which others are compared. */
function firstOf(path: readonly number[]): number[] {
  return path.map(() => 0);
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

function tooDeep(value: unknown): FormFault {
  const message = `lists are nested deeper than ${MOST_AXES} levels: one may contain itself.`;
  return new FormFault({ code: 'limit', extent: MOST_AXES + 1, otherExtent: MOST_AXES }, value, message);
}

function uneven(message: string, value: unknown): FormFault {
  return new FormFault({ code: 'length' }, value, `${message}: all lists of a level have to be alike.`);
}
