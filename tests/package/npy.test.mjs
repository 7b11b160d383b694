// `.npy` files: NumPy's files are read as NumPy reads them, and written as NumPy writes them; invalid files are
// rejected.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from 'broadloom';
import { formatNpy, NpyError, parseNpy } from 'broadloom/npy';

const folder = new URL('npy/', import.meta.url);
const { answers, refusals } = JSON.parse(readFileSync(new URL('answers.json', folder), 'utf8'));
// An ArrayBuffer with nothing else in it, as `fetch` returns.
const file = (name) => new Uint8Array(readFileSync(new URL(`${name}.npy`, folder)));

const HELD = {
  b1: ['bool', Uint8Array],
  i1: ['i8', Int8Array],
  i2: ['i16', Int16Array],
  i4: ['i32', Int32Array],
  i8: ['i64', BigInt64Array],
  u1: ['u8', Uint8Array],
  u2: ['u16', Uint16Array],
  u4: ['u32', Uint32Array],
  u8: ['u64', BigUint64Array],
  f2: ['f16', Uint16Array],
  f4: ['f32', Float32Array],
  f8: ['f64', Float64Array],
  c8: ['c64', Float32Array],
  c16: ['c128', Float64Array],
};

const bytesOf = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength);

function fault(call, code, words = /\S/) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof NpyError, `a NpyError, not ${error?.stack}`);
    assert.equal(error.name, 'NpyError');
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  });
}

/** A file of version `major` with this header, and zeros as elements. */
function made(header, elementBytes = 0, major = 1) {
  const length = Buffer.alloc(major === 1 ? 2 : 4);
  length.writeUIntLE(header.length, 0, length.length);
  const start = Buffer.concat([Buffer.from('\x93NUMPY', 'latin1'), Buffer.from([major, 0]), length]);
  return new Uint8Array(Buffer.concat([start, Buffer.from(header, 'latin1'), Buffer.alloc(elementBytes)]));
}

