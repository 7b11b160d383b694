// What writers need to know about operands' values.

import { integerForm, isComplex, isInteger } from './dtypes';
import { type CodeOperand, type CodeQuestion, type Counting, type Repeated, Unwritable } from './question';

/** The most values that are written out one by one. */
export const mostListed = 1000;

export const counts = (values: CodeOperand['values']): values is Counting => 'first' in values;

export const repeats = (values: CodeOperand['values']): values is Repeated => 'all' in values;

/** The repeated value as a scalar operand. */
export const one = (operand: CodeOperand & { values: Repeated }): CodeOperand => ({
  ...operand,
  shape: [],
  elements: 1,
  values: operand.values.all,
});

/** Element `i` of a counting operand, before it is converted to its type. */
function counted({ first, step }: Counting, dtype: string, i: number): bigint | boolean {
  if (dtype === 'bool') return Math.floor(i / step) % 2 === 1;
  return BigInt(first) + BigInt(i) * BigInt(step);
}

/**
 * Every element, integers wrapped to their type.
 *
 * @throws Unwritable if there are too many.
 */
export function everyValue({ name, dtype, elements, values }: CodeOperand): readonly (number | bigint | boolean)[] {
  if (BigInt(elements) > BigInt(mostListed))
    throw new Unwritable(
      `${name} has ${elements} values that would have to be written one by one: up to ${mostListed} are.`,
    );
  if (repeats(values)) return Array.from({ length: Number(elements) }, () => values.all).flat();
  if (!counts(values)) return values;
  const form = integerForm(dtype);
  return Array.from({ length: Number(elements) }, (_, i) => {
    const value = counted(values, dtype, i);
    if (typeof value === 'boolean') return value;
    if (!form) return Number(value);
    return form.signed ? BigInt.asIntN(form.bits, value) : BigInt.asUintN(form.bits, value);
  });
}

/** The value after the last one, as the end of a range. */
export const countedEnd = ({ elements, values }: CodeOperand & { values: Counting }): bigint =>
  BigInt(values.first) + BigInt(elements) * BigInt(values.step);

/** Whether counting goes beyond the integer type, so that values wrap. */
export function wraps(operand: CodeOperand): boolean {
  const form = integerForm(operand.dtype);
  if (!form || !counts(operand.values) || BigInt(operand.elements) === 0n) return false;
  const last = countedEnd({ ...operand, values: operand.values }) - BigInt(operand.values.step);
  return last >= 2n ** BigInt(form.signed ? form.bits - 1 : form.bits);
}

/** Whether any element passes `test`; false for types other than integers. Counting values repeat after 2^bits at most. */
function anyInteger({ dtype, elements, values }: CodeOperand, test: (value: bigint) => boolean): boolean {
  const form = integerForm(dtype);
  if (!form) return false;
  const held = (value: bigint): bigint =>
    form.signed ? BigInt.asIntN(form.bits, value) : BigInt.asUintN(form.bits, value);
  if (!counts(values)) return (repeats(values) ? values.all : values).some((value) => test(held(BigInt(value))));
  const looked = Math.min(Number(elements), 2 ** Math.min(form.bits, 16));
  for (let i = 0; i < looked; ++i) if (test(held(counted(values, 'i64', i) as bigint))) return true;
  return false;
}

/** Whether the last operand, the divisor, has a 0. */
export const dividesByZero = ({ operands }: CodeQuestion): boolean => {
  const divisor = operands.at(-1);
  return divisor !== undefined && anyInteger(divisor, (value) => value === 0n);
};

/** Whether an integer exponent is negative. */
export const hasNegativeExponent = ({ operands }: CodeQuestion): boolean => {
  const exponent = operands.at(-1);
  return exponent !== undefined && anyInteger(exponent, (value) => value < 0n);
};

/** Whether Cast meets a value outside its integer type, and of which kind. */
export function castsBeyond({ operands: [operand], attributes }: CodeQuestion): 'integer' | 'float' | null {
  const form = integerForm(attributes.to);
  if (!form || !operand || BigInt(operand.elements) === 0n || operand.dtype === 'bool') return null;
  const high = 2n ** BigInt(form.signed ? form.bits - 1 : form.bits);
  const low = form.signed ? -high : 0n;
  const beyond = (value: bigint): boolean => value < low || value >= high;
  if (isInteger(operand.dtype)) return anyInteger(operand, beyond) ? 'integer' : null;
  const { values } = operand;
  const listed = counts(values)
    ? [Number(values.first), Number(countedEnd({ ...operand, values }) - BigInt(values.step))]
    : (repeats(values) ? values.all : values).map(Number);
  return listed.some((value) => !Number.isFinite(value) || beyond(BigInt(Math.trunc(value)))) ? 'float' : null;
}

/**
 * Refuses casts that other systems do not define.
 *
 * @throws Unwritable if Cast saturates integers, or converts floats outside the integer type.
 */
export function checkCast(question: CodeQuestion, title: string): void {
  if (question.op.attribute !== 'to') return;
  const beyond = castsBeyond(question);
  if (beyond === 'float') throw new Unwritable(`${title} leaves open what floats beyond an integer type become.`);
  if (beyond === 'integer' && question.attributes.saturate === '1')
    throw new Unwritable(`${title} has no cast that saturates integers.`);
}

/** Whether a shift is by the type's width or more. */
export const shiftsPastWidth = ({ operands }: CodeQuestion): boolean => {
  const shift = operands.at(-1);
  const bits = shift && integerForm(shift.dtype)?.bits;
  return bits !== undefined && anyInteger(shift as CodeOperand, (value) => value >= BigInt(bits));
};

/** How a language spells values that are not written in digits. */
export interface ValueSpelling {
  readonly true: string;
  readonly false: string;
  readonly nan: string;
  readonly infinity: string;
  /** After an imaginary part. */
  readonly imaginary: string;
}

/** One real value, in digits that read back as the same value. */
export function spelled(value: number | bigint | boolean, spelling: ValueSpelling): string {
  if (typeof value === 'boolean') return value ? spelling.true : spelling.false;
  if (Object.is(value, -0)) return '-0.0';
  if (Number.isNaN(value)) return spelling.nan;
  if (value === Infinity) return spelling.infinity;
  if (value === -Infinity) return `-${spelling.infinity}`;
  return String(value);
}

/** Every element in digits, complex ones as a sum of their parts. */
export function spelledValues(operand: CodeOperand, spelling: ValueSpelling): readonly string[] {
  const values = everyValue(operand);
  if (!isComplex(operand.dtype)) {
    return values.map((value) => spelled(operand.dtype === 'bool' ? Boolean(value) : value, spelling));
  }
  return Array.from({ length: values.length / 2 }, (_, i) => {
    const [real = 0, imaginary = 0] = [values[2 * i], values[2 * i + 1]];
    const part = spelled(imaginary, spelling);
    return `${spelled(real, spelling)}${part.startsWith('-') ? '' : '+'}${part}${spelling.imaginary}`;
  });
}
