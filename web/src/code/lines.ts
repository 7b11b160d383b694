// Lists and shapes in code.

import type { Extent } from '../engine/engine';

const widest = 96;

/** `a, b, c` if that is short; else lines of their own between the brackets. */
export function list(open: string, items: readonly string[], close: string): string {
  const flat = items.join(', ');
  if (flat.length <= widest - 30) return open + flat + close;
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    if (line !== '' && line.length + item.length + 2 > widest - 8) {
      lines.push(`    ${line},`);
      line = '';
    }
    line += line === '' ? item : `, ${item}`;
  }
  lines.push(`    ${line},`);
  return `${open}\n${lines.join('\n')}\n${close}`;
}

/** A shape as Python's tuple: (2, 3), (5,), (). */
export const tuple = (shape: readonly Extent[]): string => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

/** A shape as a list: [2, 3], []. */
export const brackets = (shape: readonly Extent[]): string => `[${shape.join(', ')}]`;
