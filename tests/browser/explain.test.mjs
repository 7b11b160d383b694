// What the page explains: why shapes do not fit, what would work and as which line of code, what to check although shapes fit,
// and what it reads from pasted texts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, arrived, follow, openPlayground } from './playground.mjs';

let playground;
before(async () => {
  playground = await openPlayground();
});
after(() => playground.close());

const v = 'v=1&type=f32';

/** Opens the page at a question. */
const opened = (fragment) => playground.open(`${v}&${fragment}`);

/** Pastes a text as a browser does, into the element with the focus. */
async function paste(page, text, selector = 'body') {
  await page.evaluate(
    ([pasted, where]) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const target = document.querySelector(where);
      if (where !== 'body') target.focus();
      target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    },
    [text, selector],
  );
}

const traceback = `Traceback (most recent call last):
  File "x.py", line 3, in <module>
    x - x.mean(axis=1)
    ~~^~~~~~~~~~~~~~~~
ValueError: operands could not be broadcast together with shapes (4,3) (4,) `;

test('a pasted traceback becomes the question, with its expressions, cause and line', async () => {
  const page = await opened('rule=pdpd&op=Add&in=(2,3)&in=(3)&axis=1');
  await paste(page, traceback);
  await page.waitForSelector('.repairs li');
  const fields = await page.locator('input[id^="operand-"]').evaluateAll((inputs) => inputs.map(({ value }) => value));
  assert.deepEqual(fields, ['(4, 3)', '(4,)']);
  assert.equal(await page.isChecked('#rules input[value="numpy"]'), true);
  assert.match(await page.innerText('.pasted'), /NumPy/);
  assert.match(await page.innerText('.repairs .cause'), /\w/);
  const first = await page.innerText('.repairs li >> nth=0');
  assert.match(first, /\(4, 1\)/);
  assert.match(first, /keepdims=True|None|reshape/);
  assert.doesNotMatch(new URL(page.url()).hash, /Traceback|could/);
});

test('two shapes pasted into one field fill both operands; one shape goes into its field', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  await paste(page, '(5, 7) (7,)', '#operand-1');
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(5, 7)');
  assert.equal(await page.inputValue('#operand-1'), '(7,)');
});

test('a text without shapes is said to have none, and changes nothing', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  await paste(page, 'hello <img src=x onerror=alert(1)> world');
  await page.waitForSelector('.pasted');
  assert.match(await page.innerText('.pasted'), /No shapes found/);
  assert.equal(await page.locator('.pasted img').count(), 0);
  assert.equal(await page.inputValue('#operand-0'), '(2,3)');
});

test('(32,1) - (32,) is no plain tick, and can be acknowledged, which the link keeps', async () => {
  const page = await opened('rule=numpy&op=Sub&in=(32,1)&in=(32,)');
  await answer(page);
  assert.match(await page.innerText('#verdict .badge'), /fits, but check/);
  await page.waitForSelector('[data-warning="outer"]');
  await page.check('[data-warning="outer"] input');
  assert.equal((await page.innerText('#verdict .badge')).trim(), '✓ fits');
  await page.waitForFunction(() => location.hash.includes('expect=outer'));
  // Another question has to be looked at anew.
  await page.fill('#operand-0', '(16,1)');
  await page.fill('#operand-1', '(16,)');
  await page.waitForFunction(() => document.querySelector('#verdict .badge').textContent.includes('but check'));
});

test('a link keeps what it acknowledges, whatever was acknowledged before', async () => {
  const page = await opened('rule=numpy&op=Sub&in=(16,1)&in=(16,)&expect=outer');
  const link = `${v}&rule=numpy&op=Sub&in=(32,1)&in=(32,)&expect=outer`;
  await follow(page, link);
  assert.equal((await answer(page)).shape, '(32, 32)');
  await page.waitForSelector('[data-warning="outer"]');
  assert.equal(await page.isChecked('[data-warning="outer"] input'), true);
  assert.equal((await page.innerText('#verdict .badge')).trim(), '✓ fits');
});

test('ordinary uses have a plain tick and no warning', async () => {
  for (const shapes of ['in=(8,64,56,56)&in=(64,1,1)', 'in=(32,10)&in=(10)', 'in=(4,3)&in=()']) {
    const page = await opened(`rule=numpy&op=Add&${shapes}`);
    await arrived(page);
    assert.equal((await page.innerText('#verdict .badge')).trim(), '✓ fits', shapes);
    assert.equal(await page.locator('.warnings li').count(), 0, shapes);
    await page.context().close();
  }
});

