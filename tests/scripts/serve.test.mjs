// The static server of `npm start` and of the browser tests.
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../../scripts/serve.mjs';

let folder, server;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-serve-'));
  mkdirSync(path.join(folder, 'site/sub'), { recursive: true });
  writeFileSync(path.join(folder, 'secret'), 'secret');
  writeFileSync(path.join(folder, 'site/index.html'), '<p>page</p>');
  writeFileSync(path.join(folder, 'site/core.wasm'), 'wasm');
  writeFileSync(path.join(folder, 'site/app.mjs'), 'app');
  writeFileSync(path.join(folder, 'site/sub/index.html'), '<p>sub</p>');
  mkdirSync(path.join(folder, 'site/sub/assets'));
  for (const name of ['index-CmNvIR3K.js', 'index.js', 'index-none.js'])
    writeFileSync(path.join(folder, 'site/sub/assets', name), name);
  symlinkSync('../secret', path.join(folder, 'site/link'));
  server = await serve(path.join(folder, 'site'));
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

// Unlike fetch, this sends the path unchanged.
function ask(target, { method = 'GET', headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port: server.address().port, path: target, method, headers, agent: false });
    request.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    request.end();
  });
}

test('content types, and the page at the root', async () => {
  const page = await ask('/?shapes=2,3');
  assert.equal(page.body, '<p>page</p>');
  assert.match(page.headers['content-type'], /^text\/html/);
  assert.equal((await ask('/core.wasm')).headers['content-type'], 'application/wasm');
  assert.match((await ask('/app.mjs')).headers['content-type'], /^text\/javascript/);
});

test('files are revalidated, with a short answer if nothing changed', async () => {
  const { headers } = await ask('/core.wasm');
  assert.equal(headers['cache-control'], 'no-cache');
  const again = await ask('/core.wasm', { headers: { 'If-None-Match': headers.etag } });
  assert.deepEqual([again.status, again.body], [304, '']);
});

test('only files named by their contents are cached permanently', async () => {
  const kept = async (target) => (await ask(target)).headers['cache-control'];
  assert.equal(await kept('/sub/assets/index-CmNvIR3K.js'), 'public, max-age=31536000, immutable');
  for (const target of [
    '/sub/assets/index.js',
    '/sub/assets/index-none.js',
    '/sub/',
    '/index.html?/assets/a-CmNvIR3K.js',
  ])
    assert.equal(await kept(target), 'no-cache', target);
});

test('HEAD has no body, and other methods are rejected', async () => {
  const head = await ask('/core.wasm', { method: 'HEAD' });
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '4']);
  assert.equal((await ask('/core.wasm', { method: 'PUT' })).status, 405);
});

test('parts of files', async () => {
  const part = async (range) => {
    const { status, body, headers } = await ask('/core.wasm', { headers: { Range: range } });
    return [status, body, headers['content-range'] ?? null];
  };
  assert.deepEqual(await part('bytes=1-2'), [206, 'as', 'bytes 1-2/4']);
  assert.deepEqual(await part('bytes=2-'), [206, 'sm', 'bytes 2-3/4']);
  assert.deepEqual(await part('bytes=2-99'), [206, 'sm', 'bytes 2-3/4']);
  assert.deepEqual(await part('bytes=-3'), [206, 'asm', 'bytes 1-3/4']);
  assert.deepEqual(await part('bytes=-9'), [206, 'wasm', 'bytes 0-3/4']);
  assert.deepEqual(await part('bytes=4-'), [416, '', 'bytes */4']);
  assert.deepEqual(await part('bytes=-0'), [416, '', 'bytes */4']);
  // Ignored: several parts, and what is no range.
  for (const range of ['bytes=0-0,2-2', 'bytes=2-1', 'bytes=-', 'bytes=x-', 'lines=1-2', ''])
    assert.deepEqual(await part(range), [200, 'wasm', null], range);
  const head = await ask('/core.wasm', { method: 'HEAD', headers: { Range: 'bytes=1-2' } });
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [206, '', '2']);
  writeFileSync(path.join(folder, 'site/empty'), '');
  assert.deepEqual([(await ask('/empty')).status, (await ask('/empty')).body], [200, '']);
  assert.equal((await ask('/empty', { headers: { Range: 'bytes=-5' } })).status, 416);
});

test('a second folder is served below /data/', async () => {
  const data = path.join(folder, 'arrays');
  mkdirSync(path.join(data, 'a.zarr/assets'), { recursive: true });
  writeFileSync(path.join(data, 'a.zarr/zarr.json'), '{}');
  writeFileSync(path.join(data, 'a.zarr/assets/c-CmNvIR3K.js'), 'chunk');
  writeFileSync(path.join(data, 'a.zarr/index.html'), 'page');
  symlinkSync('../../secret', path.join(data, 'a.zarr/link'));
  const first = server;
  server = await serve(path.join(folder, 'site'), 0, data);
  try {
    assert.equal((await ask('/data/a.zarr/zarr.json')).body, '{}');
    assert.equal((await ask('/')).body, '<p>page</p>');
    const chunk = await ask('/data/a.zarr/assets/c-CmNvIR3K.js');
    assert.deepEqual([chunk.body, chunk.headers['cache-control']], ['chunk', 'no-cache']);
    for (const target of [
      '/data',
      '/data/',
      '/data/a.zarr',
      '/data/a.zarr/none',
      '/data/a.zarr/link',
      '/data/../secret',
    ])
      assert.equal((await ask(target)).status, 404, target);
  } finally {
    server.close();
    server = first;
  }
  assert.equal((await ask('/data/a.zarr/zarr.json')).status, 404);
});

test('folders redirect to their index', async () => {
  const redirect = await ask('/sub');
  assert.deepEqual([redirect.status, redirect.headers.location], [308, './sub/']);
  assert.equal((await ask('/sub/')).body, '<p>sub</p>');
});

// The files below the served folder that are open in this process, which is the server.
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`).startsWith(folder);
    } catch {
      return false; // closed meanwhile
    }
  });

test(
  'a client that aborts leaves no file open',
  { skip: !existsSync('/proc/self/fd') && 'there is no /proc to see open files in' },
  async () => {
    writeFileSync(path.join(folder, 'site/large.bin'), Buffer.alloc(64 * 2 ** 20));
    const abort = () =>
      new Promise((resolve) => {
        const request = http.get({ port: server.address().port, path: '/large.bin', agent: false }, (response) => {
          response.once('data', () => request.destroy());
          response.on('error', () => {}).on('close', resolve);
        });
        request.on('error', () => {});
      });
    for (let round = 0; round < 5; ++round) await Promise.all(Array.from({ length: 20 }, abort));
    const end = Date.now() + 20_000;
    while (openFiles().length > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(openFiles(), []);
    assert.equal((await ask('/')).status, 200);
  },
);

for (const target of [
  '/../secret',
  '/%2e%2e/secret',
  '/..%2fsecret',
  '/sub/../../secret',
  '//../secret',
  '/link',
  '/%00',
  '/%',
  '/none',
  '/app.mjs/',
]) {
  test(`not served: ${target}`, async () => {
    const { status, body } = await ask(target);
    assert.deepEqual([status, body], [404, '']);
  });
}
