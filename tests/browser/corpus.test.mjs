// Records of the conformance corpus, typed into the page and judged by what it shows: the result's shape or the class
// of the error, and for a cell of the result the element of each operand that lights up. Where that element is, is
// worked out here, by other means than the core's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, litSources, openPlayground, shapeText, sideBySide, type } from './playground.mjs';

const wanted = 200;

const product = (shape) => shape.reduce((a, b) => a * b, 1);

function drawable({ inputs, expect }) {
  if (inputs.length > 5 || inputs.some((shape) => shape.length > 8)) return false;
  return !expect.shape || (expect.shape.length <= 6 && product(expect.shape) <= 20_000);
}

// Spread evenly over all pairs of rule and outcome, in the corpus's order.
function choose(records) {
  const kinds = new Map();
  for (const record of records.filter(drawable)) {
    const kind = `${record.rule} ${record.expect.error ?? 'fits'}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), record]);
  }
  const chosen = [];
  for (let round = 0; chosen.length < wanted; ++round) {
    for (const list of kinds.values()) {
      // Strides through a kind, since neighbours resemble one another.
      const record = list[(round * 7) % list.length];
      if (record && round < list.length && !chosen.includes(record)) chosen.push(record);
    }
  }
  return { chosen: chosen.slice(0, wanted), kinds: [...kinds.keys()] };
}

// Where operand `k` is read for a cell of the result.
function sourceOf({ rule, inputs, axis = -1, axes_mapping: mapping }, k, cell) {
  const shape = inputs[k];
  let first = cell.length - shape.length;
  if (rule === 'pdpd' && k === 1 && axis !== -1) first = axis;
  return shape.map((extent, i) => (extent === 1 ? 0 : cell[rule === 'explicit' ? mapping[i] : first + i]));
}

// What the page counts by, read off its documentation: A 0 1 2, B 10 20 30, C 100 200, then thousands.
function counted(k, index, shape) {
  const flat = index.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
  if (k === 0) return flat;
  return (flat + 1) * [10, 100, 1000, 2000][k - 1];
}

const lines = readFileSync(inRoot('tests/conformance/shapes.jsonl'), 'utf8').trim().split('\n');
const { chosen, kinds } = choose(lines.map((line) => JSON.parse(line)));

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

test('the chosen records cover every rule and class of the corpus', () => {
  const covered = new Set(chosen.map(({ rule, expect }) => `${rule} ${expect.error ?? 'fits'}`));
  assert.deepEqual([...covered].sort(), [...kinds].sort());
  assert.equal(chosen.length, wanted);
});

async function check(page, record, number) {
  const { expect } = record;
  // Without a type the corpus counts a byte an element, which matters for overflow alone.
  const dtype = record.dtype ?? (expect.error === 'overflow' ? 'u8' : undefined);
  await type(page, { ...record, dtype });
  const shown = await answer(page);
  if (expect.error) {
    assert.equal(shown.fits, false);
    assert.equal(shown.errorClass, expect.error);
    assert.equal(shown.seenClass, expect.error);
    return;
  }
  assert.equal(shown.fits, true, shown.because);
  assert.equal(shown.shape, shapeText(expect.shape));
  if (product(expect.shape) === 0) {
    assert.equal(shown.state, 'empty');
    return;
  }
  // A cell that differs from record to record, within what is drawn at first.
  const rank = expect.shape.length;
  const cell = expect.shape.map(
    (extent, axis) => (number * 5 + axis * 3) % Math.min(extent, axis < rank - 2 ? extent : 16),
  );
  for (let axis = 0; axis < rank - 2; ++axis) {
    if (expect.shape[axis] > 1) await page.fill(`#slice-${axis}`, String(cell[axis]));
  }
  if (expect.shape.slice(-2).some((extent) => extent > 16)) {
    await page.mouse.move(0, 0); // the pointer may lie where the new result is drawn
    await page.fill('#go-to', `[${cell}]`);
    await page.press('#go-to', 'Enter');
    await page.waitForSelector(`#grid-result .in-hand[data-index="${cell.join(',')}"]`);
  } else {
    const [row, column] = rank === 0 ? [0, 0] : rank === 1 ? [0, cell[0]] : cell.slice(-2);
    await page.hover(`#grid-result [aria-rowindex="${row + 1}"] [aria-colindex="${column + 1}"]`);
    await page.waitForSelector(`#grid-result .hand[data-index="${cell.join(',')}"]`);
  }
  const sources = record.inputs.map((_, k) => sourceOf(record, k, cell));
  assert.deepEqual(await litSources(page), sources);
  const values = sources.map((index, k) => counted(k, index, record.inputs[k]));
  const isSonnx = record.rule === 'sonnx';
  const value = isSonnx ? values[0] : Math.max(...values);
  const { arithmetic } = await answer(page);
  assert.ok(
    arithmetic.startsWith(`out${isSonnx && values.length > 1 ? ' of A' : ''}[${cell.join(', ')}] =`),
    arithmetic,
  );
  assert.equal(arithmetic.split(' = ').at(-1), String(value));
}

test(`${wanted} corpus records, typed`, { concurrency: true }, (t) =>
  sideBySide(chosen, async (queue) => {
    const page = await playground.open();
    for (const [number, record] of queue) {
      await t.test(`${record.id} ${record.rule} ${record.expect.error ?? shapeText(record.expect.shape)}`, () =>
        check(page, record, number),
      );
    }
  }),
);

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
