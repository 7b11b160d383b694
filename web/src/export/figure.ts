// The frame of every picture: background, title and description for screen readers, and the answer as a heading.

import type { Model } from '../model/model';
import type { Palette } from './palette';
import { group, type Markup, mono, sans, tag, widthOf, wrapped } from './svg';
import { outcomeText, questionText, reasonText, titleText } from './sentences';

/** A drawing within a picture, and its size. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly markup: Markup;
}

export interface SvgPicture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

export const textSize = 13;
export const smallSize = 12;
const hugeSize = 30;
export const margin = 24;

/** An operand's letter or name on its colour. */
export function chip(palette: Palette, name: string, hue: string, x: number, y: number): Drawing {
  const width = chipWidth(name);
  const markup = group({}, [
    tag('rect', { x, y, width, height: 22, rx: 5, fill: hue }),
    tag(
      'text',
      {
        x: x + width / 2,
        y: y + 15.5,
        fill: palette.ground,
        'text-anchor': 'middle',
        'font-family': sans,
        'font-size': smallSize,
        'font-weight': 600,
      },
      name,
    ),
  ]);
  return { width, height: 22, markup };
}

export const chipWidth = (name: string): number => Math.max(22, Math.ceil(widthOf(name, smallSize)) + 10);

/** The result's shape in large type, whether the shapes fit, and why. */
export function heading(model: Model, palette: Palette, least: number): Drawing {
  const { failure, alignment } = model;
  const fits = !failure && alignment !== null;
  const said = outcomeText(model);
  const outcome = said.charAt(0).toUpperCase() + said.slice(1);
  const badge = fits ? '✓ fits' : '✕';
  const asked = questionText(model);
  const outcomeWidth = widthOf(outcome, hugeSize, fits ? 0.61 : 0.56);
  const first = outcomeWidth + 16 + widthOf(`${badge}   ${asked}`, 15, 0.58);
  const width = Math.max(least, Math.min(first, 900), 480);
  const reasons = wrapped(reasonText(model), width, 15, 0.53);
  const lines = reasons.map((line, i) =>
    tag('text', { x: 0, y: 58 + i * 21, fill: palette.ink, 'font-family': sans, 'font-size': 15 }, line),
  );
  const markup = group({}, [
    tag(
      'text',
      { x: 0, y: 28, fill: palette.ink, 'font-family': fits ? mono : sans, 'font-size': hugeSize, 'font-weight': 700 },
      outcome,
    ),
    tag(
      'text',
      { x: outcomeWidth + 16, y: 27, 'font-family': sans, 'font-size': 15 },
      tag('tspan', { fill: fits ? palette.fits : palette.clash, 'font-weight': 600 }, badge),
      tag('tspan', { fill: palette.soft, dx: 12 }, asked),
    ),
    ...lines,
  ]);
  return { width: Math.max(width, first), height: 44 + lines.length * 21, markup };
}

/** The whole picture: the heading with a drawing below it. */
export function figure(model: Model, palette: Palette, alt: string, drawing: Drawing): SvgPicture {
  const head = heading(model, palette, drawing.width);
  const width = Math.ceil(Math.max(head.width, drawing.width) + 2 * margin);
  const top = margin + head.height + 16;
  const height = Math.ceil(top + drawing.height + margin);
  return framed(model, palette, alt, { width, height }, [
    group({ transform: `translate(${margin} ${margin})` }, [head.markup]),
    group({ transform: `translate(${margin} ${top})` }, [drawing.markup]),
  ]);
}

/** A picture of this size with its background, title and description. */
export function framed(
  model: Model,
  palette: Palette,
  alt: string,
  { width, height }: Pick<SvgPicture, 'width' | 'height'>,
  parts: readonly Markup[],
): SvgPicture {
  const root = tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
    tag('title', {}, titleText(model)),
    tag('desc', {}, alt),
    tag('rect', { width, height, fill: palette.ground }),
    ...parts,
  );
  return { svg: `${root.xml}\n`, width, height };
}
