// Shapes and alignments: the rules' answers as numbers, data and sentences.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { fault } from './arrays.mjs';

const bl = await load({ explanations: true });

test('inferShape follows every rule', () => {
  assert.deepEqual(
    bl.inferShape('none', [
      [2, 3],
      [2, 3],
    ]),
    [2, 3],
  );
  assert.deepEqual(
    bl.inferShape('numpy', [
      [2, 1, 4],
      [3, 1],
    ]),
    [2, 3, 4],
  );
  assert.deepEqual(bl.inferShape('onnx_multidirectional', [[2, 3, 4, 5], []]), [2, 3, 4, 5]);
  assert.deepEqual(
    bl.inferShape('onnx_unidirectional', [
      [3, 4, 5],
      [1, 5],
    ]),
    [3, 4, 5],
  );
  assert.deepEqual(
    bl.inferShape(
      'pdpd',
      [
        [2, 3, 4, 5],
        [3, 4],
      ],
      { axis: 1 },
    ),
    [2, 3, 4, 5],
  );
  assert.deepEqual(
    bl.inferShape('pdpd', [
      [2, 3, 4, 5],
      [4, 5],
    ]),
    [2, 3, 4, 5],
  );
  assert.deepEqual(bl.inferShape('bidirectional', [[5, 1]], { targetShape: [4] }), [5, 4]);
  assert.deepEqual(bl.inferShape('broadcast_numpy', [[5, 1]], { targetShape: [2, 5, 4] }), [2, 5, 4]);
  assert.deepEqual(bl.inferShape('explicit', [[3]], { targetShape: [2, 3, 4], axesMapping: [1] }), [2, 3, 4]);
  assert.deepEqual(bl.inferShape('sonnx', [[2, 1], [1, 3], []]), [2, 3]);
});

test('shapes may be any list of integers', () => {
  for (const Type of [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array]) {
    assert.deepEqual(bl.inferShape('numpy', [new Type([2, 1]), [3]]), [2, 3]);
  }
  const options = { targetShape: new Int32Array([3, 2]), axesMapping: new BigInt64Array([0n]) };
  assert.deepEqual(bl.inferShape('explicit', [[3]], options), [3, 2]);
  assert.deepEqual(bl.inferShape('pdpd', [[2, 3], [2]], { axis: 0n }), [2, 3]);
  assert.deepEqual(bl.broadcastShapes([2, 1], [3], []), [2, 3]);
});

test('bigints are returned for bigints', () => {
  assert.deepEqual(bl.inferShape('numpy', [[2n, 1n], [3n]]), [2n, 3n]);
  assert.deepEqual(bl.inferShape('numpy', [new BigInt64Array([2n, 1n]), new BigUint64Array([3n])]), [2n, 3n]);
  assert.deepEqual(bl.inferShape('numpy', [[2n, 1], [3]]), [2n, 3n]);
  assert.deepEqual(bl.inferShape('broadcast_numpy', [[1]], { targetShape: [2n ** 60n] }), [2n ** 60n]);
  assert.deepEqual(bl.inferShape('numpy', [[2n ** 62n + 1n], [1n]]), [2n ** 62n + 1n]);
  assert.deepEqual(bl.inferShape('numpy', [[0n, 2n ** 63n - 1n], [1n]]), [0n, 2n ** 63n - 1n]);
  const { axes, operands } = bl.align('numpy', [[2n], [1n]]);
  assert.equal(axes[0].extent, 2n);
  assert.deepEqual(operands, [[2n], [1n]]);
  assert.equal(axes[0].cells[1].extent, 1n);
  assert.deepEqual(bl.align('numpy', [[2n], [1n]]).sourceOf(0, [1n]), [1n]);
});

