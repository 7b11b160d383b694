// The guide: the whole path by keyboard and by mouse, when it is offered, what its pictures show, and what they hide.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { answer, openPlayground, shapeText } from './playground.mjs';

let playground;
let bl;
before(async () => {
  playground = await openPlayground();
  bl = await load();
});
after(() => playground.close());

const names = ['shapes', 'align', 'missing', 'stretch', 'result', 'clash', 'repair', 'rules'];

const step = (page, name) => page.waitForSelector(`main.guide[data-step="${name}"] .guide-picture`);
const picked = (page, text) => page.locator('.guess-choices [aria-pressed=true]', { hasText: text }).waitFor();
const shown = (page, selector) => page.waitForSelector(selector);

// Goes to a step by key, past the guesses before it.
async function goTo(page, name) {
  for (const [i, at] of names.slice(0, names.indexOf(name)).entries()) {
    await step(page, at);
    if ((await page.locator('.guess-choices').count()) > 0) {
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.guess-choices .right');
    }
    await page.keyboard.press('ArrowRight');
    await step(page, names[i + 1]);
  }
  await step(page, name);
}

// What the picture shows: each operand's boxes by axis of the result, the result's boxes, and the cells of the result.
const drawing = (page) =>
  page.evaluate(() => {
    const seen = (box) => Number(getComputedStyle(box).opacity) > 0;
    const read = (box) => box.querySelector('text').textContent;
    const operands = [];
    for (const box of document.querySelectorAll('.axis-boxes [data-operand]')) {
      const { operand, axis } = box.dataset;
      (operands[operand] ??= [])[axis] = seen(box) ? read(box) : null;
    }
    return {
      operands,
      result: [...document.querySelectorAll('.axis-boxes [data-result]')].map(read),
      lit: [...document.querySelectorAll('.cell-box.lit')].map(read),
      cells: Object.fromEntries(
        [...document.querySelectorAll('.sum-box')].map((box) => [box.dataset.index, read(box)]),
      ),
      text: document.querySelector('.guide-picture').getAttribute('aria-label'),
    };
  });

const still = { reducedMotion: 'reduce' };

test('the whole path by keyboard alone', async () => {
  const page = await playground.open('', still);
  // From the top of the page to the offer.
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement.id)) === 'take-guide') break;
  }
  await page.keyboard.press('Enter');
  await step(page, 'shapes');
  for (const [i, name] of ['align', 'missing', 'stretch', 'result'].entries()) {
    await page.keyboard.press('ArrowRight');
    await step(page, name);
    assert.match(await page.textContent('main.guide [role=status]'), new RegExp(`^Step ${i + 2} of 8\\.`));
  }
  // A wrong guess is answered, and the result stays hidden; so it does until it is guessed or asked for.
  await page.keyboard.press('1');
  await picked(page, '(4, 1)');
  assert.match(await page.textContent('.feedback'), /^\(4, 1\) is wrong\./);
  assert.deepEqual((await drawing(page)).result, ['?', '?']);
  await page.keyboard.press('2');
  await picked(page, '(4, 6)');
  assert.match(await page.textContent('main.guide [role=status]'), /\(4, 6\) is right\./);
  assert.deepEqual((await drawing(page)).result, ['4', '6']);
  await page.keyboard.press('ArrowRight');
  await step(page, 'clash');
  await page.keyboard.press('ArrowRight');
  await step(page, 'repair');
  // The guess is a button, too.
  const choice = page.getByRole('button', { name: '(2, 1)' });
  for (let i = 0; i < 30 && !(await choice.evaluate((button) => button === document.activeElement)); ++i)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await picked(page, '(2, 1)');
  await page.keyboard.press('ArrowRight');
  await step(page, 'rules');
  // On asks for the answer first; then there is nothing further.
  await page.keyboard.press('ArrowRight');
  await picked(page, 'axis = 0');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await step(page, 'repair');
  await page.keyboard.press('ArrowRight');
  await step(page, 'rules');
  await picked(page, 'axis = 0');
  await page.focus('#try-own');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'operand-0');
  assert.equal((await answer(page)).shape, '(4, 6)');
  await page.context().close();
});

