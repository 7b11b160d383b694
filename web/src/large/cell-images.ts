// Blocks of the result as images with a pixel for each cell, or for one cell of several. An image is made when it comes into
// sight, a few in each frame, and kept while it may be seen again. Panning draws images and computes nothing anew.

import type { Shown } from '../values/elements';
import type { DrawnResult } from '../model/model';
import type { ElementBox, AxisRange } from '../values/computed-result';
import { colouring, onScale, type PixelPalette, type ValueRange, rangeOf } from './colours';

/** The width and height of an image, in pixels. */
export const side = 128;
/** The number of images that are kept: 64 KiB each, less for operands that repeat. */
const mostKept = 150;
/** The number of rows and columns whose values are read to find the ends of a colour scale: of the slice, of what is in sight. */
const probes = { whole: 48, inSight: 16 };

export interface CellImage {
  readonly result: HTMLCanvasElement;
  /** The elements of each operand that feed it; one pixel wide or high where the operand repeats. */
  readonly operands: readonly HTMLCanvasElement[];
}

export interface Palettes {
  readonly result: PixelPalette;
  readonly operands: readonly PixelPalette[];
}

/** Where an image lies: how many cells its pixels are apart, and its number along each axis. */
export interface ImagePlace {
  readonly rowStep: number;
  readonly columnStep: number;
  readonly row: number;
  readonly column: number;
}

export interface Ranges {
  readonly result: ValueRange;
  readonly operands: readonly ValueRange[];
}

/** The slice in hand, before it is known which part of it is seen. */
export interface Slice {
  /** Of all its values. */
  readonly ranges: Ranges;
  /** The whole slice in one image. */
  readonly overview: HTMLCanvasElement;
  /** Of the values in some rows and columns. */
  rangesIn(rows: AxisRange, columns: AxisRange): Ranges;
  /** Its images on a scale of colours. */
  coloured(ranges: Ranges): CellImages;
}

export interface CellImages {
  readonly ranges: Ranges;
  /** The image, if it is kept. */
  known(place: ImagePlace): CellImage | null;
  make(place: ImagePlace): CellImage;
}

/** The box of the result on the slice in hand. */
export const boxOf = (result: DrawnResult, rows: AxisRange, columns: AxisRange): readonly AxisRange[] =>
  result.at.map((i, axis) =>
    axis === result.rows ? rows : axis === result.columns ? columns : { begin: i, end: i + 1 },
  );

const extentOf = (result: DrawnResult, axis: number | null): number => (axis === null ? 1 : (result.shape[axis] ?? 1));

const lengthOf = ({ begin, end, step = 1 }: AxisRange): number => Math.ceil((end - begin) / step);

/** Draws elements as an image with a pixel for each. */
function imageOf(
  elements: ElementBox,
  width: number,
  height: number,
  colour: (value: number) => number,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const pixels = new ImageData(width, height);
  const words = new Uint32Array(pixels.data.buffer);
  for (let i = 0; i < words.length; ++i) words[i] = colour(onScale(elements.read(i)));
  canvas.getContext('2d')?.putImageData(pixels, 0, 0);
  return canvas;
}

/** Transposes the elements where the result's columns come before its rows. */
function upright(elements: ElementBox, width: number, height: number, swapped: boolean): ElementBox {
  if (!swapped) return elements;
  const read = (at: number): Shown => elements.read((at % width) * height + Math.floor(at / width));
  return { ...elements, read };
}

