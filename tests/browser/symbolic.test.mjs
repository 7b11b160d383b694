// Shapes with unknown extents and named axes in the page's fields: the answers are those of `bl.alignSymbolic`, each witness
// opens as a question that fits, names are shown wherever axes are, and links, undo and keyboard hold all of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { drawing } from './modules.mjs';
import { arrived, follow, openPlayground, sideBySide } from './playground.mjs';

const bl = await load({ explanations: true });
const rules = Object.values(bl.vocabulary.rules);
const v = 'v=1&type=f32';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const escaped = (text) => encodeURIComponent(text).replaceAll('%20', '+');

/** The fragment of a question; `more` are further fields. */
const fragmentOf = ({ rule, shapes, options = {} }, more = '') => {
  const { targetShape, axesMapping, axis, byName } = options;
  const op = rule === 'sonnx' || rules.find(({ name }) => name === rule).takesTarget ? 'Broadcast' : 'Max';
  return (
    [
      `${v}&rule=${rule}&op=${rule === 'pdpd' ? 'Add' : rule === 'onnx_unidirectional' ? 'PRelu' : op}`,
      ...shapes.map((shape) => `in=${escaped(shape)}`),
      ...(targetShape === undefined ? [] : [`target=${escaped(targetShape)}`]),
      ...(axesMapping === undefined ? [] : [`mapping=[${axesMapping}]`]),
      ...(axis === undefined ? [] : [`axis=${axis}`]),
      ...(byName ? ['byname=1'] : []),
    ].join('&') + more
  );
};

/** Goes to a question, and waits for its answer. */
async function goTo(page, question) {
  await follow(page, fragmentOf(question));
  await answered(page, question.shapes);
}

/** Waits until the page has read these shapes and knows its answer. */
async function answered(page, shapes) {
  await page.waitForFunction((texts) => {
    if (document.documentElement.hasAttribute('data-awaits')) return false;
    const shows = new URLSearchParams(document.querySelector('#answer')?.dataset.shows).getAll('in');
    const settled = document.querySelector('#verdict')?.dataset.doubts === 'known';
    const { state } = document.querySelector('#answer').dataset;
    const drawn = state !== 'symbolic' || document.querySelector('#result-shape') !== null;
    return settled && drawn && texts.every((text, i) => shows[i] === text);
  }, shapes);
}

const read = (page) =>
  page.evaluate(() => {
    const { state } = document.querySelector('#answer').dataset;
    const verdict = document.querySelector('#verdict');
    const cells = (row) => [...row.cells].slice(1).map((cell) => cell.querySelector('.extent')?.textContent ?? '');
    return {
      state,
      fit: verdict.dataset.fits,
      errorClass: verdict.dataset.errorClass,
      shape: document.querySelector('#result-shape')?.textContent,
      cases: document.querySelectorAll('.cases .case').length,
      code: document.querySelector('#conditions-code')?.textContent ?? '',
      rows: [...document.querySelectorAll('.symbolic tbody tr')].map(cells),
      ways: document.querySelectorAll('.witness').length,
      example: document.querySelectorAll('.example .grids').length,
      marked: [...document.querySelectorAll('.mirror mark.bad')].map((mark) => mark.textContent),
      said: [...document.querySelectorAll('.message')].map((each) => each.textContent),
    };
  });

// --- Every rule, against the package ---------------------------------------------------------------------------------

const extents = ['N', 'M', 'batch', '?', 'None', '1', '1', '2', '3', '0', '2..3', '1..2', '2..', '2*N', '-1'];

/** A question of this rule with unknown extents, as texts. */
function questionOf(next, rule) {
  const shapeOf = (most) => {
    const list = Array.from({ length: next(most + 1) }, () => extents[next(extents.length)]);
    return `(${list.join(', ')}${list.length === 1 ? ',' : ''})`;
  };
  const rank = (shape) => shape.split(',').filter((part) => /[^()\s]/.test(part)).length;
  const count = rule.mostOperands ?? 2 + next(2);
  const shapes = Array.from({ length: count }, () => shapeOf(rule.takesMapping ? 2 : 3));
  const options = {};
  if (rule.takesTarget) options.targetShape = shapeOf(3).replaceAll('-1', '?');
  if (rule.takesMapping) {
    const places = Array.from({ length: rank(options.targetShape) }, (_, i) => i);
    options.axesMapping = places.slice(0, rank(shapes[0]));
  }
  if (rule.takesAxis && next(2) === 0) options.axis = next(3);
  return { rule: rule.name, shapes, options };
}

