// All rules at once: each line says what the page says with that rule chosen, and marks where the same shape is made of
// other elements; beside a rule stand its fields, its document's clauses, and what other systems do.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { inRoot } from '../../scripts/paths.mjs';
import { drawing } from './modules.mjs';
import { answer, openPlayground } from './playground.mjs';

let bl;
let playground;
before(async () => {
  bl = await load();
  playground = await openPlayground();
});
after(() => playground.close());

async function follow(page, fragment) {
  await page.evaluate((hash) => (location.hash = hash), fragment);
  await page.waitForFunction((text) => document.querySelector('#answer').dataset.shows === text, fragment);
  await page.waitForSelector('.all-rules');
}

// What the table says of each rule.
const lines = (page) =>
  page.locator('.all-rules tbody tr').evaluateAll((rows) =>
    rows.map((row) => {
      const text = (selector) => row.querySelector(selector)?.innerText.trim() ?? null;
      return {
        rule: row.dataset.rule,
        ruling: row.dataset.ruling,
        whole: row.dataset.whole === 'true',
        asked: text('th .aside') ?? '',
        shape: text('.gives b'),
        reason: text('summary'),
        lacks: text('.lacks'),
        differs: text('.differs'),
        same: text('.same'),
      };
    }),
  );

const fragmentOf = ({ rule = 'numpy', op = 'Add', shapes, axis, target, mapping }) =>
  [
    `v=1&rule=${rule}&op=${op}&type=f32`,
    ...shapes.map((shape) => `in=(${shape})`),
    ...(axis === undefined ? [] : [`axis=${axis}`]),
    ...(target ? [`target=(${target})`] : []),
    ...(mapping ? [`mapping=[${mapping}]`] : []),
    'view=rules',
  ].join('&');

test('a button opens it, the link keeps it, and it closes', async () => {
  const page = await playground.open();
  const button = page.getByRole('button', { name: 'Compare all rules' });
  assert.equal(await button.getAttribute('aria-expanded'), 'false');
  await button.focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.all-rules tbody tr');
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  await page.waitForFunction(() => location.hash.endsWith('&view=rules'));
  const again = await playground.open(new URL(page.url()).hash.slice(1));
  await again.waitForSelector('.all-rules tbody tr');
  assert.deepEqual((await lines(again)).map(({ rule }) => rule).sort(), Object.keys(bl.vocabulary.rules).sort());
  await page.click('#close-rules');
  await page.waitForFunction(() => !document.querySelector('.all-rules'));
  await page.context().close();
  await again.context().close();
});

test('each line says what the page says with that rule chosen', async () => {
  const page = await playground.open();
  const questions = [
    { shapes: ['8,64,7,7', '64'], axis: 1, target: '8,64,7,7' },
    { shapes: ['4,1', '6'], target: '2,4,6' },
    { rule: 'pdpd', shapes: ['3,3,5', '3,1'], axis: 0 },
    { rule: 'explicit', op: 'Broadcast', shapes: ['3,4'], target: '2,3,4,5', mapping: '1,2' },
  ];
  for (const question of questions) {
    const fragment = fragmentOf(question);
    await follow(page, fragment);
    const before = await lines(page);
    assert.ok(
      before.some(({ ruling }) => ruling !== before[0].ruling),
      fragment,
    );
    for (const { rule, ruling, shape } of before) {
      if (ruling === 'lacks' || rule === (question.rule ?? 'numpy')) continue;
      await page.click(`.all-rules tr[data-rule="${rule}"] button`);
      await page.waitForFunction((name) => document.querySelector('#rules input:checked').value === name, rule);
      const shown = await answer(page);
      assert.equal(shown.fits, ruling === 'fits', `${fragment}: ${rule}`);
      if (shown.fits) assert.equal(shown.shape, shape, `${fragment}: ${rule}`);
      await page.click('[aria-label="Undo"]');
      await page.waitForFunction((text) => document.querySelector('#answer').dataset.shows === text, fragment);
    }
  }
  await page.context().close();
});

