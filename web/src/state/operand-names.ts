// Names that the user gives to operands, in place of the letters in the core's sentences.

import type { AlignedAxis, Alignment, Engine, Failure, Outcome } from '../engine/engine';
import { type OperandSpec, withoutTurns } from './state';

export interface OperandNames {
  /** One for each operand. */
  readonly names: readonly string[];
  /** A sentence of the core with these names in it. */
  inText(text: string): string;
  inFailure(failure: Failure): Failure;
  inOutcome<T>(outcome: Outcome<T>): Outcome<T>;
  inAlignment(alignment: Alignment): Alignment;
}

/** Letters that are read from right to left. */
const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u07c0-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The marks of Unicode between which a text keeps its order to itself: FIRST STRONG ISOLATE, POP DIRECTIONAL ISOLATE. */
const [isolate, pop] = ['\u2068', '\u2069'];

/**
 * A name as it is shown, on the page and in pictures and texts: without characters that change the direction of text, and
 * isolated if it has letters of another direction, which would reorder the numbers beside it.
 */
export function shownName(name: string): string {
  const plain = withoutTurns(name).trim();
  return rightToLeft.test(plain) ? `${isolate}${plain}${pop}` : plain;
}

export function namesOf(engine: Engine, operands: readonly OperandSpec[]): OperandNames {
  const letters = operands.map((_, i) => engine.operandName(i));
  const names = operands.map(({ name }, i) => shownName(name) || (letters[i] ?? ''));
  const given = new Map(letters.map((letter, i) => [letter, names[i] ?? letter]));
  const same = names.every((name, i) => name === letters[i]);
  const inText = (text: string): string =>
    same ? text : text.replace(/`[^`]*`|\w+/g, (word) => given.get(word) ?? word);
  const inFailure = (failure: Failure): Failure => ({ ...failure, message: inText(failure.message) });
  const inAxis = (axis: AlignedAxis): AlignedAxis => ({
    axis: axis.axis,
    extent: axis.extent,
    conflict: axis.conflict,
    cells: axis.cells,
    target: axis.target,
    get why() {
      return inText(axis.why);
    },
  });
  return {
    names,
    inText,
    inFailure,
    inOutcome: (outcome) => (outcome.ok || same ? outcome : { ok: false, failure: inFailure(outcome.failure) }),
    inAlignment: (alignment) =>
      same
        ? alignment
        : {
            ...alignment,
            axes: alignment.axes.map(inAxis),
            failure: alignment.failure && inFailure(alignment.failure),
            verdict: inText(alignment.verdict),
            cause() {
              const cause = alignment.cause();
              return cause && { ...cause, text: inText(cause.text) };
            },
            repairs: (pasted) =>
              alignment.repairs(pasted).map((repair) => ({ ...repair, meaning: inText(repair.meaning) })),
            warnings: () => alignment.warnings().map((warning) => ({ ...warning, message: inText(warning.message) })),
          },
  };
}
