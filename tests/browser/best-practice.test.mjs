// Lighthouse's audits, but for accessibility (axe.test.mjs): docs/page.md lists those that are tested.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { openState, states } from '../../scripts/page-states.mjs';
import { inRoot } from '../../scripts/paths.mjs';
import { arrived, openPlayground, settled } from './playground.mjs';

const built = process.env.BROADLOOM_PAGE ?? inRoot('web/dist');
const named = (name) => states.find((state) => state.name === name);

let playground;
let html;
before(async () => {
  playground = await openPlayground();
  html = await readFile(path.join(built, 'index.html'), 'utf8');
});
after(() => playground.close());

const open = (name, options) => openState(playground.browser, playground.origin, named(name), options);

test('the document has type, character set, language, title, description and viewport', async () => {
  assert.match(html, /^<!doctype html>\s*<html lang="en">/);
  const letters = html.indexOf('<meta charset="utf-8"');
  assert.ok(letters > 0 && letters < html.search(/<(title|script|link)/), 'the letters come first');
  assert.ok(Buffer.byteLength(html.slice(0, letters)) < 1000, 'among the first 1024 bytes');
  const page = await playground.open();
  const said = await page.evaluate(() => ({
    mode: document.compatMode,
    language: document.documentElement.lang,
    title: document.title,
    ...Object.fromEntries([...document.querySelectorAll('meta[name]')].map(({ name, content }) => [name, content])),
  }));
  assert.equal(said.mode, 'CSS1Compat');
  assert.equal(said.language, 'en');
  assert.ok(said.title.length >= 10 && said.title.length <= 70, said.title);
  assert.ok(said.description.length >= 50 && said.description.length <= 160, said.description);
  assert.match(said.viewport, /width=device-width/);
  assert.doesNotMatch(said.viewport, /user-scalable|maximum-scale|minimum-scale/);
  assert.doesNotMatch(said.robots ?? '', /noindex|none/);
  await page.context().close();
});

test('no error, warning, deprecated interface or issue in any view', async () => {
  for (const name of ['first', 'conflict', 'large', 'rules', 'gallery', 'predict', 'share', 'details', 'embed']) {
    const context = await playground.browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const ailments = [];
    const cdp = await context.newCDPSession(page);
    cdp.on('Audits.issueAdded', ({ issue }) => ailments.push(JSON.stringify(issue)));
    cdp.on('Log.entryAdded', ({ entry }) => ailments.push(`${entry.source}: ${entry.text}`));
    page.on('console', (message) => ailments.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => ailments.push(`thrown: ${error}`));
    page.on('response', (response) => {
      if (response.status() >= 400) ailments.push(`${response.status()}: ${response.url()}`);
      if (new URL(response.url()).origin !== playground.origin && !response.url().startsWith('blob:'))
        ailments.push(`from elsewhere: ${response.url()}`);
    });
    await cdp.send('Audits.enable');
    await cdp.send('Log.enable');
    await openState({ newContext: async () => ({ newPage: async () => page }) }, playground.origin, named(name));
    assert.deepEqual(ailments, [], name);
    assert.deepEqual(await context.cookies(), [], name);
    await context.close();
  }
});

// Runs before the page's own scripts: notes what shifts.
function noteShifts() {
  globalThis.moved = [];
  const note = ({ value, sources }) =>
    moved.push({ value, what: sources.map(({ node }) => `${node?.nodeName} ${node?.className}`) });
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: 'layout-shift' });
}

async function assertSteady(page, what) {
  await page.waitForTimeout(100);
  const moved = await page.evaluate(() => globalThis.moved);
  const sum = moved.reduce((total, { value }) => total + value, 0);
  assert.ok(sum < 0.05, `${what}: ${JSON.stringify(moved)}`);
}

const screens = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
];

test('parts that are loaded later shift nothing', async () => {
  for (const name of ['first', 'rank-8', 'large', 'conflict']) {
    for (const viewport of screens) {
      const state = { ...named(name), before: noteShifts };
      const page = await openState(playground.browser, playground.origin, state, { viewport });
      await assertSteady(page, `${name}, ${viewport.width}`);
      await page.context().close();
    }
  }
});

