// Errors of loading and of workers; as in refusals.mjs.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from 'broadloom';
import { load as loadAtOnce } from 'broadloom/inline';
import { startWorker } from 'broadloom/worker';
import { f32 } from './arrays.mjs';

const bl = await load();
const worker = await startWorker();
const dist = new URL('../../wasm/dist/', import.meta.url);

const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-refusals-'));
after(() => {
  worker.terminate();
  rmSync(folder, { recursive: true });
});

function throwing(object, name) {
  return Object.defineProperty(object, name, {
    enumerable: true,
    get() {
      throw new Error('not today');
    },
  });
}

/** Calls while the platform has another `object[name]`. */
function without(object, name, other, call) {
  const kept = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { ...kept, value: other });
  const restore = () => Object.defineProperty(object, name, kept);
  let result;
  try {
    result = call();
  } catch (error) {
    restore();
    throw error;
  }
  return Promise.resolve(result).finally(restore);
}

/** Calls with a copy of the package in which `file` is missing, or is another program. */
async function apart(file, entry, call, program) {
  const copy = path.join(folder, `without-${file}${program === undefined ? '' : '-as-it-is'}`);
  cpSync(fileURLToPath(dist), copy, { recursive: true });
  writeFileSync(path.join(copy, 'package.json'), '{ "type": "module" }');
  const entryModule = await import(pathToFileURL(path.join(copy, entry)));
  rmSync(path.join(copy, file));
  if (program !== undefined) writeFileSync(path.join(copy, file), program);
  return call(entryModule);
}

/** Starts a fake web worker: `answer` is called when the worker is told to start. */
function onWeb(answer) {
  globalThis.Worker = class {
    postMessage() {
      queueMicrotask(() => answer(this));
    }
    terminate() {}
  };
  return startWorker().finally(() => delete globalThis.Worker);
}

/** A call to a worker that `end` ends during the call; or a call afterwards. */
async function ending(end, isLater = false) {
  let made;
  const started = await onWeb((thread) => {
    made = thread;
    if (!thread.isStarted) thread.onmessage({ data: { type: 'started' } });
    thread.isStarted = true;
  });
  const call = started.apply('Add', [f32([1]), f32([1])]);
  end({ worker: started, made });
  if (!isLater) return call;
  await call.catch(() => {});
  return started.apply('Add', [f32([1]), f32([1])]);
}

