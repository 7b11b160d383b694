// The page's looks: its main states beside pictures of them. BROADLOOM_RENEW_LOOKS=1 takes those pictures anew that no
// longer are like the page; CONTRIBUTING.md tells how.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pixelmatch from 'pixelmatch';
import { chromium as playwright } from 'playwright-core';
import { PNG } from 'pngjs';
import { openState, states } from '../../scripts/page-states.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { addressOf, serve } from '../../scripts/serve.mjs';
import { chromium } from '../../scripts/toolchain.mjs';

const renews = Boolean(process.env.BROADLOOM_RENEW_LOOKS);
const kept = (name) => inRoot('tests/browser/looks', `${name}.png`);
const told = inRoot('build/looks');

const wide = { width: 1280, height: 760 };
const slim = { width: 320, height: 700 };
const plain = [
  ...['first', 'numpy', 'pdpd', 'conflict', 'malformed', 'scalar', 'empty', 'rank-8', 'eight-operands', 'large'],
  ...['rules', 'gallery', 'predict'],
];
const looks = [
  ...plain.map((state) => ({ name: state, state, viewport: wide })),
  { name: 'first-dark', state: 'first', viewport: wide, colorScheme: 'dark' },
  { name: 'conflict-dark', state: 'conflict', viewport: wide, colorScheme: 'dark' },
  { name: 'first-320', state: 'first', viewport: slim },
  { name: 'conflict-320', state: 'conflict', viewport: slim },
  { name: 'print', state: 'pdpd', viewport: { width: 720, height: 900 }, media: 'print' },
];

// --- The same letters everywhere -------------------------------------------------

