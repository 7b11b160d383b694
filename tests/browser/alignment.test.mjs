// The alignment: lines lead from each axis to the result's, strides are the core's, every clash is named, and the steps can
// be chosen by pointer, keyboard and link.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { answer, arrived, follow, openPlayground, type } from './playground.mjs';

let bl;
let playground;
before(async () => {
  bl = await load();
  playground = await openPlayground();
});
after(() => playground.close());

const still = { reducedMotion: 'reduce' };
const step = (page) => page.getAttribute('.alignment', 'data-step');
const atStep = (page, name) =>
  page.waitForFunction((wanted) => document.querySelector('.alignment')?.dataset.step === wanted, name);

// The threads as they are drawn: whose row, from which axis of its own (by the cell that stands where it starts) to which
// axis of the result (by the cell where it ends), and whether it is straight.
async function threads(page) {
  await page.waitForSelector('.axis-lines path', { state: 'attached' });
  return page.evaluate(() => {
    const svg = document.querySelector('.axis-lines').getBoundingClientRect();
    const rows = [...document.querySelectorAll('.alignment tbody tr')];
    const cellsOf = (row) => [...row.cells].slice(1).map((cell) => cell.firstElementChild);
    const axisAt = (row, x) =>
      cellsOf(row).findIndex((cell) => {
        const { left, right, width } = cell.getBoundingClientRect();
        return width > 0 && cell.dataset.relation !== 'insert' && left <= x && x <= right;
      });
    // A path holds all threads that meet the result in one way.
    const pieces = [...document.querySelectorAll('.axis-lines .run')].flatMap((path) =>
      path
        .getAttribute('d')
        .match(/M[^M]+/g)
        .map((d) => {
          const piece = path.cloneNode();
          piece.setAttribute('d', d);
          return piece;
        }),
    );
    const drawn = pieces.map((path) => {
      const end = path.getPointAtLength(path.getTotalLength());
      const start = path.getPointAtLength(0);
      const row = rows.findIndex((line) => {
        const { top, bottom } = line.getBoundingClientRect();
        return top <= svg.top + start.y && svg.top + start.y <= bottom;
      });
      const cell = cellsOf(rows[row])[axisAt(rows[row], svg.left + start.x)];
      const own = cell.querySelector('.own').innerText.match(/axis (\d+)/)?.[1];
      return {
        row,
        own: Number(own),
        to: axisAt(rows.at(-1), svg.left + end.x),
        straight: Math.abs(start.x - end.x) < 0.01,
      };
    });
    return drawn.sort((a, b) => a.row - b.row || a.to - b.to);
  });
}

// Which questions, and what the core says of them: [row, own axis, axis of the result].
const questions = [
  ['v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)', ['numpy', [[4, 1], [6]]]],
  [
    'v=1&rule=pdpd&op=Add&type=f32&in=(2,3,4,5)&in=(3,4,1)&axis=1',
    [
      'pdpd',
      [
        [2, 3, 4, 5],
        [3, 4, 1],
      ],
      { axis: 1 },
    ],
  ],
  [
    'v=1&rule=explicit&op=Broadcast&type=f32&in=(3,5)&target=(2,3,4,5)&mapping=[1,3]',
    ['explicit', [[3, 5]], { targetShape: [2, 3, 4, 5], axesMapping: [1, 3] }],
  ],
  [
    'v=1&rule=numpy&op=Add&type=f32&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)',
    [
      'numpy',
      [
        [2, 1, 3, 1, 2, 1, 4, 5],
        [3, 1, 2, 1, 3, 1, 5],
      ],
    ],
  ],
  [
    'v=1&rule=numpy&op=Max&type=f32&in=(2,3)&in=(2,2)&in=(5,1)',
    [
      'numpy',
      [
        [2, 3],
        [2, 2],
        [5, 1],
      ],
    ],
  ],
];

test('a line leads from each axis of an operand to its axis of the result, in every step', async () => {
  const page = await playground.open('', still);
  for (const [fragment, [rule, shapes, options]] of questions) {
    const { axes } = bl.align(rule, shapes, options);
    const target = axes[0].target !== null;
    const wanted = [];
    for (let row = 0; row < shapes.length + (target ? 1 : 0); ++row) {
      axes.forEach(({ cells, target: to }, axis) => {
        const { sourceAxis } = cells[row] ?? to;
        if (sourceAxis !== null) wanted.push({ row, own: sourceAxis, to: axis });
      });
    }
    for (const name of ['written', 'aligned', 'stretched', '']) {
      await follow(page, `${fragment}${name && `&step=${name}`}`);
      await atStep(page, name || 'result');
      const drawn = await threads(page);
      assert.deepEqual(
        drawn.map(({ row, own, to }) => ({ row, own, to })),
        wanted,
        `${fragment} ${name}`,
      );
      for (const { own, to, straight } of drawn) assert.equal(straight, name !== 'written' || own === to);
    }
  }
  await page.context().close();
});

