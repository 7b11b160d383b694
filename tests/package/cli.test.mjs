// The command as a process: its output, for people and for programs, and its exit code.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from 'broadloom';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { main } from '../../build/package-sources/cli/main.js';
import { readTerminal } from '../../build/package-sources/cli/terminal.js';
import { bool, f32, f64, i32 } from './arrays.mjs';

const bl = await load({ explanations: true });
const dist = new URL('../../wasm/dist/', import.meta.url);
const cli = fileURLToPath(new URL('cli.js', dist));
const manifest = JSON.parse(readFileSync(new URL('../package.json', dist), 'utf8'));
const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-cli-'));
process.chdir(folder);
after(() => rmSync(folder, { recursive: true }));

const { NO_COLOR, FORCE_COLOR, ...quiet } = process.env;

/** Runs the command in an empty folder, with its output piped. */
function run(args, env = {}, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    input,
    env: { ...quiet, ...env },
    maxBuffer: 2 ** 28,
  });
  return { status, out: stdout, err: stderr };
}

/** The same within this process, for many calls; the test of main checks that both agree. */
async function ask(args) {
  const lines = (list) => list.map((line) => `${line}\n`).join('');
  const { status, out, err } = await main(
    args,
    readTerminal({ env: {}, platform: process.platform, stdout: {} }),
    () => manifest.version,
  );
  return { status, out: lines(out), err: lines(err) };
}

async function runJson(...args) {
  const { status, out, err } = await ask([...args, '--json']);
  assert.equal(err, '');
  return { status, document: JSON.parse(out) };
}

/** A question that cannot be answered: exit code 2, and on stderr one line, or a line and the marked text. */
async function refused(args, words, marked) {
  const { status, out, err } = await ask(args);
  assert.equal(status, 2, err);
  assert.equal(out, '');
  assert.match(err, words);
  const [told, ...mark] = err.trimEnd().split('\n');
  assert.match(told, /^broadloom: \S/);
  assert.doesNotMatch(err, /\n\s+at |node:internal/);
  if (marked === undefined) return;
  const [text, carets] = mark;
  assert.equal(text.slice(carets.indexOf('^'), carets.length), marked);
  assert.match(carets, /^ +\^+$/);
}

const save = (name, array) => writeFileSync(path.join(folder, name), formatNpy(array));
const open = (name) => parseNpy(readFileSync(path.join(folder, name)));

save('a.npy', f32([1, 2, 3, 4, 5, 6], [2, 3]));
save('b.npy', f32([10, 20, 30], [3]));
save('c.npy', f32([1, 2], [2]));
save('d.npy', f64([1, 2, 3]));
save('yes.npy', bool([1, 0, 1]));
save('i.npy', i32([7, -7, 8], [3]));

