// Shapes with unknown extents as texts that the fields take.

import type { AxisNames, Extent, ExtentInText, ShapeInText } from '../engine/engine';
import { shapeText } from './format';

/** `3`, `N`, `2..8`, `2..`, `?` */
export function extentText(extent: ExtentInText): string {
  if (typeof extent !== 'object') return String(extent);
  const { name, least, most } = extent;
  if (name !== null) return name;
  return Number(least) === 0 && most === null ? '?' : `${least}..${most ?? ''}`;
}

/** `(batch=8, N)`; `(...)` is an unknown rank. */
export function writtenShape({ extents, names }: Pick<ShapeInText, 'extents' | 'names'>): string {
  if (extents === null) return '(...)';
  const texts = extents.map((extent, axis) => `${names?.[axis] ? `${names[axis]}=` : ''}${extentText(extent)}`);
  return `(${texts.join(', ')}${texts.length === 1 ? ',' : ''})`;
}

/** A shape of numbers, with the names of its axes if it has any. */
export const fieldText = (values: readonly Extent[], names: AxisNames | null): string =>
  names ? writtenShape({ extents: values, names }) : shapeText(values);
