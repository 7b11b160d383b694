// Any arguments give a result or a BroadcastError of the right class.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastError, isBroadcastError, load } from 'broadloom';
import { array, bool, f32, f64, fault, i32, u8 } from './arrays.mjs';

const bl = await load();

test('every class of the vocabulary occurs', () => {
  const a = f32([1, 2, 3, 4], [4]);
  const calls = {
    parse: () => bl.parseShape('2;;x'),
    unknown: () => bl.apply('Plus', [a, a]),
    arity: () => bl.apply('Add', [a]),
    attribute: () => bl.inferShape('numpy', [[2], [2]], { axis: 0 }),
    extent: () => bl.inferShape('numpy', [[-2], [2]]),
    dtype: () => bl.add(a, f64([1])),
    length: () => bl.add({ data: new Float32Array(3), shape: [4] }, a),
    incompatible: () => bl.inferShape('numpy', [[2], [3]]),
    rank: () => bl.inferShape('pdpd', [[2], [2, 2]]),
    axis: () => bl.inferShape('pdpd', [[2], [2]], { axis: -2 }),
    axes_mapping: () => bl.inferShape('explicit', [[2]], { targetShape: [2, 3], axesMapping: [2] }),
    negative_dim: () => bl.inferShape('bidirectional', [[2]], { targetShape: [-1] }),
    policy: () => bl.inferShape('numpy', [[2, 3], [3]], { policy: 'no_rank_promotion' }),
    overflow: () => bl.inferShape('numpy', [[2 ** 40, 1], [2 ** 40]]),
    limit: () => bl.broadcastTo(u8([1]), [2 ** 40]),
    overlap: () => {
      const buffer = new Float32Array(5);
      const out = { data: buffer.subarray(1), shape: [4] };
      bl.add({ data: buffer.subarray(0, 4), shape: [4] }, a, { out });
    },
    allocation: () => bl.broadcastTo(bl.tensor(u8([1])), [2 ** 32 - 8192]),
  };
  for (const code of Object.keys(bl.vocabulary.errors)) {
    assert.ok(Object.hasOwn(calls, code), `a call that ends in ${code}`);
    fault(calls[code], { code });
  }
});

test('errors have the fields of the record, and a message', () => {
  const error = fault(() => bl.inferShape('numpy', [[2, 3], [4]]), {
    name: 'BroadcastError',
    code: 'incompatible',
    detail: null,
    rule: 'numpy',
    clause: 'numpy.3',
    op: null,
    operand: 1,
    otherOperand: 0,
    axis: 1,
    operandAxis: 0,
    otherAxis: 1,
    extent: 4,
    otherExtent: 3,
    dtype: null,
    otherDtype: null,
    span: null,
  });
  assert.match(error.message, /B has 4/);
  assert.match(error.stack, /errors\.test\.mjs/);
  assert.ok(error instanceof Error);
  assert.ok(!isBroadcastError(new Error('x')));
  assert.ok(!isBroadcastError(null));
  assert.ok(!isBroadcastError({ code: 'axis' }));
  assert.deepEqual(bl.align('numpy', [[2, 3], [4]]).error.message, error.message);
});