test('a transposition keeps the values of what it transposes', async () => {
  const page = await opened('rule=none&op=Add&in=(2,3)&in=(3,2)&x=list:[1,2,3,4,5,6]');
  await page.waitForSelector('.repairs li');
  const transpose = page.locator('.repairs .apply', { hasText: 'transpose A' });
  await transpose.click();
  assert.equal((await answer(page)).fits, true);
  const cells = await page.locator('#grid-0 [data-index]').allInnerTexts();
  assert.deepEqual(
    cells.map((text) => text.trim()),
    ['1', '4', '2', '5', '3', '6'],
  );
});

test('the line of code for a system of which no code is written is said to be NumPy’s', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  const said = page.locator('.repairs > .note', { hasText: 'No code is written for' });
  for (const [title, text] of [
    ['MLX', '[broadcast_shapes] Shapes (4,2) and (4) cannot be broadcast.'],
    ['tinygrad', 'shape mismatch: objects cannot be broadcast to a single shape ((5, 2), (5,))'],
    [
      'Julia',
      'DimensionMismatch("dimensions must match: a has dims (Base.OneTo(2), Base.OneTo(3)), b has dims (Base.OneTo(3), Base.OneTo(2)), mismatch at 1")',
    ],
  ]) {
    await paste(page, text);
    await page.locator('.pasted b', { hasText: title }).waitFor();
    await said.filter({ hasText: `No code is written for ${title}: these lines are in NumPy.` }).waitFor();
    assert.match(await page.locator('.line-to-change').innerText(), / \(NumPy\)$/);
  }
  await page.selectOption('#repair-code', 'jax');
  await said.filter({ hasText: 'these lines are in JAX' }).waitFor();
  // A text of a system that has code, and another question, say nothing of it.
  await paste(page, traceback);
  await page.locator('.pasted b', { hasText: 'NumPy' }).waitFor();
  await page.waitForFunction(() => document.querySelector('#repair-code')?.value === 'numpy');
  assert.equal(await said.count(), 0);
  await page.context().close();
});

test('outside a field a word is no shape; in a field it is an extent', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  for (const text of ['hello', 'hello, world', 'Lorem ipsum dolor sit amet', 'N', '\u202e']) {
    await paste(page, text);
    await page.locator('.pasted', { hasText: 'No shapes found in the pasted text.' }).waitFor();
    assert.equal(await page.inputValue('#operand-0'), '(2,3)', text);
    await page.click('[aria-label="Dismiss this note"]');
    await page.waitForSelector('.pasted', { state: 'detached' });
  }
  for (const [text, shape] of [
    ['N, 7', '(N, 7)'],
    ['(N, C)', '(N, C)'],
    ['5', '(5,)'],
    ['2x4', '(2, 4)'],
  ]) {
    await paste(page, text);
    await page.waitForFunction((wanted) => document.querySelector('#operand-0').value === wanted, shape);
    assert.equal(await page.locator('.pasted').count(), 0);
  }
  await page.fill('#operand-0', 'hello');
  await page.fill('#operand-1', '(1,)');
  await page.waitForFunction(() => document.querySelector('#verdict .headline')?.textContent.includes('(hello,)'));
  await page.context().close();
});

test('of more shapes than the page takes the first are shown, and it says so', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  const shapes = Array.from({ length: 100 }, () => '(2,5)').join(' ');
  for (const [text, shape] of [
    [shapes, '(2, 5)'],
    [`ValueError: operands could not be broadcast together with shapes ${shapes.replaceAll('5', '7')} (3,)`, '(2, 7)'],
  ]) {
    await paste(page, text);
    await page.waitForFunction((wanted) => document.querySelector('#operand-63')?.value === wanted, shape);
    await page.locator('.pasted', { hasText: /The text has 10[01] shapes.*the first 64 are shown/ }).waitFor();
    assert.equal(await page.locator('input[id^="operand-"]').count(), 64);
  }
  await page.context().close();
});

test('the line of code follows the chosen system', async () => {
  const page = await opened('rule=numpy&op=Add&in=(8,64,56,56)&in=(64)');
  await page.waitForSelector('.repairs li');
  await page.selectOption('#repair-code', 'pytorch');
  assert.match(await page.innerText('.repairs li >> nth=0'), /b\[:, None, None\]|unsqueeze|view|reshape/);
});

/** A page that may read and write the clipboard. */
async function withClipboard(fragment) {
  const page = await opened(fragment);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return page;
}

