// The page's colours and type for a canvas, which knows no custom properties.

import type { Rgb } from './colours';

export interface Theme {
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

/** Reads them off `probe`, an element of the page that nobody sees. */
export function themeOf(probe: HTMLElement, hueClasses: readonly string[]): Theme {
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
