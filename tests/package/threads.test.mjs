// broadloom/threads: results of the same bits as with one thread, tensors in shared memory, calls at the same time, refused
// memory, and the end of threads.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { BroadcastError, isBroadcastError, load as loadAlone, LoadError } from 'broadloom';
import { load } from 'broadloom/threads';
import { bool, f32, i32, plain } from './arrays.mjs';
import { bytes, randomArray, randomOf } from './random-arrays.mjs';

// The workers that Node has started, so that one can be terminated.
const threads = createRequire(import.meta.url)('node:worker_threads');
const workers = [];
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    super(...given);
    workers.push(this);
  }
};

let alone;
let bl;
before(async () => {
  [alone, bl] = await Promise.all([loadAlone(), load({ threads: 3 })]);
});
after(() => bl.close());

/** The BroadcastError with which a promise was rejected. */
async function rejection(promise, fields = {}) {
  const error = await promise.then(
    (value) => assert.fail(`resolved: ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof BroadcastError && isBroadcastError(error), `a BroadcastError, not ${error?.stack}`);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(error[name], value, `${name}: ${error.message}`);
  return error;
}

const random = randomOf(5);

const made = new Map();

/** A random array. It must not be changed. */
function make(dtype, shape) {
  const key = `${dtype} ${shape}`;
  if (!made.has(key)) made.set(key, randomArray(alone, random, dtype, shape));
  return made.get(key);
}

// The first ones are large enough for the threads, whatever the type.
const SHAPES = [
  [[1024, 1030], [1030], [1024, 1]],
  [[3, 5], [5], [3, 1]],
  [[], [7], [7]],
];
// For one type of each operator.
const MANY_AXES = [
  [2, 1, 57, 1, 77],
  [31, 1, 5, 1],
  [57, 5, 77],
];

test('every operator with every type gives the bits of one thread', async () => {
  for (const row of Object.values(alone.vocabulary.ops)) {
    const count = row.name === 'Broadcast' ? 1 : (row.mostOperands ?? 3);
    const dtypes = row.types[row.follows.indexOf(true)];
    for (const dtype of dtypes) {
      for (const shapes of dtype === dtypes.at(-1) ? [...SHAPES, MANY_AXES] : SHAPES) {
        const used = shapes.slice(0, count);
        const types = used.map((_, k) => (row.follows[Math.min(k, row.follows.length - 1)] ? dtype : row.types[k][0]));
        const attrs = {
          BitShift: { direction: 'left' },
          Mod: { fmod: /f/.test(dtype) ? 1 : 0 },
          Cast: { to: 'i16' },
        }[row.name];
        const options = { rule: 'numpy', ...(attrs && { attrs }) };
        if (row.name === 'PRelu') {
          if (alone.broadcastShapes(...used).join() !== used[0].join()) continue;
          options.rule = 'onnx_unidirectional';
        } else if (row.name === 'Broadcast') {
          Object.assign(options, { rule: 'bidirectional', targetShape: [2, ...alone.broadcastShapes(...shapes)] });
        }
        const inputs = used.map((shape, k) => make(types[k], shape));
        const label = `${row.name} ${types} ${JSON.stringify(used)}`;
        const expected = alone.apply(row.name, inputs, options);
        const typed = await bl.apply(row.name, inputs, options);
        assert.deepEqual([typed.shape, typed.dtype], [expected.shape, expected.dtype], label);
        assert.ok(bytes(typed.data).equals(bytes(expected.data)), `${label}: typed arrays`);
        const tensors = inputs.map((array) => bl.tensor(array));
        const resident = await bl.apply(row.name, tensors, options);
        assert.ok(bytes(resident.read()).equals(bytes(expected.data)), `${label}: tensors`);
        for (const tensor of [...tensors, resident]) tensor.dispose();
      }
    }
  }
  assert.equal(bl.memory().held, 0);
});

test('every rule gives the bits of one thread', async () => {
  const a = make('f32', [64, 96, 128]);
  const calls = [
    ['none', [a, randomArray(alone, random, 'f32', [64, 96, 128])]],
    ['numpy', [a, make('f32', [96, 1])]],
    ['onnx_multidirectional', [make('f32', [96, 128]), a]],
    ['onnx_unidirectional', [a, make('f32', [128])]],
    ['pdpd', [a, make('f32', [96])], { axis: 1 }],
  ];
  for (const [rule, inputs, options] of calls) {
    const expected = alone.apply('Sub', inputs, { rule, ...options });
    assert.ok(bytes((await bl.apply('Sub', inputs, { rule, ...options })).data).equals(bytes(expected.data)), rule);
  }
  const moves = [
    ['bidirectional', { targetShape: [3, 1, 96, 1] }],
    ['broadcast_numpy', { targetShape: [2, 64, 96, 128] }],
    ['explicit', { targetShape: [64, 96, 2, 128], axesMapping: [0, 1, 3] }],
  ];
  for (const [rule, options] of moves) {
    const expected = alone.apply('Broadcast', [a], { rule, ...options });
    const moved = await bl.apply('Broadcast', [bl.tensor(a)], { rule, ...options });
    assert.deepEqual(moved.shape, expected.shape);
    assert.ok(bytes(moved.read()).equals(bytes(expected.data)), rule);
  }
  const arrays = [make('i16', [900, 1]), make('f64', [1100])];
  const each = await bl.broadcastArrays(bl.tensor(arrays[0]), arrays[1]);
  alone.broadcastArrays(...arrays).forEach(({ data, shape, dtype }, i) => {
    assert.deepEqual([each[i].shape, each[i].dtype], [shape, dtype]);
    assert.ok(bytes(i === 0 ? each[0].read() : each[1].data).equals(bytes(data)), `sonnx ${i}`);
  });
});

test('sums have the bits of one thread', async () => {
  for (const dtype of ['i8', 'i64', 'f16', 'bf16', 'f32', 'f64']) {
    for (const [from, to] of [
      [[512, 2060], [2060]],
      [
        [512, 2060],
        [512, 1],
      ],
      [[512, 2060], []],
      [
        [7, 300, 1001],
        [300, 1],
      ],
      [[4, 5], [5]],
    ]) {
      const array = make(dtype, from);
      const expected = bytes(alone.sumTo(array, to).data);
      const label = `${dtype} ${from} to ${to}`;
      assert.ok(bytes((await bl.sumTo(array, to)).data).equals(expected), label);
      const [tensor, out] = [bl.tensor(array), bl.tensor(make(dtype, to))];
      assert.equal(await bl.sumTo(tensor, to, { out }), out);
      assert.ok(bytes(out.read()).equals(expected), `${label}: tensors`);
    }
  }
});

test('operands of many axes, and many operands', async () => {
  // Beyond rank 8 and 4 operands, the thread that leads allocates.
  const shape = [2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3];
  const arrays = Array.from({ length: 7 }, (_, i) => make('f32', i % 2 === 0 ? shape : (shape.with?.(3, 1) ?? shape)));
  const expected = alone.sum(arrays);
  const tensors = arrays.map((array) => bl.tensor(array));
  const results = [];
  for (let i = 0; i < 8; ++i) {
    results.push(bl.sum(tensors));
    bl.tensor(arrays[0]).dispose(); // this thread allocates meanwhile
  }
  for (const result of await Promise.all(results)) assert.ok(bytes(result.read()).equals(bytes(expected.data)));
});

test('plans and boxes', async () => {
  const plan = bl.plan('Mul', 'numpy', [[1000, 1200], [1200]], ['f32', 'f32']);
  const inputs = [make('f32', [1000, 1200]), make('f32', [1200])];
  const expected = alone.mul(...inputs);
  assert.deepEqual([plan.op, plan.rule, plan.shape, plan.dtype], ['Mul', 'numpy', [1000, 1200], 'f32']);
  assert.deepEqual((await plan.run(inputs.map(({ data }) => data))).data, expected.data);
  const out = new Float32Array(1_200_000);
  assert.equal((await plan.run(inputs, out)).data, out);
  assert.deepEqual(out, expected.data);
  const box = [
    { begin: 3, end: 950 },
    { begin: 10, end: 1190 },
  ];
  const same = alone.plan('Mul', 'numpy', [[1000, 1200], [1200]], ['f32', 'f32']).runRegion(box, inputs);
  const tensors = inputs.map((array) => bl.tensor(array));
  assert.deepEqual((await plan.runRegion(box, tensors)).read(), same.data);
  assert.deepEqual((await plan.runRegion(box, inputs)).data, same.data);
  plan.dispose();
  assert.equal(plan.disposed, true);
  await rejection(plan.run(inputs), { code: 'disposed' });
  assert.throws(() => bl.plan('Add', 'numpy', [[2], [3]], ['f32', 'f32']), { code: 'incompatible' });
});

test('results in other forms', async () => {
  const [rows, columns] = [700, 800];
  const data = Float32Array.from({ length: rows * columns }, (_, i) => i % 7);
  const transposed = { data, shape: [columns, rows], stride: [1, columns], offset: 0 };
  const doubled = await bl.mul(transposed, 2);
  assert.deepEqual([doubled.shape, doubled.data[1]], [[columns, rows], 2 * data[columns]]);
  const nested = await bl.add({ data, shape: [rows, columns] }, 1, { as: 'nested' });
  assert.deepEqual([nested.length, nested[1].length, nested[0][5]], [rows, columns, 6]);
  const tensor = { type: 'float32', data, dims: [rows, columns] };
  const sum = await bl.add(tensor, 1, { as: 'first' });
  assert.deepEqual([sum.type, sum.dims, sum.data[3]], ['float32', [rows, columns], 4]);
  const many = await bl.max([bl.tensor({ data, shape: [rows, columns] }), [3]], { as: 'first', promote: 'numpy2' });
  assert.equal(many.read()[6], 6);
  const saturated = await bl.cast({ data: new Float32Array(1 << 20).fill(300), shape: [1 << 20] }, 'u8', {
    saturate: true,
    as: 'strided',
  });
  assert.deepEqual([saturated.data[9], saturated.shape], [255, [1 << 20]]);
  await rejection(bl.add(tensor, 1, { as: 'neste' }), { code: 'unknown' });
});

test('small calls equal those of one thread', async () => {
  const calls = [
    ['Add', [f32([1, 2, 3, 4, 5, 6], [2, 3]), f32([10, 20])], { rule: 'pdpd', axis: 0 }],
    ['Where', [bool([1, 0]), f32([1, 2]), f32([3])]],
    ['Max', [i32([1, 5]), i32([3]), i32([2, 9], [2, 1])]],
    ['Add', [f32([], [0, 3]), f32([1, 2, 3])]],
    ['Add', [f32([1], []), f32([2], [])]],
    ['Mul', [i32([1, 2]), f32([0.5])], { promote: 'numpy2' }],
  ];
  for (const [op, inputs, options] of calls) {
    const expected = plain(alone.apply(op, inputs, options));
    assert.deepEqual(plain(await bl.apply(op, inputs, options)), expected, op);
    const tensors = inputs.map((array) => bl.tensor(array));
    const { shape, dtype, ...result } = await bl.apply(op, tensors, options);
    assert.deepEqual([shape, dtype, result.read], [expected.shape, expected.dtype, undefined]);
  }
  assert.equal(bl.inferShape('numpy', [[2, 1], [3]]).join(), '2,3');
  assert.equal((await bl.broadcast([1, 2], { mode: 'numpy', targetShape: [2, 2] })).data.join(), '1,2,1,2');
  assert.equal((await bl.broadcastTo([[1], [2]], [2, 2])).data.join(), '1,1,2,2');
});

const LONG = 1 << 22;
const long = (value = 2, of = bl) => of.tensor({ data: new Float32Array(LONG).fill(value), shape: [LONG] });

test('tensors are in shared memory, and results are not', async () => {
  const tensor = long();
  const shared = tensor.view(({ buffer }) => buffer);
  assert.ok(shared instanceof SharedArrayBuffer);
  assert.ok(tensor.read().buffer instanceof ArrayBuffer);
  const sum = await bl.add({ data: new Float32Array(LONG), shape: [LONG] }, 1);
  assert.ok(sum.data.buffer instanceof ArrayBuffer);
  tensor.view((data) => (data[7] = 70));
  assert.equal((await bl.add(tensor, 1)).read()[7], 71);
  assert.ok(bl.memory().bytes >= LONG * 4);
  // Shared memory of the caller's own is an array like any other.
  const own = { data: new Float32Array(new SharedArrayBuffer(LONG * 4)).fill(3), shape: [LONG] };
  assert.equal((await bl.mul(own, 2)).data[LONG - 1], 6);
});

test('calls at the same time are computed in order', async () => {
  const out = long(0);
  const x = long(1);
  const results = [];
  for (let i = 0; i < 10; ++i) results.push(bl.add(i === 0 ? x : out, x, { out }));
  const small = bl.tensor([5]);
  results.push(bl.add(small, 1, { out: small })); // waits for those before
  await Promise.all(results);
  assert.deepEqual([out.read()[0], out.read()[LONG - 1], small.read()[0]], [11, 11, 6]);
});

test('operands are read when the call is made, or kept until it is done', async () => {
  const mine = await load({ threads: 2 }); // of which nothing is collected
  const data = new Float32Array(LONG).fill(1);
  const x = long(3, mine);
  const before = mine.memory();
  const results = [mine.add({ data, shape: [LONG] }, 1), mine.mul(x, 2), mine.mul(x, 3)];
  data.fill(9);
  x.dispose();
  const [sum, twice, thrice] = await Promise.all(results);
  assert.deepEqual([sum.data[LONG - 1], twice.read()[5], thrice.read()[5]], [2, 6, 9]);
  twice.dispose();
  thrice.dispose();
  assert.equal(mine.memory().held, before.held - 4 * LONG);
  const again = long(4, mine); // in the memory that was released
  assert.equal((await mine.add(again, 1)).read()[LONG - 1], 5);
  mine.close();
});

test('out may have strides, and nothing between its elements is written', async () => {
  const x = f32(Array.from({ length: LONG }, (_, i) => i % 100));
  for (const sum of [1, 2]) {
    const data = new Float32Array(2 * LONG + 3).fill(7);
    const out = { data, shape: [LONG], strides: [-2], offset: 2 * LONG };
    const result = sum === 1 ? await bl.add(x, 1, { out }) : await bl.sumTo(x, [LONG], { out });
    assert.deepEqual([result.data, result.strides, result.offset], [data, [-2], 2 * LONG]);
    for (let i = 0; i < data.length; ++i) {
      const cell = LONG - i / 2;
      const inside = i % 2 === 0 && cell >= 0 && cell < LONG;
      if (data[i] !== (inside ? (cell % 100) + (2 - sum) : 7)) assert.fail(`element ${i} is ${data[i]}`);
    }
  }
});

test('out may be an operand, or another array, and overlaps are refused', async () => {
  const data = new Float32Array(LONG).fill(1);
  const out = { data, shape: [LONG] };
  assert.equal((await bl.add(out, 1, { out })).data, data);
  assert.equal(data[LONG - 1], 2);
  const half = LONG / 2;
  const array = { data: data.subarray(0, half), shape: [half] };
  const shifted = { data: data.subarray(1, half + 1), shape: [half] };
  await rejection(bl.add(array, 1, { out: shifted }), { code: 'overlap' });
  const apart = { data: new Float32Array(2 * LONG), shape: [LONG], strides: [-2], offset: 2 * LONG - 1 };
  const result = await bl.mul(
    f32([3]),
    { data: Float32Array.from({ length: LONG }, (_, i) => i), shape: [LONG] },
    { out: apart },
  );
  assert.deepEqual([result.data, result.strides, result.offset], [apart.data, [-2], 2 * LONG - 1]);
  assert.deepEqual([...apart.data.subarray(-4)], [0, 3, 0, 0]);
  const running = bl.add(out, 1, { out });
  structuredClone(data, { transfer: [data.buffer] });
  await rejection(running, { code: 'length' });
  const x = long(1);
  const clamped = { data: new Uint8ClampedArray(LONG), shape: [LONG] };
  await bl.cast(x, 'u8', { out: clamped });
  assert.equal(clamped.data[LONG - 1], 1);
});

test('errors of a call reject its promise, and the others go on', async () => {
  const mine = await load({ threads: 2 });
  const x = long(2, mine);
  const before = mine.memory().held;
  const good = mine.add(x, 1);
  await rejection(mine.add(x, [1, 2]), { code: 'incompatible', axis: 0 });
  await rejection(mine.add(x, 'x'), { code: 'dtype' });
  await rejection(mine.add(x), { code: 'arity' });
  await rejection(mine.add(x, 1, { axes: 1 }), { code: 'unknown' });
  await rejection(mine.apply('Plus', [x, 1]), { code: 'unknown' });
  await rejection(mine.apply('Add', null), { code: 'arity' });
  await rejection(mine.sumTo(x, [3]), { code: 'incompatible' });
  await rejection(mine.bitShift(x, x), { code: 'attribute' });
  const other = alone.tensor([1]);
  await rejection(mine.add(x, other), { code: 'dtype' });
  (await good).dispose();
  assert.equal(mine.memory().held, before);
  x.dispose();
  mine.close();
});

test('a result that is larger than the memory is refused, and all else goes on', async () => {
  const mine = await load({ threads: 2 });
  const x = mine.tensor(f32([1, 2, 3, 4]));
  const { held } = mine.memory();
  await rejection(mine.broadcastTo(x, [1 << 30, 4]), { code: 'limit' });
  const error = await rejection(mine.broadcastTo(x, [(1 << 28) - 4096, 4]), { code: 'allocation' });
  assert.match(error.message, /^Memory was refused/);
  assert.throws(() => mine.tensor({ data: new Float32Array(2), shape: [3] }), { code: 'length' });
  assert.equal(mine.memory().held, held);
  assert.equal((await mine.add(x, 1)).read().join(), '2,3,4,5');
  mine.close();
});

test('the number of threads is checked', async () => {
  for (const given of [0, 1e9, Number.NaN, '2', 2.5, -1, 65, null, {}, 2n]) {
    await assert.rejects(load({ threads: given }), { name: 'LoadError', code: 'load' }, String(given));
  }
  await assert.rejects(load({ thread: 2 }), LoadError);
  await assert.rejects(load(2), LoadError);
  await assert.rejects(load({ threads: 2, threadsWasm: new Uint8Array(8) }), LoadError);
});

test('one thread is the calling one', async () => {
  const before = workers.length;
  const one = await load({ threads: 1 });
  assert.deepEqual([one.threads, one.reason, workers.length], [1, null, before]);
  const x = one.tensor(f32([1, 2]));
  assert.equal((await one.add(x, 1)).read().join(), '2,3');
  assert.equal((await one.plan('Add', 'numpy', [[2], []], ['f32', 'f32']).run([x, 1])).read().join(), '2,3');
  one.close();
  await rejection(one.add(x, 1), { code: 'disposed', message: 'The threads were closed. load() starts others.' });
  assert.throws(() => one.tensor(f32([1])), { code: 'disposed' });
});

test('where memory cannot be shared there is one thread, with the reason', async (t) => {
  for (const [name, value, reason] of [
    [
      'crossOriginIsolated',
      false,
      /not isolated.*Cross-Origin-Opener-Policy: same-origin.*Embedder-Policy: require-corp/,
    ],
    ['SharedArrayBuffer', undefined, /^This platform has no SharedArrayBuffer\.$/],
  ]) {
    const known = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true });
    t.after(() => (known ? Object.defineProperty(globalThis, name, known) : delete globalThis[name]));
    const one = await load({ threads: 4 });
    if (known) Object.defineProperty(globalThis, name, known);
    else delete globalThis[name];
    assert.equal(one.threads, 1);
    assert.match(one.reason, reason);
    assert.equal((await one.add([1], 2)).data[0], 3);
    one.close();
  }
  const { Memory } = WebAssembly;
  t.after(() => (WebAssembly.Memory = Memory));
  const asked = [];
  const refusing = (most) =>
    class extends Memory {
      constructor(given) {
        if (given.shared) asked.push(given.maximum);
        if (given.shared && given.maximum > most) throw new RangeError('could not allocate memory');
        super(given);
      }
    };
  WebAssembly.Memory = refusing(0);
  const one = await load({ threads: 4 });
  assert.equal(one.reason, 'This platform refuses memory that threads share: could not allocate memory.');
  assert.deepEqual(asked, [65536, 32768, 16384, 8192, 4096, 2048, 1024]);
  // Half as much, where that is granted.
  WebAssembly.Memory = refusing(20_000);
  const two = await load({ threads: 2 });
  assert.equal(two.threads, 2);
  await rejection(two.broadcastTo(two.tensor(f32([1])), [1 << 28]), { code: 'allocation' });
  two.close();
});

test('calls that run when threads are closed are aborted, later ones refused', async () => {
  const mine = await load({ threads: 2 });
  const x = mine.tensor({ data: new Float32Array(LONG).fill(2), shape: [LONG] });
  const calls = [mine.pow(x, 0.5), mine.pow(x, 0.25)];
  mine.close();
  mine.close();
  for (const call of calls) {
    const { message } = await rejection(call, { code: 'aborted' });
    assert.equal(message, 'The threads were closed before the call was done.');
  }
  await rejection(mine.add(x, 1), { code: 'disposed' });
  assert.throws(() => mine.tensor([1]), { message: 'The threads were closed. load() starts others.' });
  assert.equal(x.read()[LONG - 1], 2);
  assert.equal(mine.inferShape('numpy', [[2, 1], [3]]).join(), '2,3');
  x.dispose();
});

for (const which of ['leads', 'helps']) {
  test(`when the thread that ${which} ends, calls are aborted`, async () => {
    const before = workers.length;
    const mine = await load({ threads: 2 });
    const x = mine.tensor({ data: new Float32Array(LONG).fill(2), shape: [LONG] });
    const calls = [mine.pow(x, 0.5), mine.pow(x, 0.25)];
    await workers[which === 'leads' ? before : before + 1].terminate();
    const results = await Promise.all(
      calls.map((call) =>
        call.then(
          () => 'done',
          ({ code }) => code,
        ),
      ),
    );
    // The first may have been done before.
    assert.ok(['done', 'aborted'].includes(results[0]), results[0]);
    const { message } = await rejection(mine.add(x, 1), { code: 'disposed' });
    assert.equal(message, 'The threads ended: a thread has ended. load() starts others.');
    mine.close();
  });
}

test('an idle instance does not keep a program running, a call does', () => {
  const entry = JSON.stringify(new URL('../../wasm/dist/threads.js', import.meta.url).href);
  const code = `import { load } from ${entry};
    const bl = await load({ threads: 3 });
    const x = bl.tensor({ data: new Float32Array(4_000_000).fill(4), shape: [4_000_000] });
    bl.pow(x, 0.5).then((y) => console.log(y.read()[0]));`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    timeout: 120_000,
  });
  assert.deepEqual([status, stdout.trim(), stderr], [0, '2', '']);
});

test('explanations', async () => {
  const mine = await load({ threads: 1, explanations: true });
  assert.equal(
    mine
      .align('numpy', [[2, 3], [2]])
      .repairs()[0]
      .shape.join(),
    '2,1',
  );
  await assert.rejects(mine.add(f32([1, 2, 3, 4, 5, 6], [2, 3]), f32([1, 2])), (error) =>
    error.link('http://localhost:8080/').startsWith('http://localhost:8080/#'),
  );
  mine.close();
  assert.equal(await bl.loadExplanations(), bl);
  assert.equal(bl.readShapes('(2,3)')[0].text, '(2,3)');
});
