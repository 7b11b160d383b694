// The package and the native library give the same texts, byte for byte, and the same reasons where there is none.
// Numbers and names are what a compiler's library could make different.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { cases } from './cases.mjs';
import { codeAnswers, lineOf } from './questions.mjs';
import { writers } from './systems.mjs';

const program = inRoot('build/native/tests/broadloom_question_code');

function compare(questions) {
  const { status, stdout, stderr } = spawnSync(program, {
    input: questions.map((question) => `${lineOf(question)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines.length, questions.length);
  for (const { id, write } of writers) {
    const faults = questions.flatMap((question, i) => {
      const wanted = write(question);
      const got = JSON.parse(lines[i])[id];
      return wanted.text === got.text && wanted.reason === got.reason
        ? []
        : [`${question.id}\n--- package\n${wanted.text ?? wanted.reason}\n--- native\n${got.text ?? got.reason}`];
    });
    assert.equal(faults.length, 0, `${id}: ${faults.length} of ${questions.length}\n${faults.slice(0, 3).join('\n')}`);
  }
}

test('every question', () => compare(cases));

test('names of operands', () => {
  const hostile = [
    ['"); import os #', 'x\n'],
    ['lambda', 'class'],
    ['', '2nd'],
    ['Größe', 'attention mask'],
    ['a', 'A'],
    ['x1', 'x0'],
    ['a_shape', 'a'],
    ['y'.repeat(31), 'y'.repeat(32)],
    ['\u212A', '\u0130x'],
    ['_', '__a__'],
    ['int64_t', 'helper'],
    ['a_in', 'a_placed'],
    ['float32', 'qz0zq'],
    ['\u{1F600}', 'B\tC'],
  ];
  const two = cases.filter(({ operands }) => operands.length === 2).filter((_, i) => i % 7 === 0);
  compare(
    two.flatMap((question) =>
      hostile.map((names) => ({
        ...question,
        operands: question.operands.map((operand, i) => ({ ...operand, name: names[i] })),
      })),
    ),
  );
});

test('numbers', () => {
  const numbers = [
    0,
    -0,
    1,
    -1,
    0.1,
    -2.5,
    1e21,
    1e20,
    1.2345678901234568e20,
    1e-6,
    1e-7,
    1.5e-7,
    5e-324,
    1.7976931348623157e308,
    0.000001234,
    12345678,
    1234567,
    3.4028234663852886e38,
    NaN,
    Infinity,
    -Infinity,
    450359962737049.5,
    100,
    1e2,
    -1e-10,
  ];
  let seed = 1;
  for (let i = 0; i < 900; ++i) {
    seed = (seed * 48271) % 2147483647;
    numbers.push((seed / 2147483647 - 0.5) * 10 ** ((i % 60) - 30));
  }
  const [scalar] = cases.filter(({ op, operands }) => op.name === 'Broadcast' && operands[0].shape.join() === '3');
  const shape = [numbers.length];
  compare(
    ['f32', 'f64', 'f16', 'bf16', 'f8e4m3', 'f8e5m2'].map((dtype) => ({
      ...scalar,
      rule: 'broadcast_numpy',
      options: { targetShape: shape },
      operands: [{ ...scalar.operands[0], shape, elements: numbers.length, dtype, values: numbers }],
      alignment: {
        axes: [{ cells: [{ sourceAxis: 0, extent: numbers.length, relation: 'match' }] }],
        output: shape,
      },
    })),
  );
});

test('the answers of the native tests are those of the package', () => {
  const file = readFileSync(inRoot('tests/unit/code_answers.txt'), 'utf8');
  assert.ok(file === codeAnswers(), 'write them again with scripts/generate-code-answers.mjs');
});
