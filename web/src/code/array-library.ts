// What NumPy and the libraries after its manner (PyTorch, JAX, TensorFlow) have in common: arrays are made, brought to a
// shape where the rule lays them otherwise than from the right, and put into an expression.

import type { Extent } from '../engine/engine';
import { integerForm, isFloat, isHalf, isInteger } from './dtypes';
import { list, tuple } from './lines';
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
  /** The library's element types by the core's names. */
  readonly types: Readonly<Record<string, string>>;
  /** An array of whole numbers: `bounds` are arange's arguments, the last of which is below 2^31 unless `large`. */
  range(bounds: string, type: string, how: { readonly wraps: boolean; readonly large: boolean }): string;
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
  /** The function that squares. */
  readonly square: string;
  /** One operator on two or more arrays of the same shape rules as NumPy's; what is not here is written by `common`. */
  readonly operators: Readonly<Partial<Record<string, Operator>>>;
  /** Throws Unwritable where the library has not the operator for these types. */
  check(question: CodeQuestion): void;
}

/** Writes the operator's expression of the arrays. */
export type Operator = (arrays: readonly string[], question: CodeQuestion) => string;

const python = { true: 'True', false: 'False', nan: 'float("nan")', infinity: 'float("inf")', imaginary: 'j' };

const infix =
  (sign: string): Operator =>
  (arrays) =>
    arrays.join(` ${sign} `);

/** A function of two that takes the others in turn: f(f(a, b), c). */
export const nested =
  (name: string): Operator =>
  ([first = '', ...rest]) =>
    rest.reduce((made, array) => `${name}(${made}, ${array})`, first);

export const call =
  (name: string): Operator =>
  (arrays) =>
    `${name}(${arrays.join(', ')})`;

/** What NumPy and JAX spell alike, under the name that the module goes by. */
export const numpyOperators = (np: string): Readonly<Record<string, Operator>> => ({
  Div([a = '', b = ''], question) {
    const form = integerForm(leadingType(question));
    if (!form) return `${a} / ${b}`;
    // Toward zero: // alone rounds down.
    return form.signed ? `(${a} - ${np}.fmod(${a}, ${b})) // ${b}` : `${a} // ${b}`;
  },
  Mod: ([a = '', b = ''], { attributes }) => (attributes.fmod === '1' ? `${np}.fmod(${a}, ${b})` : `${a} % ${b}`),
  Max: nested(`${np}.maximum`),
  Min: nested(`${np}.minimum`),
  And: call(`${np}.logical_and`),
  Or: call(`${np}.logical_or`),
  Xor: call(`${np}.logical_xor`),
  PRelu: ([a = '', b = '']) => `${np}.where(${a} < 0, ${a} * ${b}, ${a})`,
  Where: call(`${np}.where`),
});

/** Operators that all of these libraries spell alike. */
const common: Readonly<Record<string, Operator>> = {
  Add: infix('+'),
  Sub: infix('-'),
  Mul: infix('*'),
  Div: infix('/'),
  Equal: infix('=='),
  NotEqual: infix('!='),
  Less: infix('<'),
  LessOrEqual: infix('<='),
  Greater: infix('>'),
  GreaterOrEqual: infix('>='),
  BitwiseAnd: infix('&'),
  BitwiseOr: infix('|'),
  BitwiseXor: infix('^'),
  BitShift: (arrays, { attributes }) => arrays.join(attributes.direction === 'right' ? ' >> ' : ' << '),
};

const typeOf = ({ title, types }: ArrayLibrary, dtype: string): string => {
  const type = types[dtype];
  if (type === undefined) throw new Unwritable(`${title} has no element type ${dtype}.`);
  return type;
};

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
          wraps: wraps(operand),
          large: countedEnd({ ...operand, values }) >= 2n ** 31n,
        })
      : library.array(list('[', spelledValues(operand, python), ']'), type);
  return shape.length === 1 ? flat : library.reshape(flat, shape);
}

/** Sums, means and squares of halves are rounded once: computed in f32. */
function inFloat32(library: ArrayLibrary, arrays: readonly string[], { operands }: CodeQuestion): readonly string[] {
  return operands.some(({ dtype }) => isHalf(dtype))
    ? arrays.map((array) => library.cast(array, typeOf(library, 'f32')))
    : arrays;
}