test('which rules take the operands, and what the others lack', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['8,64,7,7', '64'], axis: 1 }));
  await page.waitForSelector('.takers');
  assert.equal(await page.innerText('.takers'), '1 of 9 rules takes these shapes: PDPD.');
  const said = await lines(page);
  const of = (rule) => said.find((line) => line.rule === rule);
  assert.equal(of('bidirectional').lacks, 'needs a target shape');
  assert.equal(of('explicit').lacks, 'needs a target shape and axes_mapping');
  assert.match(of('numpy').reason, /Axis 3: B has 64, A has 7/);
  assert.match(of('none').reason, /3 more axes clash/);
  // In full on demand: every clash, the clause, its document.
  const none = page.locator('tr[data-rule="none"]');
  assert.equal(await none.locator('li').first().isVisible(), false);
  await none.locator('summary').click();
  assert.equal(await none.locator('li').count(), 4);
  assert.match(await none.innerText(), /none\.1 The shapes must be the same[^]*OpenVINO: Broadcast Rules/);
  // Three operands are not two.
  await follow(page, fragmentOf({ op: 'Sum', shapes: ['2,3', '3', '3'] }));
  const three = await lines(page);
  assert.match(three.find(({ rule }) => rule === 'pdpd').reason, /takes 2 operands, not 3/);
  // Nor is one; an empty result has no elements that differ.
  await follow(
    page,
    fragmentOf({ rule: 'explicit', op: 'Broadcast', shapes: ['3,4'], target: '2,3,4', mapping: '1,2' }),
  );
  const one = await lines(page);
  assert.equal(one.find(({ rule }) => rule === 'pdpd').lacks, 'needs one more operand');
  assert.equal(
    await page.innerText('.takers'),
    '3 of 9 rules take these shapes: Bidirectional, Broadcast-3 NumPy, Explicit. ' +
      '1 takes them without the target: SONNX.',
  );
  await follow(page, fragmentOf({ rule: 'pdpd', shapes: ['3,3,0', '3,1'], axis: 0 }));
  const empty = await lines(page);
  assert.ok(empty.every(({ differs }) => differs === null));
  assert.match(empty.find(({ rule }) => rule === 'numpy').same, /PDPD/);
  await follow(page, fragmentOf({ shapes: ['2,3q', '3'] }));
  assert.match(await page.innerText('.all-rules'), /cannot be read/);
  await page.context().close();
});

test('below a clash are the rules that take the operands as they are', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['8,64,7,7', '64'], axis: 1 }).replace('&view=rules', ''));
  const known = () => page.waitForSelector('.other-rules[aria-busy="false"]');
  const offered = () => page.locator('.other-rules .takes button').allInnerTexts();
  await known();
  assert.deepEqual(await offered(), ['PDPD (axis 1) gives (8, 64, 7, 7)', 'Compare all rules']);
  await page.click('.other-rules .takes button:has-text("PDPD")');
  await page.waitForSelector('#result-shape');
  assert.equal((await answer(page)).shape, '(8, 64, 7, 7)');
  assert.equal(await page.locator('.other-rules').count(), 0, 'nothing is to be repaired');
  // They are those of the table, which is a press away and says it then.
  for (const question of [
    { shapes: ['2,3', '2'] },
    { rule: 'onnx_unidirectional', shapes: ['3,1', '3,4'], target: '3,4' },
    { rule: 'pdpd', shapes: ['4', '2,4'], axis: 0 },
    { op: 'Sum', shapes: ['2,3', '4', '3'] },
  ]) {
    const fragment = fragmentOf(question);
    await page.evaluate((hash) => (location.hash = hash), fragment.replace('&view=rules', ''));
    await page.waitForFunction(
      (text) => document.querySelector('#answer').dataset.shows === text,
      fragment.replace('&view=rules', ''),
    );
    await known();
    const found = (await offered()).slice(0, -1);
    if (found.length === 0) assert.match(await page.innerText('.other-rules'), /^No other rule takes these operands/);
    await page.click('.other-rules button:has-text("Compare all rules")');
    await page.waitForSelector('.all-rules tbody tr');
    assert.equal(await page.locator('.other-rules').count(), 0);
    const taking = (await lines(page)).filter(({ ruling, whole }) => ruling === 'fits' && whole);
    assert.deepEqual(
      found.map((text) => [text.split(/ \(| gives /)[0], text.split(' gives ')[1]]),
      taking.map(({ rule, shape }) => [bl.vocabulary.rules[rule].title, shape]),
      fragment,
    );
  }
  await page.context().close();
});

test('the rules below a clash are those for the present text', async () => {
  const page = await playground.open('v=1&rule=none&op=Add&type=f32&in=(4,1)&in=(6,)', {
    viewport: { width: 320, height: 700 },
  });
  await page.waitForSelector('.other-rules[aria-busy="false"]');
  assert.match(await page.innerText('.takes'), /NumPy gives \(4, 6\)/);
  await page.fill('#operand-1', '(6, 1)');
  await page.waitForFunction(() => /\(6,\+1\)/.test(document.querySelector('#answer').dataset.shows));
  assert.doesNotMatch(await page.innerText('.takes'), /NumPy/, 'with the new verdict nothing old is left');
  await page.waitForSelector('.other-rules[aria-busy="false"]');
  assert.match(await page.innerText('.other-rules'), /No other rule takes these operands as they are/);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await page.context().close();
});

// Whether each cell of the result reads the same elements under two rules: asked cell by cell.
function sameElements(one, other, operands) {
  const { shape } = one;
  for (let cell = 0; cell < shape.reduce((a, b) => a * b, 1); ++cell) {
    const index = [];
    for (let axis = shape.length - 1, left = cell; axis >= 0; --axis) {
      index.unshift(left % shape[axis]);
      left = Math.floor(left / shape[axis]);
    }
    for (let i = 0; i < operands; ++i)
      if (String(one.sourceOf(i, index)) !== String(other.sourceOf(i, index))) return false;
  }
  return true;
}