test('an alignment describes every axis', () => {
  const alignment = bl.align('numpy', [
    [2, 1, 4],
    [3, 1],
  ]);
  assert.equal(alignment.rule, 'numpy');
  assert.deepEqual(alignment.shape, [2, 3, 4]);
  assert.equal(alignment.error, null);
  assert.equal(alignment.targetShape, null);
  assert.equal(alignment.growsBoth, true);
  assert.deepEqual(
    alignment.axes.map(({ cells }) => cells.map(({ relation, sourceAxis }) => [relation, sourceAxis])),
    [
      [
        ['match', 0],
        ['insert', null],
      ],
      [
        ['stretch', 1],
        ['match', 0],
      ],
      [
        ['match', 2],
        ['stretch', 1],
      ],
    ],
  );
  for (const axis of alignment.axes) {
    assert.match(axis.why, /\.$/);
    for (const cell of axis.cells) assert.ok(Object.hasOwn(bl.vocabulary.clauses, cell.clause));
  }
  assert.match(alignment.verdict, /A is repeated 3 times along axis 1/);
  assert.deepEqual(alignment.repairs(), []);
  // It is plain data, including the sentences.
  const copy = JSON.parse(JSON.stringify(alignment));
  assert.equal(copy.axes[1].why, alignment.axes[1].why);
  assert.equal(copy.verdict, alignment.verdict);
});

test('a statement about several operands is made once', () => {
  const eight = [[8, 1, 6, 1], [7, 1, 5], [6, 1], [5], [1], [], [8, 7, 6, 5], [1, 7, 1, 1]];
  for (const rule of ['numpy', 'onnx_multidirectional', 'sonnx']) {
    const { axes, verdict } = bl.align(rule, eight);
    assert.equal(
      verdict,
      'B, C, D, E, F and H are repeated 8 times along axis 0; A, C, D, E and F are repeated 7 times along axis 1; ' +
        'B, D, E, F and H are repeated 6 times along axis 2; A, C, E, F and H are repeated 5 times along axis 3.',
    );
    assert.deepEqual(
      axes.map(({ why }) => why),
      [
        "B, C, D, E and F have no such axis; it counts as 1 and stretches to 8. H's 1 stretches to 8.",
        "A's 1 stretches to 7. C, D, E and F have no such axis; it counts as 1 and stretches to 7.",
        'The 1s of B and H stretch to 6. D, E and F have no such axis; it counts as 1 and stretches to 6.',
        'The 1s of A, C, E and H stretch to 5. F has no such axis; it counts as 1 and stretches to 5.',
      ],
    );
  }
  const clash = bl.align('numpy', [[4], [4], [3], [5], [3], [1], [2], [4]]);
  assert.equal(clash.axes[0].why, 'Mismatch: A is 4; C and E are 3; D is 5; G is 2.');
});

test('cells map to their sources, and sources to their cells', () => {
  const alignment = bl.align('numpy', [
    [2, 1, 4],
    [3, 1],
  ]);
  assert.deepEqual(alignment.sourceOf(0, [1, 2, 3]), [1, 0, 3]);
  assert.deepEqual(alignment.sourceOf(1, [1, 2, 3]), [2, 0]);
  assert.deepEqual(alignment.fanOut(1, [2, 0]), [
    { begin: 0, end: 2 },
    { begin: 2, end: 3 },
    { begin: 0, end: 4 },
  ]);
  fault(() => alignment.sourceOf(0, [2, 0, 0]), { code: 'extent' });
  fault(() => alignment.sourceOf(0, [0, 0]), { code: 'extent' });
  fault(() => alignment.sourceOf(0, [0, 0, -1]), { code: 'extent' });
  fault(() => alignment.sourceOf(0, [0, 0, 0.5]), { code: 'extent', detail: 'fractional' });
  for (const operand of [2, -1, 0.5, NaN, '0', undefined]) {
    fault(() => alignment.sourceOf(operand, [0, 0, 0]), { code: 'arity' });
    fault(() => alignment.fanOut(operand, [0, 0]), { code: 'arity' });
  }
  fault(() => bl.align('numpy', [[2], [3]]).sourceOf(0, [0]), { code: 'incompatible' });
});

