// `npm run bench:wasm -- [--cases FILE] [--json OUT] [--filter RE] [--rounds N]`: times the package on the common work list,
// on tensors in wasm memory, from typed arrays to new ones, and from typed arrays into given ones, and prints for each the
// time, the unique bytes a second, and the ratios to the limit and to the best JavaScript loop. Every result is checked
// before it is timed; a wrong one is told, and the run fails.
// Other work in place of the list: --peers, --tiny, --start, --memory.
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readCases } from './bench/cases.mjs';
import { list } from './bench/wasm/list.mjs';
import { memory } from './bench/wasm/memory.mjs';
import { peers } from './bench/wasm/peers.mjs';
import { start } from './bench/wasm/start.mjs';
import { tiny } from './bench/wasm/tiny.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';

// Each mode: what measures and prints, and whether it does so of cases.
const modes = {
  peers: { run: peers, hasCases: true },
  tiny: { run: tiny },
  start: { run: start },
  memory: { run: memory },
};
const workList = { run: list, hasCases: true };

function readOptions() {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        cases: { type: 'string', default: inRoot('tests/bench/cases.json') },
        filter: { type: 'string', default: '' },
        json: { type: 'string' },
        rounds: { type: 'string', default: '31' },
        peers: { type: 'boolean' },
        tiny: { type: 'boolean' },
        start: { type: 'boolean' },
        memory: { type: 'boolean' },
      },
    }));
  } catch (error) {
    throw new Failure(`bench: ${error.message.split('. ')[0]}`);
  }
  const chosen = Object.keys(modes).filter((mode) => values[mode]);
  if (chosen.length > 1) throw new Failure(`bench: one at a time: --${chosen.join(', --')}`);
  const rounds = Number(values.rounds);
  // Fewer say too little.
  if (!/^\d+$/.test(values.rounds) || rounds < 15)
    throw new Failure(`bench: --rounds takes a whole number of at least 15, not ${values.rounds}`);
  let filter;
  try {
    filter = new RegExp(values.filter);
  } catch {
    throw new Failure(`bench: --filter is no regular expression: ${values.filter}`);
  }
  return { ...values, rounds, filter, mode: modes[chosen[0]] ?? workList };
}

await main(async () => {
  const options = readOptions();
  if (!existsSync(inRoot('wasm/dist/index.js')))
    throw new Failure('the package is not built: npm run build -- package');
  const { run, hasCases } = options.mode;
  let book;
  if (hasCases) {
    const cases = readCases(options.cases).filter(({ name }) => options.filter.test(name));
    if (cases.length === 0) throw new Failure(`no case has a name that matches ${options.filter.source}`);
    console.log(`Node ${process.versions.node}; medians of ${options.rounds} rounds, all in turn`);
    book = await run(cases, options);
  } else {
    book = await run(options);
  }
  if (options.json) writeFileSync(options.json, `${JSON.stringify(book.records, null, 2)}\n`);
  if (book.failures) throw new Failure(`${book.failures} failed: see above`);
});
