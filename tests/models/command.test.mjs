// `broadloom audit`: its text, its document, and its exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { auditModel, withExplanations } from 'broadloom/models';
import { bl, bytesOf, folder, names } from './models.mjs';

const cli = fileURLToPath(new URL('../../wasm/dist/cli.js', import.meta.url));
const { NO_COLOR, FORCE_COLOR, ...env } = process.env;
function run(args, input) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'audit', ...args], {
    encoding: 'utf8',
    input,
    env,
  });
  return { status, out: stdout, err: stderr };
}

test('a line for each node, then a summary', () => {
  assert.deepEqual(run([`${folder}functions.onnx`]), {
    status: 0,
    err: '',
    out: [
      'fits      Block_2/norm/centre  Sub  (N, 4, 8) (N, 4, 1)    -> (N, 4, 8)',
      'fits      Block_2/norm/scaled  Mul  (N, 4, 8) (8,)         -> (N, 4, 8)',
      'fits      Block_2/residual     Add  (N, 4, 8) (N, 4, 8)    -> (N, 4, 8)',
      'fits      Add_4                Add  (N, 4, 8) (2, 1, 4, 1) -> (2, N, 4, 8)',
      '          Warning: Operands stretch to each other: the result (2, N, 4, 8) is larger than each of them.',
      '',
      '4 broadcasting nodes: 4 fit. 1 has a warning.',
      '',
    ].join('\n'),
  });
  const clash = run([`${folder}clash.onnx`]);
  assert.equal(clash.status, 1);
  const { verdict } = bl.align('onnx_multidirectional', [[2, 3], [2]]);
  assert.equal(
    clash.out,
    `conflict  Add_1  Add  (2, 3) (2,)\n          ${verdict}\n\n1 broadcasting node: 0 fit, 1 does not.\n`,
  );
  const unknown = run(['-'], bytesOf('unknown-rank.onnx'));
  assert.equal(unknown.status, 0);
  assert.match(unknown.out, /\n1 broadcasting node: 0 fit, 1 depends on extents that the file does not state\.\n$/);
});

test('the document has what the package has', () => {
  for (const name of names) {
    const { status, out } = run([`${folder}${name}`, '--json']);
    const document = JSON.parse(out);
    const { version, kind, format, nodes } = document;
    assert.deepEqual([version, kind, format], [1, 'audit', name.endsWith('.xml') ? 'openvino' : 'onnx']);
    const clashes = nodes.filter(({ fits }) => fits === false);
    assert.equal(status, clashes.length > 0 ? 1 : 0);
    if (format === 'openvino') continue; // the command reads the constants beside it
    const own = auditModel(bl, bytesOf(name), withExplanations(bl)).nodes;
    assert.equal(nodes.length, own.length);
    nodes.forEach((node, i) => {
      const { error, ...rest } = own[i];
      assert.deepEqual({ ...node, error: null }, JSON.parse(JSON.stringify({ ...rest, error: null })));
      assert.equal(node.error?.code, error?.code);
    });
  }
});

test('the constants of an IR are read from the file beside it', () => {
  const { nodes } = JSON.parse(run([`${folder}layers.xml`, '--json']).out);
  assert.deepEqual(
    nodes.filter(({ fits }) => fits !== true),
    [],
  );
  assert.deepEqual(nodes.find(({ name }) => name === 'to_explicit').axesMapping, [0]);
});

test('unknown extents have conditions, and each node a link', () => {
  const base = 'http://localhost:8080/';
  assert.deepEqual(run([`${folder}unknown.onnx`, '--link', base]), {
    status: 0,
    err: '',
    out: [
      'depends   Mul_1  Mul  (N, 3) (M, 3) -> (?, 3)',
      '          Fits if N=M or N=1 or M=1.',
      `          ${base}#v=1&rule=onnx_multidirectional&op=Mul&type=f32&in=(N,3)&in=(M,3)`,
      '',
      '1 broadcasting node: 0 fit, 1 fits under conditions.',
      '',
    ].join('\n'),
  });
  const { nodes } = JSON.parse(run([`${folder}layers.xml`, '--link', base, '--json']).out);
  assert.ok(nodes.every(({ link }) => link.startsWith(`${base}#v=1&`)));
});

test('wrong calls have exit code 2', () => {
  for (const [args, words] of [
    [[], /audit takes one file/],
    [['a.onnx', 'b.onnx'], /audit takes one file/],
    [['a.onnx', '--rule', 'numpy'], /audit takes no option --rule/],
    [['a.onnx', '--all'], /audit takes no option --all/],
    [['a.onnx', '--by-name'], /audit takes no option --by-name/],
    [['a.onnx', '--link', 'here'], /The base of a link is the address of the playground/],
    [['absent.onnx'], /absent\.onnx: no such file or directory/],
    [[folder], /directory/],
  ]) {
    const { status, out, err } = run(args);
    assert.deepEqual([status, out], [2, '']);
    assert.match(err, words);
  }
});
