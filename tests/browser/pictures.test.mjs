// Slides, and pictures that show the steps: what they contain, when their parts are seen, in Chromium and in Firefox.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import puppeteer from 'puppeteer-core';
import { firefox } from '../../scripts/toolchain.mjs';
import { imported } from './modules.mjs';
import { asImage, palette, readSvg, states, v } from './picture-states.mjs';
import { openPlayground } from './playground.mjs';

const { loadEngine } = await imported('engine/engine.ts');
const { compute } = await imported('model/model.ts');
const { stepText } = await imported('model/step-text.ts');
const { fromFragment } = await imported('state/state.ts');
const { titleText } = await imported('export/sentences.ts');
const { slideSvg } = await imported('export/slide-svg.ts');
const { stepsAlt, stepsSvg } = await imported('export/steps-svg.ts');
const { fileName } = await imported('export/file-name.ts');

const engine = await loadEngine();
const modelOf = (fragment) => compute(engine, fromFragment(fragment));

// A question that fits and one that does not, for every rule.
const ofRules = {
  numpy: ['in=(4,1)&in=(6,)&at=1,2', 'in=(2,3)&in=(2,)'],
  pdpd: ['in=(2,3,4)&in=(3,1)&axis=1', 'in=(2,3,4)&in=(4,3)&axis=1'],
  bidirectional: ['in=(3,1)&target=(2,1,6)', 'in=(3,2)&target=(4,)'],
  explicit: ['in=(3,2)&target=(2,4,3)&mapping=[2,0]', 'in=(3,2)&target=(2,4,5)&mapping=[2,0]'],
  none: ['in=(3,4)&in=(3,4)', 'in=(3,4)&in=(3,1)'],
  onnx_multidirectional: ['in=(1,5)&in=(3,1)', 'in=(2,5)&in=(3,1)'],
  onnx_unidirectional: ['in=(2,5)&in=(5)', 'in=(5)&in=(2,5)'],
  broadcast_numpy: ['in=(3,1)&target=(2,3,4)', 'in=(3,2)&target=(2,3,4)'],
  sonnx: ['in=(1,3)&in=(2,1)&output=1', 'in=(2,3)&in=(3,2)'],
};
const questions = { ...states };
for (const { name } of engine.vocabulary.rules) {
  const op = engine.opsFor(name)[0].name;
  ofRules[name].forEach((fields, i) => {
    questions[`${name} ${i === 0 ? 'fits' : 'clashes'}`] = `${v}&rule=${name}&op=${op}&${fields}`;
  });
}
const models = Object.entries(questions).map(([name, fragment]) => [name, modelOf(fragment)]);

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

// The texts that can be seen at times from the beginning to the end of a picture that moves, and those that lie on each
// other. Runs in a page that shows the picture.
function watch(samples) {
  const animations = document.getAnimations();
  const duration = Math.max(0, ...animations.map(({ effect }) => effect.getTiming().duration));
  const opacityOf = (element) =>
    element === null || element.localName === 'svg'
      ? 1
      : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
  const seen = [];
  for (let i = 0; i < samples; ++i) {
    for (const animation of animations) {
      animation.pause();
      animation.currentTime = (duration * i) / samples;
    }
    const texts = [...document.querySelectorAll('svg text')].filter(
      (text) => opacityOf(text) > 0.6 && text.textContent.trim(),
    );
    // Cells may pass each other on their way.
    const moves = [...document.querySelectorAll('svg [style]')].some((element) => {
      const away = new DOMMatrix(getComputedStyle(element).transform).e;
      return Math.abs(away) > 1 && Math.abs(away - parseFloat(element.style.getPropertyValue('--away'))) > 1;
    });
    const boxes = moves ? [] : texts.map((text) => text.getBoundingClientRect());
    const clashes = [];
    boxes.forEach((a, k) => {
      boxes.slice(k + 1).forEach((b, l) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 4) clashes.push(`${texts[k].textContent} / ${texts[k + 1 + l].textContent}`);
      });
    });
    seen.push({ texts: texts.map(({ textContent }) => textContent), clashes });
  }
  return { duration, seen };
}

// The sentences of the steps, each by its first words, which are in one line of the picture.
const begins = (model) =>
  stepsAlt(model)
    .replaceAll('\u0000', '\ufffd')
    .split(/ (?=\d [A-Z][a-z ]+: )/)
    .slice(1)
    .map((told) =>
      told
        .replace(/^\d [^:]+: /, '')
        .split(' ')
        .slice(0, 4)
        .join(' '),
    );

