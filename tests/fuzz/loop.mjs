// `npm run fuzz -- npy --seconds N`: runs a harness on random changes of the inputs in its corpus, for a time or a
// number of executions, or until it finds an error. The failing input is made as short as possible and added to the
// corpus.
//
// node tests/fuzz/loop.mjs NAME [--seconds N] [--executions N] [--seed N] [--collect FOLDER]
//
// No coverage is measured. A harness names what an input reaches, and inputs that reach a new name are changed further.
// --collect writes them to a folder, from which a corpus can be made. The harness runs in a thread, so that an input
// that never ends is found, too.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const LONGEST = 400;
// No input takes half a second on an idle machine.
const MOST_SECONDS = 20;

/** The inputs of a harness's corpus, by name. */
export function corpusOf(name) {
  const folder = new URL(`corpus/${name}/`, import.meta.url);
  return new Map(readdirSync(folder).map((file) => [file, new Uint8Array(readFileSync(new URL(file, folder)))]));
}

/** Random whole numbers below `end`, the same for the same seed. */
export function chance(seed) {
  let state = (seed * 2 + 1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return (end) => next() % end;
}

const BYTES = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 100, 127, 128, 200, 208, 254, 255];
const NUMBERS = [[0xff, 0xff], [0xff, 0x7f], [0, 1, 0, 0], [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0x80], [0, 0, 0, 0]]; // prettier-ignore

const CHANGES = [
  (below, bytes) => put(bytes, below(bytes.length), 1, [bytes[below(bytes.length)] ^ (1 << below(8))]),
  (below, bytes) => put(bytes, below(bytes.length), 1, [below(256)]),
  (below, bytes) => put(bytes, below(bytes.length), 1, [BYTES[below(BYTES.length)]]),
  (below, bytes) =>
    put(
      bytes,
      below(bytes.length + 1),
      0,
      Array.from({ length: 1 + below(4) }, () => below(256)),
    ),
  (below, bytes) => put(bytes, below(bytes.length), 1 + below(4), []),
  (below, bytes) => {
    const number = NUMBERS[below(NUMBERS.length)];
    return put(bytes, below(bytes.length), number.length, number);
  },
  (below, bytes) => {
    const begin = below(bytes.length);
    return put(bytes, below(bytes.length), 0, bytes.subarray(begin, begin + 1 + below(16)));
  },
  (below, bytes, other) => {
    const begin = below(other.length + 1);
    return put(bytes, below(bytes.length + 1), below(2) * LONGEST, other.subarray(begin, begin + 1 + below(64)));
  },
];

/** The bytes with `length` of them replaced. */
function put(bytes, begin, length, values) {
  const behind = bytes.subarray(begin + length);
  const changed = new Uint8Array(begin + values.length + behind.length);
  changed.set(bytes.subarray(0, begin));
  changed.set(values, begin);
  changed.set(behind, begin + values.length);
  return changed.subarray(0, Math.max(LONGEST, bytes.length));
}

/** A new input: one or more changes of existing inputs, or random bytes. */
export function makeInput(below, inputs) {
  if (inputs.length === 0 || below(8) === 0) return Uint8Array.from({ length: 8 + below(120) }, () => below(256));
  let bytes = inputs[below(inputs.length)];
  for (let changes = 1 + below(1 << below(5)); changes > 0; --changes) {
    if (bytes.length === 0) bytes = Uint8Array.of(below(256));
    bytes = CHANGES[below(CHANGES.length)](below, bytes, inputs[below(inputs.length)]);
  }
  return bytes;
}

/** A shorter input with the same error. */
function shorten(faultOf, bytes) {
  const isFault = (some) => faultOf(some) !== '';
  let best = bytes;
  for (let size = best.length >> 1; size >= 1; size >>= 1) {
    for (let begin = 0; begin < best.length;) {
      const fewer = put(best, begin, size, []);
      if (isFault(fewer)) best = fewer;
      else begin += size;
    }
  }
  for (let at = 0; at < best.length; ++at) {
    const plainer = put(best, at, 1, [0]);
    if (best[at] !== 0 && isFault(plainer)) best = plainer;
  }
  return best;
}

