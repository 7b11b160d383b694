// `npm run test:systems`: installs the systems whose error texts Broadloom reads, in their newest versions, into the cache
// folder, runs them, and judges how their texts are read. `-- NAME...` takes only some systems; `--write` replaces their
// records in tests/explanations/recorded.jsonl. At the end is a table: each system with its version, how many of its texts
// were read right, and in how many the system, the rule and the shapes were. Then the systems that could not be installed
// or run, with the reason; they do not count as failures. The name `symbolic` stands for the systems that are asked about
// unknown extents (tests/symbolic); `--write` replaces their answers in tests/symbolic/recorded.jsonl. The names that begin with
// hook run the tests of the Python package's hook with a system. `python-newer` runs all tests of the Python package with each
// python3.12 and newer that is on the PATH and works.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultOf, readAnswer } from '../tests/explanations/pasted.mjs';
import { nativeBackend } from './conformance.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { newerPythons } from './newer-pythons.mjs';
import { installWheel } from './python-package.mjs';
import { makeEnvironment, reasonOf } from './python.mjs';
import { run } from './run.mjs';
import { build } from './stages.mjs';
import { onPath, setUp } from './toolchain.mjs';

// Systems that share an environment. What pins old versions of others is apart from them.
const groups = [
  {
    name: 'arrays',
    systems: {
      numpy: ['numpy'],
      jax: ['jax'],
      'hook-jax': ['jax', 'pytest'],
      dask: ['dask[array]'],
      xarray: ['xarray'],
      pandas: ['pandas'],
      scipy: ['scipy'],
      sympy: ['sympy'],
      awkward: ['awkward'],
      einops: ['einops'],
      einx: ['einx'],
      numexpr: ['numexpr'],
      blosc2: ['blosc2'],
      cubed: ['cubed'],
      cvxpy: ['cvxpy'],
      astropy: ['astropy'],
      pytensor: ['pytensor'],
      tinygrad: ['tinygrad'],
      mlx: ['mlx[cpu]'],
      onnx: ['onnx'],
      onnxruntime: ['onnxruntime', 'onnx'],
      openvino: ['openvino'],
    },
  },
  { name: 'numba', systems: { numba: ['numba'], sparse: ['sparse'] } },
  {
    name: 'torch',
    systems: {
      pytorch: ['torch', 'numpy'],
      'hook-pytorch': ['torch', 'numpy', 'pytest'],
      symbolic: ['torch', 'numpy', 'openvino', 'onnx', 'onnx-shape-inference', 'jax', 'xarray'],
    },
  },
  {
    name: 'tensorflow',
    systems: {
      tensorflow: ['tensorflow-cpu'],
      keras: ['keras', 'tensorflow-cpu'],
      'hook-tensorflow': ['tensorflow-cpu', 'pytest'],
    },
  },
  // Each version has an environment of its own.
  { name: 'python', systems: { 'python-newer': [] } },
  { name: 'paddle', systems: { paddle: ['paddlepaddle', 'numpy'] } },
  {
    name: 'node',
    isNode: true,
    systems: {
      tfjs: ['@tensorflow/tfjs'],
      'numpy-ts': ['numpy-ts'],
      'jax-js': ['@jax-js/jax'],
      mathjs: ['mathjs'],
      stdlib: ['@stdlib/ndarray', '@stdlib/ndarray-base-broadcast-array'],
      r: ['webr', 'ws'],
    },
  },
];

function folderOf(name) {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  return path.join(cache, 'broadloom/systems', name);
}

