// The questions of Predict. A level proposes random shapes; the core's answer decides whether they are a question of that
// level.

import type { Alignment, Engine, RuleEntry } from '../engine/engine';
import { shapeText } from '../text/format';
import type { Example } from '../gallery/example';
import { faultsIn } from './field-faults';
import { type Draw, drawing } from './rng';

export type Shape = readonly number[];

/** A question to the core. */
export interface Asked {
  readonly rule: string;
  readonly shapes: readonly Shape[];
  readonly axis?: number;
  readonly targetShape?: Shape;
  readonly axesMapping?: readonly number[];
}

export interface Question extends Asked {
  readonly level: number;
  readonly seed: number;
  readonly entry: RuleEntry;
  /** The core's answer. */
  readonly alignment: Alignment;
}

export interface Level {
  readonly title: string;
  /** Says what is new in this level. */
  readonly says: string;
  /** One question in so many is to clash. */
  readonly failsOnceIn: number;
  /** Whether the field that places axes may be wrong. */
  readonly fields?: true;
  propose(draw: Draw, fits: boolean): Asked;
  /** Whether the answer to shapes that fit shows what the level is about. */
  wants(alignment: Alignment, asked: Asked): boolean;
}

// --- Proposals -----------------------------------------------------------------

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Distinct extents, so that a predicted shape shows where each extent was taken from. */
function distinct(draw: Draw, rank: number): number[] {
  const left = [2, 3, 4, 5, 6, 7, 8, 9];
  return range(rank).map(() => left.splice(draw.below(left.length), 1)[0] ?? 2);
}

/** The shape with each extent replaced by 1 with probability 1/n. */
const thinned = (draw: Draw, shape: Shape, n = 2): number[] => shape.map((extent) => (draw.onceIn(n) ? 1 : extent));

const withExtent = (shape: Shape, axis: number, extent: number): number[] =>
  shape.map((old, i) => (i === axis ? extent : old));

/** The shape with one extent that is almost right: one more, one less, or a multiple. */
function nudged(draw: Draw, shape: Shape): number[] {
  const axis = draw.below(shape.length);
  const extent = shape[axis] ?? 1;
  return withExtent(shape, axis, draw.one([extent + 1, Math.max(2, extent - 1), extent * 2]));
}

const shuffled = (draw: Draw, shapes: readonly Shape[]): readonly Shape[] =>
  draw.onceIn(2) ? shapes : [...shapes].reverse();

const numpy = (...shapes: readonly Shape[]): Asked => ({ rule: 'numpy', shapes });

/** Two shapes made of one, each with 1s, one perhaps shorter; if they should clash, one extent is changed. */
function pair(draw: Draw, rank: number, fits: boolean, onceIn = 3): readonly [Shape, Shape] {
  const whole = distinct(draw, rank);
  const short = thinned(draw, whole.slice(draw.below(rank)), onceIn);
  return [thinned(draw, whole, onceIn), fits ? short : nudged(draw, short)];
}

// --- What an alignment shows ---------------------------------------------------

const cells = ({ axes }: Alignment) => axes.flatMap((axis) => [...axis.cells, ...(axis.target ? [axis.target] : [])]);
const count = (alignment: Alignment, relation: string): number =>
  cells(alignment).filter((cell) => cell.relation === relation).length;
/** The number of operands, the target among them, that are repeated along some axis. */
const repeated = ({ axes }: Alignment): number => {
  const lines = axes[0] ? axes[0].cells.length + (axes[0].target ? 1 : 0) : 0;
  return range(lines).filter((line) =>
    axes.some((axis) => {
      const relation = (axis.cells[line] ?? axis.target)?.relation;
      return (relation === 'stretch' || relation === 'insert') && Number(axis.extent) !== 1;
    }),
  ).length;
};

// --- Levels --------------------------------------------------------------------

