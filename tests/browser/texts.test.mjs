// Texts that come from elsewhere, in the real page: links that are no links, texts and files without end, names that turn or
// link, words that every object of JavaScript has. And what must hold of the page whatever it shows: no text lies on
// another, and no button loses the focus.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openState, states } from '../../scripts/page-states.mjs';
import { answer, arrived, follow, frame, openPlayground, patience, sideBySide } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(async () => playground.close());

const v = 'v=1&type=f32';

async function opened(fragment, options) {
  const page = await playground.open('', options);
  await follow(page, fragment);
  return page;
}

// --- Texts without end -------------------------------------------------------------------------------------------------

test('no short link hangs the page', async () => {
  const arguments_ = ',a='.repeat(40);
  for (const value of [`list:x(${arguments_}`, `constant:x(${arguments_}`, `list:${'1_'.repeat(2000)}x`]) {
    for (const query of ['', '?embed']) {
      const page = await playground.open(`v=1&in=(2,)&in=(2,)&x=${value}`, { query });
      assert.equal(await page.getAttribute('#answer', 'data-state'), 'fails', value.slice(0, 20));
      await page.context().close();
    }
  }
});

test('too many axes are reported with the limit, and the text is kept', async () => {
  const page = await opened(`${v}&rule=numpy&op=Max${`&in=${'1,'.repeat(1900)}`.repeat(64)}`);
  const says = async () => {
    await page.waitForSelector('#verdict[data-error-class="limit"]');
    return `${await page.innerText('#verdict .headline')} ${await page.innerText('#verdict .because')}`;
  };
  assert.match(await says(), /121,600 axes together; this page takes up to 2,048/);
  // In one text, as it was typed: none of it is cut, and no bracket is blamed.
  const many = `(${Array(2500).fill('2').join(', ')})`;
  await follow(page, `${v}&rule=numpy&op=Add&in=()&in=()`);
  await page.waitForSelector('#answer[data-state="fits"]');
  await page.fill('#operand-0', many);
  assert.match(await says(), /2,500 axes together; this page takes up to 2,048/);
  assert.equal(await page.inputValue('#operand-0'), many);
  assert.equal(await page.locator('.mirror mark.bad').count(), 0);
  await page.fill('#operand-0', '1,'.repeat(500_000));
  assert.match(await says(), /The shape of A is 1,000,000 characters long; this page reads up to 20,000/);
  await page.fill('#operand-0', `${'1,'.repeat(2040)}1`);
  await page.waitForSelector('#answer[data-state="fits"]');
  await page.context().close();
});

test('a file with more axes than the page takes is refused, and nothing changes', async () => {
  const page = await opened(`${v}&rule=numpy&op=Add&in=(2,)&in=(2,)`);
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${'1,'.repeat(300_000)}), }\n`;
  const bytes = Buffer.alloc(12 + header.length + 4);
  bytes.write('\x93NUMPY\x02\x00', 'latin1');
  bytes.writeUInt32LE(header.length, 8);
  bytes.write(header, 12, 'latin1');
  await page.click('#details-0');
  await page.selectOption('#values-0', 'file');
  await page.setInputFiles('#file-0', { name: 'axes.npy', mimeType: 'application/octet-stream', buffer: bytes });
  await page.waitForSelector('#values-message-0');
  assert.match(await page.innerText('#values-message-0'), /axes\.npy has 300,000 axes; this page takes up to 2,048/);
  assert.equal(await page.inputValue('#operand-0'), '(2,)');
  await page.context().close();
});

// --- Links that are none -----------------------------------------------------------------------------------------------

test('a link of another version, or no link, is reported and stays in the address', async () => {
  const cases = [
    ['v=7&in=(5,1)&in=(9,)', /version 7; this page reads version 1/, /could read/, '(5, 9)'],
    ['v=7&zz=1', /version 7/, /first example/, '(4, 6)'],
    ['section', /cannot read this link/, /first example/, '(4, 6)'],
    ['rule=numpy&in=(2,1)&in=(3,)', /cannot read this link/, /could read/, '(2, 3)'],
    ['%%%', /cannot read this link/, /first example/, '(4, 6)'],
  ];
  for (const query of ['', '?embed'])
    for (const [fragment, says, shown, shape] of cases) {
      const page = await playground.open(fragment, { query });
      const notice = await page.innerText('#link-notice');
      assert.match(notice, says, fragment);
      assert.match(notice, shown, fragment);
      assert.equal(await page.innerText('#result-shape'), shape, fragment);
      await page.waitForTimeout(600);
      assert.equal(await page.evaluate(() => location.hash), `#${fragment}`);
      if (query === '') {
        await page.fill('#operand-0', '(8, 1)');
        await page.waitForFunction(() => location.hash.startsWith('#v=1&'));
        assert.equal(await page.locator('#link-notice').count(), 0);
        await page.goBack();
        await page.waitForSelector('#link-notice');
        assert.equal(await page.evaluate(() => location.hash), `#${fragment}`);
      }
      await page.context().close();
    }
  const page = await playground.open('v=1&in=(2,1)&in=(3,)');
  assert.equal(await page.locator('#link-notice').count(), 0);
  await page.context().close();
});

