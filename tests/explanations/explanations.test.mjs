// The corpus of real mistakes: for every record with known shapes, the core must give the corpus's error class and
// failing axes, and the repairs are compared with those that helped.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { nativeBackend } from '../../scripts/conformance.mjs';

const readRecords = (file) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const records = readRecords('given.jsonl');

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
    repairs: record.repairs?.map((repair) => ({ ...repair, after: shape(repair.after) })),
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

const withoutLeadingOnes = (shape) =>
  shape.slice(shape.findLastIndex((_, i) => shape.slice(0, i).every((e) => e === 1)));

/** Whether one of the repairs is that of the corpus. */
function isOffered(wanted, record, repairs) {
  return repairs.some((repair) => {
    if (repair.kind !== wanted.op) return false;
    switch (wanted.op) {
      case 'insert_axis':
        // Rules add leading axes themselves.
        return (
          repair.operand === wanted.operand && same(withoutLeadingOnes(repair.shape), withoutLeadingOnes(wanted.after))
        );
      case 'remove_axis':
      case 'transpose':
      case 'reshape':
      case 'change_size':
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
        return true; // swap_operands
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

/** How many of the first repairs count: more are seldom read. */
const mostRead = 3;
/** Rearrangements, which are wrong where sizes really differ. */
const rearranges = ['insert_axis', 'remove_axis', 'transpose', 'reshape'];
/** Causes that say that sizes differ. */
const aboutSizes = ['sizes_differ', 'off_by_one', 'batch_remainder', 'baked_constant', 'empty_operand'];

/** Whether really the sizes of a failure differ, so that no rearrangement, rule or target helps. */
const isAboutSizes = ({ fixable_by_shape: byShape, repairs = [], cause_class: cause }) =>
  byShape === false && repairs.every(({ op }) => op === 'change_size') && !changesRule.includes(cause);
/** Causes without a repair in the corpus, in which the rule or the target is what has to change. */
const changesRule = ['operator_without_broadcast', 'one_way_rule', 'target_too_small'];

/** What the library says of the failures of a corpus. */
async function judge(failures) {
  const counts = { repaired: 0, found: 0, first: 0, sizes: 0, recognised: 0 };
  const missed = [];
  for (const record of failures) {
    const { repairs } = await align(record);
    const { rule, operands, axis, target_shape: target, axes_mapping: mapping } = record;
    const question = ['diagnose', rule, axis ?? '-', list(target), list(mapping), ...operands.map(list)].join(' ');
    const answer = await session.ask(question);
    const [, cause] = answer.split(' ');
    if (record.repairs?.length > 0) {
      counts.repaired++;
      const isHere = (some) => record.repairs.some((repair) => isOffered(repair, record, some));
      if (isHere(repairs.slice(0, mostRead))) counts.found++;
      else missed.push(`${record.id} wants ${JSON.stringify(record.repairs[0])}; ${answer}`);
      if (isHere(repairs.slice(0, 1))) counts.first++;
    }
    if (isAboutSizes(record)) {
      counts.sizes++;
      if (aboutSizes.includes(cause) && !repairs.some(({ kind }) => rearranges.includes(kind))) counts.recognised++;
      else missed.push(`${record.id}: sizes differ; ${answer}`);
    }
  }
  return { counts, missed };
}

/** Prints the counts, and requires the share that was reached. */
async function report(name, failures, least) {
  const { counts, missed } = await judge(failures);
  const { repaired, found, first, sizes, recognised } = counts;
  console.log(`${name}: ${found} of ${repaired} repairs among the first ${mostRead}, ${first} as the first;`);
  console.log(`  ${recognised} of ${sizes} recognised in which sizes really differ`);
  if (process.env.BROADLOOM_MISSED) for (const line of missed) console.log(`  ${line}`);
  assert.ok(found >= least.found, `${found} of ${repaired}`);
  assert.ok(recognised >= least.recognised, `${recognised} of ${sizes}`);
}

test('the given failures: repairs and causes', async () => {
  const failures = [...concrete, ...symbolic.map(withNumbers)].filter(({ verdict }) => verdict === 'error');
  await report('given', failures, { found: 27, recognised: 22 });
});

test('failures that were not looked at while repairs were written', async () => {
  const failures = readRecords('held-out.jsonl');
  assert.ok(failures.length >= 40);
  await report('held-out', failures, { found: 49, recognised: 35 });
});
