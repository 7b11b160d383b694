// Only the core knows the rules: with a core in which the first operand of `numpy` no longer stretches, the package,
// the page and the command must give the changed answers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, openPlayground, type } from '../browser/playground.mjs';

const changedFile = (name) => inRoot(`build/wasm/tests/changed-rule/${name}.wasm`);
const changedModule = changedFile('broadloom-core');
// Both operands stretch, which the real rule allows. The other rule is unchanged.
const inputs = [
  [2, 1],
  [1, 3],
];

test('the package follows the core', async () => {
  const { load } = await import('broadloom');
  const real = await load();
  const changed = await load({ wasm: readFileSync(changedModule) });
  assert.deepEqual(real.inferShape('numpy', inputs), [2, 3]);
  assert.throws(() => changed.inferShape('numpy', inputs), { name: 'BroadcastError', code: 'incompatible' });
  assert.deepEqual(changed.inferShape('onnx_multidirectional', inputs), [2, 3]);
});

test('the command follows the core', () => {
  const question = (rule) => `shape ${rule} - - - - [2,1] [1,3]\n`;
  const ask = (session, rule) =>
    execFileSync(inRoot('build/native/tests', session), { input: question(rule), encoding: 'utf8' }).trim();
  assert.equal(ask('broadloom_session', 'numpy'), 'shape [2,3]');
  assert.match(ask('changed-rule/broadloom_session_changed_rule', 'numpy'), /^error incompatible\b/);
  assert.equal(ask('changed-rule/broadloom_session_changed_rule', 'onnx_multidirectional'), 'shape [2,3]');
});

let folder;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-changed-rule-'));
  cpSync(inRoot('web/dist'), folder, { recursive: true });
  const modules = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.wasm'));
  assert.equal(modules.length, 2, 'the page has the core, and what explains');
  for (const name of ['broadloom-core', 'broadloom-explain']) {
    const [module] = modules.filter((file) => path.basename(file).startsWith(`${name}-`));
    writeFileSync(path.join(folder, module), readFileSync(changedFile(name)));
  }
});
after(() => rmSync(folder, { recursive: true }));

// The page's answer under a rule: the shape, or the class of the error.
async function pageSays(options, rule) {
  const { open, close } = await openPlayground(options);
  try {
    const page = await open();
    await type(page, { rule, inputs });
    const { fits, shape, errorClass } = await answer(page);
    return fits ? shape.replaceAll(' ', '') : errorClass;
  } finally {
    await close();
  }
}

test('the page follows the core', async () => {
  assert.equal(await pageSays({}, 'numpy'), '(2,3)');
  assert.equal(await pageSays({ folder }, 'numpy'), 'incompatible');
  assert.equal(await pageSays({ folder }, 'onnx_multidirectional'), '(2,3)');
});
