// Every example in a public header (indented lines after `Example:`) compiles, links and runs. Each header compiles
// alone, and a compiler set to an older C++ reports what to do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { onPath } from '../../scripts/toolchain.mjs';
import { examplesIn } from './examples.mjs';

const includes = ['core/include', 'explain/include'].map((folder) => inRoot(folder));
// The public headers, as they are included; each lies in one of the folders.
const headersIn = (folder, under) =>
  readdirSync(path.join(folder, under))
    .filter((name) => name.endsWith('.h'))
    .map((name) => `${under}/${name}`);
const explaining = headersIn(includes[1], 'broadloom/explain');
const headers = [...headersIn(includes[0], 'broadloom'), ...explaining];
const fileOf = (header) => path.join(includes[explaining.includes(header) ? 1 : 0], header);
const compilers = ['g++', 'clang++-19'].filter((name) => onPath(name));
const flags = ['-Wall', '-Wextra', '-Werror', '-Wno-unknown-pragmas', ...includes.map((folder) => `-I${folder}`)];

let scratch;
before(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'broadloom-headers-'));
});
after(() => rmSync(scratch, { recursive: true, force: true }));

const examples = headers.flatMap((header) => examplesIn(fileOf(header)).map((example) => ({ header, ...example })));

function compile(compiler, standard, source, ...more) {
  const { status, stdout, stderr } = spawnSync(compiler, [`-std=${standard}`, ...flags, source, ...more], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('every mention of an example in a header is followed by code', () => {
  assert.ok(examples.length >= 30, `${examples.length} examples`);
  for (const { header, line, code } of examples) {
    assert.ok(code, `${header}:${line} has no indented code`);
    assert.match(code, /assert\(|ParallelFor/, `${header}:${line} asserts nothing`);
  }
});

for (const compiler of compilers) {
  test(`the examples of the headers compile and run with ${compiler}`, () => {
    const functions = examples.map(
      ({ header, line, code }, index) =>
        `static void Example${index}() {\n#line ${line} "${header}"\n${code}\n}\n#line 1 "generated"\n`,
    );
    const calls = examples.map((example, index) => `  Example${index}();\n`);
    const source = path.join(scratch, 'examples.cc');
    writeFileSync(
      source,
      `#include "${inRoot('tests/headers/given.h')}"\n${explaining.map((header) => `#include <${header}>\n`).join('')}${functions.join('')}int main() {\n${calls.join('')}}\n`,
    );
    const program = path.join(scratch, `examples-${compiler}`);
    // The examples create plans, loops and the like without using them.
    const unused = ['-Wno-unused-variable', '-Wno-unused-but-set-variable', '-UNDEBUG', '-pthread'];
    const libraries = ['explain/libbroadloom_explain.a', 'core/libbroadloom.a'].map((file) =>
      inRoot('build/native', file),
    );
    const built = compile(compiler, 'c++23', source, ...unused, ...libraries, '-o', program);
    assert.equal(built.status, 0, built.output);
    const ran = spawnSync(program, [], { encoding: 'utf8' });
    assert.equal(ran.status, 0, `${ran.signal} ${ran.stderr}`);
  });

  test(`before C++23, ${compiler} reports only the required version`, () => {
    const source = path.join(scratch, 'old.cc');
    writeFileSync(source, '#include <broadloom/broadloom.h>\nint main() {}\n');
    for (const standard of ['c++17', 'c++20']) {
      const built = compile(compiler, standard, source, '-fsyntax-only');
      assert.notEqual(built.status, 0);
      const errors = built.output.split('\n').filter((line) => /\berror:/.test(line));
      assert.equal(errors.length, 1, built.output);
      assert.match(errors[0], /C\+\+23.*-std=c\+\+23/);
    }
  });
}

test('each header compiles alone', () => {
  for (const header of headers) {
    const source = path.join(scratch, 'alone.cc');
    writeFileSync(source, `#include <${header}>\nint main() {}\n`);
    const built = compile(compilers[0], 'c++23', source, '-fsyntax-only');
    assert.equal(built.status, 0, `${header}: ${built.output}`);
  }
});

test('clang warns about a view that outlives its literal', { skip: !onPath('clang++-19') }, () => {
  const source = path.join(scratch, 'dangling.cc');
  writeFileSync(
    source,
    '#include <broadloom/broadloom.h>\nint main() { broadloom::ShapeView v = broadloom::Extents{2, 3}; return v.size() == 2; }\n',
  );
  const built = compile('clang++-19', 'c++23', source, '-fsyntax-only');
  assert.match(built.output, /temporary.*destroyed|dangling/i);
});
