// `npm run fuzz -- NAME --seconds N`: lets libFuzzer run a harness of tests/fuzz for N seconds (60), beginning with its
// corpus. A fault ends it: the input is kept in tests/fuzz/corpus, where the tests replay it from then on.
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

const corpora = { text: 'text', plan: 'plans' };

await main(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '60' } },
  });
  const [name] = positionals;
  if (positionals.length !== 1 || !Object.hasOwn(corpora, name))
    throw new Failure(`which harness? There are ${Object.keys(corpora).join(', ')}: npm run fuzz -- text --seconds 60`);
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new Failure(`--seconds is ${values.seconds}: give a whole number`);

  const env = await setUp('test');
  await build(['fuzz'], env);
  const corpus = inRoot('tests/fuzz/corpus', corpora[name]);
  const found = inRoot('build/fuzz/corpus', name);
  mkdirSync(found, { recursive: true });
  const { code } = await run(
    inRoot(`build/fuzz/tests/broadloom_fuzz_${name}`),
    // What is new goes to the first folder; a fault's input among those that are kept.
    [
      found,
      corpus,
      `-max_total_time=${seconds}`,
      `-artifact_prefix=${corpus}/`,
      '-max_len=512',
      '-print_final_stats=1',
    ],
    { env },
  );
  if (code !== 0) throw new Failure(`a fault was found: its input is in ${corpus}`);
});
