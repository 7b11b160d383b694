// The worker: results equal to those of the plain calls, copied and moved arrays, aborted calls, and termination.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { BroadcastError, isBroadcastError, load, LoadError } from 'broadloom';
import { startWorker } from 'broadloom/worker';
import { bool, f32, i32, plain } from './arrays.mjs';

const dist = new URL('../../wasm/dist/', import.meta.url);
let bl;
let worker;
before(async () => {
  [bl, worker] = await Promise.all([load(), startWorker()]);
});
after(() => worker.terminate());

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

/** The value that was thrown. */
function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

// Work of many blocks, which takes the worker a long time.
const LONG = 1 << 24;
const long = () => [f32(new Float32Array(LONG).fill(2)), f32([0.5])];

test('results equal those of the plain calls', async () => {
  const calls = [
    ['Add', [f32([1, 2, 3, 4, 5, 6], [2, 3]), f32([10, 20, 30])]],
    ['Add', [f32([1, 2, 3, 4, 5, 6], [2, 3]), f32([10, 20])], { rule: 'pdpd', axis: 0 }],
    ['Less', [i32([1, 5]), i32([3])]],
    ['Where', [bool([1, 0]), f32([1, 2]), f32([3])]],
    ['Max', [i32([1, 5]), i32([3]), i32([2, 9], [2, 1])]],
    ['Broadcast', [i32([1, 2])], { rule: 'explicit', targetShape: [2, 3], axesMapping: [0] }],
    [
      'BitShift',
      [
        { data: new Uint8Array([1, 2]), shape: [2] },
        { data: new Uint8Array([3]), shape: [1] },
      ],
    ].concat({
      attrs: { direction: 'left' },
    }),
    ['Add', [f32([], [0, 3]), f32([1, 2, 3])]],
    ['Add', [f32([1], []), f32([2], [])]],
    ['Mul', [i32([1, 2]), f32([0.5])], { promote: 'numpy2' }],
    ['Cast', [f32([-1.5, 300, NaN])], { attrs: { to: 'u8' } }],
    ['Add', [{ data: new Uint16Array([0x3c00]), shape: [1], dtype: 'f16' }, 1]],
  ];
  for (const [op, inputs, options] of calls) {
    assert.deepEqual(plain(await worker.apply(op, inputs, options)), plain(bl.apply(op, inputs, options)), op);
  }
  const many = [f32([1, 2], [2, 1]), i32([7, 8, 9])];
  const results = await worker.apply('Broadcast', many, { rule: 'sonnx' });
  assert.deepEqual(results.map(plain), bl.apply('Broadcast', many, { rule: 'sonnx' }).map(plain));
  const gradient = f32([0, 1, 2, 3, 4, 5], [2, 3]);
  assert.deepEqual(plain(await worker.sumTo(gradient, [3])), plain(bl.sumTo(gradient, [3])));
  const options = { rule: 'pdpd', axis: 0 };
  assert.deepEqual(plain(await worker.sumTo(gradient, [2], options)), plain(bl.sumTo(gradient, [2], options)));
});

test('results of many blocks equal those of the plain calls', async () => {
  const [rows, columns] = [700, 1501];
  const a = f32(
    Float32Array.from({ length: rows * columns }, (_, i) => i % 977),
    [rows, columns],
  );
  const b = f32(
    Float32Array.from({ length: rows }, (_, i) => i / 8),
    [rows, 1],
  );
  assert.deepEqual((await worker.apply('Mul', [a, b])).data, bl.mul(a, b).data);
  // A result of long repeated parts, which plain calls leave to the platform.
  const options = { rule: 'explicit', targetShape: [rows, 2, columns], axesMapping: [0, 2] };
  assert.deepEqual((await worker.apply('Broadcast', [a], options)).data, bl.apply('Broadcast', [a], options).data);
  const flags = { data: new Uint8Array(100_000).fill(0xa5), shape: [800_000], dtype: 'u1' };
  const repeated = { rule: 'broadcast_numpy', targetShape: [7, 800_000] };
  assert.deepEqual(
    (await worker.apply('Broadcast', [flags], repeated)).data,
    bl.apply('Broadcast', [flags], repeated).data,
  );
  const pair = [a, b];
  const results = await worker.apply('Broadcast', pair, { rule: 'sonnx' });
  bl.apply('Broadcast', pair, { rule: 'sonnx' }).forEach(({ data }, i) => assert.deepEqual(results[i].data, data));
});