// --- Words that objects have -------------------------------------------------------------------------------------------

const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];

test('names of properties of every object are no values, rules, operators or types', async () => {
  const page = await opened(`${v}&in=(2,)&in=(2,)`);
  const failing = async (fragment, classes) => {
    await follow(page, fragment);
    const { state, errorClass } = await answer(page);
    assert.equal(state, 'fails', fragment);
    assert.ok(classes.includes(errorClass), `${fragment}: ${errorClass}`);
  };
  for (const word of inherited) {
    await failing(`${v}&rule=numpy&op=Add&in=(2,)&in=(2,)&x=constant:${word}`, ['parse']);
    await failing(`${v}&rule=numpy&op=Add&in=(2,)&in=(2,)&x=list:[1,${word}]`, ['parse']);
    // In a shape they are names of extents like any other.
    await follow(page, `v=1&type=f32&rule=numpy&op=Add&in=(2,)&in=${word}`);
    const { state, shape } = await answer(page);
    assert.deepEqual([state, shape], ['symbolic', '(2,)'], word);
    for (const [key, classes] of [
      ['promote', ['unknown']],
      ['t', ['unknown']],
    ]) {
      await follow(page, `v=1&rule=numpy&op=Add&type=f32&in=(2,)&in=(2,)&${key}=${word}`);
      const { state, errorClass } = await answer(page);
      assert.equal(state, 'fails', `${key}=${word}`);
      assert.ok(classes.includes(errorClass), `${key}=${word}: ${errorClass}`);
    }
    for (const fragment of [
      `v=1&rule=${word}&op=Add&type=f32&in=(2,)&in=(2,)`,
      `v=1&rule=numpy&op=${word}&type=f32&in=(2,)&in=(2,)`,
      `v=1&rule=numpy&op=Add&type=${word}&in=(2,)&in=(2,)`,
    ]) {
      await follow(page, fragment);
      const { state, errorClass } = await answer(page);
      assert.deepEqual([state, errorClass], ['fails', 'unknown'], fragment);
    }
    // Where any text is as good as any other it changes nothing.
    for (const field of ['step', 'view', 'only', 'shown', 'look', 'pin', 'at', 'seed', 'direction', 'fmod', word]) {
      await follow(page, `${v}&rule=numpy&op=Add&in=(2,)&in=(2,)&x=random:1&${field}=${word}`);
      await page.waitForSelector('#answer[data-state="fits"]');
    }
    // As a layer's words.
    await follow(page, `${v}&rule=numpy&op=Add&in=(2,)&in=(2,)`);
    await page.waitForSelector('#answer[data-state="fits"]');
    if ((await page.locator('#layer').count()) === 0) await page.click('#paste-layer');
    const port = (i, precision) => `<port id="${i}" precision="${precision}"><dim>2</dim></port>`;
    const layer = (type, mode, precision) =>
      `<layer type="${type}"><data auto_broadcast="${mode}"/><input>${port(0, precision)}${port(1, precision)}</input><output>${port(2, precision)}</output></layer>`;
    await page.fill('#layer', layer(word, 'numpy', 'FP32'));
    // The reader is loaded on first use.
    await page.locator('#layer-says', { hasText: 'does not broadcast' }).waitFor();
    await page.fill('#layer', layer('Add', word, 'FP32'));
    await page.locator('#layer-says', { hasText: 'is not known' }).waitFor();
    await page.fill('#layer', layer('Add', 'numpy', word));
    await page.locator('#layer-says', { hasText: 'The page shows this Add' }).waitFor();
    assert.equal(await page.inputValue('#dtype'), 'f32');
  }
  await page.context().close();
});

