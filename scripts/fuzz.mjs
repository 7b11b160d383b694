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

// Each harness: the stage that builds it, and its command.
const harnesses = {
  text: { needs: 'fuzz', command: (seconds) => libFuzzer('text', 'text', seconds) },
  paste: { needs: 'fuzz', command: (seconds) => libFuzzer('paste', 'paste', seconds) },
  plan: { needs: 'fuzz', command: (seconds) => libFuzzer('plan', 'plans', seconds) },
  plantext: { needs: 'fuzz', command: (seconds) => libFuzzer('plantext', 'plan-texts', seconds) },
  npy: { needs: 'package', command: (seconds) => ownLoop('npy', seconds) },
  calls: { needs: 'package', command: (seconds) => ownLoop('calls', seconds) },
};

function libFuzzer(name, folder, seconds) {
  const corpus = inRoot('tests/fuzz/corpus', folder);
  const found = inRoot('build/fuzz/corpus', name);
  mkdirSync(found, { recursive: true });
  // libFuzzer writes new inputs to the first folder; an input that fails goes to the committed corpus.
  const limits = [`-max_total_time=${seconds}`, `-artifact_prefix=${corpus}/`, '-print_final_stats=1'];
  // Long inputs from the start: bytes missing in a short input read as 0, which exercises little.
  limits.push('-max_len=512', '-len_control=0');
  return [inRoot(`build/fuzz/tests/broadloom_fuzz_${name}`), found, corpus, ...limits];
}

function ownLoop(name, seconds) {
  // A new seed for each run; the loop prints it.
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
      `name a harness: ${Object.keys(harnesses).join(', ')}. Example: npm run fuzz -- text --seconds 60`,
    );
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new Failure(`--seconds must be a positive whole number, not ${values.seconds}`);

  const { needs, command } = harnesses[name];
  const env = await setUp('test');
  await build([needs], env);
  const [program, ...args] = command(seconds);
  // A small quarantine and short stack traces make the sanitizers twice as fast.
  const sanitizer = { ASAN_OPTIONS: 'quarantine_size_mb=16:malloc_context_size=8' };
  const { code } = await run(program, args, { env: { ...sanitizer, ...env } });
  if (code !== 0) throw new Failure('an error was found: its input is in tests/fuzz/corpus');
});
