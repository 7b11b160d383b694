// Values of a result, window by window: of each operand the part that feeds a window is made, and the core computes with
// these small arrays alone. Which part that is, is read off the alignment; nothing here knows how shapes broadcast.

import { emptyArray, readerOf, type Shown, writerOf } from './elements';
import type {
  AlignedCell,
  Alignment,
  Attributes,
  DTypeEntry,
  Engine,
  Extent,
  IndexRange,
  Outcome,
  RuleOptions,
  Tensor,
} from '../engine/engine';
import type { Source } from './sources';

/** Indexes along an axis: all from `begin` to `end`, or every `step`-th of them. */
export interface Run extends IndexRange {
  readonly step?: number;
}

/** How many indexes those are. */
const lengthOf = ({ begin, end, step = 1 }: Run): number => Math.ceil((end - begin) / step);

/** A box of an array: where it lies, and its elements. */
export interface Patch {
  /** Along each axis of the whole array. */
  readonly box: readonly Run[];
  readonly tensor: Tensor;
  /** Element number `at` of the box, row-major. */
  read(at: number): Shown;
  /** The element at an index of the whole array, which has to lie in the box. */
  valueAt(index: readonly number[]): Shown;
}

/** A window of the results, and of each operand what feeds it. */
export interface Cells {
  readonly operands: readonly Patch[];
  readonly outputs: readonly Patch[];
}

export interface Woven {
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** A result that is computed where it is looked at. */
export interface Weave {
  /** Of the result, or of each result. */
  readonly shape: readonly number[];
  readonly operands: readonly Woven[];
  readonly outputs: readonly Woven[];
  /**
   * The cells of a box of the result: what it takes along each axis. Cost goes with the cells, not with the arrays;
   * the boxes asked for last are kept.
   *
   * @throws RangeError where the core refuses the box, as one too large for its memory.
   * @example
   * const { outputs } = weave.cells([{ begin: 1e9, end: 1e9 + 32 }, { begin: 0, end: 64 }]);
   * outputs[0].read(0); // the cell [1000000000, 0]
   */
  cells(box: readonly Run[]): Cells;
}

export interface WeaveQuestion {
  readonly op: string;
  readonly rule: string;
  readonly options: RuleOptions;
  readonly attributes: Attributes;
  readonly promote: string;
  readonly alignment: Alignment;
  /** Whole numbers that are held exactly, and so are the numbers of elements. */
  readonly operands: readonly {
    readonly shape: readonly number[];
    readonly type: DTypeEntry;
    readonly source: Source;
  }[];
}

/** So many windows are kept: the one in view, and those of cells that are pointed at. */
const mostKept = 12;

/** What the core says to the question, tried on the least window there is. */
export function weave(engine: Engine, question: WeaveQuestion): Outcome<Weave> {
  const { alignment, operands, options } = question;
  const shape = alignment.output.map(Number);

  function compute(box: readonly Run[]): Outcome<Cells> {
    const patches = operands.map(({ shape: whole, type, source }, i) => {
      const parts = partOf(alignment, i, whole.length, box);
      return patch(type, parts, makeElements(type, source, whole, parts));
    });
    const extents = box.map(lengthOf);
    const { targetShape } = options;
    const windowed = targetShape && targetPart(alignment, targetShape, extents);
    const applied = engine.apply(
      question.op,
      patches.map(({ tensor }) => tensor),
      question.rule,
      { ...options, ...(windowed ? { targetShape: windowed } : {}) },
      question.attributes,
      question.promote,
    );
    if (!applied.ok) return applied;
    const outputs = applied.value.map((tensor) => patch(engine.typeNamed(tensor.dtype), box, tensor));
    return { ok: true, value: { operands: patches, outputs } };
  }

  const kept = new Map<string, Cells>();
  function cells(box: readonly Run[]): Cells {
    const key = box.map(({ begin, end, step }) => [begin, end, step].join(':')).join();
    const known = kept.get(key);
    if (known) return known;
    const computed = compute(box);
    if (!computed.ok) throw new RangeError(computed.failure.message);
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
    kept.set(key, computed.value);
    return computed.value;
  }

  const first = compute(shape.map((extent) => ({ begin: 0, end: Math.min(1, extent) })));
  if (!first.ok) return first;
  return {
    ok: true,
    value: {
      shape,
      operands: operands.map(({ shape: whole, type }) => ({ shape: whole, dtype: type.name })),
      outputs: first.value.outputs.map(({ tensor }) => ({ shape, dtype: tensor.dtype })),
      cells,
    },
  };
}

/** How far a window reaches along an axis of an operand: as far as the result's, where the operand goes along with it. */
const reach = (cell: AlignedCell, extent: number): number => (cell.relation === 'match' ? extent : 1);

/** The part of an operand that feeds a box of the result. */
function partOf(alignment: Alignment, operand: number, rank: number, box: readonly Run[]): readonly Run[] {
  const runs = Array<Run>(rank).fill({ begin: 0, end: 1 });
  alignment.axes.forEach(({ cells }, axis) => {
    const run = box[axis] ?? { begin: 0, end: 0 };
    const cell = cells[operand];
    if (cell && cell.sourceAxis !== null) runs[cell.sourceAxis] = { ...run, end: reach(cell, run.end - run.begin) };
  });
  // An empty box has no first cell to ask for.
  const empty = box.some(({ begin, end }) => begin === end);
  const first = empty
    ? runs.map(() => 0)
    : alignment.sourceOf(
        operand,
        box.map(({ begin }) => begin),
      );
  return runs.map((run, axis) => ({ ...run, begin: first[axis] ?? 0, end: (first[axis] ?? 0) + run.end }));
}

/** The target shape for a window of the result. */
function targetPart(alignment: Alignment, target: readonly Extent[], extents: readonly number[]): readonly Extent[] {
  const part = target.slice();
  alignment.axes.forEach(({ target: cell }, axis) => {
    if (cell && cell.sourceAxis !== null) part[cell.sourceAxis] = reach(cell, extents[axis] ?? 1);
  });
  return part;
}

const count = (box: readonly Run[]): number => box.reduce((product, run) => product * lengthOf(run), 1);

/** Elements of a box, out of what the source gives for the whole array, row by row. */
function makeElements(type: DTypeEntry, source: Source, whole: readonly number[], box: readonly Run[]): Tensor {
  const elements = count(box);
  const data = emptyArray(type, elements);
  const write = writerOf(type, data);
  const last = box.length - 1;
  const row = box[last] ?? { begin: 0, end: 1 };
  const width = lengthOf(row);
  const apart = row.step ?? 1;
  const index = box.map(({ begin }) => begin);
  for (let at = 0; at < elements; at += width) {
    const flat = index.reduce((sum, i, axis) => sum * (whole[axis] ?? 1) + i, 0);
    for (let i = 0; i < width; ++i) write(at + i, source(flat + i * apart));
    for (let axis = last - 1; axis >= 0; --axis) {
      const next = (index[axis] ?? 0) + (box[axis]?.step ?? 1);
      if (next < (box[axis]?.end ?? 0)) {
        index[axis] = next;
        break;
      }
      index[axis] = box[axis]?.begin ?? 0;
    }
  }
  return { data, shape: box.map(lengthOf), dtype: type.name };
}

function patch(type: DTypeEntry, box: readonly Run[], tensor: Tensor): Patch {
  const read = readerOf(type, tensor.data);
  return {
    box,
    tensor,
    read,
    valueAt: (index) =>
      read(box.reduce((at, run, axis) => at * lengthOf(run) + ((index[axis] ?? 0) - run.begin) / (run.step ?? 1), 0)),
  };
}
