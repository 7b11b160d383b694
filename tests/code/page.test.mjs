// The code panel of the page: tabs by keyboard, copying, and what is shown if there is no text. Other tests check what
// the texts compute; here, the text must be for the page's own question.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { load } from 'broadloom';
import { openPlayground, saidBy } from '../browser/playground.mjs';
import { difference, received } from './cases.mjs';
import { python } from './systems.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(async () => {
  await playground.close();
  assert.deepEqual(playground.faults, []);
});

// The text of the chosen system. What writes it is loaded when the panel first comes into view.
async function text(page, { isPending = false } = {}) {
  await page.locator('#code-text').scrollIntoViewIfNeeded();
  const chosen = await page.locator('.elsewhere [role="tab"][aria-selected="true"]').getAttribute('id');
  return page.locator(`#code-text[aria-labelledby="${chosen}"][aria-busy="${isPending}"]`).innerText();
}
const selected = (page) => page.locator('.elsewhere [role="tab"][aria-selected="true"]').innerText();

test('arrow keys move between tabs, and Tab reaches only one of them', async () => {
  const page = await playground.open();
  assert.equal(await selected(page), 'NumPy');
  assert.match(await text(page), /^import numpy as np\n/);
  await page.focus('#code-numpy');
  await page.keyboard.press('ArrowRight');
  assert.equal(await selected(page), 'PyTorch');
  assert.match(await text(page), /^import torch\n/);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'code-pytorch');
  await page.keyboard.press('End');
  assert.match(await text(page), /int main\(\)/);
  await page.keyboard.press('ArrowRight');
  assert.equal(await selected(page), 'NumPy');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await selected(page), 'Broadloom, C++');
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'code-text');
  assert.equal(await page.locator('.elsewhere [role="tab"][tabindex="0"]').count(), 1);
  await page.context().close();
});

test('on a first visit what writes code is loaded when the panel comes into view', async () => {
  const page = await playground.open('', { viewport: { width: 1280, height: 600 } });
  await page.waitForSelector('#code-text', { state: 'attached' });
  const asked = [];
  let arrive;
  const held = new Promise((resolve) => (arrive = resolve));
  await page.route('**/broadloom-explain-*.wasm', async (route) => {
    asked.push(route.request().url());
    await held;
    await route.continue();
  });
  await page.waitForTimeout(300);
  assert.deepEqual(asked, []);
  assert.equal(await page.getAttribute('#code-text', 'aria-busy'), 'true');
  await page.click('#code-jax');
  await page.waitForSelector('#code-text[aria-busy="true"][aria-labelledby="code-jax"]');
  assert.equal(await text(page, { isPending: true }), '');
  assert.ok(await page.isDisabled('#copy-code'));
  arrive();
  assert.match(await text(page), /^import jax/);
  assert.ok(await page.isEnabled('#copy-code'));
  assert.equal(asked.length, 1);
  await page.context().close();
});

test('the whole text is copied, and the button confirms it', async () => {
  const page = await playground.open('', { permissions: ['clipboard-read', 'clipboard-write'] });
  await text(page);
  await saidBy(page, '#copy-code', /^Copied$/);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied.trimEnd(), (await text(page)).trimEnd());
  assert.match(copied, /out = a \+ b {2}# shape \(4, 6\)\n$/);
  await page.context().close();
});

test('a system that cannot express the question; shapes that do not fit', async () => {
  const page = await playground.open('v=1&rule=explicit&op=Broadcast&type=u1&in=(3)&target=(2,3)&mapping=[1]');
  assert.equal(await text(page), 'NumPy has no element type u1.');
  assert.equal(await page.locator('#copy-code').count(), 0);
  await page.fill('#target', '(2, 4)');
  await page.waitForSelector('#answer[data-state="fails"]');
  assert.equal(await page.locator('.elsewhere').count(), 0);
  await page.context().close();
});

test("the text is for the page's question", async () => {
  const bl = await load();
  const fragments = [
    'v=1&rule=pdpd&op=Mul&type=i32&in=(2,3,4,5)&in=(3,4)&axis=1',
    'v=1&rule=explicit&op=Broadcast&type=c64&in=(3)&target=(2,3,2)&mapping=[1]',
    'v=1&rule=numpy&op=Mod&type=f32&in=(2,1)&in=(3)&fmod=1',
    'v=1&rule=numpy&op=Xor&type=bool&in=(4,1)&in=(6)',
    'v=1&rule=sonnx&op=Broadcast&type=u8&in=(30,1)&in=(2,1,9)',
    'v=1&rule=numpy&op=Max&type=bf16&in=(2,3)&in=(30,1,1)&in=()',
    'v=1&rule=bidirectional&op=Broadcast&type=f16&in=(3,1)&target=(2,1,6)',
    'v=1&rule=numpy&op=Where&type=i64&in=(2,3)&in=(3)&in=()',
    'v=1&rule=numpy&op=Add&type=f32&in=(0,3)&in=(3)',
    'v=1&rule=numpy&op=Mul&type=f32&in=(2000,1)&in=(1,3)&n=gate,attention scores&x=constant:0.1&x=random:7',
    'v=1&rule=numpy&op=Sub&type=f16&in=(2,2)&in=(2)&x=list:[[1,2.5],[3,-0.1]]&x=random:1',
    'v=1&rule=numpy&op=Add&type=u8&in=(30,1)&in=(3)&t=,f32&x=&x=list:0.25 nan -inf&promote=numpy2',
    'v=1&rule=numpy&op=Add&type=f32&in=(3,1)&in=(2)&t=,f64&x=constant:0.1&x=random:5&promote=numpy2',
    'v=1&rule=broadcast_numpy&op=Broadcast&type=c64&in=(3,1)&target=(3,2)&x=constant:1-2j',
    'v=1&rule=numpy&op=Xor&type=bool&in=(4,1)&in=(6)&x=random:3&x=constant:true',
  ];
  const texts = [];
  const wanted = [];
  for (const fragment of fragments) {
    const page = await playground.open(fragment);
    texts.push({ text: await page.locator('#code-text code').textContent() });
    await page.focus('#code-numpy');
    for (let i = 0; i < 7; ++i) await page.keyboard.press('ArrowRight');
    const own = await page
      .locator('#code-text[aria-labelledby="code-broadloom-js"][aria-busy="false"] code')
      .textContent();
    // Runs the package's text: its result must equal the expected result of NumPy's text.
    const body = own
      .replace(/^import .*\n/m, '')
      .replace('await load()', 'bl')
      .replace('const bl = bl;', '');
    const made = new Function('bl', 'console', `${body}\nreturn typeof outs === 'undefined' ? [out] : outs;`)(bl, {
      log() {},
    });
    wanted.push(made);
    // And it has the shape that the page shows.
    const shape = await page.locator('#result-shape').innerText();
    assert.equal(shape.replace(/\s|,(?=\))/g, ''), `(${made[0].shape.join()})`, fragment);
    await page.context().close();
  }
  const got = await python('run.py', texts);
  for (const [i, fragment] of fragments.entries()) {
    assert.equal(got[i].error, undefined, texts[i].text);
    for (const [k, tensor] of wanted[i].entries())
      assert.equal(difference({ ...tensor, shape: [...tensor.shape] }, received(got[i].outs[k])), null, fragment);
  }
});

test('on a narrow screen the page does not scroll sideways', async () => {
  const page = await playground.open('', { viewport: { width: 320, height: 640 } });
  await page.click('#code-onnx');
  assert.match(await text(page), /onnx/);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 320));
  await page.context().close();
});