const options = {
  seconds: { type: 'string', default: '60' },
  executions: { type: 'string', default: 'Infinity' },
  seed: { type: 'string', default: '1' },
  collect: { type: 'string' },
};

// The state of the thread: the number of executions, the length of the input, and the input.
const SHARED_BYTES = 8 + 65536;

async function work({ name, seconds, executions, seed, collect, shared }) {
  const { faultOf } = await import(new URL(`${name}.mjs`, import.meta.url));
  Error.stackTraceLimit = 0; // stack traces take most of the time of an error
  const [progress, place] = [new Int32Array(shared, 0, 2), new Uint8Array(shared, 8)];
  const begin = performance.now();
  const below = chance(seed);
  const reached = new Set();
  let isNew = false;
  const note = (what) => {
    if (reached.has(what)) return;
    reached.add(what);
    isNew = true;
  };
  const waiting = [...corpusOf(name).values()];
  const inputs = [];
  let count = 0;
  for (; count < executions && performance.now() - begin < seconds * 1000; ++count) {
    const bytes = waiting.shift() ?? makeInput(below, inputs);
    place.set(bytes);
    Atomics.store(progress, 1, bytes.length);
    Atomics.store(progress, 0, count);
    isNew = false;
    const fault = faultOf(bytes, note);
    if (fault !== '') {
      const best = faultOf(bytes) === '' ? bytes : shorten(faultOf, bytes);
      return {
        count,
        reached: reached.size,
        bytes: best,
        fault: faultOf(best) || `${fault} (after other inputs alone)`,
      };
    }
    if (!isNew && inputs.length >= 16) continue;
    inputs.push(bytes);
    if (collect !== undefined) writeFileSync(`${collect}/${String(count).padStart(8, '0')}`, bytes);
  }
  return { count, reached: reached.size, bytes: null, fault: '' };
}

/** Runs a harness in a thread; resolves to what it found, or that an input did not end. */
function watch(data) {
  const shared = new SharedArrayBuffer(SHARED_BYTES);
  const [progress, place] = [new Int32Array(shared, 0, 2), new Uint8Array(shared, 8)];
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { ...data, shared } });
  const input = (fault) => ({
    count: progress[0],
    reached: 0,
    bytes: place.slice(0, progress[1]),
    fault,
  });
  return new Promise((resolve) => {
    let [last, since] = [-1, performance.now()];
    const timer = setInterval(() => {
      if (progress[0] !== last) [last, since] = [progress[0], performance.now()];
      else if (performance.now() - since > MOST_SECONDS * 1000) resolve(input(`takes more than ${MOST_SECONDS} s`));
    }, 1000);
    worker.on('message', resolve);
    worker.on('error', (error) => resolve(input(`ends the harness: ${error?.stack ?? error}`)));
    worker.on('exit', (code) => resolve(input(`ends the thread with ${code}`)));
    worker.once('exit', () => clearInterval(timer));
  }).finally(() => worker.terminate());
}

/** Runs a harness and reports the outcome. Returns the name of the file with the failing input, or null. */
export async function fuzz(name, { seconds = 60, executions = Infinity, seed = 1, collect } = {}) {
  if (collect !== undefined) mkdirSync(collect, { recursive: true });
  const begin = performance.now();
  const { count, reached, bytes, fault } = await watch({ name, seconds, executions, seed, collect });
  const took = (performance.now() - begin) / 1000;
  console.log(`${name}: ${count} executions in ${took.toFixed(1)} s, ${reached} things reached, seed ${seed}`);
  if (bytes === null) return null;
  const file = `fault-${Date.now()}`;
  writeFileSync(new URL(`corpus/${name}/${file}`, import.meta.url), bytes);
  console.log(fault);
  return file;
}

if (!isMainThread) {
  const { parentPort } = await import('node:worker_threads');
  parentPort.postMessage(await work(workerData));
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [seconds, executions, seed] = [values.seconds, values.executions, values.seed].map(Number);
  if ((await fuzz(positionals[0], { seconds, executions, seed, collect: values.collect })) !== null)
    process.exitCode = 1;
}
