// The page as a whole: links, keyboard, colours, narrow screens, other folders, and messages where it cannot run.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { answer, follow, litSources, openPlayground, settled, type } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const shows = (page) => page.getAttribute('#answer', 'data-shows');

test('a first visit shows an example and keeps a clean address', async () => {
  const page = await playground.open();
  const shown = await answer(page);
  assert.equal(shown.shape, '(4, 6)');
  assert.match(shown.arithmetic, /^out\[1, 2\] = A\[1, 0\] \+ B\[2\] = 1 \+ 30 = 31$/);
  assert.deepEqual(await litSources(page), [[1, 0], [2]]);
  assert.equal(new URL(page.url()).hash, '');
  // Everything that matters is above the fold.
  const bottom = await page.locator('#grid-result').evaluate((grid) => grid.getBoundingClientRect().bottom);
  assert.ok(bottom <= 800, `the result ends at ${bottom}`);
  await page.context().close();
});

test('a link restores everything', async () => {
  const page = await playground.open();
  const questions = [
    {
      rule: 'pdpd',
      inputs: [
        [2, 3, 4, 5],
        [3, 1],
      ],
      axis: 1,
    },
    { rule: 'explicit', inputs: [[3, 4]], target_shape: [2, 3, 4, 5], axes_mapping: [1, 2], dtype: 'i16' },
    { rule: 'sonnx', inputs: [[1, 3], [2, 1], []] },
    { rule: 'numpy', inputs: ['2 3&#+%41é;=', '[2, 3'] },
    { rule: 'numpy', inputs: ['torch.Size([2, 3])', '3'] },
    { rule: 'numpy', inputs: ['2,\u{1f9f5}', '３'] },
  ];
  for (const question of questions) {
    await type(page, question);
    const wanted = await shows(page);
    await page.waitForFunction((fragment) => location.hash === `#${fragment}`, wanted);
    const again = await playground.open(new URL(page.url()).hash.slice(1));
    assert.equal(await shows(again), wanted);
    assert.deepEqual(await answer(again), await answer(page));
    for (const [i, text] of question.inputs.entries()) {
      if (typeof text === 'string') assert.equal(await again.inputValue(`#operand-${i}`), text);
    }
    await again.context().close();
  }
  await page.context().close();
});

test('links of version 1 keep working, and unknown fragments are harmless', async () => {
  const link = 'v=1&rule=pdpd&op=Mul&type=i32&in=(2,3,4,5)&in=(3,4)&axis=1&at=1,2,3,4&rows=1&columns=2';
  const page = await playground.open(link);
  assert.match(
    (await answer(page)).arithmetic,
    /^out\[1, 2, 3, 4\] = A\[1, 2, 3, 4\] \* B\[2, 3\] = 119 \* 120 = 14280$/,
  );
  assert.equal(await page.inputValue('#place-rows'), '1');
  // The same tab follows a pasted link.
  await follow(page, 'v=1&rule=numpy&op=Add&type=f32&in=7&in=7');
  assert.equal((await answer(page)).shape, '(7,)');
  await page.context().close();
  const hostile = [
    'v=9&x=1',
    'section',
    'v=1&rule=nonsense&op=Add&type=f32&in=1',
    'v=1&rule=numpy&op=nonsense&type=f32&in=1&in=2',
    'v=1&rule=numpy&op=Add&type=nonsense&in=1&in=2',
    `v=1&rule=numpy&op=Add&type=f32&in=<img src=x onerror=alert(1)>&in=2`,
    `v=1&rule=numpy&op=Max&type=f32${'&in=2'.repeat(3000)}`,
    `v=1&rule=numpy&op=Add&type=f32&in=${'1,'.repeat(5000)}1&in=2&at=9e99,-4,x`,
  ];
  for (const fragment of hostile) {
    const other = await playground.open(fragment);
    assert.notEqual(await other.getAttribute('main', 'data-state'), 'broken', fragment.slice(0, 60));
    assert.ok(await other.locator('#verdict').count(), fragment.slice(0, 60));
    await other.context().close();
  }
});

