// Projects that use the library: one finds the installed package, one takes the sources by FetchContent.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot, root } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';

const here = inRoot('tests/consumer');
const archives = process.env.BROADLOOM_ARCHIVES;
// Without this folder, so that only the given package is found.
const env = { ...process.env };
delete env.BROADLOOM_ARCHIVES;

// Within the clone, because ccache finds another clone's objects by relative paths.
const scratch = inRoot('build/consumer');
before(() => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
});
after(() => rmSync(scratch, { recursive: true, force: true }));

const cmake = (...args) => run('cmake', args, { env, capture: 'keep', cwd: scratch });

async function cmakeSucceeds(...args) {
  const { code, output } = await cmake(...args);
  assert.equal(code, 0, output);
  return output;
}

async function runs(program) {
  const { code, output } = await run(program, [], { capture: 'keep' });
  assert.equal(code, 0, output);
  assert.equal(output.trim(), '10 21 32 13 24 35');
}

test('an installed package is found, and needs no Highway', async () => {
  const prefix = path.join(scratch, 'prefix');
  await cmakeSucceeds('--install', inRoot('build/native'), '--prefix', prefix);
  assert.ok(!existsSync(path.join(prefix, 'include/hwy')), "Highway's headers are not installed");

  const build = path.join(scratch, 'find_package');
  // Moved after installation: the package must not contain absolute paths.
  const moved = path.join(scratch, 'moved');
  cpSync(prefix, moved, { recursive: true });
  rmSync(prefix, { recursive: true });
  await cmakeSucceeds(
    '-S',
    path.join(here, 'find_package'),
    '-B',
    build,
    '-G',
    'Ninja',
    `-DCMAKE_PREFIX_PATH=${moved}`,
  );
  await cmakeSucceeds('--build', build);
  await runs(path.join(build, 'consumer'));

  const wrong = path.join(scratch, 'wrong_version');
  mkdirSync(wrong);
  writeFileSync(
    path.join(wrong, 'CMakeLists.txt'),
    'cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES NONE)\nfind_package(broadloom 0.2 CONFIG REQUIRED)\n',
  );
  const { code, output } = await cmake('-S', wrong, '-B', path.join(wrong, 'build'), `-DCMAKE_PREFIX_PATH=${moved}`);
  assert.notEqual(code, 0, 'another minor version is not compatible before 1.0');
  assert.match(output, /version/);
});

// An old Highway, as a system may have it: too old to be used.
function installOldHighway() {
  const folder = path.join(scratch, 'old/lib/cmake/hwy');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'hwy-config.cmake'), 'message(FATAL_ERROR "an old Highway was taken")\n');
  writeFileSync(
    path.join(folder, 'hwy-config-version.cmake'),
    'set(PACKAGE_VERSION 1.0.3)\nif(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)\n  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n',
  );
  return path.join(scratch, 'old');
}

const asSubproject = (build, ...more) => [
  ...['-S', path.join(here, 'fetch_content'), '-B', build, '-G', 'Ninja', `-DBROADLOOM_SOURCE=${root}`],
  // Little of the library and no optimisation, since only linking is tested. But two SIMD targets on x86: g++ stops where
  // it is told to inline a function of one into a function of the other.
  '-DBROADLOOM_TARGETS=this-machine',
  '-DBROADLOOM_DISABLED_TARGETS=HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL|HWY_AVX3_ZEN4|HWY_AVX3_SPR',
  '-DBROADLOOM_OPERATORS=Add',
  '-DBROADLOOM_TYPES=f32',
  '-DCMAKE_BUILD_TYPE=Debug',
  '-DCMAKE_CXX_FLAGS=-O0',
  ...more,
];

test(
  'as a subproject it is quiet, and takes its dependency from a pinned archive',
  { skip: !archives && 'the archives are not here' },
  async () => {
    const build = path.join(scratch, 'fetch_content');
    const old = installOldHighway();
    const output = await cmakeSucceeds(
      ...asSubproject(build, `-DBROADLOOM_ARCHIVES=${archives}`, `-DCMAKE_PREFIX_PATH=${old}`),
    );
    const loud = output
      .split('\n')
      .filter(
        (line) =>
          line && !/^-- (The CXX|The C |Detecting|Check for working|Configuring|Generating|Build files)/.test(line),
      );
    assert.deepEqual(loud, []);

    const { output: targets } = await cmake('--build', build, '--target', 'help');
    assert.doesNotMatch(targets, /broadloom_tests|broadloom_session|Catch2/i, 'no tests');
    await cmakeSucceeds('--build', build, '--parallel', String(os.availableParallelism()));
    await runs(path.join(build, 'consumer'));
    await cmakeSucceeds('--install', build, '--prefix', path.join(scratch, 'nothing'));
    assert.ok(!existsSync(path.join(scratch, 'nothing')), 'nothing of it is installed');
  },
);

