// `npm run bench:native -- [--cases FILE] [--json OUT] [--filter RE] [--threads N] [--rounds N] [--target NAME]`: times the
// native library on a list of cases, on the best SIMD target or the one named. Prints the time, the unique bytes per second,
// and the ratio to the floor: the slower of a loop that only moves those bytes and of the operator's arithmetic in the
// first-level cache. Every result is checked before it is timed; a wrong result is printed and fails the run.
// Other measurements instead of the list: --random [--seed S] [--full] [--streamed], --short, --matrix, --arithmetic, --curve,
// --stores, --sums, --plans, --peers.
import { existsSync, writeFileSync } from 'node:fs';
import { curve, curveCases } from './bench/curve.mjs';
import { list } from './bench/list.mjs';
import { arithmetic, arithmeticCases, matrix, matrixCases } from './bench/matrix.mjs';
import { readOptions } from './bench/options.mjs';
import { peers } from './bench/peers.mjs';
import { plans } from './bench/plans.mjs';
import { Program } from './bench/program.mjs';
import { random } from './bench/random.mjs';
import { randomCases, streamedCases } from './bench/random-cases.mjs';
import { short, shortCases } from './bench/short.mjs';
import { stores } from './bench/stores.mjs';
import { sums, sumsCases } from './bench/sums.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';

// Each mode: its cases, if it has any, and the function that measures and prints.
const modes = {
  random: { cases: ({ seed, streamed }) => (streamed ? streamedCases(seed) : randomCases(seed)), run: random },
  short: { cases: shortCases, run: short },
  matrix: { cases: async (_, program) => matrixCases(await program.ask('vocabulary')), run: matrix },
  arithmetic: { cases: async (_, program) => arithmeticCases(await program.ask('vocabulary')), run: arithmetic },
  curve: { cases: curveCases, run: curve },
  stores: { run: stores },
  sums: { cases: sumsCases, run: sums },
  plans: { run: plans },
  peers: { cases: ({ readCases }) => readCases(), run: peers },
};
const workList = { cases: ({ readCases }) => readCases(), run: list };

const options = {
  threads: { type: 'string', default: '1' },
  seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  random: { type: 'boolean' },
  full: { type: 'boolean' },
  streamed: { type: 'boolean' },
  seconds: { type: 'string' },
  short: { type: 'boolean' },
  matrix: { type: 'boolean' },
  arithmetic: { type: 'boolean' },
  curve: { type: 'boolean' },
  stores: { type: 'boolean' },
  sums: { type: 'boolean' },
  plans: { type: 'boolean' },
  peers: { type: 'boolean' },
  target: { type: 'string' },
  program: { type: 'string', default: inRoot('build/bench/tests/bench/broadloom_bench') },
};
const numbers = { threads: 1, seconds: 1, seed: 0 };

await main(async () => {
  const settings = readOptions({ options, numbers, modes, otherwise: workList });
  if (!existsSync(settings.program)) throw new Failure('the bench is not built: npm run build -- bench');
  const program = new Program('the bench', settings.program);
  try {
    const about = await program.ask(settings.target === undefined ? 'about' : `target name=${settings.target}`);
    if (about.error) throw new Failure(`bench: --target: ${about.error}`);
    if (settings.threads > 1 && !about.threads)
      throw new Failure(`the library runs on one thread only: --threads ${settings.threads} cannot be measured`);
    const { cases: casesOf, run } = settings.mode;
    let book;
    if (casesOf) {
      const cases = (await casesOf(settings, program)).filter(({ name }) => settings.filter.test(name));
      if (cases.length === 0) throw new Failure(`no case has a name that matches ${settings.filter.source}`);
      console.log(`${about.target}, ${about.compiler}; medians of ${settings.rounds} rounds, work and floor in turn`);
      book = await run(program, cases, settings);
    } else {
      book = await run(program, settings);
    }
    if (settings.json) writeFileSync(settings.json, `${JSON.stringify(book.records, null, 2)}\n`);
    if (book.failures) throw new Failure(`${book.failures} failed: see above`);
  } finally {
    program.end();
  }
});