/** What the package answers; null if it refuses the question. */
function expected({ rule, shapes, options = {} }) {
  try {
    const { byName } = options;
    return bl.alignSymbolic(rule, shapes, byName ? { byName } : options);
  } catch {
    return null;
  }
}

const needsMore = (text) => /[^\d\s,()]/.test(text);

test('each rule answers as the package does, and every witness opens as a question that fits', async () => {
  const next = drawing(7);
  const questions = rules.flatMap((rule) => {
    const found = [];
    while (found.length < 24) {
      const question = questionOf(next, rule);
      // What is empty is "not given" in the page's field; without symbols the core answers.
      if (question.options.axesMapping?.length === 0) continue;
      const given = [...question.shapes, question.options.targetShape ?? ''];
      if (given.some(needsMore)) found.push(question);
    }
    return found;
  });
  let opened = 0;
  await sideBySide(questions, async (queue) => {
    const page = await playground.open(`${v}&rule=numpy&op=Add&in=(N,3)&in=(3)`);
    for (const [, question] of queue) {
      const what = fragmentOf(question);
      const document = expected(question);
      await goTo(page, question);
      const shown = await read(page);
      if (document === null) {
        assert.equal(shown.state, 'fails', what);
        continue;
      }
      assert.deepEqual([shown.state, shown.fit], ['symbolic', document.fit], what);
      const shapes = [...new Set(document.cases.map(({ shape }) => shape))];
      if (document.fit === 'never') assert.equal(shown.shape, 'No result', what);
      else if (shapes.length < 4) assert.equal(shown.shape, shapes.join(' or '), what);
      assert.equal(shown.cases, document.cases.length > 1 ? Math.min(16, document.cases.length) : 0, what);
      const [first] = document.cases;
      if (document.fit !== 'never') assert.equal(shown.code.trim(), first.conditions.python.trim(), what);
      // The table has the operands' extents where the package says that their axes lie.
      if (document.fit !== 'never' && first.axes.length > 0)
        assert.equal(shown.rows.length, first.sources.length + 1, what);
      const ways = first.axes.filter(({ always }) => !always).flatMap(({ alternatives }) => alternatives.slice(0, 12));
      if (document.fit === 'if' && document.cases.length === 1) assert.equal(shown.ways, ways.length, what);
      for (let i = 0; i < Math.min(shown.ways, 3); ++i) {
        await page.locator('.witness').nth(i).click();
        await page.waitForSelector('#answer:not([data-state="symbolic"])');
        await page.waitForSelector('#verdict[data-doubts="known"]', { state: 'attached' });
        const { state, fit } = await read(page);
        assert.ok(fit === 'yes' && ['fits', 'empty'].includes(state), `${what}: witness ${i} ${state}`);
        ++opened;
        await page.keyboard.press('Control+z');
        await page.waitForSelector('#answer[data-state="symbolic"]');
        await answered(page, question.shapes);
      }
    }
    await page.context().close();
  });
  assert.ok(opened > 60, `${opened} witnesses opened`);
});