test('arrays in other forms are accepted and returned', async () => {
  class Tensor {
    #data;
    constructor(type, data, dims) {
      this.#data = data;
      Object.assign(this, { type, dims });
    }
    get data() {
      return this.#data;
    }
  }
  const tensor = new Tensor('float32', new Float32Array([1, 2, 3]), [3]);
  const sum = await worker.apply('Add', [tensor, 1], { as: 'first' });
  assert.ok(sum instanceof Tensor);
  assert.deepEqual([sum.type, sum.dims, [...sum.data]], ['float32', [3], [2, 3, 4]]);

  const transposed = { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [3, 2], stride: [1, 3], offset: 0 };
  const doubled = await worker.apply('Mul', [transposed, 2]);
  assert.deepEqual(plain(doubled), { data: [2, 8, 4, 10, 6, 12], shape: [3, 2], dtype: 'f32' });
  const shifted = { data: new Float32Array([9, 9, 1, 2]), shape: [2], stride: [1], offset: 2 };
  assert.deepEqual(await worker.apply('Add', [shifted, shifted], { as: 'nested' }), [2, 4]);

  assert.deepEqual(
    await worker.apply(
      'Add',
      [
        [
          [1, 2],
          [3, 4],
        ],
        [10, 20],
      ],
      { as: 'first' },
    ),
    [
      [11, 22],
      [13, 24],
    ],
  );
  assert.equal(await worker.apply('Add', [1, 2], { as: 'first' }), 3);
  const proxied = { data: new Float32Array([1, 2]), shape: new Proxy([2], {}) };
  assert.deepEqual([...(await worker.apply('Add', [proxied, proxied])).data], [2, 4]);
});

test("only the visible part of an array's buffer is copied", async () => {
  const buffer = new ArrayBuffer(64);
  const a = { data: new Float32Array(buffer, 8, 2).fill(3), shape: [2] };
  const result = await worker.apply('Mul', [a, a]);
  assert.deepEqual([...result.data], [9, 9]);
  assert.equal(result.data.buffer.byteLength, 8);
  assert.deepEqual([buffer.byteLength, ...a.data], [64, 3, 3]);
});

test('transfer moves arrays, and returns the memory of out', async () => {
  const [a, b, out] = [f32([1, 2]), f32([10]), f32([0, 0])];
  const { buffer } = out.data;
  const result = await worker.apply('Add', [a, b], { out, transfer: true });
  assert.deepEqual([...result.data], [11, 12]);
  for (const { data } of [a, b, out]) assert.equal(data.length, 0);
  assert.equal(buffer.byteLength, 0);

  // One buffer of several operands; and in place.
  const both = new Float32Array([1, 2, 10, 20]);
  const [first, second] = [both.subarray(0, 2), both.subarray(2)].map((data) => ({ data, shape: [2] }));
  assert.deepEqual([...(await worker.apply('Add', [first, second], { transfer: true })).data], [11, 22]);
  const own = f32([1, 2]);
  assert.deepEqual([...(await worker.apply('Add', [own, f32([5])], { out: own, transfer: true })).data], [6, 7]);
});

test('out receives the result, and may be an input', async () => {
  const out = f32([0, 0, 0]);
  const result = await worker.apply('Add', [f32([1, 2, 3]), f32([1])], { out });
  assert.equal(result.data, out.data);
  assert.deepEqual([...out.data], [2, 3, 4]);
  assert.equal((await worker.apply('Add', [out, out], { out })).data, out.data);
  assert.deepEqual([...out.data], [4, 6, 8]);
  const part = { data: new Float32Array(5), shape: [2], stride: [1], offset: 2 };
  assert.deepEqual([...(await worker.apply('Add', [f32([1, 2]), f32([1])], { out: part })).data], [2, 3]);
  assert.deepEqual([...part.data], [0, 0, 2, 3, 0]);
  const sums = f32([0, 0, 0]);
  assert.equal((await worker.sumTo(f32([0, 1, 2, 3, 4, 5], [2, 3]), [3], { out: sums })).data, sums.data);
  assert.deepEqual([...sums.data], [3, 5, 7]);
  const outs = [f32([0, 0]), f32([0, 0])];
  await worker.apply('Broadcast', [f32([1]), f32([2, 3])], { rule: 'sonnx', out: outs });
  assert.deepEqual(
    outs.map(({ data }) => [...data]),
    [
      [1, 1],
      [2, 3],
    ],
  );
});

