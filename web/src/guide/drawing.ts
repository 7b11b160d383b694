// Where the cells of an example lie in its picture, and the picture in words. Pure: all of it follows from the alignment.

import type { AlignedAxis, Alignment } from '../engine/engine';
import { cellText, extentText, repeatOf, resultText } from '../model/drawn-axes';
import type { Model } from '../model/model';
import type { RepeatedOperand } from '../model/repeat-lines';
import { shapeText } from '../text/format';
import type { Look } from './steps';

/** An example and the core's answer to it. */
export interface Answered {
  readonly model: Model;
  readonly alignment: Alignment;
}

/** Whether an axis of the result is compared already. */
export const isCompared = ({ axes }: Alignment, { axis }: AlignedAxis, { compared }: Look): boolean =>
  axis >= axes.length - compared;

/** Where an operand's cells lie: on those of the result, or beside them, since it is shorter along an axis. */
export type Side = 'on' | 'left' | 'above';

export interface OperandCells {
  readonly operand: number;
  readonly name: string;
  readonly side: Side;
  /** The room of its cells; where its extent clashes, that of the result. */
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly OperandCell[];
}

export interface OperandCell {
  readonly row: number;
  readonly column: number;
  /** The element's index in its array. */
  readonly index: readonly number[];
  /** Null where the operand has no cell for one of another operand: extents clash. */
  readonly text: string | null;
}

/** The cells of all operands; the result has as many rows and columns as the longest of them. */
export interface CellsDrawing {
  readonly rows: number;
  readonly columns: number;
  readonly operands: readonly OperandCells[];
  /** The operands that are repeated along an axis that is compared; none where shapes clash. */
  readonly repeated: readonly RepeatedOperand[];
}

/** The last two axes; null where the result has fewer. */
export function rowsAndColumns({ axes }: Alignment): readonly [AlignedAxis | null, AlignedAxis | null] {
  return [axes.at(-2) ?? null, axes.at(-1) ?? null];
}

/** For examples of up to two axes. */
export function cellsOf({ model, alignment }: Answered, look: Look): CellsDrawing {
  const [down, across] = rowsAndColumns(alignment);
  const extents = (axis: AlignedAxis | null): readonly number[] =>
    model.operands.map((_, i) => Number(axis?.cells[i]?.extent ?? 1));
  const [rowsOf, columnsOf] = [extents(down), extents(across)];
  const [rows, columns] = [Math.max(1, ...rowsOf), Math.max(1, ...columnsOf)];
  const fits = alignment.failure === null;
  const repeats = (axis: AlignedAxis | null, operand: number): boolean => {
    const cell = axis?.cells[operand];
    return (
      fits && axis !== null && cell !== undefined && isCompared(alignment, axis, look) && repeatOf(cell, axis) !== null
    );
  };
  const ownIndex = (operand: number, row: number, column: number): readonly number[] => {
    const index: number[] = [];
    const [ownRow, ownColumn] = [down?.cells[operand]?.sourceAxis, across?.cells[operand]?.sourceAxis];
    if (typeof ownRow === 'number') index[ownRow] = row;
    if (typeof ownColumn === 'number') index[ownColumn] = column;
    return index;
  };
  const clashes = (axis: AlignedAxis | null): boolean => axis?.conflict === true && isCompared(alignment, axis, look);
  return {
    rows,
    columns,
    operands: model.operands.map(({ name, given }, operand) => {
      const [ownRows, ownColumns] = [rowsOf[operand] ?? 1, columnsOf[operand] ?? 1];
      const [roomRows, roomColumns] = [clashes(down) ? rows : ownRows, clashes(across) ? columns : ownColumns];
      return {
        operand,
        name,
        side: ownRows === rows && ownColumns === columns ? 'on' : ownRows === 1 ? 'above' : 'left',
        rows: roomRows,
        columns: roomColumns,
        cells: Array.from({ length: roomRows * roomColumns }, (_, i) => {
          const [row, column] = [Math.floor(i / roomColumns), i % roomColumns];
          const has = row < ownRows && column < ownColumns;
          return {
            row,
            column,
            index: ownIndex(operand, row, column),
            text: has ? String(given?.source(row * ownColumns + column) ?? '') : null,
          };
        }),
      };
    }),
    repeated: model.operands.map((_, operand) => ({
      operand,
      across: repeats(across, operand),
      down: repeats(down, operand),
    })),
  };
}

/** The picture in words: what is drawn of it so far. */
export function pictureText({ model, alignment }: Answered, look: Look): string {
  const { operands, rule } = model;
  const said = operands.map(({ name, values }) => `${name} is ${shapeText(values ?? [])}.`);
  if (look.aligned) {
    for (const axis of alignment.axes) {
      const isKnown = isCompared(alignment, axis, look);
      const has = axis.cells.map((cell, i) => {
        const lacks = look.counted ? 'no such axis, counts as 1' : 'no such axis';
        return `${operands[i]?.name} ${isKnown ? cellText(cell, axis, rule) : extentText(cell) || lacks}`;
      });
      said.push(`Axis ${axis.axis}: ${has.join('; ')}.`);
    }
  }
  if (look.answered)
    said.push(
      alignment.failure
        ? `Result: none. Its axes: ${alignment.axes.map((axis) => resultText(axis, alignment.failure)).join(', ')}.`
        : `Result: ${shapeText(alignment.output)}.`,
    );
  return said.join(' ');
}
