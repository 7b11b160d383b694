// Every broadcasting node is found, and shapes are those of onnx.shape_inference: for the models of the onnx package itself
// (those of its operators' tests are made by its code), and for those of scripts/generate-models.py.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { auditModel } from 'broadloom/models';
import { inRoot } from '../../scripts/paths.mjs';
import { pythonWith } from '../../scripts/python.mjs';
import { compare } from './compare.mjs';
import { bl, folder } from './models.mjs';

const python = await pythonWith('tests/requirements.txt');
const scratch = mkdtempSync(path.join(tmpdir(), 'broadloom-oracle-'));
after(() => rmSync(scratch, { recursive: true }));
const oracle = (...args) =>
  execFileSync(python, [inRoot('tests/models/oracle.py'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Compares all models of a folder: the lines that differ, and the sums of the counts. */
function compareAll(from) {
  const files = readdirSync(from).filter((name) => name.endsWith('.onnx'));
  const answers = oracle(...files.map((name) => path.join(from, name)))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lines = [];
  const sums = {};
  for (const answer of answers) {
    const found = compare(auditModel(bl, readFileSync(path.join(from, answer.file))), answer);
    lines.push(...found.lines);
    for (const [name, count] of Object.entries(found.counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return { files, lines, sums };
}

test('the models of the onnx package', (t) => {
  oracle('--collect', scratch);
  const { files, lines, sums } = compareAll(scratch);
  t.diagnostic(`${files.length} models, ${JSON.stringify(sums)}`);
  assert.ok(files.length > 1900 && sums.nodes > 3500 && sums.extents > 15_000);
  assert.deepEqual(lines, []);
});

test('real architectures and small models', (t) => {
  const { lines, sums } = compareAll(folder);
  t.diagnostic(JSON.stringify(sums));
  // Shape inference does not compare shapes before version 7, the slope of PRelu, and Gemm's C. Where the file has another
  // shape of a result than its operands have, it keeps that of the file, and reports an error.
  assert.deepEqual(
    lines.map((line) => line.replace(/^([\w-]+)\.onnx: .*?: (clashes|the result).*$/, '$1 $2')),
    [
      'clash-of-prelu clashes',
      'gemm-clash clashes',
      'opset6-clash clashes',
      'opset6-none-clash clashes',
      'outer-product the result',
    ],
  );
});