test('shared memory is used in place', async () => {
  const shared = (values) => {
    const data = new Float32Array(new SharedArrayBuffer(4 * values.length));
    data.set(values);
    return { data, shape: [values.length] };
  };
  const [a, out] = [shared([1, 2, 3]), shared([0, 0, 0])];
  const result = await worker.apply('Add', [a, f32([10])], { out });
  assert.equal(result.data, out.data);
  assert.deepEqual([...out.data], [11, 12, 13]);
  await worker.apply('Add', [a, a], { out: a, transfer: true });
  assert.deepEqual([...a.data], [2, 4, 6]);
});

test('errors equal those of the plain calls, with all fields', async () => {
  const a = f32([1, 2]);
  const wrong = [
    ['Add', [a, f32([1, 2, 3])]],
    ['Ad', [a, a]],
    ['Add', [a]],
    ['Add', a],
    ['Add', undefined],
    ['Add', [a, i32([1])]],
    ['Add', [a, { data: [1], shape: [1] }]],
    ['Add', [a, { data: new Float32Array(1), shape: [1], dtype: 'f23' }]],
    ['Add', [a, { data: new Float32Array(3), shape: [2] }]],
    ['Add', [a, { data: new Float32Array(2), shape: [2.5] }]],
    ['Add', [a, [[1], [2, 3]]]],
    ['Add', [a, a], { rule: 'pdp' }],
    ['Add', [a, a], { axes: 1 }],
    ['Add', [a, a], 5],
    ['Add', [a, a], null],
    ['Add', [a, a], { as: 'tensor' }],
    ['Add', [a, a], { out: f32([0]) }],
    ['Add', [a, a], { out: i32([0, 0]) }],
    ['Add', [a, a], { out: a, as: 'onnx' }],
    ['Broadcast', [a], { rule: 'broadcast_numpy', targetShape: [2 ** 30, 2 ** 30, 2] }],
  ];
  for (const [op, inputs, options] of wrong) {
    const expected = thrown(() => bl.apply(op, inputs, options));
    const { value: _, ...fields } = expected;
    await rejection(worker.apply(op, inputs, options), { ...fields, message: expected.message });
  }
  const { value: _, ...fields } = thrown(() => bl.sumTo(a, [3]));
  await rejection(worker.sumTo(a, [3]), fields);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const nothing of [proxy, undefined, null, 'x', () => {}, Symbol('x'), {}]) {
    await rejection(worker.apply('Add', [a, nothing]), { code: 'dtype', operand: 1 });
  }
  await rejection(worker.apply('Add', proxy));
  await using(bl.tensor(a), (tensor) => rejection(worker.apply('Add', [a, tensor]), { code: 'dtype', operand: 1 }));
  assert.deepEqual(plain(await worker.apply('Add', [a, a])).data, [2, 4]);
});

function using(resource, use) {
  return use(resource).finally(() => resource.dispose());
}

test('what cannot be sent is an error that says so, and nothing is moved', async () => {
  const a = f32([1, 2]);
  const error = await rejection(worker.apply('Add', [a, a], { attrs: { fmod: () => 1 }, transfer: true }));
  assert.match(error.message, /cannot be sent/);
  assert.equal(a.data.length, 2);
  for (const options of [{ signal: {} }, { onProgress: 5 }, { transfer: 'yes' }]) {
    await rejection(worker.apply('Add', [a, a], options), { code: 'attribute', op: 'Add' });
  }
});

test('an aborted call rejects with the reason, before, during and instead of running', async () => {
  const reason = new Error('the reader left');
  const aborted = AbortSignal.abort(reason);
  const a = f32([1, 2]);
  const early = await rejection(worker.apply('Add', [a, a], { signal: aborted, transfer: true }), { code: 'aborted' });
  assert.deepEqual([early.cause, early.value], [reason, reason]);
  assert.equal(a.data.length, 2);

  const [running, waiting] = [new AbortController(), new AbortController()];
  const [x, y] = long();
  const steps = [];
  const first = rejection(
    worker.apply('Pow', [x, y], {
      signal: running.signal,
      onProgress: (progress) => {
        steps.push(progress);
        running.abort(reason);
      },
    }),
    { code: 'aborted', op: 'Pow', cause: reason },
  );
  const second = rejection(worker.apply('Add', [a, a], { signal: waiting.signal }), { code: 'aborted' });
  const third = worker.apply('Mul', [a, a]);
  waiting.abort(reason);
  await Promise.all([first, second]);
  assert.equal(steps.length, 1, 'nothing is told after the abort');
  assert.ok(steps[0].done < steps[0].total, 'the worker was in the midst of it');
  assert.deepEqual([...(await third).data], [1, 4]);
  // Aborting a signal afterwards has no effect.
  const late = new AbortController();
  await worker.apply('Add', [a, a], { signal: late.signal });
  late.abort();
});

