// Boxes of results: each box equals that part of the whole result as the package computes it, and boxes of results too large
// for any memory are computed as fast.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { drawing, imported } from './modules.mjs';

let engine;
let compute;
let shaped;
let firstState;
before(async () => {
  const { loadEngine } = await imported('engine/engine.ts');
  engine = await loadEngine();
  ({ compute } = await imported('model/model.ts'));
  ({ shaped, firstState } = await imported('state/state.ts'));
});

const product = (shape) => shape.reduce((a, b) => a * b, 1);
const boxText = (box) => box.map(({ begin, end }) => `${begin}:${end}`).join(' ');

function stateOf({ rule, op, shapes, dtype = 'i32', ...more }) {
  return { ...firstState, rule, op, dtype, operands: shapes.map(shaped), at: [], ...more };
}

// Each index of a box, in row-major order.
function* indexes(box) {
  const index = box.map(({ begin }) => begin);
  for (let left = product(box.map(({ begin, end }) => end - begin)); left > 0; --left) {
    yield index;
    for (let axis = box.length - 1; axis >= 0; --axis) {
      if (++index[axis] < box[axis].end) break;
      index[axis] = box[axis].begin;
    }
  }
}

const flatOf = (index, shape) => index.reduce((flat, i, axis) => flat * shape[axis] + i, 0);

// A question of each rule, with shapes that fit, drawn by lot.
function drawn(rule, draw) {
  const common = Array.from({ length: 1 + draw(4) }, () => 1 + draw(4));
  const some = (shape) => shape.map((extent) => (draw(3) === 0 ? 1 : extent));
  const tail = (shape) => shape.slice(draw(shape.length + 1));
  const text = (shape) => `[${shape.join()}]`;
  switch (rule) {
    case 'none':
      return { op: 'Sub', shapes: [text(common), text(common)] };
    case 'onnx_unidirectional':
      return { op: 'PRelu', shapes: [text(common), text(some(tail(common)))] };
    case 'pdpd': {
      const first = draw(common.length);
      const length = draw(common.length - first + 1);
      const b = some(common.slice(first, first + length));
      return { op: 'Sub', shapes: [text(common), text([...b, ...Array(draw(2)).fill(1)])], axis: String(first) };
    }
    case 'bidirectional':
      return { op: 'Broadcast', shapes: [text(some(tail(common)))], target: text(some(tail(common))) };
    case 'broadcast_numpy':
      return { op: 'Broadcast', shapes: [text(some(tail(common)))], target: text(common) };
    case 'explicit': {
      const mapping = common.flatMap((_, axis) => (draw(2) === 0 ? [axis] : []));
      const data = some(mapping.map((axis) => common[axis]));
      return { op: 'Broadcast', shapes: [text(data)], target: text(common), mapping: text(mapping) };
    }
    case 'sonnx':
      return { op: 'Broadcast', shapes: [text(some(common)), text(some(tail(common))), text(tail(common))] };
    default:
      return { op: draw(2) ? 'Max' : 'Sub', shapes: [text(some(common)), text(some(tail(common)))] };
  }
}

test('every box of a result equals that part of the whole, under every rule', () => {
  const draw = drawing(7);
  let windows = 0;
  for (const { name: rule } of engine.vocabulary.rules) {
    for (let round = 0; round < 60; ++round) {
      const question = { rule, ...drawn(rule, draw) };
      const { result, alignment, failure } = compute(engine, stateOf(question));
      if (failure) {
        // PDPD trims what was drawn too long: the one draw that may not fit.
        assert.ok(rule === 'pdpd', `${JSON.stringify(question)}: ${failure.message}`);
        continue;
      }
      const whole = result.cells(result.shape.map((extent) => ({ begin: 0, end: extent })));
      for (let i = 0; i < 4; ++i) {
        const box = result.shape.map((extent) => {
          const begin = draw(extent);
          return { begin, end: begin + 1 + draw(extent - begin) };
        });
        const part = result.cells(box);
        const where = `${JSON.stringify(question)} ${boxText(box)}`;
        ++windows;
        let at = 0;
        for (const index of indexes(box)) {
          for (const [k, { read, valueAt }] of part.outputs.entries()) {
            assert.equal(read(at), whole.outputs[k].read(flatOf(index, result.shape)), where);
            assert.equal(valueAt(index), read(at), where);
          }
          for (const [k, operand] of part.operands.entries()) {
            const source = alignment.sourceOf(k, index);
            assert.equal(operand.valueAt(source), whole.operands[k].valueAt(source), where);
          }
          ++at;
        }
      }
    }
  }
  assert.ok(windows > 1500, String(windows));
});

