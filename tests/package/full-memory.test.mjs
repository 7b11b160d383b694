// Every public call with the module's memory full: an error of the package, nothing printed, nothing leaked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startInside } from './inside.mjs';
import { CALLS, outcomeOf } from './public-calls.mjs';

test('with the memory full', () => {
  const script = fileURLToPath(new URL('starve.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--wasm-max-mem-pages=100', script], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(stdout, '{}');
  assert.equal(status, 0);
});

test('with each allocation refused in turn', (t) => {
  t.mock.method(console, 'error');
  t.mock.method(console, 'warn');
  let refused = 0;
  for (const [name, call] of Object.entries(CALLS)) {
    const expected = outcomeOf(call, startInside().bl);
    let { bl, core } = startInside();
    for (let allocations = 0; ; ++allocations) {
      assert.ok(allocations < 1000, name);
      core.refuseAfter(allocations);
      const outcome = outcomeOf(call, bl);
      core.refuseAfter(-1);
      assert.deepEqual([bl.memory().held, bl.memory().tensors], [0, 0], `${name}, allocation ${allocations}`);
      if (outcome.code !== 'allocation') {
        assert.deepEqual(outcome, expected, name);
        break;
      }
      ++refused;
      // Everything kept from earlier calls still works.
      assert.deepEqual(outcomeOf(call, bl), expected, `${name}, after allocation ${allocations} was refused`);
      ({ bl, core } = startInside());
    }
  }
  assert.ok(refused > 60, `${refused} allocations were refused`);
  assert.deepEqual([console.error.mock.callCount(), console.warn.mock.callCount()], [0, 0]);
});