test('invalid extents', () => {
  const wrong = [
    [2.5, 'fractional'],
    [NaN, 'fractional'],
    ['3', 'fractional'],
    [undefined, 'fractional'],
    [null, 'fractional'],
    [true, 'fractional'],
    [{}, 'fractional'],
    [[2], 'fractional'],
    [Symbol('x'), 'fractional'],
    [() => 1, 'fractional'],
    [2 ** 53, 'unsafe'],
    [1e300, 'unsafe'],
    [Infinity, 'unsafe'],
    [-Infinity, 'unsafe'],
    [2n ** 63n, 'unsafe'],
    [-(2n ** 63n) - 1n, 'unsafe'],
    [-1, 'negative'],
    [-1n, 'negative'],
    [-(2 ** 52), 'negative'],
    [-(2n ** 63n), 'negative'],
  ];
  for (const [extent, detail] of wrong) {
    const fields = { code: 'extent', detail, operand: 1, operandAxis: 1 };
    fault(() => bl.inferShape('numpy', [[2], [1, extent]]), fields);
    fault(() => bl.align('numpy', [[2], [1, extent]]), fields);
    fault(() => bl.broadcastShapes([2], [1, extent]), fields);
    fault(() => bl.add(f32([1]), { data: new Float32Array(1), shape: [1, extent] }), fields);
  }
  fault(() => bl.inferShape('numpy', [[2, , 3]]), { code: 'extent', detail: 'fractional', operandAxis: 1 });
  fault(() => bl.inferShape('numpy', [new Array(2 ** 32 - 1)]), { code: 'extent' });
  assert.equal(fault(() => bl.inferShape('numpy', [[2.5]]), {}).value, 2.5);
  for (const shape of [
    undefined,
    null,
    5,
    '2,3',
    {},
    { length: 1, 0: 2 },
    new Set([1]),
    new Float32Array(2),
    () => [2],
  ]) {
    fault(() => bl.inferShape('numpy', [[2], shape]), { code: 'extent', operand: 1 });
    fault(() => bl.add(f32([1]), { data: new Float32Array(1), shape }), { code: 'extent', operand: 1 });
    fault(() => bl.countElements(shape), { code: 'extent' });
  }
  for (const extent of [0.5, '1', NaN, null]) {
    fault(() => bl.inferShape('bidirectional', [[1]], { targetShape: [2, extent] }), { code: 'extent', operand: -2 });
    const options = { targetShape: [2], axesMapping: [extent] };
    fault(() => bl.inferShape('explicit', [[2]], options), { code: 'axes_mapping', detail: 'fractional' });
  }
  fault(() => bl.broadcastTo(f32([1]), undefined), { code: 'attribute', detail: 'missing' });
  for (const shape of [null, 3, '3']) fault(() => bl.broadcastTo(f32([1]), shape), { code: 'extent', operand: -2 });
  fault(() => bl.inferShape('explicit', [[2]], { targetShape: [2], axesMapping: 0 }), { code: 'axes_mapping' });
});

test('invalid lists', () => {
  for (const list of [undefined, null, 5, 'ab', {}, new Float32Array(2), { length: 1 }]) {
    fault(() => bl.inferShape('numpy', list), { code: 'arity' });
    fault(() => bl.align('numpy', list), { code: 'arity' });
    fault(() => bl.apply('Add', list), { code: 'arity' });
    fault(() => bl.max(list), { code: 'arity' });
  }
  fault(() => bl.inferShape('numpy', []), { code: 'arity' });
  fault(() => bl.broadcastShapes(), { code: 'arity' });
  fault(() => bl.broadcastArrays(), { code: 'arity' });
  fault(() => bl.max([]), { code: 'arity' });
  fault(() => bl.inferShape('numpy', new Array(2)), { code: 'extent', operand: 0 });
  fault(() => bl.apply('Add', new Array(2)), { code: 'dtype', operand: 0 });
});

test('invalid arrays', () => {
  const good = f32([1]);
  for (const wrong of [undefined, null, 'x', Symbol('x'), () => good, {}, { data: null }]) {
    fault(() => bl.add(wrong, good), { code: 'dtype', operand: 0 });
    fault(() => bl.add(good, wrong), { code: 'dtype', operand: 1 });
    fault(() => bl.max([good, wrong]), { code: 'dtype', operand: 1 });
    fault(() => bl.broadcastTo(wrong, [1]), { code: 'dtype', operand: 0 });
    if (wrong !== undefined) fault(() => bl.add(good, good, { out: wrong }), { code: 'dtype', operand: -3 });
  }
  for (const data of [undefined, null, [1], new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), 'x', { length: 1 }]) {
    fault(() => bl.add({ data, shape: [1] }, good), { code: 'dtype', operand: 0 });
  }
  for (const dtype of ['bool', 'i8', 'f8e4m3', 'u1']) {
    const clamped = { data: new Uint8ClampedArray(1), shape: [1], dtype };
    fault(() => bl.equal(clamped, clamped), { code: 'dtype', operand: 0, dtype });
  }
  for (const bare of [new Float32Array(3), new Uint8ClampedArray(3), new BigInt64Array(3)]) {
    const how = /is a typed array without a shape: give \{ data, shape: \[3\] \}/;
    assert.match(fault(() => bl.add(bare, 1), { code: 'dtype', operand: 0 }).message, how);
    assert.match(fault(() => bl.add(good, good, { out: bare }), { code: 'dtype', operand: -3 }).message, how);
    assert.match(fault(() => bl.tensor(bare), { code: 'dtype', operand: 0 }).message, how);
  }
  fault(() => bl.add({ data: Object.create(Float32Array.prototype), shape: [1] }, good), { code: 'dtype' });
  fault(() => bl.add({ data: new Float32Array(1), shape: [1], dtype: 'f64' }, good), {
    code: 'dtype',
    dtype: 'f64',
    otherDtype: 'f32',
  });
  for (const dtype of ['float33', 'F32', '', 5, null, {}, 'toString', '__proto__']) {
    fault(() => bl.add({ data: new Float32Array(1), shape: [1], dtype }, good), { code: 'unknown', detail: 'dtype' });
  }
});

