// The native bench: a wrong result is detected and fails the run, and so does an invalid case; records have one form;
// statistics are correct. No test depends on speed.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { coalesce, numpyForm, readCases, resultShape } from '../../scripts/bench/cases.mjs';
import { Program } from '../../scripts/bench/program.mjs';
import { runBytes } from '../../scripts/bench/random.mjs';
import { randomCases, streamedCases } from '../../scripts/bench/random-cases.mjs';
import { shortCases } from '../../scripts/bench/short.mjs';
import { floorOf, interval, median, ratio } from '../../scripts/bench/statistics.mjs';
import { sums, sumsCases } from '../../scripts/bench/sums.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';

let scratch;
before(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'broadloom-bench-test-'));
});
after(() => rmSync(scratch, { recursive: true }));

async function bench(...args) {
  const program = inRoot('build/native/tests/bench/broadloom_bench');
  const { code, output } = await run('node', [inRoot('scripts/bench.mjs'), '--program', program, ...args], {
    capture: 'keep',
  });
  return { code, output, lines: output.trimEnd().split('\n') };
}

function casesFile(work) {
  const file = path.join(scratch, 'cases.json');
  writeFileSync(file, typeof work === 'string' ? work : JSON.stringify(work));
  return file;
}

const small = { name: 'small', op: 'add', dtype: 'f32', a: [64, 8], b: [8] };

test('a case has one line and one record', async () => {
  const json = path.join(scratch, 'records.json');
  const moved = { name: 'moved', dtype: 'u8', data: [8], target: [64, 8] };
  const file = casesFile({ elementwise: [small], broadcast: [moved] });
  const { code, lines } = await bench('--cases', file, '--json', json);
  assert.equal(code, 0, lines.join('\n'));
  assert.match(
    lines[2],
    /^elementwise small +[\d.]+ +[\d.]+ +[\d.]+ +(bytes|arithmetic) +[\d.]+ +[\d.]+\.\.[\d.]+ +(cached|streaming)$/,
  );
  const records = JSON.parse(readFileSync(json, 'utf8'));
  assert.deepEqual(
    records.map(({ name, kind, threads }) => ({ name, kind, threads })),
    [
      { name: 'small', kind: 'elementwise', threads: 1 },
      { name: 'moved', kind: 'broadcast', threads: 1 },
    ],
  );
  for (const record of records) {
    assert.deepEqual(Object.keys(record), ['name', 'kind', 'threads', 'ns', 'gbps', 'limit_ns', 'arithmetic_ns']);
    assert.ok(record.ns > 0 && record.gbps > 0 && record.limit_ns > 0);
  }
  assert.ok(records[0].arithmetic_ns > 0);
  assert.equal(records[1].arithmetic_ns, null, 'Broadcast computes nothing');
});

// Every kind of check, each with one byte of a result changed.
const spoilt = {
  'two operands of a type': { elementwise: [{ ...small, spoil: 4 * 13 + 3 }] },
  integers: { elementwise: [{ ...small, op: 'mul', dtype: 'i32', spoil: 4 * 13 }] },
  'a comparison': { elementwise: [{ ...small, op: 'less', spoil: 13 }] },
  'half floats': { elementwise: [{ ...small, dtype: 'f16', spoil: 2 * 13 }] },
  'a power': { elementwise: [{ ...small, op: 'pow', spoil: 4 * 13 + 2 }] },
  'an operator without a way of its own': {
    elementwise: [{ ...small, op: 'bitwiseXor', dtype: 'u16', spoil: 2 * 13 }],
  },
  'a broadcast': { broadcast: [{ name: 'small', dtype: 'f64', data: [64, 1], target: [64, 8], spoil: 8 * 13 }] },
  'a broadcast of 16 bytes': {
    broadcast: [{ name: 'small', dtype: 'c128', data: [8], target: [64, 8], spoil: 16 * 13 }],
  },
  'a broadcast of nibbles': { broadcast: [{ name: 'small', dtype: 'u4', data: [8], target: [64, 8], spoil: 6 }] },
};
for (const [what, work] of Object.entries(spoilt)) {
  test(`a wrong result is detected: ${what}`, async () => {
    const { code, output, lines } = await bench('--cases', casesFile(work));
    assert.equal(code, 1);
    assert.match(output, /small  WRONG: element \[1,5\] is /);
    assert.equal(lines.at(-1), '1 failed: see above');
  });
}

test('a wrong arithmetic loop is detected', async () => {
  const program = new Program('the bench', inRoot('build/native/tests/bench/broadloom_bench'));
  try {
    for (const [what, spoil] of [
      ['op=Add dtypes=f32,f32 shapes=[8];[8]', 4 * 13 + 3],
      ['op=Pow dtypes=f32,f32 shapes=[8];[8]', 4 * 13 + 2],
      ['op=Cast dtypes=f16 shapes=[8] to=i64', 8 * 13],
      ['op=Where dtypes=bool,u4,u4 shapes=[8];[8];[8]', 6],
    ]) {
      assert.deepEqual(await program.ask(`open rule=numpy ${what} spoil_arithmetic=${spoil}`), {
        wrong: 'element 13 of its arithmetic loop',
      });
    }
  } finally {
    program.end();
  }
});

