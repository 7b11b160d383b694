// Pieces of the cloth as images, a pixel a cell (or one of several): made when they come into sight, a few each frame, and
// kept while they may be seen again. Moving about draws images; it computes nothing that was computed before.

import type { Shown } from '../values/elements';
import type { Cloth } from '../model/model';
import type { Patch, Run } from '../values/weave';
import { colouring, onScale, type Palette, type Range, rangeOf } from './colours';

/** Cells of a swatch each way. */
export const side = 128;
/** 64 KiB each, and less for operands that repeat. */
const mostKept = 150;
/** Values looked at each way to find the ends of the scale. */
const probes = 48;

export interface Swatch {
  readonly result: HTMLCanvasElement;
  /** Of each operand what feeds it; one cell wide or high where it repeats. */
  readonly operands: readonly HTMLCanvasElement[];
}

export interface Palettes {
  readonly result: Palette;
  readonly operands: readonly Palette[];
}

/** Where a swatch lies: how many cells its pixels are apart, and which it is of those along each axis. */
export interface Spot {
  readonly rowStep: number;
  readonly columnStep: number;
  readonly row: number;
  readonly column: number;
}

export interface Ranges {
  readonly result: Range;
  readonly operands: readonly Range[];
}

export interface Swatches {
  readonly ranges: Ranges;
  /** The whole, coarsely. */
  readonly overview: HTMLCanvasElement;
  /** The swatch if it was made before. */
  known(spot: Spot): Swatch | null;
  make(spot: Spot): Swatch;
}

/** The box of the result on the slice in hand. */
export const boxOf = (cloth: Cloth, rows: Run, columns: Run): readonly Run[] =>
  cloth.at.map((i, axis) => (axis === cloth.rows ? rows : axis === cloth.columns ? columns : { begin: i, end: i + 1 }));

const extentOf = (cloth: Cloth, axis: number | null): number => (axis === null ? 1 : (cloth.shape[axis] ?? 1));

const lengthOf = ({ begin, end, step = 1 }: Run): number => Math.ceil((end - begin) / step);

/** An image of a patch: as wide and high as it has elements along the axes drawn. */
function image(patch: Patch, width: number, height: number, colour: (value: number) => number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pixels = new ImageData(width, height);
  const words = new Uint32Array(pixels.data.buffer);
  for (let i = 0; i < words.length; ++i) words[i] = colour(onScale(patch.read(i)));
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}

/** Rows and columns of an array change places in a patch where the result's columns come before its rows. */
function upright(patch: Patch, width: number, height: number, swapped: boolean): Patch {
  if (!swapped) return patch;
  const read = (at: number): Shown => patch.read((at % width) * height + Math.floor(at / width));
  return { ...patch, read };
}

/** `ways` says along which axes an operand goes with the result, as the alignment has it. */
export function swatches(
  cloth: Cloth,
  ways: readonly { readonly byRow: boolean; readonly byColumn: boolean; readonly swapped: boolean }[],
  palettes: Palettes,
): Swatches {
  const rows = extentOf(cloth, cloth.rows);
  const columns = extentOf(cloth, cloth.columns);
  const swapped = cloth.rows !== null && cloth.columns !== null && cloth.columns < cloth.rows;

  const every = (all: number): Run => ({ begin: 0, end: all, step: Math.ceil(all / probes) });
  const probed = [
    cloth.cells(boxOf(cloth, every(rows), every(columns))),
    // The ends, where what counts has its extremes.
    ...[0, rows - 1].flatMap((row) =>
      [0, columns - 1].map((column) =>
        cloth.cells(boxOf(cloth, { begin: row, end: row + 1 }, { begin: column, end: column + 1 })),
      ),
    ),
  ];
  function* valuesOf(pick: (cells: (typeof probed)[number]) => Patch | undefined): Iterable<number> {
    for (const cells of probed) {
      const patch = pick(cells);
      if (!patch) continue;
      const elements = patch.box.reduce((product, run) => product * lengthOf(run), 1);
      for (let i = 0; i < elements; ++i) yield onScale(patch.read(i));
    }
  }
  const ranges: Ranges = {
    result: rangeOf(valuesOf(({ outputs }) => outputs[cloth.output])),
    operands: cloth.operands.map((_, k) => rangeOf(valuesOf(({ operands }) => operands[k]))),
  };
  const colour = colouring(ranges.result, palettes.result);
  const colours = ranges.operands.map((range, k) => colouring(range, palettes.operands[k] ?? palettes.result));

  function weave(box: { readonly rows: Run; readonly columns: Run }): Swatch {
    const cells = cloth.cells(boxOf(cloth, box.rows, box.columns));
    const [width, height] = [lengthOf(box.columns), lengthOf(box.rows)];
    const output = cells.outputs[cloth.output];
    if (!output) throw new RangeError('There is no such result.');
    return {
      result: image(upright(output, width, height, swapped), width, height, colour),
      operands: cells.operands.map((patch, k) => {
        const way = ways[k] ?? { byRow: false, byColumn: false, swapped: false };
        const [across, down] = [way.byColumn ? width : 1, way.byRow ? height : 1];
        return image(upright(patch, across, down, way.swapped), across, down, colours[k] ?? colour);
      }),
    };
  }

  const kept = new Map<string, Swatch>();
  const keyOf = ({ rowStep, columnStep, row, column }: Spot): string => `${rowStep} ${columnStep} ${row} ${column}`;
  const runOf = (all: number, step: number, number: number): Run => ({
    begin: number * side * step,
    end: Math.min(all, (number + 1) * side * step),
    step,
  });
  return {
    ranges,
    overview: weave({ rows: every(rows), columns: every(columns) }).result,
    known(spot) {
      const key = keyOf(spot);
      const swatch = kept.get(key);
      if (!swatch) return null;
      // The last one used is the last one dropped.
      kept.delete(key);
      kept.set(key, swatch);
      return swatch;
    },
    make(spot) {
      const swatch = weave({
        rows: runOf(rows, spot.rowStep, spot.row),
        columns: runOf(columns, spot.columnStep, spot.column),
      });
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(keyOf(spot), swatch);
      return swatch;
    },
  };
}
