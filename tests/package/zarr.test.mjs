// broadloom/zarr: against whole arrays, over files and HTTP; marks, damaged arrays, the end of workers, cancellation, and the
// bound on memory.

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BroadcastError, load, LoadError } from 'broadloom';
import { bytes, randomArray, randomOf } from './random-arrays.mjs';
import { randomQuestion, RULES } from './random-questions.mjs';
import { applyZarr, ChunkError, costOfZarr, FileSystemStore, zarr } from './zarrita.mjs';

// The workers that Node has started, so that one can be terminated.
const threads = createRequire(import.meta.url)('node:worker_threads');
let started = [];
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    super(...given);
    started.push(this);
    this.isAlive = true;
    this.on('exit', () => (this.isAlive = false));
  }
};

const bl = await load();
const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-zarr-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => path.join(folder, String(++folders));

const LITTLE = [{ name: 'bytes', configuration: { endian: 'little' } }];
const NAMES = {
  bool: 'bool', i8: 'int8', i16: 'int16', i32: 'int32', i64: 'int64', u8: 'uint8', u16: 'uint16', u32: 'uint32',
  u64: 'uint64', f32: 'float32', f64: 'float64',
}; // prettier-ignore

/** Makes a Zarr array, with the elements of `array` if it has any. */
async function make(store, name, { shape, dtype, data }, chunkShape, codecs = LITTLE) {
  const place = zarr.root(store).resolve(name);
  const fillValue = dtype === 'bool' ? false : 0;
  const options = { shape, dtype: NAMES[dtype], chunkShape, codecs, fillValue, attributes: { units: 'm' } };
  const made = await zarr.create(place, options);
  if (data === undefined) return made;
  if (shape.length === 0) await zarr.set(made, null, dtype === 'bool' ? data[0] !== 0 : data[0]);
  else await zarr.set(made, shape.map(() => null), { data, shape, stride: strides(shape) }); // prettier-ignore
  return made;
}

const strides = (shape) => shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));

async function elements(array) {
  const got = await zarr.get(array);
  if (array.shape.length > 0) return Buffer.from(got.data.buffer, got.data.byteOffset, got.data.byteLength);
  const { data } = await array.getChunk([]);
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

const markOf = (store, name) =>
  JSON.parse(readFileSync(path.join(store.root, name, 'zarr.json'), 'utf8')).attributes.broadloom;

/** Compresses an array, which zarrita cannot do with gzip. */
function compress(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const file = path.join(folder, name);
    if (statSync(file).isFile() && !name.endsWith('.json')) writeFileSync(file, gzipSync(readFileSync(file)));
  }
  const file = path.join(folder, 'zarr.json');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  document.codecs.push({ name: 'gzip', configuration: { level: 5 } });
  writeFileSync(file, JSON.stringify(document));
}

/** The error with which a promise was rejected. */
async function rejection(promise, fields = {}, words = /./) {
  const error = await promise.then(
    (value) => assert.fail(`resolved: ${JSON.stringify(value)}`),
    (reason) => reason,
  );
  assert.ok(error instanceof BroadcastError || error instanceof LoadError, error?.stack);
  for (const [name, value] of Object.entries(fields)) assert.deepEqual(error[name], value, `${name}: ${error.message}`);
  assert.match(error.message, words);
  return error;
}

/** Serves a folder; `answer` may answer a request otherwise. */
async function serve(root, answer = () => false) {
  const server = http.createServer((request, response) => {
    if (answer(request, response)) return;
    const file = path.join(root, decodeURIComponent(new URL(request.url, 'http://x').pathname));
    if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, 'localhost', resolve));
  return { url: `http://localhost:${server.address().port}`, close: () => server.close().closeAllConnections() };
}

