// Names of operands as variables in three languages.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';
import { answers, cases, difference, received } from './cases.mjs';
import { compiledTexts, python, writers } from './systems.mjs';

// The variables that NumPy's text has for operands of these names.
function variables(names) {
  const operand = { shape: [1], dtype: 'f32', values: [1] };
  const question = {
    rule: 'numpy',
    options: {},
    op: { name: 'Max' },
    attributes: {},
    operands: names.map((name) => ({ ...operand, name })),
  };
  const { text } = writers.find(({ id }) => id === 'numpy').write(question);
  const assigned = [...text.matchAll(/^(\w+) = /gm)].map(([, variable]) => variable);
  assert.equal(assigned.pop(), 'out');
  return assigned;
}

test('letters stay, keywords are replaced, and names are distinct', () => {
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

test('a name is never executed: the text runs, whatever the name', async () => {
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

// Names that a language reserves or predefines, from the languages' own lists.
const reserved =
  `break case catch class const continue debugger default delete do else enum export extends false finally for function
  if implements import in instanceof interface let new null package private protected public return static super switch
  this throw true try typeof var void while with yield await async of get set arguments eval undefined`.split(/\s+/);
const cppWords =
  `alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool break case catch
  char char8_t char16_t char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
  co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for
  friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
  public reflexpr register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct
  switch synchronized template this thread_local throw true try typedef typeid typename union unsigned using virtual
  void volatile wchar_t while xor xor_eq`.split(/\s+/);

async function pythonWords() {
  const text = [
    'import builtins, keyword, numpy as np',
    'words = keyword.kwlist + keyword.softkwlist + dir(builtins)',
    'out = np.frombuffer(" ".join(words).encode(), dtype=np.uint8)',
  ].join('\n');
  const [{ outs }] = await python('run.py', [{ text }]);
  return Buffer.from(outs[0].b64, 'base64').toString().split(' ');
}

// Macros of the headers that the texts include, which cannot be names of variables.
async function macros() {
  const headers = ['<broadloom/broadloom.h>', '<cstdint>', '<iostream>', '<limits>', '<utility>', '<vector>'];
  const source = inRoot('build/code', 'macros.cc');
  mkdirSync(path.dirname(source), { recursive: true });
  writeFileSync(source, headers.map((header) => `#include ${header}\n`).join(''));
  const compiler = process.env.CXX || ['clang++-19', 'g++', 'c++'].find(onPath);
  // Including the compiler's extensions, which define names without underscores.
  const args = ['-std=gnu++23', '-I', inRoot('core/include'), '-dM', '-E', source];
  const { code, output } = await run(compiler, args, { capture: 'keep' });
  assert.equal(code, 0, output.slice(-500));
  return [...output.matchAll(/^#define ([a-z]\w*)/gm)].map(([, name]) => name);
}

/** Words that occur in the texts themselves. */
function ownWords() {
  const sample = cases.filter((_, i) => i % 7 === 0);
  const words = new Set();
  for (const { write } of writers)
    for (const question of sample)
      for (const [word] of (write(question).text ?? '').matchAll(/\b[a-z_]\w*/gi)) words.add(word.toLowerCase());
  return [...words];
}

/** Questions with those names: on operands that are added, several at a time, and on others whose names get suffixes. */
function questionsNamed(names) {
  const many = cases.find(
    ({ op, operands }) => op.name === 'Max' && operands.length === 4 && operands[0].dtype === 'f32',
  );
  const repeats = cases.find(
    ({ rule, operands }) => rule === 'sonnx' && operands.length > 1 && operands[0].dtype === 'f32',
  );
  const laid = cases.find(
    ({ rule, op, operands }) => rule === 'pdpd' && op.name === 'Add' && operands[0].dtype === 'f32',
  );
  const wide = cases.find(
    ({ op, operands }) => op.name === 'Sum' && operands[0].dtype === 'f16' && operands.length > 1,
  );
  const half = cases.find(({ op, operands }) => op.name === 'SquaredDifference' && operands[0].dtype === 'f16');
  const called = (question, own) => ({
    ...question,
    operands: question.operands.map((operand, i) => ({ ...operand, name: own[i] ?? '' })),
  });
  const groups = [];
  for (let i = 0; i < names.length; i += 4) groups.push(called(many, names.slice(i, i + 4)));
  const pairs = ['shape', 'in', 'placed', 'wide', '0'].flatMap((ending) => [
    ['a', `a ${ending}`],
    [`a ${ending}`, 'a'],
    ['', `x0 ${ending}`],
    [`x1 ${ending}`, ''],
    [`out${ending}`, 'out'],
  ]);
  const endings = pairs.flatMap((pair) => [many, repeats, laid, wide, half].map((question) => called(question, pair)));
  return [...groups, ...endings];
}

test('reserved names, names used by a text, and equal names still make texts that run', async (t) => {
  t.mock.method(console, 'log', () => {});
  const words = [...reserved, ...cppWords, ...(await pythonWords()), ...(await macros()), ...ownWords()];
  words.push(...Object.getOwnPropertyNames(globalThis), 'console', 'list', 'constructor', '__proto__', 'i', 'outs');
  const names = [...new Set(words)];
  assert.ok(names.length > 400, `${names.length}`);
  const questions = questionsNamed(names);
  const folder = inRoot('build/code/names');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const faults = [];
  const compare = (id, question, outs) => {
    const wanted = answers(question);
    if (outs.length !== wanted.length || wanted.some((tensor, i) => difference(tensor, outs[i], 1) !== null))
      faults.push(`${id}, ${question.operands.map(({ name }) => name)}: other values`);
  };
  for (const { id, write } of writers) {
    const texts = questions.flatMap((question) => {
      const { text } = write(question);
      return text === undefined ? [] : [{ question, text }];
    });
    assert.ok(texts.length > 50, id);
    if (id === 'openvino-ir') continue; // It contains no names.
    if (id === 'broadloom-js') {
      for (const [i, { question, text }] of texts.entries()) {
        const file = path.join(folder, `${i}.mjs`);
        writeFileSync(file, `${text}export { ${question.rule === 'sonnx' ? 'outs' : 'out'} as result };\n`);
        await import(pathToFileURL(file)).then(
          ({ result }) => compare(id, question, Array.isArray(result) ? result : [result]),
          (error) => faults.push(`${id}, ${question.operands.map(({ name }) => name)}: ${error}`),
        );
      }
    } else if (id === 'broadloom-cpp') {
      const { failed, outs } = await compiledTexts(texts, path.join(folder, 'texts'));
      if (failed) faults.push(`${id}: ${failed}`);
      else texts.forEach(({ question }, i) => compare(id, question, outs[i]));
    } else {
      const shim = id === 'pytorch' || id === 'tensorflow';
      const got = await python(
        'run.py',
        texts.map(({ text }) => ({ text, shim })),
      );
      texts.forEach(({ question }, i) => {
        if (got[i].error) faults.push(`${id}, ${question.operands.map(({ name }) => name)}: ${got[i].error}`);
        else compare(id, question, got[i].outs.map(received));
      });
    }
  }
  assert.deepEqual(faults.slice(0, 10), [], `${faults.length}`);
});

test('other names stay unchanged in every text', () => {
  const [plain] = cases.filter(({ operands, op }) => operands.length === 2 && op.name === 'Add');
  const names = ['attention mask', 'scores'];
  const question = { ...plain, operands: plain.operands.map((operand, i) => ({ ...operand, name: names[i] })) };
  for (const { write, id } of writers) {
    if (id === 'openvino-ir') continue;
    const { text } = write(question);
    assert.match(text, /\battention_mask\b/, id);
    assert.match(text, /\bscores\b/, id);
  }
});
