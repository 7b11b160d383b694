// Names that people give to operands, as variables in three languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases } from './cases.mjs';
import { imported, python } from './systems.mjs';

const { variables } = await imported('names.ts');
const { writers } = await imported('writers.ts');

test('letters stay, words of the languages do not, and no two are one', () => {
  assert.deepEqual(variables(['A', 'B', 'C']), ['a', 'b', 'c']);
  assert.deepEqual(variables(['attention mask', 'Bias (NHWC)']), ['attention_mask', 'bias_nhwc']);
  assert.deepEqual(variables(['lambda', 'class', 'np', 'double', 'out', 'const']), [
    'x0',
    'x1',
    'x2',
    'x3',
    'x4',
    'x5',
  ]);
  assert.deepEqual(variables(['', '2nd', 'Größe', 'a', 'A', 'x2']), ['x0', 'x1', 'gr_e', 'a', 'x4', 'x5']);
  assert.deepEqual(variables(['"); import os #', 'x\n', 'y'.repeat(99)]), ['import_os', 'x', 'x2']);
});

test('a name cannot leave its place: the text runs, whatever it is', async () => {
  const [plain] = cases.filter(({ operands }) => operands.length === 2);
  const names = ['"); raise SystemExit #', '-->\n*/ <b>'];
  const question = { ...plain, operands: plain.operands.map((operand, i) => ({ ...operand, name: names[i] })) };
  for (const { write, id } of writers) {
    const { text } = write(question);
    assert.doesNotMatch(text, /SystemExit|<b>|\*\/ /, id);
  }
  const [numpy] = await python('run.py', [{ text: writers[0].write(question).text }]);
  assert.equal(numpy.error, undefined);
});
