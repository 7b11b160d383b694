// The project's files: all that git tracks, and new files that git does not ignore.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { root } from './paths.mjs';

export function projectFiles(folder = root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) throw new Failure("The tests need git and a clone: the project's files are those that git lists.");
  const names = stdout.split('\0').filter(Boolean);
  return names.filter((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile()).sort();
}
