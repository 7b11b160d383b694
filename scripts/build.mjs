// `npm run build -- STAGE...`: builds these stages; without names, the page that `npm start` serves.
import { Failure, main } from './fail.mjs';
import { build, stages } from './stages.mjs';
import { setUp } from './toolchain.mjs';

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !Object.hasOwn(stages, name));
  if (unknown) throw new Failure(`unknown stage: ${unknown}; there are ${Object.keys(stages).join(', ')}`);
  const native = names.some((name) =>
    ['native', 'gcc', 'sanitize', 'thread', 'fuzz', 'bench', 'python'].includes(name),
  );
  await build(names.length ? names : ['page'], await setUp(native ? 'test' : 'start'));
});