for (const [rule, op] of Object.entries(RULES)) {
  test(`${rule}: the chunks are those of the whole`, async () => {
    const random = randomOf(rule.length + 1);
    const store = new FileSystemStore(newFolder());
    for (let round = 0; round < 6; ++round) {
      const { shapes, options } = randomQuestion(random, rule, 3, 9);
      const types =
        op === 'Broadcast' ? Object.keys(NAMES) : op === 'PRelu' ? ['f32', 'f64'] : ['f32', 'f64', 'i32', 'u8', 'i64'];
      const dtype = types[random(types.length)];
      const arrays = shapes.map((shape) => randomArray(bl, random, dtype, shape));
      const whole = bl.apply(op, arrays, { rule, ...options });
      const chunks = (shape) => shape.map((extent) => 1 + random(extent + 1));
      const inputs = await Promise.all(
        arrays.map((array, i) =>
          i > 0 && random(3) === 0 ? array : make(store, `${round}-${i}`, array, chunks(array.shape)),
        ),
      );
      const output = await make(store, `${round}-out`, { shape: whole.shape, dtype }, chunks(whole.shape));
      const about = JSON.stringify({ rule, shapes, options, dtype, chunks: output.chunks });
      const given = { rule, ...options, workers: 2 };
      const cost = await costOfZarr(op, inputs, output, given);
      const progress = [];
      const done = await applyZarr(op, inputs, output, { ...given, onProgress: (step) => progress.push(step) });
      assert.deepEqual(await elements(output), bytes(whole.data), about);
      assert.deepEqual(done, { done: cost.chunks, chunks: cost.chunks, read: cost.read, written: cost.written }, about);
      assert.deepEqual(progress.map((step) => step.done), progress.map((_, i) => i + 1)); // prettier-ignore
      assert.deepEqual(progress.at(-1), done);
      assert.equal(markOf(store, `${round}-out`).complete, true);
    }
  });
}

test('all shared types, over HTTP, with gzip, big-endian and transposed chunks', async () => {
  const root = newFolder();
  const store = new FileSystemStore(root);
  const server = await serve(root);
  const random = randomOf(7);
  try {
    for (const dtype of Object.keys(NAMES)) {
      const array = randomArray(bl, random, dtype, [5, 4, 3]);
      const codecs = [
        { name: 'transpose', configuration: { order: [2, 0, 1] } },
        { name: 'bytes', configuration: { endian: 'big' } },
      ];
      await make(store, dtype, array, [2, 3, 2], codecs);
      compress(path.join(root, dtype));
      const remote = new zarr.FetchStore(`${server.url}/${dtype}`);
      const input = await zarr.open.v3(remote, { kind: 'array' });
      const output = await make(new Map(), 'out', { shape: [2, 5, 4, 3], dtype }, [1, 3, 3, 3], LITTLE);
      await applyZarr('Broadcast', [input], output, { rule: 'broadcast_numpy', targetShape: [2, 5, 4, 3], workers: 1 });
      const expected = bl.broadcastTo(array, [2, 5, 4, 3]);
      assert.deepEqual(await elements(output), bytes(expected.data), dtype);
    }
  } finally {
    server.close();
  }
});

/** A volume and a row, and an empty result: 4 x 3 chunks. */
async function volume() {
  const store = new FileSystemStore(newFolder());
  const random = randomOf(3);
  const a = randomArray(bl, random, 'f32', [16, 12]);
  const b = randomArray(bl, random, 'f32', [12]);
  const inputs = [await make(store, 'a', a, [4, 4]), await make(store, 'b', b, [4])];
  const output = await make(store, 'sum', { shape: [16, 12], dtype: 'f32' }, [4, 4]);
  return { store, a, b, inputs, output, file: (...parts) => path.join(store.root, ...parts) };
}

test('the result is marked until it is complete, and other attributes stay', async () => {
  const { store, inputs, output, file } = await volume();
  writeFileSync(
    file('sum', 'zarr.json'),
    readFileSync(file('sum', 'zarr.json'), 'utf8').replace('"units"', '"n": 12345678901234567890, "units"'),
  );
  const marks = [];
  await applyZarr('Add', inputs, output, { workers: 1, onProgress: () => marks.push(markOf(store, 'sum')) });
  assert.equal(marks.length, 12);
  assert.ok(marks.every(({ complete, id }) => complete === false && /^[0-9a-f]{32}$/.test(id)));
  assert.deepEqual(markOf(store, 'sum'), { complete: true, id: marks[0].id });
  const text = readFileSync(file('sum', 'zarr.json'), 'utf8');
  assert.match(text, /"n": 12345678901234567890,/);
  assert.equal(JSON.parse(text).attributes.units, 'm');
});