test('element types that cannot be combined', () => {
  fault(() => bl.add(f32([1]), f64([1])), {
    code: 'dtype',
    detail: 'mixed',
    op: 'Add',
    operand: 1,
    otherOperand: 0,
    dtype: 'f64',
    otherDtype: 'f32',
  });
  fault(() => bl.max([f32([1]), f32([1]), i32([1])]), { code: 'dtype', detail: 'mixed', operand: 2 });
  fault(() => bl.where(bool([1]), f32([1]), f64([1])), { code: 'dtype', detail: 'mixed', operand: 2, otherOperand: 1 });
  fault(() => bl.where(u8([1]), f32([1]), f32([1])), { code: 'dtype', detail: 'unsupported', operand: 0 });
  fault(() => bl.add(bool([1]), bool([1])), { code: 'dtype', detail: 'unsupported', operand: 0, dtype: 'bool' });
  fault(() => bl.sum([i32([1])]), { code: 'dtype', detail: 'unsupported' });
  fault(() => bl.mod(f32([1]), f32([1])), { code: 'dtype', detail: 'unsupported' });
  const opaque = array(Uint8Array, [1], [1], 'f8e4m3');
  fault(() => bl.add(opaque, opaque), { code: 'dtype', detail: 'unsupported' });
});

test('data whose length does not match its shape', () => {
  for (const length of [0, 1, 5, 7, 12]) {
    fault(() => bl.add({ data: new Float32Array(length), shape: [2, 3] }, f32([1])), {
      code: 'length',
      operand: 0,
      extent: 4 * length,
      otherExtent: 24,
    });
  }
  fault(() => bl.broadcastTo(array(Uint8Array, [1, 2], [1], 'i4'), [3]), { code: 'length' });
  fault(() => bl.broadcastTo(array(Float32Array, [1], [1], 'c64'), [3]), { code: 'length' });
  fault(() => bl.add({ data: new Float32Array(1), shape: [0] }, f32([1])), { code: 'length', otherExtent: 0 });
});

test('unknown names, with a suggestion', () => {
  const a = f32([1]);
  assert.match(fault(() => bl.inferShape('nunpy', [[1]]), { code: 'unknown', detail: 'rule' }).message, /mean "numpy"/);
  assert.match(fault(() => bl.apply('add', [a, a]), { code: 'unknown', detail: 'op' }).message, /mean "Add"/);
  assert.match(fault(() => bl.apply('Qwertyuiop', [a, a]), { code: 'unknown' }).message, /There are: Add, Sub/);
  for (const name of [undefined, null, 5, {}, '', 'constructor', '__proto__', 'x'.repeat(1e6), '\0']) {
    fault(() => bl.inferShape(name, [[1]]), { code: 'unknown', detail: 'rule' });
    fault(() => bl.apply(name, [a, a]), { code: 'unknown', detail: 'op' });
    if (name !== undefined) fault(() => bl.add(a, a, { rule: name }), { code: 'unknown', detail: 'rule', op: 'Add' });
  }
  assert.match(fault(() => bl.add(a, a, { rul: 'numpy' }), { code: 'unknown' }).message, /mean "rule"/);
  assert.match(fault(() => bl.mod(a, a, { attrs: { mod: 1 } }), { code: 'unknown' }).message, /mean "fmod"/);
  fault(() => bl.inferShape('pdpd', [[1], [1]], { axes: 0 }), { code: 'unknown' });
  fault(() => bl.add(a, a, { rule: 'explicit', targetShape: [1], axesMapping: [0] }), {
    code: 'unknown',
    detail: 'rule',
    rule: 'explicit',
    op: 'Add',
  });
});

