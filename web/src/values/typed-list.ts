// Reads values that were typed or pasted: nested lists of Python, JavaScript and C++, arrays as NumPy and PyTorch print them,
// and numbers separated by spaces and line breaks. Converting them to an element type is done elsewhere.

import type { Value } from './elements';
import type { Span } from '../engine/engine';

/** The values in their order, the span of each in the text, and the shape. */
export interface TypedList {
  readonly values: readonly Value[];
  readonly spans: readonly Span[];
  readonly shape: readonly number[];
  /** Whether brackets or lines give the shape; else it is a flat list of values. */
  readonly nested: boolean;
}

export type ReadList =
  | { readonly ok: true; readonly list: TypedList }
  | { readonly ok: false; readonly message: string; readonly span: Span };

/** Thrown while reading, with the span at fault. */
class Unreadable extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
  }
}

const tokens = /(?<open>[[({])|(?<close>[\])}])|(?<line>[;\n])|[,\s]|(?<word>[^\s,;[\](){}]+)/g;
const closing: ReadonlyMap<string | undefined, string> = new Map([
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
]);

// Every pattern here takes time proportional to the text: no two neighbouring parts of a pattern match the same letters.

/** The text before a list as libraries print it: `array(`, `x = torch.tensor(`. */
const before = /^\s*(?:[\w.]+\s*=\s*)?[A-Za-z][\w.]*\s*\(/;
/** The first argument after the list: `, dtype=`. */
const argument = /,\s*[A-Za-z]\w*\s*=/;

const number = /^[+-]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Longer words are refused: numbers of every element type are exact in fewer letters. */
const longestWord = 2000;
const complex = /^(?:([+-]?[\d.]+(?:[eE][+-]?\d+)?)(?=[+-]))?([+-]?[\d.]*(?:[eE][+-]?\d+)?)[ij]$/;
const words: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['nan', NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
]);

/** Reads one value: `-2`, `1e3`, `True`, `-inf`, `1+2j`; a suffix such as C++'s `f` is ignored. Null if it is no value. */
export function readValue(word: string): Value | null {
  if (word.length > longestWord) return null;
  const plain = word.replace(/^([+-]?(?:\d+\.\d*|\.\d+|\d+[eE][+-]?\d+))[fF]$/, '$1').replace(/^([+-]?\d+)n$/, '$1');
  if (number.test(plain)) {
    const digits = plain.replaceAll('_', '');
    if (!/^[+-]?\d+$/.test(digits)) return Number(digits);
    const value = Number(digits);
    return Number.isSafeInteger(value) ? value : BigInt(digits.replace(/^\+/, ''));
  }
  const sign = word.startsWith('-') ? -1 : 1;
  const known = words.get(word.replace(/^[+-]/, '').toLowerCase());
  if (known !== undefined) return typeof known === 'number' ? sign * known : known;
  const parts = complex.exec(plain);
  if (!parts) return null;
  const imaginary = /^[+-]?$/.test(parts[2] ?? '') ? Number(`${parts[2] ?? ''}1`) : Number(parts[2]);
  const pair: Value = [Number(parts[1] ?? 0), imaginary];
  return pair.some(Number.isNaN) ? null : pair;
}

/**
 * Reads a text of values.
 *
 * @example
 * readList('[[1, 2], [3, 4]]'); // values 1 2 3 4, shape [2, 2]
 * readList('1 2\n3 4'); // the same
 * readList('tensor([1., 2.], dtype=torch.float64)'); // values 1 2, shape [2]
 */
export function readList(text: string): ReadList {
  try {
    return { ok: true, list: read(text) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, message: error.message, span: error.span };
    throw error;
  }
}

/** The span of the list itself within a text. */
function listIn(text: string): Span {
  const call = before.exec(text);
  if (!call) return { begin: /^\s*[A-Za-z][\w.]*\s*=(?!=)/.exec(text)?.[0].length ?? 0, end: text.length };
  const begin = call[0].length;
  const end = endOfList(text, begin);
  if (end < begin) throw new Unreadable('This bracket is never closed.', at(begin - 1));
  return { begin, end };
}

/**
 * The end of the list that begins at `begin`, within a call: before `, dtype=float32)`, or before `)`. -1 if the call is not
 * closed.
 */
