// Shared code of the tests of generated code: the writers, the package, and Python for running texts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from 'broadloom';
import { inRoot } from '../../scripts/paths.mjs';
import { pythonWith } from '../../scripts/python.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';

const bl = await load({ explanations: true });

// What the package writes for a question of cases.mjs: {text} or {reason}.
function write(id, { rule, options, op, attributes, operands }) {
  const asked = bl.align(
    rule,
    operands.map(({ shape }) => shape),
    { ...options, op: op.name },
  );
  const given = Object.entries(attributes).filter(([, value]) => value !== '');
  const attrs = Object.fromEntries(given.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
  const { text, reason } = asked.code(id, {
    operands: operands.map(({ name, dtype, values }) => ({ name, dtype, values })),
    attrs,
  });
  assert.ok((text === null) !== (reason === null));
  return text === null ? { reason } : { text };
}

// Every system: {id, write}.
export const writers = Object.keys(bl.align('numpy', [[2], [3]]).repairs()[0].code).map((id) => ({
  id,
  write: (question) => write(id, question),
}));

let interpreter;

// Runs a program beside this file that answers each entry of `work` with a line of JSON. If the process ends at an
// entry, that entry's answer is {error}, and another process answers the rest. Much work is divided among as many
// processes as there are cores.
export async function python(program, work) {
  const most = Math.max(100, Math.ceil(work.length / os.availableParallelism()));
  const parts = Array.from({ length: Math.ceil(work.length / most) }, (_, i) => work.slice(i * most, (i + 1) * most));
  return (await Promise.all(parts.map((part) => answersOf(program, part)))).flat();
}

async function answersOf(program, work) {
  interpreter ??= pythonWith('tests/requirements.txt');
  const answers = [];
  while (answers.length < work.length) {
    const { code, output, errors } = await once(await interpreter, program, work.slice(answers.length));
    answers.push(
      ...output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
    if (answers.length < work.length) answers.push({ error: `the process ended (${code}): ${errors.slice(-500)}` });
  }
  return answers;
}

async function once(command, program, work) {
  const child = spawn(command, [inRoot('tests/code', program)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.on('error', () => {}); // it ended early; its exit code is reported
  child.stdin.end(JSON.stringify(work));
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)));
  return { code, output, errors };
}

// --- C++ -------------------------------------------------------------------------------------------------------------

// One C++ program from many texts: each main becomes a function in its own namespace, and its results are reported.
const prelude = `#include <broadloom/broadloom.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>
#include <utility>
#include <vector>

void Report(const broadloom::Tensor& out) {
  std::printf("\\nout %d", static_cast<int>(out.dtype()));
  for (const int64_t extent : out.shape()) std::printf(" %lld", static_cast<long long>(extent));
  std::printf(" : ");
  for (const unsigned char byte : out.as<unsigned char>()) std::printf("%02x", byte);
  std::printf("\\n");
}
`;

function joined(texts) {
  const parts = texts.map(({ question, text }, i) => {
    const name = question.rule === 'sonnx' ? 'for (const Tensor& out : outs) Report(out);' : 'Report(*out);';
    const body = text.replace(/^#include .*\n/gm, '').replace('int main() {', 'int Main() {');
    return `namespace text_${i} {${body.replace(/\}\n$/, `  ${name}\n  return 0;\n}\n`)}}\n`;
  });
  const calls = texts.map((_, i) => `  if (text_${i}::Main() != 0) return ${(i % 100) + 1};\n  std::puts("\\nend");\n`);
  return `${prelude}${parts.join('')}int main() {\n${calls.join('')}}\n`;
}

// Compiles texts of the C++ library as one program and runs it. Returns the result of each, or its error.
export async function compiledTexts(texts, program) {
  const source = `${program}.cc`;
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(source, joined(texts));
  const compiler = process.env.CXX || ['clang++-19', 'g++', 'c++'].find(onPath);
  const flags = ['-std=c++23', '-O0', '-Wall', '-Wextra', '-Werror', '-I', inRoot('core/include')];
  const libraries = [inRoot('build/native/core/libbroadloom.a'), '-pthread'];
  const compiled = await run(compiler, [...flags, source, ...libraries, '-o', program], { capture: 'keep' });
  if (compiled.code !== 0) return { failed: compiled.output.slice(0, 3000), outs: [] };
  const ran = await run(program, [], { capture: 'keep' });
  if (ran.code !== 0) return { failed: ran.output.slice(-500), outs: [] };
  const names = Object.keys(bl.vocabulary.dtypes);
  const outs = ran.output
    .trimEnd()
    .split(/^end$/m)
    .slice(0, texts.length)
    .map((report) =>
      [...report.matchAll(/^out (\d+)(.*?) : (.*)$/gm)].map(([, type, shape, bytes]) => ({
        dtype: names[Number(type)],
        shape: shape.split(' ').filter(Boolean).map(Number),
        data: new Uint8Array(Buffer.from(bytes, 'hex')),
      })),
    );
  return { failed: null, outs };
}