test('huge extents neither freeze nor crash', async () => {
  const page = await playground.open();
  // As long as every element has a number, cells are drawn; beyond that shape and size are still exact.
  const sizes = [
    ['1000000000', 'fits'],
    ['9007199254740991', 'fits'],
    ['65536x65536', 'fits'],
    ['9223372036854775807', 'oversize'],
    ['3037000499,3037000499', 'oversize'],
  ];
  for (const [text, state] of sizes) {
    await type(page, { rule: 'numpy', inputs: [text, '1'], dtype: 'u8' });
    const shown = await answer(page);
    assert.equal(shown.state, state, `${text}: ${shown.because}`);
  }
  await type(page, { rule: 'numpy', inputs: ['1000,1900', '1900'], dtype: 'f32' });
  assert.equal((await answer(page)).state, 'fits');
  await page.context().close();
});

test('scalars, empty results and high ranks are drawn', async () => {
  const page = await playground.open();
  await type(page, { rule: 'numpy', inputs: ['()', '()'] });
  assert.equal(await page.locator('#grid-result [role=gridcell]').count(), 1);
  await type(page, { rule: 'numpy', inputs: ['(0, 3)', '3'] });
  assert.equal((await answer(page)).state, 'empty');
  assert.equal(await page.locator('#grid-result').isVisible(), false);
  await type(page, { rule: 'numpy', inputs: ['2,1,3,1,2,1,4,5', '3,1,2,1,3,1,5'] });
  await page.fill('#slice-3', '1');
  assert.equal(await page.locator('.slice').count(), 6);
  await page.waitForFunction(() => /^out\[\d, \d, \d, 1,/.test(document.querySelector('#arithmetic').innerText));
  await page.selectOption('#place-rows', '7'); // It was on columns: the two change places.
  assert.equal(await page.inputValue('#place-columns'), '6');
  await page.context().close();
});

test('the keyboard alone reaches everything', async () => {
  const page = await playground.open();
  const reached = new Set();
  for (let i = 0; i < 80; ++i) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const { activeElement: element } = document;
      if (!element || element === document.body) return '';
      const outline = getComputedStyle(element).outlineStyle;
      const ring = element.nextElementSibling ? getComputedStyle(element.nextElementSibling).outlineStyle : 'none';
      if (outline === 'none' && ring === 'none') return `${element.outerHTML.slice(0, 80)} has no visible focus`;
      return element.closest('[role="grid"]')?.id || element.id || element.getAttribute('name') || element.className;
    });
    if (name === '') break;
    assert.doesNotMatch(name, /no visible focus/);
    reached.add(name);
  }
  const wanted =
    'skip guide gallery predict copy-link theme operand-0 operand-1 add-operand rule op dtype grid-0 grid-1 grid-result';
  for (const name of wanted.split(' ')) assert.ok(reached.has(name), `${name}; reached: ${[...reached].join(' ')}`);

  // Type a shape, choose a rule, walk the result, see what a source feeds: no pointer.
  await page.focus('#operand-1');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('4 1');
  await settled(page, ['(4, 1)', '4 1']);
  await page.focus('#rules input[value="numpy"]');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.locator('#rules input[name="rule"]:checked').inputValue(), 'pdpd');
  await page.keyboard.press('ArrowUp');
  await page.focus('#operand-1');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('(6,)');
  await settled(page, ['(4, 1)', '(6,)']);
  await page.focus('#grid-result [tabindex="0"]');
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await page.waitForFunction(() => document.activeElement?.dataset.index === '2,4');
  assert.match((await answer(page)).arithmetic, /^out\[2, 4\] = A\[2, 0\] \+ B\[4\]/);
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.activeElement?.dataset.index === '2,0');
  await page.keyboard.press('ControlOrMeta+End');
  await page.waitForFunction(() => document.activeElement?.dataset.index === '3,5');
  await page.focus('#grid-0 [tabindex="0"]');
  await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() =>
    /^A\[2, 0\] = 2 feeds 6 cells/.test(document.querySelector('#arithmetic').innerText),
  );
  assert.equal(await page.evaluate(() => document.activeElement.dataset.index), '2,0');
  await page.context().close();
});

