// Other people's projects: one that finds the installed package, one that takes the sources by FetchContent.
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
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
// Without this folder, so that nothing but what is said is found.
const env = { ...process.env };
delete env.BROADLOOM_ARCHIVES;

let scratch;
before(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'broadloom-consumer-'));
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
  // Moved after it was installed: the package knows no absolute path.
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

// An old Highway that a system may have: too old to be taken.
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
  // Few SIMD targets and no optimisation: this is about linking.
  '-DBROADLOOM_DISABLED_TARGETS=HWY_SSSE3|HWY_SSE4|HWY_AVX2|HWY_AVX3|HWY_AVX3_DL|HWY_AVX3_ZEN4|HWY_AVX3_SPR',
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

test('an archive with another hash is refused', { skip: !archives && 'the archives are not here' }, async () => {
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
