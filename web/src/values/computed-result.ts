// Elements of a result, computed box by box. For a box of the result, the elements of each operand that it needs are made,
// and the core computes with these small arrays. The alignment says which elements those are; no rule is known here.

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
export interface AxisRange extends IndexRange {
  readonly step?: number;
}

/** The number of indexes in a range. */
const lengthOf = ({ begin, end, step = 1 }: AxisRange): number => Math.ceil((end - begin) / step);

/** The elements of a box of an array. */
export interface ElementBox {
  /** The box: a range along each axis of the whole array. */
  readonly box: readonly AxisRange[];
  readonly tensor: Tensor;
  /** Element number `at` of the box, in row-major order. */
  read(at: number): Shown;
  /** The element at an index of the whole array; the index must lie in the box. */
  valueAt(index: readonly number[]): Shown;
}

/** The elements of a box of each result, and the elements of each operand that they are computed from. */
export interface BoxElements {
  readonly operands: readonly ElementBox[];
  readonly outputs: readonly ElementBox[];
}

export interface ArrayForm {
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** `complete` if no element was `unread`. */
interface Computed extends BoxElements {
  readonly complete: boolean;
}

/** A result whose elements are computed when they are asked for. */
export interface ComputedResult {
  /** The shape of the result, or of each result. */
  readonly shape: readonly number[];
  readonly operands: readonly ArrayForm[];
  readonly outputs: readonly ArrayForm[];
  /**
   * The elements of a box of the result, a range along each axis. The time is proportional to the size of the box, not of
   * the arrays. The boxes asked for last are kept. Elements of an operand that are not read yet, and those computed from them,
   * are `unread`; asking for the box reads them, unless the caller only `peeks` at what is there.
   *
   * @throws RangeError if the core refuses the box, for example as too large for its memory.
   * @example
   * const { outputs } = result.cells([{ begin: 1e9, end: 1e9 + 32 }, { begin: 0, end: 64 }]);
   * outputs[0].read(0); // the cell [1000000000, 0]
   */
  cells(box: readonly AxisRange[], peeks?: boolean): BoxElements;
}

export interface ResultQuestion {
  readonly op: string;
  readonly rule: string;
  readonly options: RuleOptions;
  readonly attributes: Attributes;
  readonly promote: string;
  readonly alignment: Alignment;
  /** Extents and numbers of elements are safe integers. */
  readonly operands: readonly {
    readonly shape: readonly number[];
    readonly type: DTypeEntry;
    readonly source: Source;
  }[];
}

/** An element that is not read, as it is displayed. */
export const unread = '…';

/**
 * Says of element number `at` of a box of the result whether an operand's element that feeds it is not read. Set by what reads
 * elements; before that, none is read.
 */
export const unreadCells: {
  of: (alignment: Alignment, operands: readonly ElementBox[], box: readonly AxisRange[]) => (at: number) => boolean;
} = { of: () => () => true };

/** The number of boxes that are kept: the one in view, and those of cells that are pointed at. */
const mostKept = 12;

/** The result of a question, or why the core refuses it. The smallest box is computed at once to find out. */
export function computedResult(engine: Engine, question: ResultQuestion): Outcome<ComputedResult> {
  const { alignment, operands, options } = question;
  const shape = alignment.output.map(Number);

  function compute(box: readonly AxisRange[], peeks: boolean): Outcome<Computed> {
    let complete = true;
    const boxes = operands.map(({ shape: whole, type, source }, i) => {
      const own = operandBox(alignment, i, whole.length, box);
      const lacks = new Set<number>();
      const tensor = makeElements(type, source, whole, own, peeks, lacks);
      complete &&= lacks.size === 0;
      return elementBox(type, own, tensor, (at) => lacks.has(at));
    });
    // The core computed something from what stands in for elements that are not read.
    const isUnread = complete ? null : unreadCells.of(alignment, boxes, box);
    const extents = box.map(lengthOf);
    const { targetShape } = options;
    const target = targetShape && boxTarget(alignment, targetShape, extents);
    const applied = engine.apply(
      question.op,
      boxes.map(({ tensor }) => tensor),
      question.rule,
      { ...options, ...(target ? { targetShape: target } : {}) },
      question.attributes,
      question.promote,
    );
    if (!applied.ok) return applied;
    const outputs = applied.value.map((tensor) => elementBox(engine.typeNamed(tensor.dtype), box, tensor, isUnread));
    return { ok: true, value: { operands: boxes, outputs, complete } };
  }

  const kept = new Map<string, BoxElements>();
  function cells(box: readonly AxisRange[], peeks = false): BoxElements {
    const key = box.map(({ begin, end, step }) => [begin, end, step].join(':')).join();
    const known = kept.get(key);
    if (known) return known;
    const computed = compute(box, peeks);
    if (!computed.ok) throw new RangeError(computed.failure.message);
    if (computed.value.complete) {
      if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
      kept.set(key, computed.value);
    }
    return computed.value;
  }

  const first = compute(
    shape.map((extent) => ({ begin: 0, end: Math.min(1, extent) })),
    true,
  );
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

/** The extent of an operand's box along an axis: the result's where the axes match, else 1. */
const reach = (cell: AlignedCell, extent: number): number => (cell.relation === 'match' ? extent : 1);

/** The box of an operand that a box of the result is computed from. */
function operandBox(
  alignment: Alignment,
  operand: number,
  rank: number,
  box: readonly AxisRange[],
): readonly AxisRange[] {
  const ranges = Array<AxisRange>(rank).fill({ begin: 0, end: 1 });
  alignment.axes.forEach(({ cells }, axis) => {
    const range = box[axis] ?? { begin: 0, end: 0 };
    const cell = cells[operand];
    if (cell && cell.sourceAxis !== null)
      ranges[cell.sourceAxis] = { ...range, end: reach(cell, range.end - range.begin) };
  });
  // An empty box has no first cell.
  const empty = box.some(({ begin, end }) => begin === end);
  const first = empty
    ? ranges.map(() => 0)
    : alignment.sourceOf(
        operand,
        box.map(({ begin }) => begin),
      );
  return ranges.map((range, axis) => ({ ...range, begin: first[axis] ?? 0, end: (first[axis] ?? 0) + range.end }));
}

/** The target shape that gives a box of the result. */
function boxTarget(alignment: Alignment, target: readonly Extent[], extents: readonly number[]): readonly Extent[] {
  const shape = target.slice();
  alignment.axes.forEach(({ target: cell }, axis) => {
    if (cell && cell.sourceAxis !== null) shape[cell.sourceAxis] = reach(cell, extents[axis] ?? 1);
  });
  return shape;
}

const count = (box: readonly AxisRange[]): number => box.reduce((product, range) => product * lengthOf(range), 1);

/**
 * Makes the elements of a box, row by row; `source` gives the elements of the whole array. The places of those that are not
 * read are added to `lacks`.
 */
function makeElements(
  type: DTypeEntry,
  source: Source,
  whole: readonly number[],
  box: readonly AxisRange[],
  peeks: boolean,
  lacks: Set<number>,
): Tensor {
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
    for (let i = 0; i < width; ++i) {
      const value = source(flat + i * apart, peeks);
      if (value === null) lacks.add(at + i);
      write(at + i, value ?? 0);
    }
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

function elementBox(
  type: DTypeEntry,
  box: readonly AxisRange[],
  tensor: Tensor,
  isUnread: ((at: number) => boolean) | null,
): ElementBox {
  const known = readerOf(type, tensor.data);
  const read = (at: number): Shown => (isUnread?.(at) ? unread : known(at));
  return {
    box,
    tensor,
    read,
    valueAt: (index) =>
      read(
        box.reduce(
          (at, range, axis) => at * lengthOf(range) + ((index[axis] ?? 0) - range.begin) / (range.step ?? 1),
          0,
        ),
      ),
  };
}
