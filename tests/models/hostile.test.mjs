// Files that are no models, or bad ones: a clear error, in bounded time and memory.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { auditModel, ModelError } from 'broadloom/models';
import { bl, body, bytesOf, domain, functionOf, model, node, number, part, varint, writeHollow } from './models.mjs';

/** The error's code, or the audit; any other error is thrown. */
function outcome(bytes) {
  try {
    return auditModel(bl, bytes);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    assert.ok(error.message.length < 400 && !/[\u0000-\u001f]/.test(error.message), error.message);
    return error.code;
  }
}

const small = ['functions.onnx', 'subgraphs.onnx', 'opset6.onnx', 'expand.onnx'];

test('a model that is cut at any byte', () => {
  for (const name of small) {
    const bytes = bytesOf(name);
    for (let length = 0; length < bytes.length; ++length) {
      const found = outcome(bytes.subarray(0, length));
      // Protobuf has no end mark: without its last fields, here the functions, a file is one of fewer fields.
      if (typeof found !== 'object') continue;
      assert.equal(name, 'functions.onnx', `${name} cut at byte ${length}`);
      assert.ok(length > bytes.length / 3);
    }
  }
});

test('an IR that is cut at any byte', () => {
  const bytes = bytesOf('layers.xml');
  const end = bytes.toString().trimEnd().length;
  for (let length = 0; length < end; length += length % 1000 < 900 ? 41 : 1) {
    assert.match(outcome(bytes.subarray(0, length)), /^(?:truncated|format)$/, `cut at byte ${length}`);
  }
  assert.equal(typeof outcome(bytes.subarray(0, end)), 'object');
});

