// Sharing: pictures that stand alone, whatever was typed, and texts that say what the page says.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { imported } from './modules.mjs';
import { asImage, palette, readSvg, states, v } from './picture-states.mjs';
import { openPlayground, saidBy } from './playground.mjs';

const { loadEngine } = await imported('engine/engine.ts');
const { compute } = await imported('model/model.ts');
const { fromFragment } = await imported('state/state.ts');
const { alignmentSvg } = await imported('export/alignment-svg.ts');
const { gridSvg } = await imported('export/grid-svg.ts');
const { markdown } = await imported('export/markdown.ts');
const { alignmentAlt, cellText, titleText } = await imported('export/sentences.ts');
const { escaped, tag } = await imported('export/svg.ts');
const { frameHtml } = await imported('share/frame.ts');

const engine = await loadEngine();
const modelOf = (fragment) => compute(engine, fromFragment(fragment));
const picturesOf = (model) =>
  [
    ['alignment', alignmentSvg(model, palette)],
    ['grid', gridSvg(model, palette)],
  ].filter(([, picture]) => picture);

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const allowed = { permissions: ['clipboard-read', 'clipboard-write'] };

async function opened(fragment, options) {
  const page = await playground.open(fragment, { ...allowed, ...options });
  await page.click('#share');
  await page.waitForSelector('#share-dialog[open]');
  return page;
}

async function copied(page, button) {
  await saidBy(page, button, /^Copied$/);
  return page.evaluate(() => navigator.clipboard.readText());
}

test('markup is escaped, and characters that XML forbids are replaced', () => {
  assert.equal(
    tag('text', { x: 1 / 3, fill: '"><' }, 'a < b & "c"').xml,
    '<text x="0.33" fill="&quot;&gt;&lt;">a &lt; b &amp; &quot;c&quot;</text>',
  );
  assert.equal(escaped('a\u0000b\ud800c\uffffd\u{1f9f5}'), 'a\ufffdb\ufffdc\ufffdd\u{1f9f5}');
});