test('each axis that never fits says so, and the extents with which it would fit are named', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(N,3)&in=(3)`);
  for (const [question, never, says] of [
    [
      { rule: 'numpy', shapes: ['(?, 32, 32, 64)', '(?, 16, 16, 64)'] },
      [1, 2],
      [
        'Axis 1 would fit with 16 or 1 in A, or with 32 or 1 in B.',
        'Axis 2 would fit with 16 or 1 in A, or with 32 or 1 in B.',
      ],
    ],
    [
      { rule: 'numpy', shapes: ['(N,4,5)', '(N,3,2)'] },
      [1, 2],
      [
        'Axis 1 would fit with 3 or 1 in A, or with 4 or 1 in B.',
        'Axis 2 would fit with 2 or 1 in A, or with 5 or 1 in B.',
      ],
    ],
    [{ rule: 'numpy', shapes: ['(N,3)', '(N,4)'] }, [1], ['Axis 1 would fit with 4 or 1 in A, or with 3 or 1 in B.']],
    [{ rule: 'numpy', shapes: ['(N,3)', '(N,4)', '(5,)'] }, [1], ['Axis 1 would fit with 3 in each of them.']],
    // Other rules allow other changes.
    [{ rule: 'none', shapes: ['(N,3)', '(N,4)'] }, [1], ['Axis 1 would fit with 4 in A, or with 3 in B.']],
    [
      { rule: 'onnx_unidirectional', shapes: ['(N,3)', '(N,4)'] },
      [1],
      ['Axis 1 would fit with 4 in A, or with 3 or 1 in B.'],
    ],
    [
      { rule: 'broadcast_numpy', shapes: ['(N,3)'], options: { targetShape: '(N,4)' } },
      [1],
      ['Axis 1 would fit with 4 or 1 in A, or with 3 in the target.'],
    ],
  ]) {
    const what = fragmentOf(question);
    await goTo(page, question);
    const reasons = await page
      .locator('.symbolic .reasons td')
      .evaluateAll((cells) => cells.map((cell) => [cell.textContent, cell.className, getComputedStyle(cell).color]));
    const red = await page.evaluate(() => {
      const probe = document.querySelector('main').appendChild(document.createElement('i'));
      probe.style.color = 'var(--clash)';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    });
    for (const [axis, [text, name, color]] of reasons.entries()) {
      const isNever = never.includes(axis);
      assert.equal(text === 'Never.' && name === 'clash' && color === red, isNever, `${what}: axis ${axis} ${text}`);
      assert.notEqual(text, 'If .', what);
    }
    const clashing = await page.locator('.symbolic .axis-cell.conflict').count();
    const operands = question.shapes.length + (question.options?.targetShape ? 1 : 0);
    assert.ok(clashing >= never.length * 2 && clashing <= never.length * operands, `${what}: ${clashing} clash`);
    assert.equal((await page.innerText('.symbolic .changes')).trim(), says.join(' '), what);
  }
  // Where something fits, there is nothing to change.
  await goTo(page, { rule: 'numpy', shapes: ['(N,3)', '(M,3)'] });
  assert.equal(await page.locator('.symbolic .changes').count(), 0);
  await page.context().close();
});

// --- What can be typed ------------------------------------------------------------------------------------------------

test('every notation of an unknown extent can be typed', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  for (const [text, shape] of [
    ['(N, 3)', '(N, 3)'],
    ['batch, 3', '(batch, 3)'],
    ['(?, 3)', '(?, 3)'],
    ['(None, 3)', '(?, 3)'],
    ['[-1, 3]', '(?, 3)'],
    ['2..8, 3', '(2..8, 3)'],
    ['(2.., 3)', '(2.., 3)'],
    ['(2*N, 3)', '(2*N, 3)'],
    ['2*N+1, 3', '(2*N+1, 3)'],
    ['N/2, 3', '(N/2, 3)'],
    ['torch.Size([-1, 3])', '(?, 3)'],
    ['tensor<?x3xf32>', '(?, 3)'],
    ['f32[?,3]', '(?, 3)'],
    ['（Ｎ，3）', '(N, 3)'],
  ]) {
    await page.fill('#operand-0', text);
    await answered(page, [text]);
    const shown = await read(page);
    assert.deepEqual([shown.state, shown.fit, shown.shape], ['symbolic', 'always', shape], text);
    assert.deepEqual(shown.said, [], text);
    assert.equal(shown.example, 1, text);
  }
  // Of unknown rank.
  await page.fill('#operand-0', '...');
  await answered(page, ['...']);
  assert.equal((await read(page)).cases, 3);
  assert.match(await page.innerText('.symbolic'), /If A has 0 axes: \(3,\)/);
  await page.locator('.cases .case').last().click();
  assert.equal(await page.locator('.cases .case').last().getAttribute('aria-expanded'), 'true');
  assert.equal(await page.locator('.symbolic table').count(), 1);
  await page.context().close();
});

test('while what reads names is on its way nothing is called wrong, and it can be asked for again', async () => {
  let lost = true;
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  await page.route('**/symbolic-more-*.js', (route) => (lost ? route.abort() : route.continue()));
  await page.fill('#operand-0', '(N, 3)');
  await page.waitForSelector('.not-loaded');
  await arrived(page);
  assert.equal(await page.locator('.message').count(), 0);
  lost = false;
  // All at once: the others go with the first of them.
  await page.locator('.not-loaded button').evaluateAll((all) => all.forEach((button) => button.click()));
  await answered(page, ['(N, 3)']);
  assert.equal((await read(page)).shape, '(N, 3)');
  playground.faults.length = 0; // The request that was aborted is on the console.
  await page.context().close();
});

test('a type beside a shape is the type of the operand, or is said to be left out', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  const typed = (number, type) =>
    page.waitForFunction(
      ([id, wanted]) => document.querySelector(id)?.innerText.startsWith(`${wanted} `),
      [`#details-${number}`, type],
    );
  await page.fill('#operand-0', 'f64[2,3]');
  await typed(0, 'f64');
  await typed(1, 'f64');
  await page.fill('#operand-0', 'tensor<2x3xf16>');
  await typed(0, 'f16');
  await page.fill('#operand-0', 'tensor<2x3xindex>');
  await page.waitForFunction(() => /The type index is left out/.test(document.body.innerText));
  await typed(0, 'f32');
  await page.context().close();
});

