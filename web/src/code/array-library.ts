// What NumPy, PyTorch, JAX and TensorFlow have in common: arrays are made, reshaped where the rule does not align them
// at the right, and put into an expression.

import type { Extent } from '../engine/engine';
import { isFloat, isHalf, isInteger, nameOf, type TypeColumn } from './dtypes';
import { list, tuple } from './lines';
import { type Column, operators, spellingOf } from './operators';
import {
  type Code,
  type CodeOperand,
  type CodeQuestion,
  type Counting,
  leadingType,
  liesRight,
  onlyRepeats,
  placedShape,
  resultType,
  Unwritable,
  written,
} from './question';
import { checkCast, countedEnd, counts, hasNegativeExponent, one, repeats, spelledValues, wraps } from './values';

/** How a library spells. */
export interface ArrayLibrary {
  readonly title: string;
  /** The first lines, for these element types. */
  imports(dtypes: readonly string[]): readonly string[];
  /** What the library calls element types; `type` spells a name of that column. */
  readonly types: TypeColumn;
  type(name: string): string;
  /** An array of whole numbers: `bounds` are arange's arguments. `large`: the end is 2^31 or more. */
  range(
    bounds: string,
    type: string,
    of: { readonly dtype: string; readonly wraps: boolean; readonly large: boolean },
  ): string;
  /** An array of the values, given as text; `values` is a list in brackets, or the one value of a scalar. */
  array(values: string, type: string): string;
  /** An array of that shape, given as text, all of one value. */
  full(shape: string, value: string, type: string): string;
  cast(array: string, type: string): string;
  reshape(array: string, shape: readonly Extent[]): string;
  broadcastTo(array: string, shape: string): string;
  /** What two shapes, the first an array's own, stretch to. */
  commonShape(array: string, shape: string): string;
  broadcastAll(arrays: readonly string[], shape: string): string;
  /** What the library calls the core's operators. */
  readonly operators: Column;
  /** The module's name, for `np` in the patterns of operators. */
  readonly module: string;
  /** Throws Unwritable where the library does not have the operator for these types. */
  check(question: CodeQuestion): void;
}

const python = { true: 'True', false: 'False', nan: 'float("nan")', infinity: 'float("inf")', imaginary: 'j' };

export function typeOf(library: ArrayLibrary, dtype: string): string {
  const name = nameOf(dtype, library.types);
  if (name === null) throw new Unwritable(`${library.title} has no element type ${dtype}.`);
  return library.type(name);
}

/** As short as arange takes them: `6`, `1, 7`, `10, 70, 10`. */
function boundsOf(operand: CodeOperand & { values: Counting }): string {
  const { first, step } = operand.values;
  const end = countedEnd(operand);
  if (step !== 1) return `${first}, ${end}, ${step}`;
  return first === 0 ? String(end) : `${first}, ${end}`;
}

/** The array of an operand: `np.arange(6, dtype=np.float32).reshape(2, 3)`. */
export function made(library: ArrayLibrary, operand: CodeOperand): string {
  const { dtype, shape, values } = operand;
  const type = typeOf(library, dtype);
  if (shape.length === 0) return library.array(spelledValues(operand, python)[0] ?? '0', type);
  if (repeats(values))
    return library.full(tuple(shape), spelledValues(one({ ...operand, values }), python)[0] ?? '0', type);
  const flat =
    counts(values) && (isFloat(dtype) || isInteger(dtype))
      ? library.range(boundsOf({ ...operand, values }), type, {
          dtype,
          wraps: wraps(operand),
          large: countedEnd({ ...operand, values }) >= 2n ** 31n,
        })
      : library.array(list('[', spelledValues(operand, python), ']'), type);
  return shape.length === 1 ? flat : library.reshape(flat, shape);
}

/** Halves that are computed in several steps are computed in f32, so that they are rounded once. */
const isWidened = ({ op, operands }: CodeQuestion): boolean =>
  operators[op.name].hasSteps === true && operands.some(({ dtype }) => isHalf(dtype));

/** What `compute` makes of the arrays, in f32 where they are widened; `isBare`: it needs no brackets for the cast back. */
function inSteps(
  library: ArrayLibrary,
  arrays: readonly string[],
  question: CodeQuestion,
  isBare: boolean,
  compute: (arrays: readonly string[]) => string,
): string {
  if (!isWidened(question)) return compute(arrays);
  const made = compute(arrays.map((array) => library.cast(array, typeOf(library, 'f32'))));
  return library.cast(isBare ? made : `(${made})`, typeOf(library, leadingType(question)));
}