test('the whole path by mouse, and the last example as a question', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Mul&in=(5,1)&in=(7)');
  await page.click('#guide');
  for (const name of names) {
    await step(page, name);
    for (const button of await page.locator('.guess-choices button').all()) {
      await button.click();
      await page.waitForFunction((one) => one.getAttribute('aria-pressed') === 'true', await button.elementHandle());
    }
    const right = await page.locator('.guess-choices button').count();
    if (right) {
      await page.click('#guide-on');
      await shown(page, '.guess-choices .right');
    }
    if (name !== names.at(-1)) await page.click('#guide-on');
  }
  await page.click('#guide-back');
  await step(page, 'repair');
  await page.click('#guide-on');
  await step(page, 'rules');
  await page.click('#open-last');
  await shown(page, '#answer[data-shows*="rule=pdpd"]');
  const { shape, fits } = await answer(page);
  assert.deepEqual({ shape, fits }, { shape: '(2, 3)', fits: true });
  assert.equal(await page.inputValue('#axis'), '0');
  // The question that was there before comes back.
  await page.click('#undo');
  await page.waitForFunction(() => document.querySelector('#answer').dataset.state === 'guide');
  await page.click('#leave-guide');
  await shown(page, '#result-shape');
  assert.equal(await page.innerText('#result-shape'), '(5, 7)');
  await page.context().close();
});

test('it can be skipped, and goes on where it was left', async () => {
  const page = await playground.open('', still);
  await page.click('#take-guide');
  await goTo(page, 'missing');
  await page.click('#leave-guide');
  await shown(page, '#result-shape');
  assert.equal(await page.locator('#guide-offer').count(), 0);
  assert.notEqual(await page.evaluate(() => document.activeElement.localName), 'body');
  await page.click('#guide');
  await step(page, 'missing');
  await page.keyboard.press('Escape');
  await shown(page, '#result-shape');
  // From the list of keys.
  await page.click('#keys');
  await page.click('#keys-guide');
  await step(page, 'missing');
  await page.context().close();
});

test('`#guide` opens it, beside the question at hand', async () => {
  const page = await playground.open('guide', still);
  await step(page, 'shapes');
  assert.equal(await page.locator('#link-notice').count(), 0);
  await page.waitForFunction(() => /view=guide/.test(location.hash));
  await page.evaluate(() => (location.hash = 'v=1&rule=numpy&op=Add&in=(5,1)&in=(7)'));
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText === '(5, 7)');
  await page.evaluate(() => (location.hash = 'guide'));
  await step(page, 'shapes');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText === '(5, 7)');
  await page.context().close();
});

const offers = (page) => page.locator('#guide-offer').count();

test('it is offered once: not after a look, not after a refusal, not on a reload', async () => {
  const page = await playground.open();
  assert.equal(await offers(page), 1);
  // Below the answer, which it does not cover.
  const boxes = await page.evaluate(() =>
    ['#verdict', '#guide-offer', '.alignment'].map((selector) =>
      document.querySelector(selector).getBoundingClientRect(),
    ),
  );
  assert.ok(boxes[0].bottom <= boxes[1].top && boxes[1].bottom <= boxes[2].top, JSON.stringify(boxes));
  await page.click('#no-guide');
  await page.locator('#guide-offer').waitFor({ state: 'detached' });
  assert.notEqual(await page.evaluate(() => document.activeElement.localName), 'body');
  await page.reload();
  await page.waitForSelector('#verdict');
  assert.equal(await offers(page), 0);
  await page.context().close();

  // What was only seen is not offered again; nor is what was opened by other ways.
  for (const act of [async () => {}, (one) => one.click('#guide')]) {
    const other = await playground.open();
    await act(other);
    await other.goto('about:blank');
    await other.goto(`${playground.origin}/`);
    await other.waitForSelector('#verdict');
    assert.equal(await offers(other), 0);
    await other.context().close();
  }
});

