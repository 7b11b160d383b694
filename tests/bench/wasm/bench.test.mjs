// The package's bench: a wrong result is detected and fails the run, and so does an invalid case; records have one
// form; the reference, loops and limits are correct. No test depends on speed.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { readCases } from '../../../scripts/bench/cases.mjs';
import { makeOperands, spread } from '../../../scripts/bench/wasm/elements.mjs';
import { copyLimit, wasmArithmetic, wasmLimit } from '../../../scripts/bench/wasm/limit.mjs';
import { loopsOf, namesOf } from '../../../scripts/bench/wasm/loops.mjs';
import { startRunner } from '../../../scripts/bench/wasm/list.mjs';
import { firstDifference, reference } from '../../../scripts/bench/wasm/reference.mjs';
import { Timed } from '../../../scripts/bench/wasm/rounds.mjs';
import { inRoot } from '../../../scripts/paths.mjs';
import { run } from '../../../scripts/run.mjs';

let scratch;
before(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'broadloom-bench-wasm-test-'));
});
after(() => rmSync(scratch, { recursive: true }));

async function bench(...args) {
  const { code, output } = await run('node', [inRoot('scripts/bench-wasm.mjs'), ...args], { capture: 'keep' });
  return { code, output, lines: output.trimEnd().split('\n') };
}

function casesFile(work) {
  const file = path.join(scratch, 'cases.json');
  writeFileSync(file, JSON.stringify(work));
  return file;
}

const small = { name: 'small', op: 'add', dtype: 'f32', a: [64, 8], b: [8] };
const cases = (work) => readCases(casesFile(work));
const modes = ['resident', 'typed', 'typed_out'];

// --- The run ----------------------------------------------------------------------------------------------------------

test('a case has one line and one record for each mode', async () => {
  const json = path.join(scratch, 'records.json');
  const moved = { name: 'moved', dtype: 'u8', data: [8], target: [64, 8] };
  const file = casesFile({ elementwise: [small], broadcast: [moved] });
  const { code, lines } = await bench('--cases', file, '--json', json, '--rounds', '15');
  assert.equal(code, 0, lines.join('\n'));
  assert.match(
    lines[2],
    /^elementwise small +resident +[\d.]+ +[\d.]+ +[\d.]+ +(bytes|arithmetic) +[\d.]+ +[\d.]+\.\.[\d.]+ +[\d.]+ /,
  );
  assert.match(lines[3], /^elementwise small +typed +/);
  const records = JSON.parse(readFileSync(json, 'utf8'));
  assert.deepEqual(
    records.map(({ name, kind, mode }) => `${kind} ${name} ${mode}`),
    ['elementwise small', 'broadcast moved'].flatMap((name) => modes.map((mode) => `${name} ${mode}`)),
  );
  for (const record of records) {
    assert.deepEqual(Object.keys(record), ['name', 'kind', 'mode', 'ns', 'gbps', 'limit_ns', 'arithmetic_ns', 'js_ns']);
    for (const figure of ['ns', 'gbps', 'limit_ns', 'js_ns']) assert.ok(record[figure] > 0, figure);
    assert.equal(record.arithmetic_ns > 0, record.mode === 'resident' && record.kind === 'elementwise');
  }
});

// One byte of a result is changed.
for (const [what, work] of Object.entries({
  'two operands of a type': { elementwise: [{ ...small, spoil: 4 * 13 + 3 }] },
  integers: { elementwise: [{ ...small, op: 'mul', dtype: 'i32', spoil: 4 * 13 }] },
  'a comparison': { elementwise: [{ ...small, op: 'less', spoil: 13 }] },
  'half floats': { elementwise: [{ ...small, dtype: 'f16', spoil: 2 * 13 }] },
  'a power': { elementwise: [{ ...small, op: 'pow', spoil: 4 * 13 + 2 }] },
  'a broadcast of nibbles': { broadcast: [{ name: 'small', dtype: 'u4', data: [8], target: [64, 8], spoil: 6 }] },
})) {
  test(`a wrong result is detected in every mode: ${what}`, async () => {
    const { code, output, lines } = await bench('--cases', casesFile(work), '--rounds', '15');
    assert.equal(code, 1);
    for (const mode of modes) assert.match(output, new RegExp(` small  ${mode} WRONG: element \\[1,[45]\\] is `));
    assert.equal(lines.at(-1), '3 failed: see above');
  });
}