// The command that runs a recorder in the group's environment, which is made once.
async function environment({ name, isNode }) {
  const folder = folderOf(name);
  if (isNode) {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(path.join(folder, 'package.json'))) writeFileSync(path.join(folder, 'package.json'), '{}');
    return {
      install: (packages) =>
        run('npm', ['install', '--no-audit', '--no-fund', ...packages], { capture: 'keep', cwd: folder }),
      record: (system) => run('node', [inRoot('tests/systems/record.mjs'), system], { capture: 'keep', cwd: folder }),
    };
  }
  const python = path.join(folder, 'bin/python');
  if (!existsSync(python)) {
    const found = ['python3', 'python'].find(onPath);
    if (!found) throw new Failure('there is no python3: install it');
    mkdirSync(folder, { recursive: true });
    const made = await run(found, ['-m', 'venv', folder], { capture: 'keep' });
    if (made.code !== 0) throw new Failure(reasonOf('making a Python environment', made.output));
  }
  // tinygrad needs no compiler for this device, and TensorFlow is silent.
  const env = { ...process.env, DEV: 'PYTHON', TF_CPP_MIN_LOG_LEVEL: '3', PYTHONWARNINGS: 'ignore' };
  const pip = ['-m', 'pip', 'install', '--quiet', '--upgrade', '--only-binary', ':all:'];
  return {
    install: (packages) => run(python, [...pip, ...packages], { capture: 'keep' }),
    record: (system) => run(python, [inRoot('tests/systems/record.py'), system], { capture: 'keep', env }),
    program: (...args) => run(python, args, { capture: 'keep', env }),
  };
}

// Asks the systems about unknown extents, and runs the conditions that Broadloom writes. Resolves to {passed, failed}.
async function askAboutSymbols(program, isRecording) {
  const session = ['--session', inRoot('build/native/tests/broadloom_session'), '--seed', String(Date.now())];
  const recorded = isRecording ? ['--record', inRoot('tests/symbolic/recorded.jsonl')] : [];
  const total = { passed: 0, failed: 0 };
  for (const args of [
    [inRoot('tests/symbolic/systems.py'), ...session, '--count', '3000', ...recorded],
    [inRoot('tests/symbolic/constraints.py'), ...session, '--count', '300'],
  ]) {
    const { code, output } = await program(...args);
    // torch writes notes about what it refuses.
    console.log(output.replace(/^[EWI]\d{4} .*\n/gm, ''));
    const [, passed, failed] = output.match(/^(\d+) passed, (\d+) failed$/m) ?? [];
    total.passed += Number(passed ?? 0);
    total.failed += code === 0 ? 0 : Math.max(1, Number(failed ?? 0));
  }
  return total;
}

// Runs the tests of the hook with the systems of an environment, into which it installs the Python package.
async function testHook({ install, program }) {
  await build(['python'], await setUp('test'));
  const [wheel] = readdirSync(inRoot('build/python/wheels'));
  const installed = await install(['--force-reinstall', '--no-deps', inRoot('build/python/wheels', wheel)]);
  if (installed.code !== 0) throw new Failure(reasonOf('installing the wheel', installed.output));
  const { code, output } = await program('-m', 'pytest', '-rs', inRoot('python/tests/test_hook_systems.py'));
  console.log(output);
  return countsOf(code, output);
}

// {passed, failed} of a run of pytest.
function countsOf(code, output) {
  const [passed, failed] = ['passed', 'failed'].map((word) =>
    Number(output.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0),
  );
  return { passed, failed: code === 0 ? 0 : Math.max(1, failed) };
}

// Runs the tests of the Python package with newer versions of Python. Resolves to {passed, failed, missing}.
async function testNewerPythons() {
  const { found, missing } = await newerPythons();
  const total = { passed: 0, failed: 0, missing };
  if (found.length === 0) return total;
  const env = await setUp('test');
  await build(['python'], env);
  for (const { command, version } of found) {
    const folder = folderOf(`python-${version}`);
    let python;
    try {
      python = await makeEnvironment(folder, 'python/requirements.txt', command);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      missing.push(`Python ${version}: ${error.message}`);
      continue;
    }
    await installWheel(python, path.join(folder, 'wheels'), env);
    console.log(`Python ${version}, ${command}:`);
    const options = { capture: 'both', cwd: inRoot('python'), env };
    const { code, output } = await run(python, ['-m', 'pytest', '-rs', inRoot('python/tests')], options);
    const { passed, failed } = countsOf(code, output);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

// What of an answer is right: the system, and the rule and the shapes of a text that has shapes.
function partsOf(record, answer) {
  const also = answer?.also?.split(' ') ?? [];
  const system = answer === null ? record.text_shapes === null : [answer.system, ...also].includes(record.system);
  if (record.text_shapes === null) return { system };
  const asText = (shapes) => JSON.stringify(shapes).replace(/"(?:None|-1|nan)"/g, '"?"');
  const shapes = (answer?.shapes ?? [])
    .filter(({ shape }) => shape !== null)
    .map(({ role, shape }) => ({ role, shape }));
  const expected = record.text_shapes.map(({ role, shape }) => ({ role, shape }));
  return { system, rule: answer?.rule === record.rule, shapes: asText(shapes) === asText(expected) };
}

const parse = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line));

