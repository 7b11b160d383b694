// The versions of Python on the PATH that are newer than the oldest that the Python package supports.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

// The first and the last that are named where they are missing; later ones are looked for as well.
const first = 12;
const last = 14;

// A shim of pyenv exists for each version, and fails for those that are not chosen.
const program = 'import sys; print("%d.%d.%d" % sys.version_info[:3])';

/**
 * Resolves to {found, missing}: for each python3.N the first command on the PATH that works, with its version; and sentences
 * about the others.
 */
export async function newerPythons(searched = process.env.PATH ?? '') {
  const folders = searched.split(path.delimiter).filter((folder) => folder && existsSync(folder));
  const minors = new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  for (const name of folders.flatMap((folder) => readdirSync(folder))) {
    const minor = Number(name.match(/^python3\.(\d+)$/)?.[1]);
    if (minor >= first) minors.add(minor);
  }
  const found = [];
  const missing = [];
  for (const minor of [...minors].toSorted((a, b) => a - b)) {
    const commands = folders.map((folder) => path.join(folder, `python3.${minor}`)).filter(existsSync);
    let version = null;
    for (const command of commands) {
      const { code, output } = await run(command, ['-c', program], { capture: 'keep' });
      version = code === 0 ? output.trim() : null;
      if (version !== null) {
        found.push({ command, version });
        break;
      }
    }
    if (version !== null) continue;
    if (commands.length === 0) missing.push(`Python 3.${minor}: there is no python3.${minor} on the PATH`);
    else missing.push(`Python 3.${minor}: ${commands.join(', ')} does not work; with pyenv, name it in PYENV_VERSION`);
  }
  return { found, missing };
}
