// `npm run bench:native -- [--cases FILE] [--json OUT] [--filter RE] [--threads N] [--rounds N] [--target NAME]`: times the
// native library on a list of cases, on the best SIMD target or the one named. Prints the time, the unique bytes per second,
// and the ratio to a loop that only moves those bytes. Every result is checked before it is timed; a wrong result is printed
// and fails the run.
// Other measurements instead of the list: --random N [--seed S], --short, --matrix, --curve, --stores, --sums, --plans,
// --peers.
import { existsSync, writeFileSync } from 'node:fs';
import { readCases } from './bench/cases.mjs';
import { curve, curveCases } from './bench/curve.mjs';
import { list } from './bench/list.mjs';
import { matrix, matrixCases } from './bench/matrix.mjs';
import { readOptions } from './bench/options.mjs';
import { peers } from './bench/peers.mjs';
import { plans } from './bench/plans.mjs';
import { Program } from './bench/program.mjs';
import { random, randomCases } from './bench/random.mjs';
import { short, shortCases } from './bench/short.mjs';
import { stores } from './bench/stores.mjs';
import { sums, sumsCases } from './bench/sums.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';

// Each mode: its cases, if it has any, and the function that measures and prints.
const modes = {
  random: { cases: ({ random: count, seed }) => randomCases(count, seed), run: random },
  short: { cases: shortCases, run: short },
  matrix: { cases: async (_, program) => matrixCases(await program.ask('vocabulary')), run: matrix },
  curve: { cases: curveCases, run: curve },
  stores: { run: stores },
  sums: { cases: sumsCases, run: sums },
  plans: { run: plans },
  peers: { cases: ({ cases }) => readCases(cases), run: peers },
};
const workList = { cases: ({ cases }) => readCases(cases), run: list };

const options = {
  threads: { type: 'string', default: '1' },
  seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
  random: { type: 'string' },
  short: { type: 'boolean' },
  matrix: { type: 'boolean' },
  curve: { type: 'boolean' },
  stores: { type: 'boolean' },
  sums: { type: 'boolean' },
  plans: { type: 'boolean' },
  peers: { type: 'boolean' },
  target: { type: 'string' },
  program: { type: 'string', default: inRoot('build/bench/tests/bench/broadloom_bench') },
};
const numbers = { threads: 1, random: 1, seed: 0 };

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
      console.log(`${about.target}, ${about.compiler}; medians of ${settings.rounds} rounds, work and limit in turn`);
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
