// Operands: names, element types and values of every kind, typed, pasted and dropped; undo and redo.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatNpy } from 'broadloom/npy';
import { answer, openPlayground } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const shows = (page) => page.getAttribute('#answer', 'data-shows');
const shown = (page, pattern) =>
  page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector('#answer')?.dataset.shows ?? ''),
    [pattern.source],
  );
const grid = (page, id) =>
  page.locator(`#grid-${id} [role=gridcell]`).evaluateAll((cells) => cells.map((cell) => cell.textContent));
const column = 'v=1&rule=numpy&op=Add&type=f32&in=(2,1)&in=(3,)';

async function openDetails(page, operand) {
  await page.click(`#details-${operand}`);
  await page.waitForSelector(`#values-${operand}`);
}

test('type, values and name are behind a button, and not in the way before it is pressed', async () => {
  const page = await playground.open();
  assert.equal(await page.innerText('#details-0'), 'f32 · counting');
  assert.equal(await page.locator('.details').count(), 0);
  await openDetails(page, 0);
  assert.equal(await page.getAttribute('#details-0', 'aria-expanded'), 'true');
  await openDetails(page, 1); // one at a time
  assert.equal(await page.locator('.details').count(), 1);
  await page.click('#details-1');
  assert.equal(await page.locator('.details').count(), 0);
  await page.context().close();
});

