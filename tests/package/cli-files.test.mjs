// The command with large files, archives and pipes: a question about shapes reads only headers.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { f32, f64 } from './arrays.mjs';
import { zip } from './zip.mjs';

const cli = fileURLToPath(new URL('../../wasm/dist/cli.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'broadloom-cli-files-'));
after(() => rmSync(folder, { recursive: true }));
const place = (name) => path.join(folder, name);

// Runs the command; `peak` is its largest memory use, in MB. Standard output is returned as bytes.
function run(args, { input } = {}) {
  const told = `import process from 'node:process';
    process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS / 1024));`;
  const watch = `data:text/javascript,${encodeURIComponent(told)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', watch, cli, ...args], {
    cwd: folder,
    input: input ?? '',
    maxBuffer: 2 ** 28,
  });
  const [, err, peak] = /^([^]*?)peak ([\d.]+)$/.exec(stderr.toString()) ?? [];
  return { status, bytes: stdout, out: stdout.toString(), err, peak: Number(peak) };
}

// A file with a header and `bytes` zeros; as a sparse file it takes no space on the disk.
function sparse(name, shape, descr, bytes) {
  const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const text = dict.padEnd(117) + '\n';
  const header = Buffer.from(`\x93NUMPY\x01\x00${String.fromCharCode(text.length)}\x00${text}`, 'latin1');
  writeFileSync(place(name), header);
  truncateSync(place(name), header.length + bytes);
}

const a = formatNpy(f32([1, 2, 3, 4, 5, 6], [2, 3]));
const b = formatNpy(f32([10, 20, 30], [3]));
writeFileSync(place('a.npy'), a);
writeFileSync(place('b.npy'), b);

test('a question about shapes reads only the header, however large the file is', () => {
  const plain = run(['2,3', '3']).peak;
  for (const [name, extent] of [
    ['large.npy', 300_000_000],
    ['huge.npy', 1_400_000_000],
    ['vast.npy', 2 ** 38],
  ]) {
    sparse(name, [extent], '<f4', 4 * extent);
    const { status, out, err, peak } = run([name, '1,1', '--json']);
    assert.equal(status, 0, err);
    const { shape, operands } = JSON.parse(out);
    assert.deepEqual([shape, operands[0].dtype], [[1, extent], 'f32']);
    assert.ok(peak < plain + 60, `${name}: ${peak} MB, without a file ${plain} MB`);
    rmSync(place(name));
  }
});

test('a file with more or fewer bytes than its header says is rejected without being read', () => {
  sparse('short.npy', [2 ** 36], '<f8', 8 * 2 ** 36 - 1);
  assert.match(run(['short.npy']).err, /ends too early. Its shape \(68719476736,\) of f64 takes 549755813888 bytes/);
  sparse('long.npy', [2 ** 36], '<c16', 16 * 2 ** 36 + 3);
  assert.match(run(['long.npy']).err, /ends at byte \d+, but the file has \d+\./);
  for (const name of ['short.npy', 'long.npy']) rmSync(place(name));
});

test('a file larger than 2 GiB is read in parts', () => {
  const extent = 2 ** 31 + 5;
  sparse('bytes.npy', [extent], '|u1', extent);
  const { status, out, err } = run(['--op', 'sum', 'bytes.npy']);
  // Sum does not take u8: the error shows that the file has been read as an array.
  assert.equal(status, 2, out);
  assert.match(err, /does not take u8/);
  rmSync(place('bytes.npy'));
});

test('shapes and types read from the header equal those of the whole file', () => {
  const arrays = [f64([5], []), f64([], [0]), f64([], [3, 0]), f64([1], [1]), f32([1, 2], [2, 1, 1])];
  for (const array of arrays) {
    writeFileSync(place('x.npy'), formatNpy(array));
    const { status, out, err } = run(['x.npy', '--json']);
    assert.equal(status, 0, err);
    const [{ shape, dtype }] = JSON.parse(out).operands;
    assert.deepEqual([shape, dtype], [array.shape, parseNpy(formatNpy(array)).dtype]);
  }
});

test('- means standard input and standard output', () => {
  const piped = run(['--op', 'add', 'a.npy', '-', '-o', '-'], { input: b });
  assert.equal(piped.status, 0, piped.err);
  const { data, shape } = parseNpy(new Uint8Array(piped.bytes));
  assert.deepEqual(
    [[...data], shape],
    [
      [11, 22, 33, 14, 25, 36],
      [2, 3],
    ],
  );
  const shapes = run(['2,3', '-', '--json'], { input: '(3,)\n' });
  assert.deepEqual(JSON.parse(shapes.out).shape, [2, 3]);
  const asked = run(['-', '--json'], { input: a });
  assert.deepEqual(JSON.parse(asked.out).operands[0].shape, [2, 3]);
  assert.match(run(['-', '-'], { input: b }).err, /standard input: it can stand for one operand alone/);
  assert.match(run(['--op', 'add', 'a.npy', 'b.npy', '-o', '-', '--json']).out, /"kind": "error"/);
});

for (const [how, method] of Object.entries({ stored: 0, deflated: 8 })) {
  test(`arrays in an archive, ${how}`, () => {
    const noise = Float32Array.from({ length: 100_000 }, (_, i) => Math.fround(Math.sin(i * i)));
    const large = formatNpy({ data: noise, shape: [noise.length] });
    writeFileSync(
      place('two.npz'),
      zip({ 'a.npy': a, 'b.npy': b, 'large.npy': large, 'note.txt': Buffer.from('x') }, { method }),
    );
    writeFileSync(place('one.npz'), zip({ 'arr_0.npy': b }, { method }));
    const sum = run(['--op', 'add', 'two.npz:a', 'one.npz', '--json']);
    assert.equal(sum.status, 0, sum.out);
    assert.deepEqual(JSON.parse(sum.out).results[0].data, [11, 22, 33, 14, 25, 36]);
    assert.deepEqual(JSON.parse(run(['two.npz:large.npy', '--json']).out).operands[0].shape, [noise.length]);
    run(['--op', 'max', 'two.npz:large', '-o', 'out.npy']);
    assert.deepEqual(readFileSync(place('out.npy')), Buffer.from(large));
    assert.match(run(['two.npz']).err, /two\.npz: It holds several arrays: name one of two\.npz:a, two\.npz:b/);
    assert.match(run(['two.npz:c']).err, /It holds no array "c"/);
    assert.match(run(['a.npy', 'none.npz']).err, /none\.npz: no such file/);
    const bytes = readFileSync(place('one.npz'));
    for (let at = 0; at < bytes.length; ++at) {
      if (at % 7 !== 0) continue;
      const damaged = Uint8Array.from(bytes);
      damaged[at] ^= 0x55;
      writeFileSync(place('damaged.npz'), damaged);
      const { status, err } = run(['damaged.npz', '--op', 'max']);
      assert.ok(status === 0 || (status === 2 && !/fault of the program/.test(err)), `byte ${at}: ${err}`);
      if (at > 200) at += 20;
    }
  });
}

test('errors are JSON under --json', () => {
  for (const [args, words, marked] of [
    [['2,x', '--json'], /./, 'x'],
    [['none.npy', '--json'], /^none\.npy: no such file or directory\.$/],
    [['--json', '--no-such-option'], /There is no option/],
    [['--json'], /There is no operand/],
    [['2', '3', '--op', 'nothing', '--json'], /nothing/],
  ]) {
    const { status, out, err } = run(args);
    assert.deepEqual([status, err], [2, '']);
    const { version, kind, message, text, span } = JSON.parse(out);
    assert.deepEqual([version, kind], [1, 'error']);
    assert.match(message, words);
    if (marked !== undefined) assert.equal(text.slice(span.begin, span.end), marked);
  }
  assert.match(run(['2', '--', '--json']).err, /^broadloom: /);
});