// A project's own build of the library: one SIMD target, hardly optimised.
const build = (name, ...more) => {
  const folder = path.join(scratch, name);
  const args = ['-S', root, '-B', folder, '-G', 'Ninja', '-DBROADLOOM_BUILD_TESTS=OFF', '-DBROADLOOM_C=OFF'];
  args.push('-DBROADLOOM_TARGETS=baseline', '-DBROADLOOM_UNITY_BUILD=ON');
  if (archives) args.push(`-DBROADLOOM_ARCHIVES=${archives}`);
  return { folder, configured: cmake(...args, ...more) };
};

// [symbol, name] pairs that a library exports.
async function symbolsOf(library, ...flags) {
  const { code, output } = await run('nm', ['-C', '--defined-only', ...flags, library], { capture: 'keep' });
  assert.equal(code, 0, output);
  return output.split('\n').flatMap((line) => line.match(/^[0-9a-f]+ [A-Za-z] (.*)$/)?.slice(1) ?? []);
}

test('a shared library exports what the headers declare, and pkg-config finds it', async () => {
  // Few kernels and no optimisation: it is about what is exported, and of kernels nothing is.
  const few = ['-DBROADLOOM_OPERATORS=Add', '-DBROADLOOM_TYPES=f32', '-DCMAKE_CXX_FLAGS_RELEASE=-O0'];
  const { folder, configured } = build('shared', '-DBUILD_SHARED_LIBS=ON', ...few);
  assert.equal((await configured).code, 0, (await configured).output);
  await cmakeSucceeds('--build', folder, '--parallel', String(os.availableParallelism()));
  const prefix = path.join(scratch, 'shared-prefix');
  await cmakeSucceeds('--install', folder, '--prefix', prefix);
  const library = path.join(folder, 'core/libbroadloom.so');

  const exported = await symbolsOf(library, '-D');
  assert.ok(exported.some((name) => name.startsWith('broadloom::v1::Apply(')));
  const internal = exported.filter(
    (name) => !name.startsWith('broadloom::v1::') || /hwy|kernels::|built::|\(anonymous/.test(name),
  );
  assert.deepEqual(internal, [], 'nothing internal is exported');

  const { output: folderOfPc } = await run('find', [prefix, '-name', 'broadloom.pc'], { capture: 'keep' });
  const pkgConfig = await run('pkg-config', ['--cflags', '--libs', 'broadloom'], {
    env: { ...env, PKG_CONFIG_PATH: path.dirname(folderOfPc.trim()) },
    capture: 'keep',
  });
  assert.equal(pkgConfig.code, 0, pkgConfig.output);
  const program = path.join(scratch, 'by-pkg-config');
  const flags = pkgConfig.output.trim().split(/\s+/);
  const rpath = flags.filter((flag) => flag.startsWith('-L')).map((flag) => `-Wl,-rpath,${flag.slice(2)}`);
  const built = await run('c++', [path.join(here, 'main.cc'), ...flags, ...rpath, '-o', program], { capture: 'keep' });
  assert.equal(built.code, 0, built.output);
  await runs(program);
});

test('Highway is in a namespace of its own', async () => {
  const symbols = await symbolsOf(inRoot('build/native/core/libbroadloom.a'));
  assert.ok(symbols.some((name) => name.startsWith('broadloom_hwy::')));
  assert.deepEqual(
    symbols.filter((name) => /(?<!\w)hwy::/.test(name)),
    [],
  );
});

test('fewer operators and types make a smaller library, whose errors name the options', async () => {
  const { folder, configured } = build('few', '-DBROADLOOM_OPERATORS=Add', '-DBROADLOOM_TYPES=f32;u8');
  assert.equal((await configured).code, 0, (await configured).output);
  await cmakeSucceeds('--build', folder, '--target', 'broadloom', '--parallel', String(os.availableParallelism()));
  const { output } = await run('size', [path.join(folder, 'core/libbroadloom.a')], { capture: 'keep' });
  const sizes = Object.fromEntries(
    [...output.matchAll(/^\s*(\d+)\s+(\d+)\s.*?(\w+)\.cc\.o/gm)].map(([, text, data, name]) => [name, +text + +data]),
  );
  for (const family of ['comparison', 'division', 'extremum', 'logic', 'power', 'selection', 'sum_mean']) {
    assert.ok(sizes[family] < 2500, `${family} has ${sizes[family]} bytes`);
  }
  const source = path.join(scratch, 'few.cc');
  writeFileSync(
    source,
    `#include <broadloom/broadloom.h>
#include <iostream>
using namespace broadloom;
template <class T>
void Try(Op op, DType dtype) {
  const T a[] = {1, 2};
  const Extents shape{2};
  const TensorView inputs[] = {{dtype, shape, a, sizeof a}, {dtype, shape, a, sizeof a}};
  const Result<Tensor> made = Apply(op, inputs);
  char text[200];
  if (made) std::cout << +made->as<T>()[1] << '\\n';
  else std::cout << std::string_view(text, Describe(made.error(), text)) << '\\n';
}
int main() {
  Try<float>(Op::kAdd, DType::kF32);
  Try<uint8_t>(Op::kAdd, DType::kU8);
  Try<double>(Op::kAdd, DType::kF64);
  Try<float>(Op::kSub, DType::kF32);
}
`,
  );
  const program = path.join(scratch, 'few-program');
  const library = path.join(folder, 'core/libbroadloom.a');
  const built = await run('c++', ['-std=c++23', `-I${inRoot('core/include')}`, source, library, '-o', program], {
    capture: 'keep',
  });
  assert.equal(built.code, 0, built.output);
  const { output: said } = await run(program, [], { capture: 'keep' });
  assert.deepEqual(said.trim().split('\n'), [
    '4',
    '4',
    'This build of the library has no kernels for f64: add it to BROADLOOM_TYPES, or leave that option empty.',
    'This build of the library has no kernels for Sub: add it to BROADLOOM_OPERATORS, or leave that option empty.',
  ]);
});

test('an unknown operator name is an error when the library is compiled', async () => {
  const { folder, configured } = build('misspelt', '-DBROADLOOM_OPERATORS=add', '-DCMAKE_CXX_FLAGS_RELEASE=-O0');
  assert.equal((await configured).code, 0, (await configured).output);
  const { code, output } = await cmake('--build', folder, '--target', 'broadloom_core', '--parallel', '1');
  assert.notEqual(code, 0);
  assert.match(output, /BROADLOOM_OPERATORS has a name that is no operator's/);
});

test('without a build type the library is optimised, and a parent project gets a warning', async () => {
  const { folder, configured } = build('untyped');
  assert.equal((await configured).code, 0, (await configured).output);
  const cache = readFileSync(path.join(folder, 'CMakeCache.txt'), 'utf8');
  assert.match(cache, /CMAKE_BUILD_TYPE:STRING=Release/);

  const parent = asSubproject(path.join(scratch, 'untyped-parent'), `-DBROADLOOM_ARCHIVES=${archives ?? ''}`);
  const { code, output } = await cmake(...parent.filter((arg) => !arg.includes('CMAKE_BUILD_TYPE')));
  assert.equal(code, 0, output);
  assert.match(output, /CMAKE_BUILD_TYPE is not set: .* Set CMAKE_BUILD_TYPE to\s+Release/s);
});

test('an archive with another hash is rejected', { skip: !archives && 'the archives are not here' }, async () => {
  const tampered = path.join(scratch, 'tampered');
  cpSync(archives, tampered, { recursive: true });
  for (const name of readdirSync(tampered)) appendFileSync(path.join(tampered, name), 'x');
  const build = path.join(scratch, 'refused');
  const { code, output } = await cmake(
    ...asSubproject(build, `-DBROADLOOM_ARCHIVES=${tampered}`, '-DFETCHCONTENT_QUIET=OFF'),
  );
  assert.notEqual(code, 0);
  assert.match(output, /hash mismatch|does not match expected/i);
});
