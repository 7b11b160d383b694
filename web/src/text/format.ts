// How shapes, indexes and sizes are written.

import type { Extent } from '../engine/engine';

/** (2, 3), (5,), () */
export function shapeText(shape: readonly Extent[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}

/** [1, 2]; [] is the index of a scalar's only element. */
export const indexText = (index: readonly (number | string)[]): string => `[${index.join(', ')}]`;

/**
 * A sentence about an axis, after its number. One that begins with a word and a colon gets no second colon.
 *
 * @example
 * aboutAxis(3, 'Mismatch: A is 7, B is 64.'); // Axis 3, mismatch: A is 7, B is 64.
 */
export const aboutAxis = (axis: number | null, says: string): string =>
  /^\w+: /.test(says) ? `Axis ${axis}, ${says.slice(0, 1).toLowerCase()}${says.slice(1)}` : `Axis ${axis}: ${says}`;

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

export const countText = (count: bigint | number): string => grouped.format(count);

export function bytesText(bytes: bigint): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let size = Number(bytes);
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    ++unit;
  }
  return `${unit === 0 ? countText(bytes) : size.toPrecision(3)} ${units[unit]}`;
}

/** The quotient of two sizes in a few digits: 2.4, 5,000. */
export function timesText(large: bigint, small: bigint): string {
  const times = Number(large) / Number(small);
  return times < 100 ? String(Number(times.toPrecision(2))) : countText(times);
}

/** A slice in NumPy's notation: [1, :, 0]. */
export const sliceText = (index: readonly number[], whole: readonly boolean[]): string =>
  indexText(index.map((i, axis) => (whole[axis] ? ':' : i)));

/** Slices of more axes are shortened. */
const mostInSlice = 8;

/**
 * A slice in few letters: of many axes only the first index, that of axis `kept` and whole axes are written.
 *
 * @example
 * shortSliceText([0, 0, 2, 0, 0, 0, 0, 0, 0, 1], whole, 2); // [0, …, 2, …, :, :]
 */
export function shortSliceText(index: readonly number[], whole: readonly boolean[], kept = 0): string {
  if (index.length <= mostInSlice) return sliceText(index, whole);
  const isWritten = (axis: number): boolean => axis === 0 || axis === kept || whole[axis] === true;
  const texts = index.map((i, axis) => (!isWritten(axis) ? '…' : whole[axis] ? ':' : i));
  return indexText(texts.filter((text, axis) => text !== '…' || texts[axis - 1] !== '…'));
}
