// The port of `npm start`: the one given by PORT, else the next free one.
import assert from 'node:assert/strict';
import { mkdtempSync, rmdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Failure } from '../../scripts/fail.mjs';
import { portFrom, serveOnPort } from '../../scripts/port.mjs';
import { serve } from '../../scripts/serve.mjs';

let folder, taken;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-port-'));
  taken = await serve(folder);
});
after(() => {
  taken.close();
  rmdirSync(folder);
});

test('the values of PORT', () => {
  assert.equal(portFrom(undefined), undefined);
  assert.equal(portFrom(''), undefined);
  assert.equal(portFrom('0'), 0);
  assert.equal(portFrom('65535'), 65535);
  for (const text of ['65536', '-1', '80a', '8080.5', ' 80', '0x50', '1e3']) {
    assert.throws(() => portFrom(text), { constructor: Failure, message: /^PORT must be a number from 0 .* not "/ });
  }
});

test('a taken port: the next one, unless PORT gives it', async () => {
  const { port } = taken.address();
  const next = await serveOnPort(folder, undefined, port);
  assert.ok(next.address().port > port);
  next.close();
  await assert.rejects(serveOnPort(folder, port), {
    constructor: Failure,
    message: `port ${port} is taken: set PORT to another one`,
  });
});