const dict = (descr, shape, order = 'False') => `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;

for (const [name, { type, shape, hex }] of Object.entries(answers)) {
  test(`${name}.npy is read as NumPy reads it`, () => {
    const [dtype, Holder] = HELD[type];
    const check = (array) => {
      assert.equal(array.dtype, dtype);
      assert.equal(array.data.constructor, Holder);
      assert.deepEqual(array.shape, shape);
      assert.equal(bytesOf(array.data).toString('hex'), hex);
    };
    const bytes = file(name);
    check(parseNpy(bytes));
    check(parseNpy(bytes.buffer));
    check(parseNpy(Buffer.from(bytes)));
    // At every offset, aligned or not, and in shared memory.
    for (let offset = 0; offset < 16; ++offset) {
      const shifted = new Uint8Array(new SharedArrayBuffer(bytes.length + 32), offset, bytes.length);
      shifted.set(bytes);
      check(parseNpy(shifted));
    }
    assert.deepEqual(bytes, file(name), 'the bytes are as they were');

    const written = formatNpy(parseNpy(bytes));
    check(parseNpy(written));
    assert.equal(written.byteLength, written.buffer.byteLength);
    const isNumPysOwn = !/big|fortran|version/.test(name);
    if (isNumPysOwn) assert.deepEqual(written, bytes, 'written byte for byte as NumPy does');
  });
}

for (const name of refusals) {
  test(`${name}.npy is rejected, and the message says what to do`, () => {
    fault(() => parseNpy(file(name)), 'dtype', /save|Save/);
  });
}

test('elements are a view if possible, else a copy', () => {
  const isView = (array, bytes) => array.data.buffer === bytes.buffer;
  const plain = file('f4');
  const array = parseNpy(plain);
  assert.ok(isView(array, plain));
  array.data[0] = 42;
  assert.equal(parseNpy(plain).data[0], 42);
  assert.ok(isView(parseNpy(file('one-axis-fortran')), file('one-axis-fortran')) === false);
  for (const name of ['f4-big', 'f4-fortran', 'f4-big-fortran']) {
    const bytes = file(name);
    assert.ok(!isView(parseNpy(bytes), bytes), name);
  }
  const odd = new Uint8Array(plain.length + 1).subarray(1);
  odd.set(plain);
  assert.ok(!isView(parseNpy(odd), odd));
  const oneAxis = file('one-axis-fortran');
  assert.ok(isView(parseNpy(oneAxis), oneAxis));
});

test('every type is written and read back, with many shapes', () => {
  for (const [dtype, Holder] of Object.values(HELD)) {
    const parts = dtype.startsWith('c') ? 2 : 1;
    for (const shape of [[], [0], [1], [7], [2, 3], [4, 0, 5], [2, 1, 3, 2]]) {
      const count = shape.reduce((product, extent) => product * extent, 1) * parts;
      const data = new Holder(count);
      const bytes = bytesOf(data);
      bytes.forEach((_, i) => (bytes[i] = dtype === 'bool' ? i % 2 : (i * 37 + 11) % 256));
      const back = parseNpy(formatNpy({ data, shape, dtype }));
      assert.equal(back.dtype, dtype);
      assert.deepEqual(back.shape, shape);
      assert.deepEqual(bytesOf(back.data), bytes);
    }
  }
});

test('optional fields, and forms of shapes', () => {
  const data = new Float32Array([1, 2, 3, 4, 5, 6]);
  const expected = formatNpy({ data, shape: [2, 3], dtype: 'f32' });
  for (const shape of [[2, 3], [2n, 3n], new Int32Array([2, 3]), new BigInt64Array([2n, 3n])]) {
    assert.deepEqual(formatNpy({ data, shape }), expected);
  }
  assert.equal(parseNpy(formatNpy({ data: new Uint8Array(2), shape: [2] })).dtype, 'u8');
  assert.deepEqual(
    [...parseNpy(formatNpy({ data: new Uint8Array([0, 1, 7]), shape: [3], dtype: 'bool' })).data],
    [0, 1, 1],
  );
  const inside = new Float32Array(8).fill(9).subarray(1, 7);
  inside.set(data);
  assert.deepEqual(formatNpy({ data: inside, shape: [2, 3] }), expected);
  const pixels = new Uint8ClampedArray([0, 255]);
  assert.deepEqual(formatNpy({ data: pixels, shape: [2] }), formatNpy({ data: new Uint8Array(pixels), shape: [2] }));
  assert.throws(() => formatNpy({ data: pixels, shape: [2], dtype: 'bool' }), { code: 'dtype' });
  if (globalThis.Float16Array !== undefined) {
    const halves = new globalThis.Float16Array([1, 2]);
    assert.equal(parseNpy(formatNpy({ data: halves, shape: [2] })).dtype, 'f16');
  }
});

test('headers too long for version 1.0 are written as 2.0; too long headers are rejected', () => {
  const ones = (axes) => ({ data: new Uint8Array([5]), shape: new Array(axes).fill(1) });
  for (const axes of [20000, 21700, 21820, 30000]) {
    const written = formatNpy(ones(axes));
    assert.equal(written[6], written.length - 1 < 10 + 2 ** 16 ? 1 : 2);
    assert.equal((written.length - 1) % 64, 0);
    assert.equal(parseNpy(written).shape.length, axes);
  }
  assert.equal(formatNpy(ones(30000))[6], 2);
  fault(() => formatNpy(ones(400000)), 'shape');
});

test('operators take the arrays', async () => {
  const bl = await load();
  const sum = bl.add(parseNpy(file('version-2')), parseNpy(file('version-3')));
  assert.deepEqual([...parseNpy(formatNpy(sum)).data], [0, 2, 4, 6, 8, 10]);
});

test('headers in every valid spelling', () => {
  const same = (header, shape = [2, 3]) => {
    for (const major of [1, 2, 3]) {
      const array = parseNpy(made(header, 4 * shape.reduce((a, b) => a * b, 1), major));
      assert.deepEqual([array.dtype, array.shape], ['f32', shape]);
    }
  };
  same(`{"shape": (2, 3), "fortran_order": False, "descr": "<f4"}`);
  same(`{ 'fortran_order' : True , 'descr':'<f4','shape':( 2,3 , ) , } \n`);
  same(`\n{'descr':'>f4','fortran_order':False,'shape':(2L, 3L)}`); // as Python 2 wrote it
  same(dict(`'<f4'`, '()'), []);
  same(dict(`'<f4'`, '(3,)'), [3]);
  same(dict(`'<f4'`, '(0, 9007199254740991)'), [0, 2 ** 53 - 1]);
  same(dict(`'<f4'`, '(-0,)'), [0]);
  for (const order of '<>|') assert.equal(parseNpy(made(dict(`'${order}u1'`, '(1,)'), 1)).dtype, 'u8');
});

test('invalid headers', () => {
  const wrong = [
    '',
    '\n',
    '{',
    '{}',
    '[]',
    'x',
    `{'descr': '<f4'}`,
    `{'descr': '<f4', 'fortran_order': False}`,
    `{'descr': '<f4', 'fortran_order': False, 'shape': ()`,
    `${dict(`'<f4'`, '()')}x`,
    `${dict(`'<f4'`, '()')}{}`,
    `{'descr': '<f4', 'fortran_order': False, 'shape': (), 'more': 1}`,
    `{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}`,
    `{'descr': '<f4', 'fortran_order': False 'shape': ()}`,
    `{'descr': '<f4',, 'fortran_order': False, 'shape': ()}`,
    `{, 'descr': '<f4', 'fortran_order': False, 'shape': ()}`,
    `{'descr' '<f4', 'fortran_order': False, 'shape': ()}`,
    `{descr: '<f4', 'fortran_order': False, 'shape': ()}`,
    `{'__proto__': 1, 'descr': '<f4', 'fortran_order': False, 'shape': ()}`,
    dict('None', '()'),
    dict('4', '()'),
    dict(`'<f4`, '()'),
    dict(`'<\\x664'`, '()'),
    dict(`'<f4' '<f4'`, '()'),
    dict(`'<f4'`, '()', '0'),
    dict(`'<f4'`, '()', 'Falsehood'),
    dict(`'<f4'`, '()', 'None'),
    dict(`'<f4'`, '3'),
    dict(`'<f4'`, '(3)'),
    dict(`'<f4'`, '[3]'),
    dict(`'<f4'`, '(3'),
    dict(`'<f4'`, '(,)'),
    dict(`'<f4'`, '(3,,)'),
    dict(`'<f4'`, '(2 3)'),
    dict(`'<f4'`, '(2.5,)'),
    dict(`'<f4'`, '(0x3,)'),
    dict(`'<f4'`, '(1_0,)'),
    dict(`'<f4'`, '(True,)'),
    dict(`'<f4'`, `('3',)`),
    dict(`'<f4'`, '(__import__("os"),)'),
    dict(`'<f4'`, '((((((((((3,),),),),),),),),),)'),
  ];
  for (const header of wrong) {
    for (const major of [1, 2, 3]) fault(() => parseNpy(made(header, 64, major)), 'header', /header/);
  }
  fault(() => parseNpy(made(`{'descr': '<f4'}`)), 'header', /lacks fortran_order and shape/);
  fault(() => parseNpy(made('('.repeat(60000))), 'header');
  fault(() => parseNpy(made(' '.repeat(2 ** 21), 0, 2)), 'header', /claims 2097152 bytes/);
});

