// The page in a frame of another document: without fields, at its own height, controlled by messages.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { imported } from './modules.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, openPlayground, patience } from './playground.mjs';

const { fragmentOf, readRequest } = await imported('embed/embed-messages.ts');
const { fromFragment } = await imported('state/state.ts');

const conflict = 'v=1&rule=numpy&op=Add&type=f32&in=(8,64,56,56)&in=(64)';

let playground;
let host;
let hostAddress;
const documents = new Map();
before(async () => {
  playground = await openPlayground();
  // A document of another origin, which keeps all that its frame says.
  host = http.createServer(({ url }, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    if (documents.has(url)) return response.end(documents.get(url));
    response.end(`<!doctype html><title>Host</title><body><script>
      heard = [];
      addEventListener('message', (event) => heard.push({ ...event.data, origin: event.origin }));
    </script>`);
  });
  await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostAddress = `http://127.0.0.1:${host.address().port}/`;
});
after(async () => {
  await playground.close();
  await new Promise((resolve) => host.close(resolve));
});

// The other document with a frame in it, once that is ready.
async function framed(query, fragment, width = 800) {
  const page = await playground.browser.newPage({ viewport: { width: 1000, height: 900 } });
  page.setDefaultTimeout(patience);
  await page.goto(hostAddress);
  await page.evaluate(
    ([src, wide]) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { src, width: wide, height: 100, id: 'loom' });
      document.body.append(frame);
    },
    [`${playground.origin}/${query}${fragment && `#${fragment}`}`, width],
  );
  await page.waitForFunction(() => heard.some(({ type }) => type === 'ready'));
  return { page, frame: page.frames()[1] };
}

const say = (page, message) =>
  page.evaluate((data) => document.querySelector('#loom').contentWindow.postMessage(data, '*'), message);

async function ask(page, message) {
  await say(page, { to: 'broadloom', ...message });
  const said = await page.waitForFunction(
    (id) => heard.find((each) => each.id === id && each.type !== 'change'),
    message.id,
  );
  return said.jsonValue();
}

test('an object is a fragment with the same keys', () => {
  const state = fromFragment(
    fragmentOf({
      rule: 'numpy',
      op: 'Mul',
      type: 'f32',
      in: ['(2, 1)', [2, 2], []],
      n: ['mask, raw', 'b&c'],
      x: ['constant:0.5', 'list:[[1,2],[3,4]]'],
      at: [1, 1],
      output: 1,
    }),
  );
  assert.deepEqual(
    state.operands.map(({ name, shape, values }) => [name, shape, values.kind, values.text]),
    [
      ['mask, raw', '(2, 1)', 'constant', '0.5'],
      ['b&c', '(2,2)', 'list', '[[1,2],[3,4]]'],
      ['', '()', 'counting', ''],
    ],
  );
  assert.deepEqual([state.op, state.at, state.output], ['Mul', [1, 1], 1]);
});

test('messages are checked field by field; others are ignored', () => {
  const to = 'broadloom';
  const foreign = [
    null,
    undefined,
    7,
    'set',
    [],
    {},
    { type: 'ask' },
    { to: 'Broadloom', type: 'ask' },
    { to, type: 'eval', code: 'alert(1)' },
    { to, type: 'ask', id: {} },
    { to, type: 'ask', id: 'x'.repeat(101) },
    { to, type: ['ask'] },
  ];
  for (const message of foreign) assert.equal(readRequest(message), null, JSON.stringify(message));
  const wrong = [
    undefined,
    '',
    'rule=numpy',
    'v=2&in=1',
    7,
    [],
    { rule: {} },
    { 'in&rule': '1' },
    { in: '(2,3)' },
    { in: [{}] },
    { in: [[['2']]] },
    { v: 2 },
    { at: [Number.NaN] },
    { in: Array(2000).fill('1') },
    `v=1&in=${'1,'.repeat(100_000)}`,
  ];
  for (const state of wrong)
    assert.equal(readRequest({ to, type: 'set', state, id: 1 })?.type, 'refused', JSON.stringify(state)?.slice(0, 60));
  const halves = readRequest({ to, type: 'set', state: { in: ['\ud800', '"><script>'] } });
  assert.deepEqual(
    halves.state.operands.map(({ shape }) => shape),
    ['\ufffd', '"><script>'],
  );
  assert.deepEqual(readRequest({ to, type: 'ask', id: 'a' }), { type: 'ask', id: 'a' });
});

