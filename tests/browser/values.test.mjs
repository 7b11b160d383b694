// Values: reading typed lists, elements in typed arrays, sources of values, and undo.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { drawing, imported } from './modules.mjs';

const { readList } = await imported('values/typed-list.ts');
const { emptyArray, readerOf, writerOf, holds } = await imported('values/elements.ts');
const { exactText, shortened } = await imported('values/element-text.ts');
const { counting, random } = await imported('values/sources.ts');
const history = await imported('state/history.ts');
const { startOf } = await imported('model/typed-in.ts');
const bl = await load();
const types = bl.vocabulary.dtypes;

const listed = (text) => {
  const read = readList(text);
  return read.ok ? { values: read.list.values, shape: read.list.shape } : { message: read.message, span: read.span };
};

test('lists as Python, JavaScript and C++ write them, and as NumPy and PyTorch print them', () => {
  const cases = [
    ['[[1, 2], [3, 4]]', [1, 2, 3, 4], [2, 2]],
    ['((1,), (2,))', [1, 2], [2, 1]],
    ['{{1.f, -2.5f}, {.5f, 1e-3}}', [1, -2.5, 0.5, 0.001], [2, 2]],
    ['[[1. 2.]\n [3. 4.]]', [1, 2, 3, 4], [2, 2]],
    ['array([[1, 2],\n       [3, 4]], dtype=int32)', [1, 2, 3, 4], [2, 2]],
    ['tensor([[0.5, -1e3]], dtype=torch.float64)', [0.5, -1000], [1, 2]],
    ['x = np.array([1_000, +2])', [1000, 2], [2]],
    ['x = [1, 2]', [1, 2], [2]],
    ['1 2 3\n4 5 6\n', [1, 2, 3, 4, 5, 6], [2, 3]],
    ['1,2;3,4', [1, 2, 3, 4], [2, 2]],
    ['1\n2\n3', [1, 2, 3], [3, 1]],
    ['True, false', [true, false], [2]],
    ['nan -inf Infinity', [NaN, -Infinity, Infinity], [3]],
    [
      '1+2j -3i j',
      [
        [1, 2],
        [0, -3],
        [0, 1],
      ],
      [3],
    ],
    ['9007199254740993', [9007199254740993n], []],
    ['[]', [], [0]],
    ['[[], []]', [], [2, 0]],
  ];
  for (const [text, values, shape] of cases) assert.deepEqual(listed(text), { values, shape }, text);
});

test('a text that is no list is reported with the place at fault', () => {
  const cases = [
    ['', /no values yet/, ''],
    ['[1, x2]', /"x2" is not a value/, 'x2'],
    ['[1, [2]]', /mixed here/, '['],
    ['[[1], 2]', /mixed here/, '2'],
    ['[[1, 2], [3]]', /1 entry, the ones before it 2/, '[3]'],
    ['1 2\n3', /line has 1 entry/, '3'],
    ['[1, 2', /never closed/, '['],
    ['1]', /no list to close/, ']'],
    ['(1]', /closed by "\)"/, ']'],
    ['[1] [2]', /ends before this/, '['],
    ['[1 ... 9]', /left out here/, '...'],
    ['torch.tensor([1,', /never closed/, '('],
  ];
  for (const [text, message, marked] of cases) {
    const read = listed(text);
    assert.match(read.message ?? '', message, text);
    assert.equal(text.slice(read.span.begin, read.span.end), marked, text);
  }
});

test('no text throws, however long or deep it is', () => {
  for (const text of [
    '['.repeat(10_000),
    '[1,'.repeat(5_000),
    '1 '.repeat(50_000),
    ')',
    'f(',
    '=',
    '\u0000',
    '1e',
    '--1',
  ])
    assert.equal(typeof readList(text).ok, 'boolean');
});

test('every element type stores values and returns them', () => {
  for (const type of Object.values(types)) {
    const values = /^c/.test(type.name)
      ? [
          [1, -2],
          [0.5, 3],
        ]
      : type.name === 'u1'
        ? [1, 0]
        : [1, 2, 0, 3];
    const data = emptyArray(type, values.length);
    assert.equal(data.byteLength, Math.ceil((values.length * type.bits) / 8), type.name);
    const write = writerOf(type, data);
    values.forEach((value, i) => write(i, value));
    const read = readerOf(type, data);
    const wanted = values.map((value) =>
      Array.isArray(value)
        ? `${value[0]}${value[1] < 0 ? '-' : '+'}${Math.abs(value[1])}i`
        : type.kind === 'boolean'
          ? value !== 0
          : type.bits === 64 && type.kind !== 'float'
            ? BigInt(value)
            : value,
    );
    assert.deepEqual(
      values.map((_, i) => read(i)),
      wanted,
      type.name,
    );
    // What is written twice is what was written last, in packed types, too.
    write(0, values[1]);
    assert.deepEqual(read(0), wanted[1], type.name);
  }
});