test('invalid element types', () => {
  for (const descr of [
    'f4',
    '=f4',
    '|f4',
    '<f5',
    '<f',
    '<b2',
    '<i16',
    '<u3',
    '<c4',
    '<f1',
    '<x4',
    '',
    '<',
    '<f4 ',
    '<f44',
  ]) {
    fault(() => parseNpy(made(dict(`'${descr}'`, '(2,)'), 64)), 'dtype');
  }
  fault(() => parseNpy(made(dict(`[('a', '<f4')]`, '(2,)'), 8)), 'dtype', /records/);
  fault(() => parseNpy(made(dict(`('<f4', (2,))`, '(2,)'), 16)), 'dtype', /records/);
  fault(() => parseNpy(made(dict(`'|O'`, '(2,)'), 16)), 'dtype', /Python objects/);
});

test('invalid shapes', () => {
  for (const shape of [
    '(-1,)',
    '(2, -3)',
    '(9007199254740992,)',
    `(${'9'.repeat(400)},)`,
    `(0, -${'9'.repeat(400)})`,
  ]) {
    fault(() => parseNpy(made(dict(`'<f4'`, shape), 8)), 'shape');
  }
});

test('files that are too short or too long', () => {
  const huge = ['(9007199254740991,)', `(${'9007199254740991, '.repeat(1000)})`, '(3, 1000000000000)'];
  for (const shape of huge) fault(() => parseNpy(made(dict(`'<f8'`, shape), 8)), 'truncated');
  for (const name of ['f4', 'version-2', 'c16', 'scalar', 'b1-fortran']) {
    const whole = file(name);
    for (let end = 6; end < whole.length; ++end) fault(() => parseNpy(whole.subarray(0, end)), 'truncated');
    for (let end = 0; end < 6; ++end) fault(() => parseNpy(whole.subarray(0, end)), 'magic');
    for (const more of [1, 4, 100]) {
      const longer = new Uint8Array(whole.length + more);
      longer.set(whole);
      fault(() => parseNpy(longer), 'trailing', new RegExp(`ends at byte ${whole.length}, but`));
    }
  }
});

