// Which versions of Python newer-pythons.mjs finds.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { newerPythons } from '../../scripts/newer-pythons.mjs';

test('commands that work are found, and the others are named', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-pythons-'));
  try {
    const add = (place, name, text) => {
      mkdirSync(path.join(folder, place), { recursive: true });
      writeFileSync(path.join(folder, place, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    };
    add('shims', 'python3.11', 'echo 3.11.9');
    add('shims', 'python3.12', 'exit 127');
    add('bin', 'python3.12', 'echo 3.12.4');
    add('shims', 'python3.13', 'exit 127');
    add('bin', 'python3.15', 'echo 3.15.0');
    add('bin', 'python3.15-config', 'echo none');
    const { found, missing } = await newerPythons(
      ['shims', 'none', 'bin'].map((name) => path.join(folder, name)).join(':'),
    );
    assert.deepEqual(found, [
      { command: path.join(folder, 'bin/python3.12'), version: '3.12.4' },
      { command: path.join(folder, 'bin/python3.15'), version: '3.15.0' },
    ]);
    assert.equal(missing.length, 2);
    assert.match(missing[0], /^Python 3\.13: .*shims\/python3\.13 does not work/);
    assert.match(missing[1], /^Python 3\.14: there is no python3\.14/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
