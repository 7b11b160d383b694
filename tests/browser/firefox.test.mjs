// The page in Firefox: the main path, from shapes that fit to a clash and its repair; and every operator,
// element type and kind of values, opened by address. Everything else is tested in Chromium.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { inRoot } from '../../scripts/paths.mjs';
import { addressOf, serve } from '../../scripts/serve.mjs';
import { firefox } from '../../scripts/toolchain.mjs';
import { answer, follow, patience } from './playground.mjs';
import { faultOf, openEach, report } from './shown-values.mjs';
import { questions } from './value-questions.mjs';
import { zarrFiles } from './zarr-files.mjs';

const faults = [];
const data = mkdtempSync(path.join(tmpdir(), 'broadloom-firefox-'));
let server;
let browser;
let page;

before(async () => {
  server = await serve(process.env.BROADLOOM_PAGE ?? inRoot('web/dist'), 0, data);
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefox(),
    headless: true,
    timeout: patience,
    protocolTimeout: 10 * patience, // a hundred questions are one call
    // Firefox takes 200 links in ten seconds, and passes over the others.
    extraPrefsFirefox: { 'dom.navigation.locationChangeRateLimit.count': 0 },
  });
  page = await browser.newPage();
  page.setDefaultTimeout(patience);
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`thrown: ${error}`));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${addressOf(server)}/`);
  await page.waitForSelector('main:not([data-state="loading"])');
});

after(async () => {
  await browser?.close();
  await new Promise((resolve) => server.close(resolve));
  rmSync(data, { recursive: true });
});

async function typed(selector, text) {
  await page.click(selector, { count: 3 });
  await page.keyboard.type(text);
}

const until = (shape) =>
  page.waitForFunction(
    (wanted) => (document.querySelector('#result-shape')?.innerText.trim() ?? null) === wanted,
    {},
    shape,
  );

test('the first screen is an answer', async () => {
  const { state, shape, fits } = await answer(page);
  assert.deepEqual({ state, shape, fits }, { state: 'fits', shape: '(4, 6)', fits: true });
});

test('step by step, the answer comes last, and a term is explained', async () => {
  const atStep = (name) =>
    page.waitForFunction((wanted) => document.querySelector('.alignment')?.dataset.step === wanted, {}, name);
  const says = (text) =>
    page.waitForFunction((wanted) => document.querySelector('.telling')?.innerText.includes(wanted), {}, text);
  await page.waitForSelector('#step-back');
  for (const [step, text] of [
    [
      'stretched',
      "B has nothing on the result's axis 0, which counts as 1: its one row is used for each of A's 4 rows.",
    ],
    ['aligned', 'Line the shapes up at the right.'],
    ['written', 'A is (4, 1) and B is (6,)'],
  ]) {
    await page.click('#step-back');
    await atStep(step);
    await says(text);
    const shown = await page.$eval('#result-shape', (shape) => getComputedStyle(shape).visibility);
    assert.equal(shown, 'hidden');
  }
  await page.click('#show-answer');
  await atStep('result');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('#result-shape')).visibility === 'visible');
  await page.click('.alignment h2 .term-word');
  await page.waitForSelector('.term-note:popover-open');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.term-note'));
});

test('shapes are typed, and the result follows', async () => {
  await typed('#operand-0', '(3, 1)');
  await until('(3, 6)');
  await page.waitForFunction(() => location.hash.includes('in=(3,+1)'));
});

test('a clash is shown, and one click repairs it', async () => {
  await typed('#operand-0', '(3, 4)');
  await page.waitForSelector('#answer[data-state="fails"]');
  await page.waitForSelector('.repairs'); // They come when they are first needed.
  const { headline, clashes, repairs } = await answer(page);
  assert.match(headline, /4[^]*6|6[^]*4/);
  assert.equal(clashes > 0 && repairs > 0, true);
  await page.click('.repairs .apply');
  await page.waitForSelector('#answer[data-state="fits"]');
});

test('a cell shows what it is computed from', async () => {
  await follow(page, 'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2');
  await page.hover('#grid-result [data-index="2,3"]');
  await page.waitForFunction(() => /= 42/.test(document.querySelector('#arithmetic')?.innerText ?? ''));
});

test('the guide leads through a guess and a clash to the page', async () => {
  await page.goto(`${addressOf(server)}/#guide`);
  await page.waitForSelector('main.guide[data-step=shapes] .guide-picture');
  for (const name of ['align', 'missing', 'stretch', 'result']) {
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector(`main.guide[data-step=${name}]`);
  }
  const result = () =>
    page.$$eval('.axis-boxes [data-result] text', (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(await result(), ['?', '?']);
  await page.click('.guess-choices button:nth-child(2)');
  await page.waitForSelector('.guess-choices .right');
  assert.deepEqual(await result(), ['4', '6']);
  assert.equal((await page.$$('.sum-box')).length, 24);
  for (const name of ['clash', 'repair', 'rules']) {
    await page.click('#guide-on');
    // Of a guess, first the answer.
    if (name === 'rules') {
      await page.waitForSelector('main.guide[data-step=repair] .guess-choices .right');
      await page.click('#guide-on');
    }
    await page.waitForSelector(`main.guide[data-step=${name}]`);
  }
  await page.click('#try-own');
  await page.waitForFunction(() => document.activeElement?.id === 'operand-0');
});