test('a large result that arrives last shifts nothing', async () => {
  for (const viewport of screens) {
    const context = await playground.browser.newContext({ viewport, serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.addInitScript(noteShifts);
    let arrive;
    const rest = new Promise((resolve) => (arrive = resolve));
    await page.route('**/large-grid-*.js', (route) => rest.then(() => route.continue()));
    await page.goto(`${playground.origin}/#${named('large').fragment}`);
    for (const part of ['.blow-up', '.elsewhere', '#step']) await page.waitForSelector(part, { state: 'attached' });
    arrive();
    await page.waitForSelector('.in-hand');
    await arrived(page);
    await assertSteady(page, `${viewport.width}`);
    await context.close();
  }
});

// Browsers cannot tell what such selectors concern: `p + p` has all that follows what comes or goes styled anew, and so has
// `:has()` on what many elements have above them. At rank 8 that took 2 ms of a key stroke.
test('sibling and :has() selectors match classes', async () => {
  const page = await playground.open();
  const sheets = (await readdir(path.join(built, 'assets'))).filter((name) => name.endsWith('.css'));
  assert.ok(sheets.length > 5, String(sheets));
  const texts = await Promise.all(sheets.map((name) => readFile(path.join(built, 'assets', name), 'utf8')));
  const selectors = await page.evaluate((all) => {
    const within = (rules) =>
      [...rules].flatMap((rule) => [...(rule.selectorText?.split(',') ?? []), ...within(rule.cssRules ?? [])]);
    return all.flatMap((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return within(sheet.cssRules);
    });
  }, texts);
  assert.ok(selectors.length > 400, String(selectors.length));
  // After `+` or `~` a class, an id or an attribute stands, besides what it is not.
  const siblings = selectors.map((selector) => selector.replaceAll(/:(not|is|where)\([^()]*\)/g, ''));
  assert.deepEqual(
    siblings.filter((selector) => /[+~]\s*[a-z*]+(?![^\s>+~]*[.#[])/.test(selector)),
    [],
  );
  assert.deepEqual(
    selectors.filter((selector) => selector.includes(':has(')),
    ['main.vast .alignment:not(:has([open])) .reasons'], // asked of the one element, where a result is large
  );
  await page.context().close();
});

// Preact sets a text that is 0 or empty, and a value that is a number, anew whether it has changed or not: browsers lay out
// and paint again what is set.
test('a key stroke that changes no result updates its field alone', async () => {
  const fragments = [
    'v=1&rule=numpy&op=Add&type=f32&in=2,1,3,1,2,1,4,5&in=3,1,2,1,3,1,5',
    'v=1&rule=sonnx&op=Broadcast&type=f32&in=2,1,3,4&in=3,1&in=&tiles=0',
    'v=1&rule=pdpd&op=Add&type=f32&in=2,3,4,5&in=3,4&axis=1&view=rules',
    'v=1&rule=numpy&op=Add&type=f32&in=1,1&in=1',
    'v=1&rule=explicit&op=Broadcast&type=f32&in=3&target=3,4&mapping=0',
  ];
  for (const fragment of fragments) {
    const page = await playground.open(fragment);
    await page.focus('#operand-0');
    await page.keyboard.press('End');
    await page.keyboard.type(' ');
    await arrived(page); // parts that are loaded when they are first used
    await page.evaluate(() => {
      globalThis.written = [];
      const place = (node) => {
        const element = node instanceof Element ? node : node.parentElement;
        return element.closest('.mirror, .on-paper')?.className ?? (element.id || element.className || element.tagName);
      };
      const said = (text) => (text.startsWith(location.origin) ? 'the address' : text);
      const watcher = new MutationObserver((records) => {
        // An empty text is laid out nowhere.
        for (const { target, type, attributeName } of records.filter(({ target: { data } }) => data !== ''))
          written.push(`${place(target)}: ${type === 'attributes' ? attributeName : said(target.data ?? type)}`);
      });
      watcher.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      for (const kind of [HTMLInputElement, HTMLSelectElement]) {
        const { get, set } = Object.getOwnPropertyDescriptor(kind.prototype, 'value');
        const spied = function (value) {
          written.push(`${this.id}: value`);
          set.call(this, value);
        };
        Object.defineProperty(kind.prototype, 'value', { get, set: spied });
      }
    });
    const text = await page.inputValue('#operand-0');
    await page.keyboard.type(' ');
    await settled(page, [`${text} `]);
    assert.deepEqual(
      (await page.evaluate(() => written)).sort(),
      ['answer: data-shows', `mirror: ${text} `, 'on-paper: the address', `on-paper: ${text} `].sort(),
      fragment,
    );
    await page.context().close();
  }
});

test('no permission is requested on opening: location, notifications, camera, storage', async () => {
  const page = await playground.open('', {
    before: () => {
      globalThis.asked = [];
      const watch = (holder, name) => {
        const own = holder?.[name];
        if (own) holder[name] = (...args) => (globalThis.asked.push(name), own.apply(holder, args));
      };
      watch(navigator.geolocation, 'getCurrentPosition');
      watch(navigator.geolocation, 'watchPosition');
      watch(globalThis.Notification, 'requestPermission');
      watch(navigator.mediaDevices, 'getUserMedia');
      watch(navigator.storage, 'persist');
      watch(document, 'write');
    },
  });
  await page.waitForSelector('.elsewhere');
  assert.deepEqual(await page.evaluate(() => globalThis.asked), []);
  await page.context().close();
});

test('fields accept pasted text', async () => {
  const page = await open('paste-layer');
  for (const field of ['#operand-0', '#layer']) {
    const kept = await page.$eval(field, (element) =>
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: new DataTransfer() }),
      ),
    );
    assert.ok(kept, `${field} refuses`);
  }
  await page.context().close();
});

// --- Against foreign scripts -----------------------------------------------------

test('the content security policy blocks scripts and lets the page work', async () => {
  const page = await playground.open();
  const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', 'content');
  const sources = new Map(
    policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name, ...of]) => [name, of]),
  );
  const effective = (name) => sources.get(name) ?? sources.get('default-src');
  // A meta element cannot say frame-ancestors: a server's header does (docs/embed.md).
  assert.deepEqual(effective('object-src'), ["'none'"]);
  assert.deepEqual(sources.get('base-uri'), ["'none'"]);
  assert.deepEqual(sources.get('form-action'), ["'none'"]);
  assert.deepEqual(sources.get('require-trusted-types-for'), ["'script'"]);
  assert.ok(!sources.get('trusted-types').some((name) => name === '*' || name === "'allow-duplicates'"));
  assert.deepEqual(effective('script-src').toSorted(), ["'self'", "'wasm-unsafe-eval'"]);
  assert.deepEqual(effective('style-src'), ["'self'"]);
  for (const [name, allowed] of sources)
    for (const source of name.endsWith('-src') ? allowed : [])
      assert.match(source, /^('none'|'self'|'wasm-unsafe-eval'|blob:)$/, name);

  // Each of these is tried in the page's own world. What ran would leave its mark.
  const tried = await page.evaluate(async () => {
    const refused = {};
    globalThis.blocked = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => blocked.push(effectiveDirective));
    const attempt = (name, act) => {
      try {
        act();
        refused[name] = false;
      } catch {
        refused[name] = true;
      }
    };
    attempt('html', () => (document.body.appendChild(document.createElement('i')).innerHTML = '<b>x</b>'));
    attempt('script text', () => (document.createElement('script').text = 'globalThis.entered = 1'));
    attempt('script address', () => (document.createElement('script').src = 'data:,globalThis.entered=2'));
    attempt('a policy of its own', () => trustedTypes.createPolicy('foreign', {}));
    attempt('a policy again', () => trustedTypes.createPolicy('default', {}));
    const base = Object.assign(document.createElement('base'), { href: 'https://elsewhere.invalid/' });
    document.head.append(base);
    const frame = Object.assign(document.createElement('iframe'), { src: 'data:text/html,x' });
    document.body.append(frame);
    const image = Object.assign(new Image(), { src: 'https://elsewhere.invalid/x.png' });
    document.body.append(image);
    const link = document.createElement('a');
    attempt('an attribute that acts', () => link.setAttribute('onclick', 'globalThis.entered = 3'));
    document.body.append(link);
    link.click();
    const sent = await fetch('https://elsewhere.invalid/').then(
      () => 'sent',
      () => 'refused',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { refused, sent, entered: globalThis.entered, base: document.baseURI };
  });
  assert.deepEqual(
    Object.values(tried.refused),
    Object.values(tried.refused).fill(true),
    JSON.stringify(tried.refused),
  );
  for (const name of ['base-uri', 'frame-src', 'img-src', 'connect-src'])
    await page.waitForFunction((directive) => globalThis.blocked.includes(directive), name);
  assert.equal(tried.sent, 'refused');
  assert.equal(tried.entered, undefined);
  assert.ok(tried.base.startsWith(playground.origin));
  await page.context().close();
  playground.faults.length = 0; // All of them were made here.
});

