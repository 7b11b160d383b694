// How shapes, indexes and sizes are written.

import type { Extent } from '../engine/engine';

/** (2, 3), (5,), () */
export function shapeText(shape: readonly Extent[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}

/** [1, 2]; [] is the index of a scalar's only element. */
export const indexText = (index: readonly (number | string)[]): string => `[${index.join(', ')}]`;

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
  `[${index.map((i, axis) => (whole[axis] ? ':' : i)).join(', ')}]`;
