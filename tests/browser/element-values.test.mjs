// What the page shows of elements: every operator x element type x kind of values, opened by address and chosen by the
// page's controls, with and without the browser's Float16Array. The answers (shown-values.mjs) are independent of core and
// page. Firefox's are in firefox.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openPlayground, sideBySide } from './playground.mjs';
import { answers, faultOf, openEach, report, shown } from './shown-values.mjs';
import { digest, questions } from './value-questions.mjs';

const asked = await questions();

let playground;
// Chromium takes 200 links in ten seconds, and passes over the others.
before(async () => (playground = await openPlayground({ args: ['--disable-ipc-flooding-protection'] })));
after(() => playground?.close());

test('every question has one answer, and every answer a question', () => {
  const lacking = asked.filter((question) => answers.get(question.id)?.key !== digest(question)).map(({ id }) => id);
  const make = 'run scripts/generate-page-answers.py, which says how';
  assert.deepEqual(lacking, [], `no answers, or answers to other questions: ${make}`);
  assert.equal(answers.size, asked.length, `answers that no question asks for: ${make}`);
});

const withoutFloat16Array = () => delete globalThis.Float16Array;

// Asks all questions, some at a time, on pages side by side. `see` gives what a page shows of each of those; `leave` is
// called with each page in the end.
async function askAll(all, together, options, see, leave = () => {}) {
  const parts = [];
  for (let first = 0; first < all.length; first += together) parts.push(all.slice(first, first + together));
  const faults = [];
  await sideBySide(parts, async (queue) => {
    const page = await playground.open('', options);
    for (const [number, part] of queue) {
      const seen = await see(page, part, number * together);
      faults.push(...part.flatMap((question, i) => faultOf(question, seen[i]) ?? []));
    }
    await leave(page);
    await page.context().close();
  });
  report(faults);
}

async function byAddress(chosen, options) {
  const see = (page, part, first) => openEach(page, part, first + 1);
  const has = new Set();
  await askAll(chosen, 100, options, see, async (page) => {
    has.add(await page.evaluate(() => typeof globalThis.Float16Array));
  });
  return [...has].join();
}

const isKind = (kind) => (question) => question.id.endsWith(` ${kind}`);

const uses = (type) => (question) =>
  question.computed === type || question.operands.some(({ dtype }) => dtype === type) || question.dtype === type;

test('by address, in a browser with Float16Array', async () => {
  assert.equal(await byAddress(asked), 'function');
});

// Results of f16 alone are other arrays there: of the other types one kind of values is enough.
test('by address, in a browser without Float16Array', async () => {
  const chosen = asked.filter((question) => uses('f16')(question) || isKind('counting')(question));
  assert.equal(await byAddress(chosen, { before: withoutFloat16Array }), 'undefined');
});

// --- By the page's controls ---------------------------------------------------------------------------------------------