test('links have targets, and links to other sites are noopener', async () => {
  for (const name of ['first', 'notes', 'embed', 'not-arrived', 'rules', 'gallery']) {
    const page = await open(name);
    const links = await page.$$eval('a', (all) =>
      all.map(({ href, target, rel, outerHTML }) => ({ href, target, rel, html: outerHTML.slice(0, 120) })),
    );
    for (const { href, target, rel, html: text } of links) {
      assert.match(href, /^https?:/, text);
      const away = new URL(href).origin !== playground.origin;
      if (away || target === '_blank') assert.match(rel, /\bnoopener\b/, text);
      if (away) assert.match(href, /^https:/, text);
    }
    await page.context().close();
  }
});

// --- What is seen and touched ----------------------------------------------------

test('pictures have sizes and their own proportions', async () => {
  const page = await open('share');
  const pictures = await page.$$eval('img', (all) =>
    all.map((image) => ({
      id: image.id,
      said: image.width / image.height,
      shown: image.getBoundingClientRect().width / image.getBoundingClientRect().height,
      real: image.naturalWidth / image.naturalHeight,
      sized: image.hasAttribute('width') && image.hasAttribute('height'),
    })),
  );
  assert.ok(pictures.length > 0);
  for (const { id, real, shown, sized } of pictures) {
    assert.ok(sized, id);
    assert.ok(Math.abs(shown / real - 1) < 0.03, `${id}: ${shown} for ${real}`);
  }
  await page.context().close();
});