test('wrong options', () => {
  const a = f32([1]);
  for (const options of [null, 5, 'numpy', true]) {
    fault(() => bl.add(a, a, options), { code: 'attribute' });
    fault(() => bl.inferShape('numpy', [[1]], options), { code: 'attribute' });
    fault(() => bl.add(a, a, { attrs: options }), { code: 'attribute' });
  }
  for (const axis of [0.5, NaN, '0', null, {}, 2 ** 53, 2n ** 63n]) {
    fault(() => bl.inferShape('pdpd', [[1], [1]], { axis }), { code: 'attribute' });
  }
  fault(() => bl.inferShape('pdpd', [[2], [2]], { axis: 1 }), { code: 'axis' });
  fault(() => bl.inferShape('pdpd', [[2], [2]], { axis: -(2n ** 63n) }), { code: 'axis' });
  fault(() => bl.inferShape('numpy', [[2]], { targetShape: [2] }), { code: 'attribute', detail: 'unexpected' });
  fault(() => bl.inferShape('bidirectional', [[2]]), { code: 'attribute', detail: 'missing' });
  fault(() => bl.inferShape('numpy', [[2]], { axesMapping: [0] }), { code: 'axes_mapping', detail: 'unexpected' });
  fault(() => bl.inferShape('explicit', [[2]], { targetShape: [2] }), { code: 'axes_mapping', detail: 'missing' });
  const mapped = (axesMapping, shape = [2, 3]) =>
    bl.inferShape('explicit', [shape], { targetShape: [2, 3, 4], axesMapping });
  fault(() => mapped([0]), { code: 'axes_mapping', detail: 'size' });
  fault(() => mapped([1, 0]), { code: 'axes_mapping', detail: 'unsorted' });
  fault(() => mapped([0, 3]), { code: 'axes_mapping', detail: 'out_of_range' });
  fault(() => mapped([-1, 1]), { code: 'axes_mapping', detail: 'out_of_range' });
  fault(() => mapped([0, 0], [2, 2]), { code: 'axes_mapping', detail: 'duplicate' });
  fault(() => bl.inferShape('numpy', [[1]], { dtype: 'float' }), { code: 'unknown', detail: 'dtype' });
  fault(() => bl.mod(i32([1]), i32([1]), { attrs: { fmod: 2 } }), { code: 'attribute' });
  fault(() => bl.mod(i32([1]), i32([1]), { attrs: { fmod: true } }), { code: 'attribute' });
  fault(() => bl.add(a, a, { attrs: { fmod: 0 } }), { code: 'attribute', detail: 'unexpected' });
  fault(() => bl.bitShift(u8([1]), u8([1])), { code: 'attribute', detail: 'missing' });
  fault(() => bl.bitShift(u8([1]), u8([1]), { attrs: { direction: 'up' } }), { code: 'attribute' });
});

test('wrong numbers of operands', () => {
  const a = f32([1]);
  fault(() => bl.add(a), { code: 'arity', op: 'Add', extent: 1, otherExtent: 2 });
  fault(() => bl.add(a, undefined), { code: 'dtype', operand: 1 });
  fault(() => bl.add(a, a, a), { code: 'arity', op: 'Add', extent: 3, otherExtent: 2 });
  fault(() => bl.add(a, a, {}, {}), { code: 'arity', op: 'Add' });
  fault(() => bl.apply('Add', [a, a, a]), { code: 'arity', op: 'Add' });
  fault(() => bl.apply('Add', [a, a], a), { code: 'arity', op: 'Add' });
  fault(() => bl.max([a], a), { code: 'arity', op: 'Max' });
  fault(() => bl.max([a], {}, {}), { code: 'arity', op: 'Max' });
  fault(() => bl.max([a], undefined, undefined), { code: 'arity', op: 'Max' });
  fault(() => bl.apply('Where', [bool([1]), a]), { code: 'arity', op: 'Where' });
  fault(() => bl.apply('Broadcast', [a, a], { targetShape: [2] }), { code: 'arity' });
  fault(() => bl.inferShape('pdpd', [[1], [1], [1]]), { code: 'arity', rule: 'pdpd' });
});

