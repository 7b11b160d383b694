// Gives results in the form of a library's arrays, or as lists.

import type { TypedArray } from '../types/data.js';
import type { DType } from '../types/vocabulary.js';
import { FormFault, fromElsewhere, isFormFault, unsupported } from '../types/fault.js';
import { readNumbers } from '../elements/convert.js';
import type { OnnxNames, ResultForm, ScijsNames, StdlibNames, ZarrNames } from './result-forms.js';
import type { FormName } from './recognise.js';
import { rowMajor } from './strided.js';
import {
  bitsOf,
  entriesOf,
  float16Array,
  holderOf,
  isPacked,
  lengthOf,
  typedArrayName,
  viewAs,
} from '../elements/typed-arrays.js';

/** A computed result: dense and row-major. */
export interface DenseResult {
  readonly data: TypedArray;
  readonly shape: readonly number[];
  readonly dtype: DType;
}

const RESULT_FORMS: {
  readonly [F in ResultForm]: (result: DenseResult, like: unknown, others: readonly unknown[]) => unknown;
} = {
  array: (result) => result,
  strided: giveStrided,
  zarr: giveChunk,
  stdlib: giveStdlib,
  onnx: giveTensor,
  nested: giveNested,
};

/** The form of a result that is to be like an operand. For a scalar it is nested lists. */
export function resultFormOf(form: FormName): ResultForm {
  return form === 'scalar' ? 'nested' : form;
}

/** The forms that a result may have. */
export const RESULT_FORM_NAMES = Object.keys(RESULT_FORMS) as readonly ResultForm[];

/** Whether a name is one of them. */
export function isResultForm(name: unknown): name is ResultForm {
  return typeof name === 'string' && Object.hasOwn(RESULT_FORMS, name);
}

/**
 * A result in another form. Its memory is not copied, but for `nested`.
 *
 * - `strided`: made by the constructor of `like` or one of `others` where that is scijs's for the result's element type
 *   and at least as many axes, else `{data, shape, stride, offset, dtype: 'float32'}`; `strides` where `like` has them.
 * - `zarr`: `{data, shape, stride}`.
 * - `stdlib`, `onnx`: made by the constructor of `like` where that is an object of a class, else a plain object with the
 *   same fields.
 * - `nested`: lists in lists, of numbers, of bigints (i64, u64) or of booleans (bool); of a scalar the value alone. At
 *   most 2^24 lists on one level.
 *
 * scijs's, zarrita's and stdlib's arrays get a bool as bytes of 0 and 1, of type `uint8`; the latter two keep it a bool
 * where `like` is one.
 *
 * @param like An operand of that form.
 * @param others More operands of that form.
 * @throws FormFault where the form has no such element type: f16 without a Float16Array, bf16 in all but `array` and
 * `nested`, and so on.
 * @example giveBack({ data: new Float32Array([1, 2, 3, 4]), shape: [2, 2], dtype: 'f32' }, 'nested'); // [[1, 2], [3, 4]]
 */
export function giveBack(
  result: DenseResult,
  form: ResultForm,
  like?: unknown,
  others: readonly unknown[] = [],
): unknown {
  try {
    return RESULT_FORMS[form](result, like, others);
  } catch (error) {
    throw isFormFault(error) ? error : fromElsewhere(`giving it back in the form '${form}'`, error);
  }
}

type Names = { readonly [D in DType]?: string };
/** Names by the element types that the form has. */
type Told<N> = { readonly [D in keyof N]: N[D] };

const NUMBERS = {
  i8: 'int8',
  i16: 'int16',
  i32: 'int32',
  u8: 'uint8',
  u16: 'uint16',
  u32: 'uint32',
  f32: 'float32',
  f64: 'float64',
} as const;
const SCIJS: Told<ScijsNames> = { ...NUMBERS, bool: 'uint8', i64: 'bigint64', u64: 'biguint64', f16: 'float16' };
const ZARR: Told<ZarrNames> = { ...NUMBERS, bool: 'bool', i64: 'int64', u64: 'uint64', f16: 'float16' };
const STDLIB: Told<StdlibNames> = { ...NUMBERS, bool: 'bool', c64: 'complex64', c128: 'complex128' };
const ONNX: Told<OnnxNames> = { ...ZARR, i4: 'int4', u4: 'uint4' };

