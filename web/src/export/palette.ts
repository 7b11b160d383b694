// The colours of a picture, as plain values; share/colours.ts reads them from the page's styles.

export interface Hue {
  readonly hue: string;
  readonly wash: string;
}

export interface Palette {
  readonly ground: string;
  readonly paper: string;
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly fits: string;
  readonly clash: string;
  readonly clashWash: string;
  /** Of the operands, in their order; after the last they start again. */
  readonly hues: readonly Hue[];
  readonly target: Hue;
}

export function hueOf(palette: Palette, operand: number): Hue {
  const hue = operand < 0 ? palette.target : palette.hues[operand % palette.hues.length];
  return hue ?? palette.target;
}
