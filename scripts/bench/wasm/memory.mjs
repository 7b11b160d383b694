// The package's memory: the wasm memory while arrays as large as the platform allows are added, and the wasm memory and
// JavaScript heap before and after a million small calls.
import os from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bytesText, table } from '../table.mjs';
import { addInto, loaded, memoryBytes, refusal, smallCall } from './broadloom.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const rowLength = 2 ** 14;
const smallCalls = 1_000_000;
const warmCalls = 10_000; // until all caches are filled

export async function memory() {
  const bl = await loaded();
  const book = { failures: 0, records: [] };
  const row = table(['what', 44], ['before, MiB', 14], ['after, MiB', 14]);
  const keep = (name, before, after) => {
    row(name, ...[before, after].map((bytes) => (bytes / 2 ** 20).toFixed(2)));
    book.records.push({ name, kind: 'memory', before, after });
  };
  addLarge(bl, book, keep);

  const call = smallCall(bl);
  for (let i = 0; i < warmCalls; ++i) call();
  const first = await held(bl);
  for (let i = 0; i < smallCalls; ++i) call();
  const last = await held(bl);
  for (const [what, bytes] of Object.entries(first))
    keep(`${what}, ${smallCalls.toLocaleString('en')} small calls`, bytes, last[what]);
  return book;
}

// Buffers of collected arrays are freed shortly after the collection.
async function held(bl) {
  collectGarbage();
  await new Promise((resolve) => setTimeout(resolve, 100));
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { 'wasm memory': memoryBytes(bl), 'JavaScript heap': heapUsed, 'array buffers': arrayBuffers };
}

function addLarge(bl, book, keep) {
  const [a, b, out] = largeArrays();
  const name = `wasm memory, adding ${bytesText(a.data.byteLength)} arrays`;
  const before = memoryBytes(bl);
  try {
    addInto(bl, a, b, out);
  } catch (error) {
    const reason = refusal(error);
    if (reason === undefined) throw error;
    ++book.failures;
    console.log(`${name}  FAILED: ${reason}`);
    return;
  }
  const wrong = firstWrong(a, b, out);
  if (wrong === undefined) {
    keep(name, before, memoryBytes(bl));
  } else {
    ++book.failures;
    console.log(`${name}  WRONG: element ${wrong} is ${out.data[wrong]}`);
  }
}

// Two operands and a result of 1 GiB each, or less if the platform does not allow it; together at most half of the memory.
function largeArrays() {
  for (let bytes = 2 ** 30; ; bytes /= 2) {
    if (bytes > os.totalmem() / 6) continue;
    try {
      const shape = [bytes / 4 / rowLength, rowLength];
      const arrays = [0, 1, 2].map(() => ({ data: new Float32Array(bytes / 4), shape }));
      arrays.forEach(({ data }, which) => {
        for (let i = 0; i < data.length; ++i) data[i] = (i % 8191) + which;
      });
      return arrays;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

function firstWrong({ data: a }, { data: b }, { data: out }) {
  for (let i = 0; i < out.length; ++i) if (out[i] !== Math.fround(a[i] + b[i])) return i;
  return undefined;
}
