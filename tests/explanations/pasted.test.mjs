// Error texts that systems printed, replayed: those of people in given.jsonl and the lists that were held out, and those of
// recorded.jsonl, which `npm run test:systems` records. System, rule, shapes and their roles must be right.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { nativeBackend } from '../../scripts/conformance.mjs';
import { faultOf, readAnswer } from './pasted.mjs';

const records = (name) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((record) => record.pasted_text !== null);

let session;
before(async () => {
  session = await nativeBackend();
});
after(() => session?.close());

const ask = async (text) => readAnswer(await session.ask(`paste ${Buffer.from(text).toString('base64')}`));

for (const name of ['given.jsonl', 'recorded.jsonl']) {
  test(`texts of ${name}: system, rule and shapes`, async () => {
    const faults = [];
    let withShapes = 0;
    let right = 0;
    for (const record of records(name)) {
      const fault = faultOf(record, await ask(record.pasted_text));
      if (record.text_shapes !== null) {
        ++withShapes;
        if (fault === null) ++right;
      }
      if (fault !== null) faults.push(`${record.id}: ${fault}`);
    }
    console.log(`${name}: ${right} of ${withShapes} texts with shapes are read right`);
    assert.deepEqual(faults, []);
    assert.ok(withShapes >= 37, `${withShapes} texts with shapes`);
  });
}

/** Texts that are not read right, and why. */
const UNREAD = { p053: 'read from a picture: a dot stands for a comma' };

const HELD_OUT = ['pasted-held-out.jsonl', 'pasted-held-out-2.jsonl'];

test('texts that were held out: also operators, expressions, and what works in place', async () => {
  const faults = [];
  const all = HELD_OUT.flatMap(records);
  for (const record of all) {
    const { id, system, rule, op, expressions, in_place: inPlace = false } = record;
    const answer = await ask(record.pasted_text);
    if (answer === null) {
      if (!(id in UNREAD)) faults.push(`${id}: nothing was read`);
      continue;
    }
    const found = { ...answer, expressions: answer.shapes.map(({ expression }) => expression) };
    const fault =
      faultOf(record, answer) ??
      (system !== answer.system && !answer.also.split(' ').includes(system)
        ? `the system is ${answer.system}`
        : null) ??
      (rule === answer.rule ? null : `the rule is ${answer.rule}`) ??
      (op === undefined || op === answer.op ? null : `the operator is ${answer.op}, not ${op}`) ??
      (inPlace === answer.in_place ? null : `in place: ${answer.in_place}`);
    if (fault !== null) faults.push(`${id}: ${fault}`);
    if (expressions !== undefined) assert.deepEqual(found.expressions, expressions, id);
  }
  assert.deepEqual(faults, []);
  assert.ok(all.length >= 221 && new Set(all.map(({ system }) => system)).size >= 20);
});

test('the question of a text: what there is to judge, also where extents are unknown', async () => {
  for (const record of ['given.jsonl', ...HELD_OUT].flatMap(records)) {
    const answer = await ask(record.pasted_text);
    const count = answer?.shapes.filter(({ shape }) => shape !== null).length ?? 0;
    const isOurs = ['numpy', 'none', 'broadcast_numpy', 'pdpd', 'onnx_multidirectional', 'bidirectional'];
    const isAsked = count >= 2 && isOurs.includes(record.rule) && !(record.id in UNREAD);
    assert.equal(answer?.is_asked ?? false, isAsked, record.id);
  }
});

test('the recorded texts are of at least 20 systems', () => {
  const systems = new Set(records('recorded.jsonl').map(({ run }) => run));
  assert.ok(systems.size >= 20, `${systems.size} systems`);
});

test('expressions of operands in the source line', async () => {
  for (const record of records('recorded.jsonl').filter(({ expressions }) => expressions)) {
    const { shapes } = await ask(record.pasted_text);
    assert.deepEqual(
      shapes.map(({ expression }) => expression),
      record.expressions,
      record.id,
    );
  }
});

test('each shape is marked where it stands', async () => {
  for (const record of records('recorded.jsonl').filter(({ text_shapes: shapes }) => shapes)) {
    for (const { shape, text } of (await ask(record.pasted_text)).shapes) {
      const numbers = shape.filter((extent) => typeof extent === 'number');
      assert.deepEqual((text.replace(/\b[a-z]+\d+\b/g, '').match(/\d+/g) ?? []).map(Number), numbers, record.id);
    }
  }
});
