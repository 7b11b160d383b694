// `npm test`: builds and runs every test; `npm test -- STAGE...` only those. A failing stage does not stop the others.
// The last line is `N passed, N failed`: the sum of the stages' test cases.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { projectFiles } from './project-files.mjs';
import { python } from './python-package.mjs';
import { run } from './run.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

// In the order they run: name, what has to be built first, and what runs the tests and counts them.
const stages = [
  { name: 'format', needs: ['modules'], test: counted('node', 'scripts/format.mjs') },
  { name: 'boundaries', needs: [], test: counted('node', 'scripts/check-boundaries.mjs') },
  { name: 'scripts', needs: ['modules'], test: nodeTests('tests/scripts', 'tests/conformance') },
  { name: 'native', needs: ['native'], test: catch2('build/native/tests/broadloom_tests') },
  { name: 'gcc', needs: ['gcc'], test: catch2('build/gcc/tests/broadloom_tests') },
  { name: 'sanitize', needs: ['sanitize'], test: catch2('build/sanitize/tests/broadloom_tests') },
  { name: 'thread', needs: ['thread'], test: catch2('build/thread/tests/broadloom_tests') },
  { name: 'wasm', needs: ['wasm-tests'], test: catch2('build/wasm-tests/tests/broadloom_tests.cjs', 'node') },
  { name: 'bench', needs: ['native', 'package', 'wasm-limit'], test: nodeTests('tests/bench') },
  { name: 'headers', needs: ['native'], test: nodeTests('tests/headers') },
  { name: 'consumer', needs: ['native'], test: nodeTests('tests/consumer') },
  {
    name: 'conformance',
    needs: ['native'],
    test: counted('npm', 'run', '--silent', 'conformance', '--', 'tests/conformance'),
  },
  {
    name: 'conformance-wasm',
    needs: ['package'],
    test: counted('npm', 'run', '--silent', 'conformance:wasm', '--', 'tests/conformance'),
  },
  { name: 'c', needs: ['native', 'sanitize'], test: nodeTests('tests/c') },
  { name: 'python', needs: ['python'], test: pythonTests('python/tests', os.availableParallelism()) },
  { name: 'scale', needs: ['python'], test: pythonTests('python/scale', 1) },
  { name: 'symbolic', needs: ['native'], test: nodeTests('tests/symbolic') },
  { name: 'explanations', needs: ['native'], test: nodeTests('tests/explanations') },
  {
    name: 'types',
    needs: ['package', 'test-modules'],
    test: succeeds('npm', 'run', '--silent', 'check', '-w', 'wasm'),
  },
  { name: 'package', needs: ['package', 'test-modules'], test: nodeTests('tests/package', 'tests/fuzz') },
  { name: 'models', needs: ['package'], test: nodeTests('tests/models') },
  { name: 'consumer-js', needs: ['package', 'test-modules'], test: browserTests('tests/consumer-js') },
  { name: 'examples', needs: ['package', 'test-modules'], test: browserTests('tests/examples') },
  { name: 'docs', needs: [], test: succeeds('npm', 'run', '--silent', 'docs') },
  { name: 'changed-rule', needs: ['page', 'changed-rule'], test: browserTests('tests/changed-rule') },
  { name: 'browser', needs: ['page', 'test-modules'], test: nodeTests('tests/browser') },
  { name: 'code', needs: ['native', 'page'], test: browserTests('tests/code') },
  { name: 'readme', needs: ['native', 'package'], test: nodeTests('tests/readme') },
];

// --- Ways to run tests: each takes the environment and returns {passed, failed} ---------------------------------------

// A program whose last line says `N passed, N failed`, or `N passed, N failed, N disputed`.
function counted(command, ...args) {
  return async (env) => {
    const { code, output } = await run(command, args, { env, capture: 'both' });
    const last = output.trimEnd().split('\n').at(-1) ?? '';
    const [, passed, failed] = last.match(/^(\d+) passed, (\d+) failed(?:, \d+ disputed)?$/) ?? [];
    return withExitCode({ passed: Number(passed ?? 0), failed: Number(failed ?? 0) }, code);
  };
}

// A program that succeeds or not: one test case.
function succeeds(command, ...args) {
  return async (env) => {
    const { code } = await run(command, args, { env });
    return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  };
}

// A program of Catch2, or a script that `interpreter` runs. Its test cases are dealt to several processes, so that every
// core has work; more of them than cores, so that none waits long for the last.
function catch2(program, ...interpreter) {
  return async (env) => {
    const cores = os.availableParallelism();
    const shards = Array.from({ length: 4 * cores }, (_, index) => index);
    const count = shards.length;
    const total = { passed: 0, failed: 0 };
    const runShards = async () => {
      for (let index = shards.shift(); index !== undefined; index = shards.shift()) {
        const { passed, failed } = await catch2Shard([...interpreter, inRoot(program)], index, count, env);
        total.passed += passed;
        total.failed += failed;
      }
    };
    await Promise.all(Array.from({ length: cores }, runShards));
    return total;
  };
}