/** The slice in hand. `ways` says along which of the drawn axes each operand has elements of its own. */
export function sliceOf(
  result: DrawnResult,
  ways: readonly { readonly byRow: boolean; readonly byColumn: boolean; readonly swapped: boolean }[],
  palettes: Palettes,
): Slice {
  const rows = extentOf(result, result.rows);
  const columns = extentOf(result, result.columns);
  const swapped = result.rows !== null && result.columns !== null && result.columns < result.rows;

  const some = ({ begin, end }: AxisRange, most: number): AxisRange => ({
    begin,
    end,
    step: Math.max(1, Math.ceil((end - begin) / most)),
  });
  const whole = { rows: { begin: 0, end: rows }, columns: { begin: 0, end: columns } };

  function rangesIn(down: AxisRange, across: AxisRange, most: number): Ranges {
    const probed = [
      result.cells(boxOf(result, some(down, most), some(across, most)), true),
      // The corners, where counting values have their extremes.
      ...[down.begin, down.end - 1].flatMap((row) =>
        [across.begin, across.end - 1].map((column) =>
          result.cells(boxOf(result, { begin: row, end: row + 1 }, { begin: column, end: column + 1 }), true),
        ),
      ),
    ];
    function* valuesOf(pick: (cells: (typeof probed)[number]) => ElementBox | undefined): Iterable<number> {
      for (const cells of probed) {
        const elements = pick(cells);
        if (!elements) continue;
        // False and true have one colour each, whether both are there or not.
        if (elements.tensor.dtype === 'bool') yield* [0, 1];
        const count = elements.box.reduce((product, range) => product * lengthOf(range), 1);
        for (let i = 0; i < count; ++i) yield onScale(elements.read(i));
      }
    }
    return {
      result: rangeOf(valuesOf(({ outputs }) => outputs[result.output])),
      operands: result.operands.map((_, k) => rangeOf(valuesOf(({ operands }) => operands[k]))),
    };
  }

  /** `peeks`: of values that are read piece by piece, draws what is there. */
  function drawing(ranges: Ranges, peeks = false): Draw {
    const colour = colouring(ranges.result, palettes.result);
    const colours = ranges.operands.map((range, k) => colouring(range, palettes.operands[k] ?? palettes.result));
    return (box) => {
      const cells = result.cells(boxOf(result, box.rows, box.columns), peeks);
      const [width, height] = [lengthOf(box.columns), lengthOf(box.rows)];
      const output = cells.outputs[result.output];
      if (!output) throw new RangeError('There is no such result.');
      return {
        result: imageOf(upright(output, width, height, swapped), width, height, colour),
        operands: cells.operands.map((elements, k) => {
          const way = ways[k] ?? { byRow: false, byColumn: false, swapped: false };
          const [across, down] = [way.byColumn ? width : 1, way.byRow ? height : 1];
          return imageOf(upright(elements, across, down, way.swapped), across, down, colours[k] ?? colour);
        }),
      };
    };
  }

  const ranges = rangesIn(whole.rows, whole.columns, probes.whole);
  return {
    ranges,
    overview: drawing(
      ranges,
      true,
    )({
      rows: some(whole.rows, probes.whole),
      columns: some(whole.columns, probes.whole),
    }).result,
    rangesIn: (down, across) => rangesIn(down, across, probes.inSight),
    coloured: (own) => keeping(own, drawing(own), rows, columns),
  };
}

type Draw = (box: { readonly rows: AxisRange; readonly columns: AxisRange }) => CellImage;

/** Images on one scale, made by `draw`, of so many rows and columns. */
function keeping(ranges: Ranges, draw: Draw, rows: number, columns: number): CellImages {
  const kept = new Map<string, CellImage>();
  const keyOf = ({ rowStep, columnStep, row, column }: ImagePlace): string =>
    `${rowStep} ${columnStep} ${row} ${column}`;
  const rangeOfPlace = (all: number, step: number, number: number): AxisRange => ({
    begin: number * side * step,
    end: Math.min(all, (number + 1) * side * step),
    step,
  });
  return {
    ranges,
    known(place) {
      const key = keyOf(place);
      const image = kept.get(key);
      if (!image) return null;
      // The image used last is dropped last.
      kept.delete(key);
      kept.set(key, image);
      return image;
    },
    make(place) {
      const image = draw({
        rows: rangeOfPlace(rows, place.rowStep, place.row),
        columns: rangeOfPlace(columns, place.columnStep, place.column),
      });
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(keyOf(place), image);
      return image;
    },
  };
}
