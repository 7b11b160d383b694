// Whether a step has to run again: a fingerprint of its inputs and outputs, kept from the last time it succeeded.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const stampFile = (step) => inRoot('build/stamps', step);

// Names, sizes and times of the files in `places` (files and folders, as seen from the root).
function fingerprint(places, skipped) {
  const hash = createHash('sha256');
  const visit = (name) => {
    const stat = statSync(inRoot(name), { throwIfNoEntry: false });
    if (!stat) hash.update(`${name} missing\n`);
    else if (stat.isDirectory()) {
      for (const entry of readdirSync(inRoot(name)).sort()) {
        if (!skipped.includes(entry)) visit(path.join(name, entry));
      }
    } else hash.update(`${name} ${stat.size} ${stat.mtimeMs}\n`);
  };
  places.forEach(visit);
  return hash.digest('hex');
}

// Runs `action` unless the step's inputs and outputs are those of its last success. `skipped`: names of entries inside
// input folders that are no inputs.
export async function whenChanged(step, { inputs, outputs, skipped = [] }, action) {
  const now = () => `${fingerprint(inputs, skipped)} ${fingerprint(outputs, [])}`;
  const file = stampFile(step);
  try {
    if (readFileSync(file, 'utf8') === now()) return;
  } catch {
    // no stamp: the step has not succeeded yet
  }
  rmSync(file, { force: true });
  await action();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, now());
}
