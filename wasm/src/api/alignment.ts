// Alignments as bl.align returns them: the core's answer as data. The core is called again only for the verdict and for the
// sentences of all axes at once; repairs come from the module that explains.

import type { AlignedAxis, Alignment, IndexRange } from '../types/alignment.js';
import { BroadcastError } from '../types/errors.js';
import { exact, type Extent, type ShapeLike } from '../types/extent.js';
import type { RuleName } from '../types/vocabulary.js';
import { OUTPUT, readIntegers } from '../operands/arguments.js';
import { show } from '../values/show.js';
import type { Core } from '../core/core.js';
import type { Meant } from '../core/explainer-calls.js';
import type { Request } from '../core/fields.js';

/** Whether extents are returned as bigints: where any was given as one. */
export function isWide({ shapes, targetShape }: Request): boolean {
  const some = (shape: readonly Extent[]) => shape.some((extent) => typeof extent === 'bigint');
  return shapes.some(some) || (targetShape !== undefined && some(targetShape));
}

/** All as bigints, or all as numbers. */
export function as(extents: readonly Extent[], wide: boolean): Extent[] {
  return wide ? extents.map(BigInt) : extents.map(Number);
}

export function makeAlignment(core: Core, request: Request, meant: Meant): Alignment<Extent> {
  const wide = isWide(request);
  const { axes: ownAxes, ...aligned } = core.align(request, wide);
  let verdict: string | undefined;
  let reasons: readonly string[] | undefined;
  // All axes share one getter: engines make an object with a getter of its own slow and large.
  const why = {
    get(this: AlignedAxis<Extent>) {
      return (reasons ??= core.explainAxes(request))[this.axis];
    },
    configurable: true,
    enumerable: true,
  };
  for (const axis of ownAxes) Object.defineProperty(axis, 'why', why);
  const axes = ownAxes as readonly AlignedAxis<Extent>[];
  const rule = request.rule as RuleName;
  const readIndex = (values: ShapeLike, operand: number) =>
    readIntegers(core, values, 'extent', { rule, operand }, 'The index');
  const shapeOf = (operand: number): readonly Extent[] => {
    const shape = Number.isInteger(operand) ? request.shapes[operand] : undefined;
    if (shape !== undefined) return shape;
    const count = request.shapes.length;
    const message = `There is no operand ${show(operand)}; there are ${count}, counted from 0.`;
    throw core.error({ code: 'arity', otherExtent: count }, operand, message);
  };
  /** Throws the alignment's error, or the index's where it does not lie within `extents`. */
  const check = (index: readonly Extent[], extents: readonly Extent[], operand: number) => {
    if (aligned.error !== null) throw new BroadcastError(aligned.error);
    if (index.length !== extents.length) {
      throw core.error({ code: 'extent', detail: 'size', operand, extent: index.length, otherExtent: extents.length });
    }
    index.forEach((i, operandAxis) => {
      const extent = extents[operandAxis] as Extent;
      if (i >= 0 && i < extent) return;
      const fields = { operand, operandAxis, extent: exact(i), otherExtent: exact(extent) };
      throw core.error({ code: 'extent', detail: 'out_of_range', ...fields });
    });
  };
  const alignment = {
    rule,
    shape: aligned.shape,
    operands: request.shapes.map((shape) => as(shape, wide)),
    targetShape: request.targetShape === undefined ? null : as(request.targetShape, wide),
    startAxis: aligned.startAxis,
    axes,
    error: aligned.error,
    conflicts: aligned.conflicts,
    growsBoth: aligned.growsBoth,
    get verdict() {
      return (verdict ??= core.explainVerdict(request));
    },
    sourceOf(operand: number, values: ShapeLike) {
      const index = readIndex(values, OUTPUT);
      const source = shapeOf(operand).map((): Extent => 0);
      check(index, aligned.shape ?? [], OUTPUT);
      for (const { axis, cells } of axes) {
        const { sourceAxis, stride } = cells[operand] as AlignedAxis<Extent>['cells'][number];
        if (sourceAxis !== null && stride) source[sourceAxis] = index[axis] as Extent;
      }
      return as(source, wide);
    },
    fanOut(operand: number, values: ShapeLike) {
      const shape = shapeOf(operand);
      const index = readIndex(values, operand);
      check(index, shape, operand);
      return axes.map(({ cells, extent }): IndexRange<Extent> => {
        const { sourceAxis, stride } = cells[operand] as AlignedAxis<Extent>['cells'][number];
        if (sourceAxis === null || !stride) return { begin: wide ? 0n : 0, end: extent };
        const begin = index[sourceAxis] as Extent;
        return wide
          ? { begin: BigInt(begin), end: BigInt(begin) + 1n }
          : { begin: Number(begin), end: Number(begin) + 1 };
      });
    },
    repairs: () => core.explain().repairs(request, meant, wide),
    warnings: () => core.explain().warnings(request, meant),
    code: (system: unknown, options?: unknown) => core.explain().code(request, meant, system, options),
    document: () => core.explain().report(request, meant),
    link: (base: unknown) => core.explain().link(base, request, meant),
    compare: () => core.explain().compare(request),
  };
  // Not enumerable: copying an alignment must not ask for explanations that are not loaded.
  return Object.defineProperty(alignment, 'cause', {
    get() {
      const explainer = core.explain();
      return aligned.error === null ? null : explainer.cause(request, meant);
    },
  }) as unknown as Alignment<Extent>;
}
