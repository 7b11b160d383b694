// A step runs again only if its inputs or outputs differ from those of its last success.
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

test('a step runs when it must', async () => {
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
  assert.equal(await ranTimes(), 1, 'first run');
  assert.equal(await ranTimes(), 0, 'nothing changed');
  write('in/a', '12');
  assert.equal(await ranTimes(), 1, 'an input changed');
  write('in/sub/b', '1');
  assert.equal(await ranTimes(), 1, 'a new input');
  rmSync(path.join(folder, 'in/sub/b'));
  assert.equal(await ranTimes(), 1, 'a removed input');
  write('in/skipped/c', '1');
  assert.equal(await ranTimes(), 0, 'a skipped file is not an input');
  rmSync(path.join(folder, 'out'), { recursive: true });
  assert.equal(await ranTimes(), 1, 'the output was removed');

  write('in/a', '123');
  const fails = () => Promise.reject(new Error('failed'));
  await assert.rejects(ranTimes(fails));
  assert.equal(await ranTimes(), 1, 'the last run failed');
});