test('after a wrong result the other cases are still measured', async () => {
  const file = casesFile({ elementwise: [{ ...small, name: 'wrong', spoil: 0 }, small] });
  const { code, output } = await bench('--cases', file, '--rounds', '15');
  assert.equal(code, 1);
  assert.match(output, /^elementwise wrong  resident WRONG: element \[0,0\] is .*, not /m);
  assert.doesNotMatch(output, /^elementwise wrong +typed +\d/m);
  assert.match(output, /^elementwise small +resident +\d/m);
});

for (const [what, change, expected] of [
  ['shapes that do not fit', { b: [7] }, /small  FAILED: the library refuses it: incompatible/],
  ['an unknown operator', { op: 'plus' }, /small  FAILED: the library refuses it: unknown/],
  ['an unknown type', { dtype: 'f31' }, /small  FAILED: no element type f31/],
  ['an unknown rule', { rule: 'pandas' }, /small  FAILED: the library refuses it: unknown/],
  ['a missing field', { a: undefined }, /elementwise case "small" has no "a"/],
]) {
  test(`an invalid case is reported: ${what}`, async () => {
    const { code, output } = await bench('--cases', casesFile({ elementwise: [{ ...small, ...change }] }));
    assert.equal(code, 1);
    assert.match(output, expected);
  });
}

for (const [what, args, expected] of [
  ['a name that no case has', ['--filter', 'nothing_like_it'], 'no case has a name that matches nothing_like_it'],
  ['an invalid filter', ['--filter', '('], 'bench: --filter is not a regular expression: ('],
  ['an unknown option', ['--fast'], "bench: Unknown option '--fast'"],
  ['two modes', ['--tiny', '--start'], 'bench: these options exclude each other: --tiny, --start'],
  ['too few threads', ['--threads', '1'], 'bench: --threads takes a whole number of at least 2, not 1'],
  ['too few rounds', ['--rounds', '14'], 'bench: --rounds takes a whole number of at least 15, not 14'],
]) {
  test(`reported in one line: ${what}`, async () => {
    const { code, lines } = await bench(...args);
    assert.deepEqual([code, lines], [1, [expected]]);
  });
}

test('random cases: on tensors, with the seed of each', async () => {
  const classes = '_(same|where|several|pdpd_middle|explicit_middle|small)_0$';
  const { code, output } = await bench(
    '--random',
    '--seed',
    '7',
    '--filter',
    classes,
    '--seconds',
    '1',
    '--rounds',
    '15',
  );
  assert.equal(code, 0, output);
  assert.match(output, /--seed 7/);
  assert.match(output, /^all +\d+ +\d+ % /m);
  assert.match(output, /^elementwise small +1 /m);
  assert.match(output, /^elementwise_where_0 +[\d.]+ +[\d.]+\.\.[\d.]+ +(bytes|arithmetic) +op=Where /m);
});

test('operators on dense operands: right, and of every kind', async () => {
  const some = '^(Where|Cast_to_bf16|Pow_f64|Mod_fmod_1|BitShift_direction_left|Mean)_(i16|u16|f64|u4)$';
  const { code, output } = await bench('--arithmetic', '--filter', some, '--rounds', '15');
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /wrong/i);
  for (const line of ['Where', 'Cast to=bf16', 'Pow ** f64', 'Mod fmod=1', 'BitShift direction=left', 'Mean'])
    assert.match(output, new RegExp(`^${line.replaceAll('*', '\\*')} +[\\d.]+`, 'm'));
});

test('a wrong result on tensors is detected where only some elements are checked', async () => {
  const program = startRunner('the bench', 'runner.mjs');
  try {
    const [item] = cases({ elementwise: [{ ...small, spoil: 4 * 13 + 3 }] });
    const { wrong } = await program.ask(JSON.stringify({ open: item, resident: true }));
    assert.match(wrong.resident, /^element \[1,5\] is /);
  } finally {
    program.end();
  }
});

test('small calls: every call is right', async () => {
  const { code, output } = await bench('--tiny', '--rounds', '15');
  assert.equal(code, 0, output);
  for (const way of ['bare copies and call', 'plain call with out', 'plan with out', 'plan on tensors'])
    assert.match(output, new RegExp(`^${way} +[\\d.]+ +[\\d.]+\\.\\.[\\d.]+ +[\\d.]+$`, 'm'));
});

test('threads: the bits of one thread', async () => {
  const { code, output } = await bench('--threads', '2', '--rounds', '15');
  assert.equal(code, 0, output);
  for (const name of ['add 4194304', 'add 16777216', 'pow 1048576'])
    assert.match(output, new RegExp(`^${name} +\\d+ +2 +\\d+ +[\\d.]+ +[\\d.]+\\.\\.[\\d.]+`, 'm'));
});

