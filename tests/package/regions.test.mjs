// broadloom/regions: input regions against the sources of single cells, boxes against the whole, and wrong boxes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBroadcastError, load } from 'broadloom';
import { BroadcastError, planRegions } from 'broadloom/regions';
import { bytes, randomArray, randomOf } from './random-arrays.mjs';
import { randomDivision, randomQuestion, RULES } from './random-questions.mjs';

const bl = await load();

/** The indices of a box, in C order. */
function* indicesIn([first, ...rest]) {
  if (first === undefined) {
    yield [];
    return;
  }
  for (let index = first.begin; index < first.end; ++index)
    for (const others of indicesIn(rest)) yield [index, ...others];
}

const lengths = (box) => box.map(({ begin, end }) => end - begin);
const offsetIn = (shape, index) => index.reduce((offset, i, axis) => offset * shape[axis] + i, 0);

/** Elements of a region of an array, by index arithmetic. */
function cut({ data, shape, dtype }, region) {
  const Class = data.constructor;
  return {
    data: Class.from(indicesIn(region), (index) => data[offsetIn(shape, index)]),
    shape: lengths(region),
    dtype,
  };
}

for (const [rule, op] of Object.entries(RULES)) {
  test(`${rule}: any division into boxes, in any order, gives the bits of the whole`, () => {
    const random = randomOf(rule.length);
    for (let round = 0; round < 120; ++round) {
      const { shapes, options } = randomQuestion(random, rule);
      const types = op === 'Broadcast' ? ['f32', 'i64', 'u8', 'bool', 'c64', 'f8e5m2'] : ['f32', 'f64', 'i32'];
      const dtype = op === 'PRelu' ? 'f32' : types[random(types.length)];
      const arrays = shapes.map((shape) => randomArray(bl, random, dtype, shape));
      if (dtype === 'c64') for (const array of arrays) array.data = Float32Array.from(array.data, Number);
      const about = JSON.stringify({ rule, shapes, options, dtype });
      const whole = bl.apply(op, arrays, { rule, ...options });
      const plan = planRegions(
        bl,
        op,
        rule,
        shapes,
        shapes.map(() => dtype),
        options,
      );
      assert.deepEqual([plan.shape, plan.dtype], [whole.shape, dtype], about);
      const alignment = bl.align(rule, shapes, options);
      const width = dtype === 'c64' ? 2 : 1;
      const result = new whole.data.constructor(whole.data.length);
      for (const box of randomDivision(random, whole.shape)) {
        const regions = plan.inputRegions(box);
        // Each element of a region is the source of a cell of the box, and no other element is.
        regions.forEach((region, i) => {
          const sources = new Set(Array.from(indicesIn(box), (cell) => alignment.sourceOf(i, cell).join()));
          assert.deepEqual(new Set(Array.from(indicesIn(region), String)), sources, about);
        });
        const part = plan.within(box);
        assert.deepEqual(part.operands, regions.map(lengths), about);
        const blocks = arrays.map((array, i) =>
          width === 1
            ? cut(array, regions[i])
            : {
                ...array,
                shape: lengths(regions[i]),
                data: Float32Array.from(
                  [...indicesIn(regions[i])].flatMap((index) => {
                    const at = 2 * offsetIn(array.shape, index);
                    return [array.data[at], array.data[at + 1]];
                  }),
                ),
              },
        );
        const { data } = part.run(blocks);
        let next = 0;
        for (const index of indicesIn(box)) {
          const at = width * offsetIn(whole.shape, index);
          for (let k = 0; k < width; ++k) result[at + k] = data[next++];
        }
        const read = blocks.reduce((sum, block) => sum + block.data.byteLength, 0);
        assert.deepEqual(plan.cost(box), { read, written: data.byteLength, peak: read + data.byteLength }, about);
        part.dispose();
      }
      assert.deepEqual(bytes(result), bytes(whole.data), about);
    }
  });
}

test('attributes and policies belong to the plan of a box', () => {
  const plan = planRegions(bl, 'Mod', 'numpy', [[4, 3], [3]], ['f32', 'f32'], { attrs: { fmod: 1 } });
  const rows = plan.within([
    { begin: 1, end: 3 },
    { begin: 0, end: 3 },
  ]);
  assert.deepEqual(
    [...rows.run([new Float32Array([-5, 5, 7, 1, 2, 3]), new Float32Array([3, 3, 4])]).data],
    [-2, 2, 3, 1, 2, 3],
  );
  assert.throws(
    () => planRegions(bl, 'Add', 'numpy', [[4, 3], [3]], ['f32', 'f32'], { policy: 'no_rank_promotion' }),
    ({ code }) => code === 'policy',
  );
});

test('options may be changed after the plan was made', () => {
  const options = { targetShape: [2, 3] };
  const plan = planRegions(bl, 'Broadcast', 'broadcast_numpy', [[3]], ['f32'], options);
  options.targetShape[0] = 7;
  assert.deepEqual(
    plan.within([
      { begin: 0, end: 2 },
      { begin: 1, end: 3 },
    ]).shape,
    [2, 2],
  );
});

test('a box without elements needs none, and has no plan', () => {
  const plan = planRegions(bl, 'Add', 'numpy', [[4, 1], [5]], ['f32', 'f32']);
  const box = [
    { begin: 2, end: 2 },
    { begin: 0, end: 5 },
  ];
  const none = { begin: 0, end: 0 };
  assert.deepEqual(plan.inputRegions(box), [[none, none], [none]]);
  assert.deepEqual(plan.cost(box), { read: 0, written: 0, peak: 0 });
  assert.throws(
    () => plan.within(box),
    (error) => isBroadcastError(error) && error.code === 'extent',
  );
});

test('wrong boxes, rules and arguments are BroadcastErrors', () => {
  const plan = planRegions(bl, 'Add', 'numpy', [[4, 1], [5]], ['f32', 'f32']);
  const all = { begin: 0, end: 4 };
  const wrong = [
    undefined, null, 7, 'box', {}, [], [all], [all, all, all], [all, null], [all, { begin: 0 }], [all, { begin: -1, end: 2 }],
    [all, { begin: 0, end: 6 }], [all, { begin: 3, end: 2 }], [all, { begin: 0.5, end: 2 }], [all, { begin: NaN, end: 2 }],
    [all, { begin: 0n, end: 2n }], [all, { begin: '0', end: '2' }], [all, { begin: 0, end: Infinity }],
  ]; // prettier-ignore
  for (const box of wrong) {
    for (const ask of ['inputRegions', 'within', 'cost']) {
      assert.throws(
        () => plan[ask](box),
        (error) => error instanceof BroadcastError && error.code === 'extent' && error.message.length > 20,
        `${ask} ${JSON.stringify(box, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))}`,
      );
    }
  }
  assert.throws(
    () => planRegions(bl, 'Broadcast', 'sonnx', [[2], [2]], ['f32', 'f32']),
    ({ code }) => code === 'arity',
  );
  assert.throws(
    () => planRegions(bl, 'Add', 'numpy', [[2], [3]], ['f32', 'f32']),
    ({ code }) => code === 'incompatible',
  );
  assert.throws(
    () => planRegions(bl, 'Add', 'numpy', [[2], [2]], ['f32', 'f32'], { axsi: 1 }),
    ({ code }) => code === 'unknown',
  );
});
