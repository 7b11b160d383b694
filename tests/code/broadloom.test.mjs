// The texts for this package and this library are run and compiled, and give what the page's core gives.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';
import { answers, cases, difference, received } from './cases.mjs';
import { imported } from './systems.mjs';

const { writers } = await imported('writers.ts');

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
  // The same core on this side and that, or the same code for another machine: powers alone may differ.
  const units = question.op.name === 'Pow' ? 4 : 0;
  for (const [i, tensor] of wanted.entries())
    assert.equal(difference(tensor, outs[i], units), null, `${question.id}\n${text}`);
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

// One program of many texts: their mains are functions of it, each in a namespace, and what they compute is reported.
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

// Of each operator under each rule and of each element type some; all of them would take minutes to compile.
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
  const { dtypes } = (await (await import('broadloom')).load()).vocabulary;
  const texts = chosen(textsOf('broadloom-cpp'));
  assert.ok(texts.length > 100, `${texts.length}`);
  const folder = inRoot('build/code');
  mkdirSync(folder, { recursive: true });
  const source = path.join(folder, 'texts.cc');
  const program = path.join(folder, 'texts');
  writeFileSync(source, joined(texts));
  const compiler = process.env.CXX || ['clang++-19', 'g++', 'c++'].find(onPath);
  const flags = ['-std=c++23', '-O0', '-Wall', '-Wextra', '-Werror', '-I', inRoot('core/include')];
  const libraries = [inRoot('build/native/core/libbroadloom.a'), '-pthread'];
  const compiled = await run(compiler, [...flags, source, ...libraries, '-o', program], { capture: 'keep' });
  assert.equal(compiled.code, 0, compiled.output.slice(0, 3000));
  const ran = await run(program, [], { capture: 'keep' });
  assert.equal(ran.code, 0, ran.output.slice(-500));
  const reports = ran.output.trimEnd().split(/^end$/m);
  const names = Object.keys(dtypes);
  for (const [i, { question, text }] of texts.entries()) {
    const outs = [...reports[i].matchAll(/^out (\d+)(.*?) : (.*)$/gm)].map(([, type, shape, bytes]) =>
      received({
        dtype: names[Number(type)],
        shape: shape.split(' ').filter(Boolean).map(Number),
        b64: Buffer.from(bytes, 'hex').toString('base64'),
      }),
    );
    compare(question, text, outs);
  }
});
