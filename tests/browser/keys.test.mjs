// Keys: every key in the list that `?` opens works.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { follow, openPlayground, settled } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const list = (page) => page.getByRole('dialog', { name: 'Keys' });
const gone = (page) => page.locator('dialog').waitFor({ state: 'detached' });
const focused = (page) => page.evaluate(() => document.activeElement?.id);

test('? opens the list, the focus stays in it, Escape closes it and gives the focus back', async () => {
  const page = await playground.open();
  await page.focus('#undo');
  await page.keyboard.press('?');
  await list(page).waitFor();
  for (let i = 0; i < 4; ++i) {
    const inside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement.closest('dialog') !== null,
    );
    assert.ok(inside, await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80)));
    await page.keyboard.press('Tab');
  }
  // Keys of the page are not followed behind it.
  const shows = await page.getAttribute('#answer', 'data-shows');
  await page.keyboard.press('ControlOrMeta+z');
  assert.equal(await page.getAttribute('#answer', 'data-shows'), shows);
  await page.keyboard.press('Escape');
  await gone(page);
  assert.equal(await focused(page), 'undo');
  // By pointer as well, and closed by the button or beside the list.
  await page.click('#keys');
  await list(page).getByRole('button', { name: 'Close' }).click();
  await gone(page);
  await page.click('#keys');
  await list(page).waitFor();
  await page.mouse.click(4, 4);
  await gone(page);
  await page.context().close();
});

test('a question mark that is typed is a letter', async () => {
  const page = await playground.open();
  await page.focus('#operand-0');
  await page.keyboard.press('End');
  await page.keyboard.press('?');
  await settled(page, ['(4, 1)?']);
  assert.equal(await list(page).count(), 0);
  await page.context().close();
});