function endOfList(text: string, begin: number): number {
  let end = text.trimEnd().length;
  if (text[end - 1] === ';') end = text.slice(0, end - 1).trimEnd().length;
  if (text[--end] !== ')' || end < begin) return -1;
  // The other arguments contain no brackets.
  const last = Math.max(begin, ...['(', ')', '[', ']'].map((bracket) => text.lastIndexOf(bracket, end - 1) + 1));
  const tail = text.slice(last, end);
  const found = argument.exec(tail);
  if (found) return last + found.index;
  const listed = tail.trimEnd();
  return last + (listed.endsWith(',') ? listed.length - 1 : listed.length);
}

/** An open list: where it begins, and how many entries it has so far. */
interface OpenList {
  readonly bracket: string;
  readonly begin: number;
  entries: number;
}

function read(text: string): TypedList {
  const part = listIn(text);
  const values: Value[] = [];
  const spans: Span[] = [];
  const open: OpenList[] = [];
  /** The number of entries of the lists on each level, once one of them is closed. */
  const shape: number[] = [];
  /** The level that the values are on. */
  let depth: number | null = null;
  /** Without brackets: the number of values of each line. */
  const lines: number[] = [0];

  const enter = (isList: boolean, span: Span): void => {
    if (open.length === 0 && shape.length > 0) throw new Unreadable('The list ends before this.', span);
    if (isList ? depth !== null && open.length >= depth : depth !== null && depth !== open.length)
      throw new Unreadable('Values and lists are mixed here: all values must be nested equally deep.', span);
    if (!isList) depth = open.length;
    const level = open[open.length - 1];
    if (level) ++level.entries;
  };
  const close = (bracket: string, span: Span): void => {
    const level = open.pop();
    if (!level) throw new Unreadable('There is no list to close here.', span);
    const wants = closing.get(level.bracket);
    if (wants !== bracket) throw new Unreadable(`This list is closed by "${wants}".`, span);
    const wanted = (shape[open.length] ??= level.entries);
    if (wanted !== level.entries)
      throw new Unreadable(`This list has ${counted(level.entries)}, the ones before it ${wanted}.`, {
        begin: level.begin,
        end: span.end,
      });
  };

  for (const match of text.slice(part.begin, part.end).matchAll(tokens)) {
    const begin = part.begin + match.index;
    const span = { begin, end: begin + match[0].length };
    const { open: opened, close: closed, line, word } = match.groups ?? {};
    if (opened) {
      enter(true, span);
      open.push({ bracket: opened, begin, entries: 0 });
    } else if (closed) close(closed, span);
    else if (line && open.length === 0) lines.push(0);
    else if (word) {
      enter(false, span);
      values.push(valueOf(word, span));
      spans.push(span);
      if (open.length === 0) lines.push((lines.pop() ?? 0) + 1);
    }
  }
  const unclosed = open[open.length - 1];
  if (unclosed) throw new Unreadable('This bracket is never closed.', at(unclosed.begin));
  if (shape.length > 0) return { values, spans, shape, nested: true };
  if (values.length === 0) throw new Unreadable('There are no values yet.', at(text.length));
  return { values, spans, ...shapeOfLines(lines.filter(Boolean), spans) };
}

function valueOf(word: string, span: Span): Value {
  if (/^(\.{2,}|…)$/.test(word))
    throw new Unreadable('Values were left out here: print the whole array (np.set_printoptions).', span);
  const value = readValue(word);
  if (value === null)
    throw new Unreadable(`"${word.slice(0, 40)}" is not a value: write a number, true or false.`, span);
  return value;
}

/** Several lines of equal length are rows; one line is a list, or a scalar if it has one value. */
function shapeOfLines(lines: readonly number[], spans: readonly Span[]): Pick<TypedList, 'shape' | 'nested'> {
  const [columns = 0] = lines;
  if (lines.length <= 1) return { shape: columns === 1 ? [] : [columns], nested: false };
  let first = 0;
  for (const entries of lines) {
    if (entries !== columns)
      throw new Unreadable(`This line has ${counted(entries)}, the ones before it ${columns}.`, {
        begin: spans[first]?.begin ?? 0,
        end: spans[first + entries - 1]?.end ?? 0,
      });
    first += entries;
  }
  return { shape: [lines.length, columns], nested: true };
}

const at = (begin: number): Span => ({ begin, end: begin + 1 });
const counted = (entries: number): string => (entries === 1 ? '1 entry' : `${entries} entries`);
