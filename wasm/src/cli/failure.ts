/** Why the command cannot answer. It is printed on stderr, with exit status 2. The message is one line. */
export class Failure extends Error {
  override readonly name = 'Failure';
  /** The text that was typed, and the part of it that is wrong. */
  readonly mark: Mark | undefined;

  constructor(message: string, mark?: Mark) {
    super(message);
    this.mark = mark;
  }
}

/** A part of a text: from `begin` to before `end`, as `String.prototype.slice` takes them. */
export interface Mark {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
}

const MOST_MARKED = 72;

/** A failure as lines for stderr: the message and, below it, the text with the wrong part marked. */
export function formatFailure({ message, mark }: Failure): string[] {
  const told = `broadloom: ${printable(message)}`;
  if (mark === undefined || mark.text === '') return [told];
  // A long text is cut to a window that begins a little before the mark.
  const from = mark.text.length <= MOST_MARKED ? 0 : Math.max(0, mark.begin - MOST_MARKED / 2);
  const to = from + MOST_MARKED;
  const shown = `${from > 0 ? '...' : ''}${mark.text.slice(from, to)}${mark.text.length > to ? '...' : ''}`;
  const indent = mark.begin - from + (from > 0 ? 3 : 0);
  const carets = Math.max(1, Math.min(mark.end, to) - mark.begin);
  return [told, `  ${printable(shown)}`, `  ${' '.repeat(indent)}${'^'.repeat(carets)}`];
}

/** The text with each control character replaced by `?`, so that it cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}