test('a name is used wherever the operand is mentioned', async () => {
  const page = await playground.open(column);
  await openDetails(page, 0);
  await page.fill('#name-0', 'mask');
  await page.click('#details-0');
  await openDetails(page, 1);
  await page.fill('#name-1', 'attention scores');
  await shown(page, /n=mask,attention\+scores/);
  const { because, arithmetic } = await answer(page);
  assert.equal(because, 'mask is repeated 3 times along axis 1; attention scores is repeated 2 times along axis 0.');
  assert.match(arithmetic, /= mask\[0, 0\] \+ attention scores\[0\] =/);
  assert.match(await page.innerText('.alignment'), /mask's 1 stretches to 3\./);
  assert.equal(await page.locator('.alignment tbody .chip').first().innerText(), 'mask');
  assert.ok(await page.getByLabel('Shape of mask').count());
  assert.ok(await page.getByRole('gridcell', { name: 'mask [1, 0] = 1' }).count());
  assert.match(
    await page.innerText('#code-text'),
    /\nmask = np\.arange.*\nattention_scores = .*\nout = mask \+ attention_scores/,
  );
  await page.fill('#operand-0', '(2, 4)');
  assert.match((await answer(page)).headline, /Axis 1: mask has 4, attention scores has 3/);
  await page.fill('#operand-0', '(2, 4q)');
  assert.match((await answer(page)).headline, /^mask cannot be read/);
  await page.fill('#name-1', '');
  assert.ok(await page.getByLabel('Shape of B').count());
  await page.context().close();
});

test('names are used in sentences of several operands, too', async () => {
  const page = await playground.open(
    'v=1&rule=numpy&op=Max&type=f32&in=(2,3)&in=(3,)&in=(2,1)&in=()&n=,mask,attention+scores,and',
  );
  const { because } = await answer(page);
  assert.equal(
    because,
    'mask and and are repeated 2 times along axis 0; attention scores and and are repeated 3 times along axis 1.',
  );
  const why = await page.innerText('.alignment tfoot');
  assert.match(why, /mask and and have no such axis; it counts as 1 and stretches to 2\./);
  assert.match(why, /attention scores's 1 stretches to 3\. and has no such axis; it counts as 1 and stretches to 3\./);
  await page.context().close();
});

test('values: counting, random by seed, one constant', async () => {
  const page = await playground.open(column);
  assert.deepEqual(await grid(page, 1), ['10', '20', '30']);
  await openDetails(page, 1);
  await page.selectOption('#values-1', 'random');
  await page.fill('#value-1', '11');
  await shown(page, /x=&x=random:11/);
  const first = await grid(page, 1);
  for (const text of first) assert.match(text, /^-?(0|0\.\d{1,2}|1)$/);
  await page.fill('#value-1', '12');
  await shown(page, /random:12/);
  assert.notDeepEqual(await grid(page, 1), first);
  await page.fill('#value-1', '11');
  await shown(page, /random:11/);
  assert.deepEqual(await grid(page, 1), first);
  await page.selectOption('#values-1', 'constant');
  await page.fill('#value-1', '0.5');
  await shown(page, /constant:0\.5/);
  assert.deepEqual(await grid(page, 1), ['0.5', '0.5', '0.5']);
  assert.match((await answer(page)).arithmetic, /= 0 \+ 0\.5 = 0\.5$/);
  await page.fill('#value-1', 'half');
  await page.waitForSelector('#answer[data-state="fails"]');
  assert.match((await answer(page)).headline, /^The values of B do not fit/);
  assert.equal(await page.getAttribute('#value-1', 'aria-invalid'), 'true');
  // The alignment stays: shapes are not at fault.
  assert.equal(await page.locator('.alignment').count(), 1);
  await page.getByRole('button', { name: 'let B count instead' }).click();
  assert.deepEqual(await grid(page, 1), ['10', '20', '30']);
  await page.context().close();
});

test('typed values set the shape of the operand', async () => {
  const page = await playground.open(column);
  await openDetails(page, 1);
  await page.selectOption('#values-1', 'list');
  assert.equal(await page.inputValue('#list-1'), '[10, 20, 30]'); // what is there, to be changed
  const texts = {
    '[[1, 2, 3], [4, 5, 6]]': '(2, 3)',
    '[[[1]], [[2]]]': '(2, 1, 1)',
    'array([[1., 2.],\n       [3., 4.]], dtype=float32)': '(2, 2)',
    'tensor([1, 2], dtype=torch.float64)': '(2,)',
    '1 2 3\n4 5 6': '(2, 3)',
    7: '()',
    '[[1. 2.]\n [3. 4.]]': '(2, 2)',
  };
  for (const [text, shape] of Object.entries(texts)) {
    await page.fill('#list-1', text);
    await page.waitForFunction((value) => document.querySelector('#operand-1').value === value, shape);
  }
  // A row of as many values as there is room for leaves the shape alone.
  await page.fill('#list-1', '5 6 7 8');
  assert.equal(await page.inputValue('#operand-1'), '(2, 2)');
  assert.deepEqual(await grid(page, 1), ['5', '6', '7', '8']);
  await page.context().close();
});

test('a value at fault is marked in the text', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=u8&in=(2,2)&in=(2,)&x=list:[[1,2],[3,4]]');
  await openDetails(page, 0);
  const marked = () => page.locator('.list mark.bad').allInnerTexts();
  for (const [text, mark, says] of [
    ['[[1,2],[x3,4]]', ['x3'], /"x3" is not a value/],
    ['[[1,2],[300,4]]', ['300'], /300 is not a value of u8/],
    ['[[1,2],[3]]', ['[3]'], /1 entry, the ones before it 2/],
    ['[[1,2],[3,4]', ['['], /never closed/],
  ]) {
    await page.fill('#list-0', text);
    await page.waitForFunction((wanted) => document.querySelector('.list mark.bad')?.textContent === wanted, mark[0]);
    assert.deepEqual(await marked(), mark);
    assert.match((await answer(page)).because, says);
    assert.match(await page.innerText('#values-message-0'), says);
    assert.equal(await page.getAttribute('#list-0', 'aria-describedby'), 'values-message-0');
  }
  await page.fill('#list-0', '[[1,2],[3,4]]');
  await page.fill('#operand-0', '(2, 1)');
  assert.match((await answer(page)).because, /A has 2 elements by its shape, but the values typed in are 4/);
  await page.getByRole('button', { name: 'give A the shape of its values, (2, 2)' }).click();
  assert.equal((await answer(page)).fits, true);
  await page.context().close();
});

test('element types per operand, and promotion of mixed ones', async () => {
  const page = await playground.open(column);
  await openDetails(page, 1);
  await page.selectOption('#dtype-1', 'i16');
  await page.waitForSelector('#answer[data-state="fails"]');
  assert.match((await answer(page)).headline, /B is i16, but A is f32/);
  await page.getByRole('button', { name: 'promote as NumPy 2 does, to f32' }).click();
  assert.equal((await answer(page)).fits, true);
  assert.match(await shows(page), /t=,i16.*promote=numpy2/);
  assert.match(await page.innerText('.size'), /6 elements of f32 · 24 bytes/);
  await page.uncheck('#promote');
  await page.getByRole('button', { name: 'make all of them i16' }).click();
  assert.equal(await page.inputValue('#dtype'), 'i16');
  assert.match(await page.innerText('.size'), /12 bytes/);
  assert.equal(await page.locator('#promote').count(), 0);
  // A type that the next operator does not take is given up.
  await page.selectOption('#dtype-1', 'i32');
  await page.selectOption('#op', 'And');
  assert.equal((await answer(page)).fits, true);
  await page.context().close();
});

const file = (name, array) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(formatNpy(array)) });

