// Tensors: results that stay in the module's memory, views, released memory.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { load } from 'broadloom';
import { bool, f32, f64, fault, i32, u8 } from './arrays.mjs';
import { startInside } from './inside.mjs';

const wasm = await readFile(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
const bl = await load();

/** A separate module, whose memory has its initial size. */
const fresh = () => load({ wasm: wasm.slice() });

function detached(Type = Float32Array) {
  const data = new Type(0);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  return data;
}

test('results with a tensor operand are tensors', () => {
  const before = bl.memory();
  const a = bl.tensor(f32([1, 2, 3, 4], [2, 2]));
  assert.deepEqual([a.shape, a.dtype, a.disposed], [[2, 2], 'f32', false]);
  const b = bl.add(a, f32([10, 20]));
  const c = bl.mul(f32([2], []), b);
  const d = bl.sub(
    [
      [1, 1],
      [1, 1],
    ],
    c,
  );
  const e = bl.where(bool([1, 0]), a, 7);
  assert.deepEqual([...b.read()], [11, 22, 13, 24]);
  assert.deepEqual([...c.read()], [22, 44, 26, 48]);
  assert.deepEqual([...d.read()], [-21, -43, -25, -47]);
  assert.deepEqual([...e.read()], [1, 7, 3, 7]);
  const less = bl.less(a, b);
  assert.deepEqual([less.dtype, ...less.read()], ['bool', 1, 1, 1, 1]);
  const sum = bl.sumTo(b, [2]);
  assert.deepEqual([...sum.read()], [24, 46]);
  const wide = bl.broadcastTo(a, [2, 2, 2]);
  assert.deepEqual([...wide.read()], [1, 2, 3, 4, 1, 2, 3, 4]);
  const [x, y] = bl.broadcastArrays(a, i32([5]));
  assert.deepEqual([...x.read()], [1, 2, 3, 4]);
  assert.deepEqual([...y.data], [5, 5, 5, 5]);
  const many = bl.apply('Broadcast', [a, f32([9])], { rule: 'sonnx' });
  assert.deepEqual(
    many.map((tensor) => [...tensor.read()]),
    [
      [1, 2, 3, 4],
      [9, 9, 9, 9],
    ],
  );
  const all = [a, b, c, d, e, less, sum, wide, x, ...many];
  assert.equal(bl.memory().tensors, before.tensors + all.length);
  assert.equal(bl.memory().held, before.held + all.reduce((bytes, tensor) => bytes + tensor.read().byteLength, 0));
  all.forEach((tensor) => tensor.dispose());
  assert.deepEqual(bl.memory(), { ...before, bytes: bl.memory().bytes });
});

test('out may be a tensor, also an operand', () => {
  const a = bl.tensor(f32([1, 2, 3, 4], [2, 2]));
  const row = bl.tensor(f32([10, 20]));
  const out = bl.tensor(f32([0, 0, 0, 0], [2, 2]));
  assert.equal(bl.add(a, row, { out }), out);
  assert.deepEqual([...out.read()], [11, 22, 13, 24]);
  // From typed arrays only, and from a tensor to a typed array.
  assert.equal(bl.add(f32([1, 2, 3, 4], [2, 2]), f32([1, 1]), { out }), out);
  assert.deepEqual([...out.read()], [2, 3, 4, 5]);
  const typed = f32(new Float32Array(6).subarray(1, 5), [2, 2]);
  assert.equal(bl.add(a, row, { out: typed }).data, typed.data);
  assert.deepEqual([...typed.data], [11, 22, 13, 24]);
  assert.equal(bl.sumTo(a, [2], { out: row }), row);
  assert.deepEqual([...row.read()], [4, 6]);
  assert.equal(bl.add(a, row, { out: a }), a);
  assert.equal(bl.mul(a, a, { out: a }), a);
  assert.deepEqual([...a.read()], [25, 64, 49, 100]);
  const refused = (call, fields) => fault(call, { operand: -3, ...fields });
  refused(() => bl.add(a, row, { out: row }), { code: 'incompatible' });
  refused(() => bl.add(a, a, { out: bl.tensor(f64([1, 2, 3, 4], [2, 2])) }), { code: 'dtype', detail: 'output' });
  refused(() => bl.less(a, a, { out: a }), { code: 'dtype', detail: 'output' });
  for (const as of ['nested', 'strided', 'onnx', 'stdlib', 'zarr']) {
    fault(() => bl.add(a, row, { as }), { code: 'attribute', op: 'Add' });
    fault(() => bl.add(f32([1]), f32([1]), { out: f32([1]), as }), { code: 'attribute', op: 'Add' });
  }
  const first = bl.add(a, row, { as: 'first' });
  assert.equal(first.constructor, a.constructor);
  [a, row, out, first].forEach((tensor) => tensor.dispose());
});

test('read, write, and their errors', () => {
  const t = bl.tensor(f32([1, 2, 3]));
  const copy = t.read();
  copy.fill(9);
  assert.deepEqual([...t.read()], [1, 2, 3]);
  t.write(new Float32Array([4, 5, 6]));
  assert.deepEqual([...t.read()], [4, 5, 6]);
  fault(() => t.write(new Float32Array(2)), { code: 'length', extent: 8, otherExtent: 12 });
  fault(() => t.write(new Float64Array(3)), { code: 'dtype', dtype: 'f32' });
  for (const none of [undefined, null, [1, 2, 3], f32([1, 2, 3]), t]) fault(() => t.write(none), { code: 'dtype' });
  const bytes = bl.tensor({ data: new Uint8Array(2), shape: [2] });
  bytes.write(new Uint8ClampedArray([7, 255]));
  assert.deepEqual([...bytes.read()], [7, 255]);
  const flags = bl.tensor({ data: new Uint8Array(2), shape: [2], dtype: 'bool' });
  fault(() => flags.write(new Uint8ClampedArray(2)), { code: 'dtype', dtype: 'bool' });
  assert.deepEqual([...t.read()], [4, 5, 6]);
  for (const [name, value] of Object.entries({ shape: [9], dtype: 'f64' })) {
    assert.throws(() => (t[name] = value), TypeError);
    assert.throws(() => Object.defineProperty(t, name, { get: () => value }), TypeError);
  }
  assert.throws(() => t.shape.push(4), TypeError);
  t.dispose();
  fault(() => bl.tensor({ data: new Float32Array(2), shape: [3] }), { code: 'length', operand: 0 });
  fault(() => bl.tensor(f32([1], [-1])), { code: 'extent', operand: 0 });
  fault(() => bl.tensor('a'), { code: 'dtype', operand: 0 });
  fault(() => bl.tensor(), { code: 'dtype', operand: 0 });
  assert.deepEqual(
    [
      ...bl
        .tensor([
          [1, 2],
          [3, 4],
        ])
        .read(),
    ],
    [1, 2, 3, 4],
  );
  assert.deepEqual([...bl.tensor(bl.tensor(f32([3]))).read()], [3]);
});

test('a tensor made from a tensor is a copy', () => {
  const first = bl.tensor(f32([1, 2]));
  const second = bl.tensor(first);
  first.write(new Float32Array([8, 9]));
  first.dispose();
  assert.deepEqual([...second.read()], [1, 2]);
  second.dispose();
});

test('tensors without elements, whatever their memory', () => {
  const t = bl.tensor({ data: detached(), shape: [0, 3] });
  assert.equal(t.read().length, 0);
  t.write(detached());
  t.view((data) => assert.equal(data.length, 0));
  assert.deepEqual(bl.add(t, f32([1])).shape, [0, 3]);
  assert.equal(bl.add(t, f32([1]), { out: { data: detached(), shape: [0, 3] } }).data.length, 0);
  const out = { data: new Float32Array(3).fill(5), shape: [3] };
  assert.deepEqual([...bl.sumTo({ data: detached(), shape: [0, 3] }, [3], { out }).data], [0, 0, 0]);
  t.dispose();
});

test('a view is valid only during its callback', () => {
  const t = bl.tensor(f32([1, 2, 3]));
  let kept;
  const result = t.view((data) => {
    kept = data;
    assert.ok(data instanceof Float32Array);
    data[1] = 20;
    return data.reduce((sum, value) => sum + value, 0);
  });
  assert.equal(result, 24);
  assert.equal(kept.length, 0);
  assert.equal(kept[0], undefined);
  assert.deepEqual([...t.read()], [1, 20, 3]);
  // It is rejected like any detached memory.
  fault(() => bl.add({ data: kept, shape: [3] }, f32([1])), { code: 'length', operand: 0 });
  const error = new Error('mine');
  assert.throws(
    () =>
      t.view((data) => {
        kept = data;
        throw error;
      }),
    error,
  );
  assert.equal(kept.length, 0);
  assert.deepEqual([...bl.add(t, 1).read()], [2, 21, 4]);
  t.dispose();
});

test('views within views', () => {
  const [a, b] = [bl.tensor(f32([1, 2])), bl.tensor(i32([3, 4, 5]))];
  const kept = [];
  const sum = a.view((outer) => {
    const inner = b.view((data) => {
      kept.push(data);
      return data[2] + outer[1];
    });
    assert.throws(
      () =>
        b.view(() => {
          throw new Error('mine');
        }),
      /mine/,
    );
    kept.push(outer);
    assert.deepEqual([...outer], [1, 2]);
    outer[0] = 100;
    return inner + outer[0];
  });
  assert.equal(sum, 107);
  assert.deepEqual(
    kept.map((data) => data.length),
    [0, 0],
  );
  assert.deepEqual([...a.read()], [100, 2]);
  a.dispose();
  b.dispose();
});

test('view rejects asynchronous callbacks', () => {
  const t = bl.tensor(f32([1]));
  const refused = (use) => fault(() => t.view(use), { code: 'attribute' });
  let ran = false;
  refused(async () => (ran = true));
  refused(async function* () {
    ran = true;
  });
  assert.equal(ran, false);
  refused(() => Promise.resolve(1));
  refused(() => ({ then() {} }));
  for (const none of [undefined, null, 5, {}]) refused(none);
  assert.equal(
    t.view(() => null),
    null,
  );
  assert.equal(
    t.view(() => undefined),
    undefined,
  );
  t.dispose();
});

test('memory does not grow during a view', async () => {
  const own = await fresh();
  const t = own.tensor(f32(new Float32Array(1 << 16).fill(1)));
  const large = { data: new Float32Array(1 << 23), shape: [1 << 23] };
  const { bytes } = own.memory();
  const held = own.memory();
  t.view((data) => {
    const refused = fault(() => own.tensor(large), { code: 'allocation' });
    assert.match(refused.message, /inside view\(\)/);
    const more = fault(
      () => {
        for (;;) t.view(() => own.add(t, 1, { out: own.broadcastTo(t, [64, 1 << 16]) }));
      },
      { code: 'allocation', op: 'Broadcast' },
    );
    assert.match(more.message, /inside view\(\)/);
    assert.equal(own.memory().bytes, bytes);
    assert.equal(data.length, 1 << 16);
    assert.equal(data[(1 << 16) - 1], 1);
    // Calls that need no more memory work.
    assert.equal(own.add({ data, shape: [data.length] }, f32([1])).data[5], 2);
    assert.equal(own.add(f32([1, 2]), f32([3])).data[1], 5);
  });
  assert.deepEqual(own.memory(), held);
  const after = own.tensor(large);
  assert.ok(own.memory().bytes > bytes);
  assert.equal(own.add(t, 1).read()[7], 2);
  after.dispose();
});

test("a view's memory may be used like any other", () => {
  const t = bl.tensor(f32([1, 2, 3, 4]));
  t.view((data) => {
    const lent = { data, shape: [4] };
    bl.add(lent, 1, { out: lent });
    assert.deepEqual([...data], [2, 3, 4, 5]);
    const sum = bl.add(t, lent);
    assert.deepEqual([...sum.read()], [4, 6, 8, 10]);
    sum.dispose();
    bl.mul(t, t, { out: lent });
    assert.deepEqual([...data], [4, 9, 16, 25]);
    fault(() => bl.add({ data: data.subarray(0, 3), shape: [3] }, 1, { out: { data: data.subarray(1), shape: [3] } }), {
      code: 'overlap',
    });
  });
  t.dispose();
});

test('use after dispose is reported everywhere', () => {
  const t = bl.tensor(f32([1, 2]));
  const other = bl.tensor(f32([1, 2]));
  t.dispose();
  t.dispose();
  assert.equal(t.disposed, true);
  assert.deepEqual([t.shape, t.dtype], [[2], 'f32']);
  const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  const uses = [
    () => t.read(),
    () => t.write(new Float32Array(2)),
    () => t.view(() => 1),
    () => bl.add(t, other),
    () => bl.add(other, t),
    () => bl.add(t, 1, { promote: 'numpy2' }),
    () => bl.add(other, other, { out: t }),
    () => bl.add(f32([1, 2]), f32([1, 2]), { out: t }),
    () => bl.max([other, t]),
    () => bl.sumTo(t, []),
    () => bl.sumTo(other, [2], { out: t }),
    () => bl.broadcastTo(t, [2, 2]),
    () => bl.broadcast(t, { targetShape: [2, 2] }),
    () => bl.broadcastArrays(other, t),
    () => bl.apply('Broadcast', [t, other], { rule: 'sonnx' }),
    () => bl.tensor(t),
    () => bl.resultType(t, 'f32'),
    () => plan.run([t, other]),
    () => plan.run([other, other], t),
    () => plan.runRegion([{ begin: 0, end: 1 }], [t, other]),
  ];
  for (const use of uses) fault(use, { code: 'disposed' });
  assert.deepEqual([...other.read()], [1, 2]);
  other.dispose();
});

test('an operand that disposes of another one during a call', () => {
  const before = bl.memory();
  const run = (call) => {
    const t = bl.tensor(f32([1, 2]));
    const trap = {
      data: new Float32Array([1, 2]),
      get shape() {
        t.dispose();
        return [2];
      },
    };
    fault(() => call(t, trap), { code: 'disposed' });
    assert.equal(t.disposed, true);
  };
  run((t, trap) => bl.add(t, trap));
  run((t, trap) => bl.add(t, trap, { promote: 'numpy2' }));
  run((t, trap) =>
    bl.add(
      t,
      {
        ...trap,
        data: new Int8Array(2),
        get shape() {
          t.dispose();
          return [2];
        },
      },
      { promote: 'numpy2' },
    ),
  );
  run((t, trap) => bl.where(bool([1, 0]), t, trap));
  run((t, trap) => bl.max([t, t, trap]));
  run((t, trap) => bl.broadcastArrays(t, trap));
  run((t, trap) =>
    bl.add(t, 1, {
      get out() {
        return trap;
      },
    }),
  );
  run((t, trap) => bl.sumTo(t, [2], { out: trap }));
  run((t, trap) => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']).run([t, trap]));
  run((t, trap) => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']).runRegion([{ begin: 0, end: 2 }], [t, trap]));
  assert.equal(bl.memory().tensors, before.tensors);
  assert.equal(bl.memory().held, before.held);
});

test('tensors of another instance', async () => {
  const own = await fresh();
  const theirs = own.tensor(f32([1, 2]));
  fault(() => bl.add(theirs, f32([1])), { code: 'dtype' });
  fault(() => bl.add(f32([1, 2]), f32([1]), { out: theirs }), { code: 'dtype' });
  fault(() => bl.tensor(theirs), { code: 'dtype' });
  fault(() => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']).run([theirs, theirs]), { code: 'dtype' });
  assert.deepEqual([...bl.add({ data: theirs.read(), shape: [2] }, f32([1])).data], [2, 3]);
  assert.deepEqual([...theirs.read()], [1, 2]);
  // An object that only looks like a tensor is not one.
  const like = Object.create(Object.getPrototypeOf(theirs), { shape: { value: [2] }, dtype: { value: 'f32' } });
  fault(() => own.add(like, f32([1])), { code: 'dtype', operand: 0 });
  fault(() => own.add(new Proxy(theirs, {}), f32([1])), { code: 'dtype', operand: 0 });
});

test('a refused allocation leaks nothing, wherever it happens', () => {
  const { bl, core } = startInside();
  const shape = [300, 300];
  const data = new Float32Array(90_000).fill(1);
  const t = bl.tensor({ data, shape });
  const mixed = bl.tensor({ data: new Int16Array(300).fill(3), shape: [300] });
  const out = bl.tensor({ data, shape });
  const plan = bl.plan('Add', 'numpy', [shape, [300]], ['f32', 'f32']);
  const box = [
    { begin: 1, end: 200 },
    { begin: 7, end: 290 },
  ];
  const row = new Float32Array(300).fill(2);
  const apart = { data: new Float32Array(180_000), shape, stride: [600, 2], offset: 0 };
  let n = 301;
  const calls = [
    () => bl.tensor({ data, shape }),
    () => bl.add(t, { data: row, shape: [300] }),
    () => bl.add(t, { data: row, shape: [300] }, { out }),
    () => bl.add(t, mixed, { promote: 'numpy2' }),
    () => bl.add(t, apart),
    () => bl.sumTo(t, [300]),
    () => bl.sumTo(apart, [300]),
    () => bl.broadcastTo(t, [2, ...shape]),
    () => bl.apply('Broadcast', [t, t, { data: row, shape: [300] }], { rule: 'sonnx' }),
    () => plan.run([t, row]),
    () => plan.runRegion(box, [t, row]),
    () => plan.runRegion(box, [data, row]),
    () => bl.plan('Add', 'numpy', [shape, [300]], ['f32', 'f32']),
    // A new shape each time, so that no plan is kept.
    () => bl.add({ data: new Float32Array(++n), shape: [n] }, f32([1])),
    () => bl.add({ data: new Float32Array(2 * ++n), shape: [2, n] }, f32([1, 2], [2, 1])),
  ];
  calls.forEach((call, which) => {
    for (let allocations = 0; ; ++allocations) {
      assert.ok(allocations < 200, `call ${which}`);
      const held = bl.memory();
      core.refuseAfter(allocations);
      let result;
      let failure;
      try {
        result = call();
      } catch (error) {
        failure = error;
      } finally {
        core.refuseAfter(-1);
      }
      if (failure === undefined) {
        for (const item of [result].flat()) if (item !== out) item.dispose?.();
        assert.deepEqual(bl.memory(), { ...held, bytes: bl.memory().bytes });
        break;
      }
      assert.equal(failure.code, 'allocation', `call ${which}: ${failure.stack}`);
      assert.deepEqual(bl.memory(), { ...held, bytes: bl.memory().bytes }, `call ${which}`);
      assert.equal(out.read()[17], which < 2 ? 1 : out.read()[17]);
    }
  });
  // The module holds nothing either.
  const again = () => {
    for (const call of calls.slice(0, -2)) {
      core.refuseAfter(1);
      try {
        for (const item of [call()].flat()) if (item !== out) item.dispose?.();
      } catch (error) {
        assert.equal(error.code, 'allocation');
      } finally {
        core.refuseAfter(-1);
      }
    }
  };
  for (let i = 0; i < 20; ++i) again();
  const before = bl.memory().bytes;
  for (let i = 0; i < 200; ++i) again();
  assert.equal(bl.memory().bytes, before);
  assert.equal(bl.add(t, { data: row, shape: [300] }).read()[3], 3);
  [t, mixed, out].forEach((tensor) => tensor.dispose());
});

test('`using` releases the memory', { skip: Symbol.dispose === undefined }, () => {
  const { tensors } = bl.memory();
  const t = bl.tensor(f32([1]));
  assert.equal(t[Symbol.dispose], t.dispose);
  t[Symbol.dispose]();
  assert.equal(bl.memory().tensors, tensors);
});

test('tensors that were not disposed of are collected', () => {
  const script = `
    import { load } from 'broadloom';
    const bl = await load();
    const array = { data: new Float32Array(1000), shape: [1000] };
    for (let i = 0; i < 100; ++i) { bl.tensor(array); bl.plan('Add', 'numpy', [[i], [1]], ['f32', 'f32']).shape; }
    const kept = bl.tensor(array);
    for (let i = 0; i < 50 && bl.memory().tensors > 1; ++i) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    // A tensor that was disposed of explicitly is released once.
    const again = bl.tensor(array);
    again.dispose();
    for (let i = 0; i < 3; ++i) { globalThis.gc(); await new Promise((resolve) => setTimeout(resolve, 5)); }
    const { held, tensors } = bl.memory();
    process.stdout.write(JSON.stringify({ held, tensors, kept: kept.read().length }));
  `;
  const given = ['--expose-gc', '--input-type=module', '--eval', script];
  const cwd = new URL('../..', import.meta.url);
  const printed = execFileSync(process.execPath, given, { cwd, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(printed), { held: 4000, tensors: 1, kept: 1000 });
});

test('promotion of tensors computes in the common type, and does not change them', () => {
  const a = bl.tensor(u8([200, 100, 3]));
  const b = bl.tensor({ data: new Int8Array([-1, 2, -3]), shape: [3] });
  fault(() => bl.add(a, b), { code: 'dtype', detail: 'mixed' });
  const sum = bl.add(a, b, { promote: 'numpy2' });
  assert.deepEqual([sum.dtype, ...sum.read()], ['i16', 199, 102, 0]);
  assert.deepEqual([...a.read(), ...b.read()], [200, 100, 3, -1, 2, -3]);
  const half = bl.tensor({ data: new Uint16Array([0x3c00]), shape: [1], dtype: 'f16' });
  const wide = bl.add(half, f32([0.5]), { promote: 'numpy2' });
  assert.deepEqual([wide.dtype, ...wide.read()], ['f32', 1.5]);
  [a, b, sum, half, wide].forEach((tensor) => tensor.dispose());
});
