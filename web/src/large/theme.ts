// The page's colours and fonts for a canvas, which cannot use custom properties of CSS.

import type { Rgb } from './colours';

export interface CanvasTheme {
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly accent: string;
  readonly accentWash: string;
  readonly onAccent: string;
  /** Of each operand. */
  readonly hues: readonly string[];
  readonly washes: readonly string[];
  readonly mono: string;
}

/** Reads them from the styles of `probe`, an invisible element of the page. */
export function themeOf(probe: HTMLElement, hueClasses: readonly string[]): CanvasTheme {
  const read = (name: string, hue = ''): string => {
    probe.className = `unseen ${hue}`;
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  probe.style.fontFamily = 'var(--mono)';
  return {
    paper: read('paper'),
    ink: read('ink'),
    soft: read('soft'),
    line: read('line'),
    accent: read('accent'),
    accentWash: read('accent-wash'),
    onAccent: read('on-accent'),
    hues: hueClasses.map((hue) => read('hue', hue)),
    washes: hueClasses.map((hue) => read('wash', hue)),
    mono: getComputedStyle(probe).fontFamily,
  };
}

export function rgbOf(colour: string): Rgb {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+(\.\d+)?/g) ?? []).map(Number);
  return [red, green, blue];
}