test('a .npy file becomes an operand: chosen, or dropped on it', async () => {
  const page = await playground.open(column);
  await openDetails(page, 0);
  await page.selectOption('#values-0', 'file');
  assert.equal((await answer(page)).fits, true); // nothing changes before there is a file
  const weights = { data: new Float32Array([1.5, 2.5, 3.5, 4.5, 5.5, 6.5]), shape: [2, 3] };
  await page.setInputFiles('#file-0', file('weights.npy', weights));
  await page.waitForFunction(() => document.querySelector('#operand-0').value === '(2, 3)');
  assert.deepEqual(await grid(page, 0), ['1.5', '2.5', '3.5', '4.5', '5.5', '6.5']);
  assert.match(await page.innerText('#details-0'), /f32 · weights\.npy/);
  assert.match(await page.innerText('.details'), /a link names the file and does not hold it/);
  // Another type comes along; i64 keeps every digit.
  const whole = { data: new BigInt64Array([2n ** 60n + 1n, 2n, 3n]), shape: [3] };
  const bytes = [...formatNpy(whole)];
  await page.evaluate((list) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(list)], 'whole.npy'));
    const row = document.querySelector('[data-operand="1"] input');
    row.dispatchEvent(new DragEvent('dragover', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    row.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, bytes);
  await page.waitForFunction(() => document.querySelector('#operand-1').value === '(3,)');
  await shown(page, /t=,i64/);
  await page.getByRole('button', { name: 'make all of them i64' }).click();
  assert.match((await answer(page)).arithmetic, /1152921504606846977 = 1152921504606846978$/);
  await page.context().close();
});

test('a file that is no .npy is reported, and nothing changes; links say that they leave out files', async () => {
  const page = await playground.open(column);
  await openDetails(page, 0);
  const before = await shows(page);
  await page.selectOption('#values-0', 'file');
  const junk = { name: 'notes.npy', mimeType: 'text/plain', buffer: Buffer.from('no array') };
  await page.setInputFiles('#file-0', junk);
  await page.waitForSelector('#values-message-0');
  assert.match(await page.innerText('#values-message-0'), /^notes\.npy: /);
  assert.equal(await shows(page), before);
  await page.context().close();
  const linked = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(2,1)&in=(3,)&x=file:weights.npy');
  assert.match((await answer(linked)).because, /weights\.npy is not here: links do not contain files/);
  await openDetails(linked, 0);
  await linked.setInputFiles('#file-0', file('weights.npy', { data: new Float32Array([8, 9]), shape: [2, 1] }));
  await linked.waitForSelector('#answer[data-state="fits"]');
  await linked.context().close();
});

