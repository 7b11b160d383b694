// Random questions about shapes with unknown extents, compared with an exact oracle and with the core on numbers (check.py);
// recorded answers of systems (systems.py); the conditions that are written, run (constraints.py). The programs also run alone,
// with any number of questions.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { inRoot } from '../../scripts/paths.mjs';
import { pythonWith } from '../../scripts/python.mjs';
import { run } from '../../scripts/run.mjs';

const session = inRoot('build/native/tests/broadloom_session');

async function passes(program, ...options) {
  const python = await pythonWith('tests/requirements.txt');
  const args = [inRoot('tests/symbolic', program), '--session', session, ...options];
  const { code, output } = await run(python, args, { capture: 'keep' });
  assert.equal(code, 0, output);
}

test('no symbolic answer is wrong, and at least 99 % are as tight as they can be', () =>
  passes('check.py', '--count', '1500', '--seed', '18'));

test('systems answer as recorded and as the divergences say', () =>
  passes('systems.py', '--replay', inRoot('tests/symbolic/recorded.jsonl')));

test('conditions pass for what fits and fail for what does not; JAX takes its constraints', () =>
  passes('constraints.py', '--count', '60', '--seed', '18'));