test('flipped bits', () => {
  let state = 1;
  const random = (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  for (const name of [...small, 'squeeze.onnx', 'layers.xml']) {
    const bytes = bytesOf(name);
    for (let i = 0; i < 400; ++i) {
      const damaged = Uint8Array.from(bytes);
      for (let flips = 0; flips <= i % 3; ++flips) damaged[random(damaged.length)] ^= 1 << random(8);
      outcome(damaged);
    }
  }
});

test('values that need themselves', () => {
  assert.equal(outcome(model(node('Add', ['a', 'x'], ['a']))), 'cycle');
  assert.equal(outcome(model(Buffer.concat([node('Add', ['b', 'x'], ['a']), node('Relu', ['a'], ['b'])]))), 'cycle');
  const call = (name, input, output) => node(name, [input], [output], [domain('own')], 7);
  const f = functionOf('f', 'own', ['x'], ['y'], [call('g', 'x', 'y')]);
  const g = functionOf('g', 'own', ['x'], ['y'], [call('f', 'x', 'y')]);
  assert.equal(outcome(model(node('f', ['x'], ['y'], [domain('own')]), f, g)), 'cycle');
  const layer = (id) =>
    `<layer id="${id}" name="n${id}" type="ReLU"><input><port id="0"/></input><output><port id="1"/></output></layer>`;
  const edge = (from, to) => `<edge from-layer="${from}" from-port="1" to-layer="${to}" to-port="0"/>`;
  const xml = `<net><layers>${layer(0)}${layer(1)}</layers><edges>${edge(0, 1)}${edge(1, 0)}</edges></net>`;
  assert.equal(outcome(Buffer.from(xml)), 'cycle');
});

test('claimed sizes', () => {
  for (const size of [3, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]) {
    assert.equal(
      outcome(Buffer.concat([number(1, 8), varint((7 << 3) | 2), varint(size), Buffer.from([1, 2])])),
      'truncated',
    );
  }
  for (const size of [2n ** 32n, 2n ** 63n, 2n ** 70n]) {
    assert.match(
      outcome(Buffer.concat([number(1, 8), varint((7 << 3) | 2), varint(size), Buffer.from([1, 2])])),
      /format|truncated/,
    );
  }
});

test('10,000 graphs in graphs, and functions that call the next one twice', () => {
  let graph = node('Add', ['a', 'b'], ['c']);
  for (let i = 0; i < 10_000; ++i) graph = node('If', ['c'], ['d'], [body('then_branch', graph)]);
  assert.equal(outcome(model(graph)), 'limit');
  const call = (i, input, output, field) => node(`f${i}`, [input], [output], [domain('own')], field);
  const functions = Array.from({ length: 30 }, (_, i) =>
    functionOf(`f${i}`, 'own', ['x'], ['y'], [call(i + 1, 'x', 't', 7), call(i + 1, 't', 'y', 7)]),
  );
  functions.push(functionOf('f30', 'own', ['x'], ['y'], [node('Add', ['x', 'x'], ['y'], [], 7)]));
  assert.equal(outcome(model(call(0, 'x', 'y', 1), ...functions)).nodes.length, 1);
  assert.equal(outcome(Buffer.from(`<net>${'<layer>'.repeat(10_000)}`)), 'limit');
});

test('what is no model', () => {
  const texts = [
    '',
    'hello, this is no model',
    '{"a": 1}',
    '<a/>',
    '<!DOCTYPE html><html></html>',
    '<net>',
    '<net></layer>',
  ];
  for (const text of texts) assert.match(outcome(Buffer.from(text)), /format|truncated/, text);
  assert.equal(outcome(Buffer.alloc(1000)), 'format');
  assert.equal(outcome(Buffer.from([0x93, ...Buffer.from('NUMPY')])), 'format');
});

test('entities of an XML file are neither defined nor expanded', () => {
  const bomb = '<!DOCTYPE net [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><net><layers>&b;</layers></net>';
  const external = '<!DOCTYPE net [<!ENTITY a SYSTEM "file:///etc/passwd">]><net>&a;</net>';
  for (const text of [bomb, external, '<net>&a;</net>']) assert.equal(outcome(Buffer.from(text)), 'format');
});

test('names and texts of a file appear in messages only as quoted text', () => {
  const name = '\u001b[31m\n<script>'.repeat(100);
  outcome(model(node('Add', [name, 'x'], [name])));
});

test('as many small parts as fit into 40 MB', () => {
  const size = 40_000_000;
  const all = (...bytes) => model(Buffer.alloc(size, Buffer.from(bytes)));
  for (const bytes of [
    [0x0a, 0],
    [0x2a, 0],
    [0x50, 1],
  ])
    assert.equal(outcome(all(...bytes)), 'limit');
  assert.equal(outcome(model(part(11, part(1, Buffer.alloc(size, 97))))), 'limit');
  assert.equal(outcome(Buffer.alloc(70_000_000, '<net> ')), 'limit');
  assert.equal(outcome(Buffer.concat([Buffer.from('<net a="'), Buffer.alloc(size, 'x')])), 'truncated');
});

const scratch = mkdtempSync(path.join(tmpdir(), 'broadloom-models-'));
after(() => rmSync(scratch, { recursive: true }));
const cli = fileURLToPath(new URL('../../wasm/dist/cli.js', import.meta.url));

/** The command, with the most memory that it had in use. */
function command(...args) {
  const script = `
    process.on('exit', () => console.error('kilobytes', process.resourceUsage().maxRSS));
    await import(${JSON.stringify(new URL('../../wasm/dist/cli.js', import.meta.url).href)});`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, '--', 'unused', ...args],
    { encoding: 'utf8' },
  );
  const [, kilobytes] = /kilobytes (\d+)/.exec(stderr) ?? [];
  return { status, out: stdout, err: stderr.replace(/kilobytes.*\n/, ''), bytes: Number(kilobytes) * 1024 };
}

test('a file of 1 GB is read without its elements', () => {
  const file = path.join(scratch, 'large.onnx');
  writeHollow(file, 250_000_000);
  const { status, out, bytes, err } = command('audit', file);
  assert.equal(status, 0, err);
  assert.match(out, /Add  \(250000000,\) \(250000000,\) -> \(250000000,\)/);
  assert.ok(bytes < 400_000_000, `${bytes} bytes of memory`);
});

test('the command reports what a file is not, with exit code 2', () => {
  const file = path.join(scratch, 'bad.onnx');
  for (const [content, words] of [
    [bytesOf('clash.onnx').subarray(0, 30), /^broadloom: .*bad\.onnx: .*truncated/],
    ['hello', /^broadloom: .*bad\.onnx: /],
  ]) {
    writeFileSync(file, content);
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'audit', file], { encoding: 'utf8' });
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, words);
    const inJson = spawnSync(process.execPath, [cli, 'audit', file, '--json'], { encoding: 'utf8' });
    assert.deepEqual([inJson.status, JSON.parse(inJson.stdout).kind], [2, 'error']);
  }
});
