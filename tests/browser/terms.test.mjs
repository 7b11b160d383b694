// Words of the field are explained where they are first used: on a press, by keyboard, at any width; the note closes again.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPlayground } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const explicit = 'v=1&rule=explicit&op=Broadcast&type=f32&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]';
const note = (page) => page.locator('.term-note');
const gone = (page) => note(page).waitFor({ state: 'detached' });

test('each term opens a note with a definition and an example, within a window of 320 pixels', async () => {
  const page = await playground.open(explicit, { viewport: { width: 320, height: 640 } });
  await page.click('.fold > summary');
  await page.click('#rule-notes');
  await page.waitForSelector('.rule-notes .term-word');
  const words = page.locator('.term-word');
  const shown = new Set();
  for (let i = 0; i < (await words.count()); ++i) {
    await words.nth(i).click();
    await note(page).waitFor();
    const { term, text, left, right, scrolls } = await note(page).evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      const { scrollWidth } = document.documentElement;
      const term = element.querySelector('b').innerText;
      return { term, text: element.innerText, left, right, scrolls: scrollWidth > innerWidth };
    });
    assert.match(text, /\d|A \+ B/, `an example of ${term}`);
    assert.ok(left >= 0 && right <= 320 && !scrolls, `${term}: ${left} to ${right}`);
    shown.add(term);
    await page.keyboard.press('Escape');
    await gone(page);
  }
  const wanted = ['axes_mapping', 'axis', 'broadcasting', 'operand', 'repeat, stretch', 'result', 'stride'];
  assert.deepEqual([...shown].sort(), [...wanted, 'target shape'].sort());
  await page.context().close();
});

test('a note is reached, read and closed by keyboard, and gives the focus back', async () => {
  const page = await playground.open(explicit);
  const word = page.getByRole('button', { name: 'Broadcasting', exact: true });
  await word.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'broadcasting' });
  await dialog.waitFor();
  assert.equal(await word.getAttribute('aria-expanded'), 'true');
  assert.ok(await dialog.evaluate((element) => element === document.activeElement));
  await page.keyboard.press('Escape');
  await gone(page);
  assert.equal(await word.getAttribute('aria-expanded'), 'false');
  assert.ok(await word.evaluate((element) => element === document.activeElement));
  // Moving on closes it, too.
  await page.keyboard.press('Space');
  await dialog.waitFor();
  await page.keyboard.press('Tab');
  await gone(page);
  await page.context().close();
});

test('a press on the word or elsewhere closes the note, and another word opens its own', async () => {
  const page = await playground.open(explicit);
  const stride = page.locator('.alignment .below .term-word');
  await stride.click();
  await note(page).waitFor();
  await stride.click();
  await gone(page);
  await stride.click();
  await note(page).waitFor();
  await page.mouse.click(900, 700);
  await gone(page);
  await stride.click();
  await page.locator('.alignment h2 .term-word').click();
  await page.getByRole('dialog', { name: 'axis', exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.term-note').length === 1);
  await page.context().close();
});

test('a term is no part of a label or of what is announced', async () => {
  const page = await playground.open('v=1&rule=pdpd&op=Add&type=f32&in=(2,3,4,5)&in=(3,4)&axis=1');
  await page.waitForSelector('.term-word');
  assert.equal(await page.locator(':is(label, [aria-live], [role=status]) .term-word').count(), 0);
  await page.getByRole('button', { name: 'axis', exact: true }).first().click();
  await page.getByRole('dialog', { name: 'axis of PDPD' }).waitFor();
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