// --- Names -------------------------------------------------------------------------------------------------------------

test('a name reorders no number beside it, on the page and in pictures and texts', async () => {
  const options = { permissions: ['clipboard-read', 'clipboard-write'] };
  const page = await opened(
    `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&n=a%E2%80%AEb,%D7%A9%D7%9C%D7%95%D7%9D&at=1,2`,
    options,
  );
  await page.waitForFunction(() => document.querySelector('.operand .chip')?.textContent === 'ab');
  const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066\u2067]/;
  await page.click('#share');
  await page.waitForSelector('#code-text');
  const copied = async (id) => {
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.click(id);
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== '');
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const taken = { svg: await copied('#share-copy-svg'), markdown: await copied('#share-copy-markdown') };
  const seen = await page.evaluate(() => {
    const code = [...document.querySelectorAll('#code-text')].map(({ textContent }) => textContent);
    return {
      page: document.body.innerText,
      names: [...document.querySelectorAll('[aria-label], [title], [alt]')].flatMap((element) =>
        ['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ),
      alt: document.querySelector('#share-alt').textContent,
      code: code.join('\n'),
      chips: [...document.querySelectorAll('.chip')].map(({ tagName, textContent }) => `${tagName} ${textContent}`),
    };
  });
  for (const [where, text] of Object.entries({ ...seen, ...taken })) assert.doesNotMatch(String(text), turns, where);
  // A name in letters that go from right to left is set apart from the numbers beside it.
  const apart = '\u2068שלום\u2069';
  assert.ok(seen.alt.includes(`${apart} (6,)`), seen.alt);
  assert.ok(seen.chips.includes(`BDI ${apart}`), seen.chips.join());
  for (const text of [seen.page, seen.alt, taken.svg, taken.markdown])
    for (const piece of text.split('שלום').slice(0, -1)) assert.ok(piece.endsWith('\u2068'), text.slice(0, 200));
  await page.context().close();
});

// --- Large results -----------------------------------------------------------------------------------------------------

const large = `${v}&rule=numpy&op=Add&in=(10000,1)&in=(10000,)&at=5000,7000`;

async function openLarge(options) {
  const page = await playground.open(large, options);
  await page.waitForSelector('.in-hand[style*="translate"]');
  await arrived(page);
  const stage = await page.locator('.stage canvas').first().boundingBox();
  return { page, stage };
}
const scrolled = (page) => page.evaluate(() => scrollY);
// Waits until the page has scrolled to the end: a wheel or a finger moves it in several frames.
const stands = (page) =>
  page.evaluate(async () => {
    for (let [at, still] = [scrollY, 0]; still < 10; still = scrollY === at ? still + 1 : 0) {
      at = scrollY;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
const place = (page) => page.locator('.in-hand').evaluate((hand) => hand.style.transform);

test('over a large result a wheel scrolls the page; with Ctrl it zooms, sideways and dragged it pans', async () => {
  const { page, stage } = await openLarge({ viewport: { width: 1280, height: 760 } });
  assert.ok(stage.y + 100 < 760, String(stage.y));
  await page.mouse.move(stage.x + 300, stage.y + 60);
  const there = await place(page);
  await page.mouse.wheel(0, 120);
  await page.waitForFunction(() => scrollY > 50);
  await stands(page);
  assert.equal(await place(page), there);
  await page.evaluate(() => scrollTo(0, 0));
  await page.mouse.wheel(60, 0);
  await page.waitForFunction((was) => document.querySelector('.in-hand').style.transform !== was, there);
  assert.equal(await scrolled(page), 0);
  const height = await page.locator('.in-hand').evaluate((hand) => hand.style.height);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 120);
  await page.keyboard.up('Control');
  await page.waitForFunction((was) => document.querySelector('.in-hand').style.height !== was, height);
  assert.equal(await scrolled(page), 0);
  assert.match(await page.innerText('#moving'), /Drag to pan, (Ctrl|⌘) \+ wheel to zoom\./);
  await page.context().close();
});

test('over a large result one finger scrolls the page, and two pan it and zoom', async () => {
  const { page, stage } = await openLarge({ viewport: { width: 390, height: 500 }, hasTouch: true, isMobile: true });
  await page.evaluate(() => document.querySelector('.stage').scrollIntoView({ block: 'center' }));
  const box = await page.locator('.stage canvas').first().boundingBox();
  assert.ok(stage.width > 0);
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const [from, there] = [await scrolled(page), await place(page)];
  await touch('touchStart', [[x, y]]);
  for (let i = 1; i <= 8; ++i) await touch('touchMove', [[x, y - 15 * i]]);
  await touch('touchEnd', []);
  await page.waitForFunction((was) => scrollY > was + 40, from);
  assert.equal(await place(page), there);
  assert.equal(await page.locator('#unpin').count(), 0);
  await stands(page);
  await page.evaluate(() => document.querySelector('.stage').scrollIntoView({ block: 'center' }));
  const [rest, height] = [await scrolled(page), await page.locator('.in-hand').evaluate((hand) => hand.style.height)];
  const both = (dx, apart) => [
    [x - 40 - apart + dx, y],
    [x + 40 + apart + dx, y],
  ];
  await touch('touchStart', both(0, 0));
  for (let i = 1; i <= 6; ++i) await touch('touchMove', both(10 * i, 0));
  await page.waitForFunction((was) => document.querySelector('.in-hand').style.transform !== was, there);
  for (let i = 1; i <= 6; ++i) await touch('touchMove', both(60, -4 * i));
  await touch('touchEnd', []);
  await page.waitForFunction((was) => document.querySelector('.in-hand').style.height !== was, height);
  assert.equal(await scrolled(page), rest);
  assert.equal(await page.locator('#unpin').count(), 0);
  assert.equal(await page.innerText('#moving'), 'Two fingers pan and zoom.');
  // A finger that does not move pins the cell it is on.
  await page.touchscreen.tap(x, y);
  await page.waitForSelector('#unpin');
  await page.context().close();
});

// --- Texts on texts ----------------------------------------------------------------------------------------------------

/** Pairs of texts that lie on one another, as they are seen: what scrolls out of sight is cut. */
function overlapping() {
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    // Not what lies in details that are closed.
    if (
      !node.data.trim() ||
      !parent?.checkVisibility() ||
      parent.closest('.unseen, .mirror, option, svg, script, style, noscript')
    )
      continue;
    const style = getComputedStyle(parent);
    if (style.visibility === 'hidden' || style.opacity === '0') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let clip = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
    for (let at = parent; at; at = at.parentElement) {
      // Read aloud, but not seen.
      if (getComputedStyle(at).clipPath === 'inset(50%)') clip = { left: 0, top: 0, right: 0, bottom: 0 };
      if (/visible/.test(getComputedStyle(at).overflow)) continue;
      const { left, top, right, bottom } = at.getBoundingClientRect();
      clip = {
        left: Math.max(clip.left, left),
        top: Math.max(clip.top, top),
        right: Math.min(clip.right, right),
        bottom: Math.min(clip.bottom, bottom),
      };
    }
    for (const rect of range.getClientRects()) {
      const box = {
        ...{ node, text: node.data.trim().slice(0, 40) },
        ...{ left: Math.max(rect.left, clip.left), right: Math.min(rect.right, clip.right) },
        ...{ top: Math.max(rect.top, clip.top), bottom: Math.min(rect.bottom, clip.bottom) },
      };
      if (box.right - box.left > 1 && box.bottom - box.top > 1) boxes.push(box);
    }
  }
  // What sticks to its place has ground of its own, under which the rest is scrolled.
  const covers = (a, b) => {
    for (let at = a.node.parentElement; at && !at.contains(b.node); at = at.parentElement) {
      const { position, backgroundColor } = getComputedStyle(at);
      if (position === 'sticky' && /^rgb\(/.test(backgroundColor)) return true;
    }
    return false;
  };
  const found = [];
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      if (a.node === b.node) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Lines that stand close touch at their edges, where no letter is. `covers` is slow, so it is asked last, about few pairs.
      if (across <= 2 || down <= 0.4 * Math.min(a.bottom - a.top, b.bottom - b.top)) continue;
      if (!covers(a, b) && !covers(b, a)) found.push(`${a.text} | ${b.text}`);
    }
  });
  return found.slice(0, 5);
}