function nameIn(names: Names, what: string, dtype: DType): string {
  const name = names[dtype];
  if (name !== undefined) return name;
  throw unsupported(undefined, `${what} holds no ${dtype}; ask for the result in the form 'array'.`, { dtype });
}

function giveStrided({ data, shape, dtype }: DenseResult, like: unknown, others: readonly unknown[]): unknown {
  const name = nameIn(SCIJS, "scijs's ndarray", dtype);
  const held = asFloat16("scijs's ndarray", data, dtype);
  for (const array of [like, ...others]) {
    const made = viewLike(array, held, shape, name);
    if (made !== undefined) return made;
  }
  const strides = { [has(like, 'strides') ? 'strides' : 'stride']: rowMajor(shape) };
  return { data: held, shape: shape.slice(), ...strides, offset: 0, dtype: name };
}

/**
 * An ndarray of scijs's class, where `like` is one. The library makes a class for each element type and number of axes. Its
 * constructor takes the extents and strides one after the other; `pick` gives an array of the class with one axis less.
 * Undefined where there is no such class, or it does not make such an array.
 */
function viewLike(like: unknown, data: TypedArray, shape: readonly number[], dtype: string): unknown {
  interface View {
    readonly data?: unknown;
    readonly shape?: unknown;
    readonly stride?: unknown;
    readonly offset?: unknown;
    readonly dtype?: unknown;
    readonly dimension?: unknown;
    pick?(index: number): unknown;
  }
  const stride = rowMajor(shape);
  const isSame = (list: unknown, expected: readonly number[]) =>
    Array.isArray(list) && list.length === expected.length && list.every((value, i) => value === expected[i]);
  try {
    let view = like as View;
    if (classOf(view) === undefined || view.dtype !== dtype) return undefined;
    while ((view.dimension as number) > shape.length) view = view.pick?.(0) as View;
    const View = view.dimension === shape.length ? classOf(view) : undefined;
    if (View === undefined) return undefined;
    const made = new View(data, ...shape, ...stride, 0) as View;
    const isMade = made.data === data && made.offset === 0 && made.dtype === dtype;
    return isMade && isSame(made.shape, shape) && isSame(made.stride, stride) ? made : undefined;
  } catch {
    return undefined; // a class of another kind
  }
}

function giveChunk({ data, shape, dtype }: DenseResult, like: unknown): unknown {
  nameIn(ZARR, "zarrita's chunk", dtype);
  const held = dtype === 'bool' ? (wrappedLike(data, dtype, like) ?? data) : asFloat16("zarrita's chunk", data, dtype);
  return { data: held, shape: shape.slice(), stride: rowMajor(shape) };
}

function giveTensor({ data, shape, dtype }: DenseResult, like: unknown): unknown {
  const type = nameIn(ONNX, "onnxruntime's tensor", dtype);
  const dims = shape.slice();
  const Tensor = classOf(like);
  return Tensor === undefined ? { type, data, dims } : new Tensor(type, data, dims);
}

function giveStdlib({ data, shape, dtype }: DenseResult, like: unknown): unknown {
  const what = "@stdlib's ndarray";
  let name = nameIn(STDLIB, what, dtype);
  let held: unknown = data;
  if (dtype === 'bool' || dtype === 'c64' || dtype === 'c128') {
    held = wrappedLike(data, dtype, like);
    if (held === undefined && dtype !== 'bool') {
      const message = `${what} of ${dtype} needs a class that is not known here; ask for the form 'array'.`;
      throw unsupported(undefined, message, { dtype });
    }
    if (held === undefined) [name, held] = ['uint8', data];
  }
  // @stdlib's scalars have one stride.
  const strides = shape.length === 0 ? [0] : rowMajor(shape);
  const Ndarray = classOf(like);
  if (Ndarray !== undefined) return new Ndarray(name, held, shape.slice(), strides, 0, 'row-major');
  return { data: held, shape: shape.slice(), strides, offset: 0, order: 'row-major', dtype: name };
}

