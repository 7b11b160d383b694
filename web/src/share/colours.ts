// The page's colours as plain values, for saved pictures. They are read from the styles, so that they are defined once.

import type { Hue, Palette } from '../export/palette';
import type { Ground } from '../page/shown-ground';

const operandHues = 8;

export function paletteOf(ground: Ground): Palette {
  // The page has this theme while its colours are read; nothing is painted meanwhile.
  const { dataset } = document.documentElement;
  const worn = dataset['theme'];
  dataset['theme'] = ground;
  const probe = document.createElement('span');
  document.body.append(probe);
  const colour = (property: string): string => {
    probe.style.color = `var(${property})`;
    return hex(getComputedStyle(probe).color);
  };
  const hue = (name: string): Hue => {
    probe.className = name;
    return { hue: colour('--hue'), wash: colour('--wash') };
  };
  try {
    return {
      ground: colour('--ground'),
      paper: colour('--paper'),
      ink: colour('--ink'),
      soft: colour('--soft'),
      line: colour('--line'),
      lineStrong: colour('--line-strong'),
      accent: colour('--accent'),
      onAccent: colour('--on-accent'),
      fits: colour('--fits'),
      clash: colour('--clash'),
      clashWash: colour('--clash-wash'),
      hues: Array.from({ length: operandHues }, (_, i) => hue(`hue-${i}`)),
      target: hue('hue-target'),
    };
  } finally {
    probe.remove();
    dataset['theme'] = worn ?? 'auto';
  }
}

/** rgb(11, 110, 168) as #0b6ea8, which every reader of SVG understands. */
function hex(colour: string): string {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)?.slice(1);
  return parts ? `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}` : colour;
}