test('results too large', () => {
  fault(() => bl.inferShape('numpy', [[2 ** 32, 1], [2 ** 31]]), { code: 'overflow' });
  assert.deepEqual(bl.inferShape('numpy', [[2 ** 31, 1], [2 ** 31]]), [2 ** 31, 2 ** 31]);
  fault(() => bl.inferShape('numpy', [[2 ** 31, 1], [2 ** 31]], { dtype: 'f32' }), { code: 'overflow' });
  const huge = f32([1], [1]);
  fault(() => bl.broadcastTo(huge, [2 ** 40, 2 ** 40]), { code: 'overflow' });
  fault(() => bl.broadcastTo(huge, [2 ** 50]), { code: 'limit' });
  fault(() => bl.broadcastTo(huge, [2n ** 60n]), { code: 'limit' });
  assert.deepEqual(bl.inferShape('broadcast_numpy', [[1]], { targetShape: [2n ** 60n] }), [2n ** 60n]);
  // Without elements no memory is needed, but the shape must be reported exactly.
  assert.deepEqual(bl.broadcastTo(huge, [0, 2 ** 52]).shape, [0, 2 ** 52]);
  fault(() => bl.broadcastTo(huge, [0, 2n ** 60n]), { code: 'extent', detail: 'unsafe' });
});

test('errors about memory name the result', () => {
  const fields = { op: 'Broadcast', rule: 'broadcast_numpy', operand: -3, dtype: 'f32' };
  const one = f32([1]);
  fault(() => bl.broadcastTo(one, [2 ** 40, 2]), { ...fields, code: 'limit', extent: 2 ** 43 });
  fault(() => bl.broadcastTo(one, [0, 2n ** 60n]), { op: 'Broadcast', rule: 'broadcast_numpy', operand: -3 });
  // The module's memory ends earlier.
  const tensor = bl.tensor(one);
  fault(() => bl.broadcastTo(tensor, [2 ** 31, 2]), { ...fields, code: 'limit', extent: 2 ** 34 });
  fault(() => bl.broadcastTo(tensor, [2 ** 30 - 2048]), { ...fields, code: 'allocation', extent: 2 ** 32 - 8192 });
});

test('length errors are reported before shape errors', () => {
  const short = { data: new Float32Array(1), shape: [2] };
  const wrong = { code: 'length', op: 'Add', operand: 0, extent: 4, otherExtent: 8 };
  fault(() => bl.add(short, f32([1, 2, 3])), { ...wrong, rule: 'onnx_multidirectional' });
  fault(() => bl.add(short, f32([1], [1, 1]), { rule: 'pdpd' }), { ...wrong, rule: 'pdpd' });
  fault(() => bl.add(short, f32([1]), { rule: 'pdpd', axis: 7 }), wrong);
  fault(() => bl.broadcastTo(short, [2n ** 62n, 2n]), { code: 'length', operand: 0 });
  fault(() => bl.broadcastTo(short, [-1]), { code: 'length', operand: 0 });
  fault(() => bl.broadcastArrays(f32([1, 2, 3]), short), { code: 'length', operand: 1, rule: 'sonnx' });
  // Earlier errors are still reported first.
  fault(() => bl.add(short, f64([1])), { code: 'dtype' });
  fault(() => bl.add(short, { data: new Float32Array(1), shape: [-1] }), { code: 'extent', operand: 1 });
  fault(() => bl.add({ data: new Float32Array(1), shape: [2 ** 40, 2 ** 40] }, f32([1])), { code: 'overflow' });
});

test('revoked proxies', () => {
  const revoked = (target) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const a = f32([1]);
  for (const value of [revoked([]), revoked({})]) {
    fault(() => bl.inferShape('numpy', value), { code: 'arity' });
    fault(() => bl.inferShape('numpy', [[1], value]), { code: 'extent', operand: 1 });
    fault(() => bl.inferShape(value, [[1]]), { code: 'unknown', detail: 'rule' });
    fault(() => bl.inferShape('numpy', [[1]], value), { code: 'attribute' });
    fault(() => bl.inferShape('numpy', [[value]]), { code: 'extent', detail: 'fractional' });
    fault(() => bl.apply(value, [a, a]), { code: 'unknown', detail: 'op' });
    fault(() => bl.apply('Add', value), { code: 'arity' });
    fault(() => bl.add(a, a, value), { code: 'attribute' });
    fault(() => bl.add(a, value), { code: 'dtype', operand: 1 });
    fault(() => bl.add(a, { data: value, shape: [1] }), { code: 'dtype', operand: 1 });
    fault(() => bl.add(a, { data: a.data, shape: value }), { code: 'extent', operand: 1 });
    fault(() => bl.add(a, a, { out: value }), { code: 'dtype', operand: -3 });
    fault(() => bl.parseShape(value), { code: 'parse' });
  }
});

