// What is said of a cell: its arithmetic, and what it feeds. Words for the page, for pictures and for texts.

import { firstText } from '../values/element-text';
import { countText, indexText } from '../text/format';
import type { Cloth, Model } from './model';
import { spell } from '../text/notation';

/** Of an operand, or between operands. */
export type Term = string | { readonly operand: number; readonly text: string };

/** `out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31`, in its parts. */
export interface Spelled {
  /** `out[1, 2]`, or `out of B[1, 2]` where there are several results. */
  readonly cell: string;
  readonly sources: readonly Term[];
  /** Null where they are the value itself. */
  readonly values: readonly Term[] | null;
  readonly value: string;
}

/** The cell at an index; `sources` are the elements that feed it. */
export function spelledCell(
  model: Model,
  cloth: Cloth,
  index: readonly number[],
  sources: readonly (readonly number[] | null)[],
): Spelled {
  const { op, state, operands } = model;
  const { outputs, operands: fed } = cloth.cells(index.map((begin) => ({ begin, end: begin + 1 })));
  const nameOf = (operand: number): string => operands[operand]?.name ?? '';
  const several = cloth.outputs.length > 1;
  const pieces = several ? [cloth.output] : spell(op?.notation ?? 'a', cloth.operands.length);
  const written = (text: (operand: number) => string): readonly Term[] =>
    pieces.map((piece) =>
      typeof piece === 'number'
        ? { operand: piece, text: text(piece) }
        : piece.replace('shift', `shift ${state.direction}`).replace('cast', state.to),
    );
  return {
    cell: `out${several ? ` of ${nameOf(cloth.output)}` : ''}${indexText(index)}`,
    sources: written((operand) => `${nameOf(operand)}${indexText(sources[operand] ?? [])}`),
    values: pieces.length > 1 ? written((operand) => firstText(fed[operand])) : null,
    value: firstText(outputs[cloth.output]),
  };
}

/** `feeds one cell`, `feeds 10,000 cells` */
export const feedsText = (cells: bigint | number): string =>
  `feeds ${BigInt(cells) === 1n ? 'one cell' : `${countText(cells)} cells`}`;
