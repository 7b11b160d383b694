// Lists in lists, and single values: arrays without an element type of their own.

import { show } from '../arguments.js';
import type { DType, WeakKind } from '../vocabulary.js';
import { FormFault, unsupported } from './fault.js';

/** What nested lists hold, and scalars are. */
export type PlainValue = number | bigint | boolean;

/** Values without an element type. */
export interface PlainValues {
  /** In row-major order, for `fill`. */
  readonly values: readonly PlainValue[];
  /** The widest kind among them; where there is none, float. */
  readonly weak: WeakKind;
  /** The element type where no operand says one: f64 for numbers, i64 for bigints, bool for booleans. */
  readonly fallback: DType;
}

// As deep as NumPy's arrays may be. A list that contains itself ends here, too.
const MOST_AXES = 64;

/**
 * Reads nested lists into one. All lists of a level have to be of one length, and values have to lie on one level.
 *
 * @throws FormFault that says where: `[0][2] has 3 entries, [0][0] has 2.`
 * @example readNested([[1, 2.5], [3, 4]]); // values [1, 2.5, 3, 4], shape [2, 2], weak 'float', fallback 'f64'
 */
export function readNested(list: readonly unknown[]): PlainValues & { readonly shape: number[] } {
  const values: PlainValue[] = [];
  const shape: number[] = [];
  /** Where we are. */
  const path: number[] = [];
  /** The level of the values, once one was seen. */
  let rank = -1;
  const kinds = new Kinds();

  const enter = (item: readonly unknown[]): void => {
    const level = path.length;
    const { length } = item;
    if (level === rank) throw uneven(`${at(path)} is a list, ${at(firstOf(path))} is none`, item);
    if (level === MOST_AXES) throw uneven(`lists are nested deeper than ${MOST_AXES} levels`, item);
    if (level === shape.length) shape.push(length);
    const expected = shape[level] as number;
    if (length !== expected) {
      throw uneven(`${at(path)} has ${entries(length)}, ${at(firstOf(path))} has ${expected}`, item);
    }
    for (let i = 0; i < length; ++i) {
      path.push(i);
      const entry = item[i];
      if (Array.isArray(entry)) enter(entry);
      else leave(entry);
      path.pop();
    }
  };

  const leave = (value: unknown): void => {
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
  return { values, shape, weak: kinds.widest(), fallback: kinds.fallback() };
}

/** Which kinds of values there are. */
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
  return path.length === 0 ? 'the list' : path.map((i) => `[${i}]`).join('');
}

/** What a place on a level is held against: the first on it. */
function firstOf(path: readonly number[]): number[] {
  return path.map(() => 0);
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}

function uneven(message: string, value: unknown): FormFault {
  return new FormFault({ code: 'length' }, value, `${message}.`);
}