test('it is not offered on links, in frames, on paper, or where nothing can be remembered', async () => {
  const link = await playground.open('v=1&rule=numpy&op=Add&in=(4,1)&in=(6)');
  assert.equal(await offers(link), 0);
  await link.context().close();

  const wrong = await playground.open('nothing-that-it-reads');
  assert.equal(await offers(wrong), 0);
  await wrong.context().close();

  const embed = await playground.open('', { query: '?embed' });
  assert.equal(await offers(embed), 0);
  // It was not offered there, so it is on the page itself.
  await embed.goto(`${playground.origin}/`);
  await embed.waitForSelector('#guide-offer');
  await embed.emulateMedia({ media: 'print' });
  assert.equal(await embed.isVisible('#guide-offer'), false);
  await embed.context().close();

  const host = await playground.browser.newPage();
  await host.setContent(`<iframe src="${playground.origin}/" width="900" height="700"></iframe>`);
  const frame = host.frameLocator('iframe');
  await frame.locator('#verdict').waitFor();
  assert.equal(await frame.locator('#guide-offer').count(), 0);
  await host.close();

  const denied = await playground.open('', {
    before: () =>
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      }),
  });
  assert.equal(await offers(denied), 0);
  await denied.click('#guide');
  await step(denied, 'shapes');
  await denied.context().close();
});

// What each step draws, in the order of the path, and each guess. `compared` axes are known, from the last one.
const first = [[4, 1], [6]];
const second = [[2, 3], [2]];
const pdpd = (axis) => ({ rule: 'pdpd', options: { axis }, shapes: second, whole: true });
const pictures = [
  { at: 'shapes', shapes: first, placed: false },
  { at: 'align', shapes: first },
  { at: 'missing', shapes: first, counted: true },
  { at: 'stretch', shapes: first, counted: true, compared: 1 },
  { at: 'result', shapes: first, counted: true, compared: 1 },
  { at: 'result', guess: 1, shapes: first, counted: true, compared: 1 },
  { at: 'result', guess: 3, shapes: first, counted: true, compared: 1 },
  { at: 'result', guess: 2, shapes: first, whole: true },
  { at: 'clash', shapes: second, whole: true },
  { at: 'repair', shapes: second, whole: true },
  {
    at: 'repair',
    guess: 1,
    shapes: [
      [2, 3],
      [1, 2],
    ],
    whole: true,
  },
  {
    at: 'repair',
    guess: 3,
    shapes: [
      [2, 3],
      [2, 2],
    ],
    whole: true,
  },
  {
    at: 'repair',
    guess: 2,
    shapes: [
      [2, 3],
      [2, 1],
    ],
    whole: true,
  },
  { at: 'rules', shapes: second, placed: false },
  { at: 'rules', guess: 2, ...pdpd(1) },
  { at: 'rules', guess: 3, ...pdpd(-1) },
  { at: 'rules', guess: 1, ...pdpd(0) },
];