test('an incomplete operand is refused', async () => {
  const { inputs, output, file } = await volume();
  const document = JSON.parse(readFileSync(file('a', 'zarr.json'), 'utf8'));
  document.attributes.broadloom = { complete: false, id: '0' };
  writeFileSync(file('a', 'zarr.json'), JSON.stringify(document));
  const error = await rejection(
    applyZarr('Add', inputs, output),
    { code: 'length', chunk: null },
    /Operand A .*\/a\): it was not written to its end/,
  );
  assert.ok(error instanceof ChunkError);
  await rejection(costOfZarr('Add', inputs, output), { code: 'length' });
});

test('a missing chunk is an error that names it, or has the fill value', async () => {
  const { store, b, inputs, output, file } = await volume();
  rmSync(file('a', 'c', '2', '1'));
  const error = await rejection(
    applyZarr('Add', inputs, output),
    { code: 'length', chunk: [2, 1] },
    /Operand A .*\/a\), chunk \(2, 1\), box \[8:12, 4:8\]: .* missing/,
  );
  assert.ok(error instanceof ChunkError);
  assert.deepEqual(error.box, [{ begin: 8, end: 12 }, { begin: 4, end: 8 }]); // prettier-ignore
  assert.equal(markOf(store, 'sum').complete, false);
  await applyZarr('Add', inputs, output, { missing: 'fill' });
  assert.equal(await zarr.get(output, [9, 5]), b.data[5]);
  assert.equal(markOf(store, 'sum').complete, true);
});

test('damaged chunks are errors that name them', async () => {
  for (const [isCompressed, damage] of [
    [false, (file) => truncateSync(file, 12)],
    [false, (file) => truncateSync(file, 15)],
    [false, (file) => truncateSync(file, 0)],
    [false, (file) => writeFileSync(file, Buffer.alloc(20))],
    [true, (file) => truncateSync(file, 20)],
    [true, (file) => writeFileSync(file, 'this is no gzip')],
  ]) {
    const { store, inputs: given, output, file } = await volume();
    if (isCompressed) compress(file('b'));
    const inputs = [given[0], await zarr.open.v3(zarr.root(store).resolve('b'), { kind: 'array' })];
    damage(file('b', 'c', '1'));
    await rejection(
      applyZarr('Add', inputs, output),
      { code: 'length', chunk: [1] },
      /Operand B .*chunk \(1\), box \[4:8\]: .*cannot be read/,
    );
    assert.equal(markOf(store, 'sum').complete, false);
  }
});

test("a checksum is compared: it is that of Python's to_zarr", async () => {
  // RFC 3720, B.4: the checksum of 32 zeros.
  const { inputs, output, file } = await volume();
  const checked = JSON.parse(readFileSync(file('b', 'zarr.json'), 'utf8'));
  checked.codecs.push({ name: 'crc32c', configuration: {} });
  checked.chunk_grid.configuration.chunk_shape = [8];
  checked.shape = [8];
  writeFileSync(file('b', 'zarr.json'), JSON.stringify(checked));
  const zeros = Buffer.concat([Buffer.alloc(32), Buffer.from([0xaa, 0x36, 0x91, 0x8a])]);
  writeFileSync(file('b', 'c', '0'), zeros);
  const b = await zarr.open.v3(zarr.root(new FileSystemStore(path.dirname(file('b')))).resolve('b'), { kind: 'array' });
  const sum = await make(new Map(), 's', { shape: [8], dtype: 'f32' }, [8]);
  await applyZarr('Add', [b, { data: new Float32Array(8).fill(3), shape: [8] }], sum);
  assert.equal(await zarr.get(sum, [7]), 3);
  zeros[3] = 1;
  writeFileSync(file('b', 'c', '0'), zeros);
  await rejection(applyZarr('Add', [b, b], sum), { code: 'length', chunk: [0] }, /its checksum is wrong/);
  void [inputs, output];
});