test('every key of the list works', async () => {
  const page = await playground.open();
  await page.keyboard.press('?');
  await list(page).waitFor();
  const rows = await page
    .locator('.keys-list dl > div')
    .evaluateAll((all) =>
      all.map((row) => [
        [...row.querySelectorAll('.chord')].map((chord) =>
          [...chord.querySelectorAll('kbd')]
            .map((key) => (key.querySelector('[aria-hidden]') ?? key).textContent)
            .join('+'),
        ),
        row.querySelector('dd').textContent,
      ]),
    );
  await page.keyboard.press('Escape');
  await gone(page);
  const held = {
    Ctrl: 'Control',
    Esc: 'Escape',
    '↑': 'ArrowUp',
    '↓': 'ArrowDown',
    '←': 'ArrowLeft',
    '→': 'ArrowRight',
    'Page up': 'PageUp',
    'Page down': 'PageDown',
    '−': '-',
  };
  const press = (chord) =>
    page.keyboard.press(
      (chord === '+' ? [chord] : chord.split('+'))
        .map((key) => held[key] ?? (key.length === 1 ? key.toLowerCase() : key))
        .join('+'),
    );
  const hash = (pattern) => page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source);
  const at = () => page.evaluate(() => document.activeElement.dataset.index);
  const reaches = async (index) =>
    page.waitForFunction((wanted) => document.activeElement.dataset.index === wanted, index);
  const value = () => page.inputValue('#operand-0');
  const tries = {
    'this list': async ([open]) => {
      await press(open);
      await list(page).waitFor();
      await page.keyboard.press('Escape');
      await gone(page);
    },
    'read a copied error text, traceback or model file; or drop it on the page': async ([paste]) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.evaluate(() => navigator.clipboard.writeText('Incompatible shapes: [32,10] vs. [32] [Op:AddV2]'));
      await press(paste);
      await page.waitForFunction(() => document.querySelector('#operand-0').value === '(32, 10)');
      await page.click('#undo');
      assert.equal(await value(), '(4, 1)');
    },
    undo: async ([undo]) => {
      await page.fill('#operand-0', '(7, 1)');
      await press(undo);
      assert.equal(await value(), '(4, 1)');
    },
    redo: async (redos) => {
      for (const redo of redos) {
        await press(redo);
        assert.equal(await value(), '(7, 1)', redo);
        await page.keyboard.press('Control+z');
      }
    },
    'from the guide, the gallery, Predict or a model back to the page': async ([back]) => {
      for (const view of ['guide', 'gallery', 'predict', 'models']) {
        if (view === 'models') await follow(page, 'v=1&view=models&in=(4,1)&in=(6)&at=1,2');
        else await page.click(`#${view}`);
        await page.waitForSelector(`main.${view}`);
        await press(back);
        await page.waitForSelector('#result-shape');
      }
    },
    'the next control, the one before': async ([next, before]) => {
      await page.focus('#gallery');
      await press(next);
      assert.equal(await focused(page), 'predict');
      await press(before);
      assert.equal(await focused(page), 'gallery');
    },
    'the next cell that way': async ([up, down, left, right]) => {
      await page.focus('#grid-result [tabindex="0"]');
      assert.equal(await at(), '1,2');
      for (const [chord, index] of [
        [up, '0,2'],
        [left, '0,1'],
        [down, '1,1'],
        [right, '1,2'],
      ]) {
        await press(chord);
        await reaches(index);
      }
    },
    'eight rows up, eight rows down': async ([up, down]) => {
      await press(down);
      await reaches('3,2');
      await press(up);
      await reaches('0,2');
      await press('↓');
      await reaches('1,2');
    },
    'the first and the last cell of the row': async ([first, last]) => {
      await press(first);
      await reaches('1,0');
      await press(last);
      await reaches('1,5');
    },
    'the first and the last cell of all': async ([first, last]) => {
      await press(first);
      await reaches('0,0');
      await press(last);
      await reaches('3,5');
    },
    'pin the cell, so that it stays lit; unpin it': async (keys) => {
      for (const key of keys) {
        await press(key);
        await page.waitForSelector('#unpin');
        await press(key);
        await page.waitForSelector('#unpin', { state: 'detached' });
      }
    },
    'unpin any cell': async ([escape]) => {
      await press('Enter');
      await page.waitForSelector('#unpin');
      await press('←');
      await reaches('3,4');
      await press(escape);
      await page.waitForSelector('#unpin', { state: 'detached' });
    },
    'zoom in, zoom out, show the whole': async ([closer, farther, whole]) => {
      await follow(page, 'v=1&rule=numpy&op=Add&type=f32&in=(1000,1)&in=(1,1000)&at=500,500');
      await page.focus('.in-hand');
      await press(farther);
      await hash(/look=[^&]*,2(&|$)/);
      await press(closer);
      await hash(/look=[^&]*,1(&|$)/);
      await press(whole);
      await hash(/look=0,0,\d{2}/);
      await page.click('#zoom-cell');
    },
    'a page up, a page down': async ([up, down]) => {
      await follow(page, 'v=1&rule=numpy&op=Add&type=f32&in=(1000,1)&in=(1,1000)&at=600,600');
      await page.waitForSelector('.in-hand[data-index="600,600"]');
      await page.focus('.in-hand');
      await press(up);
      await hash(/at=[1-5]\d\d,600/);
      await press(down);
      await hash(/at=600,600/);
    },
    'a page to the left, to the right': async ([left, right]) => {
      await press(left);
      await hash(/at=600,[1-5]\d\d/);
      await press(right);
      await hash(/at=600,600/);
    },
    'the tab before, the next one': async ([before, next]) => {
      const tab = (name) => page.waitForFunction((id) => document.activeElement?.id === id, `code-${name}`);
      await page.evaluate(() => (location.hash = 'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2'));
      await page.focus('#code-numpy');
      await press(next);
      await tab('pytorch');
      await press(before);
      await tab('numpy');
    },
    'the first and the last tab': async ([first, last]) => {
      await press(last);
      await page.waitForSelector('[role=tab]:last-child[aria-selected=true]:focus');
      await press(first);
      await page.waitForSelector('#code-numpy[aria-selected=true]:focus');
    },
    'read it': async ([read]) => {
      await page.click('#paste-text');
      await page.fill('#pasted-text', 'Incompatible shapes: [32,10] vs. [32] [Op:AddV2]');
      await press(read);
      await page.waitForFunction(() => document.querySelector('#operand-0').value === '(32, 10)');
      await gone(page);
    },
    'check the answer; then the next question': async ([enter]) => {
      await page.click('#predict');
      await page.fill('#prediction', '(2, 2)');
      await press(enter);
      await page.waitForFunction(() => document.activeElement?.id === 'next');
      await press(enter);
      await page.waitForFunction(() => document.activeElement?.id === 'prediction');
    },
    'fits or does not; then which axis': async ([up, down]) => {
      await page.focus('input[name=way][value=fits]');
      await press(down);
      await page.waitForSelector('input[name=axis]');
      await press(up);
      await page.waitForSelector('input[name=axis]', { state: 'detached' });
    },
    'the step before, the next step': async ([before, next]) => {
      await page.click('#guide');
      await page.waitForSelector('main.guide[data-step=shapes]');
      await press(next);
      await page.waitForSelector('main.guide[data-step=align]');
      await press(before);
      await page.waitForSelector('main.guide[data-step=shapes]');
    },
    'play, pause': async ([key]) => {
      for (const word of ['Pause', 'Play']) {
        await press(key);
        await page.locator('#guide-play', { hasText: word }).waitFor();
      }
    },
    'pick a guess': async (keys) => {
      for (const name of ['align', 'missing', 'stretch', 'result']) {
        await press('→');
        await page.waitForSelector(`main.guide[data-step=${name}]`);
      }
      for (const [i, key] of keys.entries()) {
        await press(key);
        await page.waitForSelector(`.guess-choices button:nth-child(${i + 1})[aria-pressed=true]`);
      }
    },
  };
  assert.deepEqual(
    rows.map(([, does]) => does),
    Object.keys(tries),
  );
  for (const [keys, does] of rows) await tries[does](keys);
  await page.context().close();
});