test('every state has its pictures, and they are well-formed', async () => {
  const page = await playground.browser.newPage();
  const drawn = {};
  for (const [name, fragment] of Object.entries(states)) {
    for (const [subject, { svg, width, height }] of picturesOf(modelOf(fragment))) {
      (drawn[name] ??= []).push(subject);
      // Nothing outside is named: no address but that of the format, no style sheet, no script.
      assert.doesNotMatch(
        svg.replace('http://www.w3.org/2000/svg', ''),
        /href|url\(|:\/\/|<style|<script|<image|<foreign/i,
      );
      const { root, faults, texts, right, bottom, title, desc } = await page.evaluate(readSvg, svg);
      assert.equal(faults, 0, `${name} ${subject} is not well formed`);
      assert.equal(root, 'svg');
      assert.equal(title, titleText(modelOf(fragment)).replaceAll('\u0000', '\ufffd'));
      assert.ok(desc.length > 20 && texts > 3);
      // All of it lies within its frame.
      assert.ok(
        right <= width + 1 && bottom <= height + 1,
        `${name} ${subject}: ${right} of ${width}, ${bottom} of ${height}`,
      );
      assert.deepEqual(await page.evaluate(asImage, svg), [width, height], `${name} ${subject} as an image`);
    }
  }
  const both = ['alignment', 'grid'];
  const alone = ['alignment'];
  assert.deepEqual(drawn, {
    ...{ first: both, scalar: both, empty: alone, conflict: alone, conflicts: alone, pdpd: both, target: both },
    ...{
      several: both,
      rank8: both,
      eight: both,
      slices: both,
      stacked: both,
      huge: both,
      oversize: alone,
      manyAxes: both,
    },
  });
  await page.close();
});

test('pictures show what the core answers', () => {
  const { svg } = gridSvg(modelOf(states.first), palette);
  const digits = [...svg.matchAll(/<text [^>]*>(\d+)<\/text>/g)].map(([, text]) => Number(text));
  const result = [0, 1, 2, 3].flatMap((row) => [10, 20, 30, 40, 50, 60].map((column) => row + column));
  assert.deepEqual(digits.slice(-24), result);
  assert.match(svg, /out\[1, 2\] = A\[1, 0\] \+ B\[2\] = 1 \+ 30 = 31</);
  // Every clash is struck, not the first alone.
  const clashes = alignmentSvg(modelOf(states.conflicts), palette).svg;
  assert.equal(clashes.match(/>clash</g).length, 4);
  assert.equal(clashes.match(/>\?</g).length, 2);
});

test('pictures have the slices that the page shows side by side', async () => {
  const { svg } = gridSvg(modelOf(states.slices), palette);
  const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
  const from = texts.indexOf('Slices along axis 0 (8 to 11 of 12)');
  const page = await playground.open(states.slices);
  await page.waitForSelector('.slice-grid.here');
  const shown = await page.locator('.slice-grids :is(h3, code, [role=gridcell])').allInnerTexts();
  assert.equal(shown.length, 1 + 4 * (1 + 2 * 4));
  assert.deepEqual(texts.slice(from), shown);
  // The cell in hand is marked twice: on the loom, and on its slice.
  assert.equal(svg.match(/fill="#f3c64a"/g).length, 2);
  assert.doesNotMatch(gridSvg(modelOf(states.rank8), palette).svg, /Slices along/);
  const threads = await page
    .locator('.repeat-lines path')
    .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
  const drawn = [...svg.matchAll(/<path d="([^"]*)" stroke="#a9430f"/g)].map(([, d]) => d);
  // Those on the page reach for the operand that they come from.
  const ends = (paths) => paths.join('').match(/V[\d.]+/g).length;
  assert.equal(ends(drawn), ends(threads));
  await page.context().close();
});

test('the alternative text says in a sentence or two what the result is and why', () => {
  assert.equal(
    alignmentAlt(modelOf(states.first)),
    'A (4, 1) and B (6,) broadcast under NumPy to (4, 6). A is repeated 6 times along axis 1; B is repeated 4 times along axis 0.',
  );
  assert.match(
    alignmentAlt(modelOf(states.conflict)),
    /^A \(8, 64, 56, 56\) and B \(64,\) do not broadcast under NumPy\. Axis 3: B has 64/,
  );
  assert.match(
    alignmentAlt(modelOf(states.target)),
    /^A \(3, 1\) and the target \(2, 1, 6\) broadcast under .* to \(2, 3, 6\)\./,
  );
  assert.match(alignmentAlt(modelOf(states.malformed)), /^A “<script>\(” and B \(4,\) do not broadcast/);
  const several = modelOf(states.several);
  assert.equal(cellText(several, several.result), 'out of B[1, 2] = B[1, 0] = 20');
});

test('Markdown has the tables, the reasons and the link, and nothing that was typed becomes markup', () => {
  const text = markdown(modelOf(states.first), 'https://example.org/#v=1&in=(4,1)');
  for (const line of [
    '### A (4, 1) and B (6,) under NumPy: (4, 6)',
    '| **A** (4, 1) | 4 (axis 0) | 1 ×6 (axis 1) |',
    '| **B** (6,) | 1 ×4 (no axis) | 6 (axis 0) |',
    "- axis 1: A's 1 stretches to 6.",
    '| **3** | 13 | 23 | 33 | 43 | 53 | 63 |',
    '[Open in Broadloom](https://example.org/#v=1&in=%284,1%29)',
  ])
    assert.ok(text.split('\n').includes(line), `${line}\nin\n${text}`);
  const named = encodeURIComponent('a|b\n# <b>[x](y)');
  const wild = markdown(modelOf(`${v}&rule=numpy&op=Add&in=2&in=2&n=${named}`), null);
  assert.equal(wild.match(/^#/gm).length, 1);
  assert.match(wild, /\*\*a\\\|b \\# \\<b\\>\\\[x\\\]\(y\)\*\* \(2,\)/);
  assert.doesNotMatch(wild, /Open in/);
});

test('the dialog has the link, and says what the link leaves out', async () => {
  const page = await opened('v=1&rule=numpy&op=Add&type=f32&in=(2)&in=()&n=bias');
  assert.match(await page.innerText('#share-dialog section'), /It holds all of what you see/);
  const link = await copied(page, '#share-copy-link');
  assert.equal(link, await page.inputValue('#share-link'));
  assert.equal(new URL(link).hash.slice(1), await page.getAttribute('#answer', 'data-shows'));
  await page.keyboard.press('Escape');
  await page.waitForSelector('#share-dialog', { state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.id), 'share');
  await page.click('#details-0');
  await page.selectOption('#values-0', 'list');
  await page.fill('#list-0', `[${'0.123456789, '.repeat(300)}]`);
  await page.keyboard.press('Escape');
  await page.focus('#share');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#share-dialog[open]');
  assert.match(await page.innerText('#share-dialog section'), /not the values of bias/);
  await page.context().close();
});

test('pictures are copied and saved in the chosen colours', async () => {
  const page = await opened(states.first, { colorScheme: 'dark' });
  assert.ok(await page.isChecked('input[name=share-ground][value=dark]'));
  const dark = await copied(page, '#share-copy-svg');
  assert.match(dark, /<rect width="\d+" height="\d+" fill="#171614"\/>/);
  await page.check('input[name=share-ground][value=light]', { force: true });
  const before = await page.getAttribute('#share-preview', 'src');
  await page.check('input[name=share-subject][value=grid]', { force: true });
  await page.waitForFunction((was) => {
    const { src, complete } = document.querySelector('#share-preview');
    return src !== was && complete;
  }, before);
  const [width, height] = await page.evaluate(() => {
    const { naturalWidth, naturalHeight } = document.querySelector('#share-preview');
    return [naturalWidth, naturalHeight];
  });
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const svg = await saved('#share-svg');
  assert.equal(svg.name, 'broadloom-numpy-add-4x1-6-grid.svg');
  assert.match(String(svg.bytes), new RegExp(`^<svg [^>]*width="${width}" height="${height}"[^]*fill="#faf8f4"`));
  const png = await saved('#share-png');
  assert.equal(png.name, 'broadloom-numpy-add-4x1-6-grid.png');
  assert.equal(png.bytes.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [2 * width, 2 * height]);
  await saidBy(page, '#share-copy-png', /^Copied$/);
  assert.match(String((await saved('#share-markdown')).bytes), /^### A \(4, 1\) and B/);
  assert.equal(await copied(page, '#share-copy-alt'), await page.innerText('#share-alt'));
  await page.context().close();
});

test('the frame’s HTML contains the question, escaped', async () => {
  const model = modelOf(states.eight);
  const html = frameHtml('https://example.org/loom/', model, { part: 'grid', ground: '' }, { wide: 500, narrow: 800 });
  const page = await opened(states.pdpd);
  await page.check('input[name=share-part][value=alignment]', { force: true });
  const shown = await copied(page, '#share-copy-frame');
  assert.match(shown, /\?embed=alignment#v=1&amp;rule=pdpd/);
  const plain = await playground.browser.newPage();
  await plain.setContent(`<main>${html}</main>`);
  const [children, address] = await plain.evaluate(() => {
    const main = document.querySelector('main');
    return [[...main.querySelectorAll('*')].map(({ localName }) => localName), main.firstElementChild.src];
  });
  assert.deepEqual(children, ['iframe', 'script']);
  assert.deepEqual(fromFragment(new URL(address).hash), model.state);
  await plain.close();
  await page.context().close();
});

test('it says if there is nothing to draw, and fits on 320 pixels', async () => {
  for (const state of ['first', 'eight', 'malformed']) {
    const page = await opened(states[state], { viewport: { width: 320, height: 700 } });
    const [wide, sheet] = await page.evaluate(() => {
      const dialog = document.querySelector('#share-dialog');
      return [document.documentElement.scrollWidth, dialog.scrollWidth - dialog.clientWidth];
    });
    assert.ok(wide <= 320 && sheet <= 0, `${state}: ${wide}, ${sheet}`);
    if (state === 'malformed') assert.match(await page.innerText('#share-dialog'), /nothing to draw/);
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
