// Predict: questions that the core decides, mistakes that are recognised, and a round played with the keyboard alone.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { imported } from './modules.mjs';
import { openPlayground, shapeText } from './playground.mjs';

const { loadEngine } = await imported('engine/engine.ts');
const { drawQuestion, levels, ask } = await imported('predict/questions.ts');
const { judge } = await imported('predict/judge.ts');
const { faultsIn } = await imported('predict/field-faults.ts');
const { after: afterAnswer, perLevel } = await imported('predict/session.ts');
const core = await loadEngine();

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const seeds = Array.from({ length: 60 }, (_, i) => 1 + i * 7919);
const entryOf = (rule) => core.vocabulary.rules.find(({ name }) => name === rule);

// A question made by hand; what it gives is the core's to say, here too.
const question = (rule, shapes, options = {}) => ({
  rule,
  shapes,
  ...options,
  level: 1,
  seed: 1,
  entry: entryOf(rule),
  alignment: ask(core, { rule, shapes, ...options }),
});
const shape = (...extents) => ({ kind: 'shape', shape: extents });
const clash = (axis, operand = null) => ({ kind: 'clash', axis, operand });
const field = (detail, entry = null) => ({ kind: 'field', detail, entry });

describe('questions', () => {
  test('every level finds its questions, some that fit and some that do not, the same for the same seed', () => {
    for (let level = 1; level <= levels.length; ++level) {
      const asked = seeds.map((seed) => drawQuestion(core, level, seed));
      const failing = asked.filter(({ alignment }) => alignment.failure).length;
      assert.ok(failing > 0 && failing < asked.length, `level ${level}: ${failing}`);
      const texts = asked.map(({ rule, shapes, targetShape, axis }) =>
        JSON.stringify([rule, shapes, targetShape, axis]),
      );
      assert.ok(new Set(texts).size > seeds.length / 4, `level ${level} repeats itself`);
      const again = drawQuestion(core, level, seeds[3]);
      assert.deepEqual(again.shapes, asked[3].shapes);
    }
  });

  // Links are for ever: who opens an old one meets the question that it was made for.
  test('a level and a seed always give the same question', () => {
    const text = ({ rule, shapes, axis, targetShape, axesMapping }) =>
      JSON.stringify([rule, shapes, axis, targetShape, axesMapping]);
    assert.equal(text(drawQuestion(core, 8, 17)), '["pdpd",[[2,9,6,4],[8,6]],1,null,null]');
    assert.equal(text(drawQuestion(core, 10, 17)), '["bidirectional",[[1]],null,[8,6,1],null]');
    const digests = [
      '4f7fed080ec01106',
      'd5eabcfb15bc6f1f',
      '2cfdbf78ca8aa2dc',
      '39eebc4e796d1f77',
      '854d3cdb6c71a310',
      'd4252017dee1c625',
      'b372b15a5cff2959',
      '87015ae7d2258622',
      'f74ec810fdcd8d5e',
      '5fdb18489383359b',
      '4e4046a7a065b181',
    ];
    for (const [i, digest] of digests.entries()) {
      const asked = Array.from({ length: 200 }, (_, k) => text(drawQuestion(core, i + 1, k + 1)));
      const made = createHash('sha256').update(asked.join('\n')).digest('hex');
      assert.equal(made.slice(0, 16), digest, `level ${i + 1}`);
    }
  });

  test('each level shows what it is about', () => {
    const relations = ({ alignment }) => alignment.axes.flatMap(({ cells }) => cells.map(({ relation }) => relation));
    const fitting = (level) =>
      seeds.map((seed) => drawQuestion(core, level, seed)).filter(({ alignment }) => !alignment.failure);
    for (const asked of fitting(1)) assert.ok(relations(asked).every((relation) => relation === 'match'));
    for (const asked of fitting(2))
      assert.equal(relations(asked).filter((relation) => relation === 'stretch').length, 1);
    for (const { shapes, alignment } of fitting(3))
      for (const own of shapes) assert.notEqual(shapeText(own), shapeText(alignment.output));
    for (const asked of fitting(4)) assert.ok(relations(asked).includes('insert'));
    for (const { shapes } of fitting(5)) assert.ok(shapes.some((own) => own.length === 0 || own.includes(0)));
    for (const { shapes } of fitting(7)) assert.equal(shapes.length, 3);
    for (const { rule } of fitting(8)) assert.equal(rule, 'pdpd');
    for (const { rule } of fitting(9)) assert.equal(rule, 'explicit');
    assert.equal(new Set(fitting(10).map(({ rule }) => rule)).size, 3);
    assert.ok(new Set(fitting(11).map(({ rule }) => rule)).size > 3);
    // The field itself is wrong, in every way that there is a word for, and never beside a clash.
    for (const [level, rule, name] of [
      [12, 'pdpd', 'axis'],
      [13, 'explicit', 'axes_mapping'],
    ]) {
      const asked = seeds.map((seed) => drawQuestion(core, level, seed));
      assert.ok(asked.every((question) => question.rule === rule));
      const wrong = asked.filter(({ alignment }) => alignment.failure?.class === name);
      assert.deepEqual(
        [...new Set(wrong.map(({ alignment }) => alignment.failure.detail))].sort(),
        Object.keys(faultsIn(name)).sort(),
      );
      for (const { alignment } of wrong) assert.deepEqual(alignment.conflicts, []);
    }
    assert.ok(fitting(12).some(({ axis }) => axis === -1));
  });

  test('the core’s own answer is always right, and no other shape is', () => {
    for (let level = 1; level <= levels.length; ++level) {
      for (const seed of seeds) {
        const asked = drawQuestion(core, level, seed);
        const { failure, output, conflicts } = asked.alignment;
        if (!failure) {
          assert.equal(judge(core, asked, shape(...output)).right, true);
          assert.equal(judge(core, asked, shape(...output, 2)).right, false);
          assert.equal(judge(core, asked, clash(0)).right, false);
        } else {
          assert.equal(judge(core, asked, shape(...output)).right, false);
          for (const { axis, operand } of conflicts) assert.equal(judge(core, asked, clash(axis, operand)).right, true);
          if (faultsIn(failure.class))
            assert.equal(judge(core, asked, field(failure.detail, failure.operandAxis)).right, true);
          if (failure.class === 'rank') assert.equal(judge(core, asked, clash(null)).right, true);
        }
        // Something is said to everything that is wrong.
        for (const said of [
          shape(),
          shape(3, 3, 3),
          shape(...output, ...output, 2),
          clash(0),
          clash(null),
          field('size', 0),
        ]) {
          const { right, mistake } = judge(core, asked, said);
          if (!right && !(said.kind === 'clash' && output.length === 0))
            assert.match(mistake, /\w{3}.*[.!]$/, JSON.stringify({ asked, said }));
        }
      }
    }
  });
});

