// Reads and writes NumPy's `.npy` format (NEP 1 and numpy.lib.format), from bytes and to bytes. It uses neither the
// core nor files, so it works before the core is loaded, and on every platform.

import { inQuotes } from './values/show.js';
import { listLength } from './values/lists.js';
import type { Extent } from './types/extent.js';
import type { AnyOperand, NdArray } from './operands/arrays.js';
import type { DataOf, TypedArray } from './types/data.js';
import { fromElsewhere, isFormFault } from './types/fault.js';
import { fill } from './operands/fill.js';
import { noArray, recognise, type Recognised } from './operands/recognise.js';
import { gather, sourceOf } from './operands/strided.js';
import type { OwnBytes } from './values/globals.js';
import type { Fit, ProblemAlone } from './signatures/inference.js';
import { countElements, endsEarly, formatExtents, goesOn, MOST_HEADER_BYTES, shorten } from './npy/npy-file.js';
import { Tensor } from './operands/tensor.js';
import {
  bufferOf,
  byteLengthOf,
  byteOffsetOf,
  entriesOf,
  holderOf,
  lengthOf,
  typedArrayName,
} from './elements/typed-arrays.js';
import type { DType } from './types/vocabulary.js';

/** The element types that a `.npy` file can name. Others are written as bits: see {@link formatNpy}. */
export type NpyDType = Exclude<DType, 'bf16' | 'f8e4m3' | 'f8e5m2' | 'i4' | 'u4' | 'u1'>;

/**
 * What is wrong with a `.npy` file, or with an array that is to be written as one:
 *
 * - `input`: neither bytes nor an array, or memory that was detached.
 * - `magic`: the bytes do not begin with the magic number of `.npy` files.
 * - `version`: a version of the format other than 1.0, 2.0 and 3.0.
 * - `header`: the header is not the Python dict that the format requires.
 * - `shape`: an extent that is negative, fractional or beyond 2^53 - 1; too many axes.
 * - `dtype`: an element type that Broadloom or `.npy` does not have.
 * - `truncated`: fewer bytes than the header promises.
 * - `trailing`: bytes after the array's last element.
 * - `length`: data whose length does not match the shape.
 * - `allocation`: memory was refused.
 */
export type NpyErrorCode =
  'input' | 'magic' | 'version' | 'header' | 'shape' | 'dtype' | 'truncated' | 'trailing' | 'length' | 'allocation';

/**
 * Thrown by {@link parseNpy} and {@link formatNpy}. It is not a `BroadcastError`, whose codes are about operands and
 * rules.
 *
 * @example
 * try {
 *   parseNpy(bytes);
 * } catch (error) {
 *   if (!(error instanceof NpyError)) throw error;
 *   error.code; // 'truncated'
 * }
 */
export class NpyError extends Error {
  override readonly name = 'NpyError';
  /** Stable; the message is not. */
  readonly code: NpyErrorCode;

