// Every operator with every type in every way: typed arrays in one block and in many, tensors, plans, boxes. All give
// the same bits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { bytes, randomArray, randomOf } from './random-arrays.mjs';

const bl = await load();
const random = randomOf(99);
const make = (dtype, shape) => randomArray(bl, random, dtype, shape);

const SHAPES = [
  [[3, 5], [5], [3, 1]],
  [[], [7], [7]],
  [[260, 301], [301], [260, 1]],
  [[1, 90_001], [2, 1], []],
  [
    [3, 1, 57, 1, 11],
    [19, 1, 5, 1],
    [57, 5, 11],
  ],
];

for (const row of Object.values(bl.vocabulary.ops)) {
  const count = row.name === 'Broadcast' ? 1 : (row.mostOperands ?? 3);
  test(row.name, () => {
    for (const dtype of row.types[row.follows.indexOf(true)]) {
      for (const shapes of SHAPES) {
        const attrs =
          row.name === 'BitShift'
            ? { direction: 'left' }
            : row.name === 'Mod'
              ? { fmod: /f/.test(dtype) ? 1 : 0 }
              : row.name === 'Cast'
                ? { to: 'i16' }
                : undefined;
        const used = shapes.slice(0, count);
        const types = used.map((_, k) => (row.follows[Math.min(k, row.follows.length - 1)] ? dtype : row.types[k][0]));
        const inputs = used.map((shape, k) => make(types[k], shape));
        let rule = row.name === 'PRelu' ? 'onnx_unidirectional' : 'numpy';
        let options = attrs === undefined ? {} : { attrs };
        if (row.name === 'PRelu' && bl.broadcastShapes(...used).join() !== used[0].join()) continue;
        if (row.name === 'Broadcast') {
          rule = 'bidirectional';
          options = { targetShape: shapes[1] };
        }
        const label = `${row.name} ${types} ${JSON.stringify(used)}`;
        const typed = bl.apply(row.name, inputs, { ...options, rule });
        const tensors = inputs.map((array) => bl.tensor(array));
        const resident = bl.apply(row.name, tensors, { ...options, rule });
        assert.deepEqual(resident.shape, typed.shape, label);
        assert.ok(bytes(resident.read()).equals(bytes(typed.data)), `${label}: resident`);
        const plan = bl.plan(row.name, rule, used, types, options);
        assert.deepEqual([plan.shape, plan.dtype], [typed.shape, typed.dtype], label);
        const planned = plan.run(inputs.map(({ data }) => data));
        assert.ok(bytes(planned.data).equals(bytes(typed.data)), `${label}: planned`);
        const whole = plan.shape.map((end) => ({ begin: 0, end }));
        assert.ok(bytes(plan.runRegion(whole, inputs).data).equals(bytes(typed.data)), `${label}: box`);
        const boxed = plan.runRegion(whole, tensors);
        assert.ok(bytes(boxed.read()).equals(bytes(typed.data)), `${label}: resident box`);
        const part = plan.shape.map((extent) => {
          const begin = random(extent);
          return { begin, end: begin + 1 + random(extent - begin) };
        });
        const small = plan.runRegion(part, tensors);
        assert.ok(
          bytes(small.read()).equals(bytes(plan.runRegion(part, inputs).data)),
          `${label}: ${JSON.stringify(part)}`,
        );
        [...tensors, resident, boxed, small, plan].forEach((item) => item.dispose());
      }
    }
  });
}