function rounded(library: ArrayLibrary, expression: string, { operands }: CodeQuestion): string {
  const dtype = operands[0]?.dtype ?? '';
  return isHalf(dtype) ? library.cast(expression, typeOf(library, dtype)) : expression;
}

/** In brackets where a type is asked of it afterwards. */
const bracketed = (expression: string, { operands }: CodeQuestion): string =>
  operands.some(({ dtype }) => isHalf(dtype)) ? `(${expression})` : expression;

function power(library: ArrayLibrary, [a = '', b = '']: readonly string[], question: CodeQuestion): string {
  const [base = '', exponent = ''] = question.operands.map(({ dtype }) => dtype);
  if (isInteger(base) && hasNegativeExponent(question))
    throw new Unwritable(`${library.title} does not raise integers to negative powers.`);
  if (base === exponent) return `${a} ** ${b}`;
  // Whole numbers wrap alike in 64 bits and in fewer; whatever else is mixed goes through f64.
  const wide = typeOf(library, isInteger(base) && isInteger(exponent) ? 'i64' : 'f64');
  return library.cast(`(${library.cast(a, wide)} ** ${library.cast(b, wide)})`, typeOf(library, base));
}

/** Squared by multiplication, as the core does it, whatever a power of 2 is made of. */
const squared = ({ square }: ArrayLibrary, [a = '', b = '']: readonly string[]): string => `${square}(${a} - ${b})`;

function expression(library: ArrayLibrary, arrays: readonly string[], question: CodeQuestion): string {
  const { name } = question.op;
  const own = library.operators[name] ?? common[name];
  switch (name) {
    case 'Sum':
      return arrays.length === 1
        ? (arrays[0] ?? '')
        : rounded(library, bracketed(inFloat32(library, arrays, question).join(' + '), question), question);
    case 'Mean': {
      const sum = inFloat32(library, arrays, question).join(' + ');
      return rounded(library, bracketed(`(${sum}) / ${arrays.length}`, question), question);
    }
    case 'SquaredDifference':
      return rounded(library, squared(library, inFloat32(library, arrays, question)), question);
    case 'Pow':
      return power(library, arrays, question);
    case 'Cast':
      checkCast(question, library.title);
      return library.cast(arrays[0] ?? '', typeOf(library, question.attributes.to));
    default:
      if (!own) throw new Unwritable(`${library.title} has no operator ${name}.`);
      return own(arrays, question);
  }
}

/** The operand on the axes that the rule gives it: `b.reshape(1, 3, 1)`. */
const placed = (library: ArrayLibrary, variable: string, question: CodeQuestion, operand: number): string =>
  liesRight(question, operand) ? variable : library.reshape(variable, placedShape(question, operand));

function repeated(library: ArrayLibrary, arrays: readonly string[], question: CodeQuestion): string {
  const { rule, options, alignment } = question;
  const [array = ''] = arrays;
  if (rule === 'sonnx') return library.broadcastAll(arrays, tuple(alignment.output));
  if (rule === 'bidirectional')
    return library.broadcastTo(array, library.commonShape(array, tuple(options.targetShape ?? [])));
  return library.broadcastTo(array, tuple(alignment.output));
}

/** The question in a library's words. The result is `out`; SONNX's, one for each operand, are `outs`. */
export function writeArrays(library: ArrayLibrary, question: CodeQuestion): Code {
  return written(question, (names) => {
    const { operands, alignment } = question;
    library.check(question);
    const arrays = names.map((name, i) => placed(library, name, question, i));
    const right = onlyRepeats(question) ? repeated(library, arrays, question) : expression(library, arrays, question);
    const results = question.rule === 'sonnx' ? 'outs' : 'out';
    const each = question.rule === 'sonnx' ? 'each of shape' : 'shape';
    return [
      ...library.imports([...operands.map(({ dtype }) => dtype), resultType(question)]),
      '',
      ...operands.map((operand, i) => `${names[i]} = ${made(library, operand)}`),
      `${results} = ${right}  # ${each} ${tuple(alignment.output)}`,
      '',
    ].join('\n');
  });
}