  constructor(code: NpyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Reads a `.npy` file of version 1.0, 2.0 or 3.0 into a dense row-major array: either byte order, C or Fortran order.
 * Element types are numpy's bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64 and complex128.
 *
 * The elements are a view of `bytes` if they are in C order, in the platform's byte order and aligned, as in every file
 * that NumPy writes by default and that is held in an `ArrayBuffer` of its own. Otherwise they are a copy. Copy the
 * result before you change the bytes.
 *
 * @param bytes The whole file, and nothing else.
 * @throws NpyError `input`, `magic`, `version`, `header`, `shape`, `dtype`, `truncated`, `trailing` or `allocation`.
 * Python objects (pickles), records, strings and dates are refused with code `dtype`: nothing in a file is ever run.
 * @example
 * const weights = parseNpy(await (await fetch('weights.npy')).arrayBuffer());
 * weights.shape; // [64, 3]
 * if (weights.dtype === 'f32') bl.mul(weights, { data: new Float32Array([2]), shape: [1] });
 */
export function parseNpy(bytes: ArrayBufferLike | ArrayBufferView): NdArray<NpyDType> {
  const file = viewBytes(bytes, 'The bytes of a .npy file');
  const { fields, begin } = readHeader(file);
  const { type, isSwapped } = readDescr(fields.descr);
  const { shape } = fields;

  const length = countElements(shape) * BigInt(type.itemBytes);
  const present = file.length - begin;
  if (length > present) {
    throw new NpyError('truncated', endsEarly(formatExtents(shape), type.dtype, length, present));
  }
  if (length < present) {
    const end = begin + Number(length);
    throw new NpyError('trailing', goesOn(end, file.length));
  }

  const width = type.holder.BYTES_PER_ELEMENT; // of a complex number: half of it
  let elements = file.subarray(begin);
  if (fields.isFortran && shape.filter((extent) => extent > 1).length > 1) {
    elements = toRowMajor(elements, shape, type.itemBytes);
  } else if (isSwapped || elements.byteOffset % width !== 0) {
    elements = copy(elements);
  }
  if (isSwapped) swapBytes(elements, width);
  const data = new type.holder(elements.buffer, elements.byteOffset, elements.length / width);
  return { data, shape, dtype: type.dtype } as NdArray<NpyDType>;
}

/**
 * Writes an array as a `.npy` file, with the same bytes as NumPy: version 1.0 (2.0 if the header is too long for it), C
 * order, the elements at a multiple of 64 bytes. Elements of bool are written as 0 and 1.
 *
 * The format has no names for bf16, 8-bit floats and packed types: write their bits,
 * `formatNpy({ ...array, dtype: 'u16' })`, and read them in Python with `np.load(file).view(ml_dtypes.bfloat16)`.
 *
 * @param array In any form that operators take: with strides, as nested lists, a tensor.
 * @returns The bytes, in a buffer of their own.
 * @throws NpyError `input`, `dtype`, `shape`, `length` or `allocation`.
 * @example
 * const file = formatNpy({ data: new Float32Array([1, 2, 3]), shape: [3] });
 * file.length; // 140
 */
export function formatNpy<const A extends AnyOperand>(array: Fit<A, ProblemAlone<A, NpyDType>>): OwnBytes {
  const { type, shape, elements } = readArray(array);
  const header = formatHeader(type, shape);
  const file = allocate(header.length + elements.length);
  file.set(header);
  // In the package any nonzero byte is true; NumPy expects 1.
  file.set(type.dtype === 'bool' ? elements.map((byte) => (byte === 0 ? 0 : 1)) : elements, header.length);
  return file;
}

// --- Element types ----------------------------------------------------------------------------------------------------

/** One of NumPy's types: its name in files, its name in the package, and the typed array that holds its elements. */
interface NpyType {
  /** Kind and size, without the byte order. */
  readonly code: string;
  readonly itemBytes: number;
  readonly dtype: NpyDType;
  readonly holder: ArrayType<TypedArray>;
}

interface ArrayType<A> {
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): A;
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
}

const row = <D extends NpyDType>(
  code: string,
  dtype: D,
  holder: NpyType['holder'] & { readonly prototype: DataOf[D] },
): NpyType => ({ code, itemBytes: Number(code.slice(1)), dtype, holder });

const TYPES: readonly NpyType[] = [
  row('b1', 'bool', Uint8Array),
  row('i1', 'i8', Int8Array),
  row('i2', 'i16', Int16Array),
  row('i4', 'i32', Int32Array),
  row('i8', 'i64', BigInt64Array),
  row('u1', 'u8', Uint8Array),
  row('u2', 'u16', Uint16Array),
  row('u4', 'u32', Uint32Array),
  row('u8', 'u64', BigUint64Array),
  row('f2', 'f16', Uint16Array),
  row('f4', 'f32', Float32Array),
  row('f8', 'f64', Float64Array),
  row('c8', 'c64', Float32Array),
  row('c16', 'c128', Float64Array),
];

const HOST_ORDER = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? '<' : '>';

/** The type that a header's `descr` names, and whether its bytes are in the other order than the platform's. */
function readDescr(descr: string): { type: NpyType; isSwapped: boolean } {
  const [, order, code] = /^([<>|])(\w+)$/.exec(descr) ?? [];
  const type = TYPES.find((candidate) => candidate.code === code);
  if (type === undefined || (order === '|' && type.itemBytes > 1)) throw refuseDescr(descr);
  return { type, isSwapped: order !== HOST_ORDER && type.itemBytes > 1 };
}

// Other types that NumPy and ml_dtypes write, and how to convert each of them in Python.
const FOREIGN: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\|?O/, 'Python objects, which would have to be run to be read; save numbers: array.astype(np.float32)'],
  [
    /^.?V2$/,
    "raw bytes, as bfloat16 is written; save array.view(np.uint16), and read that as {...array, dtype: 'bf16'}",
  ],
  [
    /^.?(V1|f1)$/,
    "raw bytes, as small floats are written; save array.view(np.uint8), and read that as {...array, dtype: 'f8e4m3'} or 'f8e5m2'",
  ],
  [/^.?V/, 'raw bytes; save them as numbers: array.view(np.uint8)'],
  [/^.?f(12|16)$/, 'long doubles; save array.astype(np.float64)'],
  [/^.?c(24|32)$/, 'complex long doubles; save array.astype(np.complex128)'],
  [/^.?[USa]/, 'texts; save numbers'],
  [/^.?[Mm]/, 'dates or durations; save array.view(np.int64)'],
];