/** The most lists on one level. */
const MOST_LISTS = 2 ** 24;

function giveNested(result: DenseResult): unknown {
  const { shape, dtype } = result;
  if (isPacked(dtype) || entriesOf(dtype) === 2) {
    throw unsupported(undefined, `nested lists hold no ${dtype}; ask for the form 'array'.`, { dtype });
  }
  // The number of lists on each level.
  const counts = [1];
  let lists = 0;
  for (const extent of shape) {
    const outer = counts.at(-1) as number;
    lists = Math.max(lists, outer);
    counts.push(outer * extent);
  }
  // A result without elements may have any number of lists.
  if (lists > MOST_LISTS) {
    const message = `it would be ${lists} lists, and more than ${MOST_LISTS} take too long; ask for the form 'array'.`;
    throw new FormFault({ code: 'limit', extent: lists, otherExtent: MOST_LISTS }, undefined, message);
  }
  try {
    const values = valuesOf(result);
    let items: unknown[] = Array.from({ length: counts[shape.length] as number }, (_, i) => values(i));
    // From the innermost level outwards. Recursion might exceed the stack: there may be 65,536 levels.
    for (let axis = shape.length - 1; axis >= 0; --axis) {
      const extent = shape[axis] as number;
      const within = items;
      items = Array.from({ length: counts[axis] as number }, (_, i) => within.slice(i * extent, (i + 1) * extent));
    }
    return items[0];
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new FormFault({ code: 'allocation', dtype }, undefined, 'there is no memory for lists of this result.', {
      cause,
    });
  }
}

function valuesOf({ data, dtype }: DenseResult): (i: number) => number | bigint | boolean {
  const bits = bitsOf(data);
  if (dtype === 'bool') return (i) => bits[i] !== 0;
  if (dtype === 'i64' || dtype === 'u64') return (i) => bits[i] as bigint;
  const count = lengthOf.call(bits);
  const numbers = new Float64Array(count);
  readNumbers(bits, dtype, 0, 1, count, numbers, 0);
  return (i) => numbers[i] as number;
}

/** Libraries hold f16 in the platform's Float16Array. */
function asFloat16(what: string, data: TypedArray, dtype: DType): TypedArray {
  if (dtype !== 'f16' || typedArrayName.call(data) === 'Float16Array') return data;
  const Float16 = float16Array();
  if (Float16 !== undefined) return viewAs(data, Float16, lengthOf.call(data));
  const message = `${what} holds f16 in a Float16Array, which this platform has not; ask for the form 'array'.`;
  throw unsupported(undefined, message, { dtype });
}

/** A constructor of a library. */
type Class = new (...given: unknown[]) => unknown;

/** The class of an object; undefined for plain objects. */
function classOf(like: unknown): Class | undefined {
  if (typeof like !== 'object' || like === null) return undefined;
  const { constructor } = like;
  return typeof constructor === 'function' && constructor !== Object ? (constructor as unknown as Class) : undefined;
}

function has(like: unknown, name: string): boolean {
  return typeof like === 'object' && like !== null && name in like;
}

/** The data in the class of `like`'s data, if that is a library's class for elements of this width. */
function wrappedLike(data: TypedArray, dtype: DType, like: unknown): unknown {
  if (!has(like, 'data')) return undefined;
  const own = (like as { readonly data: unknown }).data;
  if (typedArrayName.call(own) !== undefined) return undefined;
  const Class = classOf(own);
  const width = entriesOf(dtype) * holderOf(dtype).BYTES_PER_ELEMENT;
  const { BYTES_PER_ELEMENT } = own as { readonly BYTES_PER_ELEMENT?: unknown };
  if (Class === undefined || BYTES_PER_ELEMENT !== width) return undefined;
  return new Class(data.buffer, data.byteOffset, data.length / entriesOf(dtype));
}