test('at rank 32 no text overlaps another, under any rule, on wide and narrow screens', async () => {
  const [ones, twos] = ['1,'.repeat(31), '2,'.repeat(31)];
  const two = (a, b) => `&in=(${a})&in=(${b})`;
  const questions = {
    numpy: [two(`${ones}2`, `${ones}3`), two(`${twos}2`, `${twos}3`)].map((text) => text.replace('(1,', '(4,')),
    none: [two(`${ones}2`, `${ones}2`), two(`${twos}2`, `${twos}3`)],
    onnx_multidirectional: [two(`${ones}1`, `${ones}3`), two(`${twos}2`, `${twos}3`)],
    onnx_unidirectional: [two(`${ones}3`, `${ones}1`), two(`${twos}2`, `${twos}3`)],
    pdpd: [two(`${ones}3`, `${ones}1`), two(`${twos}2`, `${twos}3`)],
    sonnx: [two(`${ones}1`, `${ones}3`), two(`${twos}2`, `${twos}3`)],
    bidirectional: [`&in=(${ones}1)&target=(${ones}3)`, `&in=(${twos}2)&target=(${twos}3)`],
    broadcast_numpy: [`&in=(${ones}1)&target=(${ones}3)`, `&in=(${twos}2)&target=(${twos}3)`],
    explicit: [
      `&in=(${ones}1)&target=(${ones}3)&mapping=[${[...Array(32).keys()]}]`,
      `&in=(${twos}2)&target=(${twos}3)&mapping=[${[...Array(32).keys()]}]`,
    ],
  };
  const faults = [];
  for (const width of [1280, 320]) {
    const page = await opened('', { viewport: { width, height: 800 } });
    for (const [rule, fragments] of Object.entries(questions)) {
      for (const fragment of fragments) {
        const op = /target|sonnx/.test(fragment + rule) ? 'Broadcast' : 'Add';
        const hash = `v=1&rule=${rule}&op=${op}&type=f32${fragment}`;
        await follow(page, hash);
        await page.waitForSelector('.alignment');
        await arrived(page);
        for (const found of await page.evaluate(overlapping)) faults.push(`${rule}, ${width}: ${found}`);
      }
    }
    await page.context().close();
  }
  assert.deepEqual(faults, []);
});

