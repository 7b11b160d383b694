// Installs a folder's npm packages if they are missing or older than its package-lock.json. The root's packages are those
// of the workspaces; the packages that only tests need are in tests/.
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';

const changed = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

export async function installModules(folder = '.') {
  const cwd = inRoot(folder);
  const installed = path.join(cwd, 'node_modules/.package-lock.json');
  // npm writes this file last, so an interrupted installation counts as missing.
  if (changed(installed) >= changed(path.join(cwd, 'package-lock.json'))) return;
  console.error(`npm ci: installing the npm packages${folder === '.' ? '' : ` of ${folder}`}`);
  const { code, output } = await run('npm', ['ci', '--prefer-offline'], { capture: 'keep', cwd });
  // npm 11 reports success with files missing when the disk is full.
  if (code === 0 && !/TAR_ENTRY_ERROR/.test(output)) return;
  rmSync(installed, { force: true });
  throw new Failure(reason(output));
}

function reason(output) {
  if (/ENOSPC|no space left/i.test(output)) return 'npm ci: no space is left on the disk: free some, then try again';
  if (/EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|network/i.test(output))
    return 'npm ci: the npm registry does not answer: check the network and proxy settings, then try again';
  if (/EACCES|EPERM/.test(output))
    return 'npm ci: no permission to write node_modules: change the owner of the folder (chown), then try again';
  return `npm ci failed: ${output.match(/npm error (?!code)(.*)/)?.[1] ?? 'run it to see why'}`;
}
