// The options `policy` and `names`: what a call refuses although its rule allows it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { load } from '../../wasm/dist/index.js';

const bl = await load();
const dense = (...shape) => ({
  data: new Float32Array(shape.reduce((product, extent) => product * extent, 1)).map((_, i) => i),
  shape,
});

/** The call's error as code, detail, operand and axis; or its result's shape. */
function outcome(call) {
  try {
    const result = call();
    return result?.shape ?? result;
  } catch (error) {
    assert.equal(error.name, 'BroadcastError', String(error.stack));
    return [error.code, error.detail, error.operand, error.axis];
  }
}

const cases = [
  { shapes: [[2, 3], [3]], refusedBy: { no_rank_promotion: [1, 0] } },
  {
    shapes: [
      [2, 3],
      [1, 3],
    ],
    refusedBy: { no_stretching: [1, 0] },
  },
  { shapes: [[3], [2, 1]], refusedBy: { no_rank_promotion: [0, 0], no_stretching: [1, 1] } },
  { shapes: [[2, 3], []], refusedBy: {} },
  {
    shapes: [
      [2, 3],
      [2, 3],
    ],
    refusedBy: {},
  },
  { shapes: [[1], [1, 1]], refusedBy: { no_rank_promotion: [0, 0] } },
];
const listOf = { no_rank_promotion: ['match', 'stretch'], no_stretching: ['match', 'insert'] };

for (const { shapes, refusedBy } of cases) {
  test(`policy: ${JSON.stringify(shapes)}, by every call`, () => {
    const fits = bl.inferShape('numpy', shapes);
    const [a, b] = shapes.map((shape) => dense(...shape));
    const calls = (options) => ({
      inferShape: () => bl.inferShape('numpy', shapes, options),
      align: () => {
        const { error, shape } = bl.align('numpy', shapes, options);
        return error === null ? shape : [error.code, error.detail, error.operand, error.axis];
      },
      add: () => bl.add(a, b, options),
      apply: () => bl.apply('Max', [a, b], options),
      out: () => bl.add(a, b, { ...options, out: dense(...fits) }),
      tensors: () => bl.add(bl.tensor(a), b, options),
      plan: () => bl.plan('Add', 'numpy', shapes, ['f32', 'f32'], options),
    });
    for (const policy of ['no_rank_promotion', 'no_stretching']) {
      for (const given of [policy, listOf[policy]]) {
        const refused = refusedBy[policy];
        for (const [name, call] of Object.entries(calls({ policy: given }))) {
          const expected = refused ? ['policy', policy, ...refused] : fits;
          assert.deepEqual(outcome(call), expected, `${name} ${given}`);
        }
      }
    }
    // The same call without a policy, before and after: recent plans are kept by policy, too.
    for (const [name, call] of Object.entries(calls({}))) assert.deepEqual(outcome(call), fits, name);
    const isRefused = Object.keys(refusedBy).length > 0;
    assert.equal(outcome(() => bl.add(a, b, { policy: [] }))[0] === 'policy', isRefused);
    assert.deepEqual(
      outcome(() => bl.add(a, b, { policy: ['insert', 'stretch'] })),
      fits,
    );
  });
}

test('policy: axes are matched by name', () => {
  const shapes = [[8, 8], [8]];
  const [a, b] = shapes.map((shape) => dense(...shape));
  const same = (names) => ({ policy: 'same_names', names });
  const unlike = ['policy', 'same_names', 1, 1];
  const ab = ['batch', 'heads'];
  for (const [names, expected] of [
    [
      [ab, ['heads']],
      [8, 8],
    ],
    [[ab, ['batch']], unlike],
    [[ab, ['']], unlike],
    [[ab, [null]], unlike],
    [[ab, []], unlike],
    [[[], []], unlike],
    [undefined, unlike],
    [[ab], ['attribute', 'same_names', null, null]],
    [
      [ab, ab],
      ['attribute', 'same_names', 1, null],
    ],
    [
      [ab, 'heads'],
      ['attribute', 'same_names', null, null],
    ],
    [
      [ab, [3]],
      ['attribute', 'same_names', null, null],
    ],
    [3, ['attribute', 'same_names', null, null]],
  ]) {
    assert.deepEqual(
      outcome(() => bl.add(a, b, same(names))),
      expected,
      JSON.stringify(names),
    );
    assert.deepEqual(
      outcome(() => bl.inferShape('numpy', shapes, same(names))),
      expected,
      JSON.stringify(names),
    );
  }
  assert.deepEqual(
    outcome(() => bl.add(a, b, { names: [ab, ['batch']] })),
    [8, 8],
  );
});

test('policy: a policy or relation that is not known is refused, and what there is is named', () => {
  const add = (policy) => () => bl.add(dense(2, 3), dense(3), { policy });
  for (const policy of ['strict', 'no_stretch', ['matches'], [null], 3, {}, null, new Proxy([], {})]) {
    if (Array.isArray(policy) && policy.length === 0) continue;
    assert.throws(add(policy), ({ code, message }) => code === 'unknown' && /There are: /.test(message));
  }
  assert.throws(add('no_stretch'), /Did you mean "no_stretching"\?/);
  assert.throws(
    add('no_rank_promotion'),
    /^BroadcastError: Axis 0: B has no such axis but A has 2 \(its axis 0\)\. The policy no_rank_promotion adds no axes: give B an axis of extent 1 there\.$/,
  );
});

test('policy: names of more axes than a request has room for at first', () => {
  const shape = Array(400).fill(1);
  const names = shape.map((_, axis) => `axis ${axis}`);
  const options = (last) => ({ policy: 'same_names', names: [names, names.with(-1, last)] });
  assert.deepEqual(bl.inferShape('numpy', [shape, shape], options(names.at(-1))), shape);
  assert.deepEqual(
    outcome(() => bl.inferShape('numpy', [shape, shape], options('other'))),
    ['policy', 'same_names', 1, 399],
  );
  for (let i = 0; i < 20; ++i) bl.add(dense(2, 3), dense(3)); // the memory behind the request is whole
});
