// Turns a request to the core into a question of the playground: operator, element types and options as texts.

import { faultOf } from '../types/errors.js';
import { entryFor } from '../types/entry-for.js';
import type { Extent } from '../types/extent.js';
import type { DType, OpName, RuleName } from '../types/vocabulary.js';
import type { OpRow, Vocabulary } from '../types/vocabulary-rows.js';
import { operandType } from './operand-type.js';
import { LONGEST_TEXT, MOST_AXES, MOST_OPERANDS, type LinkedQuestion } from './question.js';

/** Shapes, a rule, and what goes with them. Extents that are texts are names, ranges such as `2..8`, or `?`. */
export interface LinkedCase {
  readonly rule: RuleName;
  /** Without it: one that takes these operands under the rule. */
  readonly op?: OpName | undefined;
  /** Of each operand its extents; null where even their number is unknown. */
  readonly shapes: readonly (readonly (Extent | string)[] | null)[];
  /** Of each operand the names of its axes. An operand has them in its link if each is a name such as `batch`. */
  readonly names?: readonly (readonly (string | null)[] | null | undefined)[] | undefined;
  /** Axes are matched by name, in place of the rule. */
  readonly byName?: boolean | undefined;
  /** The operands' element types. */
  readonly dtypes?: readonly DType[] | undefined;
  /** The result's, where those are not given. */
  readonly dtype?: DType | undefined;
  readonly axis?: Extent | undefined;
  readonly targetShape?: readonly (Extent | string)[] | null | undefined;
  readonly axesMapping?: readonly Extent[] | undefined;
  readonly fmod?: Extent | undefined;
  readonly direction?: string | undefined;
  readonly to?: DType | undefined;
  readonly saturate?: Extent | undefined;
}

// Types that an operand has where none is given, if the operator takes them; else the first one that it takes.
const USUAL_TYPES: readonly DType[] = ['f32', 'i32'];

/**
 * A case as the playground shows it.
 *
 * @param isVast Whether the result has more bytes in elements of 4 than can be counted.
 * @throws BroadcastError `link` where the playground cannot show it.
 */
export function questionOf({ ops, rules, dtypes }: Vocabulary, given: LinkedCase, isVast = false): LinkedQuestion {
  const { shapes, axis, targetShape, axesMapping } = given;
  const rule = rules[given.rule];
  const count = shapes.length;
  if (count === 0) refuse('There are no operands to show.');
  if (count > MOST_OPERANDS) refuse(`The playground shows at most ${MOST_OPERANDS} operands, and there are ${count}.`);
  if (axis !== undefined && !rule.takesAxis) refuse(`${rule.title} takes no axis, and the playground shows none.`);
  if (targetShape !== undefined && !rule.takesTarget) {
    refuse(`${rule.title} takes no target shape, and the playground shows none.`);
  }
  if (axesMapping !== undefined && !rule.takesMapping) {
    refuse(`${rule.title} takes no axes_mapping, and the playground shows none.`);
  }
  // Without a type, elements count as bytes.
  const wanted = given.dtype ?? (isVast ? 'i8' : undefined);
  const op = operatorOf(ops, given, wanted);
  for (const { name, most } of [
    { name: rule.title, most: rule.mostOperands },
    { name: op.name, most: op.mostOperands },
  ]) {
    if (most === null || count <= most) continue;
    const operands = most === 1 ? 'operand' : 'operands';
    refuse(`${name} takes ${most} ${operands}, and there are ${count}: the playground would leave some out.`);
  }
  let axes = targetShape?.length ?? 0;
  for (const shape of shapes) axes += shape?.length ?? 0;
  if (axes > MOST_AXES) refuse(`The playground shows at most ${MOST_AXES} axes, and there are ${axes}.`);

  const dtype = typeOf(op, given, wanted);
  const to = given.to ?? (op.attribute === 'to' ? (given.dtype ?? 'u8') : undefined);
  const direction = given.direction ?? (op.attribute === 'direction' ? 'left' : undefined);
  // A name that is none of the vocabulary's would say something else.
  const known = (type: DType | undefined) => (type === undefined ? undefined : dtypes[type].name);
  const question: LinkedQuestion = {
    rule: rule.name,
    op: op.name,
    dtype,
    operands: shapes.map((shape, i) => {
      const own = given.dtypes?.[i];
      return { shape: shapeText(shape, given.names?.[i]), dtype: own === operandType(op, i, dtype) ? undefined : own };
    }),
    axis: axis?.toString(),
    target: targetShape === undefined ? undefined : shapeText(targetShape),
    mapping: axesMapping && `[${axesMapping.join(',')}]`,
    byName: given.byName ? '1' : undefined,
    fmod: given.fmod?.toString(),
    direction,
    to: known(to),
    saturate: given.saturate?.toString(),
  };
  const texts = [...question.operands.map(({ shape }) => shape), question.target, question.mapping];
  const longest = Math.max(...texts.map((text) => text?.length ?? 0));
  if (longest > LONGEST_TEXT) {
    refuse(`The playground reads at most ${LONGEST_TEXT} characters of a shape, and this one has ${longest}.`);
  }
  return question;
}

