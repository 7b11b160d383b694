// Unusual uses: polluted prototypes, disposal within callbacks, several copies of the package, great depth.

import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load, LoadError } from 'broadloom';
import { load as loadInline } from 'broadloom/inline';
import { startWorker } from 'broadloom/worker';
import { f32, f64, fault, u8 } from './arrays.mjs';
import { startInside } from './inside.mjs';

const bl = await load();

/** Calls `call` while every object has these properties. */
function polluted(properties, call) {
  try {
    for (const [name, value] of Object.entries(properties)) {
      Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
    }
    return call();
  } finally {
    for (const name of Object.keys(properties)) delete Object.prototype[name];
  }
}

test('properties of Object.prototype are not options', () => {
  const a = f32([1, 2, 3, 4], [2, 2]);
  const calls = {
    add: (bl) => bl.add(a, f32([1, 2]), {}).data,
    'add with an option': (bl) => bl.add(a, f32([1, 2]), { rule: 'numpy' }).data,
    attrs: (bl) => bl.mod(u8([5]), u8([3]), { attrs: {} }).data,
    broadcast: (bl) => bl.broadcast(f32([1]), { targetShape: [2] }).data,
    sumTo: (bl) => bl.sumTo(a, [2], {}).data,
    inferShape: (bl) => bl.inferShape('numpy', [[2], [1]], {}),
    align: (bl) => bl.align('numpy', [[2], [1]], {}).shape,
    parseShape: (bl) => bl.parseShape('2,3', {}).values,
    plan: (bl) => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32'], {}).shape,
    region: (bl) =>
      bl
        .plan('Add', 'numpy', [[2], [2]], ['f32', 'f32'])
        .runRegion([{ begin: 0, end: 1 }], [new Float32Array(2), new Float32Array(2)]).data,
    values: (bl) => bl.add([1, 2], 3).data,
    operand: (bl) => bl.add({ data: new Float32Array([1, 2, 3]), shape: [3] }, 1).data,
    onnx: (bl) => bl.add({ type: 'float32', data: new Float32Array([1, 2]), dims: [2] }, 1).data,
  };
  const names = ['axis', 'targetShape', 'axesMapping', 'attrs', 'rule', 'out', 'promote', 'as', 'dtype', 'mode'];
  names.push('operand', 'bigint', 'fmod', 'direction', 'begin', 'end', 'wasm', 'data', 'shape', 'stride', 'strides');
  names.push('offset', 'order', 'dims', 'type', 'read', 'list', 'signal', 'transfer', 'onProgress');
  for (const [call, make] of Object.entries(calls)) {
    const expected = make(bl);
    for (const name of names) {
      const { bl: fresh } = startInside(); // which has kept no plan
      for (const value of [5, 'x', [7], {}, true]) {
        assert.deepEqual(
          polluted({ [name]: value }, () => make(fresh)),
          expected,
          `${call}, ${name}`,
        );
      }
    }
  }
});

test('options of a class, and inherited options', () => {
  class Options {
    get rule() {
      return 'pdpd';
    }
    get axis() {
      return 0;
    }
  }
  const shapes = [[2, 3], [2]];
  assert.deepEqual(
    [...bl.add(f32([1, 2, 3, 4, 5, 6], [2, 3]), f32([10, 20]), new Options()).data],
    [11, 12, 13, 24, 25, 26],
  );
  assert.deepEqual(bl.inferShape('pdpd', shapes, Object.create({ axis: 0 })), [2, 3]);
  const call = () =>
    bl.add(f32([1, 2], [2, 1]), f32([10, 20]), Object.assign(Object.create(null), { rule: 'pdpd', axis: 0 }));
  assert.deepEqual([...polluted({ out: 5, axis: 7 }, call).data], [11, 22]);
  assert.deepEqual(
    polluted({ axis: 7 }, () => bl.inferShape('pdpd', shapes, Object.create({ axis: 0 }))),
    [2, 3],
  );
});

