// Reads the options `expect` and `expressions`: kinds of warnings that are meant, and the operands' names in code.

import type { Core } from '../core/core.js';
import type { PastedQuestion } from '../types/explanation.js';
import { entryOf, unknownName } from '../operands/arguments.js';
import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';

/** The kinds of warnings in `expect`, of those in `known`. @throws BroadcastError */
export function readExpected(core: Core, expect: unknown, known: readonly string[]): string[] {
  if (expect === undefined) return [];
  const length = listLength(expect);
  // More than there are would only be the same again: the list may be a proxy of any length.
  if (length === -1 || length > known.length) {
    const given = length === -1 ? show(expect) : `a list of length ${length}`;
    const message = `expect has to be a list of kinds of warnings, each of them once, as ['outer'], not ${given}.`;
    throw core.error({ code: 'attribute', detail: 'out_of_range' }, expect, message);
  }
  return Array.from({ length }, (_, i) => {
    const kind = entryOf(core, expect as unknown[], i);
    if (typeof kind === 'string' && known.includes(kind)) return kind;
    throw unknownName(core, 'warning', kind, known);
  });
}

/** What operands are called: a text for each of `count`; none where they are not given. @throws BroadcastError */
export function readExpressions(core: Core, expressions: unknown, count: number): string[] {
  if (expressions === undefined) return [];
  const refuse = (given: string) => {
    const message = `expressions has to be a list with a text for each operand, ${count} in all, not ${given}.`;
    return core.error({ code: 'attribute', detail: 'out_of_range' }, expressions, message);
  };
  const length = listLength(expressions);
  if (length !== count) throw refuse(length === -1 ? show(expressions) : `a list of length ${length}`);
  return Array.from({ length }, (_, i) => {
    const text = entryOf(core, expressions as unknown[], i);
    if (typeof text === 'string') return text;
    throw refuse(`with ${show(text)} as entry ${i}`);
  });
}

/** The fields of a pasted text's question that decide which repairs are of use; nothing without a question. */
export type UsefulFor = Pick<PastedQuestion, 'keepsRule' | 'writesToTarget' | 'writesOperand'>;

/** @throws BroadcastError */
export function readPastedQuestion(core: Core, pasted: unknown): UsefulFor | undefined {
  if (pasted === undefined || pasted === null) return undefined;
  const names = ['keepsRule', 'writesToTarget', 'writesOperand'] as const;
  const given = typeof pasted === 'object' ? names.map((name) => (pasted as Partial<UsefulFor>)[name]) : [];
  if (!names.every((_, i) => typeof given[i] === 'boolean')) {
    const message = `pasted has to be the question of readPasted, not ${show(pasted)}.`;
    throw core.error({ code: 'attribute', detail: 'out_of_range' }, pasted, message);
  }
  const [keepsRule, writesToTarget, writesOperand] = given as boolean[];
  return { keepsRule, writesToTarget, writesOperand } as UsefulFor;
}

/** A text that a caller gives; other values are read as texts. @throws BroadcastError */
export function readText(core: Core, text: unknown): string {
  try {
    return String(text);
  } catch (cause) {
    const message = `A text is needed, and ${show(text)} was given that cannot be made one.`;
    throw core.error({ code: 'parse' }, text, message, { cause });
  }
}