describe('mistakes are named', () => {
  const numpy = (...shapes) => question('numpy', shapes);
  const cases = [
    ['lined up from the left', numpy([8, 3], [8]), shape(8, 3), /aligning from the left/],
    ['lined up from the left, and fits', numpy([8, 3], [3]), clash(0), /Aligned from the left/],
    ['added the ranks', numpy([4, 1], [6]), shape(4, 1, 6), /one after the other/],
    ['added the extents', numpy([5], [5]), shape(10), /added the extents/],
    ['multiplied the extents', numpy([5], [5]), shape(25), /multiplied/],
    ['kept the 1', numpy([2, 1, 3], [4, 1]), shape(2, 1, 3), /A’s own shape|kept the 1/],
    ['kept a 1 where both stretch', numpy([1, 4, 1], [3, 1, 5]), shape(1, 4, 5), /kept the 1/],
    ['dropped the axes that one lacks', numpy([2, 3, 4], [4]), shape(4), /a missing axis counts as 1/],
    ['sorted', numpy([4, 1], [6]), shape(6, 4), /another order/],
    ['0 with 1', numpy([0, 3], [1, 3]), shape(1, 3), /B’s own shape|0 with 1/],
    ['0 with 1, a clash', numpy([0, 3], [1, 3]), clash(0), /0 with 1 is no clash/],
    ['a multiple', numpy([2, 4], [2, 8]), shape(2, 8), /8 is a multiple of 4/],
    ['cut off', numpy([2, 4], [2, 5]), shape(2, 4), /cut off/],
    ['filled up', numpy([2, 4], [2, 5]), shape(2, 5), /padded/],
    ['counted from the right', numpy([2, 3, 4], [5, 3, 4]), clash(2), /count from the right/],
    ['the operand’s own number', numpy([2, 3, 4, 5], [3, 6, 5]), clash(1), /the number of the axis in/],
    ['another operand', numpy([9, 5], [5], [1, 10]), clash(1, 1), null],
    ['an axis that is fine', numpy([2, 3, 4], [5, 3, 4]), clash(1), /fine/],
    [
      'the target',
      question('bidirectional', [[3, 1]], { targetShape: [2, 1, 6] }),
      shape(2, 1, 6),
      /the target stretches, too/,
    ],
    ['NumPy under PDPD', question('pdpd', [[2, 3, 4, 5], [4]], { axis: 1 }), shape(2, 3, 4, 5), null],
    [
      'both ways under a rule of one way',
      question('onnx_unidirectional', [
        [1, 4],
        [3, 4],
      ]),
      shape(3, 4),
      /NumPy would give/,
    ],
    [
      'one way under both ways',
      question('bidirectional', [[3, 1]], { targetShape: [1, 6] }),
      clash(0),
      /Broadcast-3 NumPy/,
    ],
    [
      'a field that is right',
      question('pdpd', [[2, 3, 4], [4]], { axis: -1 }),
      field('negative'),
      /`axis` is not at fault/,
    ],
    [
      'extents before the axis',
      question(
        'pdpd',
        [
          [2, 3, 4],
          [4, 5],
        ],
        { axis: 2 },
      ),
      clash(2),
      /`axis` itself is at fault/,
    ],
    [
      'a shape in spite of a mapping that is none',
      question('explicit', [[3, 2]], { targetShape: [2, 3, 4], axesMapping: [1, 0] }),
      shape(2, 3, 4),
      /`axes_mapping` itself/,
    ],
    [
      'the mapping, for another reason',
      question('explicit', [[3, 2]], { targetShape: [2, 3, 4], axesMapping: [1, 0] }),
      field('size'),
      /another reason/,
    ],
    [
      'another entry',
      question('explicit', [[2, 3, 4]], { targetShape: [2, 3, 4], axesMapping: [0, 1, 3] }),
      field('out_of_range', 1),
      /another entry/,
    ],
    [
      'whose fault',
      question('onnx_unidirectional', [
        [1, 4],
        [3, 4],
      ]),
      clash(0, 0),
      /The operand at fault is B/,
    ],
  ];
  for (const [name, asked, said, says] of cases) {
    test(name, () => {
      const { right, mistake } = judge(core, asked, said);
      if (name === 'another operand') return assert.equal(right, true, 'B clashes with C as A does');
      assert.equal(right, false);
      if (says) assert.match(mistake, says);
      else assert.match(mistake, /\w/);
    });
  }
});