test('by keyboard alone: from the shape to name, type and values', async () => {
  const page = await playground.open(column);
  const focused = () => page.evaluate(() => document.activeElement.id);
  await page.focus('#operand-1');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'details-1');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#values-1');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'name-1');
  await page.keyboard.type('bias');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'dtype-1');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'values-1');
  await page.keyboard.type('one'); // the list's own search
  await page.waitForSelector('#value-1');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'value-1');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('-2');
  await shown(page, /n=,bias&x=&x=constant:-2/);
  assert.deepEqual(await grid(page, 1), ['-2', '-2', '-2']);
  await page.context().close();
});

test('SONNX with operands of different types has results of these types', async () => {
  const page = await playground.open('v=1&rule=sonnx&op=Broadcast&type=f32&in=(1,3)&in=(2,1)&t=,u8&n=x,y');
  assert.equal((await answer(page)).fits, true);
  await page.locator('.outputs input[value="1"]').check({ force: true });
  await page.waitForFunction(() => document.querySelector('#arithmetic').innerText.startsWith('out of y['));
  await page.context().close();
});

test('eight operands and more', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)');
  for (let i = 2; i < 10; ++i) await page.click('#add-operand');
  assert.equal(await page.locator('input[id^="operand-"]').count(), 10);
  assert.equal(await page.inputValue('#op'), 'Sum');
  const { fits, arithmetic } = await answer(page);
  assert.equal(fits, true);
  assert.match(arithmetic, /A\[\d, 0\] \+ B\[\d\] \+ .* \+ J\[\d\]/);
  await page.context().close();
});

test('undo and redo; letters typed in succession are one step', async () => {
  // The page's clock stands still, so that no pause but the test's own parts what is typed.
  const page = await playground.open(column, {
    before: () => {
      globalThis.now = 0;
      performance.now = () => globalThis.now;
    },
  });
  const first = await shows(page);
  assert.equal(await page.getAttribute('#undo', 'aria-disabled'), 'true');
  await page.focus('#operand-1');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('(7,)');
  await shown(page, /in=\(7,\)/);
  const typed = await shows(page);
  await page.evaluate(() => (globalThis.now += 1100)); // A pause parts what is typed before from what is typed after.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('1');
  await shown(page, /in=\(7,1\)/);
  // In the field, too, it is the page's step that goes.
  await page.keyboard.press('ControlOrMeta+Z');
  assert.equal(await shows(page), typed);
  assert.equal(await page.inputValue('#operand-1'), '(7,)');
  await page.keyboard.press('ControlOrMeta+Z');
  assert.equal(await shows(page), first);
  await page.keyboard.press('ControlOrMeta+Z'); // There is nothing before.
  assert.equal(await shows(page), first);
  await page.keyboard.press('ControlOrMeta+Shift+Z');
  assert.equal(await shows(page), typed);
  await page.keyboard.press('ControlOrMeta+Y');
  await shown(page, /in=\(7,1\)/);
  // By the buttons, which keep the focus when there is nothing more to do.
  await page.focus('#undo');
  for (let i = 0; i < 4; ++i) await page.keyboard.press('Enter');
  assert.equal(await shows(page), first);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'undo');
  assert.equal(await page.getAttribute('#redo', 'aria-disabled'), 'false');
  // A new step ends what could have been gone forward to.
  await page.locator('#rules input[value="pdpd"]').check({ force: true });
  assert.equal(await page.getAttribute('#redo', 'aria-disabled'), 'true');
  await page.context().close();
});

