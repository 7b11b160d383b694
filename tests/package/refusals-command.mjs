// Errors of the command, with their output; as in refusals.mjs.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatNpy } from 'broadloom/npy';
import { main } from '../../build/package-sources/cli/main.js';
import { readTerminal } from '../../build/package-sources/cli/terminal.js';
import { f32 } from './arrays.mjs';
import { operators, rules } from './refusals.mjs';
import { zip } from './zip.mjs';

const cli = fileURLToPath(new URL('../../wasm/dist/cli.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-refusals-'));
const before = process.cwd();
process.chdir(folder);
after(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const a = formatNpy(f32([1, 2]));
writeFileSync('a.npy', a);
writeFileSync('text.npy', 'a text');
writeFileSync('array.dat', a);
writeFileSync('short.npy', a.subarray(0, a.length - 1));
writeFileSync('longer.npy', Buffer.concat([a, Buffer.alloc(1)]));
writeFileSync('text.npz', 'a text');
writeFileSync('empty.npz', zip({}));
writeFileSync('two.npz', zip({ 'a.npy': a, 'b.npy': a }));
writeFileSync('damaged.npz', zip({ 'a.npy': a }).fill(0, 0, 30));
writeFileSync('encrypted.npz', zip({ 'a.npy': a }, { flags: 1 }));
writeFileSync('bzip2.npz', zip({ 'a.npy': a }, { method: 12 }));

/** Runs the command, which must fail: its output is the error's message. */
async function command(...args) {
  const terminal = readTerminal({ env: {}, platform: process.platform, stdout: {} });
  const { status, out, err } = await main(args, terminal, () => '');
  const message = err.length > 0 ? err.join('\n') : JSON.parse(out.join('\n')).message;
  if (status === 2) throw Object.assign(new Error(message), { code: 'command' });
}

/** The same with bytes on standard input, for which a separate process is needed. */
function withInput(input, ...args) {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...args], { input, encoding: 'utf8' });
  if (status === 2) throw Object.assign(new Error(stderr.trimEnd()), { code: 'command' });
}