test('the menus of types show the type that holds', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  const holds = (shown) =>
    page.waitForFunction((wanted) => {
      const menu = document.querySelector('#dtype');
      return menu.value === wanted.type && menu.disabled === wanted.isInShape;
    }, shown);
  const first = (text) =>
    page.waitForFunction((wanted) => document.querySelector('#dtype-0 option')?.textContent === wanted, text);
  await holds({ type: 'f32', isInShape: false });
  await page.click('#details-0');
  await first('f32, as the operator’s');
  await page.fill('#operand-0', 'f64[2,3]');
  await holds({ type: 'f64', isInShape: true });
  await first('f64, as in a shape');
  // A chosen type comes first; the menu says what holds without it.
  await page.selectOption('#dtype-0', 'i32');
  await page.waitForFunction(() => /The type f64 is left out: i32 is chosen/.test(document.body.innerText));
  await holds({ type: 'f32', isInShape: false });
  await first('f64, as in a shape');
  await page.selectOption('#dtype-0', '');
  await holds({ type: 'f64', isInShape: true });
  await page.fill('#operand-0', '(2,3)');
  await holds({ type: 'f32', isInShape: false });
  await page.context().close();
});

test('a type in the target is said to be left out', async () => {
  const page = await playground.open(`${v}&rule=broadcast_numpy&op=Broadcast&in=(3)&target=(2,3)`);
  const said = page.locator('.operand .note', { hasText: 'The type f64 is left out: a target has no element type.' });
  await page.fill('#target', 'f64[2,3]');
  await said.waitFor();
  assert.equal(await page.innerText('#result-shape'), '(2, 3)');
  await page.fill('#target', '(2,3)');
  await said.waitFor({ state: 'detached' });
  await page.context().close();
});

test('an exponent is a number, and an expression a name of its own', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  const result = (shape) =>
    page.waitForFunction((wanted) => document.querySelector('#result-shape')?.textContent === wanted, shape);
  await page.fill('#operand-0', '(1e3, 3)');
  await result('(1000, 3)');
  await page.fill('#operand-1', '(2N, 3)');
  await page.waitForFunction(() => /2N is an expression/.test(document.querySelector('.conditions')?.innerText ?? ''));
  await page.context().close();
});

