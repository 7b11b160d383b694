// What the build does with a linked module: its functions compute the same, in other bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { generator } from '../../scripts/random-numbers.mjs';
import { leb } from '../../wasm/shrink/leb.mjs';
import { numberLocals } from '../../wasm/shrink/locals.mjs';
import { readModule } from '../../wasm/shrink/module.mjs';
import { moveToSimilar } from '../../wasm/shrink/moves.mjs';
import { orderBySimilarity } from '../../wasm/shrink/order.mjs';

const I32 = 0x7f;
const [GET, SET] = [0x20, 0x21];
const [ADD, SUB, END] = [0x6a, 0x6b, 0x0b];
const [CONST, LOAD, STORE] = [0x41, 0x28, 0x36];
const CALL = 0x10;

const list = (items) => [...leb(items.length), ...items.flat()];
const section = (id, content) => [id, ...leb(content.length), ...content];
const text = (string) => list([...Buffer.from(string)]);

/** A module of functions (i32, i32) -> i32 with these bodies, named 0, 1, 2 ..., a memory, and a table of the functions. */
function moduleOf(bodies) {
  const indices = bodies.map((_, i) => i);
  return Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([[0x60, ...list([I32, I32]), ...list([I32])]])),
    ...section(3, list(bodies.map(() => 0))),
    ...section(4, list([[0x70, 0, ...leb(bodies.length)]])),
    ...section(5, list([[0, 1]])),
    ...section(7, list([...indices.map((i) => [...text(String(i)), 0, ...leb(i)]), [...text('table'), 1, 0]])),
    ...section(9, list([[0, CONST, 0, END, ...list(indices.map(leb))]])),
    ...section(10, list(bodies.map((body) => list(body)))),
  ]);
}

/** Copies both parameters to locals `a` and `b`, and combines those. */
const combine = (operator, a, b) => [
  ...list([[2, I32]]),
  ...[GET, 0, SET, a, GET, 1, SET, b, GET, a, GET, b, operator, END],
];
const add = combine(ADD, 2, 3);
const subtract = combine(SUB, 3, 2);
// Stores the first parameter, and loads it; both are said to be aligned to 4 bytes.
const keep = [0, CONST, 8, GET, 0, STORE, 2, 0, CONST, 8, LOAD, 2, 0, END];

/** What the functions return for 40 and 2: those that are exported, and those of the table. */
const resultsOf = (module) => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  const { table, ...functions } = exports;
  const results = Object.values(functions).map((call) => call(40, 2));
  assert.deepEqual(
    results.map((_, i) => table.get(i)(40, 2)),
    results,
  );
  return results;
};

test('locals of similar functions have the same numbers, and the functions compute the same', async () => {
  const { functions, write } = readModule(moduleOf([add, subtract, keep]));
  assert.deepEqual(
    functions.map(({ parameters, locals }) => [parameters, locals.length]),
    [[2, 4], [2, 4], [2, 2]], // prettier-ignore
  );
  const bodies = await numberLocals(functions);
  const [first, second] = bodies.map((body) => [...body]);
  const different = first.flatMap((byte, place) => (byte === second[place] ? [] : [[byte, second[place]]]));
  assert.deepEqual(different, [[ADD, SUB]]);
  assert.deepEqual(resultsOf(write(bodies)), [42, 38, 40]);
});

test('the alignment of loads and stores is left out', async () => {
  const { functions } = readModule(moduleOf([keep]));
  assert.deepEqual(
    [...(await numberLocals(functions))[0]],
    keep.map((byte) => (byte === 2 ? 0 : byte)),
  );
});

test('a local that the similar function lacks has a number of its own', async () => {
  const more = [...list([[3, I32]]), ...[GET, 1, SET, 4], ...subtract.slice(3, -1), GET, 4, ADD, END];
  const { functions, write } = readModule(moduleOf([add, more]));
  assert.deepEqual(resultsOf(write(await numberLocals(functions))), [42, 40]);
});

