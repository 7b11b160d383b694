// Sources of an operand's values. A source is a function of an element's number in row-major order, so that any box of a
// large array can be made without the rest.

import { type Value, valuesIn } from './elements';
import type { DTypeEntry, TypedArray } from '../engine/engine';

/**
 * The value of element number `flat`, before it is converted to the element type; null if it is not read yet. Asking for such
 * an element reads it, unless the caller only `peeks`.
 */
export type Source = (flat: number, peeks?: boolean) => Value | null;

/**
 * First value and step of a counting operand: operand 0 counts 0, 1, 2 ..., operand 1 counts 10, 20, 30 ..., operand 2 counts
 * 100, 200 ..., so that a sum shows which elements were added. A bool element i is true if `floor(i / step)` is odd, so
 * that every combination of operands occurs.
 */
export function countedBy(type: DTypeEntry, operand: number): { readonly first: number; readonly step: number } {
  if (type.kind === 'boolean') return { first: 0, step: 2 ** (operand % 3) };
  if (operand === 0) return { first: 0, step: 1 };
  const step = operand < 4 ? 10 ** operand : 1000 * (operand - 2);
  // Steps of ten would overflow types of a few bits.
  return type.bits < 8 ? { first: step / 10, step: 1 } : { first: step, step };
}

export function counting(type: DTypeEntry, operand: number): Source {
  const { first, step } = countedBy(type, operand);
  if (type.kind === 'boolean') return (flat) => Math.floor(flat / step) % 2 === 1;
  if (type.name.startsWith('c')) return (flat) => [first + flat * step, 1];
  return (flat) => {
    const value = first + flat * step;
    return Number.isSafeInteger(value) ? value : BigInt(first) + BigInt(flat) * BigInt(step);
  };
}

/** Mixes the bits of a number so that each depends on all (the finaliser of MurmurHash3). */
function mixed(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Pseudorandom values, the same for the same seed, operand and element: multiples of 0.01 from -1 to 1 for floats, -9 to 9
 * for signed and 0 to 9 for unsigned integers.
 */
export function random(type: DTypeEntry, operand: number, seed: string): Source {
  let start = mixed(operand + 1);
  for (let i = 0; i < seed.length; ++i) start = mixed(start ^ seed.charCodeAt(i));
  const drawn = (flat: number): number => mixed(start ^ mixed(flat >>> 0) ^ Math.imul(flat / 2 ** 32, 0x9e3779b1));
  const below = (flat: number, most: number): number => Math.floor((drawn(flat) / 2 ** 32) * most);
  if (type.kind === 'boolean') return (flat) => below(flat, 2) === 1;
  if (type.bits === 1) return (flat) => below(flat, 2);
  if (type.name === 'i4') return (flat) => below(flat, 16) - 8;
  if (/^i\d/.test(type.name)) return (flat) => below(flat, 19) - 9;
  if (/^u\d/.test(type.name)) return (flat) => below(flat, 10);
  const hundredths = (flat: number): number => (below(flat, 201) - 100) / 100;
  if (type.name.startsWith('c')) return (flat) => [hundredths(2 * flat), hundredths(2 * flat + 1)];
  return hundredths;
}

export const constant =
  (value: Value): Source =>
  () =>
    value;

/** Values of a list. */
export const listed =
  (values: readonly Value[]): Source =>
  (flat) =>
    values[flat] ?? 0;

/** Elements of an array. */
export const elementsOf = (type: DTypeEntry, data: TypedArray): Source => valuesIn(type, data);