const isCall = (pattern: string): boolean => /^[\w.]+\([^()]*\)$/.test(pattern);

/** A pattern of the operators' table with the arrays in their places. */
const filled = (pattern: string, { module }: ArrayLibrary, arrays: readonly string[]): string =>
  pattern.replace(/\bnp\b|\b[abc]\b/g, (word) => (word === 'np' ? module : (arrays['abc'.indexOf(word)] ?? '')));

/** Any number of arrays go through a pattern of two in turn: f(f(a, b), c). */
const chained = (pattern: string, library: ArrayLibrary, [first = '', ...rest]: readonly string[]): string =>
  rest.reduce((made, array) => filled(pattern, library, [made, array]), first);

/** Operands of two types are brought to a common one for `pattern`. */
function power(pattern: string, library: ArrayLibrary, arrays: readonly string[], question: CodeQuestion): string {
  const [base = '', exponent = ''] = question.operands.map(({ dtype }) => dtype);
  if (isInteger(base) && hasNegativeExponent(question))
    throw new Unwritable(`${library.title} does not raise integers to negative powers.`);
  if (base === exponent) return filled(pattern, library, arrays);
  // Whole numbers wrap alike in 64 bits and in fewer; whatever else is mixed goes through f64.
  const wide = typeOf(library, isInteger(base) && isInteger(exponent) ? 'i64' : 'f64');
  const widened = arrays.map((array) => library.cast(array, wide));
  return library.cast(`(${filled(pattern, library, widened)})`, typeOf(library, base));
}

function expression(library: ArrayLibrary, arrays: readonly string[], question: CodeQuestion): string {
  const { op, attributes } = question;
  const spelling = spellingOf(question, library.operators);
  if (typeof spelling === 'string') {
    if (op.name === 'Pow') return power(spelling, library, arrays, question);
    if (op.mostOperands === null && arrays.length === 1) return arrays[0] ?? '';
    const fill = op.mostOperands === null ? chained : filled;
    return inSteps(library, arrays, question, isCall(spelling), (all) => fill(spelling, library, all));
  }
  switch (spelling && op.name) {
    case 'Mean':
      return inSteps(library, arrays, question, false, (all) => `(${all.join(' + ')}) / ${all.length}`);
    case 'Cast':
      checkCast(question, library.title);
      return library.cast(arrays[0] ?? '', typeOf(library, attributes.to));
    default:
      throw new Unwritable(`${library.title} has no operator ${op.name}.`);
  }
}

/** The operand on the axes that the rule gives it: `b.reshape(1, 3, 1)`. */
const placed = (library: ArrayLibrary, variable: string, question: CodeQuestion, operand: number): string =>
  liesRight(question, operand) ? variable : library.reshape(variable, placedShape(question, operand));

function repeated(library: ArrayLibrary, arrays: readonly string[], question: CodeQuestion): string {
  const { rule, returnsEach, options, alignment } = question;
  const [array = ''] = arrays;
  if (returnsEach) return library.broadcastAll(arrays, tuple(alignment.output));
  if (rule === 'bidirectional')
    return library.broadcastTo(array, library.commonShape(array, tuple(options.targetShape ?? [])));
  return library.broadcastTo(array, tuple(alignment.output));
}

/** The question in a library's words. The result is `out`, or `outs` where every operand has one. */
export function writeArrays(library: ArrayLibrary, question: CodeQuestion): Code {
  return written(question, (names) => {
    const { operands, alignment, returnsEach } = question;
    library.check(question);
    const arrays = names.map((name, i) => placed(library, name, question, i));
    const right = onlyRepeats(question) ? repeated(library, arrays, question) : expression(library, arrays, question);
    const results = returnsEach ? 'outs' : 'out';
    const each = returnsEach ? 'each of shape' : 'shape';
    return [
      ...library.imports([...operands.map(({ dtype }) => dtype), resultType(question)]),
      '',
      ...operands.map((operand, i) => `${names[i]} = ${made(library, operand)}`),
      `${results} = ${right}  # ${each} ${tuple(alignment.output)}`,
      '',
    ].join('\n');
  });
}