test('the first sum, in a process of its own', async () => {
  const { code, output } = await run('node', [inRoot('scripts/bench/wasm/first.mjs')], { capture: 'keep' });
  assert.equal(code, 0, output);
  assert.deepEqual(JSON.parse(output).data, [11, 22, 33, 14, 25, 36]);
});

// --- The reference ----------------------------------------------------------------------------------------------------

const operand = (Held, values, shape, dtype) => ({ data: Held.from(values), shape, dtype });

// A case with given operands.
function referenceOf(op, dtype, operands, more = {}) {
  const item = { op, rule: 'numpy', dtypes: operands.map((one) => one.dtype ?? dtype), shapes: [], ...more };
  item.shapes = operands.map(({ shape }) => shape);
  return reference(
    item,
    operands.map((one) => ({ ...one, dtype: one.dtype ?? dtype })),
  );
}

test('the reference: rules', () => {
  const row = operand(Float32Array, [10, 20], [2]);
  const both = operand(Float32Array, [1, 2, 3, 4, 5, 6], [2, 3]);
  const pdpd = referenceOf('Add', 'f32', [both, row], { rule: 'pdpd', axis: 0 });
  assert.deepEqual([...pdpd.data], [11, 12, 13, 24, 25, 26]);
  const explicit = referenceOf('Broadcast', 'f32', [row], { rule: 'explicit', target: [2, 3], mapping: [0] });
  assert.deepEqual([...explicit.data], [10, 10, 10, 20, 20, 20]);
  const larger = operand(Float32Array, [1, 2], [2, 1]);
  const both2 = referenceOf('Broadcast', 'f32', [larger], { rule: 'bidirectional', target: [3] });
  assert.deepEqual(
    [both2.shape, [...both2.data]],
    [
      [2, 3],
      [1, 1, 1, 2, 2, 2],
    ],
  );
});

for (const [what, op, dtype, Held, x, y, right] of [
  ['wraps products', 'Mul', 'i32', Int32Array, 0x7fffffff, 0x7fffffff, 1],
  ['wraps sums', 'Add', 'u8', Uint8Array, 200, 100, 44],
  ['wraps 64 bits', 'Add', 'i64', BigInt64Array, 2n ** 63n - 1n, 1n, -(2n ** 63n)],
  ['divides by 0', 'Div', 'i32', Int32Array, 7, 0, 0],
  ['takes the sign of the divisor', 'Mod', 'i32', Int32Array, -7, 3, 2],
  ['rounds halves once', 'Add', 'f16', Uint16Array, 0x3c00, 0x1000, 0x3c00], // 1 + 2^-11: a tie, to even
  ['rounds halves up', 'Add', 'f16', Uint16Array, 0x3c01, 0x1000, 0x3c02],
  ['makes subnormal halves', 'Mul', 'f16', Uint16Array, 0x0400, 0x3800, 0x0200],
  ['overflows halves', 'Add', 'f16', Uint16Array, 0x7bff, 0x7bff, 0x7c00],
  ['rounds bf16 to even', 'Add', 'bf16', Uint16Array, 0x3f80, 0x3b80, 0x3f80],
  ['has no negative powers of integers', 'Pow', 'i32', Int32Array, 2, -1, 0],
]) {
  test(`the reference ${what}`, () => {
    const [a, b] = [operand(Held, [x], [1]), operand(Held, [y], [1])];
    assert.deepEqual([...referenceOf(op, dtype, [a, b]).data], [right]);
  });
}

test('the reference selects, and converts', () => {
  const condition = operand(Uint8Array, [1, 0, 2], [3], 'bool');
  const yes = operand(Int32Array, [1, 2, 3], [3]);
  const no = operand(Int32Array, [-1], [1]);
  assert.deepEqual([...referenceOf('Where', 'i32', [condition, yes, no]).data], [1, -1, 3]);
  const cast = (from, Held, value, to) => referenceOf('Cast', from, [operand(Held, [value], [1])], { to }).data[0];
  assert.equal(cast('i32', Int32Array, -1, 'u8'), 255);
  assert.equal(cast('f32', Float32Array, -1.5, 'u8'), 0);
  assert.equal(cast('f32', Float32Array, NaN, 'i64'), 0n);
  assert.equal(cast('f64', Float64Array, 2 ** 63, 'i64'), 2n ** 63n - 1n);
  assert.equal(cast('f64', Float64Array, 1 + 2 ** -8 + 2 ** -45, 'bf16'), 0x3f81, 'rounded once');
  assert.equal(cast('bool', Uint8Array, 3, 'f16'), 0x3c00);
});

