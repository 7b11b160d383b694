// The C interface: the C programs of this folder, built by gcc and by clang, with the shared and with the static library;
// the conformance records; the examples of the header and of docs/c.md; what the library exports; the installed package.
// BROADLOOM_C_BUILD names another folder of build/ than native.
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { NativeBackend, runConformance } from '../../scripts/conformance.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';
import { examplesIn } from '../headers/examples.mjs';

const here = inRoot('tests/c');
const build = inRoot('build', process.env.BROADLOOM_C_BUILD ?? 'native');
const library = path.join(build, 'c');
const include = inRoot('c/include');
const header = path.join(include, 'broadloom/c.h');
const compilers = ['gcc', 'clang-19', 'clang'].filter((name) => onPath(name)).slice(0, 2);
const strict = ['-std=c11', '-O1', '-Wall', '-Wextra', '-Wpedantic', '-Werror', `-I${include}`];
const linked = {
  shared: [`-L${library}`, '-lbroadloom_c', '-lm', `-Wl,-rpath,${library}`],
  static: [path.join(library, 'libbroadloom_c.a'), '-lstdc++', '-lm', '-pthread'],
};
const sourcesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.c'))
    .map((name) => path.join(folder, name));

const scratch = inRoot('build/c-tests');
before(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
});
after(() => rmSync(scratch, { recursive: true, force: true }));

async function succeeds(command, args, options) {
  const { code, output } = await run(command, args, { capture: 'keep', ...options });
  assert.equal(code, 0, `${command} ${args.join(' ')}\n${output}`);
  return output;
}

async function built(name, compiler, ...args) {
  const program = path.join(scratch, name);
  await succeeds(compiler, [...args, '-o', program]);
  return program;
}

for (const compiler of compilers) {
  for (const [kind, flags] of Object.entries(linked)) {
    test(`the C tests pass, built by ${compiler} with the ${kind} library`, async () => {
      const program = await built(`tests-${compiler}-${kind}`, compiler, ...strict, ...sourcesIn(here), ...flags);
      const output = await succeeds(program, []);
      assert.match(output.trim(), /(^|\n)\d+ passed, 0 failed$/);
    });
  }
}