test('lines cross if a mapping permutes axes', async () => {
  const page = await playground.open(
    `v=1&rule=explicit&op=Broadcast&type=f32&in=(3,4)&target=(2,3,4,5)&mapping=[2,1]&step=written`,
    still,
  );
  const drawn = (await threads(page)).filter(({ row }) => row === 0);
  assert.deepEqual(drawn.map(({ own, to }) => [own, to]).sort(), [
    [0, 2],
    [1, 1],
  ]);
  await page.context().close();
});

test('strides are those of the core', async () => {
  const page = await playground.open('', still);
  for (const [fragment, [rule, shapes, options]] of questions.slice(0, 4)) {
    await follow(page, fragment);
    const aligned = bl.align(rule, shapes, options);
    for (const [row, shape] of shapes.entries()) {
      const flat = (index) => aligned.sourceOf(row, index).reduce((at, i, axis) => at * shape[axis] + i, 0);
      const shown = await page
        .locator('.alignment tbody tr')
        .nth(row)
        .locator('td')
        .evaluateAll((cells) => cells.map((cell) => cell.querySelector('.below').innerText));
      const none = aligned.shape.map(() => 0);
      aligned.axes.forEach(({ extent, cells }, axis) => {
        if (extent < 2) return;
        const steps = flat(none.with(axis, 1)) - flat(none);
        const leftOut = cells[row].clause === 'pdpd.5';
        assert.equal(shown[axis], leftOut ? 'ignored' : `stride ${steps}`, `${fragment}: operand ${row}, axis ${axis}`);
      });
    }
  }
  // What has no elements has nothing to step over, and no number is too large.
  await type(page, { rule: 'numpy', inputs: ['3,0', '1'] });
  await type(page, { rule: 'numpy', inputs: ['2,4294967296,2147483647', '1'], dtype: 'u8' });
  assert.match(await page.innerText('.alignment tbody'), /stride 9223372032559808512/);
  await page.context().close();
});

test('every clash is named, not only the first', async () => {
  const page = await playground.open(`v=1&rule=numpy&op=Max&type=f32&in=(2,3,4)&in=(3,3,5)&in=(7,1,6)`, still);
  const conflicts = bl.align('numpy', [
    [2, 3, 4],
    [3, 3, 5],
    [7, 1, 6],
  ]).conflicts;
  assert.equal(conflicts.length, 4);
  const why = await page.innerText('.alignment tfoot');
  for (const { operand, extent, otherOperand, otherExtent } of conflicts) {
    const [one, other] = [operand, otherOperand].map((i) => 'ABC'[i]);
    // Those that clash with the same operand are in one sentence.
    assert.match(why, new RegExp(`Mismatch: ${other} is ${otherExtent}[,;] ([^.]*; )?${one} is ${extent}[.;]`));
  }
  const crosses = await page
    .locator('.axis-lines .clashes .ends')
    .evaluateAll((paths) => paths.flatMap((path) => path.getAttribute('d').match(/M/g)));
  assert.equal(crosses.length, 6);
  assert.equal((await answer(page)).clashes, 6);
  await page.context().close();
});

test('the steps: written, aligned, stretched, result', async () => {
  const page = await playground.open(`v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)`, still);
  assert.equal(await step(page), 'result');
  const left = (row, column) =>
    page
      .locator('.alignment tbody tr')
      .nth(row)
      .locator('.axis-cell')
      .nth(column)
      .evaluate((cell) => cell.getBoundingClientRect().left);
  const seen = async () => ({
    repeats: await page.locator('.alignment .times:not(:empty)').first().isVisible(),
    result: await page.locator('.outcome-axis .extent').first().isVisible(),
    why: await page.locator('.alignment tfoot').isVisible(),
    answer: await page.locator('#result-shape').isVisible(),
  });
  const top = () => page.locator('.grids-section').evaluate((part) => part.getBoundingClientRect().top);
  await arrived(page);
  const [first, second] = [await left(0, 0), await left(0, 1)];
  assert.deepEqual(await seen(), { repeats: true, result: true, why: true, answer: true });
  await page.click('#step-back');
  await atStep(page, 'stretched');
  await page.waitForSelector('.telling code, .telling:not(:empty)');
  const place = await top();
  assert.deepEqual(await seen(), { repeats: true, result: false, why: false, answer: false });
  await page.click('#step-back');
  await atStep(page, 'aligned');
  assert.deepEqual(await seen(), { repeats: false, result: false, why: false, answer: false });
  assert.equal(await left(1, 1), second);
  await page.click('#step-back');
  await atStep(page, 'written');
  // B's only axis stands first, as it is written.
  assert.equal(await left(1, 1), first);
  assert.equal(await page.getAttribute('#step-back', 'aria-disabled'), 'true');
  await page.click('#step-back', { force: true });
  assert.equal(await step(page), 'written');
  // Nothing else moves.
  assert.equal(await top(), place);
  await page.click('#step-on');
  await atStep(page, 'aligned');
  await page.waitForFunction(() => location.hash.endsWith('&step=aligned'));
  // One looked about, and goes back by one step.
  await page.click('[aria-label="Undo"]');
  await atStep(page, 'result');
  await page.context().close();
});