test('after a wrong result the other cases are still measured', async () => {
  const file = casesFile({ elementwise: [{ ...small, name: 'wrong', spoil: 0 }, small] });
  const { code, output } = await bench('--cases', file);
  assert.equal(code, 1);
  assert.match(output, /^elementwise wrong  WRONG: element \[0,0\] is .*, not /m);
  assert.match(output, /^elementwise small +\d/m);
});

for (const [what, change, expected] of [
  ['shapes that do not fit', { b: [7] }, /small  FAILED: the library refuses it: incompatible/],
  ['an unknown operator', { op: 'plus' }, /small  FAILED: no operator Plus/],
  ['an unknown type', { dtype: 'f31' }, /small  FAILED: no element type f31/],
  ['an unknown rule', { rule: 'pandas' }, /small  FAILED: no rule pandas/],
  ['a missing field', { a: undefined }, /elementwise case "small" has no "a"/],
  ['a wrong field', { a: [2, 'x'] }, /elementwise case "small": "a" is wrong: \[2,"x"\]/],
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
  ['two modes', ['--short', '--plans'], 'bench: these options exclude each other: --short, --plans'],
  ['too few rounds', ['--rounds', '14'], 'bench: --rounds takes a whole number of at least 15, not 14'],
  [
    'threads that are not a number',
    ['--threads', 'two'],
    'bench: --threads takes a whole number of at least 1, not two',
  ],
]) {
  test(`reported in one line: ${what}`, async () => {
    const { code, lines } = await bench(...args);
    assert.deepEqual([code, lines], [1, [expected]]);
  });
}

test('--target selects a target, or prints the list of targets', async () => {
  const there = await bench('--target', 'none');
  assert.deepEqual([there.code, there.lines.length], [1, 1]);
  const [, names] = there.lines[0].match(/^bench: --target: no target here is called none; there are: (.+)$/);
  for (const name of names.split(', ')) {
    const { code, lines } = await bench('--target', name, '--cases', casesFile({ elementwise: [small] }));
    assert.equal(code, 0, lines.join('\n'));
    assert.ok(lines[0].startsWith(`${name}, `), lines[0]);
  }
});

test('reported in one line: a missing file, and a file that is not JSON', async () => {
  const missing = path.join(scratch, 'missing.json');
  const { code, lines } = await bench('--cases', missing);
  assert.deepEqual([code, lines], [1, [`${missing} cannot be read: there is no such file`]]);
  const broken = await bench('--cases', casesFile('{"elementwise": ['));
  assert.equal(broken.code, 1);
  assert.equal(broken.lines.length, 1);
  assert.match(broken.lines[0], /cases\.json is not JSON: /);
});

test('random cases are right, and the same for the same seed', async () => {
  assert.deepEqual(randomCases(7, 2), randomCases(7, 2));
  assert.notDeepEqual(randomCases(7, 2), randomCases(8, 2));
  const { code, output } = await bench('--random', '--seed', '7', '--seconds', '1', '--rounds', '15');
  assert.equal(code, 0, output);
  assert.match(output, /--seed 7/);
  assert.match(output, /^all +\d+ +\d+ % /m);
  const worst = output.match(/^(\w+_\d+) +[\d.]+ +[\d.]+\.\.[\d.]+ +(bytes|arithmetic) +op=/m)?.[1];
  assert.ok(worst, output);
  const again = await bench('--random', '--seed', '7', '--seconds', '1', '--rounds', '15', '--filter', `^${worst}$`);
  assert.match(again.output, new RegExp(`^${worst} `, 'm'));
});

test('random cases that are streamed are right', async () => {
  const cases = streamedCases(3);
  assert.ok(cases.every(({ isSmall }) => !isSmall));
  // Extents are rounded, so sizes are those asked for only about.
  const sizes = cases.slice(0, 300).map((item) => {
    const elements = resultShape(numpyForm(item)).reduce((a, b) => a * b, 1);
    return (elements * Number(item.dtypes.at(-1).match(/\d+$/)[0])) / 8 / 2 ** 20;
  });
  assert.ok(Math.min(...sizes) > 20 && Math.max(...sizes) < 800, `${Math.min(...sizes)} to ${Math.max(...sizes)} MiB`);
  const only = '^(elementwise_(outer|several)|broadcast_columns)_0$';
  const { code, output } = await bench('--random', '--streamed', '--seed', '7', '--rounds', '15', '--filter', only);
  assert.equal(code, 0, output);
  assert.match(output, /^3 cases with results of 64 to 256 MiB$/m);
  assert.match(output, /--random --streamed --seed 7 --filter/);
});