test('contradictory and hostile texts get a sentence with the field marked, or an answer', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  for (const [text, says, mark] of [
    ['(8..2, 3)', /8\.\.2 is empty/, '8..2'],
    ['(99999999999999999999, N)', /too large/, '99999999999999999999'],
    ['(2..99999999999999999999,)', /too large/, '99999999999999999999'],
    ['(N, M', /not closed/, '('],
    ['(N,, M)', /without a number/, ','],
    ['(2, 3q)', /3q is no extent\. Write 3, or 3\*q/, '3q'],
    ['(2, 1e-3)', /neither a number/, '1e-3'],
    ['-3, N', /negative/, '-3'],
  ]) {
    for (const field of [0, 1]) {
      await page.fill(`#operand-${1 - field}`, '(3,)');
      await page.fill(`#operand-${field}`, text);
      await answered(page, field === 0 ? [text, '(3,)'] : ['(3,)', text]);
      const shown = await read(page);
      assert.equal(shown.state, 'fails', text);
      assert.deepEqual(shown.marked, [mark], text);
      assert.match(await page.innerText('#verdict .because'), says, text);
      assert.equal(await page.getAttribute(`#operand-${field}`, 'aria-invalid'), 'true', text);
      assert.match(await page.innerText('#verdict .headline'), field === 0 ? /^A/ : /^B/, text);
    }
  }
  await page.fill('#operand-0', '(3,)');
  const many = (n, name) => Array.from({ length: n }, (_, i) => `${name}${i}`).join(', ');
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    '(<b>N</b>, 3)',
    'constructor, __proto__, toString',
    '(hasOwnProperty=8, valueOf=3)',
    `(${many(300, 'N')})`,
    `(${many(700, 'N')})`,
    'N'.repeat(19_000),
    '(N, '.repeat(3000),
    '('.repeat(19_000),
    '..'.repeat(9000),
    '?,'.repeat(400),
    '2*'.repeat(9000),
    '\u202eN\u202c, 3',
    '(N\u0000M, 3)',
    '\ud800, 3',
    '`${1}`, 3',
    '... ...',
    'a=a=a, 3',
    'batch=, 3',
    '=8',
  ]) {
    await page.fill('#operand-1', text);
    await page.waitForFunction(() => document.querySelector('#verdict')?.dataset.doubts === 'known');
    const state = await page.getAttribute('#answer', 'data-state');
    assert.ok(['fails', 'symbolic', 'fits', 'empty', 'oversize'].includes(state), `${text.slice(0, 20)}: ${state}`);
    assert.equal(await page.locator('#answer :is(img, script), #verdict b b').count(), 0, text.slice(0, 20));
    const [wide, high] = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      return [scrollWidth, scrollHeight];
    });
    assert.ok(wide <= 1280 && high < 12_000, `${text.slice(0, 20)}: ${wide} x ${high}`);
  }
  await page.context().close();
});

// --- Pasted texts ------------------------------------------------------------------------------------------------------

const paste = (page, text, selector = 'body') =>
  page.evaluate(
    ([pasted, where]) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const target = document.querySelector(where);
      if (where !== 'body') {
        target.focus();
        target.select();
      }
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [text, selector],
  );

test('pasted texts with unknown extents end in the same view', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  const values = () => page.locator('input[id^="operand-"]').evaluateAll((inputs) => inputs.map(({ value }) => value));
  await paste(page, 'Inputs have incompatible shapes. Received shapes (None, 32, 10) and (None, 32)');
  await page.waitForSelector('#answer[data-state="symbolic"] .symbolic');
  assert.deepEqual(await values(), ['(?, 32, 10)', '(?, 32)']);
  await paste(page, '(None, 32, 10) (None, 10)');
  await page.waitForFunction(() => document.querySelector('#operand-1').value === '(?, 10)');
  await paste(page, 'Incompatible shapes: [?,10] vs. [32] [Op:AddV2]');
  await page.waitForFunction(() => document.querySelector('#operand-1').value === '(32,)');
  await page.waitForSelector('#answer[data-state="symbolic"] .symbolic');
  assert.equal((await read(page)).fit, 'never');
  assert.match(await page.innerText('.pasted'), /TensorFlow/);
  await paste(page, 'x.shape = [?, 32]', '#operand-0');
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(?, 32)');
  assert.equal((await values())[1], '(32,)');
  await page.waitForFunction(() => document.querySelector('#verdict').dataset.fits === 'always');
  await page.context().close();
});

// --- Names -------------------------------------------------------------------------------------------------------------

