// The Python package: its wheel, built by the system's Python, and an environment of its own in build/python/venv, into which
// the wheel is installed with all that its tests need.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { makeEnvironment } from './python.mjs';
import { mustRun, run } from './run.mjs';
import { whenChanged } from './stamp.mjs';
import { onPath } from './toolchain.mjs';

const venv = 'build/python/venv';
const wheels = 'build/python/wheels';
const prefix = 'build/python/prefix';

/** The interpreter of the environment. */
export const python = inRoot(venv, 'bin/python');

/** Builds the wheel with the libraries of the native build and installs it, where its sources have changed. */
export async function buildPythonPackage(env) {
  await makeEnvironment(inRoot(venv), 'python/requirements.txt');
  await whenChanged(
    'python',
    {
      inputs: ['python', 'core', 'explain', 'CMakeLists.txt', 'build/native/configured-with', `${venv}/ready`],
      outputs: [wheels],
      skipped: ['tests', '__pycache__', '.mypy_cache', '.pytest_cache'],
    },
    async () => {
      rmSync(inRoot(prefix), { recursive: true, force: true });
      const install = ['--install', inRoot('build/native'), '--prefix', inRoot(prefix)];
      const installed = await run('cmake', install, { env, capture: 'keep' });
      if (installed.code !== 0) throw new Failure(`installing the libraries failed: ${installed.output.trim()}`);
      await installWheel(python, inRoot(wheels), env);
    },
  );
}

/**
 * Builds the wheel for an interpreter, alone in the folder `wheels`, with the libraries that buildPythonPackage has installed,
 * and installs it there.
 */
export async function installWheel(interpreter, wheels, env) {
  rmSync(wheels, { recursive: true, force: true });
  const options = ['--no-build-isolation', '--no-deps', '--quiet', '--wheel-dir', wheels];
  await mustRun('building the wheel', interpreter, ['-m', 'pip', 'wheel', ...options, inRoot('python')], {
    env: wheelEnvironment(env),
  });
  const [wheel] = readdirSync(wheels);
  const args = ['-m', 'pip', 'install', '--no-deps', '--quiet', '--force-reinstall', path.join(wheels, wheel)];
  await mustRun('installing the wheel', interpreter, args, { env });
}

// The compiler that the project is measured with, where the system has it; a compiler named in CXX comes first. The libraries
// are those of the native build, installed: compiling the kernels again would take as long as that build.
function wheelEnvironment(env) {
  const args = ['-DBROADLOOM_WERROR=ON', '-DBROADLOOM_PREBUILT=ON', `-Dbroadloom_ROOT=${inRoot(prefix)}`];
  const own = { ...env, CMAKE_ARGS: [env.CMAKE_ARGS, ...args].filter(Boolean).join(' ') };
  if (!own.CXX && onPath('clang++-19')) own.CXX = 'clang++-19';
  return own;
}