function refuseDescr(descr: string): NpyError {
  const foreign = FOREIGN.find(([pattern]) => pattern.test(descr))?.[1];
  const known = TYPES.map(({ code }) => code).join(' ');
  const what = foreign ?? `of no type that is read; there are ${known}, after < or >`;
  return new NpyError('dtype', `The .npy file's elements, ${quote(descr)}, are ${what}.`);
}

// The types that a file cannot name: how to write their bits, and how to read them in Python.
const AS_BITS: { readonly [D in Exclude<DType, NpyDType>]: readonly [written: string, read: string] } = {
  bf16: ["{ ...array, dtype: 'u16' }", 'np.load(file).view(ml_dtypes.bfloat16)'],
  f8e4m3: ["{ ...array, dtype: 'u8' }", 'np.load(file).view(ml_dtypes.float8_e4m3fn)'],
  f8e5m2: ["{ ...array, dtype: 'u8' }", 'np.load(file).view(ml_dtypes.float8_e5m2)'],
  i4: ['{ data, shape: [data.length] }', 'np.load(file), two elements a byte, the low half first'],
  u4: ['{ data, shape: [data.length] }', 'np.load(file), two elements a byte, the low half first'],
  u1: ['{ data, shape: [data.length] }', 'np.unpackbits(np.load(file))'],
};

function refuseDType(dtype: unknown): NpyError {
  if (typeof dtype !== 'string' || !Object.hasOwn(AS_BITS, dtype)) {
    const known = TYPES.map((type) => type.dtype).join(' ');
    return new NpyError('dtype', `There is no element type ${quote(dtype)} for a .npy file. There are: ${known}.`);
  }
  const [written, read] = AS_BITS[dtype as keyof typeof AS_BITS];
  const message = `A .npy file has no name for ${dtype}. Write its bits, ${written}; in Python they are ${read}.`;
  return new NpyError('dtype', message);
}

// --- Headers ----------------------------------------------------------------------------------------------------------

const MAGIC = '\x93NUMPY';

/** The offset of the elements is a multiple of this many bytes. */
const ALIGNMENT = 64;

/** NumPy pads the header so that the first extent can grow to this many digits. */
const GROWING_DIGITS = 21;

interface HeaderFields {
  readonly descr: string;
  readonly isFortran: boolean;
  readonly shape: number[];
}

/** The header's fields, and the offset of the elements. */
function readHeader(file: Uint8Array): { fields: HeaderFields; begin: number } {
  const start = latin1(file, 0, MAGIC.length);
  if (start !== MAGIC) {
    const hint = start.startsWith('PK')
      ? 'It may be an .npz file: a zip archive of .npy files, to be unpacked first.'
      : "Write one with np.save('file.npy', array).";
    throw new NpyError('magic', `These bytes are no .npy file: they do not begin with \\x93NUMPY. ${hint}`);
  }
  const [major, minor] = file.subarray(MAGIC.length);
  if (major !== undefined && minor !== undefined && (major < 1 || major > 3 || minor !== 0)) {
    throw new NpyError('version', `Version ${major}.${minor} of .npy is unknown; 1.0, 2.0 and 3.0 are read.`);
  }
  const lengthBytes = major === 1 ? 2 : 4;
  const textBegin = MAGIC.length + 2 + lengthBytes;
  if (file.length < textBegin) throw new NpyError('truncated', 'The .npy file ends within its header.');
  const view = new DataView(file.buffer, file.byteOffset + MAGIC.length + 2, lengthBytes);
  const length = lengthBytes === 2 ? view.getUint16(0, true) : view.getUint32(0, true);
  if (length > MOST_HEADER_BYTES) {
    const message = `The .npy file's header claims ${length} bytes; at most ${MOST_HEADER_BYTES} are read.`;
    throw new NpyError('header', message);
  }
  const begin = textBegin + length;
  if (file.length < begin) {
    const message = `The .npy file ends within its header, which takes ${length} bytes from byte ${textBegin} on.`;
    throw new NpyError('truncated', message);
  }
  return { fields: readDict(latin1(file, textBegin, begin)), begin };
}

