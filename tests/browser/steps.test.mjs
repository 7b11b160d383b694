// Step by step: under every rule, for shapes that fit and for shapes that clash, each step says what its picture shows, and the
// answer is neither seen nor heard before the last.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { openPlayground, shapeText } from './playground.mjs';

let bl;
let playground;
before(async () => {
  bl = await load();
  playground = await openPlayground();
});
after(() => playground.close());

const still = { reducedMotion: 'reduce' };
const stages = ['written', 'aligned', 'stretched', 'result'];

// A question for each rule, what its sentences say in the steps, and the result.
const examples = [
  ['none', 'op=Mul&in=(3,4)&in=(3,4)', /at the right/, /repeats nothing/, '(3, 4)'],
  [
    'numpy',
    'op=Add&in=(4,1)&in=(6,)',
    /B has nothing on the result's axis 0: it counts as 1/,
    /its one row is used for each of A's 4 rows.*its one column is used for each of B's 6 columns/,
    '(4, 6)',
  ],
  [
    'onnx_multidirectional',
    'op=Max&in=(1,4,5)&in=(2,3,1,1)&in=(5,)',
    /C has nothing on the result's axes 0, 1 and 2: they count as 1/,
    /A has nothing on the result's axis 0, which counts as 1: its elements.* And 4 more like these\./,
    '(2, 3, 4, 5)',
  ],
  [
    'onnx_unidirectional',
    'op=PRelu&in=(2,3,4,5)&in=(1,3,1,5)',
    /at the right/,
    /B has extent 1 on the result's axis 0: its elements are used again for each of A's 2 indexes/,
    '(2, 3, 4, 5)',
  ],
  [
    'pdpd',
    'op=Add&in=(2,3,4,5)&in=(3,4,1)&axis=1',
    /axis puts B's axis 0 on axis 1 of A.*B's axis 2 is 1 and is left out/,
    /B has nothing on the result's axis 3, which counts as 1: its elements are used again for each of A's 5 indexes/,
    '(2, 3, 4, 5)',
  ],
  ['bidirectional', 'op=Broadcast&in=(3,1)&target=(2,1,6)', /at the right/, /the target's 6 indexes/, '(2, 3, 6)'],
  [
    'broadcast_numpy',
    'op=Broadcast&in=(3,)&target=(2,3)',
    /A has nothing on the result's axis 0/,
    /the target's 2 rows/,
    '(2, 3)',
  ],
  [
    'explicit',
    'op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]',
    /axes_mapping puts axis 0 of A on axis 1 and axis 1 of A on axis 2/,
    /the target's 5 indexes/,
    '(2, 3, 4, 5)',
  ],
  ['sonnx', 'op=Broadcast&in=(1,3)&in=(2,1)', /at the right/, /A's 3 columns/, '(2, 3)'],
];

const clashes = [
  [
    'numpy',
    'op=Add&in=(2,3)&in=(2,)',
    /B has nothing on the result's axis 0/,
    /^Axis 1, mismatch: A is 3, B is 2\./,
    /on axis 1 clash/,
  ],
  ['none', 'op=Mul&in=(3,4)&in=(3,5)', /at the right/, /Axis 1, mismatch: /, /on axis 1 clash/],
  ['onnx_unidirectional', 'op=PRelu&in=(3,1)&in=(3,4)', /at the right/, /Axis 1, mismatch: /, /on axis 1 clash/],
  [
    'pdpd',
    'op=Add&in=(2,3,4,5)&in=(4,3)&axis=1',
    /axis 1 of A/,
    /Axis 1, mismatch: .*Axis 2, mismatch: /,
    /on axes 1 and 2 clash/,
  ],
  ['pdpd', 'op=Add&in=(2,3)&in=(3,4)&axis=1', /does not place/, /nothing to compare/, /not every axis has a place/],
  [
    'explicit',
    'op=Broadcast&in=(3,4)&target=(2,3)&mapping=[0,1]',
    /axis 0 of A on axis 0/,
    /Axis 0, mismatch: /,
    /clash/,
  ],
];

const fragment = (rule, rest) => `v=1&rule=${rule}&${rest.replace('&in=', '&type=f32&in=')}`;

// Opens a question in a step, in the same page.
async function go(page, question, step) {
  await page.evaluate((hash) => (location.hash = hash), `${question}${step === 'result' ? '' : `&step=${step}`}`);
  await page.waitForFunction(
    ([text, wanted]) =>
      document.querySelector('#answer').dataset.shows.replace(/&step=.*/, '') === text &&
      document.querySelector('.alignment')?.dataset.step === wanted,
    [decodeURIComponent(question), step],
  );
}
const sentence = (page, says) =>
  page.waitForFunction(
    (text) => new RegExp(text).test(document.querySelector('.telling')?.innerText ?? ''),
    says.source,
  );

/** All that a screen reader finds in the answer, and all that is seen of it. */
const heard = (page) => page.locator('#answer').ariaSnapshot();
const seen = (page) => page.innerText('#answer');

async function keepsBack(page, texts) {
  const [toHear, toSee] = [await heard(page), await seen(page)];
  for (const text of texts) {
    assert.ok(!toHear.includes(text), `heard: ${text}`);
    assert.ok(!toSee.includes(text), `seen: ${text}`);
  }
}

test('under every rule each step says what it shows, and the answer comes last', async () => {
  const page = await playground.open('', still);
  assert.deepEqual(examples.map(([rule]) => rule).sort(), Object.keys(bl.vocabulary?.rules ?? {}).sort());
  for (const [rule, rest, aligned, stretched, shape] of examples) {
    const question = fragment(rule, rest);
    for (const [step, says] of [
      ['written', /its own axes/],
      ['aligned', aligned],
      ['stretched', stretched],
    ]) {
      await go(page, question, step);
      await sentence(page, says);
      await page.waitForSelector('#show-answer');
      // The shape may be that of an operand or of the target.
      const given = rest.replaceAll(',', ', ').includes(shape.replace(',)', ', )'));
      await keepsBack(page, ['fits', 'out[', ...(given ? [] : [shape])]);
      assert.equal(await page.locator('.outcome-axis .extent').first().isVisible(), false);
      const grid = page.locator('#grid-result');
      assert.equal(await grid.isVisible(), step === 'stretched', `${rule}, ${step}`);
      if (step === 'stretched') assert.equal(await grid.getAttribute('aria-label'), 'The operands in their places');
      await page.click('#step-on');
    }
    await page.waitForFunction(() => document.querySelector('.alignment').dataset.step === 'result');
    await sentence(page, new RegExp(shape.replace(/[()]/g, '\\$&')));
    assert.equal(await page.innerText('#result-shape'), shape);
    assert.ok(await page.locator('#arithmetic').isVisible());
    assert.equal(await page.locator('#show-answer').count(), 0);
  }
  await page.context().close();
});

test('each cell of the step "stretched" names the elements that the result takes', async () => {
  const page = await playground.open(`${fragment('numpy', 'op=Add&in=(4,1)&in=(6,)')}&step=stretched`, still);
  const cells = await page.locator('#grid-result [role=gridcell]').evaluateAll((all) =>
    all.map((cell) => ({
      index: cell.dataset.index,
      parts: [...cell.querySelectorAll('.part')].map(({ textContent }) => textContent),
    })),
  );
  assert.equal(cells.length, 24);
  for (const { index, parts } of cells) {
    const [row, column] = index.split(',').map(Number);
    assert.deepEqual(parts, [`A [${row}, 0] = ${row}`, `B [${column}] = ${10 * (column + 1)}`]);
  }
  await page.context().close();
});

test('a clash is shown when extents are compared, and its repair in the last step', async () => {
  const page = await playground.open('', still);
  for (const [rule, rest, aligned, stretched, last] of clashes) {
    const question = fragment(rule, rest);
    await go(page, question, 'aligned');
    await sentence(page, aligned);
    await keepsBack(page, ['does not fit', 'not possible', 'clash']);
    // Nor are extents marked in their fields.
    assert.equal(await page.locator('.mirror mark.clash').count(), 0);
    await page.click('#step-on');
    await sentence(page, stretched);
    await keepsBack(page, ['does not fit', 'not possible']);
    await page.click('#step-on');
    await sentence(page, last);
    await page.locator('.badge.fails').waitFor();
    await page.locator('.repairs').waitFor();
    // Where to go on is said of a clash, on the page alone.
    assert.equal(await page.locator('.telling .goes-on').count(), /clash/.test(last.source) ? 1 : 0, rest);
  }
  await page.context().close();
});

test('of rank 0, 1, 8 and 32, and with results too large, too many or none to draw', async () => {
  const page = await playground.open('', still);
  const ones = (rank, ...extents) =>
    shapeText([...Array(rank - extents.length).fill(1), ...extents]).replaceAll(' ', '');
  for (const [rest, aligned, stretched, last] of [
    ['in=()&in=()', /no axes to line up/, /Nothing has to be repeated/, /one number/],
    ['in=(3,)&in=()', /B has nothing on the result's axis 0/, /A's 3 elements/, /\(3,\)/],
    [`in=${ones(8, 2, 3)}&in=${ones(8, 2, 1)}`, /at the right/, /A's 3 indexes/, /2, 3\)/],
    [`in=${ones(32, 2, 3)}&in=(3,)`, /B has nothing on 31 of the result's axes/, /A's 2 indexes/, /of 32 axes/],
    ['in=(4000,1)&in=(6000,)', /at the right/, /B's 6000 columns/, /24,000,000 elements/],
    ['in=(3037000499,3037000499)&in=()', /B has nothing on the result's axes 0 and 1/, /rows/, /3037000499\)\./],
    ['in=(0,3)&in=(3,)', /B has nothing on the result's axis 0/, /A's 0 rows/, /no elements/],
  ]) {
    const question = fragment('numpy', `op=Add&${rest}`);
    await go(page, question, 'written');
    await page.waitForSelector('#show-answer');
    for (const says of [aligned, stretched, last]) {
      await page.click('#step-on');
      await sentence(page, says);
    }
    await page.waitForFunction(() => !document.querySelector('#answer.held'));
  }
  await page.context().close();
});

test('nothing moves from step to step, and nothing is cut off, at 1280 and at 320 pixels', async () => {
  for (const width of [1280, 320]) {
    const page = await playground.open(`${fragment('numpy', 'op=Add&in=(4,1)&in=(6,)')}&step=written`, {
      ...still,
      viewport: { width, height: 800 },
    });
    const places = [];
    for (const step of stages) {
      await page.waitForFunction((wanted) => document.querySelector('.alignment').dataset.step === wanted, step);
      await page.waitForFunction(() => document.querySelector('.telling')?.innerText);
      places.push(
        await page.evaluate(() => {
          const top = (selector) => document.querySelector(selector).getBoundingClientRect().top + scrollY;
          const { scrollWidth } = document.documentElement;
          return { table: top('.alignment table'), grids: top('.grids-section'), wide: scrollWidth > innerWidth };
        }),
      );
      if (step !== 'result') await page.click('#step-on');
    }
    for (const place of places) assert.deepEqual(place, { ...places[0], wide: false }, `${width}`);
    await page.context().close();
  }
});

test('by keyboard alone: playing, the slider, showing the answer; undo goes back by one step', async () => {
  const page = await playground.open(fragment('numpy', 'op=Add&in=(4,1)&in=(6,)'), still);
  await page.focus('#play-steps');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.alignment[data-step=written]');
  assert.ok(await page.locator('#play-steps').evaluate((button) => button === document.activeElement));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#play-steps').innerText.includes('Step by step'));
  await page.focus('#step');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.alignment[data-step=aligned]');
  assert.ok(await page.locator('#step').evaluate((slider) => slider === document.activeElement));
  await page.focus('#show-answer');
  await page.keyboard.press('Enter');
  await page.locator('#result-shape').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'verdict');
  // Moving about in the steps is one step for undo.
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => !document.querySelector('#undo:not([aria-disabled=true])'));
  await page.waitForSelector('.alignment[data-step=result]');
  await page.context().close();
});

test('playing goes to the end, where the cells come one after the other; the sentence alone is announced', async () => {
  const page = await playground.open(`${fragment('numpy', 'op=Add&in=(2,1)&in=(2,)')}&step=aligned`);
  await page.waitForSelector('#play-steps');
  assert.equal(await page.locator('#verdict [aria-live=polite]').count(), 0);
  assert.equal(await page.locator('.step-sentence [aria-live=polite]').count(), 1);
  await page.click('#play-steps');
  await page.waitForSelector('.alignment[data-step=result]', { timeout: 60_000 });
  await page.locator('#result-shape').waitFor();
  await page.waitForFunction(() => document.querySelector('#play-steps').innerText.includes('Step by step'));
  const order = await page
    .locator('#grid-result [role=gridcell]')
    .evaluateAll((cells) => cells.map((cell) => cell.style.getPropertyValue('--after')));
  assert.deepEqual(order, ['0', '1', '2', '3']);
  assert.equal(await page.locator('#verdict [aria-live=polite]').count(), 0);
  // By hand they come at once; another question is announced again.
  await page.click('#step-back');
  await page.waitForSelector('.alignment[data-step=stretched]');
  await page.click('#step-on');
  await page.waitForFunction(
    () => document.querySelector('#grid-result [role=gridcell]')?.style.getPropertyValue('--after') === '',
  );
  await page.fill('#operand-0', '(3, 1)');
  await page.waitForSelector('#verdict [aria-live=polite]', { state: 'attached' });
  await page.context().close();
});

test('shapes with unknown extents and malformed shapes keep no answer back', async () => {
  for (const rest of ['in=(N,3)&in=(3,)', 'in=(4,x!)&in=(3,)']) {
    const page = await playground.open(`${fragment('numpy', `op=Add&${rest}`)}&step=written`, still);
    await page.waitForSelector('#verdict .headline');
    assert.equal(await page.locator('#answer.held').count(), 0);
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