test('options that throw when they are read', () => {
  const cause = new Error('boom');
  const boom = () => {
    throw cause;
  };
  const throwing = (name) => Object.defineProperty({}, name, { enumerable: true, get: boom });
  const a = f32([1, 2]);
  const g = f32([1, 2, 3, 4], [2, 2]);
  const calls = [
    ...['axis', 'targetShape', 'axesMapping', 'attrs', 'rule', 'out', 'promote', 'as'].map(
      (name) => () => bl.add(a, a, throwing(name)),
    ),
    () => bl.max([a, a], throwing('out')),
    () => bl.apply('Mod', [a, a], { attrs: throwing('fmod') }),
    () => bl.broadcast(a, throwing('mode')),
    () => bl.sumTo(g, [2], throwing('rule')),
    () => bl.plan('Add', 'numpy', [[2], [2]], ['f32', 'f32'], throwing('axis')),
    () => bl.inferShape('numpy', [[2]], throwing('dtype')),
    () => bl.align('numpy', [[2]], throwing('targetShape')),
    () => bl.parseShape('2', throwing('bigint')),
    () => bl.add(a, a, new Proxy({}, { ownKeys: boom })),
    () => bl.add(a, a, Object.create(throwing('out'))),
  ];
  for (const call of calls) {
    const refused = fault(call, { code: 'attribute' });
    assert.match(refused.message, /boom/, String(call));
    assert.equal(refused.cause, cause);
  }
  // Options of arrays are named, too.
  const array = Object.defineProperty({ data: a.data }, 'shape', { get: boom });
  assert.equal(fault(() => bl.add(a, array), { code: 'dtype', operand: 1 }).cause, cause);
  const extents = [2, 3];
  Object.defineProperty(extents, 1, { get: boom });
  assert.equal(fault(() => bl.inferShape('numpy', [extents]), { code: 'extent' }).cause, cause);
});

test('each option is read once', () => {
  const reads = [];
  const options = new Proxy(
    { rule: 'pdpd', axis: 0, out: f32([0, 0]), attrs: undefined },
    {
      get(target, name) {
        reads.push(name);
        return target[name];
      },
    },
  );
  bl.add(f32([1, 2]), f32([1, 2]), options);
  assert.equal(new Set(reads).size, reads.length, String(reads));
  assert.deepEqual(options.out.data, new Float32Array([2, 4]));
});

test('random arguments are rejected without a crash', () => {
  let seed = 12345;
  const random = (n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % n;
  };
  const values = [
    0,
    1,
    2,
    3,
    -1,
    0.5,
    NaN,
    2 ** 53,
    1n,
    2n ** 62n,
    '1',
    null,
    undefined,
    [],
    {},
    [1],
    new Int8Array(2),
  ];
  const pick = (list) => list[random(list.length)];
  const shape = () =>
    random(8) === 0 ? pick(values) : Array.from({ length: random(4) }, () => pick(random(3) ? [1, 2, 3] : values));
  const types = [Float32Array, Float64Array, Uint8Array, BigInt64Array, Uint16Array, Array];
  const dtypes = [undefined, undefined, undefined, 'bool', 'f16', 'i4', 'f32', 'x', 7];
  const tensor = () =>
    random(8) === 0 ? pick(values) : { data: new (pick(types))(random(7)), shape: shape(), dtype: pick(dtypes) };
  const rules = [...Object.keys(bl.vocabulary.rules), 'x', undefined];
  const ops = [...Object.keys(bl.vocabulary.ops), 'x'];
  const options = () => ({
    ...(random(3) ? {} : { axis: pick(values) }),
    ...(random(3) ? {} : { targetShape: shape() }),
    ...(random(3) ? {} : { axesMapping: shape() }),
  });
  const counts = { results: 0, errors: 0 };
  for (let i = 0; i < 20_000; ++i) {
    const shapes = Array.from({ length: random(4) }, shape);
    const calls = [
      () => bl.inferShape(pick(rules), shapes, options()),
      () => bl.align(pick(rules), shapes, options()),
      () => bl.apply(pick(ops), Array.from({ length: random(4) }, tensor), { rule: pick(rules), ...options() }),
    ];
    try {
      const result = pick(calls)();
      if (result.axes) assert.match(result.verdict + result.axes.map(({ why }) => why), /\S/);
      ++counts.results;
    } catch (error) {
      if (!(error instanceof BroadcastError)) throw error;
      ++counts.errors;
    }
  }
  assert.ok(counts.results > 300 && counts.errors > 1000, JSON.stringify(counts));
});
