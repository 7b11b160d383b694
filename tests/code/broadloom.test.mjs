// The generated code for the package and the C++ library runs and compiles, and computes the results of the page's
// core.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answers, cases, difference, unitsOf } from './cases.mjs';
import { compiledTexts, writers } from './systems.mjs';

function textsOf(id) {
  const writer = writers.find((one) => one.id === id);
  const written = cases.map((question) => ({ question, ...writer.write(question) }));
  const reasons = new Set(written.flatMap(({ reason }) => reason ?? []));
  assert.deepEqual(
    [...reasons].sort(),
    ['i4', 'u1', 'u4'].map((dtype) => `${dtype} is packed: its bytes are best read from a file.`),
  );
  return written.filter(({ text }) => text !== undefined);
}

function compare(question, text, outs) {
  const wanted = answers(question);
  assert.equal(outs.length, wanted.length, text);
  for (const [i, tensor] of wanted.entries())
    assert.equal(difference(tensor, outs[i], unitsOf(question)), null, `${question.id}\n${text}`);
}

test('JavaScript', async (t) => {
  const folder = inRoot('build/code/javascript');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  t.mock.method(console, 'log', () => {});
  for (const [i, { question, text }] of textsOf('broadloom-js').entries()) {
    const file = path.join(folder, `${i}.mjs`);
    const name = question.rule === 'sonnx' ? 'outs' : 'out';
    writeFileSync(file, `${text}export { ${name} as result };\n`);
    const { result } = await import(pathToFileURL(file));
    compare(question, text, Array.isArray(result) ? result : [result]);
  }
});

// The package is not published, so the text says how to get it, with the file name that `npm pack` uses.
test('the JavaScript text says where the package comes from', () => {
  const { version } = JSON.parse(readFileSync(inRoot('wasm/package.json'), 'utf8'));
  for (const { text } of textsOf('broadloom-js')) {
    assert.ok(text.includes('npm run build -- package && npm pack -w wasm\n'), text);
    assert.ok(text.includes(`npm install /path/to/broadloom-${version}.tgz\n`), text);
  }
  // The comment's words are not names of the text, so operands may have them.
  const [plain] = cases.filter(({ operands, op }) => operands.length === 2 && op.name === 'Add');
  const named = ['w', 'path'].map((name, i) => ({ ...plain.operands[i], name }));
  const { text } = writers.find(({ id }) => id === 'broadloom-js').write({ ...plain, operands: named });
  assert.match(text, /^const w = [^]*^const path = /m);
});

// Some questions of each operator under each rule and of each element type; compiling all would take minutes.
function chosen(texts) {
  const seen = new Map();
  const few = (key, most) => {
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return seen.get(key) <= most;
  };
  return texts.filter(({ question: { op, rule, operands, id } }) => {
    const rare = few(`${op.name} ${rule}`, op.name === 'Broadcast' ? 3 : 1);
    const typed = few(`${operands.at(-1).dtype} ${/listed|constant/.exec(id)}`, 2);
    return rare || typed;
  });
}

test('C++', async () => {
  const texts = chosen(textsOf('broadloom-cpp'));
  assert.ok(texts.length > 100, `${texts.length}`);
  const { failed, outs } = await compiledTexts(texts, inRoot('build/code/texts'));
  assert.equal(failed, null);
  for (const [i, { question, text }] of texts.entries()) compare(question, text, outs[i]);
});
