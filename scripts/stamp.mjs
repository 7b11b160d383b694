// Skips a build step whose inputs and outputs have not changed since it last succeeded.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';

const stampFile = (step) => inRoot('build/stamps', step);

// A hash of the names, sizes and times of the files in `places` (files and folders relative to the root).
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

// Runs `action` unless the step's inputs and outputs are as they were after its last success. Entries of input folders named
// in `skipped` are not inputs.
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
