// A cell in words: its arithmetic, and the cells that an element feeds. For the page, for pictures and for texts.

import { firstText } from '../values/element-text';
import { countText, indexText } from '../text/format';
import { namedIndex, resultNames } from './axis-names';
import type { DrawnResult, Model } from './model';
import { spell } from '../text/notation';

/** A text of an operand, or one between operands. */
export type Term = string | { readonly operand: number; readonly text: string };

/** `out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31`, term by term. */
export interface Spelled {
  /** `out[1, 2]`, or `out of B[1, 2]` if there are several results. */
  readonly cell: string;
  readonly sources: readonly Term[];
  /** Null if the only operand's element is the value itself. */
  readonly values: readonly Term[] | null;
  readonly value: string;
}

/** Spells out the cell at an index; `sources` are the indexes of the elements that feed it. */
export function spelledCell(
  model: Model,
  result: DrawnResult,
  index: readonly number[],
  sources: readonly (readonly number[] | null)[],
): Spelled {
  const { op, state, operands } = model;
  const { outputs, operands: fed } = result.cells(index.map((begin) => ({ begin, end: begin + 1 })));
  const nameOf = (operand: number): string => operands[operand]?.name ?? '';
  const several = result.outputs.length > 1;
  const spelling = several ? [result.output] : spell(op?.notation ?? 'a', result.operands.length);
  const written = (text: (operand: number) => string): readonly Term[] =>
    spelling.map((term) =>
      typeof term === 'number'
        ? { operand: term, text: text(term) }
        : term.replace('shift', `shift ${state.direction}`).replace('cast', state.to),
    );
  return {
    cell: `out${several ? ` of ${nameOf(result.output)}` : ''}${indexText(namedIndex(index, resultNames(model.alignment, operands)))}`,
    sources: written(
      (operand) =>
        `${nameOf(operand)}${indexText(namedIndex(sources[operand] ?? [], operands[operand]?.names ?? null))}`,
    ),
    values: spelling.length > 1 ? written((operand) => firstText(fed[operand])) : null,
    value: firstText(outputs[result.output]),
  };
}

/** `feeds one cell`, `feeds 10,000 cells` */
export const feedsText = (cells: bigint | number): string =>
  `feeds ${BigInt(cells) === 1n ? 'one cell' : `${countText(cells)} cells`}`;