test('letters outside of the BMP, and lone surrogates, are handled like others', async () => {
  const page = await playground.open();
  // Typed from inside: the way into the browser would mend the halves.
  for (const text of ['\\u{1f9f5}', '2,\\u{1f9f5}3', '2\\ud83e', '\\uddf5']) {
    const kept = await page.evaluate(`(() => {
      const input = document.querySelector('#operand-0');
      input.value = '${text}';
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      return input.value === '${text}';
    })()`);
    assert.ok(kept, text);
    await page.waitForFunction(() => document.querySelector('#verdict')?.dataset.errorClass === 'parse');
    await page.waitForFunction(() => document.querySelector('#operand-0').getAttribute('aria-invalid') === 'true');
    await page.fill('#operand-0', '(4, 1)');
    await page.waitForFunction(() => document.querySelector('#verdict')?.dataset.fits === 'yes');
  }
  await page.context().close();
});

test('an unknown type is an error', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=nonsense&in=1&in=2');
  assert.equal((await answer(page)).errorClass, 'unknown');
  await page.context().close();
});

test('removing operands by keyboard keeps the focus in the list', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Sum&type=f32&in=2&in=2&in=2');
  await page.locator('.remove').nth(2).focus();
  for (const left of [2, 1]) {
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('input[id^="operand-"]').length === count, left);
    assert.match(await page.evaluate(() => document.activeElement.className), left === 1 ? /add/ : /remove/);
  }
  await page.context().close();
});

test('grids have labels for screen readers', async () => {
  const page = await playground.open();
  assert.equal(await page.getAttribute('#verdict [role=status]', 'aria-live'), 'polite');
  const grid = page.getByRole('grid', { name: 'Result' });
  assert.equal(await grid.getAttribute('aria-rowcount'), '4');
  assert.equal(await page.getByRole('gridcell', { name: 'result [1, 2] = 31' }).count(), 1);
  assert.equal(await page.getByRole('columnheader', { name: 'axis 1' }).count(), 1);
  assert.equal(await page.getByRole('rowheader').count(), 4);
  assert.ok(await page.getByLabel('Shape of A').count());
  await page.context().close();
});

test('light and dark, by the system and by choice', async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await playground.open('', { colorScheme: 'light' });
  const dark = await playground.open('', { colorScheme: 'dark' });
  assert.equal(await ground(light), 'rgb(250, 248, 244)');
  assert.equal(await ground(dark), 'rgb(23, 22, 20)');
  await dark.click('#theme');
  assert.equal(await ground(dark), 'rgb(250, 248, 244)');
  await dark.reload();
  await dark.waitForSelector('#verdict');
  assert.equal(await ground(dark), 'rgb(250, 248, 244)');
  await light.context().close();
  await dark.context().close();
});