// Keys are sent to a part of the page one by one: what a part handles is what it keeps from the browser.
test('every key that is handled is in the list', async () => {
  const page = await playground.open();
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789', ...`+-=?/.,;:'"[]()*_`, ' '];
  const named = ['Escape', 'Enter', 'Home', 'End', 'PageUp', 'PageDown', 'Insert', 'Delete', 'Backspace', 'F1', 'F6'];
  const arrows = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  const chords = [...named, ...arrows, ...letters].flatMap((key) =>
    [[], ['mod'], ['shift'], ['mod', 'shift']].map((held) => ({ key, held })),
  );
  const question = 'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2&pin=1,2';
  const places = {
    Everywhere: ['.all-rules h2', 'v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2&view=rules'],
    'In a grid': ['#grid-result [tabindex="0"]', question],
    'In a large result': ['.in-hand', 'v=1&rule=numpy&op=Add&type=f32&in=(1000,1)&in=(1,1000)&at=500,500'],
    'In the tabs of the code': ['[role=tab][aria-selected=true]', question],
    'In the field for a copied text': ['#pasted-text', question, '#paste-text'],
    'In Predict': ['#prediction', 'v=1&view=predict&level=3&seed=1'],
    'In the guide': ['#guide-play', 'v=1&view=guide'],
  };
  await page.keyboard.press('?');
  await list(page).waitFor();
  const listed = new Map(
    await page
      .locator('.keys-list section')
      .evaluateAll((all) =>
        all.map((section) => [
          section.getAttribute('aria-label'),
          [...section.querySelectorAll('.chord')].map(({ dataset }) => dataset.keys),
        ]),
      ),
  );
  assert.deepEqual([...listed.keys()], Object.keys(places));
  await page.keyboard.press('Escape');
  await gone(page);
  for (const [place, [selector, fragment, opener]] of Object.entries(places)) {
    await page.evaluate((hash) => (location.hash = hash), fragment);
    if (opener) await page.click(opener);
    await page.focus(selector);
    // After a key that leads away, the page goes back.
    const handled = await page.evaluate(
      async ([target, hash, open, all]) => {
        const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const found = () => document.querySelector(target) !== null;
        const back = async () => {
          document.querySelector('.keys-list')?.close();
          if (!found() && open) document.querySelector(open).click();
          else if (!found()) location.hash = location.hash === `#${hash}` ? '' : hash;
          await drawn();
        };
        const kept = [];
        for (const { key, held } of all) {
          const event = new KeyboardEvent('keydown', {
            ...{ key, bubbles: true, cancelable: true },
            ...{ ctrlKey: held.includes('mod'), shiftKey: held.includes('shift') },
          });
          if (document.querySelector(target).dispatchEvent(event)) continue;
          kept.push([...held, key === ' ' ? 'Space' : key].join('+'));
          await drawn();
          while (!found() || document.querySelector('.keys-list')) await back();
        }
        return kept;
      },
      [selector, fragment, opener, chords],
    );
    assert.ok(handled.length > 0 || place === 'In Predict', place);
    const known = [...listed.get('Everywhere'), ...listed.get(place)];
    if (place === 'In a large result') known.push(...listed.get('In a grid'));
    // "=" is "+" without Shift; other keys may be held besides those of a chord.
    const parts = (chord) => (chord.endsWith('+') ? ['+'] : chord.replace('=', '+').split(/\+(?=.)/));
    const isListed = (chord) => known.some((one) => parts(one).every((part) => parts(chord).includes(part)));
    assert.deepEqual(
      handled.filter((chord) => !isListed(chord)),
      [],
      place,
    );
    if (opener) await page.locator('.paste-dialog button[aria-label="Close"]').click();
  }
  await page.context().close();
});

// Each field is a form of its own: sent, it would load the page again, if the policy let it.
test('Enter in a shape sends nothing', async () => {
  const page = await playground.open();
  await page.evaluate(() => {
    globalThis.sent = [];
    addEventListener('submit', (event) => sent.push(!event.defaultPrevented));
  });
  await page.press('#operand-0', 'Enter');
  await page.waitForFunction(() => sent.length > 0);
  assert.deepEqual(await page.evaluate(() => sent), [false]);
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
