// The corpus of real mistakes: for every record with known shapes, the core must give the corpus's error class and
// failing axes, and the repairs are compared with those that helped.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { nativeBackend } from '../../scripts/conformance.mjs';

const records = readFileSync(new URL('given.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

/** Records with numeric operands. */
const concrete = records.filter(
  ({ operands, target_shape: target = [] }) => operands && [...operands.flat(), ...target].every(Number.isInteger),
);

/** Records in which some extents are letters; each letter stands for a different size. */
const symbolic = records.filter(
  (record) =>
    record.operands && !concrete.includes(record) && sizes(record).every((size) => /^[A-Za-z]\w*$/.test(size)),
);

function sizes({ operands, target_shape: target = [] }) {
  return [...operands.flat(), ...target].filter((size) => typeof size !== 'number');
}

/** The record with a number for each letter. */
function withNumbers(record) {
  const letters = [...new Set(sizes(record))];
  const size = (extent) => (typeof extent === 'number' ? extent : 1009 + letters.indexOf(extent));
  const shape = (extents) => extents?.map(size);
  return {
    ...record,
    operands: record.operands.map(shape),
    target_shape: shape(record.target_shape),
    result: shape(record.result),
  };
}

let session;
before(async () => {
  session = await nativeBackend();
});
after(() => session?.close());

const list = (values) => (values === undefined ? '-' : `[${values.join(',')}]`);

/** The core's answer: {error, axes (from the right), rank, repairs}. */
async function align({ rule, operands, axis, target_shape: target, axes_mapping: mapping }) {
  const question = ['align', rule, axis ?? '-', list(target), list(mapping), ...operands.map(list)].join(' ');
  const [head, error, axes, rank, ...words] = (await session.ask(question)).split(' ');
  assert.equal(head, 'alignment', question);
  const integers = (word) => JSON.parse(word);
  const repairs = [];
  for (let i = 0; i < words.length; i += 7) {
    const [kind, operand, shape, newRule, newAxis, newMapping, result] = words.slice(i, i + 7);
    repairs.push({
      kind,
      operand: Number(operand),
      shape: integers(shape),
      rule: newRule,
      axis: Number(newAxis),
      mapping: integers(newMapping),
      result: integers(result),
    });
  }
  return { error: error === '-' ? undefined : error, axes: integers(axes).map((a) => a - Number(rank)), rank, repairs };
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Whether one of the repairs is that of the corpus. */
function isOffered(wanted, record, repairs) {
  return repairs.some((repair) => {
    if (repair.kind !== wanted.op) return false;
    switch (wanted.op) {
      case 'insert_axis':
      case 'remove_axis':
      case 'transpose':
        return repair.operand === wanted.operand && same(repair.shape, wanted.after);
      case 'change_target':
        return same(repair.shape, wanted.target_shape);
      case 'change_rule':
        return (
          repair.rule === wanted.rule &&
          (wanted.axis === undefined || repair.axis === wanted.axis) &&
          (wanted.axes_mapping === undefined || same(repair.mapping, wanted.axes_mapping))
        );
      default:
        return false; // reshape and change_size are never offered: they do not only rearrange axes
    }
  });
}

test('the corpus exists', () => {
  assert.equal(records.length, 62);
  assert.equal(concrete.length, 56);
});

test('every verdict, error class and failing axis', async () => {
  const judged = [...concrete, ...symbolic.map(withNumbers)];
  for (const record of judged) {
    const { error, axes } = await align(record);
    assert.equal(error, record.verdict === 'ok' ? undefined : record.error_class, record.id);
    const failing = error === 'negative_dim' ? record.failing_axes.filter((axis) => axes.includes(axis)) : axes;
    if (error === 'incompatible' || error === 'negative_dim') {
      assert.deepEqual(failing.toSorted(), record.failing_axes.toSorted(), record.id);
    }
  }
});

test('every result', async () => {
  for (const record of [...concrete, ...symbolic.map(withNumbers)].filter(({ verdict }) => verdict === 'ok')) {
    const question = ['shape', record.rule, record.axis ?? '-', list(record.target_shape), list(record.axes_mapping)];
    const answer = await session.ask([...question, '-', ...record.operands.map(list)].join(' '));
    assert.equal(answer, `shape ${list(record.result)}`, record.id);
  }
});

test('repairs that helped are among those offered', async () => {
  const proposable = ['insert_axis', 'remove_axis', 'transpose', 'change_target', 'change_rule'];
  const missed = [];
  let shapeOnly = 0;
  let found = 0;
  let first = 0;
  let broken = 0;
  for (const record of concrete.filter(({ verdict }) => verdict === 'error')) {
    const wanted = (record.repairs ?? []).filter((repair) => proposable.includes(repair.op));
    if (wanted.length === 0) continue;
    broken++;
    const { repairs } = await align(record);
    const isShapeOnly = wanted.some((repair) => repair.shape_only);
    if (wanted.some((repair) => isOffered(repair, record, repairs))) {
      found++;
      if (wanted.some((repair) => isOffered(repair, record, repairs.slice(0, 1)))) first++;
    } else {
      missed.push(`${record.id}: ${JSON.stringify(wanted[0])}`);
      if (isShapeOnly) shapeOnly++;
    }
  }
  console.log(`repairs: ${found} of ${broken} records have one of the corpus's among ours, ${first} as the first`);
  for (const line of missed) console.log(`  not offered: ${line}`);
  assert.equal(shapeOnly, 0, 'a repair by shape alone that helped somebody is not offered');
});