test('the worker stops an aborted call', async () => {
  const data = new Float32Array(new SharedArrayBuffer(4 * LONG));
  const controller = new AbortController();
  // So many operands that the worker would need seconds: this thread may wait long for its turn to abort the call.
  const inputs = [f32(new Float32Array(LONG).fill(2)), ...Array(2000).fill(f32([1]))];
  const options = { signal: controller.signal, onProgress: () => controller.abort(), out: { data, shape: [LONG] } };
  await rejection(worker.apply('Sum', inputs, options), { code: 'aborted' });
  await worker.apply('Add', [f32([1]), f32([1])]);
  assert.notEqual(data[0], 0);
  assert.equal(data[LONG - 1], 0);
});

test('a sum can be aborted too, and reports its progress', async () => {
  // Of many terms each, so that it takes long; the sums are computed from the first on.
  const [rows, columns] = [64, LONG / 4];
  const array = { data: new Float32Array(rows * columns).fill(1), shape: [rows, columns] };
  const out = { data: new Float32Array(new SharedArrayBuffer(4 * columns)), shape: [columns] };
  const controller = new AbortController();
  const reason = new Error('the reader left');
  const steps = [];
  const options = {
    out,
    signal: controller.signal,
    transfer: true,
    onProgress: (progress) => {
      steps.push(progress);
      controller.abort(reason);
    },
  };
  await rejection(worker.sumTo(array, [columns], options), { code: 'aborted', op: null, cause: reason });
  assert.equal(steps.length, 1);
  assert.equal(steps[0].total, rows * columns);
  assert.ok(steps[0].done > 0 && steps[0].done < steps[0].total, `${steps[0].done}`);
  assert.deepEqual(plain(await worker.sumTo(f32([1, 2]), [])), { data: [3], shape: [], dtype: 'f32' });
  assert.deepEqual([out.data[0], out.data[columns - 1]], [rows, 0]);
});

test('sums in many parts equal those of the plain calls', async () => {
  const data = Float32Array.from({ length: 300 * 2003 }, (_, i) => Math.sin(i));
  for (const [shape, sums, options] of [
    [[300, 2003], []],
    [[300, 2003], [2003]],
    [
      [300, 2003],
      [300, 1],
    ],
    [[3, 2003, 100], [2003], { rule: 'pdpd', axis: 1 }],
  ]) {
    const array = { data, shape };
    assert.deepEqual((await worker.sumTo(array, sums, options)).data, bl.sumTo(array, sums, options).data);
    const shared = new Float32Array(new SharedArrayBuffer(4 * data.length));
    shared.set(data);
    assert.deepEqual(
      (await worker.sumTo({ data: shared, shape }, sums, options)).data,
      bl.sumTo(array, sums, options).data,
    );
  }
});

test('progress rises to the end, which is reported once', async () => {
  const steps = [];
  await worker.apply('Pow', long(), { onProgress: (progress) => steps.push(progress) });
  assert.ok(steps.length >= 2, `${steps.length} steps`);
  assert.ok(steps.every(({ done, total }, i) => total === LONG && done > (steps[i - 1]?.done ?? 0)));
  assert.deepEqual(steps.at(-1), { done: LONG, total: LONG });
  const of = async (call) => {
    const told = [];
    await call((progress) => told.push(progress));
    return told;
  };
  const a = f32([1, 2]);
  assert.deepEqual(await of((onProgress) => worker.apply('Add', [a, a], { onProgress })), [{ done: 2, total: 2 }]);
  // For a sum, the array's elements are counted, since the result has only one.
  assert.deepEqual(await of((onProgress) => worker.sumTo(a, [1], { onProgress })), [{ done: 2, total: 2 }]);
  assert.deepEqual(await of((onProgress) => worker.sumTo(f32([], [0]), [1], { onProgress })), [{ done: 0, total: 0 }]);
  const sonnx = (onProgress) => worker.apply('Broadcast', [a, f32([1])], { rule: 'sonnx', onProgress });
  assert.deepEqual(await of(sonnx), [{ done: 4, total: 4 }]);
  const fault = new Error('no bar');
  const onProgress = () => {
    throw fault;
  };
  await assert.rejects(worker.apply('Add', [a, a], { onProgress }), fault);
});