const easy: readonly Level[] = [
  {
    title: 'Equal shapes',
    says: 'Either the extents are equal on every axis, or the shapes do not fit.',
    failsOnceIn: 3,
    propose(draw, fits) {
      const shape = distinct(draw, 1 + draw.below(3));
      return numpy(shape, fits ? shape : nudged(draw, shape));
    },
    wants: (alignment) => count(alignment, 'match') === cells(alignment).length,
  },
  {
    title: 'One axis stretches',
    says: 'An extent of 1 stretches to the other extent.',
    failsOnceIn: 4,
    propose(draw, fits) {
      const shape = distinct(draw, 2 + draw.below(2));
      const other = withExtent(shape, draw.below(shape.length), 1);
      return numpy(...shuffled(draw, [fits ? shape : nudged(draw, shape), other]));
    },
    wants: (alignment) => count(alignment, 'stretch') === 1,
  },
  {
    title: 'Both stretch',
    says: 'Each has a 1 where the other has more.',
    failsOnceIn: 5,
    propose(draw, fits) {
      const shape = distinct(draw, 2 + draw.below(2));
      return numpy(thinned(draw, shape), thinned(draw, fits ? shape : nudged(draw, shape)));
    },
    wants: (alignment) => repeated(alignment) === 2,
  },
  {
    title: 'Missing axes',
    says: 'One of them has fewer axes.',
    failsOnceIn: 3,
    propose(draw, fits) {
      const shape = distinct(draw, 2 + draw.below(3));
      const rank = 1 + draw.below(shape.length - 1);
      // A shape that would fit if aligned from the left is the classical trap.
      const short = fits ? thinned(draw, shape.slice(-rank), 4) : shape.slice(0, rank);
      return numpy(...shuffled(draw, [thinned(draw, shape, 4), short]));
    },
    wants: (alignment) => count(alignment, 'insert') > 0,
  },
  {
    title: 'Scalars and zeros',
    says: 'Shapes without axes, and axes without elements.',
    failsOnceIn: 4,
    propose(draw, fits) {
      const shape = distinct(draw, 1 + draw.below(3));
      const zero = withExtent(shape, draw.below(shape.length), 0);
      if (fits && draw.onceIn(3)) return numpy(...shuffled(draw, [draw.onceIn(2) ? zero : shape, []]));
      const other = fits ? thinned(draw, zero) : shape;
      return numpy(...shuffled(draw, [zero, other.slice(draw.below(2))]));
    },
    wants: (_, { shapes }) => shapes.some((shape) => shape.length === 0 || shape.includes(0)),
  },
  {
    title: 'Near misses',
    says: 'Extents that almost match: off by one, a multiple, or on the wrong axis.',
    failsOnceIn: 2,
    propose(draw, fits) {
      const [a, b] = pair(draw, 2 + draw.below(3), fits);
      return numpy(...shuffled(draw, [a, b]));
    },
    wants: (alignment) => repeated(alignment) > 0,
  },
  {
    title: 'Three operands',
    says: 'All three have to fit.',
    failsOnceIn: 3,
    propose(draw, fits) {
      const rank = 2 + draw.below(2);
      const shape = distinct(draw, rank);
      const some = (): number[] => thinned(draw, shape.slice(draw.below(rank)));
      return numpy(...shuffled(draw, [some(), some(), fits ? some() : nudged(draw, some())]));
    },
    wants: (alignment) => repeated(alignment) > 1,
  },
];