/** By subject: [call, class or class.detail, message]. */
export const REFUSALS = {
  Loading: [
    [() => load(5), 'load', 'load takes its options as an object, { wasm: source }, not Number.'],
    [() => load('x'), 'load', 'load takes its options as an object, { wasm: source }, not "x".'],
    [() => load({ wasn: 1 }), 'load', 'load has no option "wasn", only "wasm" and "explanations".'],
    [
      () => load({ wasm: 5 }),
      'load',
      'Broadloom could not be loaded: wasm has to be an address, a response, bytes or a WebAssembly.Module, not 5.',
    ],
    [
      () => load({ wasm: { size: 3 } }),
      'load',
      'Broadloom could not be loaded: wasm has to be an address, a response, bytes or a WebAssembly.Module, not an object (Object).',
    ],
    [
      () => load({ wasm: './core.wasm' }),
      'load',
      'Broadloom could not be loaded: "./core.wasm" is no URL. Of a file, give pathToFileURL(path).',
    ],
    [() => load(throwing({ wasm: 1 }, 'wasm')), 'load', 'Broadloom could not be loaded: not today.'],
    [
      () => load({ wasm: new Response('', { status: 404 }) }),
      'load',
      'Broadloom could not be loaded: the response came with status 404.',
    ],
    [
      () => load({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }),
      'load',
      'Broadloom could not be loaded: the file is not the one that belongs to this package.',
    ],
    [
      () => loadAtOnce({ wasm: 'core.wasm' }),
      'load',
      'The load of broadloom/inline takes bytes or a WebAssembly.Module; the load of broadloom takes addresses and responses, too, since it may await them.',
    ],
    [
      () =>
        without(
          WebAssembly,
          'validate',
          () => false,
          () => loadAtOnce({ wasm: new Uint8Array(1) }),
        ),
      'no_simd',
      'Broadloom needs WebAssembly SIMD (128 bits): Chrome 114, Firefox 89, Safari 16.4, Node 20.16 or later.',
    ],
    [
      () => without(globalThis, 'WebAssembly', undefined, () => loadAtOnce({ wasm: new Uint8Array(2) })),
      'no_webassembly',
      'Broadloom needs WebAssembly, which is missing or switched off here.',
    ],
    [
      () => without(process, 'getBuiltinModule', undefined, () => load({ wasm: 'file:///core.wasm' })),
      'load',
      'Broadloom could not be loaded: Node 20.16 or later is needed to read files.',
    ],
    [
      () => apart('broadloom-core.wasm', 'index.js', ({ load }) => load()),
      'load',
      `Broadloom could not be loaded: ENOENT: no such file or directory, open '${folder}/without-broadloom-core.wasm/broadloom-core.wasm'. If a bundler built this, it has left out broadloom-core.wasm. Load what holds it: import { load } from 'broadloom/inline'; or, for an ES module, copy the file beside the built script.`,
    ],
  ],
  'Starting workers': [
    [() => startWorker(5), 'load', 'startWorker takes its options as an object, { wasm: source }, not Number.'],
    [() => startWorker({ wasn: 1 }), 'load', 'startWorker has no option "wasn", only "wasm".'],
    [
      () => startWorker({ wasm: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }),
      'load',
      'Broadloom could not be loaded: the file is not the one that belongs to this package.',
    ],
    [
      () => apart('worker-thread.js', 'worker.js', ({ startWorker }) => startWorker()),
      'load',
      `Broadloom could not be loaded: worker-thread.js, which runs in the worker, did not arrive or could not be run. Put it and what it imports at ${pathToFileURL(folder)}/without-worker-thread.js/worker-thread.js; where a bundler renames it, put there what the bundler made of it.`,
    ],
    [
      () => apart('engine.js', 'worker.js', ({ startWorker }) => startWorker()),
      'load',
      `Broadloom could not be loaded: worker-thread.js, which runs in the worker, did not arrive or could not be run. Put it and what it imports at ${pathToFileURL(folder)}/without-engine.js/worker-thread.js; where a bundler renames it, put there what the bundler made of it.`,
    ],
    [
      () => apart('worker-thread.js', 'worker.js', ({ startWorker }) => startWorker(), 'process.exit();'),
      'load',
      'Broadloom could not be loaded: the worker ended at once.',
    ],
    [
      () => onWeb((worker) => worker.onerror({ message: '', preventDefault() {} })),
      'load',
      `Broadloom could not be loaded: worker-thread.js, which runs in the worker, did not arrive or could not be run. Put it and what it imports at ${dist}worker-thread.js; where a bundler renames it, put there what the bundler made of it.`,
    ],
    [
      () => onWeb((worker) => worker.onerror({ message: 'out of memory', preventDefault() {} })),
      'load',
      'Broadloom could not be loaded: out of memory.',
    ],
    [
      () => onWeb((worker) => worker.onmessageerror()),
      'load',
      'Broadloom could not be loaded: a message could not be read.',
    ],
    [
      () =>
        without(
          process,
          'getBuiltinModule',
          () => undefined,
          () => startWorker({ wasm: 'http://localhost/core.wasm' }),
        ),
      'load',
      'Broadloom could not be loaded: there are no module workers here; Node has them from 20.16 on.',
    ],
  ],
  'Calling workers': [
    [
      () => worker.apply('Add', [f32([1]), f32([1])], { signal: {} }),
      'attribute.out_of_range',
      'signal has to be an AbortSignal, not an object.',
    ],
    [
      () => worker.apply('Add', [f32([1]), f32([1])], { onProgress: 5 }),
      'attribute.out_of_range',
      'onProgress has to be a function, not 5.',
    ],
    [
      () => worker.apply('Add', [f32([1]), f32([1])], { transfer: 'yes' }),
      'attribute.out_of_range',
      'transfer has to be true or false, not "yes".',
    ],
    [
      () => worker.apply('Add', [f32([1]), f32([1])], { signal: AbortSignal.abort() }),
      'aborted',
      'The call was aborted before it was done.',
    ],
    [
      () => worker.apply('Add', [f32([1]), f32([1])], { attrs: { fmod: () => 1 } }),
      'dtype.unsupported',
      'The call cannot be sent to the worker: () => 1 could not be cloned.',
    ],
    [() => worker.apply('Add', [f32([1]), f32([1, 2]), f32([1])]), 'arity', 'Add takes 2 operands, not 3.'],
    [
      () => worker.apply('Add', [f32([1, 2]), f32([1, 2, 3])]),
      'incompatible',
      'Axis 0: B has 3 (its axis 0) but A has 2 (its axis 0). ONNX multidirectional: along each axis the extents are one common extent or 1.',
    ],
    [
      () => worker.apply('Add', [bl.tensor(f32([1])), f32([1])]),
      'dtype.unsupported',
      'A: a tensor lies in the memory of this thread; give what read() gives, with its shape.',
    ],
    [
      () => worker.apply('Add', [f32([1, 2]), f32([1])], { out: { ...f32([0, 0, 0], [2]), strides: [2] } }),
      'dtype.unsupported',
      'out: elements that lie apart are written in place: share their memory, or give transfer: true.',
    ],
    [
      () => worker.apply('Add', [5, 'x']),
      'dtype.unsupported',
      'B: it has to be an array, as {data, shape} or otherwise, not "x".',
    ],
    [
      () => worker.apply('Add', throwing([f32([1]), null], 1)),
      'dtype.unsupported',
      'Reading the list failed: not today.',
    ],
    [
      () => worker.apply('Add', [throwing({ data: new Float32Array(1) }, 'shape'), f32([1])]),
      'dtype.unsupported',
      'A: reading it failed: not today.',
    ],
    [
      () =>
        worker.apply('Broadcast', [{ data: new Uint16Array(1), shape: [1], dtype: 'bf16' }], {
          rule: 'broadcast_numpy',
          targetShape: [1],
          as: 'onnx',
        }),
      'dtype.unsupported',
      "The result: onnxruntime's tensor holds no bf16; ask for the result in the form 'array'.",
    ],
    [
      () => ending(({ worker }) => worker.terminate()),
      'aborted',
      'The worker was terminated before the call was done.',
    ],
    [
      () => ending(({ worker }) => worker.terminate(), true),
      'disposed',
      'This worker was terminated. startWorker() starts another one.',
    ],
    [
      () => ending(({ made }) => made.onerror({ message: 'out of memory', preventDefault() {} })),
      'aborted',
      'The worker ended before the call was done: out of memory.',
    ],
    [
      () => ending(({ made }) => made.onerror({ message: 'out of memory', preventDefault() {} }), true),
      'disposed',
      'This worker ended: out of memory. startWorker() starts another one.',
    ],
  ],
};