await main(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } });
  const names = groups.flatMap(({ systems }) => Object.keys(systems));
  for (const name of positionals) {
    if (!names.includes(name)) throw new Failure(`no system ${name}; there are ${names.join(' ')}`);
  }
  const chosen = positionals.length > 0 ? positionals : names;
  const session = await nativeBackend();
  const file = inRoot('tests/explanations/recorded.jsonl');
  const systemOf = ({ id }) => id.replace(/-\d+$/, '');
  let records = parse(readFileSync(file, 'utf8'));
  let passed = 0;
  let failed = 0;
  const missing = [];
  const table = [];
  const began = performance.now();
  for (const group of groups) {
    const wanted = Object.keys(group.systems).filter((name) => chosen.includes(name));
    if (wanted.length === 0) continue;
    if (group.name === 'python') {
      const counts = await testNewerPythons();
      passed += counts.passed;
      failed += counts.failed;
      missing.push(...counts.missing);
      continue;
    }
    const { install, record, program } = await environment(group);
    // All at once, so that their versions fit together; one by one, to find out which cannot be installed.
    const all = wanted.flatMap((name) => group.systems[name]);
    const together = await install(all);
    for (const name of wanted) {
      const installed = together.code === 0 ? together : await install(group.systems[name]);
      if (installed.code !== 0) {
        missing.push(`${name}: ${reasonOf('installing it', installed.output)}`);
        continue;
      }
      if (name === 'symbolic' || name.startsWith('hook-')) {
        const counts =
          name === 'symbolic' ? await askAboutSymbols(program, values.write) : await testHook({ install, program });
        passed += counts.passed;
        failed += counts.failed;
        continue;
      }
      const { output } = await record(name);
      const printed = parse(output);
      if (printed.length === 0) {
        missing.push(`${name}: ${output.trim().split('\n').at(-1)}`);
        continue;
      }
      let right = 0;
      const parts = { system: 0, rule: 0, shapes: 0, withShapes: 0 };
      for (const one of printed) {
        const question = `paste ${Buffer.from(one.pasted_text).toString('base64')}`;
        const answer = readAnswer(await session.ask(question));
        const fault = faultOf(one, answer);
        if (fault === null) ++right;
        else console.log(`${one.id}: ${fault}\n${one.pasted_text.trimEnd()}\n`);
        for (const [part, isRight] of Object.entries(partsOf(one, answer))) parts[part] += isRight ? 1 : 0;
        if (one.text_shapes !== null) ++parts.withShapes;
      }
      const [, version] = printed[0].run.split(' ');
      table.push([name, version, printed.length, right, parts.system, parts.withShapes, parts.rule, parts.shapes]);
      passed += right;
      failed += printed.length - right;
      console.log(`${printed[0].run}: ${right} of ${printed.length} texts are read right`);
      records = [...records.filter((one) => systemOf(one) !== name), ...printed];
    }
  }
  session.close();
  if (table.length > 0) {
    const head = ['system', 'version', 'texts', 'right', 'system', 'with shapes', 'rule', 'shapes'];
    const sums = head.map((_, i) => (i < 2 ? '' : table.reduce((sum, row) => sum + row[i], 0)));
    for (const row of [head, ...table, ['all', ...sums.slice(1)]])
      console.log(row.map((cell, i) => (i < 2 ? String(cell).padEnd(14) : String(cell).padStart(12))).join(''));
  }
  console.log(
    `${table.length} systems were run, ${missing.length} not, in ${Math.round((performance.now() - began) / 1000)} s`,
  );
  for (const line of missing) console.log(`not run: ${line}`);
  if (values.write) writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  console.log(`${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
