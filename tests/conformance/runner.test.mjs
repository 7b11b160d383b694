// The conformance runner must not pass by accident: each kind of invalid record and of wrong answer makes it fail. The
// backend is a stub that knows the expected answers, so that only the change made by a test can be wrong.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { NativeBackend, runConformance } from '../../scripts/conformance.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const script = path.join(here, '../../scripts/conformance.mjs');

const vocabulary = {
  dtypes: new Map(
    [
      ['bool', 8],
      ['i8', 8],
      ['i32', 32],
      ['u8', 8],
      ['f16', 16],
      ['bf16', 16],
      ['f32', 32],
      ['f64', 64],
      ['u4', 4],
      ['u1', 1],
    ].map(([name, bits]) => [name, { bits }]),
  ),
  ops: new Map(
    [
      ['Add', []],
      ['Mod', ['fmod']],
      ['Max', []],
      ['Pow', []],
      ['BitShift', ['direction']],
    ].map(([name, attributes]) => [name, { attributes }]),
  ),
  rules: new Map(
    [
      ['numpy', false],
      ['pdpd', false],
      ['onnx_multidirectional', false],
      ['sonnx', true],
      ['bidirectional', true],
    ].map(([name, moves]) => [name, { moves }]),
  ),
  errors: new Set(['incompatible', 'rank', 'axis', 'axes_mapping', 'negative_dim', 'overflow']),
};

/** Answers what every record expects, or what `alter(answer, record)` returns. */
function stub(alter = (answer) => answer) {
  return {
    asked: [],
    async vocabulary() {
      return vocabulary;
    },
    async answer(record) {
      this.asked.push(record.id);
      const { expect } = record;
      const tensor = ({ dtype, shape, b64 }) => ({ dtype, shape, bytes: Buffer.from(b64, 'base64') });
      if (expect.error) return alter({ ...expect }, record);
      if (expect.shape && !expect.dtype) return alter({ shape: expect.shape }, record);
      return alter({ outputs: (expect.outputs ?? [expect]).map(tensor) }, record);
    },
  };
}

const b64 = (...bytes) => Buffer.from(bytes).toString('base64');
const f32s = (...values) => Buffer.from(new Float32Array(values).buffer).toString('base64');

const shapeRecord = {
  id: 's',
  kind: 'shape',
  rule: 'numpy',
  inputs: [[2, 3], [3]],
  expect: { shape: [2, 3] },
  origin: 'test',
  oracles: [],
};
const errorRecord = { ...shapeRecord, id: 'e', inputs: [[2], [3]], expect: { error: 'incompatible' } };
const addRecord = {
  id: 'a',
  kind: 'elementwise',
  op: 'Add',
  rule: 'onnx_multidirectional',
  inputs: [
    { dtype: 'i8', shape: [2], b64: b64(1, 2) },
    { dtype: 'i8', shape: [1], b64: b64(1) },
  ],
  expect: { dtype: 'i8', shape: [2], b64: b64(2, 3) },
  origin: 'test',
  oracles: [],
};
const moveRecord = {
  id: 'b',
  kind: 'broadcast',
  op: 'Broadcast',
  rule: 'sonnx',
  inputs: [
    { dtype: 'u8', shape: [1], b64: b64(7) },
    { dtype: 'u8', shape: [2], b64: b64(8, 9) },
  ],
  expect: {
    outputs: [
      { dtype: 'u8', shape: [2], b64: b64(7, 7) },
      { dtype: 'u8', shape: [2], b64: b64(8, 9) },
    ],
  },
  origin: 'test',
  oracles: [],
};
const powRecord = {
  id: 'p',
  kind: 'elementwise',
  op: 'Pow',
  rule: 'numpy',
  compare: { ulp: 4 },
  inputs: [
    { dtype: 'f32', shape: [2], b64: f32s(1, 1) },
    { dtype: 'f32', shape: [2], b64: f32s(1, 1) },
  ],
  expect: { dtype: 'f32', shape: [2], b64: f32s(1, 0) },
  origin: 'test',
  oracles: [],
};