const escape = /\u001b\[\d+m/g;

test('shapes that fit: a row for each operand, a column for each axis, the verdict, exit code 0', async () => {
  const { status, out, err } = run(['(2,3,1)', '(4,)', '--rule', 'numpy']);
  assert.equal(status, 0);
  assert.equal(err, '');
  const table = [
    '       | axis 0     | axis 1     | axis 2',
    '-------+------------+------------+-----------',
    'A      | 2 match    | 3 match    | 1 stretch',
    '       | its axis 0 | its axis 1 | its axis 2',
    'B      | - insert   | - insert   | 4 match',
    '       | no axis    | no axis    | its axis 0',
    '-------+------------+------------+-----------',
    'result | 2          | 3          | 4',
  ];
  assert.ok(out.includes(`\n${table.join('\n')}\n`), out);
  assert.ok(out.includes(`Fits: (2, 3, 4). ${bl.align('numpy', [[2, 3, 1], [4]]).verdict}\n`), out);
  assert.match(out, /^[\x20-\x7e\n]+$/, 'piped output is plain ASCII');
  assert.doesNotMatch(out, /Warning/);
  assert.match(run(['32,1', '32']).out, /^Warning \(outer\): A \(32, 1\) and B \(32,\) both grow/m);
  assert.equal(run(['(2,3,1)', '(4,)']).out, out, 'numpy is the default');
  assert.equal(run(['--rule=NumPy', '2x3x1', '--', '[4]']).out, out);
});

test('shapes that do not fit: the reasons, the verdict, the repairs, exit code 1', async () => {
  const { status, out, err } = run(['2,3,4,5', '3,1']);
  assert.equal(status, 1);
  assert.equal(err, '');
  const clash = bl.align('numpy', [
    [2, 3, 4, 5],
    [3, 1],
  ]);
  assert.match(out, /^A +\| 2 match +\| 3 match +\| 4 conflict \| 5 match$/m);
  assert.match(out, /^result \| 2 +\| 3 +\| \? +\| 5$/m);
  for (const { axis, why } of clash.axes) assert.ok(out.includes(`\naxis ${axis}: ${why}\n`), why);
  assert.ok(out.includes(`\nConflict. ${clash.verdict}\n`));
  const repairs = clash.repairs();
  assert.ok(out.includes(`\nLikely cause: ${clash.cause.text}\n`), out);
  assert.ok(repairs.length >= 2);
  for (const { result } of repairs) assert.ok(out.includes(`  gives ${bl.formatShape(result)}\n`));
  assert.match(out, /^  --rule pdpd --axis 1 +gives \(2, 3, 4, 5\)$/m);
  assert.match(out, /^  reshape B to \(3, 1, 1\) +gives/m);
});

test('the repairs that are offered work', async () => {
  const questions = [
    ['2,3,4,5', '3,1'],
    ['2,3', '3', '--rule', 'pdpd', '--axis', '5'],
    ['3,4', '--rule', 'broadcast_numpy', '--target', '4'],
    ['16', '--rule', 'explicit', '--target', '1,16,50', '--mapping', '5'],
  ];
  for (const question of questions) {
    const { status, out } = await ask(question);
    assert.equal(status, 1, out);
    const options = [...out.matchAll(/^  (--\S.*?)  +gives (.*)$/gm)];
    assert.ok(options.length > 0, out);
    for (const [, proposed, result] of options) {
      const [given, without = ''] = proposed.split(/ ?without /);
      const words = [...given.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
      const shapes = question.filter((word, i) => !word.startsWith('--') && !question[i - 1]?.startsWith('--'));
      const kept = question.slice(shapes.length);
      for (const name of ['--rule', '--axis', '--mapping', '--target']) {
        // Proposed options replace the old ones; options to remove are named.
        const isReplaced = words.includes(name) || without.includes(name);
        if (isReplaced && kept.includes(name)) kept.splice(kept.indexOf(name), 2);
      }
      const again = await ask([...shapes, ...kept, ...words]);
      assert.equal(again.status, 0, `${proposed}: ${again.out}${again.err}`);
      assert.ok(again.out.includes(`Fits: ${result}.`));
    }
  }
});

test('options of the rules', async () => {
  const line = async (args, words) => assert.match((await ask(args)).out, words);
  await line(['2,3,4', '3', '--rule', 'pdpd', '--axis', '1'], /^pdpd, axis 1: [^]*Fits: \(2, 3, 4\)/);
  await line(['2,3,4', '4', '--rule', 'pdpd', '--axis', '-1'], /^pdpd, axis -1: [^]*Fits: \(2, 3, 4\)/);
  await line(['2,3,4', '4', '--rule', 'pdpd', '--axis=-2'], /^pdpd, axis -2: [^]*Conflict\./);
  await line(['3,1', '--rule', 'bidirectional', '--target', '[4]'], /^the target += \(4,\)$/m);
  await line(['3,1', '--rule', 'bidirectional', '--target', '[4]'], /^the target \| - insert +\| 4 match$/m);
  await line(['16', '--rule', 'explicit', '--target', '1,16,50', '--mapping', '[1]'], /Fits: \(1, 16, 50\)/);
  await line(['2', '--rule', 'bidirectional', '--target', '2,-1'], /Conflict\. .*-1/);
  // If the error is not about extents, no extent of a result is shown.
  await line(['2,3,4', '5', '--rule', 'pdpd', '--axis', '7'], /^result \| \? +\| \? +\| \?$/m);
});

test('scalars and empty arrays', async () => {
  const { status, out } = await ask(['()', '[]']);
  assert.equal(status, 0);
  assert.match(out, /^ +\| no axes$/m);
  assert.match(out, /^A +\| one element$/m);
  assert.match(out, /^result \| \(\)$/m);
  assert.match(out, /Fits: \(\)\./);
  assert.match((await ask(['()', '2,0,3'])).out, /Fits: \(2, 0, 3\)\./);
  assert.equal((await ask(['0', '3'])).status, 1);
  assert.match((await ask(['()', '3', '--rule', 'pdpd'])).out, /^B +\| no place$/m);
});

test('tables have at most 80 columns; further axes follow below', async () => {
  const shape = Array.from({ length: 30 }, (_, i) => (i % 3) + 1);
  const huge = 2n ** 62n;
  for (const shapes of [
    [shape, [3]],
    [Array(200).fill(1), [7]],
    [[huge, 1n], [1n]],
    Array.from({ length: 40 }, () => [2, 3, 4, 5, 6, 7]),
  ]) {
    const { status, out } = await ask(shapes.map((extents) => extents.join()));
    assert.equal(status, 0);
    const lines = out.split('\n').filter((text) => /^[\w# ]+ \| |^-+\+/.test(text));
    for (const text of lines) assert.ok(text.length <= 80, text);
    const rank = Math.max(...shapes.map(({ length }) => length));
    const heads = lines.filter((text) => text.includes('axis 0') || /^ +\| axis \d/.test(text)).join(' ');
    for (let axis = 0; axis < rank; ++axis) assert.match(heads, new RegExp(`\\| axis ${axis}\\b`));
    const results = lines.filter((text) => text.startsWith('result')).flatMap((text) => text.match(/\d+/g));
    const expected = bl.inferShape('numpy', shapes).map(String);
    assert.deepEqual(results, expected);
  }
});

test('very many axes and operands', async () => {
  const { status, out } = await ask([Array(5000).fill(1).join(), ...Array(60).fill('2')]);
  assert.equal(status, 0);
  assert.match(out, /\| axis 4999$/m);
  assert.match(out, /^#60 /m);
  assert.match(out, /\(4976 more axes are not explained here\.\)/);
  const clash = await ask([`3,${Array(5000).fill(1).join()}`, `2,${Array(5000).fill(1).join()}`]);
  assert.equal(clash.status, 1);
  assert.match(clash.out, /^axis 0: Mismatch: .*\.$/m);
});

test('colours: never in pipes, always with FORCE_COLOR, and the text is the same', async () => {
  const question = ['2,3', '4'];
  const plain = run(question).out;
  assert.doesNotMatch(plain, /\u001b/);
  for (const FORCE_COLOR of ['1', '', 'true', '3']) {
    const { status, out } = run(question, { FORCE_COLOR });
    assert.equal(status, 1);
    assert.match(out, /\u001b\[31m3 conflict\u001b\[39m/);
    assert.match(out, /\u001b\[31mConflict\.\u001b\[39m/);
    assert.equal(out.replace(escape, ''), plain);
  }
  for (const env of [{ FORCE_COLOR: '0' }, { NO_COLOR: '1' }]) assert.equal(run(question, env).out, plain);
  assert.match(run(question, { FORCE_COLOR: '1', NO_COLOR: '1' }).out, /\u001b/, 'FORCE_COLOR goes first');
  assert.match(run(['--all', '2', '3'], { FORCE_COLOR: '1' }).out, /\u001b\[31mconflict\u001b\[39m/);
  JSON.parse(run([...question, '--json'], { FORCE_COLOR: '1' }).out);
});

test(
  'on a terminal',
  { skip: !existsSync('/usr/bin/script') && 'there is no script(1) to bring a terminal' },
  async () => {
    const onTerminal = (env, columns = 100) => {
      const command = `stty cols ${columns}; "$NODE" "$CLI" 2,3,4,5,6,7,8 4`;
      const { stdout } = spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], {
        encoding: 'utf8',
        env: { ...quiet, TERM: 'xterm', LC_ALL: 'C', NODE: process.execPath, CLI: cli, SHELL: '/bin/sh', ...env },
      });
      return stdout.replaceAll('\r', '');
    };
    const utf8 = onTerminal({ LC_ALL: 'C.UTF-8' });
    assert.match(utf8, /\u001b\[32m2 match\u001b\[39m/);
    assert.match(utf8, /─┼─/);
    assert.match(onTerminal({ LC_ALL: '', LC_CTYPE: 'en_US.utf8' }), /│/);
    const ascii = onTerminal({});
    assert.match(ascii, /-\+-/);
    assert.doesNotMatch(ascii, /[│─┼]/);
    assert.match(ascii, /\u001b\[/);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { FORCE_COLOR: '0' }]) {
      assert.doesNotMatch(onTerminal(env), /\u001b\[\d/);
    }
    const widest = (text) =>
      Math.max(
        ...text
          .split('\n')
          .filter((line) => /[|] /.test(line))
          .map((line) => line.length),
      );
    assert.ok(widest(onTerminal({ NO_COLOR: '1' }, 200)) > 80);
    assert.ok(widest(onTerminal({ NO_COLOR: '1' }, 50)) <= 50);
  },
);

test("--json prints the package's answers, under every rule", async () => {
  const shapes = [
    [
      [2, 1, 4],
      [3, 1],
    ],
    [
      [2, 3, 4, 5],
      [3, 1],
    ],
    [[], [3]],
    [[2, 2]],
    [[0], [1], [0]],
  ];
  const plain = (value) => JSON.parse(JSON.stringify(value));
  let answered = 0;
  for (const [rule, { takesTarget, takesMapping }] of Object.entries(bl.vocabulary.rules)) {
    for (const given of shapes) {
      const options = {
        ...(takesTarget ? { targetShape: [2, 1, 2] } : {}),
        ...(takesMapping ? { axesMapping: [0, 1] } : {}),
      };
      let expected;
      try {
        expected = bl.align(rule, given, options);
      } catch {
        continue; // another number of operands
      }
      ++answered;
      const args = given.map((shape) => `(${shape.join()})`);
      if (takesTarget) args.push('--target', '2,1,2');
      if (takesMapping) args.push('--mapping', '0,1');
      const { status, document } = await runJson(...args, '--rule', rule);
      assert.equal(status, expected.error === null ? 0 : 1);
      const { version, kind, op, operands, axes, error, repairs, results, pasted, ...rest } = document;
      assert.deepEqual([version, kind, op, results, pasted], [1, 'alignment', null, null, null]);
      assert.deepEqual(rest, {
        rule,
        axis: null,
        targetShape: takesTarget ? [2, 1, 2] : null,
        axesMapping: takesMapping ? [0, 1] : null,
        fits: expected.error === null,
        shape: expected.shape,
        conflicts: plain(expected.conflicts),
        growsBoth: expected.growsBoth,
        verdict: expected.verdict,
        cause: expected.cause,
        warnings: expected.warnings(),
      });
      assert.deepEqual(
        operands,
        given.map((shape, i) => ({ name: 'ABC'[i], shape, names: null, file: null, dtype: null })),
      );
      assert.deepEqual(axes, plain(expected.axes.map((row) => ({ ...row, extent: row.conflict ? null : row.extent }))));
      assert.deepEqual(repairs, plain(expected.repairs()));
      if (error !== null) for (const name of Object.keys(error)) assert.deepEqual(error[name], expected.error[name]);
      assert.equal(error?.message, expected.error?.message);
    }
  }
  assert.ok(answered > 15);
});

test('--json prints integers that JSON numbers cannot represent', async () => {
  const huge = 2n ** 62n + 1n;
  const { document } = await runJson(`${huge}`, '1,1');
  assert.deepEqual(document.shape, [1, String(huge)]);
  assert.deepEqual(document.operands[0].shape, [String(huge)]);
  assert.equal(document.axes[1].cells[0].extent, String(huge));
  assert.equal((await runJson('9007199254740991')).document.shape[0], 2 ** 53 - 1);
  assert.equal((await runJson('9007199254740992')).document.shape[0], '9007199254740992');
});

test('--all: a line for each rule, with the options that the rule takes', async () => {
  const { status, out } = await ask(['--all', '2,3,4', '1,5']);
  assert.equal(status, 1, 'they fit under no rule');
  const lines = out.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    Object.keys(bl.vocabulary.rules),
  );
  assert.match(out, /^numpy +conflict  Axis 2: /m);
  // PDPD is tried with its default axis and then with every axis, which is named.
  assert.match(out, /^pdpd +conflict  Axis 2: .* That is with axis -1; no other axis fits\.$/m);
  const found = await ask(['--all', '2,3,4,5', '3,1']);
  assert.equal(found.status, 0);
  assert.match(found.out, /^pdpd +fits +\(2, 3, 4, 5\) with --axis 1$/m);
  assert.match((await ask(['--all', '2,3', '3'])).out, /^pdpd +fits +\(2, 3\) with the default, --axis -1$/m);
  assert.match((await ask(['--all', '2,3,4', '3', '--axis', '1'])).out, /^pdpd +fits +\(2, 3, 4\)$/m);
  assert.match((await ask(['--all', '3,1', '--target', '2,3,4'])).out, /^broadcast_numpy +fits +\(2, 3, 4\)$/m);
  assert.match(
    (await ask(['--all', '3,1', '--target', '2,3,4', '--mapping', '1,2'])).out,
    /^explicit +fits +\(2, 3, 4\)$/m,
  );
  assert.match((await ask(['--all', '3,1'])).out, /^explicit +no +\S/m);
  assert.match(
    (await ask(['--all', '3,4', '--target', '2,3,4'])).out,
    /^explicit +fits +\(2, 3, 4\) with --mapping "1,2"$/m,
  );
  // A target is part of the question: rules that take no target do not ignore it.
  assert.match((await ask(['--all', '3,4', '--target', '2,3,4'])).out, /^sonnx +no +SONNX takes no target shape/m);

  const { status: none, document } = await runJson('--all', '2,3', '4');
  assert.equal(none, 1, 'they fit under no rule');
  assert.deepEqual([document.version, document.kind], [1, 'rules']);
  assert.deepEqual(
    document.operands.map(({ shape }) => shape),
    [[2, 3], [4]],
  );
  assert.equal(document.rules.length, Object.keys(bl.vocabulary.rules).length);
  for (const { rule, fits, shape, verdict } of document.rules) {
    let expected;
    try {
      const alignment = bl.align(rule, [[2, 3], [4]]);
      expected = [alignment.error === null, alignment.shape, alignment.verdict];
    } catch (error) {
      expected = [null, null, error.message];
    }
    assert.deepEqual([fits, shape, verdict], expected);
  }
});

test('.npy files are accepted as shapes', async () => {
  const { status, out } = run(['a.npy', '(3,)']);
  assert.equal(status, 0);
  assert.match(out, /^A = a\.npy, f32 \(2, 3\)$/m);
  assert.match(out, /^B = \(3,\)$/m);
  const { status: clash, document } = await runJson('a.npy', 'c.npy');
  assert.equal(clash, 1);
  assert.deepEqual(document.operands, [
    { name: 'A', names: null, shape: [2, 3], file: 'a.npy', dtype: 'f32' },
    { name: 'B', names: null, shape: [2], file: 'c.npy', dtype: 'f32' },
  ]);
});

test('--op computes with files', async () => {
  const { status, out, err } = run(['--op', 'add', 'a.npy', 'b.npy', '-o', 'sum.npy']);
  assert.deepEqual([status, out, err], [0, 'sum.npy: f32 (2, 3)\n', '']);
  assert.deepEqual([...open('sum.npy').data], [11, 22, 33, 14, 25, 36]);
  assert.deepEqual(open('sum.npy').shape, [2, 3]);

  assert.equal(run(['--op', 'add', 'a.npy', 'b.npy']).out, 'f32 (2, 3)\n[[11, 22, 33],\n [14, 25, 36]]\n');
  run(['--op', 'Sub', 'a.npy', 'c.npy', '--rule', 'pdpd', '--axis', '0', '--output=difference.npy']);
  assert.deepEqual([...open('difference.npy').data], [0, 1, 2, 2, 3, 4]);
  run(['--op', 'Broadcast', 'b.npy', '--target', '2,3', '--rule', 'broadcast_numpy', '-o', 'wide.npy']);
  assert.deepEqual([...open('wide.npy').data], [10, 20, 30, 10, 20, 30]);
  // The result may replace an operand.
  run(['--op', 'add', 'sum.npy', 'sum.npy', '-o', 'sum.npy']);
  assert.deepEqual([...open('sum.npy').data], [22, 44, 66, 28, 50, 72]);
});

test('operators by method or name, in any case; attributes', async () => {
  const value = async (...args) => (await runJson('--op', ...args)).document.results[0].data;
  for (const name of ['lessOrEqual', 'LessOrEqual', 'LESSOREQUAL', 'less_or_equal', 'less-or-equal']) {
    assert.deepEqual(await value(name, 'i.npy', 'i.npy'), [true, true, true], name);
  }
  assert.deepEqual(await value('where', 'yes.npy', 'a.npy', 'b.npy'), [1, 20, 3, 4, 20, 6]);
  assert.deepEqual(await value('MAX', 'i.npy', 'i.npy', 'i.npy'), [7, -7, 8]);
  save('three.npy', i32([3]));
  assert.deepEqual(await value('mod', 'i.npy', 'three.npy'), [1, 2, 2]);
  assert.deepEqual(await value('mod', 'i.npy', 'three.npy', '--fmod', '1'), [1, -1, 2]);
  save('bits.npy', { data: new Uint8Array([1, 2]), shape: [2] });
  assert.deepEqual(await value('bitShift', 'bits.npy', 'bits.npy', '--direction', 'left'), [2, 8]);
  await refused(['--op', 'bitShift', 'bits.npy', 'bits.npy'], /direction/);
  await refused(['--op', 'bitShift', 'bits.npy', 'bits.npy', '--direction', 'up'], /'left' or 'right'/);
  await refused(['--op', 'mod', 'i.npy', 'i.npy', '--fmod', '2'], /fmod is 0 or 1/);
  await refused(['--op', 'mod', 'i.npy', 'i.npy', '--fmod', 'x'], /--fmod/, 'x');
});

test('--op with shapes shows their alignment', async () => {
  const { status, out } = run(['--op', 'prelu', '2,3,4', '3,1']);
  assert.equal(status, 0);
  assert.match(out, /^PRelu by onnx_unidirectional: /);
  assert.doesNotMatch(out, /Nothing is computed/);
  assert.match(run(['--op', 'prelu', 'a.npy', '3']).out, /\nNothing is computed, as of B only the shape is given/);
  const { document } = await runJson('--op', 'prelu', 'a.npy', '3');
  assert.deepEqual([document.op, document.rule, document.results], ['PRelu', 'onnx_unidirectional', null]);
  await refused(['--op', 'add', '2', '3', '4'], /Add takes 2 operands \(a \+ b\), not 3/);
  await refused(['--op', 'where', '2'], /Where takes 3 operands/);
  await refused(['--op', 'where', '2', '2', '2', '--rule', 'pdpd'], /Where does not take the rule pdpd/);
  await refused(['--op', 'add', '2', '3', '-o', 'x.npy'], /each operand has to be an array, of a \.npy or \.npz file/);
  await refused(
    ['--op', 'add', 'a.npy', '3', '-o', 'x.npy'],
    /each operand has to be an array, of a \.npy or \.npz file/,
  );
  // A repair with a rule that the operator does not take is not offered.
  assert.match(run(['2,3', '2', '--rule', 'numpy']).out, /--rule pdpd/);
  assert.doesNotMatch(run(['--op', 'where', '2,3', '2,3', '2', '--rule', 'numpy']).out, /--rule pdpd/);
});

test('files that do not fit: the table and exit code 1; nothing is written', async () => {
  const { status, out } = run(['--op', 'add', 'a.npy', 'c.npy', '-o', 'never.npy']);
  assert.equal(status, 1);
  assert.match(out, /Conflict\. /);
  assert.ok(!existsSync(path.join(folder, 'never.npy')));
  const { status: json, document } = await runJson('--op', 'add', 'a.npy', 'c.npy');
  assert.deepEqual([json, document.fits, document.results], [1, false, null]);
});

test('rules with a result for each operand take as many -o options', async () => {
  const question = ['--op', 'broadcast', '--rule', 'sonnx', 'a.npy', 'b.npy'];
  await refused([...question, '-o', 'x.npy'], /2 results, not 1/);
  assert.ok(!existsSync(path.join(folder, 'x.npy')));
  const { status, out } = run([...question, '-o', 'x.npy', '-o', 'y.npy']);
  assert.deepEqual([status, out], [0, 'x.npy: f32 (2, 3)\ny.npy: f32 (2, 3)\n']);
  assert.deepEqual([...open('y.npy').data], [10, 20, 30, 10, 20, 30]);
  assert.equal((await runJson(...question)).document.results.length, 2);
});

test('each operand keeps its own element type under sonnx', async () => {
  save('bytes.npy', { data: new Uint8Array([1, 2]), shape: [2, 1] });
  save('wide.npy', f64([0.5, -1, 3]));
  const { status, document } = await runJson('--op', 'broadcast', '--rule', 'sonnx', 'bytes.npy', 'wide.npy');
  assert.equal(status, 0);
  assert.deepEqual(
    document.results.map(({ dtype, shape }) => [dtype, shape]),
    [
      ['u8', [2, 3]],
      ['f64', [2, 3]],
    ],
  );
});

test('--op cast converts elements', async () => {
  save('from.npy', i32([-1, 300, 7]));
  const cast = async (...more) => (await ask(['--op', 'cast', ...more, 'from.npy'])).out.split('\n').slice(-3);
  assert.deepEqual(await cast('--to', 'u8'), ['u8 (3,)', '[255,  44,   7]', '']);
  assert.deepEqual(await cast('--to', 'U8', '--saturate'), ['u8 (3,)', '[  0, 255,   7]', '']);
  assert.deepEqual(await cast('--to', 'bf16'), ['bf16 (3,)', '[ -1, 300,   7]', '']);
  const { status, out } = await ask(['--op', 'cast', '--to', 'f64', 'from.npy', '-o', 'to.npy']);
  assert.deepEqual([status, out], [0, 'to.npy: f64 (3,)\n']);
  assert.deepEqual([...open('to.npy').data], [-1, 300, 7]);
  await refused(['--op', 'cast', 'from.npy'], /Cast needs an element type: --to, one of bool, i8/);
  await refused(['--op', 'cast', '--to', 'f33', 'from.npy'], /no element type "f33"/);
  await refused(['--op', 'add', '--to', 'u8', 'from.npy', 'from.npy'], /Add takes no --to/);
  await refused(['--saturate', '3'], /--saturate needs --op cast/);
});

test('values are printed with the necessary digits, in few lines', async () => {
  const print = async (array) => {
    save('v.npy', array);
    const { status, out, err } = await ask(['--op', 'broadcast', '--rule', 'sonnx', 'v.npy']);
    assert.equal(status, 0, err);
    return out.slice(out.indexOf('\n') + 1);
  };
  assert.equal(await print(f32([0.1, -0, NaN, -Infinity])), '[      0.1,        -0,       NaN, -Infinity]\n');
  assert.equal(await print(f32([16777217, 1e-45, 1 / 3])), '[  16777216,      1e-45, 0.33333334]\n');
  assert.equal(await print(f64([0.1, 1 / 3])), '[               0.1, 0.3333333333333333]\n');
  assert.equal(await print({ data: new BigInt64Array([2n ** 63n - 1n]), shape: [] }), '9223372036854775807\n');
  const halves = { data: new Uint16Array([0x3c00, 0x2e66, 0x0001, 0xfc00, 0x7e01]), shape: [5], dtype: 'f16' };
  assert.equal(await print(halves), '[        1,  0.099976, 5.9605e-8, -Infinity,       NaN]\n');
  assert.equal(
    await print({ data: new Float32Array([1, -2, 0, 0.5]), shape: [2], dtype: 'c64' }),
    '[  1-2i, 0+0.5i]\n',
  );
  assert.equal(await print(bool([1, 0])), '[ true, false]\n');
  assert.equal(await print({ data: new Int8Array(0), shape: [2, 0] }), '[]\n');
  assert.equal(
    await print({ data: new Int8Array(8).map((_, i) => i), shape: [2, 2, 2] }),
    '[[[0, 1],\n  [2, 3]],\n [[4, 5],\n  [6, 7]]]\n',
  );

  const large = await print({ data: new Int32Array(3000).map((_, i) => i), shape: [50, 60] });
  assert.match(large, /^\[\[ +0, +1, +2, \.\.\., +57, +58, +59\],\n/);
  assert.match(large, /\n \.\.\.\n/);
  assert.equal(large.split('\n').length, 8);
  for (const shape of [[3000], [1, 3000, 1], Array(11).fill(2), Array(40).fill(1), [3, ...Array(9).fill(3)]]) {
    const count = shape.reduce((a, b) => a * b, 1);
    const text = await print({ data: new Int32Array(count), shape });
    assert.ok(text.length < 20000 && text.split('\n').every((line) => line.length <= 80), text.slice(0, 300));
  }
});

test('--json prints values exactly', async () => {
  save('odd.npy', f64([0.1, -0, NaN, Infinity]));
  save('wide.npy', { data: new BigUint64Array([2n ** 64n - 1n, 3n]), shape: [2] });
  save('pairs.npy', { data: new Float32Array([1, NaN]), shape: [], dtype: 'c64' });
  const data = async (name) => (await runJson('--op', 'broadcast', '--rule', 'sonnx', name)).document.results[0];
  assert.deepEqual(await data('odd.npy'), {
    dtype: 'f64',
    shape: [4],
    file: null,
    data: [0.1, '-0', 'NaN', 'Infinity'],
  });
  assert.deepEqual((await data('wide.npy')).data, ['18446744073709551615', 3]);
  assert.deepEqual((await data('pairs.npy')).data, [[1, 'NaN']]);
  save('long.npy', { data: new Uint8Array(1_000_001), shape: [1_000_001] });
  assert.equal((await data('long.npy')).data, null);
  const { document } = await runJson('--op', 'add', 'a.npy', 'b.npy', '-o', 'kept.npy');
  assert.deepEqual(document.results, [{ dtype: 'f32', shape: [2, 3], file: 'kept.npy', data: null }]);
});

test('the process behaves like its main function', async () => {
  for (const args of [
    ['2,3', '3'],
    ['2,3', '4'],
    ['2,x'],
    ['2,3', '4', '--json'],
    ['--all', '2', '3'],
    ['--op', 'add', 'a.npy', 'b.npy'],
    ['--op', 'add', 'a.npy', 'd.npy'],
    ['--op', 'add', 'a.npy', 'none.npy'],
    ['--frobnicate'],
    ['--help'],
    [],
  ]) {
    assert.deepEqual(run(args), await ask(args));
  }
});

test('--help and --version', async () => {
  const { status, out, err } = run(['--help']);
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /^Usage: broadloom /);
  for (const { name, doc } of Object.values(bl.vocabulary.rules))
    assert.match(out, new RegExp(`^  ${name} +${doc.slice(0, 9)}`, 'm'));
  for (const { method } of Object.values(bl.vocabulary.ops)) assert.match(out, new RegExp(`\\b${method}\\b`));
  for (const option of out.matchAll(/--([\w-]+)/g)) assert.doesNotMatch((await ask([option[0], '1'])).err, /no option/);
  assert.equal(run(['-h']).out, out);
  for (const flag of ['--version', '-v'])
    assert.deepEqual(run([flag]), { status: 0, out: `${manifest.version}\n`, err: '' });
});

test('invalid shapes: the wrong token is marked', async () => {
  await refused(['(2,x)', '3'], /^broadloom: A: Character 4/, 'x');
  await refused(['2', '3,4..5'], /^broadloom: B: /, '4..5');
  await refused(['2,-1'], /^broadloom: A, axis 1: the extent -1 is negative/, '-1');
  await refused(['-1,2'], /negative/, '-1');
  await refused(['2', '(2,3'], /^broadloom: B: Character 1: a bracket is not closed/, '(');
  await refused(['9'.repeat(30)], /the number is too large/, '9'.repeat(30));
  await refused(['9223372036854775808'], /the number is too large/);
  await refused([''], /nothing to read/);
  const { status, err: empty } = run(['-']); // standard input, which is empty
  assert.equal(status, 2);
  assert.match(empty, /^broadloom: .*standard input/i);
  await refused(['2,3', '\u001b[2Jq'], /^broadloom: B: [\x20-\x7e\n]*$/, '?[2Jq'.slice(0, 1));
  const long = `${'1,'.repeat(5000)}oops,${'1,'.repeat(5000)}`;
  await refused([long], /neither a number/, 'oops');
  const { err } = run([long]);
  for (const line of err.trimEnd().split('\n').slice(1)) assert.ok(line.length <= 80, line);
  await refused(['3,1', '--rule', 'bidirectional', '--target', '2;;'], /^broadloom: --target: /);
  await refused(['3', '--rule', 'explicit', '--target', '3', '--mapping', '0,y'], /^broadloom: --mapping: /, 'y');
  await refused(['2', '1', '--rule', 'pdpd', '--axis', '0,1'], /^broadloom: --axis takes one whole number/, '0,1');
  await refused(['2', '1', '--rule', 'pdpd', '--axis', '0.5'], /^broadloom: --axis takes one whole number/, '0.5');
  await refused(['2', '1', '--rule', 'pdpd', '--axis', ''], /^broadloom: --axis takes one whole number/);
  await refused(['2', '1', '--rule', 'pdpd', '--axis', '9'.repeat(30)], /^broadloom: --axis: [^]*too large/);
});

test('the report says that no other axis fits if all were tried', async () => {
  const { mostAxisTried } = bl.vocabulary;
  const asked = async (rank) => (await ask([Array(rank).fill(1).join(), '3', '--all'])).out;
  assert.match(await asked(mostAxisTried), /no other axis fits/);
  assert.doesNotMatch(await asked(mostAxisTried + 1), /no other axis fits/);
});

test('wrong usage', async () => {
  await refused([], /no operand.*--help/);
  const asJson = await ask(['--json']);
  assert.deepEqual([asJson.status, asJson.err, JSON.parse(asJson.out).kind], [2, '', 'error']);
  assert.match(JSON.parse(asJson.out).message, /no operand/);
  await refused(['--frobnicate', '2'], /no option "--frobnicate"/);
  await refused(['-x', '2'], /no option "-x"/);
  await refused(['2', '--rule'], /--rule needs a value/);
  assert.match(JSON.parse((await ask(['2', '--rule', '--json'])).out).message, /--rule needs a value/);
  await refused(['2', '--json=yes'], /--json takes no value/);
  await refused(['2', '--rule', 'numpy', '--rule', 'pdpd'], /--rule is given twice/);
  await refused(['2', '--rule', 'nump'], /no rule "nump"\. Did you mean "numpy"/);
  await refused(['2', '--op', 'plus'], /no operator "plus"/);
  await refused(['2', '--op', ''], /no operator ""/);
  await refused(['2', '2', '--op', 'add', '--rule', 'sonnx'], /Add does not take the rule sonnx/);
  await refused(['2', '--all', '--rule', 'numpy'], /cannot be used with --rule/);
  await refused(['2', '--all', '--op', 'add'], /cannot be used with --op/);
  await refused(['2', '-o', 'x.npy'], /--output needs --op/);
  await refused(['2', '--fmod', '1'], /--fmod needs --op/);
  await refused(['2', '--direction', 'left'], /--direction needs --op/);
  await refused(['2', '2', '--op', 'add', '--fmod', '1'], /Add takes no --fmod/);
  await refused(['2', '2', '--op', 'add', '--direction', 'left'], /Add takes no --direction/);
  await refused(['2', '2', '--axis', '1'], /takes no axis/);
  await refused(['2', '2', '--mapping', '0'], /axes_mapping/);
  // Also of shapes without files.
  await refused(['2', '2', '--op', 'bitShift', '--direction', 'up'], /'left' or 'right'/);
  await refused(['2', '2', '--op', 'mod', '--fmod', '2'], /fmod is 0 or 1/);
  await refused(['2', '--op', 'cast', '--to', 'f33'], /no element type "f33"/);
  await refused(['2', '--rule', 'explicit'], /Give --target and --mapping/);
  await refused(['2', '--rule', 'pdpd'], /takes 2 operands, not 1/);
  await refused(['2', '__proto__.npy'], /no such file/);
});

test('files that cannot be read or written', async () => {
  writeFileSync('array.dat', '');
  await refused(['array.dat'], /^broadloom: array\.dat: this file is named neither \.npy nor \.npz/);
  await refused(['2', '--rule', 'bidirectional', '--target', 'array.dat'], /^broadloom: --target: Character/);
  await refused(['a.npy', 'a.npy', '--op', 'add', '-o', ''], /-o needs a value/);
  await refused(['none.npy'], /^broadloom: none\.npy: no such file or directory\.\n$/);
  await refused(['none\u001b[2J\n.npy'], /^broadloom: none\?\[2J\?\.npy: no such file or directory\.\n$/);
  writeFileSync(path.join(folder, 'text.npy'), 'hello');
  await refused(['text.npy'], /^broadloom: text\.npy: .*no \.npy file/);
  writeFileSync(path.join(folder, 'short.npy'), readFileSync(path.join(folder, 'a.npy')).subarray(0, 130));
  await refused(['short.npy'], /^broadloom: short\.npy: .*ends too early/);
  writeFileSync(path.join(folder, 'empty.npy'), '');
  await refused(['empty.npy'], /^broadloom: empty\.npy: /);
  mkdtempSync(path.join(folder, 'folder-'));
  spawnSync('mkdir', [path.join(folder, 'folder.npy')]);
  await refused(['folder.npy'], /^broadloom: folder\.npy: .*directory/);
  const object = fileURLToPath(new URL('npy/object.npy', import.meta.url));
  await refused([object], /Python objects/);
  await refused(['--op', 'add', 'a.npy', 'd.npy'], /f64|f32/);
  await refused(['--op', 'and', 'a.npy', 'a.npy'], /does not take f32/);
  await refused(
    ['--op', 'add', 'a.npy', 'b.npy', '-o', 'no/such/place.npy'],
    /cannot be written: no such file or directory/,
  );
  await refused(['--op', 'add', 'a.npy', 'b.npy', '-o', 'folder.npy'], /cannot be written: .*directory/);
});

test('a result that is too large', async () => {
  save('one.npy', { data: new Uint8Array(1), shape: [1] });
  const question = ['--op', 'broadcast', '--rule', 'broadcast_numpy', 'one.npy', '--target'];
  await refused([...question, '8589934592'], /./);
  const { status, out } = run([...question, '9223372036854775807,2']);
  assert.equal(status, 1);
  assert.match(out, /Conflict\. /);
});

test('a reader that closes the pipe early causes no error', async () => {
  for (const shapes of [
    [Array(20000).fill(1).join(), '2'],
    [Array(20000).fill(2).join(), '3'],
  ]) {
    const child = spawn(process.execPath, [cli, ...shapes], { cwd: folder, env: quiet });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const status = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([status, err], [shapes[1] === '2' ? 0 : 1, '']);
  }
});

test(
  'output that cannot be written is status 2',
  { skip: !existsSync('/dev/full') && 'there is no /dev/full' },
  async () => {
    const { status, stderr } = spawnSync('/bin/sh', ['-c', '"$NODE" "$CLI" 2 2 > /dev/full'], {
      encoding: 'utf8',
      env: { ...quiet, NODE: process.execPath, CLI: cli },
    });
    assert.equal(status, 2);
    assert.match(stderr, /^broadloom: the output could not be written: .*\n$/);
  },
);

test("it is the package's command, and modules that the package loads import neither it nor Node", async () => {
  assert.deepEqual(manifest.bin, { broadloom: 'dist/cli.js' });
  assert.match(readFileSync(cli, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  assert.match(readFileSync(cli, 'utf8'), /node:fs/);
  const seen = new Set();
  const visit = (url) => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const source = readFileSync(url, 'utf8');
    // Statements and import(), not the import that a message recommends.
    const statement = /(?:^|[;}\n])\s*(?:import|export)\b[^"'`;]*?(?:\bfrom\s*)?["']([^"']+)["']/g;
    const names = [...source.matchAll(statement), ...source.matchAll(/\bimport\(\s*["'`]([^"'`]+)["'`]/g)];
    for (const [, name] of names) {
      assert.match(name, /^\.\//, `${url.pathname} imports ${name}`);
      assert.doesNotMatch(name, /cli/, `${url.pathname} imports ${name}`);
      visit(new URL(name, url));
    }
  };
  visit(new URL('index.js', dist));
  assert.deepEqual([...seen].map((href) => path.basename(href)).sort(), [
    'compile.js',
    'engine.js',
    'explainer.js',
    'explanations.js',
    'index.js',
    'platform.js',
  ]);
});

// --- explain ---------------------------------------------------------------------------------------------------------

const numpyText = `Traceback (most recent call last):
  File "x.py", line 3, in <module>
    x - x.mean(axis=1)
ValueError: operands could not be broadcast together with shapes (2,3) (2,) 
`;
const explain = (input, ...args) => run(['explain', ...args], {}, input);

test('explain: the cause, and for each repair the line of code and its meaning', () => {
  const { status, out } = explain('', '(32,10)', '(32,)');
  assert.equal(status, 1);
  const [repair] = bl.align('numpy', [[32, 10], [32]]).repairs();
  assert.ok(out.includes(`gives (32, 10)\n      b[:, None]\n      ${repair.meaning}\n`), out);
  assert.match(explain('', '(32,10)', '(32,)', '--system', 'pytorch').out, /^ {6}b\.unsqueeze\(1\)$|b\[:, None\]/m);
  assert.match(explain('', '2', '3', '--system', 'fortran').err, /There is no system "fortran"\. There are: numpy, /);
});

test('explain: warnings, and those that are expected', () => {
  const { status, out } = explain('', '(32,1)', '(32,)');
  assert.equal(status, 0);
  assert.match(out, /^Warning \(outer\): /m);
  assert.doesNotMatch(explain('', '(32,1)', '(32,)', '--expect', 'outer').out, /Warning/);
  const { err, status: wrong } = explain('', '(32,1)', '(32,)', '--expect=inner');
  assert.match(err, /There is no warning "inner"\. There are: outer, /);
  assert.equal(wrong, 2);
});

test('explain: types beside shapes, exponents, and expressions', () => {
  const { status, out } = explain('', 'f64[2,3]', 'tensor<2x4xindex>');
  assert.equal(status, 1);
  assert.match(out, /^A = \(2, 3\), f64$/m);
  assert.match(out, /^B = \(2, 4\); its type index is left out, since Broadloom has none of that name$/m);
  const { operands } = JSON.parse(explain('', 'f64[2,3]', '(3,)', '--json').out);
  assert.deepEqual(
    operands.map(({ shape, dtype }) => [shape, dtype]),
    [
      [[2, 3], 'f64'],
      [[3], null],
    ],
  );
  assert.match(explain('', '(1e3, 3)', '(3,)').out, /^Fits: \(1000, 3\)\./m);
  assert.match(explain('', '(1e-3, 3)', '(3,)').err, /neither a number/);
  const opaque = explain('', 'f32[2N, 3]', '(N+1, 3)').out;
  assert.match(opaque, /^ {2}2N=N\+1 or 2N=1 or N\+1=1$/m);
  assert.match(opaque, /^2N, N\+1 are expressions: each is read as an unknown extent of its own/m);
  assert.match(opaque, /^Element types \(f32\) are left out: only the extents are judged\.$/m);
});

test('explain --paste prints no broadcast to the shape that an operand has', () => {
  const text = "ValueError: non-broadcastable output operand with shape (3,) doesn't match the broadcast shape (2,3)";
  const { out } = explain(text, '--paste');
  assert.match(out, /^ {2}--target "\(2, 3\)"/m);
  assert.doesNotMatch(out, /broadcast_to/);
});

test('explain --paste reads an error text from standard input', () => {
  const { status, out } = explain(numpyText, '--paste');
  assert.equal(status, 1);
  assert.match(out, /^An error of NumPy\.\n {2}x - x\.mean\(axis=1\)\n/);
  assert.match(out, /^ {6}x\.mean\(axis=1, keepdims=True\)$/m);
  const document = JSON.parse(explain(numpyText, '--paste', '--json').out);
  assert.deepEqual(
    [document.version, document.kind, document.fits, document.pasted.system],
    [1, 'alignment', false, 'numpy'],
  );
  assert.equal(document.repairs[0].code.pytorch, 'x.mean(axis=1, keepdim=True)');
  assert.equal(document.cause.kind, 'missing_axis');
});

test('explain --paste asks for what the text lacks', () => {
  const torch =
    'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1';
  const { status, out } = explain(torch, '--paste');
  assert.equal(status, 2);
  assert.match(out, /^The text has the sizes 3 and 4 on axis 1, and no shapes\.$/m);
  const document = JSON.parse(explain(torch, '--paste', '--json').out);
  assert.deepEqual([document.kind, document.pasted.lacksShapes], ['pasted', true]);
  const nothing = explain('hello', '--paste');
  assert.equal(nothing.status, 2);
  assert.match(nothing.err, /^broadloom: No error with shapes was found in the text\./);
  assert.match(explain('', '1e400', '3').err, /A, axis 0: the number is too large; the largest is 2\^63-1\./);
  assert.match(explain('', '--paste', '2,3').err, /takes no operand/);
  assert.match(run(['2,3', '3', '--paste']).err, /--paste belongs to the command explain\./);
  assert.match(explain('', '2', '3', '--all').err, /explain takes one rule/);
});

test('explain --paste: in place, the left operand is the target', () => {
  const text =
    '    x -= x.mean(axis=1)\nValueError: operands could not be broadcast together with shapes (8,3) (8,) (8,3) ';
  const { status, out } = explain(text, '--paste');
  assert.equal(status, 1);
  assert.match(out, /^ {2}A is x\.mean\(axis=1\), the target is x\.$/m);
  assert.match(out, /^The operator works in place, /m);
  assert.match(out, /^broadcast_numpy: /m);
  assert.match(out, /^ {6}x\.mean\(axis=1, keepdims=True\)$/m);
  const { pasted, op } = JSON.parse(explain(text, '--paste', '--json').out);
  assert.deepEqual([pasted.op, pasted.inPlace, op], ['Sub', true, null]);
  // JAX does not work in place.
  const jax = explain(
    text.replace(/ValueError.*/, 'TypeError: sub got incompatible shapes for broadcasting: (8, 3), (8,).'),
    '--paste',
  );
  assert.match(jax.out, /^Sub by numpy: /m);
});

test('explain --paste proposes nothing that is of no use to whoever saw the text', () => {
  const assigned = explain('could not broadcast input array from shape (3,5) into shape (3,4)', '--paste').out;
  assert.doesNotMatch(assigned, /np\.broadcast_to/);
  assert.match(assigned, /^What would work:\n {2}give A the extents \(3, 4\) /m);
  const shapes = 'operands could not be broadcast together with shapes (8,64,56,56) (64,) ';
  assert.doesNotMatch(explain(shapes, '--paste').out, /pdpd/);
  const openvino =
    "Check 'TRShape::broadcast_merge_into(x)' failed at a.hpp:26: While validating node 'opset1::Add n (a[0]:f32[8,64,56,56], b[0]:f32[64]) -> ()'";
  assert.match(explain(openvino, '--paste').out, /^ {2}--rule pdpd --axis 1 /m);
  const { repairs } = JSON.parse(explain(shapes, '--paste', '--json').out);
  assert.ok(repairs.length > 0 && repairs.every(({ rule }) => rule === 'numpy'));
});

test('explain --paste says in a sentence what is no broadcast', () => {
  for (const [text, by, kind, says] of [
    [
      'ValueError: cannot reshape array of size 12 into shape (5,3)',
      'An error of NumPy.',
      'reshape',
      /a reshape, not a/,
    ],
    [
      'TypeError: foo() takes 2 positional arguments but 3 were given',
      'An error of Python.',
      'call',
      /compare it with/,
    ],
    ['FooError: cannot concatenate shapes [2,3] and [4,5]', 'Shapes were found', 'concatenate', /choose another axis/],
  ]) {
    const { status, out } = explain(text, '--paste');
    assert.equal(status, 2);
    const [first, second, ...rest] = out.trimEnd().split('\n');
    assert.ok(first.startsWith(by), first);
    assert.match(second, says);
    assert.deepEqual(rest, []);
    const { noBroadcast } = JSON.parse(explain(text, '--paste', '--json').out).pasted;
    assert.deepEqual(noBroadcast, { kind, message: second });
  }
});

test('explain --paste joins shapes that stand beside two extents', () => {
  const printed = 'a.shape torch.Size([2, 3])\nb.shape torch.Size([4])\n';
  const text = `${printed}The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1`;
  const { status, out } = explain(text, '--paste');
  assert.equal(status, 1);
  assert.match(out, /An error of PyTorch\..*stand beside it/s);
  const { operands } = JSON.parse(explain(text, '--paste', '--json').out);
  assert.deepEqual(
    operands.map(({ shape }) => shape),
    [[2, 3], [4]],
  );
});

test('explain --paste: the output and the broadcast shape are a question', () => {
  const text = "non-broadcastable output operand with shape (3,1) doesn't match the broadcast shape (3,5)";
  const { status, out } = explain(text, '--paste');
  assert.equal(status, 1);
  assert.match(out, /^ {2}A is what the operands make together\.$/m);
  assert.match(out, /^the target = \(3, 1\)$/m);
});

test('explain --paste answers for unknown extents', () => {
  const keras = 'Operands could not be broadcast together with shapes (None, 32, 10) (None, 10, 10)';
  const { status, out } = explain(keras, '--paste');
  assert.equal(status, 1);
  assert.match(out, /^An error of Keras\.$/m);
  assert.match(out, /^A = \(\?, 32, 10\)$/m);
  assert.match(out, /^Never fits\./m);
  const document = JSON.parse(explain(keras, '--paste', '--json').out);
  assert.deepEqual([document.kind, document.fit, document.pasted.question.isSymbolic], ['symbolic', 'never', true]);
  const expanded =
    'The expanded size of the tensor (10) must match the existing size (2) at non-singleton dimension 1.  Target sizes: [-1, 10].  Tensor sizes: [2]';
  assert.match(explain(expanded, '--paste').out, /^the target = \(\?, 10\)$/m);
});

test('explain --paste names the operands that have no shape', () => {
  const { out } = explain('Error in cons != .consold : non-conformable arrays', '--paste');
  assert.match(out, /^The operands are cons and \.consold; the text has no shapes of them\.$/m);
});

test('explain reads full-width characters as those that they look like', () => {
  assert.match(run(['explain', '（２，３）', '(3,)']).out, /^A = \(2, 3\)$/m);
});

test('explain answers for unknown extents', () => {
  const always = run(['explain', '(N,1,C)', 'H, C']);
  assert.equal(always.status, 0);
  assert.match(always.out, /^Always fits: \(N, H, C\)\.$/m);
  const some = run(['explain', '(N,3)', '(M,3)']);
  assert.equal(some.status, 0);
  assert.match(some.out, /^Fits if these conditions hold, and only then: \(N or M, 3\)\.\n  N=M or N=1 or M=1$/m);
  for (const line of [
    'A = (N, 3)',
    '  axis 0: N=2, M=2; N=1, M=4; N=2, M=1',
    '  assert N == M or N == 1 or M == 1',
    '  torch._check((N == M) | (N == 1) | (M == 1))',
    '  "N == M",',
  ]) {
    assert.ok(some.out.includes(`\n${line}\n`), line);
  }
  const never = run(['explain', '(N,3)', '(M,4)']);
  assert.equal(never.status, 1);
  assert.match(never.out, /^Never fits\. No extents fit on axis 1 of the result\.$/m);
  assert.match(run(['explain', '...', '(2,3)']).out, /^If A has 3 or more axes:\nFits if .*: \(\.\.\., 2, 3\)\.$/m);
  const far = run(['explain', '(N,)', '(3)', '--rule', 'pdpd', '--axis', '7']);
  assert.equal(far.status, 1);
  assert.match(far.out, /^Never fits\. The reason is the error axis: /m);
  const target = run(['explain', '(?, 3)', '--rule', 'explicit', '--target', '(N, 4, 3)', '--mapping', '0,2']);
  assert.match(target.out, /^the target = \(N, 4, 3\)$/m);
  assert.equal(target.status, 0);
});

test('explain --json prints the document of unknown extents', () => {
  const { status, out } = run(['explain', '(N,3)', '(M)', '--rule', 'pdpd', '--axis', '0', '--json']);
  assert.equal(status, 0);
  assert.deepEqual(JSON.parse(out), bl.alignSymbolic('pdpd', ['(N,3)', '(M)'], { axis: 0 }));
});

test('shapes of numbers, files and misspelt names are explained as before', () => {
  assert.match(run(['explain', '(2,3)', '(3,)']).out, /^Fits: \(2, 3\)\./m);
  assert.match(run(['explain', 'a.npy', '(3,)']).out, /^Fits: \(2, 3\)\./m);
  for (const wrong of ['2 @ 3', 'foo.txt', '(2,,3)', 'folder/name', '(2.5, 3)', '(-2, 3)']) {
    assert.equal(run(['explain', wrong, '(3,)']).status, 2, wrong);
  }
  assert.match(run(['explain', '(8..2, 3)', '3']).err, /the range 8\.\.2 is empty/);
  assert.equal(run(['(N,3)', '(3,)']).status, 2, 'without explain, extents are numbers');
});

test('explain --by-name matches axes by name, as xarray does', async () => {
  const some = run(['explain', 'batch=8, heads=N', 'heads=4', '--by-name']);
  assert.equal(some.status, 0);
  assert.match(some.out, /^by name: .*1 does not stretch\nA = \(batch=8, heads=N\)\nB = \(heads=4,\)$/m);
  assert.match(some.out, /^Fits if .*: \(batch=8, heads=4\)\.\n {2}N=4$/m);
  // 1 does not stretch; by place, under NumPy's rule, it does.
  assert.equal((await ask(['explain', 'batch=8, heads=8', 'heads=1', '--by-name'])).status, 1);
  assert.equal((await ask(['explain', 'batch=8, heads=8', 'heads=1'])).status, 0);
  const { document } = await runJson('explain', 'batch=8, heads=8', 'heads=8', '--by-name');
  assert.deepEqual([document.kind, document.byName, document.fit], ['symbolic', true, 'always']);
  await refused(['explain', '2', '3', '--by-name'], /each axis needs one: name the axes of A/);
  await refused(['explain', '--by-name'], /There is no operand/);
  await refused(['explain', '--by-name', '--paste'], /--by-name cannot be used with --paste/);
  await refused(['a=2', '--by-name'], /--by-name belongs to the command explain/);
  for (const [option, value] of [
    ['--rule', 'numpy'],
    ['--op', 'add'],
    ['--axis', '0'],
    ['--target', '2'],
    ['--mapping', '0'],
    ['--expect', 'outer'],
    ['--system', 'jax'],
  ])
    await refused(
      ['explain', 'a=2', '--by-name', option, value],
      new RegExp(`^broadloom: ${option} cannot be used with`),
    );
});

test('names of axes are kept beside shapes of numbers', async () => {
  const args = ['explain', '(batch=8, heads=8)', 'heads=8, batch=8'];
  const { status, out } = run(args);
  assert.equal(status, 0);
  assert.match(out, /^A = \(batch=8, heads=8\)\nB = \(heads=8, batch=8\)$/m);
  assert.equal(out.match(/^Warning \(axis_names\)/gm).length, 2);
  const { document } = await runJson(...args);
  assert.deepEqual(
    document.operands.map(({ names }) => names),
    [
      ['batch', 'heads'],
      ['heads', 'batch'],
    ],
  );
  assert.deepEqual(
    document.warnings.map(({ kind }) => kind),
    ['axis_names', 'axis_names'],
  );
  assert.match((await ask(['batch=2,heads=3', 'heads=3'])).out, /^Fits: \(2, 3\)\./m);
});

test('--link: the address at which the playground opens the question, or why there is none', async () => {
  const base = 'http://localhost:8080/';
  const last = async (...args) => (await ask(['explain', ...args, '--link', base])).out.trimEnd().split('\n').at(-1);
  assert.equal(await last('(2,3)', '(4,)'), `Open: ${base}#v=1&rule=numpy&op=Add&type=f32&in=(2,3)&in=(4,)`);
  assert.equal(
    await last('(2,3,4)', '3', '--rule', 'pdpd', '--axis', '1', '--op', 'mul'),
    `Open: ${base}#v=1&rule=pdpd&op=Mul&type=f32&in=(2,3,4)&in=(3,)&axis=1`,
  );
  assert.match(await last('(32,1)', '(32,)', '--expect', 'outer'), /&expect=outer$/);
  assert.equal(await last('(N,3)', '(M,3)'), `Open: ${base}#v=1&rule=numpy&op=Add&type=f32&in=(N,+3)&in=(M,+3)`);
  assert.match(
    await last('?,3', '--rule', 'bidirectional', '--target', '(N,3)'),
    /op=Broadcast&type=f32&in=\(\?,\+3\)&target=\(N,\+3\)$/,
  );
  assert.match(await last('a=N', 'a=3', '--by-name'), /&in=\(a=N,\)&in=\(a=3,\)&byname=1$/);
  const many = Array(65).fill('2');
  assert.match(await last(...many), /^There is no link: The playground shows at most 64 operands, and there are 65\.$/);
  const { document } = await runJson('explain', '2', '3', '--link', base);
  assert.deepEqual([document.link, document.whyNoLink], [bl.align('numpy', [[2], [3]]).link(base), null]);
  const { document: none } = await runJson('explain', ...many, '--link', base);
  assert.equal(none.link, null);
  assert.match(none.whyNoLink, /65/);
  assert.ok(!('link' in (await runJson('explain', '2', '3')).document));
  // No expression of a pasted text is in it.
  const pasted = explain(numpyText, '--paste', '--link', base);
  assert.match(pasted.out, /\nOpen: http:\/\/localhost:8080\/#v=1&rule=numpy&op=\w+&type=f32(&in=\([\d,]+\))+\n$/);
  await refused(
    ['explain', '2', '3', '--link', 'here'],
    /^broadloom: The base of a link is the address of the playground/,
  );
  await refused(['explain', '2', '3', '--link'], /--link needs a value/);
  await refused(['2', '3', '--link', base], /--link belongs to the commands explain and audit/);
});

test('the nearest name is suggested for one that does not exist', async () => {
  await refused(['2', '3', '--op', 'ad'], /^broadloom: There is no operator "ad"\. Did you mean "Add"\? There are: /);
  await refused(['2', '3', '--rule', 'numpi'], /There is no rule "numpi"\. Did you mean "numpy"\? There are: /);
  await refused(['explain', '2', '3', '--system', 'torch'], /no system "torch"\. Did you mean "pytorch"\? There are: /);
  await refused(['explain', '2', '3', '--expect', 'outr'], /no warning "outr"\. Did you mean "outer"\? There are: /);
  await refused(['2', '3', '--rules', 'numpy'], /no option "--rules"\. Did you mean --rule\? broadloom --help/);
  await refused(['2', '3', '--zzzzzzzzzz'], /no option "--zzzzzzzzzz"\. broadloom --help/);
});
