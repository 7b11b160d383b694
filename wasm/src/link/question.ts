// The part of the playground's links that says which question is asked. The page writes its address with these functions.
//
//   v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)
//
// and, where operands are more than shapes, lists in their order:
//   n=mask,scores          names
//   t=,i32                 element types of their own
//   x=random:7&x=&x=list:[[1,2],[3,4]]   values; nothing is counting
//   byname=1               axes are matched by name: in=row=2,column=N&in=column=3
// Links are kept for ever: a field keeps its meaning while the version is 1.

import { faultOf } from '../types/errors.js';
import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';

/** An operand of a question, as texts. */
export interface LinkedOperand {
  /** As a reader would type it: `(4, 1)`. */
  readonly shape: string;
  /** Without one it is A, B, ... */
  readonly name?: string | undefined;
  /** Its own element type, where that is not the question's. */
  readonly dtype?: string | undefined;
  /** Where its elements come from, as `random:7` or `list:[1,2]`; without it they count up. */
  readonly values?: string | undefined;
}

/** A question of the playground. The texts are what its fields show; an empty text is a field that is not given. */
export interface LinkedQuestion {
  /** The rule's name: `numpy`. */
  readonly rule: string;
  /** The operator's name: `Add`. */
  readonly op: string;
  /** The element type of all operands that have none of their own: `f32`. */
  readonly dtype: string;
  readonly operands: readonly LinkedOperand[];
  /** How operands of unlike types are promoted: `numpy2`. */
  readonly promote?: string | undefined;
  /** Options of the rule. */
  readonly axis?: string | undefined;
  readonly target?: string | undefined;
  readonly mapping?: string | undefined;
  /** `1`: axes are matched by name, as xarray does, in place of the rule. */
  readonly byName?: string | undefined;
  /** Attributes of the operator. */
  readonly fmod?: string | undefined;
  readonly direction?: string | undefined;
  readonly to?: string | undefined;
  readonly saturate?: string | undefined;
}

// What the page takes; a link beyond these limits would open with an error.
/** Operands of a question. */
export const MOST_OPERANDS = 64;
/** Axes of all operands and the target together. */
export const MOST_AXES = 2048;
/** Letters of a field. */
export const LONGEST_TEXT = 20_000;

const OPTIONS = ['promote', 'axis', 'target', 'mapping', 'fmod', 'direction', 'to', 'saturate'] as const;

const OF_OPERANDS = ['name', 'dtype', 'values'] as const;

const escapes = /[%&#+\u0000-\u001f\u007f-\u{10ffff}]/gu;
/** Lone surrogates, which a link cannot hold. */
const halves = /\p{Surrogate}/gu;

/** A text as a value in a link. Letters that an address may hold stay readable; a space is `+`. */
export function escapeText(text: string): string {
  if (typeof text !== 'string') refuse(`escapeText takes a text, not ${show(text)}.`);
  return text
    .replace(halves, '\ufffd')
    .replace(escapes, (letter) => encodeURIComponent(letter))
    .replace(/ /g, '+');
}

/** The fields of a question, as `key=value`, in their order. */
export function questionFields(question: LinkedQuestion): string[] {
  checkQuestion(question);
  const { rule, op, dtype, operands } = question;
  const fields = ['v=1', `rule=${escapeText(rule)}`, `op=${escapeText(op)}`, `type=${escapeText(dtype)}`];
  for (const { shape } of operands) fields.push(`in=${escapeText(shape)}`);
  const names = upToLast(operands.map(({ name }) => listItem(name)));
  const types = upToLast(operands.map((operand) => listItem(operand.dtype)));
  if (names.length > 0) fields.push(`n=${names.join(',')}`);
  if (types.length > 0) fields.push(`t=${types.join(',')}`);
  for (const text of upToLast(operands.map(({ values }) => values ?? ''))) fields.push(`x=${escapeText(text)}`);
  for (const key of OPTIONS) if (question[key]) fields.push(`${key}=${escapeText(question[key])}`);
  if (question.byName) fields.push('byname=1');
  return fields;
}

function refuse(reason: string): never {
  throw faultOf('link', reason, {});
}

/** Checks that a question has texts. Texts that may be left out may be empty, too. */
function checkQuestion(question: unknown): void {
  checkTexts(question, 'A question', ['rule', 'op', 'dtype'], OPTIONS);
  const { operands } = question as LinkedQuestion;
  const count = listLength(operands);
  if (count === -1) refuse(`The operands of a question are a list, not ${show(operands)}.`);
  if (count > MOST_OPERANDS) refuse(`The playground shows at most ${MOST_OPERANDS} operands, and there are ${count}.`);
  for (let i = 0; i < count; ++i) checkTexts(operands[i], `Operand ${i} of a question`, ['shape'], OF_OPERANDS);
}

function checkTexts(given: unknown, title: string, needed: readonly string[], others: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    refuse(`${title} is an object with ${needed.join(', ')}, not ${show(given)}.`);
  }
  const values = given as { readonly [name: string]: unknown };
  for (const name of [...needed, ...others]) {
    const value = values[name];
    if (typeof value === 'string' || (!needed.includes(name) && (value === undefined || value === null))) continue;
    refuse(`${title} has to have a text as its ${name}, not ${show(value)}.`);
  }
}

const listItem = (text = ''): string => escapeText(text).replaceAll(',', '%2C');

/** The texts without empty ones at the end. */
function upToLast(texts: readonly string[]): readonly string[] {
  let last = texts.length;
  while (last > 0 && texts[last - 1] === '') --last;
  return texts.slice(0, last);
}
