// The limits with which work is compared.
//
// For tensors in wasm memory: the native bench's loops as a separate wasm module: one reads every byte of the operands once and
// writes every byte of the result once, in its own memory, one computes the operator's arithmetic. For typed arrays: the platform's `set`, which copies every
// operand into a buffer that stays in the cache, and the result out of it.
import { existsSync, readFileSync } from 'node:fs';
import { Failure } from '../../fail.mjs';
import { inRoot } from '../../paths.mjs';
import { requestWords } from '../cases.mjs';
import { elementCount } from './elements.mjs';

const file = inRoot('build/wasm/tests/bench/wasm/limit.wasm');

async function instance() {
  if (!existsSync(file)) throw new Failure('the limit is not built: npm run build -- wasm-limit');
  const compiled = await WebAssembly.compile(readFileSync(file));
  const imports = {};
  // The module imports notifications of memory growth; they are ignored.
  for (const { module, name } of WebAssembly.Module.imports(compiled)) (imports[module] ??= {})[name] = () => {};
  const { exports } = await WebAssembly.instantiate(compiled, imports);
  exports._initialize();
  return exports;
}

// Resolves to {addresses, memory, move()} for a result and operands of these sizes. `addresses` are those of the result and
// then of the operands; move() runs the loop once.
export async function wasmLimit(resultBytes, operandBytes) {
  const exports = await instance();
  const addresses = [resultBytes, ...operandBytes].map((bytes) => exports.limit_add(bytes) >>> 0);
  if (addresses.includes(0)) throw new Failure('the limit finds no memory');
  return { addresses, memory: exports.memory, move: exports.limit_move };
}

// Every operator with the types that it takes: [{op, dtypes, attribute}].
export async function vocabulary() {
  const exports = await instance();
  const begin = exports.vocabulary_text() >>> 0;
  const bytes = new Uint8Array(exports.memory.buffer);
  return JSON.parse(new TextDecoder().decode(bytes.subarray(begin, bytes.indexOf(0, begin))));
}

// How often a call runs the arithmetic, so that the call itself costs little.
const arithmeticRuns = 8;

// Resolves to {work(), calls} for the arithmetic of a case whose result has this shape: its time is that of `calls` calls of
// work(). undefined: the operator has none. `spoil`: a byte of its result that is changed, to test the check.
export async function wasmArithmetic(item, resultShape, spoil = -1) {
  const exports = await instance();
  const request = new TextEncoder().encode(`open ${requestWords(item)}`);
  new Uint8Array(exports.memory.buffer, exports.arithmetic_request(request.length) >>> 0, request.length).set(request);
  const elements = exports.arithmetic_open();
  if (elements === 0) return undefined;
  if (!exports.arithmetic_check(spoil)) throw new Failure(`the arithmetic of ${item.op} is wrong`);
  return {
    work: () => exports.arithmetic_run(arithmeticRuns),
    calls: elementCount(resultShape) / (elements * arithmeticRuns),
  };
}

// Bytes that are copied at a time: with as many of the array they are copied from or to, within the second cache.
const block = 64 * 1024;

// Returns a function that copies `operands` in and a result out: into `result`, or into a new array like it if `isNew`.
export function copyLimit(operands, result, isNew) {
  const scratch = new ArrayBuffer(block);
  const copyIn = operands.map((data) => {
    const space = new data.constructor(scratch);
    const views = blocksOf(data);
    return () => {
      for (let i = 0; i < views.length; ++i) space.set(views[i]);
    };
  });
  const { constructor: Held, length } = result;
  const space = new Held(scratch);
  const last = space.subarray(0, length % space.length);
  return () => {
    for (let i = 0; i < copyIn.length; ++i) copyIn[i]();
    const out = isNew ? new Held(length) : result;
    let at = 0;
    for (; at + space.length <= length; at += space.length) out.set(space, at);
    if (at < length) out.set(last, at);
    return out;
  };
}

function blocksOf(data) {
  const perBlock = block / data.BYTES_PER_ELEMENT;
  if (data.length <= perBlock) return [data];
  const views = [];
  for (let at = 0; at < data.length; at += perBlock) views.push(data.subarray(at, at + perBlock));
  return views;
}