test('every number of every picture, and which guess is right, is as the core says', async () => {
  const page = await playground.open('guide', still);
  for (const {
    at,
    guess,
    shapes,
    rule = 'numpy',
    options = {},
    counted,
    compared = 0,
    whole,
    placed = true,
  } of pictures) {
    if ((await page.getAttribute('main.guide', 'data-step')) !== at) await page.keyboard.press('ArrowRight');
    await step(page, at);
    const what = `${at} ${guess ?? ''}`;
    const aligned = bl.align(rule, shapes, options);
    if (guess) {
      await page.keyboard.press(String(guess));
      const button = await page.waitForSelector(`.guess-choices button:nth-child(${guess})[aria-pressed=true]`);
      const words = await button.innerText();
      const right = at === 'result' ? words.endsWith(shapeText(aligned.shape)) : aligned.shape !== null;
      assert.equal(await button.getAttribute('class'), right ? 'right' : 'wrong', words);
      assert.match(await page.textContent('.feedback'), right ? /is right\./ : /is wrong\./);
    }
    const { operands, result, cells, lit, text } = await drawing(page);
    const known = ({ axis }) => whole || axis >= aligned.axes.length - compared;
    const box = (axis, i) => {
      const { sourceAxis, extent, relation } = axis.cells[i];
      if (sourceAxis === null && !counted && !whole) return null;
      const repeated = known(axis) && (relation === 'stretch' || relation === 'insert') && axis.extent !== 1;
      return `${extent}${repeated ? ` ×${axis.extent}` : ''}`;
    };
    assert.deepEqual(
      operands,
      shapes.map((_, i) => aligned.axes.map((axis) => box(axis, i))),
      what,
    );
    assert.deepEqual(
      result,
      aligned.axes.map((axis) => (!whole ? '?' : axis.conflict ? '✕' : String(axis.extent))),
      what,
    );
    // A counts 0, 1, 2 ..., B 10, 20, 30 ...
    const flat = (shape, index) => index.reduce((sum, i, axis) => sum * shape[axis] + i, 0);
    const counts = (index) => shapes.map((shape, i) => [1, 10][i] * (flat(shape, aligned.sourceOf(i, index)) + i));
    const expected = {};
    if (whole && aligned.shape) {
      for (let n = 0; n < aligned.shape.reduce((a, b) => a * b, 1); ++n) {
        const index = [Math.floor(n / aligned.shape[1]), n % aligned.shape[1]];
        expected[index.join(',')] = String(counts(index).reduce((a, b) => a + b));
      }
    }
    assert.deepEqual(cells, expected, what);
    // The cell in hand and the elements that feed it are lit.
    assert.deepEqual(lit, whole && aligned.shape ? counts([1, 2]).map(String) : [], what);
    // The text in the picture's place says as much.
    for (const [i, shape] of shapes.entries()) assert.ok(text.includes(`${'AB'[i]} is ${shapeText(shape)}.`), text);
    assert.equal(text.includes('Axis 1'), placed, text);
    assert.equal(text.includes('Result'), whole === true, text);
    if (whole) assert.ok(text.includes(aligned.shape ? `Result: ${shapeText(aligned.shape)}.` : 'Result: none.'), text);
  }
  await page.context().close();
});

test('the repair is one that the core proposes', async () => {
  await bl.loadExplanations();
  const repairs = bl.align('numpy', [[2, 3], [2]]).repairs();
  assert.ok(
    repairs.some(({ operand, shape }) => operand === 1 && shapeText(shape) === '(2, 1)'),
    JSON.stringify(repairs),
  );
});

test('played, it goes from step to step, waits for guesses, and pauses', async () => {
  const page = await playground.open('guide', still);
  await page.clock.install();
  await step(page, 'shapes');
  const plays = (is) => page.locator('#guide-play', { hasText: is ? 'Pause' : 'Play' }).waitFor();
  await page.keyboard.press('Space');
  await plays(true);
  for (const name of ['align', 'missing', 'stretch', 'result']) {
    await page.clock.fastForward(60_000);
    await step(page, name);
  }
  // Whatever time passes, the guess is the reader's.
  await page.clock.fastForward(600_000);
  await page.keyboard.press('3');
  await picked(page, '(4, 7)');
  await page.clock.fastForward(600_000);
  await page.keyboard.press('2');
  await picked(page, '(4, 6)');
  await page.clock.fastForward(60_000);
  await step(page, 'clash');
  await page.keyboard.press('Space');
  await plays(false);
  await page.clock.fastForward(600_000);
  await page.keyboard.press('ArrowLeft');
  await step(page, 'result');
  // To the end, where it stops; then it begins anew.
  await page.keyboard.press('Space');
  await plays(true);
  for (const name of ['clash', 'repair']) {
    await page.clock.fastForward(60_000);
    await step(page, name);
  }
  await page.keyboard.press('2');
  await picked(page, '(2, 1)');
  await page.clock.fastForward(60_000);
  await step(page, 'rules');
  await page.keyboard.press('1');
  await picked(page, 'axis = 0');
  await page.clock.fastForward(60_000);
  await plays(false);
  await page.click('#guide-play');
  await step(page, 'shapes');
  await page.context().close();
});

