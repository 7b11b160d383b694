// Plans: what they accept and reject, boxes of their results, and the plans that calls keep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { f32, f64, fault, i32 } from './arrays.mjs';

const bl = await load();
const F = (...values) => new Float32Array(values);

/** Detaches a typed array's memory. */
function detach(data) {
  structuredClone(data.buffer, { transfer: [data.buffer] });
}

/** A list that calls `before` once, when entry `index` is read. */
function listening(list, index, before) {
  let done = false;
  return new Proxy(list, {
    get(target, key) {
      if (key === String(index) && !done) {
        done = true;
        before();
      }
      return target[key];
    },
  });
}

function lcg(seed) {
  return (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
}

test('a plan takes bare typed arrays, arrays, tensors, lists and numbers', () => {
  const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
  assert.deepEqual([plan.op, plan.rule, plan.dtype, plan.disposed], ['Add', 'numpy', 'f32', false]);
  assert.deepEqual(
    [plan.shape, plan.operands, plan.dtypes],
    [
      [2, 3],
      [[2, 3], [3]],
      ['f32', 'f32'],
    ],
  );
  const [a, b] = [F(1, 2, 3, 4, 5, 6), F(10, 20, 30)];
  const expected = [11, 22, 33, 14, 25, 36];
  const using = { a: bl.tensor(f32(a, [2, 3])), b: bl.tensor(f32(b)) };
  const first = [
    a,
    f32(a, [2, 3]),
    [
      [1, 2, 3],
      [4, 5, 6],
    ],
    { type: 'float32', data: a, dims: [2, 3] },
    using.a,
  ];
  const transposed = { data: F(1, 4, 2, 5, 3, 6), shape: [2, 3], stride: [1, 2], offset: 0 };
  const second = [b, f32(b), [10, 20, 30], { data: F(9, 10, 20, 30), shape: [3], stride: [1], offset: 1 }, using.b];
  for (const x of [...first, transposed]) {
    for (const y of second) {
      const result = plan.run([x, y]);
      if (x === using.a || y === using.b) {
        assert.deepEqual([...result.read()], expected);
        result.dispose();
      } else {
        assert.deepEqual([[...result.data], result.shape, result.dtype], [expected, [2, 3], 'f32']);
      }
      const out = new Float32Array(8);
      plan.run([x, y], out.subarray(1, 7));
      assert.deepEqual([...out], [0, ...expected, 0]);
      const target = bl.tensor(f32(new Float32Array(6), [2, 3]));
      assert.equal(plan.run([x, y], target), target);
      assert.deepEqual([...target.read()], expected);
      target.dispose();
    }
  }
  // In place.
  const own = a.slice();
  plan.run([own, b], own);
  assert.deepEqual([...own], expected);
  plan.run([using.a, b], using.a);
  assert.deepEqual([...using.a.read()], expected);
  const scalar = bl.plan('Pow', 'numpy', [[2], []], ['f32', 'i32']);
  assert.deepEqual([...scalar.run([F(2, 3), 2]).data], [4, 9]);
  using.a.dispose();
  using.b.dispose();
});

test('every option of a rule and of an operator', () => {
  const run = (op, rule, shapes, dtypes, options, ...inputs) => [
    ...bl.plan(op, rule, shapes, dtypes, options).run(inputs).data,
  ];
  assert.deepEqual(
    run('Add', 'pdpd', [[2, 2], [2]], ['f32', 'f32'], { axis: 0 }, F(1, 2, 3, 4), F(10, 20)),
    [11, 12, 23, 24],
  );
  const explicit = { targetShape: [2, 2], axesMapping: [0] };
  assert.deepEqual(run('Broadcast', 'explicit', [[2]], ['f32'], explicit, F(1, 2)), [1, 1, 2, 2]);
  assert.deepEqual(run('Broadcast', 'broadcast_numpy', [[2]], ['f32'], { targetShape: [2, 2] }, F(1, 2)), [1, 2, 1, 2]);
  assert.deepEqual(run('Mod', 'numpy', [[2], []], ['f32', 'f32'], { attrs: { fmod: 1 } }, F(-5, 5), F(3)), [-2, 2]);
  const shift = { attrs: { direction: 'left' } };
  assert.deepEqual(
    run('BitShift', 'numpy', [[2], []], ['u8', 'u8'], shift, new Uint8Array([1, 2]), new Uint8Array([2])),
    [4, 8],
  );
});

test('arguments that make no plan', () => {
  const shapes = [[2], [2]];
  const types = ['f32', 'f32'];
  fault(() => bl.plan('Ad', 'numpy', shapes, types), { code: 'unknown', detail: 'op' });
  fault(() => bl.plan('Add', 'numpi', shapes, types), { code: 'unknown', detail: 'rule', op: 'Add' });
  fault(() => bl.plan('Add', 'numpy', shapes, ['f32', 'f31']), { code: 'unknown', detail: 'dtype', operand: 1 });
  fault(() => bl.plan('Add', 'numpy', shapes, ['f32']), { code: 'arity', extent: 1, otherExtent: 2 });
  fault(() => bl.plan('Add', 'numpy', shapes, 'f32'), { code: 'arity' });
  fault(() => bl.plan('Add', 'numpy', [[2]], ['f32']), { code: 'arity' });
  fault(() => bl.plan('Add', 'numpy', 5, types), { code: 'arity' });
  fault(() => bl.plan('Add', 'numpy', [[2], 5], types), { code: 'extent', operand: 1 });
  fault(() => bl.plan('Add', 'numpy', [[2], [3]], types), { code: 'incompatible', op: 'Add', rule: 'numpy' });
  fault(() => bl.plan('Add', 'numpy', shapes, ['f32', 'f64']), { code: 'dtype', detail: 'mixed' });
  fault(() => bl.plan('Add', 'numpy', shapes, types, { axis: 0 }), { code: 'attribute' });
  fault(() => bl.plan('Add', 'numpy', shapes, types, { out: 1 }), { code: 'unknown' });
  fault(() => bl.plan('Add', 'numpy', shapes, types, 7), { code: 'attribute' });
  fault(() => bl.plan('Broadcast', 'sonnx', shapes, types), { code: 'arity', rule: 'sonnx' });
  fault(() => bl.plan('Broadcast', 'explicit', [[2]], ['f32']), { code: 'attribute' });
});

test('operands that a plan rejects', () => {
  const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
  const [a, b] = [new Float32Array(6), new Float32Array(3)];
  const where = { op: 'Add', rule: 'numpy' };
  fault(() => plan.run([a]), { ...where, code: 'arity', extent: 1, otherExtent: 2 });
  fault(() => plan.run([a, b, b]), { ...where, code: 'arity', extent: 3, otherExtent: 2 });
  for (const none of [undefined, null, 5, 'ab', a, { 0: a, 1: b, length: 2 }]) {
    fault(() => plan.run(none), { ...where, code: 'arity' });
  }
  fault(() => plan.run([a.subarray(1), b]), { code: 'length', operand: 0, extent: 20, otherExtent: 24 });
  fault(() => plan.run([a, a]), { code: 'length', operand: 1, extent: 24, otherExtent: 12 });
  fault(() => plan.run([new Float64Array(6), b]), { code: 'dtype', op: 'Add', operand: 0 });
  fault(() => plan.run([f64(a, [2, 3]), b]), { ...where, code: 'dtype', detail: 'mixed', operand: 0, dtype: 'f64' });
  fault(() => plan.run([f32(a, [3, 2]), b]), { ...where, code: 'incompatible', operand: 0 });
  fault(() => plan.run([a, [1, 2]]), { ...where, code: 'incompatible', operand: 1 });
  fault(() => plan.run([a, 1]), { ...where, code: 'incompatible', operand: 1 });
  fault(() => plan.run([a, [1, 2, 1e39]]), { code: 'dtype', operand: 1, dtype: 'f32' });
  fault(() => plan.run([a, undefined]), { code: 'dtype', operand: 1 });
  fault(() => plan.run([a, [, , ,]]), { code: 'dtype', operand: 1 });
  const out = { operand: -3 };
  fault(() => plan.run([a, b], new Float32Array(5)), { code: 'length', ...out });
  fault(() => plan.run([a, b], new Float64Array(6)), { code: 'dtype', ...out });
  fault(() => plan.run([a, b], f64(new Float64Array(6), [2, 3])), { code: 'dtype', ...out });
  fault(() => plan.run([a, b], f32(new Float32Array(6), [6])), { code: 'incompatible', ...out });
  const lists = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  fault(() => plan.run([a, b], lists), { code: 'dtype', ...out });
  fault(() => plan.run([a, b], 5), { code: 'dtype', ...out });
  fault(() => plan.run([a, b], null), { code: 'dtype', ...out });
  const apart = { data: new Float32Array(12), shape: [2, 3], stride: [2, 2], offset: 0 };
  fault(() => plan.run([a, b], apart), { code: 'overlap', detail: 'strides', ...out });
  const shared = new Float32Array(9);
  fault(() => plan.run([shared.subarray(0, 6), b], shared.subarray(1, 7)), { code: 'overlap', ...out });
  fault(() => plan.run([a, shared.subarray(0, 3)], shared.subarray(0, 6)), { code: 'overlap', ...out });
  const tensor = bl.tensor(f32([1, 2, 3]));
  fault(() => plan.run([a, tensor], tensor), { code: 'incompatible', ...out });
  tensor.dispose();
});

test("a plan's properties cannot be changed", () => {
  const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  for (const [name, value] of Object.entries({ shape: [9], dtype: 'f64', operands: [], op: 'Sub' })) {
    assert.throws(() => (plan[name] = value), TypeError);
  }
  assert.deepEqual([...plan.run([F(1, 2), F(3, 4)]).data], [4, 6]);
});

test('a disposed plan', () => {
  const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  const inputs = [F(1, 2), F(3, 4)];
  plan.run(inputs);
  plan.dispose();
  plan.dispose();
  assert.equal(plan.disposed, true);
  const gone = { code: 'disposed', op: 'Add', rule: 'numpy' };
  fault(() => plan.run(inputs), gone);
  fault(() => plan.run(5), gone);
  fault(() => plan.runRegion([{ begin: 0, end: 1 }], inputs), gone);
  if (Symbol.dispose !== undefined) {
    const other = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
    other[Symbol.dispose]();
    assert.equal(other.disposed, true);
  }
});

test('a list whose getter runs the same plan', () => {
  const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  let inner;
  const inputs = () => [F(1, 2), F(10, 20)];
  const nested = () => (inner = plan.run([F(100, 200), F(1000, 2000)]).data);
  assert.deepEqual([...plan.run(listening(inputs(), 1, nested)).data], [11, 22]);
  assert.deepEqual([...inner], [1100, 2200]);
  // And other work, in one block and in many.
  const large = f32(new Float32Array(200_000).fill(1));
  for (const other of [
    () => bl.add(f32([5, 5]), f32([5, 5])),
    () => bl.add(large, large),
    () => bl.broadcastTo(large, [2, 200_000]),
  ]) {
    assert.deepEqual([...plan.run(listening(inputs(), 1, other)).data], [11, 22]);
  }
});

test('a list whose getter disposes of the plan or detaches memory', () => {
  const make = () => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  for (const index of [0, 1]) {
    const plan = make();
    const list = listening([F(1, 2), F(10, 20)], index, () => plan.dispose());
    fault(() => plan.run(list), { code: 'disposed' });
    const boxed = make();
    const other = listening([F(1, 2), F(10, 20)], index, () => boxed.dispose());
    fault(() => boxed.runRegion([{ begin: 0, end: 1 }], other), { code: 'disposed' });
    const tensor = bl.tensor(f32([1, 2]));
    const mixed = make();
    const third = listening([tensor, tensor], index, () => mixed.dispose());
    fault(() => mixed.run(third), { code: 'disposed' });
    tensor.dispose();
  }
  const plan = make();
  const out = new Float32Array(2);
  fault(
    () =>
      plan.run(
        listening([F(1, 2), F(1, 2)], 1, () => detach(out)),
        out,
      ),
    { code: 'length', operand: -3 },
  );
  const first = F(1, 2);
  // The operand was already copied, or not; the result is never half written.
  const late = listening([first, F(1, 2)], 1, () => detach(first));
  try {
    assert.deepEqual([...plan.run(late).data], [2, 4]);
  } catch (error) {
    assert.equal(error.code, 'length');
  }
  const gone = bl.tensor(f32([1, 2]));
  fault(() => plan.run(listening([gone, F(1, 2)], 1, () => gone.dispose())), { code: 'disposed' });
});

test('a list whose getter makes the memory grow', () => {
  const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
  plan.run([F(1, 2), F(10, 20)]);
  for (const index of [0, 1]) {
    const held = [];
    const grow = () => held.push(bl.tensor(f32(new Float32Array(bl.memory().bytes / 4))));
    const before = bl.memory().bytes;
    const out = new Float32Array(2);
    plan.run(listening([F(1, 2), F(10, 20)], index, grow), out);
    assert.deepEqual([...out], [11, 22]);
    assert.ok(bl.memory().bytes > before);
    held[0].dispose();
  }
});

test('a plan on tensors only', () => {
  const plan = bl.plan('Sub', 'numpy', [[2, 2], [2]], ['f32', 'f32']);
  const [a, b] = [bl.tensor(f32([1, 2, 3, 4], [2, 2])), bl.tensor(f32([10, 20]))];
  const out = bl.tensor(f32([0, 0, 0, 0], [2, 2]));
  for (const data of [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
  ]) {
    a.write(F(...data));
    assert.equal(plan.run([a, b], out), out);
    assert.deepEqual([...out.read()], [data[0] - 10, data[1] - 20, data[2] - 10, data[3] - 20]);
  }
  assert.equal(plan.run([a, b], a), a);
  assert.deepEqual([...a.read()], [-5, -14, -3, -12]);
  const wide = bl.plan('Sub', 'numpy', [[2], [2, 2]], ['f32', 'f32']);
  assert.deepEqual([...wide.run([b, a], out).read()], [15, 34, 13, 32]);
  // Wrong operands are reported as usual.
  const where = { op: 'Sub', rule: 'numpy' };
  const others = { flat: bl.tensor(f32([1, 2, 3, 4])), doubles: bl.tensor(f64([1, 2, 3, 4], [2, 2])) };
  fault(() => plan.run([a], out), { ...where, code: 'arity' });
  fault(() => plan.run([others.flat, b], out), { ...where, code: 'incompatible', operand: 0 });
  fault(() => plan.run([others.doubles, b], out), { ...where, code: 'dtype', operand: 0 });
  fault(() => plan.run([a, b], others.flat), { ...where, code: 'incompatible', operand: -3 });
  fault(() => plan.run([a, b], others.doubles), { ...where, code: 'dtype', operand: -3 });
  fault(() => plan.run([a, b], b), { ...where, code: 'incompatible', operand: -3 });
  const small = bl.plan('Sub', 'numpy', [[2], [1]], ['f32', 'f32']);
  const one = bl.tensor(f32([1]));
  fault(() => small.run([b, one], one), { ...where, code: 'incompatible', operand: -3 });
  const square = bl.plan(
    'Sub',
    'pdpd',
    [
      [2, 2],
      [2, 2],
    ],
    ['f32', 'f32'],
    { axis: 0 },
  );
  assert.deepEqual([...square.run([a, a], a).read()], [0, 0, 0, 0]);
  fault(
    () =>
      square.run(
        listening([a, out], 1, () => a.dispose()),
        out,
      ),
    { code: 'disposed' },
  );
  fault(() => plan.run([a, b], out), { code: 'disposed' });
  const gone = listening([out, b], 1, () => plan.dispose());
  fault(() => plan.run(gone, out), { ...where, code: 'disposed' });
  for (const tensor of [b, out, one, ...Object.values(others)]) tensor.dispose();
});

test('boxes equal the same part of the whole result', () => {
  const random = lcg(7);
  const cases = [
    ['Add', 'numpy', [[40, 30], [30]], ['f32', 'f32']],
    [
      'Mul',
      'numpy',
      [
        [7, 1, 9, 5],
        [6, 1, 5],
      ],
      ['i32', 'i32'],
    ],
    ['Sub', 'pdpd', [[6, 5, 4], [5]], ['f64', 'f64'], { axis: 1 }],
    [
      'Less',
      'numpy',
      [
        [300, 200],
        [300, 1],
      ],
      ['f64', 'f64'],
    ],
    ['Where', 'numpy', [[5, 1, 4], [3, 1], [4]], ['bool', 'i64', 'i64']],
    ['Broadcast', 'explicit', [[7, 3]], ['u8'], { targetShape: [2, 7, 4, 3], axesMapping: [1, 3] }],
    ['Add', 'numpy', [[], []], ['f32', 'f32']],
    ['Add', 'numpy', [[500, 700], [700]], ['f32', 'f32']],
  ];
  const filled = (dtype, count) => {
    const Type = {
      f32: Float32Array,
      f64: Float64Array,
      i32: Int32Array,
      i64: BigInt64Array,
      u8: Uint8Array,
      bool: Uint8Array,
    }[dtype];
    return Type.from({ length: count }, () =>
      dtype === 'i64' ? BigInt(random(1000)) : random(dtype === 'bool' ? 2 : 200),
    );
  };
  for (const [op, rule, shapes, dtypes, options] of cases) {
    const plan = bl.plan(op, rule, shapes, dtypes, options);
    const count = (shape) => shape.reduce((product, extent) => product * extent, 1);
    const inputs = shapes.map((shape, i) => filled(dtypes[i], count(shape)));
    const tensors = inputs.map((data, i) => bl.tensor({ data, shape: shapes[i], dtype: dtypes[i] }));
    const whole = plan.run(inputs).data;
    for (let round = 0; round < 25; ++round) {
      const box = plan.shape.map((extent) => {
        const begin = random(extent + 1);
        return { begin, end: begin + random(extent - begin + 1) };
      });
      const shape = box.map(({ begin, end }) => end - begin);
      const expected = new whole.constructor(count(shape));
      for (let i = 0; i < expected.length; ++i) {
        let [rest, at, step] = [i, 0, 1];
        for (let axis = shape.length - 1; axis >= 0; --axis) {
          at += (box[axis].begin + (rest % shape[axis])) * step;
          rest = Math.floor(rest / shape[axis]);
          step *= plan.shape[axis];
        }
        expected[i] = whole[at];
      }
      const label = `${op} ${JSON.stringify(box)}`;
      const result = plan.runRegion(box, inputs);
      assert.deepEqual(result.shape, shape, label);
      assert.deepEqual(result.data, expected, label);
      const out = new whole.constructor(expected.length + 2).fill(dtypes.at(-1) === 'i64' ? 7n : 7);
      plan.runRegion(box, inputs, out.subarray(1, expected.length + 1));
      assert.deepEqual(out.slice(1, -1), expected, label);
      assert.deepEqual([Number(out[0]), Number(out.at(-1))], [7, 7]);
      const wide = box.map(({ begin, end }) => ({ begin: BigInt(begin), end: BigInt(end) }));
      const tensor = plan.runRegion(wide, tensors);
      assert.deepEqual(tensor.shape, shape, label);
      assert.deepEqual(tensor.read(), expected, label);
      tensor.dispose();
    }
    tensors.forEach((tensor) => tensor.dispose());
    plan.dispose();
  }
});

test('boxes of packed results begin and end within bytes', () => {
  const random = lcg(11);
  for (const [dtype, bits] of [
    ['i4', 4],
    ['u1', 1],
  ]) {
    const element = (data, i) => {
      const byte = data[Math.floor((i * bits) / 8)];
      return bits === 4 ? (byte >> (4 * (i % 2))) & 15 : (byte >> (7 - (i % 8))) & 1;
    };
    const plan = bl.plan('Broadcast', 'broadcast_numpy', [[7, 5]], [dtype], { targetShape: [3, 7, 5] });
    const data = Uint8Array.from({ length: Math.ceil((35 * bits) / 8) }, () => random(256));
    for (let round = 0; round < 60; ++round) {
      const box = [3, 7, 5].map((extent) => {
        const begin = random(extent);
        return { begin, end: begin + 1 + random(extent - begin) };
      });
      const shape = box.map(({ begin, end }) => end - begin);
      const result = plan.runRegion(box, [data]);
      const expected = [];
      for (let i = 0; i < shape[0]; ++i) {
        for (let j = box[1].begin; j < box[1].end; ++j) {
          for (let k = box[2].begin; k < box[2].end; ++k) expected.push(element(data, 5 * j + k));
        }
      }
      const found = expected.map((_, i) => element(result.data, i));
      assert.deepEqual(found, expected, `${dtype} ${JSON.stringify(box)}`);
      assert.equal(result.data.length, Math.ceil((expected.length * bits) / 8));
    }
  }
});

test('invalid boxes', () => {
  const plan = bl.plan('Add', 'numpy', [[4, 3], [3]], ['f32', 'f32']);
  const inputs = [new Float32Array(12), new Float32Array(3)];
  const range = (begin, end) => ({ begin, end });
  const where = { code: 'extent', op: 'Add', rule: 'numpy', operand: -3 };
  const refused = (box, fields) => fault(() => plan.runRegion(box, inputs), { ...where, ...fields });
  refused([range(0, 2)], { detail: 'size', extent: 1, otherExtent: 2 });
  refused([], { detail: 'size', extent: 0 });
  refused([range(0, 2), range(0, 2), range(0, 1)], { detail: 'size', extent: 3 });
  refused([range(2, 1), range(0, 1)], { axis: 0 });
  refused([range(0, 4), range(0, 4)], { axis: 1, detail: 'out_of_range', extent: 4, otherExtent: 3 });
  refused([range(-1, 1), range(0, 1)], { axis: 0 });
  refused([range(-(2n ** 63n), 2n ** 63n - 1n), range(0, 1)], { axis: 0 });
  refused([range(0.5, 1), range(0, 1)], { detail: 'fractional' });
  for (const none of [null, undefined, 5, 'box', {}]) {
    refused(none, {});
    refused([none, range(0, 1)], {});
  }
  const box = [range(0, 2), range(0, 3)];
  fault(() => plan.runRegion(box, inputs, new Float32Array(5)), { code: 'length', operand: -3 });
  fault(() => plan.runRegion(box, inputs, f32(new Float32Array(6), [3, 2])), { code: 'incompatible', operand: -3 });
  fault(() => plan.runRegion(box, inputs, inputs[0]), { code: 'length', operand: -3 });
  fault(() => plan.runRegion(box, inputs, inputs[0].subarray(0, 6)), { code: 'overlap', operand: -3 });
  fault(() => plan.runRegion(box, [inputs[0].subarray(1), inputs[1]]), { code: 'length', operand: 0 });
  fault(() => plan.runRegion(box, [inputs[0]]), { code: 'arity' });
});

test('more shapes in turn than plans are kept, and again from the start', () => {
  const check = (n) => {
    const a = Float32Array.from({ length: n }, (_, i) => i);
    const result = bl.add(f32(a), f32([n]));
    for (let i = 0; i < n; i += 1 + Math.floor(n / 7)) assert.equal(result.data[i], i + n);
    assert.equal(result.data.length, n);
  };
  for (let n = 1; n <= 300; ++n) check(n);
  for (let n = 300; n >= 1; --n) check(n);
  for (let round = 0; round < 3; ++round) for (let n = 1; n <= 130; ++n) check(n);
  // Of one shape, but of other types, rules, options and operators.
  const [a, b] = [
    [6, 1, 2, 7],
    [2, 3, 4, 5],
  ];
  for (let round = 0; round < 3; ++round) {
    for (const Type of [Int8Array, Int16Array, Int32Array, Uint8Array, Float32Array, Float64Array]) {
      const [x, y] = [a, b].map((values) => ({ data: new Type(values), shape: [2, 2] }));
      assert.deepEqual([...bl.add(x, y).data], [8, 4, 6, 12]);
      assert.deepEqual(
        [...bl.sub(y, x).data].map((value) => value << 24),
        [-4, 2, 2, -2].map((value) => value << 24),
      );
      assert.deepEqual([...bl.mul(x, y, { rule: 'none' }).data], [12, 3, 8, 35]);
      assert.deepEqual([...bl.less(x, y).data], [0, 1, 1, 0]);
    }
    for (const axis of [0, 1]) {
      const y = i32([10, 20]);
      const expected = axis === 0 ? [16, 11, 22, 27] : [16, 21, 12, 27];
      assert.deepEqual([...bl.add(i32(a, [2, 2]), y, { rule: 'pdpd', axis }).data], expected);
      const bigint = { rule: 'pdpd', axis: BigInt(axis) };
      assert.deepEqual([...bl.add(i32(a, [2, 2]), y, bigint).data], expected);
    }
    const shifted = (direction) =>
      bl.bitShift(
        { data: new Uint8Array([4]), shape: [1] },
        { data: new Uint8Array([1]), shape: [1] },
        { attrs: { direction } },
      ).data[0];
    assert.deepEqual([shifted('left'), shifted('right')], [8, 2]);
  }
});

test('calls with always new shapes leak nothing', () => {
  const data = new Float32Array(600);
  const one = f32([1]);
  const work = (i) => {
    const n = 1 + (i % 299);
    bl.add({ data: data.subarray(0, 2 * n), shape: [n, 2] }, one);
  };
  for (let i = 0; i < 1000; ++i) work(i);
  const before = bl.memory().bytes;
  for (let i = 0; i < 100_000; ++i) work(i);
  assert.equal(bl.memory().bytes, before);
});

test('plans that are made, run and disposed of leak nothing', () => {
  const inputs = [F(1, 2), F(3, 4)];
  const work = () => {
    const plan = bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32']);
    plan.run(inputs);
    plan.runRegion([{ begin: 1, end: 2 }], inputs);
    fault(() => plan.runRegion([{ begin: 1, end: 3 }], inputs), { code: 'extent' });
    plan.dispose();
  };
  for (let i = 0; i < 100; ++i) work();
  const before = bl.memory().bytes;
  for (let i = 0; i < 5000; ++i) work();
  assert.equal(bl.memory().bytes, before);
});