test('the embedded view shows the parts asked for, and a link to the page', async () => {
  const parts = {
    '': ['#verdict', '.alignment', '.grids'],
    '=alignment': ['#verdict', '.alignment'],
    '=grid': ['#verdict', '.grids'],
    '=verdict': ['#verdict'],
  };
  for (const [part, shown] of Object.entries(parts)) {
    const page = await playground.open('', { query: `?embed${part}` });
    assert.equal((await answer(page)).shape, '(4, 6)');
    const seen = [];
    for (const each of ['#verdict', '.alignment', '.grids', '.controls', '.elsewhere', '.top']) {
      if (await page.locator(each).count()) seen.push(each);
    }
    assert.deepEqual(seen, shown, part);
    assert.match(await page.innerText('.question'), /A\s+\(4, 1\)\s+B\s+\(6,\)\s+Add · NumPy\s+Open in Broadloom/);
    await page.context().close();
  }
  const page = await playground.open(conflict, { query: '?embed=alignment&theme=dark' });
  assert.equal((await answer(page)).clashes, 2);
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(23, 22, 20)');
  const [whole] = await Promise.all([page.context().waitForEvent('page'), page.click('#open')]);
  await whole.waitForSelector('.controls');
  assert.equal(await whole.inputValue('#operand-0'), '(8,64,56,56)');
  assert.equal(new URL(whole.url()).search, '');
  // The frame's colours are its own.
  assert.equal(await whole.evaluate(() => localStorage.getItem('broadloom.theme')), 'auto');
  await page.context().close();
});

test('without grids the alignment shows its reasons, however large the result is', async () => {
  for (const [query, seen] of [
    ['?embed=alignment', true],
    ['?embed', false], // the result is to be seen as well
  ]) {
    const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(10000,1)&in=(10000,)', { query });
    await page.waitForSelector('.alignment .reasons', { state: 'attached' });
    assert.equal(await page.locator('.alignment .reasons').isVisible(), seen, query);
    await page.context().close();
  }
});

test('it is as wide as its frame', async () => {
  for (const [query, fragment] of [
    ['?embed', ''],
    ['?embed=alignment', conflict],
    ['?embed=grid', 'v=1&rule=numpy&op=Add&type=f32&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)'],
    ['?embed=verdict', `v=1&rule=numpy&op=Add&type=f32&in=${'9,'.repeat(60)}&in=()`],
  ]) {
    const page = await playground.open(fragment, { query, viewport: { width: 320, height: 400 } });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 320, `${query}: ${width}`);
    await page.context().close();
  }
});

