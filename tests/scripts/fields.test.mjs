// The fields of errors and requests: TypeScript's are those of the rows that C++ is compiled from.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';

const rows = readFileSync(inRoot('wasm/bindings/fields.h'), 'utf8');

// Checks TypeScript's fields against these rows.
function check(t, changed) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'fields.h');
  writeFileSync(file, changed);
  const args = [inRoot('scripts/generate-fields.mjs'), '--check', '--rows', file];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

// A row, up to the end of its last line.
const rowOf = (name) => {
  const [row] = new RegExp(`^  X\\(\\w+, ${name}, [^]*?"\\)(?= *\\\\?$)`, 'm').exec(rows);
  return row;
};

function swapped(first, second) {
  const [a, b] = [rowOf(first), rowOf(second)];
  return rows.replace(a, '\0').replace(b, a).replace('\0', b);
}

test('the fields of errors and requests are those of the C++ rows', (t) => {
  const { status, stderr } = check(t, rows);
  assert.equal(status, 0, stderr);
});

for (const [first, second] of [
  ['operand', 'axis'],
  ['extent', 'other_extent'],
  ['attributes.fmod', 'attributes.to'],
]) {
  test(`rows in another order are reported: ${first} and ${second}`, (t) => {
    const { status, stderr } = check(t, swapped(first, second));
    assert.equal(status, 1);
    assert.match(stderr, /wasm\/src\/core\/fields\.ts differs from wasm\/bindings\/fields\.h/);
  });
}

test('rows of another kind or form are reported', (t) => {
  for (const changed of [
    rows.replace('X(Index, operand,', 'X(Extent, operand,'),
    rows.replace('X(Index, operand,', 'X(Indexes, operand,'),
    rows.replace('X(Index, operand, operand,', 'X(Index, operand,'),
  ]) {
    assert.notEqual(changed, rows);
    assert.equal(check(t, changed).status, 1);
  }
});
