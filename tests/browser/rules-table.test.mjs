// All rules at once: each line says what the page says with that rule chosen; it can be filtered, exported, printed and used by
// keyboard. Beside a rule stand its fields, its document's clauses, and what other systems do. What the lines say is tested in
// compare.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { answer, follow, openPlayground, saidBy } from './playground.mjs';

let bl;
let playground;
before(async () => {
  bl = await load();
  playground = await openPlayground();
});
after(() => playground.close());

async function compare(page, fragment) {
  await follow(page, fragment);
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
        asked: text('th .aside')?.replace(/^,\s*/, '') ?? '',
        shape: text('.gives b'),
        reason: text('.refusal'),
        differs: text('.differs'),
        same: text('.same'),
        clauses: [...row.querySelectorAll('.cited a')].map(({ textContent }) => textContent),
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
  assert.deepEqual(
    [...new Set((await lines(again)).map(({ rule }) => rule))].sort(),
    Object.keys(bl.vocabulary.rules).sort(),
  );
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
    await compare(page, fragment);
    const before = await lines(page);
    assert.ok(
      before.some(({ ruling }) => ruling !== before[0].ruling),
      fragment,
    );
    for (const [i, { rule, ruling, shape }] of before.entries()) {
      const button = page.locator('.all-rules tbody tr').nth(i).locator('button');
      if ((await button.count()) === 0) continue;
      await button.click();
      await page.waitForFunction((name) => document.querySelector('#rules input:checked').value === name, rule);
      await page.waitForFunction((text) => document.querySelector('#answer').dataset.shows !== text, fragment);
      const shown = await answer(page);
      assert.equal(shown.fits, ruling === 'fits', `${fragment}: ${rule}`);
      if (shown.fits) assert.equal(shown.shape, shape, `${fragment}: ${rule}`);
      await page.click('[aria-label="Undo"]');
      await page.waitForFunction((text) => document.querySelector('#answer').dataset.shows === text, fragment);
    }
  }
  await page.context().close();
});

test('which rules take the shapes, and why the others do not', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['8,64,7,7', '64'], axis: 1 }));
  await page.waitForSelector('.takers');
  assert.match(
    await page.innerText('.takers'),
    /^1 of 9 rules takes these shapes: PDPD with axis 1\. Rules that take a target/,
  );
  const said = await lines(page);
  const of = (rule) => said.find((line) => line.rule === rule);
  assert.equal(of('bidirectional').asked, 'A alone, B as the target');
  assert.equal(of('explicit').reason, '✕ No axes_mapping fits.');
  assert.match(of('numpy').reason, /^✕ Axis 3, mismatch: A is 7, B is 64\./);
  assert.match(of('none').reason, /3 more axes clash|One more axis clashes/);
  assert.deepEqual(of('none').clauses, ['none.1']);
  assert.match(await page.innerText('.clause-list'), /none\.1 None broadcast, 1: the shapes must be the same\./);
  // Three operands are not two; what is left out is said.
  await compare(page, fragmentOf({ op: 'Sum', shapes: ['2,3', '3', '3'] }));
  const three = await lines(page);
  assert.match(three.find(({ rule }) => rule === 'pdpd').reason, /takes 2 operands, not 3/);
  assert.match(await page.innerText('.takers'), /C left out\.$/);
  // A target of the question is B for the other rules.
  await compare(
    page,
    fragmentOf({ rule: 'explicit', op: 'Broadcast', shapes: ['3,4'], target: '2,3,4', mapping: '1,2' }),
  );
  assert.match(
    await page.innerText('.takers'),
    /^6 of 9 rules take these shapes: NumPy, .*Explicit, SONNX\. Rules that take no target are given it as B\.$/,
  );
  await compare(page, fragmentOf({ shapes: ['2,3q', '3'] }));
  assert.match(await page.innerText('.all-rules'), /cannot be read/);
  await page.context().close();
});

test('a filter by system, kept in the link, shows its rules and its differences', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['2,3,3', '3'] }));
  await page.waitForSelector('.all-rules tbody tr');
  const has = {
    onnxruntime: ['onnx_multidirectional', 'onnx_unidirectional', 'bidirectional'],
    openvino: ['none', 'numpy', 'pdpd', 'bidirectional', 'broadcast_numpy', 'explicit'],
    paddle: ['pdpd'],
    numpy: ['numpy', 'broadcast_numpy'],
  };
  const titles = { onnxruntime: 'ONNX Runtime', openvino: 'OpenVINO', paddle: 'PaddlePaddle', numpy: 'NumPy' };
  for (const [system, rules] of Object.entries(has)) {
    await page.focus('.systems input:checked');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((name) => location.hash.endsWith(`&view=rules&only=${name}`), system);
    assert.deepEqual([...new Set((await lines(page)).map(({ rule }) => rule))].sort(), [...rules].sort(), system);
    // The sentences are about these rules alone.
    const title = titles[system];
    assert.match(await page.innerText('#all-rules-title'), new RegExp(`under the rules of ${title}$`));
    const takers = await page.innerText('.takers');
    const counted =
      rules.length === 1
        ? `^The only rule of ${title} takes `
        : `of (?:the )?${rules.length} rules of ${title} takes? `;
    assert.match(takers, new RegExp(counted));
    assert.equal(/Rules that take a target/.test(takers), system !== 'paddle', takers);
    const differences = await page.innerText('.differences');
    assert.match(differences, /is known to differ/);
    assert.equal(/With these shapes:/.test(differences), system === 'openvino', differences);
  }
  const again = await playground.open(new URL(page.url()).hash.slice(1));
  await again.waitForSelector('.differences');
  assert.deepEqual([...new Set((await lines(again)).map(({ rule }) => rule))], ['numpy', 'broadcast_numpy']);
  await page.context().close();
  await again.context().close();
});

