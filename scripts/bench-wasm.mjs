// `npm run bench:wasm -- [--cases FILE] [--json OUT] [--filter RE] [--rounds N]`: times the package on a list of cases, in
// three modes: on tensors in wasm memory, from typed arrays to new ones, and from typed arrays into given ones. Prints the
// time, the unique bytes per second, and the ratios to the floor and to the best JavaScript loop. Every result is checked
// before it is timed; a wrong result is printed and fails the run.
// Other measurements instead of the list: --random [--seed S] [--full], --matrix, --arithmetic, --peers, --tiny, --threads N, --explain [--seed S] [--against FOLDER], --start, --size, --memory.
import { existsSync, writeFileSync } from 'node:fs';
import { readOptions } from './bench/options.mjs';
import { explain } from './bench/wasm/explain.mjs';
import { list } from './bench/wasm/list.mjs';
import { memory } from './bench/wasm/memory.mjs';
import { peers } from './bench/wasm/peers.mjs';
import { arithmetic, matrix, random } from './bench/wasm/resident.mjs';
import { size } from './bench/wasm/size.mjs';
import { start } from './bench/wasm/start.mjs';
import { threads } from './bench/wasm/threads.mjs';
import { tiny } from './bench/wasm/tiny.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';

// Each mode: the function that measures and prints, and whether it takes cases.
const modes = {
  peers: { run: peers, hasCases: true },
  random: { run: random },
  matrix: { run: matrix },
  arithmetic: { run: arithmetic },
  tiny: { run: tiny },
  threads: { run: threads },
  explain: { run: explain },
  start: { run: start },
  size: { run: size },
  memory: { run: memory },
};
const workList = { run: list, hasCases: true };

const options = {
  peers: { type: 'boolean' },
  random: { type: 'boolean' },
  full: { type: 'boolean' },
  seconds: { type: 'string' },
  matrix: { type: 'boolean' },
  arithmetic: { type: 'boolean' },
  tiny: { type: 'boolean' },
  threads: { type: 'string' },
  explain: { type: 'boolean' },
  seed: { type: 'string' },
  against: { type: 'string' },
  start: { type: 'boolean' },
  size: { type: 'boolean' },
  memory: { type: 'boolean' },
};

await main(async () => {
  const settings = readOptions({ options, numbers: { seed: 0, seconds: 1, threads: 2 }, modes, otherwise: workList });
  if (!existsSync(inRoot('wasm/dist/index.js')))
    throw new Failure('the package is not built: npm run build -- package');
  const { run, hasCases } = settings.mode;
  let book;
  if (hasCases) {
    const cases = settings.readCases().filter(({ name }) => settings.filter.test(name));
    if (cases.length === 0) throw new Failure(`no case has a name that matches ${settings.filter.source}`);
    console.log(`Node ${process.versions.node}; medians of ${settings.rounds} rounds, all in turn`);
    book = await run(cases, settings);
  } else {
    book = await run(settings);
  }
  if (settings.json) writeFileSync(settings.json, `${JSON.stringify(book.records, null, 2)}\n`);
  if (book.failures) throw new Failure(`${book.failures} failed: see above`);
});