// Runs in the page: asks question after question in the page's own fields, changing what is another than before.
async function fillIn({ questions, read }) {
  const see = new Function(`return (${read})()`);
  const seen = [];
  const one = (selector) => document.querySelector(selector);
  const drawn = () => new Promise((resolve) => setTimeout(resolve, 0));
  const until = async (what, holds) => {
    const since = performance.now();
    for (await drawn(); !holds(); await drawn())
      if (performance.now() - since > 120_000)
        throw new Error(`waited in vain for ${what}: ${one('#answer')?.dataset.shows}`);
  };
  const shapeText = (shape) => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
  const press = async (selector) => {
    one(selector).click();
    await drawn();
  };
  const choose = async (selector, value) => {
    if (one(selector).value === value) return;
    one(selector).value = value;
    if (one(selector).value !== value) throw new Error(`${selector} does not offer ${value}`);
    one(selector).dispatchEvent(new Event('change', { bubbles: true }));
    await drawn();
  };
  const type = async (selector, text) => {
    if (!one(selector) || one(selector).value === text) return;
    one(selector).value = text;
    one(selector).dispatchEvent(new Event('input', { bubbles: true }));
    await drawn();
  };
  const operandCount = () => document.querySelectorAll('input[id^="operand-"]').length;
  // What operands were given: their fields are closed but for one.
  const given = [];

  for (const question of questions) {
    const { id, rule, op, dtype, fmod, direction, promote, operands, axis, target, mapping, at, output } = question;
    const { to, saturate = '' } = question;
    if (!one(`#rules input[value="${rule}"]`).checked) await press(`#rules input[value="${rule}"]`);
    await choose('#op', op);
    if (one('#fmod') && one('#fmod').checked !== (fmod === '1')) await press('#fmod');
    if (direction) await choose('#direction', direction);
    if (to) await choose('#to', to);
    if (one('#saturate') && one('#saturate').checked !== (saturate === '1')) await press('#saturate');
    await choose('#dtype', dtype);
    while (operandCount() < operands.length) {
      // What a rule of fewer operands left unseen goes as one is added.
      given.splice(operandCount());
      await press('#add-operand');
    }
    while (operandCount() > operands.length) {
      given.splice(operandCount() - 1, 1);
      await press(`.operand[data-operand="${operandCount() - 1}"] .remove`);
    }
    for (const [i, { shape, own, kind, text }] of operands.entries()) {
      await type(`#operand-${i}`, shapeText(shape));
      const wanted = [own, kind, text].join('\n');
      if (given[i] === wanted) continue;
      given[i] = wanted;
      if (one(`#details-${i}`).getAttribute('aria-expanded') !== 'true') await press(`#details-${i}`);
      await until(`the fields of operand ${i}`, () => one(`#values-${i}`));
      await choose(`#dtype-${i}`, own);
      await choose(`#values-${i}`, kind);
      if (kind === 'list') await type(`#list-${i}`, text);
      else if (kind !== 'counting') await type(`#value-${i}`, text);
      // A list brings its shape along, which is not always the one that is asked about.
      await type(`#operand-${i}`, shapeText(shape));
    }
    if (target) await type('#target', shapeText(target));
    await type('#mapping', mapping);
    await type('#axis', axis);
    if (one('#promote') && one('#promote').checked !== (promote !== '')) await press('#promote');
    // The page shows that very question before anything is looked at.
    const said = operands.map(({ kind, text }) => (kind === 'counting' ? '' : `${kind}:${text}`));
    const shows = (wanted) => () => {
      const now = new URLSearchParams(one('#answer')?.dataset.shows ?? '');
      const x = now.getAll('x');
      return (
        Object.entries(wanted).every(([key, text]) => (now.get(key) ?? '') === text) &&
        said.every((text, i) => (x[i] ?? '') === text)
      );
    };
    await until(`the answer to ${id}`, shows({ rule, op, type: dtype, promote, ...(one('#axis') ? { axis } : {}) }));
    const result = `input[name="output"][value="${output}"]`;
    if (output > 0) await until(`the choice of results of ${id}`, () => one(result));
    if (one(result) && !one(result).checked) await press(result);
    await until(`result ${output} of ${id}`, shows({ output: output > 0 ? String(output) : '' }));

    const cell = `#grid-result [data-index="${at.join(',')}"]`;
    await until(`a cell ${at} of ${id}`, () => one('#answer')?.dataset.state !== 'fits' || one(cell));
    if (one(cell)) {
      one(cell).click();
      await until(`the cell ${at} of ${id} in hand`, () => one(`${cell}.hand`));
    }
    seen.push(see());
    if (one('#unpin')) await press('#unpin');
  }
  return seen;
}

// Little changes from one of these to the next.
const inTurn = (a, b) =>
  a.rule.localeCompare(b.rule) || a.dtype.localeCompare(b.dtype) || a.operands.length - b.operands.length;

test('chosen and typed in the fields of the page', async () => {
  const pairs = new Set();
  // Of each operator every type, and every rule, and of one operator every kind of values.
  const chosen = asked.filter((question) => {
    const { op, rule } = question;
    const pair = `${op} ${rule}`;
    if (!isKind('special')(question) && pairs.has(pair) && op !== 'Add') return false;
    pairs.add(pair);
    return true;
  });
  await askAll(chosen.toSorted(inTurn), 40, {}, (page, questions) =>
    page.evaluate(fillIn, { questions, read: shown.toString() }),
  );
});

// --- Files --------------------------------------------------------------------------------------------------------------

const npyTypes = {
  ...{ bool: '|b1', i8: '|i1', i16: '<i2', i32: '<i4', i64: '<i8', u8: '|u1', u16: '<u2', u32: '<u4', u64: '<u8' },
  ...{ f16: '<f2', f32: '<f4', f64: '<f8', c64: '<c8', c128: '<c16' },
};