let folder;
let number = 0;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'conformance-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes records (or raw lines) to a new file and returns its path. */
function file(...lines) {
  const name = path.join(folder, `${number++}.jsonl`);
  writeFileSync(name, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return name;
}

/** Runs the records; returns the counts and the output. */
async function run(paths, backend = stub()) {
  const printed = [];
  const counts = await runConformance(paths, backend, (line) => printed.push(line));
  assert.equal(printed.at(-1), `${counts.passed} passed, ${counts.failed} failed, ${counts.disputed} disputed`);
  return { ...counts, text: printed.join('\n') };
}

async function assertRefused(record, message) {
  const backend = stub();
  const { failed, text } = await run([file(record)], backend);
  assert.equal(failed, 1, text);
  assert.match(text, message);
  assert.deepEqual(backend.asked, [], 'a record that is not understood must not be asked about');
}

test('right answers pass, disputed ones are counted separately', async () => {
  const disputed = { ...shapeRecord, id: 'd', status: 'disputed', observed: { numpy: 'error' } };
  const {
    passed,
    failed,
    disputed: apart,
  } = await run([file(shapeRecord, errorRecord, addRecord), file(moveRecord, powRecord, disputed)]);
  assert.deepEqual([passed, failed, apart], [5, 0, 1]);
});

test('all corpora of this folder are valid', { timeout: 60_000 }, async () => {
  const rows = JSON.parse(readFileSync(path.join(here, '../reference/vocabulary.json'), 'utf8'));
  const attributes = ({ attribute }) => (attribute === 'to' ? ['to', 'saturate'] : attribute ? [attribute] : []);
  const everything = {
    dtypes: new Map(Object.entries(rows.dtypes)),
    ops: new Map(Object.entries(rows.ops).map(([name, row]) => [name, { attributes: attributes(row) }])),
    rules: new Map(Object.entries(rows.rules)),
    errors: new Set(rows.errors),
  };
  const backend = stub();
  backend.vocabulary = async () => everything;
  const { passed, failed, disputed, text } = await run([here], backend);
  assert.equal(failed, 0, text);
  assert.equal(disputed, 69);
  assert.ok(passed >= 2781, `${passed} passed`);
});

describe('an invalid run fails', () => {
  test('no records', async () => {
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    for (const paths of [[], [empty], [file()], [file('', '  ')], [path.join(folder, 'missing.jsonl')]]) {
      const { passed, failed, text } = await run(paths);
      assert.equal(passed, 0);
      assert.equal(failed, 1, text);
      assert.match(text, /no records|no such file/);
    }
  });

  test('one path without records among others', async () => {
    const { passed, failed } = await run([file(shapeRecord), file()]);
    assert.deepEqual([passed, failed], [1, 1]);
  });

  test('malformed JSON, with file and line', async () => {
    const name = file(shapeRecord, '{"id": "x", ');
    const { passed, failed, text } = await run([name]);
    assert.deepEqual([passed, failed], [1, 1]);
    assert.ok(text.includes(`${name}:2: malformed JSON`), text);
  });

  for (const line of ['null', '[]', '3', '"text"']) {
    test(`a line that is ${line}`, async () => assertRefused(line, /not an object/));
  }

  test('an id that occurs twice, in one file or in two', async () => {
    for (const paths of [[file(shapeRecord, shapeRecord)], [file(shapeRecord), file(shapeRecord)]]) {
      const { passed, failed, text } = await run(paths);
      assert.deepEqual([passed, failed], [1, 1]);
      assert.match(text, /duplicate id/);
    }
  });

  const refused = [
    ['no id', { ...shapeRecord, id: undefined }, /no id/],
    ['an unknown field', { ...shapeRecord, colour: 1 }, /unknown field "colour"/],
    ['a field of another kind', { ...shapeRecord, op: 'Add' }, /unknown field "op"/],
    ['an unknown kind', { ...shapeRecord, kind: 'matmul' }, /unknown kind "matmul"/],
    ['an inherited kind', { ...shapeRecord, kind: 'constructor' }, /unknown kind/],
    ['an unknown rule', { ...shapeRecord, rule: 'torch' }, /unknown rule "torch"/],
    ['an unknown status', { ...shapeRecord, status: 'skipped' }, /unknown status/],
    ['an unknown dtype of a shape record', { ...shapeRecord, dtype: 'f128' }, /unknown dtype "f128"/],
    [
      'an unknown dtype of a tensor',
      { ...addRecord, inputs: [{ dtype: 'i9', shape: [], b64: '' }] },
      /unknown dtype "i9"/,
    ],
    [
      'an unknown field of a tensor',
      { ...addRecord, inputs: [{ ...addRecord.inputs[0], strides: [1] }] },
      /unknown field "strides"/,
    ],
    ['an unknown op', { ...addRecord, op: 'Atan2' }, /unknown op "Atan2"/],
    ['an unknown mover', { ...moveRecord, op: 'Tile' }, /unknown op "Tile"/],
    ['a rule that moves nothing', { ...moveRecord, rule: 'numpy' }, /moves no data/],
    ['an unknown attribute', { ...addRecord, op: 'Mod', attrs: { mode: 1 } }, /unknown field "mode"/],
    ['an attribute of another op', { ...addRecord, attrs: { fmod: 1 } }, /unknown field "fmod"/],
    ['a wrong fmod', { ...addRecord, op: 'Mod', attrs: { fmod: 2 } }, /fmod/],
    ['a wrong direction', { ...addRecord, op: 'BitShift', attrs: { direction: 'up' } }, /direction/],
    ['an unknown way to compare', { ...powRecord, compare: { relative: 1e-3 } }, /unknown field "relative"/],
    ['a wrong ulp', { ...powRecord, compare: { ulp: 0.5 } }, /ulp/],
    ['a wrong zero_sign', { ...powRecord, compare: { zero_sign: 0 } }, /zero_sign/],
    ['an index beyond the result', { ...addRecord, undefined: [2] }, /out of range/],
    ['a negative index', { ...addRecord, undefined: [-1] }, /out of range/],
    ['an unknown error class', { ...errorRecord, expect: { error: 'oops' } }, /unknown error class "oops"/],
    [
      'an unknown field of expect',
      { ...shapeRecord, expect: { shape: [2, 3], strides: [] } },
      /unknown field "strides"/,
    ],
    ['no expectation', { ...shapeRecord, expect: undefined }, /expect/],
    ['no inputs', { ...shapeRecord, inputs: [] }, /inputs/],
    ['an extent that is no number', { ...shapeRecord, inputs: [['2']] }, /whole numbers/],
    ['an extent with a fraction', { ...shapeRecord, inputs: [[2.5]] }, /whole numbers/],
    [
      'an extent that JSON could not hold',
      '{"id":"s","kind":"shape","rule":"numpy","inputs":[[9007199254740993000]],' + '"expect":{"shape":[1]}}',
      /whole numbers/,
    ],
    ['an axis with a fraction', { ...shapeRecord, rule: 'pdpd', axis: 0.5 }, /axis/],
    ['data that is too short', { ...addRecord, inputs: [{ dtype: 'i32', shape: [2], b64: b64(1, 2) }] }, /bytes/],
    [
      'an expectation that is too short',
      { ...addRecord, expect: { dtype: 'i8', shape: [3], b64: b64(2, 3) } },
      /bytes/,
    ],
    ['data that is not base64', { ...addRecord, inputs: [{ dtype: 'i8', shape: [1], b64: '*' }] }, /base64/],
  ];
  for (const [name, record, message] of refused) test(name, async () => assertRefused(record, message));
});

describe('wrong answers fail, and the report has the expected and the actual answer', () => {
  const wrong = [
    [
      'another shape',
      shapeRecord,
      () => ({ shape: [3, 2] }),
      /s at .*\n.*expected shape \(2, 3\)\n.*got +shape \(3, 2\)/,
    ],
    ['a shape of higher rank', shapeRecord, () => ({ shape: [1, 2, 3] }), /got/],
    ['an error instead of a shape', shapeRecord, () => ({ error: 'rank' }), /got +error rank/],
    ['a shape instead of an error', errorRecord, () => ({ shape: [3] }), /expected error incompatible/],
    [
      'another class of error',
      errorRecord,
      () => ({ error: 'rank' }),
      /expected error incompatible\n.*got +error rank/,
    ],
    [
      'a disputed record answered otherwise',
      { ...errorRecord, status: 'disputed' },
      () => ({ shape: [3] }),
      /FAILED e/,
    ],
    [
      'another element',
      addRecord,
      ({ outputs: [{ dtype, shape }] }) => ({ outputs: [{ dtype, shape, bytes: Buffer.from([2, 4]) }] }),
      /element 1 0x3\n.*got +0x4/,
    ],
    [
      'another type',
      addRecord,
      ({ outputs: [{ shape, bytes }] }) => ({ outputs: [{ dtype: 'u8', shape, bytes }] }),
      /expected i8 \(2,\)\n.*got +u8 \(2,\)/,
    ],
    [
      'another shape of the same data',
      addRecord,
      ({ outputs: [{ dtype, bytes }] }) => ({ outputs: [{ dtype, shape: [1, 2], bytes }] }),
      /got +i8 \(1, 2\)/,
    ],
    [
      'too few bytes',
      addRecord,
      ({ outputs: [{ dtype, shape }] }) => ({ outputs: [{ dtype, shape, bytes: Buffer.from([2]) }] }),
      /bytes/,
    ],
    ['too few outputs', moveRecord, ({ outputs }) => ({ outputs: outputs.slice(1) }), /expected/],
    ['outputs in another order', moveRecord, ({ outputs }) => ({ outputs: outputs.toReversed() }), /output 0/],
    [
      'no answer',
      addRecord,
      () => {
        throw new Error('it fell over');
      },
      /got +it fell over/,
    ],
  ];
  for (const [name, record, alter, message] of wrong) {
    test(name, async () => {
      const { passed, failed, disputed, text } = await run([file(record)], stub(alter));
      assert.deepEqual([passed, failed, disputed], [0, 1, 0]);
      assert.match(text, message);
    });
  }

  test('only the first failures are printed, all are counted', async () => {
    const records = Array.from({ length: 50 }, (_, i) => ({ ...shapeRecord, id: `n${i}` }));
    const { failed, text } = await run(
      [file(...records)],
      stub(() => ({ shape: [] })),
    );
    assert.equal(failed, 50);
    assert.match(text, /and 30 more/);
  });
});

describe('how elements are compared', () => {
  const f32bits = (...bits) => Buffer.from(new Uint32Array(bits).buffer);
  /** Whether `got` passes for `want`, two lists of f32 bits. */
  async function passes(want, got, extra = {}) {
    const record = {
      ...powRecord,
      compare: undefined,
      ...extra,
      expect: { dtype: 'f32', shape: [want.length], b64: f32bits(...want).toString('base64') },
    };
    const { failed } = await run(
      [file(record)],
      stub(({ outputs: [{ dtype, shape }] }) => ({ outputs: [{ dtype, shape, bytes: f32bits(...got) }] })),
    );
    return failed === 0;
  }
  const one = 0x3f800000;
  const negativeZero = 0x80000000;
  const nan = 0x7fc00000;
  const otherNaN = 0xffc00001;
  const infinity = 0x7f800000;

  test('by their bits', async () => {
    assert.ok(await passes([one], [one]));
    assert.ok(!(await passes([one], [one + 1])));
    assert.ok(!(await passes([0], [negativeZero])));
  });
  test('all NaNs are equal, and nothing else is', async () => {
    assert.ok(await passes([nan], [otherNaN]));
    assert.ok(!(await passes([nan], [infinity])));
    assert.ok(!(await passes([infinity], [nan])));
    assert.ok(!(await passes([nan], [one], { compare: { ulp: 4 } })));
  });
  test('within ulp, on both sides, not beyond', async () => {
    assert.ok(await passes([one], [one + 4], { compare: { ulp: 4 } }));
    assert.ok(await passes([one], [one - 4], { compare: { ulp: 4 } }));
    assert.ok(!(await passes([one], [one + 5], { compare: { ulp: 4 } })));
    assert.ok(!(await passes([one], [one - 5], { compare: { ulp: 4 } })));
    assert.ok(await passes([1], [negativeZero + 1], { compare: { ulp: 2 } }));
    assert.ok(!(await passes([1], [negativeZero + 2], { compare: { ulp: 2 } })));
  });
  test('the sign of zero, if the record allows it', async () => {
    assert.ok(!(await passes([0], [negativeZero], { compare: { ulp: 4 } })));
    assert.ok(await passes([0], [negativeZero], { compare: { zero_sign: false } }));
    assert.ok(await passes([negativeZero], [0], { compare: { zero_sign: false } }));
    assert.ok(!(await passes([0], [1], { compare: { zero_sign: false } })));
    assert.ok(!(await passes([one], [one | negativeZero], { compare: { zero_sign: false } })));
  });
  test('undefined elements are not compared, but their neighbours are', async () => {
    assert.ok(await passes([one, one], [one, nan], { undefined: [1] }));
    assert.ok(!(await passes([one, one], [nan, one], { undefined: [1] })));
  });
  test('moved data keeps the payload of NaNs and the sign of zero', async () => {
    for (const [want, got] of [
      [nan, otherNaN],
      [0, negativeZero],
    ]) {
      const record = {
        id: 'm',
        kind: 'broadcast',
        op: 'Expand',
        rule: 'bidirectional',
        target_shape: [1],
        inputs: [{ dtype: 'f32', shape: [1], b64: f32s(1) }],
        expect: { outputs: [{ dtype: 'f32', shape: [1], b64: f32bits(want).toString('base64') }] },
      };
      const { failed } = await run(
        [file(record)],
        stub(({ outputs: [{ dtype, shape }] }) => ({ outputs: [{ dtype, shape, bytes: f32bits(got) }] })),
      );
      assert.equal(failed, 1);
    }
  });
  test('f16, bf16 and f64 in their own units', async () => {
    const cases = [
      ['f16', [0x3c00], [0x3c01], Uint16Array],
      ['bf16', [0x3f80], [0x3f81], Uint16Array],
      ['f64', [0x3ff0000000000000n], [0x3ff0000000000001n], BigUint64Array],
    ];
    for (const [dtype, want, got, ArrayType] of cases) {
      for (const [ulp, failures] of [
        [0, 1],
        [1, 0],
      ]) {
        const record = {
          ...powRecord,
          compare: { ulp },
          expect: { dtype, shape: [1], b64: Buffer.from(new ArrayType(want).buffer).toString('base64') },
        };
        const { failed } = await run(
          [file(record)],
          stub(() => ({ outputs: [{ dtype, shape: [1], bytes: Buffer.from(new ArrayType(got).buffer) }] })),
        );
        assert.equal(failed, failures, `${dtype} within ${ulp}`);
      }
    }
  });
  test('packed types element by element, whatever the unused bits are', async () => {
    const cases = [
      ['u4', [3], [0x21, 0x03], [0x21, 0xf3], 0],
      ['u4', [3], [0x21, 0x03], [0x11, 0x03], 1],
      ['u1', [9], [0xff, 0x80], [0xff, 0xff], 0],
      ['u1', [9], [0xff, 0x80], [0xff, 0x7f], 1],
      ['u1', [9], [0xff, 0x80], [0xfe, 0x80], 1],
    ];
    for (const [dtype, shape, want, got, failures] of cases) {
      const record = {
        id: 'q',
        kind: 'broadcast',
        op: 'Expand',
        rule: 'bidirectional',
        target_shape: shape,
        inputs: [{ dtype: 'u8', shape: [], b64: b64(0) }],
        expect: { outputs: [{ dtype, shape, b64: b64(...want) }] },
      };
      const { failed } = await run(
        [file(record)],
        stub(() => ({ outputs: [{ dtype, shape, bytes: Buffer.from(got) }] })),
      );
      assert.equal(failed, failures, `${dtype} ${want} ${got}`);
    }
  });
  test('extents beyond 2^53', async () => {
    const record = { ...shapeRecord, inputs: [[2 ** 62]], expect: { shape: [2 ** 62] } };
    assert.equal(
      (
        await run(
          [file(record)],
          stub(() => ({ shape: [2n ** 62n] })),
        )
      ).failed,
      0,
    );
    assert.equal(
      (
        await run(
          [file(record)],
          stub(() => ({ shape: [2n ** 62n + 1n] })),
        )
      ).failed,
      1,
    );
  });
});

describe('a session that misbehaves', () => {
  /** A backend whose session is this JavaScript. */
  function session(source) {
    const program = path.join(folder, `session${number++}`);
    writeFileSync(program, `#!${process.execPath}\n${source}`, { mode: 0o755 });
    return new NativeBackend(program);
  }
  const lines = `const lines = require('readline').createInterface({ input: process.stdin });
    const words = 'vocabulary dtype:i8:8:signed op:Add rule:numpy error:rank';`;

  test('a session that dies fails only the current record', async () => {
    const backend = session(`${lines} lines.on('line', (line) => {
      if (line.includes('[666]')) process.kill(process.pid, 'SIGFPE');
      else console.log(line === 'vocabulary' ? words : 'shape [2,3]');
    });`);
    const deadly = { ...shapeRecord, id: 'deadly', inputs: [[666], [3]] };
    const { passed, failed, text } = await run(
      [file({ ...shapeRecord, id: '1' }, deadly, { ...shapeRecord, id: '2' })],
      backend,
    );
    backend.close();
    assert.deepEqual([passed, failed], [2, 1], text);
    assert.match(text, /deadly[^]*SIGFPE/);
  });

  test('a session with malformed answers fails', async () => {
    const backend = session(`${lines} lines.on('line', (line) => {
      console.log(line === 'vocabulary' ? words : 'malformed shape: too few words');
    });`);
    const { passed, failed, text } = await run([file(shapeRecord)], backend);
    backend.close();
    assert.deepEqual([passed, failed], [0, 1]);
    assert.match(text, /too few words/);
  });
});

test('wrong usage of the command is an error', () => {
  const { status, stderr } = spawnSync(process.execPath, [script, 'torch'], { encoding: 'utf8' });
  assert.equal(status, 2);
  assert.match(stderr, /usage/);
});