test('calls are run in order', async () => {
  const order = [];
  const call = (name, inputs) => worker.apply('Pow', inputs).then(() => order.push(name));
  await Promise.all([call('long', long()), call('short', [f32([1]), f32([1])]), call('last', [f32([1]), f32([1])])]);
  assert.deepEqual(order, ['long', 'short', 'last']);
});

test('terminating a worker rejects the current call and all later ones', async () => {
  const other = await startWorker();
  const under = [rejection(other.apply('Pow', long()), { code: 'aborted' })];
  under.push(rejection(other.sumTo(f32([1, 2]), [1]), { code: 'aborted' }));
  other.terminate();
  other.terminate();
  await Promise.all(under);
  const late = await rejection(other.apply('Add', [f32([1]), f32([1])]), { code: 'disposed' });
  assert.match(late.message, /startWorker/);
  if (Symbol.dispose !== undefined) {
    const third = await startWorker();
    third[Symbol.dispose]();
    await rejection(third.apply('Add', [f32([1]), f32([1])]), { code: 'disposed' });
  }
});

test('the wasm file may come from anywhere, and an invalid one is a LoadError', async () => {
  const address = new URL('broadloom-core.wasm', dist);
  const bytes = await readFile(address);
  for (const wasm of [address, address.href, bytes, await WebAssembly.compile(bytes), new Response(bytes)]) {
    const other = await startWorker({ wasm });
    assert.deepEqual([...(await other.apply('Add', [f32([1]), f32([2])])).data], [3]);
    other.terminate();
  }
  for (const wasm of [new URL('no-such-file.wasm', dist), 'no address', new Uint8Array(3), 5]) {
    await assert.rejects(startWorker({ wasm }), (error) => error instanceof LoadError && error.code === 'load');
  }
  await assert.rejects(startWorker({ wasn: 1 }), /startWorker has no option "wasn"/);
  await assert.rejects(startWorker(null), LoadError);
});

test('a program may end while its worker exists, but not before its calls have finished', () => {
  const code = `
    import { startWorker } from ${JSON.stringify(new URL('worker.js', dist).href)};
    const worker = await startWorker();
    worker.apply('Add', [[1, 2], [3]], { as: 'nested' }).then((sum) => console.log(sum.join()));`;
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', code];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 120_000 }), '4,5\n');
});

/** Makes `startWorker` start a fake web worker: `answer` is called with each message. */
function withWorkerOfTheWeb(t, answer) {
  const workers = [];
  globalThis.Worker = class {
    isTerminated = false;
    constructor(address, { type }) {
      assert.deepEqual([address.href, type], [new URL('worker-thread.js', dist).href, 'module']);
      workers.push(this);
    }
    postMessage(order) {
      queueMicrotask(() => answer(order, this));
    }
    terminate() {
      this.isTerminated = true;
    }
  };
  t.after(() => delete globalThis.Worker);
  return workers;
}

const errorEvent = (message) => ({ message, preventDefault() {} });

test('a worker that does not start is a LoadError', async (t) => {
  const workers = withWorkerOfTheWeb(t, (_, made) => made.onerror(errorEvent('')));
  await assert.rejects(startWorker(), (error) => {
    assert.ok(error instanceof LoadError && error.code === 'load');
    assert.match(error.message, /worker-thread\.js/);
    return true;
  });
  assert.ok(workers[0].isTerminated);
  globalThis.Worker = class {
    constructor() {
      throw new Error('the policy forbids it');
    }
  };
  await assert.rejects(startWorker(), /the policy forbids it/);
});

test('a worker that fails rejects its current calls', async (t) => {
  const workers = withWorkerOfTheWeb(t, ({ type }, made) => {
    if (type === 'start') made.onmessage({ data: { type: 'started' } });
    else made.onerror(errorEvent('out of memory'));
  });
  const failing = await startWorker();
  const calls = [1, 2].map(() => failing.apply('Add', [f32([1]), f32([1])]));
  for (const call of calls) assert.match((await rejection(call, { code: 'aborted' })).message, /out of memory/);
  assert.match((await rejection(failing.sumTo(f32([1]), []), { code: 'disposed' })).message, /out of memory/);
  assert.ok(workers[0].isTerminated);
});
