// The page's own modules, which are TypeScript for a bundler, in Node: pure ones are tested here without a browser.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { inRoot } from '../../scripts/paths.mjs';

// What a module of web/src exports. The package stays outside, where it finds its core.
export async function imported(module) {
  const file = inRoot('build/page-modules', `${path.basename(module, '.ts')}.mjs`);
  mkdirSync(path.dirname(file), { recursive: true });
  const bundle = await rolldown({ input: inRoot('web/src', module), external: /^broadloom/, logLevel: 'silent' });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
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