const placed: readonly Level[] = [
  {
    title: 'PDPD: an axis says where',
    says: 'B lines up with consecutive axes of A; A never stretches.',
    failsOnceIn: 2,
    propose(draw, fits) {
      const a = distinct(draw, 3 + draw.below(2));
      const rank = 1 + draw.below(2);
      const axis = draw.below(a.length - rank + 1);
      const run = thinned(draw, a.slice(axis, axis + rank), 4);
      if (fits) return { rule: 'pdpd', shapes: [a, run], axis };
      return draw.onceIn(2)
        ? { rule: 'pdpd', shapes: [a, nudged(draw, run)], axis }
        : { rule: 'pdpd', shapes: [a, run], axis: draw.below(a.length - rank + 1) };
    },
    wants: (alignment) => repeated(alignment) > 0,
  },
  {
    title: 'Explicit: a mapping says where',
    says: 'axes_mapping names the target axis of each axis of data.',
    failsOnceIn: 2,
    propose(draw, fits) {
      const targetShape = distinct(draw, 3 + draw.below(2));
      const axesMapping = range(targetShape.length).filter(() => draw.onceIn(2));
      const data = thinned(
        draw,
        axesMapping.map((axis) => targetShape[axis] ?? 1),
        4,
      );
      const wrong = data.length > 0 ? nudged(draw, data) : data;
      return { rule: 'explicit', shapes: [fits ? data : wrong], targetShape, axesMapping };
    },
    wants: (alignment, { shapes }) => (shapes[0]?.length ?? 0) > 0 && repeated(alignment) > 0,
  },
  {
    title: 'One way or both ways',
    says: 'The rule decides which operand may stretch.',
    failsOnceIn: 3,
    propose(draw, fits) {
      const rule = draw.one(['bidirectional', 'broadcast_numpy', 'onnx_unidirectional']);
      const [a, b] = pair(draw, 2 + draw.below(2), fits || draw.onceIn(2), 2);
      return rule === 'onnx_unidirectional' ? { rule, shapes: [a, b] } : { rule, shapes: [b], targetShape: a };
    },
    wants: (alignment) => repeated(alignment) > 0,
  },
];

const everything: Level = {
  title: 'Everything',
  says: 'Any rule, more axes.',
  failsOnceIn: 3,
  propose(draw, fits) {
    if (draw.onceIn(3)) {
      const [a, b] = pair(draw, 4 + draw.below(2), fits);
      return { rule: draw.one(['numpy', 'onnx_multidirectional', 'sonnx']), shapes: shuffled(draw, [a, b]) };
    }
    return draw.one([...placed, ...easy.slice(4)] as unknown as [Level, ...Level[]]).propose(draw, fits);
  },
  wants: (alignment) => repeated(alignment) > 0,
};

const fields: readonly Level[] = [
  {
    title: 'PDPD: is there room?',
    says: 'The axis itself may be wrong: B must not reach past A. -1 lines it up at the right.',
    failsOnceIn: 2,
    fields: true,
    propose(draw, fits) {
      const a = distinct(draw, 3 + draw.below(2));
      const rank = 1 + draw.below(2);
      const axis = draw.below(a.length - rank + 1);
      const run = a.slice(axis, axis + rank);
      const pdpd = (b: Shape, from: number): Asked => ({ rule: 'pdpd', shapes: [a, b], axis: from });
      const ones = [1, 1].slice(draw.below(2));
      const some: readonly [() => Asked, ...(() => Asked)[]] = fits
        ? [
            () => pdpd(a.slice(-rank), -1),
            () => pdpd([...a.slice(-rank), ...ones], a.length - rank),
            () => pdpd(run, axis),
          ]
        : [
            () => pdpd([...a.slice(-rank), 2 + draw.below(8)], a.length - rank),
            () => pdpd([...a.slice(-1), ...run], a.length - 1),
            () => pdpd(a.slice(-rank), -rank - draw.below(2)),
            () => pdpd(run, -1),
            () => pdpd(nudged(draw, run), axis),
          ];
      return draw.one(some)();
    },
    wants: (alignment) => repeated(alignment) > 0,
  },
  {
    title: 'Explicit: is it a mapping?',
    says: 'axes_mapping itself may be wrong: one axis of the target for each axis of A, in order.',
    failsOnceIn: 2,
    fields: true,
    propose(draw, fits) {
      const targetShape = distinct(draw, 3 + draw.below(2));
      const whole = range(targetShape.length).filter(() => draw.onceIn(2));
      const dataOf = (axes: readonly number[]): number[] => axes.map((axis) => targetShape[axis] ?? 2);
      const explicit = (axesMapping: readonly number[], data: Shape): Asked => ({
        rule: 'explicit',
        shapes: [data],
        targetShape,
        axesMapping,
      });
      if (fits) return explicit(whole, thinned(draw, dataOf(whole), 4));
      // Mistakes: axes counted from 1, or from the end.
      const beyond = draw.onceIn(2)
        ? [...whole.slice(0, -1), targetShape.length]
        : [(whole[0] ?? 0) - targetShape.length, ...whole.slice(1)];
      const turned = [...whole].reverse();
      const twice = whole.flatMap((axis, i) => (i === 0 ? [axis, axis] : [axis]));
      return draw.one([
        () => explicit(turned, dataOf(turned)),
        () => explicit(twice, dataOf(twice)),
        () => explicit(whole.slice(1), dataOf(whole)),
        () => explicit(beyond, dataOf(whole)),
        () => explicit(whole, whole.length > 0 ? nudged(draw, dataOf(whole)) : []),
      ])();
    },
    wants: (alignment, { shapes }) => (shapes[0]?.length ?? 0) > 0 && repeated(alignment) > 0,
  },
];

