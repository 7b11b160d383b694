// Values as colours. The scale runs from dark to light throughout (it is cividis), so that it is told without hues, too.

import type { Shown } from '../values/elements';

export type Rgb = readonly [number, number, number];

const stops: readonly Rgb[] = [
  [0, 34, 78],
  [18, 53, 112],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 120],
  [165, 156, 116],
  [195, 179, 105],
  [225, 204, 85],
  [254, 232, 56],
];

export const gradient = `linear-gradient(90deg, ${stops.map((stop) => `rgb(${stop.join(' ')})`).join(', ')})`;

/** 256 pixels as an image holds them. */
export type Palette = Uint32Array;

function paletteOf(colours: readonly Rgb[]): Palette {
  const bytes = new Uint8ClampedArray(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const at = (i / 255) * (colours.length - 1);
    const from = colours[Math.floor(at)] ?? [0, 0, 0];
    const to = colours[Math.ceil(at)] ?? from;
    const part = at - Math.floor(at);
    bytes.set([0, 1, 2].map((k) => (from[k] ?? 0) + part * ((to[k] ?? 0) - (from[k] ?? 0))).concat(255), 4 * i);
  }
  return new Uint32Array(bytes.buffer);
}

export const resultPalette = paletteOf(stops);

/** An operand keeps its own colour: from pale to full. */
export const huePalette = (pale: Rgb, full: Rgb): Palette => paletteOf([pale, full]);

/** From the least value to the largest; those beyond have the colours of the ends. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A value on the scale: complex numbers by their real part. NaN where it has no place there. */
export const onScale = (value: Shown): number => (typeof value === 'string' ? parseFloat(value) : Number(value));

export function rangeOf(values: Iterable<number>): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

/** The pixel of a value: a see-through one for what is no number. */
export function colouring({ low, high }: Range, palette: Palette): (value: number) => number {
  const factor = high > low ? 255 / (high - low) : 0;
  const least = factor === 0 ? 128 : 0;
  return (value) =>
    value === value ? (palette[Math.max(0, Math.min(255, least + Math.round((value - low) * factor)))] ?? 0) : 0;
}