test('HTTP errors and broken answers name the chunk', async () => {
  const { store, b, output } = await volume();
  for (const [answer, words] of [
    [(response) => response.writeHead(500).end(), /status 500/],
    [(response) => response.writeHead(403).end(), /status 403/],
    [(response) => response.writeHead(200, { 'content-length': '64' }).write('half', () => response.destroy()), /./],
    [(response) => response.destroy(), /./],
  ]) {
    const server = await serve(
      store.root,
      (request, response) => request.url.endsWith('/c/3/2') && (answer(response), true),
    );
    try {
      const a = await zarr.open.v3(new zarr.FetchStore(`${server.url}/a`), { kind: 'array' });
      const error = await rejection(applyZarr('Add', [a, b], output), { code: 'length', chunk: [3, 2] }, words);
      assert.ok(error.array.includes(server.url), error.array);
    } finally {
      server.close();
    }
  }
  const gone = await serve(store.root);
  const a = await zarr.open.v3(new zarr.FetchStore(`${gone.url}/a`), { kind: 'array' });
  gone.close();
  await rejection(applyZarr('Add', [a, b], output), { code: 'length', chunk: null }, /metadata cannot be read/);
});

test('results of another shape, type or place are refused, and nothing is marked', async () => {
  const { store, inputs, output, a } = await volume();
  const other = await make(store, 'other', { shape: [16, 11], dtype: 'f32' }, [4, 4]);
  await rejection(
    applyZarr('Add', inputs, other),
    { code: 'incompatible' },
    /\/other\): it has shape \(16, 11\), not \(16, 12\)/,
  );
  const typed = await make(store, 'typed', { shape: [16, 12], dtype: 'f64' }, [4, 4]);
  await rejection(applyZarr('Add', inputs, typed), { code: 'dtype' }, /f64, not f32/);
  await rejection(applyZarr('Add', inputs, inputs[0]), { code: 'overlap' }, /operand as well/);
  const server = await serve(store.root);
  const readonly = await zarr.open.v3(new zarr.FetchStore(`${server.url}/sum`), { kind: 'array' });
  await rejection(applyZarr('Add', inputs, readonly), { code: 'dtype' }, /no method `set`/);
  server.close();
  await rejection(applyZarr('Add', [inputs[0], { data: new Float32Array(5), shape: [5] }], output), {
    code: 'incompatible',
  });
  await rejection(applyZarr('Add', [inputs[0], { data: new Float64Array(12), shape: [12] }], output), {
    code: 'dtype',
  });
  await rejection(applyZarr('Broadcast', [a, a], output, { rule: 'sonnx' }), { code: 'arity' });
  const noFill = { shape: [5], chunkShape: [2], dtype: 'int64', codecs: LITTLE };
  const unfilled = await zarr.create(zarr.root(new Map()), noFill);
  await rejection(
    applyZarr('Add', Array(2).fill({ data: new BigInt64Array(5), shape: [5] }), unfilled),
    { code: 'dtype' },
    /fill value/,
  );
  for (const name of ['other', 'typed', 'a', 'sum']) assert.equal(markOf(store, name), undefined, name);
});

test('a chunk that does not fit into memory is refused before anything is read', async () => {
  const { inputs, output, file } = await volume();
  rmSync(file('a', 'c'), { recursive: true });
  const error = await rejection(
    applyZarr('Add', inputs, output, { memory: 100 }),
    { code: 'limit' },
    /takes 208 bytes, and memory is 100/,
  );
  assert.ok(error instanceof ChunkError);
  const { peak, atOnce } = await costOfZarr('Add', inputs, output, { memory: 100 });
  assert.deepEqual([peak, atOnce], [208, 0]);
  assert.equal((await costOfZarr('Add', inputs, output, { memory: 3 * 208, workers: 64 })).atOnce, 3);
});

test('wrong arguments are BroadcastErrors', async () => {
  const { inputs, output } = await volume();
  const wrong = [
    ['Add', null, output], ['Add', 7, output], ['Add', [], output], ['Add', [inputs[0]], output], ['Add', inputs, null],
    ['Add', inputs, {}], ['Add', inputs, new Float32Array(192)], ['add', inputs, output], [undefined, inputs, output],
    ['toString', inputs, output], ['Add', [null, inputs[1]], output], ['Add', [{}, inputs[1]], output],
    ['Add', [{ data: new Float32Array(3), shape: [4] }, inputs[1]], output],
    ...[null, 5, { memory: 0 }, { memory: -1 }, { memory: NaN }, { memory: '1' }, { workers: 0 }, { workers: 65 }, { workers: 1.5 },
      { missing: true }, { signal: {} }, { onProgress: 1 }, { rule: 'numpi' }, { axsi: 1 }, { axis: 0 }, { attrs: { fmod: 1 } },
    ].map((options) => ['Add', inputs, output, options]),
  ]; // prettier-ignore
  for (const given of wrong) {
    for (const call of [applyZarr, costOfZarr]) {
      const error = await rejection(call(...given));
      assert.ok(error instanceof BroadcastError && error.message.length > 10, error.stack);
    }
  }
  await rejection(applyZarr('Add', inputs, output, { wasm: new Uint8Array(3) }));
  const array = {
    ...inputs[0],
    shape: [16, 12],
    chunks: [4, 4],
    path: '/nowhere',
    store: inputs[0].store,
    getChunk() {},
  };
  await rejection(applyZarr('Add', [array, inputs[1]], output), { code: 'length' }, /there is no array/);
});