/** In the order in which links number them: new levels are added at the end. */
export const levels: readonly Level[] = [...easy, ...placed, everything, ...fields];

/** The level of that number, counted from 1; other numbers give the nearest level. */
export const levelAt = (level: number): number => Math.max(1, Math.min(Math.trunc(level) || 1, levels.length));

// --- Drawing --------------------------------------------------------------------

/** The number of proposals that are tried; the proposals of a good level are wanted far more often. */
const mostTries = 400;

/**
 * Whether the form of Predict can express the answer: a shape, an axis that clashes, or a refused rank; with `fields` also the
 * fault of a field, if nothing else is wrong.
 */
const answerable = ({ failure, conflicts }: Alignment, fields: boolean): boolean =>
  failure === null ||
  failure.class === 'incompatible' ||
  failure.class === 'rank' ||
  (fields && conflicts.length === 0 && faultsIn(failure.class)?.[failure.detail] !== undefined);

/**
 * The question of a level and a seed: always the same one.
 *
 * @example
 * drawQuestion(core, 2, 7).alignment.output; // the shape to predict
 */
export function drawQuestion(core: Engine, number: number, seed: number): Question {
  const level = levelAt(number);
  const { propose, wants, failsOnceIn, fields = false } = levels[level - 1] ?? everything;
  const draw = drawing(level, seed);
  const fits = !draw.onceIn(failsOnceIn);
  for (let i = 0; i < mostTries; ++i) {
    const asked = propose(draw, fits);
    const alignment = ask(core, asked);
    const entry = core.vocabulary.rules.find(({ name }) => name === asked.rule);
    if (!alignment || !entry || !answerable(alignment, fields) || (alignment.failure === null) !== fits) continue;
    if (!fits || wants(alignment, asked)) return { ...asked, level, seed, entry, alignment };
  }
  throw new RangeError(`Level ${level} found no question for the seed ${seed}.`);
}

export function ask(core: Engine, { rule, shapes, ...options }: Asked): Alignment | null {
  const aligned = core.align(rule, shapes, options);
  return aligned.ok ? aligned.value : null;
}

/** The question as the page takes it. */
export const exampleOf = ({ rule, shapes, axis, targetShape, axesMapping }: Asked): Example => ({
  id: '',
  rule,
  shapes: shapes.map(shapeText),
  ...(axis === undefined ? {} : { axis: String(axis) }),
  ...(targetShape ? { target: shapeText(targetShape) } : {}),
  ...(axesMapping ? { mapping: `[${axesMapping.join(', ')}]` } : {}),
  look: '',
});
