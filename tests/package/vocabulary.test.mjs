// The vocabulary, and the package's types that are generated from it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as broadloom from 'broadloom';
import { startInside } from './inside.mjs';

const bl = await broadloom.load({ explanations: true });
const { vocabulary } = bl;

const script = fileURLToPath(new URL('../../scripts/generate-vocabulary.mjs', import.meta.url));
const check = (folder) => spawnSync(process.execPath, [script, '--check', '--core', folder], { encoding: 'utf8' });

test("the package's names, types and methods are those of the core", () => {
  const { status, stderr } = check(fileURLToPath(new URL('../../build/wasm/wasm', import.meta.url)));
  assert.equal(status, 0, stderr);
});

test('a different core is detected', async (t) => {
  // The core with one changed doc comment.
  const folder = await mkdtemp(join(tmpdir(), 'broadloom-'));
  t.after(() => rm(folder, { recursive: true }));
  const built = new URL('../../build/wasm/wasm/', import.meta.url);
  const bytes = await readFile(new URL('broadloom-core.wasm', built));
  const { doc } = vocabulary.ops.Add;
  const at = bytes.indexOf(`${doc}`);
  assert.ok(at > 0, doc);
  bytes.write(doc.toUpperCase(), at);
  await writeFile(join(folder, 'broadloom-core.wasm'), bytes);
  await copyFile(new URL('broadloom-explain.wasm', built), join(folder, 'broadloom-explain.wasm'));
  const { status, stderr } = check(folder);
  assert.equal(status, 1);
  assert.match(stderr, /differs from the core/);
});

test('the examples in the doc comments run', async () => {
  const source = await readFile(new URL('../../wasm/src/signatures/operators.ts', import.meta.url), 'utf8');
  const examples = [...source.matchAll(/@example (bl\..*); \/\/ shape (.*)$/gm)];
  assert.equal(examples.length, Object.keys(vocabulary.ops).length - 2); // all but Broadcast and Cast
  for (const [, call, shape] of examples) {
    const result = new Function('bl', `return ${call}`)(bl);
    assert.equal(`[${result.shape}]`, shape, call);
  }
});

test('rows are complete', () => {
  for (const [kind, table] of Object.entries(vocabulary)) {
    if (Array.isArray(table)) continue;
    for (const [name, row] of Object.entries(table)) {
      assert.equal(row.name, name);
      for (const [field, value] of Object.entries(row)) assert.notEqual(value, '', `${kind}.${name}.${field}`);
    }
  }
  for (const { clauses } of Object.values(vocabulary.rules)) {
    for (const clause of Object.values(clauses)) assert.ok(Object.hasOwn(vocabulary.clauses, clause), clause);
  }
  for (const { document } of Object.values(vocabulary.clauses))
    assert.ok(Object.hasOwn(vocabulary.documents, document));
  assert.deepEqual(vocabulary.relations, ['match', 'stretch', 'insert', 'conflict']);
});

test('operators are described correctly', () => {
  const { ops } = vocabulary;
  assert.deepEqual(ops.Add.follows, [true, true]);
  assert.deepEqual(ops.Pow.follows, [true, false]);
  assert.deepEqual(ops.Where.follows, [false, true, true]);
  assert.deepEqual(ops.Where.types[0], ['bool']);
  assert.equal(ops.Max.mostOperands, null);
  assert.equal(ops.Mod.attribute, 'fmod');
  assert.ok(!ops.Mod.types[0].includes('f32') && ops.Mod.fmodTypes[0].includes('f32'));
  assert.equal(ops.BitShift.attribute, 'direction');
  assert.equal(ops.PRelu.defaultRule, 'onnx_unidirectional');
  assert.deepEqual(ops.Broadcast.rules, ['bidirectional', 'broadcast_numpy', 'explicit', 'sonnx']);
  assert.equal(ops.Cast.attribute, 'to');
  assert.equal(ops.Cast.result, 'to');
  assert.deepEqual(
    Object.values(vocabulary.rules).flatMap(({ name, returnsEach }) => (returnsEach ? [name] : [])),
    ['sonnx'],
  );
  assert.equal(vocabulary.rules.pdpd.takesAxis, true);
  assert.equal(vocabulary.rules.explicit.takesMapping, true);
});

test('repairs try the axes of pdpd up to mostAxisTried', () => {
  const { mostAxisTried } = vocabulary;
  // B fits on only one axis of A.
  const axesOf = (axis) => {
    const shape = Array(mostAxisTried + 3).fill(1);
    shape[axis] = 3;
    const found = bl.align('pdpd', [shape, [3]]).repairs();
    return found.flatMap((repair) => (repair.rule === 'pdpd' && repair.kind === 'change_rule' ? [repair.axis] : []));
  };
  assert.deepEqual(axesOf(mostAxisTried), [mostAxisTried]);
  assert.deepEqual(axesOf(mostAxisTried + 1), []);
});

test('the vocabulary cannot be changed', () => {
  assert.throws(() => {
    vocabulary.ops.Add.method = 'x';
  }, TypeError);
  assert.throws(() => vocabulary.ops.Add.rules.push('x'), TypeError);
});

test("the package's exports are complete", async () => {
  assert.deepEqual(Object.keys(broadloom).sort(), ['BroadcastError', 'LoadError', 'isBroadcastError', 'load']);
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(bl)).filter((name) => name !== 'constructor');
  assert.deepEqual(methods.sort(), [
    'align',
    'alignSymbolic',
    'apply',
    'broadcast',
    'broadcastArrays',
    'broadcastShapes',
    'broadcastTo',
    'cast',
    'countBytes',
    'countElements',
    'formatOperand',
    'formatShape',
    'inferShape',
    'loadExplanations',
    'memory',
    'parseIntegers',
    'parseShape',
    'plan',
    'promotedTypes',
    'readPasted',
    'readShapes',
    'resultType',
    'sumTo',
    'tensor',
    'vocabulary',
  ]);
  const text = await readFile(new URL('../../wasm/package.json', import.meta.url), 'utf8');
  const { exports, type, sideEffects, dependencies } = JSON.parse(text);
  assert.equal(Object.keys(exports['.'])[0], 'types');
  assert.equal(type, 'module');
  assert.equal(sideEffects, false);
  assert.equal(dependencies, undefined);
  assert.match(import.meta.resolve('broadloom/wasm'), /broadloom-core\.wasm$/);
});

test('a text with control characters, quotes and backslashes is transferred unchanged', () => {
  const bytes = readFileSync(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url));
  const doc = vocabulary.dtypes.f32.doc;
  const control = Array.from(
    { length: doc.length },
    (_, i) => ['\x01', '\n', '\x1f', '\t', '"', '\\', '\x7f'][i % 7],
  ).join('');
  const at = bytes.indexOf(doc, 0, 'latin1');
  assert.ok(at > 0 && /^[ -~]{7,}$/.test(doc));
  bytes.write(control, at, 'latin1');
  assert.equal(startInside(new WebAssembly.Module(bytes)).bl.vocabulary.dtypes.f32.doc, control);
});