test('everything can be undone: rule, operator, operands, values, view', async () => {
  const page = await playground.open(column);
  const states = [await shows(page)];
  const does = [
    () => page.locator('#rules input[value="onnx_multidirectional"]').check({ force: true }),
    () => page.selectOption('#op', 'Max'),
    () => page.selectOption('#dtype', 'i32'),
    () => page.click('#add-operand'),
    () => openDetails(page, 2).then(() => page.selectOption('#values-2', 'random')),
    () => page.selectOption('#dtype-2', 'i32'),
    () => page.fill('#name-2', 'noise'),
    () => page.click('#grid-result [aria-rowindex="2"] [aria-colindex="3"]'),
    () => page.locator('.remove').nth(2).click(),
    () => page.fill('#operand-0', '(2, 1, 5)'),
  ];
  for (const act of does) {
    await act();
    await page.waitForFunction((last) => document.querySelector('#answer').dataset.shows !== last, states.at(-1));
    states.push(await shows(page));
  }
  for (const wanted of states.slice(0, -1).reverse()) {
    await page.click('#undo');
    assert.equal(await shows(page), wanted);
  }
  for (const wanted of states.slice(1)) {
    await page.click('#redo');
    assert.equal(await shows(page), wanted);
  }
  await page.context().close();
});

test('after the browser’s back button, undo goes further back, and redo forward again', async () => {
  const page = await playground.open();
  const written = (wanted) => page.waitForFunction((text) => location.hash.includes(text), wanted);
  await page.fill('#operand-0', '(2,1)');
  await written('in=(2,1)');
  await page.click('#gallery');
  await written('view=gallery');
  await page.locator('.card').nth(2).click();
  await page.waitForSelector('.from-gallery');
  const example = await shows(page);
  await page.waitForFunction(() => !location.hash.includes('view='));
  await page.goBack();
  await page.waitForSelector('main.gallery');
  await page.click('#undo');
  await page.waitForFunction(() => document.querySelector('#operand-0')?.value === '(2,1)');
  await page.click('#redo');
  await page.waitForSelector('main.gallery');
  await page.click('#redo');
  await page.waitForFunction((text) => document.querySelector('#answer').dataset.shows === text, example);
  assert.equal(await page.getAttribute('#redo', 'aria-disabled'), 'true');
  await page.context().close();
});

test('an element type that an operator does not take comes back with the next operator that takes it', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f64&in=(4,1)&in=(6,)');
  const choose = async (op, type) => {
    await page.selectOption('#op', op);
    await page.waitForFunction(
      (wanted) =>
        document.querySelector('#op').value === wanted[0] && document.querySelector('#dtype').value === wanted[1],
      [op, type],
    );
  };
  await choose('Mod', 'i32');
  await choose('BitShift', 'u32');
  await choose('Mul', 'f64');
  // A type that was chosen in between is kept.
  await choose('Mod', 'i32');
  await page.selectOption('#dtype', 'i64');
  await choose('Mul', 'i64');
  await page.context().close();
});

test('moving about in an answer is one step', async () => {
  const page = await playground.open(column);
  const first = await shows(page);
  await page.focus('#grid-result [tabindex="0"]');
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
  await shown(page, /at=1,2/);
  await page.click('#undo');
  assert.equal(await shows(page), first);
  await page.context().close();
});

test('the size names the type of the result if it is not that of all operands', async () => {
  for (const [fragment, says] of [
    ['op=Add&type=f32&in=(3,1)&in=(2)', '6 elements · 24 bytes'],
    ['op=Add&type=f32&in=(3,1)&in=(2)&t=,f64&promote=numpy2', '6 elements of f64 · 48 bytes'],
    ['op=Less&type=f32&in=(3,1)&in=(2)', '6 elements of bool · 6 bytes'],
    ['op=Less&type=f32&in=()&in=()', '1 element of bool · 1 byte'],
    ['op=Xor&type=bool&in=(3,1)&in=(2)', '6 elements · 6 bytes'],
    ['op=Where&type=f32&in=(3,1)&in=(2)&in=()', '6 elements of f32 · 24 bytes'],
  ]) {
    const page = await playground.open(`v=1&rule=numpy&${fragment}`);
    assert.ok((await page.innerText('.size')).startsWith(says), await page.innerText('.size'));
    await page.context().close();
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