test('strides are the distances between the sources of neighbours', () => {
  const stridesOf = ({ axes }, operand) => axes.map(({ cells }) => cells[operand].stride);
  const pictured = bl.align('numpy', [
    [2, 1, 4],
    [3, 1],
  ]);
  assert.deepEqual(stridesOf(pictured, 0), [4, 0, 1]);
  assert.deepEqual(stridesOf(pictured, 1), [0, 1, 0]);

  let compared = 0;
  for (const [rule, shapes, options] of [
    [
      'none',
      [
        [2, 3, 4],
        [2, 3, 4],
      ],
    ],
    ['numpy', [[5, 1, 7, 1, 2], [4, 1, 3, 1], [2]]],
    [
      'onnx_unidirectional',
      [
        [2, 3, 4],
        [3, 1],
      ],
    ],
    [
      'pdpd',
      [
        [2, 3, 4, 5],
        [3, 4, 1],
      ],
      { axis: 1 },
    ],
    ['bidirectional', [[3, 1, 5]], { targetShape: [2, 1, 4, 1] }],
    ['broadcast_numpy', [[3, 1, 5]], { targetShape: [2, 3, 4, 5] }],
    ['explicit', [[2, 4, 1]], { targetShape: [2, 3, 4, 5], axesMapping: [0, 2, 3] }],
    ['sonnx', [[2, 1, 3], [], [4, 1]]],
  ]) {
    const aligned = bl.align(rule, shapes, options);
    for (let n = 0; n < 40; ++n) {
      const index = aligned.shape.map((extent, axis) => ((n + 1) * (7 * axis + 11)) % extent);
      shapes.forEach((shape, operand) => {
        const place = aligned.sourceOf(operand, index).reduce((at, i, axis) => at * shape[axis] + i, 0);
        const steps = stridesOf(aligned, operand).map((stride, axis) => stride * index[axis]);
        assert.equal(
          steps.reduce((a, b) => a + b, 0),
          place,
          `${rule}: operand ${operand} at ${index}`,
        );
        compared += place > 0;
      });
    }
  }
  assert.ok(compared > 300, `${compared}`);
});

test('strides are null if there are none', () => {
  const stridesOf = (...question) => bl.align(...question).axes.map(({ cells }) => cells.map(({ stride }) => stride));
  assert.deepEqual(
    stridesOf('numpy', [
      [2, 3, 4],
      [5, 1, 4],
    ]),
    [
      [null, null],
      [4, 0],
      [1, 1],
    ],
  );
  const { axes } = bl.align('broadcast_numpy', [[3, 1]], { targetShape: [2, 3, 4] });
  assert.deepEqual(
    axes.map(({ target }) => target.stride),
    [null, null, null],
  );
  // Axes without a place, although they would match where they are drawn.
  assert.deepEqual(
    stridesOf(
      'pdpd',
      [
        [2, 3],
        [2, 3],
      ],
      { axis: 1 },
    ),
    [
      [null, null],
      [null, null],
    ],
  );
  // Empty, exact, and too large.
  assert.deepEqual(stridesOf('numpy', [[2, 0, 3]]), [[0], [3], [1]]);
  assert.deepEqual(stridesOf('numpy', [[2n, 2n ** 53n + 1n]]), [[2n ** 53n + 1n], [1n]]);
  assert.deepEqual(stridesOf('numpy', [[2, 2 ** 40, 2 ** 22]]), [[2n ** 62n], [2 ** 22], [1]]);
  assert.deepEqual(stridesOf('numpy', [[2, 4, 2n ** 62n, 1], [0]]), [
    [null, 0n],
    [2n ** 62n, 0n],
    [1n, 0n],
    [0n, 1n],
  ]);
});