/** By subject: [call, class or class.detail, message]. */
export const REFUSALS = {
  'The command': [
    [
      () => command('--rle', 'numpy', '2'),
      'command',
      'broadloom: There is no option "--rle". Did you mean --rule? broadloom --help lists the options.',
    ],
    [() => command('2', '--link', '/'), 'command', 'broadloom: --link belongs to the commands explain and audit.'],
    [() => command('explain', '--paste', '--by-name'), 'command', 'broadloom: --by-name cannot be used with --paste.'],
    [
      () => command('explain', 'a=2', '--by-name', '--expect', 'outer'),
      'command',
      'broadloom: --expect cannot be used with --by-name.',
    ],
    [
      () => command('explain', 'a=2', '--by-name', '--rule', 'numpy'),
      'command',
      'broadloom: --rule cannot be used with --by-name, which matches axes by name alone.',
    ],
    [
      () => command('explain', '--by-name'),
      'command',
      'broadloom: There is no operand. Give shapes with names, as in --by-name "batch=8, heads=N" "heads=4".',
    ],
    [() => command('2', '--paste'), 'command', 'broadloom: --paste belongs to the command explain.'],
    [() => command('explain', '2', '--all'), 'command', 'broadloom: explain takes one rule, and computes nothing.'],
    [
      () => command('explain', '--paste', '2'),
      'command',
      'broadloom: --paste reads the error text from standard input, and takes no operand.',
    ],
    [
      () => withInput('hello', 'explain', '--paste'),
      'command',
      'broadloom: No error with shapes was found in the text. Give the shapes, as in broadloom explain "(2, 3)" "(2,)".',
    ],
    [
      () => command('explain', '2', '3', '--system', 'fortran'),
      'command',
      'broadloom: There is no system "fortran". There are: numpy, pytorch, jax, tensorflow, onnx, openvino, openvino-ir, broadloom-js, broadloom-cpp.',
    ],
    [() => command('--rule'), 'command', 'broadloom: --rule needs a value. broadloom --help lists the options.'],
    [() => command('--rule', 'numpy', '--rule', 'none', '2'), 'command', 'broadloom: --rule is given twice.'],
    [() => command('--all=yes', '2'), 'command', 'broadloom: --all takes no value.'],
    [
      () => command(),
      'command',
      'broadloom: There is no operand. Give shapes, as in broadloom "(2, 3)" "(3,)", or .npy files; see --help.',
    ],
    [() => command('2', '-o', 'x.npy'), 'command', 'broadloom: --output needs --op: nothing is computed without it.'],
    [
      () => command('2', '3', '-o', 'x.npy', '--op', 'add'),
      'command',
      'broadloom: --output needs elements to compute with: each operand has to be an array, of a .npy or .npz file.',
    ],
    [
      () => command('a.npy', 'a.npy', '-o', 'x.npz', '--op', 'add'),
      'command',
      'broadloom: --output writes one array to a file: name it x.npy, not x.npz.',
    ],
    [() => command('2', '--fmod', '1'), 'command', 'broadloom: --fmod needs --op mod.'],
    [() => command('2', '--direction', 'left'), 'command', 'broadloom: --direction needs --op bitShift.'],
    [() => command('2', '--to', 'f32'), 'command', 'broadloom: --to needs --op cast.'],
    [() => command('2', '--saturate'), 'command', 'broadloom: --saturate needs --op cast.'],
    [
      () => command('2', '--all', '--rule', 'numpy'),
      'command',
      'broadloom: --all stands for every rule; it cannot be used with --rule.',
    ],
    [
      () => command('2', '--all', '--op', 'add'),
      'command',
      'broadloom: --all compares shapes only; it cannot be used with --op.',
    ],
    [() => command('2', '3', '--op', 'add', '--fmod', '1'), 'command', 'broadloom: Add takes no --fmod.'],
    [() => command('2', '3', '--op', 'add', '--direction', 'left'), 'command', 'broadloom: Add takes no --direction.'],
    [() => command('2', '3', '--op', 'add', '--to', 'f32'), 'command', 'broadloom: Add takes no --to.'],
    [() => command('2', '3', '--op', 'add', '--saturate'), 'command', 'broadloom: Add takes no --saturate.'],
    [
      () => command('2', '--op', 'cast'),
      'command',
      'broadloom: Cast needs an element type: --to, one of bool, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64.',
    ],
    [
      () => command('2', '--op', 'add', '--rule', 'explicit'),
      'command',
      'broadloom: Add does not take the rule explicit. It takes: none, numpy, onnx_multidirectional, onnx_unidirectional, pdpd.',
    ],
    [() => command('2', '--op', 'add'), 'command', 'broadloom: Add takes 2 operands (a + b), not 1.'],
    [
      () => command('--op', 'where', '2', '2', '2', '2'),
      'command',
      'broadloom: Where takes 3 operands (c ? a : b), not 4.',
    ],
    [
      () => command('--op', 'max', '--rule', 'numpy', '--'),
      'command',
      'broadloom: There is no operand. Give shapes, as in broadloom "(2, 3)" "(3,)", or .npy files; see --help.',
    ],
    [() => command('2', '2', '2', '--rule', 'pdpd'), 'command', 'broadloom: PDPD takes 2 operands, not 3.'],
    [
      () => command('2', '2', '--axis', '0,1', '--rule', 'pdpd'),
      'command',
      'broadloom: --axis takes one whole number.\n  0,1\n  ^^^',
    ],
    [
      () => command('2,,3'),
      'command',
      'broadloom: A: Character 3: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().\n  2,,3\n    ^',
    ],
    [
      () => command('2', '3x'),
      'command',
      'broadloom: B: Character 2: a separator without a number. Write a shape as (2, 3) or 2x3, a scalar as ().\n  3x\n   ^',
    ],
    [
      () => command('2', '--rule', 'nunpy'),
      'command',
      `broadloom: There is no rule "nunpy". Did you mean "numpy"? There are: ${rules}.`,
    ],
    [
      () => command('2', '--op', 'ad'),
      'command',
      `broadloom: There is no operator "ad". Did you mean "Add"? There are: ${operators}.`,
    ],
    [
      () => command('2', '--rule', 'bidirectional'),
      'command',
      'broadloom: Bidirectional needs a target shape. Give --target.',
    ],
    [
      () => command('2', '--rule', 'explicit'),
      'command',
      'broadloom: Explicit needs a target shape. Give --target and --mapping.',
    ],
    [
      () => command('a.npy', 'a.npy', '--op', 'add', '-o', '-', '--json'),
      'command',
      '--json and -o - both go to standard output: write the result to a file.',
    ],
    [
      () => command('a.npy', 'a.npy', '--op', 'broadcast', '--rule', 'sonnx', '-o', 'x.npy'),
      'command',
      'broadloom: Broadcast by sonnx has 2 results, not 1: give -o for each.',
    ],
    [
      () => command('a.npy', 'a.npy', '--op', 'add', '-o', 'none/x.npy'),
      'command',
      'broadloom: none/x.npy cannot be written: no such file or directory.',
    ],
    [
      () => command('a.npy', '--op', 'cast', '--to', 'bf16', '-o', 'x.npy'),
      'command',
      "broadloom: x.npy cannot be written: A .npy file has no name for bf16. Write its bits, { ...array, dtype: 'u16' }; in Python they are np.load(file).view(ml_dtypes.bfloat16).",
    ],
    [() => command('none.npy'), 'command', 'broadloom: none.npy: no such file or directory.'],
    [
      () => command('text.npy'),
      'command',
      "broadloom: text.npy: These bytes are no .npy file: they do not begin with \\x93NUMPY. Write one with np.save('file.npy', array).",
    ],
    [
      () => command('short.npy', 'a.npy'),
      'command',
      'broadloom: short.npy: The .npy file ends too early. Its shape (2,) of f32 takes 8 bytes, but 7 are there.',
    ],
    [
      () => command('longer.npy'),
      'command',
      'broadloom: longer.npy: The array ends at byte 136, but the file has 137. Where a file holds several arrays, give the bytes of one of them.',
    ],
    [
      () => command('text.npz'),
      'command',
      'broadloom: text.npz: These bytes are no .npz file: no zip archive ends here.',
    ],
    [() => command('damaged.npz'), 'command', 'broadloom: damaged.npz: The .npz file is damaged: save it again.'],
    [() => command('empty.npz'), 'command', 'broadloom: empty.npz: It holds no array.'],
    [
      () => command('two.npz'),
      'command',
      'broadloom: two.npz: It holds several arrays: name one of two.npz:a, two.npz:b.',
    ],
    [
      () => command('two.npz:c'),
      'command',
      'broadloom: two.npz:c: It holds no array "c": name one of two.npz:a, two.npz:b.',
    ],
    [
      () => command('encrypted.npz'),
      'command',
      'broadloom: encrypted.npz: a.npy is encrypted: save it without a password.',
    ],
    [
      () => command('bzip2.npz'),
      'command',
      'broadloom: bzip2.npz: a.npy is packed by method 12; stored (0) and deflated (8) members are read.',
    ],
    [() => withInput(a, '-', '-'), 'command', 'broadloom: standard input: it can stand for one operand alone.'],
    [
      () => withInput(zip({ 'a.npy': a }), '-'),
      'command',
      'broadloom: standard input: it is an archive: give the name of the .npz file.',
    ],
    [
      () => command('array.dat'),
      'command',
      'broadloom: array.dat: this file is named neither .npy nor .npz; broadloom - < FILE reads it as a .npy file.',
    ],
    [
      () => command('explain', '(N, 3)', 'a.npy'),
      'command',
      'broadloom: a.npy: beside unknown extents, give the shape of the array, not its file.',
    ],
    [
      () => command('explain', '(N, 3)', '(3)', '--expect', 'outer'),
      'command',
      'broadloom: --expect needs shapes whose extents are all known.',
    ],
  ],
};