test(
  'the C tests pass under the sanitizers',
  { skip: !onPath('clang-19') && 'the sanitizers of clang are not here' },
  async () => {
    const sanitized = inRoot('build', process.env.BROADLOOM_C_SANITIZED ?? 'sanitize', 'c/libbroadloom_c.a');
    const flags = ['-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
    const libraries = [sanitized, '-lstdc++', '-lm', '-pthread'];
    // The compiler of the library is the one whose run-time part is linked.
    const program = await built('tests-sanitized', 'clang-19', ...strict, ...flags, ...sourcesIn(here), ...libraries);
    const output = await succeeds(program, []);
    assert.match(output.trim(), /(^|\n)\d+ passed, 0 failed$/);
  },
);

test('the conformance records pass through the C interface', async () => {
  const sources = sourcesIn(path.join(here, 'conformance'));
  const backend = new NativeBackend(await built('session', compilers[0], ...strict, ...sources, ...linked.shared));
  const lines = [];
  try {
    const { passed, failed } = await runConformance([inRoot('tests/conformance')], backend, (line) => lines.push(line));
    assert.equal(failed, 0, lines.join('\n'));
    assert.ok(passed > 3000, `${passed} records`);
  } finally {
    backend.close();
  }
});

test('the headers compile alone, as C and as C++', async () => {
  for (const name of ['c.h', 'dlpack.h']) {
    const source = path.join(scratch, `alone-${name}.c`);
    // The macros give structs without warnings in both languages.
    const use = name === 'c.h' ? 'bl_request request = BL_REQUEST_INIT; bl_error error = BL_ERROR_INIT;' : '';
    const body = name === 'c.h' ? 'return request.op + error.operand + bl_abi_version();' : 'return kDLCPU;';
    writeFileSync(source, `#include <broadloom/${name}>\nint Use(void);\nint Use(void) { ${use} ${body} }\n`);
    for (const compiler of compilers) await succeeds(compiler, [...strict, '-fsyntax-only', source]);
    const asCpp = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', `-I${include}`, '-x', 'c++', '-fsyntax-only', source];
    for (const standard of ['c++11', 'c++20']) await succeeds('g++', [`-std=${standard}`, ...asCpp]);
    if (onPath('clang++-19')) await succeeds('clang++-19', ['-std=c++17', ...asCpp]);
  }
});

test('the headers compile as C++ inside of extern "C"', async () => {
  const source = path.join(scratch, 'linkage.cc');
  writeFileSync(
    source,
    `extern "C" {
#include <broadloom/c.h>
#include <broadloom/dlpack.h>
}
int Use();
int Use() {
  bl_error error = BL_ERROR_INIT;
  error = BL_ERROR_INIT;
  return bl_plan_make(nullptr, nullptr, &error) + kDLCPU;
}
`,
  );
  const flags = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', `-I${include}`, '-fsyntax-only', source];
  await succeeds('g++', ['-std=c++11', ...flags]);
  if (onPath('clang++-19')) await succeeds('clang++-19', ['-std=c++17', ...flags]);
});

// All copies of dlpack.h have one guard. Another one is here a text of its definitions.
test('dlpack.h stands before and after another copy', async () => {
  const folder = path.join(scratch, 'dlpack');
  mkdirSync(folder);
  const own = readFileSync(path.join(include, 'broadloom/dlpack.h'), 'utf8');
  const guarded = /#ifndef DLPACK_DLPACK_H_\n[^]*#endif {2}\/\/ DLPACK_DLPACK_H_\n/.exec(own)[0];
  // As a newer version, which also has what this one lacks.
  writeFileSync(path.join(folder, 'other.h'), guarded.replace('kDLMAIA = 17', 'kDLMAIA = 17,\n  kDLTrn = 18'));
  const other = '#include "other.h"\n';
  const ours = '#include <broadloom/dlpack.h>\n';
  const uses = (type) => `#include <broadloom/c.h>
DLDevice Use(DLManagedTensorVersioned* managed, DLDeviceType type);
DLDevice Use(DLManagedTensorVersioned* managed, DLDeviceType type) {
  DLDevice device = managed->dl_tensor.device;
  DLDataTypeCode code = kDLFloat4_e2m1fn;
  bl_tensor* tensor = 0;
  device.device_type = type;
  bl_tensor_from_dlpack(managed, 0, &tensor, 0);
  if (managed->version.major != DLPACK_MAJOR_VERSION || code == kDLInt) device.device_type = ${type};
  return device;
}
`;
  for (const [name, text] of [
    ['after', other + ours + uses('kDLTrn')],
    ['before', ours + other + uses('kDLCUDA')],
  ]) {
    const source = path.join(folder, `${name}.c`);
    writeFileSync(source, text);
    for (const compiler of compilers) await succeeds(compiler, [...strict, `-I${folder}`, '-fsyntax-only', source]);
    const asCpp = ['-std=c++11', '-Wall', '-Werror', `-I${include}`, '-x', 'c++', '-fsyntax-only', source];
    await succeeds('g++', asCpp);
  }
});

test('the examples of the header compile and run', async () => {
  const examples = examplesIn(header);
  assert.ok(examples.length >= 10, `${examples.length} examples`);
  const functions = examples.map(
    ({ line, code }, index) =>
      `static void Example${index}(void) {\n#line ${line} "c.h"\n${code}\n}\n#line 1 "generated"\n`,
  );
  const calls = examples.map((example, index) => `  Example${index}();\n`);
  const headers = ['broadloom/c.h', 'broadloom/dlpack.h', 'assert.h', 'stdio.h', 'stdlib.h', 'string.h'];
  const source = path.join(scratch, 'examples.c');
  writeFileSync(
    source,
    `${headers.map((name) => `#include <${name}>\n`).join('')}${functions.join('')}int main(void) {\n${calls.join('')}  return 0;\n}\n`,
  );
  for (const compiler of compilers) {
    const program = await built(`examples-${compiler}`, compiler, ...strict, '-UNDEBUG', source, ...linked.shared);
    await succeeds(program, []);
  }
});

test('the program of docs/c.md compiles, and prints what the document says', async () => {
  const text = readFileSync(inRoot('docs/c.md'), 'utf8');
  const [, code] = /```c\n([^]*?)```/.exec(text);
  const [, printed] = /```text\n([^]*?)```/.exec(text);
  const source = path.join(scratch, 'document.c');
  writeFileSync(source, code);
  const program = await built('document', compilers[0], ...strict, source, ...linked.shared);
  assert.equal(await succeeds(program, []), printed);
});

test('the shared library exports the functions of the header, and nothing else', async () => {
  const output = await succeeds('nm', ['-D', '--defined-only', path.join(library, 'libbroadloom_c.so')]);
  const exported = output.split('\n').flatMap((line) => line.match(/^[0-9a-f]+ [A-Za-z] (.*)$/)?.slice(1) ?? []);
  const source = readFileSync(header, 'utf8').replace(/\/\/.*/g, '');
  const declared = [...source.matchAll(/^BL_API\b[^;]*?\b(bl_\w+)\(/gm)].map((match) => match[1]);
  assert.ok(declared.length > 60, `${declared.length} functions`);
  assert.deepEqual(exported.sort(), declared.sort());
  const dynamic = await succeeds('readelf', ['-d', path.join(library, 'libbroadloom_c.so')]);
  assert.match(dynamic, /SONAME.*\[libbroadloom_c\.so\.\d+\.\d+\]/);
});

// The part of an installation that is of use in C.
test('an installed package is found by CMake in C alone, and by pkg-config', async () => {
  const installed = path.join(scratch, 'installed');
  const prefix = path.join(scratch, 'moved');
  await succeeds('cmake', ['--install', build, '--prefix', installed]);
  cpSync(installed, prefix, { recursive: true, verbatimSymlinks: true });
  rmSync(installed, { recursive: true });
  const text = readFileSync(inRoot('docs/c.md'), 'utf8');
  const project = path.join(scratch, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'main.c'), /```c\n([^]*?)```/.exec(text)[1]);
  writeFileSync(
    path.join(project, 'CMakeLists.txt'),
    `cmake_minimum_required(VERSION 3.25)
project(use LANGUAGES C)
find_package(broadloom 0.1 CONFIG REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE broadloom::c)
add_executable(static main.c)
target_link_libraries(static PRIVATE broadloom::c_static)
`,
  );
  const made = path.join(project, 'build');
  const environment = { ...process.env };
  delete environment.BROADLOOM_ARCHIVES;
  const options = { env: environment };
  await succeeds('cmake', ['-S', project, '-B', made, '-G', 'Ninja', `-DCMAKE_PREFIX_PATH=${prefix}`], options);
  await succeeds('cmake', ['--build', made], options);
  const printed = /```text\n([^]*?)```/.exec(text)[1];
  for (const name of ['shared', 'static']) assert.equal(await succeeds(path.join(made, name), []), printed);

  const folder = ['lib', 'lib64', `lib/${process.arch === 'x64' ? 'x86_64' : 'aarch64'}-linux-gnu`]
    .map((name) => path.join(prefix, name, 'pkgconfig'))
    .find((name) => existsSync(path.join(name, 'broadloom-c.pc')));
  assert.ok(folder, 'broadloom-c.pc is installed');
  // The commands of the document: one line that sets a variable, and one for each kind of library.
  const shell = { cwd: project, env: { ...process.env, PKG_CONFIG_PATH: folder } };
  const [, commands] = /```sh\n([^]*?)```/.exec(text);
  const [variable, ...compile] = commands.trim().split('\n');
  assert.equal(compile.length, 2);
  for (const command of compile) {
    await succeeds('sh', ['-ec', `${variable}\n${command}`], shell);
    assert.equal(await succeeds(path.join(project, 'a.out'), []), printed);
  }
  assert.match(await succeeds('pkg-config', ['--static', '--libs', 'broadloom-c'], shell), /-pthread/);
});