test('of two entries that name the same axis either is at fault, a third is not', () => {
  const twice = question('explicit', [[3, 3, 4]], { targetShape: [2, 3, 4], axesMapping: [1, 1, 2] });
  assert.equal(twice.alignment.failure.detail, 'duplicate');
  assert.deepEqual(
    [0, 1, 2].map((entry) => judge(core, twice, field('duplicate', entry)).right),
    [true, true, false],
  );
});

test('a level is left after some right answers; a mistake ends the row, a hint does not', () => {
  const start = { level: 1, streak: 0, best: 0, here: 0 };
  const right = (now) => afterAnswer(now, now.level, true, false);
  let now = start;
  for (let i = 0; i < perLevel; ++i) now = right(now);
  assert.deepEqual(now, { level: 2, streak: perLevel, best: perLevel, here: 0 });
  assert.deepEqual(afterAnswer(now, 2, true, true), now);
  assert.deepEqual(afterAnswer(now, 2, false, false), { ...now, streak: 0 });
  for (let i = 0; i < 100; ++i) now = right(now);
  assert.equal(now.level, levels.length);
});

// --- On the page -------------------------------------------------------------------

const onPage = (page) =>
  page
    .$eval('main.predict', ({ dataset }) => [Number(dataset.level), Number(dataset.seed)])
    .then(([level, seed]) => drawQuestion(core, level, seed));

// What somebody who knows would do, by keys alone, from the field that has the focus.
async function answerByKeys(page) {
  const { alignment } = await onPage(page);
  await page.waitForFunction(() => document.activeElement?.id === 'prediction');
  if (!alignment.failure) {
    await page.keyboard.type(alignment.output.length === 0 ? '()' : alignment.output.join(' '));
  } else {
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    for (let i = 0; i < alignment.conflicts[0].axis; ++i) await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'next');
}

test('a round by the keyboard alone leads to the next level', async () => {
  const page = await playground.open('v=1&view=predict&level=1&seed=1');
  assert.equal(await page.locator('.axes-table, #result-shape').count(), 0, 'the answer is hidden');
  await page.focus('#prediction');
  for (let i = 0; i < perLevel; ++i) {
    await answerByKeys(page);
    assert.match(await page.innerText('#told'), /Correct/);
    assert.equal(await page.innerText('#streak b'), String(i + 1));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#check');
  }
  assert.equal(await page.inputValue('#level'), '2');
  assert.match(page.url(), /level=1|level=2/);
  // The tab remembers.
  await page.waitForFunction(() => /level=2&seed=4/.test(location.hash));
  await page.reload();
  await page.waitForSelector('#streak b');
  assert.equal(await page.innerText('#streak b'), String(perLevel));
  await page.context().close();
});

