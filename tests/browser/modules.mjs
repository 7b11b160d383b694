// The page's own modules, which are TypeScript for a bundler, in Node: pure ones are tested here without a browser.
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { inRoot } from '../../scripts/paths.mjs';

// What a module of web/src exports. The package stays outside, where it finds its core.
export async function imported(module) {
  const bundle = await rolldown({ input: inRoot('web/src', module), external: /^broadloom/, logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  // Other threads and processes may bring the same module now: a file is there whole, or it is not there.
  const digest = createHash('sha256').update(output[0].code).digest('hex').slice(0, 16);
  const file = inRoot('build/page-modules', `${path.basename(module, '.ts')}-${digest}.mjs`);
  mkdirSync(path.dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}.${threadId}`;
  writeFileSync(mine, output[0].code);
  renameSync(mine, file);
  return import(pathToFileURL(file));
}

// Numbers drawn by lot, the same in every run: mulberry32.
export function drawing(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