test('a whole result is what the package computes from whole operands', () => {
  const draw = drawing(11);
  for (const { name: rule } of engine.vocabulary.rules) {
    for (let round = 0; round < 20; ++round) {
      const state = stateOf({ rule, ...drawn(rule, draw) });
      const { result, operands, target, axis, mapping } = compute(engine, state);
      if (!result) continue;
      const whole = result.cells(result.shape.map((extent) => ({ begin: 0, end: extent })));
      const counts = operands.map(({ values }, k) => {
        const [first, step] = k === 0 ? [0, 1] : [10 ** k, 10 ** k];
        return {
          data: Int32Array.from({ length: product(values) }, (_, i) => first + i * step),
          shape: values,
          dtype: 'i32',
        };
      });
      const options = {
        ...(axis.values ? { axis: axis.values[0] } : {}),
        ...(target.values ? { targetShape: target.values } : {}),
        ...(mapping.values ? { axesMapping: mapping.values } : {}),
      };
      const applied = engine.apply(state.op, counts, rule, options, { fmod: '', direction: '' }, '');
      assert.ok(applied.ok);
      for (const [k, { data }] of applied.value.entries())
        assert.deepEqual([...whole.outputs[k].tensor.data], [...data], JSON.stringify(state));
    }
  }
});

test('a result of 10^15 cells is computed at once where it is read, also at its end', () => {
  const shapes = ['(30000000, 1)', '(30000000,)'];
  const { result, elements } = compute(engine, stateOf({ rule: 'numpy', op: 'Sub', dtype: 'i64', shapes }));
  assert.equal(elements, 900_000_000_000_000n);
  const last = result.cells([
    { begin: 29_999_998, end: 30_000_000 },
    { begin: 29_999_999, end: 30_000_000 },
  ]);
  // A counts 0, 1, 2; B 10, 20, 30.
  assert.equal(last.outputs[0].read(1), 29_999_999n - 300_000_000n);
  assert.deepEqual(last.operands[0].box, [
    { begin: 29_999_998, end: 30_000_000 },
    { begin: 0, end: 1 },
  ]);
});

test('element numbers keep their digits up to 2^53, and wrap as the type does', () => {
  const at = Number.MAX_SAFE_INTEGER - 1;
  for (const [dtype, wanted] of [
    ['i64', BigInt(at)],
    ['u8', Number(BigInt.asUintN(8, BigInt(at)))],
    ['i32', Number(BigInt.asIntN(32, BigInt(at)))],
    ['f64', at],
  ]) {
    const shapes = [String(Number.MAX_SAFE_INTEGER)];
    const { result } = compute(engine, stateOf({ rule: 'numpy', op: 'Max', dtype, shapes }));
    assert.equal(result.cells([{ begin: at, end: at + 1 }]).outputs[0].read(0), wanted, dtype);
  }
});

test('an empty result has no cells, and wrong types are still reported', () => {
  const empty = compute(engine, stateOf({ rule: 'numpy', op: 'Add', shapes: ['(0, 100000000)', '(100000000,)'] }));
  assert.equal(empty.failure, null);
  assert.equal(empty.empty, true);
  const wrong = compute(engine, stateOf({ rule: 'numpy', op: 'And', shapes: ['(0, 3)', '(3,)'] }));
  assert.equal(wrong.failure.class, 'dtype');
});
