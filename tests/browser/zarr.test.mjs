// Operands that are Zarr arrays: opened by path or link, read chunk by chunk for what is shown, and everything that can go
// wrong with them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import blosc from 'numcodecs/blosc';
import lz4 from 'numcodecs/lz4';
import zstd from 'numcodecs/zstd';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inRoot } from '../../scripts/paths.mjs';
import { ownHost } from '../../scripts/serve.mjs';
import { imported } from './modules.mjs';
import { answer, arrived, follow, openPlayground } from './playground.mjs';
import { indexesOf, types, zarrFiles } from './zarr-files.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

// The files that the server has below /data: a file's bytes, or a function from a request to an answer (playwright's `fulfill`).
const html = { status: 200, contentType: 'text/html; charset=utf-8', body: '<!doctype html><title>Not found</title>' };

// Opens the page at a link, beside arrays given as `{ name: files }`. `asked` lists the requests for their files.
async function openBeside(arrays, fragment = '', options = {}) {
  const files = new Map(
    Object.entries(arrays).flatMap(([name, own]) => [...own].map(([file, bytes]) => [`${name}/${file}`, bytes])),
  );
  const asked = [];
  const page = await playground.open('', options);
  page.on('requestfailed', (request) => {
    const own = asked.find((each) => each.request === request);
    if (own) own.failed = true;
  });
  await page.route('**/data/**', async (route) => {
    const request = route.request();
    const file = decodeURIComponent(new URL(request.url()).pathname).replace(/^.*?\/data\//, '');
    const range = request.headers().range;
    const entry = { file, range, request, bytes: 0 };
    asked.push(entry);
    const found = files.get(file);
    if (found === undefined) return route.fulfill({ status: 404, body: 'no such file' });
    if (typeof found === 'function') return route.fulfill(await found(request, route)).catch(() => undefined);
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    const body =
      first === undefined
        ? found
        : first === ''
          ? found.subarray(-Number(last))
          : found.subarray(first, Number(last) + 1);
    entry.bytes = body.length;
    return route.fulfill({ status: range ? 206 : 200, contentType: 'application/octet-stream', body });
  });
  if (fragment) await follow(page, fragment);
  return { page, asked, files };
}

const link = (inputs, { rule = 'numpy', op = 'Add', type = 'f32', more = '' } = {}) =>
  `v=1&rule=${rule}&op=${op}&type=${type}${inputs.map(([shape]) => `&in=(${shape})`).join('')}${inputs.map(([, values = '']) => `&x=${values}`).join('')}${more}`;

const cells = (page, id) =>
  page
    .locator(`#grid-${id} [role=gridcell]`)
    .evaluateAll((all) => all.map((cell) => ({ index: cell.dataset.index, text: cell.textContent.trim() })));

// Waits until no element in sight is being read.
async function read(page) {
  await arrived(page);
  await page.waitForFunction(
    () => ![...document.querySelectorAll('[role=gridcell]')].some((cell) => cell.textContent.includes('…')),
  );
  await arrived(page);
}

// The faults that a server's error makes a browser write on its console are not the page's.
const unexpected = () =>
  playground.faults.splice(0).filter((fault) => !/Failed to load resource: (?:the server responded|net::)/.test(fault));

const row = (page) => page.locator('[data-operand="0"]');
const message = (page) => row(page).locator('.message').innerText();
const shows = (page) => page.getAttribute('#answer', 'data-shows');

async function openByHand(page, text, { operand = 0 } = {}) {
  if ((await page.locator(`#values-${operand}`).count()) === 0) await page.click(`#details-${operand}`);
  await page.selectOption(`#values-${operand}`, 'zarr');
  await page.fill(`#zarr-${operand}`, text);
  await page.press(`#zarr-${operand}`, 'Enter');
  await page.waitForSelector('.zarr button:not([aria-disabled="true"]), [aria-expanded="true"]:not(.zarr *)');
  await arrived(page);
}

// Element [i, j, k] of the arrays below; each is another whole number.
const numbered = (index) => index.reduce((sum, at) => sum * 10 + at, 0);

test('an array of either version becomes an operand: shape, names, type and the values that are shown', async () => {
  const array = { shape: [3, 4, 5], chunks: [2, 3, 2], valueAt: numbered, names: ['time', 'lat', 'lon'], dtype: 'i32' };
  for (const version of [2, 3]) {
    const { page, asked } = await openBeside(
      { 'volume.zarr': zarrFiles({ ...array, version }) },
      link([['2'], ['4, 1']]),
    );
    await openByHand(page, '/data/volume.zarr/');
    assert.equal(await page.inputValue('#operand-0'), '(time=3, lat=4, lon=5)');
    assert.match(await page.innerText('#details-0'), /^i32 · data\/volume\.zarr$/);
    assert.match(await shows(page), /x=zarr:data\/volume\.zarr/);
    // B has the array's type, so that the shapes are all that is asked about.
    await page.selectOption('#dtype', 'i32');
    await read(page);
    const at = await page.evaluate(() =>
      Number(/&at=(\d+)/.exec(document.querySelector('#answer').dataset.shows)?.[1] ?? 0),
    );
    const shown = await cells(page, 'result');
    assert.equal(shown.length, 20);
    for (const { index, text } of shown) {
      const [i, j, k] = index.split(',').map(Number);
      assert.equal(i, at);
      assert.equal(text, String(numbered([i, j, k]) + 10 * (j + 1)), `version ${version}, [${index}]`);
    }
    assert.ok(asked.every(({ file }) => file.startsWith('volume.zarr/')));
    await page.context().close();
  }
  assert.deepEqual(unexpected(), []);
});

test('only the chunks of the slice that is shown are requested, each once', async () => {
  const shape = [6, 4, 6];
  const array = zarrFiles({ shape, chunks: [1, 2, 3], valueAt: numbered });
  const chunk = 4 * 6;
  const { page, asked } = await openBeside(
    { 'v.zarr': array },
    link([['6, 4, 6', 'zarr:data/v.zarr'], ['4, 1']], { more: '&at=2,0,0' }),
  );
  await read(page);
  const chunks = () => asked.filter(({ file }) => !file.endsWith('.json'));
  const slice = (i) => [0, 1].flatMap((j) => [0, 1].map((k) => `v.zarr/c/${i}/${j}/${k}`));
  assert.deepEqual(
    chunks()
      .map(({ file }) => file)
      .sort(),
    slice(2),
  );
  assert.equal(
    chunks().reduce((sum, { bytes }) => sum + bytes, 0),
    4 * chunk,
  );
  assert.equal(asked.length, 5); // and the metadata
  // Another slice, and the first one again, which is kept.
  await follow(page, (await shows(page)).replace('at=2,0,0', 'at=5,0,0'));
  await read(page);
  assert.deepEqual(
    chunks()
      .map(({ file }) => file)
      .sort(),
    [...slice(2), ...slice(5)],
  );
  await follow(page, (await shows(page)).replace('at=5,0,0', 'at=2,1,1'));
  await read(page);
  assert.equal(chunks().length, 8);
  for (const { index, text } of await cells(page, 'result')) {
    const [i, j, k] = index.split(',').map(Number);
    assert.equal(text, String(numbered([i, j, k]) + 10 * (j + 1)));
  }
  // Rows along the first axis: one chunk of each slice, of which two are there.
  await follow(page, `${await shows(page)}&rows=0&columns=2`);
  await read(page);
  assert.equal(chunks().length, 8 + 4 * 2);
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('of a large array, what is in sight is read, and the overview reads nothing', async () => {
  const [rows, columns] = [4000, 3000];
  const files = new Map();
  const small = zarrFiles({ shape: [1, 1], chunks: [1, 1], valueAt: () => 0 });
  const metadata = JSON.parse(small.get('zarr.json'));
  const chunk = [50, 50];
  metadata.shape = [5, rows, columns];
  metadata.chunk_grid.configuration.chunk_shape = [1, ...chunk];
  files.set('zarr.json', Buffer.from(JSON.stringify(metadata)));
  for (const j of Array(rows / 50).keys())
    for (const k of Array(columns / 50).keys())
      files.set(
        `c/3/${j}/${k}`,
        Buffer.from(Float32Array.from({ length: 2500 }, (_, i) => j * 100 + k + i / 10000).buffer),
      );
  const { page, asked } = await openBeside(
    { 'large.zarr': files },
    link([[`5, ${rows}, ${columns}`, 'zarr:data/large.zarr'], [`${rows}, 1`]], { more: '&at=3,2000,1500' }),
  );
  await page.waitForFunction(() =>
    /= [\d.]+$/.test(document.querySelector('.in-hand')?.getAttribute('aria-label') ?? ''),
  );
  await arrived(page);
  const values = await page.innerText('#arithmetic, .feeds-list');
  assert.ok(values.length > 0);
  assert.equal(
    await page.getAttribute('.in-hand', 'aria-label'),
    `result [3, 2000, 1500] = ${Math.fround(Math.fround(40 * 100 + 30) + 20010)}`,
  );
  // In sight are some 20 x 20 cells, read in blocks of 32 x 32: 2 x 2 chunks at most in each block.
  const places = asked.filter(({ file }) => file.includes('/c/')).map(({ file }) => file);
  assert.ok(places.length >= 1 && places.length <= 16, places.join(' '));
  assert.ok(
    places.every((place) => /\/c\/3\/(?:39|4[01])\/(?:29|3[01])$/.test(place)),
    places.join(' '),
  );
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('every element type, byte order, order of axes, codec and shards', async () => {
  const whole = (index) => (numbered(index) * 7) % 100;
  const packed = (Codec, configuration) => ({ configuration, codec: Codec.fromConfig(configuration) });
  const coded = {
    blosc: packed(blosc, { cname: 'lz4', clevel: 5, shuffle: 1, blocksize: 0 }),
    lz4: packed(lz4, { acceleration: 1 }),
    zstd: packed(zstd, { level: 1 }),
  };
  const arrays = {};
  const expected = new Map();
  const add = (name, array) => {
    arrays[name] = zarrFiles({ shape: [3, 4], chunks: [2, 3], valueAt: whole, ...array });
    expected.set(name, array);
  };
  for (const dtype of Object.keys(types)) {
    add(`${dtype}-2.zarr`, { dtype, version: 2 });
    add(`${dtype}-3.zarr`, { dtype, version: 3 });
  }
  for (const version of [2, 3]) {
    add(`big-${version}.zarr`, { dtype: 'i16', version, big: true });
    add(`columns-${version}.zarr`, { version, order: 'F' });
    add(`gzip-${version}.zarr`, { version, codec: 'gzip' });
    for (const [name, { configuration, codec }] of Object.entries(coded)) {
      if (version === 3 && name === 'lz4') continue; // Version 3 has no such codec.
      const chunks = new Map();
      const plain = zarrFiles({ shape: [3, 4], chunks: [2, 3], valueAt: whole, version });
      for (const [file, bytes] of plain)
        if (/^(?:c\/|\d)/.test(file))
          chunks.set(bytes.toString('hex'), Buffer.from(await codec.encode(new Uint8Array(bytes))));
      const inMetadata =
        name === 'blosc' && version === 3 ? { ...configuration, shuffle: 'shuffle', typesize: 4 } : configuration;
      add(`${name}-${version}.zarr`, {
        version,
        codec: { name, configuration: inMetadata, pack: (bytes) => chunks.get(bytes.toString('hex')) },
      });
    }
  }
  add('zlib-2.zarr', { version: 2, codec: 'zlib' });
  add('shards.zarr', { chunks: [4, 6], inner: [2, 3], codec: 'gzip', shape: [3, 4] });
  const { page } = await openBeside(arrays, link([['3, 4']], { op: 'Max' }));
  for (const [name, { dtype = 'f32' }] of expected) {
    const op = dtype === 'bool' ? 'And' : 'Max';
    await follow(
      page,
      `v=1&rule=numpy&op=${op}&type=${dtype}&in=(3,4)&in=()&x=zarr:data/${name}&x=constant:${dtype === 'bool' ? 'true' : 0}&at=0,0`,
    );
    await read(page);
    const found = (await cells(page, 0)).map(({ text }) => text);
    const right = indexesOf([3, 4]).map((index) => String(dtype === 'bool' ? whole(index) !== 0 : whole(index)));
    assert.deepEqual(found, right, name);
  }
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('under every rule the slice that is shown has the elements that feed it', async () => {
  const files = zarrFiles({ shape: [3, 4], chunks: [2, 2], valueAt: numbered });
  const { page } = await openBeside({ 'b.zarr': files }, link([['3, 4', 'zarr:data/b.zarr'], ['3, 4']]));
  // Which element of the array feeds a cell, by index arithmetic.
  const cases = [
    [
      'v=1&rule=pdpd&op=Add&type=f32&in=(2,3,4,5)&in=(3,4)&x=constant:0&x=zarr:data/b.zarr&axis=1&at=1,2,1,0&rows=1&columns=2',
      ([, j, k]) => [j, k],
    ],
    [
      'v=1&rule=explicit&op=Broadcast&type=f32&in=(3,4)&x=zarr:data/b.zarr&target=(3,2,4)&mapping=[0,2]&at=2,1,3',
      ([i, , k]) => [i, k],
    ],
    [
      'v=1&rule=onnx_unidirectional&op=PRelu&type=f32&in=(2,3,4)&in=(3,4)&x=constant:-1&x=zarr:data/b.zarr&at=1,0,0',
      ([, j, k]) => [j, k],
      -1,
    ],
    [
      'v=1&rule=broadcast_numpy&op=Broadcast&type=f32&in=(3,4)&x=zarr:data/b.zarr&target=(2,3,4)&at=1,0,0',
      ([, j, k]) => [j, k],
    ],
  ];
  for (const [fragment, sourceOf, factor = 1] of cases) {
    await follow(page, fragment);
    await read(page);
    const shown = await cells(page, 'result');
    assert.ok(shown.length >= 4, fragment);
    for (const { index, text } of shown)
      assert.equal(
        Number(text) + 0,
        factor * numbered(sourceOf(index.split(',').map(Number))) + 0,
        `${fragment} [${index}]`,
      );
  }
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('missing chunks have the fill value, and the page says so', async () => {
  const files = zarrFiles({
    shape: [4, 4],
    chunks: [2, 2],
    valueAt: numbered,
    fill: 7.5,
    lacks: ([i, j]) => i === 1 && j === 0,
  });
  const { page } = await openBeside({ 'gaps.zarr': files }, link([['4, 4', 'zarr:data/gaps.zarr'], ['4']]));
  await read(page);
  assert.equal(
    await row(page).locator('[role=status]').innerText(),
    'Of 4 chunks read, 1 is not stored: its elements are the fill value, 7.5.',
  );
  for (const { index, text } of await cells(page, 0)) {
    const [i, j] = index.split(',').map(Number);
    assert.equal(text, String(i >= 2 && j < 2 ? 7.5 : numbered([i, j])));
  }
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('a chunk that cannot be read is named; the others are shown, and the page goes on', async () => {
  const array = { shape: [4, 4], chunks: [2, 2], valueAt: numbered };
  const wrong = (change, more = {}) => {
    const files = zarrFiles({ ...array, ...more });
    files.set('c/1/0', change(files.get('c/1/0')));
    return files;
  };
  const arrays = {
    'short.zarr': wrong((bytes) => bytes.subarray(0, 7)),
    'empty.zarr': wrong(() => Buffer.alloc(0)),
    'long.zarr': wrong((bytes) => Buffer.concat([bytes, bytes])),
    'endless.zarr': wrong(() => Buffer.alloc(3 * 2 ** 20)),
    'gzip.zarr': wrong((bytes) => bytes.subarray(0, 12), { codec: 'gzip' }),
    'noise.zarr': wrong(() => Buffer.from('not gzip at all'), { codec: 'gzip' }),
    'error.zarr': wrong(() => () => ({ status: 503, body: 'busy' })),
    'denied.zarr': wrong(() => () => ({ status: 403, body: 'no' })),
    'page.zarr': wrong(() => () => html),
  };
  const says = {
    'short.zarr': /The chunk \[1, 0\] of data\/short\.zarr is truncated or damaged: it holds 1 of 4 elements\./,
    'empty.zarr': /The chunk \[1, 0\] .* truncated or damaged: it holds 0 of 4 elements\./,
    'long.zarr': /The chunk \[1, 0\] .* truncated or damaged: it holds 8 of 4 elements\./,
    'endless.zarr': /data\/endless\.zarr\/c\/1\/0 is larger than what belongs there, /,
    'gzip.zarr': /The chunk \[1, 0\] .* cannot be decoded \(codec gzip\): it is truncated or damaged\./,
    'noise.zarr': /The chunk \[1, 0\] .* cannot be decoded \(codec gzip\): it is truncated or damaged\./,
    'error.zarr': /The server answers with error 503 to data\/error\.zarr\/c\/1\/0\./,
    'denied.zarr': /The server answers with error 403 to data\/denied\.zarr\/c\/1\/0\./,
    'page.zarr': /The server answers with a web page \(HTML\) in place of the chunk data\/page\.zarr\/c\/1\/0\./,
  };
  const { page, files } = await openBeside(arrays, '');
  for (const [name, pattern] of Object.entries(says)) {
    await follow(page, link([['4, 4', `zarr:data/${name}`], ['4']]));
    await page.waitForFunction(
      ([source]) =>
        new RegExp(source).test(document.querySelector('[data-operand="0"] [role=status]')?.innerText ?? ''),
      [pattern.source],
    );
    await arrived(page);
    for (const id of [0, 'result'])
      for (const { index, text } of await cells(page, id)) {
        const [i, j] = index.split(',').map(Number);
        const known = numbered([i, j]) + (id === 'result' ? 10 * (j + 1) : 0);
        assert.equal(text, i >= 2 && j < 2 ? '…' : String(known), `${name} ${id} [${index}]`);
      }
    assert.equal((await answer(page)).fits, true);
  }
  // Another view asks again for what failed.
  files.set('page.zarr/c/1/0', zarrFiles(array).get('c/1/0'));
  await page.locator('#grid-result [role=gridcell]').nth(3).click();
  await read(page);
  assert.equal(await row(page).locator('[role=status]').count(), 0);
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('an array that cannot be opened is refused in the place of the operand, which stays as it was', async () => {
  const sound = zarrFiles({ shape: [2], chunks: [2], valueAt: numbered });
  const metadata = JSON.parse(sound.get('zarr.json'));
  const changed = (change) => new Map([['zarr.json', Buffer.from(JSON.stringify({ ...metadata, ...change }))]]);
  const grid = (extents) => ({ chunk_grid: { name: 'regular', configuration: { chunk_shape: extents } } });
  const codecs = (...own) => ({ codecs: [...metadata.codecs, ...own] });
  const second = JSON.parse(zarrFiles({ version: 2, shape: [2], chunks: [2], valueAt: numbered }).get('.zarray'));
  const changedSecond = (change) => new Map([['.zarray', Buffer.from(JSON.stringify({ ...second, ...change }))]]);
  const text = (body) => new Map([['zarr.json', Buffer.from(body)]]);
  const cases = [
    ['', {}, /Type the address of a Zarr array/],
    [
      'https://example.org/a.zarr',
      {},
      /is not of this page’s own origin, http:\/\/localhost:\d+\. The page makes no requests to other origins: its content security policy forbids them\. .*--data/,
    ],
    ['//example.org/a.zarr', {}, /is not of this page’s own origin/],
    ['s3://bucket/a.zarr', {}, /is not of this page’s own origin/],
    ['file:///tmp/a.zarr', {}, /is not of this page’s own origin/],
    ['javascript:alert(1)', {}, /is not of this page’s own origin/],
    ['http://[', {}, /is not an address/],
    ['data/a.zarr?x=1', {}, /has a \? or #/],
    [`data/${'a'.repeat(2000)}`, {}, /The address has 2,005 letters/],
    [
      'data/none.zarr',
      {},
      /There is no Zarr array at data\/none\.zarr: the server has neither zarr\.json nor \.zarray there\./,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': new Map([['zarr.json', () => html]]) },
      /There is no Zarr array at .* answers with a web page \(HTML\) instead/,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': new Map([['zarr.json', () => ({ status: 500, body: '' })]]) },
      /The server answers with error 500 to data\/a\.zarr\/zarr\.json\./,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': new Map([['zarr.json', (_, route) => route.abort()]]) },
      /zarr\.json cannot be fetched: the server or the network does not answer\./,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': text('{"zarr_format": 3, "node_type": "group"}') },
      /is a Zarr group: add the name of an array in it/,
    ],
    ['data/a.zarr', { 'a.zarr': new Map([['.zgroup', Buffer.from('{"zarr_format": 2}')]]) }, /is a Zarr group/],
    ['data/a.zarr', { 'a.zarr': text('{"zarr_fo') }, /The metadata of data\/a\.zarr cannot be read/],
    ['data/a.zarr', { 'a.zarr': text('null') }, /The metadata of data\/a\.zarr cannot be read/],
    ['data/a.zarr', { 'a.zarr': text(' '.repeat(5 * 2 ** 20)) }, /zarr\.json is larger than what belongs there/],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ data_type: 'string' }) },
      /The elements of data\/a\.zarr are string, which this page does not compute with/,
    ],
    ['data/a.zarr', { 'a.zarr': changed({ data_type: 'complex64' }) }, /The elements of data\/a\.zarr are complex64/],
    ['data/a.zarr', { 'a.zarr': changed({ data_type: { name: 'x' } }) }, /cannot be read/],
    ['data/a.zarr', { 'a.zarr': changedSecond({ dtype: '<U8' }) }, /The elements of data\/a\.zarr are v2:U8/],
    ['data/a.zarr', { 'a.zarr': changedSecond({ dtype: '<M8[ns]' }) }, /The elements of data\/a\.zarr are <M8\[ns\]/],
    [
      'data/a.zarr',
      { 'a.zarr': changed(codecs({ name: 'zfp_y', configuration: {} })) },
      /is stored with the codec zfp_y, which this page cannot decode/,
    ],
    ['data/a.zarr', { 'a.zarr': changedSecond({ compressor: { id: 'lzma' } }) }, /is stored with the codec lzma/],
    [
      'data/a.zarr',
      { 'a.zarr': changedSecond({ filters: [{ id: 'quantize' }] }) },
      /is stored with the codec quantize/,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ shape: Array(3000).fill(1), ...grid(Array(3000).fill(1)) }) },
      /has 3,000 axes; this page takes up to 2,048/,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ shape: [2 ** 40, 2 ** 40], ...grid([1, 1]) }) },
      /has more elements than this page can number/,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ shape: [1e30], ...grid([1]) }) },
      /an extent of its shape is not a whole number below 2\^53/,
    ],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ shape: [-1], ...grid([1]) }) },
      /an extent of its shape is not a whole number/,
    ],
    ['data/a.zarr', { 'a.zarr': changed({ shape: 'x' }) }, /cannot be read/],
    ['data/a.zarr', { 'a.zarr': changed({ shape: null }) }, /cannot be read/],
    ['data/a.zarr', { 'a.zarr': changed(grid([1, 1])) }, /it has no regular grid of chunks/],
    ['data/a.zarr', { 'a.zarr': changed(grid([0])) }, /it has no regular grid of chunks/],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ chunk_grid: { name: 'rectilinear', configuration: {} } }) },
      /cannot be read/,
    ],
    ['data/a.zarr', { 'a.zarr': changed({ codecs: null }) }, /cannot be read/],
    ['data/a.zarr', { 'a.zarr': changed({ codecs: [null] }) }, /cannot be read/],
    ['data/a.zarr', { 'a.zarr': changed({ chunk_key_encoding: { name: 'odd' } }) }, /cannot be read/],
    [
      'data/a.zarr',
      { 'a.zarr': changed({ shape: [2 ** 30], ...grid([2 ** 30]) }) },
      /A chunk of data\/a\.zarr has 4\.00 GiB; this page reads chunks of up to 128 MiB/,
    ],
  ];
  const { page, files } = await openBeside({}, link([['2'], ['3, 1']]));
  const before = await shows(page);
  await page.click('#details-0');
  await page.selectOption('#values-0', 'zarr');
  for (const [typed, arrays, pattern] of cases) {
    files.clear();
    for (const [name, own] of Object.entries(arrays))
      for (const [file, bytes] of own) files.set(`${name}/${file}`, bytes);
    await page.fill('#zarr-0', typed);
    await page.evaluate(() => document.querySelector('#values-message-0')?.setAttribute('data-old', ''));
    await page.press('#zarr-0', 'Enter');
    await page
      .waitForFunction(
        ([source]) => new RegExp(source).test(document.querySelector('#values-message-0')?.innerText ?? ''),
        [pattern.source],
      )
      .catch(async () => assert.fail(`${typed}: ${await message(page).catch(() => 'no message')}, not ${pattern}`));
    await arrived(page);
    assert.equal(await page.getAttribute('#zarr-0', 'aria-invalid'), 'true');
    assert.equal(await shows(page), before);
    assert.equal((await answer(page)).fits, true);
  }
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('a link to an array that is not there says so, and everything else goes on', async () => {
  const files = zarrFiles({ shape: [2, 3], chunks: [2, 2], valueAt: numbered });
  const { page } = await openBeside({ 'a.zarr': files }, link([['2, 3', 'zarr:data/none.zarr'], ['3']]));
  await page.waitForSelector('[data-operand="0"] .message');
  assert.match(await message(page), /^There is no Zarr array at data\/none\.zarr/);
  assert.match((await answer(page)).headline, /^The values of A do not fit/);
  // Links of other origins, and by hand.
  await follow(page, link([['2, 3', 'zarr:https://example.org/a.zarr'], ['3']]));
  await page.waitForFunction(() =>
    /own origin/.test(document.querySelector('[data-operand="0"] .message')?.innerText ?? ''),
  );
  // A shape of another size.
  await follow(page, link([['2, 2', 'zarr:data/a.zarr'], ['2']]));
  await page.waitForFunction(() =>
    /holds 6/.test(document.querySelector('[data-operand="0"] .message')?.innerText ?? ''),
  );
  assert.equal(await message(page), 'A has 4 elements by its shape, but data/a.zarr holds 6.');
  // Another shape of the same size has the same elements in their order.
  await page.fill('#operand-0', '(3, 2)');
  await page.fill('#operand-1', '(1,)');
  await read(page);
  assert.deepEqual(
    (await cells(page, 0)).map(({ text }) => text),
    ['0', '1', '2', '10', '11', '12'],
  );
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('undo, links, back and forward lead to the same array and slice', async () => {
  const shape = [4, 2, 2];
  const arrays = {
    'a.zarr': zarrFiles({ shape, chunks: [1, 2, 2], valueAt: numbered }),
    'b.zarr': zarrFiles({ shape, chunks: [1, 2, 2], valueAt: (index) => 500 + numbered(index) }),
  };
  const { page, asked } = await openBeside(arrays, link([['2'], ['1']]));
  const before = await shows(page);
  await openByHand(page, 'data/a.zarr');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'zarr-0');
  await read(page);
  await page.click('#undo');
  assert.equal(await shows(page), before);
  await page.click('#redo');
  await read(page);
  assert.equal((await cells(page, 0))[3].text, '11');
  const texts = async () => (await cells(page, 0)).map(({ text }) => text).join(' ');
  const to = (name, at) => link([['4, 2, 2', `zarr:data/${name}.zarr`], ['1']], { more: `&at=${at},0,0` });
  await follow(page, to('a', 3));
  await read(page);
  assert.equal(await texts(), '300 301 310 311');
  await follow(page, to('b', 1));
  await read(page);
  assert.equal(await texts(), '600 601 610 611');
  await page.goBack();
  await page.waitForFunction(() => /a\.zarr/.test(document.querySelector('#answer').dataset.shows));
  await read(page);
  assert.equal(await texts(), '300 301 310 311');
  await page.goForward();
  await page.waitForFunction(() => /b\.zarr/.test(document.querySelector('#answer').dataset.shows));
  await read(page);
  assert.equal(await texts(), '600 601 610 611');
  assert.ok(asked.length > 0);
  // A link opens the same in a new page.
  await page.reload();
  await read(page);
  assert.equal(await texts(), '600 601 610 611');
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('requests for slices that are not shown any more are cancelled', async () => {
  const array = zarrFiles({ shape: [9, 4, 4], chunks: [1, 2, 2], valueAt: numbered });
  // Slices 0 to 7 are never answered.
  const files = new Map(
    [...array].map(([file, bytes]) => [file, /^c\/[0-7]\//.test(file) ? () => new Promise(() => {}) : bytes]),
  );
  const to = (at) => link([['9, 4, 4', 'zarr:data/v.zarr'], ['4']], { more: `&at=${at},0,0` });
  const { page, asked } = await openBeside({ 'v.zarr': files }, to(0));
  while (asked.filter(({ file }) => file.includes('/c/0/')).length < 4)
    await new Promise((done) => setTimeout(done, 20));
  await page.waitForFunction(() =>
    /^Reading 4 chunks of data\/v\.zarr…$/.test(
      document.querySelector('[data-operand="0"] [role=status]')?.innerText ?? '',
    ),
  );
  assert.ok((await cells(page, 'result')).every(({ text }) => text === '…'));
  for (let at = 1; at < 9; ++at) await follow(page, to(at));
  await read(page);
  assert.equal((await cells(page, 0))[5].text, String(numbered([8, 1, 1])));
  assert.equal(await row(page).locator('[role=status]').count(), 0);
  const stale = asked.filter(({ file }) => /\/c\/[0-7]\//.test(file));
  while (!stale.every(({ failed }) => failed)) await new Promise((done) => setTimeout(done, 20));
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

// Also on a slow machine with a slow server, where the view is still being drawn while chunks are on their way.
for (const { speed, rate, wait } of [
  { speed: '', rate: 1, wait: 0 },
  { speed: ', slowly', rate: 10, wait: 400 },
]) {
  test(`a view that needs too many chunks reads some of them, and says so${speed}`, async () => {
    const small = zarrFiles({ shape: [1, 1], chunks: [1, 1], valueAt: () => 0 });
    const metadata = JSON.parse(small.get('zarr.json'));
    metadata.shape = [24576, 24576];
    metadata.chunk_grid.configuration.chunk_shape = [8192, 8192]; // 64 MiB
    metadata.data_type = 'uint8';
    const late = async () => {
      await new Promise((done) => setTimeout(done, wait));
      return { status: 404 };
    };
    const missing = indexesOf([3, 3]).map((place) => [`c/${place.join('/')}`, late]);
    const { page, asked } = await openBeside(
      { 'large.zarr': new Map([['zarr.json', Buffer.from(JSON.stringify(metadata))], ...missing]) },
      link([['24576, 24576', 'zarr:data/large.zarr'], ['1']], { type: 'u8' }),
    );
    await page.waitForSelector('#zoom-whole');
    await arrived(page);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate });
    await page.click('#zoom-whole');
    await page.waitForFunction(() =>
      /This view needs 9 chunks; 4 are read, of 64\.0 MiB each\. Zoom in to read the others\./.test(
        document.querySelector('[data-operand="0"] [role=status]')?.innerText ?? '',
      ),
    );
    await arrived(page);
    assert.equal(asked.length, 1 + 4);
    await page.click('#zoom-cell');
    await page.waitForFunction(
      () => !/This view needs/.test(document.querySelector('[data-operand="0"] [role=status]')?.innerText ?? ''),
    );
    await page.context().close();
    assert.deepEqual(unexpected(), []);
  });
}

test('another order of drawing reads no other chunks than those that are read', async () => {
  globalThis.document ??= { documentElement: { toggleAttribute() {} } };
  const frame = 40;
  globalThis.requestAnimationFrame ??= (draw) => setTimeout(draw, frame);
  const { ChunkReader } = await imported('zarr/chunk-reader.ts');
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const asked = [];
  const reader = new ChunkReader(
    {
      address: 'data/a.zarr',
      dtype: 'uint8',
      shape: [9],
      chunkShape: [1],
      chunkBytes: 64 * 2 ** 20, // of which a view may need 4
      fillValue: '0',
      readChunk: async ([place]) => {
        asked.push(place);
        return { elements: [place], strides: [1], isMissing: false };
      },
    },
    () => {},
  );
  for (let place = 0; place < 9; ++place) reader.source(place);
  await wait(20);
  assert.deepEqual(asked, [0, 1, 2, 3]);
  // The next view is drawn in two parts, the last chunks first.
  reader.turn();
  for (const part of [
    [8, 7, 6, 5],
    [4, 3, 2, 1, 0],
  ]) {
    for (const place of part) reader.source(place);
    await wait(20);
  }
  await wait(10 * frame);
  assert.deepEqual(asked, [0, 1, 2, 3]);
  assert.match(reader.note, /^This view needs 9 chunks; 4 are read/);
  // A view that draws one chunk in each frame, for longer than the time after which a quiet view settles.
  reader.turn();
  for (let place = 8; place >= 0; --place) {
    await new Promise(requestAnimationFrame);
    reader.source(place);
  }
  await wait(10 * frame);
  assert.deepEqual(asked, [0, 1, 2, 3]);
  // One that shows others alone reads those, once it has settled.
  reader.turn();
  for (const place of [8, 7]) reader.source(place);
  await wait(10 * frame);
  assert.deepEqual(asked.slice(4), [8, 7]);
  reader.stop();
});

test('what reads arrays is loaded with the first of them, and may fail to', async () => {
  const files = zarrFiles({ shape: [2], chunks: [2], valueAt: numbered });
  const loaded = [];
  const { page } = await openBeside({ 'a.zarr': files });
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.reload();
  await arrived(page);
  await page.click('#details-0');
  await page.waitForSelector('#values-0');
  await arrived(page);
  const readers = () => loaded.filter((name) => /zarr-worker|assets\/arrays|blosc|zstd|lz4/.test(name));
  assert.deepEqual(readers(), []);
  await page.route('**/zarr-worker-*.js', (route) => route.abort(), { times: 1 });
  await page.selectOption('#values-0', 'zarr');
  await page.fill('#zarr-0', 'data/a.zarr');
  await page.click('.zarr button');
  await page.waitForSelector('[data-operand="0"] .message');
  assert.match(await message(page), /^What reads Zarr arrays did not load, or ran out of memory\. Try again\./);
  await page.click('.zarr button');
  await page.waitForFunction(() => /x=zarr:data\/a\.zarr/.test(document.querySelector('#answer').dataset.shows));
  await page.waitForSelector('[data-operand="0"] .message', { state: 'detached' });
  assert.equal(await page.inputValue('#operand-0'), '(2,)');
  assert.ok(!readers().some((name) => /blosc|zstd|lz4/.test(name)), readers().join(' '));
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('a frame shows an array, too', async () => {
  const files = zarrFiles({ shape: [2, 2], chunks: [1, 1], valueAt: numbered });
  const { page } = await openBeside({ 'a.zarr': files }, '', { query: '?embed' });
  await follow(page, link([['2, 2', 'zarr:data/a.zarr'], ['1']]));
  await read(page);
  assert.deepEqual(
    (await cells(page, 'result')).map(({ text }) => text),
    ['10', '11', '20', '21'],
  );
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});

test('the server of npm start sends parts of shards; the service worker keeps nothing of an array, nor what reads it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'broadloom-zarr-'));
  await cp(process.env.BROADLOOM_PAGE ?? inRoot('web/dist'), folder, { recursive: true });
  const array = zarrFiles({ shape: [6, 4], chunks: [4, 4], inner: [2, 2], valueAt: numbered, codec: 'gzip' });
  for (const [file, bytes] of array) {
    await mkdir(path.dirname(path.join(folder, 'data/my shards.zarr', file)), { recursive: true });
    await writeFile(path.join(folder, 'data/my shards.zarr', file), bytes);
  }
  const own = await openPlayground({ folder, host: ownHost });
  try {
    const page = await own.open('', { serviceWorkers: 'allow' });
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await openByHand(page, 'data/my shards.zarr');
    assert.match(await page.innerText('#details-0'), /data\/my shards\.zarr/);
    await page.fill('#operand-1', '(4,)');
    await read(page);
    const right = indexesOf([6, 4]).map((index) => String(numbered(index)));
    assert.deepEqual(
      (await cells(page, 0)).map(({ text }) => text),
      right,
    );
    const keptFiles = await page.evaluate(async () => {
      const names = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) names.push(url);
      return names;
    });
    assert.ok(keptFiles.length > 20);
    assert.deepEqual(
      keptFiles.filter((url) => /\/data\/|zarr-worker|blosc|zstd|lz4/.test(url)),
      [],
    );
    assert.deepEqual(own.faults, []);
  } finally {
    await own.close();
    await rm(folder, { recursive: true });
  }
});

test('metadata and chunks that are changed at random open or are refused, and the page goes on', async () => {
  let seed = 20_261_126;
  const below = (most) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const odd = [
    null,
    -1,
    0,
    1.5,
    2 ** 53,
    1e300,
    '',
    'gzip',
    [],
    {},
    [[]],
    [null],
    true,
    '__proto__',
    { name: 'bytes' },
  ];
  // Replaces, removes or repeats a member somewhere in a document.
  function changed(value) {
    if (value === null || typeof value !== 'object' || below(5) === 0) return odd[below(odd.length)];
    const keys = Object.keys(value);
    if (keys.length === 0) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const key = keys[below(keys.length)];
    if (below(6) === 0) delete copy[key];
    else copy[key] = changed(copy[key]);
    return copy;
  }
  const array = { shape: [3, 4], chunks: [2, 2], valueAt: numbered, codec: 'gzip', names: ['a', 'b'] };
  const kinds = [
    zarrFiles(array),
    zarrFiles({ ...array, version: 2 }),
    zarrFiles({ ...array, chunks: [4, 4], inner: [2, 2] }),
  ];
  const { page, files } = await openBeside({}, link([['2'], ['1']], { op: 'Max' }));
  await page.click('#details-0');
  await page.selectOption('#values-0', 'zarr');
  const outcomes = new Map();
  for (let round = 0; round < 40; ++round) {
    files.clear();
    for (const [file, bytes] of kinds[below(kinds.length)]) {
      let content = bytes;
      if (/json|\.z/.test(file)) content = Buffer.from(JSON.stringify(changed(JSON.parse(bytes))));
      else if (below(2) === 0) content = Buffer.from(bytes).fill(below(256), below(bytes.length));
      files.set(`f${round}.zarr/${file}`, content);
    }
    await page.fill('#zarr-0', `data/f${round}.zarr`);
    await page.press('#zarr-0', 'Enter');
    const outcome = await page.waitForFunction((address) => {
      const said = document.querySelector('#values-message-0')?.innerText ?? '';
      if (document.querySelector('.zarr button').getAttribute('aria-disabled') === 'true') return null;
      if (said.includes(address) || said.startsWith('The metadata')) return 'refused';
      return document.querySelector('#answer')?.dataset.shows.includes(address) ? 'opened' : null;
    }, `data/f${round}.zarr`);
    const kind = await outcome.jsonValue();
    outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    await arrived(page);
    assert.ok(await page.$('#answer'), `round ${round}`);
  }
  assert.ok(outcomes.get('refused') > 5 && outcomes.get('opened') > 5, JSON.stringify([...outcomes]));
  await page.context().close();
  assert.deepEqual(unexpected(), []);
});