test('the line of code is in its card, and a button copies it', async () => {
  const page = await withClipboard('rule=numpy&op=Add&in=(8,64,56,56)&in=(64)');
  const card = page.locator('.repairs li').first();
  await card.waitFor();
  const line = await card.locator('pre').innerText();
  await Promise.all([card.getByText('Copied').waitFor(), card.locator('.copy-line').click()]);
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), line);
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const boxes = await card.evaluate((li) =>
      [li, ...li.children].map((each) => each.getBoundingClientRect().toJSON()),
    );
    const [outer, ...inner] = boxes;
    for (const { left, right, top, bottom } of inner) {
      assert.ok(
        left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom,
        `${width} px`,
      );
    }
  }
});

test('repairs that need another rule come last', async () => {
  for (const shapes of ['in=(8,64,56,56)&in=(64)', 'in=(4,3)&in=(4)', 'in=(2,3,4)&in=(2,3)', 'in=(32,10)&in=(32)']) {
    const page = await opened(`rule=numpy&op=Add&${shapes}`);
    await page.waitForSelector('.repairs li');
    const texts = await page.locator('.repairs .apply').allInnerTexts();
    const rules = texts.map((text) => /use the rule/i.test(text));
    assert.deepEqual(rules, rules.toSorted(), shapes);
    assert.equal(rules[0], false, shapes);
    await page.context().close();
  }
});

const errors = {
  numpy: [traceback, /An error of NumPy/, '(4, 3)', 'x.mean(axis=1, keepdims=True)'],
  tensorflow: [
    'InvalidArgumentError: Incompatible shapes: [32,10] vs. [32] [Op:AddV2]',
    /An error of TensorFlow/,
    '(32, 10)',
    'b[:, None]',
  ],
  keras: [
    'ValueError: Inputs have incompatible shapes. Received shapes (28, 28, 64) and (14, 14, 64)',
    /An error of Keras/,
    '(28, 28, 64)',
    null,
  ],
};

for (const [name, [text, system, shape, code]] of Object.entries(errors)) {
  test(`after a paste of ${name}, the first screen has the system, the clash, its picture and the line`, async () => {
    const page = await opened('rule=pdpd&op=Add&in=(2,3)&in=(3)&axis=1');
    await paste(page, text);
    await page.waitForSelector('.repairs li');
    assert.match(await page.innerText('.pasted'), system);
    assert.equal(await page.inputValue('#operand-0'), shape);
    const line = page.locator('.repairs pre').first();
    if (code) assert.equal(await line.innerText(), code);
    for (const part of ['.pasted', '.outcome', '.alignment table', '.repairs .cause', '.repairs pre']) {
      const { bottom } = await page
        .locator(part)
        .first()
        .evaluate((each) => each.getBoundingClientRect().toJSON());
      assert.ok(bottom <= 800, `${part} ends at ${bottom}`);
    }
    // On a small screen, too, the line to change is in sight without scrolling.
    await page.setViewportSize({ width: 320, height: 640 });
    if (code) assert.match(await page.innerText('.line-to-change'), /Change it to/);
  });
}

test('a text with two extents and an axis shows them, and asks for the rest', async () => {
  const page = await opened('rule=numpy&op=Mul&in=(2,3)&in=(3)');
  await paste(
    page,
    'RuntimeError: The size of tensor a (64) must match the size of tensor b (128) at non-singleton dimension 3',
  );
  await page.waitForSelector('.clash-notice');
  assert.equal(await page.inputValue('#operand-0'), '(?, ?, ?, 64)');
  assert.equal(await page.inputValue('#operand-1'), '(?, ?, ?, 128)');
  assert.match(
    await page.innerText('.pasted'),
    /PyTorch .*64 and 128 differ along axis 3.*Replace each \? by your sizes, and add the axes after axis 3/s,
  );
  assert.equal(await page.locator('.badge.fits').count(), 0);
  // With the shapes come the repairs.
  await paste(page, '(2, 8, 16, 64) (2, 8, 16, 128)', '#operand-0');
  await page.waitForSelector('.repairs li');
  assert.equal(await page.locator('.clash-notice').count(), 0);
});

test('a text with two extents alone shows that they clash, and no repair', async () => {
  const page = await opened('rule=numpy&op=Mul&in=(2,3)&in=(3)');
  await paste(
    page,
    "[ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running Add node. Name:'/decoder/Add_3' Status Message: element_wise_ops.h:560 void onnxruntime::BroadcastIterator::Append(ptrdiff_t, ptrdiff_t) axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 77 by 512",
  );
  await page.waitForSelector('.clash-notice');
  assert.deepEqual([await page.inputValue('#operand-0'), await page.inputValue('#operand-1')], ['(77,)', '(512,)']);
  assert.match(await page.innerText('.clash-notice'), /Drop the model/);
  assert.equal(await page.locator('.repairs').count(), 0);
});