test('all conflicts are returned as data', () => {
  const { shape, error, conflicts, axes } = bl.align('numpy', [
    [2, 3, 4],
    [5, 3, 6],
  ]);
  assert.equal(shape, null);
  assert.equal(error.code, 'incompatible');
  assert.equal(error.rule, 'numpy');
  assert.deepEqual([error.operand, error.otherOperand, error.axis, error.extent, error.otherExtent], [1, 0, 0, 5, 2]);
  assert.match(error.message, /Axis 0: B has 5/);
  assert.deepEqual(
    conflicts.map(({ axis, operand, extent, otherExtent }) => [axis, operand, extent, otherExtent]),
    [
      [0, 1, 5, 2],
      [2, 1, 6, 4],
    ],
  );
  assert.deepEqual(
    axes.map(({ conflict }) => conflict),
    [true, false, true],
  );
});

test('the target is part of the alignment', () => {
  const { axes, targetShape, error } = bl.align('broadcast_numpy', [[3, 1]], { targetShape: [2, 4, 5] });
  assert.deepEqual(targetShape, [2, 4, 5]);
  assert.equal(axes[1].target.extent, 4);
  assert.equal(error.code, 'incompatible');
  assert.ok(error.operand === -2 || error.otherOperand === -2);
  assert.equal(bl.align('pdpd', [[2, 3, 4], [3]], { axis: 1 }).startAxis, 1);
  assert.equal(bl.align('pdpd', [[2, 3, 4], [4]]).startAxis, 2);
});

test('repairs make shapes fit', () => {
  const repairs = bl.align('numpy', [[8, 64, 56, 56], [64]]).repairs();
  assert.ok(repairs.length > 0);
  for (const { kind, operand, shape, rule, axis, axesMapping, result } of repairs) {
    assert.ok(bl.vocabulary.repairs.includes(kind));
    const shapes = [[8, 64, 56, 56], [64]];
    if (operand !== null && operand >= 0) shapes[operand] = shape;
    const options = { axis: axis ?? undefined, axesMapping: axesMapping ?? undefined };
    assert.deepEqual(bl.inferShape(rule, shapes, options), result);
  }
  assert.ok(repairs.some(({ shape }) => shape?.join() === '64,1,1'));
});

test('-0 is 0', () => {
  for (const shape of [[-0], [2, -0]]) {
    const { operands, axes } = bl.align('numpy', [shape]);
    for (const extents of [bl.inferShape('numpy', [shape]), operands[0], axes.map(({ extent }) => extent)]) {
      assert.ok(Object.is(extents.at(-1), 0));
    }
  }
  assert.ok(Object.is(bl.align('bidirectional', [[1]], { targetShape: [-0] }).targetShape[0], 0));
});

test('counts are exact', () => {
  assert.equal(bl.countElements([]), 1);
  assert.equal(bl.countElements([2, 3, 4]), 24);
  assert.equal(bl.countElements([2 ** 40, 0]), 0);
  assert.equal(bl.countElements([2n ** 60n]), 2n ** 60n);
  assert.equal(bl.countElements([2 ** 30, 2 ** 30]), 2n ** 60n);
  assert.equal(bl.countBytes([3, 3], 'i4'), 5);
  assert.equal(bl.countBytes([9], 'u1'), 2);
  assert.equal(bl.countBytes([2], 'c128'), 32);
  fault(() => bl.countElements([2 ** 40, 2 ** 40]), { code: 'overflow' });
  fault(() => bl.countBytes([2n ** 62n], 'f32'), { code: 'overflow' });
  fault(() => bl.countElements([-1]), { code: 'extent', detail: 'negative' });
  fault(() => bl.countBytes([1], 'float'), { code: 'unknown', detail: 'dtype' });
});