test('random cases: every class has elements of all widths, and results in its range', () => {
  const all = randomCases(3, 8);
  for (const name of new Set(all.map((item) => item.class))) {
    const some = all.filter((item) => item.class === name);
    const widths = new Set(some.map(({ dtypes }) => dtypes.at(-1).match(/\d+$/)[0]));
    if (!/several/.test(name))
      for (const width of ['8', '16', '32', '64']) assert.ok(widths.has(width), `${name} ${width}`);
  }
  assert.deepEqual([...new Set(all.filter(({ op }) => op === 'Where').map(({ dtypes }) => dtypes[0]))], ['bool']);
  assert.ok(all.some(({ op, shapes }) => op !== 'Where' && shapes.length >= 3));
});

test('the innermost run, after axes are joined', () => {
  const item = { rule: 'numpy', dtypes: ['f32', 'f32'] };
  const bytes = (a, b, more) => runBytes({ ...item, shapes: [a, b], ...more });
  assert.equal(bytes([8, 4, 3], [8, 4, 3]), 8 * 4 * 3 * 4);
  assert.equal(bytes([8, 4, 3], [3]), 3 * 4);
  assert.equal(bytes([8, 4, 3], [8, 1, 1]), 4 * 3 * 4);
  assert.equal(bytes([8, 4, 3], [4], { rule: 'pdpd', axis: 1 }), 3 * 4);
});

test('short rows: every length, width and form', () => {
  const cases = shortCases();
  assert.equal(cases.length, 2 * 2 * 4 * 33);
  assert.equal(new Set(cases.map(({ kind, name }) => `${kind} ${name}`)).size, cases.length);
});

test('sums: every type and form is right, and a wrong sum is detected', async () => {
  const cases = sumsCases();
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  const { code, output } = await bench('--sums', '--rounds', '15', '--filter', '_(5|3x3)_(u8|f16|f64)$');
  assert.equal(code, 0, output);
  assert.match(output, /^rows_5_f16 +\d+( +[\d.]+){3} +[\d.]+\.\.[\d.]+$/m);
  const program = new Program('the bench', inRoot('build/native/tests/bench/broadloom_bench'));
  try {
    for (const dtype of ['i32', 'bf16']) {
      const item = { name: 'small', kind: 'sum', dtype, from: [9, 5], to: [9, 1], spoil: dtype === 'i32' ? 12 : 6 };
      const book = await sums(program, [item], { rounds: 15 });
      assert.deepEqual([book.failures, book.records.length], [1, 0]);
    }
  } finally {
    program.end();
  }
});

test('every operator on every type is right, also as dense operands', async () => {
  // Pow takes most of the time.
  const { code, output } = await bench('--matrix', '--rounds', '15', '--filter', '^(?!Pow)');
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /wrong/i);
  assert.match(output, /^Mod fmod=1 .*\da/m);
  const dense = await bench('--arithmetic', '--rounds', '15', '--filter', '^(Div|Where|Cast_to_bf16)');
  assert.equal(dense.code, 0, dense.output);
  assert.match(dense.output, /^Where +[\d.]+/m);
});

test('steps of planning', async () => {
  const { code, output } = await bench('--plans');
  assert.equal(code, 0, output);
  assert.match(output, /^Run of a kept plan \(2,3\) \+ \(3\) +[\d.]+ /m);
});

test('medians and their intervals', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  const upTo = (n) => Array.from({ length: n }, (_, i) => i + 1);
  // The ranks are those of tables for the sign test.
  assert.deepEqual(interval(upTo(6)), [1, 6]);
  assert.deepEqual(interval(upTo(15)), [4, 12]);
  assert.deepEqual(interval(upTo(20)), [6, 15]);
  assert.deepEqual(interval(upTo(31)), [10, 22]);
  assert.deepEqual(ratio([2, 20, 6], [1, 10, 2]), { ratio: 2, interval: [2, 3] });
  assert.deepEqual(floorOf([1, 5, 3]), { floor: 'bytes', times: [1, 5, 3] });
  assert.deepEqual(floorOf([1, 5, 3], [2, 4, 4]), { floor: 'arithmetic', times: [2, 5, 4] });
});

test('cases in the forms for NumPy and Eigen', () => {
  const cases = readCases(inRoot('tests/bench/cases.json'));
  const named = (name, kind = 'elementwise') => cases.find((item) => item.name === name && item.kind === kind);
  assert.deepEqual(numpyForm(named('pdpd_axis1')).shapes, [
    [8, 64, 56, 56],
    [64, 1, 1],
  ]);
  assert.deepEqual(numpyForm(named('explicit_hw', 'broadcast')).shapes, [[1, 512, 512, 1]]);
  assert.deepEqual(
    coalesce({
      shapes: [
        [8, 64, 56, 56],
        [64, 1, 1],
      ],
      target: [8, 64, 56, 56],
    }),
    {
      shapes: [
        [8, 64, 3136],
        [1, 64, 1],
      ],
      target: [8, 64, 3136],
    },
  );
});
