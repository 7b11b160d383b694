// `npm run scale`: Dask on a cluster of two processes, at full size. Checks the free disk first. `npm run scale -- NAME...`
// runs only these: `cluster`, `compare`, `chunks`. `--bytes N` is the size of the tensor of `cluster`, 8GiB by default.
import { mkdirSync, statfsSync } from 'node:fs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { python } from './python-package.mjs';
import { mustRun } from './run.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

const GIB = 2 ** 30;
const folder = 'build/scale';

// Each run: its program, the bytes it keeps on the disk, given those of the tensor, and its arguments.
const runs = {
  cluster: {
    disk: (bytes) => 2 * bytes + bytes / 64,
    args: (bytes) => ['python/scale/cluster.py', '--bytes', String(bytes), '--folder', folder],
  },
  // Two operands of 1 GiB, and a result of each way.
  compare: { disk: () => 4 * GIB, args: () => ['python/scale/compare.py', '--bytes', '1GiB', '--folder', folder] },
  chunks: { disk: () => 0, args: () => ['python/scale/per_chunk.py'] },
};

function readBytes(text) {
  const [, digits, unit] = text?.match(/^(\d+)(MiB|GiB)$/) ?? [];
  if (!digits || Number(digits) === 0) throw new Failure(`--bytes is a size as 64MiB or 8GiB, not ${text}`);
  return Number(digits) * (unit === 'GiB' ? GIB : 2 ** 20);
}

await main(async () => {
  const args = process.argv.slice(2);
  const at = args.indexOf('--bytes');
  const bytes = readBytes(at < 0 ? '8GiB' : args.splice(at, 2)[1]);
  if (bytes % (16 * 2 ** 20)) throw new Failure('--bytes has to be a multiple of 16MiB, the size of a chunk');
  const unknown = args.find((name) => !Object.hasOwn(runs, name));
  if (unknown) throw new Failure(`unknown run: ${unknown}; there are ${Object.keys(runs).join(', ')}`);
  const names = args.length ? args : Object.keys(runs);

  mkdirSync(inRoot(folder), { recursive: true });
  const { bavail, bsize } = statfsSync(inRoot(folder));
  // A tenth more, so that other programs still have room.
  const needed = Math.max(...names.map((name) => runs[name].disk(bytes))) * 1.1;
  if (needed > bavail * bsize) {
    throw new Failure(
      `${names.join(', ')} cannot run: ${(needed / GIB).toFixed(1)} GiB of disk are needed in ${folder}, and ` +
        `${((bavail * bsize) / GIB).toFixed(1)} are free; free some, or give a smaller tensor: --bytes 1GiB`,
    );
  }
  const env = await setUp('test');
  await build(['python'], env);
  for (const name of names) {
    console.log(`\n== ${name}`);
    await mustRun(name, python, runs[name].args(bytes), { env });
  }
});