/** @throws BroadcastError `link` */
export function refuse(reason: string): never {
  throw faultOf('link', reason, {});
}

const refusesRule = ({ rules }: OpRow, rule: RuleName) => !rules.includes(rule);

/** The operator that was asked for; else Add, Sum or the first one that takes these operands under the rule. */
function operatorOf(
  ops: Vocabulary['ops'],
  { op, rule, shapes, dtypes }: LinkedCase,
  wanted: DType | undefined,
): OpRow {
  const fits = (row: OpRow) =>
    !refusesRule(row, rule) && row.leastOperands <= shapes.length && shapes.length <= (row.mostOperands ?? Infinity);
  // Shapes alone are aligned whatever the operator is.
  if (op !== undefined && (dtypes !== undefined || fits(ops[op]))) return ops[op];
  const takes = (row: OpRow) =>
    fits(row) && row.attribute === null && (wanted === undefined || accepted(row, leaderOf(row)).includes(wanted));
  const rows = Object.values(ops);
  // Broadcast under its own rules takes anything; one operand is a maximum of one.
  return [ops.Add, ops.Sum, ...rows].find(takes) ?? rows.find((row) => !refusesRule(row, rule)) ?? ops.Add;
}

const accepted = (op: OpRow, operand: number, fmod?: Extent) =>
  entryFor((Number(fmod) === 1 ? op.fmodTypes : null) ?? op.types, operand) ?? [];
/** The first operand whose type is that of the question. */
const leaderOf = ({ follows }: OpRow) => Math.max(0, follows.indexOf(true));

function typeOf(op: OpRow, { dtypes, fmod }: LinkedCase, wanted: DType | undefined): DType {
  const leader = leaderOf(op);
  const own = dtypes?.[leader] ?? dtypes?.[0];
  if (own !== undefined) return own;
  const types = accepted(op, leader, fmod);
  if (wanted !== undefined && types.includes(wanted)) return wanted;
  return USUAL_TYPES.find((type) => types.includes(type)) ?? (types[0] as DType);
}

/** A name that needs no escaping in any text. */
export const isName = (name: string | null | undefined): boolean => /^[a-z_]\w{0,31}$/i.test(name ?? '');

/** A shape as links have it: `(2,3)`, `(5,)`, `()`, `(N,3)`, `(row=2,column=3)`; `...` for one of unknown rank. */
function shapeText(shape: readonly (Extent | string)[] | null, names?: readonly (string | null)[] | null): string {
  if (shape === null) return '...';
  if (names && names.length > 0 && names.length === shape.length && names.every(isName)) {
    return `(${shape.map((extent, axis) => `${names[axis]}=${extent}`).join(',')})`;
  }
  return `(${shape.join(',')}${shape.length === 1 ? ',' : ''})`;
}
