// SVG as text. All texts are escaped. A picture stands alone: colours and fonts are attributes, and nothing is fetched.

import { withoutTurns } from '../state/state';

/** Well-formed markup; only `tag` makes it. */
export interface Markup {
  readonly xml: string;
}
export type MarkupAttributes = Readonly<Record<string, string | number | undefined>>;

/** Characters that XML forbids, and lone surrogates. */
const foreign = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string =>
  text.replace(foreign, '\ufffd').replace(/[&<>"']/g, (letter) => entities[letter] ?? '');

const written = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : escaped(value);

/**
 * Makes an element. Texts among its children are escaped; undefined attributes are left out.
 *
 * @example
 * tag('text', { x: 4, fill: '#000' }, 'a < b').xml; // <text x="4" fill="#000">a &lt; b</text>
 */
export function tag(name: string, attributes: MarkupAttributes, ...children: readonly (string | Markup)[]): Markup {
  const said = Object.entries(attributes)
    .flatMap(([key, value]) => (value === undefined ? [] : [` ${key}="${written(value)}"`]))
    .join('');
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : child.xml)).join('');
  return { xml: inner === '' ? `<${name}${said}/>` : `<${name}${said}>${inner}</${name}>` };
}

export const group = (attributes: MarkupAttributes, children: readonly Markup[]): Markup =>
  tag('g', attributes, ...children);

// --- Type ----------------------------------------------------------------------

/** Font families of the reader's system; the picture contains no fonts. */
export const mono = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Menlo, Consolas, monospace";
export const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/** The approximate width of a text; it cannot be measured where it will be shown. */
export function widthOf(text: string, size: number, each = 0.62): number {
  let letters = 0;
  for (const letter of withoutTurns(text)) letters += (letter.codePointAt(0) ?? 0) > 0x2e7f ? 1.7 : 1;
  return letters * size * each;
}

/** Breaks a text into lines of about `width` pixels at most; a longer word has a line of its own. */
export function wrapped(text: string, width: number, size: number, each = 0.56): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer, size, each) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return line === '' ? lines : [...lines, line];
}