async function catch2Shard([command, ...args], index, count, env) {
  const report = freshReport(`catch2-${index}-of-${count}`);
  // Of a few test cases a shard may have none, or only some that are skipped.
  args.push('--allow-running-no-tests', '--shard-count', String(count), '--shard-index', String(index));
  args.push('--reporter', 'console', '--reporter', `xml::out=${report}`);
  const { code, output } = await run(command, args, { env, capture: 'keep' });
  process.stdout.write(output);
  const [, passed, failed] = readReport(report).match(/<OverallResultsCases successes="(\d+)" failures="(\d+)"/) ?? [];
  return withExitCode({ passed: Number(passed ?? 0), failed: Number(failed ?? 0) }, code);
}

// The tests of a folder, with pytest, in the environment that has the Python package; in so many processes.
function pythonTests(folder, processes) {
  return async (env) => {
    const report = freshReport(folder.replaceAll('/', '-'));
    // 0: in its own process.
    const args = ['-m', 'pytest', '-n', String(processes > 1 ? processes : 0), `--junitxml=${report}`, inRoot(folder)];
    const { code } = await run(python, args, { env, cwd: inRoot('python') });
    const counts = readReport(report).match(
      /<testsuite [^>]*errors="(\d+)" failures="(\d+)" skipped="(\d+)" tests="(\d+)"/,
    );
    const [errors, failures, skipped, tests] = (counts ?? []).slice(1).map(Number);
    const failed = (errors ?? 0) + (failures ?? 0);
    return withExitCode({ passed: (tests ?? 0) - failed - (skipped ?? 0), failed }, code);
  };
}

// The files *.test.mjs of folders, with Node's own runner; as many at once as there are cores.
function nodeTests(...folders) {
  return nodeTestsAtOnce(os.availableParallelism(), folders);
}

// One file after the other: what they build and start keeps every core busy.
function browserTests(...folders) {
  return nodeTestsAtOnce(1, folders);
}

function nodeTestsAtOnce(concurrency, folders) {
  return async (env) => {
    const inFolders = (file) => folders.some((folder) => file.startsWith(`${folder}/`));
    const files = projectFiles().filter((file) => inFolders(file) && file.endsWith('.test.mjs'));
    if (files.length === 0) return { passed: 0, failed: 0 };
    const report = freshReport(folders[0].replaceAll('/', '-'));
    const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
    reporters.push('--test-reporter=tap', `--test-reporter-destination=${report}`);
    const { code } = await run('node', ['--test', `--test-concurrency=${concurrency}`, ...reporters, ...files], {
      env,
    });
    const count = (word) => Number(readReport(report).match(new RegExp(`^# ${word} (\\d+)$`, 'm'))?.[1] ?? 0);
    return withExitCode({ passed: count('pass'), failed: count('fail') + count('cancelled') }, code);
  };
}

// A program that ended badly has failed, whatever it counted.
function withExitCode({ passed, failed }, code) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
}

function freshReport(name) {
  const file = inRoot('build/reports', name);
  mkdirSync(path.dirname(file), { recursive: true });
  rmSync(file, { force: true });
  return file;
}

function readReport(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

// --- All of them ------------------------------------------------------------------------------------------------------

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

async function runStage(stage, env, built) {
  try {
    await build(stage.needs, env, built);
    const counts = await stage.test(env);
    if (counts.passed + counts.failed > 0) return counts;
    console.log(`${stage.name} ran no test`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(error.message);
  }
  return { passed: 0, failed: 1 };
}

await main(async () => {
  const names = process.argv.slice(2);
  const unknown = names.find((name) => !stages.some((stage) => stage.name === name));
  if (unknown)
    throw new Failure(`unknown stage: ${unknown}; there are ${stages.map((stage) => stage.name).join(', ')}`);

  // No test can run the kernels of other machines, which would take more than half of the compiler's time on some.
  const env = { BROADLOOM_TARGETS: 'this-machine', ...(await setUp('test')) };
  const built = new Set();
  const total = { passed: 0, failed: 0 };
  const summary = [];
  for (const stage of stages.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.log(`\n== ${stage.name}`);
    const since = performance.now();
    const { passed, failed } = await runStage(stage, env, built);
    summary.push(`${stage.name}: ${passed} passed, ${failed} failed (${seconds(since)})`);
    console.log(`-- ${summary.at(-1)}`);
    total.passed += passed;
    total.failed += failed;
  }
  console.log(`\n${summary.join('\n')}\n`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
});
