// Reads shapes that are more than numbers: names of axes, unknown extents, ranges, shapes of unknown rank. Loaded with what
// explains, which reads them.

import type { Broadloom, Extent, ExtentInText, ShapeInText } from 'broadloom';
import type { Failure, Outcome, ReadBeyond, Span } from './records';

/**
 * A number with small letters behind it, 3q, is refused as a slip of the finger, which a name of an extent would hide; 2N is
 * an expression. Returns both parts, or null.
 */
const slipIn = (extent: ExtentInText): RegExpExecArray | null =>
  typeof extent === 'object' ? /^(\d+)(\p{Ll}+)$/u.exec(extent.name ?? '') : null;

/** Where the extents of a shape are in a text, of which it begins at `begin`; none where that is not plain to see. */
export function spansIn(text: string, begin: number, extents: number): readonly Span[] {
  const [, head = '', inner = ''] = /^([^([{,]*[([{]\s*)?(.*?)[\s,;)\]}]*$/s.exec(text) ?? [];
  const spans: Span[] = [];
  let at = begin + head.length;
  for (const token of inner.split(',')) {
    const blanks = token.length - token.trimStart().length;
    spans.push({ begin: at + blanks, end: at + blanks + token.trim().length });
    at += token.length + 1;
  }
  return spans.length === extents ? spans : [];
}

/** Makes the reader: `attempt` turns errors into values, `narrowed` extents into numbers where they are exact. */
export function beyond(
  bl: Broadloom,
  attempt: <T>(work: () => T) => Outcome<T>,
  narrowed: (values: readonly Extent[]) => readonly Extent[],
): ReadBeyond {
  const readOne = (text: string): Outcome<ShapeInText | undefined> =>
    attempt(() => {
      // This refuses what is not one shape.
      bl.alignSymbolic('numpy', [text]);
      return bl.readShapes(text)[0];
    });
  return (text, operand, refused) => {
    let found = readOne(text);
    let enclosing = 0;
    // Without brackets, 2*N is a shape of two axes.
    if (!found.ok && found.failure.class === 'parse' && !/[()[\]{}]/.test(text)) {
      const enclosed = readOne(`(${text})`);
      if (enclosed.ok) [found, enclosing] = [enclosed, 1];
    }
    const name = bl.formatOperand(operand).replace(/^t/, 'T');
    if (!found.ok) {
      const { failure } = found;
      if (failure.class === 'parse' && failure.span === null) return refused;
      // It was read as operand A.
      return {
        ok: false,
        failure: { ...failure, operand, message: failure.message.replace(/^A(?=[,:])/, () => name) },
      };
    }
    const shape = found.value;
    if (!shape) return refused;
    const { extents } = shape;
    const [slip, number, letters] = (extents ?? []).map(slipIn).find((parts) => parts !== null) ?? [];
    if (slip !== undefined && !refused.ok) {
      const message = `${slip} is no extent. Write ${number}, or ${number}*${letters} for a multiple of an unknown ${letters}.`;
      return { ok: false, failure: { ...refused.failure, message } };
    }
    const typed = shape.elementType === null ? {} : { typed: { text: shape.elementType, dtype: shape.dtype } };
    const names = shape.names?.some((each) => each !== null) ? shape.names : null;
    const spans = spansIn(shape.text, (shape.span?.begin ?? 0) - enclosing, extents?.length ?? 0);
    if (extents?.every((extent) => typeof extent !== 'object'))
      return { ok: true, value: { values: narrowed(extents), spans, ...(names ? { names } : {}), ...typed } };
    const failure: Failure = {
      class: 'extent',
      detail: '',
      message: `${name} has unknown extents.`,
      operand,
      operandAxis: null,
      span: null,
      unknown: { extents, names, spans, text: enclosing ? `(${text})` : text, ...typed },
    };
    return { ok: false, failure };
  };
}
