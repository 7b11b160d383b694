// The page as a PDF, on A4 and Letter: how many sheets a question takes, and what is on them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPlayground } from './playground.mjs';

const v = 'v=1&type=f32&rule=numpy&op=Add';
const questions = {
  first: { fragment: '', sheets: 1 },
  conflict: { fragment: `${v}&in=(8,64,56,56)&in=(64)`, sheets: 2, shown: '.repairs' },
  rank8: { fragment: `${v}&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)`, sheets: 2 },
  rank20: { fragment: `${v}&in=(${'1,'.repeat(18)}3,1)&in=(4)`, sheets: 2 },
  large: { fragment: `${v}&in=(50,1)&in=(50)&at=20,33`, sheets: 2 },
  rules: { fragment: `${v}&in=(2,3,4,5)&in=(3,4,1)&view=rules`, sheets: 4, shown: '.clause-list' },
};

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

async function opened(fragment, shown = '#grid-result') {
  const page = await playground.open(fragment, { colorScheme: 'dark' });
  await page.waitForSelector(shown, { state: 'attached' });
  await page.waitForSelector('#verdict[data-doubts="known"]', { state: 'attached' });
  return page;
}

// Chromium writes an object for each sheet.
const sheetsOf = (pdf) => [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b/g)].length;

test('a question takes few sheets, of either format', async () => {
  for (const [name, { fragment, sheets, shown }] of Object.entries(questions)) {
    const page = await opened(fragment, shown);
    for (const format of ['A4', 'Letter']) {
      const taken = sheetsOf(await page.pdf({ format }));
      assert.ok(taken >= 1 && taken <= sheets, `${name} on ${format}: ${taken} sheets`);
    }
    await page.context().close();
  }
});

test('the gallery takes few sheets', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&in=(4,1)&in=(6)&view=gallery');
  await page.waitForSelector('.card');
  const taken = sheetsOf(await page.pdf({ format: 'A4' }));
  assert.ok(taken <= 11, `${taken} sheets`);
  await page.context().close();
});

// Between the margins of A4, and of Letter.
const widths = [688, 708];

test('on paper are the question and its address, no controls, and nothing is cut', async () => {
  for (const [name, { fragment, shown }] of Object.entries(questions)) {
    const page = await opened(fragment, shown);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 1000 });
      await page.waitForFunction((wide) => innerWidth === wide && document.documentElement.scrollWidth <= wide, width);
    }
    const seen = await page.evaluate(() => {
      const visible = (selector) =>
        [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility())
          .map((element) => element.innerText || element.value || element.id);
      const right = (selector) =>
        Math.max(
          0,
          ...[...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().right),
        );
      return {
        address: visible('.on-paper .address').join(),
        controls: visible(
          'input, textarea, .copy-line, #copy-code, #play-steps, .top button:not(.term-word), .axis-lines',
        ),
        tagline: document.querySelector('.tagline').innerText.trim(),
        scale: Number(document.querySelector('.alignment table').style.getPropertyValue('--on-paper')),
        right: right('.alignment table, .grids, .stage, .all-rules table, .repairs li'),
        canvases: [...document.querySelectorAll('.stage canvas')].map((canvas) => getComputedStyle(canvas).filter),
        links: [...document.querySelectorAll('.clause-list .from a')].map((link) => [
          link.href,
          getComputedStyle(link, '::after').content,
        ]),
      };
    });
    assert.equal(seen.address, `${playground.origin}/#${await page.getAttribute('#answer', 'data-shows')}`);
    assert.deepEqual(seen.controls, [], name);
    assert.equal(seen.tagline, 'Broadcasting: how different shapes combine');
    assert.ok(seen.scale > 0.45, `${name}: the alignment at ${seen.scale}`);
    assert.ok(seen.right <= widths[1], `${name}: ${seen.right}`);
    // A canvas that was painted for a dark page is light on paper.
    for (const filter of seen.canvases) assert.match(filter, /invert/);
    assert.equal(seen.canvases.length > 0, name === 'large');
    for (const [href, after] of seen.links)
      assert.ok(after.includes('attr(href)') || after.includes(href), `${href}: ${after}`);
    assert.equal(seen.links.length > 0, name === 'rules');
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