test('a worker that dies fails the call, and the result stays marked', async () => {
  const { store, inputs, output } = await volume();
  started = [];
  const running = applyZarr('Add', inputs, output, { workers: 2, onProgress: () => void started[0].terminate() });
  const error = await rejection(
    running,
    { code: 'aborted' },
    /The result .*chunk \(\d, \d\), box .*it was not computed: the worker/,
  );
  assert.ok(error instanceof ChunkError);
  assert.equal(markOf(store, 'sum').complete, false);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.ok(
    started.every(({ isAlive }) => !isAlive),
    'all workers were stopped',
  );
});

test('an aborted call rejects, stops its workers, and writes nothing afterwards', async () => {
  const { store, inputs, output, file } = await volume();
  for (const when of ['before', 'reading', 'midway']) {
    started = [];
    const control = new AbortController();
    if (when === 'before') control.abort('enough');
    if (when === 'reading') setTimeout(() => control.abort('enough'), 1);
    const onProgress = ({ done }) => done === 5 && control.abort('enough');
    const running = applyZarr('Add', inputs, output, { workers: 2, signal: control.signal, onProgress });
    const error = await rejection(running, { code: 'aborted' }, /aborted before it was done/);
    assert.equal(error.cause, 'enough');
    if (when === 'midway') assert.equal(markOf(store, 'sum').complete, false);
    const before = existsSync(file('sum', 'c')) ? readFileSync(file('sum', 'zarr.json'), 'utf8') : '';
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(existsSync(file('sum', 'c')) ? readFileSync(file('sum', 'zarr.json'), 'utf8') : '', before);
    assert.ok(
      started.every(({ isAlive }) => !isAlive),
      'all workers were stopped',
    );
  }
  const error = new Error('from the caller');
  const running = applyZarr('Add', inputs, output, { onProgress: () => { throw error; } }); // prettier-ignore
  assert.equal(await running.catch((reason) => reason), error);
});

test('an aborted call does not wait for a store that never answers', async () => {
  const { inputs, output, store } = await volume();
  const control = new AbortController();
  const hangs = {
    get: (key) => (key.includes('/c/') ? new Promise(() => setTimeout(() => control.abort(), 20)) : store.get(key)),
  };
  const a = await zarr.open.v3(zarr.root(hangs).resolve('a'), { kind: 'array' });
  await rejection(applyZarr('Add', [a, inputs[1]], output, { signal: control.signal }), { code: 'aborted' });
});

test('a chunk that cannot be written fails the call', async () => {
  const { inputs } = await volume();
  const map = new Map();
  await make(map, 'sum', { shape: [16, 12], dtype: 'f32' }, [4, 4]);
  const full = {
    get: (key) => map.get(key),
    set: (key, value) =>
      key.endsWith('/c/1/1') ? Promise.reject(new Error('disk is full')) : void map.set(key, value),
  };
  const output = await zarr.open.v3(zarr.root(full).resolve('sum'), { kind: 'array' });
  await rejection(
    applyZarr('Add', inputs, output),
    { code: 'length', chunk: [1, 1] },
    /cannot be written: disk is full/,
  );
  const checked = await make(
    new Map(),
    'c',
    { shape: [16, 12], dtype: 'f32' },
    [4, 4],
    [...LITTLE, { name: 'crc32c', configuration: {} }],
  );
  await rejection(applyZarr('Add', inputs, checked), { code: 'length' }, /crc32c/);
});