test('equal shapes made of other elements are marked, and no others', async () => {
  const page = await playground.open();
  const draw = drawing(3);
  let marked = 0;
  let alike = 0;
  for (let i = 0; i < 16; ++i) {
    // Few extents, so that B often fits in several places.
    const a = Array.from({ length: 2 + draw(3) }, () => (draw(6) === 0 ? 1 : 3));
    const start = draw(a.length);
    const b = a.slice(start, start + 1 + draw(2)).map((extent) => (draw(4) === 0 ? 1 : extent));
    const rule = draw(2) === 0 ? 'numpy' : 'pdpd';
    await follow(page, fragmentOf({ rule, shapes: [a, b], axis: start, target: a }));
    const said = await lines(page);
    // With the option that the line names: another one than is given, where only that fits.
    const optionsOf = ({ name, takesAxis, takesTarget, takesMapping }) => {
      const { asked } = said.find((line) => line.rule === name);
      const named = (pattern) => asked.match(pattern)?.[1];
      return {
        ...(takesAxis ? { axis: Number(named(/axis (-?\d+)/)) } : {}),
        ...(takesTarget ? { targetShape: a } : {}),
        ...(takesMapping ? { axesMapping: JSON.parse(named(/axes_mapping (\[.*?\])/)) } : {}),
      };
    };
    const aligned = (name) => {
      const row = bl.vocabulary.rules[name];
      return bl.align(name, row.takesTarget ? [a] : [a, b], optionsOf(row));
    };
    for (const line of said) {
      if (!line.differs && !line.same) continue;
      const title = line.differs?.match(/than under ([^:]+):/)?.[1] ?? line.same.match(/where (.+) puts it/)[1];
      const other = Object.values(bl.vocabulary.rules).find((row) => row.title === title);
      const [here, there] = [aligned(line.rule), aligned(other.name)];
      assert.deepEqual(here.shape, there.shape);
      const operands = Math.min(here.operands.length, there.operands.length);
      assert.equal(
        sameElements(here, there, operands),
        line.differs === null,
        `(${a}) (${b}) ${line.rule}: ${line.differs}`,
      );
      if (line.differs) {
        ++marked;
        assert.match(line.differs, /^same shape, other elements than under/);
        assert.match(line.differs, /axis \d of [AB] runs along (no axis|axis \d) of the result, not (no axis|axis \d)/);
      } else ++alike;
    }
  }
  assert.ok(marked > 5 && alike > 20, `${marked} marked, ${alike} alike`);
  await page.context().close();
});

test('the notes on a rule have its fields, its clauses and differences of other systems', async () => {
  const page = await playground.open();
  await page.click('#rule-notes');
  for (const { name, title, clauses, takesAxis, takesTarget, takesMapping } of Object.values(bl.vocabulary.rules)) {
    await page.locator(`#rules input[value="${name}"]`).check({ force: true });
    await page.waitForFunction(
      (rule) => document.querySelector('#answer').dataset.shows.includes(`rule=${rule}&`),
      name,
    );
    const notes = await page.innerText('.rule-notes');
    for (const clause of Object.values(clauses)) {
      const { place, document } = bl.vocabulary.clauses[clause];
      assert.ok(notes.includes(place), `${title}: ${clause}`);
      assert.ok(notes.includes(bl.vocabulary.documents[document].title), `${title}: ${document}`);
    }
    const fields = await page.innerText('.rule-notes .facts');
    assert.equal(/\baxis\b/.test(fields.match(/fields\s+(.*)/)[1]), takesAxis, title);
    assert.equal(fields.includes('target shape'), takesTarget, title);
    assert.equal(/fields\s.*axes_mapping/.test(fields), takesMapping, title);
  }
  await page.locator('#rules input[value="pdpd"]').check({ force: true });
  assert.match(await page.innerText('.rule-notes'), /Other systems[^]*OpenVINO's code takes axis 0/);
  await page.context().close();
});

test('notes on other systems belong to existing clauses, and agree with the documentation', () => {
  const notes = JSON.parse(readFileSync(inRoot('web/src/rules/dialects.json'), 'utf8'));
  const divergences = readFileSync(inRoot('docs/divergences.md'), 'utf8');
  for (const clause of Object.keys(notes)) {
    assert.ok(bl.vocabulary.clauses[clause], clause);
    assert.ok(divergences.includes(`\`${clause}\``), `${clause} is not in docs/divergences.md`);
  }
});

test('it is a table for screen readers, and fits on 320 pixels', async () => {
  const page = await playground.open(
    fragmentOf({ shapes: ['3,3,5', '3,1'], axis: 0, target: '9007199254740993,3,3,5' }),
    { viewport: { width: 320, height: 700 } },
  );
  await page.waitForSelector('.all-rules tbody tr');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  const table = page.locator('.all-rules').getByRole('table');
  assert.equal(await table.getByRole('row').count(), 10);
  assert.equal(await table.getByRole('rowheader', { name: /^PDPD/ }).count(), 1);
  assert.equal(await table.getByRole('button', { name: 'Use PDPD' }).count(), 1);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
