// Errors of broadloom/threads; as in refusals.mjs.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from 'broadloom/threads';
import { f32 } from './arrays.mjs';

const dist = new URL('../../wasm/dist/', import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-refusals-threads-'));
after(() => rmSync(folder, { recursive: true }));

/** Loads a copy of the package without a file. */
async function loadWithout(file) {
  const copy = path.join(folder, file);
  cpSync(fileURLToPath(dist), copy, { recursive: true });
  writeFileSync(path.join(copy, 'package.json'), '{ "type": "module" }');
  rmSync(path.join(copy, file));
  const { load: loadCopy } = await import(pathToFileURL(path.join(copy, 'threads.js')));
  return loadCopy({ threads: 2 });
}

/** Ends an instance while it computes, or before, and returns the promise of a call. */
async function ending(afterwards) {
  const bl = await load({ threads: 2 });
  const call = () => bl.pow({ data: new Float32Array(1 << 20), shape: [1 << 20] }, 0.5);
  if (afterwards) bl.close();
  const running = call();
  bl.close();
  return running;
}

/** Terminates a worker of an instance; the next call. */
async function losing() {
  const threads = process.getBuiltinModule('node:worker_threads');
  const { Worker } = threads;
  let last;
  threads.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      last = this;
    }
  };
  const bl = await load({ threads: 2 });
  threads.Worker = Worker;
  await last.terminate();
  return bl.add(f32([1]), f32([2]));
}

const core = new URL('broadloom-core.wasm', dist);
const bundled = (name) =>
  ` If a bundler built this, it has left out ${name}: put the file beside the built script, or give its address.`;
const missing = (name) =>
  `Broadloom could not be loaded: ENOENT: no such file or directory, open '${path.join(folder, name, name)}'.${bundled(name)}`;

/** By group: a call, its error's code, and the message. */
export const REFUSALS = {
  'Loading threads': [
    [() => load({ threads: 0 }), 'load', 'threads has to be a whole number from 1 to 64, not 0.'],
    [() => load({ threads: '2' }), 'load', 'threads has to be a whole number from 1 to 64, not "2".'],
    [
      () => load({ threads: 2, threadsWasm: core }),
      'load',
      'Broadloom could not be loaded: broadloom-threads.wasm is not the one of this package.',
    ],
    [
      () => load({ wasm: Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0) }),
      'load',
      'Broadloom could not be loaded: broadloom-core.wasm is not the one of this package.',
    ],
    [() => loadWithout('broadloom-core.wasm'), 'load', missing('broadloom-core.wasm')],
    [() => loadWithout('broadloom-threads.wasm'), 'load', missing('broadloom-threads.wasm')],
  ],
  'Threads that end': [
    [() => ending(false), 'aborted', 'The threads were closed before the call was done.'],
    [() => ending(true), 'disposed', 'The threads were closed. load() starts others.'],
    [() => losing(), 'disposed', 'The threads ended: a thread has ended. load() starts others.'],
  ],
};
