// For each of the nine rules: the documents' examples, a conflict, and a text that is no shape.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, follow, openPlayground, presets, shapeText, type } from './playground.mjs';

const seeds = readFileSync(inRoot('tests/conformance/seed_examples.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

// Examples that two documents share have one card, that of the first.
const questionOf = ({ rule, shapes, axis, target, mapping }) => JSON.stringify([rule, shapes, axis, target, mapping]);
const documented = presets.documents.flatMap((document) => document.examples);
const shownAs = new Map(
  documented.map((example) => [example.id, documented.find((other) => questionOf(other) === questionOf(example)).id]),
);

// What cannot fit under each rule, where it clashes, and how the page has to name the place.
const conflicts = {
  none: {
    inputs: [
      [2, 3],
      [2, 1],
    ],
    says: /axis 1: A has 3, B has 1/i,
    clashes: 1,
  },
  numpy: {
    inputs: [
      [2, 3, 4],
      [2, 5, 3],
    ],
    says: /axis 1: A has 3, B has 5/i,
    clashes: 4,
  },
  onnx_multidirectional: { inputs: [[4], [3]], says: /axis 0: A has 4, B has 3/i, clashes: 2 },
  onnx_unidirectional: {
    inputs: [
      [2, 1],
      [2, 3],
    ],
    says: /axis 1: A has 1, B has 3/i,
    clashes: 1,
  },
  pdpd: { inputs: [[2, 3, 4], [4]], axis: 1, says: /axis 1: A has 3, B has 4/i, clashes: 1 },
  bidirectional: { inputs: [[2, 3]], target_shape: [4], says: /axis 1: .*3.*4|axis 1: .*4.*3/i, clashes: 2 },
  broadcast_numpy: { inputs: [[2, 3]], target_shape: [2, 1], says: /axis 1: the target has 1, A has 3/i, clashes: 1 },
  explicit: {
    inputs: [[3]],
    target_shape: [2, 4],
    axes_mapping: [1],
    says: /axis 1: the target has 4, A has 3/i,
    clashes: 1,
  },
  sonnx: {
    inputs: [
      [2, 3],
      [2, 2],
      [5, 1],
    ],
    says: /axis 0: A has 2, C has 5/i,
    clashes: 4,
  },
};

let playground;
let page;
before(async () => {
  playground = await openPlayground();
  page = await playground.open();
});
after(() => playground.close());

test("the page offers the core's nine rules, the four of the documents first", async () => {
  const rules = await page
    .locator('#rules input[name="rule"]')
    .evaluateAll((inputs) => inputs.map(({ value }) => value));
  assert.deepEqual(rules.slice(0, 4), ['numpy', 'pdpd', 'bidirectional', 'explicit']);
  assert.deepEqual([...rules].sort(), Object.keys(conflicts).sort());
});

test('the presets are the examples of the five documents, and Gemm', () => {
  const examples = presets.documents.flatMap((document) => document.examples);
  assert.equal(presets.documents.length, 5);
  assert.deepEqual(
    examples.map(({ id }) => id).filter((id) => id !== 'gemm'),
    seeds.map(({ id }) => id),
  );
  assert.equal(examples.length, seeds.length + 1);
});

for (const [rule, { says, clashes, ...conflict }] of Object.entries(conflicts)) {
  describe(rule, () => {
    const examples = seeds.filter((seed) => seed.rule === rule);
    if (examples.length > 0) {
      test(`the documents' examples, chosen from the gallery (${examples.length})`, async () => {
        for (const { id, expect, inputs } of examples) {
          await page.click('#gallery');
          await page.click(`#example-${shownAs.get(id)}`);
          await page.waitForFunction(
            (texts) => texts.every((text, i) => document.querySelector(`#operand-${i}`)?.value === text),
            inputs.map(shapeText),
          );
          assert.equal(await page.locator('#rules input[name="rule"]:checked').inputValue(), rule, id);
          const shown = await answer(page);
          if (expect.error) assert.equal(shown.errorClass, expect.error, id);
          else assert.equal(shown.shape, shapeText(expect.shape), `${id}: ${shown.because}`);
        }
      });
    } else {
      test('identical shapes, the one thing that it takes', async () => {
        await type(page, {
          rule,
          inputs: [
            [2, 3],
            [2, 3],
          ],
        });
        assert.equal((await answer(page)).shape, '(2, 3)');
      });
    }

    test('a conflict says what clashes, axis by axis', async () => {
      await type(page, { rule, ...conflict });
      const shown = await answer(page);
      assert.equal(shown.fits, false);
      assert.equal(shown.errorClass, 'incompatible');
      assert.match(shown.headline, says);
      assert.equal(shown.clashes, clashes);
    });

    test('a malformed text is kept, and the token at fault is marked', async () => {
      const bad = '(2, 3q, 4)';
      const inputs = [bad, ...conflict.inputs.slice(1)];
      await type(page, { rule, ...conflict, inputs });
      const shown = await answer(page);
      assert.equal(shown.errorClass, 'parse');
      assert.equal(shown.marked.length, 1);
      assert.ok(shown.marked[0].includes('q'), shown.marked[0]);
      assert.equal(await page.inputValue('#operand-0'), bad);
      assert.equal(await page.getAttribute('#operand-0', 'aria-invalid'), 'true');
    });
  });
}

test('every usual spelling of a shape', async () => {
  for (const text of ['2,3', '(2,3)', '[2, 3]', '2x3', '2 3', '{2,3}', '2×3', 'torch.Size([2, 3])']) {
    await type(page, { rule: 'numpy', inputs: [text, '()'] });
    assert.equal((await answer(page)).shape, '(2, 3)', text);
  }
  await type(page, { rule: 'numpy', inputs: ['()', '[]'] });
  assert.equal((await answer(page)).shape, '()');
});

test('each kind of bad input has its error class', async () => {
  const cases = [
    [{ rule: 'numpy', inputs: ['2,-3', '3'] }, 'extent'],
    [{ rule: 'numpy', inputs: ['2.5', '3'] }, 'extent'],
    [{ rule: 'numpy', inputs: ['99999999999999999999', '3'] }, 'extent'],
    [{ rule: 'numpy', inputs: ['', '3'] }, 'parse'],
    [{ rule: 'numpy', inputs: ['(2, 3', '3'] }, 'parse'],
    [{ rule: 'pdpd', inputs: [[3], [2, 3]] }, 'rank'],
    [{ rule: 'pdpd', inputs: [[2, 3], [3]], axis: -2 }, 'axis'],
    [{ rule: 'pdpd', inputs: [[2, 3], [3]], axis: 'one' }, 'parse'],
    [{ rule: 'explicit', inputs: [[3]], target_shape: [2, 3] }, 'axes_mapping'],
    [{ rule: 'explicit', inputs: [[3]], target_shape: [2, 3], axes_mapping: [7] }, 'axes_mapping'],
    [{ rule: 'broadcast_numpy', inputs: [[3]], target_shape: '(-1, 3)' }, 'negative_dim'],
    [{ rule: 'numpy', inputs: ['4294967296x4294967296', '1'] }, 'overflow'],
  ];
  for (const [question, expected] of cases) {
    await type(page, question);
    assert.equal((await answer(page)).errorClass, expected, JSON.stringify(question));
  }
});

test('a rule that takes no mapping offers none, and one from a link can be cleared', async () => {
  await type(page, { rule: 'bidirectional', inputs: [[3]], target_shape: [2, 3] });
  assert.equal(await page.locator('#mapping').count(), 0);
  const link = 'v=1&rule=bidirectional&op=Broadcast&type=f32&in=(3)&target=(2,3)&mapping=[1]';
  await follow(page, link);
  assert.equal((await answer(page)).errorClass, 'axes_mapping');
  await page.fill('#mapping', '');
  await page.waitForFunction(() => !/mapping/.test(document.querySelector('#answer').dataset.shows));
  assert.equal((await answer(page)).shape, '(2, 3)');
});

test('Explicit from the first state proposes a target and a mapping that work', async () => {
  const fresh = await playground.open();
  await fresh.locator('#rules input[value="explicit"]').check({ force: true });
  await fresh.waitForSelector('.proposals button');
  await fresh.click('.proposals button');
  await fresh.waitForSelector('#result-shape');
  assert.equal((await answer(fresh)).shape, '(4, 6)');
  assert.equal(await fresh.inputValue('#mapping'), '[0, 1]');
  assert.equal(await fresh.locator('.proposals').count(), 0);
  await fresh.context().close();
});

test('an error is reported once, with its field', async () => {
  // No headline that the sentence below repeats; no extent where there is no axis.
  await type(page, { rule: 'none', inputs: [[3, 4], [4]] });
  let shown = await answer(page);
  assert.match(shown.headline, /^Axis 0: A has 3, B has no such axis/);
  assert.match(shown.because, /^None: the shapes must be the same\./);
  await type(page, {
    rule: 'pdpd',
    inputs: [
      [2, 3, 4, 5],
      [3, 2],
    ],
    axis: 1,
  });
  assert.match((await answer(page)).because, /^Axis 2 of the result is axis 1 of B\. PDPD: /);
  // An axis and a mapping are no shapes.
  await type(page, { rule: 'pdpd', inputs: [[2, 3], [3]], axis: '1.5' });
  shown = await answer(page);
  assert.match(shown.because, /^axis is one whole number/);
  assert.doesNotMatch(await page.innerText('#answer'), /shape/i);
  await type(page, { rule: 'explicit', inputs: [[3]], target_shape: [2, 3], axes_mapping: '[x]' });
  assert.match((await answer(page)).because, /^axes_mapping is a list of axes/);
  // Nothing moves while one types.
  await type(page, { rule: 'numpy', inputs: [[3], [3]] });
  const place = () => page.locator('#operand-1').evaluate((input) => input.getBoundingClientRect().top);
  const before = await place();
  await type(page, { rule: 'numpy', inputs: ['(3', [3]] });
  assert.equal(await place(), before);
  assert.equal(await page.getAttribute('#operand-0', 'aria-describedby'), 'operand-0-message');
});

test('whole numbers of 64 bits keep their digits', async () => {
  await type(page, { rule: 'numpy', inputs: [[1], [1]] });
  await page.selectOption('#op', 'Sub');
  await page.selectOption('#dtype', 'u64');
  assert.match((await answer(page)).arithmetic, /= 0 - 10 = 18446744073709551606$/);
});

test('a press on a repair applies it', async () => {
  await type(page, { rule: 'numpy', inputs: [[8, 64, 7, 7], [64]] });
  await page.waitForSelector('.repairs');
  const before = await answer(page);
  assert.equal(before.fits, false);
  assert.ok(before.repairs > 0);
  for (let i = 0; i < before.repairs; ++i) {
    await type(page, { rule: 'numpy', inputs: [[8, 64, 7, 7], [64]] });
    const button = page.locator('.repairs .apply').nth(i);
    const promised = await button.locator('.gives b').innerText();
    await button.click();
    const shown = await answer(page);
    assert.equal(shown.fits, true, `repair ${i}: ${shown.because}`);
    assert.equal(shown.shape, promised);
  }
});

test('hovering an element lights all cells that it feeds', async () => {
  await follow(page, 'v=1&rule=numpy&op=Max&type=f64&in=(2,4,1)&in=(3)&at=0,0,0');
  await page.hover('#grid-1 [data-index="2"]');
  await page.waitForFunction(() => /^B\[2\]/.test(document.querySelector('#arithmetic').innerText));
  const lit = await page
    .locator('#grid-result [data-lit]')
    .evaluateAll((cells) => cells.map(({ dataset }) => dataset.index));
  assert.deepEqual(lit, ['0,0,2', '0,1,2', '0,2,2', '0,3,2']);
  assert.match((await answer(page)).arithmetic, /feeds 8 cells: out\[0…1, 0…3, 2\]/);
  await page.mouse.move(700, 5);
  await page.waitForFunction(() => document.querySelector('#arithmetic').innerText.startsWith('out['));
});

test('SONNX shows each of its results', async () => {
  await type(page, { rule: 'sonnx', inputs: [[1, 3], [2, 1], []] });
  for (const [i, name] of ['A', 'B', 'C'].entries()) {
    await page.locator(`.outputs input[value="${i}"]`).check({ force: true });
    await page.waitForFunction(
      (start) => document.querySelector('#arithmetic').innerText.startsWith(start),
      `out of ${name}[`,
    );
  }
});

test('as many operands as rule and operator take', async () => {
  await type(page, { rule: 'numpy', inputs: [[2], [2]] });
  await page.selectOption('#op', 'Add');
  assert.equal(await page.locator('.remove:not(:disabled)').count(), 0);
  await page.click('#add-operand'); // Add takes two: an operator that takes more comes with the third.
  assert.equal(await page.locator('input[id^="operand-"]').count(), 3);
  assert.equal(await page.inputValue('#op'), 'Sum');
  await page.locator('#rules input[value="pdpd"]').check({ force: true });
  await page.waitForFunction(() => document.querySelectorAll('input[id^="operand-"]').length === 2);
  assert.equal(await page.locator('#add-operand').count(), 0);
});

test('every operator and element type of the menus can be drawn', async () => {
  await page.locator('#rules input[value="numpy"]').check({ force: true });
  const options = (id) => page.locator(`#${id} option`).evaluateAll((list) => list.map(({ value }) => value));
  for (const rule of ['numpy', 'broadcast_numpy']) {
    await page.locator(`#rules input[value="${rule}"]`).check({ force: true });
    for (const op of await options('op')) {
      await page.selectOption('#op', op);
      if (await page.locator('#direction').count()) await page.selectOption('#direction', 'left');
      const fields = await page.locator('input[id^="operand-"]').count();
      const texts = ['(2, 1)', '(3,)', '()'].slice(0, fields);
      for (const [i, text] of texts.entries()) await page.fill(`#operand-${i}`, text);
      if (rule === 'broadcast_numpy') await page.fill('#target', '(2, 3)');
      for (const dtype of await options('dtype')) {
        await page.selectOption('#dtype', dtype);
        const shown = await answer(page);
        assert.equal(shown.state, 'fits', `${op} ${dtype}: ${shown.headline} ${shown.because}`);
        assert.doesNotMatch(shown.arithmetic, /undefined|NaN =/, `${op} ${dtype}`);
      }
    }
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
