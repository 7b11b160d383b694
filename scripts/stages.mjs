// What can be built, and what each of it needs. Whatever is up to date is left alone.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { installModules } from './modules.mjs';
import { inRoot } from './paths.mjs';
import { buildPythonPackage } from './python-package.mjs';
import { mustRun } from './run.mjs';
import { whenChanged } from './stamp.mjs';
import { onPath } from './toolchain.mjs';

const typedoc = 'tests/node_modules/typedoc/bin/typedoc';
const notInputs = ['dist', 'node_modules'];

// Each stage: the stages it needs, and what builds it.
export const stages = {
  native: { needs: [], build: (env) => cmake('native', env) },
  gcc: { needs: [], build: (env) => cmake('gcc', env) },
  sanitize: { needs: [], build: (env) => cmake('sanitize', env) },
  fuzz: {
    needs: [],
    build: async (env) => {
      for (const name of ['text', 'plan', 'paste', 'plantext']) await cmake('fuzz', env, `broadloom_fuzz_${name}`);
    },
  },
  thread: { needs: [], build: (env) => cmake('thread', env, 'broadloom_tests') },
  bench: { needs: [], build: (env) => cmake('bench', env) },
  wasm: { needs: [], build: (env) => cmake('wasm', env) },
  'changed-rule': {
    needs: ['native', 'wasm'],
    build: async (env) => {
      await cmake('native', env, 'broadloom_session_changed_rule');
      await cmake('wasm', env, 'broadloom_wasm_changed_rule');
    },
  },
  'wasm-limit': { needs: ['wasm'], build: (env) => cmake('wasm', env, 'broadloom_wasm_limit') },
  libraries: {
    needs: [],
    build: (env) => cmake('native', env, 'broadloom_explain', 'broadloom_c', 'broadloom_c_static'),
  },
  python: { needs: ['libraries'], build: (env) => buildPythonPackage(env) },
  'wasm-tests': { needs: [], build: (env) => cmake('wasm-tests', env, 'broadloom_tests') },
  modules: { needs: [], build: () => installModules() },
  'test-modules': { needs: [], build: () => installModules('tests') },
  package: {
    needs: ['wasm', 'modules'],
    build: (env) =>
      whenChanged(
        'package',
        {
          inputs: [
            'wasm',
            'build/wasm/wasm/broadloom-core.wasm',
            'build/wasm/wasm/broadloom-explain.wasm',
            'build/wasm/wasm/broadloom-threads.wasm',
            'package-lock.json',
          ],
          outputs: ['wasm/dist', 'build/package-sources'],
          skipped: notInputs,
        },
        () => mustRun('building the package', 'npm', ['run', '--silent', 'build', '-w', 'wasm'], { env }),
      ),
  },
  docs: {
    needs: ['modules', 'test-modules'],
    build: (env) => mustRun('building the API reference', 'node', [typedoc, '--options', 'wasm/typedoc.json'], { env }),
  },
  page: {
    needs: ['package'],
    build: (env) =>
      whenChanged(
        'page',
        {
          inputs: ['web', 'wasm/dist', 'wasm/package.json', 'package-lock.json'],
          outputs: ['web/dist'],
          skipped: notInputs,
        },
        () => mustRun('building the page', 'npm', ['run', '--silent', 'build', '-w', 'web'], { env }),
      ),
  },
};

async function cmake(preset, env, ...targets) {
  const folder = inRoot('build', preset);
  const args = ['--preset', preset];
  if (preset.startsWith('wasm')) args.push(`-DBROADLOOM_EMSCRIPTEN=${env.BROADLOOM_EMSCRIPTEN}`);
  // The compiler that the project is measured with, where the system has it; a compiler named in CXX comes first.
  else if (preset !== 'gcc' && !env.CXX && onPath('clang++-19')) args.push('-DCMAKE_CXX_COMPILER=clang++-19');
  // A precompiled header holds its clone's paths: ccache would find no object of another clone that uses one.
  if (env.CMAKE_CXX_COMPILER_LAUNCHER) args.push('-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON');
  if (preset === 'native' && env.BROADLOOM_TARGETS) args.push(`-DBROADLOOM_TARGETS=${env.BROADLOOM_TARGETS}`);
  if (env.BROADLOOM_ARCHIVES) args.push(`-DBROADLOOM_ARCHIVES=${env.BROADLOOM_ARCHIVES}`);

  // CMake configures again by itself when its files change; only other arguments and presets need a fresh start.
  const configured = `${folder}/configured-with`;
  const wanted = `${args.join(' ')}\n${readFileSync(inRoot('CMakePresets.json'), 'utf8')}`;
  const same = existsSync(configured) && readFileSync(configured, 'utf8') === wanted;
  if (!same || !existsSync(`${folder}/build.ninja`)) {
    rmSync(configured, { force: true });
    await mustRun(`configuring ${preset}`, 'cmake', ['--fresh', ...args], { env });
    mkdirSync(folder, { recursive: true });
    writeFileSync(configured, wanted);
  }
  const jobs = env.CMAKE_BUILD_PARALLEL_LEVEL ?? String(os.availableParallelism());
  const build = ['--build', folder, '--parallel', jobs, ...(targets.length ? ['--target', ...targets] : [])];
  await mustRun(`building ${targets.length ? targets.join(', ') : preset}`, 'cmake', build, { env });
}

// Builds the stages and what they need, each once. `done` holds what was built before in this process.
export async function build(names, env, done = new Set()) {
  for (const name of names) {
    if (done.has(name)) continue;
    await build(stages[name].needs, env, done);
    await stages[name].build(env);
    done.add(name);
  }
}
