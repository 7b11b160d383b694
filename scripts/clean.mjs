// Removes everything that was built; the npm packages and the toolchain stay.
import { rmSync } from 'node:fs';
import { inRoot } from './paths.mjs';

for (const folder of ['build', 'wasm/dist', 'web/dist']) rmSync(inRoot(folder), { recursive: true, force: true });
