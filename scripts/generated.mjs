// Writes generated TypeScript, or checks that it is up to date.
import { readFile, writeFile } from 'node:fs/promises';
import * as prettier from 'prettier';
import { inRoot } from './paths.mjs';

// `files`: the text of each file, by its path in the project. With `check` nothing is written, and a file that differs is
// a failure; `source` and `script` name what it is made from, and by what.
export async function renew(files, { check, source, script }) {
  for (const [name, text] of Object.entries(files)) {
    const target = inRoot(name);
    const style = await prettier.resolveConfig(target);
    const made = await prettier.format(text, { ...style, filepath: target });
    if (!check) {
      await writeFile(target, made);
    } else if ((await readFile(target, 'utf8')) !== made) {
      console.error(`${name} differs from ${source}: run node ${script}`);
      process.exitCode = 1;
    }
  }
}