test('a very large result can be acknowledged, which the link keeps', async () => {
  const page = await opened('rule=numpy&op=Sub&in=(50000,1)&in=(50000,)');
  await answer(page);
  assert.match(await page.innerText('#verdict .badge'), /fits, but check/);
  await page.check('.blow-up input');
  assert.equal((await page.innerText('#verdict .badge')).trim(), '✓ fits');
  await page.waitForFunction(() => location.hash.includes('expect=large_result'));
  const again = await playground.open(new URL(page.url()).hash.slice(1));
  assert.equal(await again.isChecked('.blow-up input'), true);
  assert.equal((await again.innerText('#verdict .badge')).trim(), '✓ fits');
  await again.uncheck('.blow-up input');
  assert.match(await again.innerText('#verdict .badge'), /fits, but check/);
});

test('above a large result a warning and its check box are within the page, and the whole text can be read', async () => {
  const page = await opened('rule=numpy&op=Sub&in=(32,1)&in=(32,)');
  await page.waitForSelector('.vast .warnings .check');
  const right = (selector) => page.locator(selector).evaluate((each) => each.getBoundingClientRect().right);
  for (const part of ['li', 'p', '.check']) assert.ok((await right(`.warnings ${part}`)) <= 1280, part);
  await page.focus('.warnings input');
  const text = page.locator('.warnings p');
  assert.equal(await text.evaluate((each) => each.scrollHeight > each.clientHeight), false);
});

test('what can be pasted and opened is named at the top, wide and narrow, and in the list of keys', async () => {
  for (const width of [1280, 900, 320]) {
    const page = await playground.open('', { viewport: { width, height: 640 } });
    for (const id of ['#paste-text', '#open-file']) {
      const { top, bottom, left, right } = await page
        .locator(id)
        .evaluate((each) => each.getBoundingClientRect().toJSON());
      assert.ok(top >= 0 && bottom < 160 && left >= 0 && right <= width, `${id} at ${width} px`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    await page.click('#keys');
    const list = await page.innerText('.keys-list');
    assert.match(list, /traceback or model file/);
    assert.match(list, /zoom in.*a page up.*page to the left/s);
    assert.match(list, /pin the cell/);
    await page.context().close();
  }
});

/** Presses the keys for pasting, with this text in the clipboard. */
async function pressPaste(page, text) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}

test('the dialog for an error has the focus in its field, and reads what is pasted anywhere or typed', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  const values = () => page.locator('input[id^="operand-"]').evaluateAll((inputs) => inputs.map(({ value }) => value));
  const openDialog = async () => {
    await page.click('#paste-text');
    await page.waitForSelector('#pasted-text:focus');
  };
  const places = [
    async () => {}, // the field
    () => page.focus('.paste-dialog .quiet'),
    () => page.evaluate(() => document.activeElement.blur()),
  ];
  for (const [i, go] of places.entries()) {
    await openDialog();
    await go();
    await pressPaste(page, `operands could not be broadcast together with shapes (${i + 4},3) (${i + 4},)`);
    await page.waitForSelector('.paste-dialog', { state: 'detached' });
    await page.waitForFunction((shape) => document.querySelector('#operand-0').value === shape, `(${i + 4}, 3)`);
    assert.deepEqual(await values(), [`(${i + 4}, 3)`, `(${i + 4},)`]);
  }
  await openDialog();
  // Pasting into what is typed adds to it.
  await page.keyboard.type('(8,3) ');
  await pressPaste(page, '(8,');
  await page.keyboard.type(')');
  assert.equal(await page.inputValue('#pasted-text'), '(8,3) (8,)');
  await page.keyboard.press('Control+Enter');
  await page.waitForSelector('.paste-dialog', { state: 'detached' });
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(8, 3)');
  assert.deepEqual(await values(), ['(8, 3)', '(8,)']);
  await page.context().close();
});

