// The committed answers for the page's elements equal the output of their generator, with the pinned versions of NumPy
// and ml_dtypes.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { pythonWith } from '../../scripts/python.mjs';
import { run } from '../../scripts/run.mjs';
import { digest, questions } from '../browser/value-questions.mjs';

test('the generator reproduces the committed answers', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-answers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'questions.json');
  const asked = await questions();
  writeFileSync(file, JSON.stringify(asked.map((question) => ({ ...question, digest: digest(question) }))));

  const python = await pythonWith('tests/requirements.txt');
  const { code, output } = await run(python, [inRoot('scripts/generate-page-answers.py'), file], { capture: 'keep' });
  assert.equal(code, 0, output);
  const kept = readFileSync(inRoot('tests/browser/value-answers.txt'), 'utf8');
  const lines = new Set(kept.split('\n'));
  // Only the differing lines are shown, because both texts are long.
  const others = output.split('\n').filter((line) => !lines.has(line));
  assert.deepEqual(
    others.slice(0, 5).map((line) => line.split('\t')[0]),
    [],
    `${others.length} answers differ`,
  );
  assert.ok(output === kept, 'the same answers, in another order or not all of them');
});