test('integers wrap around as a cast does, from any number', () => {
  for (const name of ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64']) {
    const type = types[name];
    const data = emptyArray(type, 1);
    const write = writerOf(type, data);
    const wrap = name.startsWith('i') ? BigInt.asIntN : BigInt.asUintN;
    for (const value of [-1n, 255n, 2n ** 31n, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 64n - 1n]) {
      write(0, value);
      assert.equal(BigInt(data[0]), wrap(type.bits, value), `${name} ${value}`);
      if (Number.isSafeInteger(Number(value))) {
        write(0, Number(value));
        assert.equal(BigInt(data[0]), wrap(type.bits, value), `${name} ${value}`);
      }
    }
  }
});

test('values that a type cannot hold are recognised', () => {
  const cases = [
    ['u8', 255, true],
    ['u8', 256, false],
    ['u8', -1, false],
    ['i8', -128, true],
    ['i32', 1.5, false],
    ['i32', NaN, false],
    ['i64', 2n ** 63n - 1n, true],
    ['i64', 2n ** 63n, false],
    ['u1', 2, false],
    ['i4', -8, true],
    ['f16', 1e9, true],
    ['bool', 7, true],
    ['f32', [1, 2], false],
    ['c64', [1, 2], true],
    ['c64', 1, true],
  ];
  for (const [name, value, wanted] of cases) assert.equal(holds(types[name], value), wanted, `${name} ${value}`);
});

test('random values depend on seed, operand and element alone, and are in their range', () => {
  const first = (source, n = 2000) => Array.from({ length: n }, (_, i) => source(i));
  const of = (name, operand, seed) => first(random(types[name], operand, seed));
  assert.deepEqual(of('f32', 0, '7'), of('f32', 0, '7'));
  assert.notDeepEqual(of('f32', 0, '7'), of('f32', 1, '7'));
  assert.notDeepEqual(of('f32', 0, '7'), of('f32', 0, '8'));
  // Far elements are as random as near ones, and differ from those 2^32 before.
  const source = random(types.f64, 0, '7');
  const far = Array.from({ length: 2000 }, (_, i) => source(2 ** 40 + i));
  assert.notDeepEqual(far, first(source));
  for (const values of [of('f64', 0, '7'), far]) {
    const mean = values.reduce((a, b) => a + b) / values.length;
    assert.ok(Math.abs(mean) < 0.06, String(mean));
    assert.ok(values.every((value) => value >= -1 && value <= 1 && Math.round(value * 100) / 100 === value));
    assert.ok(new Set(values).size > 190);
  }
  assert.deepEqual(
    [...new Set(of('i16', 0, '7'))].sort((a, b) => a - b),
    Array.from({ length: 19 }, (_, i) => i - 9),
  );
  assert.deepEqual(
    [...new Set(of('u8', 2, 'x'))].sort((a, b) => a - b),
    Array.from({ length: 10 }, (_, i) => i),
  );
  for (const type of Object.values(types))
    for (const value of of(type.name, 1, '3')) assert.ok(holds(type, value), `${type.name} ${value}`);
});

test('counting distinguishes operands, and keeps all digits', () => {
  const f64 = types.f64;
  assert.deepEqual([0, 1, 2].map(counting(f64, 0)), [0, 1, 2]);
  assert.deepEqual([0, 1, 2].map(counting(f64, 1)), [10, 20, 30]);
  assert.deepEqual([0, 1].map(counting(f64, 3)), [1000, 2000]);
  assert.equal(counting(types.i64, 1)(2 ** 52), 10n + 10n * 2n ** 52n);
  const pairs = Array.from({ length: 4 }, (_, i) => `${counting(types.bool, 0)(i)} ${counting(types.bool, 1)(i)}`);
  assert.equal(new Set(pairs).size, 4);
});

