// The package in Chromium, whose Float16Array Node may not have: f16 goes in and out as values and as bits, on every way
// that a call takes, in this thread and in a worker.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { openPlayground } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground({ folder: inRoot('wasm/dist') })));
after(() => playground?.close());

// Runs in a page of the package's folder: what is wrong, a line each.
async function faults() {
  const { load } = await import('/index.js');
  const { parseNpy, formatNpy } = await import('/npy.js');
  const { startWorker } = await import('/worker.js');
  const bl = await load();
  const worker = await startWorker();
  const wrong = [];
  const bitsOf = (values) => new Uint16Array(Float16Array.from(values).buffer);
  const read = (data) =>
    data instanceof Uint16Array ? new Float16Array(data.buffer, data.byteOffset, data.length) : data;
  const check = (what, data, wanted, held) => {
    if (data.constructor !== held) wrong.push(`${what}: a ${data.constructor.name}, not a ${held.name}`);
    const values = read(data);
    const at = wanted.findIndex((value, i) => !Object.is(values[i], value));
    if (values.length !== wanted.length || at >= 0) wrong.push(`${what}: [${at}] is ${values[at]}, not ${wanted[at]}`);
  };

  // A result that is one block, and one that is many.
  for (const rows of [4, 100_000]) {
    const column = Array.from({ length: rows }, (_, i) => (i % 7) - 3);
    const row = [0, 10, -0.5, 1000, 65504, -Infinity];
    const sums = column.flatMap((a) => row.map((b) => Math.f16round(a + b)));
    for (const [name, made] of [
      ['values', (values) => Float16Array.from(values)],
      ['bits', bitsOf],
    ]) {
      const a = () => ({ data: made(column), shape: [rows, 1], dtype: 'f16' });
      const b = () => ({ data: made(row), shape: [6], dtype: 'f16' });
      const what = `${name}, ${rows} rows`;
      check(`add of ${what}`, bl.add(a(), b()).data, sums, Float16Array);
      for (const Held of [Float16Array, Uint16Array]) {
        const out = { data: new Held(sums.length), shape: [rows, 6], dtype: 'f16' };
        bl.add(a(), b(), { out });
        check(`add into a ${Held.name} of ${what}`, out.data, sums, Held);
        const target = { data: new Held(sums.length), shape: [rows, 6], dtype: 'f16' };
        const sent = await worker.apply('Add', [a(), b()], { out: target });
        check(`add in a worker into a ${Held.name} of ${what}`, sent.data, sums, Held);
      }
      check(`add in a worker of ${what}`, (await worker.apply('Add', [a(), b()])).data, sums, Float16Array);
      check(
        `broadcastTo of ${what}`,
        bl.broadcastTo(a(), [rows, 2]).data,
        column.flatMap((v) => [v, v]),
        Float16Array,
      );
      const plan = bl.plan('Add', 'numpy', [[rows, 1], [6]], ['f16', 'f16']);
      check(`a plan of ${what}`, plan.run([a().data, b().data]).data, sums, Float16Array);
      const few = { data: made(row.slice(0, 4)), shape: [4, 1], dtype: 'f16' };
      check(`sumTo of ${what}`, bl.sumTo(few, [1]).data, [1009.5], Float16Array);
      const kept = bl.tensor(a());
      check(`a tensor of ${what}`, bl.add(kept, bl.tensor(b())).read(), sums, Float16Array);
      kept.write(made(column));
      check(`a tensor written from ${what}`, kept.read(), column, Float16Array);
      const file = parseNpy(formatNpy(a()));
      if (file.dtype !== 'f16') wrong.push(`a file of ${what} is of ${file.dtype}`);
      check(`a file of ${what}`, file.data, column, file.data.constructor);
    }
    const given = bl.add(
      { data: Float16Array.from(column), shape: [rows, 1] },
      { data: Float16Array.from(row), shape: [6] },
    );
    if (given.dtype !== 'f16') wrong.push(`Float16Arrays without a type give ${given.dtype}`);
    check('Float16Arrays without a type', given.data, sums, Float16Array);
  }
  worker.terminate();
  return wrong;
}

test('f16 in every kind of call of the package', async () => {
  const context = await playground.browser.newContext();
  const page = await context.newPage();
  // A page of that origin, which has none of its own.
  await page.route('**/blank.html', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(`${playground.origin}/blank.html`);
  assert.deepEqual(await page.evaluate(faults), []);
  await context.close();
});

test('the command prints f16 from its bits and from an array of values', async () => {
  const { valueAt } = await import(inRoot('build/package-sources/cli/values.js'));
  const values = [0, -0, 1.5, -65504, 2 ** -24, Infinity, NaN];
  const bits = Uint16Array.of(0, 0x8000, 0x3e00, 0xfbff, 1, 0x7c00, 0x7e00);
  // Another array of floats stands in for a Float16Array, which Node may not have.
  for (const data of [bits, Float32Array.from(values)])
    assert.deepEqual(
      values.map((_, i) => valueAt({ data, shape: [values.length], dtype: 'f16' }, i)),
      values,
    );
});