// --- The focus ---------------------------------------------------------------------------------------------------------

test('at rank 12 and 32 the slices beside grids are short, and the whole slice can be read', async () => {
  for (const rank of [12, 32]) {
    const shape = Array.from({ length: rank }, (_, axis) => (axis < rank - 2 ? 1 + (axis % 2) : 4));
    const whole = Array.from({ length: rank }, (_, axis) => (axis < rank - 2 ? 0 : ':'));
    const link = `v=1&type=f32&rule=numpy&op=Add&in=(${shape})&in=(${shape.with(-2, 1)})&tiles=1`;
    for (const width of [1280, 320]) {
      const page = await playground.open(link, { viewport: { width, height: 900 } });
      await page.waitForSelector('.slice-grid [role=gridcell]');
      const labels = await page.locator('#answer :is(.panel, .slice-grid) figcaption code').evaluateAll((all) =>
        all.map((label) => {
          const box = label.closest('.grids-scroll, .slice-grids').getBoundingClientRect();
          const { left, right } = label.getBoundingClientRect();
          return {
            seen: label.querySelector('[aria-hidden]').textContent,
            title: label.title,
            heard: label.querySelector('.unseen').textContent,
            isCut: left < box.left || (right > box.right && label.closest('.slice-grid') === null),
          };
        }),
      );
      assert.equal(labels.length, 4, 'A, B and two slices');
      assert.deepEqual(
        labels.map(({ seen }) => seen),
        ['[0, …, :, :]', '[0, …, :]', 'out[0, 0, …, :, :]', 'out[0, 1, …, :, :]'],
      );
      assert.ok(
        labels.every(({ isCut }) => !isCut),
        `rank ${rank}, ${width} px`,
      );
      assert.equal(labels[0].title, `[${whole.join(', ')}]`);
      assert.ok(labels.every(({ title, heard }) => title === heard));
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      // Spelled out above the grids, every index is seen.
      assert.ok((await page.innerText('#arithmetic')).includes(`A[${Array(rank).fill(0).join(', ')}]`));
      await page.context().close();
    }
  }
});