test('the keyboard goes through the steps, and each is announced', async () => {
  const page = await playground.open(`v=1&rule=pdpd&op=Add&type=f32&in=(2,3,4,5)&in=(3,4)&axis=1`, still);
  const slider = page.getByRole('slider', { name: 'Step', exact: true });
  await slider.focus();
  const said = () => page.innerText('.telling');
  assert.equal(await slider.getAttribute('aria-valuetext'), '4 of 4, result');
  assert.equal(await page.getAttribute('.telling', 'aria-live'), 'polite');
  for (const [key, name, says] of [
    ['ArrowLeft', 'stretched', /used again for each of A's 2 indexes\./],
    ['ArrowLeft', 'aligned', /^axis puts B's axis 0 on axis 1 of A; its other axes follow\./],
    ['Home', 'written', /its own axes/],
    ['ArrowRight', 'aligned', /B has nothing on the result's axes 0 and 3: they count as 1\./],
    ['End', 'result', /the result is \(2, 3, 4, 5\)/],
  ]) {
    await page.keyboard.press(key);
    await atStep(page, name);
    assert.match(await said(), says);
    assert.match(await slider.getAttribute('aria-valuetext'), new RegExp(`of 4, ${name}$`));
  }
  await page.focus('#play-steps');
  await page.keyboard.press('Enter');
  await atStep(page, 'written');
  assert.match(await page.innerText('#play-steps'), /Pause/);
  await page.waitForFunction(() => document.querySelector('.alignment')?.dataset.step === 'aligned', null, {
    timeout: 30_000,
  });
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#play-steps').innerText.includes('Step by step'));
  await page.context().close();
});

test('animations end in place, and reduced motion has none', async () => {
  // Where the cell of B is, frame by frame, from the press on. The frames are the test's own: a slow machine may draw none
  // in the time that the animation takes.
  const track = (page) =>
    page.evaluate(async () => {
      const cell = document.querySelectorAll('.alignment tbody tr')[1].querySelectorAll('.axis-cell')[1];
      const places = [cell.getBoundingClientRect().left];
      const frames = [];
      globalThis.requestAnimationFrame = (draw) => frames.push(draw);
      const begun = performance.now();
      document.querySelector('#step-on').click();
      for (let i = 0; i < 200 && document.querySelector('.axis-lines.fore'); ++i) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        for (const draw of frames.splice(0)) draw(begun + 50 * i);
        places.push(cell.getBoundingClientRect().left);
      }
      return [...new Set(places)];
    });
  const fragment = `v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&step=written`;
  for (const [reducedMotion, least, most] of [
    ['reduce', 2, 2],
    ['no-preference', 3, 200],
  ]) {
    const page = await playground.open(fragment, { reducedMotion });
    await page.waitForSelector('.axis-lines.fore');
    const places = await track(page);
    assert.ok(places.length >= least && places.length <= most, `${reducedMotion}: ${places}`);
    const second = await page
      .locator('.alignment tbody td:nth-child(3)')
      .first()
      .evaluate((cell) => cell.getBoundingClientRect().left);
    assert.ok(Math.abs(places.at(-1) - second) < 3, `${places.at(-1)}, not ${second}`);
    await page.context().close();
  }
});

test('unknown steps in links are the last step, and a wide alignment scrolls by keyboard at 320 pixels', async () => {
  const page = await playground.open(
    `v=1&rule=numpy&op=Add&type=f32&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)&step=nonsense`,
    {
      ...still,
      viewport: { width: 320, height: 700 },
    },
  );
  assert.equal(await step(page), 'result');
  await page.waitForSelector('#step');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  const box = page.getByRole('region', { name: 'The axes, scrolling' });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.alignment .scroll').scrollLeft > 0);
  // Operands stay in view while axes scroll.
  assert.ok(
    (await page
      .locator('.alignment tbody th')
      .first()
      .evaluate((th) => th.getBoundingClientRect().left)) >= 0,
  );
  // What a cell says stays within it.
  const cut = await page
    .locator('.alignment .axis-cell')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 1).length);
  assert.equal(cut, 0);
  await page.context().close();
});

test('on a small screen the axis that clashes is scrolled into sight, also after a change', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(8,64,56,56)&in=(64,)', {
    ...still,
    viewport: { width: 320, height: 640 },
  });
  const inSight = (column) =>
    page.waitForFunction((at) => {
      const box = document.querySelector('.alignment .scroll').getBoundingClientRect();
      const cell = document.querySelector(`.alignment tfoot td:nth-child(${at + 2})`);
      const label = document.querySelector('.alignment tfoot th').getBoundingClientRect();
      const { left, right } = cell.getBoundingClientRect();
      return cell.className === 'clash' && left >= label.right && right <= box.right + 1;
    }, column);
  await inSight(3);
  await page.fill('#operand-1', '(2, 64, 56, 56)');
  await inSight(0);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