// Whether the picture shows the steps one after another, each long enough to be read, the answer only at the end, and no
// text on another one.
function assertSteps(name, model, { duration, seen }) {
  // The answer has a mark of its own.
  const marks = [...begins(model).slice(0, -1), model.failure ? '✕' : '✓ fits'];
  const each = seen.map(({ texts }) =>
    marks.flatMap((mark, i) => (texts.some((text) => text.startsWith(mark)) ? [i] : [])),
  );
  assert.deepEqual(seen.flatMap(({ clashes }) => clashes).slice(0, 3), [], `${name}: texts on each other`);
  assert.ok(
    each.every(({ length }) => length <= 1),
    `${name}: ${JSON.stringify(each)}`,
  );
  const order = each.flat().filter((at, i, all) => at !== all[i - 1]);
  assert.deepEqual(
    order,
    marks.map((_, i) => i),
    name,
  );
  for (const i of marks.keys()) {
    const time = (duration * each.filter((at) => at.includes(i)).length) / seen.length;
    assert.ok(time >= 1500, `${name}: step ${i + 1} is seen for ${time} ms`);
  }
}

test('slides and steps are well-formed, small, complete, and name nothing outside', async () => {
  const page = await playground.browser.newPage();
  for (const [name, model] of models) {
    const drawn = [
      ['slide', slideSvg(model, palette)],
      ['steps', stepsSvg(model, palette)],
    ];
    for (const [kind, picture] of drawn) {
      assert.equal(picture === null, model.alignment === null, name);
      if (!picture) continue;
      const { svg, width, height } = picture;
      assert.doesNotMatch(
        svg.replace('http://www.w3.org/2000/svg', ''),
        /href|url\(|:\/\/|@import|<script|<image|<foreign/i,
      );
      assert.ok(Buffer.byteLength(svg) < 60 * 1024, `${name} ${kind}: ${svg.length} bytes`);
      const { root, faults, right, bottom, title, desc } = await page.evaluate(readSvg, svg);
      assert.deepEqual([root, faults], ['svg', 0], `${name} ${kind}`);
      assert.equal(title, titleText(model).replaceAll('\u0000', '\ufffd'));
      assert.ok(desc.length > 20);
      assert.ok(
        right <= width + 1 && bottom <= height + 1,
        `${name} ${kind}: ${right} of ${width}, ${bottom} of ${height}`,
      );
      assert.deepEqual(await page.evaluate(asImage, svg), [width, height], `${name} ${kind} as an image`);
    }
  }
  await page.close();
});

test('each step is seen after the other, with its sentence; the answer comes last', async () => {
  const page = await playground.browser.newPage();
  for (const [name, model] of models) {
    const picture = stepsSvg(model, palette);
    if (!picture) continue;
    await page.setContent(picture.svg);
    assertSteps(name, model, await page.evaluate(watch, 60));
  }
  // The sentences are the page's.
  const [, first] = models.find(([name]) => name === 'first');
  for (const stage of ['written', 'aligned', 'stretched'])
    assert.ok(stepsAlt(first).includes(stepText(stage, first, first.alignment).replaceAll('`', '')), stage);
  await page.close();
});

test('axes move into line, operands grow, cells fill, and a clash shows when extents meet', async () => {
  const page = await playground.browser.newPage();
  const shown = async (name) => {
    await page.setContent(stepsSvg(models.find(([known]) => known === name)[1], palette).svg);
    return page.evaluate(watch, 80);
  };
  const { seen } = await shown('first');
  const digits = seen.map(({ texts }) => texts.filter((text) => /^\d+$/.test(text)).length);
  // At first the operands' cells, then those of the result, too, its two extents, and the 1 that B's missing axis counts as.
  assert.equal(digits[72], digits[0] + 24 + 2 + 1, `${digits}`);
  const first = (text) => seen.findIndex(({ texts }) => texts.includes(text));
  assert.ok(first('axis 0') >= 0 && first('×6') > first('no axis') && first('no axis') > 0);
  assert.ok(first('out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31') > first('×6'));
  // Before it is lined up, B's axis stands at the left.
  await page.setContent(stepsSvg(models.find(([known]) => known === 'first')[1], palette).svg);
  const places = await page.evaluate(() => {
    const text = [...document.querySelectorAll('svg text')].find(({ textContent }) => textContent === '6');
    const at = (share) => {
      for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = share * animation.effect.getTiming().duration;
      }
      return text.getBoundingClientRect().left;
    };
    return [at(0), at(0.9)];
  });
  assert.ok(places[1] - places[0] > 80, `${places}`);
  const clash = (await shown('conflict')).seen;
  const marks = clash.map(({ texts }) => texts.filter((text) => text === 'clash').length);
  assert.equal(marks[0], 0);
  assert.equal(marks.at(-8), 2);
  await page.close();
});