test('similar functions come one after the other', () => {
  const other = [0, ...Array.from({ length: 40 }, (_, i) => [CONST, i, 0x1a]).flat(), GET, 0, END];
  const long = (operator) => [
    0,
    ...Array.from({ length: 40 }, () => [GET, 0, GET, 1, operator, 0x1a]).flat(),
    GET,
    0,
    END,
  ];
  const bodies = [long(ADD), other, long(ADD)].map((body) => Buffer.from(body));
  assert.deepEqual(orderBySimilarity(bodies), [0, 2, 1]);
});

test('numbered again, a function has the numbers of those after it', async () => {
  // Numbered by use or place, locals 2 and 3 would come in this order.
  const later = combine(ADD, 3, 2);
  const { functions, write } = readModule(moduleOf([combine(SUB, 2, 3), later, later, later]));
  const bodies = await numberLocals(functions, { again: true });
  assert.deepEqual(
    bodies.map((body) => [...body]),
    [combine(SUB, 3, 2), later, later, later],
  );
  assert.deepEqual(resultsOf(write(bodies)), [38, 42, 42, 42]);
  const first = (await numberLocals(functions)).map((body) => [...body]);
  assert.deepEqual(first, [combine(SUB, 2, 3), add, add, add]);
});

test('in another order the functions have their names, their places in the table, and call the same ones', () => {
  const call = (index) => [0, GET, 0, GET, 1, CALL, ...leb(index), END];
  const many = Array.from({ length: 130 }, () => keep);
  const module = moduleOf([call(1), add, subtract, call(134), ...many, subtract]);
  const { functions, inOrder } = readModule(module);
  const order = [...functions.keys()].reverse();
  const reversed = inOrder(order);
  assert.deepEqual(resultsOf(reversed), resultsOf(module));
  assert.deepEqual(resultsOf(reversed).slice(0, 4), [42, 42, 38, 38]);
  assert.equal(readModule(reversed).functions[0].bytes.equals(Buffer.from(subtract)), true);
  assert.deepEqual(Buffer.from(readModule(reversed).inOrder(order)), module);
});

test('in another order the function that starts the module is the same', () => {
  const [UNREACHABLE, NOTHING] = [0x00, [0x60, 0, 0]];
  const module = Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([NOTHING])),
    ...section(3, list([0, 0])),
    ...section(8, [1]),
    ...section(10, list([list([0, UNREACHABLE, END]), list([0, END])])),
  ]);
  const reversed = readModule(module).inOrder([1, 0]);
  assert.notDeepEqual(reversed, module);
  new WebAssembly.Instance(new WebAssembly.Module(reversed));
});

test('elements that name functions in another way are refused', () => {
  const passive = section(9, list([[1, 0, ...list([0])]]));
  const module = Buffer.from([...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], ...passive]);
  assert.throws(() => readModule(module), /elements that are not functions of its first table/);
});

test('functions are moved beside similar ones, and with one seed always the same', async () => {
  const { next } = generator(1);
  const body = () => Buffer.from(Array.from({ length: 400 }, () => Math.floor(next() * 128)));
  const twin = body();
  const bodies = [twin, ...Array.from({ length: 120 }, body), twin];
  const order = await moveToSimilar(bodies, 1);
  assert.deepEqual([...order].sort((a, b) => a - b), [...bodies.keys()]); // prettier-ignore
  const sizeOf = (all) => deflateRawSync(Buffer.concat(all.map((index) => bodies[index]))).length;
  assert.ok(sizeOf(order) < sizeOf([...bodies.keys()]) - 300);
  assert.deepEqual(await moveToSimilar(bodies, 1), order);
});

test('an instruction that the script does not know is named', () => {
  assert.throws(() => readModule(moduleOf([[0, 0xff, END]])), /does not know: 255/);
});
