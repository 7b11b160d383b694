// A step runs again when its inputs or outputs are not those of its last success, and only then.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inRoot, root } from '../../scripts/paths.mjs';
import { whenChanged } from '../../scripts/stamp.mjs';

let folder, step;
before(() => {
  mkdirSync(inRoot('build'), { recursive: true });
  folder = mkdtempSync(inRoot('build/stamp-test-'));
  step = path.basename(folder);
});
after(() => {
  rmSync(folder, { recursive: true });
  rmSync(inRoot('build/stamps', step), { force: true });
});

const write = (name, text) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};

test('a step runs when it has to', async () => {
  let runs = 0;
  const within = (name) => path.join(path.relative(root, folder), name);
  const places = { inputs: [within('in')], outputs: [within('out')], skipped: ['skipped'] };
  const build = async () => {
    ++runs;
    write('out/result', `${runs}`);
  };
  const ranTimes = async (action = build) => {
    const before = runs;
    await whenChanged(step, places, action);
    return runs - before;
  };

  write('in/a', '1');
  assert.equal(await ranTimes(), 1, 'the first time');
  assert.equal(await ranTimes(), 0, 'nothing changed');
  write('in/a', '12');
  assert.equal(await ranTimes(), 1, 'an input changed');
  write('in/sub/b', '1');
  assert.equal(await ranTimes(), 1, 'an input is new');
  rmSync(path.join(folder, 'in/sub/b'));
  assert.equal(await ranTimes(), 1, 'an input is gone');
  write('in/skipped/c', '1');
  assert.equal(await ranTimes(), 0, 'what is skipped is no input');
  rmSync(path.join(folder, 'out'), { recursive: true });
  assert.equal(await ranTimes(), 1, 'the output is gone');

  write('in/a', '123');
  const fails = () => Promise.reject(new Error('failed'));
  await assert.rejects(ranTimes(fails));
  assert.equal(await ranTimes(), 1, 'it failed the last time');
});