test('elements of f16 are read with and without Float16Array', async () => {
  await follow(page, 'v=1&rule=numpy&op=Add&type=f16&in=(4,1)&in=(6,)&at=0,0');
  await page.waitForFunction(() =>
    /= 0 \+ 10 = 10$/.test(document.querySelector('#arithmetic')?.innerText.trim() ?? ''),
  );
  const cells = await page.$$eval('#grid-result [role=gridcell]', (all) => all.map(({ textContent }) => textContent));
  assert.deepEqual(
    cells,
    Array.from({ length: 24 }, (_, i) => String(10 * ((i % 6) + 1) + Math.floor(i / 6))),
  );
  assert.equal(await page.evaluate(() => typeof Float16Array), 'function');
});

test('a Zarr array is read chunk by chunk, whole chunks and parts of shards', async () => {
  const valueAt = ([i, j]) => 10 * i + j;
  const arrays = {
    'whole.zarr': zarrFiles({ shape: [4, 6], chunks: [2, 3], valueAt, codec: 'gzip' }),
    'shards.zarr': zarrFiles({ shape: [4, 6], chunks: [4, 6], inner: [2, 3], valueAt }),
  };
  for (const [name, files] of Object.entries(arrays)) {
    for (const [file, bytes] of files) {
      mkdirSync(path.dirname(path.join(data, name, file)), { recursive: true });
      writeFileSync(path.join(data, name, file), bytes);
    }
    await follow(page, `v=1&rule=numpy&op=Add&type=f32&in=(4,6)&in=(1,)&x=zarr:data/${name}&at=3,5`);
    await page.waitForFunction(() =>
      /= 35 \+ 10 = 45$/.test(document.querySelector('#arithmetic')?.innerText.trim() ?? ''),
    );
    const cells = await page.$$eval('#grid-0 [role=gridcell]', (all) => all.map(({ textContent }) => textContent));
    assert.deepEqual(
      cells,
      Array.from({ length: 24 }, (_, i) => String(10 * Math.floor(i / 6) + (i % 6))),
    );
  }
});

test('every operator shows the right values for every element type', async () => {
  const asked = await questions();
  // The cell in hand is the link's own, not one that the pointer is over.
  await page.mouse.move(0, 0);
  const wrong = [];
  const together = 100;
  for (let first = 0; first < asked.length; first += together) {
    const part = asked.slice(first, first + together);
    const seen = await openEach(page, part, first + 1);
    wrong.push(...part.flatMap((question, i) => faultOf(question, seen[i]) ?? []));
  }
  assert.ok(asked.length > 2000, `${asked.length}`);
  report(wrong);
});

test('no errors on the console, and none thrown', () => assert.deepEqual(faults, []));