test('a wrong answer is explained, shown beside the right one, and announced', async () => {
  const page = await playground.open('v=1&view=predict&level=3&seed=1');
  const { alignment, shapes } = await onPage(page);
  assert.equal(alignment.failure, null);
  await page.fill('#prediction', shapeText(shapes[0]));
  await page.click('#check');
  assert.equal(await page.getAttribute('#told', 'role'), 'status');
  const told = await page.innerText('#told');
  assert.match(told, /Not quite/);
  assert.match(told, /A’s own shape/);
  assert.ok(told.includes(shapeText(alignment.output)) && told.includes(alignment.verdict), told);
  const said = await page.locator('.you-said td').allInnerTexts();
  assert.deepEqual(
    said.map((text) => /✓/.test(text)),
    alignment.output.map((extent, axis) => extent === shapes[0][axis]),
  );
  assert.equal(await page.innerText('#streak b'), '0');
  await page.click('#open-question');
  await page.waitForSelector('#result-shape');
  assert.equal(await page.innerText('#result-shape'), shapeText(alignment.output));
  await page.click('#undo');
  await page.waitForSelector('main.predict');
  await page.context().close();
});

test('the fault of a field is chosen in words, with the entry', async () => {
  const isWrong = (seed) => drawQuestion(core, 13, seed).alignment.failure?.detail === 'duplicate';
  const seed = Array.from({ length: 200 }, (_, i) => i + 1).find(isWrong);
  const page = await playground.open(`v=1&view=predict&level=13&seed=${seed}`, {
    viewport: { width: 320, height: 700 },
  });
  const { alignment } = await onPage(page);
  await page.check('input[name=way][value=clashes]');
  await page.click('#check');
  assert.match(await page.innerText('#prediction-lacks'), /Choose what is at fault/);
  await page.getByLabel('an axis named twice').check({ force: true });
  await page.click('#check');
  assert.match(await page.innerText('#prediction-lacks'), /Choose the entry/);
  await page.locator(`input[name=entry][value="${alignment.failure.operandAxis}"]`).check({ force: true });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await page.click('#check');
  const told = await page.innerText('#told');
  assert.match(told, /Correct/);
  assert.match(told, /names target axis \d twice/);
  assert.match(await page.innerText('.you-said'), /an axis named twice, entry \d/);
  assert.equal(await page.locator('.comes-out').count(), 0, 'nothing comes out');
  // Levels before these do not ask for it.
  await page.selectOption('#level', '9');
  await page.waitForSelector('#check');
  await page.check('input[name=way][value=clashes]');
  assert.equal(await page.getByLabel('an axis named twice').count(), 0);
  await page.context().close();
});

test('hints show one axis at a time, the last one first, and are not counted', async () => {
  const page = await playground.open('v=1&view=predict&level=2&seed=1');
  const { alignment } = await onPage(page);
  const rank = alignment.axes.length;
  for (let shown = 1; shown <= rank; ++shown) {
    await page.click('#hint');
    const reasons = await page.locator('.axes-table tfoot td').allInnerTexts();
    assert.deepEqual(
      reasons,
      alignment.axes.map(({ why }, axis) => (axis >= rank - shown ? why : 'not shown yet')),
    );
    assert.equal(await page.locator('.comes-out').count(), 0);
  }
  assert.equal(await page.getAttribute('#hint', 'aria-disabled'), 'true');
  await page.fill('#prediction', shapeText(alignment.output));
  await page.keyboard.press('Enter');
  assert.match(await page.innerText('#told'), /Correct/);
  assert.equal(await page.innerText('#streak b'), '0');
  await page.context().close();
});

test('an unreadable or incomplete prediction is reported beside the field', async () => {
  const page = await playground.open('v=1&view=predict&level=7&seed=5');
  await page.fill('#prediction', '2, q');
  await page.keyboard.press('Enter');
  assert.match(await page.innerText('#prediction-lacks'), /neither a number/);
  await page.check('input[name=way][value=clashes]');
  await page.click('#check');
  assert.match(await page.innerText('#prediction-lacks'), /Choose the axis/);
  await page.locator('input[name=axis]').first().check({ force: true });
  await page.click('#check');
  assert.match(await page.innerText('#prediction-lacks'), /Choose the operand/);
  await page.context().close();
});

test('a link gives one question, and unknown numbers are harmless', async () => {
  for (const [fragment, level] of [
    ['v=1&view=predict&level=4&seed=17', 4],
    ['v=1&view=predict&level=999&seed=999999999999999', levels.length],
    ['v=1&view=predict&level=x&seed=-1', 1],
    ['v=1&view=predict', 1],
  ]) {
    const page = await playground.open(fragment, { viewport: { width: 320, height: 700 } });
    await page.waitForSelector('#check');
    assert.equal(Number(await page.getAttribute('main.predict', 'data-level')), level, fragment);
    const { shapes } = await onPage(page);
    assert.deepEqual(await page.locator('.operands > span:not(.hue-target) b').allInnerTexts(), shapes.map(shapeText));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, fragment);
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