test('a tensor that is disposed of during view', () => {
  const values = Float32Array.from({ length: 2000 }, (_, i) => i);
  const others = [];
  const grab = () => others.push(...Array.from({ length: 8 }, () => bl.tensor(f32(new Float32Array(2000).fill(-1)))));
  const before = bl.memory();
  const tensor = bl.tensor(f32(values));
  const outer = bl.tensor(f32(values));
  tensor.view((data) => {
    tensor.dispose();
    assert.ok(tensor.disposed);
    fault(() => tensor.read(), { code: 'disposed' });
    fault(() => bl.add(tensor, 1), { code: 'disposed', operand: 0, op: 'Add' });
    grab();
    assert.deepEqual(data, values);
    data.fill(3);
    assert.ok(others.every((other) => other.read().every((value) => value === -1)));
  });
  outer.view((data) => {
    const inner = bl.tensor(f32(values));
    let kept;
    inner.view((own) => (kept = own));
    inner.dispose(); // an inner view is valid until the outer one ends
    outer.dispose();
    grab();
    assert.deepEqual([data, kept], [values, values]);
  });
  for (const other of others) other.dispose();
  assert.throws(
    () =>
      bl.tensor(f32(values)).view(function () {
        throw new Error('boom');
      }),
    /boom/,
  );
  const last = bl.tensor(f32(values));
  last.view(() => last.dispose());
  last.dispose();
  assert.equal(bl.memory().tensors, before.tensors + 1); // the one whose view threw
});

test('load takes its source as an option, and the error says so', async () => {
  const bytes = readFileSync(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
  const url = new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url);
  const module = new WebAssembly.Module(bytes);
  for (const begin of [load, async (options) => loadInline(options), startWorker]) {
    for (const given of [
      url,
      url.href,
      bytes,
      bytes.buffer,
      module,
      new Response(),
      Promise.resolve({}),
      [],
      5,
      null,
      () => url,
    ]) {
      await assert.rejects(begin(given), (error) => {
        assert.ok(error instanceof LoadError);
        assert.match(error.message, /takes its options as an object, \{ wasm: source \}, not /);
        return true;
      });
    }
    for (const wasm of [64, 0, null, true, 5n, {}, [], Symbol('x'), () => bytes, new Date()]) {
      await assert.rejects(begin({ wasm }), { name: 'LoadError', code: 'load' }, String(wasm));
    }
    await assert.rejects(
      begin({ wasm: 64 }),
      /takes bytes|wasm has to be an address, a response, bytes or a WebAssembly.Module, not 64/,
    );
  }
  assert.equal((await load({ wasm: url })).add(1, 2).data[0], 3);
  assert.equal((await load({ wasm: new Uint8Array(bytes).buffer })).add(1, 2).data[0], 3);
});