test('names typed in a field are kept and shown wherever axes are, and unlike names warn', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.fill('#operand-0', 'batch=8, heads=4');
  await page.fill('#operand-1', 'heads=4');
  await answered(page, ['batch=8, heads=4', 'heads=4']);
  const { state } = await read(page);
  assert.equal(state, 'fits');
  const own = (row) => page.locator(`.alignment tbody tr >> nth=${row} >> .own`).allInnerTexts();
  assert.deepEqual(
    (await own(0)).map((text) => text.split('\n')[0]),
    ['batch', 'heads'],
  );
  assert.deepEqual(await own(2), ['batch', 'heads']);
  assert.match(await page.innerText('#verdict'), /\(batch=8, heads=4\)[^]*along axis 0 \(batch\)/);
  assert.match(
    await page.innerText('#arithmetic'),
    /out\[batch=\d, heads=\d\] = A\[batch=\d, heads=\d\] \+ B\[heads=\d\]/,
  );
  assert.equal(await page.locator('[data-warning="axis_names"]').count(), 0);
  assert.match(await page.evaluate(() => document.querySelector('.alignment tbody td').ariaLabel), /axis 0, batch/);

  await page.click('#share');
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.click('#share-copy-markdown');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(markdown, /A \(batch=8, heads=4\) and B \(heads=4,\)/);
  assert.match(markdown, /axis 0 \(batch\)/);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.click('#share-copy-svg');
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), />axis 0 \(batch\)</);
  await page.keyboard.press('Escape');

  await page.fill('#operand-0', 'heads=4, batch=4');
  await answered(page, ['heads=4, batch=4', 'heads=4']);
  await page.waitForSelector('[data-warning="axis_names"]');
  assert.match(await page.innerText('#verdict .badge'), /but check/);

  // A clash, and repairs, which keep the names.
  await page.fill('#operand-0', '(batch=8, heads=4)');
  await page.fill('#operand-1', '(batch=8,)');
  await answered(page, ['(batch=8, heads=4)', '(batch=8,)']);
  assert.match(await page.innerText('#verdict .headline'), /Axis 1 \(heads\/batch\): A has 4, B has 8/);
  await page.waitForSelector('.repairs .apply');
  await page.locator('.repairs .apply').first().click();
  await page.waitForFunction(() => document.querySelector('#operand-1').value === '(batch=8, 1)');
  await page.context().close();
});

test('axes are matched by name where that is chosen; links and undo keep it', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`);
  assert.equal(await page.locator('#by-name').count(), 0);
  await page.fill('#operand-0', 'row=2, column=3');
  await page.fill('#operand-1', 'column=3, row=2');
  await answered(page, ['row=2, column=3', 'column=3, row=2']);
  assert.equal((await read(page)).state, 'fails');
  await page.focus('#by-name');
  await page.keyboard.press('Space');
  await page.waitForSelector('#answer[data-state="symbolic"]');
  await page.waitForSelector('.example .grids');
  let shown = await read(page);
  assert.deepEqual([shown.fit, shown.shape, shown.example], ['always', '(row=2, column=3)', 1]);
  assert.match(await page.innerText('#verdict'), /by name/);
  await page.waitForFunction(() => location.hash.includes('byname=1'));
  const hash = await page.evaluate(() => location.hash.slice(1));
  await page.keyboard.press('Control+z');
  await page.waitForSelector('#answer[data-state="fails"]');
  assert.equal(await page.isChecked('#by-name'), false);
  await page.keyboard.press('Control+Shift+z');
  await page.waitForSelector('#answer[data-state="symbolic"]');

  const again = await playground.open(hash);
  await answered(again, ['row=2, column=3', 'column=3, row=2']);
  assert.equal((await read(again)).shape, '(row=2, column=3)');
  // Equal names need equal extents, 1 included; each axis needs a name of its own.
  await again.fill('#operand-1', 'column=1');
  await answered(again, ['row=2, column=3', 'column=1']);
  shown = await read(again);
  assert.equal(shown.fit, 'never');
  assert.match(await again.innerText('#verdict'), /axis column: A has 3, B has 1/);
  await again.fill('#operand-1', '(3,)');
  await answered(again, ['row=2, column=3', '(3,)']);
  shown = await read(again);
  assert.equal(shown.state, 'fails');
  assert.match(shown.said.join(), /name the axes of B/);
  await again.fill('#operand-1', 'row=3, row=2');
  await answered(again, ['row=2, column=3', 'row=3, row=2']);
  assert.deepEqual((await read(again)).marked, ['row=2']);
  await again.fill('#operand-1', 'column=N, depth=?');
  await answered(again, ['row=2, column=3', 'column=N, depth=?']);
  shown = await read(again);
  assert.deepEqual([shown.fit, shown.shape], ['if', '(row=2, column=3, depth=?)']);
  await again.locator('.witness').first().click();
  await again.waitForFunction(() => /^\(column=3, depth=\d\)$/.test(document.querySelector('#operand-1').value));
  assert.equal((await read(again)).fit, 'always');
  await page.context().close();
  await again.context().close();
});

// --- Links, keyboard, frames, narrow screens --------------------------------------------------------------------------

test('a link restores shapes with unknown extents, in a frame as well', async () => {
  const fragment = `${v}&rule=explicit&op=Broadcast&in=(N,3)&target=(?,4,3)&mapping=[0,2]`;
  for (const query of ['', '?embed']) {
    const page = await playground.open(fragment, { query });
    await answered(page, ['(N,3)']);
    const shown = await read(page);
    assert.deepEqual([shown.state, shown.fit, shown.shape], ['symbolic', 'if', '(?, 4, 3)'], query);
    assert.match(shown.code, /assert N == target\[0\] or N == 1/);
    await page.context().close();
  }
});

test('the conditions are copied as code, and a witness opens, by keyboard alone', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(N,3)&in=(M,3)`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.waitForSelector('.symbolic .ways');
  const { conditions } = bl.alignSymbolic('numpy', ['(N,3)', '(M,3)']).cases[0];
  for (const [form, text] of [
    ['Python', conditions.python],
    ['torch', conditions.torch],
    ['JAX', conditions.jax],
  ]) {
    await page.focus(`.forms button:has-text("${form}")`);
    await page.keyboard.press('Enter');
    await page.focus('#copy-conditions');
    await page.keyboard.press('Enter');
    await page.waitForFunction(async (wanted) => (await navigator.clipboard.readText()) === wanted, text);
  }
  await page.focus('.witness >> nth=1');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#answer[data-state="fits"]');
  assert.equal(await page.inputValue('#operand-0'), '(1, 3)');
  assert.equal(await page.inputValue('#operand-1'), '(4, 3)');
  assert.equal(await page.evaluate(() => document.activeElement !== document.body), true);
  await page.keyboard.press('Control+z');
  await page.waitForSelector('#answer[data-state="symbolic"]');
  assert.equal(await page.inputValue('#operand-0'), '(N,3)');
  await page.context().close();
});

