// Reads the benches' command lines; an error is reported in one line.
import { parseArgs } from 'node:util';
import { Failure } from '../fail.mjs';
import { listNamed, readCases } from './cases.mjs';

// The options of every bench.
const common = {
  cases: { type: 'string', multiple: true, default: ['cases', 'cases-2', 'cases-3'] },
  filter: { type: 'string', default: '' },
  json: { type: 'string' },
  rounds: { type: 'string', default: '31' },
};

// Returns the options, with the filter as a regular expression and those in `numbers` (option: minimum) as numbers, and
// `readCases()`, which reads the lists, and
// `mode`: the entry of `modes` that was chosen, or `otherwise`.
export function readOptions({ options, numbers, modes, otherwise }) {
  let values;
  try {
    ({ values } = parseArgs({ options: { ...common, ...options } }));
  } catch (error) {
    throw new Failure(`bench: ${error.message.split('. ')[0]}`);
  }
  const chosen = Object.keys(modes).filter((mode) => values[mode] !== undefined);
  if (chosen.length > 1) throw new Failure(`bench: these options exclude each other: --${chosen.join(', --')}`);
  // Fewer than 15 rounds give too wide an interval.
  const read = Object.entries({ rounds: 15, ...numbers }).map(([name, least]) => [
    name,
    number(name, values[name], least),
  ]);
  return {
    ...values,
    ...Object.fromEntries(read),
    filter: filterOf(values.filter),
    readCases: () => values.cases.flatMap((name) => readCases(listNamed(name))),
    mode: modes[chosen[0]] ?? otherwise,
  };
}

function number(name, text, least) {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least) return value;
  throw new Failure(`bench: --${name} takes a whole number of at least ${least}, not ${text}`);
}

function filterOf(text) {
  try {
    return new RegExp(text);
  } catch {
    throw new Failure(`bench: --filter is not a regular expression: ${text}`);
  }
}