test('texts are parsed, and their tokens marked', () => {
  for (const text of ['2,3', '(2, 3)', '[2,3]', '2x3', '2×3', ' 2 3 ', 'torch.Size([2, 3])']) {
    const { values, spans } = bl.parseShape(text);
    assert.deepEqual(values, [2, 3], text);
    assert.deepEqual(
      spans.map(({ begin, end }) => text.slice(begin, end)),
      ['2', '3'],
      text,
    );
  }
  assert.deepEqual(bl.parseShape('()').values, []);
  assert.deepEqual(bl.parseIntegers('-1, 2').values, [-1, 2]);
  assert.deepEqual(bl.parseShape('9007199254740993', { bigint: true }).values, [9007199254740993n]);
  fault(() => bl.parseShape('2, 9007199254740993', { operand: 1 }), {
    code: 'extent',
    detail: 'unsafe',
    operand: 1,
    span: { begin: 3, end: 19 },
  });
  assert.deepEqual(fault(() => bl.parseShape('2, x'), { code: 'parse' }).span, { begin: 3, end: 4 });
  assert.deepEqual(fault(() => bl.parseShape('2, -3'), { code: 'extent', detail: 'negative' }).span, {
    begin: 3,
    end: 5,
  });
  // Offsets count UTF-16 code units, as strings do, whatever the bytes are.
  for (const text of ['2×é', '2×😀', '2×\u{10ffff}x', '\ufeff2,é']) {
    const { span } = fault(() => bl.parseShape(text), { code: 'parse' });
    assert.ok(span.begin >= 0 && span.end <= text.length, text);
  }
  assert.equal(bl.parseShape('2×3×4').spans[2].begin, 4);
  fault(() => bl.parseShape(''), { code: 'parse' });
  fault(() => bl.parseShape('(2'), { code: 'parse' });
  fault(() => bl.parseShape('2.5'), { code: 'extent', detail: 'fractional' });
  fault(() => bl.parseShape('\ud800'), { code: 'parse' });
  for (const text of [undefined, null, 5, [2], {}]) fault(() => bl.parseShape(text), { code: 'parse' });
  assert.equal(bl.parseShape(Array(3000).fill('1').join()).values.length, 3000);
});

test('a name has letters of any language, and no signs or pictures', () => {
  for (const name of ['é', 'taille_élément', '你', '𝑁']) {
    const [{ extents }] = bl.readShapes(`(${name}, 3)`);
    assert.deepEqual(extents, [{ name, least: 0, most: null }, 3]);
  }
  for (const text of ['🧵', '(2, ⇒)', '(2, N☀)']) fault(() => bl.readShapes(text), { code: 'parse' });
});

test('formatOperand and formatShape', () => {
  assert.equal(bl.formatShape([2, 3]), '(2, 3)');
  assert.equal(bl.formatShape([]), '()');
  assert.equal(bl.formatShape([2n ** 62n]), '(4611686018427387904,)');
  assert.equal(bl.formatOperand(0), 'A');
  assert.equal(bl.formatOperand(-2), 'the target');
  assert.equal(bl.formatOperand(2 ** 31 - 1), '#2147483647');
  for (const operand of [2 ** 31, 2 ** 40, -(2 ** 40), 2n ** 40n]) {
    fault(() => bl.formatOperand(operand), { code: 'arity' });
    fault(() => bl.parseShape('2', { operand }), { code: 'arity' });
  }
  assert.equal(bl.formatShape(Array(1000).fill(7)), `(${Array(1000).fill(7).join(', ')})`);
});

test('ranks and numbers of operands are not limited', () => {
  const rank = 300;
  // Operand i has extent 2 along axis i.
  const shapes = Array.from({ length: 60 }, (_, i) =>
    Array(rank)
      .fill(1)
      .fill(2, i, i + 1),
  );
  const common = Array(rank).fill(1).fill(2, 0, 60);
  assert.deepEqual(bl.inferShape('numpy', shapes), common);
  const { shape, axes } = bl.align('numpy', shapes);
  assert.deepEqual(shape, common);
  assert.equal(axes[7].cells[7].relation, 'match');
  assert.equal(axes[7].cells[8].relation, 'stretch');
});