test('a document of another origin sets what is shown, asks for the answer, follows the height', async () => {
  const { page, frame } = await framed('?embed', '');
  const first = await ask(page, { type: 'ask', id: 1 });
  assert.equal(first.origin, playground.origin);
  assert.deepEqual(
    [first.from, first.version, first.type, first.fits, first.shape, first.error],
    ['broadloom', 1, 'answer', true, [4, 6], null],
  );
  assert.equal(first.verdict, 'A is repeated 6 times along axis 1; B is repeated 4 times along axis 0.');
  assert.match(first.alt, /^A \(4, 1\) and B \(6,\) broadcast under NumPy to \(4, 6\)\./);
  const height = () => page.evaluate(() => heard.filter(({ type }) => type === 'height').at(-1)?.height ?? 0);
  const drawn = () => frame.evaluate(() => Math.ceil(document.querySelector('main').getBoundingClientRect().height));
  // Parts that arrive later are heard of later.
  const follows = async () => {
    const until = Date.now() + patience;
    while ((await height()) !== (await drawn())) {
      assert.ok(Date.now() < until, `${await height()}, not ${await drawn()}`);
      await page.waitForTimeout(50);
    }
  };
  await follows();
  const before = await height();

  const clash = await ask(page, { type: 'set', id: 2, state: conflict });
  assert.deepEqual([clash.fits, clash.shape, clash.error], [false, null, 'incompatible']);
  assert.match(clash.verdict, /^Axis 3: B has 64/);
  assert.equal((await answer(frame)).errorClass, 'incompatible');
  await page.waitForFunction((was) => heard.filter(({ type }) => type === 'height').at(-1).height !== was, before);
  await follows();

  const plain = await ask(page, {
    type: 'set',
    id: 3,
    state: { rule: 'pdpd', op: 'Mul', type: 'i32', in: [[2, 3, 4, 5], '(3, 4)'], axis: 1 },
  });
  assert.deepEqual(plain.shape, [2, 3, 4, 5]);
  assert.match(plain.link, /^http:\/\/localhost:\d+\/#v=1&rule=pdpd&op=Mul/);
  // What the reader does in the frame is told.
  await frame.click('#grid-result [data-index="0,0,1,2"]');
  await page.waitForFunction(() =>
    heard.some(({ type, fragment }) => type === 'change' && /&at=0,0,1,2/.test(fragment)),
  );
  // Letters stay letters, and large extents keep their digits.
  const wild = await ask(page, { type: 'set', id: 4, state: { in: ['<img src=x onerror=alert(1)>', '2'] } });
  assert.equal(wild.error, 'parse');
  assert.equal(await frame.locator('img').count(), 0);
  const huge = await ask(page, { type: 'set', id: 5, state: { type: 'u8', in: ['9223372036854775807', '1'] } });
  assert.deepEqual(huge.shape, ['9223372036854775807']);
  const refused = await ask(page, { type: 'set', id: 6, state: { rule: {} } });
  assert.deepEqual([refused.type, (await ask(page, { type: 'ask', id: 7 })).shape], ['refused', huge.shape]);
  await page.close();
});

test('only the embedding document is answered, and unknown messages are not', async () => {
  const { page, frame } = await framed('?embed=verdict', conflict);
  // The height is reported whenever it changes.
  const count = () => page.evaluate(() => heard.filter(({ type }) => type !== 'height').length);
  await ask(page, { type: 'ask', id: 1 });
  const heard = await count();
  for (const message of [
    'ask',
    { type: 'ask', id: 2 },
    { to: 'broadloom', type: 'close', id: 3 },
    { to: 'broadloom', type: 'ask', id: [] },
  ]) {
    await say(page, message);
  }
  // From a frame beside it, and from the frame itself.
  await page.evaluate(() => {
    const other = document.createElement('iframe');
    other.srcdoc = `<script>parent.frames[0].postMessage({ to: 'broadloom', type: 'set', state: 'v=1&in=2', id: 4 }, '*')</script>`;
    document.body.append(other);
    return new Promise((resolve) => (other.onload = resolve));
  });
  await frame.evaluate(() => postMessage({ to: 'broadloom', type: 'set', state: 'v=1&in=2', id: 5 }));
  const asked = await ask(page, { type: 'ask', id: 6 });
  assert.equal(asked.error, 'incompatible');
  assert.equal(await count(), heard + 1);
  await page.close();
});

// The HTML that the page offers for a question, once the heights in it are known.
async function offered(fragment, part = '', ground = '') {
  const page = await playground.open(fragment);
  await page.click('#share');
  await page.check(`input[name=share-part][value="${part}"]`, { force: true });
  await page.check(`input[name=share-frame-ground][value="${ground}"]`, { force: true });
  await page.waitForSelector('#share-frame[data-measured=true]', { timeout: 20_000 });
  // Parts that arrive later make the frames higher.
  let html = '';
  for (let same = 0; same < 5;) {
    await page.waitForTimeout(100);
    const now = await page.inputValue('#share-frame');
    same = now === html ? same + 1 : 0;
    html = now;
  }
  await page.context().close();
  return html;
}

const tall = 'v=1&rule=numpy&op=Add&type=f32&in=(16,1)&in=(6,)&at=2,2';

// How high a frame is, and how high what it shows, once all of that has arrived.
async function heightsOf(frame) {
  await frame.waitForSelector('main:not([data-state=loading])');
  await frame.waitForSelector('#verdict[data-doubts="known"]', { state: 'attached' });
  const look = () =>
    frame.evaluate(() => [innerHeight, Math.ceil(document.querySelector('main').getBoundingClientRect().height)]);
  let now = await look();
  for (let same = 0; same < 5;) {
    await new Promise((resolve) => setTimeout(resolve, 60));
    const next = await look();
    same = String(next) === String(now) ? same + 1 : 0;
    now = next;
  }
  return { frame: now[0], content: now[1] };
}

test('the offered HTML shows the whole question in documents of other sites, at any width', async () => {
  const short = await offered(conflict, 'verdict');
  const long = await offered(tall);
  for (const [theme, css] of [
    ['light', 'color-scheme: light; background: #fff'],
    ['dark', 'color-scheme: dark; background: #111'],
  ]) {
    documents.set(
      `/two-${theme}`,
      `<!doctype html><meta name="viewport" content="width=device-width"><style>html { ${css} }</style>${short}<p>and</p>${long}`,
    );
  }
  for (const theme of ['light', 'dark']) {
    const page = await playground.browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: theme });
    await page.goto(`${hostAddress}two-${theme}`);
    for (const width of [1200, 800, 560, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(() => document.querySelectorAll('iframe').forEach((each) => (each.loading = 'eager')));
      for (const frame of page.frames().slice(1)) {
        const heights = await heightsOf(frame);
        assert.equal(heights.frame, heights.content, `${theme}, ${width}: ${frame.url()}`);
      }
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
    await page.close();
  }
});

test('without the script the frame is high enough, and not far too high', async () => {
  for (const [fragment, part] of [
    [tall, ''],
    [conflict, 'alignment'],
    ['', 'grid'],
  ]) {
    const html = (await offered(fragment, part)).replace(/<script>[^]*<\/script>/, '').replace('loading="lazy"', '');
    documents.set('/no-script', `<!doctype html><meta name="viewport" content="width=device-width">${html}`);
    const page = await playground.browser.newPage({ viewport: { width: 1200, height: 900 } });
    await page.goto(`${hostAddress}no-script`);
    for (const width of [1200, 700, 610, 480, 336]) {
      await page.setViewportSize({ width, height: 900 });
      const { frame, content } = await heightsOf(page.frames()[1]);
      assert.ok(frame >= content && frame < content + 400, `${fragment} ${part}, ${width}: ${content} in ${frame}`);
    }
    await page.close();
  }
});

test('the script of the offered HTML follows the frame of its own origin alone', async () => {
  const html = await offered('', 'verdict', 'dark');
  assert.match(html, /\?embed=verdict&amp;theme=dark#/);
  documents.set('/foreign', `<!doctype html>${html}<iframe id="foreign" style="height: 50px"></iframe>`);
  documents.set(
    '/says',
    `<!doctype html><script>parent.postMessage({ from: 'broadloom', type: 'height', height: 777 }, '*')</script>`,
  );
  const page = await playground.browser.newPage({ viewport: { width: 800, height: 900 } });
  await page.goto(`${hostAddress}foreign`);
  await heightsOf(page.frames()[1]);
  await page.evaluate(() => {
    addEventListener('message', ({ data }) => (globalThis.said = data));
    document.querySelector('#foreign').src = '/says';
  });
  await page.waitForFunction(() => globalThis.said?.height === 777);
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  assert.deepEqual(await page.$$eval('iframe', (all) => all.map(({ offsetHeight }) => offsetHeight === 777)), [
    false,
    false,
  ]);
  await page.close();
});

test('the documented example works as it stands', async () => {
  const [, documented] = /```html\n([^]*?)```/.exec(await readFile(inRoot('docs/embed.md'), 'utf8'));
  const page = await playground.browser.newPage();
  page.setDefaultTimeout(patience);
  documents.set('/example', documented.replace('https://broadloom.example', playground.origin));
  await page.goto(`${hostAddress}example`);
  const followed = () =>
    page
      .waitForFunction(() => document.querySelector('#loom').height !== '640')
      .then(() => page.getAttribute('#loom', 'height'));
  const before = await followed();
  await page.click('#other');
  await page.waitForFunction(() =>
    /^A \(3, 1\) and B \(6,\) broadcast/.test(document.querySelector('#said').textContent),
  );
  await page.waitForFunction((was) => document.querySelector('#loom').getAttribute('height') !== was, before);
  await page.close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
