// Loading: sources, environments, and the contents of the files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { load, LoadError } from 'broadloom';
import { load as loadInline } from 'broadloom/inline';
import { startWorker } from 'broadloom/worker';
import { f32, plain } from './arrays.mjs';
import { instructions } from './instructions.mjs';

const dist = new URL('../../wasm/dist/', import.meta.url);
const wasmUrl = new URL('broadloom-core.wasm', dist);
const sum = (bl) => plain(bl.add(f32([1, 2]), f32([10]))).data;

test('the package is loaded once', async () => {
  const [one, two] = await Promise.all([load(), load()]);
  assert.equal(one, two);
  assert.equal(await load({}), one);
  assert.equal(await load({ wasm: undefined }), one);
});

test('the wasm file may come from anywhere', async () => {
  const bytes = await readFile(wasmUrl);
  const copy = new Uint8Array(bytes);
  const sources = [
    new URL(wasmUrl),
    bytes,
    copy,
    copy.buffer,
    new DataView(copy.buffer),
    await WebAssembly.compile(bytes),
    new Response(bytes, { headers: { 'content-type': 'application/wasm' } }),
    new Response(bytes),
    Promise.resolve(new Response(bytes)),
    wasmUrl.href,
  ];
  for (const wasm of sources) assert.deepEqual(sum(await load({ wasm })), [11, 12]);
  assert.equal(await load({ wasm: new URL(wasmUrl) }), await load({ wasm: new URL(wasmUrl) }));
});

test('options that throw when they are read are a LoadError', async () => {
  const cause = new Error('boom');
  const options = {
    get wasm() {
      throw cause;
    },
  };
  for (const start of [load, startWorker, async (given) => loadInline(given)]) {
    await assert.rejects(start(options), (error) => {
      assert.ok(error instanceof LoadError);
      assert.match(error.message, /boom/);
      assert.equal(error.cause, cause);
      return true;
    });
  }
});

test('an invalid wasm file is a LoadError, and loading may be tried again', async () => {
  const missing = new URL('no-such-file.wasm', dist);
  const wrong = [
    missing,
    new Uint8Array(),
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]),
    new Response('', { status: 404 }),
    5,
    {},
  ];
  for (const wasm of wrong) {
    await assert.rejects(
      load({ wasm }),
      (error) => error instanceof LoadError && error.code === 'load' && !!error.message,
    );
  }
  await assert.rejects(load({ wasm: Promise.reject(new TypeError('the network is gone')) }), (error) => {
    assert.ok(error instanceof LoadError);
    assert.match(error.message, /the network is gone/);
    return true;
  });
  const [first, second] = [load({ wasm: missing }), load({ wasm: missing })];
  assert.equal(first, second);
  await assert.rejects(first);
  assert.notEqual(
    load({ wasm: missing }).catch(() => {}),
    first,
  );
});

test('wrong options reject with a LoadError', async () => {
  for (const options of [null, 5, 'x', Symbol('x'), { wasn: wasmUrl }]) {
    await assert.rejects(load(options), (error) => error instanceof LoadError && error.code === 'load');
  }
  await assert.rejects(load({ wasn: wasmUrl }), /wasn/);
});

test('too old a Node is reported', async (t) => {
  const { getBuiltinModule } = process;
  t.after(() => (process.getBuiltinModule = getBuiltinModule));
  process.getBuiltinModule = undefined;
  await assert.rejects(load({ wasm: `${wasmUrl.href}?old` }), (error) => {
    assert.ok(error instanceof LoadError);
    assert.match(error.message, /Node 20\.16 or later/);
    return true;
  });
  const { engines } = JSON.parse(await readFile(new URL('../package.json', dist), 'utf8'));
  assert.equal(engines.node, '>=20.16');
  assert.match(await readFile(new URL('../README.md', dist), 'utf8'), /Node 20\.16 or later/);
});

test('the source is not kept in memory', () => {
  const code = `
    import { load } from ${JSON.stringify(new URL('index.js', dist).href)};
    import { readFile, readdir } from 'node:fs/promises';
    const fromBytes = async () => {
      const bytes = new Uint8Array(await readFile(new URL(${JSON.stringify(wasmUrl.href)})));
      await load({ wasm: bytes });
      return new WeakRef(bytes);
    };
    const bytes = await fromBytes();
    for (let i = 0; i < 20 && bytes.deref() !== undefined; ++i) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      gc();
    }
    console.log(bytes.deref() === undefined);`;
  const args = ['--expose-gc', '--input-type=module', '--eval', code];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'true\n');
});

test('a platform without SIMD is reported', async (t) => {
  t.mock.method(WebAssembly, 'validate', () => false);
  await assert.rejects(load({ wasm: new Uint8Array(1) }), (error) => {
    assert.ok(error instanceof LoadError);
    assert.equal(error.code, 'no_simd');
    assert.match(error.message, /SIMD/);
    assert.match(error.message, /Node 20\.16 or later/);
    return true;
  });
});

test('a platform without WebAssembly is reported', async () => {
  const { WebAssembly: kept } = globalThis;
  delete globalThis.WebAssembly;
  try {
    await assert.rejects(load({ wasm: new Uint8Array(2) }), { code: 'no_webassembly' });
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', { value: kept, configurable: true, writable: true });
  }
});

test('a worker has its own instance', async () => {
  const code = `
    import { load } from ${JSON.stringify(new URL('index.js', dist).href)};
    import { parentPort } from 'node:worker_threads';
    const bl = await load();
    const { data } = bl.add({ data: new Float32Array([1, 2]), shape: [2] }, { data: new Float32Array([10]), shape: [1] });
    parentPort.postMessage(data, [data.buffer]);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
  const data = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  assert.deepEqual([...data], [11, 12]);
  await worker.terminate();
});

test("no code is made from strings, and nothing of Node is in the browser's modules", async () => {
  // The command is only for Node.
  const others = ['broadloom-core-text.mjs', 'broadloom-explain-text.mjs', 'cli.js'];
  const names = (await readdir(dist)).filter((name) => /\.m?js$/.test(name) && !others.includes(name));
  assert.ok(names.includes('index.js') && names.includes('inline.js') && names.includes('engine.js'));
  for (const name of names) {
    const source = await readFile(new URL(name, dist), 'utf8');
    assert.doesNotMatch(source, /\beval\s*\(|new Function\b|[^.\w]Function\s*\(/, name);
    assert.doesNotMatch(
      source,
      /\bfrom\s*['"`]node:|\bimport\s*['"`(]\s*node:|\bimport\s*\((?!"\.\/(?:engine|explanations(?:-inline)?)\.js"\))|\brequire\s*\(/,
      name,
    );
  }
});

test('a content policy without eval is sufficient', () => {
  const code = `
    import { load } from ${JSON.stringify(new URL('index.js', dist).href)};
    const bl = await load();
    console.log(bl.inferShape('numpy', [[2, 1], [3]]).join());
    try { eval('1') } catch { console.log('no eval') }`;
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', code];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), '2,3\nno eval\n');
});

test('the kernels are SIMD, and report it', async () => {
  const { target } = await load();
  assert.match(target, /^WASM/);
  assert.doesNotMatch(target, /SCALAR|EMU/);
  const counts = instructions(await readFile(wasmUrl));
  assert.ok(counts.simd > 3000, `${counts.simd} v128 instructions`);
  assert.ok(counts.simd < counts.all);
});
