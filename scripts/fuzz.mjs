// `npm run fuzz -- NAME --seconds N`: runs a harness of tests/fuzz for N seconds (60), beginning with its corpus: libFuzzer
// those in C++, under the sanitizers, and the loop of tests/fuzz those of the package. A fault ends it: the input is kept in
// tests/fuzz/corpus, where the tests replay it from then on.
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

// What has to be built first, and the program with what it takes.
const harnesses = {
  text: { needs: 'fuzz', command: (seconds) => libFuzzer('text', 'text', seconds) },
  plan: { needs: 'fuzz', command: (seconds) => libFuzzer('plan', 'plans', seconds) },
  npy: { needs: 'package', command: (seconds) => ownLoop('npy', seconds) },
  calls: { needs: 'package', command: (seconds) => ownLoop('calls', seconds) },
};

function libFuzzer(name, folder, seconds) {
  const corpus = inRoot('tests/fuzz/corpus', folder);
  const found = inRoot('build/fuzz/corpus', name);
  mkdirSync(found, { recursive: true });
  // What is new goes to the first folder; a fault's input among those that are kept.
  const limits = [`-max_total_time=${seconds}`, `-artifact_prefix=${corpus}/`, '-print_final_stats=1'];
  // Long from the start: what a short input leaves open is 0, and not much is done then.
  limits.push('-max_len=512', '-len_control=0');
  return [inRoot(`build/fuzz/tests/broadloom_fuzz_${name}`), found, corpus, ...limits];
}

function ownLoop(name, seconds) {
  // Another seed each time, which is printed.
  const seed = Math.floor(Date.now() / 1000);
  return ['node', inRoot('tests/fuzz/loop.mjs'), name, '--seconds', String(seconds), '--seed', String(seed)];
}

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '60' } },
  });
  const [name] = positionals;
  if (positionals.length !== 1 || !Object.hasOwn(harnesses, name))
    throw new Failure(
      `which harness? There are ${Object.keys(harnesses).join(', ')}: npm run fuzz -- text --seconds 60`,
    );
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new Failure(`--seconds is ${values.seconds}: give a whole number`);

  const { needs, command } = harnesses[name];
  const env = await setUp('test');
  await build([needs], env);
  const [program, ...args] = command(seconds);
  // Little that was freed is kept, and short traces: half of the time otherwise.
  const sanitizer = { ASAN_OPTIONS: 'quarantine_size_mb=16:malloc_context_size=8' };
  const { code } = await run(program, args, { env: { ...sanitizer, ...env } });
  if (code !== 0) throw new Failure('a fault was found: its input is in tests/fuzz/corpus');
});