test('on a phone, targets are large enough or far enough apart, and text is at least 12 px', async () => {
  const phone = { viewport: { width: 320, height: 700 }, hasTouch: true, isMobile: true };
  for (const name of [
    'first',
    'rank-8',
    'conflict',
    'rules',
    'gallery',
    'predict',
    'share',
    'keys',
    'details',
    'slices',
  ]) {
    const page = await open(name, phone);
    const found = await page.evaluate(() => {
      const scope = document.querySelector('dialog[open]') ?? document; // What is behind a dialog cannot be touched.
      const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      const told = (element) => `${element.outerHTML.slice(0, 90)}`;
      const hidden = (element) => getComputedStyle(element).clipPath !== 'none';
      // WCAG 2.2, 2.5.8: 24 px, or a circle of 24 px about the middle that no other target or its circle meets; links in
      // a sentence are excepted. What is too small to be seen is touched by its label.
      const targets = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [role=tab]')]
        .filter((element) => seen(element) && !element.matches(':disabled, p a') && !hidden(element))
        .map((element) =>
          element.matches('label input:is([type=radio], [type=checkbox])') ? element.closest('label') : element,
        )
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.right > 0);
      const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
      const small = ({ box }) => box.width < 23.5 || box.height < 23.5;
      const meets = (a, b) => {
        const [x, y] = middle(a.box);
        if (small(b)) return Math.hypot(x - middle(b.box)[0], y - middle(b.box)[1]) < 24;
        const dx = Math.max(b.box.left - x, 0, x - b.box.right);
        const dy = Math.max(b.box.top - y, 0, y - b.box.bottom);
        return Math.hypot(dx, dy) < 12;
      };
      const cramped = targets
        .filter(small)
        .filter((a) => targets.some((b) => a.element !== b.element && !b.element.contains(a.element) && meets(a, b)))
        .map(({ element, box }) => `${Math.round(box.width)}x${Math.round(box.height)} ${told(element)}`);
      const tiny = [...document.querySelectorAll('body *')]
        .filter((element) => seen(element) && [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
        .filter((element) => parseFloat(getComputedStyle(element).fontSize) < 12)
        .map((element) => `${getComputedStyle(element).fontSize} ${told(element)}`);
      return { cramped, tiny, wide: document.documentElement.scrollWidth };
    });
    assert.deepEqual(found, { cramped: [], tiny: [], wide: 320 }, name);
    await page.context().close();
  }
});

test('the manifest has no errors, and its icons exist', async () => {
  const page = await playground.open();
  const cdp = await page.context().newCDPSession(page);
  const { url, errors, data } = await cdp.send('Page.getAppManifest');
  assert.match(url, /manifest\.webmanifest$/);
  assert.deepEqual(errors, []);
  const manifest = JSON.parse(data);
  for (const key of ['name', 'short_name', 'start_url', 'display', 'background_color', 'theme_color', 'description'])
    assert.ok(manifest[key], key);
  for (const { src, type } of manifest.icons) {
    const response = await page.request.get(new URL(src, url).href);
    assert.equal(response.status(), 200, src);
    assert.equal(response.headers()['content-type'], type);
  }
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