test('where less motion is asked for nothing moves', async () => {
  const motion = (page) =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('.guide-picture *')].map((one) => getComputedStyle(one));
      const moves = ({ animationName, transitionDuration, transitionProperty }) =>
        animationName !== 'none' || (transitionProperty !== 'none' && !/^0s(, 0s)*$/.test(transitionDuration));
      return all.filter(moves).length;
    });
  for (const reducedMotion of ['reduce', 'no-preference']) {
    const page = await playground.open('guide', { reducedMotion });
    await goTo(page, 'clash');
    await page.keyboard.press('ArrowLeft');
    await step(page, 'result');
    await page.waitForSelector('.sum-box');
    assert.equal((await motion(page)) > 0, reducedMotion !== 'reduce');
    await page.context().close();
  }
});

test('nothing is wider than the screen, from 320 to 1920 px', async () => {
  for (const width of [320, 768, 1920]) {
    const page = await playground.open('guide', { ...still, viewport: { width, height: 700 } });
    const check = async (what) => {
      const { wide, small } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth - innerWidth,
        // Letters of pictures are as large as they are drawn.
        small: [...document.querySelectorAll('.guide-picture text')]
          .filter((text) => text.getBoundingClientRect().width > 0)
          .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a || 12)
          .filter((size) => size > 0 && size < 11.9),
      }));
      assert.ok(wide <= 0, `${what} at ${width}: ${wide}`);
      assert.deepEqual(small, [], `${what} at ${width}`);
    };
    for (const [i, name] of names.entries()) {
      await step(page, name);
      await check(name);
      const choices = await page.locator('.guess-choices button').count();
      for (let guess = 1; guess <= choices; ++guess) {
        await page.keyboard.press(String(guess));
        await page.waitForSelector(`.guess-choices button:nth-child(${guess})[aria-pressed=true]`);
        await check(`${name}, guess ${guess}`);
      }
      if (i === names.length - 1) break;
      if (choices > 0 && (await page.locator('.guess-choices .right').count()) === 0) {
        await page.keyboard.press('ArrowRight');
        await page.waitForSelector('.guess-choices .right');
      }
      await page.keyboard.press('ArrowRight');
    }
    await page.context().close();
  }
});

test('on a phone the next step begins in sight, below the controls', async () => {
  const page = await playground.open('guide', { ...still, viewport: { width: 320, height: 480 } });
  await goTo(page, 'result');
  await page.locator('.guess-choices button').nth(1).click();
  await shown(page, '.guess-choices .right');
  await page.locator('.feedback').scrollIntoViewIfNeeded();
  await page.click('#guide-on');
  await step(page, 'clash');
  const { text, controls } = await page.evaluate(() => ({
    text: document.querySelector('.step-text').getBoundingClientRect().top,
    controls: document.querySelector('.guide-controls').getBoundingClientRect().bottom,
  }));
  assert.ok(text >= controls && text < 480, `${text}, ${controls}`);
  await page.context().close();
});

test('for screen readers a step is one sentence and one picture', async () => {
  const page = await playground.open('guide', still);
  const seen = await page.evaluate(() => ({
    regions: document.querySelectorAll('main.guide :is([aria-live], [role=status], [role=alert])').length,
    pictures: document.querySelectorAll('main.guide [role=img][aria-label]').length,
    buttons: document.querySelectorAll('main.guide [role=status] :is(button, a)').length,
  }));
  assert.deepEqual(seen, { regions: 1, pictures: 1, buttons: 0 });
  await page.context().close();
});

test('every term is explained where it is pressed, and Escape closes the note alone', async () => {
  const page = await playground.open('guide', still);
  const found = [];
  for (const name of names) {
    await step(page, name);
    for (const word of await page.locator('.step-text button').all()) {
      found.push(await word.innerText());
      await word.click();
      await page.locator('main.guide [role=dialog]').waitFor();
      assert.match(await page.innerText('main.guide [role=dialog]'), /\w.*\(/s);
      await page.keyboard.press('Escape');
      await page.locator('main.guide [role=dialog]').waitFor({ state: 'detached' });
      await step(page, name);
    }
    if (name === names.at(-1)) break;
    if ((await page.locator('.guess-choices').count()) > 0) {
      await page.click('#guide-on');
      await shown(page, '.guess-choices .right');
    }
    await page.click('#guide-on');
  }
  assert.deepEqual(found, ['shape', 'axis', 'Broadcasting', 'rank', 'extents', 'stretches', 'axis']);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