// The encoding does not matter: characters that are not ASCII occur only in names, which are refused. TextDecoder does
// not take shared memory.
function latin1(bytes: Uint8Array, begin: number, end: number): string {
  let text = '';
  for (const byte of bytes.subarray(begin, end)) text += String.fromCharCode(byte);
  return text;
}

/** Parses a Python dict literal with exactly the keys `descr`, `fortran_order` and `shape`, as the format requires. */
function readDict(text: string): HeaderFields {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at; // the patterns are sticky
    const found = pattern.exec(text);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found.slice(1).find((group) => group !== undefined) ?? found[0];
  };
  const need = (pattern: RegExp, what: string): string => {
    const found = take(pattern);
    if (found !== undefined) return found;
    const rest = text.slice(at, at + 20).trimEnd();
    const instead = rest === '' ? 'but it ends' : `not ${quote(rest)}`;
    throw new NpyError('header', `The .npy file's header has to have ${what} at character ${at + 1}, ${instead}.`);
  };

  let descr: string | undefined;
  let isFortran: boolean | undefined;
  let shape: number[] | undefined;
  const readers: { readonly [key: string]: () => void } = {
    descr() {
      // Records and subarrays are refused, whatever their literals contain.
      if (/^[[(]/.test(text.slice(at))) {
        const message = "The .npy file holds records. Save one field of them: np.save('file.npy', array['name']).";
        throw new NpyError('dtype', message);
      }
      descr = need(STRING, 'an element type in quotes');
    },
    fortran_order() {
      isFortran = need(BOOLEAN, 'True or False') === 'True';
    },
    shape() {
      need(OPEN_TUPLE, 'a tuple');
      const extents: string[] = [];
      let hasComma = true;
      while (take(CLOSE_TUPLE) === undefined) {
        if (!hasComma) need(COMMA, 'a comma or )');
        extents.push(need(INTEGER, 'an extent'));
        hasComma = take(COMMA) !== undefined;
        // In Python (3) is a number and (3,) a tuple.
        if (extents.length === 1 && !hasComma) need(COMMA, 'a comma behind the first extent');
      }
      shape = extents.map((extent) => readExtent(extent));
    },
  };

  need(OPEN_DICT, 'a dict');
  const seen = new Set<string>();
  let hasComma = true;
  while (take(CLOSE_DICT) === undefined) {
    if (!hasComma) need(COMMA, 'a comma or }');
    const key = need(STRING, 'a key in quotes');
    const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
    if (read === undefined) throw new NpyError('header', `The .npy file's header has an unknown key ${quote(key)}.`);
    if (seen.has(key)) throw new NpyError('header', `The .npy file's header has the key ${quote(key)} twice.`);
    seen.add(key);
    need(COLON, 'a colon');
    read();
    hasComma = take(COMMA) !== undefined;
  }
  need(END, 'nothing more');
  if (descr === undefined || isFortran === undefined || shape === undefined) {
    const missing = Object.keys(readers).filter((key) => !seen.has(key));
    throw new NpyError('header', `The .npy file's header lacks ${missing.join(' and ')}.`);
  }
  return { descr, isFortran, shape };
}

// The tokens of the dict, each with the white space after it. No valid string contains an escape.
const OPEN_DICT = /\s*\{\s*/y;
const CLOSE_DICT = /\}\s*/y;
const OPEN_TUPLE = /\(\s*/y;
const CLOSE_TUPLE = /\)\s*/y;
const COLON = /:\s*/y;
const COMMA = /,\s*/y;
const STRING = /(?:'([^'\\\n]*)'|"([^"\\\n]*)")\s*/y;
const BOOLEAN = /(True|False)\b\s*/y;
const INTEGER = /(-?\d+)L?\b\s*/y; // Python 2 wrote long integers with an L
const END = /$/y;

