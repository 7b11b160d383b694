// scripts/setup.sh on machines that lack something, made of a PATH with few programs in it: one line says what is missing.
// What takes a network, other rights or a full disk is tried by hand; CONTRIBUTING says how.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';
import { onPath } from '../../scripts/toolchain.mjs';

let scratch;
before(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'broadloom-setup-'));
});
after(() => rmSync(scratch, { recursive: true }));

// What the script itself uses.
const basics = ['bash', 'sort', 'realpath', 'tr', 'awk', 'cut', 'sha256sum', 'uname', 'rm', 'mkdir', 'id', 'node'];

// A folder of programs: those of the system that are named, and small ones that answer as given.
function programs(name, fromSystem, answers = {}) {
  const folder = path.join(scratch, name);
  mkdirSync(folder);
  for (const program of fromSystem) symlinkSync(onPath(program), path.join(folder, program));
  for (const [program, answer] of Object.entries(answers)) {
    rmSync(path.join(folder, program), { force: true });
    writeFileSync(path.join(folder, program), `#!/bin/sh\n${answer}\n`);
    chmodSync(path.join(folder, program), 0o755);
  }
  return folder;
}

async function setup(PATH, what = 'start') {
  const env = { PATH, HOME: scratch, XDG_CACHE_HOME: path.join(scratch, 'cache') };
  const { code, output } = await run('bash', [inRoot('scripts/setup.sh'), what], { env, capture: 'keep' });
  return { code, lines: output.trimEnd().split('\n') };
}

function withEmcc(folder, version) {
  writeFileSync(path.join(folder, 'emcc'), '#!/bin/sh\n');
  chmodSync(path.join(folder, 'emcc'), 0o755);
  writeFileSync(path.join(folder, 'emscripten-version.txt'), `"${version}"\n`);
  return folder;
}

const buildTools = { cmake: 'echo cmake version 3.30.1', ninja: '', python3: '' };

test('an old Node', async () => {
  const { code, lines } = await setup(programs('old-node', basics, { node: 'echo v18.20.0' }));
  assert.equal(code, 1);
  assert.deepEqual(lines, ['setup: Node.js 18.20.0 is too old: install Node 20.19 or later, with npm']);
});

test('an argument that is none', async () => {
  const { code, lines } = await setup(programs('argument', basics), 'all');
  assert.equal(code, 1);
  assert.deepEqual(lines, ['setup: unknown argument: all (start, test or remove)']);
});

test('an emcc on PATH is used, and nothing is set up', async () => {
  const folder = withEmcc(programs('emcc', basics, buildTools), '3.1.74');
  const { code, lines } = await setup(folder);
  assert.equal(code, 0, lines.join('\n'));
  assert.deepEqual(lines, [`emscripten=${folder}`, 'archives=']);
  assert.ok(!existsSync(path.join(scratch, 'cache')));
});

test('an old CMake', async () => {
  const folder = withEmcc(
    programs('old-cmake', basics, { ...buildTools, cmake: 'echo cmake version 3.18.4' }),
    '4.0.0',
  );
  const { code, lines } = await setup(folder);
  assert.equal(code, 1);
  assert.deepEqual(lines, ['setup: CMake 3.18.4 is too old: install CMake 3.25 or later']);
});
