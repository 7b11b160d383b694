// The gallery: every example opens, and its description is true.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, openPlayground, patience, presets, shapeText } from './playground.mjs';

const records = (file) =>
  new Map(
    readFileSync(inRoot(file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((record) => [record.id, record]),
  );
const seeds = records('tests/conformance/seed_examples.jsonl');
const mistakes = records('tests/explanations/given.jsonl');

// In the order of the page: mistakes first, and an example of two documents once.
const questionOf = ({ rule, shapes, axis, target, mapping }) => JSON.stringify([rule, shapes, axis, target, mapping]);
const documented = presets.documents.flatMap((document) => document.examples);
const examples = [
  ...presets.mistakes,
  ...presets.sights,
  ...documented.filter(
    (example, i) => documented.findIndex((other) => questionOf(other) === questionOf(example)) === i,
  ),
];

// What a line claims: the shape that comes out, the axes that clash, or that nothing comes out.
function claims(look) {
  const gives = [...look.matchAll(/\bgives? (\([\d, ]*\))/gi)].map(([, shape]) => shape);
  const axes = [...look.matchAll(/\bclash(?:es)? (?:with \S+ )?on ((?:axis \d+(?:,| and)? ?)+)/gi)].flatMap(
    ([, list]) => list.match(/\d+/g).map(Number),
  );
  return { gives, axes, fails: axes.length > 0 || /\b(does not fit|refused:)/i.test(look) };
}

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const cards = (page) => page.locator('.card:visible').count();

// Opens all examples, one after the other by the button that leads on, and reads what the page shows of each.
const walk = (page, lines) =>
  page.evaluate(
    async ([looks, longest]) => {
      const seen = [];
      for (const look of looks) {
        const started = performance.now();
        while (!document.querySelector('.from-gallery')?.textContent.includes(look)) {
          if (performance.now() - started > longest) throw new Error(`not opened: ${look}`);
          await new Promise((resume) => setTimeout(resume, 1));
        }
        const all = (selector, read) => [...document.querySelectorAll(selector)].map(read);
        seen.push({
          fits: document.querySelector('#verdict').dataset.fits === 'yes',
          shape: document.querySelector('#result-shape')?.textContent ?? null,
          rule: document.querySelector('#rules input[name="rule"]:checked').value,
          shapes: all('input[id^="operand-"]', ({ value }) => value),
          names: all('.operand > .chip', ({ textContent }) => textContent),
          clashing: all('#verdict ~ .alignment tr.result td', (cell) => cell.querySelector('.open') !== null).flatMap(
            (clashes, axis) => (clashes ? [axis] : []),
          ),
        });
        document.querySelector('#next-example').click();
      }
      return seen;
    },
    [lines, patience],
  );

test('every example opens, and its description is true', async () => {
  const page = await playground.open('v=1&view=gallery');
  assert.equal(await cards(page), examples.length);
  const badges = new Map(
    await page
      .locator('.card')
      .evaluateAll((all) => all.map((card) => [card.id, card.querySelector('.badge').textContent])),
  );
  await page.click(`#example-${examples[0].id}`);
  const seen = await walk(
    page,
    examples.map(({ look }) => look),
  );
  for (const [i, { id, look, shapes, rule, names = [], tags = [] }] of examples.entries()) {
    const shown = seen[i];
    assert.equal(shown.rule, rule, id);
    assert.deepEqual(shown.shapes, shapes, id);
    assert.deepEqual(shown.names.slice(0, names.length), names, id);
    const fitting = tags.includes('fits but wrong') ? `⚠ fits but wrong: ${shown.shape}` : `✓ fits: ${shown.shape}`;
    assert.equal(badges.get(`example-${id}`), shown.fits ? fitting : '✕ does not fit', id);

    const said = claims(look);
    for (const shape of said.gives) assert.equal(shown.shape, shape, `${id}: ${look}`);
    if (said.fails) assert.equal(shown.fits, false, `${id}: ${look}`);
    if (said.axes.length > 0) assert.deepEqual(shown.clashing, said.axes, `${id}: ${look}`);
    // What others than the core say to it.
    const { expect } = seeds.get(id) ?? {};
    if (expect) {
      assert.equal(shown.fits, !expect.error, id);
      if (expect.shape) assert.equal(shown.shape, shapeText(expect.shape), id);
    } else {
      assert.ok(said.gives.length > 0 || said.fails || id === 'gemm', `${id} claims nothing: ${look}`);
    }
    const { operands, verdict, result } = mistakes.get(id) ?? {};
    if (operands?.flat().every(Number.isInteger)) {
      assert.deepEqual(operands.map(shapeText), shapes, id);
      assert.equal(shown.fits, verdict === 'ok', id);
      if (result) assert.equal(shown.shape, shapeText(result), id);
    }
  }
  await page.context().close();
});

test('examples about values have the values that their descriptions name', async () => {
  const page = await playground.open('v=1&view=gallery');
  const cells = async (id) => {
    await page.click(`#example-${id}`);
    await page.waitForSelector('#grid-result');
    const values = await page
      .locator('#grid-result [role=gridcell]')
      .evaluateAll((all) => all.map((cell) => [cell.dataset.index, cell.innerText]));
    await page.click('#gallery');
    return Object.fromEntries(values);
  };
  const table = await cells('times-table');
  const board = await cells('checkerboard');
  const mask = await cells('causal-mask');
  const hot = await cells('one-hot');
  const nim = await cells('nim');
  for (let i = 0; i < 8; ++i) {
    assert.equal(new Set(Array.from({ length: 8 }, (_, j) => nim[`${i},${j}`])).size, 8);
    for (let j = 0; j < 8; ++j) {
      assert.equal(table[`${i},${j}`], String((i + 1) * (j + 1)));
      assert.equal(board[`${i},${j}`], String((i + j) % 2 === 1));
      if (i < 6 && j < 6) assert.equal(mask[`${i},${j}`], String(i >= j));
    }
    if (i < 5) assert.equal([0, 1, 2, 3].filter((j) => hot[`${i},${j}`] === 'true').length, 1);
  }
  const means = await cells('batch-means');
  for (let i = 0; i < 3; ++i) {
    assert.equal(
      [0, 1, 2, 3].reduce((sum, j) => sum + Number(means[`1,${i},${j}`]), 0),
      0,
    );
  }
  await page.context().close();
});

test('filters by rule and outcome show how many examples are left', async () => {
  const page = await playground.open('v=1&view=gallery');
  const status = () => page.innerText('.filters [role=status]');
  await page.selectOption('#by-rule', 'pdpd');
  const pdpd = examples.filter(({ rule }) => rule === 'pdpd').length;
  assert.equal(await cards(page), pdpd);
  assert.equal(await status(), `${pdpd} of ${examples.length} examples`);
  await page.locator('.either input[value="fails"]').check({ force: true });
  const failing = await cards(page);
  assert.ok(failing > 0 && failing < pdpd);
  assert.equal(await page.locator('.card .badge.fits').count(), 0);
  await page.locator('.either input[value="fits"]').check({ force: true });
  assert.equal(await cards(page), pdpd - failing);
  await page.selectOption('#by-rule', '');
  await page.locator('.either input[value=""]').check({ force: true });
  assert.equal(await cards(page), examples.length);
  await page.context().close();
});

test('search and tags find examples, are kept in the link, and can be undone', async () => {
  const page = await playground.open('v=1&view=gallery');
  await page.fill('#search-gallery', '(8, 3)');
  assert.deepEqual(await page.locator('.card').evaluateAll((all) => all.map(({ id }) => id)), ['example-g001']);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-gallery');
  await page.waitForFunction(() => /only=find:\(8;/.test(decodeURIComponent(location.hash)));
  const again = await playground.open(new URL(page.url()).hash.slice(1));
  assert.equal(await again.inputValue('#search-gallery'), '(8, 3)');
  assert.equal(await cards(again), 1);
  await again.context().close();
  await page.fill('#search-gallery', 'no such example <b>');
  assert.equal(await cards(page), 0);
  await page.click('#all-examples');
  assert.equal(await cards(page), examples.length);
  await page.focus('.tags input[value="attention"]');
  await page.keyboard.press('Space');
  const tagged = examples.filter(({ tags = [] }) => tags.includes('attention')).length;
  assert.equal(await cards(page), tagged);
  await page.locator('.tags input[value="masks"]').check({ force: true });
  const both = examples.filter(({ tags = [] }) => tags.includes('attention') && tags.includes('masks')).length;
  assert.ok(both > 0 && both < tagged);
  assert.equal(await cards(page), both);
  await page.context().close();
});

test('where people trip comes first, and each card has a sentence', async () => {
  const page = await playground.open('v=1&view=gallery');
  assert.equal(await page.locator('.gallery h3').first().innerText(), 'Where people trip');
  const looks = await page.locator('.card .look').allInnerTexts();
  assert.equal(looks.length, examples.length);
  for (const look of looks) assert.match(look, /[.?]$/);
  await page.context().close();
});

test('links and the back button restore the filter of the gallery', async () => {
  const pdpd = examples.filter(({ rule }) => rule === 'pdpd').length;
  const page = await playground.open('v=1&view=gallery&only=pdpd,fails,nonsense');
  const shown = await cards(page);
  assert.ok(shown > 0 && shown < pdpd);
  assert.equal(await page.inputValue('#by-rule'), 'pdpd');
  assert.equal(await page.isChecked('.either input[value="fails"]'), true);
  const address = async (pattern) => page.waitForFunction((text) => new RegExp(text).test(location.hash), pattern);
  await page.selectOption('#by-rule', 'numpy');
  await address('&view=gallery&only=numpy,fails$');
  const numpy = await cards(page);
  await page.locator('.card').first().click();
  await page.waitForSelector('.from-gallery');
  await page.waitForFunction(() => !/view|only/.test(location.hash));
  // Back to the gallery as it was, to what it was before, and forth again.
  await page.goBack();
  await page.waitForSelector('main.gallery');
  assert.equal(await cards(page), numpy);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('#by-rule').value === 'pdpd');
  assert.equal(await cards(page), shown);
  await page.waitForTimeout(300);
  await page.goForward();
  await page.waitForFunction(() => document.querySelector('#by-rule').value === 'numpy');
  await page.goForward();
  await page.waitForSelector('#verdict');
  await page.goBack();
  await page.goForward();
  await page.waitForTimeout(300); // an address that is written late
  await page.waitForSelector('#verdict');
  // The page's own way back remembers the filters, too.
  await page.goBack();
  await page.waitForSelector('main.gallery');
  await page.locator('.card').first().click();
  await page.click('.from-gallery .quiet:text("All")');
  await page.waitForSelector('main.gallery');
  assert.equal(await cards(page), numpy);
  await page.context().close();
});

test('by keyboard: a card opens, and undo returns to it', async () => {
  const page = await playground.open();
  await page.focus('#gallery');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.innerText === 'Gallery');
  await page.waitForFunction(() => /view=gallery/.test(location.hash));
  await page.focus('#example-one-hot');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('.from-gallery'));
  assert.equal((await answer(page)).shape, '(5, 4)');
  // What is changed is no longer the example.
  await page.fill('#operand-0', '(3, 1)');
  await page.waitForSelector('.from-gallery', { state: 'detached' });
  await page.click('#undo');
  await page.waitForSelector('.from-gallery');
  await page.click('#undo');
  await page.waitForFunction(() => document.activeElement?.id === 'example-one-hot');
  await page.click('#gallery');
  assert.equal((await answer(page)).shape, '(4, 6)');
  await page.context().close();
});

test('the page fits on 320 pixels', async () => {
  const page = await playground.open('v=1&view=gallery', { viewport: { width: 320, height: 700 } });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
