// Values as colours. The scale is cividis, which runs from dark to light, so that it is readable without seeing hues.

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

/** 256 colours as pixels of an image. */
export type PixelPalette = Uint32Array;

function paletteOf(colours: readonly Rgb[]): PixelPalette {
  const bytes = new Uint8ClampedArray(4 * 256);
  for (let i = 0; i < 256; ++i) {
    const at = (i / 255) * (colours.length - 1);
    const from = colours[Math.floor(at)] ?? [0, 0, 0];
    const to = colours[Math.ceil(at)] ?? from;
    const weight = at - Math.floor(at);
    bytes.set([0, 1, 2].map((k) => (from[k] ?? 0) + weight * ((to[k] ?? 0) - (from[k] ?? 0))).concat(255), 4 * i);
  }
  return new Uint32Array(bytes.buffer);
}

export const resultPalette = paletteOf(stops);

/** The colours of an operand: its own hue, from pale to full. */
export const huePalette = (pale: Rgb, full: Rgb): PixelPalette => paletteOf([pale, full]);

/** The least and the largest value of a scale; values beyond have the colours of the ends. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** A value as a number on the scale: of complex numbers the real part. NaN has no colour. */
export const onScale = (value: Shown): number => (typeof value === 'string' ? parseFloat(value) : Number(value));

export function rangeOf(values: Iterable<number>): ValueRange {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}

/** Returns a function from values to pixels; NaN gives a transparent one. */
export function colouring({ low, high }: ValueRange, palette: PixelPalette): (value: number) => number {
  const factor = high > low ? 255 / (high - low) : 0;
  const least = factor === 0 ? 128 : 0;
  return (value) =>
    value === value ? (palette[Math.max(0, Math.min(255, least + Math.round((value - low) * factor)))] ?? 0) : 0;
}