test('the example follows the cell in hand, and the question stays', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(N,3)&in=(M,3)`);
  await page.waitForSelector('.example .grids');
  assert.match(await page.innerText('.example'), /An example, for N = 2, M = 1/);
  await page.locator('#grid-result [data-index="1,2"]').click();
  await page.waitForFunction(() =>
    /^out\[1, 2\] = A\[1, 2\] \+ B\[0, 2\]/.test(document.querySelector('#arithmetic').innerText),
  );
  assert.equal(await page.inputValue('#operand-0'), '(N,3)');
  assert.equal((await read(page)).state, 'symbolic');
  await page.context().close();
});

test('at 320 pixels long names cover nothing, and are whole in their titles', async () => {
  const long = 'n=attention_scores,position_bias&in=(batch_of_sequences=8, attention_heads=4, position=3)';
  for (const second of [
    '(attention_heads=4, position=1)',
    '(batch_of_sequences=7, attention_heads=4, position=3)',
    '(attention_heads=N, ?)',
  ]) {
    const page = await playground.open(`${v}&rule=numpy&op=Add&${long}&in=${second}`, {
      viewport: { width: 320, height: 800 },
    });
    await answered(page, ['(batch_of_sequences=8, attention_heads=4, position=3)', second]);
    const faults = await page.evaluate(() => {
      const found = [];
      const box = document.querySelector('.alignment .scroll');
      const head = box.querySelector('tbody th').getBoundingClientRect();
      const clash = box.querySelector('td.clash, td .conflict') ?? box.querySelector('tbody td');
      const { left, right } = clash.getBoundingClientRect();
      if (left < head.right - 1) found.push(`the head of a row covers a cell: ${left} < ${head.right}`);
      if (right > box.getBoundingClientRect().right + 1) found.push('the cell is out of sight');
      for (const text of box.querySelectorAll('.own, .extent')) {
        const cell = text.closest('td').getBoundingClientRect();
        if (text.getBoundingClientRect().right > cell.right + 1) found.push(`${text.textContent} leaves its cell`);
      }
      if (document.documentElement.scrollWidth > 320)
        found.push(`the page is ${document.documentElement.scrollWidth} wide`);
      const titles = [...box.querySelectorAll('[title]')].map(({ title }) => title).join('\n');
      if (!titles.includes('batch_of_sequences')) found.push('no title has the name');
      return found;
    });
    assert.deepEqual(faults, [], second);
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () => {
  assert.deepEqual(playground.faults, []);
});