test('readers who want less motion see the last step', async () => {
  const [, model] = models.find(([name]) => name === 'first');
  const { svg } = stepsSvg(model, palette);
  const context = await playground.browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.setContent(svg);
  const { duration, seen } = await page.evaluate(watch, 1);
  assert.equal(duration, 0);
  assert.deepEqual(seen[0].clashes, []);
  for (const text of ['(4, 6)', '×6', '31']) assert.ok(seen[0].texts.includes(text), text);
  assert.ok(!seen[0].texts.some((text) => text.startsWith(begins(model)[0])));
  await context.close();
});

test('pictures in one document do not change each other', async () => {
  const page = await playground.browser.newPage();
  const [one, other] = ['first', 'conflict'].map((wanted) => models.find(([name]) => name === wanted)[1]);
  const animated = async (html) => {
    await page.setContent(html);
    return page.evaluate(() => document.getAnimations().map(({ animationName }) => animationName));
  };
  const [first, second] = [stepsSvg(one, palette).svg, stepsSvg(other, palette).svg];
  const [a, b] = [await animated(first), await animated(second)];
  assert.equal(a.filter((name) => b.includes(name)).length, 0);
  assert.deepEqual((await animated(`${first}${second}`)).toSorted(), [...a, ...b].toSorted());
  await page.close();
});

test('slides can be read from afar, and fill the room', async () => {
  const page = await playground.browser.newPage({ viewport: { width: 1920, height: 1080 } });
  for (const [name, model] of models) {
    const picture = slideSvg(model, palette);
    if (!picture) continue;
    assert.deepEqual([picture.width, picture.height], [1920, 1080]);
    await page.setContent(`<body style="margin: 0">${picture.svg}`);
    const { seen } = await page.evaluate(watch, 1);
    assert.deepEqual(seen[0].clashes, [], name);
    const { smallest, lowest } = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('svg text')].filter(({ textContent }) => textContent !== '');
      const sizes = boxes.map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
      return {
        smallest: Math.min(...sizes),
        lowest: Math.max(...boxes.map((text) => text.getBoundingClientRect().bottom)),
      };
    });
    assert.ok(smallest >= 16, `${name}: ${smallest} px`);
    if (['first', 'conflict', 'pdpd', 'several', 'stacked'].includes(name))
      assert.ok(lowest > 700, `${name}: ${lowest}`);
  }
  await page.close();
});

test('names of files come from the question, in letters that every system takes', () => {
  const named = (fragment) => fileName(modelOf(fragment), 'steps', 'svg');
  assert.equal(named(states.pdpd), 'broadloom-pdpd-add-2x3x4x5-3x4x1-steps.svg');
  assert.equal(named(states.target), 'broadloom-bidirectional-broadcast-3x1-to-2x1x6-steps.svg');
  assert.equal(named(states.scalar), 'broadloom-numpy-add-scalar-scalar-steps.svg');
  for (const fragment of Object.values(questions)) assert.match(named(fragment), /^[a-z0-9-]{1,110}\.svg$/);
});

test('slide and steps are previewed, saved and copied', async () => {
  const page = await playground.open(states.first, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.click('#share');
  const saved = async (button) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const previewed = (width) =>
    page.waitForFunction((wide) => document.querySelector('#share-preview').naturalWidth === wide, width);
  await page.check('input[name=share-subject][value=slide]', { force: true });
  await previewed(1920);
  const png = await saved('#share-png');
  assert.equal(png.name, 'broadloom-numpy-add-4x1-6-slide.png');
  assert.deepEqual([png.bytes.readUInt32BE(16), png.bytes.readUInt32BE(20)], [1920, 1080]);
  await page.check('input[name=share-subject][value=steps]', { force: true });
  await page.waitForSelector('#share-png', { state: 'detached' });
  const svg = await saved('#share-svg');
  assert.equal(svg.name, 'broadloom-numpy-add-4x1-6-steps.svg');
  await previewed(Number(/width="(\d+)"/.exec(svg.bytes)[1]));
  await page.click('#share-copy-svg');
  await page.waitForFunction(() => document.querySelector('#share-copy-svg').innerText === 'Copied');
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), String(svg.bytes));
  assert.equal(await page.getAttribute('#share-preview', 'alt'), stepsAlt(modelOf(states.first)));
  await page.context().close();
});

test('Firefox shows the steps as Chromium does', async () => {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox(), headless: true });
  try {
    const page = await browser.newPage();
    for (const name of ['first', 'conflict', 'explicit fits', 'rank8']) {
      const [, model] = models.find(([known]) => known === name);
      await page.setContent(stepsSvg(model, palette).svg);
      assertSteps(name, model, await page.evaluate(watch, 40));
    }
  } finally {
    await browser.close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
