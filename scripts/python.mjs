// A Python environment with the wheels of a requirements file, made once in the user's cache folder with the system's own
// venv and pip, which know the package index.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { onPath } from './toolchain.mjs';

// Resolves to the interpreter's path. `requirements` is a path relative to the root. The message of a Failure says what to do.
export async function pythonWith(requirements) {
  const key = createHash('sha256')
    .update(readFileSync(inRoot(requirements)))
    .digest('hex')
    .slice(0, 12);
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return makeEnvironment(path.join(cache, 'broadloom', `python-${key}`), requirements);
}

// Makes an environment in the folder `venv` with the wheels of `requirements`, unless it has them; resolves as pythonWith.
// `command` is the interpreter to make it with; without one, the system's.
export async function makeEnvironment(venv, requirements, command = ['python3', 'python'].find(onPath)) {
  const file = inRoot(requirements);
  const wanted = readFileSync(file, 'utf8');
  const interpreter = path.join(venv, 'bin/python');
  const ready = path.join(venv, 'ready');
  if (existsSync(ready) && readFileSync(ready, 'utf8') === wanted) return interpreter;
  if (!command) throw new Failure('there is no python3: install Python 3.11 or newer');
  rmSync(venv, { recursive: true, force: true });
  try {
    mkdirSync(venv, { recursive: true });
  } catch {
    throw new Failure(
      `cannot write in ${path.dirname(venv)}: change its owner, or set XDG_CACHE_HOME to a writable folder`,
    );
  }
  const made = await run(command, ['-m', 'venv', venv], { capture: 'keep' });
  if (made.code !== 0) {
    rmSync(venv, { recursive: true, force: true });
    if (/ensurepip|No module named venv/.test(made.output))
      throw new Failure(`${command} has no venv: install it (Debian: apt-get install ${path.basename(command)}-venv)`);
    throw new Failure(reasonOf('making a Python environment', made.output));
  }
  console.error(`installing the wheels of ${requirements}`);
  const args = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '-r', file];
  const installed = await run(interpreter, args, { capture: 'keep' });
  if (installed.code !== 0) throw new Failure(reasonOf('installing wheels', installed.output));
  writeFileSync(ready, wanted);
  return interpreter;
}

// The reason why a package client failed, from its output, and what to do.
export function reasonOf(doing, output) {
  if (/ENOSPC|[Nn]o space left|quota exceeded/.test(output)) return `no space is left on the disk while ${doing}`;
  // Tested before the next message, which pip prints as well when it has no network.
  if (/Could not resolve|[Cc]onnection|timed out|unreachable|Failed to fetch/.test(output))
    return `no package server answers while ${doing}: check the network and proxy settings`;
  if (/No matching distribution|Could not find a version/.test(output))
    return 'this system or its Python has no wheels of the pinned versions';
  return `failed while ${doing}: ${output.trim().split('\n').at(-1)}`;
}