test('no button loses the focus, by hand or by key', async () => {
  const pressable = new Set(
    `first conflict malformed sonnx large slices pin blow-up written details wrong-values notes paste-layer code rules gallery
    from-gallery predict predict-lacks predicted keys share embed`.split(/\s+/),
  );
  const faults = [];
  const known = new Set();
  let pressed = 0;
  const press = async (state) => {
    let isFresh = true;
    const page = await openState(playground.browser, playground.origin, state, {
      viewport: { width: 1280, height: 800 },
    });
    // The same page again, with nothing left of what was pressed.
    const again = async () => {
      await page.evaluate(() => localStorage.clear());
      await page.goto('about:blank');
      await page.goto(`${playground.origin}/${state.query ?? ''}${state.fragment && `#${state.fragment}`}`);
      await page.waitForSelector('main:not([data-state="loading"])');
      await state.act?.(page);
      if (state.shown) await page.waitForSelector(state.shown, { state: 'attached' });
      await arrived(page);
    };
    const buttons = page.locator('button:not(:disabled), summary');
    const labels = await buttons.evaluateAll((all) =>
      all.map((button) => ({
        // Without what tells one of many from the others: example-outer-product, details-1.
        label: `${button.id.replace(/^(example)-.*|-\d+$/, '$1')} ${button.className} ${button.closest('section, dialog, header')?.className ?? ''}`,
        seen: button.getClientRects().length > 0,
      })),
    );
    for (const [i, { label, seen }] of labels.entries()) {
      // Of buttons that are alike one is pressed.
      if (!seen || known.has(label)) continue;
      known.add(label);
      for (const way of ['click', 'Enter']) {
        if (!isFresh) await again();
        isFresh = false;
        ++pressed;
        if (way === 'click')
          await buttons.nth(i).click({ force: true }); // Those that are disabled for now keep the focus, too.
        else await buttons.nth(i).press('Enter');
        const held = () =>
          page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body);
        await arrived(page);
        for (const until = Date.now() + patience; !(await held()) && Date.now() < until;) await frame(page);
        if (!(await held())) faults.push(`${state.name}, ${label}, ${way}`);
      }
    }
    await page.context().close();
  };
  const chosen = states.filter(({ name }) => pressable.has(name));
  await sideBySide(chosen, async (queue) => {
    for (const [, state] of queue) await press(state);
  });
  assert.deepEqual(faults, []);
  assert.ok(pressed > 60, `${pressed}`);
});

test('after a repair the focus is at the answer, after Use in its row, after Compare at the comparison', async () => {
  const page = await playground.open(`${v}&rule=numpy&op=Add&in=(2,3,4,5)&in=(3,1)`);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
  await page.focus('.repairs .apply');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'verdict');
  await page.click('#undo');
  await page.focus('.other-rules button.quiet');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'all-rules-title');
  const use = page.locator('.all-rules tr.first[data-rule="pdpd"] button');
  await use.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.className === 'in-use');
  assert.equal(await page.evaluate(() => document.activeElement.closest('tr').dataset.rule), 'pdpd');
  await page.focus('#close-rules');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'compare-rules');
  assert.equal(await focused(), 'compare-rules');
  await page.context().close();
});

test('the button that adds an operand keeps the focus, also where it takes another operator', async () => {
  const page = await playground.open();
  for (const count of [3, 4]) {
    await page.focus('#add-operand');
    await page.keyboard.press('Enter');
    await page.waitForSelector(`#operand-${count - 1}`);
    await page.waitForTimeout(100);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'add-operand');
  }
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