test('steps of one kind in succession are one; a new step drops what was undone', () => {
  const { begin, step, undo, redo, pause, mostSteps } = history;
  let now = begin('a');
  now = step(now, 'b', 'field', 1000);
  now = step(now, 'c', 'field', 1000 + pause); // soon enough
  now = step(now, 'd', 'field', 1001 + 2 * pause); // a pause before
  now = step(now, 'e', 'other', 1001 + 2 * pause);
  now = step(now, 'f', null, 1001 + 2 * pause);
  assert.deepEqual(now.past, ['a', 'c', 'd', 'e']);
  assert.equal(step(now, 'f', 'field', 0), now);
  now = undo(undo(now));
  assert.equal(now.now, 'd');
  assert.deepEqual(now.future, ['e', 'f']);
  assert.equal(redo(now).now, 'e');
  // What is typed after going back is a step of its own, whatever was typed before.
  const typed = step(now, 'g', 'field', 1002 + 2 * pause);
  assert.deepEqual([typed.past, typed.future], [['a', 'c', 'd'], []]);
  assert.equal(undo(begin('a')).now, 'a');
  assert.equal(redo(begin('a')).now, 'a');
  let many = begin(0);
  for (let i = 1; i < 2 * mostSteps; ++i) many = step(many, i, null, i);
  assert.equal(many.past.length, mostSteps);
});

test('a float has the fewest digits that read back as the same float of its type', () => {
  const draw = drawing(11);
  for (const name of ['f64', 'f32', 'f16', 'bf16', 'f8e4m3', 'f8e5m2']) {
    const type = types[name];
    const round = (value) => {
      const data = emptyArray(type, 1);
      writerOf(type, data)(0, value);
      return readerOf(type, data)(0);
    };
    for (let i = 0; i < 400; ++i) {
      const value = round((draw(2e9) - 1e9) * 10 ** (draw(60) - 40));
      const text = exactText(value, name);
      if (Number.isNaN(value) || Math.abs(value) === Infinity) continue;
      assert.ok(Object.is(round(Number(text)), value), `${name}: ${text} of ${value}`);
      const digits = text.replace(/e.*|[-.]/g, '').replace(/^0+|(?<=\..*)0+$/g, '').length;
      if (digits > 1 && !Number.isInteger(value))
        assert.notEqual(
          round(Number(value.toPrecision(digits - 1))),
          value,
          `${name}: ${text} of ${value} is too long`,
        );
    }
  }
  for (const [value, type, text] of [
    [14999.5, 'f32', '14999.5'],
    [Math.fround(0.1), 'f32', '0.1'],
    [Math.fround(0.1), 'f64', '0.10000000149011612'],
    [0.0999755859375, 'f16', '0.1'],
    [16777217, 'f64', '16777217'],
    [Math.fround(0.0000149995), 'f32', '1.49995e-5'],
    [1e20, 'f64', '1e20'],
    [2 ** -149, 'f32', '1e-45'],
    [Math.fround(3.4028234663852886e38), 'f32', '3.4028235e38'],
    [-0, 'f32', '-0'],
    [-Infinity, 'f16', '−∞'],
    [NaN, 'bf16', 'NaN'],
    [18446744073709551615n, 'u64', '18446744073709551615'],
    [true, 'bool', 'true'],
  ])
    assert.equal(exactText(value, type), text);
  const complex = types.c64;
  const data = emptyArray(complex, 1);
  writerOf(complex, data)(0, [0.1, -0.7]);
  assert.equal(readerOf(complex, data)(0), '0.1-0.7i');
});

test('a text too long for its cell is shortened, and keeps the digits that distinguish it', () => {
  for (const [text, fits] of [
    ['14999.5', '14999.5'],
    ['3.141592653589793', '3.14159265…'],
    ['-1.2345678901e-300', '-1.23…e-300'],
    ['18446744073709551615', '18446…51615'],
    ['0.1234567+0.7654321i', '0.1234567+0.7654321i'],
    ['0.12345678901234+0.7654321i', '0.12345678901234+0.76…i'],
  ])
    assert.equal(shortened(text), fits);
  assert.equal(shortened('123456', 3), '1…6');
});

test('a list starts with the present values, zeros with their signs', () => {
  const values = [-0, 0, Infinity, 2n ** 60n, true, [1, -0], [-0, 2]];
  const text = startOf('list', { values: [values.length], given: { source: (flat) => values[flat] } });
  assert.equal(text, '[-0, 0, Infinity, 1152921504606846976, true, 1-0j, -0+2j]');
  assert.deepEqual(listed(text).values, values);
});