test('the page fits on 320 pixels', async () => {
  const states = [
    '',
    'v=1&rule=numpy&op=Add&type=f32&in=(8,64,56,56)&in=(64)',
    'v=1&rule=numpy&op=Add&type=f32&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)',
    'v=1&rule=numpy&op=Sum&type=f64&in=(40,1)&in=(50)&in=()&in=(40,50)&in=(1)&in=(50)&in=(1,50)&in=(40,1)',
    'v=1&rule=explicit&op=Broadcast&type=f32&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]',
    'v=1&rule=numpy&op=Add&type=f32&in=(2,3q)&in=(9007199254740993,1)',
    'v=1&rule=numpy&op=Add&type=f32&in=(1000000000,9)&in=(1)',
  ];
  for (const state of states) {
    const page = await playground.open(state, { viewport: { width: 320, height: 640 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${width} px wide: ${state}`);
    await page.context().close();
  }
});

test('the page works from any folder', async () => {
  const deep = await openPlayground({ below: 'some/where/else/' });
  try {
    const page = await deep.open('v=1&rule=numpy&op=Add&type=f32&in=2,1&in=3');
    assert.equal((await answer(page)).shape, '(2, 3)');
    // Parts that arrive later lie there, too.
    await page.waitForSelector('.elsewhere');
    await page.click('#details-0');
    await page.waitForSelector('.details');
    assert.deepEqual(deep.faults, []);
  } finally {
    await deep.close();
  }
});

test('a page that cannot run says why', async () => {
  const cases = [
    [() => delete globalThis.WebAssembly, /WebAssembly/],
    [
      () => {
        WebAssembly.validate = () => false;
        WebAssembly.compileStreaming = () => Promise.reject(new WebAssembly.CompileError('no such type'));
      },
      /SIMD/,
    ],
  ];
  for (const [before, says] of cases) {
    const page = await playground.open('', { before });
    assert.equal(await page.getAttribute('main', 'data-state'), 'unavailable');
    assert.match(await page.innerText('main'), says);
    await page.context().close();
  }
  // A file that does not arrive is no fault of the browser's: another try may do.
  const page = await playground.open('', { lost: '**/*.wasm' });
  assert.match(await page.innerText('main'), /did not load[^]*Try again/);
  await page.context().close();
  playground.faults.splice(
    0,
    playground.faults.length,
    ...playground.faults.filter((fault) => !/ERR_FAILED/.test(fault)),
  );
  // A part that does not arrive is missing in its place, with a button that asks for it again; the rest works.
  for (const [lost, button, arrived] of [
    ['operand-details', '#details-0', '.details'],
    ['broadloom-explain', '#code-jax', '#code-text :text("import jax")'],
  ]) {
    const parted = await playground.open('', { lost: `**/${lost}-*` });
    await parted.click(button);
    await parted.getByText('This part of the page did not load:').waitFor();
    assert.equal((await answer(parted)).shape, '(4, 6)');
    const again = parted.getByRole('button', { name: 'Try again' });
    await again.click();
    await parted.getByText(/still did not load[^]*reload the page/).waitFor();
    await parted.unroute(`**/${lost}-*`);
    await again.click();
    await parted.locator(arrived).waitFor();
    assert.equal(await again.count(), 0);
    await parted.context().close();
  }
  playground.faults.splice(
    0,
    playground.faults.length,
    ...playground.faults.filter((fault) => !/ERR_FAILED/.test(fault)),
  );
  const bare = await playground.open('', { javaScriptEnabled: false });
  assert.match(await bare.innerText('main'), /needs JavaScript[^]*\(4, 6\)/);
  assert.doesNotMatch(await bare.innerText('main'), /Loading|HTTP/);
  await bare.context().close();
});

test('a page opened from disk says how to serve it', async () => {
  const page = await playground.browser.newPage();
  await page.goto(pathToFileURL(path.join(playground.folder, 'index.html')).href);
  assert.equal(await page.title(), 'Broadloom: how tensors broadcast');
  assert.match(await page.innerText('main'), /^Broadloom\s+A browser starts this page over HTTP alone[^]*npx serve/);
  await page.close();
  // Over HTTP nothing of it is seen, even before the page is there.
  const early = await playground.browser.newPage();
  await early.route('**/*.js', () => {});
  await early.goto(playground.origin, { waitUntil: 'commit' });
  await early.waitForSelector('.setting-up');
  assert.match(await early.innerText('main'), /^Broadloom\s+Loading…$/);
  await early.close();
});

test('on paper the answer stands alone, with its question, in light colours and no wider than a sheet', async () => {
  const v = 'v=1&type=f32&rule=numpy';
  const states = [
    'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&n=attention_scores,mask&x=random:7&x=list:[1,2,3,4,5,6]&at=1,2',
    `${v}&op=Add&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)`,
    `${v}&op=Mul&in=(50,1)&in=(50)&at=20,33`,
    `${v}&op=Sum&in=(4,1)&in=(5)&in=(4,5)&in=()&in=(1,5)&in=(1,1)&in=(4,1)&in=(5)`,
    `${v}&op=Add&in=(2,3,4,5)&in=(3,3,2,5)`,
  ];
  for (const state of states) {
    const page = await playground.open(state, { colorScheme: 'dark' });
    // What is printed is there: the grids of large results arrive a moment later.
    await page.waitForSelector(state.includes('(3,3,2,5)') ? '.repairs' : '#grid-result', { state: 'attached' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    // A4 between its margins; Letter is wider.
    await page.setViewportSize({ width: 688, height: 1000 });
    assert.equal(await page.locator('.controls').isVisible(), false);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 688);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light');
    assert.equal(await page.locator('.alignment table').isVisible(), true);
    assert.equal(await page.locator('.written').first().isVisible(), true);
    assert.equal(await page.locator('#grid-result').count(), state.includes('(3,3,2,5)') ? 0 : 1);
    if (state === states[0]) {
      assert.match(
        await page.innerText('.on-paper'),
        /attention_scores\s+\(4,1\)\s+f32, random[^]*mask\s+\(6,\)\s+f32, typed in[^]*NumPy, Add/,
      );
      assert.equal(await page.locator('#result-shape').isVisible(), true);
    }
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
