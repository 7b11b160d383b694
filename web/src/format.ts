// How shapes, indexes and sizes are written.

import type { Extent } from './engine';

/** (2, 3), (5,), () */
export function shapeText(shape: readonly Extent[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}

/** [1, 2]; [] is the one place of a scalar. */
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

/** How many times `part` goes into `whole`: 2.4, 5,000. */
export function timesText(whole: bigint, part: bigint): string {
  const times = Number(whole) / Number(part);
  return times < 100 ? String(Number(times.toPrecision(2))) : countText(times);
}

/** A value that fits a cell. */
export function valueText(value: number | bigint | boolean | string): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') {
    const text = String(value);
    // Both ends: neighbours that wrapped around differ in their last digits.
    return text.length <= 11 ? text : `${text.slice(0, 5)}…${text.slice(-5)}`;
  }
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (Object.is(value, -0)) return '-0';
  if (Number.isInteger(value) && Math.abs(value) < 1e10) return String(value);
  const text = String(Number(value.toPrecision(5)));
  return text.length <= 8 ? text : value.toExponential(2).replace('e+', 'e');
}

/** A value where there is room for it: whole numbers keep all their digits. */
export const exactText = (value: number | bigint | boolean | string): string =>
  typeof value === 'bigint' || (Number.isSafeInteger(value) && !Object.is(value, -0))
    ? String(value)
    : valueText(value);

/** A slice of an array in the usual notation: A[1, :, 0]. */
export const sliceText = (index: readonly number[], whole: readonly boolean[]): string =>
  `[${index.map((i, axis) => (whole[axis] ? ':' : i)).join(', ')}]`;