test('clauses link to public documents', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['2,3,3', '3'] }));
  await page.waitForSelector('.clause-list a');
  const links = await page
    .locator('.all-rules a')
    .evaluateAll((all) => all.map(({ href, rel, target }) => ({ href, rel, target })));
  assert.ok(links.length > 20);
  for (const { href, rel, target } of links) {
    assert.match(href, /^https:\/\/(docs\.openvino\.ai|github\.com\/onnx|numpy\.org)\//);
    assert.deepEqual([rel, target], ['noopener', '_blank']);
  }
  await page.context().close();
});

test('Markdown and CSV are copied, and downloaded', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['2,3,3', '3'] }), {
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  });
  await page.waitForSelector('#copy-csv');
  for (const [kind, begins] of [
    ['markdown', '### A (2, 3, 3), B (3,) under every rule'],
    ['csv', 'operands,rule,asked,'],
  ]) {
    await saidBy(page, `#copy-${kind}`, kind === 'csv' ? /^CSV copied$/ : /^Markdown copied$/, '.export [role=status]');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(copied.startsWith(begins), copied.slice(0, 80));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#save-${kind}`)]);
    const saved = readFileSync(await download.path(), 'utf8');
    assert.equal(saved.replaceAll('\r\n', '\n'), copied.replaceAll('\r\n', '\n'));
    assert.equal(download.suggestedFilename(), kind === 'csv' ? 'comparison.csv' : 'comparison.md');
  }
  await page.context().close();
});

test('names are texts, whatever they contain', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const page = await playground.open(`${fragmentOf({ shapes: ['2,3', '2'] })}&n=${encodeURIComponent(name)},x`);
  await page.waitForSelector('.all-rules tbody tr');
  assert.equal(await page.locator('.all-rules img').count(), 0);
  assert.match(await page.innerText('.all-rules .head'), /<img src=x/);
  await page.context().close();
});

test('on paper are the table and the addresses, without buttons', async () => {
  const page = await playground.open(fragmentOf({ shapes: ['2,3,3', '3'] }), {
    viewport: { width: 794, height: 1123 },
  });
  await page.waitForSelector('.all-rules tbody tr');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.all-rules button:visible').count(), 0);
  assert.equal(await page.locator('.all-rules tbody tr:visible').count(), (await lines(page)).length);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 794);
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
    await follow(page, fragment.replace('&view=rules', ''));
    await known();
    const found = (await offered()).slice(0, -1);
    if (found.length === 0) assert.match(await page.innerText('.other-rules'), /^No other rule takes these operands/);
    await page.click('.other-rules button:has-text("Compare all rules")');
    await page.waitForSelector('.all-rules tbody tr');
    assert.equal(await page.locator('.other-rules').count(), 0);
    const taking = (await lines(page)).filter(({ ruling, whole }) => ruling === 'fits' && whole);
    const titles = [...new Set(taking.map(({ rule }) => rule))].filter((rule) => rule !== (question.rule ?? 'numpy'));
    assert.deepEqual(
      found.map((text) => text.split(/ \(| gives /)[0]),
      titles.map((rule) => bl.vocabulary.rules[rule].title),
      fragment,
    );
    for (const text of found) {
      const own = taking.filter(({ rule }) => bl.vocabulary.rules[rule].title === text.split(/ \(| gives /)[0]);
      assert.ok(
        own.some(({ shape }) => shape === text.split(' gives ')[1]),
        `${fragment}: ${text}`,
      );
    }
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
      const { text, document } = bl.vocabulary.clauses[clause];
      assert.ok(notes.replaceAll('`', '').includes(text.slice(1).replaceAll('`', '')), `${title}: ${clause}`);
      assert.equal(await page.locator(`.rule-notes a[title="${clause}"][href^="https://"]`).count(), 1, clause);
      assert.ok(notes.includes(bl.vocabulary.documents[document].title), `${title}: ${document}`);
    }
    const fields = await page.innerText('.rule-notes .facts');
    assert.equal(/\baxis\b/.test(fields.match(/fields\s+(.*)/)[1]), takesAxis, title);
    assert.equal(fields.includes('target shape'), takesTarget, title);
    assert.equal(/fields\s.*axes_mapping/.test(fields), takesMapping, title);
  }
  await page.locator('#rules input[value="pdpd"]').check({ force: true });
  assert.match(await page.innerText('.rule-notes'), /Other systems[^]*OpenVINO takes axis 0/);
  await page.context().close();
});

test('it is a table for screen readers, and fits on 320 pixels', async () => {
  const page = await playground.open(
    fragmentOf({ shapes: ['3,3,5', '3,1'], axis: 0, target: '9007199254740993,3,3,5' }),
    { viewport: { width: 320, height: 700 } },
  );
  await page.waitForSelector('.all-rules tbody tr');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  const table = page.locator('.all-rules').getByRole('table');
  assert.ok((await table.getByRole('row').count()) > 10);
  assert.ok((await table.getByRole('rowheader', { name: /^PDPD/ }).count()) > 3);
  assert.equal(await table.getByRole('button', { name: 'Use PDPD, axis 1', exact: true }).count(), 1);
  // It opens in sight, by a link and by its button.
  const inSight = () =>
    page.waitForFunction(() => {
      const { top } = document.querySelector('#all-rules-title').getBoundingClientRect();
      return top >= 0 && top < 400;
    });
  await inSight();
  await page.click('#close-rules');
  await page.evaluate(() => scrollTo(0, 0));
  await page.click('.fold > summary');
  await page.click('#compare-rules');
  await inSight();
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
