// `npm run bench:native -- [--cases FILE] [--filter RE] [--json OUT]`: times the native library on the common work list
// and prints, for each case, the time, the unique bytes a second, and the ratio to a loop that only moves those bytes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';

const list = (values) => (values === undefined ? '-' : `[${values}]`);
const rules = { numpy: 'broadcast_numpy', bidirectional: 'bidirectional', explicit: 'explicit' };

// A case as the words of one line.
const lines = {
  elementwise: ({ op, rule = 'numpy', axis = '-', dtype, a, b }) =>
    `${op[0].toUpperCase()}${op.slice(1)} ${rule} ${axis} - - ${dtype} ${list(a)} ${list(b)}`,
  broadcast: ({ mode = 'numpy', dtype, data, target, axes_mapping: mapping }) =>
    `Broadcast ${rules[mode]} - ${list(target)} ${list(mapping)} ${dtype} ${list(data)}`,
};

await main(async () => {
  const { values: options } = parseArgs({
    options: {
      cases: { type: 'string', default: inRoot('tests/bench/cases.json') },
      filter: { type: 'string', default: '' },
      json: { type: 'string' },
    },
  });
  const filter = new RegExp(options.filter);
  const work = JSON.parse(readFileSync(options.cases, 'utf8'));
  const cases = Object.entries(lines).flatMap(([kind, line]) =>
    (work[kind] ?? []).filter(({ name }) => filter.test(name)).map((item) => ({ ...item, kind, line: line(item) })),
  );
  if (cases.length === 0) throw new Failure(`no case of ${options.cases} has a name that matches ${options.filter}`);

  const program = inRoot('build/bench/tests/bench/broadloom_bench');
  if (!existsSync(program)) throw new Failure('the bench is not built: npm run build -- bench');
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const records = [];
  console.log(`${'case'.padEnd(26)}${'ns'.padStart(12)}${'GB/s'.padStart(9)}${'x limit'.padStart(9)}`);
  for (const { name, kind, line } of cases) {
    child.stdin.write(`${name} ${line}\n`);
    const words = ((await answers.next()).value ?? `${name} error ended`).split(' ');
    if (words[1] === 'error') {
      child.stdin.end(); // or it would wait for ever
      throw new Failure(`${kind} ${name}: ${words[2]}`);
    }
    const [ns, limit, bytes] = words.slice(1).map(Number);
    records.push({ name, kind, threads: 1, ns, gbps: bytes / ns, limit_ns: limit });
    const columns = [
      ns.toFixed(0).padStart(12),
      (bytes / ns).toFixed(1).padStart(9),
      (ns / limit).toFixed(2).padStart(9),
    ];
    console.log(`${kind} ${name}`.padEnd(26) + columns.join(''));
  }
  child.stdin.end();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(records, null, 2)}\n`);
});