test('the reference of three operands', () => {
  const three = [1, 2, 4.5].map((value) => operand(Float32Array, [value], [1]));
  assert.deepEqual([...referenceOf('Sum', 'f32', three).data], [7.5]);
  assert.deepEqual([...referenceOf('Mean', 'f32', three).data], [2.5]);
  assert.deepEqual([...referenceOf('Max', 'f32', three).data], [4.5]);
});

test('with a result, the reference computes some of its elements', () => {
  const n = 60_000;
  const [a, b] = [new Float32Array(n).fill(1), Float32Array.of(2)];
  const got = { data: new Float32Array(n).fill(3), shape: [n] };
  const operands = [
    { data: a, shape: [n], dtype: 'f32' },
    { data: b, shape: [1], dtype: 'f32' },
  ];
  const item = { op: 'Add', rule: 'numpy', dtypes: ['f32', 'f32'], shapes: [[n], [1]] };
  const differs = () => firstDifference(item, reference(item, operands, got), got);
  assert.equal(differs(), undefined);
  got.data[7] = 5;
  assert.match(differs(), /^element \[7\] is 5, not 3$/);
  got.data[7] = 3;
  got.data[8] = 5;
  assert.equal(differs(), undefined, 'between two elements that are checked');
});

test('the reference moves parts of bytes', () => {
  const nibbles = operand(Uint8Array, [0x21, 0x03], [3]);
  const twice = referenceOf('Broadcast', 'u4', [nibbles], { rule: 'broadcast_numpy', target: [2, 3] });
  assert.deepEqual([...twice.data], [0x21, 0x13, 0x32]);
  const bits = operand(Uint8Array, [0b10100000], [3]);
  const thrice = referenceOf('Broadcast', 'u1', [bits], { rule: 'broadcast_numpy', target: [3, 3] });
  assert.deepEqual([...thrice.data], [0b10110110, 0b10000000]);
});

test('which differences the comparison reports', () => {
  const item = (op) => ({ op, rule: 'numpy' });
  const held = (values) => ({ data: Float32Array.from(values), shape: [values.length], dtype: 'f32' });
  const differs = (op, right, got) => firstDifference(item(op), held(right), held(got)) !== undefined;
  assert.equal(differs('Add', [1, 2], [1, 2]), false);
  assert.equal(differs('Add', [0], [-0]), true);
  assert.equal(differs('Add', [NaN, 1], [NaN, 2]), true);
  const [quiet, other] = [held([NaN]), held([NaN])];
  new Uint32Array(other.data.buffer)[0] ^= 1;
  assert.equal(firstDifference(item('Add'), quiet, other), undefined);
  assert.notEqual(firstDifference(item('Broadcast'), quiet, other), undefined);
  const unit = 2 ** -23;
  assert.equal(differs('Pow', [1], [1 + 4 * unit]), false);
  assert.equal(differs('Pow', [1], [1 + 5 * unit]), true);
  assert.equal(differs('Add', [1], [1 + unit]), true);
  assert.match(firstDifference(item('Add'), held([1, 2]), held([1, 3])), /^element \[1\] is 3, not 2$/);
});

// --- What it is held against ------------------------------------------------------------------------------------------

test('loops: neighbouring axes are joined, axes of extent 1 are dropped', () => {
  const [item] = cases({ elementwise: [{ ...small, a: [8, 64, 56, 56], b: [64, 1, 1] }] });
  assert.deepEqual(loopsOf(item), [
    { n: 8, step: [64 * 3136, 0] },
    { n: 64, step: [3136, 1] },
    { n: 3136, step: [1, 0] },
  ]);
});

const patterns = [
  [
    [40, 30],
    [40, 30],
  ],
  [[40, 30], []],
  [[40, 30], [30]],
  [
    [40, 30],
    [40, 1],
  ],
  [
    [40, 1],
    [1, 30],
  ],
  [
    [1, 30],
    [40, 1],
  ],
  [[30], [40, 30]],
  [[50, 3], [3]],
  [
    [50, 4],
    [50, 1],
  ],
  [
    [50, 2],
    [1, 2],
  ],
  [
    [3, 1, 4, 1, 2, 1],
    [1, 5, 1, 3, 1, 3],
  ],
  [[20000], [20000]],
  [
    [9000, 3],
    [9000, 1],
  ],
  [[1], [1]],
  [[], []],
  [[0, 3], [3]],
];
const [binary, unary] = [
  { add: ['f32', 'f64', 'u8', 'i64'], mul: ['i32', 'u32'], less: ['f32', 'u64'], max: ['f32', 'i16'] },
  ['u8', 'i16', 'f32', 'f64', 'c64', 'c128', 'u64'],
];
const loopCases = () => [
  ...Object.entries(binary).flatMap(([op, dtypes]) =>
    dtypes.flatMap((dtype) =>
      cases({ elementwise: patterns.map(([a, b], i) => ({ name: `${op}_${dtype}_${i}`, op, dtype, a, b })) }),
    ),
  ),
  ...unary.flatMap((dtype) => {
    const moves = patterns.map(([target, data], i) => ({ name: `move_${dtype}_${i}`, dtype, data, target }));
    const fitting = moves.filter((_, i) => ![4, 5, 6, 10].includes(i));
    const large = { name: `move_${dtype}_large`, dtype, data: [3], target: [70, 500, 3] };
    return cases({ broadcast: [...fitting, large] });
  }),
];