test('a tensor of another copy of the package, or of another instance', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'broadloom-'));
  t.after(() => rm(folder, { recursive: true }));
  await cp(fileURLToPath(new URL('../../wasm/dist', import.meta.url)), folder, { recursive: true });
  const other = await (await import(pathToFileURL(join(folder, 'index.js')))).load();
  const foreign = other.tensor(f32([1, 2]));
  const calls = {
    1: () => bl.add(f32([1, 2]), foreign),
    0: () => bl.tensor(foreign),
    '-3': () => bl.add(f32([1, 2]), 1, { out: foreign }),
  };
  for (const [operand, call] of Object.entries(calls)) {
    const { message } = fault(call, { code: 'dtype', operand: Number(operand) });
    assert.match(message, /tensor of another copy of this package: give \{ data: tensor\.read\(\), shape/);
  }
  fault(() => bl.add(f32([1]), f32([1]), foreign), { code: 'arity' });
  const wasm = readFileSync(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
  const instance = await load({ wasm });
  const own = instance.tensor(f32([1]));
  const { message } = fault(() => bl.add(f32([1]), own), { code: 'dtype', op: 'Add', operand: 1 });
  assert.match(message, /^B: this tensor is another instance's: give \{ data: tensor\.read\(\)/);
  const gone = bl.tensor(f32([1]));
  gone.dispose();
  fault(() => bl.add(1, gone), { code: 'disposed', op: 'Add', operand: 1 });
});

test('thousands of axes', () => {
  const nest = (depth, value) => {
    let list = value;
    for (let i = 0; i < depth; ++i) list = [list];
    return list;
  };
  for (const depth of [65, 5000]) {
    const result = bl.add(nest(depth, 1), 2, { as: 'nested' });
    let [list, levels] = [result, 0];
    for (; Array.isArray(list); list = list[0]) ++levels;
    assert.deepEqual([list, levels], [3, depth]);
    assert.equal(bl.add(nest(depth, 1), 2).shape.length, depth);
  }
  const mixed = nest(100, [1, 2, 3]);
  assert.deepEqual(bl.mul(mixed, 2, { as: 'first' }), nest(100, [2, 4, 6]));
  for (const shape of [[0], [2, 0], [0, 2], [2, 0, 3], [1, 2, 1]]) {
    const size = shape.reduce((a, b) => a * b, 1);
    const expected = shape.reduceRight(
      (make, extent) => () => Array.from({ length: extent }, make),
      () => 0,
    )();
    assert.deepEqual(bl.add(f64(new Float64Array(size), shape), 0, { as: 'nested' }), expected);
  }
});

test('the memory of an alignment is linear in its axes', () => {
  // Counted by objects made: a getter on each axis object would make each a dictionary.
  const { axes } = bl.align('numpy', [Array(1000).fill(2), Array(1000).fill(3)]);
  const getters = new Set(axes.map((axis) => Object.getOwnPropertyDescriptor(axis, 'why').get));
  assert.equal(getters.size, 1);
  assert.equal(axes[7].why, 'Mismatch: A is 2, B is 3.');
  assert.deepEqual(Object.keys(axes[0]), ['axis', 'extent', 'conflict', 'cells', 'target', 'why']);
  // Strides of many axes, which took minutes when each was inserted before all others.
  const ones = Array(300_000).fill(1);
  const one = { data: new Float32Array([1]), shape: ones, stride: ones };
  assert.equal(bl.add(one, 1, { as: 'strided' }).stride.length, 300_000);
});

test('misspelt names get a suggestion', () => {
  const a = f32([1]);
  const meant = (name) =>
    /Did you mean (.*?)\?/.exec(fault(() => bl.add(a, a, { rule: name }), { code: 'unknown' }).message)?.[1];
  assert.equal(meant('onnx'), '"onnx_multidirectional" or "onnx_unidirectional"');
  assert.equal(meant('ONNX'), '"onnx_multidirectional" or "onnx_unidirectional"');
  assert.equal(meant('multidirectional'), '"onnx_multidirectional"');
  assert.equal(meant('uni'), undefined);
  assert.equal(meant('numpi'), '"numpy"');
  assert.equal(meant('sonx'), '"sonnx"');
  assert.equal(meant('PDPD'), '"pdpd"');
  assert.equal(meant('bidirect'), '"bidirectional"');
  assert.equal(meant('xyz'), undefined);
  const dtype = (name) =>
    /Did you mean (.*?)\?/.exec(fault(() => bl.countBytes([1], name), { code: 'unknown' }).message)?.[1];
  assert.deepEqual(['float32', 'Int64', 'bfloat16', 'F32', 'boolean'].map(dtype), [
    '"f32"',
    '"i64"',
    '"bf16"',
    '"f32"',
    '"bool"',
  ]);
});

test('a worker returns the arrays that were moved for a call that fails', async (t) => {
  const worker = await startWorker();
  t.after(() => worker.terminate());
  const failure = async (promise) =>
    promise.then(
      () => assert.fail('no error'),
      (error) => error,
    );
  const a = f32([1, 2, 3, 4, 5, 6], [2, 3]);
  const b = f32([7, 8]);
  const out = f32(new Float32Array(6), [2, 3]);
  const error = await failure(worker.apply('Add', [a, b, 5].slice(0, 2), { transfer: true, out }));
  assert.equal(error.code, 'incompatible');
  assert.deepEqual([a.data.length, b.data.length, out.data.length], [0, 0, 0]);
  assert.deepEqual(error.moved.inputs.map(({ data }) => [...data]), [[1, 2, 3, 4, 5, 6], [7, 8]]); // prettier-ignore
  assert.equal(error.moved.out.data.length, 6);
  // They can be used at once.
  const [again] = error.moved.inputs;
  const fine = await worker.apply('Add', [again, f32([1])], { transfer: true });
  assert.deepEqual([...fine.data], [2, 3, 4, 5, 6, 7]);
  // Two views of one buffer, strides, values.
  const buffer = new Float32Array([1, 2, 3, 4]);
  const views = [{ data: buffer.subarray(0, 2), shape: [2] }, { data: buffer, shape: [2], stride: [2] }, 3];
  const other = await failure(worker.apply('Where', views, { transfer: true }));
  const [first, second, third] = other.moved.inputs;
  assert.equal(first.data.buffer, second.data.buffer);
  assert.deepEqual([[...first.data], [...second.data], second.strides, third], [[1, 2], [1, 2, 3, 4], [2], 3]);
  const sum = await failure(worker.sumTo(f32([1, 2, 3]), [2], { transfer: true }));
  assert.deepEqual([...sum.moved.inputs[0].data], [1, 2, 3]);
  // Nothing was moved, so nothing is returned.
  assert.equal((await failure(worker.apply('Add', [f32([1, 2]), f32([1, 2, 3])]))).moved, undefined);
});