test('no more chunks are in work than fit into memory', async () => {
  const chunk = 64 * 1024;
  const shape = [64, chunk / 4];
  let alive = 0;
  let most = 0;
  const block = new Uint8Array(new Float32Array(chunk / 4).fill(1).buffer);
  // A store that counts chunks which were read and whose result is not yet written.
  const source = new Map();
  await make(source, 'a', { shape, dtype: 'f32' }, [1, shape[1]]);
  const counting = {
    get: (key) => {
      if (!key.includes('/c/')) return source.get(key);
      most = Math.max(most, ++alive);
      return block.slice();
    },
  };
  const target = new Map();
  await make(target, 'sum', { shape, dtype: 'f32' }, [1, shape[1]]);
  const discarding = {
    get: (key) => target.get(key),
    set: (key, value) => (key.includes('/c/') ? void --alive : void target.set(key, value)),
  };
  const [a, sum] = await Promise.all(
    [counting, discarding].map((store, i) =>
      zarr.open.v3(zarr.root(store).resolve(['a', 'sum'][i]), { kind: 'array' }),
    ),
  );
  const mask = { data: new Float32Array(1).fill(2), shape: [1] };
  const { peak } = await costOfZarr('Add', [a, mask], sum);
  assert.equal(peak, 3 * chunk + 4);
  for (const fits of [1, 3, 5]) {
    most = 0;
    const memory = fits * peak + 100;
    await applyZarr('Add', [a, mask], sum, { memory, workers: 4 });
    assert.ok(most <= fits && most > 0, `${most} of ${fits}`);
    assert.equal(alive, 0);
  }
});

test('version 2 of Zarr is read and written, with its mark', async () => {
  const { store, a, b, inputs, output, file } = await volume();
  const meta = {
    zarr_format: 2,
    shape: [16, 12],
    chunks: [4, 12],
    dtype: '<f4',
    compressor: null,
    fill_value: 0,
    order: 'C',
    filters: null,
  };
  mkdirSync(file('old'));
  writeFileSync(file('old', '.zarray'), JSON.stringify(meta));
  writeFileSync(file('old', '.zattrs'), '{"units":"m"}');
  const old = await zarr.open.v2(zarr.root(store).resolve('old'), { kind: 'array' });
  await applyZarr('Add', inputs, old);
  const attributes = () => JSON.parse(readFileSync(file('old', '.zattrs'), 'utf8'));
  assert.equal(attributes().units, 'm');
  assert.equal(attributes().broadloom.complete, true);
  await applyZarr('Sub', [old, b], output);
  assert.deepEqual(await elements(output), bytes(bl.sub(bl.add(a, b), b).data));
  writeFileSync(file('old', '.zattrs'), '{"broadloom":{"complete":false}}');
  await rejection(applyZarr('Sub', [old, b], output), { code: 'length' }, /not written to its end/);
});

test('random damage to metadata and chunks gives a result or a BroadcastError', async () => {
  const random = randomOf(11);
  const rounds = Number(process.env.BROADLOOM_FUZZ_ZARR ?? 60);
  const words = ['null', '-1', '1e99', '"x"', '[]', '{}', '0', '12345678901234567890', 'true', ''];
  for (let round = 0; round < rounds; ++round) {
    const { store, inputs, output, file } = await volume();
    const name = ['a', 'b', 'sum'][random(3)];
    const target = random(4) === 0 ? file('b', 'c', '1') : file(name, 'zarr.json');
    const before = readFileSync(target);
    let after = Buffer.from(before);
    if (random(2) === 0) for (let k = 1 + random(3); k > 0; --k) after[random(after.length)] = random(256);
    else {
      const parts = before.toString('latin1').split(/(?<=[:,[])|(?=[,\]}])/);
      parts[random(parts.length)] = words[random(words.length)];
      after = Buffer.from(parts.join(''), 'latin1');
    }
    writeFileSync(target, after);
    const again = (array) => zarr.open.v3(zarr.root(store).resolve(array), { kind: 'array' }).catch(() => null);
    const [a, b, sum] = random(2) ? [...inputs, output] : await Promise.all(['a', 'b', 'sum'].map(again));
    const about = `round ${round}: ${target}\n${after.toString('latin1')}`;
    for (const call of [costOfZarr, applyZarr]) {
      const error = await call('Add', [a, b], sum, { workers: 1 }).then(() => null, (reason) => reason); // prettier-ignore
      assert.ok(error === null || error instanceof BroadcastError, `${about}\n${error?.stack}`);
    }
  }
});