test('every JavaScript loop is right, into a given array and into any array', async () => {
  let count = 0;
  for (const item of loopCases()) {
    const operands = makeOperands(item);
    const expected = reference(item, operands);
    for (const name of namesOf(item)) {
      for (const given of [true, false]) {
        const { write } = await import(`../../../scripts/bench/wasm/loops.mjs?${item.name}-${name}-${given}`);
        const to = new expected.data.constructor(expected.data.length);
        const loop = write(
          name,
          item,
          operands.map(({ data }) => data),
          given ? to : undefined,
        );
        if (loop === undefined) continue;
        loop(to);
        const difference = firstDifference(item, expected, { ...expected, data: to });
        assert.equal(difference, undefined, `${item.name} ${JSON.stringify(item.shapes)} ${name}: ${difference}`);
        ++count;
      }
    }
  }
  assert.ok(count > 500, `${count} loops`);
});

test('spread copies arrays to different offsets in a page', () => {
  const arrays = [new Float64Array([1, 2]), new Uint8Array(5000).fill(7), new BigInt64Array([3n])];
  const copies = spread(arrays);
  assert.deepEqual(copies, arrays);
  assert.deepEqual(
    copies.map(({ byteOffset }) => byteOffset % 4096),
    [0, 256, 512],
  );
});

const ofZeros = 0x5a; // as limit.cc has it

test('the wasm limit reads every byte and writes every byte', async () => {
  const [resultBytes, ...operandBytes] = [10_000, 10_000, 300];
  const { addresses, memory, move } = await wasmLimit(resultBytes, operandBytes);
  const [result, ...operands] = [resultBytes, ...operandBytes].map(
    (bytes, i) => new Uint8Array(memory.buffer, addresses[i], bytes),
  );
  const isChanged = () => {
    result.fill(0x55);
    move();
    return result.some((byte) => byte !== ofZeros);
  };
  assert.equal(isChanged(), false, 'of zeros it makes the same byte, everywhere');
  for (const data of operands) {
    for (let i = 0; i < data.length; i += 97) {
      data[i] = 1;
      assert.equal(isChanged(), true, `byte ${i} of ${data.length} is read`);
      data[i] = 0;
    }
  }
});

test('the wasm limit works beyond 2^32 bytes', async () => {
  const bytes = 2 ** 27;
  const { addresses, memory, move } = await wasmLimit(bytes, [bytes, 4096]);
  const result = new Uint8Array(memory.buffer, addresses[0], bytes);
  result[bytes - 1] = 0x55;
  move();
  assert.equal(result[bytes - 1], ofZeros);
});

test('the wasm arithmetic of an operator is right, and a wrong one is detected', async () => {
  const [item] = cases({ elementwise: [{ ...small, op: 'pow' }] });
  const { work, calls } = await wasmArithmetic(item, [64, 8]);
  work();
  assert.ok(calls > 0);
  await assert.rejects(wasmArithmetic(item, [64, 8], 4 * 13 + 2), /the arithmetic of Pow is wrong/);
  const [moved] = cases({ broadcast: [{ name: 'moved', dtype: 'u8', data: [8], target: [64, 8] }] });
  assert.equal(await wasmArithmetic(moved, [64, 8]), undefined);
});

test('copies: the whole result is written, into a new array if requested', () => {
  const data = Float32Array.from({ length: 40_000 }, (_, i) => i + 1);
  const given = new Float32Array(40_000);
  const into = copyLimit([data], given, false);
  assert.equal(into(), given);
  assert.ok(given.every((value) => value !== 0));
  const fresh = copyLimit([data], given, true);
  const [one, other] = [fresh(), fresh()];
  assert.notEqual(one, other);
  assert.ok(one.length === 40_000 && one.every((value) => value !== 0));
});

test('timing: promises are awaited', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    --running;
  };
  const timed = await new Timed(work, true).prepare();
  assert.ok((await timed.round()) > 0);
  assert.equal(most, 1);
  assert.equal(running, 0);
});