test('after an error of an array that is written to, no line broadcasts what is already so', async () => {
  for (const text of [
    "ValueError: non-broadcastable output operand with shape (3,1) doesn't match the broadcast shape (3,4)",
    "RuntimeError: output with shape [3, 1] doesn't match the broadcast shape [3, 4]",
  ]) {
    const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
    await paste(page, text);
    await page.waitForSelector('.repairs li');
    const first = await page.innerText('.repairs li >> nth=0');
    assert.match(first, /The array that is written to has to be \(3, 4\): write to a new one, as in out = a \+ b\./);
    assert.match(first, /Likely meant/);
    assert.doesNotMatch(await page.textContent('body'), /broadcast_to\(a/);
    assert.equal(await page.locator('.line-to-change').count(), 0);
    // Another question has its line.
    await page.fill('#target', '(3, 1, 1)');
    await page.waitForFunction(() => /broadcast_to\(a/.test(document.querySelector('.repairs')?.textContent));
    assert.doesNotMatch(await page.innerText('.repairs'), /written to/);
    await page.context().close();
  }
});

test('a text with two extents and an axis from the left asks for the axes that may follow', async () => {
  const page = await opened('rule=numpy&op=Mul&in=(2,3)&in=(3)');
  await paste(page, 'The size of tensor a (64) must match the size of tensor b (128) at non-singleton dimension 1');
  await page.waitForSelector('.clash-notice');
  assert.equal(await page.inputValue('#operand-0'), '(?, 64)');
  assert.match(
    await page.innerText('.pasted'),
    /Replace each \? by your sizes, and add the axes after axis 1 if there are more/,
  );
  await page.context().close();
});

test('what is no broadcast is said to be none, and the question from before is no answer to it', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  assert.equal(await page.locator('.from-before').count(), 0);
  for (const [text, says] of [
    [
      'ValueError: cannot reshape array of size 12 into shape (5,3)',
      /An error of NumPy\..*This is a reshape, not a broadcast/s,
    ],
    ['TypeError: foo() takes 2 positional arguments but 3 were given', /An error of Python\..*This is a call/s],
    ['FooError: cannot concatenate shapes [2,3] and [4,5]', /Read from the pasted text\..*This joins arrays/s],
    ['Error in x + y : non-conformable arrays', /An error of R.*nothing is judged/s],
    ['hello, world!', /No shapes found/],
  ]) {
    await paste(page, text);
    await page.locator('.pasted', { hasText: says }).waitFor();
    await page.locator('.unanswered > .from-before').waitFor();
    assert.deepEqual([await page.inputValue('#operand-0'), await page.inputValue('#operand-1')], ['(2,3)', '(3)']);
    assert.equal(await page.locator('.line-to-change').count(), 0);
  }
  await page.click('[aria-label="Dismiss this note"]');
  await page.waitForSelector('.from-before', { state: 'detached' });
  // Another question is asked anew.
  await paste(page, 'hello, world!');
  await page.waitForSelector('.unanswered > .from-before');
  await page.fill('#operand-0', '(5,3)');
  await page.waitForSelector('.from-before', { state: 'detached' });
  // So is one that is pasted.
  await paste(page, 'hello, world!');
  await page.waitForSelector('.unanswered > .from-before');
  await paste(page, traceback);
  await page.waitForSelector('.from-before', { state: 'detached' });
  await page.context().close();
});

test('shapes printed beside two extents are the question', async () => {
  const page = await opened('rule=numpy&op=Mul&in=(2,3)&in=(3)');
  await paste(
    page,
    'a.shape = (2, 64)\nb.shape = (3, 128)\na.shape = (2, 7, 64)\nb.shape = (7, 128)\nRuntimeError: The size of tensor a (64) must match the size of tensor b (128) at non-singleton dimension 2',
  );
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(2, 7, 64)');
  assert.equal(await page.inputValue('#operand-1'), '(7, 128)');
  assert.equal(await page.locator('.clash-notice').count(), 0);
  assert.match(await page.innerText('.pasted'), /PyTorch, judged under the rule .*stand beside it/s);
  await page.context().close();
});

test('after an error of a system that has one rule, no repair takes another', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  await paste(page, 'operands could not be broadcast together with shapes (8,64,56,56) (64,)');
  await page.waitForSelector('.repairs li');
  const texts = () => page.locator('.repairs .apply').allInnerTexts();
  assert.ok((await texts()).every((text) => !/use the rule/i.test(text)));
  // Of another question all repairs are shown.
  await page.fill('#operand-0', '(9, 64, 56, 56)');
  await page.waitForFunction(() => /use the rule/i.test(document.querySelector('.repairs')?.textContent));
  await page.context().close();
});

test('the dialog that shares has plain headings', async () => {
  const page = await opened('rule=numpy&op=Add&in=(2,3)&in=(3)');
  await page.click('#share');
  assert.equal(await page.innerText('#share-picture-title'), 'Picture');
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () => {
  assert.deepEqual(playground.faults, []);
});
