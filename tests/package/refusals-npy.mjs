// Errors of reading and writing .npy files; as in refusals.mjs.

import { load } from 'broadloom';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { f32 } from './arrays.mjs';

const bl = await load();

function refuse() {
  throw new Error('not today');
}

/** A file of version `major` with this header, and zeros as elements. */
function file(header, elementBytes = 0, major = 1) {
  const start = Buffer.from(
    `\x93NUMPY${String.fromCharCode(major, 0, header.length % 256, header.length >> 8)}`,
    'latin1',
  );
  return new Uint8Array(Buffer.concat([start, Buffer.from(header), Buffer.alloc(elementBytes)]));
}

const dict = (descr, shape, order = 'False') => `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}}`;

/** A file of version 2.0 that claims a header of 2 MiB. */
const long = new Uint8Array(Buffer.from('\x93NUMPY\x02\x00\x00\x00\x20\x00', 'latin1'));

/** A view of detached memory. */
function gone(view) {
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

function disposed(tensor) {
  tensor.dispose();
  return tensor;
}

/** By subject: [call, class or class.detail, message]. */
export const REFUSALS = {
  'Reading .npy files': [
    [() => parseNpy('x'), 'input', 'The bytes of a .npy file have to be an ArrayBuffer or a Uint8Array, not "x".'],
    [() => parseNpy({}), 'input', 'The bytes of a .npy file have to be an ArrayBuffer or a Uint8Array, not an object.'],
    [
      () => parseNpy(() => {}),
      'input',
      'The bytes of a .npy file have to be an ArrayBuffer or a Uint8Array, not a function.',
    ],
    [() => parseNpy(5), 'input', 'The bytes of a .npy file have to be an ArrayBuffer or a Uint8Array, not 5.'],
    [
      () => parseNpy(gone(new DataView(new ArrayBuffer(8)))),
      'input',
      'The bytes of a .npy file cannot be read: the memory was detached.',
    ],
    [
      () => parseNpy(new Uint8Array(8)),
      'magic',
      "These bytes are no .npy file: they do not begin with \\x93NUMPY. Write one with np.save('file.npy', array).",
    ],
    [
      () => parseNpy(Buffer.from('PK\x03\x04')),
      'magic',
      'These bytes are no .npy file: they do not begin with \\x93NUMPY. It may be an .npz file: a zip archive of .npy files, to be unpacked first.',
    ],
    [
      () => parseNpy(file(dict("'<f4'", '()'), 4, 9)),
      'version',
      'Version 9.0 of .npy is unknown; 1.0, 2.0 and 3.0 are read.',
    ],
    [() => parseNpy(file('').subarray(0, 9)), 'truncated', 'The .npy file ends within its header.'],
    [
      () => parseNpy(file(dict("'<f4'", '()'), 4).subarray(0, 20)),
      'truncated',
      'The .npy file ends within its header, which takes 53 bytes from byte 10 on.',
    ],
    [() => parseNpy(long), 'header', "The .npy file's header claims 2097152 bytes; at most 1048576 are read."],
    [
      () => parseNpy(file(dict("'<f4'", '(2,)'), 7)),
      'truncated',
      'The .npy file ends too early. Its shape (2,) of f32 takes 8 bytes, but 7 are there.',
    ],
    [
      () => parseNpy(file(dict("'<f4'", '(2,)'), 9)),
      'trailing',
      'The array ends at byte 73, but the file has 74. Where a file holds several arrays, give the bytes of one of them.',
    ],
    [
      () => parseNpy(file(dict("'|O'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "|O", are Python objects, which would have to be run to be read; save numbers: array.astype(np.float32).',
    ],
    [
      () => parseNpy(file(dict("'|V2'", '(2,)'))),
      'dtype',
      "The .npy file's elements, \"|V2\", are raw bytes, as bfloat16 is written; save array.view(np.uint16), and read that as {...array, dtype: 'bf16'}.",
    ],
    [
      () => parseNpy(file(dict("'<f1'", '(2,)'))),
      'dtype',
      "The .npy file's elements, \"<f1\", are raw bytes, as small floats are written; save array.view(np.uint8), and read that as {...array, dtype: 'f8e4m3'} or 'f8e5m2'.",
    ],
    [
      () => parseNpy(file(dict("'|V5'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "|V5", are raw bytes; save them as numbers: array.view(np.uint8).',
    ],
    [
      () => parseNpy(file(dict("'<f16'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "<f16", are long doubles; save array.astype(np.float64).',
    ],
    [
      () => parseNpy(file(dict("'<c32'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "<c32", are complex long doubles; save array.astype(np.complex128).',
    ],
    [
      () => parseNpy(file(dict("'<U5'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "<U5", are texts; save numbers.',
    ],
    [
      () => parseNpy(file(dict("'<M8[ns]'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "<M8[ns]", are dates or durations; save array.view(np.int64).',
    ],
    [
      () => parseNpy(file(dict("'|f4'", '(2,)'))),
      'dtype',
      'The .npy file\'s elements, "|f4", are of no type that is read; there are b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16, after < or >.',
    ],
    [
      () => parseNpy(file(dict("[('a', '<f4')]", '(2,)'))),
      'dtype',
      "The .npy file holds records. Save one field of them: np.save('file.npy', array['name']).",
    ],
    [() => parseNpy(file('x')), 'header', 'The .npy file\'s header has to have a dict at character 1, not "x".'],
    [
      () => parseNpy(file('{')),
      'header',
      "The .npy file's header has to have a key in quotes at character 2, but it ends.",
    ],
    [
      () => parseNpy(file('{2')),
      'header',
      'The .npy file\'s header has to have a key in quotes at character 2, not "2".',
    ],
    [() => parseNpy(file("{'a': 1}")), 'header', 'The .npy file\'s header has an unknown key "a".'],
    [
      () => parseNpy(file("{'descr' 1}")),
      'header',
      'The .npy file\'s header has to have a colon at character 10, not "1}".',
    ],
    [
      () => parseNpy(file("{'descr': 1}")),
      'header',
      'The .npy file\'s header has to have an element type in quotes at character 11, not "1}".',
    ],
    [
      () => parseNpy(file("{'descr': '<f4', 'descr': '<f4'}")),
      'header',
      'The .npy file\'s header has the key "descr" twice.',
    ],
    [
      () => parseNpy(file("{'descr': '<f4' 'shape': ()}")),
      'header',
      "The .npy file's header has to have a comma or } at character 17, not \"'shape': ()}\".",
    ],
    [
      () => parseNpy(file(dict("'<f4'", '()', '0'))),
      'header',
      "The .npy file's header has to have True or False at character 35, not \"0, 'shape': ()}\".",
    ],
    [
      () => parseNpy(file(dict("'<f4'", '[2]'))),
      'header',
      'The .npy file\'s header has to have a tuple at character 51, not "[2]}".',
    ],
    [
      () => parseNpy(file(dict("'<f4'", '(x)'))),
      'header',
      'The .npy file\'s header has to have an extent at character 52, not "x)}".',
    ],
    [
      () => parseNpy(file(dict("'<f4'", '(2)'))),
      'header',
      'The .npy file\'s header has to have a comma behind the first extent at character 53, not ")}".',
    ],
    [
      () => parseNpy(file(dict("'<f4'", '(2, 3 4)'))),
      'header',
      'The .npy file\'s header has to have a comma or ) at character 57, not "4)}".',
    ],
    [
      () => parseNpy(file("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x")),
      'header',
      'The .npy file\'s header has to have nothing more at character 55, not "x".',
    ],
    [() => parseNpy(file("{'descr': '<f4'}")), 'header', "The .npy file's header lacks fortran_order and shape."],
    [
      () => parseNpy(file(dict("'<f4'", '(-2,)'))),
      'shape',
      "The .npy file's shape has the extent -2, which is negative.",
    ],
    [
      () => parseNpy(file(dict("'<f4'", '(9007199254740992,)'))),
      'shape',
      "The .npy file's shape has the extent 9007199254740992, which is larger than a number holds exactly, 2^53 - 1.",
    ],
  ],
  'Writing .npy files': [
    [
      () => formatNpy(5n ** 100n),
      'dtype',
      'The array: 7888609052210118054117285652827862296732064351090230047702789306640625n is not held by i64 (-9223372036854775808 to 9223372036854775807); f64 does.',
    ],
    [() => formatNpy('x'), 'input', 'The array: it has to be an array, as {data, shape} or otherwise, not "x".'],
    [
      () => formatNpy({ data: new Float32Array(1), shape: 5 }),
      'shape',
      'shape has to be a list of whole numbers, not 5.',
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: Object.defineProperty([1], 0, { get: refuse }) }),
      'input',
      'The array: reading the extent of axis 0 failed: not today.',
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: [1.5] }),
      'shape',
      'Axis 0: an extent is a whole number from 0 on, not 1.5.',
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: [2] }),
      'length',
      'The shape (2,) of f32 takes 8 bytes, but data has 4.',
    ],
    [
      () => formatNpy({ data: new Uint16Array(1), shape: [1], dtype: 'bf16' }),
      'dtype',
      "A .npy file has no name for bf16. Write its bits, { ...array, dtype: 'u16' }; in Python they are np.load(file).view(ml_dtypes.bfloat16).",
    ],
    [
      () => formatNpy({ data: new Uint8Array(1), shape: [1], dtype: 'f8e4m3' }),
      'dtype',
      "A .npy file has no name for f8e4m3. Write its bits, { ...array, dtype: 'u8' }; in Python they are np.load(file).view(ml_dtypes.float8_e4m3fn).",
    ],
    [
      () => formatNpy({ data: new Uint8Array(1), shape: [1], dtype: 'f8e5m2' }),
      'dtype',
      "A .npy file has no name for f8e5m2. Write its bits, { ...array, dtype: 'u8' }; in Python they are np.load(file).view(ml_dtypes.float8_e5m2).",
    ],
    [
      () => formatNpy({ data: new Uint8Array(1), shape: [1], dtype: 'i4' }),
      'dtype',
      'A .npy file has no name for i4. Write its bits, { data, shape: [data.length] }; in Python they are np.load(file), two elements a byte, the low half first.',
    ],
    [
      () => formatNpy({ data: new Uint8Array(1), shape: [1], dtype: 'u4' }),
      'dtype',
      'A .npy file has no name for u4. Write its bits, { data, shape: [data.length] }; in Python they are np.load(file), two elements a byte, the low half first.',
    ],
    [
      () => formatNpy({ data: new Uint8Array(1), shape: [1], dtype: 'u1' }),
      'dtype',
      'A .npy file has no name for u1. Write its bits, { data, shape: [data.length] }; in Python they are np.unpackbits(np.load(file)).',
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: [1], dtype: 'f33' }),
      'dtype',
      'There is no element type "f33" for a .npy file. There are: bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 c64 c128.',
    ],
    [() => formatNpy({ data: [1], shape: [1] }), 'input', 'The array: data has to be a typed array, not a list.'],
    [
      () => formatNpy({ data: new Float32Array(1), shape: Array(400_000).fill(1) }),
      'shape',
      '400000 axes are too many for the header of a .npy file.',
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: [2], strides: [1] }),
      'length',
      'The array: the stride 1 of axis 0 leads to element 1, counted from 0, but the data has 1: stay within it.',
    ],
    [
      () => formatNpy({ data: gone(new Float32Array(2)), shape: [2] }),
      'input',
      "The array's data cannot be read: the memory was detached.",
    ],
    [
      () => formatNpy({ data: new Float32Array(1), shape: [2 ** 45], strides: [0] }),
      'allocation',
      '140737488355328 bytes of memory were refused. Free some, or take a smaller array.',
    ],
    [() => formatNpy(disposed(bl.tensor(f32([1])))), 'input', 'This tensor was disposed of: make another one.'],
    [
      () => formatNpy([[1], [2, 3]]),
      'length',
      'The array: [1] has 2 entries, [0] has 1: all lists of a level have to be alike.',
    ],
  ],
};
