// What `explain --paste` prints of the error text.

import type { ExtentInText, Pasted, PastedShape } from '../index.js';
import { printable } from './failure.js';

/** For a text that does not hold a whole question: what was read, and what is missing. */
export function whyNotAsked(pasted: Pasted): string[] {
  const { sizes, axis, axisCounts, rule, otherRule, shapes, noBroadcast } = pasted;
  const lines = introducePaste(pasted);
  if (noBroadcast !== null) return [...lines.slice(0, -1), noBroadcast.message];
  for (const { text, expression, shape } of shapes) {
    if (shape !== null) lines.push(`${printable(expression ?? 'a shape')}: ${printable(text)}`);
  }
  const named = shapes.flatMap(({ shape, expression }) => (shape === null && expression !== null ? [expression] : []));
  if (named.length > 0)
    lines.push(`The operands are ${named.map(printable).join(' and ')}; the text has no shapes of them.`);
  if (sizes.length > 0) {
    const where = axis === null ? '' : ` on axis ${axis}${axisCounts === 'in_operand' ? ' of an operand' : ''}`;
    const only = shapes.every(({ shape }) => shape === null) ? ', and no shapes' : '';
    lines.push(`The text has the sizes ${sizes.map(extentText).join(' and ')}${where}${only}.`);
  }
  lines.push(
    rule === null && otherRule !== null && otherRule !== 'unknown'
      ? `Its rule (${otherRule.replaceAll('_', ' ')}) is none of those that are known here, so nothing is judged.`
      : 'Give the shapes of all operands, as in broadloom explain "(2, 3)" "(2,)".',
  );
  return lines;
}

const extentText = (extent: ExtentInText) => (typeof extent === 'object' ? (extent.name ?? '?') : String(extent));

/** Which system printed the text, the line that failed, and what the system does differently. */
export function introducePaste(pasted: Pasted | null): string[] {
  if (pasted === null) return [];
  const { system, systemTitle, sourceLine, notes } = pasted;
  const by =
    system === 'unknown' ? 'Shapes were found; the system is unknown.' : `An error of ${systemTitle ?? system}.`;
  const source = sourceLine === null ? [] : [`  ${printable(sourceLine)}`];
  return [by, ...source, ...whoIsWho(pasted), ...notes.map(printable), ''];
}

/** Which operand of the question is which expression. */
function whoIsWho({ question, shapes }: Pasted): string[] {
  if (question === null) return [];
  const names = question.operands.map((_, i) => String.fromCharCode('A'.charCodeAt(0) + i));
  const nameOf = (shape?: PastedShape) =>
    shape?.role === 'broadcast' ? 'what the operands make together' : shape?.expression;
  const named = [
    ...question.operands.map((index, i) => [names[i], nameOf(shapes[index])] as const),
    ...(question.target === null ? [] : [['the target', shapes[question.target]?.expression] as const]),
  ].filter(([, expression]) => typeof expression === 'string');
  if (named.length === 0) return [];
  return [`  ${named.map(([name, expression]) => `${name} is ${printable(expression as string)}`).join(', ')}.`];
}
