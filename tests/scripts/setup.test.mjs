// scripts/setup.sh on machines that lack something, simulated by a PATH with few programs: one line says what is
// missing. Cases that need a network, other permissions or a full disk are tested by hand.
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

// The programs that the script itself uses.
const basics = ['bash', 'sort', 'realpath', 'tr', 'awk', 'cut', 'sha256sum', 'uname', 'rm', 'mkdir', 'id', 'node'];

// A folder of programs: the named ones of the system, and small ones with the given output.
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

test('an unknown argument', async () => {
  const { code, lines } = await setup(programs('argument', basics), 'all');
  assert.equal(code, 1);
  assert.deepEqual(lines, ['setup: unknown argument: all (start, test or remove)']);
});

test('an emcc on PATH is used, and nothing is installed', async () => {
  const folder = withEmcc(programs('emcc', basics, buildTools), '3.1.74');
  const { code, lines } = await setup(folder);
  assert.equal(code, 0, lines.join('\n'));
  assert.deepEqual(lines, [`emscripten=${folder}`, 'archives=', 'compiled=']);
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

// Like apt-get: a file of the right size in the current folder counts as downloaded, and --print-uris omits it.
const aptGet = (repository) => `
for word do
  case $word in
    --print-uris) print=1 ;;
    update) exit 0 ;;
    unknown) exit 100 ;;
  esac
done
for file in ${repository}/*.deb; do
  name=$(basename "$file")
  size=$(wc -c <"$file")
  if [ -e "$name" ] && [ "$(wc -c <"$name")" = "$size" ]; then continue; fi
  hash=$(sha256sum "$file" | cut -d" " -f1)
  if [ "$print" ]; then echo "'file:$file' $name $size SHA256:$hash"; else echo "$name" >>${repository}/fetched; cp "$file" "$name"; fi
done`;

test('a downloaded package is used again only if its hash is the one in the package list', async () => {
  const repository = path.join(scratch, 'repository');
  const part = path.join(scratch, 'part');
  const left = path.join(part, 'download');
  const made = path.join(scratch, 'made');
  for (const folder of [repository, left]) mkdirSync(folder, { recursive: true });
  const packages = { 'whole_1_all.deb': 'whole', 'changed_1_all.deb': 'the package', 'absent_1_all.deb': 'absent' };
  for (const [name, contents] of Object.entries(packages)) writeFileSync(path.join(repository, name), contents);
  writeFileSync(path.join(left, 'whole_1_all.deb'), 'whole');
  writeFileSync(path.join(left, 'changed_1_all.deb'), 'a wrong one');
  writeFileSync(path.join(left, 'changed_0_all.deb'), 'an older version');
  writeFileSync(path.join(left, 'unknown_1_all.deb'), 'not in the list');

  const more = ['basename', 'cp', 'df', 'du', 'mv', 'tail', 'wc'];
  const PATH = programs('apt', [...basics, ...more], { 'apt-get': aptGet(repository) });
  // The script's functions. Those that need a network or real packages are replaced; the result is the downloaded
  // files.
  const functions = readFileSync(inRoot('scripts/setup.sh'), 'utf8').split('# --- Main')[0];
  const script = `${functions}
part=${part} log=${scratch}/log toolchain=${made} MEGABYTES=0
: >"$log"
configure_foreign_apt() { :; }
download_source() { :; }
unpack() { cp "$part"/download/* "$new"; }
configure_emscripten() { :; }
prove() { :; }
trap 'because "setting up" ""' ERR
make_toolchain`;
  const env = { PATH, HOME: scratch };
  const { code, output } = await run(onPath('bash'), ['-c', script], { env, capture: 'keep' });
  assert.equal(code, 0, output);

  const found = readdirSync(made).map((name) => [name, readFileSync(path.join(made, name), 'utf8')]);
  assert.deepEqual(Object.fromEntries(found), packages);
  const fetched = readFileSync(path.join(repository, 'fetched'), 'utf8').trimEnd().split('\n');
  assert.deepEqual(fetched, ['absent_1_all.deb', 'changed_1_all.deb']);
});
