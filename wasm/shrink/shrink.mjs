// Makes the download of a linked module smaller: optimises it once more, puts similar functions beside each other
// (order.mjs, moves.mjs), and numbers their locals alike (locals.mjs).
//
//   node wasm/shrink/shrink.mjs WASM-OPT MODULE ROUNDS
//
// Which numbers of locals are best depends on the order, and which order is best on the numbers: both are chosen in turn, ROUNDS
// times. A round takes 6 to 8 seconds on two cores, and makes the core module up to 0.3 % smaller when compressed.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { numberLocals } from './locals.mjs';
import { readModule } from './module.mjs';
import { moveToSimilar } from './moves.mjs';
import { orderBySimilarity } from './order.mjs';

// The features that the compiler may use (CMakeLists.txt), and those of shared memory.
const FEATURES = ['simd', 'bulk-memory', 'nontrapping-float-to-int', 'sign-ext', 'mutable-globals', 'threads'];

const [wasmOpt, file, rounds] = process.argv.slice(2);
if (!(Number(rounds) > 0)) throw new Error('The number of rounds is missing.');
const scratch = `${file}.scratch`;
run('-Oz', file, '-o', scratch);
// The second time makes it slightly smaller again.
run('-Oz', '--strip-debug', '--strip-target-features', scratch, '-o', scratch);
const optimised = readModule(readFileSync(scratch));
rmSync(scratch);
let module = optimised.inOrder(orderBySimilarity(optimised.functions.map(({ bytes }) => bytes)));
for (let round = 0; round < Number(rounds); ++round) {
  const { functions, write } = readModule(module);
  const bodies = await numberLocals(functions, { again: round > 0 });
  module = readModule(write(bodies)).inOrder(await moveToSimilar(bodies, round));
}
if (!WebAssembly.validate(module)) throw new Error(`${file} would not be valid in another order`);
writeFileSync(file, module);

function run(...options) {
  const { status, error } = spawnSync(wasmOpt, [...FEATURES.map((name) => `--enable-${name}`), ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error(`${wasmOpt} failed`, { cause: error });
}
