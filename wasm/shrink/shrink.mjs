// Makes the download of a linked module smaller: optimises it once more, puts similar functions beside each other
// (order.mjs), and numbers their locals alike (locals.mjs).
//
//   node wasm/shrink/shrink.mjs WASM-OPT MODULE
//
// Functions call each other by index, so wasm-opt moves them: it can sort functions by name. Linked modules have no names;
// this script gives each function its new place as name, and wasm-opt removes the names after sorting.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { leb } from './leb.mjs';
import { numberLocals } from './locals.mjs';
import { readModule } from './module.mjs';
import { orderBySimilarity } from './order.mjs';

// Which length of common sequences is best differs from module to module, by up to 1 % of the size: each is tried.
const SEQUENCES = [5, 6, 7, 8];

// The features that the compiler may use (CMakeLists.txt), and those of shared memory.
const FEATURES = ['simd', 'bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'threads'];

const [wasmOpt, file] = process.argv.slice(2);
const scratch = `${file}.scratch`;
run('-Oz', file, '-o', scratch);
const optimised = readFileSync(scratch);
const { imported, functions } = readModule(optimised);
const bodies = functions.map(({ bytes }) => bytes);
const tried = SEQUENCES.map((length) => {
  const { functions: inOrder, write } = readModule(sorted(orderBySimilarity(bodies, length)));
  const module = write(numberLocals(inOrder));
  return { module, size: gzipSync(module, { level: 9 }).length };
});
const { module } = tried.reduce((least, one) => (one.size < least.size ? one : least));
if (!WebAssembly.validate(module)) throw new Error(`${file} would not be valid with other numbers of locals`);
writeFileSync(file, module);
rmSync(scratch);

/** The optimised module with its functions in this order. Optimised again, it is slightly smaller. */
function sorted(order) {
  writeFileSync(scratch, Buffer.concat([optimised, nameSection(order)]));
  run('--reorder-functions-by-name', '-Oz', '--strip-debug', '--strip-target-features', scratch, '-o', scratch);
  return readFileSync(scratch);
}

function run(...options) {
  const { status, error } = spawnSync(wasmOpt, [...FEATURES.map((name) => `--enable-${name}`), ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${wasmOpt} failed`, { cause: error });
}

/** The custom section "name", with a name for each function: its place in `order`. */
function nameSection(order) {
  const digits = String(imported + order.length).length;
  const names = [];
  for (let index = 0; index < imported; ++index) names[index] = index;
  order.forEach((index, place) => (names[imported + index] = imported + place));
  const entries = names.flatMap((place, index) => [...leb(index), ...text(String(place).padStart(digits, '0'))]);
  const functionNames = [...leb(names.length), ...entries];
  const content = [...text('name'), 1, ...leb(functionNames.length), ...functionNames];
  return Buffer.from([0, ...leb(content.length), ...content]);
}

function text(string) {
  return [...leb(string.length), ...Buffer.from(string)];
}