// A .npy file of elements whose bits are given highest byte first.
function npyFile(text, type, shape) {
  const bytes = Buffer.from(text, 'base64');
  const width = bytes.length / shape.reduce((product, extent) => product * extent, 1) / (type.startsWith('c') ? 2 : 1);
  const elements = Buffer.alloc(bytes.length);
  for (let i = 0; i < bytes.length; ++i) elements[i] = bytes[i - (i % width) + width - 1 - (i % width)];
  const words = `{'descr': '${npyTypes[type]}', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`;
  const header = Buffer.from(`\x93NUMPY\x01\x00\0\0${words.padEnd(117)}\n`, 'latin1');
  header.writeUInt16LE(118, 8);
  return Buffer.concat([header, elements]);
}

test('a .npy file of every type that such files have', async () => {
  const page = await playground.open('');
  const faults = [];
  const moved = asked.filter((question) => question.op === 'Broadcast' && isKind('special')(question));
  for (const [i, question] of moved.filter(({ dtype }) => dtype in npyTypes).entries()) {
    const { dtype, operands } = question;
    // Opened with other values, so that none of the file's are there before.
    const other = operands.map((operand, at) => (at === 0 ? { ...operand, kind: 'counting', text: '' } : operand));
    await openEach(page, [{ ...question, operands: other }], i + 1);
    if ((await page.getAttribute('#details-0', 'aria-expanded')) !== 'true') await page.click('#details-0');
    await page.selectOption('#values-0', 'file');
    const buffer = npyFile(answers.get(question.id).operands[0], dtype, operands[0].shape);
    await page.setInputFiles('#file-0', { name: `${dtype}.npy`, mimeType: 'application/octet-stream', buffer });
    await page.waitForFunction(
      (name) => document.querySelector('#answer').dataset.shows.includes(`x=file:${name}`),
      dtype,
    );
    faults.push(faultOf(question, await page.evaluate(shown)) ?? []);
  }
  await page.context().close();
  report(faults.flat());
});

// --- Wherever else elements are seen: f16, which has an array of its own ------------------------------------------------

const half = 'v=1&rule=numpy&op=Add&type=f16&in=(4,1)&in=(6,)&at=1,2';

for (const [browser, options] of [
  ['with', {}],
  ['without', { before: withoutFloat16Array }],
])
  test(`f16 everywhere on the page, in a browser ${browser} Float16Array`, async () => {
    const page = await playground.open(half, options);
    for (let row = 0; row < 4; ++row) {
      for (let column = 0; column < 6; column += 5) {
        await page.hover(`#grid-result [data-index="${row},${column}"]`);
        const b = 10 * (column + 1);
        const why = `out[${row}, ${column}] = A[${row}, 0] + B[${column}] = ${row} + ${b} = ${row + b}`;
        await page.waitForFunction((text) => document.querySelector('#arithmetic').textContent.trim() === text, why);
      }
    }
    await page.hover('#grid-1 [data-index="2"]');
    await page.waitForFunction(() => document.querySelector('#arithmetic').textContent.startsWith('B[2] = 30 '));

    // Shared: the picture, and what is said of it.
    await page.click('#share');
    await page.waitForSelector('#share-dialog[open]');
    assert.match(await page.inputValue('#share-alt').catch(() => page.innerText('#share-alt')), /1 \+ 30 = 31/);
    await page.check('input[name=share-subject][value=grid]', { force: true });
    const save = async (button) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      return readFileSync(await file.path(), 'utf8');
    };
    const picture = await save('#share-svg');
    for (const sum of [10, 63]) assert.match(picture, new RegExp(`>${sum}</text>`));
    assert.match(await save('#share-markdown'), /\| *13 *\|/);
    await page.keyboard.press('Escape');
    await page.context().close();

    // In another document.
    const embedded = await playground.open(half, { ...options, query: '?embed' });
    const cells = await embedded.locator('#grid-result [role=gridcell]').allTextContents();
    assert.deepEqual(cells.slice(0, 7), ['10', '20', '30', '40', '50', '60', '11']);
    await embedded.context().close();

    // A result that is painted instead: the cell in hand, and the ends of its scale of colours.
    const large = await playground.open(half.replace('(4,1)', '(40,1)').replace('(6,)', '(300,)'), options);
    await large.waitForFunction(() =>
      /= 1 \+ 30 = 31$/.test(document.querySelector('#arithmetic')?.textContent.trim()),
    );
    assert.equal(await large.textContent('#feeds-1 .mono'), '[2] = 30');
    await large.waitForFunction(() => document.querySelector('#scale')?.textContent.startsWith('10'));
    assert.match(await large.textContent('#scale'), /^10.*30(39|40)/);
    await large.context().close();
  });

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
