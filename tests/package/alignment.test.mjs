// Alignments as data: how often the core is called, and that the elements which an alignment names are those that results
// are computed from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Core } from '../../build/package-sources/core/core.js';
import { startInside } from './inside.mjs';

const { bl } = startInside();

/** The names of the core's methods that `use` calls. */
function callsWithin(use) {
  const calls = [];
  const own = Object.entries(Object.getOwnPropertyDescriptors(Core.prototype)).filter(
    ([name, { value }]) => name !== 'constructor' && typeof value === 'function',
  );
  for (const [name, { value }] of own) {
    Core.prototype[name] = function (...given) {
      calls.push(name);
      return value.apply(this, given);
    };
  }
  try {
    use();
  } finally {
    for (const [name, { value }] of own) Core.prototype[name] = value;
  }
  return calls;
}

test('the core is called once for an alignment, once for its verdict, once for all reasons, and not for elements', () => {
  const calls = callsWithin(() => {
    const alignment = bl.align('numpy', [
      [16, 1, 16],
      [4, 1],
    ]);
    for (let i = 0; i < 256; ++i) {
      const cell = [i % 16, i % 4, i >> 4];
      alignment.fanOut(1, alignment.sourceOf(1, cell));
    }
    assert.match(alignment.verdict, /repeated/);
    for (const axis of alignment.axes) assert.match(axis.why, /\.$/);
  });
  // `knows` looks up the rule's name, and calls nothing.
  assert.deepEqual(calls, ['knows', 'align', 'explainVerdict', 'explainAxes']);
});

const questions = [
  ['numpy', [[2, 1, 4], [3, 1]]],
  ['numpy', [[2, 3], []]],
  ['numpy', [[1], [1, 1]]],
  ['numpy', [[2, 0], [2, 1]]],
  ['none', [[2, 3], [2, 3]]],
  ['onnx_unidirectional', [[2, 3, 2], [3, 1]]],
  ['pdpd', [[2, 3, 4], [3, 1]], { axis: 1 }],
  ['pdpd', [[2, 3, 4], [2, 1, 1]], { axis: 0 }],
  ['pdpd', [[2, 3], [2, 3]]],
]; // prettier-ignore

const indexesOf = (shape) =>
  shape.reduce((all, extent) => all.flatMap((index) => Array.from({ length: extent }, (_, i) => [...index, i])), [[]]);
const flat = (index, shape) => index.reduce((at, i, axis) => at * shape[axis] + i, 0);

for (const [rule, shapes, options = {}] of questions) {
  for (const wide of [false, true]) {
    const title = `${rule} ${JSON.stringify(shapes)}${wide ? ', as bigints' : ''}`;
    test(`elements of results come from where the alignment says: ${title}`, () => {
      const alignment = bl.align(rule, wide ? shapes.map((shape) => shape.map(BigInt)) : shapes, options);
      shapes.forEach((shape, operand) => {
        // Each element is its own number; the other operand is 0.
        const arrays = shapes.map((own, i) => {
          const size = own.reduce((product, extent) => product * extent, 1);
          return { data: Float64Array.from({ length: size }, (_, k) => (i === operand ? k : 0)), shape: own };
        });
        const result = bl.apply('Add', arrays, { rule, ...options });
        const readers = new Map();
        for (const cell of indexesOf(result.shape)) {
          const source = alignment.sourceOf(operand, wide ? cell.map(BigInt) : cell);
          assert.ok(source.every((i) => typeof i === (wide ? 'bigint' : 'number')));
          const element = flat(source.map(Number), shape);
          assert.equal(result.data[flat(cell, result.shape)], element, `cell ${cell}`);
          readers.set(element, [...(readers.get(element) ?? []), String(cell)]);
        }
        for (const index of indexesOf(shape)) {
          const box = alignment.fanOut(operand, index);
          const cells = box.reduce(
            (all, { begin, end }) =>
              all.flatMap((cell) =>
                Array.from({ length: Number(end - begin) }, (_, i) => [...cell, Number(begin) + i]),
              ),
            [[]],
          );
          assert.deepEqual(cells.map(String), readers.get(flat(index, shape)) ?? [], `element ${index}`);
        }
      });
    });
  }
}

test('errors name the index as numbers, whatever the extents are', () => {
  const wide = bl.align('numpy', [[2n, 3n]]);
  assert.throws(() => wide.sourceOf(0, [1n, 3n]), {
    code: 'extent',
    operand: -3,
    operandAxis: 1,
    extent: 3,
    otherExtent: 3,
  });
  assert.throws(() => wide.fanOut(0, [1n]), { code: 'extent', operand: 0, extent: 1, otherExtent: 2 });
});