function readExtent(text: string): number {
  const extent = Number(text);
  if (extent >= 0 && Number.isSafeInteger(extent)) return extent + 0; // -0 is 0
  const reason = extent < 0 ? 'is negative' : 'is larger than a number holds exactly, 2^53 - 1';
  throw new NpyError('shape', `The .npy file's shape has the extent ${shorten(text)}, which ${reason}.`);
}

function formatHeader(type: NpyType, shape: readonly Extent[]): Uint8Array {
  const descr = `${type.itemBytes > 1 ? HOST_ORDER : '|'}${type.code}`;
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const room = shape.length > 0 ? GROWING_DIGITS - String(shape[0]).length : 0;
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }${' '.repeat(room)}`;

  const padded = (lengthBytes: number) => {
    const unpadded = MAGIC.length + 2 + lengthBytes + dict.length + 1;
    return unpadded + ALIGNMENT - (unpadded % ALIGNMENT);
  };
  const major = padded(2) - MAGIC.length - 4 < 2 ** 16 ? 1 : 2;
  const lengthBytes = major === 1 ? 2 : 4;
  const begin = padded(lengthBytes);
  const textBegin = MAGIC.length + 2 + lengthBytes;
  if (begin - textBegin > MOST_HEADER_BYTES) {
    throw new NpyError('shape', `${shape.length} axes are too many for the header of a .npy file.`);
  }

  const header = new Uint8Array(begin).fill(' '.charCodeAt(0));
  const put = (text: string, at: number) =>
    header.set(
      Uint8Array.from(text, (letter) => letter.charCodeAt(0)),
      at,
    );
  put(MAGIC, 0);
  header.set([major, 0], MAGIC.length);
  const view = new DataView(header.buffer, MAGIC.length + 2);
  if (lengthBytes === 2) view.setUint16(0, begin - textBegin, true);
  else view.setUint32(0, begin - textBegin, true);
  put(dict, textBegin);
  put('\n', begin - 1);
  return header;
}

// --- Elements ---------------------------------------------------------------------------------------------------------

/** The elements of a Fortran array (column-major) in row-major order. */
function toRowMajor(elements: Uint8Array, shape: readonly number[], itemBytes: number): Uint8Array {
  // Moved as integers: moving floats may change the bits of a NaN.
  const Word: ArrayType<Uint8Array | Uint16Array | Uint32Array> =
    itemBytes === 1 ? Uint8Array : itemBytes === 2 ? Uint16Array : Uint32Array;
  const words = itemBytes / Word.BYTES_PER_ELEMENT;
  const source = elements.byteOffset % Word.BYTES_PER_ELEMENT === 0 ? elements : copy(elements);
  const result = allocate(elements.length);
  const from = new Word(source.buffer, source.byteOffset, source.length / Word.BYTES_PER_ELEMENT);
  const to = new Word(result.buffer, 0, from.length);

  const outer: { extent: number; stride: number; index: number }[] = [];
  let stride = words;
  for (const extent of shape) {
    if (extent !== 1) outer.push({ extent, stride, index: 0 });
    stride *= extent;
  }
  const inner = outer.pop() ?? { extent: 1, stride };
  let start = 0;
  for (let written = 0; written < to.length;) {
    const end = start + inner.extent * inner.stride;
    for (let element = start; element < end; element += inner.stride) {
      for (let word = 0; word < words; ++word) to[written++] = from[element + word] as number;
    }
    for (let axis = outer.length - 1; axis >= 0; --axis) {
      const loop = outer[axis] as (typeof outer)[number];
      start += loop.stride;
      if (++loop.index < loop.extent) break;
      start -= loop.stride * loop.extent;
      loop.index = 0;
    }
  }
  return result;
}

function swapBytes(bytes: Uint8Array, width: number): void {
  for (let begin = 0; begin < bytes.length; begin += width) {
    for (let low = begin, high = begin + width - 1; low < high; ++low, --high) {
      const byte = bytes[low] as number;
      bytes[low] = bytes[high] as number;
      bytes[high] = byte;
    }
  }
}

function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = allocate(bytes.length);
  result.set(bytes);
  return result;
}

function allocate(length: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new NpyError('allocation', `${length} bytes of memory were refused. Free some, or take a smaller array.`, {
      cause,
    });
  }
}

// --- Arguments --------------------------------------------------------------------------------------------------------

/** The bytes of `source`, as a view of the same memory. `what` names it in the error. */
function viewBytes(source: unknown, what: string): Uint8Array {
  try {
    // By the platform's getters: the object's own properties may differ.
    if (typedArrayName.call(source) !== undefined) {
      return new Uint8Array(bufferOf.call(source), byteOffsetOf.call(source), byteLengthOf.call(source));
    }
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (/Buffer\]$/.test(Object.prototype.toString.call(source))) return new Uint8Array(source as ArrayBuffer);
  } catch (cause) {
    throw new NpyError('input', `${what} cannot be read: the memory was detached.`, { cause });
  }
  throw new NpyError('input', `${what} have to be an ArrayBuffer or a Uint8Array, not ${quote(source)}.`);
}

/** An array in any form that operators take; its elements dense and row-major. */
function readArray(array: unknown): { type: NpyType; shape: Extent[]; elements: Uint8Array } {
  try {
    return readRecognised(recogniseAny(array));
  } catch (fault) {
    if (!isFormFault(fault)) throw fault;
    const { code, dtype } = fault.fields;
    if (code === 'unknown') throw refuseDType(fault.value);
    const own: NpyErrorCode =
      code === 'length' ? code : code === 'extent' || code === 'incompatible' ? 'shape' : dtype ? 'dtype' : 'input';
    throw new NpyError(own, `The array: ${fault.message}`, { cause: fault });
  }
}

function recogniseAny(array: unknown): Recognised {
  let given = array;
  if (Tensor.isOne(array)) {
    try {
      given = { data: array.read() as unknown, shape: array.shape, dtype: array.dtype };
    } catch (cause) {
      throw new NpyError('input', (cause as Error).message, { cause });
    }
  }
  const recognised = recognise(given);
  if (recognised === null) throw noArray(given);
  return recognised;
}

function readRecognised({ data, shape: given, dtype, strides, offset, plain }: Recognised) {
  const name = dtype ?? (plain as { readonly fallback: DType }).fallback;
  const type = TYPES.find((candidate) => candidate.dtype === name);
  if (type === undefined) throw refuseDType(name);
  const shape = readShape(given);
  if (plain !== undefined) {
    return { type, shape, elements: viewBytes(fill(plain.values, shape as number[], name), 'Values') };
  }
  if (strides === undefined && offset === 0) {
    const elements = viewBytes(data, "The array's data");
    const length = countElements(shape) * BigInt(type.itemBytes);
    if (BigInt(elements.length) === length) return { type, shape, elements };
    const needed = `The shape ${formatExtents(shape)} of ${type.dtype} takes ${length} bytes`;
    throw new NpyError('length', `${needed}, but data has ${elements.length}.`);
  }
  const source = sourceOf(data as TypedArray, name, shape.map(Number), strides, offset);
  const bytes = viewBytes(data, "The array's data");
  if (source.dense || source.count === 0) {
    const begin = source.count === 0 ? 0 : source.offset * type.holder.BYTES_PER_ELEMENT;
    return { type, shape, elements: bytes.subarray(begin, begin + source.count * type.itemBytes) };
  }
  const elements = allocate(source.count * type.itemBytes);
  const into = new (holderOf(name))(elements.buffer, 0, source.count * entriesOf(name));
  gather(source, 0, source.count, into, 0);
  return { type, shape, elements };
}

function readShape(given: unknown): Extent[] {
  const isTyped = typedArrayName.call(given) !== undefined;
  const length = isTyped ? lengthOf.call(given) : listLength(given);
  if (length === -1) {
    throw new NpyError('shape', `shape has to be a list of whole numbers, not ${quote(given)}.`);
  }
  const shape: Extent[] = [];
  for (let axis = 0; axis < length; ++axis) {
    let extent: unknown;
    try {
      extent = (given as ArrayLike<unknown>)[axis];
    } catch (cause) {
      throw fromElsewhere(`reading the extent of axis ${axis}`, cause);
    }
    const isWhole = typeof extent === 'bigint' ? extent < 2n ** 63n : Number.isSafeInteger(extent);
    if (!isWhole || (extent as Extent) < 0) {
      throw new NpyError('shape', `Axis ${axis}: an extent is a whole number from 0 on, not ${quote(extent)}.`);
    }
    shape.push(extent === 0 ? 0 : (extent as Extent)); // -0 is 0
  }
  return shape;
}

/** A short text for any value. */
function quote(value: unknown): string {
  if (typeof value === 'string') return inQuotes(shorten(value));
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}