test('files that are not .npy files', () => {
  fault(() => parseNpy(new TextEncoder().encode('PK\x03\x04 and so on')), 'magic', /npz/);
  fault(() => parseNpy(new TextEncoder().encode('<!doctype html>')), 'magic');
  for (const version of [
    [0, 0],
    [4, 0],
    [1, 1],
    [255, 255],
  ]) {
    const bytes = file('f4');
    bytes.set(version, 6);
    fault(() => parseNpy(bytes), 'version');
  }
  for (const wrong of [undefined, null, 0, 128, 1e300, 'x', [1, 2], {}, { length: 1e15 }, () => 1, Symbol('x'), 5n]) {
    fault(() => parseNpy(wrong), 'input');
  }
  const gone = file('f4');
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  fault(() => parseNpy(gone), 'input');
  fault(() => parseNpy(gone.buffer), 'input');
});

test('any changed byte gives an array or an NpyError', () => {
  for (const name of ['f4', 'c16-big-fortran', 'empty', 'version-3', 'records']) {
    const whole = file(name);
    const end = Math.min(whole.length, 140);
    for (let at = 0; at < end; ++at) {
      for (const byte of [0, 0x0a, 0x20, 0x27, 0x28, 0x2c, 0x2d, 0x39, 0x7d, 0xff]) {
        const spoilt = whole.slice();
        spoilt[at] = byte;
        try {
          const { data, shape } = parseNpy(spoilt);
          assert.ok(data.byteLength <= whole.length && shape.every((extent) => extent >= 0));
        } catch (error) {
          assert.ok(error instanceof NpyError, error.stack);
        }
      }
    }
  }
});

test('arrays that cannot be written', () => {
  const data = new Float32Array(6);
  for (const [dtype, Holder, words] of [
    ['bf16', Uint16Array, /'u16'.*bfloat16/],
    ['f8e4m3', Uint8Array, /'u8'.*float8_e4m3fn/],
    ['f8e5m2', Uint8Array, /'u8'.*float8_e5m2/],
    ['i4', Uint8Array, /low half first/],
    ['u4', Uint8Array, /low half first/],
    ['u1', Uint8Array, /unpackbits/],
  ]) {
    fault(() => formatNpy({ data: new Holder(2), shape: [2], dtype }), 'dtype', words);
  }
  for (const dtype of ['f64', 'i32', 'bool', 'c128', 'float33', '', 4, null, {}, 'toString']) {
    fault(() => formatNpy({ data, shape: [6], dtype }), 'dtype');
  }
  for (const wrong of [
    undefined,
    null,
    'x',
    {},
    new Float32Array(2),
    { data: [1, 2], shape: [2] },
    { data: null, shape: [] },
  ]) {
    fault(() => formatNpy(wrong), 'input');
  }
  fault(() => formatNpy({ data: new DataView(new ArrayBuffer(4)), shape: [1] }), 'input');
  for (const shape of [
    undefined,
    null,
    6,
    '6',
    {},
    [-6],
    [2.5],
    [NaN],
    ['6'],
    [2, , 3],
    [2n ** 63n],
    [-1n],
    [2 ** 53],
  ]) {
    fault(() => formatNpy({ data, shape }), 'shape');
  }
  for (const shape of [[], [5], [7], [0], [2, 4], [2 ** 40, 2 ** 40], [2n ** 62n, 2n ** 62n]]) {
    fault(() => formatNpy({ data, shape }), 'length');
  }
  fault(() => formatNpy({ data, shape: [3], dtype: 'c128' }), 'dtype');
  fault(() => formatNpy({ data, shape: [6], dtype: 'c64' }), 'length');
  const gone = new Float32Array(6);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  fault(() => formatNpy({ data: gone, shape: [6] }), 'input');
});