// The page is set in the system's own type. Here that is DejaVu, four files of it, whatever else the machine has, in black
// and white without greys: such letters are the same on any machine, and their pictures a quarter as large.
const families = { 'DejaVu Sans': ['system-ui', 'sans-serif'], 'DejaVu Sans Mono': ['ui-monospace', 'monospace'] };
const lacking = 'DejaVu is missing: install fonts-dejavu-core, as scripts/setup.sh test does on Debian';
function fontConfiguration() {
  const folder = `${told}/fonts`;
  mkdirSync(folder, { recursive: true });
  const installed = readdirSync('/usr/share/fonts', { recursive: true, withFileTypes: true });
  for (const name of Object.keys(families).flatMap((family) =>
    ['.ttf', '-Bold.ttf'].map((end) => family.replaceAll(' ', '') + end),
  )) {
    const file = installed.find((each) => each.name === name);
    assert.ok(file, lacking);
    symlinkSync(path.join(file.parentPath, name), path.join(folder, name));
  }
  const preferred = Object.entries(families).flatMap(([family, names]) =>
    names.map((name) => `<alias><family>${name}</family><prefer><family>${family}</family></prefer></alias>`),
  );
  const edits = ['antialias"><bool>false</bool>', 'hinting"><bool>false</bool>', 'rgba"><const>none</const>'];
  const file = `${told}/fonts.conf`;
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${folder}</dir><cachedir>${told}/cache</cachedir>
${preferred.join('\n')}
<match target="font">${edits.map((edit) => `<edit mode="assign" name="${edit}</edit>`).join('')}</match>
</fontconfig>
`,
  );
  return file;
}

// The fonts that an element's text is really drawn with.
async function fontsOf(page, selector) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

let server;
let browser;
before(async () => {
  rmSync(told, { recursive: true, force: true });
  server = await serve(process.env.BROADLOOM_PAGE ?? inRoot('web/dist'));
  browser = await playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb', '--hide-scrollbars'],
    ],
    env: { ...process.env, FONTCONFIG_FILE: fontConfiguration() },
  });
});
after(async () => {
  await browser?.close();
  await new Promise((resolve) => server.close(resolve));
});

async function open({ state, media, ...options }) {
  const found = states.find(({ name }) => name === state);
  const page = await openState(browser, addressOf(server), found, { deviceScaleFactor: 1, ...options });
  if (media) {
    await page.emulateMedia({ media });
    // The address of the test's server is another one each time.
    await page.$eval('.on-paper .address', (address) => {
      address.textContent = address.textContent.replace(location.origin, 'https://broadloom.example');
    });
  }
  return page;
}

const shot = async (page) => PNG.sync.read(await page.screenshot({ animations: 'disabled', caret: 'hide' }));

// --- How much two pictures differ ------------------------------------------------

// Of all points 5 in 1000 may be others, of those of any square 20: what is moved or coloured differently differs
// in one place, what another version of Chromium draws a little differently does so everywhere.
const side = 32;
const most = { all: 0.005, square: 0.02 };

function compare(actual, wanted) {
  const { width, height } = wanted;
  if (actual.width !== width || actual.height !== height)
    return { like: false, says: `${actual.width}x${actual.height} points for ${width}x${height}` };
  const difference = new PNG({ width, height });
  const all = pixelmatch(actual.data, wanted.data, difference.data, width, height, { threshold: 0.15, diffMask: true });
  const squares = new Map();
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      if (difference.data[4 * (y * width + x) + 3] === 0) continue;
      const [left, top] = [x - (x % side), y - (y % side)];
      squares.set(`${left}, ${top}`, (squares.get(`${left}, ${top}`) ?? 0) + 1);
    }
  }
  const [where, worst] = [...squares].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0]);
  const like = all <= most.all * width * height && worst <= most.square * side * side;
  return { like, difference, says: `${all} points differ, ${worst} of ${side * side} in the square at ${where}` };
}

// Headless Chromium has been seen to leave pieces of another page where a page's own had not been drawn yet.
async function drawAnew(page) {
  const { width, height } = page.viewportSize();
  await page.setViewportSize({ width, height: height + 1 });
  await page.setViewportSize({ width, height });
}

// What a picture is of may still be on its way: a page that is like it soon is like it.
async function settledLike(page, wanted, longest = renews ? 1_000 : 20_000) {
  for (const until = Date.now() + longest; ;) {
    const actual = await shot(page);
    const { like, says, difference } = compare(actual, wanted);
    if (like || Date.now() > until) return { actual, like, says, difference };
    await new Promise((resolve) => setTimeout(resolve, 150));
    await drawAnew(page);
  }
}

// --- The pictures ----------------------------------------------------------------

const small = (png) => PNG.sync.write(png, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });

test('the fonts are those of the pictures', async () => {
  const page = await open(looks[0]);
  const fonts = [await fontsOf(page, 'h1'), await fontsOf(page, '#result-shape')].flat();
  assert.deepEqual(fonts, Object.keys(families), lacking);
  await page.context().close();
});

// One after the other: pages that are drawn at once disturb one another.
describe('the page looks like the pictures', () => {
  for (const look of looks) {
    test(look.name, async () => {
      const page = await open(look);
      const file = kept(look.name);
      const wanted = existsSync(file) ? PNG.sync.read(readFileSync(file)) : new PNG({ width: 0, height: 0 });
      const { like, says, actual, difference } = await settledLike(page, wanted);
      if (!like && renews) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, small(actual));
      } else if (!like) {
        writeFileSync(`${told}/${look.name}.png`, small(actual));
        if (difference) writeFileSync(`${told}/${look.name}-difference.png`, PNG.sync.write(difference));
      }
      assert.ok(
        like || renews,
        `${says}. build/looks has what is seen (${look.name}.png) and what differs (${look.name}-difference.png). ` +
          'Where it is meant so, renew the picture: BROADLOOM_RENEW_LOOKS=1 node --test tests/browser/looks.test.mjs',
      );
      await page.context().close();
    });
  }
});

describe('changes of the page are detected', { skip: renews && 'the pictures are being taken' }, () => {
  const changes = [
    ['nothing', '', true],
    ['a cell that moves by 4 px', '#grid-result [data-index="2,3"] { translate: 4px 0 }', false],
    ['the colour of an operand', '.hue-0 { --hue: #8247b3 !important }', false],
    ['a line that is gone', '.reasons { display: none }', false],
    ['type that is a little larger', 'body { font-size: 13.5px }', false],
  ];
  for (const [name, css, like] of changes) {
    test(name, async () => {
      const page = await open(looks[0]);
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets.push(sheet);
      }, css);
      const result = await settledLike(page, PNG.sync.read(readFileSync(kept('first'))), like ? undefined : 0);
      assert.equal(result.like, like, result.says);
      await page.context().close();
    });
  }
});
